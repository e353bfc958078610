//! Finding good weights: hill climbing by exact line search from many starts.
//!
//! Along a line of weights the value is a step function whose best step is found exactly
//! ([`crate::line`]). A climb goes along every feature and along random directions of equal spread
//! until the value no longer rises. Starts are the given ones, random directions, and perturbed copies of the
//! best weights so far (iterated local search: most optima lie near other good ones).

use rayon::prelude::*;
use stakes_core::random::Stream;

use crate::clock::{Clock, Deadline};
use crate::cones::Space;
use crate::incumbent::Incumbent;
use crate::line::{Direction, PermanentTies, ROUNDING, best_step};
use crate::problem::Problem;
use crate::rules::{Rules, Sign};

/// The approximate number of crossings examined by all climbs together: about a second of work.
const CROSSINGS_BUDGET: usize = 60_000_000;

/// The effort per possible crossing, in steps (see [`Climbed::effort`]); about half of the possible crossings occur.
const STEPS_PER_CROSSING: u64 = 20;

/// The number of climbs that run at a time, whatever the number of threads.
const BATCH: usize = 8;

/// The number of random starts before the first start near the best weights.
const RANDOM_STARTS: usize = 40;

/// The number of positions of the random stream reserved for each climb.
const DRAWS_PER_CLIMB: u64 = 1 << 32;

