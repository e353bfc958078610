//! What events of an item in a list come to: sums, maxima and a count, in the order in which they were typed.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use stakes::prepare::Measure;

#[derive(Args)]
struct Flags {
    /// Cost: the sum of a column
    ///
    /// Of several sums, maxima and counts the first that is typed is the impact; the others are known only
    /// afterwards too, and left out unless --keep-outcomes is given. An event without an amount counts, with an
    /// amount of 0.
    #[arg(long, value_name = "COLUMN")]
    sum: Vec<String>,
    /// Cost: the highest value of a column
    #[arg(long, value_name = "COLUMN")]
    max: Vec<String>,
    /// Cost: the number of events
    #[arg(long)]
    count: bool,
}

/// The measures, the first typed first.
#[derive(Clone)]
pub(crate) struct MeasureArgs(pub(crate) Vec<Measure>);

impl FromArgMatches for MeasureArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Flags { sum, max, count } = Flags::from_arg_matches(matches)?;
        let places = |flag: &str| matches.indices_of(flag).into_iter().flatten();
        let sums = places("sum").zip(sum.into_iter().map(Measure::Sum));
        let maxima = places("max").zip(max.into_iter().map(Measure::Max));
        let counts = places("count").filter(|_| count).map(|place| (place, Measure::Count));
        let mut all: Vec<(usize, Measure)> = sums.chain(maxima).chain(counts).collect();
        all.sort_by_key(|(place, _)| *place);
        Ok(MeasureArgs(all.into_iter().map(|(_, measure)| measure).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for MeasureArgs {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args_for_update(command)
    }
}
