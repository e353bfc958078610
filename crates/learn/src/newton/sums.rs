//! Values and derivatives that are sums over lists.
//!
//! Threads process pieces of consecutive lists, and the sums of the pieces are added in their
//! order. The pieces depend on the data alone, so results do not depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::{Derivatives, Outer};

/// The maximum number of pieces: enough to keep all threads busy.
const MAX_PIECES: usize = 64;

/// The maximum number of entries of the matrices of all pieces together.
const MAX_NUMBERS: usize = 1 << 25;

/// The minimum number of lists per parallel task when only values are computed.
const MIN_TASK: usize = 16;

/// Sums over some lists.
pub(crate) struct Sums {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    pub(crate) outer: Outer,
}

/// Returns the sum over lists of the terms that `add` adds for each. `offsets` are the starts of
/// the lists and the end of the last.
pub(crate) fn sum_over(
    offsets: &[usize],
    width: usize,
    add: impl Fn(usize, &mut Sums) + Sync,
) -> Derivatives {
    let part = |lists: Range<usize>| {
        let mut sums = Sums { value: 0.0, gradient: vec![0.0; width], outer: Outer::new(width) };
        lists.for_each(|list| add(list, &mut sums));
        Derivatives { value: sums.value, gradient: sums.gradient, hessian: sums.outer.finish() }
    };
    let parts: Vec<Derivatives> = pieces(offsets, width).into_par_iter().map(part).collect();
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_else(|| part(0..0));
    parts.fold(first, |mut sum, part| {
        sum.value += part.value;
        let add = |to: &mut [f64], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut sum.gradient, &part.gradient);
        add(&mut sum.hessian, &part.hessian);
        sum
    })
}

/// Returns the sum of the values of this number of lists.
pub(crate) fn value_over(lists: usize, value: impl Fn(usize) -> f64 + Send + Sync) -> f64 {
    let values: Vec<f64> = (0..lists).into_par_iter().with_min_len(MIN_TASK).map(value).collect();
    values.iter().sum()
}

/// Divides lists into pieces of consecutive lists with about the same number of items.
fn pieces(offsets: &[usize], width: usize) -> Vec<Range<usize>> {
    let count = (MAX_NUMBERS / (width * width).max(1)).clamp(1, MAX_PIECES);
    let items = offsets.last().copied().unwrap_or(0);
    let enough = items.div_ceil(count).max(1);
    let mut pieces = Vec::new();
    let mut begin = 0;
    for list in 0..offsets.len().saturating_sub(1) {
        if offsets[list + 1] - offsets[begin] >= enough || list + 2 == offsets.len() {
            pieces.push(begin..list + 1);
            begin = list + 1;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hold_every_list_once() {
        let mut offsets = vec![0];
        (0..1000).for_each(|list| offsets.push(offsets[list] + list % 7));
        for width in [1, 100, 10_000] {
            let pieces = pieces(&offsets, width);
            assert!(pieces.len() <= MAX_PIECES && !pieces.is_empty());
            let all: Vec<usize> = pieces.into_iter().flatten().collect();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
        }
        assert_eq!(pieces(&[0, 5], 3), vec![0..1; 1]);
        assert!(pieces(&[0], 3).is_empty());
    }

    #[test]
    fn sums_are_those_of_all_lists() {
        let offsets: Vec<usize> = (0..=100).map(|list| list * 3).collect();
        let sums = sum_over(&offsets, 2, |list, sums| {
            sums.value += list as f64;
            sums.gradient[1] += 1.0;
            sums.outer.push(1.0, &[1.0, 2.0], &[1.0, 2.0]);
        });
        assert_eq!((sums.value, &sums.gradient[..]), (4950.0, &[0.0, 100.0][..]));
        assert_eq!(sums.hessian, [100.0, 200.0, 0.0, 400.0]);
        assert_eq!(value_over(101, |list| list as f64), 5050.0);
    }
}
