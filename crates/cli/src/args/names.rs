//! Values with names, which shells can complete. What is not among them is refused by our own parsers, with
//! the nearest name.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use stakes::io::Format;
use stakes::learn::{Learner, learner, learners};
use stakes::metric::METRICS;

/// A parser, and the names that it knows.
#[derive(Clone)]
struct Named<P> {
    parser: P,
    names: fn() -> Vec<PossibleValue>,
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter()))
    }
}

/// Names of learners.
pub(crate) fn learner_names() -> impl TypedValueParser<Value = Box<dyn Learner>> {
    Named {
        parser: learner,
        names: || {
            let value = |learner: Box<dyn Learner>| {
                PossibleValue::new(learner.name()).help(learner.about().title)
            };
            learners().map(value).collect()
        },
    }
}

/// Names of metrics, which may be followed by options: `ndcg@10:gain=linear`.
pub(crate) fn metric_names() -> impl TypedValueParser<Value = String> {
    Named {
        parser: StringValueParser::new(),
        names: || METRICS.iter().map(|m| PossibleValue::new(m.name).help(m.title)).collect(),
    }
}

/// Names of formats.
pub(crate) fn format_names() -> impl TypedValueParser<Value = Format> {
    one_of(|| Format::all().map(|format| PossibleValue::new(format.name())).collect())
}

/// Names of any other kind: of formats that are not data, of treatments, of tasks.
pub(crate) fn one_of<T>(names: fn() -> Vec<PossibleValue>) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr + Clone + Send + Sync + 'static,
    T::Err: Into<Box<dyn std::error::Error + Send + Sync + 'static>>,
{
    Named { parser: |text: &str| text.parse::<T>(), names }
}
