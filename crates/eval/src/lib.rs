//! Evaluation of rankings: several scores on the same lists, and pictures of the result.
//!
//! * [`study`]: figures with intervals, reference orders and paired tests.
//! * [`curve`]: the share of all cost that is reached, by the number of items acted on.
//! * [`reliability`]: whether scores that are expected costs agree with the observed cost.
//! * [`picture`]: self-contained SVG.

pub mod curve;
pub mod picture;
pub mod reliability;
pub mod study;
