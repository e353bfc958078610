//! The rows of a parity pack: values where a model changes, and values that readers like to get wrong.

use std::collections::BTreeSet;

use stakes_core::random::{Stream, purpose};
use stakes_model::tree::Test;
use stakes_model::{Input, Model};

use crate::export::ExportOptions;
use crate::export::parts::needs_lists;

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell {
    Missing,
    Unseen,
    Number(f32),
    Code(u8),
}

impl Cell {
    /// As the model reads it.
    pub(super) fn value(self) -> f32 {
        match self {
            Cell::Missing | Cell::Unseen => f32::NAN,
            Cell::Number(x) => x,
            Cell::Code(code) => f32::from(code),
        }
    }
}

/// The rows of a pack.
pub(super) fn rows(model: &Model, options: &ExportOptions) -> Vec<Vec<Cell>> {
    let numbers: Vec<Vec<f32>> =
        (0..model.features.len()).map(|feature| numbers(model, feature as u32)).collect();
    // Data sets, which lists are, hold finite numbers.
    let infinite = options.target.pack.infinite && !needs_lists(model);
    let seed = purpose(options.seed, b"parity  ");
    (0..options.parity_rows)
        .map(|row| {
            let stream = Stream::new(seed, row as u64);
            let cell = |(j, feature): (usize, &stakes_model::ModelFeature)| {
                let draw = Draw { stream, index: 8 * j as u64 };
                match &feature.categories {
                    Some(known) => draw.category(row, known.len(), options),
                    None => draw.number(row, &numbers[j], infinite, options),
                }
            };
            model.features.iter().enumerate().map(cell).collect()
        })
        .collect()
}

/// The numbers of a feature where something changes: thresholds, means, and means plus deviations.
fn numbers(model: &Model, feature: u32) -> Vec<f32> {
    let mut found = BTreeSet::new();
    let mut add = |x: f32| {
        if x.is_finite() {
            // In the order of numbers.
            let bits = x.to_bits();
            found.insert(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits });
        }
    };
    for factor in &model.scorer.factors {
        for node in factor.trees.iter().flat_map(|tree| &tree.nodes) {
            if let (true, Test::AtMost(threshold)) = (node.feature == feature, &node.test) {
                add(*threshold);
            }
        }
        for input in factor.net.iter().flat_map(|net| &net.inputs) {
            match *input {
                Input::Number { feature: own, mean, deviation } if own == feature => {
                    [-2.0, -1.0, 0.0, 1.0, 2.0]
                        .into_iter()
                        .for_each(|k| add((mean + k * deviation) as f32));
                }
                _ => {}
            }
        }
    }
    let number =
        |bits: u32| f32::from_bits(if bits >> 31 == 1 { bits & !(1 << 31) } else { !bits });
    let found: Vec<f32> = found.into_iter().map(number).collect();
    if found.is_empty() { vec![0.0, 1.0] } else { found }
}

/// The draws of one value.
struct Draw {
    stream: Stream,
    index: u64,
}

impl Draw {
    fn below(&self, which: u64, n: usize) -> usize {
        self.stream.below(self.index + which, n)
    }

    fn category(&self, row: usize, known: usize, options: &ExportOptions) -> Cell {
        let missing = if options.no_missing { Cell::Unseen } else { Cell::Missing };
        match (row, self.below(0, 8)) {
            (0, _) => missing,
            (1, _) => Cell::Unseen,
            (_, 0) => missing,
            (_, 1) => Cell::Unseen,
            _ if known == 0 => Cell::Unseen,
            _ => Cell::Code(self.below(1, known) as u8),
        }
    }

    fn number(&self, row: usize, numbers: &[f32], infinite: bool, options: &ExportOptions) -> Cell {
        let pack = &options.target.pack;
        let any = |which| numbers[self.below(which, numbers.len())];
        let extremes = [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY];
        let extremes = if infinite { &extremes[..] } else { &extremes[..6] };
        let x = match (row, self.below(0, 12)) {
            (0, _) | (_, 0) if !options.no_missing => return Cell::Missing,
            (1, _) => 0.0,
            (_, 1) => extremes[self.below(1, extremes.len())],
            (_, 2 | 3) => any(1),
            (_, 4) => any(1).next_up(),
            (_, 5) => any(1).next_down(),
            _ => {
                let (a, b) = (f64::from(any(1)), f64::from(any(2)));
                let share = 1.5 * self.stream.unit(self.index + 3) - 0.25;
                (a + (b - a) * share) as f32
            }
        };
        let x = match infinite {
            true => x,
            false => x.clamp(f32::MIN, f32::MAX),
        };
        Cell::Number(if !pack.tiny && x.abs() < 1e-35 { 0.0 } else { x })
    }
}
