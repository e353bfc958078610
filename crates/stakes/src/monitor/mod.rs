//! Does a model still fit? How new lists differ from those that it was trained on, whether its expected costs
//! and its savings still hold, and how much of what is acted on changes.
//!
//! A model keeps a [`Profile`] of its training; new lists are compared with it, or with other lists as a
//! reference. Lists, not items, are the unit: only what is beyond chance with so many lists, *and* past a
//! limit, is an [`Alarm`].
//!
//! ```
//! use stakes::monitor::{MonitorOptions, monitor};
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 24, networks: 10, rows: 190, ..Default::default() };
//! # let storms = storms.generate()?;
//! let (past, new) = storms.hold_out(0.5)?;
//! let model = Fit::with("ridge")?.fit(&past, &Goal::act_on(3))?;
//! let found = monitor(&model, &new, &MonitorOptions::default())?;
//! println!("{found}");
//! assert!(found.alarms.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alarm;
mod chance;
mod drift;
mod outcomes;
mod table;

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use stakes_core::act::Limit;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::shards::Shards;
use stakes_model::{Distribution, Model, Profile};

pub use alarm::{Alarm, AlarmOf};
pub use drift::{Distance, Drift, FeatureDrift, NewCategories, ThenNow};
pub use outcomes::{CalibrationNow, IntervalsHeld, Outcomes, Promised, SavedNow};

use crate::data::{has_outcomes, notes_on};
use crate::evaluate::DataSize;
use crate::rank::RankLists;
use crate::scoring::{self, SeenLists};
use crate::text::{Layout, Page};
use crate::{Error, Note, Task, overlap, profile};

/// Below this number of lists to compare with, what chance may do is known roughly at best.
const FEW_LISTS: usize = 10;

/// What new lists are compared with, and when to raise an alarm.
#[derive(Debug, Clone)]
pub struct MonitorOptions<'a> {
    /// Lists to compare with in place of those that the model was trained on.
    pub reference: Option<&'a Dataset>,
    /// The model that was used before, to see how much of what is acted on changes.
    pub previous: Option<&'a Model>,
    /// When to raise an alarm.
    pub limits: Limits,
    /// How often lists are drawn to see what chance may do.
    pub resamples: usize,
    /// The seed of these draws.
    pub seed: u64,
}

impl Default for MonitorOptions<'_> {
    fn default() -> Self {
        MonitorOptions {
            reference: None,
            previous: None,
            limits: Limits::default(),
            resamples: 1000,
            seed: 0,
        }
    }
}

/// What may change without an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limits {
    /// The population stability index of a feature or the scores.
    pub psi: f64,
    /// Expected / observed cost, or the inverse.
    pub calibration: f64,
    /// How much worse the goal's metric may be than training promised.
    pub drop: f64,
    /// The share of the items to act on that may change: from the previous model to this one where a
    /// previous one is given, from one list to the next otherwise. `None` for no limit.
    pub churn: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { psi: 0.2, calibration: 1.5, drop: 0.1, churn: None }
    }
}

impl Limits {
    fn check(&self) -> Result<(), Error> {
        let churn = self.churn.unwrap_or(0.0);
        for (name, value, is_right, must) in [
            ("psi", self.psi, self.psi >= 0.0, "must be at least 0"),
            ("calibration", self.calibration, self.calibration >= 1.0, "must be at least 1"),
            ("drop", self.drop, self.drop >= 0.0, "must be at least 0"),
            ("churn", churn, (0.0..=1.0).contains(&churn), "must be from 0 to 1"),
        ] {
            if !(is_right && value.is_finite()) {
                return Err(Error::Monitor(format!("the limit of `{name}` is {value}; it {must}")));
            }
        }
        Ok(())
    }
}

/// How new lists differ from those of the training.
///
/// As JSON it is the documented contract of `stakes monitor --json`.
#[derive(Debug, Clone, Serialize)]
pub struct Monitored {
    /// The version of this library.
    pub stakes: &'static str,
    /// The result in one line.
    pub headline: String,
    /// What is beyond chance and past its limit; empty if all is well.
    pub alarms: Vec<Alarm>,
    /// The new lists.
    pub data: DataSize,
    /// What they are compared with.
    pub reference: Reference,
    /// The limits.
    pub limits: Limits,
    /// The features, those first whose drift matters most to the model.
    pub features: Vec<FeatureDrift>,
    /// The scores; `None` if no scores of unseen lists are known to compare with.
    pub scores: Option<Drift>,
    /// What the new lists came to; `None` if their costs are not known.
    pub outcomes: Option<Outcomes>,
    /// How much of what is acted on changes.
    pub churn: Churn,
    /// What should be known about the data.
    pub notes: Vec<Note>,
}

/// What new lists are compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// The file; `None` for what the model keeps of its training.
    pub source: Option<String>,
    /// The number of items.
    pub items: u64,
    /// The number of lists.
    pub lists: u64,
}

/// How much of what is acted on changes: 0 if nothing does, 1 if everything does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Churn {
    /// From one list to the next, in the order of the data; `None` if items have no ids, or neighbouring
    /// lists no item in common.
    pub between_lists: Option<f64>,
    /// The number of pairs of lists.
    pub pairs: usize,
    /// From the previous model to this one, if there is one.
    pub between_models: Option<f64>,
    /// Whether it is past the limit.
    pub past: bool,
}

