//! How features become inputs.

use crate::params;
use crate::params::Choice;
use stakes_model::ListScaling;

impl Choice for ListScaling {
    const VALUES: &'static [Self] = &[ListScaling::None, ListScaling::MinMax, ListScaling::ZScore];
    const NAMES: &'static [&'static str] = &["none", "min-max", "z-score"];
}

params! {
    /// How features become the inputs of a linear score or a net.
    pub struct Inputs {
        /// numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1
        within: ListScaling = ListScaling::None, ListScaling::KIND, try ["none", "min-max", "z-score"];
    }
}
