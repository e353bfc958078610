//! Which items of a ranked list are acted on.
//!
//! Example: prices 3, 4, 2 in the order of the ranking and a budget of 6: the first item is
//! affordable, the second would exceed the budget, and nothing below it is bought instead. A plan
//! follows the ranking.

use crate::cost::Capacity;
use crate::data::Dataset;
use crate::goal::Reach;
use crate::metric::NO_PRICE;

/// A reach that cannot be applied to the data.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReachError {
    /// A budget without prices.
    #[error("{0}: {NO_PRICE}")]
    NoPrice(String),
    /// Nothing can be bought for this.
    #[error("the budget is {0}; it must be a finite number above 0")]
    Budget(f64),
}

/// A reach in the terms of one data set.
#[derive(Debug, Clone, Copy)]
pub enum Limit<'d> {
    /// This many items of every list.
    Items(usize),
    /// This much money in every list, and the price of every item.
    Money(f64, &'d [f64]),
}

impl<'d> Limit<'d> {
    /// Percentages are taken of the mean list length. Of a range of capacities the largest
    /// counts: plans are made for it.
    pub fn new(reach: Reach, data: &'d Dataset) -> Result<Self, ReachError> {
        match reach {
            Reach::Money(money) if !(money > 0.0 && money.is_finite()) => {
                Err(ReachError::Budget(money))
            }
            Reach::Money(money) => match data.price() {
                Some(price) => Ok(Limit::Money(money, price)),
                None => Err(ReachError::NoPrice(data.source().to_owned())),
            },
            Reach::Items(capacity) => {
                Ok(Limit::Items(match capacity.resolve(data.mean_list_length()) {
                    Capacity::Items(k) | Capacity::Range(_, k) => k,
                    Capacity::All | Capacity::Percent(_) => data.len(),
                }))
            }
        }
    }

    /// How many items of a list are acted on, given its items in the order of the ranking.
    pub fn acted_on(&self, ranked: &[usize]) -> usize {
        match *self {
            Limit::Items(k) => k.min(ranked.len()),
            Limit::Money(money, price) => {
                let mut spent = 0.0;
                let affordable = ranked.iter().take_while(|&&item| {
                    spent += price[item];
                    spent <= money
                });
                affordable.count()
            }
        }
    }
}
