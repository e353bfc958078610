//! The sums of the derivatives of leaves: of the derivatives themselves, not of the quantised ones.
//!
//! A number becomes two integers: the multiples of a unit in it, and those of 2^-32 of the unit in the rest. Integers add up
//! to the same sum in any order, so leaf values depend neither on threads nor on how rows are dealt to shards. The unit is
//! 2^-61 or less of the sum of all absolute values, so no sum overflows, and what is cut off is below 2^-90 of it.
//!
//! Example: of a total of 3, the unit is 2^-59, and 1 is 2^59 of them.

use std::iter::Sum;

use rayon::prelude::*;

use super::builder::FoundLeaf;
use super::grower::TreeGrower;
use crate::derivatives::GradHess;

/// The number of rows of a leaf that are summed up by one task: leaves differ in size by orders of magnitude.
const PIECE: usize = 1 << 13;

/// The sum of the absolute first derivatives and that of the second ones, over all rows of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Totals {
    pub(super) sums: GradHess,
    /// The second derivative of every row, if it is the same for all.
    pub(super) hess_of_all: Option<f64>,
}

/// How many units of a power of two a number has.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Units(f64);

/// The numbers of units and of their parts in a sum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Counted([i64; 2]);

const PARTS: f64 = (1u64 << 32) as f64;

impl Units {
    /// For sums up to this total.
    fn for_total(total: f64) -> Self {
        if !total.is_finite() {
            // No tree is grown on such derivatives.
            return Units(0.0);
        }
        let exponent = (total.to_bits() >> 52) as i32 & 0x7ff;
        // total < 2^(exponent - 1022); powers beyond 1000 would not be finite.
        Units(2f64.powi((61 - (exponent - 1022)).min(1000)))
    }

    #[inline]
    fn of(self, value: f64) -> Counted {
        let units = value * self.0;
        let whole = units as i64;
        Counted([whole, ((units - whole as f64) * PARTS) as i64])
    }

    fn value(self, Counted([whole, parts]): Counted) -> f64 {
        let sum = (i128::from(whole) << 32) + i128::from(parts);
        let value = sum as f64 / PARTS / self.0;
        if value.is_finite() { value } else { 0.0 }
    }
}

impl Sum for Counted {
    fn sum<I: Iterator<Item = Counted>>(counted: I) -> Counted {
        let add = |a: Counted, b: Counted| Counted([a.0[0] + b.0[0], a.0[1] + b.0[1]]);
        counted.fold(Counted::default(), add)
    }
}

impl TreeGrower<'_> {
    /// The sums of the derivatives by leaf, over all shards.
    pub(super) fn leaf_sums(
        &self,
        derivatives: &[GradHess],
        rows: &[u32],
        leaves: &[FoundLeaf],
        totals: Totals,
    ) -> Vec<GradHess> {
        let grads = Units::for_total(totals.sums.grad);
        let hessians = Units::for_total(totals.sums.hess);
        let of_piece = |(leaf, rows): (usize, &[u32])| {
            let of_rows = || rows.iter().map(|&row| derivatives[row as usize]);
            let grad = of_rows().map(|d| grads.of(d.grad)).sum();
            let hess = match totals.hess_of_all {
                Some(hess) => Counted(hessians.of(hess).0.map(|count| count * rows.len() as i64)),
                None => of_rows().map(|d| hessians.of(d.hess)).sum(),
            };
            (leaf, [grad, hess])
        };
        let pieces = leaves.iter().enumerate().flat_map(|(leaf, found)| {
            rows[found.rows.clone()].chunks(PIECE).map(move |rows| (leaf, rows))
        });
        let pieces: Vec<(usize, &[u32])> = pieces.collect();
        let found: Vec<(usize, [Counted; 2])> = pieces.into_par_iter().map(of_piece).collect();
        let mut words = vec![[[0; 2]; 2]; leaves.len()];
        for (leaf, [grad, hess]) in found {
            let own = words[leaf].as_flattened_mut();
            own.iter_mut().zip(grad.0.into_iter().chain(hess.0)).for_each(|(sum, n)| *sum += n);
        }
        self.shards.sum(words.as_flattened_mut().as_flattened_mut());
        let sum = |&[grad, hess]: &[[i64; 2]; 2]| GradHess {
            grad: grads.value(Counted(grad)),
            hess: hessians.value(Counted(hess)),
        };
        words.iter().map(sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use stakes_core::ExactSum;

    proptest! {
        /// Against exact sums, for numbers of all sizes; none of them overflows.
        #[test]
        fn sums_are_exact_but_for_the_last_parts(
            values in prop::collection::vec((-1.0f64..1.0, -300i32..300), 1..200), spread in 0i32..300
        ) {
            let values: Vec<f64> =
                values.iter().map(|&(value, power)| value * 2f64.powi(power.clamp(-spread, spread))).collect();
            let total: f64 = values.iter().map(|value| value.abs()).collect::<ExactSum>().value();
            let units = Units::for_total(total);
            let sum = units.value(values.iter().map(|&value| units.of(value)).sum());
            let exact: f64 = values.iter().copied().collect::<ExactSum>().value();
            let cut_off = values.len() as f64 * total * 2f64.powi(-92);
            prop_assert!((sum - exact).abs() <= cut_off + exact.abs() * f64::EPSILON, "{} {}", sum, exact);
            let largest = units.value(values.iter().map(|&value| units.of(value.abs())).sum());
            prop_assert!((largest - total).abs() <= total * f64::EPSILON + cut_off);
        }
    }

    #[test]
    fn extreme_totals() {
        for total in [5e-324, 1e-300, 1.0, f64::MAX] {
            let units = Units::for_total(total);
            assert!(
                (units.value(units.of(total)) / total - 1.0).abs() < 1e-9 || total < 1e-307,
                "{total}"
            );
            assert_eq!(units.value(units.of(-total)), -units.value(units.of(total)));
        }
        let none = Units::for_total(f64::INFINITY);
        assert_eq!(none.value(none.of(1.0)), 0.0);
        assert_eq!(Units::for_total(0.0).value(Counted::default()), 0.0);
    }
}
