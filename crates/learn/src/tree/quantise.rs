//! Derivatives as integers, two in one word.
//!
//! A row's word is g * 2^32 + h, with g and h rounded to multiples of a quantum. The quanta
//! are chosen so that the sum of |g| over **all** rows is below 2^31 and the sum of h below
//! 2^32: no histogram cell of any subset of rows can overflow or carry into the other half.
//! Integers add up to the same sum in any order, which is why a model does not depend on
//! threads. Rounding is stochastic and unbiased (Gupta et al. 2015; Shi et al. 2022), with draws
//! that depend on (seed, round, row).
//!
//! Where all second derivatives are equal (squared error without weights), each is the same
//! number of quanta, and their sum gives the number of rows.
//!
//! Example: gradients 1 and -3 may use 2^31 - 3 quanta together, so that the gradient 1 is
//! (2^31 - 3) / 4 of them.

use rayon::prelude::*;
use stakes_core::ExactSum;
use stakes_core::shards::Shards;

use super::leaf_sums::Totals;
use crate::derivatives::GradHess;

/// The number of rows must be below this: each may be rounded up by a quantum, and there are 2^31
/// quanta.
pub(crate) const MAX_ROWS: usize = 1 << 30;

/// The number of rows per parallel task, whatever the number of threads.
const PIECE: usize = 1 << 14;

/// Words and the size of a quantum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantised {
    /// One word per row.
    pub(super) words: Vec<i64>,
    /// The size of a quantum of the first derivative.
    pub(super) grad_quantum: f64,
    /// The size of a quantum of the second derivative.
    pub(super) hess_quantum: f64,
    /// The second derivative of every row in quanta, if it is the same for all.
    pub(super) hess_of_row: Option<u32>,
    /// The sums of the derivatives, not quantised.
    pub(super) totals: Totals,
}

/// Returns the two sums in a cell.
#[inline]
pub(super) fn unpack(cell: i64) -> (i32, u32) {
    ((cell >> 32) as i32, cell as u32)
}

/// Rounds the derivatives of these rows to quanta: one word per row, in their order. `draw` gives a random word of a
/// row; other shards may have more rows.
pub(super) fn quantise(
    derivatives: &[GradHess],
    rows: &[u32],
    draw: impl Fn(u32) -> u64 + Sync,
    shards: &Shards,
) -> Quantised {
    let Extent { grads, hessians, n_rows, hess_of_all } =
        OwnTotals::of(derivatives, rows).of_all_shards(shards);
    assert!(n_rows < MAX_ROWS, "more rows than 32-bit sums can hold");
    let per_quantum = |total: f64, capacity: f64| {
        // The sum is rounded itself; a millionth is a thousand times that.
        let available = (capacity - 1.0 - n_rows as f64) * (1.0 - 1e-6);
        let scale = available / total;
        if scale.is_finite() && scale > 0.0 { scale } else { 0.0 }
    };
    let grad_scale = per_quantum(grads, f64::from(1 << 30) * 2.0);
    let mut hess_scale = per_quantum(hessians, f64::from(1 << 30) * 4.0);
    let mut hess_of_row = None;
    if let Some(hess) = hess_of_all.filter(|_| hess_scale > 0.0) {
        let quanta = (hess * hess_scale).floor();
        hess_scale = quanta / hess;
        hess_of_row = Some(quanta as u32);
    }
    let word = |&row: &u32| {
        let d = derivatives[row as usize];
        let draw = draw(row);
        let unit = |bits: u32| f64::from(bits) * (1.0 / (1u64 << 32) as f64);
        let grad = floor(d.grad * grad_scale + unit(draw as u32));
        let hess = match hess_of_row {
            Some(quanta) => i64::from(quanta),
            None => floor(d.hess * hess_scale + unit((draw >> 32) as u32)),
        };
        (grad << 32) + hess
    };
    let words = rows.par_iter().with_min_len(PIECE).map(word).collect();
    let totals = Totals { sums: GradHess { grad: grads, hess: hessians }, hess_of_all };
    let quantum = |scale: f64| if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let (grad_quantum, hess_quantum) = (quantum(grad_scale), quantum(hess_scale));
    Quantised { words, grad_quantum, hess_quantum, hess_of_row, totals }
}

