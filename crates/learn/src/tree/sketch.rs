//! Cuts of a numeric feature: between neighbouring values, so that every bin has about the same
//! weight. The greedy walk follows LightGBM (Ke et al. 2017).
//!
//! Example: values 1, 1, 2, 9 in two bins give one cut, at 1.5: two items on either side.

/// A distinct value and its total weight.
pub(super) type WeightedValue = (f32, f64);

/// Returns the distinct values, ascending, with their weights. Missing values and values of weight
/// 0 are left out, and -0 is 0.
pub(super) fn distinct(column: &[f32], weight: Option<&[f64]>) -> Vec<WeightedValue> {
    match weight {
        None => {
            let mut keys = Vec::with_capacity(column.len());
            keys.extend(column.iter().filter(|v| !v.is_nan()).map(key));
            sort(&mut keys);
            let runs = keys.chunk_by(|a, b| a == b);
            runs.map(|run| (value(run[0]), run.len() as f64)).collect()
        }
        Some(weight) => {
            let present = column.iter().zip(weight).filter(|(v, w)| !v.is_nan() && **w > 0.0);
            let mut pairs: Vec<(u32, f64)> = Vec::with_capacity(column.len());
            pairs.extend(present.map(|(v, w)| (key(v), *w)));
            // Weights of one value are added in an order that does not depend on the order of rows.
            pairs.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let runs = pairs.chunk_by(|a, b| a.0 == b.0);
            runs.map(|run| (value(run[0].0), run.iter().map(|p| p.1).sum())).collect()
        }
    }
}

/// From how many keys on the passes of [`sort`] are faster than comparing.
const MIN_SORTED_BY_DIGITS: usize = 4096;
/// The bits of a digit: the places of its values fit into the first-level cache.
const DIGIT: u32 = 11;

