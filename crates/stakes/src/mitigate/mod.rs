//! Mitigation and what it trades off: for every strength of a method, how an order treats a group and what it
//! saves, on lists that were not learned from.
//!
//! No method makes an order fair. Each moves some measures and may cost some of what is saved; the trade-off
//! shows both, with intervals, so that somebody can decide.
//!
//! ```
//! use stakes::experiment::{Outcome, Setting};
//! use stakes::mitigate::{Method, MitigateOptions, mitigate};
//! use stakes::prelude::*;
//! let mut csv = String::from("list,id,y,x,g\n");
//! for i in 0..60 {
//!     let group = if i % 3 == 0 { "A" } else { "B" };
//!     csv += &format!("{},{i},{},{},{group}\n", i / 10, i * 7 % 11, (i * 7 % 11) + i % 3);
//! }
//! let roles = Roles::new().list("list").id("id").impact("y").group("g");
//! let data = parse_csv_bytes(csv.as_bytes(), roles)?;
//! let setting = Setting::new(&data, &Goal::act_on(3), Some("3".parse()?), 0)?;
//! let options = MitigateOptions { strengths: vec![0.0, 1.0], ..MitigateOptions::new(Method::MinShare, "A") };
//! let Outcome::Finished(found) = mitigate(&setting, &options, None)? else { unreachable!() };
//! let parity = |point: usize| found.points[point].measures[0].value;
//! assert!(parity(1) >= parity(0)); // a minimum share of A never moves A down
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod method;
mod orders;
mod reduction;
mod table;

use std::fmt;

use serde::Serialize;
use stakes_core::cost::{Capacity, Problem};
use stakes_core::metric::{Scale, Spec};
use stakes_core::suggest;
use stakes_eval::picture::{Spanned, TradePanel, TradePoint, trade_off_svg};
use stakes_eval::study::{StudyOptions, study};
use stakes_fair::{AuditOptions, Measure};
use stakes_learn::Configured;
use stakes_stats::{IntervalOptions, PairedTest, TestOptions};

pub use method::{METHODS, Method, MethodInfo};
pub use reduction::Iterate;

use crate::audit::{MissingGroup, audit_scores, item_groups};
use crate::evaluate::{DataSize, cost_name, metrics};
use crate::experiment::{Outcome, Setting};
pub use crate::judge::Figure;
use crate::observer::{Silent, or_silent};
use crate::text::{Layout, Page};
use crate::{Error, Observer};

/// What is tried and how it is judged.
#[derive(Debug, Clone)]
pub struct MitigateOptions {
    /// The method.
    pub method: Method,
    /// The group: a value of the group column.
    pub protected: String,
    /// The strengths; without any, those that are usual for the method. The one that changes nothing is added.
    pub strengths: Vec<f64>,
    /// The measures; without any, rank-parity, exposure and cost-recall at k, and rank-equality.
    pub measures: Vec<Measure>,
    /// The learner; without one, that of the method.
    pub learner: Option<Configured>,
    /// Resamples of lists for the intervals of measures.
    pub resamples: usize,
    /// The confidence of the intervals.
    pub level: f64,
}

impl MitigateOptions {
    /// A method for a group.
    pub fn new(method: Method, protected: &str) -> Self {
        MitigateOptions {
            method,
            protected: protected.to_owned(),
            strengths: Vec::new(),
            measures: Vec::new(),
            learner: None,
            resamples: 1000,
            level: 0.95,
        }
    }

    /// The strengths, the one that changes nothing first, the others in order.
    fn strengths(&self) -> Result<Vec<f64>, Error> {
        let info = self.method.info();
        let asked = if self.strengths.is_empty() { info.usual } else { &self.strengths[..] };
        if let Some(bad) = asked.iter().find(|s| !(0.0..=info.most).contains(*s)) {
            return Err(Error::Mitigate(format!(
                "the strength of {} is {bad}; it is {}, from 0 to {}",
                info.name, info.strength, info.most
            )));
        }
        let mut all: Vec<f64> = asked.iter().copied().filter(|&s| s != info.none).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all.insert(0, info.none);
        Ok(all)
    }

    fn measures(&self, k: usize) -> Result<Vec<Measure>, Error> {
        if !self.measures.is_empty() {
            return Ok(self.measures.clone());
        }
        let usual = ["rank-parity".to_owned(), format!("exposure@{k}"), format!("cost-recall@{k}")];
        let usual = usual.iter().map(String::as_str).chain(["rank-equality"]);
        Ok(usual.map(|name| Measure::parse(name, None)).collect::<Result<_, _>>()?)
    }
}

