//! The branch-and-bound search over cones.

use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::branch::{Known, choose};
use super::cone::Cone;
use super::effort::Effort;
use super::marks::Marks;
use super::open::Open;
use super::pairs::Pairs;
use super::space::Space;
use crate::climb::Climbed;
use crate::clock::{Clock, Deadline};
use crate::incumbent::Incumbent;
use crate::outcome::{Ended, Flow};
use crate::problem::Problem;
use crate::rules::{Rules, Sign};
use crate::supports::Support;

/// The number of cones that are cut at a time: fixed, so that the result does not depend on the number of threads.
const BATCH: usize = 32;

/// The maximum number of successive fruitless rounds of climbs once nothing more can be proven.
const MAX_FRUITLESS_ROUNDS: u64 = 30;

/// The maximum effort of climbs without a time limit, in steps.
const MAX_CLIMBING: u64 = 3_000_000_000;

/// The effort per word of a ray's marks, in steps, including its use for each candidate pair.
const STEPS_PER_WORD: u64 = 64;

/// The maximum number of dimensions of cones.
const MAX_DIMS: usize = 64;

/// Climbs from the best centre of a batch and the best weights so far; the last argument is the number of the round.
pub(crate) type Climb<'c> = dyn Fn(&[f64], &Incumbent, u64) -> Vec<Climbed> + Sync + 'c;

/// The limits of a search.
pub(crate) struct Limits {
    /// The maximum number of cuts.
    pub(crate) nodes: Option<u64>,
    /// The relative gap at which the incumbent counts as optimal.
    pub(crate) gap: f64,
    /// The memory for open cones, in bytes.
    pub(crate) memory: usize,
}

/// The space of the weights of some features, in which cones are cut.
struct Root {
    space: Space,
    /// A lower bound on the penalty of its weights.
    cost: f64,
}

/// The result of cutting a cone.
#[derive(Default)]
struct Expansion {
    children: Vec<(f64, Cone)>,
    /// The bound of the part that cannot be cut, if there is one.
    stuck: Option<f64>,
    /// The greatest bound of the parts that were dropped.
    dropped: f64,
    found: Option<(Vec<f64>, f64)>,
    /// The number of cuts.
    nodes: u64,
    /// See [`Effort`].
    effort: u64,
}

impl Expansion {
    /// Keeps the better of two weights found.
    fn keep(&mut self, found: Option<(Vec<f64>, f64)>) {
        let value = |found: &Option<(Vec<f64>, f64)>| found.as_ref().map(|found| found.1);
        if value(&found) > value(&self.found) {
            self.found = found;
        }
    }
}

/// Branch and bound on a problem.
pub(crate) struct Explorer<'p> {
    problem: &'p Problem,
    rules: &'p Rules,
    pairs: Pairs,
    roots: Vec<Root>,
    open: BinaryHeap<Open>,
    bytes: usize,
    /// The greatest bound of the cones that were dropped or cannot be cut.
    closed_bound: f64,
    numbers: u64,
    nodes: u64,
    effort: Effort,
}

impl<'p> Explorer<'p> {
    /// Starts from the cones of all supports, which together contain all weights that the rules allow.
    pub(crate) fn new(problem: &'p Problem, rules: &'p Rules, supports: &[Support]) -> Self {
        let pairs = Pairs::new(problem);
        let mut explorer = Explorer {
            problem,
            rules,
            pairs,
            roots: Vec::new(),
            open: BinaryHeap::new(),
            bytes: 0,
            closed_bound: f64::NEG_INFINITY,
            numbers: 0,
            nodes: 0,
            effort: Effort::default(),
        };
        for (features, cost) in supports {
            explorer.add_root(features, *cost);
        }
        explorer
    }

    /// Opens the cones of a support.
    fn add_root(&mut self, features: &[usize], cost: f64) {
        let space = Space::new(self.problem, features, self.pairs.order());
        let ideal = self.problem.ideal() - cost;
        if space.dims() == 0 || self.pairs.stride() == 0 {
            // All weights have the same value.
            let value = self.problem.value(&vec![0.0; self.problem.width()]);
            self.closed_bound = self.closed_bound.max(value);
            return;
        }
        if space.dims() > MAX_DIMS {
            self.closed_bound = self.closed_bound.max(ideal);
            return;
        }
        let mut cones = Cone::all(space.dims());
        for feature in features {
            let sign = match self.rules.sign(*feature) {
                Sign::Free => continue,
                Sign::NotNegative => 1.0,
                Sign::NotPositive => -1.0,
            };
            let allowed: Vec<f64> = space.weight_of(*feature).iter().map(|w| w * sign).collect();
            cones = cones.iter().filter_map(|cone| clip(cone, &allowed)).collect();
        }
        self.roots.push(Root { space, cost });
        for cone in cones {
            self.push(ideal, self.roots.len() - 1, cone);
        }
    }

