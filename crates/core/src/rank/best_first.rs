//! The items of highest score in their order, by sorting integers.
//!
//! A key is the score as an integer that increases as scores decrease, its last bits replaced by
//! the index of the item: sorting such keys is several times faster than sorting indices that
//! look up their scores, or pairs of both. Scores so close that the remaining bits are equal end
//! up next to each other, and are then sorted by their full scores.
//!
//! Example: scores (0.5, 2.0, 0.5) have the order 1, 0, 2.

/// Returns the `k` items of highest score, best first, earlier items first among equals.
pub(crate) fn best_first(scores: &[f64], k: usize) -> Vec<u32> {
    let k = k.min(scores.len());
    if k == 0 {
        return Vec::new();
    }
    let item_bits = (1u64 << scores.len().next_power_of_two().trailing_zeros()) - 1;
    let key = |(item, &score): (u64, &f64)| descending_key(score) & !item_bits | item;
    let mut keys: Vec<u64> = (0..).zip(scores).map(key).collect();
    if k < keys.len() {
        let (_, last, _) = keys.select_nth_unstable(k - 1);
        // Items whose remaining bits equal those of the last may be better.
        let last = *last | item_bits;
        let mut kept = k;
        for at in k..keys.len() {
            keys.swap(kept, at);
            kept += usize::from(keys[kept] <= last);
        }
        keys.truncate(kept);
    }
    keys.sort_unstable();
    for close in keys.chunk_by_mut(|a, b| a & !item_bits == b & !item_bits) {
        if close.len() > 1 {
            let full = |item: u64| (descending_key(scores[item as usize]), item);
            close.sort_unstable_by_key(|key| full(key & item_bits));
        }
    }
    keys.iter().take(k).map(|key| (key & item_bits) as u32).collect()
}

/// Returns an integer that increases as the score decreases.
fn descending_key(score: f64) -> u64 {
    // `+ 0.0` turns -0 into +0, so that they tie. Then IEEE 754 numbers are in the order of
    // their bits, those of positive numbers inverted for a descending order.
    let bits = (score + 0.0).to_bits();
    if bits >> 63 == 1 { bits } else { !bits & (u64::MAX >> 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plainly(scores: &[f64], k: usize) -> Vec<u32> {
        let mut items: Vec<u32> = (0..scores.len() as u32).collect();
        // Stable, and == for both zeros.
        items.sort_by(|&a, &b| {
            scores[b as usize].partial_cmp(&scores[a as usize]).unwrap_or(std::cmp::Ordering::Equal)
        });
        items.truncate(k);
        items
    }

    proptest! {
        /// Steps of one unit in the last place: the keys of many items have equal score bits.
        #[test]
        fn the_order_of_a_plain_sort(
            steps in prop::collection::vec(0u64..6, 0..150),
            size in prop::sample::select(&[1.0, -1.0, 0.0, 1e300, -3e-310][..]),
            k in 0usize..160,
        ) {
            let near = |&step: &u64| f64::from_bits(f64::to_bits(size) + step);
            let scores: Vec<f64> = steps.iter().map(near).collect();
            prop_assert_eq!(best_first(&scores, k), plainly(&scores, k));
        }

        #[test]
        fn far_and_near(
            scores in prop::collection::vec(
                prop_oneof![-1e9..1e9f64, (-3i8..3).prop_map(f64::from), Just(-0.0), Just(f64::NEG_INFINITY)],
                0..100,
            ),
            k in 0usize..110,
        ) {
            prop_assert_eq!(best_first(&scores, k), plainly(&scores, k));
        }
    }
}
