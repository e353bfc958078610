//! What is past its limit, in words: what has changed, and what to do.

use serde::Serialize;
use stakes_core::display::{counted, nice_number};

use super::{Drift, FeatureDrift, Monitored};
use crate::text::{percent, short};

/// Smaller changes of the share of missing values, or shares of new categories, are not the reason.
const MUCH_MISSING: f64 = 0.02;
/// Values that are higher by less than this many bins of ten are spread differently, rather than higher.
const HIGHER: f64 = 0.5;

/// Something that is beyond chance and past its limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alarm {
    /// What it is about.
    pub of: AlarmOf,
    /// The feature, if it is one.
    pub feature: Option<String>,
    /// The value that is past its limit.
    pub value: f64,
    /// The limit.
    pub limit: f64,
    /// What has changed.
    pub what: String,
    /// What to do about it.
    pub todo: String,
}

/// What an alarm is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlarmOf {
    /// The drift of a feature.
    Feature,
    /// The drift of the scores.
    Scores,
    /// Expected and observed costs.
    Calibration,
    /// The goal's metric.
    Saved,
    /// How much of what is acted on changes.
    Churn,
}

/// All alarms: features in their order, then scores, calibration, savings, churn.
pub(super) fn of(found: &Monitored) -> Vec<Alarm> {
    let mut alarms: Vec<Alarm> = (found.features.iter())
        .filter(|feature| feature.drift.past)
        .map(|feature| of_feature(feature, found.limits.psi))
        .collect();
    let alarm = |of, value, limit, what: String, todo: &str| Alarm {
        of,
        feature: None,
        value,
        limit,
        what,
        todo: todo.to_owned(),
    };
    if let Some(scores) = found.scores.as_ref().filter(|scores| scores.past) {
        let (value, limit) = (scores.psi, found.limits.psi);
        let what = format!("the scores are {}: PSI {}", shift(scores), short(value));
        let todo = "look at the features that changed; if the change is real, retrain";
        alarms.push(alarm(AlarmOf::Scores, value, limit, what, todo));
    }
    let outcomes = found.outcomes.as_ref();
    let calibration = outcomes.and_then(|outcomes| outcomes.calibration.as_ref());
    if let Some((calibration, ratio)) =
        calibration.filter(|now| now.past).and_then(|now| Some((now, now.now.ratio?)))
    {
        let (expected, observed) = (calibration.now.expected, calibration.now.observed);
        let what = format!(
            "expected costs are {} times the observed ones ({} for {})",
            short(ratio),
            nice_number(expected),
            nice_number(observed)
        );
        let todo = "retrain with lists as new as these; until then do not rely on expected costs";
        alarms.push(alarm(AlarmOf::Calibration, ratio, found.limits.calibration, what, todo));
    }
    let saved = outcomes.and_then(|outcomes| outcomes.saved.as_ref()).filter(|saved| saved.past);
    if let Some((saved, then, drop)) =
        saved.and_then(|saved| Some((saved, saved.then?, saved.drop?)))
    {
        let (metric, now, then) = (&saved.metric, short(saved.now), short(then.value));
        let what = format!("{metric} is {now}, and training promised {then}");
        let todo = "retrain, and compare with the present order before the model is used again";
        alarms.push(alarm(AlarmOf::Saved, drop, found.limits.drop, what, todo));
    }
    if let (true, Some(limit)) = (found.churn.past, found.limits.churn) {
        let (value, from) = match found.churn {
            super::Churn { between_models: Some(churn), .. } => {
                (churn, "the previous model to this one")
            }
            churn => (churn.between_lists.unwrap_or_default(), "one list to the next"),
        };
        let what = format!("{} of the items to act on change from {from}", percent(value));
        let todo = "look at what comes and goes before acting on it";
        alarms.push(alarm(AlarmOf::Churn, value, limit, what, todo));
    }
    alarms
}

fn of_feature(feature: &FeatureDrift, limit: f64) -> Alarm {
    let FeatureDrift { name, drift, new_categories, .. } = feature;
    let (then, now) = (drift.missing.then, drift.missing.now);
    let new = new_categories.as_ref().filter(|new| new.share > MUCH_MISSING);
    let (what, todo) = match new {
        Some(new) => (
            format!(
                "{name}: {} of the items have {} that training did not know ({})",
                percent(new.share),
                counted(new.categories, "category"),
                new.first.join(", ")
            ),
            format!(
                "check the spelling of {name}; if they are new, retrain with lists that have them"
            ),
        ),
        None if (now - then).abs() > MUCH_MISSING => (
            format!("{name}: {} missing, was {}", percent(now), percent(then)),
            format!("look at the column {name} and where it comes from"),
        ),
        None => (
            format!("{name}: values are {}", shift(drift)),
            format!("check the source and the unit of {name}; if the change is real, retrain"),
        ),
    };
    let what = format!("{what}: PSI {}", short(drift.psi));
    Alarm { of: AlarmOf::Feature, feature: Some(name.clone()), value: drift.psi, limit, what, todo }
}

fn shift(drift: &Drift) -> &'static str {
    match drift.higher {
        Some(bins) if bins > HIGHER => "higher than in training",
        Some(bins) if bins < -HIGHER => "lower than in training",
        _ => "spread differently than in training",
    }
}

/// The result in one line, as a mail of cron shows it.
pub(super) fn headline(found: &Monitored) -> String {
    const MAX_NAMED: usize = 4;
    let lists = counted(found.data.lists, "list");
    if found.alarms.is_empty() {
        let features = counted(found.features.len(), "feature");
        let scores = if found.scores.is_some() { ", the scores" } else { "" };
        let saved = if found.outcomes.is_some() { ", what was saved" } else { "" };
        return format!("all well: {lists}; within limits: {features}{scores}{saved}");
    }
    let name = |alarm: &Alarm| match alarm.of {
        AlarmOf::Feature => alarm.feature.clone().unwrap_or_default(),
        AlarmOf::Scores => "scores".to_owned(),
        AlarmOf::Calibration => "calibration".to_owned(),
        AlarmOf::Saved => "saved cost".to_owned(),
        AlarmOf::Churn => "churn".to_owned(),
    };
    let names: Vec<String> = found.alarms.iter().take(MAX_NAMED).map(name).collect();
    let more = match found.alarms.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("ALARM: {lists}; past the limit: {}{more}", names.join(", "))
}
