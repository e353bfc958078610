//! What acting by the model would have reached in lists whose outcomes are known: the verdict, and the same at
//! every position of the slider.

use serde::Serialize;
use stakes::Error;
use stakes::cost::Problem;
use stakes::eval::study::{Scores, ideal_scores};
use stakes::goal::Goal;
use stakes::judge::{Amounts, CurrentPolicy, Reached, reached};
use stakes::metric::{Evaluation, Metric, Scale, Spec, evaluate, evaluate_random};
use stakes::stats::{Column, IntervalOptions, Intervals};

use crate::round::twelve;
use crate::slider::Slider;

/// What orders reach in all lists together, at every position of the slider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// The number of lists.
    pub lists: usize,
    /// The cost of all items.
    pub total: f64,
    /// What the model is compared with: how it is done now, or a random order.
    pub other: String,
    /// The cost of the items acted on by the model.
    #[serde(serialize_with = "twelve")]
    pub model: Vec<f64>,
    /// The lower ends of its 95 % intervals over lists; null where lists cannot tell.
    #[serde(serialize_with = "twelve")]
    pub low: Vec<f64>,
    /// The upper ends.
    #[serde(serialize_with = "twelve")]
    pub high: Vec<f64>,
    /// The share of the cost of all items that it reaches.
    #[serde(serialize_with = "twelve")]
    pub share: Vec<f64>,
    /// What one more item, or one more of the money, in every list reaches beyond it; null at the last position.
    #[serde(serialize_with = "twelve")]
    pub next: Vec<f64>,
    /// The cost of the items acted on otherwise.
    #[serde(serialize_with = "twelve")]
    pub now: Vec<f64>,
    /// What the model reaches more.
    #[serde(serialize_with = "twelve")]
    pub more: Vec<f64>,
    /// The lower ends of the 95 % intervals of that difference.
    #[serde(serialize_with = "twelve")]
    pub more_low: Vec<f64>,
    /// The upper ends.
    #[serde(serialize_with = "twelve")]
    pub more_high: Vec<f64>,
    /// The most that any order could reach.
    #[serde(serialize_with = "twelve")]
    pub ideal: Vec<f64>,
}

/// What one list's orders reach where the slider starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ListOutcome {
    /// The cost of the items acted on by the model.
    pub(crate) model: f64,
    /// The cost of the items acted on otherwise.
    pub(crate) now: f64,
    /// The most that any order could reach.
    pub(crate) ideal: f64,
}

/// All of it.
pub(crate) struct Evidence {
    pub(crate) verdict: Option<Reached>,
    pub(crate) curve: Curve,
    /// By list of the data.
    pub(crate) outcomes: Vec<ListOutcome>,
}

/// The orders that are looked at.
pub(crate) struct Orders<'o> {
    pub(crate) problem: &'o Problem<'o>,
    pub(crate) model: Scores,
    pub(crate) current: Option<&'o CurrentPolicy>,
}

impl Orders<'_> {
    pub(crate) fn evidence(
        &self,
        goal: &Goal,
        slider: &Slider,
        amounts: &Amounts,
    ) -> Result<Evidence, Error> {
        let verdict = reached(self.problem, self.model.clone(), self.current, amounts)?;
        let now = match self.current {
            Some(current) => current.scores(self.problem.data())?,
            None => None,
        };
        let lists = self.problem.n_lists();
        let mut curve = Curve {
            lists,
            total: self.problem.cost().iter().sum(),
            other: match (self.current, &now) {
                (Some(current), Some(_)) => format!("now (by {})", current.name),
                _ => "a random order".to_owned(),
            },
            model: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            share: Vec::new(),
            next: Vec::new(),
            now: Vec::new(),
            more: Vec::new(),
            more_low: Vec::new(),
            more_high: Vec::new(),
            ideal: Vec::new(),
        };
        let mut outcomes = vec![ListOutcome { model: 0.0, now: 0.0, ideal: 0.0 }; lists];
        for position in 0..slider.positions.len() {
            let Some(reach) = slider.reach(position) else {
                curve.push(&[0.0; 3], [Some((0.0, 0.0)); 2]);
                continue;
            };
            let goal = Goal { reach, ..goal.clone() };
            let spec: Spec = "saved:policy=step".parse()?;
            let metric = goal.complete(spec).build(Scale::of(self.problem.data()))?;
            let found = self.evaluate(&metric, now.as_ref())?;
            let figures = [0, 1, 2].map(|order| found[order].figure.unwrap_or(0.0));
            curve.push(&figures, intervals(&metric, &found)?);
            if position == slider.start {
                for (list, outcome) in outcomes.iter_mut().enumerate() {
                    let [model, now, ideal] =
                        [0, 1, 2].map(|order| found[order].lists[list].value.unwrap_or(0.0));
                    *outcome = ListOutcome { model, now, ideal };
                }
            }
        }
        curve.next = next(&slider.positions, &curve.model);
        Ok(Evidence { verdict, curve, outcomes })
    }

    /// The model, the other order, the ideal one.
    fn evaluate(&self, metric: &Metric, now: Option<&Scores>) -> Result<[Evaluation; 3], Error> {
        let model = evaluate(metric, self.problem, &self.model.values)?;
        let now = match now {
            Some(now) => evaluate(metric, self.problem, &now.values)?,
            None => evaluate_random(metric, self.problem, 0)?,
        };
        let ideal = evaluate(metric, self.problem, &ideal_scores(self.problem, metric))?;
        Ok([model, now, ideal])
    }
}

/// What each position's next step reaches, per unit of it.
fn next(positions: &[f64], reached: &[f64]) -> Vec<f64> {
    let pairs = positions.windows(2).zip(reached.windows(2));
    pairs
        .map(|(at, reached)| (reached[1] - reached[0]) / (at[1] - at[0]))
        .chain([f64::NAN])
        .collect()
}

/// The intervals of the model and of its difference to the other order.
fn intervals(metric: &Metric, found: &[Evaluation; 3]) -> Result<[Option<(f64, f64)>; 2], Error> {
    let (finish, range) = (metric.aggregate().finish(), metric.range());
    let columns = [0, 1].map(|order| Column { parts: &found[order].parts, finish, range });
    let all = Intervals::new(&columns, &IntervalOptions::default())?;
    Ok([all.interval(0), all.difference(0, 1)].map(|found| found.map(|i| (i.low, i.high))))
}

impl Curve {
    fn push(&mut self, [model, now, ideal]: &[f64; 3], [own, more]: [Option<(f64, f64)>; 2]) {
        self.model.push(*model);
        self.share.push(if self.total > 0.0 { model / self.total } else { 0.0 });
        self.now.push(*now);
        self.more.push(model - now);
        self.ideal.push(*ideal);
        let (low, high) = own.unwrap_or((f64::NAN, f64::NAN));
        self.low.push(low);
        self.high.push(high);
        let (low, high) = more.unwrap_or((f64::NAN, f64::NAN));
        self.more_low.push(low);
        self.more_high.push(high);
    }
}
