//! The errors of mean costs, with lists as the sampling unit.

use super::isotonic::Item;

/// The standard error of the logarithm of a block's mean cost, and its degrees of freedom: the number of lists
/// with a cost less 1.
pub(super) fn log_error(items: &[Item], mean: f64, lists: usize) -> (f64, f64) {
    let weight: f64 = items.iter().map(|item| item.weight).sum();
    let deviations = items.iter().map(|item| (item.list, item.weight * (item.cost - mean)));
    let mut costly: Vec<u32> =
        items.iter().filter(|item| item.cost > 0.0).map(|item| item.list).collect();
    costly.sort_unstable();
    costly.dedup();
    (clustered(deviations, lists) / weight / mean, costly.len() as f64 - 1.0)
}

/// The standard error of a sum of deviations, each with its list:
/// `se^2 = L/(L-1) x sum over lists of (sum of the list's)^2`.
pub(super) fn clustered(deviations: impl Iterator<Item = (u32, f64)>, lists: usize) -> f64 {
    let mut sums = vec![0.0; lists];
    let mut is_there = vec![false; lists];
    for (list, deviation) in deviations {
        sums[list as usize] += deviation;
        is_there[list as usize] = true;
    }
    let all = is_there.iter().filter(|is_there| **is_there).count() as f64;
    (all / (all - 1.0) * sums.iter().map(|sum| sum * sum).sum::<f64>()).sqrt()
}

/// The 95 % quantile of Student's t, so that the interval covers 90 %: the expansion of Abramowitz
/// and Stegun 1964, 26.7.5, accurate to 1.3 % from 2 degrees of freedom on.
pub(super) fn t(degrees: f64) -> f64 {
    const Z: f64 = 1.644_853_626_951_472_2;
    let z = |power| Z.powi(power);
    let terms = [
        (z(3) + Z) / 4.0,
        (5.0 * z(5) + 16.0 * z(3) + 3.0 * Z) / 96.0,
        (3.0 * z(7) + 19.0 * z(5) + 17.0 * z(3) - 15.0 * Z) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / degrees) + Z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_t_as_in_tables() {
        for (degrees, expected) in [(2.0, 2.920), (3.0, 2.353), (5.0, 2.015), (30.0, 1.697)] {
            assert!((t(degrees) / expected - 1.0).abs() < 0.013, "{degrees}: {}", t(degrees));
        }
        assert!((t(1e9) - 1.644_853_6).abs() < 1e-6);
    }

    #[test]
    fn lists_that_agree_are_sure_and_lists_that_do_not_are_not() {
        let item = |(list, cost)| Item { score: 0.0, cost, weight: 1.0, list };
        let same = [(0, 0.25), (0, 0.75), (1, 0.75), (1, 0.25), (2, 0.5)].map(item);
        assert_eq!(log_error(&same, 0.5, 3), (0.0, 2.0));
        // List sums of cost - mean are -1/2, 0, 1/2: se = sqrt(3/2 x 1/2) / 5.
        let apart = [(0, 0.25), (0, 0.25), (1, 0.5), (2, 0.75), (2, 0.75)].map(item);
        let expected = 0.75_f64.sqrt() / 5.0 / 0.5;
        assert!((log_error(&apart, 0.5, 3).0 - expected).abs() < 1e-12);
    }
}
