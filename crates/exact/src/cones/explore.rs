//! The search itself: which cone is next, and what is known when it ends.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::branch::{Known, choose};
use super::cone::Cone;
use super::marks::Marks;
use super::pairs::Pairs;
use super::space::Space;
use crate::clock::Clock;
use crate::incumbent::Incumbent;
use crate::outcome::{Ended, Flow, Progress};
use crate::problem::Problem;
use crate::rules::{Rules, Sign};

/// Cones that are cut at a time: a number of its own, so that threads leave no trace in what is found.
const BATCH: usize = 32;

/// Cones with more rays than this are not cut any further.
const MOST_RAYS: usize = 4000;

/// More dimensions than this cannot be cut.
const MOST_DIMS: usize = 64;

/// Better weights from weights, and what they are worth less what they cost.
pub(crate) type Climb<'c> = dyn Fn(&[f64]) -> (Vec<f64>, f64) + Sync + 'c;

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

/// A cone that may hold better weights.
struct Open {
    bound: f64,
    root: usize,
    cone: Cone,
    /// In the order of creation: equal bounds must not be left to chance.
    number: u64,
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
}

impl<'p> Explorer<'p> {
    /// Each support is a set of features with what using them costs at least; together they hold
    /// all weights that the rules allow.
    pub(crate) fn new(
        problem: &'p Problem,
        rules: &'p Rules,
        supports: &[(Vec<usize>, f64)],
    ) -> Self {
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
        clock: &mut Clock<'_, '_>,
    ) -> Ended {
        loop {
            let enough = incumbent.value + limits.gap * incumbent.value.abs();
            let bound = self.bound(incumbent);
            if bound <= enough {
                return Ended::Proven;
            }
            let now = Progress {
                seconds: clock.seconds(),
                incumbent: incumbent.value,
                bound,
                nodes: self.nodes,
            };
            if clock.tell(now) == Flow::Stop {
                return Ended::Interrupted;
            }
            let up =
                limits.nodes.is_some_and(|most| self.nodes >= most) || self.bytes > limits.memory;
            if up || clock.is_up() || self.open.is_empty() {
                return Ended::Limit;
            }
            self.batch(enough, incumbent, climb, clock);
        }
    }

    fn batch(
        &mut self,
        enough: f64,
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
        let stop = clock.deadline();
        let grown: Vec<Option<Grown>> =
            batch.par_iter().map(|open| (!stop.is_up()).then(|| self.grow(open, enough))).collect();
        let mut best: Option<(Vec<f64>, f64)> = None;
        for (open, grown) in batch.into_iter().zip(grown) {
            let Some(grown) = grown else {
                self.push(open.bound, open.root, open.cone);
                continue;
            };
            self.nodes += 1;
            self.left = self.left.max(grown.dropped).max(grown.stuck.unwrap_or(f64::NEG_INFINITY));
            for (bound, cone) in grown.children {
                self.push(bound.min(open.bound), open.root, cone);
            }
            if let Some(found) = grown.found
                && best.as_ref().is_none_or(|best| found.1 > best.1)
            {
                best = Some(found);
            }
        }
        // Cones know nothing of each other; a climb from the best of their centres often finds more.
        if let Some((weights, value)) = best {
            incumbent.offer(&weights, value);
            if (self.nodes / BATCH as u64).is_multiple_of(8) {
                let (weights, value) = climb(&weights);
                incumbent.offer(&weights, value);
            }
        }
    }

    fn grow(&self, open: &Open, enough: f64) -> Grown {
        let Root { space, cost } = &self.roots[open.root];
        let mut grown = Grown { dropped: f64::NEG_INFINITY, ..Grown::default() };
        let centre = space.weights(&open.cone.centre());
        if self.rules.allow(&centre) {
            let value = self.problem.value(&centre) - self.rules.cost(&centre);
            grown.found = Some((centre, value));
        }
        let marks = Marks::new(&self.pairs, space, open.cone.rays());
        let mut known = Known::default();
        marks.above_all(0..marks.len(), &mut known.above);
        marks.below_all(&mut known.below);
        known.bound = self.pairs.bound(&known.above, &mut known.counts);
        let cut = choose(&self.pairs, &marks, &known, known.bound - cost - enough)
            .filter(|_| marks.len() <= MOST_RAYS)
            .and_then(|pair| open.cone.cut(&self.pairs.hyperplane(pair, space)));
        let Some(cut) = cut else {
            grown.stuck = Some(open.bound.min(known.bound - cost));
            return grown;
        };
        let born = Marks::new(&self.pairs, space, cut.born.chunks_exact(space.dims()));
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

/// The part of a cone on the positive side, if there is one.
fn kept(cone: &Cone, hyperplane: &[f64]) -> Option<Cone> {
    let cut = cone.cut(hyperplane)?;
    match (cut.sides[0].is_empty(), cut.sides[1].is_empty()) {
        (_, true) => Some(cone.clone()),
        (true, false) => None,
        (false, false) => Some(cone.side(&cut, 0)),
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}
