//! The weights of members, and their product.
//!
//! Members have different scales: one predicts customers, another log-odds of pairs. What
//! matters within a list is the logarithm of the score in units of its spread there, so a member
//! of weight w and mean spread s within lists gets the power w / s, times the weighted mean of
//! the spreads, so that a blend of one member is that member.
//!
//! Example: weights 1/2 and 1/2, spreads 1 and 3: powers 1 and 1/3.

use stakes_core::metric::{Direction, Part};

use stakes_model::{Ended, Link, Scorer};

use crate::Lists;

/// A member with its results.
pub(super) struct Candidate {
    /// Its figure; `None` if no list has a value.
    pub(super) figure: Option<f64>,
    /// What each list adds to the figure.
    pub(super) parts: Vec<Part>,
    /// How badly its scores explain the costs of each list (`deviance.rs`).
    pub(super) deviances: Vec<Part>,
    /// Logarithms of its scores.
    pub(super) log: Vec<f64>,
    /// Mean standard deviation of those within lists.
    pub(super) spread: f64,
    /// The model, with scores above 0.
    pub(super) scorer: Scorer,
    /// See [`Model::scores_costs`](stakes_model::Model::scores_costs).
    pub(super) scores_costs: bool,
    /// Whether its training was completed.
    pub(super) ended: Ended,
}

/// The mean standard deviation within lists.
pub(super) fn spread(lists: &Lists, log: &[f64]) -> f64 {
    let of_list = |list: usize| {
        let of = &log[lists.items(list)];
        let mean = of.iter().sum::<f64>() / of.len() as f64;
        (of.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / of.len() as f64).sqrt()
    };
    (0..lists.len()).map(of_list).sum::<f64>() / lists.len() as f64
}

/// Weights to choose from, by how much a difference between members counts: from a blend of all that are not
/// clearly worse than the best one, to the best one alone. Each adds up to 1.
///
/// A blend is so similar to its best member that lists tell the two apart more surely than they do two members.
pub(super) fn choices(candidates: &[Candidate], direction: Direction) -> Vec<Vec<f64>> {
    const SHARPNESS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
    let surprises = surprises(candidates, direction);
    let blends = SHARPNESS.iter().map(|sharpness| weights(&surprises, *sharpness));
    let best = best(candidates, direction);
    blends.chain([alone(best, candidates.len())]).collect()
}

/// How little is to be said for each member: t^2 + u^2, where t is the difference of its figure to the best one in
/// standard errors, and u that of its deviance to the lowest one. Infinite for one that says the same of all items.
fn surprises(candidates: &[Candidate], direction: Direction) -> Vec<f64> {
    let best = &candidates[best(candidates, direction)];
    let likeliest = &candidates[likeliest(candidates)];
    let surprise = |candidate: &Candidate| {
        if candidate.spread == 0.0 {
            return f64::INFINITY;
        }
        let t = standard_errors(&best.parts, &candidate.parts, direction);
        let u = standard_errors(&likeliest.deviances, &candidate.deviances, Direction::Lower);
        // A difference that is certain can still be subtracted from another.
        (t * t + u * u).min(1e9)
    };
    candidates.iter().map(surprise).collect()
}

