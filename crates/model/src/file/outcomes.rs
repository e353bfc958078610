//! What single items and totals may come to: an array per property.
//!
//! ```json
//! "outcomes": {
//!   "score": [-1.5,3.0],
//!   "chance": [0.1,0.6],
//!   "low": [0.0,0.0],
//!   "high": [0.0,2.5],
//!   "depths": [
//!     {"items": 1, "expected": [10.0,900.0], "ratio": [0.0,1.2]}
//!   ]
//! }
//! ```

use serde::{Deserialize, Serialize};
use stakes_core::display::counted;

use super::header::at_most;
use super::layout::{Bracket, Page};
use super::{Invalid, invalid};
use crate::calibration::{Band, Depth, MAX_BANDS, MAX_DEPTHS, MAX_LISTS, Outcomes, Total};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutcomesFile {
    score: Vec<f64>,
    chance: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    depths: Vec<DepthFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DepthFile {
    items: u64,
    expected: Vec<f64>,
    ratio: Vec<f64>,
}

impl From<&Outcomes> for OutcomesFile {
    fn from(outcomes: &Outcomes) -> Self {
        let column = |of: fn(&Band) -> f64| outcomes.bands.iter().map(of).collect();
        let depth = |depth: &Depth| DepthFile {
            items: depth.items,
            expected: depth.lists.iter().map(|total| total.expected).collect(),
            ratio: depth.lists.iter().map(|total| total.ratio).collect(),
        };
        OutcomesFile {
            score: column(|band| band.score),
            chance: column(|band| band.chance),
            low: column(|band| band.low),
            high: column(|band| band.high),
            depths: outcomes.depths.iter().map(depth).collect(),
        }
    }
}

impl OutcomesFile {
    pub(super) fn write(&self, page: &mut Page) {
        page.spread("outcomes", Bracket::Object, |page| {
            page.field("score", &self.score);
            page.field("chance", &self.chance);
            page.field("low", &self.low);
            page.field("high", &self.high);
            page.spread("depths", Bracket::Array, |page| {
                self.depths.iter().for_each(|depth| page.item(depth));
            });
        });
    }

    pub(super) fn check(self) -> Result<Outcomes, Invalid> {
        let OutcomesFile { score, chance, low, high, depths } = self;
        at_most("score", score.len(), MAX_BANDS)?;
        if score.is_empty() {
            return Err(invalid("score", "is empty; at least one score is required"));
        }
        let columns = [("chance", &chance), ("low", &low), ("high", &high)];
        for (name, values) in columns {
            as_many(name, values, &score)?;
            not_negative(name, values)?;
        }
        increasing("score", &score, true)?;
        increasing("chance", &chance, false)?;
        if let Some(last) = chance.last().filter(|last| **last > 1.0) {
            let what = format!("is {last}; must be at most 1");
            return Err(invalid(format!("chance[{}]", chance.len() - 1), what));
        }
        if let Some(i) = (0..low.len()).find(|&i| low[i] > high[i]) {
            let what = format!("is {}; must be at most high ({})", low[i], high[i]);
            return Err(invalid(format!("low[{i}]"), what));
        }
        let band =
            |i: usize| Band { score: score[i], chance: chance[i], low: low[i], high: high[i] };
        let bands = (0..score.len()).map(band).collect();
        at_most("depths", depths.len(), MAX_DEPTHS)?;
        let mut before = 0;
        let mut checked = Vec::new();
        for (place, depth) in depths.into_iter().enumerate() {
            let under = |invalid: Invalid| invalid.under(format!("depths[{place}]"));
            if depth.items <= before {
                let what = format!("is {}; must be more than {before}", depth.items);
                return Err(under(invalid("items", what)));
            }
            before = depth.items;
            checked.push(depth.check().map_err(under)?);
        }
        Ok(Outcomes { bands, depths: checked })
    }
}

impl DepthFile {
    fn check(self) -> Result<Depth, Invalid> {
        at_most("expected", self.expected.len(), MAX_LISTS)?;
        as_many("ratio", &self.ratio, &self.expected)?;
        not_negative("expected", &self.expected)?;
        not_negative("ratio", &self.ratio)?;
        increasing("expected", &self.expected, false)?;
        let totals = self.expected.into_iter().zip(self.ratio);
        let total = |(expected, ratio)| Total { expected, ratio };
        Ok(Depth { items: self.items, lists: totals.map(total).collect() })
    }
}

fn as_many(name: &str, values: &[f64], others: &[f64]) -> Result<(), Invalid> {
    match values.len() == others.len() {
        true => Ok(()),
        false => {
            let entries = counted(values.len(), "entry");
            Err(invalid(name, format!("has {entries}, and {} are required", others.len())))
        }
    }
}

fn not_negative(name: &str, values: &[f64]) -> Result<(), Invalid> {
    match values.iter().position(|value| !(value.is_finite() && *value >= 0.0)) {
        Some(i) => {
            let what = format!("is {}; must be finite and not negative", values[i]);
            Err(invalid(format!("{name}[{i}]"), what))
        }
        None => Ok(()),
    }
}

fn increasing(name: &str, values: &[f64], strictly: bool) -> Result<(), Invalid> {
    let is_bad = |pair: &[f64]| match strictly {
        true => pair[1] <= pair[0] || !(pair[0].is_finite() && pair[1].is_finite()),
        false => pair[1] < pair[0],
    };
    match values.windows(2).position(is_bad) {
        Some(i) => {
            let what = format!("is {}, and {} comes before", values[i + 1], values[i]);
            Err(invalid(format!("{name}[{}]", i + 1), what))
        }
        None => Ok(()),
    }
}
