//! The figures of contestants over the test lists of all folds.
//!
//! Pooled over all test lists, lists are the unit of intervals and tests: a list that several folds test
//! counts once, with the sum of its parts. The mean over folds is shown beside it, because papers print
//! it: where lists differ much in size the two may differ much, and folds of few lists are noisy.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::metric::{
    Direction, Evaluation, ListValue, Metric, Part, Reads, evaluate, evaluate_random,
};
use stakes_eval::study::ideal_scores;
use stakes_stats::{Column, IntervalOptions, Intervals};

use super::Setting;
use super::cell::Cell;
use super::contestant::{Contestant, Order};
use crate::Error;

/// The figure of one contestant under one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// The contestant.
    pub contestant: String,
    /// The metric.
    pub metric: String,
    /// The figure over all test lists; `null` if no list has a value.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The mean of the figures of the folds that have one.
    pub mean_over_folds: Option<f64>,
    /// The figure of each fold.
    pub by_fold: Vec<Option<f64>>,
    /// The number of test lists with a value.
    pub lists: usize,
    /// Whether higher values are better.
    pub higher_is_better: bool,
}

/// One metric: a figure of each contestant, and the parts of all tested lists behind it.
pub(super) struct Measured {
    pub(super) metric: Metric,
    pub(super) figures: Vec<Figure>,
    /// For each contestant the part of each tested list.
    pub(super) parts: Vec<Vec<Part>>,
}

impl Measured {
    /// The columns of intervals.
    pub(super) fn columns(&self) -> Vec<Column<'_>> {
        let (finish, range) = (self.metric.aggregate().finish(), self.metric.range());
        self.parts.iter().map(|parts| Column { parts, finish, range }).collect()
    }

    pub(super) fn is_higher_better(&self) -> bool {
        self.metric.direction() == Direction::Higher
    }
}

/// The test lists of every fold, with the scores of all contestants.
pub(super) struct Tests<'e> {
    setting: &'e Setting<'e>,
    contestants: &'e [Contestant],
    cells: &'e [Vec<Cell>],
    data: Vec<Dataset>,
    /// The lists that are tested, each once.
    lists: Vec<usize>,
}

impl<'e> Tests<'e> {
    pub(super) fn new(
        setting: &'e Setting<'e>,
        contestants: &'e [Contestant],
        cells: &'e [Vec<Cell>],
    ) -> Self {
        let data = setting.folds.iter().map(|fold| setting.tested(fold)).collect();
        Tests { setting, contestants, cells, data, lists: setting.tested_lists() }
    }

    /// The number of different lists that are tested.
    pub(super) fn n_lists(&self) -> usize {
        self.lists.len()
    }

    /// How often a list is tested, on average.
    pub(super) fn repeats(&self) -> f64 {
        let tested: usize = self.setting.folds.iter().map(|fold| fold.test.len()).sum();
        tested as f64 / self.lists.len() as f64
    }

    /// All contestants under one metric.
    pub(super) fn measure(
        &self,
        metric: Metric,
        intervals: &IntervalOptions,
    ) -> Result<Measured, Error> {
        let (mut figures, mut parts) = (Vec::new(), Vec::new());
        for (c, contestant) in self.contestants.iter().enumerate() {
            let folds = self.of_contestant(c, &metric)?;
            let by_fold: Vec<Option<f64>> = folds.iter().map(|fold| fold.figure).collect();
            let known: Vec<f64> = by_fold.iter().flatten().copied().collect();
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            let pooled = self.pool(&metric, &folds);
            figures.push(Figure {
                contestant: contestant.name.clone(),
                metric: metric.name(),
                value: metric.aggregate().figure(&pooled),
                low: None,
                high: None,
                mean_over_folds: (!known.is_empty()).then_some(mean),
                by_fold,
                lists: pooled.iter().filter(|part| part.has_value()).count(),
                higher_is_better: metric.direction() == Direction::Higher,
            });
            parts.push(pooled);
        }
        let mut measured = Measured { metric, figures, parts };
        let columns = measured.columns();
        let all = Intervals::new(&columns, intervals)?;
        let found: Vec<_> = (0..columns.len()).map(|c| all.interval(c)).collect();
        for (figure, interval) in measured.figures.iter_mut().zip(found) {
            (figure.low, figure.high) = (interval.map(|i| i.low), interval.map(|i| i.high));
        }
        Ok(measured)
    }

    /// The parts of the tested lists: of one that several folds test, their sum.
    fn pool(&self, metric: &Metric, folds: &[Evaluation]) -> Vec<Part> {
        let values: Vec<ListValue> =
            folds.iter().flat_map(|fold| fold.lists.iter().copied()).collect();
        let mut pooled = vec![Part::EMPTY; self.lists.len()];
        let tested = self.setting.folds.iter().flat_map(|fold| &fold.test);
        for (list, part) in tested.zip(metric.aggregate().parts(&values)) {
            if let Ok(at) = self.lists.binary_search(list) {
                pooled[at] = Part::new(pooled[at].num + part.num, pooled[at].den + part.den);
            }
        }
        pooled
    }

    fn of_contestant(&self, c: usize, metric: &Metric) -> Result<Vec<Evaluation>, Error> {
        let mut folds = Vec::with_capacity(self.data.len());
        for (number, data) in self.data.iter().enumerate() {
            let problem = Problem::new(data, &self.setting.goal)?;
            let of_scores = |scores: &[f64]| evaluate(metric, &problem, scores);
            let evaluation = match &self.contestants[c].order {
                // A column that orders items says nothing where a metric reads costs.
                Order::Random | Order::BestFeature | Order::Current(..)
                    if metric.reads() != Reads::Order =>
                {
                    let none = ListValue { value: None, weight: 0.0 };
                    let lists = vec![none; data.n_lists()];
                    Evaluation { parts: metric.aggregate().parts(&lists), lists, figure: None }
                }
                Order::Learner(_) | Order::BestFeature => of_scores(&self.cells[c][number].scores)?,
                Order::Scores(values) | Order::Current(_, values) => {
                    let lists = &self.setting.folds[number].test;
                    let items = lists.iter().flat_map(|&list| self.setting.data.items(list));
                    of_scores(&items.map(|item| values[item]).collect::<Vec<_>>())?
                }
                Order::Random => evaluate_random(metric, &problem, self.setting.seed)?,
                Order::Ideal => of_scores(&ideal_scores(&problem, metric))?,
            };
            folds.push(evaluation);
        }
        Ok(folds)
    }
}
