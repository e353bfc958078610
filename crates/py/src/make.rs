//! Data that are made: of a log of events, or by a generator.

use std::sync::Arc;

use pyo3::prelude::*;
use stakes::prepare::{Measure, PrepareOptions};
use stakes::synth::{Gaussians, Oracle, Search, Storms, Tail, Theorem};

use crate::data::{Data, FileArgs};
use crate::watch::quietly;
use crate::{error, json};

/// Makes lists of a log of events: the data, a summary as JSON, and notes.
#[pyfunction]
#[pyo3(signature = (path, file, *, list, item, sum, max, count, keep_outcomes, fill_zeros, max_rows, history, region, attributes, joins))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn prepare(
    py: Python<'_>,
    path: &str,
    file: FileArgs,
    list: &str,
    item: String,
    sum: Vec<String>,
    max: Vec<String>,
    count: bool,
    keep_outcomes: bool,
    fill_zeros: bool,
    max_rows: Option<usize>,
    history: Vec<usize>,
    region: Option<String>,
    attributes: Vec<String>,
    joins: Vec<String>,
) -> PyResult<(Data, String, Vec<String>)> {
    let sums = sum.into_iter().map(Measure::Sum);
    let maxima = max.into_iter().map(Measure::Max);
    let options = PrepareOptions {
        file: file.options()?,
        list: list.parse().map_err(error)?,
        item,
        measures: sums.chain(maxima).chain(count.then_some(Measure::Count)).collect(),
        keep_outcomes,
        fill_zeros,
        max_rows,
        history,
        region,
        attributes,
        joins,
    };
    let panel = quietly(py, || stakes::prepare::prepare(path, &options))?;
    let summary = json(&panel.summary.lines())?;
    let notes = [panel.notes, panel.questions].concat();
    Ok((Data(Arc::new(panel.data)), summary, notes))
}

/// Generates data.
#[pyfunction]
#[pyo3(signature = (what, *, seed, lists, rows, networks, tail, oracle, mean_length, items))]
#[allow(clippy::too_many_arguments)] // They are keywords.
pub(crate) fn generate(
    py: Python<'_>,
    what: &str,
    seed: u64,
    lists: Option<usize>,
    rows: Option<usize>,
    networks: Option<usize>,
    tail: &str,
    oracle: bool,
    mean_length: Option<f64>,
    items: Option<usize>,
) -> PyResult<Data> {
    let data = py.detach(|| match what {
        "storms" => {
            let usual = Storms::default();
            let tail = match tail {
                "compound" => Tail::Compound,
                "tempered" => Tail::Tempered,
                _ => Tail::Hurdle,
            };
            let storms = Storms {
                lists: lists.unwrap_or(usual.lists),
                networks: networks.unwrap_or(usual.networks),
                tail,
                oracle: if oracle { Oracle::Column } else { Oracle::Hidden },
                seed,
                ..usual
            }
            .fitting_rows();
            Storms { rows: rows.unwrap_or(storms.rows), ..storms }.generate()
        }
        "search" => {
            let usual = Search::default();
            Search {
                lists: lists.unwrap_or(usual.lists),
                mean_length: mean_length.unwrap_or(usual.mean_length),
                seed,
            }
            .generate()
        }
        "theorem" => Theorem { seed, ..Theorem::default() }.generate(),
        _ => Gaussians {
            items: items.unwrap_or(Gaussians::default().items),
            seed,
            ..Gaussians::default()
        }
        .generate(),
    });
    Ok(Data(Arc::new(data.map_err(error)?)))
}
