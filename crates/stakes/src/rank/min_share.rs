//! Rankings in which every prefix holds a minimum share of groups, and what that gives up.

use std::str::FromStr;

use stakes_core::act::Limit;
use stakes_core::cost::Capacity;
use stakes_core::data::Dataset;
use stakes_fair::{GroupLimit, MinShare, constrained, with_min_shares};
use stakes_model::Model;

use super::expected::Costs;
use super::{RankOptions, RankedItem};
use crate::column_groups::members;
use crate::{Error, Note};

/// A minimum share of the items with one value of a column: `sex=F:0.4`.
#[derive(Debug, Clone, PartialEq)]
pub struct MinShareOf {
    /// The column.
    pub column: String,
    /// The value.
    pub value: String,
    /// The share of every prefix, above 0 and below 1.
    pub share: f64,
    /// The significance of a test of the share; without it the share itself is needed.
    pub significance: Option<f64>,
}

impl FromStr for MinShareOf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad =
            || format!("`{text}` is not a share; allowed is COLUMN=VALUE:SHARE, such as sex=F:0.4");
        let (column, rest) = text.split_once('=').ok_or_else(bad)?;
        let (value, share) = rest.rsplit_once(':').ok_or_else(bad)?;
        let share: f64 = match share.trim().strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().map_err(|_| bad())? / 100.0,
            None => share.trim().parse().map_err(|_| bad())?,
        };
        if !(share > 0.0 && share < 1.0) {
            return Err(format!(
                "the share of `{text}` is {share}; it must be above 0 and below 1"
            ));
        }
        Ok(MinShareOf {
            column: column.trim().to_owned(),
            value: value.trim().to_owned(),
            share,
            significance: None,
        })
    }
}

/// Puts the items of each list into an order that keeps to shares and limits, and says what that gives up.
///
/// One share is kept at every place of the list, by the greedy rule, which is exact for it. Several, or limits, are
/// kept among the items to act on, by the order of these that is expected to save most.
pub(super) fn apply(
    model: &Model,
    data: &Dataset,
    options: &RankOptions,
    limit: Limit<'_>,
    lists: &mut [Vec<RankedItem<'_>>],
) -> Result<Note, Error> {
    let rules = Rules::new(data, options)?;
    let expected = |lists: &[Vec<RankedItem<'_>>]| -> Option<f64> {
        let acted_on = lists.iter().flatten().filter(|item| item.act);
        acted_on.map(|item| item.expected_cost.value()).sum()
    };
    let costs = Costs::of(model, super::totals_of(model), limit);
    let before = expected(lists);
    let mut moved = 0;
    for list in &mut *lists {
        let order = rules.order(model, limit, list)?;
        moved += order.iter().enumerate().filter(|(new, old)| new != *old).count();
        let items: Vec<usize> = order.iter().map(|&place| list[place].item).collect();
        let acted_on = limit.acted_on(&items);
        let old = std::mem::take(list);
        let mut by_place: Vec<Option<RankedItem<'_>>> = old.into_iter().map(Some).collect();
        list.extend(order.iter().filter_map(|&place| by_place[place].take()));
        for (place, item) in list.iter_mut().enumerate() {
            item.rank = place + 1;
            item.act = place < acted_on;
        }
        costs.iter().for_each(|costs| costs.add(list));
    }
    let after = expected(lists);
    Ok(Note::MinShare { moved, expected: before.zip(after) })
}

/// Shares and limits, each with the items that it is about.
struct Rules {
    shares: Vec<(Vec<bool>, MinShare)>,
    at_most: Vec<(Vec<bool>, usize)>,
}

impl Rules {
    fn new(data: &Dataset, options: &RankOptions) -> Result<Self, Error> {
        let share = |of: &MinShareOf| {
            let members = members(data, &of.column, &of.value)?;
            let share = MinShare { share: of.share, significance: of.significance };
            Ok((is_member(data, members), share))
        };
        let shares = options.min_shares.iter().map(share).collect::<Result<_, Error>>()?;
        let mut at_most = Vec::new();
        for limit in &options.at_most {
            let groups = limit.groups(data)?;
            let most = |(_, items)| (is_member(data, items), limit.number);
            at_most.extend(groups.into_iter().map(most));
        }
        Ok(Rules { shares, at_most })
    }

    /// The new order of a list, by the present places.
    fn order(
        &self,
        model: &Model,
        limit: Limit<'_>,
        list: &[RankedItem<'_>],
    ) -> Result<Vec<usize>, Error> {
        let of_list = |members: &Vec<bool>| -> Vec<bool> {
            list.iter().map(|item| members[item.item]).collect()
        };
        if let ([(members, share)], []) = (&self.shares[..], &self.at_most[..]) {
            let places: Vec<usize> = (0..list.len()).collect();
            return Ok(with_min_shares(&places, &[(&of_list(members)[..], *share)]));
        }
        let Limit::Items(k) = limit else { return Err(Error::GroupsUnderBudget) };
        let k = k.min(list.len());
        let shares: Vec<Vec<bool>> = self.shares.iter().map(|(of, _)| of_list(of)).collect();
        let most: Vec<Vec<bool>> = self.at_most.iter().map(|(of, _)| of_list(of)).collect();
        let needs = self.shares.iter().zip(&shares).map(|((_, share), members)| GroupLimit {
            members,
            at_least: share.needs(k),
            at_most: None,
        });
        let caps = self.at_most.iter().zip(&most).map(|((_, number), members)| GroupLimit {
            members,
            at_least: Vec::new(),
            at_most: Some(*number),
        });
        let limits: Vec<GroupLimit<'_>> = needs.chain(caps).collect();
        let value = |item: &RankedItem<'_>| item.expected_cost.value().unwrap_or(item.score);
        let values: Vec<f64> = list.iter().map(value).collect();
        let discounts = model.goal.policy.probabilities(Capacity::Items(k), k);
        Ok(constrained(&values, &discounts, &limits)?.order)
    }
}

/// Of every item whether it is one of these.
fn is_member(data: &Dataset, items: Vec<usize>) -> Vec<bool> {
    let mut is_member = vec![false; data.len()];
    items.into_iter().for_each(|item| is_member[item] = true);
    is_member
}
