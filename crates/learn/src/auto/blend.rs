//! The weights of members, and their product.
//!
//! Members have different scales: one predicts customers, another log-odds of pairs. What
//! matters within a list is the logarithm of the score in units of its spread there, so a member
//! of weight w and mean spread s within lists gets the power w / s, times the weighted mean of
//! the spreads, so that a blend of one member is that member.
//!
//! Example: weights 1/2 and 1/2, spreads 1 and 3: powers 1 and 1/3.

use stakes_core::metric::{Direction, Evaluation, Metric, Part};

use crate::Lists;
use stakes_model::tree::scale_leaves;
use stakes_model::{Link, Scorer};

/// A member with its cross-validated results.
pub(super) struct Candidate {
    /// The best share of its rounds, and its number among the shares, from 1.
    pub(super) share: f64,
    pub(super) kept: usize,
    /// Its figure at each share.
    pub(super) figures: Vec<f64>,
    /// Logarithms of its scores.
    log: Vec<f64>,
    /// Mean standard deviation of those within lists.
    spread: f64,
    /// What each list adds to the figure.
    parts: Vec<Part>,
}

impl Candidate {
    /// The best of several shares of its rounds; of equals the smallest. `None` if no list has
    /// a value.
    pub(super) fn best(
        lists: &Lists,
        metric: &Metric,
        shares: &[f64],
        mut logs: Vec<Vec<f64>>,
        mut evaluations: Vec<Evaluation>,
    ) -> Option<Candidate> {
        let figures: Vec<f64> = evaluations.iter().filter_map(|e| e.figure).collect();
        let (kept, _) = crate::run::best(&figures, metric.direction())?;
        let log = logs.swap_remove(kept - 1);
        Some(Candidate {
            share: shares[kept - 1],
            kept,
            figures,
            spread: spread(lists, &log),
            log,
            parts: evaluations.swap_remove(kept - 1).parts,
        })
    }

