//! Statistics of generated rows, for the tests of the generators' documented properties.

use crate::row::GeneratedRow;

/// Generated rows in memory.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) ends: Vec<usize>,
    names: Vec<String>,
    pub(crate) impact: Vec<f64>,
    pub(crate) expected: Vec<f64>,
    pub(crate) features: Vec<f32>,
    pub(crate) times: Vec<String>,
    pub(crate) width: usize,
    /// FNV-1a over every value and text.
    pub(crate) checksum: u64,
}

impl Table {
    pub(crate) fn push(&mut self, row: GeneratedRow<'_>) {
        if self.names.last().is_none_or(|last| last != row.list) {
            self.names.push(row.list.to_owned());
            self.ends.push(self.impact.len());
        }
        self.impact.push(row.impact);
        self.expected.push(row.expected.unwrap_or(f64::NAN));
        self.features.extend_from_slice(row.features);
        self.times.push(row.time.unwrap_or_default().to_owned());
        self.width = row.features.len();
        *self.ends.last_mut().expect("pushed above") = self.impact.len();
        for text in [Some(row.list), row.id, row.group, row.time].into_iter().flatten() {
            self.hash(text.as_bytes());
        }
        for value in [Some(row.impact), row.expected, row.price].into_iter().flatten() {
            self.hash(&value.to_bits().to_le_bytes());
        }
        for value in row.features {
            // One bit pattern for all NaNs: their payload is not specified.
            let bits = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
            self.hash(&bits.to_le_bytes());
        }
    }

    fn hash(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.checksum = (self.checksum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The rows of each list.
    pub(crate) fn lists(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    pub(crate) fn column(&self, j: usize) -> Vec<f64> {
        self.features.iter().skip(j).step_by(self.width).map(|&x| f64::from(x)).collect()
    }

    /// R_CS@k with the linear policy (McBride et al. 2019, equation 5): higher scores first, missing last.
    pub(crate) fn r_cs(&self, scores: &[f64], k: usize) -> f64 {
        let (mut gained, mut ideal) = (0.0, 0.0);
        for list in self.lists() {
            let saved = |by: &[f64]| -> f64 {
                let mut order: Vec<usize> = list.clone().collect();
                let key = |i: usize| if by[i].is_nan() { f64::NEG_INFINITY } else { by[i] };
                order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
                let top = order.iter().take(k).enumerate();
                top.map(|(p, &i)| self.impact[i] * (1.0 - p as f64 / k as f64)).sum()
            };
            gained += saved(scores);
            ideal += saved(&self.impact);
        }
        gained / ideal
    }

    /// The expected R_CS@k of a random order.
    pub(crate) fn r_cs_random(&self, k: usize) -> f64 {
        let (mut gained, mut ideal) = (0.0, 0.0);
        for list in self.lists() {
            let mut y = self.impact[list].to_vec();
            let weight = |p: usize| 1.0 - p as f64 / k as f64;
            let weights: f64 = (0..k.min(y.len())).map(weight).sum();
            gained += weights * y.iter().sum::<f64>() / y.len() as f64;
            y.sort_by(|a, b| b.total_cmp(a));
            ideal += y.iter().take(k).enumerate().map(|(p, y)| y * weight(p)).sum::<f64>();
        }
        gained / ideal
    }

    /// The scores of a ridge regression of `target` (centred per list) on the standardised
    /// features and `more` columns; missing values are replaced by the column's mean.
    pub(crate) fn linear(&self, target: &[f64], more: &[Vec<f64>]) -> Vec<f64> {
        let n = self.impact.len();
        let mut columns: Vec<Vec<f64>> = (0..self.width).map(|j| self.column(j)).collect();
        columns.extend_from_slice(more);
        for x in &mut columns {
            let known: Vec<f64> = x.iter().copied().filter(|v| !v.is_nan()).collect();
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            let var = known.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>();
            let sd = (var / known.len() as f64).sqrt().max(1e-12);
            x.iter_mut().for_each(|v| *v = if v.is_nan() { 0.0 } else { (*v - mean) / sd });
        }
        let mut y = target.to_vec();
        for list in self.lists() {
            let mean = target[list.clone()].iter().sum::<f64>() / list.len() as f64;
            y[list].iter_mut().for_each(|v| *v -= mean);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let d = columns.len();
        let mut system = vec![vec![0.0; d + 1]; d];
        for i in 0..d {
            for j in 0..=i {
                let product = dot(&columns[i], &columns[j]);
                system[i][j] = product;
                system[j][i] = product;
            }
            system[i][i] += 1e-3 * n as f64;
            system[i][d] = dot(&columns[i], &y);
        }
        for i in 0..d {
            let pivot = system[i].clone();
            for (_, row) in system.iter_mut().enumerate().filter(|(r, _)| *r != i) {
                let factor = row[i] / pivot[i];
                (i..=d).for_each(|c| row[c] -= factor * pivot[c]);
            }
        }
        let weights: Vec<f64> = (0..d).map(|i| system[i][d] / system[i][i]).collect();
        (0..n).map(|r| (0..d).map(|j| weights[j] * columns[j][r]).sum()).collect()
    }
}