/// Compares new lists with those that a model was trained on. Where the data have the cost
/// ([`read_for`](crate::data::read_for) with [`Purpose::Measure`](crate::data::Purpose)), they are judged by
/// what they came to as well.
pub fn monitor(
    model: &Model,
    data: &Dataset,
    options: &MonitorOptions<'_>,
) -> Result<Monitored, Error> {
    options.limits.check()?;
    if Task::of(model) != Task::Rank {
        return Err(Error::ClassModel);
    }
    let limits = &options.limits;
    let mut notes = notes_on(model, data)?;
    let scored = scoring::score(model, data, SeenLists::default())?;
    notes.extend(Note::on_figures("the model", data, scored.trained_on));
    let (profile, reference) = compared_with(model, options, &mut notes)?;
    if reference.lists < FEW_LISTS as u64 {
        notes.push(Note::FewReferenceLists { lists: reference.lists as usize });
    }

    let now = model.distributions(data, Some(&profile.features))?;
    let of_scores = |then: &Distribution| Distribution::scores_in(&then.bins, data, &scored.values);
    let (then_scores, now_scores) =
        (profile.scores.as_ref(), profile.scores.as_ref().map(of_scores));
    let then: Vec<&Distribution> = profile.features.iter().chain(then_scores).collect();
    let chance = chance::apart(&then, data.n_lists(), options.resamples, options.seed);
    let mut drifts: Vec<Drift> = (then.into_iter().zip(now.iter().chain(&now_scores)).zip(chance))
        .map(|((then, now), chance)| Drift::between(then, now, chance))
        .collect();
    drifts
        .iter_mut()
        .for_each(|drift| drift.past = drift.psi > limits.psi && drift.is_beyond_chance());
    let scores = drifts.split_off(model.features.len()).pop();
    if scores.is_none() {
        notes.push(Note::NoReferenceScores);
    }
    let features = drift::of_features(model, &model.match_columns(data)?, drifts, data.len());

    let ranked = model.rank(data)?;
    let outcomes = match has_outcomes(&model.goal, data) {
        true => {
            let problem = Problem::new(data, &model.goal)?;
            let values = &scored.values;
            Some(outcomes::outcomes(model, &profile, &problem, values, &ranked, limits)?)
        }
        false => {
            notes.push(Note::NoOutcomes);
            None
        }
    };
    let churn = churn(model, data, &scored.values, options)?;
    let mut found = Monitored {
        stakes: env!("CARGO_PKG_VERSION"),
        headline: String::new(),
        alarms: Vec::new(),
        data: data.into(),
        reference,
        limits: *limits,
        features,
        scores,
        outcomes,
        churn,
        notes,
    };
    found.alarms = alarm::of(&found);
    found.headline = alarm::headline(&found);
    Ok(found)
}

/// The profile of the reference, or that of the training.
fn compared_with<'m>(
    model: &'m Model,
    options: &MonitorOptions<'_>,
    notes: &mut Vec<Note>,
) -> Result<(Cow<'m, Profile>, Reference), Error> {
    let Some(lists) = options.reference else {
        let profile = model.profile.as_ref().ok_or(Error::NoProfile)?;
        let reference =
            Reference { source: None, items: model.data.items, lists: model.data.lists };
        return Ok((Cow::Borrowed(profile), reference));
    };
    let scored = scoring::score(model, lists, SeenLists::default())?;
    // Scores of lists that the model was trained on are more extreme than those of others will be.
    let unseen = (!scored.trained_on.flatters()).then_some((lists, scored.values));
    let profile = profile::of_lists(model, lists, unseen, &model.goal, &Shards::alone())?;
    notes.extend(Note::on_figures("the model", lists, scored.trained_on));
    let DataSize { source, items, lists } = lists.into();
    let reference = Reference { source: Some(source), items: items as u64, lists: lists as u64 };
    Ok((Cow::Owned(profile), reference))
}

fn churn(
    model: &Model,
    data: &Dataset,
    scores: &[f64],
    options: &MonitorOptions<'_>,
) -> Result<Churn, Error> {
    let reach = model.goal.reach;
    let limit = Limit::new(reach, data)?;
    let priorities = model.priorities(scores.to_vec(), data, reach);
    let between_models = match options.previous {
        Some(previous) => {
            let before = scoring::score(previous, data, SeenLists::default())?;
            let before = previous.priorities(before.values, data, reach);
            Some(1.0 - overlap::between_orders(data, limit, &before, &priorities))
        }
        None => None,
    };
    let lists = overlap::between_lists(data, limit, &priorities);
    let between_lists = lists.map(|(share, _)| 1.0 - share);
    // Both are facts about these lists and models, not estimates: chance has no part in them.
    let limited = if options.previous.is_some() { between_models } else { between_lists };
    if options.limits.churn.is_some() && limited.is_none() {
        let why = "churn has a limit and cannot be measured: items have no ids, or neighbouring lists no item in \
                   common; leave the limit out, or give a previous model";
        return Err(Error::Monitor(why.to_owned()));
    }
    let limit = options.limits.churn.unwrap_or(1.0);
    Ok(Churn {
        between_lists,
        pairs: lists.map_or(0, |(_, pairs)| pairs),
        between_models,
        past: limited.is_some_and(|churn| churn > limit),
    })
}

impl Monitored {
    /// Writes what has changed as a page, the result in the first line.
    pub fn write(&self, page: &mut Page) {
        table::write(page, self);
    }
}

impl fmt::Display for Monitored {
    /// See [`Monitored::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
