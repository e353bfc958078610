//! Choosing a model over time: which rule would have picked well?
//!
//! As of each date a rule knows the figures of the periods before and picks a learner; the next period tells
//! what a better pick would have brought. The difference to the best learner of that period is the rule's
//! regret. (Triage, a tool for public policy, calls this audition.)
//!
//! Example: learners a and b with 0.5 and 0.6 in the first period, 0.7 and 0.4 in the second. As of the second
//! `best-last` picks b, and its regret is 0.3.

use serde::Serialize;

/// A rule that picks a learner by the figures of earlier periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The best of the last period.
    BestLast,
    /// The best mean.
    BestMean,
    /// The best mean in which a period counts half as much as the one after it.
    RecentMean,
    /// The best mean minus standard deviation.
    SteadyMean,
    /// The lowest variance.
    LowestVariance,
    /// Most often within a distance of the best of the period.
    NearBest,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 6] = [
        Rule::BestMean,
        Rule::RecentMean,
        Rule::BestLast,
        Rule::SteadyMean,
        Rule::LowestVariance,
        Rule::NearBest,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::BestLast => "best-last",
            Rule::BestMean => "best-mean",
            Rule::RecentMean => "recent-mean",
            Rule::SteadyMean => "steady-mean",
            Rule::LowestVariance => "lowest-variance",
            Rule::NearBest => "near-best",
        }
    }

    /// What it does, in words.
    pub fn title(self) -> &'static str {
        match self {
            Rule::BestLast => "the best of the last period",
            Rule::BestMean => "the best mean of all periods",
            Rule::RecentMean => "the best mean, a period counting half as much as the next",
            Rule::SteadyMean => "the best mean minus standard deviation",
            Rule::LowestVariance => "the lowest variance",
            Rule::NearBest => "most often within a distance of the best",
        }
    }

    /// The number of the learner that it picks: the first of the best; among equals that with the best mean.
    /// `history` has a figure of every learner for each period, higher ones better, at least one period.
    fn pick(self, history: &[Vec<f64>], distance: f64) -> usize {
        let learners = history[0].len();
        let of = |learner: usize| history.iter().map(move |period| period[learner]);
        let periods = history.len() as f64;
        let mean = |learner: usize| of(learner).sum::<f64>() / periods;
        let variance = |learner: usize| {
            of(learner).map(|x| (x - mean(learner)).powi(2)).sum::<f64>() / periods
        };
        let is_near =
            |period: &Vec<f64>, learner: usize| period[learner] >= best_of(period) - distance;
        let merit = |learner: usize| match self {
            Rule::BestLast => history[history.len() - 1][learner],
            Rule::BestMean => mean(learner),
            Rule::RecentMean => of(learner).fold(0.0, |sum, x| sum / 2.0 + x),
            Rule::SteadyMean => mean(learner) - variance(learner).sqrt(),
            Rule::LowestVariance => -variance(learner),
            Rule::NearBest => {
                history.iter().filter(|period| is_near(period, learner)).count() as f64
            }
        };
        let key = |learner: usize| (merit(learner), mean(learner));
        let better = |a: usize, b: usize| {
            let order = key(a).0.total_cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1));
            if order.is_lt() { b } else { a }
        };
        (0..learners).reduce(better).unwrap_or(0)
    }
}

fn best_of(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// A period as rules see it: a figure and a saved cost of every learner.
pub(super) struct Played {
    pub(super) label: String,
    /// Higher ones better.
    pub(super) figures: Vec<f64>,
    pub(super) saved: Vec<f64>,
}

/// What choosing by rules would have brought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choices {
    /// The learners that can be chosen.
    pub learners: Vec<String>,
    /// The distance of the rule `near-best`.
    pub distance: f64,
    /// The periods in which rules picked: all but the first.
    pub periods: Vec<String>,
    /// The rules, those with the least regret first.
    pub rules: Vec<RuleRecord>,
    /// One learner throughout, for comparison: who it would have been is known only afterwards.
    pub always: Vec<RuleRecord>,
}

/// A rule and its picks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleRecord {
    /// The name of the rule; `always NAME` for one learner throughout.
    pub rule: String,
    /// What it does, in words.
    pub title: String,
    /// Whom it picked in each period.
    pub picks: Vec<String>,
    /// The mean difference to the best figure of each period.
    pub mean_regret: f64,
    /// The sum of the differences of saved cost to the learner with the best figure.
    pub lost: f64,
    /// Whom it picks now, by all periods.
    pub next: String,
}

