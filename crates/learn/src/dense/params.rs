//! How features become inputs.

use crate::params::Choice;
use crate::{choice, params};
use stakes_model::ListScaling;

impl Choice for ListScaling {
    const VALUES: &'static [Self] = &[ListScaling::None, ListScaling::MinMax, ListScaling::ZScore];
    const NAMES: &'static [&'static str] = &["none", "min-max", "z-score"];
}

choice! {
    /// The unit of numbers.
    pub enum Unit {
        /// Their standard deviation.
        Deviation = "deviation",
        /// That of the data.
        Raw = "raw",
    }
}

params! {
    /// How features become the inputs of a linear score or a net.
    pub struct Inputs {
        /// numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1
        within: ListScaling = ListScaling::None, ListScaling::KIND, try ["none", "min-max", "z-score"];
        /// deviation: numbers count in standard deviations from their mean; raw: in their own unit
        feature_unit: Unit = Unit::Deviation, Unit::KIND;
    }
}