/// Sorts by one digit after the other, from the last: no comparisons, and three passes however many keys there are.
fn sort(keys: &mut Vec<u32>) {
    if keys.len() < MIN_SORTED_BY_DIGITS {
        return keys.sort_unstable();
    }
    let digit = |key: u32, pass: u32| (key >> (pass * DIGIT)) as usize & ((1 << DIGIT) - 1);
    let passes = u32::BITS.div_ceil(DIGIT);
    let mut counts = vec![[0u32; 1 << DIGIT]; passes as usize];
    for &key in &*keys {
        (0..passes).for_each(|pass| counts[pass as usize][digit(key, pass)] += 1);
    }
    let mut other = vec![0; keys.len()];
    for (pass, counts) in (0..).zip(&mut counts) {
        if counts.iter().any(|&count| count as usize == keys.len()) {
            continue;
        }
        let mut first = 0;
        for count in counts.iter_mut() {
            first += std::mem::replace(count, first);
        }
        for &key in &*keys {
            let place = &mut counts[digit(key, pass)];
            other[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(keys, &mut other);
    }
}

/// Returns bits that sort as the numbers do.
fn key(v: &f32) -> u32 {
    let bits = (*v + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

fn value(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

/// Returns cuts that make at most `bins` bins: value x lies in bin b if b cuts are below x.
pub(super) fn cuts(values: &[WeightedValue], bins: usize) -> Vec<f32> {
    if values.len() <= bins {
        return values.windows(2).map(|pair| between(pair[0].0, pair[1].0)).collect();
    }
    let total: f64 = values.iter().map(|v| v.1).sum();
    // A value with more than the mean weight of a bin gets its own bin; the remaining weight is
    // divided evenly among the other bins.
    let heavy = |v: &WeightedValue| v.1 >= total / bins as f64;
    let (mut rest, mut left) = (total, bins);
    for v in values.iter().filter(|v| heavy(v)) {
        rest -= v.1;
        left -= 1;
    }
    let mut cuts = Vec::with_capacity(bins - 1);
    let mut filled = 0.0;
    for pair in values.windows(2) {
        let (this, next) = (&pair[0], &pair[1]);
        let share = if left > 0 { rest / left as f64 } else { f64::INFINITY };
        if !heavy(this) {
            filled += this.1;
        }
        let full = heavy(this) || filled >= share || (heavy(next) && filled >= share / 2.0);
        if full && cuts.len() + 1 < bins {
            cuts.push(between(this.0, next.0));
            if !heavy(this) {
                rest -= filled;
                left = left.saturating_sub(1);
            }
            filled = 0.0;
        }
    }
    cuts
}

/// Returns a number t with a <= t < b, the midpoint if possible.
fn between(a: f32, b: f32) -> f32 {
    let middle = (f64::from(a) + (f64::from(b) - f64::from(a)) / 2.0) as f32;
    if middle < b { middle } else { a }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_values_are_all_told_apart() {
        let values = distinct(&[2.0, 1.0, f32::NAN, -0.0, 0.0, 2.0], None);
        assert_eq!(values, [(0.0, 2.0), (1.0, 1.0), (2.0, 2.0)]);
        assert_eq!(cuts(&values, 255), [0.5, 1.5]);
        assert!(cuts(&distinct(&[f32::NAN], None), 255).is_empty());
    }

    #[test]
    fn neighbours_without_room_between_them_are_still_cut() {
        let a = 1.0f32;
        let b = f32::from_bits(a.to_bits() + 1);
        assert_eq!(between(a, b), a);
        assert!(between(-f32::MAX, f32::MAX).abs() < 1.0);
    }

    #[test]
    fn weight_moves_the_cuts() {
        let column: Vec<f32> = (0..100).map(|i| i as f32).collect();
        let plain = cuts(&distinct(&column, None), 2);
        assert_eq!(plain, [49.5]);
        let weight: Vec<f64> = (0..100).map(|i| if i < 10 { 9.0 } else { 1.0 }).collect();
        assert_eq!(cuts(&distinct(&column, Some(&weight)), 2), [9.5]);
        assert!(cuts(&distinct(&column, Some(&[0.0; 100])), 2).is_empty());
    }

    /// Values of both signs and zeros, infinite ones, and missing ones.
    fn any_value() -> impl Strategy<Value = f32> {
        let special = vec![-0.0, 0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN];
        let few = (-9i8..9).prop_map(f32::from);
        prop_oneof![3 => few, 2 => any::<f32>(), 1 => prop::sample::select(special)]
    }

    /// Value by value, each looked for among those before.
    fn slow_distinct(column: &[f32], weight: &[f64]) -> Vec<WeightedValue> {
        let mut seen: Vec<WeightedValue> = Vec::new();
        for (value, weight) in column.iter().zip(weight).filter(|(v, w)| !v.is_nan() && **w > 0.0) {
            match seen.iter_mut().find(|v| v.0 == *value) {
                Some(v) => v.1 += weight,
                None => seen.push((*value, *weight)),
            }
        }
        seen.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        seen
    }

    proptest! {
        #[test]
        fn digits_sort_as_comparisons_do(keys in prop::collection::vec(any::<u32>(), 1..50), mask: u32) {
            // Few and many values, some digits the same everywhere.
            let many: Vec<u32> = (0..5000u32)
                .map(|at| keys[at as usize % keys.len()] ^ (at.wrapping_mul(2_654_435_761) & mask))
                .collect();
            let (mut by_digits, mut expected) = (many.clone(), many);
            sort(&mut by_digits);
            expected.sort_unstable();
            prop_assert_eq!(by_digits, expected);
        }

        #[test]
        fn distinct_values_are_those_of_a_slow_search(
            rows in prop::collection::vec((any_value(), 0u8..4), 0..300)
        ) {
            let column: Vec<f32> = rows.iter().map(|row| row.0).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            prop_assert_eq!(distinct(&column, None), slow_distinct(&column, &vec![1.0; rows.len()]));
            prop_assert_eq!(distinct(&column, Some(&weight)), slow_distinct(&column, &weight));
            let values = distinct(&column, None);
            prop_assert!(values.iter().all(|v| v.0 != 0.0 || v.0.is_sign_positive()));
        }

        #[test]
        fn cuts_rise_and_bins_are_about_even(
            column in prop::collection::vec(-50i32..50, 1..400), bins in 2usize..40
        ) {
            let column: Vec<f32> = column.iter().map(|&v| v as f32).collect();
            let values = distinct(&column, None);
            let cuts = cuts(&values, bins);
            prop_assert!(cuts.len() < bins);
            prop_assert!(cuts.is_sorted_by(|a, b| a < b));
            let mut filled = vec![0usize; cuts.len() + 1];
            column.iter().for_each(|v| filled[cuts.partition_point(|c| c < v)] += 1);
            prop_assert!(filled.iter().all(|&n| n > 0));
            // No bin of several values holds much more than its share.
            let share = column.len() as f64 / bins as f64;
            let heaviest = values.iter().map(|v| v.1).fold(0.0, f64::max);
            let bound = 2.0 * share + heaviest;
            if values.len() > bins {
                prop_assert!(filled.iter().all(|&n| (n as f64) <= bound), "{:?}", filled);
            }
        }
    }
}
