//! Bins that several shards agree on.
//!
//! Cuts are chosen from a sample of the rows of all shards: the same rows as if all were in one place. Each shard
//! tells the others its sampled rows, with the names of categories, whose codes are its own; then all of them choose
//! the same bins.

use std::collections::BTreeMap;

use rayon::prelude::*;
use stakes_core::Lists;
use stakes_core::data::{DataError, Dataset, Feature, FeatureKind};

use super::bins::{Binning, FeatureBins, sample_step, sampled_from};
use crate::error::FitError;
use stakes_model::ModelFeature;

impl Binning {
    /// Chooses bins for the lists of all shards. Gives the features of a model with these bins as well: categories
    /// that a shard does not have are known only by their names.
    pub(crate) fn among(
        data: &Dataset,
        lists: &Lists,
        bins: usize,
        known: Option<&[ModelFeature]>,
    ) -> Result<(Self, Vec<ModelFeature>), FitError> {
        check_features(data, lists).map_err(FitError::Data)?;
        let parts = lists.shards().gather(Sampled::of(data, lists)?.to_bytes());
        let width = data.features().width();
        let parts: Option<Vec<Sampled>> =
            parts.iter().map(|bytes| Sampled::parse(bytes, width)).collect();
        let parts = parts.ok_or_else(|| {
            FitError::Data("a shard has told its values in another way".to_owned())
        })?;
        let weight: Vec<f64> = parts.iter().flat_map(|part| part.weight.iter().copied()).collect();
        let weight = lists.weight().map(|_| &weight[..]);
        let of_feature = |at: usize| {
            let info = &data.feature_info()[at];
            let known = known.and_then(|known| known[at].categories.clone());
            agreed(info, parts.iter().map(|part| &part.columns[at]), weight, bins, known)
        };
        let features: Vec<_> = (0..width).into_par_iter().with_max_len(1).map(of_feature).collect();
        let (bins, features) = features.into_iter().unzip();
        Ok((Binning::new(bins), features))
    }
}

/// The bins of one feature by its codes in a shard, and how a model names it.
fn agreed<'p>(
    info: &Feature,
    columns: impl Iterator<Item = &'p Column>,
    weight: Option<&[f64]>,
    bins: usize,
    known: Option<Vec<String>>,
) -> (FeatureBins, ModelFeature) {
    let FeatureKind::Categorical(own_names) = &info.kind else {
        let values: Vec<f32> = columns.flat_map(|column| column.values.iter().copied()).collect();
        let bins = FeatureBins::of(&values, weight, &info.kind, bins);
        return (bins, ModelFeature { name: info.name.clone(), categories: None });
    };
    let categories = known.unwrap_or_else(|| {
        let mut codes: BTreeMap<&str, f32> = BTreeMap::new();
        let mut values = Vec::new();
        for column in columns {
            for &value in &column.values {
                let next = codes.len() as f32;
                let name = |value: f32| column.names.get(value as usize).map(String::as_str);
                let name = if value.is_nan() { None } else { name(value) };
                values.push(name.map_or(f32::NAN, |name| *codes.entry(name).or_insert(next)));
            }
        }
        let mut names = vec![String::new(); codes.len()];
        codes.into_iter().for_each(|(name, code)| names[code as usize] = name.to_owned());
        let kind = FeatureKind::Categorical(names.clone());
        match FeatureBins::of(&values, weight, &kind, bins) {
            FeatureBins::Categories(codes) => {
                codes.iter().map(|&code| names[code as usize].clone()).collect()
            }
            FeatureBins::Cuts(_) => Vec::new(),
        }
    });
    let bins = FeatureBins::of_known(&categories, own_names);
    (bins, ModelFeature { name: info.name.clone(), categories: Some(categories) })
}

