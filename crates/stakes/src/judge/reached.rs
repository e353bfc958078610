//! What acting by the model would have reached, beside what is done now, in amounts and in plain words.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, Role};
use stakes_core::display::{counted, nice_number};
use stakes_core::goal::{Goal, Reach};
use stakes_core::metric::{Scale, Spec};
use stakes_eval::study::{RANDOM, Scores, Study, StudyOptions, study};
use stakes_stats::{Correction, IntervalMethod, IntervalOptions, PairedTest};

use super::CurrentPolicy;
use crate::Error;
use crate::evaluate::cost_name;
use crate::fit::Origin;
use crate::text::p_value;

/// A difference with a p at or above this may be chance.
const LEVEL: f64 = 0.05;

/// What costs are counted in, for sentences.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Amounts {
    /// The unit of the cost; by default the name of its column.
    pub unit: Option<String>,
    /// Money: its name, and how much of it a unit of the cost is worth.
    pub money: Option<(String, f64)>,
}

/// The cost that the items acted on would have had, by the model and as it is done now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reached {
    /// How it is done now. If that is not known, the model is compared with a random order.
    pub current: Option<String>,
    /// The number of lists.
    pub lists: usize,
    /// The cost of all items.
    pub total: f64,
    /// The cost of the items acted on by the model.
    pub model: f64,
    /// The cost of the items acted on as now.
    pub now: f64,
    /// The first less the second.
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The probability of a difference at least as large if both were equally good.
    pub p: f64,
    /// The unit of the cost.
    pub unit: String,
    /// The same in plain words.
    pub sentences: Vec<String>,
    /// The share of the cost of all items that each score reaches, by its name.
    #[serde(skip)]
    pub shares: Vec<(String, f64)>,
}

/// What is measured, and where.
pub(super) struct Question<'q> {
    pub(super) by: &'q Problem<'q>,
    /// The scores; the first are those of the model.
    pub(super) scores: &'q [Scores],
    pub(super) current: Option<&'q CurrentPolicy>,
    pub(super) amounts: &'q Amounts,
    pub(super) origin: Origin,
}

impl Question<'_> {
    /// The answer; `None` where all items are acted on, or no list has anything to reach.
    pub(super) fn answer(&self) -> Result<Option<Reached>, Error> {
        let (by, goal) = (self.by, self.by.goal());
        let total: f64 = by.cost().iter().sum();
        let Some(acted_on) = acted_on(goal, by.data()).filter(|_| total > 0.0) else {
            return Ok(None);
        };
        let policy = |current: &CurrentPolicy| match current.name.as_str() {
            RANDOM => RANDOM.to_owned(),
            _ => current.row_name(),
        };
        let baseline = self.current.map_or(RANDOM.to_owned(), policy);
        let found = self.study(&baseline)?;
        let Some(versus) = found.comparisons.iter().find(|c| c.score == self.scores[0].name) else {
            return Ok(None);
        };
        let rows = || found.results.iter().filter_map(|row| Some((row.score.clone(), row.value?)));
        let value = |name: &str| rows().find(|(score, _)| score == name).map(|(_, value)| value);
        let (Some(model), Some(now)) = (value(&versus.score), value(&baseline)) else {
            return Ok(None);
        };
        let unit = match (&self.amounts.unit, &self.amounts.money) {
            (Some(unit), _) => unit.clone(),
            (None, Some((currency, 1.0))) => currency.clone(),
            (None, _) => cost_name(by),
        };
        let mut reached = Reached {
            current: self.current.map(|current| current.name.clone()),
            lists: by.n_lists(),
            total,
            model,
            now,
            difference: versus.difference,
            low: versus.low,
            high: versus.high,
            p: versus.p,
            unit,
            sentences: Vec::new(),
            shares: rows().map(|(name, value)| (name, value / total)).collect(),
        };
        reached.sentences = self.sentences(&reached, &acted_on);
        Ok(Some(reached))
    }

    /// The cost of the items acted on, all alike, by every score.
    fn study(&self, baseline: &str) -> Result<Study, Error> {
        let (by, goal) = (self.by, self.by.goal());
        let spec: Spec = "saved:policy=step".parse()?;
        let metric = goal.complete(spec).build(Scale::of(by.data()))?;
        // Amounts are skewed: lists are resampled rather than taken as normal.
        let intervals =
            IntervalOptions { method: IntervalMethod::Bca, ..IntervalOptions::default() };
        let options = StudyOptions {
            baseline: Some(baseline.to_owned()),
            intervals: Some(intervals),
            tests: vec![PairedTest::Randomisation],
            correction: Correction::None,
            ..StudyOptions::default()
        };
        Ok(study(by, &[metric], self.scores, &options, &mut |_| {})?)
    }

    fn sentences(&self, reached: &Reached, acted_on: &str) -> Vec<String> {
        let Reached { model, now, difference, low, high, p, unit, current, .. } = reached;
        let amount = |value: f64| match self.amounts.money {
            // The unit is money.
            Some((_, 1.0)) => format!("{} {unit}", nice_number(value)),
            _ => nice_number(value),
        };
        let named = |value: f64| match self.amounts.money {
            Some((_, 1.0)) => amount(value),
            _ => format!("{} {unit}", nice_number(value)),
        };
        let as_now = match self.current {
            Some(current) if current.name != RANDOM => format!("by {}, as now, ", current.name),
            _ => "in a random order ".to_owned(),
        };
        let sign = if *difference < 0.0 { -1.0 } else { 1.0 };
        let ends = |factor: f64| {
            let (low, high) = low.zip(*high)?;
            let (low, high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
            Some((factor * low, factor * high))
        };
        let interval = ends(1.0).map_or(String::new(), |(low, high)| {
            format!(" (95 % interval {} to {})", amount(low), amount(high))
        });
        let more = if sign < 0.0 { "less" } else { "more" };
        let mut words = vec![format!(
            "{acted_on} in {} by this model would have reached {}; {as_now}{}: {} {more}{interval}.",
            self.which_lists(),
            named(*model),
            amount(*now),
            amount(difference.abs()),
        )];
        if let Some((currency, worth)) = self.amounts.money.as_ref().filter(|(_, w)| *w != 1.0) {
            let interval = ends(*worth).map_or(String::new(), |(low, high)| {
                format!(" ({} to {})", nice_number(low), nice_number(high))
            });
            words.push(format!(
                "At {} {currency} each that is {} {currency} {more}{interval}.",
                nice_number(*worth),
                nice_number(worth * difference.abs()),
            ));
        }
        let is_chance = *p >= LEVEL;
        words.extend(current.as_ref().map(|current| match is_chance {
            true => format!(
                "That may be chance (p = {}): these lists do not show which of the two is better.",
                p_value(*p)
            ),
            false if sign > 0.0 => {
                format!("So rank by the model: it reaches more than {current}, beyond chance.")
            }
            false => {
                format!("Keep ranking by {current}: the model reaches less (p = {}).", p_value(*p))
            }
        }));
        words
    }

    /// `each of the 75 newest storms`, and when they were.
    fn which_lists(&self) -> String {
        let data = self.by.data();
        let lists = counted(data.n_lists(), &noun(data, Role::List, "list"));
        let count = nice_number(data.n_lists() as f64);
        let name = lists.strip_prefix(&count).unwrap_or(&lists).trim_start();
        let newest = if self.origin == Origin::Latest { "newest " } else { "" };
        let held_out = match self.origin {
            Origin::Drawn => " that were held out".to_owned(),
            Origin::Given => format!(" of {}", data.source()),
            _ => String::new(),
        };
        let each = match data.n_lists() {
            1 => format!("the {newest}{name}"),
            _ => format!("each of the {count} {newest}{name}"),
        };
        format!("{each}{held_out}{}", period(data))
    }
}

