//! Individuals: how far each item stands from where it should, and whether somebody who is in several lists is moved in
//! the same direction again and again (average individual fairness; Salomon 2020, section 2.2.6).
//!
//! The displacement of an item is p - t, its position less its true one, in shares of its list. For an id in several
//! lists the mean over its lists is compared with 0 by a t test, and the p values of all such ids are corrected
//! (Holm 1979). By hand: displaced by 0.1, 0.2 and 0.3, mean 0.2, deviation 0.1: t = 0.2 / (0.1 / sqrt 3) = 3.464 with two
//! degrees of freedom, p = 0.0742.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_stats::Correction;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::error::AuditError;
use crate::list::positions;
use crate::rankings::Rankings;

/// How items are treated one by one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Individuals {
    /// The largest |p - t| / n of an item.
    pub largest: f64,
    /// The mean of |p - t| / n.
    pub mean: f64,
    /// Those that are in several lists, in the order of their ids.
    pub repeated: Vec<Individual>,
    /// The share of these whose corrected p is below 0.05; `None` if there are none.
    pub displaced: Option<f64>,
}

/// Somebody in several lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Individual {
    /// The id.
    pub id: String,
    /// The number of its lists.
    pub lists: usize,
    /// The mean of (p - t) / n; above 0: lower than it should stand.
    pub displacement: f64,
    /// The probability of such a mean by chance.
    pub p: f64,
    /// The same, corrected for the number of individuals.
    pub p_corrected: f64,
}

/// Looks at items one by one; `ids` name them, and the rankings must know the truth.
pub fn individuals<T: AsRef<str>>(
    lists: &Rankings<'_>,
    ids: &[T],
) -> Result<Individuals, AuditError> {
    let Some(truth) = lists.truth_of_items() else {
        let (name, needs) = ("individuals".to_owned(), "a true order");
        return Err(AuditError::Needs { name, needs });
    };
    if ids.len() != lists.len() {
        let (what, met, items) = ("ids", ids.len(), lists.len());
        return Err(AuditError::Length { what, met, items });
    }
    let mut moved = vec![0.0; lists.len()];
    for list in 0..lists.n_lists() {
        let items = lists.items(list);
        let n = items.len() as f64;
        let should = positions(&truth[items.clone()]).1;
        for ((item, met), should) in items.zip(lists.positions(list)).zip(should) {
            moved[item] = (met - should) / n;
        }
    }
    let mut by_id: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (id, moved) in ids.iter().zip(&moved) {
        by_id.entry(id.as_ref()).or_default().push(*moved);
    }
    by_id.retain(|_, moved| moved.len() > 1);
    let tested: Vec<(f64, f64)> = by_id.values().map(|moved| t_test(moved)).collect();
    let p: Vec<f64> = tested.iter().map(|(_, p)| *p).collect();
    // Of probabilities there is always a correction.
    let corrected = Correction::Holm.adjust(&p).unwrap_or(p);
    let repeated: Vec<Individual> = by_id
        .iter()
        .zip(tested.iter().zip(corrected))
        .map(|((id, moved), (&(displacement, p), p_corrected))| Individual {
            id: (*id).to_owned(),
            lists: moved.len(),
            displacement,
            p,
            p_corrected,
        })
        .collect();
    let displaced = repeated.iter().filter(|one| one.p_corrected < 0.05).count() as f64;
    Ok(Individuals {
        largest: moved.iter().map(|moved| moved.abs()).fold(0.0, f64::max),
        mean: moved.iter().map(|moved| moved.abs()).sum::<f64>() / moved.len() as f64,
        displaced: (!repeated.is_empty()).then(|| displaced / repeated.len() as f64),
        repeated,
    })
}

/// The mean, and the probability that values about 0 have one as large. Values that are all equal have none or all.
fn t_test(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    if error <= 1e-12 {
        return (mean, if mean.abs() <= 1e-12 { 1.0 } else { 0.0 });
    }
    let t = (mean / error).abs();
    let p = StudentsT::new(0.0, 1.0, n - 1.0).map_or(f64::NAN, |law| 2.0 * law.sf(t));
    (mean, p)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_example_at_the_head() {
        let (mean, p) = t_test(&[0.1, 0.2, 0.3]);
        assert!((mean - 0.2).abs() < 1e-12 && (p - 0.0742).abs() < 5e-5, "{p}");
        assert_eq!(t_test(&[0.0, 0.0]), (0.0, 1.0));
    }

    /// Two lists of four: x is last in both and should be first; the others move up by one.
    #[test]
    fn who_is_put_last_again_and_again() {
        let scores = [0.0, 3.0, 2.0, 1.0, 0.0, 3.0, 2.0, 1.0];
        let truth = [9.0, 3.0, 2.0, 1.0, 9.0, 3.0, 2.0, 1.0];
        let ids = ["x", "a", "b", "c", "x", "d", "e", "f"];
        let lists = Rankings::new(&[0, 4, 8], &scores).unwrap();
        assert!(matches!(individuals(&lists, &ids), Err(AuditError::Needs { .. })));
        let lists = lists.truth(&truth).unwrap();
        let found = individuals(&lists, &ids).unwrap();
        assert_eq!((found.largest, found.mean), (0.75, 6.0 / 16.0));
        let [x] = &found.repeated[..] else { panic!("{found:?}") };
        assert_eq!((x.id.as_str(), x.lists, x.displacement, x.p), ("x", 2, 0.75, 0.0));
        assert_eq!(found.displaced, Some(1.0));
        assert!(individuals(&lists, &ids[1..]).is_err());
    }
}
