//! Bins of features that are stored elsewhere ([`stakes_core::data::FeatureSource`]).
//!
//! Cuts are chosen from the same sample of rows as of data in memory, so the bins are the same; the features of the
//! sample and of one piece after the other are all that is in memory at a time. The matrix has no columns, which would
//! double it.

use stakes_core::data::{DataError, Dataset, FeatureMatrix};

use super::bins::{Binning, Choice, Values, WeightedRows, sample};
use super::matrix::BinnedMatrix;

impl Binning {
    /// Chooses bins as [`Binning::of`], also for features that are stored.
    ///
    /// # Errors
    /// If stored features cannot be read.
    pub fn of_data(
        data: &Dataset,
        rows: &[u32],
        weight: Option<&[f64]>,
        bins: usize,
        known: Option<&[Option<Vec<String>>]>,
    ) -> Result<Self, DataError> {
        if !data.features().is_stored() {
            return Ok(Binning::of(data, rows, weight, bins, known));
        }
        let (width, sample) = (data.features().width(), sample(rows.len()));
        let sampled: Vec<u32> = sample.iter().map(|&at| rows[at]).collect();
        let values = data.features().rows(&sampled)?;
        let weight: Option<Vec<f64>> = weight.map(|w| sample.iter().map(|&at| w[at]).collect());
        let all: Vec<u32> = (0..sample.len() as u32).collect();
        let values = Values { values: &values, width };
        let choice = Choice { features: data.feature_info(), bins, known };
        let rows = WeightedRows { rows: &all, weight: weight.as_deref() };
        Ok(Binning::new(choice.of_all(values, rows)))
    }

    /// Bins rows of several data sets as [`Binning::apply`], also of features that are stored, for which every item must be
    /// among the rows, once. Parts of the same stored features are read together.
    ///
    /// # Errors
    /// If stored features cannot be read.
    pub fn apply_all(&self, parts: &[(&Dataset, &[u32])]) -> Result<Vec<BinnedMatrix>, DataError> {
        if parts.iter().all(|(data, _)| !data.features().is_stored()) {
            return Ok(parts.iter().map(|(data, rows)| self.apply(data, rows)).collect());
        }
        let places: Vec<Vec<u32>> = parts.iter().map(|(_, rows)| inverse(rows)).collect();
        let new =
            |(_, rows): &(&Dataset, &[u32])| BinnedMatrix::new(rows.len(), self.layout(), false);
        let mut matrices: Vec<BinnedMatrix> = parts.iter().map(new).collect();
        let features: Vec<&FeatureMatrix> = parts.iter().map(|(data, _)| data.features()).collect();
        let tables = self.tables();
        FeatureMatrix::visit_all(&features, |part, piece| {
            let is_item = |&row: &u32| piece.item(row as usize).is_some();
            let of_piece: Vec<u32> = (0..piece.rows() as u32).filter(is_item).collect();
            let mut binned = BinnedMatrix::new(of_piece.len(), self.layout(), false);
            let values = Values { values: piece.values(), width: features[part].width() };
            self.fill(&tables, values, &of_piece, &mut binned);
            for (at, &row) in (0..).zip(&of_piece) {
                let Some(item) = piece.item(row as usize) else { continue };
                matrices[part].copy_row(places[part][item] as usize, binned.row(at));
            }
        })?;
        Ok(matrices)
    }
}

/// The place of each item among rows.
fn inverse(rows: &[u32]) -> Vec<u32> {
    let mut places = vec![0; rows.len()];
    for (place, &item) in (0..).zip(rows) {
        places[item as usize] = place;
    }
    places
}
