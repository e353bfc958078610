//! Models across libraries: [`export`] writes ours for programs that run others, [`import`] reads theirs.
//!
//! Both are functions of bytes and a [`stakes_model::Model`]; files, terminals and data sets are elsewhere.
//! A foreign model becomes an ordinary `Model`, so everything that works on a model works on it, and any
//! model that can be read can be written in any other format that can hold it.

pub mod export;
pub mod import;
pub mod onnx_proto;