    pub(super) fn figure(&self) -> f64 {
        self.figures[self.kept - 1]
    }
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

/// The weight of each member: exp(-t^2 / 2), where t is the difference to the best one in standard
/// errors. They add up to 1.
pub(super) fn weights(candidates: &[Candidate], direction: Direction) -> Vec<f64> {
    let figures: Vec<f64> = candidates.iter().map(Candidate::figure).collect();
    let Some((best, _)) = crate::run::best(&figures, direction) else { return Vec::new() };
    let best = &candidates[best - 1];
    let weight = |candidate: &Candidate| {
        if candidate.spread == 0.0 {
            return 0.0;
        }
        let t = standard_errors(&best.parts, &candidate.parts, direction);
        let weight = (-t * t / 2.0).exp();
        // A smaller weight would cost the time of a training and change no order.
        if weight < 0.02 { 0.0 } else { weight }
    };
    let weights: Vec<f64> = candidates.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    match sum > 0.0 {
        true => weights.iter().map(|w| w / sum).collect(),
        // No member has a value.
        false => vec![1.0 / candidates.len() as f64; candidates.len()],
    }
}

/// The weights, or the best member alone if it is better than the blend by two standard errors.
pub(super) fn or_the_best_alone(
    candidates: &[Candidate],
    weights: Vec<f64>,
    blend: &[Part],
    direction: Direction,
) -> Vec<f64> {
    let figures: Vec<f64> = candidates.iter().map(Candidate::figure).collect();
    let Some((best, _)) = crate::run::best(&figures, direction) else { return weights };
    if standard_errors(&candidates[best - 1].parts, blend, direction) < 2.0 {
        return weights;
    }
    (1..=candidates.len()).map(|number| f64::from(u8::from(number == best))).collect()
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

/// The logarithm of the blend's score of each item.
pub(super) fn blended(candidates: &[Candidate], powers: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; candidates.first().map_or(0, |c| c.log.len())];
    for (candidate, power) in candidates.iter().zip(powers) {
        sum.iter_mut().zip(&candidate.log).for_each(|(sum, log)| *sum += power * log);
    }
    sum
}

/// Logarithms of scores, which are above 0 unless they underflow.
pub(super) fn log_scores(scores: &[f64]) -> Vec<f64> {
    scores.iter().map(|score| score.max(f64::MIN_POSITIVE).ln()).collect()
}

/// The same order by a score above 0: sums without a unit become exponents.
pub(super) fn exponential(mut scorer: Scorer) -> Scorer {
    if let [factor] = &mut scorer.factors[..]
        && factor.link == Link::Identity
    {
        factor.link = Link::Exp;
    }
    scorer
}

/// A share of the trees of every factor.
pub(super) fn at_share(scorer: &Scorer, share: f64) -> Scorer {
    let mut scorer = scorer.clone();
    for factor in &mut scorer.factors {
        let kept = (share * factor.trees.len() as f64).ceil() as usize;
        factor.trees.truncate(kept);
    }
    scorer
}

/// One scorer from several of the same kind: the mean of their sums, factor by factor.
pub(super) fn geometric_mean(scorers: Vec<Scorer>) -> Scorer {
    let n = scorers.len() as f64;
    let mut scorers = scorers.into_iter();
    let mut mean = scorers.next().unwrap_or(Scorer { unit: 1.0, factors: Vec::new() });
    for other in scorers {
        for (factor, other) in mean.factors.iter_mut().zip(other.factors) {
            match factor.trees.is_empty() && factor.link == Link::Identity {
                true => factor.start *= other.start,
                false => factor.start += other.start,
            }
            factor.trees.extend(other.trees);
        }
    }
    for factor in &mut mean.factors {
        match factor.trees.is_empty() && factor.link == Link::Identity {
            true => factor.start = factor.start.powf(1.0 / n),
            false => factor.start /= n,
        }
        scale_leaves(&mut factor.trees, 1.0 / n);
    }
    mean
}

/// The product of scores, each with its name and its power.
pub(super) fn product(scorers: Vec<(&str, Scorer, f64)>) -> Scorer {
    let mut product = Scorer { unit: 1.0, factors: Vec::new() };
    for (name, scorer, power) in scorers {
        product.unit *= scorer.unit.powf(power);
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
    use super::*;
    use crate::tree::Tree;
    use stakes_model::Factor;

    fn candidate(spread: f64, parts: &[f64]) -> Candidate {
        let part = |num: &f64| Part { num: *num, den: 1.0 };
        let figure = parts.iter().sum::<f64>() / parts.len() as f64;
        Candidate {
            share: 1.0,
            kept: 1,
            figures: vec![figure],
            log: Vec::new(),
            spread,
            parts: parts.iter().map(part).collect(),
        }
    }

    #[test]
    fn what_lists_cannot_tell_apart_counts_alike() {
        let good = [0.5, 0.6, 0.7, 0.8, 0.5, 0.6, 0.7, 0.8];
        let worse = good.map(|value| value - 0.3);
        let noisy = [0.9, 0.2, 0.9, 0.6, 0.8, 0.3, 0.9, 0.599];
        let all = [candidate(1.0, &good), candidate(1.0, &worse), candidate(1.0, &noisy)];
        let found = weights(&all, Direction::Higher);
        assert_eq!(found[1], 0.0);
        assert!(found[0] >= found[2] && found[2] > 0.3, "{found:?}");
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // A member that says the same of all items says nothing.
        let silent = [candidate(1.0, &good), candidate(0.0, &good)];
        assert_eq!(weights(&silent, Direction::Higher), [1.0, 0.0]);
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
    fn means_and_products_are_those_of_logarithms() {
        let scorer = |unit: f64, chance: f64, size: f64| Scorer {
            unit,
            factors: vec![
                Factor::new("chance", Link::Logistic, chance, vec![Tree::constant(0.5, 1)]),
                Factor::new("size", Link::Exp, size, vec![Tree::constant(-1.0, 1)]),
                Factor::new("smearing", Link::Identity, 2.0, Vec::new()),
            ],
        };
        let order = Scorer {
            unit: 1.0,
            factors: vec![Factor::new("score", Link::Identity, -3.0, Vec::new())],
        };
        let mean = geometric_mean(vec![scorer(8.0, 0.0, 3.0), scorer(8.0, 1.0, 1.0)]);
        let chance = 1.0 / (1.0 + (-1.0_f64).exp());
        let expected = 8.0 * chance * 1.0_f64.exp() * 2.0;
        assert!((mean.score(&[]) - expected).abs() < 1e-12);
        let product = product(vec![("two-part", mean, 0.5), ("cs-mart", exponential(order), 0.25)]);
        let expected = expected.sqrt() * (-0.75_f64).exp();
        assert!((product.score(&[]) - expected).abs() < 1e-12);
        let names: Vec<&str> = product.factors.iter().map(|f| f.name.as_str()).collect();
        let own = ["two-part.chance", "two-part.size", "two-part.smearing", "cs-mart.score"];
        assert_eq!(names, own);
        assert_eq!(product.factors[0].power, 0.5);
        assert!(product.factors[1..].iter().all(|factor| factor.power == 1.0));
    }
}
