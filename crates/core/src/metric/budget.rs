//! Cost captured under a budget: each item has a price, and items are acted on from the top
//! until the budget is spent.
//!
//! The item that the budget covers only in part is acted on with that probability, so the best
//! order is the one by cost per price and its value is exact (the fractional knapsack);
//! otherwise the ideal would be an NP-hard knapsack and R could not be normalised.
//! The mean over the orders of tied items has no closed form here, so tied items are taken in
//! their worst order unless `ties=stable`, and there is no lift over a random order.
//!
//! Example: costs (10, 6), prices (4, 2), budget 4. In the given order A = 10; the ideal is
//! the second item (3 per unit) and half of the first: 6 + 10/2 = 11.

use std::borrow::Cow;

use super::cost_sensitive::Form;
use super::{ListMetric, OnEmpty, Rule, Spending};
use crate::data::ListView;
use crate::rank::{ItemIdx, Ranking, TieRule};

/// Why a budget cannot be spent on items without prices.
pub(crate) const NO_PRICE: &str =
    "a budget needs the price of each item; name the column that holds it";

pub(super) struct Budget {
    pub(super) money: f64,
    pub(super) form: Form,
    pub(super) ties: TieRule,
    pub(super) empty: OnEmpty,
}

impl Rule for Budget {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let price = list.price.unwrap_or(&[]);
        let mut prepared = BudgetList { rule: self, cost: list.cost, price, ideal: 0.0 };
        prepared.ideal = prepared.captured(&Ranking::from_scores(&self.ideal_scores(list)));
        Box::new(prepared)
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        let price = list.price.unwrap_or(&[]);
        list.cost.iter().zip(price).map(|(&c, &p)| per_price(c, p)).collect::<Vec<_>>().into()
    }

    fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        match list.price {
            Some(_) => Ok(()),
            None => Err(NO_PRICE.into()),
        }
    }
}

/// What is saved per unit of money: money is best spent on the items with the most. Free items come
/// first, whatever they save; `f64::MAX` rather than infinity keeps scores finite.
pub fn per_price(cost: f64, price: f64) -> f64 {
    // What is not known stays so.
    let known = price > 0.0 || cost.is_nan();
    if known { (cost / price).clamp(f64::MIN, f64::MAX) } else { f64::MAX }
}

struct BudgetList<'l> {
    rule: &'l Budget,
    cost: &'l [f64],
    price: &'l [f64],
    ideal: f64,
}

impl BudgetList<'_> {
    fn captured(&self, ranking: &Ranking) -> f64 {
        let mut left = self.rule.money;
        let mut captured = 0.0;
        for block in ranking.blocks() {
            let mut items = ranking.order()[block].to_vec();
            if self.rule.ties == TieRule::Worst {
                let value = |i: &ItemIdx| per_price(self.cost[i.at()], self.price[i.at()]);
                items.sort_by(|a, b| value(a).total_cmp(&value(b)));
            }
            for item in items {
                let (cost, price) = (self.cost[item.at()], self.price[item.at()]);
                if price > left {
                    return captured + cost * (left / price);
                }
                left -= price;
                captured += cost;
            }
        }
        captured
    }
}

impl ListMetric for BudgetList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let captured = self.captured(&Ranking::from_scores(scores));
        match self.rule.form {
            Form::Captured => Some(captured),
            Form::Regret => Some(self.ideal - captured),
            _ if self.ideal > 0.0 => Some(captured / self.ideal),
            _ => self.rule.empty.fill(),
        }
    }

    fn weight(&self) -> f64 {
        match self.rule.form {
            Form::WeightedShare => self.ideal,
            _ => 1.0,
        }
    }

    fn spending(&self) -> Option<Spending<'_>> {
        let scale = match self.rule.form {
            Form::Captured | Form::Regret | Form::Lift => 1.0,
            Form::Share | Form::WeightedShare if self.ideal > 0.0 => 1.0 / self.ideal,
            Form::Share | Form::WeightedShare => 0.0,
        };
        Some(Spending { cost: self.cost, price: self.price, money: self.rule.money, scale })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Metric, Scale};
    use crate::data::ListView;

    #[test]
    fn the_example_of_the_head_and_ties_by_name() {
        let list = ListView { price: Some(&[4.0, 2.0]), ..ListView::of_impact(&[10.0, 6.0]) };
        let value = |spec: &str, scores: &[f64]| {
            let metric = Metric::parse(spec, Scale::default()).unwrap();
            metric.prepare(&list).of_scores(scores).unwrap()
        };
        assert_eq!(value("a:budget=4", &[2.0, 1.0]), 10.0);
        assert_eq!(value("a:budget=4", &[1.0, 2.0]), 11.0);
        assert_eq!(value("r:budget=4", &[2.0, 1.0]), 10.0 / 11.0);
        assert_eq!(value("a:budget=4", &[0.0, 0.0]), 10.0);
        assert_eq!(value("a:budget=4,ties=stable", &[0.0, 0.0]), 10.0);
        assert_eq!(value("a:budget=2,ties=stable", &[0.0, 0.0]), 5.0);
        let name = |spec: &str| Metric::parse(spec, Scale::default()).map(|m| m.name());
        assert_eq!(name("a:budget=4").unwrap(), "a:budget=4,ties=worst");
        for refused in
            ["a:budget=4,ties=subrank", "a:budget=4,ties=expected", "lift:budget=4", "a@2:budget=4"]
        {
            assert!(name(refused).is_err(), "{refused}");
        }
    }
}
