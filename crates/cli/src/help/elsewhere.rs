//! What commands and flags are called in other programs: the error says what they are here. (The names
//! of parameters and learners elsewhere are known to the library.)

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use stakes::config::DEFAULT_LEARNER;
use stakes::io::{ReadError, database_client};
use stakes::learn::params::{NotAParameter, not_a_parameter};
use stakes::learn::{learner, learners};

/// Commands here, and names elsewhere.
const COMMANDS: [(&str, &[&str]); 12] = [
    ("train", &["fit", "learn"]),
    ("rank", &["predict", "score", "apply", "infer", "classify"]),
    ("evaluate", &["test", "eval", "validate", "measure"]),
    ("inspect", &["describe", "profile", "summary", "summarize", "summarise", "eda"]),
    ("explain", &["importance", "importances", "feature-importance", "shap", "interpret"]),
    ("train --tune N", &["tune", "optimize", "optimise", "grid-search"]),
    ("train --folds N", &["cv", "cross-validate", "cross-val", "crossval"]),
    ("monitor", &["drift", "watch", "psi"]),
    ("split", &["train-test-split", "divide"]),
    ("model info", &["info", "show", "dump"]),
    ("model export", &["export", "save-model", "onnx"]),
    ("--version", &["version"]),
];

/// Flags here, and names elsewhere.
const FLAGS: [(&str, &[&str]); 14] = [
    (
        "folds",
        &["cv", "nfold", "nfolds", "n-folds", "n-splits", "kfold", "k-fold", "cross-validation"],
    ),
    (
        "hold-out",
        &[
            "holdout",
            "test-size",
            "test-fraction",
            "test-split",
            "valid-size",
            "val-size",
            "validation-size",
            "validation-split",
            "validation-fraction",
        ],
    ),
    ("valid", &["valid-file", "valid-data", "validation", "validation-data", "val", "eval-set"]),
    (
        "impact",
        &["target", "target-column", "y", "label-column", "response", "outcome", "relevance"],
    ),
    ("list", &["query", "query-id", "query-column", "group-id", "group-column", "groups"]),
    ("id", &["item", "item-id", "id-column", "docid", "doc-id", "key", "index", "index-col"]),
    ("time", &["date", "timestamp", "time-column", "date-column"]),
    ("weight", &["weights", "weight-column", "sample-weight", "sample-weights"]),
    (
        "drop",
        &[
            "ignore",
            "ignore-column",
            "ignore-columns",
            "ignored-features",
            "exclude",
            "drop-columns",
            "skip",
        ],
    ),
    ("output", &["out", "output-file", "outfile", "output-model", "model-out", "save-model"]),
    ("learner", &["algorithm", "algo", "method", "estimator", "model-type", "model-name"]),
    ("metric", &["scoring", "score-function"]),
    ("k", &["top-k", "topk", "capacity", "at", "n-items"]),
    ("tune", &["n-trials", "trials", "n-iter-search"]),
];

/// Arguments that are given without a flag here, and flags elsewhere.
const PLACES: [(&str, &[&str]); 2] = [
    ("MODEL", &["model", "model-file", "input-model", "model-path"]),
    (
        "DATA",
        &[
            "data",
            "input",
            "input-file",
            "file",
            "dataset",
            "train-data",
            "train-file",
            "test-data",
        ],
    ),
];

/// An error of parsing; for a name that other programs have, with what it is called here.
pub(crate) fn with_hint(mut error: Error, mut command: Command, typed: &[String]) -> Error {
    // Of a database no flag is right, such as --query.
    if error.use_stderr()
        && let Some((address, client)) = typed.iter().find_map(|word| database_client(word))
    {
        let refusal = ReadError::Database { address, client };
        return Error::raw(error.kind(), format!("{refusal}\n"));
    }
    let met = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            met(ContextKind::InvalidSubcommand).and_then(|name| command_here(&command, &name))
        }
        ErrorKind::UnknownArgument => {
            // Flags of all commands are known to each of them from here on.
            command.build();
            let command = typed
                .iter()
                .skip(1)
                .try_fold(&command, |command, word| command.find_subcommand(word).ok_or(command));
            let command = command.unwrap_or_else(|last| last);
            met(ContextKind::InvalidArg).and_then(|word| match word.starts_with('-') {
                true => Flag::new(&word, command, typed).tip(),
                false => output_here(command, &word),
            })
        }
        _ => None,
    };
    if let Some(tip) = tip {
        // What clap thinks similar, it also puts into the usage.
        for guess in
            [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::Usage]
        {
            error.remove(guess);
        }
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// The name here of what has another name elsewhere.
fn here(table: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(here, _)| *here)
}

