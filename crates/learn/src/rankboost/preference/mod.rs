//! Group-preferred weak rankers (Salomon 2020, section 2.2.5, after Zafar et al. 2017): in each round every group
//! takes a weak ranker of its own, and they enter together.
//!
//! The benefit of a weak ranker h for the group z is B_z(h) = sum over members a and others b of the same list of
//! h(a) - h(b). With s' the steepest slope of the loss of any weak ranker, the one that RankBoost would take, every
//! group takes, among those with a slope of at least (1 - preference) s', the one of the largest benefit for it (of
//! several the steepest). So no group has a smaller benefit than of RankBoost's own choice, and every one lowers the
//! loss (with preference = 1: or leaves it as it is); with preference = 0 all groups take that. A weak ranker that several groups take enters once.
//!
//! A benefit is a sum over items, (n - m) for a member and -m for any other in a list of n with m members, so one
//! tally finds it for all weak rankers, as it does for slopes. A weak ranker may be turned around (1 - h).
//!
//! Example (Salomon 2020, observation 3; tests below): Tories, Labour and Liberal Democrats each prefer a weak ranker of their
//! own; of their common weight the larger group has most.

mod learner;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

pub use learner::{PreferenceRankBoost, Preferences, TiedPairs, Together};

use super::alpha::{Ties, known, step};
use super::booster::{add, check_pairs, outputs, stump};
use super::costs::PairCosts;
use super::distribution::{Column, Distribution, Masses};
use super::feedback::Feedback;
use super::listed::Listed;
use super::losses::TrainingLosses;
use super::search::{Search, Tally};
use super::weak::{WeakRanker, weight_of};
use crate::error::FitError;
use crate::prepared::{Prepared, Scores};
use crate::run::NextTree;
use crate::tree::Tree;
use stakes_model::Ended;

/// The slope of the loss below which a weak ranker is taken for useless.
const MIN_EDGE: f64 = 1e-12;

/// A weak ranker, as it is or turned around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Oriented {
    weak: WeakRanker,
    turned: bool,
}

/// What the groups take in a round: weak rankers, each with the groups that take it.
type Choices = Vec<(Oriented, Vec<usize>)>;

/// How groups choose.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'p> {
    pub(crate) prepared: &'p Prepared<'p>,
    pub(crate) feedback: &'p Feedback,
    pub(crate) costs: &'p PairCosts,
    pub(crate) ties: Ties,
    pub(crate) preference: f64,
    /// Whether the weak rankers of a round have one weight.
    pub(crate) together: bool,
}

/// A weak ranker that waits for its turn: trees come one by one.
struct Waiting {
    oriented: Oriented,
    column: Column,
    weight: f64,
    /// The decrease of the logarithm of the loss; of weak rankers that enter together in equal parts.
    gain: f64,
    groups: Vec<usize>,
}

/// Boosting after some rounds.
pub(crate) struct Preference<'p> {
    plan: Plan<'p>,
    search: Search<'p>,
    /// The benefits of weak rankers by group.
    benefits: Vec<Tally>,
    names: Vec<String>,
    distribution: Listed<'p>,
    smoothing: f64,
    queue: VecDeque<Waiting>,
    losses: TrainingLosses<'p>,
    /// The weight of each group so far.
    weights: Vec<f64>,
    /// R1, R2 and the share of the weight of each group, after each tree.
    curves: Vec<Vec<f64>>,
}

impl<'p> Preference<'p> {
    /// Prepares the first round. Data without groups have one, which takes what RankBoost would.
    pub(crate) fn new(plan: Plan<'p>) -> Result<Self, FitError> {
        let training = &plan.prepared.training;
        check_pairs(plan.feedback, "preference-rankboost")?;
        let search = Search::new(&training.matrix, &plan.prepared.binning, None);
        let (benefits, names) = match training.data.groups() {
            Some((codes, names)) => {
                let of_group = |group| benefit_of_items(plan.prepared, codes, group);
                let tallies = (0..names.len() as u32).map(|group| search.tally(&of_group(group)));
                (tallies.collect(), names.to_vec())
            }
            None => (Vec::new(), Vec::new()),
        };
        Ok(Preference {
            distribution: Listed::new(plan.feedback, plan.costs),
            smoothing: 1.0 / plan.feedback.pairs().max(1) as f64,
            queue: VecDeque::new(),
            losses: TrainingLosses::new(plan.feedback, plan.costs, false),
            weights: vec![0.0; names.len()],
            curves: vec![Vec::new(); 2 + names.len()],
            search,
            benefits,
            names,
            plan,
        })
    }

