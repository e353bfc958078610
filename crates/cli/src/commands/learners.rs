//! `stakes learners`: the table of learners, as text and as JSON.

use std::fmt::Write;

use clap::Args;
use stakes::learn::params::ParamInfo;
use stakes::learn::{FAMILIES, Learner, learner, learners};
use stakes::tables::LearnerEntry;

use crate::terminal::draw::wrap;
use crate::terminal::output::{print, print_report, width};

/// Where titles begin.
const NAME: usize = 22;

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
                Some(learner) => print_report(&LearnerEntry::from(&*learner)),
                None => {
                    let entry = |learner: Box<dyn Learner>| LearnerEntry::from(&*learner);
                    print_report(&learners().map(entry).collect::<Vec<_>>())
                }
            };
        }
        let mut text = String::new();
        match self.name {
            Some(learner) => {
                describe(&mut text, &*learner);
                parameters(&mut text, &*learner);
            }
            None => {
                for family in &FAMILIES {
                    let _ = writeln!(text, "{}", family.title.to_uppercase());
                    for learner in family.learners.iter().map(|make| make()) {
                        describe(&mut text, &*learner);
                        settings(&mut text, &*learner);
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

fn describe(text: &mut String, learner: &dyn Learner) {
    let about = learner.about();
    let _ = writeln!(text, "  {:<NAME$}{}", about.name, about.title);
    line(text, "optimises", about.optimises);
    line(text, "cost", about.cost_mode);
    line(text, "source", about.citation);
    if !about.aliases.is_empty() {
        line(text, "also", &about.aliases.join(", "));
    }
}

/// All parameters with their defaults, as many to a line as there is room for.
fn settings(text: &mut String, learner: &dyn Learner) {
    let setting = |param: &ParamInfo| format!("{}={}", param.key, param.value);
    let all: Vec<String> = learner.params().iter().map(setting).collect();
    let mut label = "set by";
    for row in wrap(&all.join(" "), width().saturating_sub(NAME + 14).max(30)) {
        line(text, label, &row);
        label = "";
    }
}

fn line(text: &mut String, label: &str, what: &str) {
    let _ = writeln!(text, "  {:<NAME$}  {label:<9} {what}", "");
}

fn parameters(text: &mut String, learner: &dyn Learner) {
    text.push_str("\n  PARAMETERS (-p KEY=VALUE)\n");
    for param in learner.params() {
        let setting = format!("{}={}", param.key, param.value);
        let _ = writeln!(text, "  {setting:<26}{}", param.help);
        let _ = writeln!(text, "  {:<26}  allowed   {}", "", param.kind);
        if !param.aliases.is_empty() {
            let _ = writeln!(text, "  {:<26}  also      {}", "", param.aliases.join(", "));
        }
        if !param.tries.is_empty() {
            let _ = writeln!(text, "  {:<26}  tuned     {}", "", param.tries.join(" | "));
        }
    }
}
