//! AdaBoost of two classes and its cost-sensitive variants: items that cost more than a threshold
//! against all others, by weighted stumps (Freund and Schapire 1997; Nikolaou et al. 2016; Salomon
//! 2020, figure 3.1).

mod learner;
mod rounds;
mod variant;

pub use learner::{AdaBoost, ClassCostParams, FAMILY};
pub use variant::Variant;
