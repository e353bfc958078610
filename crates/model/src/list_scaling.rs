//! Scaling of numbers within their list, for learners that should compare items with the others of
//! their list only.
//!
//! Example: winds of 10, 20 and 30 become 0, 0.5 and 1 by `min-max`, and -1.22, 0 and 1.22 by
//! `z-score`. A value that is the same in the whole list becomes 0. Missing values and categories do
//! not change.

use serde::{Deserialize, Serialize};

/// How the numbers of a list are scaled before scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListScaling {
    /// Not at all.
    #[default]
    None,
    /// From 0 for the smallest to 1 for the largest.
    MinMax,
    /// To mean 0 and standard deviation 1.
    ZScore,
}

/// (x - shift) / scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    shift: f64,
    scale: f64,
}

impl Scale {
    /// Leaves numbers as they are.
    pub(super) const IDENTITY: Scale = Scale { shift: 0.0, scale: 1.0 };

    /// The scale for the numbers of one list; missing ones are ignored.
    pub(super) fn of(scaling: ListScaling, numbers: impl Iterator<Item = f32>) -> Self {
        let mut known: Vec<f32> = numbers.filter(|x| !x.is_nan()).collect();
        // Sorted, so that sums do not depend on the order of the file.
        known.sort_by(f32::total_cmp);
        let (Some(&min), Some(&max)) = (known.first(), known.last()) else {
            return Self::IDENTITY;
        };
        if min == max {
            return Scale { shift: f64::from(min), scale: 1.0 };
        }
        match scaling {
            ListScaling::None => Self::IDENTITY,
            ListScaling::MinMax => {
                let (min, max) = (f64::from(min), f64::from(max));
                Scale { shift: min, scale: max - min }
            }
            ListScaling::ZScore => {
                let n = known.len() as f64;
                let mean = known.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
                let square = |x: &f32| (f64::from(*x) - mean).powi(2);
                let variance = known.iter().map(square).sum::<f64>() / n;
                Scale { shift: mean, scale: variance.sqrt() }
            }
        }
    }

    #[inline]
    pub(super) fn apply(self, x: f32) -> f32 {
        ((f64::from(x) - self.shift) / self.scale) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(scaling: ListScaling, numbers: &[f32]) -> Vec<f32> {
        let scale = Scale::of(scaling, numbers.iter().copied());
        numbers.iter().map(|&x| scale.apply(x)).collect()
    }

    #[test]
    fn winds_of_a_list() {
        assert_eq!(scaled(ListScaling::MinMax, &[20.0, 10.0, 30.0]), [0.5, 0.0, 1.0]);
        let z = scaled(ListScaling::ZScore, &[20.0, 10.0, 30.0]);
        assert!(z[0] == 0.0 && (z[1] + 1.5f32.sqrt()).abs() < 1e-6 && z[2] == -z[1]);
        assert_eq!(scaled(ListScaling::None, &[20.0, 10.0]), [20.0, 10.0]);
    }

    #[test]
    fn equal_missing_and_enormous_numbers() {
        for scaling in [ListScaling::MinMax, ListScaling::ZScore] {
            assert_eq!(scaled(scaling, &[7.0, 7.0]), [0.0, 0.0]);
            let some = scaled(scaling, &[f32::NAN, 1.0, 2.0]);
            assert!(some[0].is_nan() && some[1] < some[2]);
            assert!(scaled(scaling, &[f32::MAX, f32::MIN, 1e-40]).iter().all(|x| x.is_finite()));
        }
    }
}
