//! The boosting rounds: select a weak ranker, compute its weight, update the distribution.

use std::collections::{HashMap, HashSet};

use super::alpha::{Ties, known, slope, step};
use super::costs::PairCosts;
use super::distribution::{Column, Distribution};
use super::factored::Factored;
use super::feedback::Feedback;
use super::independent::Independent;
use super::listed::Listed;
use super::losses::TrainingLosses;
use super::search::{Search, Tally};
use super::weak::{Counts, StumpStats, WeakRanker, unweighted, weight_of};
use crate::error::FitError;
use crate::prepared::{Prepared, Scores};
use crate::run::NextTree;
use crate::tree::{BinnedMatrix, Tree};
use stakes_model::Ended;

/// The maximum number of pairs that are stored, with 8 bytes each.
const MAX_PAIRS: usize = 100_000_000;

/// The slope of the loss below which a weak ranker is taken for useless.
const MIN_EDGE: f64 = 1e-12;

/// When pair costs are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Costing {
    Before,
    /// Spread over this number of rounds.
    During(usize),
    After,
}

/// The data and options of boosting.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'p> {
    pub(crate) prepared: &'p Prepared<'p>,
    pub(crate) feedback: &'p Feedback,
    pub(crate) costs: &'p PairCosts,
    pub(crate) costing: Costing,
    pub(crate) ties: Ties,
    /// The feature that holds the class in multiclass tasks.
    pub(crate) class: Option<usize>,
}

/// A weak ranker of RankBoost+ and its weight.
struct Member {
    /// `None` if it comes from a model trained on other data and does not fit these bins.
    weak: Option<WeakRanker>,
    column: Column,
    /// The weights in the selecting distribution, and in that of the final weights.
    weight: [f64; 2],
}

/// RankBoost or RankBoost+ after some rounds.
pub(crate) struct Booster<'p> {
    plan: Plan<'p>,
    search: Search<'p>,
    smoothing: f64,
    /// The distribution by which weak rankers are selected.
    choosing: Box<dyn Distribution + 'p>,
    /// The distribution with all costs from the start, if `choosing` is not that.
    costed: Option<Box<dyn Distribution + 'p>>,
    /// The members and the next four fields are used by RankBoost+ only.
    members: Vec<Member>,
    numbers: HashMap<WeakRanker, usize>,
    /// The outputs of the members at each place, eight members per byte.
    packed: Vec<Vec<u8>>,
    independent: Independent,
    redundant: HashSet<WeakRanker>,
    losses: TrainingLosses<'p>,
    /// The losses after each round, by name.
    curves: Vec<(&'static str, Vec<f64>)>,
}

/// The weak ranker selected in a round.
struct Choice {
    weak: Option<WeakRanker>,
    column: Column,
    member: Option<usize>,
}

impl<'p> Booster<'p> {
    /// Prepares the first round.
    pub(crate) fn new(plan: Plan<'p>) -> Result<Self, FitError> {
        let training = &plan.prepared.training;
        let with_costs = || distribution(&plan, plan.costs, None);
        let (choosing, costed) = match plan.costing {
            Costing::Before => (with_costs()?, None),
            _ if plan.costs.is_uniform() => (with_costs()?, None),
            Costing::During(rounds) => {
                (distribution(&plan, &PairCosts::uniform(), Some(rounds))?, Some(with_costs()?))
            }
            Costing::After => {
                (distribution(&plan, &PairCosts::uniform(), None)?, Some(with_costs()?))
            }
        };
        let is_plus = plan.ties == Ties::Half;
        let names: &[&str] = if is_plus { &["R1", "R2", "E1", "E2"] } else { &["R1", "R2", "E1"] };
        Ok(Booster {
            search: Search::new(&training.matrix, &plan.prepared.binning, plan.class),
            smoothing: 1.0 / plan.feedback.pairs().max(1) as f64,
            choosing,
            costed,
            members: Vec::new(),
            numbers: HashMap::new(),
            packed: Vec::new(),
            independent: Independent::default(),
            redundant: HashSet::new(),
            losses: TrainingLosses::new(plan.feedback, plan.costs, is_plus),
            curves: names.iter().map(|name| (*name, Vec::new())).collect(),
            plan,
        })
    }

