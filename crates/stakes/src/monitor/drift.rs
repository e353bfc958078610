//! How far features and scores are from those of the reference.

use std::collections::HashMap;

use serde::Serialize;
use stakes_model::{Bins, Distribution, MatchedColumns, Model, UnknownCategories};
use stakes_stats::{kolmogorov_smirnov, shares, stability_index, total_variation};

/// A distribution, then and now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drift {
    /// The population stability index.
    pub psi: f64,
    /// The index that chance alone stays below with so many lists: in 95 of 100 monitorings all indices and
    /// distances are below theirs. `None` where the lists compared with are too few to tell.
    pub psi_by_chance: Option<f64>,
    /// Numbers: the Kolmogorov-Smirnov distance of the known values, at the ends of bins. Categories: the
    /// total variation. From 0 to 1.
    pub distance: f64,
    /// The distance that chance alone stays below, in the same way. With few lists it says more than the index.
    pub distance_by_chance: Option<f64>,
    /// Which of the two it is.
    pub distance_is: Distance,
    /// The mean over values of how many bins of ten higher they are now; `None` for categories.
    pub higher: Option<f64>,
    /// The share of items without a value, then and now. (Categories that the model does not know count as
    /// missing.)
    pub missing: ThenNow,
    /// Whether it is beyond chance and past the limit.
    pub past: bool,
}

/// A distance of distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distance {
    /// Of numbers.
    KolmogorovSmirnov,
    /// Of categories.
    TotalVariation,
}

/// A value of the reference, and of the new lists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ThenNow {
    /// Of the reference.
    pub then: f64,
    /// Of the new lists.
    pub now: f64,
}

/// A feature, then and now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureDrift {
    /// The name of the column.
    pub name: String,
    /// Its share of the gain of all splits, or of the weights.
    pub importance: f64,
    /// Then and now.
    #[serde(flatten)]
    pub drift: Drift,
    /// Categories that the model does not know.
    pub new_categories: Option<NewCategories>,
}

/// Categories that a model does not know.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewCategories {
    /// Their number.
    pub categories: usize,
    /// The share of items that have one of them.
    pub share: f64,
    /// The first few.
    pub first: Vec<String>,
}

/// How far apart two distributions are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Apart {
    pub(super) psi: f64,
    pub(super) distance: f64,
}

impl Apart {
    /// Of numbers of items in bins.
    pub(super) fn of(bins: &Bins, then: &[f64], now: &[f64]) -> Self {
        let (p, q) = (shares(then), shares(now));
        let distance = match bins {
            Bins::Categories(_) => total_variation(&p, &q),
            Bins::Numbers(_) => match (known(then), known(now)) {
                (Some(p), Some(q)) => kolmogorov_smirnov(&p, &q),
                // Where no value is known, nothing can be said about values.
                _ => 0.0,
            },
        };
        Apart { psi: stability_index(&p, &q), distance }
    }
}

/// The shares of bins among items that have a value; `None` if there are none.
fn known(counts: &[f64]) -> Option<Vec<f64>> {
    let values = &counts[..counts.len() - 1];
    values.iter().any(|&count| count > 0.0).then(|| shares(values))
}

impl Drift {
    pub(super) fn between(then: &Distribution, now: &Distribution, chance: Option<Apart>) -> Self {
        let numbers = |of: &Distribution| -> Vec<f64> {
            of.counts.iter().map(|&count| count as f64).collect()
        };
        let (p, q) = (numbers(then), numbers(now));
        let Apart { psi, distance } = Apart::of(&then.bins, &p, &q);
        let place = |shares: Vec<f64>| -> f64 {
            shares.iter().enumerate().map(|(bin, share)| bin as f64 * share).sum()
        };
        let (distance_is, higher) = match then.bins {
            Bins::Categories(_) => (Distance::TotalVariation, None),
            Bins::Numbers(_) => (
                Distance::KolmogorovSmirnov,
                known(&p).zip(known(&q)).map(|(p, q)| place(q) - place(p)),
            ),
        };
        Drift {
            psi,
            psi_by_chance: chance.map(|chance| chance.psi),
            distance,
            distance_by_chance: chance.map(|chance| chance.distance),
            distance_is,
            higher,
            missing: ThenNow { then: then.missing(), now: now.missing() },
            past: false,
        }
    }

    /// Whether chance alone does not explain it.
    pub fn is_beyond_chance(&self) -> bool {
        self.psi_by_chance.is_some_and(|chance| self.psi > chance)
            || self.distance_by_chance.is_some_and(|chance| self.distance > chance)
    }
}

/// All features, those first whose drift matters most to the model: by index times importance.
pub(super) fn of_features(
    model: &Model,
    columns: &MatchedColumns,
    drifts: Vec<Drift>,
    items: usize,
) -> Vec<FeatureDrift> {
    let importance: HashMap<usize, f64> =
        model.importance().into_iter().map(|(feature, share, _)| (feature, share)).collect();
    let unknown: HashMap<&str, &UnknownCategories> =
        columns.unknown.iter().map(|unknown| (unknown.feature.as_str(), unknown)).collect();
    let new_categories = |name: &str| {
        let unknown = unknown.get(name)?;
        let UnknownCategories { items: with, categories, examples, .. } = unknown;
        let share = *with as f64 / items.max(1) as f64;
        Some(NewCategories { categories: *categories, share, first: examples.clone() })
    };
    let mut features: Vec<FeatureDrift> = (model.features.iter().zip(drifts).enumerate())
        .map(|(number, (feature, drift))| FeatureDrift {
            name: feature.name.clone(),
            importance: importance.get(&number).copied().unwrap_or(0.0),
            drift,
            new_categories: new_categories(&feature.name),
        })
        .collect();
    let weight = |one: &FeatureDrift| one.drift.psi * one.importance;
    features
        .sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(b.drift.psi.total_cmp(&a.drift.psi)));
    features
}
