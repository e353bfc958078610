//! `stakes rank`: which items of new lists to act on, and in which order.

mod because;
mod classes;
mod columns;
mod expected;
mod write;

use anyhow::bail;
use clap::Args;
use stakes::act::Limit;
use stakes::cost::Capacity;
use stakes::data::Dataset;
use stakes::goal::Reach;
use stakes::learn::Model;
use stakes::learn::multiclass::Classes;
use stakes::rank::Ranking;

use crate::args::DataArgs;
use crate::output::{note, watched};
use because::{Because, Reasons};
pub(crate) use columns::{counted_categories, read, read_known, remark};
use expected::Outlook;
use write::Target;

/// Rank the items of new lists by a model, and say which to act on
///
/// Columns: list, rank, id, score, act (yes or no); items of a list by rank, lists in the
/// order of the file. Equal scores keep the order of the file. If the model was calibrated (it
/// is when lists were held out), there follow the item's expected_cost, the low and high end of
/// what it may be in the mean (about 9 of 10 such intervals are right), and running_total, the expected
/// cost of this and all items above; with --explain, because. Columns play the parts that they
/// had in training, unless others are named; the impact need not be there.
///
/// A model of classes (stakes train --task multiclass) tells the class of each row: row, rank,
/// class, score, and its chance if the model was calibrated; with --top 3 the three likeliest.
#[derive(Args)]
pub(crate) struct Rank {
    /// The model (stakes train)
    model: String,

    #[command(flatten)]
    data: DataArgs,

    /// How many items of a list can be acted on: 10, or 12.5% (of the mean list length,
    /// rounded up). Default: the model's
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    k: Option<Capacity>,
    /// Money to spend in each list instead of a number of items (needs a price column)
    #[arg(long, value_name = "MONEY", conflicts_with = "k", allow_negative_numbers = true)]
    budget: Option<f64>,
    /// Only the first N items of each list
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Only this list
    #[arg(long, value_name = "NAME")]
    list_id: Option<String>,
    /// Say why: up to N features that set each item apart from the one at the cut-off (for items
    /// to act on the first that is not, for the others the last that is; where there is none,
    /// the mean of the list), and by how much of the score
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    explain: Option<u16>,
    /// Where to write: .csv, .tsv, .json, or .txt for the scores alone, a line per row of the
    /// data (for stakes evaluate --score-file); - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,
    /// Format to write, if the name does not tell (stdout: csv): csv, tsv, json, scores, or
    /// expected for the expected costs alone, a line per row of the data
    #[arg(long, value_name = "NAME")]
    to: Option<Target>,
}

/// One line of the result.
#[derive(serde::Serialize)]
pub(crate) struct Placed<'a> {
    list: &'a str,
    rank: usize,
    id: std::borrow::Cow<'a, str>,
    score: f64,
    act: bool,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    outlook: Option<Outlook>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    because: Option<Because<'a>>,
    /// Its number in the data.
    #[serde(skip)]
    item: usize,
}