/// exp(-sharpness x surprise) of each member, divided by their sum.
fn weights(surprises: &[f64], sharpness: f64) -> Vec<f64> {
    let least = surprises.iter().copied().fold(f64::INFINITY, f64::min);
    if least == f64::INFINITY {
        // No member has a value.
        return vec![1.0 / surprises.len() as f64; surprises.len()];
    }
    let weight = |surprise: &f64| {
        let weight = (sharpness * (least - surprise)).exp();
        // A smaller weight would make the model larger and change no order.
        if weight < 0.02 { 0.0 } else { weight }
    };
    let weights: Vec<f64> = surprises.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// All weight for one member.
fn alone(chosen: usize, members: usize) -> Vec<f64> {
    (0..members).map(|number| f64::from(u8::from(number == chosen))).collect()
}

/// The number of the candidate whose scores explain costs best.
fn likeliest(candidates: &[Candidate]) -> usize {
    let whole = |c: &Candidate| c.deviances.iter().map(|part| part.num).sum::<f64>();
    let whole: Vec<f64> = candidates.iter().map(whole).collect();
    crate::run::best(&whole, Direction::Lower).map_or(0, |(number, _)| number - 1)
}

/// The weights, or the best candidate alone if it is better than the blend by two standard errors.
pub(super) fn or_the_best_alone(
    candidates: &[Candidate],
    weights: Vec<f64>,
    blend: &[Part],
    direction: Direction,
) -> Vec<f64> {
    let best = best(candidates, direction);
    if standard_errors(&candidates[best].parts, blend, direction) < 2.0 {
        return weights;
    }
    alone(best, candidates.len())
}

/// The number of the best candidate; the first if none has a figure.
fn best(candidates: &[Candidate], direction: Direction) -> usize {
    best_figure(candidates.iter().map(|c| c.figure), direction)
}

/// The number of the best figure; the first if there is none.
pub(super) fn best_figure(
    figures: impl Iterator<Item = Option<f64>>,
    direction: Direction,
) -> usize {
    let worst = if direction == Direction::Higher { f64::NEG_INFINITY } else { f64::INFINITY };
    let figures: Vec<f64> = figures.map(|figure| figure.unwrap_or(worst)).collect();
    crate::run::best(&figures, direction).map_or(0, |(number, _)| number - 1)
}

/// By how many standard errors `a` is better than `b`, list by list.
fn standard_errors(a: &[Part], b: &[Part], direction: Direction) -> f64 {
    let whole: f64 = a.iter().map(|part| part.den).sum();
    let n = a.iter().filter(|part| part.den > 0.0).count() as f64;
    let sign = if direction == Direction::Higher { 1.0 } else { -1.0 };
    let differences: Vec<f64> =
        a.iter().zip(b).map(|(a, b)| sign * (a.num - b.num) / whole).collect();
    let sum: f64 = differences.iter().sum();
    let counted = differences.iter().zip(a).filter(|(_, part)| part.den > 0.0);
    let squares: f64 = counted.map(|(d, _)| (d - sum / n) * (d - sum / n)).sum();
    if n < 2.0 || sum == 0.0 {
        return 0.0;
    }
    // A difference that is the same on every list is certain: infinitely many standard errors.
    sum / (squares * n / (n - 1.0)).sqrt()
}

/// The power of each member's score.
pub(super) fn powers(candidates: &[Candidate], weights: &[f64]) -> Vec<f64> {
    let counted = || candidates.iter().zip(weights).filter(|(c, _)| c.spread > 0.0);
    let unit: f64 = counted().map(|(c, w)| c.spread * w).sum();
    let power = |(c, w): (&Candidate, &f64)| if c.spread > 0.0 { unit * w / c.spread } else { 0.0 };
    let powers: Vec<f64> = candidates.iter().zip(weights).map(power).collect();
    match powers.iter().any(|power| *power > 0.0) {
        true => powers,
        // All are constants: any of them will do.
        false => (0..candidates.len()).map(|number| f64::from(u8::from(number == 0))).collect(),
    }
}

/// Whether the blend is in proportion to costs: most of its weight is of members that are.
pub(super) fn scores_costs(candidates: &[Candidate], weights: &[f64]) -> bool {
    let of_costs = candidates.iter().zip(weights).filter(|(c, _)| c.scores_costs);
    of_costs.map(|(_, weight)| weight).sum::<f64>() > 0.5
}

/// The logarithm of the blend's score of each item.
pub(super) fn blended(candidates: &[Candidate], powers: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; candidates.first().map_or(0, |c| c.log.len())];
    for (candidate, power) in candidates.iter().zip(powers) {
        sum.iter_mut().zip(&candidate.log).for_each(|(sum, log)| *sum += power * log);
    }
    sum
}

/// Whether the score is a sum without a unit, which only orders.
fn is_sum(scorer: &Scorer) -> bool {
    matches!(&scorer.factors[..], [factor] if factor.link == Link::Identity)
}

/// Logarithms of the scores of [`exponential`], from those of a scorer.
pub(super) fn log_scores(scorer: &Scorer, scores: &[f64]) -> Vec<f64> {
    match is_sum(scorer) {
        true => scores.to_vec(),
        // They are above 0 unless they underflow.
        false => scores.iter().map(|score| score.max(f64::MIN_POSITIVE).ln()).collect(),
    }
}

/// The same order by a score above 0: sums without a unit become exponents.
pub(super) fn exponential(mut scorer: Scorer) -> Scorer {
    if is_sum(&scorer) {
        scorer.factors[0].link = Link::Exp;
    }
    scorer
}

