//! What a search gives, and what is told of it on the way.

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Since the beginning.
    pub seconds: f64,
    /// The best value found so far; minus infinity if there is none.
    pub incumbent: f64,
    /// No weights are worth more than this.
    pub bound: f64,
    /// Parts of the problem that were looked at.
    pub nodes: u64,
}

impl Progress {
    /// By which part of itself the incumbent might be bettered.
    pub fn gap(&self) -> f64 {
        gap(self.incumbent, self.bound)
    }
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Look further.
    GoOn,
    /// Return what there is.
    Stop,
}

/// Somebody who is told how a search goes, and may stop it. Called a few times a second at most.
pub type Watch<'w> = dyn FnMut(&Progress) -> Flow + Send + 'w;

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing better than what was found is there, but for the gap that was asked for.
    Proven,
    /// Its time or its number of nodes was up.
    Limit,
    /// More cannot be proven by this method: there are too many features, or weights must be whole numbers.
    OutOfReach,
    /// The watcher stopped it.
    Interrupted,
}

/// The best weights found, and what is known of all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// As the rules allow, per unit of the features as they were given.
    pub weights: Vec<f64>,
    /// What they are worth by [`crate::Problem::value`], less what they cost.
    pub value: f64,
    /// No weights that the rules allow are worth more, less what they cost. Where a program proved it: none whose
    /// scores keep the program's margin ([`crate::program::by_program`]).
    pub bound: f64,
    /// Why it ended.
    pub ended: Ended,
    /// Parts of the problem that were looked at.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Which method proved the bound: `sweep`, `cones`, `highs`, ...
    pub method: &'static str,
    /// How incumbent and bound came to be, in the order of time.
    pub history: Vec<Progress>,
}

impl Outcome {
    /// By which part of itself the value might be bettered.
    pub fn gap(&self) -> f64 {
        gap(self.value, self.bound)
    }
}

/// (bound - value) / |value|, 0 where nothing is left.
pub fn gap(value: f64, bound: f64) -> f64 {
    if bound <= value { 0.0 } else { (bound - value) / value.abs().max(f64::MIN_POSITIVE) }
}
