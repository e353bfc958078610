//! `stakes glossary`: what words mean, as text and as JSON.

use clap::Args;
use stakes::glossary::{Found, look_up, terms};
use stakes::text::{Page, pad};

use crate::terminal::output::{self, print_page, print_report};

/// Where meanings begin in the list of all words.
const NAME: usize = 24;

/// Say what a word means: a term, a metric or a learner
///
/// Without a word, all of them are listed.
#[derive(Args)]
pub(crate) struct Glossary {
    /// A word of the output or of these pages: rcs, calibration, "tie rule", cs-mart
    #[arg(value_name = "TERM")]
    term: Vec<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Glossary {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut page = output::page();
        if self.term.is_empty() {
            let all = terms();
            if self.json {
                return print_report(&all);
            }
            for term in all {
                page.hanging(&pad(&format!("  {}", term.heading), NAME), &term.meaning);
            }
            page.gap();
            page.text("Metrics and learners, too, have entries: stakes glossary NAME.");
            return print_page(page);
        }
        let found = look_up(&self.term.join(" "))?;
        if self.json {
            return print_report(&found);
        }
        describe(&mut page, &found);
        print_page(page)
    }
}

fn describe(page: &mut Page, found: &Found) {
    for term in &found.terms {
        page.title(&term.heading);
        page.hanging("  ", &term.meaning);
        page.gap();
    }
    if let Some(metric) = &found.metric {
        page.title(&format!("{}, a metric", metric.name));
        page.hanging("  ", &format!("{}.", metric.title));
        let better = if metric.higher_is_better { "higher" } else { "lower" };
        page.hanging("  ", &format!("{}; {better} is better.", metric.formula));
        page.hanging("  ", &format!("More: stakes metrics {}", metric.name));
        page.gap();
    }
    if let Some(learner) = &found.learner {
        page.title(&format!("{}, a learner", learner.name));
        page.hanging("  ", &format!("{}.", learner.title));
        page.hanging("  ", &format!("Optimises: {}. Costs: {}.", learner.optimises, learner.cost));
        page.hanging("  ", &format!("More: stakes learners {}", learner.name));
    }
}