/// ` from 2015-03-01 to 2016-07-01`, where times are dates.
fn period(data: &Dataset) -> String {
    let Some(time) = data.time().filter(|time| time.has_dates()) else { return String::new() };
    let by_key = |a: &usize, b: &usize| time.keys()[*a].total_cmp(&time.keys()[*b]);
    let ends = ((0..data.len()).min_by(by_key), (0..data.len()).max_by(by_key));
    match ends {
        (Some(first), Some(last)) if time.text(first) == time.text(last) => {
            format!(" of {}", time.text(first))
        }
        (Some(first), Some(last)) => {
            format!(" from {} to {}", time.text(first), time.text(last))
        }
        _ => String::new(),
    }
}

/// `Acting on 10 networks`, `Spending 80`; `None` where actions reach everything.
fn acted_on(goal: &Goal, data: &Dataset) -> Option<String> {
    use stakes_core::cost::Capacity;
    let items = |k: usize| {
        let longest = data.lists().map(|items| items.len()).max()?;
        let noun = noun(data, Role::Id, "item");
        (k < longest).then(|| format!("Acting on {}", counted(k, &noun)))
    };
    match goal.reach {
        Reach::Money(money) => Some(format!("Spending {}", nice_number(money))),
        Reach::Items(capacity) => match capacity.resolve(data.mean_list_length()) {
            Capacity::Items(k) => items(k),
            Capacity::Range(..) | Capacity::All | Capacity::Percent(_) => None,
        },
    }
}

/// What the column of a role calls its things, if that is a word: `network`, `state` of `STATE`.
fn noun(data: &Dataset, role: Role, usual: &str) -> String {
    let name = data.columns().role(role).unwrap_or_default().to_lowercase();
    let name = ["_id", ".id", " id", "_name"]
        .iter()
        .fold(&name[..], |name, end| name.strip_suffix(end).unwrap_or(name));
    let is_word = name.len() > 2 && name.chars().all(|c| c.is_alphabetic());
    match is_word && !["docid", "qid", "row", "key"].contains(&name) {
        true => name.to_owned(),
        false => usual.to_owned(),
    }
}
