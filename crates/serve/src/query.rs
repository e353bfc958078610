//! The parameters behind `?`. Unknown ones, and those without an effect, are refused.

use std::fmt::Display;
use std::str::FromStr;

use stakes::suggest;

use crate::reply::Refusal;

/// The parameters of a request, in their order.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Reads the text behind `?`; `allowed` are the names that have an effect.
    pub(crate) fn parse(text: Option<&str>, allowed: &[&str]) -> Result<Self, Refusal> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in text.unwrap_or_default().split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (decoded(name)?, decoded(value)?);
            if !allowed.contains(&name.as_str()) {
                let shown: String = name.chars().take(60).collect();
                let known = allowed.join(", ");
                let hint = match suggest::hint(&shown, allowed.iter().copied()) {
                    _ if allowed.is_empty() => "this path has none".to_owned(),
                    hint if hint.starts_with("did you mean") => hint,
                    _ => format!("allowed are {known}"),
                };
                return Err(Refusal::bad(format!("there is no parameter `{shown}`; {hint}")));
            }
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(Refusal::bad(format!(
                    "the parameter {name} is given twice; give it once"
                )));
            }
            pairs.push((name, value));
        }
        Ok(Query { pairs })
    }

    /// The value of a parameter.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that is no text.
    pub(crate) fn value<T: FromStr>(
        &self,
        name: &str,
        allowed: &str,
    ) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(wrong(name, text, allowed)),
        }
    }

    /// The values of a parameter, with commas between them, which say themselves what is wrong with them.
    pub(crate) fn values<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Vec<T>, Refusal> {
        let parse = |text: &str| {
            text.parse()
                .map_err(|error: T::Err| Refusal::bad(format!("the parameter {name}: {error}")))
        };
        self.texts(name).into_iter().map(parse).collect()
    }

    /// Texts with commas between them.
    pub(crate) fn texts(&self, name: &str) -> Vec<&str> {
        self.text(name).map_or(Vec::new(), |text| text.split(',').map(str::trim).collect())
    }
}

/// The refusal of a value.
pub(crate) fn wrong(name: &str, met: &str, allowed: &str) -> Refusal {
    let shown: String = met.chars().take(60).collect();
    Refusal::bad(format!("the parameter {name} is `{shown}`; allowed is {allowed}"))
}

/// Decodes `%20` and `+`.
fn decoded(text: &str) -> Result<String, Refusal> {
    let refused = || {
        Refusal::bad(
            "a parameter has a `%` that is not followed by the two hexadecimal digits of UTF-8 text",
        )
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let (digits, behind) = rest.split_at_checked(2).ok_or_else(refused)?;
                rest = behind;
                let digit = |at: usize| char::from(digits[at]).to_digit(16);
                let (high, low) = digit(0).zip(digit(1)).ok_or_else(refused)?;
                (high * 16 + low) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_are_decoded() {
        let query = Query::parse(Some("list=a%20b%2Bc+d&k=3"), &["k", "list"]).unwrap();
        assert_eq!(query.text("list"), Some("a b+c d"));
        assert_eq!(query.value::<usize>("k", "a number").unwrap(), Some(3));
        assert!(query.text("top").is_none());
    }

    #[test]
    fn what_has_no_effect_is_refused() {
        for text in ["kk=1", "k=1&k=2", "k=%4", "k=%zz", "k=%ff", "%00=1"] {
            assert!(Query::parse(Some(text), &["k"]).is_err(), "{text}");
        }
        let query = Query::parse(Some("k=x"), &["k"]).unwrap();
        assert!(query.value::<usize>("k", "a number").is_err());
        assert!(Query::parse(Some("&&"), &[]).is_ok());
    }
}
