//! Quantiles of sorted values, for intervals and for descriptions.

/// The quantile of sorted numbers with linear interpolation (type 7 of Hyndman and Fan 1996, the default of
/// R and NumPy).
pub fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor();
    let (low, share) = (below as usize, place - below);
    let high = (low + 1).min(sorted.len() - 1);
    if sorted[low] == sorted[high] {
        return sorted[low];
    }
    sorted[low] * (1.0 - share) + sorted[high] * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_by_hand() {
        let x = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&x, 0.0), 1.0);
        assert_eq!(quantile(&x, 0.5), 3.0);
        assert_eq!(quantile(&x, 1.0), 8.0);
        assert_eq!(quantile(&[5.0], 0.99), 5.0);
    }
}
