//! "Did you mean ...?" for names that were not found.
//!
//! `strsim` is taken for the edit distance: it is the crate behind the command line's own
//! suggestions, so both speak with one voice.

/// The known name nearest to `met`, if one is near enough to be a likely slip.
pub fn nearest<'a>(met: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = met.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&lower, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The hint to put behind "there is no X": a near name, or what there is to choose from.
pub fn hint<'a>(met: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    const SHOWN: usize = 12;
    if let Some(name) = nearest(met, known.clone()) {
        return format!("did you mean `{name}`?");
    }
    let all: Vec<&str> = known.into_iter().collect();
    let shown = all[..all.len().min(SHOWN)].join(", ");
    match all.len() {
        0 => "there are none to choose from".into(),
        n if n > SHOWN => format!("there are {n}: {shown}, ..."),
        _ => format!("there are: {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_nonsense_is_not() {
        let known = ["customers", "storm", "wind"];
        assert_eq!(nearest("custmers", known), Some("customers"));
        assert_eq!(nearest("Storm", known), Some("storm"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(hint("zzz", known), "there are: customers, storm, wind");
        assert_eq!(hint("wnid", known), "did you mean `wind`?");
    }
}
