//! The interval of a block's mean cost, with lists as the sampling unit.

use super::isotonic::Item;

/// The factor between the mean and the ends of its interval: exp(t se/m).
///
/// `items` are the items of the block and `mean` (above 0) their mean cost. The degrees of freedom of
/// Student's t are the number of lists with a cost less 1.
pub(super) fn spread(items: &[Item], mean: f64, lists: usize) -> f64 {
    let mut deviations = vec![0.0; lists];
    // By list: whether it has an item in the block, and whether one with a cost.
    let mut present = vec![(false, false); lists];
    for item in items {
        let list = item.list as usize;
        deviations[list] += item.weight * (item.cost - mean);
        present[list].0 = true;
        present[list].1 |= item.cost > 0.0;
    }
    let weight: f64 = items.iter().map(|item| item.weight).sum();
    let count = |of: fn(&(bool, bool)) -> bool| present.iter().filter(|h| of(h)).count() as f64;
    let (all, costly) = (count(|h| h.0), count(|h| h.1));
    let squares: f64 = deviations.iter().map(|a| (a / weight).powi(2)).sum();
    let error = (all / (all - 1.0) * squares).sqrt();
    (t(costly - 1.0) * error / mean).exp()
}

/// The 95 % quantile of Student's t, so that the interval covers 90 %: the expansion of Abramowitz
/// and Stegun 1964, 26.7.5, accurate to 1.3 % from 2 degrees of freedom on.
fn t(degrees: f64) -> f64 {
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
        assert_eq!(spread(&same, 0.5, 3), 1.0);
        // List sums of cost - mean are -1/2, 0, 1/2: se = sqrt(3/2 x 1/2) / 5, t with 2 degrees.
        let apart = [(0, 0.25), (0, 0.25), (1, 0.5), (2, 0.75), (2, 0.75)].map(item);
        let expected = (t(2.0) * 0.75_f64.sqrt() / 5.0 / 0.5).exp();
        assert!((spread(&apart, 0.5, 3) - expected).abs() < 1e-12);
    }
}
