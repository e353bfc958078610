//! `stakes reproduce`: does this software do what the papers say?

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use stakes::experiment::Outcome;
use stakes::experiment::reproduce::{Paper, ReproduceOptions, Reproduced, document, reproduce};
use stakes::io::check_targets;

use crate::args::Watch;
use crate::terminal::interrupt;
use crate::terminal::output::{self, note, print_json, print_page};

/// The word for every paper.
const ALL: &str = "all";

/// Make the papers' experiments again, their numbers beside ours
///
/// Papers: furnkranz, mcbride, he, salomon, rudin, or all. Each follows the protocol of the paper on public data,
/// with the learners as the paper has them (stakes train --as-in-paper) and our defaults beside them. Every table
/// has the printed number, ours and the difference; claims are counted. With --run, finished trainings are kept
/// and the same command goes on after an interruption.
#[derive(Args)]
pub(crate) struct Reproduce {
    /// furnkranz, mcbride, he, salomon, rudin, all
    #[arg(value_name = "PAPER")]
    paper: String,
    /// The folder of the public data sets (default: STAKES_DATA)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keep finished trainings in this directory and go on
    #[arg(long, value_name = "DIR")]
    run: Option<String>,
    /// A small part of the work, to see that everything runs
    ///
    /// One fold or split in place of all, small generated data, short searches: figures then say little.
    #[arg(long)]
    quick: bool,
    /// Seconds of each exact search of rudin (default: 10)
    #[arg(long, value_name = "SECONDS", conflicts_with = "quick")]
    time_limit: Option<f64>,
    /// Seed of all random draws (default: 0)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Write a Markdown document, and its pictures beside it
    #[arg(long, value_name = "FILE")]
    markdown: Option<String>,
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let papers = match self.paper.as_str() {
            ALL => Paper::ALL.to_vec(),
            name => vec![name.parse()?],
        };
        self.check(&papers)?;
        let defaults = ReproduceOptions::new(&self.data(&papers)?);
        let options = ReproduceOptions {
            run: self.run.clone(),
            quick: self.quick,
            time_limit: self.time_limit.unwrap_or(defaults.time_limit),
            seed: self.seed.unwrap_or(defaults.seed),
            ..defaults
        };
        let mut all = Vec::new();
        for paper in papers {
            let mut watch = Watch::new("reproduce", None);
            match interrupt::during(|| reproduce(paper, &options, Some(&mut watch)))? {
                Outcome::Finished(found) => all.push(*found),
                Outcome::Interrupted { .. } => {
                    drop(watch);
                    self.interrupted(paper);
                    return Ok(());
                }
            }
        }
        if let Some(path) = &self.markdown {
            write_markdown(path, &all)?;
        }
        if self.json {
            return print_json(&all);
        }
        let mut page = output::page();
        for found in &all {
            found.write(&mut page);
            page.gap();
        }
        print_page(page)
    }

    /// Refuses what cannot be written, and options that these papers have no use for.
    fn check(&self, papers: &[Paper]) -> anyhow::Result<()> {
        if let Some(path) = &self.markdown {
            picture_folder(path)?;
            check_targets([path], [] as [&str; 0])?;
        }
        if let Some(limit) = self.time_limit {
            if !(limit > 0.0 && limit.is_finite()) {
                bail!("--time-limit is {limit}; it must be more than 0");
            }
            if !papers.iter().any(|paper| paper.has_searches()) {
                bail!("{} has no exact searches; leave out --time-limit", self.paper);
            }
        }
        let of_training = [
            ("--run", self.run.is_some()),
            ("--quick", self.quick),
            ("--seed", self.seed.is_some()),
        ];
        for (option, is_given) in of_training {
            if is_given && !papers.iter().any(|paper| paper.is_trained()) {
                bail!(
                    "{} trains nothing, its examples are computed at once; leave out {option}",
                    self.paper
                );
            }
        }
        Ok(())
    }

    fn data(&self, papers: &[Paper]) -> anyhow::Result<PathBuf> {
        let is_needed = papers.iter().any(|paper| paper.needs_data());
        let folder =
            self.data.clone().or_else(|| std::env::var_os("STAKES_DATA").map(PathBuf::from));
        match folder {
            Some(folder) if folder.is_dir() || !is_needed => Ok(folder),
            Some(folder) => bail!("{}: there is no such folder of public data", folder.display()),
            None if !is_needed => Ok(PathBuf::new()),
            None => {
                bail!("the public data are needed; name their folder with --data or STAKES_DATA")
            }
        }
    }

    fn interrupted(&self, paper: Paper) {
        note(match &self.run {
            Some(run) => format!(
                "interrupted: what is finished of {paper} is in {run}; the same command goes on from there"
            ),
            None => "interrupted: what was finished is lost; --run DIR keeps it".to_owned(),
        });
    }
}

/// The folder of a document's pictures: beside it, and called like it.
fn picture_folder(path: &str) -> anyhow::Result<&str> {
    let Some(stem) = path.strip_suffix(".md") else {
        bail!("--markdown is {path}; a Markdown document is called .md");
    };
    Ok(stem)
}

/// Writes the document and its pictures.
fn write_markdown(path: &str, all: &[Reproduced]) -> anyhow::Result<()> {
    let stem = picture_folder(path)?;
    let name = std::path::Path::new(stem).file_name().map(|name| name.to_string_lossy());
    output::write_text(path, &document(all, &name.unwrap_or_default()))?;
    for picture in all.iter().flat_map(|found| &found.pictures) {
        std::fs::create_dir_all(stem)?;
        output::write_text(&format!("{stem}/{}.svg", picture.name), &picture.svg)?;
    }
    Ok(())
}
