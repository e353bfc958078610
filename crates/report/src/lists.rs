//! The items of each list in the model's order, as far down as the page has room for.
//!
//! Columns of items are arrays, so that a page of 300 lists stays small; a column that is not known is left out.

use std::collections::HashMap;

use serde::Serialize;
use stakes::data::Dataset;
use stakes::display::nice_number;
use stakes::model::Model;
use stakes::plan::{Planned, PlannedList};
use stakes::rank::{Because, RankLists, RankOptions, Ranked, RankedItem, Reason};
use stakes::{Error, Note};

use crate::round::six;
use crate::slider::Slider;

/// Lists whose items are shown, at most: the newest, or the last of the data.
const MOST_LISTS: usize = 300;
/// Items that are shown, at most, of all lists together.
const MOST_ITEMS: usize = 12_000;
/// Items with reasons, at most.
const MOST_REASONS: usize = 3_000;
/// Items that are shown below what the slider reaches.
const BELOW: usize = 5;
/// Reasons of an item that are shown.
pub(crate) const REASONS: usize = 3;
/// Reasons of an item that are looked at: not all of them are worth showing.
pub(crate) const LOOKED_AT: usize = 8;

/// A list and its items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListReport {
    /// Its id.
    pub list: String,
    /// When it was, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The number of its items, of which not all are shown.
    pub of: usize,
    /// How many are acted on at each position of a slider of money; empty for one of items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acted: Vec<usize>,
    /// The plan at each position of the slider, if plans were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<PlanAt>,
    /// The items that reasons compare with: those to act on with the first of the others, the others with the last of
    /// those to act on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<[String; 2]>,
    /// The items in their order.
    pub items: Items,
}

/// Items as columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Items {
    /// Ids.
    pub id: Vec<String>,
    /// Positions in the list, from 1.
    pub rank: Vec<usize>,
    /// Expected costs.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<f64>,
    /// The lower ends of what 8 of 10 such items cost.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub low: Vec<f64>,
    /// The upper ends.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub high: Vec<f64>,
    /// Expected costs of an item and all above it.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub total: Vec<f64>,
    /// The lower ends of what they cost together in 8 of 10 lists.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub total_low: Vec<f64>,
    /// The upper ends.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub total_high: Vec<f64>,
    /// Probabilities that items cost anything.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<f64>,
    /// Scores, where expected costs are not known.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub score: Vec<f64>,
    /// Prices.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub price: Vec<f64>,
    /// The costs that were observed.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<f64>,
    /// Prices of an item and all above it.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub price_total: Vec<f64>,
    /// The observed costs of an item and all above it.
    #[serde(serialize_with = "six", skip_serializing_if = "Vec::is_empty")]
    pub cost_total: Vec<f64>,
    /// Reasons in words, of the first items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

/// The plan of a list at one position of the slider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanAt {
    /// The places of the chosen items in [`Items`], from 0.
    pub chosen: Vec<usize>,
    /// What they are expected to save.
    pub expected: f64,
    /// The lower end of what they come to in 8 of 10 such lists.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What they cost to act on.
    pub spent: Option<f64>,
}

/// What lists are made of.
pub(crate) struct Source<'s> {
    pub(crate) model: &'s Model,
    pub(crate) data: &'s Dataset,
    pub(crate) options: RankOptions,
    pub(crate) slider: &'s Slider,
    /// Costs of items, if they are known.
    pub(crate) costs: Option<&'s [f64]>,
    /// Plans at each position.
    pub(crate) plans: Vec<Planned>,
}

/// The lists of the page, and how far down each is shown.
pub(crate) struct Shown {
    pub(crate) lists: Vec<ListReport>,
    pub(crate) depth: usize,
    /// Remarks of the ranking.
    pub(crate) notes: Vec<String>,
}