/// Plays all rules. `None` if there are not two periods with figures, or nobody to choose.
pub(super) fn play(learners: &[String], periods: &[Played], distance: f64) -> Option<Choices> {
    if periods.len() < 2 || learners.is_empty() {
        return None;
    }
    let history: Vec<Vec<f64>> = periods.iter().map(|period| period.figures.clone()).collect();
    let record = |rule: &str, title: &str, pick: &dyn Fn(usize) -> usize| {
        // As of a period only those before it are known.
        let picks: Vec<usize> = (1..periods.len()).map(pick).collect();
        let (mut regret, mut lost) = (0.0, 0.0);
        for (period, &pick) in periods[1..].iter().zip(&picks) {
            let best = best_of(&period.figures);
            let winner = period.figures.iter().position(|&x| x == best).unwrap_or(pick);
            regret += best - period.figures[pick];
            lost += period.saved[winner] - period.saved[pick];
        }
        RuleRecord {
            rule: rule.to_owned(),
            title: title.to_owned(),
            picks: picks.iter().map(|&pick| learners[pick].clone()).collect(),
            mean_regret: regret / picks.len() as f64,
            lost,
            next: learners[pick(periods.len())].clone(),
        }
    };
    let mut rules: Vec<RuleRecord> = Rule::ALL
        .iter()
        .map(|rule| {
            record(rule.name(), rule.title(), &|known| rule.pick(&history[..known], distance))
        })
        .collect();
    rules.sort_by(|a, b| a.mean_regret.total_cmp(&b.mean_regret));
    let always = |(number, name): (usize, &String)| {
        record(&format!("always {name}"), "one learner throughout", &|_| number)
    };
    let mut always: Vec<RuleRecord> = learners.iter().enumerate().map(always).collect();
    always.sort_by(|a, b| a.mean_regret.total_cmp(&b.mean_regret));
    Some(Choices {
        learners: learners.to_vec(),
        distance,
        periods: periods[1..].iter().map(|period| period.label.clone()).collect(),
        rules,
        always,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(rows: &[&[f64]]) -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn every_rule_has_its_taste() {
        // a: good on average, uneven; b: rising; c: steady and mostly near the best.
        let figures = history(&[&[0.9, 0.3, 0.6], &[0.9, 0.4, 0.6], &[0.3, 0.62, 0.6]]);
        let pick = |rule: Rule, distance| rule.pick(&figures, distance);
        assert_eq!(pick(Rule::BestMean, 0.02), 0);
        assert_eq!(pick(Rule::BestLast, 0.02), 1);
        assert_eq!(pick(Rule::LowestVariance, 0.02), 2);
        assert_eq!(pick(Rule::SteadyMean, 0.02), 2);
        assert_eq!(pick(Rule::NearBest, 0.02), 0);
        assert_eq!(pick(Rule::NearBest, 0.31), 2);
        // 0.9/4 + 0.9/2 + 0.3 = 0.975; 0.075 + 0.2 + 0.62 = 0.895; 1.05.
        assert_eq!(pick(Rule::RecentMean, 0.02), 2);
        // One period: nobody varies, so the mean decides.
        assert_eq!(Rule::LowestVariance.pick(&figures[..1], 0.0), 0);
    }

    #[test]
    fn regret_is_the_distance_to_the_best_of_the_period() {
        let period = |label: &str, figures: [f64; 2]| Played {
            label: label.into(),
            figures: figures.to_vec(),
            saved: figures.map(|figure| 100.0 * figure).to_vec(),
        };
        let periods = [period("1", [0.5, 0.6]), period("2", [0.7, 0.4]), period("3", [0.2, 0.25])];
        let learners = ["a".to_owned(), "b".to_owned()];
        let choices = play(&learners, &periods, 0.02);
        let choices = choices.as_ref().map(|c| (&c.rules, &c.always, &c.periods));
        let Some((rules, always, names)) = choices else { panic!("nothing was played") };
        assert_eq!(names, &["2", "3"]);
        let last = rules.iter().find(|rule| rule.rule == "best-last");
        let last = last.map(|r| (r.picks.clone(), r.mean_regret, r.lost.round(), r.next.as_str()));
        let picks = vec!["b".to_owned(), "a".to_owned()];
        assert_eq!(last, Some((picks, (0.7 - 0.4 + (0.25 - 0.2)) / 2.0, 35.0, "b")));
        assert!(always[0].rule == "always a" && (always[0].mean_regret - 0.025).abs() < 1e-12);
        assert!(play(&learners, &periods[..1], 0.02).is_none());
    }
}
