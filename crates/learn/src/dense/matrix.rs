//! Items in rows, inputs in columns.

use rayon::prelude::*;

use stakes_model::{Net, Scratch, dot};

/// Rows that a thread takes at a time.
const PIECE: usize = 1024;

/// Inputs of many items, item after item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dense {
    values: Vec<f64>,
    width: usize,
}

impl Dense {
    /// From rows of `width` values each, at least one.
    pub(crate) fn new(values: Vec<f64>, width: usize) -> Self {
        assert!(width > 0 && values.len().is_multiple_of(width), "rows of {width} values");
        Dense { values, width }
    }

    /// Number of items.
    pub(crate) fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    /// Number of inputs.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// All values, row after row.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The inputs of an item.
    #[inline]
    pub(crate) fn row(&self, item: usize) -> &[f64] {
        &self.values[item * self.width..][..self.width]
    }

    /// Input after input instead of item after item.
    pub(crate) fn columns(&self) -> Vec<Vec<f64>> {
        let column = |j: usize| self.values[j..].iter().step_by(self.width).copied().collect();
        (0..self.width).into_par_iter().map(column).collect()
    }

    /// weights . inputs of every item: the score of a linear model, to the bit.
    pub(crate) fn times(&self, weights: &[f64], out: &mut [f64]) {
        out.par_chunks_mut(PIECE).enumerate().for_each(|(piece, out)| {
            for (i, out) in out.iter_mut().enumerate() {
                // The bias of a linear model is 0.
                *out = 0.0 + dot(self.row(piece * PIECE + i), weights);
            }
        });
    }

    /// The value of a net for every item.
    pub(crate) fn through(&self, net: &Net) -> Vec<f64> {
        let mut out = vec![0.0; self.rows()];
        out.par_chunks_mut(PIECE).enumerate().for_each(|(piece, out)| {
            let mut scratch = Scratch::default();
            for (i, out) in out.iter_mut().enumerate() {
                *out = net.value_of(self.row(piece * PIECE + i), &mut scratch);
            }
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stakes_model::Input;

    #[test]
    fn products_are_those_of_the_net() {
        let values: Vec<f64> = (0..3000).map(|i| f64::from(i * 37 % 101) / 7.0 - 5.0).collect();
        let dense = Dense::new(values, 3);
        let weights = [0.1, -2.5, 1e-3];
        let mut out = vec![0.0; dense.rows()];
        dense.times(&weights, &mut out);
        let inputs = (0..3).map(|feature| Input::Missing { feature }).collect();
        assert_eq!(out, dense.through(&Net::linear(inputs, weights.to_vec())));
        assert_eq!(dense.columns()[1][4], dense.row(4)[1]);
    }
}