    fn push(&mut self, bound: f64, root: usize, cone: Cone) {
        self.bytes += cone.bytes();
        self.numbers += 1;
        self.open.push(Open { bound, root, cone, number: self.numbers });
    }

    /// The upper bound on the value, minus the penalty, of all weights.
    pub(crate) fn bound(&self, incumbent: &Incumbent) -> f64 {
        let open = self.open.peek().map_or(f64::NEG_INFINITY, |open| open.bound);
        open.max(self.closed_bound).max(incumbent.value)
    }

    /// The number of cuts so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Cuts cones, those with the greatest bounds first, until the incumbent is optimal or a limit is reached.
    pub(crate) fn run(
        &mut self,
        limits: &Limits,
        incumbent: &mut Incumbent,
        climb: &Climb<'_>,
        clock: &Clock<'_, '_>,
    ) -> Ended {
        loop {
            let enough = incumbent.value + limits.gap * incumbent.value.abs();
            let bound = self.bound(incumbent);
            if bound <= enough {
                return Ended::Proven;
            }
            if clock.report(incumbent.value, bound, self.nodes) == Flow::Stop {
                return Ended::Interrupted;
            }
            let all_nodes = limits.nodes.is_some_and(|max| self.nodes >= max);
            if all_nodes || clock.deadline().has_passed() {
                return Ended::Limit;
            }
            if self.open.is_empty() {
                // No cone is left that can be cut: the bound cannot fall, but climbs may find better weights.
                let too_long = clock.remaining().is_none() && self.effort.climbing >= MAX_CLIMBING;
                if self.effort.fruitless >= MAX_FRUITLESS_ROUNDS || too_long {
                    return Ended::OutOfReach;
                }
                self.climb(&incumbent.weights.clone(), incumbent, climb);
                continue;
            }
            let save_memory = self.bytes > limits.memory;
            self.cut_batch(enough, save_memory, incumbent, climb, clock);
        }
    }

    /// Cuts the open cones with the greatest bounds and climbs from the best weights in them. Cones with bounds up to
    /// `enough` are dropped.
    fn cut_batch(
        &mut self,
        enough: f64,
        save_memory: bool,
        incumbent: &mut Incumbent,
        climb: &Climb<'_>,
        clock: &Clock<'_, '_>,
    ) {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH
            && let Some(open) = self.open.pop()
        {
            if open.bound <= enough {
                self.closed_bound = self.closed_bound.max(open.bound);
                self.open.clear();
                self.bytes = 0;
                break;
            }
            self.bytes -= open.cone.bytes();
            batch.push(open);
        }
        let end = clock.deadline();
        let cut = |open: &Open| match save_memory {
            true => self.refine(open, enough, end),
            false => (!end.has_passed()).then(|| self.expand(open, enough)),
        };
        let expanded: Vec<Option<Expansion>> = batch.par_iter().map(cut).collect();
        let mut all = Expansion::default();
        for (open, expanded) in batch.into_iter().zip(expanded) {
            let Some(expanded) = expanded else {
                self.push(open.bound, open.root, open.cone);
                continue;
            };
            self.nodes += expanded.nodes;
            self.effort.cutting += expanded.effort;
            let stuck = expanded.stuck.unwrap_or(f64::NEG_INFINITY);
            self.closed_bound = self.closed_bound.max(expanded.dropped).max(stuck);
            for (bound, cone) in expanded.children {
                self.push(bound.min(open.bound), open.root, cone);
            }
            all.keep(expanded.found);
        }
        let Some((weights, value)) = all.found else { return };
        incumbent.offer(&weights, value);
        if self.effort.is_time_to_climb() {
            self.climb(&weights, incumbent, climb);
        }
    }