    /// Returns what the groups take.
    fn choose(&self) -> Option<Choices> {
        let tally = self.search.tally(self.distribution.potentials());
        let (weak, difference) = self.search.best(&tally, |_| true)?;
        let steepest = difference.abs();
        if steepest <= MIN_EDGE {
            return None;
        }
        let mut choices: Choices = Vec::new();
        if self.benefits.is_empty() {
            choices.push((Oriented { weak, turned: difference < 0.0 }, Vec::new()));
        }
        // Rounding must not shut out what is as steep as needed.
        let least = (1.0 - self.plan.preference) * steepest - MIN_EDGE;
        for (group, benefits) in self.benefits.iter().enumerate() {
            let (weak, turned) = self.search.preferred(&tally, benefits, least)?;
            let oriented = Oriented { weak, turned };
            match choices.iter_mut().find(|(other, _)| *other == oriented) {
                Some((_, groups)) => groups.push(group),
                None => choices.push((oriented, vec![group])),
            }
        }
        Some(choices)
    }

    /// The outputs of a weak ranker by place, turned as it is.
    fn column(&self, oriented: Oriented) -> Column {
        let output = outputs(oriented.weak, &self.plan.prepared.training.matrix, None);
        let turn = u8::from(oriented.turned);
        self.plan.feedback.by_place(&output).iter().map(|output| output ^ turn).collect()
    }

    /// Returns the weak rankers of the next round with their weights; those without weight are left out.
    fn round(&self) -> Option<Vec<Waiting>> {
        let choices = self.choose()?;
        let columns: Vec<Column> = choices.iter().map(|(one, _)| self.column(*one)).collect();
        let Plan { ties, together, .. } = self.plan;
        let common = together.then(|| {
            let masses = self.distribution.by_difference(&sum_of(&columns), columns.len());
            masses.weight(self.smoothing, ties)
        });
        let weight = |column: &Column| {
            let own = || step(&self.distribution.masses(column), 0.0, self.smoothing, ties).alpha;
            common.unwrap_or_else(own)
        };
        let rankers = choices.into_iter().zip(columns).map(|((oriented, groups), column)| {
            Waiting { oriented, weight: weight(&column), column, groups, gain: 0.0 }
        });
        let rankers: Vec<Waiting> = rankers.filter(|one| one.weight.abs() > MIN_EDGE).collect();
        (!rankers.is_empty()).then_some(rankers)
    }

    /// Changes the distribution by the weak rankers of a round, and lets them wait for their turns.
    fn take(&mut self, mut round: Vec<Waiting>) {
        if self.plan.together {
            let columns: Vec<Column> = round.iter().map(|one| one.column.clone()).collect();
            let sum = sum_of(&columns);
            let masses = self.distribution.by_difference(&sum, columns.len());
            let (factors, z) = masses.factors(round[0].weight, self.plan.ties);
            self.distribution.multiply(&sum, &factors, z);
            round.iter_mut().for_each(|one| one.gain = -z.ln() / columns.len() as f64);
        } else {
            for one in &mut round {
                one.gain = self.apply(&one.column, one.weight);
            }
        }
        self.queue.extend(round);
    }

    /// Changes the distribution by a weak ranker of known weight; returns the decrease of the logarithm of the loss.
    fn apply(&mut self, column: &Column, alpha: f64) -> f64 {
        let masses: Masses = self.distribution.masses(column);
        let step = known(alpha, 0.0, self.plan.ties);
        self.distribution.update(column, step, &masses);
        -step.z(&masses).ln()
    }

