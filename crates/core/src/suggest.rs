//! "Did you mean ...?" for names that were not found.
//!
//! The edit distance is that of `strsim`, which the command line's parser uses for its own
//! suggestions, so both agree.

/// Returns the known name nearest to `met`, if it is near enough for a likely typing error.
pub fn nearest<'a>(met: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(met, &mut known.into_iter())
}

// Apart from the above, which is compiled wherever it is called.
fn nearest_of<'a>(met: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = met.to_lowercase();
    // One error in a short name, two or three in a long one; a swap of adjacent letters is one.
    let max_errors = 1 + lower.chars().count() / 5;
    // Comparing takes the product of the lengths; a name as long as a page is no typing error.
    const MAX_LENGTH: usize = 200;
    let known = known.filter(|name| name.len().max(met.len()) <= MAX_LENGTH);
    let close = known.filter_map(|name| {
        let other = name.to_lowercase();
        let begins = lower.len() >= 3 && other.starts_with(&lower);
        // A difference in length is a number of errors.
        if !begins && other.chars().count().abs_diff(lower.chars().count()) > max_errors {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&lower, &other);
        // Half of the name must be right, or any single letter would match `a`.
        let likely = distance <= max_errors && 2 * distance < other.chars().count().max(2);
        (likely || begins).then_some((distance, name))
    });
    close.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Returns the hint to put after "there is no X": a similar name, or the names to choose from.
pub fn hint<'a>(met: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    hint_of(met, &known.into_iter().collect::<Vec<_>>())
}

fn hint_of(met: &str, all: &[&str]) -> String {
    const MAX_SHOWN: usize = 12;
    if let Some(name) = nearest(met, all.iter().copied()) {
        return format!("did you mean `{name}`?");
    }
    let shown = all[..all.len().min(MAX_SHOWN)].join(", ");
    match all.len() {
        0 => "there are none to choose from".into(),
        n if n > MAX_SHOWN => format!("there are {n}: {shown}, ..."),
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
