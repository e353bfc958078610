//! Estimates of the mean cost along the score, before they become knots.

use super::ends::{self, End};
use super::interval::{log_error, t};
use super::isotonic::{self, Block, Item};

/// The mean cost at a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) score: f64,
    pub(super) mean: f64,
    /// The standard error of its logarithm.
    pub(super) error: f64,
    /// The degrees of freedom of the error.
    pub(super) degrees: f64,
}

impl Estimate {
    /// The factor between the mean and the ends of its interval, with this further error of the logarithm.
    pub(super) fn spread(&self, further: f64) -> f64 {
        (t(self.degrees) * self.error.hypot(further)).exp()
    }
}

/// An estimate at the centre of each block, and several along the lowest and the highest. Scores and means
/// increase strictly.
pub(super) fn of_blocks(blocks: &[Block], items: &[Item], lists: usize) -> Vec<Estimate> {
    let mut all: Vec<Estimate> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let of_block = &items[block.items.clone()];
        let mean = block.mean();
        let (error, degrees) = log_error(of_block, mean, lists);
        let score = isotonic::centre(of_block, block.weight);
        let whole = Estimate { score, mean, error, degrees };
        let end = match (number == 0, number + 1 == blocks.len()) {
            (true, true) => Some(End::Only),
            (true, false) => Some(End::Lowest),
            (false, true) => Some(End::Highest),
            (false, false) => None,
        };
        let own = end.map_or(vec![whole], |end| ends::along(of_block, end, whole, lists));
        // What an end would put beyond the means of its neighbours is left to interpolation.
        let above = blocks.get(number + 1).map_or(f64::INFINITY, Block::mean);
        let below = number.checked_sub(1).map_or(0.0, |number| blocks[number].mean());
        all.extend(own.into_iter().filter(|one| below < one.mean && one.mean < above));
    }
    all.dedup_by(|next, last| next.score <= last.score || next.mean <= last.mean);
    smooth(&mut all);
    all
}

/// Errors of single blocks are estimated from few lists: each becomes the mean of its neighbours' and its own.
fn smooth(all: &mut [Estimate]) {
    const REACH: usize = 2;
    let errors: Vec<f64> = all.iter().map(|one| one.error).collect();
    for (i, one) in all.iter_mut().enumerate() {
        let near = &errors[i.saturating_sub(REACH)..(i + REACH + 1).min(errors.len())];
        one.error = near.iter().sum::<f64>() / near.len() as f64;
    }
}
