//! `Scaler`: (x - offset) * scale before the trees.
//!
//! A test of a scaled number is one of the number itself, since scaling does not change the order: its threshold is the
//! largest 32-bit number whose scaled value is at most the threshold, which is searched for among all 32-bit
//! numbers. So rows take the same way to the last one, whatever is rounded.

use super::attributes::Attributes;
use crate::import::error::Fault;

pub(super) struct Scaler {
    offset: Vec<f32>,
    scale: Vec<f32>,
}

impl Scaler {
    pub(super) fn of(attributes: &Attributes<'_>) -> Result<Self, Fault> {
        let [offset, scale] = ["offset", "scale"].map(|name| attributes.floats(name).to_vec());
        if scale.iter().any(|scale| !(*scale > 0.0 && scale.is_finite()))
            || offset.iter().any(|offset| !offset.is_finite())
        {
            return Err(Fault::refused(
                "its Scaler has a scale that is not above 0, or an infinite offset",
            ));
        }
        Ok(Scaler { offset, scale })
    }

    /// Offset and scale of a feature; one for all may be given once.
    pub(super) fn of_feature(&self, feature: usize) -> Result<(f32, f32), Fault> {
        let of = |values: &[f32]| match values {
            [one] => Some(*one),
            many => many.get(feature).copied(),
        };
        of(&self.offset).zip(of(&self.scale)).ok_or_else(|| {
            Fault::new("Scaler", format!("there is no offset and scale of feature {feature}"))
        })
    }

    /// The largest number whose scaled value is at most the threshold; `None` if there is none.
    pub(super) fn unscaled(&self, feature: usize, threshold: f32) -> Result<Option<f32>, Fault> {
        let (offset, scale) = self.of_feature(feature)?;
        let passes = |x: f32| (x - offset) * scale <= threshold;
        Ok(largest(passes))
    }
}

/// The largest finite number that passes, if all smaller ones do as well.
fn largest(passes: impl Fn(f32) -> bool) -> Option<f32> {
    // Numbers in their order are integers in theirs.
    let number = |order: i64| {
        let bits = if order >= 0 { order as u32 } else { (-1 - order) as u32 | 1 << 31 };
        f32::from_bits(bits)
    };
    let order = |x: f32| match x.is_sign_positive() {
        true => i64::from(x.to_bits()),
        false => -1 - i64::from(x.to_bits() & !(1 << 31)),
    };
    let (mut passing, mut failing) = (order(f32::MIN), order(f32::MAX));
    if passes(f32::MAX) {
        return Some(f32::MAX);
    }
    if !passes(f32::MIN) {
        return None;
    }
    while failing - passing > 1 {
        let middle = passing + (failing - passing) / 2;
        if passes(number(middle)) { passing = middle } else { failing = middle }
    }
    Some(number(passing))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tests_of_scaled_numbers(
            offset in -100f32..100.0, scale in 0.001f32..1000.0, threshold in -50f32..50.0, x in -200f32..200.0
        ) {
            let scaler = Scaler { offset: vec![offset], scale: vec![scale] };
            let found = scaler.unscaled(3, threshold).expect("one for all").expect("a threshold");
            for x in [x, found, found.next_up(), found.next_down()] {
                prop_assert_eq!(x <= found, (x - offset) * scale <= threshold);
            }
        }
    }

    #[test]
    fn ends() {
        assert_eq!(largest(|x| x <= 0.0), Some(0.0));
        assert_eq!(largest(|x| x < 0.0), Some(-f32::from_bits(1)));
        assert_eq!(largest(|_| true), Some(f32::MAX));
        assert_eq!(largest(|_| false), None);
        assert_eq!(largest(|x| x <= -1.5), Some(-1.5));
    }
}
