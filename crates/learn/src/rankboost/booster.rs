//! Round after round: choose, weigh, reweigh.

use std::collections::{HashMap, HashSet};

use super::alpha::{Ties, known, slope, step};
use super::costs::PairCosts;
use super::distribution::{Column, Distribution};
use super::factored::Factored;
use super::feedback::Feedback;
use super::independent::Independent;
use super::listed::Listed;
use super::losses::Judge;
use super::search::{Search, Tally};
use super::weak::{Counts, Growth, Weak, unweighted, weight_of};
use crate::error::FitError;
use crate::prepared::{Prepared, Scores};
use crate::run::NextTree;
use crate::tree::{BinnedMatrix, Tree};
use stakes_model::Ended;

/// Pairs that are written down at most: 8 bytes each.
const MOST_PAIRS: usize = 100_000_000;

/// Weak rankers that tell no more than this of the distribution tell nothing.
const NOTHING: f64 = 1e-12;

/// When the costs of pairs come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Costing {
    Before,
    /// In as many rounds.
    During(usize),
    After,
}

/// What is boosted, and how.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'p> {
    pub(crate) prepared: &'p Prepared<'p>,
    pub(crate) feedback: &'p Feedback,
    pub(crate) costs: &'p PairCosts,
    pub(crate) costing: Costing,
    pub(crate) ties: Ties,
    /// The feature that holds classes, if classes are told apart.
    pub(crate) class: Option<usize>,
}

/// A weak ranker of RankBoost+, and the weight it has.
struct Member {
    /// `None` if it is of a model that was learnt from other data, and on none of these bins.
    weak: Option<Weak>,
    column: Column,
    /// In the distribution that chooses, and in that of the final weights.
    weight: [f64; 2],
}

/// RankBoost on its way.
pub(crate) struct Booster<'p> {
    plan: Plan<'p>,
    search: Search<'p>,
    smoothing: f64,
    /// By which weak rankers are chosen.
    choosing: Box<dyn Distribution + 'p>,
    /// With all costs from the beginning, if `choosing` is not.
    costed: Option<Box<dyn Distribution + 'p>>,
    /// RankBoost+ alone keeps what follows.
    members: Vec<Member>,
    numbers: HashMap<Weak, usize>,
    /// What members say of each place, eight of them in a byte.
    said: Vec<Vec<u8>>,
    independent: Independent,
    redundant: HashSet<Weak>,
    judge: Judge<'p>,
    /// Losses after each round, by name.
    curves: Vec<(&'static str, Vec<f64>)>,
}

/// What is chosen in a round.
struct Choice {
    weak: Option<Weak>,
    column: Column,
    member: Option<usize>,
}

