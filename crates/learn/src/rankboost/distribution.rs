//! A distribution over pairs, as boosting sees it: how much of it a weak ranker gets right, and
//! what becomes of it.

/// A weak ranker's say on the places of [`super::feedback::Feedback`]: 0 or 1.
pub(crate) type Column = Vec<u8>;

/// The shares of the distribution that a weak ranker gets right, wrong, and leaves tied.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Masses {
    pub(crate) right: f64,
    pub(crate) wrong: f64,
    pub(crate) tied: f64,
}

/// What a round multiplies pairs by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// The weight of the weak ranker: right pairs shrink by exp(-alpha), wrong ones grow.
    pub(crate) alpha: f64,
    /// The factor of tied pairs.
    pub(crate) tied: f64,
}

impl Step {
    /// The sum of the distribution after the step: Z_t.
    pub(crate) fn z(&self, masses: &Masses) -> f64 {
        masses.right * (-self.alpha).exp()
            + masses.wrong * self.alpha.exp()
            + masses.tied * self.tied
    }
}

/// A distribution over the pairs of lists.
pub(crate) trait Distribution: Sync {
    /// Brings in what comes in by and by: the costs, where they come in round by round.
    fn begin_round(&mut self) {}

    /// For every item the mass of pairs in which it is the better, less that in which it is the
    /// worse.
    fn potentials(&self) -> &[f64];

    /// What a weak ranker makes of it.
    fn masses(&self, column: &Column) -> Masses;

    /// The masses that eight weak rankers leave tied; the bits of `said` are theirs, by place.
    fn tied(&self, said: &[u8]) -> [f64; 8] {
        std::array::from_fn(|at| {
            let column = said.iter().map(|bits| bits >> at & 1).collect();
            self.masses(&column).tied
        })
    }

    /// Adds a weak ranker. `masses` are its own.
    fn update(&mut self, column: &Column, step: Step, masses: &Masses);

    /// The sum over pairs of share x all factors so far, before the distribution was normalised:
    /// the exponential loss.
    fn loss(&self) -> f64;
}
