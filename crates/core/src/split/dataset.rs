//! Holding out lists of a data set.

use super::{HoldOut, HoldOutError};
use crate::data::Dataset;
use crate::shards::Shards;

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

/// How lists are held out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HoldOutOptions<'s> {
    /// How much.
    pub part: HoldOut,
    /// The seed of the draw.
    pub seed: u64,
    /// For each list whether it has a cost to save: at least one such list is on either side. By
    /// default these are the lists with an impact above 0, or all where impacts are not known.
    pub savable: Option<&'s [bool]>,
}

impl HoldOutOptions<'_> {
    /// This part of the lists, drawn with seed 0.
    pub fn new(part: impl Into<HoldOut>) -> Self {
        HoldOutOptions { part: part.into(), seed: 0, savable: None }
    }
}

/// Lists on two sides.
#[derive(Debug, Clone)]
pub struct HeldOut {
    /// The lists that are kept.
    pub kept: Dataset,
    /// The lists that are held out.
    pub held_out: Dataset,
    /// Whether they are the latest.
    pub by_time: bool,
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
        let HeldOut { kept, held_out, .. } = self.hold_out_with(&HoldOutOptions::new(part))?;
        Ok((kept, held_out))
    }

    /// The same with options.
    pub fn hold_out_with(&self, options: &HoldOutOptions<'_>) -> Result<HeldOut, HoldOutError> {
        self.hold_out_among(options, &Shards::alone())
    }

    /// The same for data of which other shards have more lists: those are held out that would be if all were in one
    /// place. A side may be empty.
    pub fn hold_out_among(
        &self,
        options: &HoldOutOptions<'_>,
        shards: &Shards,
    ) -> Result<HeldOut, HoldOutError> {
        match options.part {
            HoldOut::None => return Err(HoldOutError::Nothing),
            HoldOut::Share(share) if !(share > 0.0 && share < 1.0) => {
                return Err(HoldOutError::Syntax(share.to_string()));
            }
            HoldOut::Share(_) | HoldOut::Lists(_) => {}
        }
        let with_impact = || self.lists_with_impact();
        let savable = options.savable.map_or_else(with_impact, <[bool]>::to_vec);
        let sides = options.part.divide(self, &savable, options.seed, shards)?;
        Ok(HeldOut {
            kept: self.take_lists_of_shard(&sides.kept),
            held_out: self.take_lists_of_shard(&sides.held_out),
            by_time: sides.by_time,
        })
    }

    fn lists_with_impact(&self) -> Vec<bool> {
        let has_impact = |list: usize| {
            self.impact().is_none_or(|impact| impact[self.items(list)].iter().any(|&y| y > 0.0))
        };
        (0..self.n_lists()).map(has_impact).collect()
    }
}