impl<'p> Booster<'p> {
    /// Nothing is learnt yet.
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
            said: Vec::new(),
            independent: Independent::default(),
            redundant: HashSet::new(),
            judge: Judge::new(plan.feedback, plan.costs, is_plus),
            curves: names.iter().map(|name| (*name, Vec::new())).collect(),
            plan,
        })
    }

    /// How many points weak rankers can tell apart in every way.
    pub(crate) fn dimension(&self) -> u32 {
        self.search.dimension()
    }

    /// The rank loss R2 on training pairs after so many weak rankers; ties alone before the first.
    pub(crate) fn rank_loss_after(&self, rankers: usize) -> f64 {
        let curve = self.curves.iter().find(|(name, _)| *name == "R2").map(|(_, curve)| curve);
        curve.zip(rankers.checked_sub(1)).map_or(0.5, |(curve, last)| curve[last])
    }

    /// The weak ranker of the round.
    fn choose(&mut self) -> Option<Choice> {
        let tally = self.search.tally(self.choosing.potentials());
        if self.plan.ties != Ties::Half {
            let (weak, difference) = self.search.best(&tally, |_| true)?;
            let choice = Choice { weak: Some(weak), column: self.column(weak), member: None };
            return (difference.abs() > NOTHING).then_some(choice);
        }
        let again = self.best_member();
        loop {
            let most = again.map_or(NOTHING, |(_, slope)| slope);
            match self.best_new(&tally).filter(|(_, slope)| *slope > most) {
                Some((weak, _)) => {
                    let column = self.column(weak);
                    if self.independent.insert(&column, &self.plan.feedback.lists) {
                        return Some(Choice { weak: Some(weak), column, member: None });
                    }
                    self.redundant.insert(weak);
                }
                None => {
                    let (number, _) = again.filter(|(_, slope)| *slope > NOTHING)?;
                    let Member { weak, column, .. } = &self.members[number];
                    let (weak, column) = (*weak, column.clone());
                    return Some(Choice { weak, column, member: Some(number) });
                }
            }
        }
    }

    /// The new weak ranker that the loss falls fastest with, and how fast.
    fn best_new(&self, tally: &Tally) -> Option<(Weak, f64)> {
        let free = |weak: &Weak| !self.numbers.contains_key(weak) && !self.redundant.contains(weak);
        self.search.best(tally, free).map(|(weak, difference)| (weak, difference.abs()))
    }

    /// The same of those that are there already.
    fn best_member(&self) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        let potentials = self.plan.feedback.placed(self.choosing.potentials());
        let tied = self.said.iter().flat_map(|said| self.choosing.tied(said));
        for (number, (member, tied)) in self.members.iter().zip(tied).enumerate() {
            let said = potentials.iter().zip(&member.column).filter(|(_, said)| **said != 0);
            let difference = said.map(|(potential, _)| potential).sum();
            let slope = slope(difference, tied, member.weight[0]).abs();
            if member.weak.is_some() && best.is_none_or(|(_, most)| slope > most) {
                best = Some((number, slope));
            }
        }
        best
    }

    /// What a weak ranker says of the places of pairs.
    fn column(&self, weak: Weak) -> Column {
        let said = says(weak, &self.plan.prepared.training.matrix, self.plan.class);
        self.plan.feedback.placed(&said)
    }

    /// Adds a weak ranker to everything; its weight, if it is known, and else the best one. Gives
    /// the weight, and how much of the loss is gone.
    fn take(&mut self, choice: Choice, known_weight: Option<f64>) -> (f64, f64) {
        let Choice { weak, column, member } = choice;
        let ties = self.plan.ties;
        let number = match member {
            Some(number) => Some(number),
            None if ties == Ties::Half => Some(self.join(weak, column.clone())),
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
        // Without costs of its own the choosing distribution has the final weights.
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
        self.judge.add(&column, taken.0);
        self.note_losses();
        taken
    }

    fn join(&mut self, weak: Option<Weak>, column: Column) -> usize {
        let number = self.members.len();
        self.numbers.extend(weak.map(|weak| (weak, number)));
        if number.is_multiple_of(8) {
            self.said.push(vec![0; column.len()]);
        }
        let said = self.said[number / 8].iter_mut().zip(&column);
        said.for_each(|(bits, said)| *bits |= said << (number % 8));
        self.members.push(Member { weak, column, weight: [0.0; 2] });
        number
    }

    fn note_losses(&mut self) {
        let (r1, r2) = self.judge.rank_losses();
        let loss = self.costed.as_ref().unwrap_or(&self.choosing).loss();
        let values = match self.plan.ties {
            Ties::Half => vec![r1, r2, self.judge.e1(), loss],
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
            let said = prepared.training.scores_after(&prepared.binning, &[unweighted(tree)], 0.0);
            let column: Vec<u8> =
                feedback.placed(&said).iter().map(|said| u8::from(*said != 0.0)).collect();
            let weak = Weak::of_tree(tree, &prepared.binning, class);
            let member = weak.and_then(|weak| self.numbers.get(&weak).copied());
            if self.plan.ties == Ties::Half && member.is_none() {
                self.independent.insert(&column, &feedback.lists);
            }
            self.take(Choice { weak, column, member }, Some(weight_of(tree)));
        }
    }

    fn next(&mut self, _round: u64, scores: &mut Scores) -> Result<Tree, Ended> {
        self.begin_round();
        let choice = self.choose().ok_or(Ended::NothingLeft)?;
        let weak = choice.weak.ok_or(Ended::NothingLeft)?;
        let (alpha, gain) = self.take(choice, None);
        let Plan { prepared, class, .. } = self.plan;
        let said = says(weak, &prepared.training.matrix, class);
        add(&mut scores.training, &said, alpha);
        if let Some(validation) = &prepared.validation {
            add(&mut scores.validation, &says(weak, &validation.matrix, class), alpha);
        }
        let mut counts = Counts { all: said.len() as u32, ..Counts::default() };
        for (bin, said) in prepared.training.matrix.column(weak.feature as usize).iter().zip(&said)
        {
            let (inside, said) = (u32::from(weak.set.holds(*bin)), u32::from(*said));
            counts.inside += inside;
            counts.said_inside += inside * said;
            counts.said_outside += (1 - inside) * said;
        }
        let growth = Growth { alpha, gain: gain.max(0.0), counts };
        Ok(weak.tree(&prepared.binning, class, &growth))
    }

    fn also(&self, rounds: usize) -> Vec<(String, Vec<f64>)> {
        let last = |curve: &Vec<f64>| curve[curve.len() - rounds.min(curve.len())..].to_vec();
        let named = self.curves.iter();
        named.map(|(name, curve)| (format!("{name} on training pairs"), last(curve))).collect()
    }
}

