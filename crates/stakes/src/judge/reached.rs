//! What acting by the model would have reached, beside what is done now, in amounts.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::metric::{Scale, Spec};
use stakes_eval::study::{RANDOM, Scores, Study, StudyOptions, study};
use stakes_stats::{Correction, PairedTest};

use super::CurrentPolicy;
use super::words::acted_on;
use crate::Error;
use crate::evaluate::cost_name;
use crate::fit::Origin;

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

/// What acting by a model would have reached in the lists of a problem, by scores that did not see them;
/// `None` where all items are acted on, or no list has anything to reach.
pub fn reached(
    problem: &Problem<'_>,
    scores: Scores,
    current: Option<&CurrentPolicy>,
    amounts: &Amounts,
) -> Result<Option<Reached>, Error> {
    let mut scores = vec![scores];
    if let Some(current) = current {
        scores.extend(current.scores(problem.data())?);
    }
    let by = problem;
    Question { by, scores: &scores, current, amounts, origin: Origin::Given }.answer()
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
        let known = self.current.filter(|current| !current.is_random());
        let baseline = known.map_or_else(|| RANDOM.to_owned(), CurrentPolicy::row_name);
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
        let options = StudyOptions {
            baseline: Some(baseline.to_owned()),
            tests: vec![PairedTest::Randomisation],
            correction: Correction::None,
            ..StudyOptions::default()
        };
        Ok(study(by, &[metric], self.scores, &options, &mut |_| {})?)
    }
}
