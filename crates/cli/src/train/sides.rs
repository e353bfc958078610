//! The lists to learn from and the lists to judge by.

use anyhow::{Context, bail};
use clap::Args;
use stakes::cost::{CostModel, Problem};
use stakes::data::{Dataset, FeatureKind};
use stakes::learn::multiclass::Classes;
use stakes::split::HoldOut;

use super::remarks;
use crate::args::DataArgs;
use crate::output::{counted, note};

#[derive(Args)]
#[command(next_help_heading = "Lists to judge by")]
pub(crate) struct SideArgs {
    /// Another file with lists that are not learnt from: they tell when to stop and how good
    /// the model is. Read as the data is
    #[arg(long, value_name = "FILE", conflicts_with = "hold_out")]
    valid: Option<String>,
    /// Lists of the data to hold out for that: a percentage or share (20%, 0.2), a number of
    /// lists, or none. Drawn by list id; with --time the latest. Default: 20%, if at least 5
    /// lists have something to save; none with the learner auto, which has folds
    #[arg(long, value_name = "PART")]
    hold_out: Option<HoldOut>,
}

/// What is held out when nothing is said, and the lists it takes to do so.
const DEFAULT: HoldOut = HoldOut::Share(0.2);
const ENOUGH: usize = 5;

/// The data on both sides.
pub(crate) struct Sides {
    pub(crate) train: Dataset,
    pub(crate) valid: Option<Dataset>,
    /// How the lists to judge by were chosen, in words; empty if they were given.
    pub(crate) origin: String,
}

impl SideArgs {
    pub(crate) fn divide(
        &self,
        data: Dataset,
        args: &DataArgs,
        model: &CostModel,
        seed: u64,
        (blends, classes): (bool, Option<&Classes>),
    ) -> anyhow::Result<Sides> {
        if let Some(path) = &self.valid {
            if *path == args.data {
                bail!("--valid is {path}, which is learnt from; give other lists, or --hold-out");
            }
            let valid = read_like(&data, path, args, model, classes)?;
            if classes.is_none() {
                remarks::shared_lists(&data, &valid);
            }
            return Ok(Sides { train: data, valid: Some(valid), origin: String::new() });
        }
        let useful = useful(&data, model)?;
        let n = useful.iter().filter(|&&useful| useful).count();
        let default = || match n {
            // The learner will say what is wrong.
            0 => HoldOut::None,
            // Folds of the lists do both.
            _ if blends => HoldOut::None,
            1..ENOUGH => {
                let lists = counted(n, "list");
                note(format!(
                    "only {lists} with something to save: none is held out (--hold-out PART, or \
                     --valid FILE)"
                ));
                HoldOut::None
            }
            _ => DEFAULT,
        };
        let hold_out = self.hold_out.unwrap_or_else(default);
        let sides = hold_out.divide(&data, &useful, seed)?;
        if sides.held_out.is_empty() {
            return Ok(Sides { train: data, valid: None, origin: String::new() });
        }
        let origin = match sides.by_time {
            true => "held out, the latest",
            false => "held out, drawn by list id",
        };
        Ok(Sides {
            train: data.take_lists(&sides.kept),
            valid: Some(data.take_lists(&sides.held_out)),
            origin: origin.into(),
        })
    }
}

/// Which lists have something to save.
fn useful(data: &Dataset, model: &CostModel) -> anyhow::Result<Vec<bool>> {
    let problem = Problem::new(data, model)?;
    let saves = |list| problem.list(list).cost.iter().any(|&cost| cost > 0.0);
    Ok((0..data.n_lists()).map(saves).collect())
}

/// Reads another file as the training data were read: the same roles, the same kinds of
/// features, the same codes.
fn read_like(
    data: &Dataset,
    path: &str,
    args: &DataArgs,
    model: &CostModel,
    classes: Option<&Classes>,
) -> anyhow::Result<Dataset> {
    let mut args = DataArgs { data: path.to_owned(), ..args.clone() };
    let (numeric, categorical): (Vec<_>, Vec<_>) =
        data.feature_info().iter().partition(|f| f.kind == FeatureKind::Numeric);
    // Names that look like numbers in this file alone are still names.
    let there = stakes::io::columns(path, args.format).unwrap_or_default();
    // What is to be left out need not be there.
    args.roles.drop.retain(|name| there.is_empty() || there.contains(name));
    for name in categorical.iter().map(|f| &f.name).filter(|name| there.contains(name)) {
        if !args.roles.categorical.contains(name) {
            args.roles.categorical.push(name.clone());
        }
    }
    let mut other = args.read(model.columns(), model.columns())?;
    if args.is_letor(&there) {
        other = other.with_zero_features(numeric.iter().map(|f| f.name.as_str()));
    }
    let known = |name: &str| data.feature_info().iter().any(|f| f.name == name);
    let new = other.feature_info().iter().filter(|f| !known(&f.name)).count();
    if new > 0 {
        let new = counted(new, "column");
        note(format!("{path}: {new} that {} does not have left out", data.source()));
    }
    if let Some(classes) = classes {
        other = classes.candidates(&other, true)?;
    }
    remarks::unknown_categories(data, &other);
    other.with_features_of(data).context("--valid")
}