/// Forward selection: adds one feature at a time, the one with the best climb, as long as the value rises. For rules
/// that allow too many sets of features to enumerate.
pub(crate) fn forward(
    problem: &Problem,
    rules: &Rules,
    draws: Stream,
    incumbent: &mut Incumbent,
    end: Deadline<'_>,
) {
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < rules.at_most.unwrap_or(problem.width()) && !end.has_passed() {
        let others: Vec<usize> = (0..problem.width()).filter(|f| !chosen.contains(f)).collect();
        let climb = |feature: &usize| {
            let features: Vec<usize> = chosen.iter().chain([feature]).copied().collect();
            let climber = Climber::new(problem, rules, &features, draws);
            let draws = *feature as u64 * DRAWS_PER_CLIMB;
            climber.climb(climber.allowed(&incumbent.weights), draws, end)
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

/// The result of a climb.
pub(crate) struct Climbed {
    pub(crate) weights: Vec<f64>,
    /// Their value minus their penalty.
    pub(crate) value: f64,
    /// The number of lines searched.
    lines: usize,
    /// The effort in steps of a few nanoseconds, counted and not measured.
    pub(crate) effort: u64,
}

/// Climbs in the weights of some features.
pub(crate) struct Climber<'p> {
    problem: &'p Problem,
    rules: &'p Rules,
    features: Vec<usize>,
    space: Space,
    /// The maximum number of crossings along a line.
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

    /// Runs many climbs until a share of the usual effort is spent or the time is up.
    pub(crate) fn search(
        &self,
        starts: &[Vec<f64>],
        incumbent: &mut Incumbent,
        share: f64,
        clock: &Clock<'_, '_>,
        end: Deadline<'_>,
    ) {
        // Where there are few crossings there are few different orders.
        let usual = (CROSSINGS_BUDGET / self.crossings).min(8 * self.crossings).max(64);
        let lines = (share * usual as f64) as usize;
        if self.space.dims() == 0 {
            return;
        }
        let (mut searched, mut number) = (0, 0);
        while number == 0 || searched < lines {
            let best = incumbent.clone();
            let climbs: Vec<_> = (number..number + BATCH)
                .into_par_iter()
                .map(|number| {
                    let draws = (number as u64 + 1) * DRAWS_PER_CLIMB;
                    let start = match starts.get(number) {
                        Some(start) => self.allowed(start),
                        None if number < starts.len() + RANDOM_STARTS => {
                            self.allowed(&self.random_direction(draws))
                        }
                        None => self.perturbed(&best, number, draws),
                    };
                    self.climb(start, draws, end)
                })
                .collect();
            for climbed in climbs {
                incumbent.offer(&climbed.weights, climbed.value);
                searched += climbed.lines;
            }
            number += BATCH;
            let bound = self.problem.ideal();
            clock.report(incumbent.value, bound, 0);
            if end.has_passed() || incumbent.value >= bound - ROUNDING {
                break;
            }
        }
    }

    /// Runs one batch of climbs, from these weights and from perturbed copies of the best ones, drawn by the round.
    pub(crate) fn climb_batch(
        &self,
        weights: &[f64],
        best: &Incumbent,
        round: u64,
        end: Deadline<'_>,
    ) -> Vec<Climbed> {
        let climb = |number: usize| {
            let draws = (1 << 63) + (round * BATCH as u64 + number as u64) * DRAWS_PER_CLIMB;
            let start = match number {
                0 => self.allowed(weights),
                _ => self.perturbed(best, number, draws),
            };
            self.climb(start, draws, end)
        };
        (0..BATCH).into_par_iter().map(climb).collect()
    }

    /// These weights, with those set to 0 that the rules or the support do not allow.
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

    /// The best weights plus a random direction of random size; every fourth start is the random direction alone.
    fn perturbed(&self, best: &Incumbent, number: usize, draws: u64) -> Vec<f64> {
        let random = self.random_direction(draws);
        if number.is_multiple_of(4) || best.value == f64::NEG_INFINITY {
            return self.allowed(&random);
        }
        let share = 0.05 + 0.5 * self.draws.unit(draws - 1);
        let length = |weights: &[f64]| {
            let spread = self.problem.scores(weights).iter().map(|s| s * s).sum::<f64>().sqrt();
            if spread > 0.0 { spread } else { 1.0 }
        };
        let (a, b) = (length(&best.weights), length(&random));
        let mixed = best.weights.iter().zip(&random).map(|(w, v)| w / a + share * v / b);
        self.allowed(&mixed.collect::<Vec<f64>>())
    }

    /// A random direction of equal spread.
    fn random_direction(&self, draws: u64) -> Vec<f64> {
        // The sum of three uniform draws is close enough to a normal one.
        let draw = |at: u64| (0..3).map(|i| self.draws.unit(draws + 3 * at + i)).sum::<f64>() - 1.5;
        let direction: Vec<f64> = (0..self.space.dims() as u64).map(draw).collect();
        self.space.weights(&direction)
    }

    /// Climbs from these weights until the value no longer rises or the time is up.
    pub(crate) fn climb(&self, weights: Vec<f64>, draws: u64, end: Deadline<'_>) -> Climbed {
        let mut at = Position::new(self, weights);
        let mut draws = draws;
        let mut lines = 0;
        loop {
            let before = at.value;
            let mut units = self.features.iter().map(|&feature| {
                let mut unit = vec![0.0; self.problem.width()];
                unit[feature] = 1.0;
                unit
            });
            for _ in 0..self.features.len() + 2 * self.space.dims() {
                let direction = units.next().unwrap_or_else(|| {
                    draws += 3 * self.space.dims() as u64;
                    self.random_direction(draws)
                });
                if !end.has_passed() {
                    at.step(self, &direction);
                    lines += 1;
                }
            }
            if at.value <= before + ROUNDING || end.has_passed() {
                let value = at.value - self.rules.cost(&at.weights);
                let effort = (lines * self.crossings) as u64 * STEPS_PER_CROSSING;
                return Climbed { weights: at.weights, value, lines, effort };
            }
        }
    }
}

/// The current position of a climb.
struct Position {
    weights: Vec<f64>,
    scores: Vec<f64>,
    value: f64,
}

impl Position {
    fn new(climber: &Climber<'_>, weights: Vec<f64>) -> Self {
        let scores = climber.problem.scores(&weights);
        let value = climber.problem.value(&weights);
        Position { weights, scores, value }
    }

    /// Moves along a direction to where the value is best, unless the value falls.
    fn step(&mut self, climber: &Climber<'_>, direction: &[f64]) {
        let problem = climber.problem;
        let slopes = problem.scores(direction);
        let order = problem.order(&self.scores);
        let line = Direction {
            offsets: problem.offsets(),
            order: &order,
            scores: &self.scores,
            slopes: &slopes,
            permanent_ties: PermanentTies::SmallestFirst,
        };
        let moved = |by: f64| -> Vec<f64> {
            self.weights.iter().zip(direction).map(|(weight, to)| weight + by * to).collect()
        };
        let forbidden = |by: f64| {
            let signs = !climber.rules.signs.is_empty();
            if signs && climber.allowed(&moved(by)) != moved(by) { f64::INFINITY } else { 0.0 }
        };
        let best = best_step(problem.sum(), &line, forbidden);
        if best.value < self.value - ROUNDING || forbidden(best.by) > 0.0 {
            return;
        }
        let mut weights = moved(best.by);
        let size = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
        if size > 0.0 {
            weights.iter_mut().for_each(|w| *w /= size);
        }
        let next = Position::new(climber, weights);
        if next.value >= self.value {
            *self = next;
        }
    }
}
