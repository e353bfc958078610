//! `stakes generate`: seeded data, the same bytes everywhere.

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use stakes::data::{Dataset, lost_by_writing};
use stakes::io::{Format, check_targets, target_format};
use stakes::synth::{Gaussians, Oracle, Search, Storms, Tail, Theorem};

use crate::terminal::hints;
use crate::terminal::output::{counted, note, shape, written};

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
        /// Files of about as many queries each: search.parquet becomes search-1.parquet, search-2.parquet ...
        ///
        /// They are written one after the other, so that memory need hold one of them only.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        parts: Option<u32>,
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
        if let What::Search { lists, mean_length, parts: Some(parts) } = self.what {
            let search = Search { lists, mean_length, seed: self.seed };
            return in_parts(&search, parts as usize, &self.output, to);
        }
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
            What::Search { lists, mean_length, .. } => {
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

/// Writes some of the lists into each of several files.
fn in_parts(search: &Search, parts: usize, output: &str, to: Format) -> anyhow::Result<()> {
    let lists = search.lists;
    if output == "-" {
        bail!("--parts writes files: name them (-o search.parquet)");
    }
    if parts > lists {
        bail!("--parts is {parts}, but there are {lists} lists; give at most as many parts");
    }
    let (stem, ending) = output.rsplit_once('.').unwrap_or((output, ""));
    let (dot, digits) = (if ending.is_empty() { "" } else { "." }, parts.to_string().len());
    let file = |part: &str| format!("{stem}-{part}{dot}{ending}");
    let (mut rows, mut flags) = (0, String::new());
    for part in 0..parts {
        let data = search.generate_lists(part * lists / parts..(part + 1) * lists / parts)?;
        let path = file(&format!("{:0digits$}", part + 1));
        stakes::io::write(&data, &path, Some(to))?;
        written(&path);
        (rows, flags) = (rows + data.len(), reading_flags(&data, to));
    }
    let (all, rows, lists) = (file("*"), counted(rows, "item"), counted(lists, "list"));
    note(format!("{all} written: {rows} in {lists}, {parts} files; read them as '{all}'{flags}"));
    Ok(())
}

/// The size, and the flags that read the file again.
fn summary(data: &Dataset, format: Format) -> String {
    match reading_flags(data, format) {
        flags if flags.is_empty() => shape(data),
        flags => format!("{}; read it with{flags}", shape(data)),
    }
}

/// The flags that read a file again; none where it says itself what its columns are.
fn reading_flags(data: &Dataset, format: Format) -> String {
    if format == Format::Letor {
        return String::new();
    }
    data.columns().roles().map(|(role, column)| format!(" --{role} {column}")).collect()
}
