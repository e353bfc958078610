//! The paper's claims, counted.

use serde::{Deserialize, Serialize};
use stakes_core::metric::{Part, ratio};
use stakes_model::Model;

use super::super::report::{Claim, Held};
use super::super::work::LEVEL;
use super::printed::{Printed, ROWS};
use super::{Entries, Judged, as_in_paper};

/// A claim about one learner and another in many cells.
#[derive(Default)]
struct Count {
    cells: usize,
    better: usize,
    /// Better, with p < 0.05.
    clearly: usize,
    /// Worse, with p < 0.05.
    clearly_worse: usize,
}

impl Count {
    fn add(&mut self, against: Option<(f64, f64)>) {
        let Some((difference, p)) = against else { return };
        self.cells += 1;
        self.better += usize::from(difference > 0.0);
        self.clearly += usize::from(difference > 0.0 && p < LEVEL);
        self.clearly_worse += usize::from(difference < 0.0 && p < LEVEL);
    }

    fn text(&self) -> String {
        format!(
            "{} of {} cells, {} of them with p < {LEVEL}; worse with p < {LEVEL} in {}",
            self.better, self.cells, self.clearly, self.clearly_worse
        )
    }
}

pub(super) fn claims(judged: &[Judged], shares: [Shares; 2]) -> Vec<Claim> {
    let mut claims = vec![
        beats_its_pair(judged, as_in_paper, "with the settings of the paper"),
        beats_its_pair(judged, str::to_owned, "with our defaults"),
        best_new_beats_regression(judged),
        top_three(judged),
        in_order(judged, ["cs-mart", "cr-mart", "lambdamart"]),
        in_order(judged, ["cs-coordinate-ascent", "cr-coordinate-ascent", "coordinate-ascent"]),
    ];
    claims.extend(by_severity(judged));
    claims.push(what_decides(shares));
    claims
}

fn all(judged: &[Judged]) -> impl Iterator<Item = (&Judged, &Entries)> {
    judged.iter().flat_map(|one| one.entries.iter().map(move |entries| (one, entries)))
}

fn beats_its_pair(judged: &[Judged], name: impl Fn(&str) -> String, settings: &str) -> Claim {
    let (mut total, mut printed) = (Count::default(), Count::default());
    for row in &ROWS {
        let Some(improves) = row.improves else { continue };
        for (one, entries) in all(judged) {
            let against = entries.against(0, &name(row.learner), &name(improves));
            total.add(against);
            // Table 4 has CR-MART and CR-C.Ascent on the outages only.
            let in_table_3 = !row.name.ends_with("(Table 4)");
            if in_table_3 && !one.set.stands_in {
                printed.add(against);
            }
        }
    }
    Claim {
        says: format!(
            "Cost-sensitive and cost-reweighted methods beat the method that they are made of ({settings}; the text \
             says in 81 of 84 tests, Table 3 has 41 of 44)"
        ),
        found: format!("{} (public data and Table 3 alone: {})", total.text(), printed.text()),
        held: Held::of_cells(total.better, total.cells),
    }
}

/// The contestant with the highest figure among those that `take` takes.
fn best(entries: &Entries, take: impl Fn(&Printed) -> bool) -> Option<String> {
    let names = ROWS.iter().filter(|row| take(row)).map(|row| as_in_paper(row.learner));
    let mut named: Vec<(f64, String)> =
        names.filter_map(|name| Some((entries.value(0, &name)?, name))).collect();
    named.sort_by(|a, b| b.0.total_cmp(&a.0));
    named.into_iter().next().map(|(_, name)| name)
}

fn best_new_beats_regression(judged: &[Judged]) -> Claim {
    let mut total = Count::default();
    let mut lost = Vec::new();
    for (one, entries) in all(judged) {
        let new = best(entries, |row| row.improves.is_some());
        let regression = best(entries, |row| row.regression);
        let Some((new, regression)) = new.zip(regression) else { continue };
        let against = entries.against(0, &new, &regression);
        total.add(against);
        if against.is_some_and(|(difference, _)| difference <= 0.0) {
            lost.push(one.set.title);
        }
    }
    lost.dedup();
    let lost =
        if lost.is_empty() { String::new() } else { format!("; not on {}", lost.join(", ")) };
    Claim {
        says: "The best new method beats the best regression, significantly on both outage sets and Crime (the best \
               of many is chosen by the same figure on both sides)"
            .to_owned(),
        found: format!("{}{lost}", total.text()),
        held: match Held::of_cells(total.better, total.cells) {
            Held::Yes if 2 * total.clearly < total.cells => Held::Partly,
            held => held,
        },
    }
}

