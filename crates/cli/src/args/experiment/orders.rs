//! Who is compared: learners, columns and files of scores, the present order.

use clap::Args;
use stakes::data::Dataset;
use stakes::evaluate::scores::{check_finite, column, read_file};
use stakes::experiment::{Contestant, ContestantsFile, FileOrder};

use crate::args::name_and_path;
use crate::terminal::hints;

/// The learner if nobody is named.
const DEFAULT: &str = "auto";

#[derive(Args)]
pub(super) struct OrderArgs {
    /// Learners, separated by commas; all (default: auto)
    ///
    /// Settings follow a colon: cs-mart:leaves=8,rounds=100,ridge are two. `all` is every learner that is trained
    /// by itself; those that cannot learn the data are left out with a note. stakes learners lists them.
    #[arg(long, value_name = "NAMES")]
    learners: Vec<String>,
    /// The column that is acted by today, highest first
    ///
    /// -age: lowest first. Learners may use it as a feature, unless --drop names it, too.
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    current: Option<String>,
    /// Columns of DATA that are scores of other models, and not features
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    score: Vec<String>,
    /// FILE or NAME=FILE with a score for each item, from another model
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    score_file: Vec<String>,
    /// A TOML file with contestants (docs/compare.md)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    contestants: Option<String>,

    #[arg(skip)]
    file: Option<ContestantsFile>,
    #[arg(skip)]
    named: Vec<Contestant>,
}

impl OrderArgs {
    /// Reads names and the file, before data are read.
    pub(super) fn check(&mut self) -> anyhow::Result<()> {
        self.file = self.contestants.as_deref().map(ContestantsFile::load).transpose()?;
        let nobody = self.score.is_empty() && self.score_file.is_empty() && self.file.is_none();
        if self.learners.is_empty() && nobody {
            self.learners.push(DEFAULT.to_owned());
        }
        self.named = match self.learners.is_empty() {
            true => Vec::new(),
            false => Contestant::learners(&self.learners.join(","))?,
        };
        Ok(())
    }

    /// The columns that are not features. A present order that is to be dropped is read nevertheless.
    pub(super) fn columns(&self, drop: &mut Vec<String>) -> Vec<String> {
        let unsigned = |name: &String| name.trim().trim_start_matches('-').to_owned();
        let mut columns: Vec<String> = self.score.iter().map(unsigned).collect();
        columns.extend(self.file.iter().flat_map(ContestantsFile::columns));
        if let Some(current) = self.current.as_ref().map(unsigned)
            && drop.contains(&current)
        {
            drop.retain(|name| *name != current);
            columns.push(current);
        }
        columns
    }

    /// The files that are read.
    pub(super) fn files(&self) -> impl Iterator<Item = String> {
        let scores = self.score_file.iter().filter_map(|text| Some(name_and_path(text).ok()?.1));
        let of_file =
            self.file.iter().flat_map(|file| &file.entries).filter_map(|e| match &e.order {
                FileOrder::Scores(path) => Some(path.clone()),
                FileOrder::Learner(_) | FileOrder::Column(_) => None,
            });
        scores.chain(of_file).chain(self.contestants.clone())
    }

    /// All who are named.
    pub(super) fn contestants(&self, data: &Dataset) -> anyhow::Result<Vec<Contestant>> {
        let mut all = self.named.clone();
        for name in &self.score {
            let score = column(data, name.trim())?;
            check_finite(data, &score)?;
            all.push(Contestant::scores(score));
        }
        for text in &self.score_file {
            let (name, path) = name_and_path(text)?;
            let (score, unknown) = read_file(&name, &path, data)?;
            unknown.iter().for_each(hints::note);
            check_finite(data, &score)?;
            all.push(Contestant::scores(score));
        }
        if let Some(file) = &self.file {
            let (contestants, notes) = file.contestants(data)?;
            hints::notes(&notes);
            all.extend(contestants);
        }
        if let Some(current) = &self.current {
            all.push(Contestant::current(data, current.trim())?);
        }
        Ok(all)
    }
}
