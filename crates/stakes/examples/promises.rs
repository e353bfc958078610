//! Do expected costs keep what they promise? A study on lists that a model has not seen (`make promises`; the
//! figures are in docs/intervals.md).
//!
//! * Intervals of the mean (`low`, `high`): the share of fiftieths of the score whose true mean cost is within,
//!   on generated storms, whose true expected costs are known. 200 storms to learn from, 800 to judge by.
//! * Totals and items: the share of lists of which the first k items together, and of items of the top tenth that
//!   singly, cost what their 80 % interval says; also on public data (STAKES_DATA), split at random.
//!
//! `promises [SEEDS [NAME]]`: seeds 1..16 by default; constants were chosen by these, so 101..116 are fresh ones. With
//! a name only the sets whose name holds it.

use std::ops::RangeInclusive;

use stakes::data::Dataset;
use stakes::model::{Calibration, Model};
use stakes::prelude::*;
use stakes::random::Stream;
use stakes::synth::{ORACLE, Oracle, Storms, Tail};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Bins of the score.
const BINS: usize = 50;

fn main() -> Outcome<()> {
    let mut asked = std::env::args().skip(1);
    let seeds = seeds(asked.next().as_deref().unwrap_or("16"))?;
    let only = asked.next().unwrap_or_default();
    println!(
        "| lists | calibrated by | means held | lowest fifth | highest | totals of k held | items of the top tenth |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, tail) in [("storms", Tail::Hurdle), ("storms, heavier tail", Tail::Tempered)] {
        for learner in ["two-part", "cs-mart"] {
            for (how, folds) in [("200 lists, by folds", Some(5)), ("40 lists held out", None)] {
                if !name.contains(&only) {
                    continue;
                }
                let mut shares = Shares::default();
                for seed in seeds.clone() {
                    let all = storms(seed, tail)?;
                    let lists: Vec<usize> = (0..all.n_lists()).collect();
                    shares.add(&all, learner, folds, lists.split_at(200), (10, seed))?;
                }
                shares.print(&format!("{name}, {learner}, k = 10"), how);
            }
        }
    }
    let Some(folder) = std::env::var_os("STAKES_DATA") else {
        println!("\nPublic data are left out: STAKES_DATA does not name their folder.");
        return Ok(());
    };
    let folder = folder.to_string_lossy();
    for (name, all, k, held_out) in
        [("power outages", outages(&folder)?, 3, 83), ("concrete", concrete(&folder)?, 10, 4)]
    {
        if !name.contains(&only) {
            continue;
        }
        let mut shares = Shares::default();
        // Four splits stand for a seed.
        for seed in 4 * seeds.start() - 3..=4 * seeds.end() {
            let draws = Stream::new(seed, 1);
            let mut lists: Vec<usize> = (0..all.n_lists()).collect();
            lists.sort_by_key(|&list| draws.word(list as u64));
            let sides = lists.split_at(lists.len() - held_out);
            shares.add(&all, "two-part", Some(5), sides, (k, seed))?;
        }
        let how = format!("{} lists, by folds", all.n_lists() - held_out);
        shares.print(&format!("{name}, two-part, k = {k}"), &how);
    }
    Ok(())
}

/// The seeds of `16`, the first ones, or of `101..116`.
fn seeds(text: &str) -> Outcome<RangeInclusive<u64>> {
    let (first, last) = text.split_once("..").unwrap_or(("1", text));
    let (first, last) = (first.parse()?, last.parse()?);
    match 0 < first && first <= last {
        true => Ok(first..=last),
        false => Err(format!("`{text}` are no seeds; allowed are a number, and 101..116").into()),
    }
}

fn storms(seed: u64, tail: Tail) -> Outcome<Dataset> {
    let storms = Storms {
        lists: 1000,
        rows: 50_000,
        tail,
        oracle: Oracle::Column,
        seed,
        ..Storms::default()
    };
    Ok(storms.generate()?)
}

