//! Which columns are numbers and which are categories.

use csv::ByteRecord;

use super::Records;
use super::pass::pass;
use super::written::Written;
use crate::ReadError;
use crate::notation::Notation;
use crate::number;
use crate::plan::{Plan, Wanted};

/// What a feature holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Category,
}

/// The first pass: finds the categorical features. Those that are not plain numbers are looked at again: they may
/// be numbers that are written in another way.
pub(super) fn detect(
    records: &Records<'_>,
    plan: &Plan,
    exact: bool,
    written: &mut Written<'_>,
) -> Result<Vec<Kind>, ReadError> {
    let kind = |(_, wanted): &(usize, Wanted)| match wanted {
        Wanted::Categorical => Kind::Category,
        Wanted::Any | Wanted::Numeric => Kind::Number,
    };
    let mut kinds: Vec<Kind> = plan.features.iter().map(kind).collect();
    let free = plan.features.iter().enumerate().filter(|(_, (_, w))| *w == Wanted::Any);
    let mut undecided: Vec<(usize, usize)> = free.map(|(j, (column, _))| (j, *column)).collect();
    let mut not_plain = Vec::new();
    if written.has_commas() {
        not_plain = std::mem::take(&mut undecided);
    }
    let mut met = vec![Met::Numbers; undecided.len()];
    if !undecided.is_empty() {
        let look = |seen: &mut Vec<Met>, _: u64, record: &ByteRecord| {
            seen.resize(undecided.len(), Met::Numbers);
            let seen = seen.iter_mut().zip(&undecided).filter(|(met, _)| **met == Met::Numbers);
            seen.for_each(|(met, (_, column))| *met = Met::of(&record[*column], exact));
            Ok(())
        };
        pass(records, look, |seen| {
            // Of each column the first field that is no number counts.
            let seen = met.iter_mut().zip(seen).filter(|(met, _)| **met == Met::Numbers);
            seen.for_each(|(met, new)| *met = new);
            Ok(())
        })?;
    }
    for (undecided, met) in undecided.into_iter().zip(met) {
        match met {
            Met::Code => kinds[undecided.0] = Kind::Category,
            Met::Other => not_plain.push(undecided),
            Met::Numbers => {}
        }
    }
    written.look(not_plain.iter().map(|(_, column)| *column), false)?;
    for (j, column) in not_plain {
        let is_number = matches!(written.notation(column), Some(Notation::Number(_)));
        kinds[j] = if is_number { Kind::Number } else { Kind::Category };
    }
    Ok(kinds)
}

/// What the fields of a column are so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    Numbers,
    /// Digits that a number would lose.
    Code,
    Other,
}

impl Met {
    fn of(field: &[u8], exact: bool) -> Met {
        if number::is_code(field) || exact && number::is_rounded(field) {
            Met::Code
        } else if number::parse(field).is_some() || number::is_missing(field) {
            Met::Numbers
        } else {
            Met::Other
        }
    }
}
