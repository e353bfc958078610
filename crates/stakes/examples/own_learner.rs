//! Your own learner: it has typed parameters, and is fitted, evaluated and saved like any of ours.
//!
//! The algorithm is not one of ours: the weight of a feature is its covariance with the cost within lists. One
//! that boosts trees calls `Boosting::fit` in `Learner::fit_run` instead, and its rounds are measured, stopped
//! in time and resumed.
//!
//! cargo run --release --example own_learner

use stakes::data::FeatureKind;
use stakes::learn::{About, FitContext, FitError, Fitted, Kind, Learner, parameters, params};
use stakes::model::{Input, Net, Scorer};
use stakes::prelude::*;
use stakes::synth::Storms;

params! {
    /// How costs count.
    pub struct Temper {
        /// costs count to this power: below 1 the largest count for less
        temper: f64 = 0.5, Above0(1.0), try ["0.25", "0.5", "1"];
    }
}

/// A linear score of all features that hold numbers, each weighted by itself.
#[derive(Debug, Clone, Default)]
struct Covariance {
    costs: Temper,
}

impl Learner for Covariance {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "covariance",
            title: "features weighted by their covariance with the cost",
            optimises: "nothing: a baseline",
            citation: "an example",
            cost_mode: "cs: costs to a power",
            ..About::PLAIN
        };
        &ABOUT
    }

    parameters!(costs);

    fn kind(&self) -> Kind {
        Kind::Weights
    }

    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        let data = problem.data();
        let (mut inputs, mut weights) = (Vec::new(), Vec::new());
        for (number, feature) in data.feature_info().iter().enumerate() {
            let column: Vec<f64> = data.features().column(number).map(f64::from).collect();
            let (mean, deviation) = moments(&column);
            // Names, constants and columns with missing values are left out.
            if feature.kind == FeatureKind::Numeric && deviation > 0.0 {
                inputs.push(Input::Number { feature: number as u32, mean, deviation });
                weights.push(self.covariance(problem, &column) / deviation);
            }
        }
        let scorer = Scorer::linear(Net::linear(inputs, weights));
        Fitted::of_scorer(self, problem, cx, scorer)
    }
}

impl Covariance {
    /// The covariance of a column with the cost, within lists.
    fn covariance(&self, problem: &Problem<'_>, column: &[f64]) -> f64 {
        let of_list = |items: std::ops::Range<usize>| -> f64 {
            let costs = &problem.cost()[items.clone()];
            let costs: Vec<f64> = costs.iter().map(|cost| cost.powf(self.costs.temper)).collect();
            let (mean, _) = moments(&costs);
            column[items].iter().zip(&costs).map(|(x, cost)| x * (cost - mean)).sum()
        };
        problem.data().lists().map(of_list).sum::<f64>() / column.len() as f64
    }
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let storms = Storms { lists: 60, rows: 6000, ..Storms::default() }.generate()?;
    let (train, test) = storms.hold_out(0.25)?;
    let goal = Goal::act_on(10);
    let mut learner = Covariance::default();
    learner.set("temper", "0.25")?;
    let model = learner.fit(&train, &goal)?;
    println!("{}", goal.evaluate(&test, &model)?);
    Ok(())
}
