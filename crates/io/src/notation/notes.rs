//! What is said of columns that are not plain.

use super::{Notation, Verdict};
use crate::{DateOrder, Decimal};

/// How a column was read.
#[derive(Debug, Clone)]
pub(crate) struct ReadAs<'a> {
    pub(crate) column: &'a str,
    pub(crate) verdict: Verdict,
}

impl ReadAs<'_> {
    /// Notes on columns: one for all that are read alike.
    pub(crate) fn notes(columns: &[ReadAs<'_>]) -> Vec<String> {
        const MAX_SHOWN: usize = 8;
        let mut kinds: Vec<(&'static str, Vec<&str>, &Verdict)> = Vec::new();
        for ReadAs { column, verdict } in columns {
            let Some(kind) = kind(verdict).filter(|_| !is_plain(verdict)) else { continue };
            match kinds.iter_mut().find(|(other, ..)| *other == kind) {
                Some((_, columns, _)) => columns.push(column),
                None => kinds.push((kind, vec![column], verdict)),
            }
        }
        let note = |(kind, columns, verdict): (&str, Vec<&str>, &Verdict)| {
            let more = match columns.len().saturating_sub(MAX_SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let names = columns[..columns.len().min(MAX_SHOWN)].join(", ") + &more;
            match verdict {
                Verdict::Written(notation, text) => {
                    let plain = notation.plain(text).unwrap_or_default();
                    format!("read as {kind}: {names} (`{text}` is {plain})")
                }
                _ => format!("left as text: {names}; {}", unknown(verdict).unwrap_or_default()),
            }
        };
        kinds.into_iter().map(note).collect()
    }
}

/// Whether the example is plain already.
fn is_plain(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Written(notation, text) => notation.plain(text).as_ref() == Some(text),
        _ => false,
    }
}

/// Why a column can be read in two ways, and what to do.
pub(crate) fn unknown(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::UnknownDecimal(text) => Some(format!(
            "in `{text}` the comma or point may separate decimals or thousands: set `decimal` to comma or point"
        )),
        Verdict::UnknownOrder(text) => {
            Some(format!("`{text}` may be day or month first: set `dates` to dmy or mdy"))
        }
        _ => None,
    }
}

fn kind(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::AsItIs => None,
        Verdict::UnknownDecimal(_) => Some("decimal"),
        Verdict::UnknownOrder(_) => Some("order"),
        Verdict::Written(Notation::Number(Decimal::Point), _) => Some("numbers"),
        Verdict::Written(Notation::Number(Decimal::Comma), _) => {
            Some("numbers with decimal commas")
        }
        Verdict::Written(Notation::Date(DateOrder::Dmy, _), _) => Some("dates, the day first"),
        Verdict::Written(Notation::Date(DateOrder::Mdy, _), _) => Some("dates, the month first"),
        Verdict::Written(Notation::Date(DateOrder::Ymd, _), _) => Some("dates"),
    }
}
