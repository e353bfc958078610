//! Thresholds for readers that compare other numbers than 32-bit ones.
//!
//! We test whether x, rounded to 32 bits, is at most t. A reader that does not round must compare x with the
//! largest number that rounds to t: the middle between t and the next 32-bit number, or just below it where
//! the middle rounds up (halves go to the even one).
//!
//! Example: 16777216 = 2^24 is followed by 16777218, and the middle 16777217 rounds down to the even one:
//! x <= 16777217 decides as we do.

/// The largest 64-bit number that is at most `t` when it is rounded to 32 bits. `t` must be finite.
pub fn at_most_f64(t: f32) -> f64 {
    let next = t.next_up();
    // What is half a step above the largest number rounds to infinity.
    let next = if next.is_finite() { f64::from(next) } else { 2_f64.powi(128) };
    // Both have 24 bits, so that their mean has 25: it is exact.
    let middle = 0.5 * f64::from(t) + 0.5 * next;
    let rounds_down = t.to_bits() & 1 == 0;
    if rounds_down { middle } else { middle.next_down() }
}

/// The t' for which x < t' exactly if x <= t, for 32-bit x: infinity for the largest number.
pub fn below_f32(t: f32) -> f32 {
    t.next_up()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_above() {
        assert_eq!(at_most_f64(16_777_216.0), 16_777_217.0);
        assert_eq!(at_most_f64(16_777_218.0), 16_777_219.0_f64.next_down());
    }

    #[test]
    fn the_threshold_and_the_next_number_decide_as_rounding_does() {
        let mut bits: Vec<u32> = (0..=u32::MAX).step_by(65_521).collect();
        bits.extend([0.0_f32, -0.0, 1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE].map(f32::to_bits));
        bits.extend([1, 2, 0x8000_0001, 0x8000_0002, 0x007f_ffff, 0x0080_0000]);
        for t in bits.into_iter().map(f32::from_bits).filter(|t| t.is_finite()) {
            let at_most = at_most_f64(t);
            assert!(at_most as f32 <= t && at_most.next_up() as f32 > t, "{t:e} {at_most:e}");
        }
    }
}
