//! Cost captured when money runs out before items do: each item has a price, and the order
//! is acted on from the top until a budget is spent.
//!
//! The item that the budget reaches only in part is acted on with that chance, so the best
//! order is the one by cost per price and its value is exact (the fractional knapsack);
//! without this, the ideal would be an NP-hard knapsack and R could not be normalised.
//! Tied items share what is left in proportion to their prices.
//!
//! Example: costs (10, 6), prices (4, 2), budget 4. In the given order A = 10; the ideal is
//! the second item (3 per unit) and half of the first: 6 + 10/2 = 11.

use std::borrow::Cow;

use super::cost_sensitive::Form;
use super::{ListMetric, OnEmpty, Rule};
use crate::data::ListView;
use crate::rank::Ranking;

pub(super) struct Budget {
    pub(super) money: f64,
    pub(super) form: Form,
    pub(super) empty: OnEmpty,
}

impl Rule for Budget {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let price = list.price.unwrap_or(&[]);
        let mut prepared = BudgetList { rule: self, cost: list.cost, price, reference: 0.0 };
        prepared.reference = match self.form {
            Form::Lift => prepared.captured(&vec![0.0; list.len()]),
            _ => prepared.captured(&self.ideal_scores(list)),
        };
        Box::new(prepared)
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        let price = list.price.unwrap_or(&[]);
        // What is free comes first; f64::MAX rather than infinity keeps scores finite.
        let per_price =
            |(&c, &p): (&f64, &f64)| if p > 0.0 { (c / p).min(f64::MAX) } else { f64::MAX };
        list.cost.iter().zip(price).map(per_price).collect::<Vec<_>>().into()
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

struct BudgetList<'l> {
    rule: &'l Budget,
    cost: &'l [f64],
    price: &'l [f64],
    /// Ideal, or the mean in random order for the lift.
    reference: f64,
}

impl BudgetList<'_> {
    fn captured(&self, scores: &[f64]) -> f64 {
        let ranking = Ranking::from_scores(scores);
        let mut left = self.rule.money;
        let mut captured = 0.0;
        for block in ranking.blocks() {
            let items = &ranking.order()[block];
            let price: f64 = items.iter().map(|i| self.price[i.at()]).sum();
            let cost: f64 = items.iter().map(|i| self.cost[i.at()]).sum();
            if price > left {
                return captured + cost * (left / price);
            }
            left -= price;
            captured += cost;
        }
        captured
    }
}

impl ListMetric for BudgetList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let captured = self.captured(scores);
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
