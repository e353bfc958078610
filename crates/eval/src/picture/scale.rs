//! Round numbers for axes.

/// A round step (1, 2 or 5 times a power of ten) that divides `range` into about `parts`.
pub fn nice_step(range: f64, parts: usize) -> f64 {
    let rough = range / parts.max(1) as f64;
    if rough.is_nan() || rough <= 0.0 {
        return 1.0;
    }
    let magnitude = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|s| s * magnitude >= rough * (1.0 - 1e-9));
    step.unwrap_or(10.0) * magnitude
}

/// Round numbers from `low` to `high`, in about `parts` steps.
pub(super) fn ticks(low: f64, high: f64, parts: usize) -> Vec<f64> {
    let step = nice_step(high - low, parts);
    let first = (low / step).ceil();
    // Counted: far from 0 a step may be too small to move a number. (+ 0.0: no -0.)
    let all = (0..=2 * parts).map(|i| (first + i as f64) * step + 0.0);
    all.take_while(|&tick| tick <= high).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(nice_step(24.0, 5), 5.0);
        assert_eq!(nice_step(1.0, 5), 0.2);
        assert_eq!(nice_step(0.0, 5), 1.0);
    }

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(-1.2, 3.9, 4), [0.0, 2.0]);
        assert_eq!(ticks(0.0, 1.0, 4), [0.0, 0.5, 1.0]);
        assert_eq!(ticks(7.0, 7.0, 4), [7.0]);
        assert!(ticks(1e16, 1e16 + 2.0, 4).len() <= 9);
    }
}
