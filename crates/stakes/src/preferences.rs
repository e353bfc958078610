//! Files of preferences, compared: which of the preferences of one are in the other.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = |name: &str| folder.path().join(name).to_str().unwrap_or_default().to_owned();
//! # let (target, predicted) = (path("target.csv"), path("predicted.csv"));
//! std::fs::write(&target, "better,worse\nE,B\nB,C\n")?;
//! std::fs::write(&predicted, "better,worse\nB,E\nB,C\nE,C\n")?;
//! let found = stakes::preferences::compare_files(&target, &predicted)?;
//! assert_eq!((found.sets.agreed, found.sets.inverted, found.sets.recall), (1, 1, 0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;
use stakes_core::display::counted;
use stakes_core::metric::PreferenceSets;
use stakes_io::PairCost;

use crate::Error;
use crate::text::{Layout, Page, Table, short};

/// Two files of preferences. As JSON it is what `stakes evaluate --preferences --json` writes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedPreferences {
    /// The version of this library.
    pub stakes: &'static str,
    /// The file of the target.
    pub target_file: String,
    /// The file of the prediction.
    pub predicted_file: String,
    /// How they agree.
    #[serde(flatten)]
    pub sets: PreferenceSets,
}

/// Compares two files with the columns better, worse and, for several lists, list.
pub fn compare_files(target: &str, predicted: &str) -> Result<ComparedPreferences, Error> {
    let (of_target, of_predicted) = (read(target)?, read(predicted)?);
    let named = of_target.iter().any(|pair| !pair.list.is_empty());
    if named != of_predicted.iter().any(|pair| !pair.list.is_empty()) {
        let (with, without) = if named { (target, predicted) } else { (predicted, target) };
        return Err(Error::Preferences(format!(
            "{with} has a column `list` and {without} has none; both need it, or neither"
        )));
    }
    let sets = PreferenceSets::compare(of_target.iter().map(parts), of_predicted.iter().map(parts));
    Ok(ComparedPreferences {
        stakes: env!("CARGO_PKG_VERSION"),
        target_file: target.to_owned(),
        predicted_file: predicted.to_owned(),
        sets,
    })
}

fn parts(pair: &PairCost) -> (&str, &str, &str) {
    (&pair.list, &pair.better, &pair.worse)
}

/// Reads preferences, of which none may contradict another.
fn read(path: &str) -> Result<Vec<PairCost>, Error> {
    let pairs = stakes_io::read_preferences(path)?;
    let mut seen = HashSet::new();
    for pair in &pairs {
        let PairCost { line, list, better, worse, .. } = pair;
        let wrong = |what: String| Err(Error::Preferences(format!("{path}:{line}: {what}")));
        if better == worse {
            return wrong(format!("`{better}` is preferred to itself; name two items"));
        }
        if seen.contains(&(list.as_str(), worse.as_str(), better.as_str())) {
            return wrong(format!(
                "`{better}` is preferred to `{worse}` here, and `{worse}` to `{better}` above; keep one of the two"
            ));
        }
        seen.insert(parts(pair));
    }
    Ok(pairs)
}

impl ComparedPreferences {
    /// Writes the measures as a table.
    pub fn write(&self, page: &mut Page) {
        let PreferenceSets { target, predicted, agreed, inverted, .. } = self.sets;
        let of = |count: u64| counted(count as usize, "preference");
        page.text(&format!(
            "{}: {}; {}: {}; {agreed} in both, {inverted} the other way round",
            self.target_file,
            of(target),
            self.predicted_file,
            of(predicted)
        ));
        page.gap();
        let PreferenceSets { kendall, gamma, jaccard, precision, recall, f1, .. } = self.sets;
        let names = ["Kendall distance", "gamma", "Jaccard", "precision", "recall", "F1"];
        let mut table = Table::new(names);
        table.row([kendall, gamma, jaccard, precision, recall, f1].map(short));
        page.table(&table);
    }
}

impl fmt::Display for ComparedPreferences {
    /// See [`ComparedPreferences::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
