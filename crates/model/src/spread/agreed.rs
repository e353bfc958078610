//! Bins that all shards agree on.

use rayon::prelude::*;
use stakes_core::data::DataError;
use stakes_core::shards::Shards;

use super::sampled::SampledLists;
use super::values::{Item, Values};
use crate::{Bins, ModelFeature};

/// The bins of a column, or what they are made of.
pub(super) enum Wanted {
    Known(Bins),
    /// The values of the sampled lists.
    OfNumbers(Vec<f64>),
    /// The number of items of each category.
    OfCategories(Vec<i64>),
}

/// The bins of all columns: the same for all shards.
pub(super) fn agreed_bins(
    values: &impl Values,
    sampled: &SampledLists,
    mut columns: Vec<Wanted>,
    shards: &Shards,
) -> Result<Vec<Bins>, DataError> {
    if columns.iter().any(|wanted| !matches!(wanted, Wanted::Known(_))) {
        values.visit(&mut |items| {
            columns.par_iter_mut().enumerate().for_each(|(column, wanted)| {
                wanted.see(items, sampled, |item, row| values.value(column, item, row));
            });
        })?;
        agree(&mut columns, shards);
    }
    let bins = |wanted: Wanted| match wanted {
        Wanted::Known(bins) => bins,
        Wanted::OfNumbers(values) => Bins::of_numbers(values),
        Wanted::OfCategories(items) => Bins::of_categories(&items),
    };
    Ok(columns.into_par_iter().map(bins).collect())
}

impl Wanted {
    /// Bins that are made of the values of a feature.
    pub(super) fn of(feature: &ModelFeature) -> Self {
        match &feature.categories {
            None => Wanted::OfNumbers(Vec::new()),
            Some(names) => Wanted::OfCategories(vec![0; names.len()]),
        }
    }

    /// Takes what bins are made of from some items.
    fn see(
        &mut self,
        items: &[Item<'_>],
        sampled: &SampledLists,
        value: impl Fn(usize, &[f32]) -> f64,
    ) {
        match self {
            Wanted::Known(_) => {}
            Wanted::OfNumbers(values) => {
                let of_sampled = items.iter().filter(|(item, _)| sampled.is_sampled[*item]);
                values.extend(of_sampled.map(|&(item, row)| value(item, row)));
            }
            Wanted::OfCategories(counts) => {
                let codes = items.iter().map(|&(item, row)| value(item, row));
                for code in codes.filter(|code| !code.is_nan()) {
                    if let Some(count) = counts.get_mut(code as usize) {
                        *count += 1;
                    }
                }
            }
        }
    }
}

/// Adds what other shards have seen.
fn agree(columns: &mut [Wanted], shards: &Shards) {
    if shards.are_one() {
        return;
    }
    let (mut numbers, mut categories) = (Vec::new(), Vec::new());
    for wanted in columns {
        match wanted {
            Wanted::Known(_) => {}
            Wanted::OfNumbers(values) => numbers.push(values),
            Wanted::OfCategories(counts) => categories.push(counts),
        }
    }
    let own = numbers.iter().flat_map(|values| values.iter().flat_map(|v| v.to_le_bytes()));
    let all = shards.gather(own.collect());
    numbers.iter_mut().for_each(|values| values.clear());
    for bytes in &all {
        // A shard has the same items of every column.
        let words = bytes.as_chunks().0;
        let each = (words.len() / numbers.len().max(1)).max(1);
        for (values, words) in numbers.iter_mut().zip(words.chunks(each)) {
            values.extend(words.iter().map(|word| f64::from_le_bytes(*word)));
        }
    }
    let mut counts: Vec<i64> =
        categories.iter().flat_map(|counts| counts.iter().copied()).collect();
    shards.sum(&mut counts);
    let mut counts = counts.into_iter();
    categories.into_iter().flatten().zip(&mut counts).for_each(|(to, sum)| *to = sum);
}