/// What a weak ranker says of every row.
pub(super) fn says(weak: Weak, matrix: &BinnedMatrix, class: Option<usize>) -> Column {
    let column = matrix.column(weak.feature as usize);
    match class {
        None => column.iter().map(|bin| u8::from(weak.says(*bin, 0))).collect(),
        Some(class) => {
            let cells = column.iter().zip(matrix.column(class));
            cells.map(|(bin, class)| u8::from(weak.says(*bin, *class))).collect()
        }
    }
}

fn add(scores: &mut [f64], said: &Column, alpha: f64) {
    let moved = [0.0, alpha];
    scores.iter_mut().zip(said).for_each(|(score, said)| *score += moved[usize::from(*said)]);
}

/// The distribution over a plan's pairs with these costs; in `rounds` rounds those of the plan
/// come in by and by.
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
                return Ok(Box::new(Factored::new(feedback, factors).by_and_by(roots, rounds)));
            }
            // Roots of sums are no sums: pair by pair, then.
            Some((None, _)) => {}
        }
    }
    if feedback.pairs() > MOST_PAIRS {
        return Err(FitError::Data(format!(
            "{} million pairs of items are too many to be kept one by one, which {} asks for; \
             at most {} million are: take learner rankboost (or cs-rankboost with cost=before and \
             pair-cost=product, mean or, where the cost rises with the impact, difference), or learn \
             from shorter lists",
            feedback.pairs() / 1_000_000,
            match plan.ties {
                Ties::Half => "the treatment of ties in RankBoost+",
                _ => "this way to cost pairs",
            },
            MOST_PAIRS / 1_000_000
        )));
    }
    let listed = Listed::new(feedback, costs);
    if !listed.has_mass() && feedback.pairs() > 0 {
        return Err(no_cost());
    }
    Ok(match rounds {
        Some(rounds) => Box::new(listed.by_and_by(plan.costs, rounds)),
        None => Box::new(listed),
    })
}

fn no_cost() -> FitError {
    FitError::Data(
        "every pair of items costs 0: product is 0 where the worse item costs nothing, difference \
         where both cost the same; choose another pair-cost (mean, max), or the learner without costs"
            .into(),
    )
}
