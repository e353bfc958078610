//! Parameters that name features. The text is parsed where it is typed; names become numbers of
//! features when the data are known.

use stakes_core::suggest;

use super::{ParamKind, ParamValue};

/// The monotone constraint of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// No constraint.
    #[default]
    Any,
    /// A larger value never lowers the score.
    Up,
    /// A larger value never raises the score.
    Down,
}

/// Directions of features by name: `wind:+,age:-` (or `wind=+`), or `none`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signs(pub Vec<(String, Direction)>);

impl Signs {
    /// The direction of each feature, or what is allowed. Features are names, and whether they hold
    /// numbers.
    pub(crate) fn directions(&self, features: &[(&str, bool)]) -> Result<Vec<Direction>, String> {
        let mut directions = vec![Direction::Any; features.len()];
        for (name, direction) in &self.0 {
            let at = number_of(features.iter().map(|(name, _)| *name), name)?;
            if !features[at].1 {
                return Err(format!("features that hold numbers; `{name}` holds names"));
            }
            directions[at] = *direction;
        }
        Ok(directions)
    }
}

impl ParamValue for Signs {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        if text == "none" {
            return Ok(Signs::default());
        }
        let signs = [
            (":+", Direction::Up),
            (":-", Direction::Down),
            ("=+", Direction::Up),
            ("=-", Direction::Down),
        ];
        let mut named: Vec<(String, Direction)> = Vec::new();
        let mut piece = String::new();
        for part in text.split(',') {
            piece += part;
            let sign = |(end, direction)| Some((piece.trim_end().strip_suffix(end)?, direction));
            let Some((name, direction)) = signs.into_iter().find_map(sign) else {
                // Names may contain commas: the sign ends them.
                piece.push(',');
                continue;
            };
            let name = name.trim().to_owned();
            if named.iter().any(|(known, _)| *known == name) {
                return Err(format!("one sign for each feature; `{name}` is named twice"));
            }
            named.push((name, direction));
            piece.clear();
        }
        if piece.is_empty() { Ok(Signs(named)) } else { Err(kind.to_string()) }
    }

    fn text(&self) -> String {
        if self.0.is_empty() {
            return "none".into();
        }
        let sign = |(name, direction): &(String, Direction)| match direction {
            Direction::Up => format!("{name}:+"),
            Direction::Down => format!("{name}:-"),
            // Without a sign it is refused.
            Direction::Any => name.clone(),
        };
        self.0.iter().map(sign).collect::<Vec<_>>().join(",")
    }
}

/// Which features may be used together: `all`, or groups of names such as `wind,gust;age`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FeatureGroups {
    /// Any of them.
    #[default]
    All,
    /// Only those of one group.
    Groups(Vec<Vec<String>>),
}

impl FeatureGroups {
    /// The numbers of the features of each group, or what is allowed; `None` for all.
    pub(crate) fn numbers<'n>(
        &self,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<Option<Vec<Vec<u32>>>, String> {
        let FeatureGroups::Groups(groups) = self else { return Ok(None) };
        let number = |name: &String| number_of(names.clone(), name).map(|at| at as u32);
        groups
            .iter()
            .map(|group| group.iter().map(number).collect())
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

impl ParamValue for FeatureGroups {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        if text == "all" {
            return Ok(FeatureGroups::All);
        }
        let name = |name: &str| match name.trim() {
            "" => Err(kind.to_string()),
            name => Ok(name.to_owned()),
        };
        let group = |group: &str| group.split(',').map(name).collect::<Result<Vec<_>, _>>();
        Ok(FeatureGroups::Groups(text.split(';').map(group).collect::<Result<_, _>>()?))
    }

    fn text(&self) -> String {
        match self {
            FeatureGroups::All => "all".into(),
            FeatureGroups::Groups(groups) => {
                groups.iter().map(|group| group.join(",")).collect::<Vec<_>>().join(";")
            }
        }
    }
}

/// The number of a feature by its name, or what is allowed.
fn number_of<'n>(
    names: impl Iterator<Item = &'n str> + Clone,
    name: &str,
) -> Result<usize, String> {
    names.clone().position(|known| known == name).ok_or_else(|| {
        let hint = suggest::hint(name, names);
        format!("names of features; there is no feature `{name}`: {hint}")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const KIND: ParamKind = ParamKind::Text("names with signs");

    #[test]
    fn texts_and_values_are_inverse() {
        for text in ["none", "wind:+", "wind:+,age:-", "wind, at most: gusts:+,age:-"] {
            assert_eq!(Signs::parse(text, &KIND).unwrap().text(), text);
        }
        assert_eq!(Signs::parse("wind=+, age=-", &KIND).unwrap().text(), "wind:+,age:-");
        for text in ["all", "wind", "wind,gust;age"] {
            assert_eq!(FeatureGroups::parse(text, &KIND).unwrap().text(), text);
        }
        let spaced = FeatureGroups::parse("wind, gust ; age", &KIND).unwrap();
        assert_eq!(spaced.text(), "wind,gust;age");
    }

    #[test]
    fn wrong_texts_are_refused_before_data_are_known() {
        for text in ["", "wind", "wind:+,age", "wind+"] {
            assert_eq!(Signs::parse(text, &KIND), Err("names with signs".into()), "{text}");
        }
        assert!(
            Signs::parse("wind:+,wind:-", &KIND).unwrap_err().contains("`wind` is named twice")
        );
        for text in ["", "wind,,gust", "wind;"] {
            assert_eq!(FeatureGroups::parse(text, &KIND), Err("names with signs".into()), "{text}");
        }
    }
}
