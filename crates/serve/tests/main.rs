//! The service as others see it: over TCP, on a port of its own.

#![allow(clippy::unwrap_used, missing_docs)]

mod it {
    mod client;
    mod contract;
    mod errors;
    mod limits;
    mod reload;
    mod safety;
    mod same_scores;
    mod world;
}
