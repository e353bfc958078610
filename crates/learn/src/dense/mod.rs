//! Features as numbers, for scores that are no trees: linear ones and nets.

mod data;
mod inputs;
mod matrix;
mod params;

pub(crate) use data::DenseData;
pub(crate) use matrix::Dense;
pub use params::Inputs;

/// What every `impl Learner` of a linear score or a net repeats, given its field `inputs`.
macro_rules! reads_inputs {
    () => {
        fn kind(&self) -> $crate::learner::Kind {
            $crate::learner::Kind::Weights
        }

        fn list_scaling(&self) -> stakes_model::ListScaling {
            self.inputs.within
        }
    };
}
pub(crate) use reads_inputs;
