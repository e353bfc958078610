//! The derivatives of the loss of a few lists by the numbers of a net.
//!
//! Rows are shared out among threads in pieces that depend on the lists alone: a piece is some
//! short lists, or a part of a long one. What pieces add up to is added up in their order, so
//! the number of threads leaves no trace.

use std::ops::Range;

use rayon::prelude::*;

use super::pass::{Hidden, Pass};
use super::shape::{Part, Shape};
use crate::dense::Dense;
use crate::loss::GradHess;
use crate::run::Objective;
use stakes_core::Lists;

/// Rows of a piece, about.
const PIECE: usize = 256;
/// Less work than so many products is not worth waking up other threads.
const WORK: usize = 400_000;

/// A net, what it is to learn from, and what it is to learn.
pub(super) struct Learned<'l> {
    pub(super) shape: Shape,
    pub(super) parts: Vec<Part>,
    pub(super) rows: &'l Dense,
    pub(super) lists: &'l Lists,
    pub(super) objective: Objective<'l>,
}

/// Rows that one thread goes through.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// Of the matrix, range by range.
    rows: Vec<Range<usize>>,
    /// How many they are.
    len: usize,
}

impl Learned<'_> {
    /// The mean of the lists' losses, differentiated by every number.
    pub(super) fn gradient(&self, lists: &[u32], numbers: &[f64]) -> Vec<f64> {
        let pieces = self.pieces(lists);
        let total: usize = pieces.iter().map(|piece| piece.len).sum();
        let alone = total * self.shape.len() < WORK;
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
            each(&pieces, alone, forwards).into_iter().unzip();

        let by_score = self.by_score(lists, &scores.concat(), alone);
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
        let sums = each(&work, alone, backwards).into_iter().reduce(|mut sum, piece| {
            sum.iter_mut().zip(piece).for_each(|(sum, own)| *sum += own);
            sum
        });
        let mut sums = sums.unwrap_or_else(|| vec![0.0; self.shape.len()]);
        sums.iter_mut().for_each(|sum| *sum /= lists.len() as f64);
        sums
    }

    /// Derivatives by score, list after list.
    fn by_score(&self, lists: &[u32], scores: &[f64], alone: bool) -> Vec<f64> {
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
        each(&work, alone, of_list).concat()
    }

    fn values(&self, rows: &Range<usize>) -> &[f64] {
        let width = self.rows.width();
        &self.rows.values()[rows.start * width..rows.end * width]
    }

    /// The rows of lists, cut into pieces.
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

/// What becomes of each, in their order.
fn each<T: Sync, R: Send>(of: &[T], alone: bool, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if alone { of.iter().map(&work).collect() } else { of.par_iter().map(&work).collect() }
}
