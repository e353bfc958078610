//! `stakes learners`: the table of learners, as text and as JSON.

use clap::Args;
use stakes::learn::params::ParamInfo;
use stakes::learn::{Learner, families, learner, learners, preset};
use stakes::tables::LearnerEntry;
use stakes::text::{Page, pad};

use crate::terminal::output::{self, print_page, print_report};

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
                Some(learner) => print_report(&LearnerEntry::from(&*learner)),
                None => {
                    let entry = |learner: Box<dyn Learner>| LearnerEntry::from(&*learner);
                    print_report(&learners().map(entry).collect::<Vec<_>>())
                }
            };
        }
        let mut page = output::page();
        match self.name {
            Some(learner) => {
                describe(&mut page, &*learner);
                page.gap();
                parameters(&mut page, &*learner);
                presets(&mut page, &*learner);
            }
            None => {
                for family in families() {
                    page.heading(family.title);
                    for learner in family.learners() {
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

/// Settings by one name.
fn presets(page: &mut Page, learner: &dyn Learner) {
    for (name, settings) in preset::of(learner.name()) {
        page.gap();
        page.title(&format!("AS IN ITS PAPER (-p {}={name}, or --as-in-paper)", preset::KEY));
        let settings: Vec<String> = settings.iter().map(|(k, v)| format!("{k}={v}")).collect();
        page.hanging("  ", &settings.join(" "));
    }
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
