//! The tables of learners and metrics as reports: their JSON is that of `stakes learners --json`
//! and `stakes metrics --json`. The tables themselves are [`families`](stakes_learn::families) and
//! [`METRICS`](stakes_core::metric::METRICS).

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_core::metric::{CutoffUse, Direction, MetricInfo, OptionInfo};
use stakes_learn::params::{ParamInfo, ParamKind};
use stakes_learn::{Learner, preset};

/// A learner and its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnerEntry {
    /// The name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// In a few words.
    pub title: &'static str,
    /// What it optimises.
    pub optimises: &'static str,
    /// How costs come in.
    pub cost: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParamEntry>,
    /// Settings by one name (`-p preset=NAME`): keys and values.
    pub presets: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
}

/// A parameter of a learner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParamEntry {
    /// The key.
    pub key: String,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The default, as text.
    pub default: String,
    /// The allowed values, in words.
    pub allowed: String,
    /// The allowed values, where they are a few names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of: Option<&'static [&'static str]>,
    /// What it does.
    pub help: String,
    /// Values that tuning tries; none if it is not tuned.
    pub tries: &'static [&'static str],
}

impl From<&dyn Learner> for LearnerEntry {
    /// The present values of the parameters stand for their defaults.
    fn from(learner: &dyn Learner) -> Self {
        let about = learner.about();
        LearnerEntry {
            name: about.name,
            aliases: about.aliases,
            title: about.title,
            optimises: about.optimises,
            cost: about.cost_mode,
            citation: about.citation,
            parameters: learner.params().into_iter().map(ParamEntry::from).collect(),
            presets: preset::of(about.name)
                .into_iter()
                .map(|(name, settings)| (name, settings.into_iter().collect()))
                .collect(),
        }
    }
}

impl From<ParamInfo> for ParamEntry {
    fn from(param: ParamInfo) -> Self {
        ParamEntry {
            key: param.key,
            aliases: param.aliases,
            default: param.value,
            allowed: param.kind.to_string(),
            one_of: match param.kind {
                ParamKind::OneOf(names) => Some(names),
                _ => None,
            },
            help: param.help,
            tries: param.tries,
        }
    }
}

/// A metric and its options.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricEntry {
    /// The name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The family it belongs to.
    pub family: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// Whether higher values are better.
    pub higher_is_better: bool,
    /// How the values of lists become one figure.
    pub over_lists: &'static str,
    /// Which lists have no value and are left out of the figure, if any are.
    pub left_out: Option<&'static str>,
    /// Whether it takes `@k`: `none`, `optional` or `required`.
    pub cutoff: &'static str,
    /// Its options.
    pub options: Vec<OptionEntry>,
}

/// An option of a metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OptionEntry {
    /// The key.
    pub key: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

impl From<&MetricInfo> for MetricEntry {
    fn from(metric: &MetricInfo) -> Self {
        let option = |option: &OptionInfo| OptionEntry {
            key: option.key,
            default: option.default,
            help: option.help,
        };
        MetricEntry {
            name: metric.name,
            aliases: metric.aliases,
            family: metric.family.title(),
            title: metric.title,
            formula: metric.formula,
            citation: metric.citation,
            higher_is_better: metric.direction == Direction::Higher,
            over_lists: metric.aggregate.describe(),
            left_out: metric.left_out(),
            cutoff: match metric.cutoff {
                CutoffUse::None => "none",
                CutoffUse::Optional => "optional",
                CutoffUse::Required => "required",
            },
            options: metric.options.iter().map(option).collect(),
        }
    }
}
