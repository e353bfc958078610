//! Ranking as an HTTP service: models are loaded once, and other programs send rows and get the JSON or CSV of
//! `stakes rank`, `stakes plan` and `stakes explain`, to the bit.
//!
//! | request | answer |
//! |---|---|
//! | `POST /v1/rank` | the items of each list in order, with expected costs; `explain=N` adds reasons |
//! | `POST /v1/explain` | the same with reasons |
//! | `POST /v1/plan` | the items to act on within budgets and limits |
//! | `POST /v1/score` | a score for each row |
//! | `POST /v1/report` | the report of `stakes report`, a page |
//! | `GET /` | a page on which to choose a file and see its report |
//! | `GET /v1/models`, `/v1/health`, `/metrics`, `/openapi.json` | what is served, and how it is doing |
//!
//! # Why hyper alone
//! The service has a dozen fixed paths, and nearly all of its work is to refuse what is too slow, too large or too
//! much, with an answer of its own for each. hyper gives the control over connections, headers and timers that this
//! needs. A framework above it would be asked for no more than a `match`, and costs 15 more crates.
//!
//! # How a request goes
//! A connection is taken if there is room for it ([`ServeLimits::connections`]). The header must arrive in time, name a
//! host of ours (a page of another site that resolves to loopback does not), and have the token, if there is one. The body
//! is read within limits of size, time and memory (`upload`), and answered (`work`): a few rows where they arrived, as handing
//! them over would take longer, and more by threads of their own, so many at a time as there are cores. A mistake of
//! ours is a 500 for one request, and no more. Nothing that is sent is ever a path of the file system. Rows as JSON with the
//! columns of the model are read in one pass (`rows`), all others by the library's reader; the answers are the same.

mod calendar;
mod gate;
mod metrics;
mod models;
mod openapi;
mod options;
mod page;
mod query;
mod reply;
mod routes;
mod rows;
mod server;
mod signals;
mod upload;
mod work;

use std::sync::Arc;

pub use options::{NamedModel, ServeError, ServeLimits, ServeOptions};
pub use server::Server;
pub use signals::serve;

/// Where lines about requests and models go; none of them holds rows.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;
