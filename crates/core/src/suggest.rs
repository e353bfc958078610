//! "Did you mean ...?" for names that were not found.
//!
//! `strsim` is taken for the edit distance: it is the crate behind the command line's own
//! suggestions, so both speak with one voice.

/// The known name nearest to `met`, if one is near enough to be a likely slip.
pub fn nearest<'a>(met: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = met.to_lowercase();
    // One slip in a short name, two or three in a long one; a swap of neighbours is one.
    let slips = 1 + lower.chars().count() / 5;
    let close = known.into_iter().filter_map(|name| {
        let other = name.to_lowercase();
        let distance = strsim::damerau_levenshtein(&lower, &other);
        // Half of the name must be right, or `a` would be meant by any one letter.
        let likely = distance <= slips && 2 * distance < other.chars().count().max(2);
        let begins = lower.len() >= 3 && other.starts_with(&lower);
        (likely || begins).then_some((distance, name))
    });
    close.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
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
        assert_eq!(nearest("cust", known), Some("customers"));
        assert_eq!(nearest("rsc", ["r", "rcs", "p", "a"]), Some("rcs"));
        assert_eq!(nearest("x", ["r", "rcs", "p", "a"]), None);
        assert_eq!(hint("zzz", known), "there are: customers, storm, wind");
        assert_eq!(hint("wnid", known), "did you mean `wind`?");
    }
}
