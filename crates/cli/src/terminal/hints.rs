//! Notes and errors of the library in the terms of the program: which flag to give.

use stakes::audit::AuditError;
use stakes::config::ConfigError;
use stakes::cost::CostError;
use stakes::data::DataProblem;
use stakes::io::ReadError;
use stakes::learn::FitError;
use stakes::learn::params::{NotAParameter, ParamError};
use stakes::metric::SpecError;
use stakes::split::FoldError;
use stakes::{Error, Note};

use super::output;
use super::shell::quoted;

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
        Note::TrainedOn { trained_on, .. } if !trained_on.flatters() => {
            " (--fitted scores them by the model itself)".into()
        }
        Note::Outcomes { features } => format!(" (--drop {})", quoted(&features.join(","))),
        Note::Money { price, per_price: true } => {
            format!(" (--keep {} shows the prices)", quoted(price))
        }
        Note::Money { per_price: false, .. } => " (stakes plan --model)".into(),
        Note::ActsOnAll { .. } => ": give -k".into(),
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

/// A text of the library with flags in the place of the fields that it names: `set `dates` to`, `(`history`)`. Columns may
/// have the same names, so that a name alone is left.
pub(crate) fn with_flags(text: &str) -> String {
    const FIELDS: [&str; 11] = [
        "features",
        "rounds",
        "decimal",
        "dates",
        "sheet",
        "history",
        "region",
        "keep_outcomes",
        "fill_zeros",
        "max_rows",
        "no_missing",
    ];
    FIELDS.iter().fold(text.to_owned(), |text, field| {
        let flag = format!("--{}", field.replace('_', "-"));
        text.replace(&format!("set `{field}` to"), &format!("give {flag}"))
            .replace(&format!("`{field}` is for"), &format!("{flag} is for"))
            .replace(&format!("(`{field}`"), &format!("({flag}"))
    })
}

/// The flag or command that helps with an error of the library, which does not know of them.
pub(crate) fn hint(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    // Transparent errors hide the one they hold.
    if let Some(error) = cause.downcast_ref() {
        return of_workflow(error);
    }
    let metric = || cause.downcast_ref().and_then(of_metric);
    let cost = || cause.downcast_ref().and_then(of_cost);
    let reading = || cause.downcast_ref().and_then(of_reading);
    let other = || metric().or_else(cost).or_else(reading).map(str::to_owned);
    cause.downcast_ref().and_then(of_param).or_else(other)
}

fn of_workflow(error: &Error) -> Option<String> {
    if let Error::Leaks { columns, .. } = error {
        let columns = quoted(columns);
        return Some(format!(" (--drop {columns}, or --allow-leak {columns})"));
    }
    let hint = match error {
        Error::Config(ConfigError::NoColumn { .. }) => Some(" (--config none ignores the file)"),
        Error::Read(error) => of_reading(error),
        Error::Metric(error) => of_metric(error),
        Error::Cost(error) => of_cost(error),
        Error::Current(_) => Some(" (--current COLUMN)"),
        Error::Fit(FitError::NoValidation) => Some(" (--hold-out 20%, or --valid FILE)"),
        Error::Fit(FitError::Param(error)) => return of_param(error),
        Error::OneTraining { .. } => Some(
            " (leave --ray out, or deal the lists to many machines: stakes.ray.train in Python, docs/scale.md)",
        ),
        Error::NoProfile => Some(" (--reference FILE)"),
        Error::NoCheckpoint { .. } | Error::NoTuning { .. } => Some(" (train without --resume)"),
        Error::ScoreTwice { .. } => Some(" (NAME=FILE)"),
        Error::TrainingLists { .. } => Some(" (--valid FILE, or --hold-out PART)"),
        Error::Fold(FoldError::NoTimes { .. }) => Some(" (--time COLUMN)"),
        Error::MissingGroup { .. } => Some(" (--missing-group drop, or own)"),
        Error::Audit(AuditError::ManyGroups { .. }) => Some(" (--protected VALUE)"),
        Error::Audit(AuditError::Needs { needs, .. }) if needs.contains("expected") => {
            Some(" (--expected, or a calibrated --model)")
        }
        Error::Audit(AuditError::Needs { .. }) => Some(" (--impact COLUMN)"),
        Error::ClassCostsOfItems => Some(" (--task multiclass)"),
        _ => None,
    };
    hint.map(str::to_owned)
}

fn of_param(error: &ParamError) -> Option<String> {
    let hint = match error {
        ParamError::Value { met, .. } if met == "highs" => ": make program builds it in",
        ParamError::OfMember { member, .. } => return Some(format!(" (--learner {member})")),
        ParamError::Elsewhere { what, .. } => match what {
            NotAParameter::Seed => " (--seed N)",
            NotAParameter::Threads => " (--threads N)",
            NotAParameter::Metric => " (--metric METRIC)",
            NotAParameter::Reach => " (-k K)",
            NotAParameter::Learner => " (--learner NAME)",
            NotAParameter::Categories => " (--categorical COLUMNS)",
            NotAParameter::Roles => " (--list, --impact or --weight COLUMN)",
            NotAParameter::Validation => " (--hold-out PART, or --valid FILE)",
            NotAParameter::Verbosity => " (--verbose, --quiet)",
            _ => return None,
        },
        _ => return None,
    };
    Some(hint.to_owned())
}

fn of_reading(error: &ReadError) -> Option<&'static str> {
    let is_missing = matches!(error, ReadError::MissingImpact { .. });
    is_missing.then_some(" (--missing-impact drop, or zero)")
}

fn of_metric(error: &SpecError) -> Option<&'static str> {
    matches!(error, SpecError::UnknownMetric { .. }).then_some(" (all metrics: stakes metrics)")
}

fn of_cost(error: &CostError) -> Option<&'static str> {
    let is_impact = matches!(error, CostError::Data(data) if data.problem == DataProblem::NoImpact);
    is_impact.then_some(" (--impact COLUMN)")
}

#[cfg(test)]
mod tests {
    use super::with_flags;

    #[test]
    fn fields_become_flags_and_columns_stay() {
        let text = "`dates` is for csv; set `max_rows` to 9; zeros (`fill_zeros` adds them)";
        let flags = "--dates is for csv; give --max-rows 9; zeros (--fill-zeros adds them)";
        assert_eq!(with_flags(text), flags);
        let column = "there is no column `region`; did you mean `regions`?";
        assert_eq!(with_flags(column), column);
    }
}
