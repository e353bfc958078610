//! The solver HiGHS, behind a safe door.
//!
//! Linear programs, and mixed-integer linear programs, as plain data:
//!
//! max (or min) offset + c.x, where lower <= x <= upper, row lower <= A x <= row upper, some x whole numbers.
//!
//! A caller hears of the progress of a search, and may stop it ([`solve`]). This is the only crate of the
//! project with `unsafe`: all of it is in `handle.rs` (calls of HiGHS) and `callback.rs` (calls by HiGHS).
//!
//! Without the feature `bundled` this crate is empty. With it, HiGHS is built from source.
//!
//! Q. Huangfu and J. A. J. Hall, Parallelizing the dual revised simplex method, Mathematical Programming
//! Computation 10(1), 2018.
#![cfg_attr(
    feature = "bundled",
    doc = r#"
A knapsack of 5, with items of weights 2, 3, 4 that are worth 3, 4, 6: the first two are best.
```
use std::ops::ControlFlow;
use stakes_highs::{Model, Options, Sense, Status, solve};

let mut model = Model::new(Sense::Maximise);
let items = [3.0, 4.0, 6.0].map(|worth| model.add_column(0.0, 1.0, worth, true));
model.add_row(f64::NEG_INFINITY, 5.0, [2.0, 3.0, 4.0].iter().zip(items).map(|(w, i)| (i, *w)));
let found = solve(&model, None, &Options::default(), &mut |_| ControlFlow::Continue(()))?;
assert_eq!(found.status, Status::Optimal);
assert_eq!(found.objective, 7.0);
# Ok::<(), stakes_highs::Error>(())
```
"#
)]

#[cfg(feature = "bundled")]
mod callback;
#[cfg(feature = "bundled")]
mod handle;
#[cfg(feature = "bundled")]
mod model;
#[cfg(feature = "bundled")]
mod solve;

#[cfg(feature = "bundled")]
pub use callback::{Progress, Watch};
#[cfg(feature = "bundled")]
pub use model::{Model, Sense};
#[cfg(feature = "bundled")]
pub use solve::{Error, Options, Solution, Status, solve};
