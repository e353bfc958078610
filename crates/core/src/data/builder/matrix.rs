//! Features that come as one matrix, after the rows.

use std::sync::Arc;

use super::{
    DataError, DataProblem, Dataset, DatasetBuilder, Feature, MAX_FEATURES, Place, check_names,
};
use crate::data::stored::StoredRows;
use crate::data::{FeatureSource, SharedValues};

impl DatasetBuilder {
    /// As [`DatasetBuilder::finish`], with the features of all rows at once, row by row. They stay where
    /// they are if the rows of each list are adjacent, and are copied into that order if not.
    ///
    /// The builder must have been made without features.
    pub fn finish_with(
        mut self,
        features: Vec<Feature>,
        values: SharedValues,
    ) -> Result<Dataset, DataError> {
        debug_assert!(self.data.columns.features.is_empty(), "features of rows and of a matrix");
        self.check_size("features", features.len() as u64, MAX_FEATURES)?;
        let (rows, width) = (self.len(), features.len());
        let all = values.0.as_ref().as_ref();
        if all.len() != rows * width {
            let problem = DataProblem::RowWidth { met: all.len() / rows.max(1), expected: width };
            return Err(DataError::new(Place::source(&self.data.source), problem));
        }
        // Without an early exit the search is vectorised; almost no matrix has an infinite value.
        if all.iter().fold(false, |any, value| any | value.is_infinite()) {
            let at = all.iter().position(|value| value.is_infinite()).unwrap_or(0);
            let column = features[at % width].name.clone();
            return Err(DataError::new(
                self.place(at / width),
                DataProblem::InfiniteFeature { column },
            ));
        }
        Arc::make_mut(&mut self.data.columns).features = features;
        check_names(&self.data.source, &self.data.columns)?;
        self.data.features.shared = Some(values);
        self.data.features.width = width;
        self.stride = width;
        self.finish()
    }

    /// As [`DatasetBuilder::finish`], with features that are stored elsewhere, a row for each that was added, in the
    /// same order.
    ///
    /// The builder must have been made without features.
    ///
    /// # Panics
    /// If there are more or fewer rows.
    pub fn finish_stored(
        mut self,
        features: Vec<Feature>,
        source: Arc<dyn FeatureSource>,
    ) -> Result<Dataset, DataError> {
        debug_assert!(self.data.columns.features.is_empty(), "features of rows and of a source");
        assert_eq!(source.rows(), self.len(), "a row of features for each that was added");
        self.check_size("features", features.len() as u64, MAX_FEATURES)?;
        self.stride = features.len();
        Arc::make_mut(&mut self.data.columns).features = features;
        check_names(&self.data.source, &self.data.columns)?;
        self.data.features.stored = Some(StoredRows::all(source));
        self.data.features.width = self.stride;
        self.finish()
    }
}