impl Rank {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let target = Target::of(&self.output, self.to)?;
        if self.output != "-" && [&self.model, &self.data.data].contains(&&self.output) {
            bail!("{}: the ranking would take the place of what it is made from", self.output);
        }
        let alone = matches!(target, Target::Scores | Target::Expected);
        if alone && (self.top.is_some() || self.list_id.is_some()) {
            bail!("scores alone are written for every row; --top and --list-id leave some out");
        }
        if alone && self.explain.is_some() {
            bail!("scores alone leave no room for reasons; --explain goes with csv, tsv and json");
        }
        let model = crate::model::read(&self.model)?;
        if self.explain.is_some() {
            crate::explain::check_stages(&self.model, &model)?;
        }
        if target == Target::Expected {
            expected::check(&self.model, &model)?;
        }
        let reach = self.reach(&model)?;
        let data = columns::read(&self.data, &model, matches!(reach, Reach::Money(_)))?;
        let classes = Classes::of_model(&model);
        if let Some(classes) = &classes {
            return self.tell_classes(&model, classes, &data, target);
        }
        remark(&model, &data)?;
        let scores = model.score(&data)?;
        let limit = Limit::new(reach, &data)?;
        let lists = self.lists(&data)?;
        let text = match target {
            Target::Scores => write::scores(&data, &scores),
            Target::Expected => write::scores(&data, &expected::means(&model, &scores)),
            target => {
                let lists = lists.into_iter();
                let mut lists: Vec<Vec<Placed<'_>>> =
                    lists.map(|list| placed(&data, &scores, list, limit)).collect();
                lists.iter_mut().for_each(|list| expected::add(list, &model));
                let shown = self.top.unwrap_or(usize::MAX);
                if let Some(most) = self.explain {
                    watched(|say| {
                        say("explaining");
                        let reasons = Reasons::new(&model, &data, most.into())?;
                        reasons.explain(&mut lists, shown);
                        anyhow::Ok(())
                    })?;
                }
                lists.iter_mut().for_each(|list| list.truncate(shown));
                let placed: Vec<Placed<'_>> = lists.into_iter().flatten().collect();
                write::placed(&placed, target)?
            }
        };
        stakes::io::write_text(&self.output, &text)?;
        Ok(())
    }

    /// The classes of rows, the likeliest first.
    fn tell_classes(
        &self,
        model: &Model,
        classes: &Classes,
        rows: &Dataset,
        target: Target,
    ) -> anyhow::Result<()> {
        if matches!(target, Target::Scores | Target::Expected) {
            bail!("classes are written as csv, tsv or json; scores alone do not tell them apart");
        }
        if self.k.is_some() || self.budget.is_some() {
            bail!("{} tells classes; how many are shown says --top", self.model);
        }
        let data = classes.candidates(rows, false)?;
        remark(model, &data)?;
        let scores = model.score(&data)?;
        classes::tell_accuracy(classes, rows, &scores);
        let lists = self.lists(&data)?.into_iter();
        let mut lists: Vec<Vec<Placed<'_>>> =
            lists.map(|list| placed(&data, &scores, list, Limit::Items(1))).collect();
        for placed in lists.iter_mut().flatten() {
            placed.id = classes.names[placed.item % classes.names.len()].as_str().into();
        }
        lists.iter_mut().for_each(|list| expected::add(list, model));
        let shown = self.top.unwrap_or(1);
        if let Some(most) = self.explain {
            Reasons::new(model, &data, most.into())?.explain(&mut lists, shown);
        }
        lists.iter_mut().for_each(|list| list.truncate(shown));
        let placed: Vec<Placed<'_>> = lists.into_iter().flatten().collect();
        stakes::io::write_text(&self.output, &classes::written(&placed, target)?)?;
        Ok(())
    }

    /// How far down a list actions reach: as asked, or as in training.
    fn reach(&self, model: &Model) -> anyhow::Result<Reach> {
        match (self.budget, self.k) {
            (Some(money), _) if !(money > 0.0 && money.is_finite()) => {
                bail!("--budget is {money}; it must be a finite number above 0")
            }
            (Some(money), _) => Ok(Reach::Money(money)),
            (None, Some(k)) => Ok(k.into()),
            (None, None) => Ok(model.goal.reach),
        }
    }

    /// The lists that are asked for.
    fn lists(&self, data: &Dataset) -> anyhow::Result<Vec<usize>> {
        let all = 0..data.n_lists();
        let Some(name) = &self.list_id else { return Ok(all.collect()) };
        let ids = all.clone().map(|list| data.list_id(list));
        match ids.clone().position(|id| id == name) {
            Some(list) => Ok(vec![list]),
            None => {
                let hint = stakes::suggest::hint(name, ids);
                bail!("{}: there is no list `{name}`; {hint}", data.source())
            }
        }
    }
}

/// The items of a list in their order.
fn placed<'a>(data: &'a Dataset, scores: &[f64], list: usize, limit: Limit<'_>) -> Vec<Placed<'a>> {
    let items = data.items(list);
    let ranking = Ranking::from_scores(&scores[items.clone()]);
    let order: Vec<usize> = ranking.order().iter().map(|item| items.start + item.at()).collect();
    let acted_on = limit.acted_on(&order);
    (1..)
        .zip(order)
        .map(|(rank, item)| {
            let id =
                data.item_id(item).map_or_else(|| data.line(item).to_string().into(), Into::into);
            let (list, score, act) = (data.list_id(list), scores[item], rank <= acted_on);
            Placed { list, rank, id, score, act, outlook: None, because: None, item }
        })
        .collect()
}

/// What will not be used, in one line.
pub(crate) fn tell(what: &str, names: &[String]) {
    const SHOWN: usize = 8;
    if names.is_empty() {
        return;
    }
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    let shown = names[..names.len().min(SHOWN)].join(", ");
    note(format!("{what}: {shown}{more}"));
}
