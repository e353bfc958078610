//! Thresholds of other libraries as ours: `x <= t` of 32-bit numbers.
//!
//! A library that compares 64-bit numbers by `x <= t` sends the 32-bit number x to the left exactly if x is at
//! most the largest 32-bit number that is at most t. So rows of 32-bit numbers take the same way to the last
//! one; a number of more digits may be rounded to the other side of a threshold that is as near as 1 in
//! 16 million. Example: t = 0.1 becomes 0.099999994, since the 32-bit 0.1 is above 0.1.

use std::collections::{HashMap, HashSet};

use stakes_model::tree::Test;

/// The test `x < t` of 32-bit numbers.
pub(super) fn below(t: f32) -> Result<Test, String> {
    finite(t.next_down(), f64::from(t))
}

/// The test `x <= t` of 32-bit numbers.
pub(super) fn at_most(t: f32) -> Result<Test, String> {
    finite(t.min(f32::MAX), f64::from(t))
}

fn finite(threshold: f32, written: f64) -> Result<Test, String> {
    match threshold.is_finite() && !written.is_nan() {
        true => Ok(Test::AtMost(threshold)),
        false => Err(format!("the threshold is {written}; it must be a 32-bit number")),
    }
}

/// The largest 32-bit number that is at most t.
fn floor(t: f64) -> f32 {
    let nearest = t as f32;
    if f64::from(nearest) > t { nearest.next_down() } else { nearest }
}

/// Thresholds of 64-bit numbers, which remember what they lose.
#[derive(Default)]
pub(super) struct Thresholds {
    by_test: HashMap<(u32, u32), HashSet<u64>>,
}

impl Thresholds {
    /// The test `x <= t`.
    pub(super) fn at_most(&mut self, feature: u32, t: f64) -> Result<Test, String> {
        let threshold = floor(t).min(f32::MAX);
        let test = finite(threshold, t)?;
        self.by_test.entry((feature, threshold.to_bits())).or_default().insert(t.to_bits());
        Ok(test)
    }

    /// A sentence if some thresholds that differ in the file are the same 32-bit number.
    pub(super) fn note(&self) -> Option<String> {
        let shared = self.by_test.values().filter(|written| written.len() > 1);
        let lost: usize = shared.map(HashSet::len).sum();
        (lost > 0).then(|| {
            format!(
                "{lost} thresholds differ only beyond 32 bits from another of the same feature: rows between \
                 them are not told apart, and their scores may differ from the library's"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_floor_by_hand() {
        assert_eq!(floor(0.1), 0.1_f32.next_down());
        assert_eq!(floor(0.5), 0.5);
        assert_eq!(floor(1e300), f32::MAX);
        assert_eq!(floor(-1e300), f32::NEG_INFINITY);
        let mut all = Thresholds::default();
        assert_eq!(all.at_most(0, f64::MAX), Ok(Test::AtMost(f32::MAX)));
        assert!(all.at_most(0, -1e300).is_err() && all.at_most(0, f64::NAN).is_err());
        assert_eq!(all.note(), None);
        assert!(all.at_most(1, 0.1).is_ok() && all.at_most(1, 0.1 + 1e-12).is_ok());
        assert!(all.note().is_some_and(|note| note.starts_with("2 thresholds")));
        assert_eq!(below(0.5), Ok(Test::AtMost(0.5_f32.next_down())));
        assert!(below(f32::NEG_INFINITY).is_err() && below(f32::NAN).is_err());
        assert_eq!(below(f32::INFINITY), Ok(Test::AtMost(f32::MAX)));
    }

    proptest! {
        #[test]
        fn numbers_of_32_bits_go_the_same_way(t in any::<f64>(), x in any::<f32>()) {
            prop_assume!(x.is_finite() && t.is_finite() && t >= f64::from(f32::MIN));
            for x in [x, t as f32, (t as f32).next_up(), (t as f32).next_down()] {
                if x.is_finite() {
                    prop_assert_eq!(x <= floor(t).min(f32::MAX), f64::from(x) <= t);
                }
            }
        }
    }
}
