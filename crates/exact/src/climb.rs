//! Good weights: climbs by exact line search from many starts.
//!
//! Along a line of weights the value is a step function whose best step is found exactly
//! ([`crate::line`]). A climb goes along every feature and along random directions of equal spread
//! until nothing rises any more. Starts are what was given, random directions, and shaken copies of the
//! best weights so far (iterated local search: most optima lie near good ones).

use rayon::prelude::*;
use stakes_core::random::Stream;

use crate::clock::{Clock, Deadline};
use crate::cones::Space;
use crate::incumbent::Incumbent;
use crate::line::{Direction, Forever, ROUNDING, best_step};
use crate::problem::Problem;
use crate::rules::{Rules, Sign};

/// Crossings to look at in all climbs together, about: a second's work.
const CROSSINGS: usize = 60_000_000;

/// Steps for a crossing that is possible: about half of them are there.
const CROSSING: u64 = 20;

/// Climbs that go on at a time, whatever the number of threads.
const BATCH: usize = 8;

/// Random starts before the first that begins near the best.
const RANDOM: usize = 40;

/// Draws of one climb come from a part of the stream this wide.
const DRAWS: u64 = 1 << 32;

/// Few features, one after the other: each time the one with which a climb comes highest, as long as that helps.
/// For rules that allow so few of so many that their sets cannot be looked at one by one.
pub(crate) fn forward(
    problem: &Problem,
    rules: &Rules,
    draws: Stream,
    incumbent: &mut Incumbent,
    end: Deadline<'_>,
) {
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < rules.at_most.unwrap_or(problem.width()) && !end.is_up() {
        let others: Vec<usize> = (0..problem.width()).filter(|f| !chosen.contains(f)).collect();
        let climb = |feature: &usize| {
            let features: Vec<usize> = chosen.iter().chain([feature]).copied().collect();
            let climber = Climber::new(problem, rules, &features, draws);
            climber.climb(climber.allowed(&incumbent.weights), *feature as u64 * DRAWS, end)
        };
        let climbs: Vec<Climbed> = others.par_iter().map(climb).collect();
        let best =
            others.into_iter().zip(climbs).reduce(|a, b| if b.1.value > a.1.value { b } else { a });
        let Some((feature, climbed)) = best.filter(|best| best.1.value > incumbent.value) else {
            return;
        };
        incumbent.offer(&climbed.weights, climbed.value);
        chosen.push(feature);
    }
}

/// What a climb has come to.
pub(crate) struct Climbed {
    pub(crate) weights: Vec<f64>,
    /// What they are worth less what they cost.
    pub(crate) value: f64,
    /// How many lines were searched.
    lines: usize,
    /// Steps of some nanoseconds, counted.
    pub(crate) effort: u64,
}

/// Climbs over the weights of some features.
pub(crate) struct Climber<'p> {
    problem: &'p Problem,
    rules: &'p Rules,
    features: Vec<usize>,
    space: Space,
    /// Along a line, at most.
    crossings: usize,
    draws: Stream,
}

impl<'p> Climber<'p> {
    pub(crate) fn new(
        problem: &'p Problem,
        rules: &'p Rules,
        features: &[usize],
        draws: Stream,
    ) -> Self {
        let space = Space::new(problem, features, &[]);
        let crossings = problem.sum().crossings(problem.offsets()).max(1);
        Climber { problem, rules, features: features.to_vec(), space, crossings, draws }
    }

    /// Many climbs, until a part of the usual effort is spent or the time is up.
    pub(crate) fn search(
        &self,
        starts: &[Vec<f64>],
        incumbent: &mut Incumbent,
        part: f64,
        clock: &Clock<'_, '_>,
        end: Deadline<'_>,
    ) {
        // Where there is little to cross there is little to find.
        let usual = (CROSSINGS / self.crossings).min(8 * self.crossings).max(64);
        let lines = (part * usual as f64) as usize;
        if self.space.dims() == 0 {
            // Nothing that could be climbed.
            return;
        }
        let (mut spent, mut number) = (0, 0);
        while number == 0 || spent < lines {
            let best = incumbent.clone();
            let climbs: Vec<_> = (number..number + BATCH)
                .into_par_iter()
                .map(|number| {
                    let draws = (number as u64 + 1) * DRAWS;
                    let start = match starts.get(number) {
                        Some(start) => self.allowed(start),
                        None if number < starts.len() + RANDOM => {
                            self.allowed(&self.direction(draws))
                        }
                        None => self.shaken(&best, number, draws),
                    };
                    self.climb(start, draws, end)
                })
                .collect();
            for climbed in climbs {
                incumbent.offer(&climbed.weights, climbed.value);
                spent += climbed.lines;
            }
            number += BATCH;
            let bound = self.problem.ideal();
            clock.tell(incumbent.value, bound, 0);
            if end.is_up() || incumbent.value >= bound - ROUNDING {
                break;
            }
        }
    }