/// The sums of the derivatives of some rows.
struct OwnTotals {
    /// Of the absolute first derivatives.
    grads: ExactSum,
    hessians: ExactSum,
    rows: usize,
    /// The second derivative of every row, if it is the same for all; `None` without rows.
    hess_of_all: Option<f64>,
}

/// The sums of the derivatives of all rows.
struct Extent {
    grads: f64,
    hessians: f64,
    n_rows: usize,
    hess_of_all: Option<f64>,
}

impl OwnTotals {
    fn of(derivatives: &[GradHess], rows: &[u32]) -> Self {
        let first = rows.first().map(|&row| derivatives[row as usize].hess);
        let pieces = rows.par_chunks(PIECE).map(|rows| {
            let of_rows = || rows.iter().map(|&row| derivatives[row as usize]);
            let alike = of_rows().all(|d| Some(d.hess) == first);
            let grads = of_rows().map(|d| d.grad.abs()).collect();
            let hessians = match first.filter(|_| alike) {
                Some(hess) => ExactSum::of_times(hess, rows.len() as u32),
                None => of_rows().map(|d| d.hess).collect(),
            };
            (grads, hessians, alike)
        });
        let empty = (ExactSum::default(), ExactSum::default(), true);
        let (grads, hessians, alike) =
            pieces.collect::<Vec<_>>().iter().fold(empty, |mut all, own| {
                all.0.merge(&own.0);
                all.1.merge(&own.1);
                (all.0, all.1, all.2 & own.2)
            });
        let hess_of_all = first.filter(|_| alike);
        OwnTotals { grads, hessians, rows: rows.len(), hess_of_all }
    }

    fn of_all_shards(mut self, shards: &Shards) -> Extent {
        if !shards.are_one() {
            let said = shards.gather(self.to_bytes());
            let parts = said.iter().filter_map(|bytes| OwnTotals::parse(bytes));
            self = parts.reduce(OwnTotals::and).unwrap_or(self);
        }
        Extent {
            grads: self.grads.value(),
            hessians: self.hessians.value(),
            n_rows: self.rows,
            hess_of_all: self.hess_of_all,
        }
    }

    /// The sums of these rows and others.
    fn and(mut self, other: OwnTotals) -> Self {
        self.grads.merge(&other.grads);
        self.hessians.merge(&other.hessians);
        self.hess_of_all = match (self.rows, other.rows) {
            (0, _) => other.hess_of_all,
            (_, 0) => self.hess_of_all,
            _ => self.hess_of_all.filter(|_| self.hess_of_all == other.hess_of_all),
        };
        self.rows += other.rows;
        self
    }

    fn to_bytes(&self) -> Vec<u8> {
        let hess = self.hess_of_all.map_or(NOT_ALIKE, f64::to_bits).cast_signed();
        let words = [self.grads.to_words(), self.hessians.to_words()];
        let words = words.into_iter().flatten().chain([self.rows as i64, hess]);
        words.flat_map(i64::to_le_bytes).collect()
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let words: Vec<i64> = bytes.as_chunks().0.iter().map(|w| i64::from_le_bytes(*w)).collect();
        let (grads, rest) = words.split_first_chunk()?;
        let (hessians, rest) = rest.split_first_chunk()?;
        let &[rows, hess] = rest else { return None };
        let hess = hess.cast_unsigned();
        Some(OwnTotals {
            grads: ExactSum::of_words(grads),
            hessians: ExactSum::of_words(hessians),
            rows: rows as usize,
            hess_of_all: (hess != NOT_ALIKE).then(|| f64::from_bits(hess)),
        })
    }
}