/// Outages by month, of those whose customers are known; all that is known only afterwards is left out.
fn outages(folder: &str) -> Outcome<Dataset> {
    const AFTERWARDS: [&str; 8] = [
        "OUTAGE.DURATION",
        "DEMAND.LOSS.MW",
        "OUTAGE.RESTORATION.DATE",
        "OUTAGE.RESTORATION.TIME",
        "OUTAGE.START.DATE",
        "OUTAGE.START.TIME",
        "HURRICANE.NAMES",
        "OBS",
    ];
    let mut reader = csv::Reader::from_path(format!("{folder}/power-outages/outage.csv"))?;
    let names = reader.headers()?.clone();
    let place = |name: &str| names.iter().position(|other| other == name).unwrap_or(0);
    let (year, month, cost) = (place("YEAR"), place("MONTH"), place("CUSTOMERS.AFFECTED"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names.iter().chain(["list"]))?;
    for row in reader.records() {
        let row = row?;
        let known = |place: usize| row[place].parse::<f64>().ok();
        let (Some(_), Some(month)) = (known(cost), known(month)) else { continue };
        let list = format!("{}-{month}", &row[year]);
        writer.write_record(
            row.iter().map(|cell| if cell == "NA" { "" } else { cell }).chain([&*list]),
        )?;
    }
    let roles = Roles::new().list("list").impact("CUSTOMERS.AFFECTED").drop(AFTERWARDS);
    Ok(parse_csv_bytes(&writer.into_inner()?, roles)?)
}

/// Mixtures by age: what counts is their strength.
fn concrete(folder: &str) -> Outcome<Dataset> {
    let text = std::fs::read_to_string(format!("{folder}/concrete/Concrete_Data.csv"))?;
    let mut text: String = text.lines().skip(1).flat_map(|row| [row, "\n"]).collect();
    text.insert_str(0, "cement,slag,ash,water,plasticizer,coarse,fine,age,strength\n");
    Ok(parse_csv_bytes(text.as_bytes(), Roles::new().list("age").impact("strength"))?)
}

/// How many of how many.
#[derive(Default, Clone, Copy)]
struct Share(f64, f64);

impl Share {
    fn add(&mut self, is_held: bool) {
        self.0 += f64::from(u8::from(is_held));
        self.1 += 1.0;
    }

    fn percent(self) -> String {
        if self.1 > 0.0 { format!("{:.1}", 100.0 * self.0 / self.1) } else { "-".to_owned() }
    }
}

#[derive(Default)]
struct Shares {
    means: Share,
    lowest: Share,
    highest: Share,
    totals: Share,
    items: Share,
}

impl Shares {
    /// Learns from the lists of one side, and judges by those of the other.
    fn add(
        &mut self,
        all: &Dataset,
        learner: &str,
        folds: Option<usize>,
        (known, new): (&[usize], &[usize]),
        (k, seed): (usize, u64),
    ) -> Outcome<()> {
        let sorted = |lists: &[usize]| {
            let mut lists = lists.to_vec();
            lists.sort_unstable();
            all.take_lists(&lists)
        };
        let (known, new) = (sorted(known), sorted(new));
        let fit = Fit::with(learner)?.seed(seed);
        let fit = match folds {
            Some(folds) => fit.folds(folds),
            None => fit.hold_out(0.2),
        };
        let model = fit.fit(&known, &Goal::act_on(k))?;
        let scores = model.score(&new)?;
        let Some(calibration) = &model.calibration else { return Ok(()) };
        if let Ok(truth) = new.numbers(ORACLE) {
            self.means(calibration, &scores, &truth);
        }
        self.outcomes(&model, calibration, &new, &scores)
    }

    fn means(&mut self, calibration: &Calibration, scores: &[f64], truth: &[f64]) {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        for (number, bin) in order.chunks(order.len().div_ceil(BINS)).enumerate() {
            let mean = |of: &dyn Fn(usize) -> f64| {
                bin.iter().map(|&item| of(item)).sum::<f64>() / bin.len() as f64
            };
            let low = mean(&|item| calibration.expected(scores[item]).low);
            let high = mean(&|item| calibration.expected(scores[item]).high);
            let is_held = (low..=high).contains(&mean(&|item| truth[item]));
            self.means.add(is_held);
            if number < BINS / 5 {
                self.lowest.add(is_held);
            }
            if number >= BINS - BINS / 5 {
                self.highest.add(is_held);
            }
        }
    }

    fn outcomes(
        &mut self,
        model: &Model,
        calibration: &Calibration,
        new: &Dataset,
        scores: &[f64],
    ) -> Outcome<()> {
        let costs = new.impact().ok_or("costs are known")?;
        let ranked = model.rank(new)?;
        for list in ranked.items.chunk_by(|a, b| a.list == b.list) {
            let acted_on: Vec<_> = list.iter().filter(|item| item.act).collect();
            let Some(last) = acted_on.last() else { continue };
            let cost: f64 = acted_on.iter().map(|item| costs[item.item]).sum();
            if let Some((low, high)) = last.total_low.value().zip(last.total_high.value()) {
                self.totals.add((low..=high).contains(&cost));
            }
        }
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        for &item in &order[..order.len() / 10] {
            if let Some(outcome) = calibration.outcome(scores[item]) {
                self.items.add((outcome.range.low..=outcome.range.high).contains(&costs[item]));
            }
        }
        Ok(())
    }

    fn print(&self, name: &str, how: &str) {
        let Shares { means, lowest, highest, totals, items } = self;
        let shares = [means, lowest, highest, totals, items].map(|share| share.percent());
        println!("| {name} | {how} | {} |", shares.join(" | "));
    }
}