/// The product of scores, each with its name and its power. The second of a name is called `NAME 2`.
pub(super) fn product(scorers: Vec<(&str, Scorer, f64)>) -> Scorer {
    // exp of more is beyond what model files hold; the unit changes no order.
    const MAX_LOG: f64 = 690.0;
    let log_unit: f64 = scorers.iter().map(|(_, scorer, power)| power * scorer.unit.ln()).sum();
    let unit = log_unit.clamp(-MAX_LOG, MAX_LOG).exp();
    let mut product = Scorer { unit, factors: Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for (own, scorer, power) in scorers {
        names.push(own);
        let name = match names.iter().filter(|name| **name == own).count() {
            1 => own.to_owned(),
            n => format!("{own} {n}"),
        };
        for mut factor in scorer.factors {
            factor.raise(power);
            factor.name = format!("{name}.{}", factor.name);
            product.factors.push(factor);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::tree::Tree;
    use stakes_model::Factor;

    fn candidate(spread: f64, parts: &[f64]) -> Candidate {
        let part = |num: &f64| Part { num: *num, den: 1.0 };
        let figure = parts.iter().sum::<f64>() / parts.len() as f64;
        Candidate {
            figure: Some(figure),
            parts: parts.iter().map(part).collect(),
            deviances: parts.iter().map(|_| part(&0.0)).collect(),
            log: Vec::new(),
            spread,
            scorer: Scorer { unit: 1.0, factors: Vec::new() },
            scores_costs: true,
            ended: Ended::AllRounds,
        }
    }

    #[test]
    fn what_lists_cannot_tell_apart_counts_alike() {
        let good = [0.5, 0.6, 0.7, 0.8, 0.5, 0.6, 0.7, 0.8];
        let worse = good.map(|value| value - 0.3);
        let noisy = [0.9, 0.2, 0.9, 0.6, 0.8, 0.3, 0.9, 0.599];
        let all = [candidate(1.0, &good), candidate(1.0, &worse), candidate(1.0, &noisy)];
        let choices = choices(&all, Direction::Higher);
        let found = &choices[0];
        assert_eq!(found[1], 0.0);
        assert!(found[0] >= found[2] && found[2] > 0.3, "{found:?}");
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // A member that says the same of all items says nothing.
        let silent = [candidate(1.0, &good), candidate(0.0, &good)];
        assert!(super::choices(&silent, Direction::Higher).iter().all(|w| *w == [1.0, 0.0]));
        // The last choice is the best alone.
        assert_eq!(choices.last().unwrap(), &[1.0, 0.0, 0.0]);
    }

    #[test]
    fn what_explains_costs_surely_worse_has_no_weight() {
        let figures = [0.5, 0.6, 0.7, 0.8];
        let deviances = |values: [f64; 4]| values.map(|num| Part { num, den: 1.0 }).to_vec();
        let with = |values| Candidate { deviances: deviances(values), ..candidate(1.0, &figures) };
        let [good, alike, worse] =
            [[1.0, 2.0, 3.0, 2.0], [1.2, 1.9, 2.9, 2.01], [1.5, 2.6, 3.5, 2.6]].map(with);
        let found = &choices(&[worse, good, alike], Direction::Higher)[0];
        assert_eq!(found[0], 0.0);
        assert!(found[1] >= found[2] && found[2] > 0.4, "{found:?}");
    }

    #[test]
    fn powers_bring_members_to_one_scale() {
        let parts = [0.5, 0.6];
        let two = [candidate(1.0, &parts), candidate(3.0, &parts)];
        assert_eq!(powers(&two, &[0.5, 0.5]), [1.0, 1.0 / 3.0]);
        assert_eq!(powers(&two, &[0.0, 1.0]), [0.0, 1.0]);
        let none = [candidate(0.0, &parts), candidate(0.0, &parts)];
        assert_eq!(powers(&none, &[0.5, 0.5]), [1.0, 0.0]);
    }

    #[test]
    fn the_best_stands_alone_where_the_blend_is_surely_worse() {
        let best = [0.8, 0.7, 0.9, 0.8, 0.75, 0.85];
        let all = [candidate(1.0, &best), candidate(1.0, &best.map(|v| v - 0.05))];
        let parts = |values: [f64; 6]| values.map(|num| Part { num, den: 1.0 });
        let alike = or_the_best_alone(&all, vec![0.6, 0.4], &parts(best), Direction::Higher);
        assert_eq!(alike, [0.6, 0.4]);
        let mut worse = best.map(|value| value - 0.2);
        worse[0] += 0.01;
        let alone = or_the_best_alone(&all, vec![0.6, 0.4], &parts(worse), Direction::Higher);
        assert_eq!(alone, [1.0, 0.0]);
    }

    #[test]
    fn a_product_is_of_powers() {
        let costs = Scorer {
            unit: 8.0,
            factors: vec![
                Factor::new("chance", Link::Logistic, 0.5, vec![Tree::constant(0.5, 1)]),
                Factor::new("size", Link::Exp, 2.0, vec![Tree::constant(-1.0, 1)]),
                Factor::new("smearing", Link::Identity, 2.0, Vec::new()),
            ],
        };
        let order = Scorer {
            unit: 1.0,
            factors: vec![Factor::new("score", Link::Identity, -3.0, Vec::new())],
        };
        assert_eq!(log_scores(&order, &[-3.0]), [-3.0]);
        assert_eq!(log_scores(&costs, &[1.0]), [0.0]);
        let chance = 1.0 / (1.0 + (-1.0_f64).exp());
        let expected = 8.0 * chance * 1.0_f64.exp() * 2.0;
        let order = exponential(order);
        let product = product(vec![
            ("two-part", costs, 0.5),
            ("cs-mart", order.clone(), 0.25),
            ("cs-mart", order, 0.5),
        ]);
        let expected = expected.sqrt() * (-0.75_f64 - 1.5).exp();
        assert!((product.score(&[]) - expected).abs() < 1e-12);
        let names: Vec<&str> = product.factors.iter().map(|f| f.name.as_str()).collect();
        let first = ["two-part.chance", "two-part.size", "two-part.smearing"];
        assert_eq!(names[..3], first);
        assert_eq!(names[3..], ["cs-mart.score", "cs-mart 2.score"]);
        assert_eq!(product.factors[0].power, 0.5);
        assert!(product.factors[1..].iter().all(|factor| factor.power == 1.0));
    }
}
