//! Which lists are left out together.

use stakes_core::cost::Problem;
use stakes_core::random::{draw_for, purpose};

/// Lists dealt to folds.
pub(super) struct Folds {
    /// For each list its fold.
    of_list: Vec<usize>,
    n: usize,
}

impl Folds {
    /// Deals the lists to `n` folds, or to as many as there are lists with something to save;
    /// `None` if that is fewer than two. Lists go by a draw for their id, so that neither the
    /// order of the file nor the seed's other uses decide. Where times are known a fold is a
    /// period: neighbours in time share their weather.
    pub(super) fn new(problem: &Problem<'_>, n: usize, seed: u64) -> Option<Folds> {
        let data = problem.data();
        let seed = purpose(seed, b"folds   ");
        let key = |list: usize| {
            let last = data.time().map_or(0.0, |time| {
                time.keys()[data.items(list)].iter().copied().fold(f64::NEG_INFINITY, f64::max)
            });
            (last, draw_for(seed, data.list_id(list)))
        };
        let saves = |list: usize| problem.list(list).cost.iter().any(|&cost| cost > 0.0);
        let keys: Vec<(f64, f64)> = (0..data.n_lists()).map(key).collect();
        let mut order: Vec<usize> = (0..data.n_lists()).collect();
        let order_of = |&a: &usize, &b: &usize| {
            keys[a].0.total_cmp(&keys[b].0).then(keys[a].1.total_cmp(&keys[b].1))
        };
        order.sort_by(order_of);
        let (useful, useless): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|&l| saves(l));
        let n = n.min(useful.len());
        if n < 2 {
            return None;
        }
        let mut of_list = vec![0; data.n_lists()];
        for lists in [useful, useless] {
            for (place, &list) in lists.iter().enumerate() {
                of_list[list] = match data.time() {
                    Some(_) => place * n / lists.len(),
                    None => place % n,
                };
            }
        }
        Some(Folds { of_list, n })
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// The lists that are learnt from, and those that are left out.
    pub(super) fn sides(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        (0..self.of_list.len()).partition(|&list| self.of_list[list] != fold)
    }

    /// Puts the scores of the items of a fold, list after list, at their rows.
    pub(super) fn put(&self, problem: &Problem<'_>, fold: usize, from: &[f64], to: &mut [f64]) {
        let mut from = from.iter();
        for list in self.sides(fold).1 {
            to[problem.data().items(list)]
                .iter_mut()
                .zip(&mut from)
                .for_each(|(to, from)| *to = *from);
        }
    }
}
