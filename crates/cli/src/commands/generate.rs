//! `stakes generate`: seeded data, the same bytes everywhere.

use clap::{Args, Subcommand, ValueEnum};
use stakes::data::{Dataset, lost_by_writing};
use stakes::io::{Format, check_targets, target_format};
use stakes::synth::{Gaussians, Oracle, Search, Storms, Tail, Theorem};

use crate::terminal::hints;
use crate::terminal::output::{note, shape, written};

/// The place in help of what all generators have: after what is their own.
const SHARED: usize = 100;

/// Generate data: the same seed gives the same bytes everywhere
#[derive(Args)]
pub(crate) struct Generate {
    #[command(subcommand)]
    what: What,
    /// Where to write (default: stdout)
    #[arg(
        short,
        long,
        global = true,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true,
        display_order = SHARED
    )]
    output: String,
    /// Format to write (default: by the extension; stdout: csv)
    ///
    /// csv, tsv, xlsx, parquet, arrow or letor.
    #[arg(long, global = true, value_name = "NAME", display_order = SHARED)]
    to: Option<Format>,
    /// Seed of all random draws
    #[arg(long, global = true, value_name = "N", default_value_t = 1, display_order = SHARED)]
    seed: u64,
}

#[derive(Subcommand)]
enum What {
    /// Storms and the networks they hit, as a power company records them
    ///
    /// Customers without power are mostly 0 and heavy-tailed; the severity of storms differs by
    /// orders of magnitude.
    Storms {
        /// Storms
        #[arg(long, value_name = "N", default_value_t = Storms::default().lists)]
        lists: usize,
        /// Networks of the company
        #[arg(long, value_name = "N", default_value_t = Storms::default().networks)]
        networks: usize,
        /// Rows in all (default: 100000, or as near as it gets)
        #[arg(long, value_name = "N")]
        rows: Option<usize>,
        /// How impacts arise
        ///
        /// hurdle: a network fails or not, then how badly. compound: many faults.
        /// tempered: as hurdle, with a heavier tail.
        #[arg(long, value_enum, value_name = "NAME", default_value_t = TailName::Hurdle)]
        tail: TailName,
        /// Add the true expected impact as a column
        ///
        /// It is what a perfect model would know.
        #[arg(long)]
        oracle: bool,
    },
    /// Web search like MSLR: 136 features, grades 0 to 4
    Search {
        /// Queries
        #[arg(long, value_name = "N", default_value_t = Search::default().lists)]
        lists: usize,
        /// Mean documents per query
        #[arg(long, value_name = "N", default_value_t = Search::default().mean_length)]
        mean_length: f64,
    },
    /// Points on which convex losses and rank statistics disagree
    Gaussians {
        /// Points
        #[arg(long, value_name = "N", default_value_t = Gaussians::default().items)]
        items: usize,
        /// The one-feature set of the failure theorem instead (6,090 points)
        #[arg(long)]
        theorem: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum TailName {
    Hurdle,
    Compound,
    Tempered,
}

impl Generate {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let to = self.to.or((self.output == "-").then_some(Format::Csv));
        let to = target_format(&self.output, to)?;
        check_targets([&self.output], [] as [&str; 0])?;
        let data = self.what.generate(self.seed)?;
        stakes::io::write(&data, &self.output, Some(to))?;
        written(&self.output);
        if self.output != "-" {
            note(format!("{} written; {}", self.output, summary(&data, to)));
            lost_by_writing(&data, to).iter().for_each(hints::note);
        }
        Ok(())
    }
}

impl What {
    fn generate(&self, seed: u64) -> anyhow::Result<Dataset> {
        Ok(match *self {
            What::Storms { lists, networks, rows, tail, oracle } => {
                let tail = match tail {
                    TailName::Hurdle => Tail::Hurdle,
                    TailName::Compound => Tail::Compound,
                    TailName::Tempered => Tail::Tempered,
                };
                let oracle = if oracle { Oracle::Column } else { Oracle::Hidden };
                let storms = Storms { lists, networks, tail, oracle, seed, ..Storms::default() }
                    .fitting_rows();
                Storms { rows: rows.unwrap_or(storms.rows), ..storms }.generate()?
            }
            What::Search { lists, mean_length } => {
                Search { lists, mean_length, seed }.generate()?
            }
            What::Gaussians { theorem: true, .. } => {
                Theorem { seed, ..Theorem::default() }.generate()?
            }
            What::Gaussians { items, .. } => {
                Gaussians { items, seed, ..Gaussians::default() }.generate()?
            }
        })
    }
}

/// The size, and the flags that read the file again.
fn summary(data: &Dataset, format: Format) -> String {
    if format == Format::Letor {
        return shape(data);
    }
    let flags: String =
        data.columns().roles().map(|(role, column)| format!(" --{role} {column}")).collect();
    format!("{}; read it with{flags}", shape(data))
}
