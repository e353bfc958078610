//! The types that parameters have.

use std::fmt;

use stakes_core::cost::Capacity;

use super::ParamKind;

/// A value of a parameter, from text and to text. Text and value are inverse to each other.
pub trait ParamValue: Sized {
    /// Reads a value; `None` if it is not allowed.
    fn parse(text: &str, kind: &ParamKind) -> Option<Self>;

    /// Writes it.
    fn text(&self) -> String;
}

impl ParamValue for usize {
    fn parse(text: &str, kind: &ParamKind) -> Option<Self> {
        let ParamKind::Whole(low, high) = *kind else { return None };
        let whole = text.parse::<u64>().ok().filter(|n| (low..=high).contains(n))?;
        usize::try_from(whole).ok()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl ParamValue for f64 {
    fn parse(text: &str, kind: &ParamKind) -> Option<Self> {
        let number = text.parse::<f64>().ok()?;
        match *kind {
            ParamKind::Number(low, high) => (low..=high).contains(&number),
            ParamKind::Above0(high) => number > 0.0 && number <= high,
            _ => false,
        }
        .then_some(number)
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// Yes or no.
impl ParamValue for bool {
    fn parse(text: &str, _: &ParamKind) -> Option<Self> {
        match text {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }
    }

    fn text(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

/// An enumeration whose values have names.
pub trait Choice: Copy + PartialEq + 'static {
    /// The values, in the order of their names.
    const VALUES: &'static [Self];
    /// The names.
    const NAMES: &'static [&'static str];
    /// What the parameter may be.
    const KIND: ParamKind = ParamKind::OneOf(Self::NAMES);
}

impl<T: Choice> ParamValue for T {
    fn parse(text: &str, _: &ParamKind) -> Option<Self> {
        T::NAMES.iter().position(|name| *name == text).map(|at| T::VALUES[at])
    }

    fn text(&self) -> String {
        let at = T::VALUES.iter().position(|value| value == self);
        T::NAMES[at.expect("every value has a name")].to_owned()
    }
}

/// Declares an enumeration that is a [`Choice`]:
/// `choice! { /// Docs. pub enum Mode { /// Docs. Insensitive = "insensitive", ... } }`.
#[macro_export]
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$doc:meta])* $variant:ident = $text:literal ),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $( $(#[$doc])* $variant, )+ }

        impl $crate::params::Choice for $name {
            const VALUES: &'static [Self] = &[$( $name::$variant ),+];
            const NAMES: &'static [&'static str] = &[$( $text ),+];
        }
    };
}

/// `auto`, or a number that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AutoOr<T> {
    /// Left to the learner.
    #[default]
    Auto,
    /// This one.
    Given(T),
}

impl<T> AutoOr<T> {
    /// The chosen number, if one was.
    pub fn given(self) -> Option<T> {
        match self {
            AutoOr::Auto => None,
            AutoOr::Given(value) => Some(value),
        }
    }
}

/// The kind says what numbers are allowed in words; here it must be finite and not negative, and
/// above 0 where the words say so.
impl ParamValue for AutoOr<f64> {
    fn parse(text: &str, kind: &ParamKind) -> Option<Self> {
        if text == "auto" {
            return Some(AutoOr::Auto);
        }
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
        let above_0 = matches!(kind, ParamKind::Text(words) if words.contains("above 0"));
        let highest = if above_0 { 1e9 } else { f64::MAX };
        let fits = if above_0 { number > 0.0 } else { number >= 0.0 };
        (fits && number <= highest).then_some(AutoOr::Given(number))
    }

    fn text(&self) -> String {
        match self {
            AutoOr::Auto => "auto".into(),
            AutoOr::Given(number) => number.to_string(),
        }
    }
}

/// A number of ranks, 1 or more.
impl ParamValue for AutoOr<usize> {
    fn parse(text: &str, _: &ParamKind) -> Option<Self> {
        match text {
            "auto" => Some(AutoOr::Auto),
            text => match text.parse::<Capacity>() {
                Ok(Capacity::Items(number)) => Some(AutoOr::Given(number)),
                _ => None,
            },
        }
    }

    fn text(&self) -> String {
        match self {
            AutoOr::Auto => "auto".into(),
            AutoOr::Given(number) => number.to_string(),
        }
    }
}

/// The positions that training counts: `auto` (as many as can be acted on), `all`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cutoff(pub Option<Capacity>);

impl ParamValue for Cutoff {
    fn parse(text: &str, _: &ParamKind) -> Option<Self> {
        match text {
            "auto" => Some(Cutoff(None)),
            "all" => Some(Cutoff(Some(Capacity::All))),
            text => match text.parse::<Capacity>() {
                Ok(k @ (Capacity::Items(_) | Capacity::Range(..))) => Some(Cutoff(Some(k))),
                _ => None,
            },
        }
    }

    fn text(&self) -> String {
        self.0.map_or_else(|| "auto".into(), |k| k.to_string())
    }
}

/// The units of hidden layers: none for a linear score, at most two layers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hidden(pub Vec<usize>);

impl Hidden {
    /// The maximum number of units of a layer.
    pub const MAX_UNITS: usize = 1024;
}

impl ParamValue for Hidden {
    fn parse(text: &str, _: &ParamKind) -> Option<Self> {
        if text == "0" {
            return Some(Hidden::default());
        }
        let units = text.split(',').map(|units| units.trim().parse::<usize>().ok());
        let units: Option<Vec<usize>> = units.collect();
        let fits = |units: &Vec<usize>| {
            units.len() <= 2 && units.iter().all(|u| (1..=Self::MAX_UNITS).contains(u))
        };
        units.filter(fits).map(Hidden)
    }

    fn text(&self) -> String {
        match self.0[..] {
            [] => "0".into(),
            _ => self.0.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        }
    }
}

/// Text that is read when the data are known, such as names of features or of a metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(pub String);

impl Words {
    /// From a literal.
    pub fn new(text: &str) -> Self {
        Words(text.to_owned())
    }
}

impl std::ops::Deref for Words {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ParamValue for Words {
    fn parse(text: &str, _: &ParamKind) -> Option<Self> {
        Some(Words(text.to_owned()))
    }

    fn text(&self) -> String {
        self.0.clone()
    }
}
