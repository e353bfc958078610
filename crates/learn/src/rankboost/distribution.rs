//! The interface of a distribution over pairs: the masses that a weak ranker orders correctly and
//! wrongly, and the update.

/// The outputs of a weak ranker, 0 or 1, by place of [`super::feedback::Feedback`].
pub(crate) type Column = Vec<u8>;

/// The shares of the distribution that a weak ranker orders correctly, wrongly, and leaves tied.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Masses {
    pub(crate) right: f64,
    pub(crate) wrong: f64,
    pub(crate) tied: f64,
}

/// The factors by which a round multiplies the masses of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// The weight of the weak ranker: the factor is exp(-alpha) for correctly ordered pairs and
    /// exp(alpha) for wrongly ordered ones.
    pub(crate) alpha: f64,
    /// The factor of tied pairs.
    pub(crate) tied: f64,
}

impl Step {
    /// Returns the sum of the distribution after the step: Z_t.
    pub(crate) fn z(&self, masses: &Masses) -> f64 {
        masses.right * (-self.alpha).exp()
            + masses.wrong * self.alpha.exp()
            + masses.tied * self.tied
    }
}

/// A distribution over the pairs of lists.
pub(crate) trait Distribution: Sync {
    /// Applies the costs of the round, if costs are added gradually.
    fn begin_round(&mut self) {}

    /// The potential of every item: the mass of the pairs in which it is the better one, less that
    /// of the pairs in which it is the worse one.
    fn potentials(&self) -> &[f64];

    /// Returns the masses that a weak ranker orders correctly, wrongly, and leaves tied.
    fn masses(&self, column: &Column) -> Masses;

    /// Returns the masses that each of eight weak rankers leaves tied; the bits of `output` are
    /// their outputs, by place.
    fn tied(&self, output: &[u8]) -> [f64; 8] {
        std::array::from_fn(|at| {
            let column = output.iter().map(|bits| bits >> at & 1).collect();
            self.masses(&column).tied
        })
    }

    /// Updates the distribution with a weak ranker that has these `masses`.
    fn update(&mut self, column: &Column, step: Step, masses: &Masses);

    /// The exponential loss: the sum over pairs of initial share x all factors so far, without
    /// normalisation.
    fn loss(&self) -> f64;
}