/// Refuses shards whose features differ by name, order or kind.
fn check_features(data: &Dataset, lists: &Lists) -> Result<(), String> {
    let kind = |feature: &Feature| match feature.kind {
        FeatureKind::Numeric => "numbers",
        FeatureKind::Categorical(_) => "text",
    };
    let named = |feature: &Feature| format!("`{}` ({})", feature.name, kind(feature));
    let weighted = if lists.weight().is_some() { "weights" } else { "no weights" };
    let own: Vec<String> =
        data.feature_info().iter().map(named).chain([weighted.to_owned()]).collect();
    let all = lists.shards().gather(own.join("\n").into_bytes());
    let Some((rank, other)) = all.iter().enumerate().find(|(_, other)| **other != all[0]) else {
        return Ok(());
    };
    let texts = [&all[0], other].map(|bytes| String::from_utf8_lossy(bytes));
    let [mut first, mut other] = [texts[0].lines(), texts[1].lines()];
    let words = |text: Option<&str>| text.unwrap_or("nothing").to_owned();
    let (first, other) = loop {
        match (first.next(), other.next()) {
            (Some(first), Some(other)) if first == other => {}
            (first, other) => break (words(first), words(other)),
        }
    };
    Err(format!(
        "shards must have the same features in the same order: shard 1 has {first} where shard {} has {other}",
        rank + 1
    ))
}

/// The sampled rows of a shard, by feature.
struct Sampled {
    /// Empty without weights.
    weight: Vec<f64>,
    columns: Vec<Column>,
}

/// The sampled values of a feature, and the names of its codes.
#[derive(Default)]
struct Column {
    names: Vec<String>,
    values: Vec<f32>,
}

impl Sampled {
    fn of(data: &Dataset, lists: &Lists) -> Result<Self, DataError> {
        let rows = lists.shards().sum_of(lists.n_items() as i64).max(0) as usize;
        let (step, sampled) = (sample_step(rows), sampled_from(rows));
        let number =
            |item: usize| lists.item_numbers().map_or(item, |numbers| numbers[item] as usize);
        let is_sampled = |item: &usize| {
            let number = number(*item);
            sampled(number - number % step) == number
        };
        let items: Vec<usize> = (0..lists.n_items()).filter(is_sampled).collect();
        let rows: Vec<u32> = items.iter().map(|&item| lists.rows()[item]).collect();
        let (values, width) = (data.features().rows(&rows)?, data.features().width());
        let column = |(at, info): (usize, &Feature)| {
            let names = match &info.kind {
                FeatureKind::Numeric => Vec::new(),
                FeatureKind::Categorical(names) => names.clone(),
            };
            Column { names, values: values.iter().skip(at).step_by(width).copied().collect() }
        };
        let weight = lists.weight().map(|weight| items.iter().map(|&item| weight[item]).collect());
        Ok(Sampled {
            weight: weight.unwrap_or_default(),
            columns: data.feature_info().iter().enumerate().map(column).collect(),
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let count = |bytes: &mut Vec<u8>, n: usize| bytes.extend((n as u32).to_le_bytes());
        count(&mut bytes, self.weight.len());
        bytes.extend(self.weight.iter().flat_map(|weight| weight.to_le_bytes()));
        for Column { names, values } in &self.columns {
            count(&mut bytes, names.len());
            for name in names {
                count(&mut bytes, name.len());
                bytes.extend(name.as_bytes());
            }
            count(&mut bytes, values.len());
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes
    }

    fn parse(mut bytes: &[u8], width: usize) -> Option<Self> {
        let bytes = &mut bytes;
        let weights = count(bytes)?;
        let weight = numbers(bytes, weights, f64::from_le_bytes)?;
        let mut columns = Vec::with_capacity(width);
        for _ in 0..width {
            let names = (0..count(bytes)?).map(|_| {
                let length = count(bytes)?;
                let name = bytes.split_off(..length)?;
                Some(std::str::from_utf8(name).ok()?.to_owned())
            });
            let names = names.collect::<Option<_>>()?;
            let rows = count(bytes)?;
            columns.push(Column { names, values: numbers(bytes, rows, f32::from_le_bytes)? });
        }
        bytes.is_empty().then_some(Sampled { weight, columns })
    }
}

/// Takes a count off the bytes.
fn count(bytes: &mut &[u8]) -> Option<usize> {
    let own = bytes.split_off(..4)?;
    Some(u32::from_le_bytes(own.try_into().ok()?) as usize)
}

/// Takes so many numbers of N bytes off the bytes.
fn numbers<const N: usize, T>(
    bytes: &mut &[u8],
    n: usize,
    of: impl Fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let own = bytes.split_off(..n.checked_mul(N)?)?;
    Some(own.as_chunks().0.iter().map(|bytes| of(*bytes)).collect())
}