fn top_three(judged: &[Judged]) -> Claim {
    let of_first = |mut named: Vec<(f64, bool)>| {
        named.sort_by(|a, b| b.0.total_cmp(&a.0));
        named.into_iter().take(3).filter(|(_, is_new)| *is_new).count()
    };
    let (mut new, mut places) = (0, 0);
    for (_, entries) in all(judged) {
        let figure = |row: &Printed| entries.value(0, &as_in_paper(row.learner));
        new += of_first(
            ROWS.iter().filter_map(|row| Some((figure(row)?, row.improves.is_some()))).collect(),
        );
        places += 3;
    }
    let columns = (0..ROWS[0].numbers.len()).flat_map(|set| [(set, 0), (set, 1)]);
    let printed: usize = columns
        .map(|(set, k)| {
            let numbers = ROWS.iter().map(|row| (row.numbers[set][k], row.improves.is_some()));
            of_first(numbers.filter(|(number, _)| !number.is_nan()).collect())
        })
        .sum();
    Claim {
        says: format!(
            "The first three of each column are new methods (in the printed table {printed} of 30 are)"
        ),
        found: format!("{new} of {places} first three places"),
        held: Held::of_cells(new, places),
    }
}

fn in_order(judged: &[Judged], [cs, cr, plain]: [&str; 3]) -> Claim {
    let [mut first, mut second] = [Count::default(), Count::default()];
    for (_, entries) in all(judged).filter(|(one, _)| one.set.stands_in) {
        first.add(entries.against(0, &as_in_paper(cs), &as_in_paper(cr)));
        second.add(entries.against(0, &as_in_paper(cr), &as_in_paper(plain)));
    }
    Claim {
        says: format!("{cs} beats {cr}, which beats {plain} (Table 4, outages)"),
        found: format!(
            "{cs} beats {cr} in {}; {cr} beats {plain} in {}",
            first.text(),
            second.text()
        ),
        held: Held::of_cells(first.better + second.better, first.cells + second.cells),
    }
}

/// LambdaMART is best in minor storms, CS-MART in major ones: R@k by fifths of what a storm lets save.
fn by_severity(judged: &[Judged]) -> Option<Claim> {
    const FIFTHS: usize = 5;
    let mut texts = Vec::new();
    let (mut held, mut cells) = (0, 0);
    for (_, entries) in all(judged).filter(|(one, _)| one.set.stands_in) {
        let parts = |learner: &str| {
            let place = entries.place(&as_in_paper(learner))?;
            Some(&entries.measured[0].parts[place])
        };
        let (cs, plain) = (parts("cs-mart")?, parts("lambdamart")?);
        let mut lists: Vec<usize> = (0..cs.len()).filter(|&list| cs[list].has_value()).collect();
        lists.sort_by(|&a, &b| cs[a].den.total_cmp(&cs[b].den));
        let figures = |fifth: usize| {
            let size = lists.len().div_ceil(FIFTHS);
            let own = lists.iter().skip(fifth * size).take(size);
            let figure = |parts: &[Part]| ratio(own.clone().map(|&list| parts[list]));
            Some((100.0 * figure(cs)?, 100.0 * figure(plain)?))
        };
        let (minor, major) = (figures(0)?, figures(FIFTHS - 1)?);
        texts.push(format!(
            "{}: smallest fifth of the storms {:.1} against {:.1}, largest {:.1} against {:.1}",
            entries.measured[0].metric.name(),
            minor.0,
            minor.1,
            major.0,
            major.1
        ));
        held += usize::from(minor.0 < minor.1) + usize::from(major.0 > major.1);
        cells += 2;
    }
    Some(Claim {
        says: "LambdaMART is best in minor storms, CS-MART in major ones".to_owned(),
        found: format!("R_CS of CS-MART against LambdaMART in percent, {}", texts.join("; ")),
        held: Held::of_cells(held, cells),
    })
}

/// The shares of a model's gain of what makes a network vulnerable, and of what everybody thinks of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Shares {
    /// Of humidity and vegetation.
    hidden: f64,
    /// Of wind and rain.
    plain: f64,
}

impl Shares {
    pub(super) fn of(model: &Model) -> Shares {
        let importance = model.importance();
        let of = |words: [&str; 2]| {
            let is_it = |feature: usize| {
                words.iter().any(|word| model.features[feature].name.contains(word))
            };
            let own = importance.iter().filter(|(feature, ..)| is_it(*feature));
            own.map(|(_, share, _)| share).sum()
        };
        Shares { hidden: of(["humidity", "vegetation"]), plain: of(["wind", "rain"]) }
    }
}

/// One share is above another if it is so many times as large.
const CLEARLY: f64 = 1.25;

fn what_decides([cs, forest]: [Shares; 2]) -> Claim {
    let shown = |shares: Shares| {
        format!("{:.0} % and {:.0} %", 100.0 * shares.hidden, 100.0 * shares.plain)
    };
    Claim {
        says: "CS-MART splits on humidity and vegetation, the random forest on wind and rain"
            .to_owned(),
        found: format!(
            "shares of the gain of humidity and vegetation, and of wind and rain, on the stand-in of Customers Outages: \
             CS-MART {}, forest {}",
            shown(cs),
            shown(forest)
        ),
        held: match (cs.hidden > CLEARLY * cs.plain, forest.plain > CLEARLY * forest.hidden) {
            (true, true) => Held::Yes,
            (false, false) => Held::No,
            _ => Held::Partly,
        },
    }
}
