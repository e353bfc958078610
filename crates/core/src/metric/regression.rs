//! Errors of scores as predictions of the target.
//!
//! RMSE = sqrt(mean (s - y)^2), MAE = mean |s - y|, error of grades = mean 1[round(s) != y], over all items of all lists: lists are
//! weighted by their number of items.
//!
//! Example (McBride et al. 2019, section 2), showing that a good regression may rank badly: for
//! impacts (10000, 100, 0) the predictions (4999, 5000, 5001) have RMSE 4967.6 and rank the most
//! important item last; the predictions (100000, 5000, -5000) have RMSE 52118.5, ten times as
//! much, and the perfect order. (The paper prints 2868.0 and 300090.6; its argument holds.)

use std::borrow::Cow;

use super::retrieval::ON;
use super::{ListMetric, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;

/// Which error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    RootMeanSquare,
    MeanAbsolute,
    /// Of rounded scores as grades.
    Grade,
}

pub(super) const OPTIONS: &[OptionInfo] = &[ON];

struct Error {
    form: Form,
    on: Target,
}

pub(super) fn build(options: &Options<'_>, form: Form) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(Error { form, on: Target::named(options.get("on")) }))
}

impl Rule for Error {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        Box::new(ErrorList { form: self.form, truth: self.on.of(list) })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(self.on.of(list))
    }
}

struct ErrorList<'l> {
    form: Form,
    truth: &'l [f64],
}

impl ListMetric for ErrorList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        if self.truth.is_empty() {
            return None;
        }
        let pairs = || scores.iter().zip(self.truth);
        let errors = pairs().map(|(s, y)| s - y);
        Some(match self.form {
            Form::RootMeanSquare => (errors.map(|e| e * e).sum::<f64>() / self.weight()).sqrt(),
            Form::MeanAbsolute => errors.map(f64::abs).sum::<f64>() / self.weight(),
            Form::Grade => pairs().filter(|(s, y)| s.round() != **y).count() as f64 / self.weight(),
        })
    }

    fn weight(&self) -> f64 {
        self.truth.len() as f64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Aggregate, ListValue, Metric, Scale};
    use crate::data::ListView;

    fn value(spec: &str, truth: &[f64], scores: &[f64]) -> f64 {
        let metric = Metric::parse(spec, Scale::default()).unwrap();
        metric.prepare(&ListView::of_impact(truth)).of_scores(scores).unwrap()
    }

    #[test]
    fn the_better_regression_can_be_the_worst_ranking() {
        let storm = [10000.0, 100.0, 0.0];
        let (first, second) = ([4999.0, 5000.0, 5001.0], [100000.0, 5000.0, -5000.0]);
        assert!((value("rmse", &storm, &first) - 4967.6).abs() < 0.05);
        assert!((value("rmse", &storm, &second) - 52118.5).abs() < 0.05);
        let worst = value("r@2", &storm, &[0.0, 1.0, 2.0]);
        assert_eq!(value("r@2", &storm, &first), worst);
        assert_eq!(value("r@2", &storm, &second), 1.0);
    }

    #[test]
    fn lists_weigh_their_items() {
        // Errors 3, 3 in one list and 0, 0, 0, 0 in another: RMSE sqrt(18/6), MAE 6/6.
        let of = |value, weight| ListValue { value: Some(value), weight };
        let lists = [of(3.0, 2.0), of(0.0, 4.0)];
        let figure = |aggregate: Aggregate| aggregate.figure(&aggregate.parts(&lists)).unwrap();
        assert!((figure(Aggregate::RootMeanSquare) - 3f64.sqrt()).abs() < 1e-15);
        assert_eq!(figure(Aggregate::WeightedMean), 1.0);
        assert_eq!(value("mae", &[1.0, 5.0], &[2.0, 2.0]), 2.0);
    }
}
