//! The derivatives of the loss of a batch of lists by the parameters of a net.
//!
//! Threads process rows in pieces that depend on the lists alone: a piece is a few short lists, or
//! a part of a long one. The sums of the pieces are added in their order, so that results do not
//! depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::pass::{Hidden, Pass};
use super::shape::{LayerRange, Shape};
use crate::dense::Dense;
use crate::loss::GradHess;
use crate::run::Objective;
use stakes_core::Lists;

/// The maximum number of rows of a piece.
const PIECE: usize = 256;
/// The number of products below which one thread is faster than several.
const MIN_SHARED_WORK: usize = 400_000;

/// The loss of a net on training lists, as a function of its parameters.
pub(super) struct NetLoss<'l> {
    pub(super) shape: Shape,
    pub(super) parts: Vec<LayerRange>,
    pub(super) rows: &'l Dense,
    pub(super) lists: &'l Lists,
    pub(super) objective: Objective<'l>,
}

/// Rows that one thread processes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// Ranges of rows of the matrix.
    rows: Vec<Range<usize>>,
    /// The number of rows.
    len: usize,
}

impl NetLoss<'_> {
    /// Returns the gradient of the mean loss of these lists.
    pub(super) fn gradient(&self, lists: &[u32], numbers: &[f64]) -> Vec<f64> {
        let pieces = self.pieces(lists);
        let total: usize = pieces.iter().map(|piece| piece.len).sum();
        let sequential = total * self.shape.len() < MIN_SHARED_WORK;
        let pass = Pass::new(&self.shape, &self.parts, numbers);

        let forwards = |piece: &Piece| -> (Vec<f64>, Vec<Hidden>) {
            let mut scores = vec![0.0; piece.len];
            let mut rest = &mut scores[..];
            let mut hidden = Vec::with_capacity(piece.rows.len());
            for rows in &piece.rows {
                let (own, others) = rest.split_at_mut(rows.len());
                hidden.push(pass.forwards(self.values(rows), own));
                rest = others;
            }
            (scores, hidden)
        };
        let (scores, hidden): (Vec<Vec<f64>>, Vec<Vec<Hidden>>) =
            map_each(&pieces, sequential, forwards).into_iter().unzip();

        let by_score = self.by_score(lists, &scores.concat(), sequential);
        let mut begin = 0;
        let work: Vec<(&Piece, &Vec<Hidden>, &[f64])> = pieces
            .iter()
            .zip(&hidden)
            .map(|(piece, hidden)| {
                begin += piece.len;
                (piece, hidden, &by_score[begin - piece.len..begin])
            })
            .collect();
        let backwards = |&(piece, hidden, by_score): &(&Piece, &Vec<Hidden>, &[f64])| {
            let mut by_number = vec![0.0; self.shape.len()];
            let mut rest = by_score;
            for (rows, hidden) in piece.rows.iter().zip(hidden) {
                let (own, others) = rest.split_at(rows.len());
                pass.backwards(self.values(rows), hidden, own, &mut by_number);
                rest = others;
            }
            by_number
        };
        let sums = map_each(&work, sequential, backwards).into_iter().reduce(|mut sum, piece| {
            sum.iter_mut().zip(piece).for_each(|(sum, own)| *sum += own);
            sum
        });
        let mut sums = sums.unwrap_or_else(|| vec![0.0; self.shape.len()]);
        sums.iter_mut().for_each(|sum| *sum /= lists.len() as f64);
        sums
    }

    /// Returns the derivatives by score, list by list.
    fn by_score(&self, lists: &[u32], scores: &[f64], sequential: bool) -> Vec<f64> {
        let mut rest = scores;
        let mut work = Vec::with_capacity(lists.len());
        for &list in lists {
            let (own, others) = rest.split_at(self.lists.items(list as usize).len());
            work.push((list as usize, own));
            rest = others;
        }
        let of_list = |&(list, scores): &(usize, &[f64])| {
            let mut out = vec![GradHess::default(); scores.len()];
            self.objective.derivatives_of(list, scores, &mut out);
            out.iter().map(|d| d.grad).collect::<Vec<f64>>()
        };
        map_each(&work, sequential, of_list).concat()
    }

    fn values(&self, rows: &Range<usize>) -> &[f64] {
        let width = self.rows.width();
        &self.rows.values()[rows.start * width..rows.end * width]
    }

    /// Divides the rows of lists into pieces.
    fn pieces(&self, lists: &[u32]) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        for &list in lists {
            let mut items = self.lists.items(list as usize);
            while !items.is_empty() {
                let rows = items.start..items.end.min(items.start + PIECE);
                items.start = rows.end;
                match pieces.last_mut() {
                    Some(piece) if piece.len + rows.len() <= PIECE => {
                        piece.len += rows.len();
                        piece.rows.push(rows);
                    }
                    _ => pieces.push(Piece { len: rows.len(), rows: vec![rows] }),
                }
            }
        }
        pieces
    }
}

/// Applies `work` to each element, in parallel unless `sequential`; the results keep the order.
fn map_each<T: Sync, R: Send>(of: &[T], sequential: bool, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if sequential { of.iter().map(&work).collect() } else { of.par_iter().map(&work).collect() }
}
