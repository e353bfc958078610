//! Cost captured when money runs out before items do: each item has a price, and the order
//! is acted on from the top until a budget is spent.
//!
//! The item that the budget reaches only in part is acted on with that chance, so the best
//! order is the one by cost per price and its value is exact (the fractional knapsack);
//! without this, the ideal would be an NP-hard knapsack and R could not be normalised.
//! With `ties=expected` tied items share what is left in proportion to their prices (the mean
//! over all orders has no closed form; where prices are equal this is it); `worst` and
//! `stable` are what they say, and `subrank` is refused.
//!
//! Example: costs (10, 6), prices (4, 2), budget 4. In the given order A = 10; the ideal is
//! the second item (3 per unit) and half of the first: 6 + 10/2 = 11.

use std::borrow::Cow;

use super::cost_sensitive::Form;
use super::{ListMetric, OnEmpty, Rule};
use crate::data::ListView;
use crate::rank::{ItemIdx, Ranking, TieRule};

pub(super) struct Budget {
    pub(super) money: f64,
    pub(super) form: Form,
    pub(super) ties: TieRule,
    pub(super) empty: OnEmpty,
}

impl Rule for Budget {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let price = list.price.unwrap_or(&[]);
        let mut prepared = BudgetList { rule: self, cost: list.cost, price, reference: 0.0 };
        let reference = match self.form {
            Form::Lift => Ranking::from_scores(&vec![0.0; list.len()]),
            _ => Ranking::from_scores(&self.ideal_scores(list)),
        };
        prepared.reference = prepared.captured(&reference, TieRule::Expected);
        Box::new(prepared)
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        let price = list.price.unwrap_or(&[]);
        list.cost.iter().zip(price).map(|(&c, &p)| per_price(c, p)).collect::<Vec<_>>().into()
    }

    fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        match list.price {
            Some(_) => Ok(()),
            None => {
                Err("a budget needs the price of each item; name its column with --price".into())
            }
        }
    }
}

/// What a unit of money saves. What is free comes first; `f64::MAX` rather than infinity
/// keeps scores finite.
fn per_price(cost: f64, price: f64) -> f64 {
    if price > 0.0 { (cost / price).min(f64::MAX) } else { f64::MAX }
}

struct BudgetList<'l> {
    rule: &'l Budget,
    cost: &'l [f64],
    price: &'l [f64],
    /// Ideal, or the mean in random order for the lift.
    reference: f64,
}

impl BudgetList<'_> {
    fn captured(&self, ranking: &Ranking, ties: TieRule) -> f64 {
        let (mut left, mut spent) = (self.rule.money, false);
        let mut captured = 0.0;
        // What is bought as one: partly, if money does not reach for the whole, and that
        // is the end of it.
        let mut buy = |items: &[ItemIdx]| {
            let price: f64 = items.iter().map(|i| self.price[i.at()]).sum();
            let cost: f64 = items.iter().map(|i| self.cost[i.at()]).sum();
            captured += match (spent, price > left) {
                (true, _) => 0.0,
                (false, true) => cost * (left / price),
                (false, false) => cost,
            };
            spent |= price > left;
            left -= price;
        };
        for block in ranking.blocks() {
            let items = &ranking.order()[block];
            match ties {
                TieRule::Expected => buy(items),
                TieRule::Stable => items.chunks(1).for_each(&mut buy),
                TieRule::Worst | TieRule::Subrank => {
                    let value = |i: &ItemIdx| per_price(self.cost[i.at()], self.price[i.at()]);
                    let mut items = items.to_vec();
                    items.sort_by(|a, b| value(a).total_cmp(&value(b)));
                    items.chunks(1).for_each(&mut buy);
                }
            }
        }
        captured
    }
}

impl ListMetric for BudgetList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let captured = self.captured(&Ranking::from_scores(scores), self.rule.ties);
        match self.rule.form {
            Form::Captured => Some(captured),
            Form::Regret => Some(self.reference - captured),
            _ if self.reference > 0.0 => Some(captured / self.reference),
            _ => self.rule.empty.fill(),
        }
    }

    fn weight(&self) -> f64 {
        match self.rule.form {
            Form::WeightedShare | Form::Lift => self.reference,
            _ => 1.0,
        }
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
        assert_eq!(value("a:budget=4", &[0.0, 0.0]), 16.0 * 4.0 / 6.0);
        assert_eq!(value("a:budget=4,ties=worst", &[0.0, 0.0]), 10.0);
        assert_eq!(value("a:budget=4,ties=stable", &[0.0, 0.0]), 10.0);
        let refused = Metric::parse("a:budget=4,ties=subrank", Scale::default()).unwrap_err();
        assert!(refused.to_string().contains("expected, worst or stable"), "{refused}");
    }
}