    /// The VC dimension of the weak rankers (an upper bound).
    pub(crate) fn dimension(&self) -> u32 {
        self.search.dimension()
    }

    /// Returns the rank loss R2 on training pairs after this number of weak rankers; 1/2 for none.
    pub(crate) fn rank_loss_after(&self, rankers: usize) -> f64 {
        let curve = self.curves.iter().find(|(name, _)| *name == "R2").map(|(_, curve)| curve);
        curve.zip(rankers.checked_sub(1)).map_or(0.5, |(curve, last)| curve[last])
    }

    /// Selects the weak ranker of the round.
    fn choose(&mut self) -> Option<Choice> {
        let tally = self.search.tally(self.choosing.potentials());
        if self.plan.ties != Ties::Half {
            let (weak, difference) = self.search.best(&tally, |_| true)?;
            let choice = Choice { weak: Some(weak), column: self.column(weak), member: None };
            return (difference.abs() > MIN_EDGE).then_some(choice);
        }
        let again = self.best_member();
        loop {
            let best = again.map_or(MIN_EDGE, |(_, slope)| slope);
            match self.best_new(&tally).filter(|(_, slope)| *slope > best) {
                Some((weak, _)) => {
                    let column = self.column(weak);
                    if self.independent.insert(&column, &self.plan.feedback.lists) {
                        return Some(Choice { weak: Some(weak), column, member: None });
                    }
                    self.redundant.insert(weak);
                }
                None => {
                    let (number, _) = again.filter(|(_, slope)| *slope > MIN_EDGE)?;
                    let Member { weak, column, .. } = &self.members[number];
                    let (weak, column) = (*weak, column.clone());
                    return Some(Choice { weak, column, member: Some(number) });
                }
            }
        }
    }

    /// Returns the new weak ranker with the steepest fall of the loss, and the slope.
    fn best_new(&self, tally: &Tally) -> Option<(WeakRanker, f64)> {
        let is_new =
            |weak: &WeakRanker| !self.numbers.contains_key(weak) && !self.redundant.contains(weak);
        self.search.best(tally, is_new).map(|(weak, difference)| (weak, difference.abs()))
    }

