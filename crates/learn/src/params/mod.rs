//! Parameters of learners: each is a field of a typed struct, declared once with its key, aliases,
//! range, default, help and the values that tuning tries.
//!
//! [`params!`](crate::params!) makes the struct and everything that texts need. A wrong or unknown
//! key is refused where text is read and cannot reach an algorithm.
//!
//! ```
//! use stakes_learn::boosted::Trees;
//! use stakes_learn::params::ParamGroup;
//! let mut trees = Trees::default();
//! assert_eq!(trees.leaves, 31);
//! trees.set("num_leaves", "63").unwrap().unwrap();
//! assert_eq!(trees.leaves, 63);
//! assert!(trees.set("leaves", "1").unwrap().is_err()); // 2 to 4096 are allowed
//! assert!(trees.set("leafs", "7").is_none());
//! ```

mod features;
mod macros;
mod text;
mod values;

pub use features::{Direction, FeatureGroups, Signs};
pub use text::split_params;
pub use values::{AutoOr, Choice, Cutoff, Hidden, Numbers, ParamValue};

pub use crate::foreign::{NotAParameter, not_a_parameter};

/// A parameter: name, allowed values and current value.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamInfo {
    /// The key.
    pub key: String,
    /// Other names of it, such as those of other libraries.
    pub aliases: &'static [&'static str],
    /// Its value as text: the default, in a learner as it is made.
    pub value: String,
    /// The values it may have.
    pub kind: ParamKind,
    /// What it does.
    pub help: String,
    /// Values that tuning tries; none if it is not tuned.
    pub tries: &'static [&'static str],
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
    /// `auto`, or a value of this kind; in words.
    Auto(&'static ParamKind, &'static str),
    /// Text of a form that these words describe.
    Text(&'static str),
}

impl ParamKind {
    /// The kind of a value that is given, where it may also be left to the learner.
    pub(crate) fn of_given(self) -> ParamKind {
        match self {
            ParamKind::Auto(given, _) => *given,
            kind => kind,
        }
    }
}

impl std::fmt::Display for ParamKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParamKind::Whole(low, high) => write!(f, "{low} to {high}"),
            ParamKind::Number(low, high) => write!(f, "{low} to {high}"),
            ParamKind::Above0(high) => write!(f, "above 0, up to {high}"),
            ParamKind::OneOf(names) => f.write_str(&names.join(" | ")),
            ParamKind::Auto(_, words) | ParamKind::Text(words) => f.write_str(words),
        }
    }
}

/// A parameter that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ParamError {
    #[error("learner {learner} has no parameter `{key}`; {hint}")]
    Unknown { learner: String, key: String, hint: String },
    #[error("`{key}` is not a parameter of a learner: it is {what}")]
    Elsewhere { key: String, what: NotAParameter },
    #[error(
        "learner {learner} has no parameter `{key}`: it chooses the parameters of the learners that \
         it blends; `{here}` is a parameter of {member}, for example"
    )]
    OfMember { learner: String, key: String, here: String, member: String },
    #[error("learner {learner}: {key} is `{met}`; allowed is {allowed}")]
    Value { learner: String, key: String, met: String, allowed: String },
    #[error(
        "learner {learner} has no preset `paper`: its defaults are its only settings; learners that \
         have one: {learners}"
    )]
    NoPreset { learner: String, learners: String },
    #[error("parameter `{0}` is given twice; give it once")]
    Twice(String),
    #[error("`{0}` is not a parameter; write KEY=VALUE, such as leaves=31")]
    Syntax(String),
}

/// Parameters that belong together, as a struct with a field for each.
pub trait ParamGroup {
    /// The parameters with their present values.
    fn infos(&self) -> Vec<ParamInfo>;

    /// Sets a parameter by its key or one of its aliases, and returns its key. `None` if there is
    /// no such parameter; an error says what is allowed.
    fn set(&mut self, key: &str, text: &str) -> Option<Result<String, String>>;
}

/// `leaves=31` as a key and a value.
pub fn split(text: &str) -> Result<(&str, &str), ParamError> {
    text.split_once('=').ok_or_else(|| ParamError::Syntax(text.to_owned()))
}

/// A key as it is declared: both spellings of a long name, `min_rows` and `min-rows`, are equivalent.
pub fn canonical_key(key: &str) -> String {
    key.trim().replace('_', "-")
}
