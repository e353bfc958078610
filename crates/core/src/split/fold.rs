//! A fold: lists that train, lists that validate, lists that test; and why there is none.

/// One division of the lists. The sides have no list in common; each is in the order of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// What it is called: `fold 1`, the name of a part, the as-of date.
    pub label: String,
    /// The lists to train with.
    pub train: Vec<usize>,
    /// The lists that decide when to stop and what to keep; without any, some of the training lists may.
    pub validation: Vec<usize>,
    /// The lists to judge by.
    pub test: Vec<usize>,
}

/// Why there are no folds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum FoldError {
    #[error(
        "`{0}` is not a plan of folds; allowed are a number (5), letor, letor:5, random:10, \
         random:10,test=50%, column:NAME, column:NAME,letor, time, time:5, time:at=2019-01-01/2020-01-01, \
         and time:every=1y with first=, gap=, horizon= or window="
    )]
    Syntax(String),
    #[error("`{met}`: the number of folds must be from {min} to 10000")]
    Number { met: String, min: usize },
    #[error(
        "`{0}` is not a span of time; allowed are 90d, 4w, 6mo, 1y, or a number of the time column's unit"
    )]
    Span(String),
    #[error("the times are numbers, and `{0}` is a span of dates; give a number of their unit")]
    NotDates(String),
    #[error("`{met}` is not a time of these data; they hold {kind}")]
    Time { met: String, kind: &'static str },
    #[error(
        "{source_name}: {asked} need {need} lists with something to save, and there are {met}; ask for \
         fewer folds"
    )]
    TooFew { source_name: String, asked: String, need: usize, met: usize },
    #[error(
        "{source_name}: {asked} need lists at {need} different times, and there are at most {met} that can be \
         told apart evenly; ask for fewer, or name the dates"
    )]
    TooFewTimes { source_name: String, asked: String, need: usize, met: usize },
    #[error("{source_name}: folds by time need the time of each row; name its column")]
    NoTimes { source_name: String },
    #[error(
        "{source_name}: no list is between {from} and {to}, to be tested as of {from}; choose longer periods \
         or other dates"
    )]
    EmptyPeriod { source_name: String, from: String, to: String },
    #[error(
        "{source_name}: no list with something to save was over by {until}, to train with {whose}; begin \
         later, or choose a longer window or a shorter gap"
    )]
    NothingToTrain { source_name: String, until: String, whose: String },
    #[error("{source_name}: all lists are before {first}, the first as-of date; begin earlier")]
    NoDates { source_name: String, first: String },
    #[error("{source_name}: there is no column `{column}` to take folds from; {hint}")]
    UnknownColumn { source_name: String, column: String, hint: String },
    #[error("{place}: the column {column} names no part; every row needs one")]
    NoPart { place: String, column: String },
    #[error(
        "{place}: the column {column} is `{met}`, and `{first}` in the row before; a list is in one part"
    )]
    Cut { place: String, column: String, met: String, first: String },
    #[error("{source_name}: the column {column} has {met}; {need}")]
    Parts { source_name: String, column: String, met: String, need: &'static str },
    #[error(
        "{source_name}: the lists that train in {whose} have nothing to save; there is nothing to learn"
    )]
    NothingToSave { source_name: String, whose: String },
}