/// What every strength trades off. As JSON it is the contract of `stakes mitigate --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TradeOff {
    /// The version of this library.
    pub stakes: &'static str,
    /// The size of the data.
    pub data: DataSize,
    /// The method.
    pub method: &'static str,
    /// What its strength is.
    pub strength_is: &'static str,
    /// The strength that changes nothing.
    pub none: f64,
    /// The learner.
    pub learner: String,
    /// The column of the groups.
    pub column: String,
    /// The group.
    pub group: String,
    /// Its items among those that were judged.
    pub n: usize,
    /// The name of the cost.
    pub cost: String,
    /// The metric of the goal.
    pub metric: String,
    /// The plan of the folds.
    pub folds: String,
    /// The lists that were judged, none of them by a model that had learned from it.
    pub lists: usize,
    /// The confidence of the intervals.
    pub level: f64,
    /// A point per strength, the one without mitigation first.
    pub points: Vec<Point>,
}

/// One strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The strength.
    pub strength: f64,
    /// The metric of the goal.
    pub metric: Figure,
    /// The metric less that without mitigation, paired over lists.
    pub difference: Option<Figure>,
    /// The probability of such a difference if both orders were equally good (a randomisation test).
    pub p: Option<f64>,
    /// The cost that is captured in all lists, in its unit.
    pub saved: Option<f64>,
    /// What is captured less than without mitigation.
    pub given_up: Option<f64>,
    /// The measures of the group.
    pub measures: Vec<MeasureAt>,
    /// The trainings of a reduction, fold by fold; empty for other methods.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iterates: Vec<Iterate>,
}

/// A measure of the group at one strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasureAt {
    /// The measure.
    pub measure: String,
    /// Its value.
    pub value: Option<f64>,
    /// The lower end of the bootstrap interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The measure of all others.
    pub rest: Option<f64>,
}

