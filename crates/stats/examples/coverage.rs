//! How often 95 % intervals cover the true value: a simulation with heavy-tailed costs (`make coverage`).
//!
//! Lists of 20 items; 6 of 10 items have a cost, log-normal with a deviation of 1.8 on the scale of
//! logarithms, of which a score sees a noisy part; R_CS@3 is the figure. Kinds of lists:
//!
//! * alike: all of one severity;
//! * log-normal, Pareto: costs are multiplied by the severity of their list, log-normal with a deviation of
//!   1.5, or Pareto with an exponent of 1.5;
//! * larger are easier, larger are harder: log-normal, and the noise of the score falls or rises with the
//!   severity, so that the figure depends on it.
//!
//! The truth is the figure of a million lists. Differences are those of two scores with independent noise,
//! whose truth is 0.

use stakes_core::random::Stream;
use stakes_stats::{Column, Interval, IntervalMethod, IntervalOptions, Intervals, Part};

const ITEMS: usize = 20;
const K: usize = 3;
const TRUTH_LISTS: u64 = 1_000_000;
const TRIALS: u64 = 1000;
const SIZES: [usize; 4] = [10, 20, 50, 150];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Alike,
    LogNormal,
    Pareto,
    LargerEasier,
    LargerHarder,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Alike, "alike"),
    (Kind::LogNormal, "log-normal"),
    (Kind::Pareto, "Pareto"),
    (Kind::LargerEasier, "larger are easier"),
    (Kind::LargerHarder, "larger are harder"),
];

/// Numbers of one list, in order.
struct Draws {
    stream: Stream,
    next: u64,
}

impl Draws {
    fn unit(&mut self) -> f64 {
        self.next += 1;
        self.stream.unit(self.next)
    }

    /// By Box and Muller.
    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.unit(), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

/// The cost of an item, and its two scores.
type Item = (f64, [f64; 2]);

/// What two scores save of a list.
fn list(kind: Kind, seed: u64, number: u64) -> [Part; 2] {
    let mut draws = Draws { stream: Stream::new(seed, number), next: 0 };
    let severity = match kind {
        Kind::Alike => 1.0,
        Kind::Pareto => (1.0 - draws.unit()).powf(-1.0 / 1.5),
        _ => (1.5 * draws.normal()).exp(),
    };
    let noise = match kind {
        Kind::LargerEasier => (0.9 - 0.25 * severity.ln()).clamp(0.1, 3.0),
        Kind::LargerHarder => (0.7 + 0.35 * severity.ln()).clamp(0.1, 3.0),
        _ => 0.7,
    };
    let mut items: Vec<Item> = (0..ITEMS)
        .map(|_| {
            let seen = draws.normal();
            let cost = severity * (1.5 * seen + draws.normal()).exp();
            let cost = if draws.unit() < 0.6 { cost } else { 0.0 };
            (cost, [seen + noise * draws.normal(), seen + noise * draws.normal()])
        })
        .collect();
    let mut captured = |key: &dyn Fn(&Item) -> f64| -> f64 {
        items.sort_by(|a, b| key(b).total_cmp(&key(a)));
        let chance = |position: usize| 1.0 - position as f64 / K as f64;
        items.iter().take(K).enumerate().map(|(p, item)| chance(p) * item.0).sum()
    };
    let ideal = captured(&|item| item.0);
    [0, 1].map(|score| Part::new(captured(&|item| item.1[score]), ideal))
}

fn truth(kind: Kind) -> f64 {
    let [num, den] = (0..TRUTH_LISTS).fold([0.0, 0.0], |[num, den], number| {
        let parts = list(kind, 1, number);
        [num + parts[0].num + parts[1].num, den + parts[0].den + parts[1].den]
    });
    num / den
}

/// How often intervals held the truth, and how long they were.
#[derive(Default)]
struct Tally {
    held: u64,
    widths: Vec<f64>,
}

impl Tally {
    fn add(&mut self, interval: Option<Interval>, truth: f64) {
        let Some(interval) = interval else { return };
        self.held += u64::from(interval.contains(truth));
        self.widths.push(interval.width());
    }

    fn cell(&mut self) -> String {
        self.widths.sort_by(f64::total_cmp);
        let median = self.widths[self.widths.len() / 2];
        format!("{:.1} ({median:.2})", 100.0 * self.held as f64 / TRIALS as f64)
    }
}

fn main() {
    println!(
        "| lists | number | R_CS, t | R_CS, BCa | R_CS, percentile | difference, t | difference, BCa |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (kind, name) in KINDS {
        let truth = truth(kind);
        for size in SIZES {
            let mut tallies: [Tally; 5] = Default::default();
            for trial in 0..TRIALS {
                let lists: Vec<[Part; 2]> =
                    (0..size as u64).map(|number| list(kind, 2 + trial, number)).collect();
                let parts = [0, 1].map(|score| lists.iter().map(|l| l[score]).collect::<Vec<_>>());
                let columns = [0, 1].map(|score| Column::new(&parts[score]).within((0.0, 1.0)));
                let [t, bca, percentile] = IntervalMethod::ALL.map(|method| {
                    let options = IntervalOptions { method, resamples: 1000, ..Default::default() };
                    let all = Intervals::new(&columns, &options).expect("valid parts");
                    (all.interval(0), all.difference(0, 1))
                });
                tallies[0].add(t.0, truth);
                tallies[1].add(bca.0, truth);
                tallies[2].add(percentile.0, truth);
                tallies[3].add(t.1, 0.0);
                tallies[4].add(bca.1, 0.0);
            }
            let cells = tallies.iter_mut().map(Tally::cell).collect::<Vec<_>>().join(" | ");
            println!("| {name} (truth {truth:.3}) | {size} | {cells} |");
        }
    }
}