    /// Returns the member with the steepest fall of the loss, and the slope.
    fn best_member(&self) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        let potentials = self.plan.feedback.by_place(self.choosing.potentials());
        let tied = self.packed.iter().flat_map(|output| self.choosing.tied(output));
        for (number, (member, tied)) in self.members.iter().zip(tied).enumerate() {
            let output = potentials.iter().zip(&member.column).filter(|(_, output)| **output != 0);
            let difference = output.map(|(potential, _)| potential).sum();
            let slope = slope(difference, tied, member.weight[0]).abs();
            if member.weak.is_some() && best.is_none_or(|(_, largest)| slope > largest) {
                best = Some((number, slope));
            }
        }
        best
    }

    /// Returns the outputs of a weak ranker by place.
    fn column(&self, weak: WeakRanker) -> Column {
        let output = outputs(weak, &self.plan.prepared.training.matrix, self.plan.class);
        self.plan.feedback.by_place(&output)
    }

    /// Adds a weak ranker with a known weight or the best one. Returns the weight and the decrease
    /// of the logarithm of the loss.
    fn add_ranker(&mut self, choice: Choice, known_weight: Option<f64>) -> (f64, f64) {
        let Choice { weak, column, member } = choice;
        let ties = self.plan.ties;
        let number = match member {
            Some(number) => Some(number),
            None if ties == Ties::Half => Some(self.add_member(weak, column.clone())),
            None => None,
        };
        let weights = number.map_or([0.0; 2], |number| self.members[number].weight);
        let smoothing = self.smoothing;
        let apply = |distribution: &mut dyn Distribution, already, weight: Option<f64>| {
            let masses = distribution.masses(&column);
            let step = match weight {
                Some(alpha) => known(alpha, already, ties),
                None => step(&masses, already, smoothing, ties),
            };
            distribution.update(&column, step, &masses);
            (step.alpha, -step.z(&masses).ln())
        };
        // Without a separate distribution with costs, the selecting one has the final weights.
        let after = self.plan.costing == Costing::After && self.costed.is_some();
        let chosen = apply(&mut *self.choosing, weights[0], known_weight.filter(|_| !after));
        let mut taken = chosen;
        if let Some(costed) = &mut self.costed {
            let weight = if after { known_weight } else { Some(chosen.0) };
            taken = apply(&mut **costed, weights[1], weight);
        }
        if let Some(number) = number {
            self.members[number].weight = [weights[0] + chosen.0, weights[1] + taken.0];
        }
        self.losses.add(&column, taken.0);
        self.note_losses();
        taken
    }

    fn add_member(&mut self, weak: Option<WeakRanker>, column: Column) -> usize {
        let number = self.members.len();
        self.numbers.extend(weak.map(|weak| (weak, number)));
        if number.is_multiple_of(8) {
            self.packed.push(vec![0; column.len()]);
        }
        let output = self.packed[number / 8].iter_mut().zip(&column);
        output.for_each(|(bits, output)| *bits |= output << (number % 8));
        self.members.push(Member { weak, column, weight: [0.0; 2] });
        number
    }

    fn note_losses(&mut self) {
        let (r1, r2) = self.losses.rank_losses();
        let loss = self.costed.as_ref().unwrap_or(&self.choosing).loss();
        let values = match self.plan.ties {
            Ties::Half => vec![r1, r2, self.losses.e1(), loss],
            _ => vec![r1, r2, loss],
        };
        self.curves.iter_mut().zip(values).for_each(|((_, curve), value)| curve.push(value));
    }

    fn begin_round(&mut self) {
        self.choosing.begin_round();
        if let Some(costed) = &mut self.costed {
            costed.begin_round();
        }
    }
}

impl NextTree for Booster<'_> {
    fn resume(&mut self, trees: &[Tree]) {
        let Plan { prepared, feedback, class, .. } = self.plan;
        for tree in trees {
            self.begin_round();
            let output =
                prepared.training.scores_after(&prepared.binning, &[unweighted(tree)], 0.0);
            let column: Vec<u8> =
                feedback.by_place(&output).iter().map(|output| u8::from(*output != 0.0)).collect();
            let weak = WeakRanker::of_tree(tree, &prepared.binning, class);
            let member = weak.and_then(|weak| self.numbers.get(&weak).copied());
            if self.plan.ties == Ties::Half && member.is_none() {
                self.independent.insert(&column, &feedback.lists);
            }
            self.add_ranker(Choice { weak, column, member }, Some(weight_of(tree)));
        }
    }

    fn next(&mut self, _round: u64, scores: &mut Scores) -> Result<Vec<Tree>, Ended> {
        self.begin_round();
        let choice = self.choose().ok_or(Ended::NothingLeft)?;
        let weak = choice.weak.ok_or(Ended::NothingLeft)?;
        let (alpha, gain) = self.add_ranker(choice, None);
        let Plan { prepared, class, .. } = self.plan;
        let output = outputs(weak, &prepared.training.matrix, class);
        add(&mut scores.training, &output, alpha);
        if let Some(validation) = &prepared.validation {
            add(&mut scores.validation, &outputs(weak, &validation.matrix, class), alpha);
        }
        Ok(vec![stump(weak, prepared, class, alpha, gain)])
    }

    fn also(&self, rounds: usize) -> Vec<(String, Vec<f64>)> {
        let last = |curve: &Vec<f64>| curve[curve.len() - rounds.min(curve.len())..].to_vec();
        let named = self.curves.iter();
        named.map(|(name, curve)| (format!("{name} on training pairs"), last(curve))).collect()
    }
}