/// Trains and judges every strength of a method. The data of the setting name the group of every item
/// (`Roles::group`).
pub fn mitigate(
    setting: &Setting<'_>,
    options: &MitigateOptions,
    observer: Option<&mut dyn Observer>,
) -> Result<Outcome<TradeOff>, Error> {
    let mut silent = Silent;
    let observer = or_silent(observer, &mut silent);
    let data = &*setting.data;
    let (Some((_, names)), Some(column)) = (data.groups(), &data.columns().group) else {
        return Err(Error::Mitigate(
            "the data name no groups; give their column a role".to_owned(),
        ));
    };
    let protected = names.iter().position(|name| *name == options.protected).ok_or_else(|| {
        Error::NoSuchValue {
            source_name: data.source().to_owned(),
            column: column.clone(),
            value: options.protected.clone(),
            hint: suggest::hint(&options.protected, names.iter().map(String::as_str)),
        }
    })?;
    let k = match setting.goal.capacity() {
        Some(Capacity::Items(k)) => k,
        _ => {
            return Err(Error::Mitigate(
                "mitigation looks at the first k items of a list, a number (10) or a percentage (20%)".to_owned(),
            ));
        }
    };
    let (strengths, measures) = (options.strengths()?, options.measures(k)?);
    let orders =
        match orders::out_of_fold(setting, protected as u32, k, &strengths, options, observer)? {
            Outcome::Finished(orders) => orders,
            Outcome::Interrupted { done, of } => return Ok(Outcome::Interrupted { done, of }),
        };
    let orders::Orders { scores, iterates } = *orders;
    observer.stage("judging");
    let judged = data.take_lists(&setting.tested_lists());
    let problem = Problem::new(&judged, &setting.goal)?;
    let saved: Spec = "saved".parse()?;
    let specs = match setting.goal.metric.name() == saved.name() {
        true => vec![setting.goal.metric.clone()],
        false => vec![setting.goal.metric.clone(), saved],
    };
    let metrics = metrics(&setting.goal, &specs, Scale::of(&judged))?;
    let seed = setting.seed;
    let intervals = IntervalOptions { level: options.level, seed, ..IntervalOptions::default() };
    let study_options = StudyOptions {
        intervals: Some(intervals),
        references: false,
        baseline: Some(scores[0].name.clone()),
        tests: vec![PairedTest::Randomisation],
        test_options: TestOptions { seed, ..TestOptions::default() },
        ..StudyOptions::default()
    };
    let found = study(&problem, &metrics, &scores, &study_options, &mut |_| {})?;
    let groups = item_groups(&judged, std::slice::from_ref(column), MissingGroup::Refuse)?;
    let audit_options = AuditOptions {
        measures: measures.clone(),
        k,
        policy: setting.goal.policy.clone(),
        protected: Some(format!("{column}={}", options.protected)),
        resamples: options.resamples,
        draws: 0,
        level: options.level,
        seed,
        ..AuditOptions::default()
    };
    let (metric, saved) = (metrics[0].name(), metrics[metrics.len() - 1].name());
    let saved_of = |score: &str| found.row(score, &saved).and_then(|row| row.value);
    let before = saved_of(&scores[0].name);
    let (mut points, mut n) = (Vec::new(), 0);
    for ((strength, score), iterates) in strengths.iter().zip(&scores).zip(iterates) {
        let audit =
            audit_scores(&judged, &setting.goal, score, None, &groups, &audit_options)?.audit;
        n = audit.groups.first().map_or(0, |group| group.n);
        let row = found.row(&score.name, &metric);
        let compared =
            found.comparisons.iter().find(|c| c.score == score.name && c.metric == metric);
        let at = |measure: &Measure| {
            let row = audit.row(&options.protected, &measure.to_string());
            MeasureAt {
                measure: measure.to_string(),
                value: row.and_then(|row| row.value),
                low: row.and_then(|row| row.low),
                high: row.and_then(|row| row.high),
                rest: row.and_then(|row| row.rest),
            }
        };
        let figure = row.and_then(|row| Some((row.value?, row.low, row.high)));
        let (value, low, high) = figure.unwrap_or((f64::NAN, None, None));
        points.push(Point {
            strength: *strength,
            metric: Figure { value, low, high },
            difference: compared.map(|c| Figure { value: c.difference, low: c.low, high: c.high }),
            p: compared.map(|c| c.p_adjusted),
            saved: saved_of(&score.name),
            given_up: before.zip(saved_of(&score.name)).map(|(before, after)| before - after),
            measures: measures.iter().map(at).collect(),
            iterates,
        });
    }
    let info = options.method.info();
    let learner = options.learner.as_ref().map_or(info.learner, |given| given.learner.name());
    Ok(Outcome::Finished(Box::new(TradeOff {
        stakes: env!("CARGO_PKG_VERSION"),
        data: (&judged).into(),
        method: info.name,
        strength_is: info.strength,
        none: info.none,
        learner: learner.to_owned(),
        column: column.clone(),
        group: options.protected.clone(),
        n,
        cost: cost_name(&problem),
        metric,
        folds: setting.plan.to_string(),
        lists: judged.n_lists(),
        level: options.level,
        points,
    })))
}

impl TradeOff {
    /// Writes the trade-off as a table.
    pub fn write(&self, page: &mut Page) {
        table::write(page, self);
    }

    /// The trade-off as SVG: the metric against every measure.
    pub fn svg(&self) -> String {
        let panel = |at: usize| {
            let points = self.points.iter().filter_map(|point| {
                let measure = &point.measures[at];
                Some(TradePoint {
                    label: point.strength.to_string(),
                    measure: Spanned {
                        value: measure.value?,
                        interval: measure.low.zip(measure.high),
                    },
                    saved: Spanned {
                        value: point.metric.value,
                        interval: point.metric.low.zip(point.metric.high),
                    },
                    reference: point.strength == self.none,
                })
            });
            let measure = self.points[0].measures[at].measure.clone();
            // The measures whose even value does not depend on the data.
            let even = match measure.split('@').next() {
                Some("rank-parity") => Some(0.5),
                Some("exposure" | "four-fifths") => Some(1.0),
                Some("mean-rank" | "displacement") => Some(0.0),
                _ => None,
            };
            TradePanel { measure, even, points: points.collect() }
        };
        let panels: Vec<TradePanel> = (0..self.points[0].measures.len()).map(panel).collect();
        let title =
            format!("{} of {} {}: what it trades off", self.method, self.column, self.group);
        trade_off_svg(&panels, &self.metric, &title)
    }
}

impl fmt::Display for TradeOff {
    /// See [`TradeOff::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
