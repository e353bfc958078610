//! `stakes compare`: which learner saves most on these data, and how sure is that?

use clap::Args;
use stakes::experiment::compare;

use crate::args::{Asked, ExperimentArgs, Files, Others};
use crate::terminal::hints;
use crate::terminal::output::{self, print_json, print_page};

/// Compare learners over folds of the lists: which saves most?
///
/// Every learner is trained in every fold on its training lists alone and judged by its test lists. Beside them
/// stand the present order (--current), the best single feature of the training lists, plain regressions
/// (ridge, two-part, tweedie-mart), a random order and the ideal one. Figures have intervals, differences
/// are tested over lists, and the verdict is in the unit of the cost. With --run, finished trainings are
/// kept: the same command goes on after an interruption, and learners may be added.
#[derive(Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    experiment: ExperimentArgs,
}

impl Compare {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.experiment.with_data(Others::default(), finish)
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
    let mut page = output::page();
    compared.write(&mut page);
    if args.times() {
        compared.write_times(&mut page);
    }
    print_page(page)
}
