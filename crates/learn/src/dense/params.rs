//! How features become inputs.

use crate::params;
use crate::params::Choice;
use stakes_model::Within;

impl Choice for Within {
    const VALUES: &'static [Self] = &[Within::None, Within::MinMax, Within::ZScore];
    const NAMES: &'static [&'static str] = &["none", "min-max", "z-score"];
}

params! {
    /// How features become the inputs of a linear score or a net.
    pub struct Inputs {
        /// numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1
        within: Within = Within::None, Within::KIND, try ["none", "min-max", "z-score"];
    }
}