    /// Climbs from these weights: cuts look at each cone alone, climbs often find better weights in other cones.
    fn climb(&mut self, weights: &[f64], incumbent: &mut Incumbent, climb: &Climb<'_>) {
        let before = incumbent.value;
        for climbed in climb(weights, incumbent, self.effort.rounds) {
            incumbent.offer(&climbed.weights, climbed.value);
            self.effort.climbing += climbed.effort;
        }
        self.effort.rounds += 1;
        let improved = incumbent.value > before;
        self.effort.fruitless = if improved { 0 } else { self.effort.fruitless + 1 };
    }

    /// Improves the bound of a cone without keeping its parts: cuts depth first until no part has a bound above the
    /// target, then returns the cone itself with its new bound. `None` if the time is up. This saves memory and costs
    /// time: the parts are cut again later.
    fn refine(&self, open: &Open, enough: f64, end: Deadline<'_>) -> Option<Expansion> {
        let target = (open.bound + enough) / 2.0;
        let mut refined = Expansion { dropped: f64::NEG_INFINITY, ..Expansion::default() };
        let mut reached = f64::NEG_INFINITY;
        let mut parts = vec![(open.bound, open.cone.clone())];
        while let Some((bound, cone)) = parts.pop() {
            if end.has_passed() {
                return None;
            }
            refined.nodes += 1;
            let expanded = self.expand(&Open { bound, root: open.root, cone, number: 0 }, enough);
            refined.dropped = refined.dropped.max(expanded.dropped);
            refined.effort += expanded.effort;
            if let Some(stuck) = expanded.stuck {
                reached = reached.max(stuck.min(bound));
            }
            refined.keep(expanded.found);
            for (part, cone) in expanded.children {
                if part.min(bound) > target {
                    parts.push((part.min(bound), cone));
                } else {
                    reached = reached.max(part);
                }
            }
        }
        if reached > target {
            // Some part cannot be cut until its bound is below the target.
            refined.stuck = Some(reached);
        } else if reached > enough {
            refined.children.push((reached, open.cone.clone()));
        }
        Some(refined)
    }

    /// Cuts a cone in two and bounds both parts.
    fn expand(&self, open: &Open, enough: f64) -> Expansion {
        let Root { space, cost } = &self.roots[open.root];
        let mut expanded =
            Expansion { dropped: f64::NEG_INFINITY, nodes: 1, ..Expansion::default() };
        let centre = space.weights(&open.cone.centre());
        if self.rules.allow(&centre) {
            let value = self.problem.value(&centre) - self.rules.cost(&centre);
            expanded.found = Some((centre, value));
        }
        let marks = Marks::new(&self.pairs, space, open.cone.rays(), true);
        expanded.effort = (marks.len() * self.pairs.stride()) as u64 * STEPS_PER_WORD;
        let mut known = Known::default();
        marks.above_all(0..marks.len(), &mut known.above);
        marks.below_all(&mut known.below);
        known.bound = self.pairs.bound(&known.above, &mut known.counts);
        let cut = choose(&self.pairs, &marks, &known, known.bound - cost - enough)
            .and_then(|pair| open.cone.cut(&self.pairs.hyperplane(pair, space)));
        let Some(cut) = cut else {
            expanded.stuck = Some(open.bound.min(known.bound - cost));
            return expanded;
        };
        let new_rays = cut.new_rays.chunks_exact(space.dims());
        let new_marks = Marks::new(&self.pairs, space, new_rays, false);
        for side in 0..2 {
            marks.above_all(open.cone.remaining_rays(&cut, side), &mut known.above);
            new_marks.and_above(0..new_marks.len(), &mut known.above);
            let bound = self.pairs.bound(&known.above, &mut known.counts) - cost;
            if bound > enough {
                expanded.children.push((bound, open.cone.side(&cut, side)));
            } else {
                expanded.dropped = expanded.dropped.max(bound);
            }
        }
        expanded
    }
}

/// The part of a cone on the positive side of a hyperplane, if there is one. A cone with many rays is returned whole:
/// that allows more than the rules do, so an upper bound remains valid.
fn clip(cone: &Cone, hyperplane: &[f64]) -> Option<Cone> {
    const MAX_RAYS: usize = 500;
    let cut = if cone.len() > MAX_RAYS { None } else { cone.cut(hyperplane) };
    let Some(cut) = cut else { return Some(cone.clone()) };
    match (cut.sides[0].is_empty(), cut.sides[1].is_empty()) {
        (_, true) => Some(cone.clone()),
        (true, false) => None,
        (false, false) => Some(cone.side(&cut, 0)),
    }
}