/// Returns the outputs of a weak ranker for all rows.
pub(crate) fn outputs(weak: WeakRanker, matrix: &BinnedMatrix, class: Option<usize>) -> Column {
    let column = matrix.column(weak.feature as usize);
    match class {
        None => column.iter().map(|bin| u8::from(weak.output(*bin, 0))).collect(),
        Some(class) => {
            let cells = column.iter().zip(matrix.column(class));
            cells.map(|(bin, class)| u8::from(weak.output(*bin, *class))).collect()
        }
    }
}

/// Returns the tree of a weak ranker, with the numbers of training items on its sides.
pub(super) fn stump(
    weak: WeakRanker,
    prepared: &Prepared<'_>,
    class: Option<usize>,
    alpha: f64,
    gain: f64,
) -> Tree {
    let matrix = &prepared.training.matrix;
    let output = outputs(weak, matrix, class);
    let mut counts = Counts { all: output.len() as u32, ..Counts::default() };
    for (bin, output) in matrix.column(weak.feature as usize).iter().zip(&output) {
        let (inside, output) = (u32::from(weak.set.holds(*bin)), u32::from(*output));
        counts.inside += inside;
        counts.ones_inside += inside * output;
        counts.ones_outside += (1 - inside) * output;
    }
    let stats = StumpStats { alpha, gain: gain.max(0.0), counts };
    weak.tree(&prepared.binning, class, &stats)
}

pub(super) fn add(scores: &mut [f64], output: &Column, alpha: f64) {
    let moved = [0.0, alpha];
    scores.iter_mut().zip(output).for_each(|(score, output)| *score += moved[usize::from(*output)]);
}

/// Creates the distribution over a plan's pairs with these costs; with `rounds`, the costs of the
/// plan are added gradually over that many rounds.
fn distribution<'p>(
    plan: &Plan<'p>,
    costs: &PairCosts,
    rounds: Option<usize>,
) -> Result<Box<dyn Distribution + 'p>, FitError> {
    let feedback = plan.feedback;
    if plan.ties != Ties::Half
        && let Some(factors) = costs.factors(feedback)
    {
        let roots = rounds.map(|rounds| (plan.costs.roots(feedback, rounds), rounds));
        match roots {
            None => {
                let factored = Factored::new(feedback, factors);
                if !factored.has_mass() && feedback.pairs() > 0 {
                    return Err(no_cost());
                }
                return Ok(Box::new(factored));
            }
            Some((Some(roots), rounds)) => {
                return Ok(Box::new(Factored::new(feedback, factors).gradually(roots, rounds)));
            }
            // The root of a sum does not factorise, so pairs are listed.
            Some((None, _)) => {}
        }
    }
    check_pairs(
        feedback,
        match plan.ties {
            Ties::Half => "RankBoost+",
            _ => "this choice of pair costs",
        },
    )?;
    let listed = Listed::new(feedback, costs);
    if !listed.has_mass() && feedback.pairs() > 0 {
        return Err(no_cost());
    }
    Ok(match rounds {
        Some(rounds) => Box::new(listed.gradually(plan.costs, rounds)),
        None => Box::new(listed),
    })
}

/// Refuses more pairs than can be stored.
pub(super) fn check_pairs(feedback: &Feedback, what: &str) -> Result<(), FitError> {
    if feedback.pairs() <= MAX_PAIRS {
        return Ok(());
    }
    Err(FitError::Data(format!(
        "there are {} million pairs of items, and {what} needs to store all of them; at most {} \
         million can be stored: use the learner rankboost (or cs-rankboost with cost=before and \
         pair-cost=product, mean or, where the cost rises with the impact, difference), or \
         shorter training lists",
        feedback.pairs() / 1_000_000,
        MAX_PAIRS / 1_000_000
    )))
}

fn no_cost() -> FitError {
    FitError::Data(
        "every pair of items costs 0: pair-cost=product is 0 where an item of the pair costs 0, \
         pair-cost=difference where both cost the same; choose another pair-cost (mean, max), or the \
         learner without costs"
            .into(),
    )
}