/// The bits that stand for second derivatives that differ.
const NOT_ALIKE: u64 = u64::MAX;

/// Rounds down a number within the range of i64. (`f64::floor` is a function call unless the target
/// processor is known to have an instruction for it.)
#[inline]
fn floor(x: f64) -> i64 {
    let towards_zero = x as i64;
    towards_zero - i64::from(x < towards_zero as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use stakes_core::random::Stream;

    fn alone(derivatives: &[GradHess], rows: &[u32], draws: Stream) -> Quantised {
        quantise(derivatives, rows, |row| draws.word(row.into()), &Shards::alone())
    }

    proptest! {
        /// Whatever the derivatives, sums over all rows come back nearly, and never overflow.
        #[test]
        fn sums_are_kept(
            values in prop::collection::vec((-1e6f64..1e6, 0.0f64..1e3, 0u8..4), 1..300), seed: u64
        ) {
            // Some are enormous, some nothing.
            let scale = |kind: u8| [0.0, 1.0, 1e-9, 1e12][usize::from(kind)];
            let derivatives: Vec<GradHess> = values
                .iter()
                .map(|&(g, h, kind)| GradHess { grad: g * scale(kind), hess: h * scale(kind) })
                .collect();
            let rows: Vec<u32> = (0..derivatives.len() as u32).collect();
            let q = alone(&derivatives, &rows, Stream::new(seed, 0));
            let (mut g, mut h, mut abs) = (0i128, 0i128, 0i128);
            for &word in &q.words {
                let (grad, hess) = unpack(word);
                g += i128::from(grad);
                h += i128::from(hess);
                abs += i128::from(grad).abs();
            }
            prop_assert!(abs < 1 << 31 && h < 1 << 32);
            let (sum_g, sum_h) = unpack(q.words.iter().sum::<i64>());
            prop_assert_eq!((i128::from(sum_g), i128::from(sum_h)), (g, h));
            let n = derivatives.len() as f64;
            let true_g: f64 = derivatives.iter().map(|d| d.grad).sum();
            let true_h: f64 = derivatives.iter().map(|d| d.hess).sum();
            prop_assert!((g as f64 * q.grad_quantum - true_g).abs() <= n * q.grad_quantum * 1.01);
            prop_assert!((h as f64 * q.hess_quantum - true_h).abs() <= n * q.hess_quantum * 1.01);
        }
    }

    #[test]
    fn equal_second_derivatives_count_rows() {
        let of = |hess: &[f64]| {
            let derivatives: Vec<_> =
                hess.iter().map(|&hess| GradHess { grad: 0.7, hess }).collect();
            let rows: Vec<u32> = (0..hess.len() as u32).collect();
            alone(&derivatives, &rows, Stream::new(3, 1))
        };
        let q = of(&[0.3; 1000]);
        let quanta = q.hess_of_row.expect("all are the same");
        assert!(q.words.iter().all(|&word| unpack(word).1 == quanta));
        assert!((f64::from(quanta) * q.hess_quantum - 0.3).abs() < 1e-15);
        assert_eq!(of(&[0.3, 0.3, 0.4]).hess_of_row, None);
        assert_eq!(of(&[0.0; 5]).hess_of_row, None);
    }

    #[test]
    fn rounding_is_right_on_average() {
        // One huge row makes the quantum coarse for the small ones.
        let mut derivatives = vec![GradHess { grad: 0.3, hess: 1.0 }; 20_000];
        derivatives.push(GradHess { grad: 3e9, hess: 1.0 });
        let rows: Vec<u32> = (0..derivatives.len() as u32).collect();
        let q = alone(&derivatives, &rows, Stream::new(1, 2));
        let sum: i64 = q.words[..20_000].iter().map(|&w| i64::from(unpack(w).0)).sum();
        let mean = sum as f64 * q.grad_quantum / 20_000.0;
        assert!((mean - 0.3).abs() < 0.02, "{mean}");
    }
}
