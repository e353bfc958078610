//! The metrics that the contract is checked for, made from the table.

use std::collections::HashSet;
use std::sync::OnceLock;

use stakes_core::metric::{
    Allowed, CutoffUse, METRICS, Metric, MetricInfo, OptionInfo, Scale, SpecError,
};

pub(crate) fn parse(text: &str) -> Result<Metric, SpecError> {
    Metric::parse(text, Scale::default())
}

/// Every row with every cutoff, option value and pair of option values.
pub(crate) fn all() -> &'static [Metric] {
    static ALL: OnceLock<Vec<Metric>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut metrics = Vec::new();
        for row in METRICS {
            let bases: Vec<String> =
                cutoffs(row).iter().map(|k| format!("{}{k}", row.name)).collect();
            let values: Vec<(&str, &str)> = row.options.iter().flat_map(samples).collect();
            for base in &bases {
                metrics.push(must(base));
                for (key, value) in &values {
                    metrics.push(must(&format!("{base}:{key}={value}")));
                }
            }
            for (i, (key, value)) in values.iter().enumerate() {
                for (other, second) in values[i + 1..].iter().filter(|(other, _)| other != key) {
                    // Some pairs are refused, with a reason: other tests check that.
                    let text = format!("{}:{key}={value},{other}={second}", bases[bases.len() / 2]);
                    metrics.extend(parse(&text));
                }
            }
            // A budget replaces the cutoff. (There is no lift with a budget.)
            if row.options.iter().any(|option| option.key == "budget") && row.name != "lift" {
                metrics.push(must(&format!("{}:budget=5", row.name)));
                metrics.push(must(&format!("{}:budget=5,ties=stable", row.name)));
            }
            // R_CR takes any of them.
            if row.name != "rcr" {
                metrics.push(must(&format!("rcr@3({})", bases[0])));
            }
        }
        let mut seen = HashSet::new();
        metrics.retain(|metric| seen.insert(metric.name()));
        metrics
    })
}

/// Every row with and without a cutoff, otherwise as by default.
pub(crate) fn rows() -> &'static [Metric] {
    static ROWS: OnceLock<Vec<Metric>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let text = |row: &MetricInfo, k: &str| format!("{}{k}", row.name);
        let bare = METRICS.iter().filter(|row| row.cutoff != CutoffUse::Required);
        let cut = METRICS.iter().filter(|row| row.cutoff != CutoffUse::None);
        let texts = bare.map(|row| text(row, "")).chain(cut.map(|row| text(row, "@100")));
        texts.map(|text| must(&text)).collect()
    })
}

fn must(text: &str) -> Metric {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn cutoffs(row: &MetricInfo) -> Vec<&'static str> {
    let mut cutoffs = match row.cutoff {
        CutoffUse::None => return vec![""],
        CutoffUse::Optional => vec!["", "@1", "@3", "@100"],
        CutoffUse::Required => vec!["@1", "@3", "@100"],
    };
    let range = "@2..4";
    if parse(&format!("{}{range}", row.name)).is_ok() {
        cutoffs.push(range);
    }
    cutoffs
}

/// Values of an option other than its default. Text is known by its key.
fn samples(option: &'static OptionInfo) -> Vec<(&'static str, &'static str)> {
    let values = match option.allowed {
        Allowed::OneOf(names) => names.to_vec(),
        Allowed::Number(low, high) => {
            let inside = |text: &&str| text.parse().is_ok_and(|x| (low..=high).contains(&x));
            ["0.5", "1", "2", "3"].into_iter().filter(inside).collect()
        }
        Allowed::Policy => vec!["log", "step", "geometric(0.5)", "1/0.5/0.25"],
        // A budget replaces the cutoff, and is tried below.
        Allowed::Money => vec![],
        Allowed::Text => match option.key {
            "max" => vec!["4", "6.5"],
            _ => vec![],
        },
    };
    let values = values.into_iter().filter(|value| *value != option.default);
    values.map(|value| (option.key, value)).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ties {
    /// The mean over all orders of the tied items.
    Mean,
    Worst,
    Stable,
    /// Mid-ranks: a textbook convention that favours constant scores, so never the default.
    Mid,
    /// Anything else, or not named.
    Other,
}

/// How a metric names its treatment of ties.
pub(crate) fn ties(metric: &Metric) -> Ties {
    match metric.spec().unwrap().innermost().option("ties").as_deref() {
        Some("expected" | "half") => Ties::Mean,
        Some("worst") => Ties::Worst,
        Some("stable") => Ties::Stable,
        Some("mid") => Ties::Mid,
        None if metric.averages_ties() => Ties::Mean,
        _ => Ties::Other,
    }
}

/// Gains of 2^y - 1 that are not normalised: `evaluate` refuses what overflows.
pub(crate) fn may_overflow(metric: &Metric) -> bool {
    let spec = metric.spec().unwrap().innermost();
    spec.name() == "dcg" && spec.option("gain").as_deref() == Some("exp2")
}
