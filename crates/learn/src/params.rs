//! Parameters of learners: declared once with range, default and help; given as texts; an
//! unknown key or a value out of range is refused with what is allowed.

use std::collections::{BTreeMap, BTreeSet};

use stakes_core::suggest;

/// A parameter of a learner.
#[derive(Debug, Clone, Copy)]
pub struct ParamInfo {
    /// The key.
    pub key: &'static str,
    /// The value when it is not given; a learner may have another ([`crate::LearnerInfo`]).
    pub default: &'static str,
    /// What it may be.
    pub kind: ParamKind,
    /// What it does.
    pub help: &'static str,
    /// Values worth trying when it is tuned ([`crate::tune`]); none where it is not. A learner
    /// may have others ([`crate::LearnerInfo::tries`]).
    pub tries: &'static [&'static str],
}

impl ParamInfo {
    /// The same, tuned over these values.
    pub(crate) const fn trying(self, tries: &'static [&'static str]) -> Self {
        ParamInfo { tries, ..self }
    }
}

/// What values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A whole number in `[low, high]`.
    Whole(u64, u64),
    /// A number in `[low, high]`.
    Number(f64, f64),
    /// A number above 0 and up to this.
    Above0(f64),
    /// One of these.
    OneOf(&'static [&'static str]),
    /// Text that the learner reads itself; the words say what is allowed.
    Text(&'static str),
}

impl std::fmt::Display for ParamKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParamKind::Whole(low, high) => write!(f, "{low} to {high}"),
            ParamKind::Number(low, high) => write!(f, "{low} to {high}"),
            ParamKind::Above0(high) => write!(f, "above 0, up to {high}"),
            ParamKind::OneOf(names) => f.write_str(&names.join(" | ")),
            ParamKind::Text(words) => f.write_str(words),
        }
    }
}

/// A parameter that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ParamError {
    #[error("learner {learner} has no parameter `{key}`; {hint}")]
    Unknown { learner: &'static str, key: String, hint: String },
    #[error("learner {learner}: {key} is `{met}`; allowed is {allowed}")]
    Value { learner: &'static str, key: &'static str, met: String, allowed: String },
    #[error("parameter `{0}` is given twice; give it once")]
    Twice(String),
    #[error("`{0}` is not a parameter; write KEY=VALUE, such as leaves=31")]
    Syntax(String),
}

/// The parameters of one learner, complete and checked.
#[derive(Debug, Clone)]
pub struct Settings {
    learner: &'static str,
    values: BTreeMap<&'static str, (String, ParamKind)>,
    given: BTreeSet<String>,
}

/// Settings are the same if they say the same, by default or because it was given.
impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        (self.learner, &self.values) == (other.learner, &other.values)
    }
}

impl Settings {
    /// The defaults of a learner, with what was given in their place.
    pub fn new<'t>(
        learner: &'static crate::LearnerInfo,
        given: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, ParamError> {
        let values =
            learner.params().map(|(p, default)| (p.key, (default.to_owned(), p.kind))).collect();
        let mut settings = Settings { learner: learner.name, values, given: BTreeSet::new() };
        for (key, value) in given {
            // Both spellings of a long name are meant alike.
            let key = key.trim().replace('_', "-");
            if settings.is_given(&key) {
                return Err(ParamError::Twice(key));
            }
            settings.set(&key, value.trim())?;
            settings.given.insert(key);
        }
        Ok(settings)
    }

    /// Whether somebody chose this value, be it the default: then it is not tuned.
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains(key)
    }

    /// Whether the learner has such a parameter.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// `leaves=31` as a key and a value.
    pub fn split(text: &str) -> Result<(&str, &str), ParamError> {
        text.split_once('=').ok_or_else(|| ParamError::Syntax(text.to_owned()))
    }

    /// The same with another value of one parameter.
    pub(crate) fn change(&mut self, key: &str, value: &str) -> Result<(), ParamError> {
        self.set(key, value)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), ParamError> {
        let Some((&known, &(_, kind))) = self.values.get_key_value(key) else {
            let hint = suggest::hint(key, self.values.keys().copied());
            return Err(ParamError::Unknown { learner: self.learner, key: key.into(), hint });
        };
        let canonical = match kind {
            ParamKind::Whole(low, high) => {
                let whole = value.parse::<u64>().ok().filter(|n| (low..=high).contains(n));
                whole.map(|n| n.to_string())
            }
            ParamKind::Number(low, high) => {
                let number = value.parse::<f64>().ok().filter(|n| (low..=high).contains(n));
                number.map(|n| n.to_string())
            }
            ParamKind::Above0(high) => {
                let number = value.parse::<f64>().ok().filter(|n| *n > 0.0 && *n <= high);
                number.map(|n| n.to_string())
            }
            ParamKind::OneOf(names) => names.contains(&value).then(|| value.to_owned()),
            ParamKind::Text(_) => Some(value.to_owned()),
        };
        match canonical {
            Some(text) => self.values.insert(known, (text, kind)),
            None => {
                let (met, allowed) = (value.to_owned(), kind.to_string());
                return Err(ParamError::Value { learner: self.learner, key: known, met, allowed });
            }
        };
        Ok(())
    }

    /// A complaint about a value that only the learner could judge.
    pub fn refuse(&self, key: &'static str, allowed: impl Into<String>) -> ParamError {
        let met = self.text(key).to_owned();
        ParamError::Value { learner: self.learner, key, met, allowed: allowed.into() }
    }

    /// A value as text, if the learner has such a parameter.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|(text, _)| text.as_str())
    }

    /// A value as text. Asking for a key that the learner does not declare is a mistake in
    /// the program.
    pub fn text(&self, key: &str) -> &str {
        let value = self.values.get(key);
        &value.unwrap_or_else(|| panic!("{} has no parameter {key}", self.learner)).0
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> usize {
        self.text(key).parse().unwrap_or_else(|_| panic!("{key} is not a whole number"))
    }

    /// A number.
    pub fn number(&self, key: &str) -> f64 {
        self.text(key).parse().unwrap_or_else(|_| panic!("{key} is not a number"))
    }

    /// All of them, for the model file.
    pub fn to_texts(&self) -> BTreeMap<String, String> {
        self.values.iter().map(|(key, (text, _))| ((*key).to_owned(), text.clone())).collect()
    }
}
