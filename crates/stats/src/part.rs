//! The check of per-list parts that all functions rely on.

use stakes_core::metric::{Finish, Part};

use crate::error::StatsError;

/// Refuses invalid parts. Every entry point calls it, so no other code has to deal with NaN.
pub(crate) fn check(parts: &[Part], finish: Finish) -> Result<(), StatsError> {
    for (list, &Part { num, den }) in parts.iter().enumerate() {
        let valued = den > 0.0 || (den == 0.0 && num == 0.0);
        if !(num.is_finite() && den.is_finite() && valued) {
            return Err(StatsError::Part { list, num, den });
        }
        if finish == Finish::SquareRoot && num < 0.0 {
            return Err(StatsError::NegativeUnderRoot { list, num });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_parts_are_refused() {
        let bad = [(1.0, 0.0), (1.0, -1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)];
        for (num, den) in bad {
            let parts = [Part::EMPTY, Part::new(num, den)];
            let met = check(&parts, Finish::Identity);
            assert!(matches!(met, Err(StatsError::Part { list: 1, .. })), "{met:?}");
        }
        let negative = [Part::new(-1.0, 1.0)];
        assert!(check(&negative, Finish::Identity).is_ok());
        assert!(check(&negative, Finish::SquareRoot).is_err());
    }
}
