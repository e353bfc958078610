//! A first [`Config`] for a file: roles by names and values of the columns, and placeholders for values that
//! the data cannot tell.

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, Role};
use stakes_core::display::{counted, nice_number};
use stakes_core::goal::{DEFAULT_ITEMS, Reach};
use stakes_inspect::{FindingKind, InspectOptions, Inspection, guess_roles};
use stakes_io::{FileOptions, MissingImpact, ReadOptions, Roles};

use super::Config;
use crate::{Error, data};

/// How to guess.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GuessOptions {
    /// How the file is read.
    pub file: FileOptions,
    /// What is already known; it is not guessed.
    pub given: Config,
}

/// A first config, with reasons.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Guess {
    /// What was found.
    pub config: Config,
    /// Why, in the order of the config.
    pub reasons: Vec<Reason>,
    /// Questions that only a person can answer.
    pub questions: Vec<String>,
    /// What is said if no column is the list, so that the whole table is one.
    pub without_list: Option<String>,
    /// How the file was read, where that is not plain.
    pub notes: Vec<String>,
    /// Whether the format has columns of its own (LETOR), so that there is nothing to guess.
    pub has_fixed_columns: bool,
}

/// Why a key has its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The key: a role, or another key of the file.
    pub key: &'static str,
    /// The column, if it is about one.
    pub column: Option<String>,
    /// Why.
    pub why: String,
}

impl Config {
    /// Guesses the roles of the columns of a file.
    pub fn guess(path: &str, options: &GuessOptions) -> Result<Guess, Error> {
        let mut guess = Guess { config: options.given.clone(), ..Guess::default() };
        let there = stakes_io::columns(path, &options.file)?;
        if data::is_letor(path, options.file.format, &there) {
            guess.has_fixed_columns = true;
            let options = ReadOptions { file: options.file.clone(), ..ReadOptions::default() };
            guess.add_reach(&stakes_io::read(path, options)?);
            return Ok(guess);
        }
        let given = &options.given.columns;
        let as_is = Roles::new().exact().drop(given.drop.clone());
        let whole =
            stakes_io::read(path, ReadOptions { file: options.file.clone(), ..as_is.into() })?;
        guess.notes = whole.notes().to_vec();
        guess.add_roles(&whole, given);
        let mut roles = guess.config.columns.clone();
        let cost = options.given.goal.cost.clone().unwrap_or_default();
        roles = roles.outcomes(cost.columns());
        roles.drop.retain(|column| !roles.extras.contains(column));
        let read =
            stakes_io::read(path, ReadOptions { file: options.file.clone(), ..roles.into() })?;
        if read.impact().is_some() {
            guess.add_leaks(&Problem::new(&read, &cost)?);
        }
        guess.add_reach(&read);
        Ok(guess)
    }
}

impl Guess {
    fn because(&mut self, key: &'static str, column: Option<&str>, why: String) {
        self.reasons.push(Reason { key, column: column.map(str::to_owned), why });
    }

    fn add_roles(&mut self, whole: &Dataset, given: &Roles) {
        let known: Vec<(Role, &str)> = given.columns().collect();
        let features = given.categorical.iter().chain(&given.numeric).map(String::as_str);
        let found = guess_roles(whole, &known, &features.collect::<Vec<_>>());
        let mut roles = given.clone();
        let possible = first_of(&found.possible_lists);
        for guess in &found.roles {
            roles = roles.with_role(guess.role, guess.column.clone());
            let mut why = guess.why.clone();
            if let (Role::List, Some(others)) = (guess.role, &possible) {
                why += &format!("; also possible: {others}");
            }
            self.because(guess.role.name(), Some(&guess.column), why);
        }
        if found.column(Role::List).is_none() {
            let considered = match possible {
                Some(columns) => format!("by their names none of these is a list: {columns}"),
                None => "no column of text has values that repeat".to_owned(),
            };
            self.without_list = Some(format!("none, so the whole table is one list; {considered}"));
        }
        if found.missing_impacts > 0 && roles.missing_impact == MissingImpact::Refuse {
            roles.missing_impact = MissingImpact::Drop;
            let rows = counted(found.missing_impacts, "row");
            self.because("missing-impact", None, format!("{rows} without an impact"));
        }
        for left in &found.left_out {
            roles.drop.push(left.column.clone());
            self.because("drop", Some(&left.column), left.why.clone());
        }
        self.config.columns = roles;
        self.questions = found.questions;
    }

    /// Leaves out columns that order items as only a copy of the cost does, and asks about other suspicious
    /// ones.
    fn add_leaks(&mut self, problem: &Problem<'_>) {
        let seen = Inspection::of_problem(problem, &InspectOptions::default());
        for finding in seen.findings {
            match finding.kind {
                FindingKind::Leak => {
                    for column in finding.columns {
                        self.because("drop", Some(&column), finding.what.clone());
                        self.config.columns.drop.push(column);
                    }
                }
                FindingKind::StrongColumn | FindingKind::MissingTells => {
                    self.questions.push(finding.what);
                }
                _ => {}
            }
        }
    }

    /// The number of items that can be acted on is not in the data, but a goal needs one.
    pub(crate) fn add_reach(&mut self, data: &Dataset) {
        if self.config.goal.reach.is_some() {
            return;
        }
        let mean = data.mean_list_length();
        let k = match mean {
            20.0.. => DEFAULT_ITEMS,
            short => (short / 4.0).ceil().max(1.0) as usize,
        };
        self.config.goal.reach = Some(Reach::from(k));
        let of = match data.n_lists() {
            1 => counted(data.len(), "item"),
            _ => format!("the items of a list, on average {},", nice_number(mean)),
        };
        self.because("k", None, format!("a placeholder: how many of {of} can be acted on?"));
    }
}

/// The first of these names; `None` if there are none.
fn first_of(names: &[String]) -> Option<String> {
    const MAX_SHOWN: usize = 6;
    let more = if names.len() > MAX_SHOWN { ", ..." } else { "" };
    let shown = names.iter().take(MAX_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| shown + more)
}
