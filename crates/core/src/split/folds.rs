//! Which lists are left out together.
//!
//! Without times, each fold leaves some lists out and is trained with all others. With times, folds look
//! forward only: lists are parted into periods, fold 1 is trained with the first period and judged by the
//! second, fold 2 is trained with the first two and judged by the third, and so on. Nothing judges the first
//! period; fold 0 is trained with everything, and judges nothing: it is the model.
//!
//! ```text
//! period      0  1  2  3  4
//! fold 0      t  t  t  t  t     t: trained with
//! fold 1      t  j              j: judged by
//! fold 2      t  t  j
//! fold 3      t  t  t  j
//! fold 4      t  t  t  t  j
//! ```

use std::ops::Range;

use super::list_keys::ListKeys;
use crate::cost::Problem;
use crate::random::purpose;
use crate::shards::Shards;

/// Lists dealt to folds.
pub struct Folds {
    /// For each list its fold, or its period.
    of_list: Vec<usize>,
    n: usize,
    /// Whether folds are periods, and look forward only.
    forward: bool,
}

impl Folds {
    /// Folds that judge a model: as [`Folds::dealt`], but where times are known they look forward only.
    pub fn new(problem: &Problem<'_>, n: usize, seed: u64) -> Option<Folds> {
        Folds::among(problem, n, seed, &Shards::alone())
    }

    /// The same for a problem of which other shards have more lists: the folds of its lists are those that they would
    /// have if all lists were in one place.
    pub fn among(problem: &Problem<'_>, n: usize, seed: u64, shards: &Shards) -> Option<Folds> {
        let dealt = Folds::dealt_among(problem, n, seed, shards)?;
        Some(Folds { forward: problem.data().time().is_some(), ..dealt })
    }

    /// Deals the lists to `n` folds, or to fewer if fewer lists have a cost to save; `None` if that leaves
    /// fewer than two. Lists go by a draw for their id, so that neither the
    /// order of the file nor the seed's other uses decide. Where times are known a fold is a
    /// period: lists close in time are similar.
    pub fn dealt(problem: &Problem<'_>, n: usize, seed: u64) -> Option<Folds> {
        Folds::dealt_among(problem, n, seed, &Shards::alone())
    }

    fn dealt_among(problem: &Problem<'_>, n: usize, seed: u64, shards: &Shards) -> Option<Folds> {
        let data = problem.data();
        let seed = purpose(seed, b"folds   ");
        let keys = ListKeys::of(data, &problem.savable(), seed, shards);
        let mut order: Vec<usize> = (0..keys.all.len()).collect();
        let order_of = |&a: &usize, &b: &usize| {
            let [a, b] = [a, b].map(|list| &keys.all[list]);
            a.time.total_cmp(&b.time).then(a.draw.total_cmp(&b.draw))
        };
        order.sort_by(order_of);
        let (useful, useless): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|&list| keys.all[list].useful);
        let n = n.min(useful.len());
        if n < 2 {
            return None;
        }
        let mut of_list = vec![0; keys.all.len()];
        for lists in [useful, useless] {
            for (place, &list) in lists.iter().enumerate() {
                of_list[list] = match data.time() {
                    Some(_) => place * n / lists.len(),
                    None => place % n,
                };
            }
        }
        Some(Folds { of_list: keys.own_of(&of_list).to_vec(), n, forward: false })
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none; there are at least two.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Whether folds look forward only: fold 0 is then the model, and the others judge it.
    pub fn look_forward(&self) -> bool {
        self.forward
    }

    /// The folds that judge lists.
    pub fn judging(&self) -> Range<usize> {
        usize::from(self.forward)..self.n
    }

    /// The fold that judges a list.
    pub fn of_list(&self, list: usize) -> Option<usize> {
        Some(self.of_list[list]).filter(|fold| self.judging().contains(fold))
    }

    /// Whether a fold is trained with a list.
    pub fn keeps(&self, fold: usize, list: usize) -> bool {
        match self.forward {
            true => fold == 0 || self.of_list[list] < fold,
            false => self.of_list[list] != fold,
        }
    }

    /// The number of trainings with all lists that the folds amount to.
    pub fn trainings(&self) -> f64 {
        Folds::trainings_of(self.n, self.forward)
    }

