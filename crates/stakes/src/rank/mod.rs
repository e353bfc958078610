//! Which items of new lists to act on, in which order, and why.
//!
//! ```
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! # let model = Fit::with("ridge")?.fit(&storms, &Goal::act_on(3))?;
//! let options = RankOptions { reach: Some(2.into()), reasons: 1, ..RankOptions::default() };
//! let ranked = model.rank_with(&storms, &options)?;
//! assert!(ranked.to_act_on().count() <= 2 * storms.n_lists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module also has the building blocks of orders, such as [`Ranking`] and [`TieRule`].

mod because;
mod expected;
mod kept;
mod min_share;
mod table;
mod total;

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use stakes_core::act::Limit;
use stakes_core::data::{Dataset, Role};
use stakes_core::goal::Reach;
pub use stakes_core::rank::*;
use stakes_core::suggest;
use stakes_model::calibration::Totals;
use stakes_model::{Calibration, MatchedColumns, Model};

pub use because::{Because, Reason};
pub use expected::ExpectedCost;
pub use kept::{Keep, KeptColumns, KeptRow};
pub use min_share::MinShareOf;
pub use table::{COST_COLUMNS, CostColumn};
pub use total::ListTotal;

pub(crate) use self::because::Reasons;
use self::expected::Costs;
pub(crate) use self::table::Table;
use crate::per_group::PerGroup;
use crate::scoring::{self, PreparedModel, Scored, SeenLists};
use crate::{Error, Note, Task, data};

/// Which items to rank, and what to report about them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RankOptions {
    /// How far down a list actions reach; by default as in training.
    pub reach: Option<Reach>,
    /// Rank only the list with this id.
    pub list: Option<String>,
    /// Report only this many items from the top of each list.
    pub top: Option<usize>,
    /// The maximum number of reasons for the position of an item; 0 for none.
    pub reasons: usize,
    /// Shares of groups that every prefix of a list holds at least.
    pub min_shares: Vec<MinShareOf>,
    /// How lists that the model was trained on are scored; with reasons always by the model itself.
    pub seen: SeenLists,
    /// The most items of groups among those to act on in each list.
    pub at_most: Vec<PerGroup>,
}

/// Adds `rank` to models.
pub trait RankLists {
    /// Ranks the items of each list, and marks those to act on as in training.
    fn rank<'a>(&self, data: &'a Dataset) -> Result<Ranked<'a>, Error> {
        self.rank_with(data, &RankOptions::default())
    }

    /// Ranks the items of each list, with another reach, or with reasons.
    fn rank_with<'a>(&self, data: &'a Dataset, options: &RankOptions) -> Result<Ranked<'a>, Error>;
}

/// The items of all lists, within each list by descending score, or, where money is spent and scores are in
/// proportion to costs, by descending score per price. Lists are in the order of the data.
///
/// As JSON it is the array of its items.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<'a> {
    /// The items, list after list.
    pub items: Vec<RankedItem<'a>>,
    /// What should be known about the data.
    pub notes: Vec<Note>,
}

/// An item in its position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankedItem<'a> {
    /// The id of its list.
    pub list: &'a str,
    /// Its position in the list, from 1.
    pub rank: usize,
    /// Its id, or its line in the file if items have no ids.
    pub id: Cow<'a, str>,
    /// Its score.
    pub score: f64,
    /// Whether to act on it.
    pub act: bool,
    /// Its expected cost.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub expected_cost: ExpectedCost,
    /// The lower end of the interval of its expected cost.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub low: ExpectedCost,
    /// The upper end of the interval of its expected cost.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub high: ExpectedCost,
    /// The expected cost of this item and all above it in the list.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub running_total: ExpectedCost,
    /// The lower end of what this item and all above it cost together in 8 of 10 lists.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub total_low: ExpectedCost,
    /// The upper end of what this item and all above it cost together in 8 of 10 lists.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub total_high: ExpectedCost,
    /// The probability that it costs anything.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub chance: ExpectedCost,
    /// The lower end of what 8 of 10 such items cost.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub item_low: ExpectedCost,
    /// The upper end of what 8 of 10 such items cost.
    #[serde(skip_serializing_if = "ExpectedCost::is_unknown")]
    pub item_high: ExpectedCost,
    /// Columns of the data file, if they are kept ([`Ranked::keep`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<KeptRow<'a>>,
    /// The reasons for its position, if they are asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// Its index in the data.
    #[serde(skip)]
    pub item: usize,
}

impl<'a> Ranked<'a> {
    /// The items to act on, list after list.
    pub fn to_act_on(&self) -> impl Iterator<Item = &RankedItem<'a>> {
        self.items.iter().filter(|item| item.act)
    }
}

impl Serialize for Ranked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

impl RankLists for Model {
    fn rank_with<'a>(&self, data: &'a Dataset, options: &RankOptions) -> Result<Ranked<'a>, Error> {
        options.check(self)?;
        let matched = self.match_columns(data)?;
        let scored = scoring::score_matched(self, data, &matched, options.seen());
        options.rank(self, totals_of(self), data, &matched, scored)
    }
}

impl RankLists for PreparedModel {
    fn rank_with<'a>(&self, data: &'a Dataset, options: &RankOptions) -> Result<Ranked<'a>, Error> {
        options.check(self.model())?;
        let totals = self.totals().map(Cow::Borrowed);
        let matched = self.model().match_columns(data)?;
        let scored = self.score_matched(data, &matched, options.seen());
        options.rank(self.model(), totals, data, &matched, scored)
    }
}

