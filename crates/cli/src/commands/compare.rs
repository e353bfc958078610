//! `stakes compare`: which learner saves most on these data, and how sure is that?

use anyhow::bail;
use clap::Args;
use stakes::experiment::{CompareOptions, compare};
use stakes::split::HoldOut;

use crate::Host;
use crate::args::{Asked, ExperimentArgs, Files, Others};
use crate::terminal::output::{print_json, print_page};
use crate::terminal::{hints, memory};

/// Compare learners over folds of the lists: which saves most?
///
/// Every learner is trained in every fold on its training lists alone and judged by its test lists. Beside them
/// stand the present order (--current), the best single feature of the training lists, plain regressions
/// (ridge, two-part, tweedie-mart), a random order and the ideal one. Figures have intervals, differences
/// are tested over lists, and the verdict is in the unit of the cost. With --run, finished trainings are
/// kept: the same command goes on after an interruption, and learners may be added.
#[derive(Args)]
pub(crate) struct Compare {
    /// Also train with parts of the lists: 25%,50%
    ///
    /// A learning curve: in every fold each learner also learns from these parts of the training lists. Where
    /// figures still rise at the end, more lists would help.
    #[arg(
        long,
        value_name = "SHARES",
        value_delimiter = ',',
        conflicts_with = "show_folds",
        hide_short_help = true
    )]
    learning_curve: Vec<String>,

    #[command(flatten)]
    experiment: ExperimentArgs,
}

impl Compare {
    pub(crate) fn run(self, host: &Host) -> anyhow::Result<()> {
        let shares = self.learning_curve.iter().map(|text| share(text));
        let learning_curve = shares.collect::<anyhow::Result<Vec<f64>>>()?;
        self.experiment.with_data(Others::default(), host, |args, asked| {
            let options = CompareOptions { learning_curve, ..asked.options };
            finish(args, Asked { options, ..asked })
        })
    }
}

/// A share of the training lists.
fn share(text: &str) -> anyhow::Result<f64> {
    match text.trim().parse() {
        Ok(HoldOut::Share(share)) => Ok(share),
        _ => bail!(
            "--learning-curve has `{text}`; allowed are shares of the training lists such as 25% or 0.5"
        ),
    }
}

fn finish(args: &ExperimentArgs, asked: Asked<'_>) -> anyhow::Result<()> {
    let Asked { setting, contestants, options } = asked;
    let compared =
        args.watched("compare", |watch| compare(setting, contestants, &options, Some(watch)))?;
    let Some(compared) = compared else { return Ok(()) };
    hints::notes(&compared.notes);
    let (csv, latex, svg) = (compared.csv(), compared.latex(), compared.svg());
    args.write_files(&Files { csv, latex, svg })?;
    if args.json() {
        return print_json(&compared);
    }
    let mut page = args.page();
    compared.write(&mut page);
    if args.times() {
        compared.write_times(&mut page);
        if let Some(bytes) = memory::peak() {
            // Trainings run side by side, so a single one's share cannot be told.
            page.text(&format!("At most {} MB of memory for all together", bytes >> 20));
        }
    }
    print_page(page)
}
