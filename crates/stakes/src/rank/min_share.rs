//! Rankings in which every prefix holds a minimum share of groups, and what that gives up.

use std::str::FromStr;

use stakes_core::act::Limit;
use stakes_core::data::Dataset;
use stakes_fair::{MinShare, with_min_shares};
use stakes_model::Model;

use super::RankedItem;
use super::expected::Costs;
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

/// Puts the items of each list into an order that keeps the shares, and says what that gives up.
pub(super) fn apply(
    model: &Model,
    data: &Dataset,
    shares: &[MinShareOf],
    limit: Limit<'_>,
    lists: &mut [Vec<RankedItem<'_>>],
) -> Result<Note, Error> {
    let members =
        shares.iter().map(|share| is_member(data, share)).collect::<Result<Vec<_>, _>>()?;
    let expected = |lists: &[Vec<RankedItem<'_>>]| -> Option<f64> {
        let acted_on = lists.iter().flatten().filter(|item| item.act);
        acted_on.map(|item| item.expected_cost.value()).sum()
    };
    let costs = Costs::of(model, limit);
    let before = expected(lists);
    let mut moved = 0;
    for list in &mut *lists {
        let of_list: Vec<Vec<bool>> = members
            .iter()
            .map(|members| list.iter().map(|item| members[item.item]).collect())
            .collect();
        let rules: Vec<(&[bool], MinShare)> = of_list
            .iter()
            .zip(shares)
            .map(|(members, of)| {
                (&members[..], MinShare { share: of.share, significance: of.significance })
            })
            .collect();
        let places: Vec<usize> = (0..list.len()).collect();
        let order = with_min_shares(&places, &rules);
        moved += order.iter().zip(&places).filter(|(new, old)| new != old).count();
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

/// Which items have the value.
fn is_member(data: &Dataset, share: &MinShareOf) -> Result<Vec<bool>, Error> {
    let mut is_member = vec![false; data.len()];
    let members = members(data, &share.column, &share.value)?;
    members.into_iter().for_each(|item| is_member[item] = true);
    Ok(is_member)
}