    /// Notes the losses and the shares of groups after a weak ranker.
    fn note(&mut self, column: &Column, weight: f64, groups: &[usize]) {
        self.losses.add(column, weight);
        for &group in groups {
            self.weights[group] += weight.abs() / groups.len() as f64;
        }
        let (r1, r2) = self.losses.rank_losses();
        let all: f64 = self.weights.iter().sum();
        let shares = self.weights.iter().map(|weight| if all > 0.0 { weight / all } else { 0.0 });
        let values: Vec<f64> = [r1, r2].into_iter().chain(shares).collect();
        self.curves.iter_mut().zip(values).for_each(|(curve, value)| curve.push(value));
    }
}

/// The sum of the outputs of weak rankers.
fn sum_of(columns: &[Column]) -> Column {
    let mut sum = vec![0; columns.first().map_or(0, Vec::len)];
    for column in columns {
        sum.iter_mut().zip(column).for_each(|(sum, output)| *sum += output);
    }
    sum
}

/// The benefit of a group by item: of any weak ranker it is the sum over the items for which the output is 1.
fn benefit_of_items(prepared: &Prepared<'_>, codes: &[u32], group: u32) -> Vec<f64> {
    let lists = &prepared.training.lists;
    let is_member = |item: usize| codes[lists.rows()[item] as usize] == group;
    let mut benefits = vec![0.0; lists.n_items()];
    for list in 0..lists.len() {
        let items = lists.items(list);
        let members = items.clone().filter(|&item| is_member(item)).count() as f64;
        let others = items.len() as f64 - members;
        for item in items {
            benefits[item] = if is_member(item) { others } else { -members };
        }
    }
    benefits
}

impl NextTree for Preference<'_> {
    /// Rounds that these trees came from are made again; trees of other origin count by themselves.
    fn resume(&mut self, trees: &[Tree]) {
        let Prepared { training, binning, .. } = self.plan.prepared;
        let mut rest = trees;
        while let Some(tree) = rest.first() {
            let weak = |tree: &Tree| WeakRanker::of_tree(tree, binning, None);
            let matches = |(one, tree): (&Waiting, &Tree)| {
                let turned = weight_of(tree) < 0.0;
                weak(tree) == Some(one.oriented.weak) && turned == one.oriented.turned
            };
            let again = self.round().filter(|round| round.iter().zip(rest).all(matches));
            let Some(round) = again else {
                let output = training.scores_after(binning, &[super::unweighted(tree)], 0.0);
                let output = self.plan.feedback.by_place(&output);
                let column: Column = output.iter().map(|one| u8::from(*one != 0.0)).collect();
                self.apply(&column, weight_of(tree));
                self.note(&column, weight_of(tree), &[]);
                rest = &rest[1..];
                continue;
            };
            self.take(round);
            // What is left of the round waits for its turns.
            while !rest.is_empty() {
                let Some(waiting) = self.queue.pop_front() else { break };
                self.note(&waiting.column, waiting.weight, &waiting.groups);
                rest = &rest[1..];
            }
        }
    }

    fn next(&mut self, _round: u64, scores: &mut Scores) -> Result<Vec<Tree>, Ended> {
        if self.queue.is_empty() {
            let round = self.round().ok_or(Ended::NothingLeft)?;
            self.take(round);
        }
        let Waiting { oriented, column, weight, gain, groups } =
            self.queue.pop_front().ok_or(Ended::NothingLeft)?;
        self.note(&column, weight, &groups);
        let Oriented { weak, turned } = oriented;
        let alpha = if turned { -weight } else { weight };
        let prepared = self.plan.prepared;
        add(&mut scores.training, &outputs(weak, &prepared.training.matrix, None), alpha);
        if let Some(validation) = &prepared.validation {
            add(&mut scores.validation, &outputs(weak, &validation.matrix, None), alpha);
        }
        Ok(vec![stump(weak, prepared, None, alpha, gain)])
    }

    fn also(&self, rounds: usize) -> Vec<(String, Vec<f64>)> {
        let last = |curve: &Vec<f64>| curve[curve.len() - rounds.min(curve.len())..].to_vec();
        let shares = self.names.iter().map(|name| format!("share of the weight of {name}"));
        let names = ["R1 on training pairs", "R2 on training pairs"].map(str::to_owned);
        names.into_iter().chain(shares).zip(self.curves.iter().map(last)).collect()
    }
}