impl RankOptions {
    /// Refuses what a model cannot do.
    fn check(&self, model: &Model) -> Result<(), Error> {
        if Task::of(model) != Task::Rank {
            return Err(Error::ClassModel);
        }
        if self.reasons > 0 && model.rerank.is_some() {
            return Err(Error::TwoStages);
        }
        Ok(())
    }

    /// How lists of the training are scored: reasons are those of the model itself.
    fn seen(&self) -> SeenLists {
        if self.reasons > 0 { SeenLists::Fitted } else { self.seen }
    }

    /// Ranks the items by these scores.
    fn rank<'a>(
        &self,
        model: &Model,
        totals: Option<Cow<'_, Totals>>,
        data: &'a Dataset,
        matched: &MatchedColumns,
        scored: Scored,
    ) -> Result<Ranked<'a>, Error> {
        let seen = Note::trained_on("the model", data, scored.trained_on);
        let mut notes: Vec<Note> = seen.into_iter().collect();
        notes.extend(data::notes_on_matched(model, data, matched));
        let scores = scored.values;
        let reach = self.reach.unwrap_or(model.goal.reach);
        let limit = Limit::new(reach, data)?;
        if let (Limit::Money(..), Some(price)) = (limit, data.columns().role(Role::Price)) {
            notes.push(Note::Money { price: price.to_owned(), per_price: model.scores_costs });
        }
        let order =
            Order { priorities: &model.priorities(scores.clone(), data, reach), scores: &scores };
        let mut lists = in_order(model, totals, data, order, limit, self.list.as_deref())?;
        if !self.min_shares.is_empty() || !self.at_most.is_empty() {
            notes.push(min_share::apply(model, data, self, limit, &mut lists)?);
        }
        finish(model, data, &mut lists, self.top.unwrap_or(usize::MAX), self.reasons)?;
        Ok(Ranked { items: lists.into_iter().flatten().collect(), notes })
    }
}

/// What the calibration of a model knows of items together, if there is one.
pub(crate) fn totals_of(model: &Model) -> Option<Cow<'_, Totals>> {
    model.calibration.as_ref().and_then(Calibration::totals).map(Cow::Owned)
}

/// The scores of items, and what they are ranked by ([`Model::priorities`]).
#[derive(Clone, Copy)]
pub(crate) struct Order<'s> {
    pub(crate) scores: &'s [f64],
    pub(crate) priorities: &'s [f64],
}

/// The lists that are asked for, each in its order, with expected costs.
pub(crate) fn in_order<'a>(
    model: &Model,
    totals: Option<Cow<'_, Totals>>,
    data: &'a Dataset,
    order: Order<'_>,
    limit: Limit<'_>,
    only: Option<&str>,
) -> Result<Vec<Vec<RankedItem<'a>>>, Error> {
    let lists = match only {
        Some(name) => vec![find_list(data, name)?],
        None => (0..data.n_lists()).collect(),
    };
    let mut lists: Vec<Vec<RankedItem<'a>>> =
        lists.into_iter().map(|list| list_in_order(data, order, list, limit)).collect();
    if let Some(costs) = Costs::of(model, totals, limit) {
        lists.iter_mut().for_each(|list| costs.add(list));
    }
    Ok(lists)
}

/// Adds reasons and keeps the first `top` items of each list.
pub(crate) fn finish(
    model: &Model,
    data: &Dataset,
    lists: &mut [Vec<RankedItem<'_>>],
    top: usize,
    reasons: usize,
) -> Result<(), Error> {
    if reasons > 0 {
        Reasons::new(model, data, reasons)?.explain(lists, top);
    }
    lists.iter_mut().for_each(|list| list.truncate(top));
    Ok(())
}

fn find_list(data: &Dataset, name: &str) -> Result<usize, Error> {
    let ids = || (0..data.n_lists()).map(|list| data.list_id(list));
    ids().position(|id| id == name).ok_or_else(|| Error::UnknownList {
        data: data.source().to_owned(),
        list: name.to_owned(),
        hint: suggest::hint(name, ids()),
    })
}

/// The items of a list, the highest priority first.
pub fn items_in_order(data: &Dataset, priorities: &[f64], list: usize) -> Vec<usize> {
    let items = data.items(list);
    let ranking = Ranking::from_scores(&priorities[items.clone()]);
    ranking.order().iter().map(|item| items.start + item.at()).collect()
}

fn list_in_order<'a>(
    data: &'a Dataset,
    Order { scores, priorities }: Order<'_>,
    list: usize,
    limit: Limit<'_>,
) -> Vec<RankedItem<'a>> {
    let order = items_in_order(data, priorities, list);
    let acted_on = limit.acted_on(&order);
    (1..)
        .zip(order)
        .map(|(rank, item)| RankedItem {
            list: data.list_id(list),
            rank,
            id: data.item_id(item).map_or_else(|| data.line(item).to_string().into(), Into::into),
            score: scores[item],
            act: rank <= acted_on,
            expected_cost: ExpectedCost::default(),
            low: ExpectedCost::default(),
            high: ExpectedCost::default(),
            running_total: ExpectedCost::default(),
            total_low: ExpectedCost::default(),
            total_high: ExpectedCost::default(),
            chance: ExpectedCost::default(),
            item_low: ExpectedCost::default(),
            item_high: ExpectedCost::default(),
            columns: None,
            because: None,
            item,
        })
        .collect()
}

/// Returns the expected cost for each score, if the model is calibrated.
pub fn expected_costs(model: &Model, scores: &[f64]) -> Option<Vec<f64>> {
    let calibration = model.calibration.as_ref()?;
    Some(scores.iter().map(|&score| calibration.expected(score).mean).collect())
}
