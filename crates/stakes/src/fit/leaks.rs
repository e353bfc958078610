//! Features that are computed from the cost: a model of them is worthless on new lists.

use stakes_core::display::counted;
use stakes_core::shards::Shards;
use stakes_core::suggest;
use stakes_inspect::Finding;

use super::Division;
use crate::Error;

/// What a shard says first that has lists to look at.
const HAS_LISTS: &str = "\t";

impl Division<'_> {
    /// Refuses features that put the costs of the training lists in order almost perfectly, unless they
    /// are `allowed`: as a rule they are computed from the cost, or known only with it.
    pub fn check_leaks(&self, allowed: &[String]) -> Result<(), Error> {
        self.check_leaks_among(allowed, &Shards::alone())
    }

    /// The same for lists of which other shards have more: what is a leak in all of them is refused.
    pub fn check_leaks_among(&self, allowed: &[String], shards: &Shards) -> Result<(), Error> {
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
        // A shard may have no lists, if all of them are held out: then it has no say.
        let has_lists = self.training.n_lists() > 0;
        let leaks = match has_lists {
            true => stakes_inspect::leaks(&self.problem()?)?,
            false => Vec::new(),
        };
        let mut found: Vec<Finding> = leaks.into_iter().filter(|leak| !is_allowed(leak)).collect();
        let first = has_lists.then(|| HAS_LISTS.to_owned());
        let own: Vec<String> = first.into_iter().chain(found.iter().map(key)).collect();
        let said = shards.gather(own.join("\n").into_bytes());
        let in_all = |leak: &Finding| {
            let mut with_lists = said.iter().filter(|said| !said.is_empty());
            with_lists.all(|said| lines(said).any(|line| line == key(leak)))
        };
        found.retain(in_all);
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

/// The columns of a finding, as one line.
fn key(leak: &Finding) -> String {
    leak.columns.join("\t")
}

fn lines(said: &[u8]) -> impl Iterator<Item = &str> {
    std::str::from_utf8(said).unwrap_or_default().lines()
}
