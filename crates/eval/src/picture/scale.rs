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

/// A number for people: at most four significant digits, thousands with a separator.
pub fn nice_number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e9).contains(&size) {
        return format!("{value:.3e}");
    }
    if size >= 1000.0 {
        return with_separators(value.round() as i64);
    }
    let digits = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with its noun: `1 list`, `1,204 lists`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", with_separators(count as i64), if count == 1 { "" } else { "s" })
}

fn with_separators(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0 { format!("-{text}") } else { text }
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

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1234567.0, 12.5, 0.014_826_9, 1e-9, -42.0].map(nice_number);
        assert_eq!(shown, ["0", "1,234,567", "12.5", "0.01483", "1.000e-9", "-42"]);
    }
}
