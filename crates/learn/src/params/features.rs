//! Parameters that name features.

use stakes_core::suggest;

use crate::tree::Direction;

/// The number of a feature by its name, or what is allowed.
pub(crate) fn feature<'n>(
    names: impl Iterator<Item = &'n str> + Clone,
    name: &str,
) -> Result<usize, String> {
    let name = name.trim();
    names.clone().position(|known| known == name).ok_or_else(|| {
        let hint = suggest::hint(name, names);
        format!("names of features; there is no feature `{name}`: {hint}")
    })
}

/// The direction of each feature, from text such as `wind:+,age:-` (or `wind=+`), or what is allowed.
/// Features are names, and whether they hold numbers.
pub(crate) fn signs(text: &str, features: &[(&str, bool)]) -> Result<Vec<Direction>, String> {
    let mut directions = vec![Direction::Any; features.len()];
    if text == "none" {
        return Ok(directions);
    }
    let signs = [
        (":+", Direction::Up),
        (":-", Direction::Down),
        ("=+", Direction::Up),
        ("=-", Direction::Down),
    ];
    let mut name = String::new();
    for piece in text.split(',') {
        name += piece;
        let sign = signs.iter().find_map(|(end, d)| Some((name.trim_end().strip_suffix(end)?, *d)));
        let Some((known, direction)) = sign else {
            // Names may contain commas: the sign ends them.
            name.push(',');
            continue;
        };
        let at = feature(features.iter().map(|(name, _)| *name), known)?;
        if !features[at].1 {
            return Err(format!("features that hold numbers; `{}` holds names", features[at].0));
        }
        directions[at] = direction;
        name.clear();
    }
    match name.is_empty() {
        true => Ok(directions),
        false => Err("a list such as wind:+,age:-".into()),
    }
}
