//! Counts the features of data, or scores, in the bins of a [`Profile`](crate::Profile).
//!
//! Other shards may have more of the lists. Bins are made of the values of some lists, which all shards tell each other,
//! and of the numbers of items of each category, which are added, as are the counts in bins. So all of them find the
//! same as if all lists were in one place.

mod agreed;
mod sampled;
mod values;

use rayon::prelude::*;
use stakes_core::data::{DataError, Dataset};
use stakes_core::shards::Shards;

use crate::{Bins, Distribution, ListScaling, MatchedColumns, Model, ModelError};
use agreed::{Wanted, agreed_bins};
use sampled::SampledLists;
use values::{Features, OneScore, Values};

/// How columns of values are spread over bins.
fn spread(
    values: &impl Values,
    data: &Dataset,
    columns: Vec<Wanted>,
    shards: &Shards,
) -> Result<Vec<Distribution>, DataError> {
    let sampled = SampledLists::new(data, shards);
    let bins = agreed_bins(values, &sampled, columns, shards)?;
    // For each column, the counts of all lists and then those of each kept list, bin by bin.
    let mut counts: Vec<Vec<i64>> =
        bins.iter().map(|bins| vec![0; bins.len() * (1 + sampled.kept)]).collect();
    values.visit(&mut |items| {
        let of_column = |(column, (bins, counts)): (usize, (&Bins, &mut Vec<i64>))| {
            for &(item, features) in items {
                let bin = bins.of(values.value(column, item, features));
                counts[bin] += 1;
                if let Some(place) = sampled.place[item] {
                    counts[bins.len() * (1 + usize::from(place)) + bin] += 1;
                }
            }
        };
        bins.par_iter().zip(&mut counts).enumerate().for_each(of_column);
    })?;
    let mut numbers: Vec<i64> = counts.concat();
    numbers.push(data.n_lists() as i64);
    shards.sum(&mut numbers);
    let lists = numbers.pop().unwrap_or_default() as u64;
    let mut numbers = &numbers[..];
    let of_bins = |bins: Bins| {
        let all = numbers.split_off(..bins.len() * (1 + sampled.kept)).unwrap_or_default();
        let (all, by_list) = all.split_at(bins.len());
        let of_list = |counts: &[i64]| counts.iter().map(|&count| count as u32).collect();
        Distribution {
            lists,
            counts: all.iter().map(|&count| count as u64).collect(),
            by_list: by_list.chunks(bins.len()).map(of_list).collect(),
            bins,
        }
    };
    Ok(bins.into_iter().map(of_bins).collect())
}

impl Distribution {
    /// How scores of items are spread, in bins that are made of them.
    pub fn of_scores(data: &Dataset, scores: &[f64]) -> Self {
        Self::of_scores_among(data, scores, &Shards::alone())
    }

    /// The same for items of which other shards have more lists.
    pub fn of_scores_among(data: &Dataset, scores: &[f64], shards: &Shards) -> Self {
        Self::of_one(data, scores, Wanted::OfNumbers(Vec::new()), shards)
    }

    /// How scores of items are spread, in these bins.
    pub fn scores_in(bins: &Bins, data: &Dataset, scores: &[f64]) -> Self {
        Self::of_one(data, scores, Wanted::Known(bins.clone()), &Shards::alone())
    }

    fn of_one(data: &Dataset, scores: &[f64], wanted: Wanted, shards: &Shards) -> Self {
        let found = spread(&OneScore(scores), data, vec![wanted], shards);
        found.ok().and_then(|mut found| found.pop()).expect("scores are in memory")
    }
}

impl Model {
    /// How the features of data are spread, as the model reads them, but before they are scaled within
    /// lists: in the bins of others, or in bins that are made of these data.
    pub fn distributions(
        &self,
        data: &Dataset,
        others: Option<&[Distribution]>,
    ) -> Result<Vec<Distribution>, ModelError> {
        let columns = match others {
            Some(others) => others.iter().map(|of| Wanted::Known(of.bins.clone())).collect(),
            None => self.features.iter().map(Wanted::of).collect(),
        };
        self.spread(data, columns, &Shards::alone())
    }

    /// The same for data of which other shards have more lists, in bins that are made of all.
    pub fn distributions_among(
        &self,
        data: &Dataset,
        shards: &Shards,
    ) -> Result<Vec<Distribution>, ModelError> {
        self.spread(data, self.features.iter().map(Wanted::of).collect(), shards)
    }

    fn spread(
        &self,
        data: &Dataset,
        columns: Vec<Wanted>,
        shards: &Shards,
    ) -> Result<Vec<Distribution>, ModelError> {
        let matched = MatchedColumns::new(&self.features, ListScaling::None, data)?;
        Ok(spread(&Features(data, matched), data, columns, shards)?)
    }
}
