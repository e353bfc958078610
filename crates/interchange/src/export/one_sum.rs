//! Scores that are one link function of one sum of trees: what libraries of boosted trees can hold.
//!
//! Constant factors and the unit are folded in: a product with exp(sum) adds ln to the sum, a product with the sum
//! itself multiplies its leaves. Factors of exp multiply to exp of one sum. Everything else is a product that such
//! a format cannot hold, and is refused by name.

use stakes_model::tree::{Tree, scale_leaves};
use stakes_model::{Factor, Link, Scorer, finite_product};

/// link(start + sum of trees).
#[derive(Debug, Clone)]
pub(super) struct OneSum {
    pub(super) link: Link,
    pub(super) start: f64,
    pub(super) trees: Vec<Tree>,
    /// Whether it is the model's score to the bit, if trees are added in order.
    pub(super) exact: bool,
}

impl OneSum {
    /// The sum; or what is in its way.
    pub(super) fn of(scorer: &Scorer) -> Result<OneSum, String> {
        if let Some(factor) = scorer.factors.iter().find(|factor| factor.net.is_some()) {
            return Err(super::parts::net_words(factor));
        }
        let (constants, varying): (Vec<&Factor>, Vec<&Factor>) =
            scorer.factors.iter().partition(|factor| factor.is_constant());
        let value = |f: &Factor| f.link.apply_to_power(f.sum(&[]), f.power);
        let constant = constants.iter().fold(scorer.unit, |c, f| finite_product(c, value(f)));
        let is_power_of_2 = |c: f64| c.is_normal() && c.to_bits() << 12 == 0;
        match varying[..] {
            [] => {
                let trees = Vec::new();
                Ok(OneSum { link: Link::Identity, start: constant, trees, exact: true })
            }
            [factor] if factor.link == Link::Identity => {
                let mut trees = factor.trees.clone();
                scale_leaves(&mut trees, constant);
                let exact = is_power_of_2(constant);
                Ok(OneSum { link: factor.link, start: factor.start * constant, trees, exact })
            }
            [factor] if factor.link == Link::Logistic && factor.power != 1.0 => {
                Err(format!("its score is a probability to the power of {}", factor.power))
            }
            [factor] if factor.link == Link::Logistic && constant != 1.0 => {
                Err(format!("its score is a probability times {constant}"))
            }
            [factor] if factor.link == Link::Logistic => {
                let (start, trees) = (factor.start, factor.trees.clone());
                Ok(OneSum { link: factor.link, start, trees, exact: true })
            }
            _ if varying.iter().all(|f| f.link == Link::Exp) && constant > 0.0 => {
                let mut start = constant.ln();
                let mut trees = Vec::new();
                for factor in &varying {
                    let mut own = factor.trees.clone();
                    scale_leaves(&mut own, factor.power);
                    start += factor.power * factor.start;
                    trees.append(&mut own);
                }
                let exact = constant == 1.0 && varying.len() == 1 && varying[0].power == 1.0;
                Ok(OneSum { link: Link::Exp, start, trees, exact })
            }
            _ => {
                let words =
                    |f: &&Factor| format!("`{}` ({})", f.name, super::parts::link_name(f.link));
                let factors: Vec<String> = varying.iter().map(words).collect();
                Err(format!("its score is the product of {}", factors.join(", ")))
            }
        }
    }

    /// The trees with the constant term in the first one: the order of additions stays the same.
    pub(super) fn trees_with_start(&self) -> Vec<Tree> {
        let mut trees = self.trees.clone();
        match trees.first_mut() {
            Some(first) => first.leaves.iter_mut().for_each(|leaf| leaf.value += self.start),
            None => trees.push(Tree::constant(self.start, 0)),
        }
        trees
    }
}
