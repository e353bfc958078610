//! Holding out lists of a data set.

use super::{HoldOut, HoldOutError};
use crate::data::Dataset;

/// A share of the lists.
impl From<f64> for HoldOut {
    fn from(share: f64) -> Self {
        HoldOut::Share(share)
    }
}

/// A number of lists.
impl From<usize> for HoldOut {
    fn from(lists: usize) -> Self {
        HoldOut::Lists(lists)
    }
}

impl Dataset {
    /// Divides the data, list by list: returns the lists that are kept and those that are held
    /// out. They are drawn by list id; where times are known, the latest are held out.
    ///
    /// ```
    /// # use stakes_core::data::{Columns, DatasetBuilder, Row};
    /// # let columns = Columns { list: Some("storm".into()), ..Columns::default() };
    /// # let mut builder = DatasetBuilder::new("storms", columns)?;
    /// # for storm in 0..50 {
    /// #     let list = format!("storm {storm}");
    /// #     builder.push(Row { list: &list, ..Row::default() })?;
    /// # }
    /// # let storms = builder.finish()?;
    /// let (train, test) = storms.hold_out(0.2)?;
    /// assert_eq!(train.n_lists() + test.n_lists(), storms.n_lists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hold_out(&self, part: impl Into<HoldOut>) -> Result<(Dataset, Dataset), HoldOutError> {
        let part = part.into();
        if let HoldOut::Share(share) = part
            && !(share > 0.0 && share < 1.0)
        {
            return Err(HoldOutError::Syntax(share.to_string()));
        }
        let sides = part.divide(self, &self.lists_with_impact(), 0)?;
        Ok((self.take_lists(&sides.kept), self.take_lists(&sides.held_out)))
    }

    /// For each list whether it has an impact above 0; true for all lists where impacts are not
    /// known.
    pub fn lists_with_impact(&self) -> Vec<bool> {
        let has_impact = |list: usize| {
            self.impact().is_none_or(|impact| impact[self.items(list)].iter().sum::<f64>() > 0.0)
        };
        (0..self.n_lists()).map(has_impact).collect()
    }
}