fn command_here(command: &Command, name: &str) -> Option<String> {
    let at_top = command.get_name() == "stakes";
    let here = here(&COMMANDS, &name.to_lowercase().replace('_', "-")).filter(|_| at_top)?;
    Some(format!("did you mean `stakes {here}`?"))
}

/// A file too many: elsewhere the last one is written.
fn output_here(command: &Command, file: &str) -> Option<String> {
    let has_output = command.get_arguments().any(|arg| arg.get_long() == Some("output"));
    has_output.then(|| format!("to write to a file: -o {file}"))
}

/// A flag that a command does not have.
struct Flag<'a> {
    name: String,
    value: Option<&'a str>,
    command: &'a Command,
    typed: &'a [String],
}

impl<'a> Flag<'a> {
    fn new(flag: &str, command: &'a Command, typed: &'a [String]) -> Self {
        let mut rest = typed.iter().skip_while(|word| !word.starts_with(flag));
        let value = match rest.next().and_then(|word| word[flag.len()..].strip_prefix('=')) {
            Some(value) => Some(value),
            None => rest.next().map(String::as_str).filter(|word| !word.starts_with('-')),
        };
        let name = flag.trim_start_matches('-').to_lowercase().replace('_', "-");
        Flag { name, value, command, typed }
    }

    fn tip(&self) -> Option<String> {
        let flag = || self.argument(here(&FLAGS, &self.name)?);
        let other = || self.argument(flag_of(not_a_parameter(&self.name)?)?);
        let mean = |arg: &Arg| format!("did you mean `{}`?", self.instead(arg));
        let of_command = flag().or_else(other).map(mean);
        of_command.or_else(|| self.parameter()).or_else(|| self.place())
    }

    /// The command's own flag of this name.
    fn argument(&self, long: &str) -> Option<&'a Arg> {
        self.command.get_arguments().find(|arg| arg.get_long() == Some(long))
    }

    /// A flag of the command with the value that was given.
    fn instead(&self, arg: &Arg) -> String {
        let names = arg.get_value_names().unwrap_or_default().first();
        let value = self.value.or(names.map(|name| name.as_str())).unwrap_or_default();
        format!("--{} {value}", arg.get_long().unwrap_or_default())
    }

    /// A parameter of learners, which has no flag of its own.
    fn parameter(&self) -> Option<String> {
        self.argument("param")?;
        let key = learners().find_map(|learner| learner.key_of(&self.name))?;
        let value = self.value.unwrap_or("VALUE");
        let mut tip = format!("parameters of learners are given with -p: -p {key}={value}");
        let is_default = !self.typed.iter().any(|word| word.starts_with("--learner"));
        let default = learner(DEFAULT_LEARNER).ok().filter(|_| is_default);
        if let Some((other, _)) = default
            .filter(|default| default.key_of(&self.name).is_none())
            .and_then(|default| default.member_with(&self.name))
        {
            tip += &format!(
                "; the default learner, {DEFAULT_LEARNER}, chooses it itself, others take it: \
                 --learner {other} -p {key}={value}"
            );
        }
        Some(tip)
    }

    /// An argument that needs no flag.
    fn place(&self) -> Option<String> {
        let place = here(&PLACES, &self.name)?;
        let names: Vec<String> = self
            .command
            .get_positionals()
            .filter_map(|arg| Some(arg.get_value_names()?.first()?.to_string()))
            .collect();
        let usage = format!("{} {}", self.command.get_bin_name()?, names.join(" "));
        names.contains(&place.to_owned()).then(|| format!("{place} needs no flag: {usage}"))
    }
}

/// The flag for what is no parameter of a learner.
fn flag_of(what: NotAParameter) -> Option<&'static str> {
    match what {
        NotAParameter::Seed => Some("seed"),
        NotAParameter::Threads => Some("threads"),
        NotAParameter::Metric => Some("metric"),
        NotAParameter::Reach => Some("k"),
        NotAParameter::Learner => Some("learner"),
        NotAParameter::Categories => Some("categorical"),
        _ => None,
    }
}