    /// The same for so many folds of which it is known whether they look forward.
    pub fn trainings_of(n: usize, forward: bool) -> f64 {
        let others = n as f64 - 1.0;
        if forward { 1.0 + others / 2.0 } else { others }
    }

    /// The training lists of a fold, and the lists that it judges.
    pub fn sides(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        let all = 0..self.of_list.len();
        let judged = |list: &usize| self.of_list(*list) == Some(fold);
        (all.clone().filter(|&list| self.keeps(fold, list)).collect(), all.filter(judged).collect())
    }

    /// Puts the scores of the items of a fold, list after list, at their rows.
    pub fn put(&self, problem: &Problem<'_>, fold: usize, from: &[f64], to: &mut [f64]) {
        let mut from = from.iter();
        for list in self.sides(fold).1 {
            to[problem.data().items(list)]
                .iter_mut()
                .zip(&mut from)
                .for_each(|(to, from)| *to = *from);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cost::CostModel;
    use crate::data::{Columns, Dataset, DatasetBuilder, Feature, Row};

    /// Lists of two items; every third has nothing to save.
    fn data(lists: usize, times: bool) -> Dataset {
        let columns = Columns {
            list: Some("list".into()),
            impact: Some("cost".into()),
            time: times.then(|| "day".into()),
            ..Columns::of_features(vec![Feature::numeric("x")])
        };
        let mut builder = DatasetBuilder::new("lists", columns).unwrap();
        for row in 0..2 * lists {
            let (list, cost) = (format!("l{}", row / 2), f64::from(u8::from(row / 2 % 3 != 0)));
            let day = format!("2020-01-{:02}", 1 + row / 2);
            let row = Row {
                line: row as u64,
                list: &list,
                impact: Some(cost),
                time: times.then_some(day.as_str()),
                features: &[row as f32],
                ..Row::default()
            };
            builder.push(row).unwrap();
        }
        builder.finish().unwrap()
    }

    #[test]
    fn every_list_is_left_out_once_and_folds_are_alike() {
        let data = data(24, false);
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let folds = Folds::new(&problem, 5, 1).unwrap();
        let mut left_out: Vec<usize> = (0..5).flat_map(|fold| folds.sides(fold).1).collect();
        left_out.sort_unstable();
        assert_eq!(left_out, (0..24).collect::<Vec<_>>());
        for fold in 0..5 {
            let useful = folds.sides(fold).1.iter().filter(|&&list| list % 3 != 0).count();
            assert!((3..=4).contains(&useful), "{useful}");
        }
        let mut scores = vec![0.0; 48];
        let own: Vec<f64> = (0..2 * folds.sides(2).1.len()).map(|i| i as f64 + 1.0).collect();
        folds.put(&problem, 2, &own, &mut scores);
        let list = folds.sides(2).1[1];
        assert_eq!(scores[data.items(list)], [3.0, 4.0]);
    }

    #[test]
    fn with_times_a_fold_judges_a_period_by_earlier_ones() {
        let data = data(24, true);
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let folds = Folds::new(&problem, 4, 1).unwrap();
        assert_eq!(folds.judging(), 1..4);
        assert_eq!(folds.sides(0), ((0..24).collect(), Vec::new()));
        for fold in folds.judging() {
            let (trained, judged) = folds.sides(fold);
            // Lists with nothing to save are parted by themselves.
            for useful in [true, false] {
                let of = |lists: &[usize]| -> Vec<usize> {
                    lists.iter().copied().filter(|list| (list % 3 != 0) == useful).collect()
                };
                let (trained, judged) = (of(&trained), of(&judged));
                assert!(trained.last() < judged.first(), "{trained:?} {judged:?}");
                assert_eq!(judged.len(), if useful { 4 } else { 2 });
            }
        }
        assert!((0..24).filter(|&list| folds.of_list(list).is_none()).count() == 6);
    }

    #[test]
    fn few_lists_make_fewer_folds_or_none() {
        for (lists, expected) in [(2, None), (3, Some(2)), (5, Some(3)), (24, Some(5))] {
            let data = data(lists, false);
            let problem = Problem::new(&data, &CostModel::Impact).unwrap();
            let folds = Folds::new(&problem, 5, 1);
            assert_eq!(folds.map(|folds| folds.len()), expected, "{lists} lists");
        }
    }
}
