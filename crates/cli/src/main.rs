//! The program `stakes`.
fn main() {}
