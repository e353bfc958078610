//! How large drift is by chance alone, with so many lists.
//!
//! Items of a list are alike, so a few new lists differ from those of the training even if nothing has
//! changed. Lists of the training are drawn again and again, as many as carry the noise of both sides
//! (1 / n = 1 / new + 1 / training), and compared with all that they are drawn from. The 95 % quantile of each
//! index is then raised by one factor for all indices, and that of each distance by one for all distances, so that
//! in 95 of 100 such draws *nothing* is beyond its own (a single-step maximum as of Westfall and Young 1993): with
//! many features something would be, otherwise. Indices have long tails and would make distances blind if
//! both had the same factor.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};
use stakes_model::Distribution;
use stakes_stats::quantile;

use super::drift::Apart;

/// In so many of 100 comparisons without a change, nothing is beyond chance.
const LEVEL: f64 = 0.95;
/// More lists are not drawn: chance is small with so many, and then it is overstated.
const MAX_DRAWN: f64 = 500.0;

/// For each distribution of a reference how far apart chance may bring it with so many new lists; `None`
/// where fewer than two lists are known.
pub(super) fn apart(
    reference: &[&Distribution],
    new_lists: usize,
    resamples: usize,
    seed: u64,
) -> Vec<Option<Apart>> {
    let drawn: Vec<Drawn<'_>> =
        reference.iter().map(|one| Drawn { of: one, all: sum(one.by_list.iter(), one) }).collect();
    let one = |number: u64| -> Vec<Apart> {
        // All features are of the same lists, so the same lists are drawn for them.
        let stream = Stream::new(purpose(seed, b"monitor."), number);
        drawn.iter().map(|one| one.apart(stream, new_lists)).collect()
    };
    let all: Vec<Vec<Apart>> = (0..resamples as u64).into_par_iter().map(one).collect();
    // Half of what may be wrong for each of the two.
    let psi = raised(&all, drawn.len(), |one| one.psi);
    let distance = raised(&all, drawn.len(), |one| one.distance);
    let both = psi.into_iter().zip(distance).map(|(psi, distance)| Apart { psi, distance });
    let known = |(one, apart): (&Drawn<'_>, Apart)| (one.of.by_list.len() > 1).then_some(apart);
    drawn.iter().zip(both).map(known).collect()
}

/// For each distribution the quantile of a measure, raised by one factor for all.
fn raised(all: &[Vec<Apart>], n: usize, measure: fn(&Apart) -> f64) -> Vec<f64> {
    let own: Vec<f64> = (0..n)
        .map(|number| quantile_of(all.iter().map(|one| measure(&one[number])), LEVEL))
        .collect();
    let farthest = |one: &Vec<Apart>| {
        let values = one.iter().map(measure).zip(&own).filter(|(_, own)| **own > 0.0);
        values.map(|(value, own)| value / own).fold(0.0, f64::max)
    };
    let factor = quantile_of(all.iter().map(farthest), 0.5 + LEVEL / 2.0).max(1.0);
    own.into_iter().map(|own| factor * own).collect()
}

fn quantile_of(values: impl Iterator<Item = f64>, level: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    quantile(&values, level)
}

/// The numbers of items in the bins of lists together.
fn sum<'l>(lists: impl Iterator<Item = &'l Vec<u32>>, of: &Distribution) -> Vec<f64> {
    let mut counts = vec![0.0; of.bins.len()];
    for list in lists {
        counts.iter_mut().zip(list).for_each(|(sum, &count)| *sum += f64::from(count));
    }
    counts
}

/// The lists that are drawn from, and all of them together.
struct Drawn<'r> {
    of: &'r Distribution,
    all: Vec<f64>,
}

impl Drawn<'_> {
    fn apart(&self, stream: Stream, new_lists: usize) -> Apart {
        let lists = &self.of.by_list;
        if lists.is_empty() {
            return Apart::default();
        }
        let drawn = (0..self.size(new_lists)).map(|draw| &lists[stream.below(draw, lists.len())]);
        Apart::of(&self.of.bins, &self.all, &sum(drawn, self.of))
    }

    /// How many lists are drawn. Draws from n lists vary by 1 - 1/n as much as draws from all that there
    /// could be.
    fn size(&self, new_lists: usize) -> u64 {
        let kept = self.of.by_list.len() as f64;
        let both = 1.0 / (1.0 / new_lists as f64 + 1.0 / self.of.lists.max(1) as f64);
        (both * (1.0 - 1.0 / kept)).clamp(1.0, MAX_DRAWN) as u64
    }
}
