//! `stakes learners`: the table of learners, as text and as JSON.

use std::fmt::Write;

use clap::Args;
use stakes::learn::params::{ParamInfo, ParamKind};
use stakes::learn::{FAMILIES, LearnerInfo, learner, learners};

use crate::terminal::draw::wrap;
use crate::terminal::output::{print, width};

/// Where titles begin.
const NAME: usize = 22;

/// List every learner, or one with all its parameters
#[derive(Args)]
pub(crate) struct Learners {
    /// Show this one with its parameters
    #[arg(value_parser = learner)]
    name: Option<&'static LearnerInfo>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Learners {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.json {
            let text = match self.name {
                Some(learner) => serde_json::to_string_pretty(&json(learner))?,
                None => serde_json::to_string_pretty(&learners().map(json).collect::<Vec<_>>())?,
            };
            return print(&(text + "\n"));
        }
        let mut text = String::new();
        match self.name {
            Some(learner) => {
                describe(&mut text, learner);
                parameters(&mut text, learner);
            }
            None => {
                for (family, rows) in FAMILIES {
                    let _ = writeln!(text, "{}", family.to_uppercase());
                    for learner in *rows {
                        describe(&mut text, learner);
                        settings(&mut text, learner);
                    }
                    text.push('\n');
                }
                text.push_str(
                    "What parameters do and what they may be: stakes learners NAME. To learn with one:\n  \
                     stakes train DATA --list COLUMN --impact COLUMN --k K --learner NAME \
                     -p leaves=31,rate=0.05 -o model.json\n",
                );
            }
        }
        print(&text)
    }
}

fn describe(text: &mut String, learner: &LearnerInfo) {
    let _ = writeln!(text, "  {:<NAME$}{}", learner.name, learner.title);
    line(text, "optimises", learner.optimises);
    line(text, "cost", learner.mode);
    line(text, "source", learner.citation);
    if !learner.aliases.is_empty() {
        line(text, "also", &learner.aliases.join(", "));
    }
}

/// All parameters with their defaults, as many to a line as there is room for.
fn settings(text: &mut String, learner: &LearnerInfo) {
    let setting = |(param, default): (&ParamInfo, &str)| format!("{}={default}", param.key);
    let all: Vec<String> = learner.params().map(setting).collect();
    let mut label = "set by";
    for row in wrap(&all.join(" "), width().saturating_sub(NAME + 14).max(30)) {
        line(text, label, &row);
        label = "";
    }
}

fn line(text: &mut String, label: &str, what: &str) {
    let _ = writeln!(text, "  {:<NAME$}  {label:<9} {what}", "");
}

fn parameters(text: &mut String, learner: &LearnerInfo) {
    text.push_str("\n  PARAMETERS (-p KEY=VALUE)\n");
    for (param, default) in learner.params() {
        let setting = format!("{}={default}", param.key);
        let _ = writeln!(text, "  {setting:<26}{}", param.help);
        let _ = writeln!(text, "  {:<26}  allowed   {}", "", param.kind);
        if !learner.tries(param).is_empty() {
            let tries = learner.tries(param).join(" | ");
            let _ = writeln!(text, "  {:<26}  tuned     {tries}", "");
        }
    }
}

fn json(learner: &LearnerInfo) -> serde_json::Value {
    let params: Vec<_> =
        learner.params().map(|(param, default)| param_json(learner, param, default)).collect();
    serde_json::json!({
        "name": learner.name,
        "aliases": learner.aliases,
        "title": learner.title,
        "optimises": learner.optimises,
        "cost": learner.mode,
        "citation": learner.citation,
        "parameters": params,
    })
}

fn param_json(learner: &LearnerInfo, param: &ParamInfo, default: &str) -> serde_json::Value {
    let mut json = serde_json::json!({
        "key": param.key,
        "default": default,
        "allowed": param.kind.to_string(),
        "help": param.help,
        "tries": learner.tries(param),
    });
    if let ParamKind::OneOf(names) = param.kind {
        json["one_of"] = names.into();
    }
    json
}
