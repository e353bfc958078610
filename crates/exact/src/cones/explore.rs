//! The search itself: which cone is next, and what is known when it ends.

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

/// Cones that are cut at a time: a number of its own, so that threads leave no trace in what is found.
const BATCH: usize = 32;

/// Rounds of climbs in vain, where nothing can be proven, before they are given up; and how many steps they may
/// take where no clock ends them.
const PATIENCE: u64 = 30;
const LONG: u64 = 3_000_000_000;

/// Steps for a word of the marks of a ray, all told: it is made once, and seen again with each pair tried.
const MARK: u64 = 64;

/// More dimensions than this cannot be cut.
const MOST_DIMS: usize = 64;

/// Better weights from the best centre of a batch, from the best weights so far, and the number of the round.
pub(crate) type Climb<'c> = dyn Fn(&[f64], &Incumbent, u64) -> Vec<Climbed> + Sync + 'c;

/// When to stop.
pub(crate) struct Limits {
    /// Cones to cut.
    pub(crate) nodes: Option<u64>,
    /// A relative gap that is small enough.
    pub(crate) gap: f64,
    /// Memory for open cones, in bytes.
    pub(crate) memory: usize,
}

/// Cones of the weights of some features.
struct Root {
    space: Space,
    /// What its weights cost at least.
    cost: f64,
}

/// What became of a cone.
#[derive(Default)]
struct Grown {
    children: Vec<(f64, Cone)>,
    /// A bound of what is left of it, if it cannot be cut.
    stuck: Option<f64>,
    /// The greatest bound that was dropped.
    dropped: f64,
    found: Option<(Vec<f64>, f64)>,
    /// How often a cone was cut.
    nodes: u64,
    /// See [`Effort`].
    effort: u64,
}

impl Grown {
    /// Keeps the better of what was found.
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
    /// The greatest bound of cones that are no longer open but not proven to be worse.
    left: f64,
    numbers: u64,
    nodes: u64,
    effort: Effort,
}

impl<'p> Explorer<'p> {
    /// Each support is a set of features with what using them costs at least; together they hold
    /// all weights that the rules allow.
    pub(crate) fn new(problem: &'p Problem, rules: &'p Rules, supports: &[Support]) -> Self {
        let pairs = Pairs::new(problem);
        let mut explorer = Explorer {
            problem,
            rules,
            pairs,
            roots: Vec::new(),
            open: BinaryHeap::new(),
            bytes: 0,
            left: f64::NEG_INFINITY,
            numbers: 0,
            nodes: 0,
            effort: Effort::default(),
        };
        for (features, cost) in supports {
            explorer.plant(features, *cost);
        }
        explorer
    }

    /// The cones of a support.
    fn plant(&mut self, features: &[usize], cost: f64) {
        let space = Space::new(self.problem, features, self.pairs.order());
        let ideal = self.problem.ideal() - cost;
        if space.dims() == 0 || self.pairs.stride() == 0 {
            // No weights change anything.
            self.left = self.left.max(self.problem.value(&vec![0.0; self.problem.width()]));
            return;
        }
        if space.dims() > MOST_DIMS {
            self.left = self.left.max(ideal);
            return;
        }
        let mut cones = Cone::all(space.dims());
        for feature in features {
            let turn = match self.rules.sign(*feature) {
                Sign::Free => continue,
                Sign::NotNegative => 1.0,
                Sign::NotPositive => -1.0,
            };
            let allowed: Vec<f64> = space.weight_of(*feature).iter().map(|w| w * turn).collect();
            cones = cones.iter().filter_map(|cone| kept(cone, &allowed)).collect();
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

    /// No weights are worth more.
    pub(crate) fn bound(&self, incumbent: &Incumbent) -> f64 {
        let open = self.open.peek().map_or(f64::NEG_INFINITY, |open| open.bound);
        open.max(self.left).max(incumbent.value)
    }

    /// Cones that were cut.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Cuts cones, those of the greatest bounds first, until nothing better than the incumbent is left.
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
            if clock.tell(incumbent.value, bound, self.nodes) == Flow::Stop {
                return Ended::Interrupted;
            }
            let up = limits.nodes.is_some_and(|most| self.nodes >= most);
            if up || clock.deadline().is_up() {
                return Ended::Limit;
            }
            if self.open.is_empty() {
                // Nothing is left that can be cut: more cannot be proven, only found.
                let long = clock.rest().is_none() && self.effort.climbing >= LONG;
                if self.effort.in_vain >= PATIENCE || long {
                    return Ended::OutOfReach;
                }
                self.climb(&incumbent.weights.clone(), incumbent, climb);
                continue;
            }
            let thrifty = self.bytes > limits.memory;
            self.batch(enough, thrifty, incumbent, climb, clock);
        }
    }

