//! The failure theorem (Rudin and Wang 2018, section 3): on one feature, the order by x and the order
//! by -x are each preferred by half of the usual statistics and losses. Minimising a loss in place of
//! the intended statistic may give the very opposite order.
//!
//! Reference values: WRS 13744740 / 5015540; DCG 309.5484 / 265.2193; DCG@100 16.3951 / 17.8672;
//! MRR 5.67133 / 5.64547.

use clap::Args;
use serde_json::json;
use stakes::cost::{CostModel, Problem};
use stakes::learn::rerank::{Certificate, ExactRerank, certify};
use stakes::learn::{FitContext, Learner};
use stakes::metric::{Metric, Scale, evaluate};
use stakes::model::{Input, Net, ProofEnd};
use stakes::synth::Theorem;
use stakes::text::{Page, Table};

use crate::terminal::output::{self, print_json, print_page};
use crate::terminal::proof::figure;

#[derive(Args)]
pub(crate) struct TheoremDemo {
    /// Seed of the jitter
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Statistics of orders, by their names here and in `stakes metrics`; more is better.
const STATISTICS: [(&str, &str); 6] = [
    ("WRS (the AUC)", "wrs"),
    ("partial AUC@100", "pauc@100"),
    ("DCG", "clrs-dcg"),
    ("MRR", "mrr-sum"),
    ("DCG@100", "clrs-dcg@100"),
    ("partial AUC@10", "pauc@10"),
];

/// What the exact search is asked for.
const ASKED: [(&str, &str); 2] = [("AUC", "wrs"), ("DCG@100", "clrs-dcg@100")];

/// What a statistic or a loss says of both solutions.
struct Line {
    what: &'static str,
    values: [f64; 2],
    /// Whether less is better.
    is_loss: bool,
}

impl Line {
    fn prefers(&self) -> usize {
        let [first, second] = self.values;
        if (first > second) != self.is_loss { 1 } else { 2 }
    }
}

/// A loss of pairs of a positive and a negative.
type Loss = fn(f64) -> f64;
const LOSSES: [(&str, Loss); 2] =
    [("hinge loss", |z| (1.0 - z).max(0.0)), ("exponential loss", |z| (-z).exp())];

/// The sum of a loss over all pairs of a positive and a negative, of the score w x.
fn pair_loss(x: &[f64], y: &[f64], w: f64, loss: Loss) -> f64 {
    let of = |wanted: bool| -> Vec<f64> {
        x.iter().zip(y).filter(|(_, y)| (**y > 0.0) == wanted).map(|(x, _)| w * x).collect()
    };
    let (positives, negatives) = (of(true), of(false));
    positives.iter().map(|p| negatives.iter().map(|n| loss(p - n)).sum::<f64>()).sum()
}

/// Where the exponential loss of the score w x is least: a product of two sums.
fn best_scale(x: &[f64], y: &[f64]) -> f64 {
    let loss = |w: f64| {
        let of = |sign: f64, wanted: bool| -> f64 {
            let kind = x.iter().zip(y).filter(|(_, y)| (**y > 0.0) == wanted);
            kind.map(|(x, _)| (sign * w * x).exp()).sum()
        };
        of(-1.0, true) * of(1.0, false)
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

/// Everything that is shown.
struct Shown {
    lines: Vec<Line>,
    /// By statistic asked for: its name, and what was found.
    exact: Vec<(&'static str, Certificate)>,
    exponential: f64,
}

impl TheoremDemo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let shown = show(self.seed)?;
        if self.json {
            return print_json(&document(&shown));
        }
        let mut page = output::page();
        write(&mut page, &shown);
        print_page(page)
    }
}

fn show(seed: u64) -> anyhow::Result<Shown> {
    let data = Theorem { seed, ..Theorem::default() }.generate()?;
    let problem = Problem::new(&data, &CostModel::Impact)?;
    let x: Vec<f64> = data.features().column(0).map(f64::from).collect();
    let y = problem.cost();
    let turned: Vec<f64> = x.iter().map(|x| -x).collect();
    let mut lines = Vec::new();
    for (what, name) in STATISTICS {
        let metric = Metric::parse(name, Scale::of(&data))?;
        let of = |scores: &[f64]| -> anyhow::Result<f64> {
            Ok(evaluate(&metric, &problem, scores)?.figure.unwrap_or(f64::NAN))
        };
        lines.push(Line { what, values: [of(&x)?, of(&turned)?], is_loss: false });
    }
    for (what, loss) in LOSSES {
        let values = [1.0, -1.0].map(|w| pair_loss(&x, y, w, loss));
        lines.push(Line { what, values, is_loss: true });
    }
    let mut exact = Vec::new();
    for (what, name) in ASKED {
        let mut learner = ExactRerank::default();
        for (key, value) in [("top", "all"), ("objective", name), ("time-limit", "20")] {
            learner.set(key, value)?;
        }
        exact.push((what, certify(&learner, &problem, &x, Some(1), &mut FitContext::default())?));
    }
    Ok(Shown { lines, exact, exponential: best_scale(&x, y) })
}

/// The weight of x: its sign is the solution.
fn weight(found: &Certificate) -> f64 {
    let slope = |net: &Net| match (net.inputs.first(), net.layers.last()) {
        (Some(Input::Number { deviation, .. }), Some(layer)) => layer.weights[0] / deviation,
        _ => 0.0,
    };
    found.model.nets().next().map_or(0.0, slope)
}

fn solution(weight: f64) -> &'static str {
    if weight > 0.0 { "solution 1" } else { "solution 2" }
}

const AXIS: &str = "
        80                             3000 3000      10
        +                                -   +        -
  ------|--------------------------------|---|--------|--> x
       -10                               0   1        3
";

const ORDERS: &str = "
  solution 1, by  x:   10 -   3000 +   3000 -     80 +
  solution 2, by -x:   80 +   3000 -   3000 +     10 -
";

fn write(page: &mut Page, shown: &Shown) {
    page.title("Why learning to rank can fail (Rudin and Wang, 2018, section 3)");
    page.gap();
    page.text("One feature x, 3080 positives (+) and 3010 negatives (-):");
    AXIS.lines().for_each(|line| page.unbroken(line));
    page.gap();
    page.text("Two orders, each the other one turned round; the top is at the left:");
    ORDERS.lines().for_each(|line| page.unbroken(line));
    page.gap();
    let mut table = Table::new(["", "solution 1", "solution 2", "prefers"]);
    for (title, is_loss) in
        [("statistics, more is better", false), ("losses, less is better", true)]
    {
        table.group(title);
        for line in shown.lines.iter().filter(|line| line.is_loss == is_loss) {
            let [first, second] = line.values.map(figure);
            table.row([line.what, &first, &second, &format!("solution {}", line.prefers())]);
        }
    }
    page.table(&table);
    page.gap();
    page.text("What is chosen, of scores x and -x:");
    let losses = shown.lines.iter().filter(|line| line.is_loss);
    for line in losses {
        let who = if line.what.starts_with("hinge") { "a ranking SVM" } else { "RankBoost" };
        let prefers = line.prefers();
        page.hanging(
            "  ",
            &format!("by the {} ({who}): solution {prefers}, whatever is asked", line.what),
        );
    }
    for (what, found) in &shown.exact {
        let known = match found.proof.ended {
            ProofEnd::Proven => "proven".to_owned(),
            _ => format!("at most {}", figure(found.proof.bound)),
        };
        let value = figure(found.proof.value);
        let chosen = solution(weight(found));
        page.hanging("  ", &format!("by the exact search for {what}: {chosen}, {value} ({known})"));
    }
    page.gap();
    page.text(&format!(
        "So the exponential loss gives the order that is worst for the AUC that it stands for, and \
         the hinge loss the one that is worst for DCG@100. (Scores are x and -x as in the theorem. \
         If the scale of a linear score is free, the exponential loss is least at {:.3} x, which is \
         {}: it depends on the scale, too.)",
        shown.exponential,
        solution(shown.exponential)
    ));
}

fn document(shown: &Shown) -> serde_json::Value {
    let line = |line: &Line| {
        json!({
            "what": line.what,
            "solution 1": line.values[0],
            "solution 2": line.values[1],
            "loss": line.is_loss,
            "prefers": line.prefers(),
        })
    };
    let exact = |(what, found): &(&str, Certificate)| {
        let mut document = stakes::report::proof(&found.proof);
        document["asked"] = json!(what);
        document["chosen"] = json!(solution(weight(found)));
        document
    };
    json!({
        "lines": shown.lines.iter().map(line).collect::<Vec<_>>(),
        "exact": shown.exact.iter().map(exact).collect::<Vec<_>>(),
        "exponential loss is least at": shown.exponential,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn golden_numbers_and_preferences() {
        let shown = show(1).unwrap();
        let line = |what: &str| shown.lines.iter().find(|line| line.what == what).unwrap();
        for (what, values, digits) in [
            ("WRS (the AUC)", [13_744_740.0, 5_015_540.0], 0.5),
            ("DCG", [309.5484, 265.2193], 5e-5),
            ("DCG@100", [16.3951, 17.8672], 5e-5),
            ("MRR", [5.67133, 5.64547], 5e-6),
        ] {
            for (met, wanted) in line(what).values.iter().zip(values) {
                assert!((met - wanted).abs() <= digits, "{what}: {met} is not {wanted}");
            }
        }
        for (what, prefers) in [
            ("WRS (the AUC)", 1),
            ("partial AUC@100", 1),
            ("DCG", 1),
            ("MRR", 1),
            ("hinge loss", 1),
            ("DCG@100", 2),
            ("partial AUC@10", 2),
            ("exponential loss", 2),
        ] {
            assert_eq!(line(what).prefers(), prefers, "{what}");
        }
        // The exact search gives what it is asked for.
        for (asked, wanted) in [("AUC", 1.0), ("DCG@100", -1.0)] {
            let (_, found) = shown.exact.iter().find(|(what, _)| *what == asked).unwrap();
            assert_eq!(weight(found).signum(), wanted, "{asked}");
        }
        let auc = &shown.exact[0].1.proof;
        assert!((auc.value - 13_744_740.0).abs() < 1.0, "{}", auc.value);
        // At its own best scale the exponential loss turns round.
        assert!((shown.exponential - 0.119).abs() < 0.01, "{}", shown.exponential);
    }
}
