//! Notes and errors of the library in the terms of the program: which flag to give.

use stakes::{Error, Note};

use super::output;

/// Shows a note of the library, and the flag that has to do with it.
pub(crate) fn note(note: &Note) {
    let hint = match note {
        Note::NoListColumn { .. } => " (--list COLUMN)".into(),
        Note::NoIdColumn { .. } => " (--id COLUMN)".into(),
        Note::NoCostColumn { .. } => " (--impact COLUMN)".into(),
        Note::Dates { feature, .. } => format!(
            ": leave it out (--drop {feature}), or have the latest lists held out (--time \
             {feature})"
        ),
        Note::FewLists { .. } => " (--hold-out PART, or --valid FILE)".into(),
        Note::Plan { .. } => " (--effort low, medium or high)".into(),
        Note::BaseCounts => " (stakes model info); --stage base explains it".into(),
        _ => String::new(),
    };
    output::note(format!("{note}{hint}"));
}

/// Shows notes of the library.
pub(crate) fn notes(notes: &[Note]) {
    notes.iter().for_each(note);
}

/// The flag that has to do with an error of the library.
pub(crate) fn hint(error: &Error) -> &'static str {
    match error {
        Error::NoCheckpoint { .. } | Error::NoTuning { .. } => " (train without --resume)",
        Error::ScoreTwice { .. } => " (NAME=FILE)",
        Error::ClassCostsOfItems => " (--task multiclass)",
        _ => "",
    }
}
