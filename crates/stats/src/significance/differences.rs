//! Per-list differences whose mean is the difference of two figures.

use crate::error::StatsError;
use crate::part;
use stakes_core::metric::{Finish, Part, totals};

/// Returns the differences, list by list, of two scores over the same lists.
///
/// With D the sum of `den` and r0 the mean of both figures, over the m lists where at least one score has a
/// value,
///
/// `d_i = m * [ (num_a - r0 den_a) / D_a  -  (num_b - r0 den_b) / D_b ]`
///
/// * Their mean is always `figure_a - figure_b`.
/// * If both scores have the same `den` in every list, as in all figures whose `den` depends on the labels
///   alone (means, `R_CS`, `R_CR`), r0 cancels and `d_i = (num_a - num_b) m / D`. For a mean of lists this is
///   the difference of the two values; for `R_CS` it is the difference in saved cost, so lists are weighted
///   by their savable cost. Exchanging the scores in one list changes the sign of one d, as the
///   randomisation test requires.
/// * r0 matters only if `den` depends on the scores (a list where one of them has no value). Then the
///   list's difference is that of the other score from the common level, not its whole level. It is the
///   linearisation of the ratio at "both are r0". Sign flips are then no longer exact, but valid for many
///   lists.
///
/// For a figure with a root (RMSE) the differences are those under the root: `figure_a^2 -
/// figure_b^2` is zero exactly when the figures are equal.
///
/// Lists without a value in both scores are left out. If one score has no value in any list, there is no
/// difference of figures, and the result is empty.
///
/// # Errors
/// If the scores have different numbers of lists, or a part is invalid.
pub fn paired_differences(a: &[Part], b: &[Part]) -> Result<Vec<f64>, StatsError> {
    if a.len() != b.len() {
        let (met, expected) = (b.len(), a.len());
        return Err(StatsError::Lengths { column: 1, met, expected });
    }
    part::check(a, Finish::Identity)?;
    part::check(b, Finish::Identity)?;
    let (sum_a, sum_b) = (totals(a.iter().copied()), totals(b.iter().copied()));
    if !(sum_a.has_value() && sum_b.has_value()) {
        return Ok(Vec::new());
    }
    let pairs = a.iter().zip(b);
    let pairs: Vec<_> = pairs.filter(|(a, b)| a.has_value() || b.has_value()).collect();
    let m = pairs.len() as f64;
    if pairs.iter().all(|(a, b)| a.den == b.den) {
        // The same with fewer roundings: for a mean of lists m / D is exactly 1, so equal differences
        // stay equal, and Wilcoxon's test recognises ties.
        let scale = m / sum_a.den;
        return Ok(pairs.iter().map(|(a, b)| (a.num - b.num) * scale).collect());
    }
    let (scale_a, scale_b) = (m / sum_a.den, m / sum_b.den);
    let common = 0.5 * (sum_a.num / sum_a.den + sum_b.num / sum_b.den);
    let centred = |p: &Part, scale: f64| (p.num - common * p.den) * scale;
    let differences = pairs.iter().map(|(a, b)| centred(a, scale_a) - centred(b, scale_b));
    Ok(differences.collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ratio;
    use proptest::prelude::*;

    #[test]
    fn a_mean_of_lists_gives_plain_differences() {
        let a = [0.5, 0.75, 1.0].map(|v| Part::mean(Some(v)));
        let b = [0.25, 0.75, 0.5].map(|v| Part::mean(Some(v)));
        assert_eq!(paired_differences(&a, &b).unwrap(), [0.25, 0.0, 0.5]);
        // A list without a value in both is as if it were not there.
        let with_empty = |x: [Part; 3]| [x[0], Part::EMPTY, x[1], x[2]];
        let met = paired_differences(&with_empty(a), &with_empty(b)).unwrap();
        assert_eq!(met, [0.25, 0.0, 0.5]);
    }

    #[test]
    fn in_a_ratio_lists_are_weighted_by_their_savable_cost() {
        // The two storms, by cable and by wind: A and Ideal.
        let cable = [Part::new(10050.0, 10050.0), Part::new(0.5, 100.5)];
        let wind = [Part::new(50.0, 10050.0), Part::new(100.5, 100.5)];
        let d = paired_differences(&cable, &wind).unwrap();
        assert!((d[0] - 2.0 * 10000.0 / 10150.5).abs() < 1e-12);
        assert!((d[1] + 2.0 * 100.0 / 10150.5).abs() < 1e-12);
        assert!(((d[0] + d[1]) / 2.0 - (0.990_148_3 - 0.014_826_9)).abs() < 1e-7);
    }

    #[test]
    fn a_value_missing_in_one_score_is_not_a_loss_of_its_whole_level() {
        // All values 0.8 in both, but the second list has none in b: nothing differs.
        let a = [Part::mean(Some(0.8)); 3];
        let b = [Part::mean(Some(0.8)), Part::EMPTY, Part::mean(Some(0.8))];
        let d = paired_differences(&a, &b).unwrap();
        assert!(d.iter().all(|d| d.abs() < 1e-15), "{d:?}");
    }

    #[test]
    fn no_figure_no_differences() {
        let a = [Part::mean(Some(0.8)); 2];
        assert!(paired_differences(&a, &[Part::EMPTY; 2]).unwrap().is_empty());
        assert!(paired_differences(&[], &[]).unwrap().is_empty());
        let met = paired_differences(&a, &a[..1]).unwrap_err();
        assert!(met.to_string().contains("score 1 has 1 list but score 0 has 2"));
    }

    fn part() -> impl Strategy<Value = Part> {
        let valued = (0.0..50.0, 0.1..50.0).prop_map(|(num, den)| Part::new(num, den));
        prop_oneof![1 => Just(Part::EMPTY), 4 => valued]
    }

    proptest! {
        #[test]
        fn their_mean_is_the_difference_of_the_figures(
            pairs in prop::collection::vec((part(), part()), 1..30),
        ) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let d = paired_differences(&a, &b).unwrap();
            let figures = ratio(a.iter().copied()).zip(ratio(b.iter().copied()));
            prop_assert_eq!(figures.is_none(), d.is_empty());
            if let Some((x, y)) = figures {
                let mean = d.iter().sum::<f64>() / d.len() as f64;
                prop_assert!((mean - (x - y)).abs() <= 1e-11 * (1.0 + x + y));
            }
            let swapped = paired_differences(&b, &a).unwrap();
            prop_assert!(d.iter().zip(&swapped).all(|(d, s)| (d + s).abs() <= 1e-9));
        }
    }
}