impl Source<'_> {
    /// Shows as many lists and items as there is room for: `share` of the usual room.
    pub(crate) fn lists(&self, share: f64) -> Result<Shown, Error> {
        let ranked = self.model.rank_with(self.data, &self.options)?;
        let places = self.shown_lists();
        let room = (MOST_ITEMS as f64 * share / places.len().max(1) as f64) as usize;
        let longest = self.data.lists().map(|items| items.len()).max().unwrap_or(0);
        let reached = self.slider.most_items().unwrap_or_else(|| self.most_acted(&ranked));
        let depth = (reached + BELOW).min(longest).min(room.max(1));
        let reasons = depth.min((MOST_REASONS as f64 * share) as usize / places.len().max(1));
        let by_list: HashMap<&str, &[RankedItem<'_>]> = ranked
            .items
            .chunk_by(|a, b| a.list == b.list)
            .map(|items| (items[0].list, items))
            .collect();
        let list = |&place: &usize| {
            let items = by_list.get(self.data.list_id(place)).copied().unwrap_or_default();
            self.list(place, items, depth, reasons)
        };
        // Of lists that the model was trained on and of columns that it does not read other parts of the page speak.
        let is_elsewhere =
            |note: &&Note| matches!(note, Note::UnreadColumns { .. } | Note::TrainedOn { .. });
        let notes = ranked.notes.iter().filter(|note| !is_elsewhere(note));
        let notes = notes.map(ToString::to_string).collect();
        Ok(Shown { lists: places.iter().map(list).collect(), depth, notes })
    }

    /// The newest lists, or the last of the data, in the order of the data.
    fn shown_lists(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.data.n_lists()).collect();
        let time = |list: &usize| self.data.first_time(*list).unwrap_or(0.0);
        places.sort_by(|a, b| time(a).total_cmp(&time(b)));
        places.split_off(places.len().saturating_sub(MOST_LISTS))
    }

    /// The most items that the last position of a slider of money pays for, in any list.
    fn most_acted(&self, ranked: &Ranked<'_>) -> usize {
        let lists = ranked.items.chunk_by(|a, b| a.list == b.list);
        lists.map(|items| self.acted(items).last().copied().unwrap_or(0)).max().unwrap_or(0)
    }

    /// How many items of a list each position of a slider of money pays for.
    fn acted(&self, items: &[RankedItem<'_>]) -> Vec<usize> {
        let order: Vec<usize> = items.iter().map(|item| item.item).collect();
        let at = |position: usize| {
            let reach = self.slider.reach(position)?;
            Some(stakes::act::Limit::new(reach, self.data).ok()?.acted_on(&order))
        };
        (0..self.slider.positions.len()).map(|position| at(position).unwrap_or(0)).collect()
    }

    fn list(
        &self,
        place: usize,
        ranked: &[RankedItem<'_>],
        depth: usize,
        reasons: usize,
    ) -> ListReport {
        let plans: Vec<&PlannedList> = self.plans.iter().map(|plan| &plan.lists[place]).collect();
        let is_planned = |item: &RankedItem<'_>| {
            plans.iter().any(|plan| plan.items.iter().any(|chosen| chosen.item == item.item))
        };
        let shown: Vec<&RankedItem<'_>> =
            (ranked.iter()).filter(|item| item.rank <= depth || is_planned(item)).collect();
        let known = |value: fn(&RankedItem<'_>) -> Option<f64>| -> Vec<f64> {
            shown.iter().map(|item| value(item)).collect::<Option<_>>().unwrap_or_default()
        };
        let of = |column: Option<&[f64]>| -> Vec<f64> {
            column.map_or_else(Vec::new, |column| {
                shown.iter().map(|item| column[item.item]).collect()
            })
        };
        let expected = known(|item| item.expected_cost.value());
        let items = Items {
            id: shown.iter().map(|item| item.id.to_string()).collect(),
            rank: shown.iter().map(|item| item.rank).collect(),
            low: known(|item| item.item_low.value()),
            high: known(|item| item.item_high.value()),
            chance: known(|item| item.chance.value()),
            total: known(|item| item.running_total.value()),
            total_low: known(|item| item.total_low.value()),
            total_high: known(|item| item.total_high.value()),
            score: if expected.is_empty() { known(|item| Some(item.score)) } else { Vec::new() },
            expected,
            price_total: running(&of(self.data.price())),
            cost_total: running(&of(self.costs)),
            price: of(self.data.price()),
            cost: of(self.costs),
            because: (shown.iter().take(reasons))
                .map_while(|item| item.because.as_ref().map(in_words))
                .collect(),
        };
        let acted = ranked.iter().take_while(|item| item.act).count();
        let against = (0 < acted && acted < ranked.len() && !items.because.is_empty())
            .then(|| [ranked[acted].id.to_string(), ranked[acted - 1].id.to_string()]);
        let at = |item: usize| shown.iter().position(|shown| shown.item == item);
        ListReport {
            list: self.data.list_id(place).to_owned(),
            time: self.data.time().map(|time| time.text(self.data.items(place).start).to_owned()),
            of: ranked.len(),
            acted: match self.slider.most_items() {
                Some(_) => Vec::new(),
                None if !plans.is_empty() => Vec::new(),
                None => self.acted(ranked),
            },
            plans: plans
                .iter()
                .map(|plan| PlanAt {
                    chosen: plan.items.iter().filter_map(|chosen| at(chosen.item)).collect(),
                    expected: plan.expected,
                    low: plan.forecast.map(|forecast| forecast.total_low),
                    high: plan.forecast.map(|forecast| forecast.total_high),
                    spent: plan.spent,
                })
                .collect(),
            against,
            items,
        }
    }
}

/// Sums of the first 1, 2, ... numbers.
fn running(numbers: &[f64]) -> Vec<f64> {
    let mut total = 0.0;
    numbers
        .iter()
        .map(|number| {
            total += number;
            total
        })
        .collect()
}

/// `wind 31.2 instead of 14 (+340), age 40 instead of 12 (-27)`: the reasons that weigh most.
pub(crate) fn in_words(because: &Because) -> String {
    words_of(because, |_| true)
}

/// The same, of reasons that lower the item.
pub(crate) fn lowered(because: &Because) -> String {
    words_of(because, |reason| reason.adds < 0.0)
}

/// Values that are equal are left out: they differ only in what other features make of them.
fn words_of(because: &Because, shown: impl Fn(&Reason) -> bool) -> String {
    let compared = because.against.is_some();
    let differs =
        |reason: &&Reason| !compared || reason.value.to_string() != reason.other.to_string();
    let reasons =
        because.because.iter().filter(differs).filter(|reason| shown(reason)).take(REASONS);
    let reasons = reasons.map(|reason| {
        let adds = reason.adds_cost.unwrap_or(reason.adds);
        let sign = if adds > 0.0 { "+" } else { "" };
        let other = if compared { format!(" instead of {}", reason.other) } else { String::new() };
        format!("{} {}{other} ({sign}{})", reason.feature, reason.value, nice_number(adds))
    });
    reasons.collect::<Vec<_>>().join(", ")
}