    fn batch(
        &mut self,
        enough: f64,
        thrifty: bool,
        incumbent: &mut Incumbent,
        climb: &Climb<'_>,
        clock: &Clock<'_, '_>,
    ) {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH
            && let Some(open) = self.open.pop()
        {
            if open.bound <= enough {
                self.left = self.left.max(open.bound);
                self.open.clear();
                self.bytes = 0;
                break;
            }
            self.bytes -= open.cone.bytes();
            batch.push(open);
        }
        let end = clock.deadline();
        let look = |open: &Open| match thrifty {
            true => self.refine(open, enough, end),
            false => (!end.is_up()).then(|| self.grow(open, enough)),
        };
        let grown: Vec<Option<Grown>> = batch.par_iter().map(look).collect();
        let mut all = Grown::default();
        for (open, grown) in batch.into_iter().zip(grown) {
            let Some(grown) = grown else {
                self.push(open.bound, open.root, open.cone);
                continue;
            };
            self.nodes += grown.nodes;
            self.effort.cutting += grown.effort;
            self.left = self.left.max(grown.dropped).max(grown.stuck.unwrap_or(f64::NEG_INFINITY));
            for (bound, cone) in grown.children {
                self.push(bound.min(open.bound), open.root, cone);
            }
            all.keep(grown.found);
        }
        let Some((weights, value)) = all.found else { return };
        incumbent.offer(&weights, value);
        if self.effort.is_time_to_climb() {
            self.climb(&weights, incumbent, climb);
        }
    }

    /// Cones know nothing of each other; climbs from the best of their centres often find more.
    fn climb(&mut self, weights: &[f64], incumbent: &mut Incumbent, climb: &Climb<'_>) {
        let before = incumbent.value;
        for climbed in climb(weights, incumbent, self.effort.rounds) {
            incumbent.offer(&climbed.weights, climbed.value);
            self.effort.climbing += climbed.effort;
        }
        self.effort.rounds += 1;
        self.effort.in_vain = if incumbent.value > before { 0 } else { self.effort.in_vain + 1 };
    }

    /// Looks at the parts of a cone until none has a bound above the target, keeping none of them: the
    /// cone itself stays, with the bound that is known of it then. `None` if there is not the time. What
    /// takes no memory takes time: its parts will be made again when their turn comes.
    fn refine(&self, open: &Open, enough: f64, end: Deadline<'_>) -> Option<Grown> {
        let target = (open.bound + enough) / 2.0;
        let mut refined = Grown { dropped: f64::NEG_INFINITY, ..Grown::default() };
        let mut reached = f64::NEG_INFINITY;
        let mut parts = vec![(open.bound, open.cone.clone())];
        while let Some((bound, cone)) = parts.pop() {
            if end.is_up() {
                return None;
            }
            refined.nodes += 1;
            let grown = self.grow(&Open { bound, root: open.root, cone, number: 0 }, enough);
            refined.dropped = refined.dropped.max(grown.dropped);
            refined.effort += grown.effort;
            if let Some(stuck) = grown.stuck {
                reached = reached.max(stuck.min(bound));
            }
            refined.keep(grown.found);
            for (part, cone) in grown.children {
                if part.min(bound) > target {
                    parts.push((part.min(bound), cone));
                } else {
                    reached = reached.max(part);
                }
            }
        }
        if reached > target {
            // It cannot be cut down to the target.
            refined.stuck = Some(reached);
        } else if reached > enough {
            refined.children.push((reached, open.cone.clone()));
        }
        Some(refined)
    }

    fn grow(&self, open: &Open, enough: f64) -> Grown {
        let Root { space, cost } = &self.roots[open.root];
        let mut grown = Grown { dropped: f64::NEG_INFINITY, nodes: 1, ..Grown::default() };
        let centre = space.weights(&open.cone.centre());
        if self.rules.allow(&centre) {
            let value = self.problem.value(&centre) - self.rules.cost(&centre);
            grown.found = Some((centre, value));
        }
        let marks = Marks::new(&self.pairs, space, open.cone.rays(), true);
        grown.effort = (marks.len() * self.pairs.stride()) as u64 * MARK;
        let mut known = Known::default();
        marks.above_all(0..marks.len(), &mut known.above);
        marks.below_all(&mut known.below);
        known.bound = self.pairs.bound(&known.above, &mut known.counts);
        let cut = choose(&self.pairs, &marks, &known, known.bound - cost - enough)
            .and_then(|pair| open.cone.cut(&self.pairs.hyperplane(pair, space)));
        let Some(cut) = cut else {
            grown.stuck = Some(open.bound.min(known.bound - cost));
            return grown;
        };
        let born = Marks::new(&self.pairs, space, cut.born.chunks_exact(space.dims()), false);
        for side in 0..2 {
            marks.above_all(open.cone.staying(&cut, side), &mut known.above);
            born.and_above(0..born.len(), &mut known.above);
            let bound = self.pairs.bound(&known.above, &mut known.counts) - cost;
            if bound > enough {
                grown.children.push((bound, open.cone.side(&cut, side)));
            } else {
                grown.dropped = grown.dropped.max(bound);
            }
        }
        grown
    }
}

/// The part of a cone on the positive side, if there is one. A cone of many rays stays whole: more than is
/// allowed, so that a bound stays a bound.
fn kept(cone: &Cone, hyperplane: &[f64]) -> Option<Cone> {
    const MANY: usize = 500;
    let cut = if cone.len() > MANY { None } else { cone.cut(hyperplane) };
    let Some(cut) = cut else { return Some(cone.clone()) };
    match (cut.sides[0].is_empty(), cut.sides[1].is_empty()) {
        (_, true) => Some(cone.clone()),
        (true, false) => None,
        (false, false) => Some(cone.side(&cut, 0)),
    }
}
