//! `stakes learners`: the table of learners, as text and as JSON.

use clap::Args;
use stakes::learn::params::{ParamInfo, ParamKind};
use stakes::learn::{FAMILIES, Learner, learner, learners};
use stakes::text::{Page, pad};

use crate::terminal::output::{self, print_json, print_page};

/// Where titles begin.
const NAME: usize = 24;

/// List every learner, or one with all its parameters
#[derive(Args)]
pub(crate) struct Learners {
    /// Show this one with its parameters
    #[arg(value_parser = learner)]
    name: Option<Box<dyn Learner>>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Learners {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.json {
            return match self.name {
                Some(learner) => print_json(&json(&*learner)),
                None => print_json(&learners().map(|learner| json(&*learner)).collect::<Vec<_>>()),
            };
        }
        let mut page = output::page();
        match self.name {
            Some(learner) => {
                describe(&mut page, &*learner);
                page.gap();
                parameters(&mut page, &*learner);
            }
            None => {
                for family in &FAMILIES {
                    page.heading(family.title);
                    for learner in family.learners.iter().map(|make| make()) {
                        describe(&mut page, &*learner);
                        settings(&mut page, &*learner);
                    }
                }
                page.gap();
                page.text(
                    "What parameters do and what they may be: stakes learners NAME. To learn with \
                     one:",
                );
                page.hanging(
                    "  ",
                    "stakes train DATA --list COLUMN --impact COLUMN --k K --learner NAME -p \
                     leaves=31,rate=0.05 -o model.json",
                );
            }
        }
        print_page(page)
    }
}

fn describe(page: &mut Page, learner: &dyn Learner) {
    let about = learner.about();
    page.hanging(&pad(&format!("  {}", about.name), NAME), about.title);
    line(page, "optimises", about.optimises);
    line(page, "cost", about.cost_mode);
    line(page, "source", about.citation);
    if !about.aliases.is_empty() {
        line(page, "also", &about.aliases.join(", "));
    }
}

/// All parameters with their defaults.
fn settings(page: &mut Page, learner: &dyn Learner) {
    let setting = |param: &ParamInfo| format!("{}={}", param.key, param.value);
    let all: Vec<String> = learner.params().iter().map(setting).collect();
    line(page, "set by", &all.join(" "));
}

/// Where a label stands, below what it belongs to.
fn labelled(label: &str) -> String {
    format!("{:NAME$}{label:<10}", "")
}

fn line(page: &mut Page, label: &str, what: &str) {
    page.hanging(&labelled(label), what);
}

fn parameters(page: &mut Page, learner: &dyn Learner) {
    page.title("PARAMETERS (-p KEY=VALUE)");
    for param in learner.params() {
        let setting = format!("  {}={} ", param.key, param.value);
        page.hanging(&pad(&setting, NAME), &param.help);
        line(page, "allowed", &param.kind.to_string());
        if !param.aliases.is_empty() {
            line(page, "also", &param.aliases.join(", "));
        }
        if !param.tries.is_empty() {
            line(page, "tuned", &param.tries.join(" | "));
        }
    }
}

fn json(learner: &dyn Learner) -> serde_json::Value {
    let about = learner.about();
    serde_json::json!({
        "name": about.name,
        "aliases": about.aliases,
        "title": about.title,
        "optimises": about.optimises,
        "cost": about.cost_mode,
        "citation": about.citation,
        "parameters": learner.params().iter().map(param_json).collect::<Vec<_>>(),
    })
}

fn param_json(param: &ParamInfo) -> serde_json::Value {
    let mut json = serde_json::json!({
        "key": param.key,
        "aliases": param.aliases,
        "default": param.value,
        "allowed": param.kind.to_string(),
        "help": param.help,
        "tries": param.tries,
    });
    if let ParamKind::OneOf(names) = param.kind {
        json["one_of"] = names.into();
    }
    json
}
