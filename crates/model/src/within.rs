//! Numbers as they stand within their list: what matters may be who is the largest of today, not
//! how large.
//!
//! Example: winds of 10, 20 and 30 become 0, 0.5 and 1 by `min-max`, and -1.22, 0 and 1.22 by
//! `z-score`. Where all items of a list are alike, they are 0. Missing values stay missing, and
//! categories what they are.

use serde::{Deserialize, Serialize};

/// What is done with the numbers of a list before they are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Within {
    /// Nothing.
    #[default]
    None,
    /// From 0 for the smallest to 1 for the largest.
    MinMax,
    /// Mean 0 and standard deviation 1.
    ZScore,
}

impl Within {
    /// By its name.
    pub fn of(name: &str) -> Self {
        match name {
            "min-max" => Within::MinMax,
            "z-score" => Within::ZScore,
            _ => Within::None,
        }
    }
}

/// (x - shift) / scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    shift: f64,
    scale: f64,
}

impl Scale {
    /// Leaves everything as it is.
    pub(super) const SAME: Scale = Scale { shift: 0.0, scale: 1.0 };

    /// For the numbers of one list, of which missing ones do not count.
    pub(super) fn of(within: Within, numbers: impl Iterator<Item = f32>) -> Self {
        let mut known: Vec<f32> = numbers.filter(|x| !x.is_nan()).collect();
        // Sums are the same whatever the order of the file.
        known.sort_by(f32::total_cmp);
        let (Some(&least), Some(&most)) = (known.first(), known.last()) else { return Self::SAME };
        if least == most {
            return Scale { shift: f64::from(least), scale: 1.0 };
        }
        match within {
            Within::None => Self::SAME,
            Within::MinMax => {
                let (least, most) = (f64::from(least), f64::from(most));
                Scale { shift: least, scale: most - least }
            }
            Within::ZScore => {
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

    fn scaled(within: Within, numbers: &[f32]) -> Vec<f32> {
        let scale = Scale::of(within, numbers.iter().copied());
        numbers.iter().map(|&x| scale.apply(x)).collect()
    }

    #[test]
    fn winds_of_a_list() {
        assert_eq!(scaled(Within::MinMax, &[20.0, 10.0, 30.0]), [0.5, 0.0, 1.0]);
        let z = scaled(Within::ZScore, &[20.0, 10.0, 30.0]);
        assert!(z[0] == 0.0 && (z[1] + 1.5f32.sqrt()).abs() < 1e-6 && z[2] == -z[1]);
        assert_eq!(scaled(Within::None, &[20.0, 10.0]), [20.0, 10.0]);
    }

    #[test]
    fn alike_missing_and_enormous() {
        for within in [Within::MinMax, Within::ZScore] {
            assert_eq!(scaled(within, &[7.0, 7.0]), [0.0, 0.0]);
            let some = scaled(within, &[f32::NAN, 1.0, 2.0]);
            assert!(some[0].is_nan() && some[1] < some[2]);
            assert!(scaled(within, &[f32::MAX, f32::MIN, 1e-40]).iter().all(|x| x.is_finite()));
        }
    }
}
