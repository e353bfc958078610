//! Your own loss: boosted trees minimise it like any of ours.
//!
//! cargo run --release --example own_loss

use stakes::learn::boosted::{BoostedTrees, Boosting};
use stakes::learn::loss::{GradHess, ListLoss, Loss};
use stakes::prelude::*;
use stakes::synth::Storms;

/// Squared error of the square root of the cost: large costs count, but do not decide everything.
struct RootError;

struct RootErrorOfList<'l> {
    cost: &'l [f64],
    weight: f64,
}

impl Loss for RootError {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        Box::new(RootErrorOfList { cost: list.cost, weight })
    }
}

impl ListLoss for RootErrorOfList<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        for ((out, score), cost) in out.iter_mut().zip(scores).zip(self.cost) {
            *out = GradHess { grad: self.weight * (score - cost.sqrt()), hess: self.weight };
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        let error = |(score, cost): (&f64, &f64)| (score - cost.sqrt()).powi(2);
        Some(0.5 * self.weight * scores.iter().zip(self.cost).map(error).sum::<f64>())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let storms = Storms { lists: 60, rows: 6000, ..Storms::default() }.generate()?;
    let (train, test) = storms.hold_out(0.25)?;
    let goal = Goal::act_on(10);
    let boosting = Boosting { rounds: 100, ..Boosting::default() };
    let learner = BoostedTrees { boosting, ..BoostedTrees::new(RootError) };
    let model = learner.fit(&train, &goal)?;
    println!("{}", goal.evaluate(&test, &model)?);
    Ok(())
}
