//! Parameters of learners as they are typed.

use stakes_learn::params::split_params;
use stakes_learn::{Configured, FitContext, Flow, Observer, Round, learner};

use crate::accepted;
use crate::world::{check_training, shorten, with_storms};

/// The name of a learner, and on further lines its parameters as after `-p`. Text and value are inverse
/// to each other; what is accepted is refused by a training, or makes a model.
pub fn params(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (name, lines) = text.split_once('\n').unwrap_or((text, ""));
    let Some(default) = accepted(learner(name)) else { return };
    let Some(pairs) = accepted(lines.lines().map(split_params).collect::<Result<Vec<_>, _>>())
    else {
        return;
    };
    let pairs = pairs.iter().flatten().map(|(key, value)| (key.as_str(), value.as_str()));
    let Some(given) = accepted(Configured::new(default.clone(), pairs)) else { return };
    let texts = given.learner.texts();
    let same = texts.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let again = Configured::new(default, same).expect("its own parameters");
    assert_eq!(again.learner.texts(), texts);
    let mut learner = given.learner;
    shorten(&mut *learner);
    with_storms(|problem, validation| {
        let mut first_round = FirstRound;
        let cx = FitContext {
            validation: Some(validation),
            observer: Some(&mut first_round),
            ..FitContext::default()
        };
        accepted(check_training(&*learner, problem, cx));
    });
}

/// Stops after the first round.
struct FirstRound;

impl Observer for FirstRound {
    fn round(&mut self, _: &Round<'_>) -> Flow {
        Flow::Stop
    }
}
