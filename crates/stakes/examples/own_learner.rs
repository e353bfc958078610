//! A learner of one's own: it has typed parameters, and is fitted, evaluated and saved like any of ours.
//!
//! cargo run --release --example own_learner

use stakes::learn::boosted::{TweedieMart, TwoPart};
use stakes::learn::learner::TreeUnit;
use stakes::learn::{About, FitContext, FitError, Fitted, Kind, Learner, parameters, params};
use stakes::prelude::*;
use stakes::synth::Storms;

params! {
    /// How two models of the expected cost are combined.
    pub struct Shares {
        /// the power of the two-part model; the Tweedie model has the rest
        share: f64 = 0.5, Above0(1.0), try ["0.25", "0.5", "0.75"];
    }
}

/// The weighted geometric mean of a two-part and a Tweedie model.
#[derive(Debug, Clone, Default)]
struct GeometricMean {
    shares: Shares,
}

impl Learner for GeometricMean {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "geometric-mean",
            title: "geometric mean of two models of the expected cost",
            optimises: "what its two parts optimise",
            citation: "an example",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    parameters!(shares);

    fn kind(&self) -> Kind {
        Kind::Trees(TreeUnit::Costs)
    }

    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        let mut fitted = TwoPart::default().fit_problem(problem, cx)?;
        let second = TweedieMart::default().fit_problem(problem, cx)?.model.scorer;
        let share = self.shares.share;
        let model = &mut fitted.model;
        model.learner = self.name().to_owned();
        model.parameters = self.texts();
        model.scorer.unit = model.scorer.unit.powf(share) * second.unit.powf(1.0 - share);
        model.scorer.factors.iter_mut().for_each(|factor| factor.raise(share));
        for mut factor in second.factors {
            factor.name = format!("tweedie {}", factor.name);
            factor.raise(1.0 - share);
            model.scorer.factors.push(factor);
        }
        model.calibration = None;
        if let Some(unseen) = cx.validation {
            model.calibrate(unseen)?;
        }
        Ok(fitted)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let storms = Storms { lists: 60, rows: 6000, ..Storms::default() }.generate()?;
    let (train, test) = storms.hold_out(0.25)?;
    let goal = Goal::act_on(10);
    let mut learner = GeometricMean::default();
    learner.set("share", "0.7")?;
    let model = learner.fit(&train, &goal)?;
    println!("{}", goal.evaluate(&test, &model)?);
    Ok(())
}
