//! What a reproduction came to: printed numbers beside ours, and which claims held.

use std::fmt;

use serde::Serialize;

use super::Paper;
use super::page;
use crate::text::{Layout, Page};

/// A paper's tables and claims, with ours beside them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reproduced {
    /// The paper.
    pub paper: Paper,
    /// Its full reference.
    pub reference: &'static str,
    /// How the figures were made, a paragraph at a time.
    pub protocol: Vec<String>,
    /// The tables.
    pub tables: Vec<PaperTable>,
    /// The claims, and what came of them here.
    pub claims: Vec<Claim>,
    /// Pictures, as SVG.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// What could not be run, and why.
    pub missing: Vec<String>,
    /// Seconds of training, those of earlier runs included: the only figure that depends on the machine.
    pub seconds: f64,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PaperTable {
    /// What it shows.
    pub title: String,
    /// What its rows are.
    pub rows_are: &'static str,
    /// What our numbers of a row are: the first is compared with the printed one.
    pub ours_are: Vec<&'static str>,
    /// The decimals that are shown.
    pub decimals: usize,
    /// The rows.
    pub rows: Vec<PaperRow>,
    /// Where data or protocol differ from the paper's.
    pub remarks: Vec<String>,
}

/// One row: what the paper prints, and ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PaperRow {
    /// What it is.
    pub name: String,
    /// The printed number, if there is one.
    pub printed: Option<Number>,
    /// Ours, one for each of [`PaperTable::ours_are`].
    pub ours: Vec<Option<Number>>,
}

/// A number, with its deviation over splits where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// The standard deviation over splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
}

/// A claim of a paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// What the paper says.
    pub says: String,
    /// What was found here, in numbers.
    pub found: String,
    /// Whether it held.
    pub held: Held,
}

/// Whether a claim held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// It did.
    Yes,
    /// In a part of the cases.
    Partly,
    /// It did not.
    No,
    /// These data cannot tell.
    Unclear,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// The name of its file, without an ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The picture.
    pub svg: String,
}

impl PaperRow {
    /// Our first number minus the printed one.
    pub fn difference(&self) -> Option<f64> {
        let first = self.ours.first().copied().flatten();
        first.zip(self.printed).map(|(ours, printed)| ours.value - printed.value)
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Number { value, deviation: None }
    }
}

impl Number {
    /// Mean and standard deviation of values; `None` without any.
    pub(super) fn of(values: &[f64]) -> Option<Number> {
        let n = values.len() as f64;
        let value = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - value).powi(2)).sum();
        let deviation = (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
        (!values.is_empty()).then_some(Number { value, deviation })
    }

    /// As text with so many decimals.
    pub fn shown(&self, decimals: usize) -> String {
        match self.deviation {
            Some(deviation) => format!("{:.decimals$} ± {deviation:.decimals$}", self.value),
            None => format!("{:.decimals$}", self.value),
        }
    }
}

impl Held {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Held::Yes => "holds",
            Held::Partly => "holds in part",
            Held::No => "does not hold",
            Held::Unclear => "cannot be told",
        }
    }

    /// Whether a claim about cells holds: in nearly all of them, in most, or not.
    pub(super) fn of_cells(held: usize, of: usize) -> Held {
        match of {
            0 => Held::Unclear,
            _ if held * 10 >= of * 9 => Held::Yes,
            _ if held * 2 > of => Held::Partly,
            _ => Held::No,
        }
    }
}

impl Reproduced {
    /// Writes it as a page.
    pub fn write(&self, page: &mut Page) {
        page::write(page, self);
    }

    /// How many of the claims held, in part or whole.
    pub fn tally(&self) -> String {
        let count = |held: Held| self.claims.iter().filter(|claim| claim.held == held).count();
        let mut text = format!("{} of {} claims hold", count(Held::Yes), self.claims.len());
        for (held, words) in
            [(Held::Partly, "in part"), (Held::No, "not"), (Held::Unclear, "cannot be told")]
        {
            match count(held) {
                0 => {}
                n => text += &format!(", {n} {words}"),
            }
        }
        text
    }
}

impl fmt::Display for Reproduced {
    /// See [`Reproduced::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
