//! Values and derivatives that are sums over lists.
//!
//! Lists go to threads in pieces of neighbours; what a piece adds up to is added to the others in
//! their order. Where pieces end depends on the data alone, and so does every digit.

use std::ops::Range;

use rayon::prelude::*;

use super::{Derivatives, Outer};

/// More pieces than any machine has threads to wait for the last of them.
const PIECES: usize = 64;

/// Numbers that the matrices of all pieces hold together, at most.
const ROOM: usize = 1 << 25;

/// Lists whose values a thread computes at a time.
const AT_A_TIME: usize = 16;

/// What some lists add up to.
pub(crate) struct Sums {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    pub(crate) outer: Outer,
}

/// The sum over lists of what `add` adds to the sums for each. `offsets` say where lists begin and
/// the last one ends.
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

/// The sum over so many lists of their values.
pub(crate) fn value_over(lists: usize, value: impl Fn(usize) -> f64 + Send + Sync) -> f64 {
    let values: Vec<f64> = (0..lists).into_par_iter().with_min_len(AT_A_TIME).map(value).collect();
    values.iter().sum()
}

/// Neighbouring lists of about as many items each.
fn pieces(offsets: &[usize], width: usize) -> Vec<Range<usize>> {
    let most = (ROOM / (width * width).max(1)).clamp(1, PIECES);
    let items = offsets.last().copied().unwrap_or(0);
    let enough = items.div_ceil(most).max(1);
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
            assert!(pieces.len() <= PIECES && !pieces.is_empty());
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