    /// Climbs from these weights and from shaken copies of the best ones, drawn by the round.
    pub(crate) fn again(
        &self,
        weights: &[f64],
        best: &Incumbent,
        round: u64,
        end: Deadline<'_>,
    ) -> Vec<Climbed> {
        let climb = |number: usize| {
            let draws = (1 << 63) + (round * BATCH as u64 + number as u64) * DRAWS;
            let start = match number {
                0 => self.allowed(weights),
                _ => self.shaken(best, number, draws),
            };
            self.climb(start, draws, end)
        };
        (0..BATCH).into_par_iter().map(climb).collect()
    }

    /// Weights with those set to 0 that may not be as they are.
    fn allowed(&self, weights: &[f64]) -> Vec<f64> {
        let mut allowed = vec![0.0; weights.len()];
        for &feature in &self.features {
            allowed[feature] = match self.rules.sign(feature) {
                Sign::Free => weights[feature],
                Sign::NotNegative => weights[feature].max(0.0),
                Sign::NotPositive => weights[feature].min(0.0),
            };
        }
        allowed
    }

    /// Every fourth start is new, the others are the best weights with some part of chance.
    fn shaken(&self, best: &Incumbent, number: usize, draws: u64) -> Vec<f64> {
        let way = self.direction(draws);
        if number.is_multiple_of(4) || best.value == f64::NEG_INFINITY {
            return self.allowed(&way);
        }
        let part = 0.05 + 0.5 * self.draws.unit(draws - 1);
        let length = |weights: &[f64]| {
            let spread = self.problem.scores(weights).iter().map(|s| s * s).sum::<f64>().sqrt();
            if spread > 0.0 { spread } else { 1.0 }
        };
        let (a, b) = (length(&best.weights), length(&way));
        let mixed = best.weights.iter().zip(&way).map(|(w, v)| w / a + part * v / b);
        self.allowed(&mixed.collect::<Vec<f64>>())
    }

    /// A random direction of equal spread.
    fn direction(&self, draws: u64) -> Vec<f64> {
        // The sum of three even draws is near enough to a normal one.
        let draw = |at: u64| (0..3).map(|i| self.draws.unit(draws + 3 * at + i)).sum::<f64>() - 1.5;
        let direction: Vec<f64> = (0..self.space.dims() as u64).map(draw).collect();
        self.space.weights(&direction)
    }

    /// Climbs from weights as long as there is time.
    pub(crate) fn climb(&self, weights: Vec<f64>, draws: u64, end: Deadline<'_>) -> Climbed {
        let mut at = Place::new(self, weights);
        let mut draws = draws;
        let mut lines = 0;
        loop {
            let before = at.value;
            let mut units = self.features.iter().map(|&feature| {
                let mut way = vec![0.0; self.problem.width()];
                way[feature] = 1.0;
                way
            });
            for _ in 0..self.features.len() + 2 * self.space.dims() {
                let way = units.next().unwrap_or_else(|| {
                    draws += 3 * self.space.dims() as u64;
                    self.direction(draws)
                });
                if !end.is_up() {
                    at.step(self, &way);
                    lines += 1;
                }
            }
            if at.value <= before + ROUNDING || end.is_up() {
                let value = at.value - self.rules.cost(&at.weights);
                let effort = (lines * self.crossings) as u64 * CROSSING;
                return Climbed { weights: at.weights, value, lines, effort };
            }
        }
    }
}

/// Where a climb is.
struct Place {
    weights: Vec<f64>,
    scores: Vec<f64>,
    value: f64,
}

impl Place {
    fn new(climber: &Climber<'_>, weights: Vec<f64>) -> Self {
        let scores = climber.problem.scores(&weights);
        let value = climber.problem.value(&weights);
        Place { weights, scores, value }
    }

    /// Goes along a way to where the value is best, if that is no loss.
    fn step(&mut self, climber: &Climber<'_>, way: &[f64]) {
        let problem = climber.problem;
        let slopes = problem.scores(way);
        let order = problem.order(&self.scores);
        let direction = Direction {
            offsets: problem.offsets(),
            order: &order,
            scores: &self.scores,
            slopes: &slopes,
            forever: Forever::LeastFirst,
        };
        let moved = |by: f64| -> Vec<f64> {
            self.weights.iter().zip(way).map(|(weight, way)| weight + by * way).collect()
        };
        let forbidden = |by: f64| {
            let signs = !climber.rules.signs.is_empty();
            if signs && climber.allowed(&moved(by)) != moved(by) { f64::INFINITY } else { 0.0 }
        };
        let best = best_step(problem.sum(), &direction, forbidden);
        if best.value < self.value - ROUNDING || forbidden(best.by) > 0.0 {
            return;
        }
        let mut weights = moved(best.by);
        let size = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
        if size > 0.0 {
            weights.iter_mut().for_each(|w| *w /= size);
        }
        let next = Place::new(climber, weights);
        if next.value >= self.value {
            *self = next;
        }
    }
}
