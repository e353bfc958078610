//! Features that are computed from the cost: a model of them is worthless on new lists.

use stakes_core::display::counted;
use stakes_core::suggest;
use stakes_inspect::Finding;

use super::Division;
use crate::Error;

impl Division<'_> {
    /// Refuses features that put the costs of the training lists in order almost perfectly, unless they
    /// are `allowed`: as a rule they are computed from the cost, or known only with it.
    pub fn check_leaks(&self, allowed: &[String]) -> Result<(), Error> {
        let names = || self.training.feature_info().iter().map(|feature| feature.name.as_str());
        if let Some(unknown) = allowed.iter().find(|column| !names().any(|name| name == **column)) {
            let hint = suggest::hint(unknown, names());
            return Err(Error::UnknownFeature { feature: unknown.clone(), hint });
        }
        // The class of a row is what its candidates are ranked by.
        if self.classes.is_some() {
            return Ok(());
        }
        let is_allowed = |finding: &Finding| finding.columns.iter().all(|c| allowed.contains(c));
        let leaks = stakes_inspect::leaks(&self.problem()?);
        let found: Vec<Finding> = leaks.into_iter().filter(|leak| !is_allowed(leak)).collect();
        let Some(first) = found.first() else { return Ok(()) };
        let columns: Vec<&str> =
            found.iter().flat_map(|leak| &leak.columns).map(String::as_str).collect();
        let more = match found.len() - 1 {
            0 => String::new(),
            n => format!(" (and {} like it)", counted(n, "column")),
        };
        let what = format!("{}{more} {}", first.what, first.why);
        Err(Error::Leaks { what, columns: columns.join(",") })
    }
}
