//! The types that parameters have.

use std::path::PathBuf;

use stakes_core::cost::Capacity;
use stakes_core::metric::Spec;

use super::ParamKind;

/// A value of a parameter, from text and to text. Text and value are inverse to each other.
pub trait ParamValue: Sized {
    /// Reads a value; an error says what is allowed.
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String>;

    /// Writes it.
    fn text(&self) -> String;
}

impl ParamValue for usize {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        let ParamKind::Whole(low, high) = kind.of_given() else { return Err(kind.to_string()) };
        let whole = text.parse::<u64>().ok().filter(|n| (low..=high).contains(n));
        whole.and_then(|whole| usize::try_from(whole).ok()).ok_or_else(|| kind.to_string())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl ParamValue for f64 {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        let is_allowed = |number: &f64| match kind.of_given() {
            ParamKind::Number(low, high) => (low..=high).contains(number),
            ParamKind::Above0(high) => *number > 0.0 && *number <= high,
            _ => false,
        };
        text.parse::<f64>().ok().filter(is_allowed).ok_or_else(|| kind.to_string())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// Yes or no.
impl ParamValue for bool {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(kind.to_string()),
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
    /// Other names.
    const ALIASES: &'static [(&'static str, Self)] = &[];
    /// What the parameter may be.
    const KIND: ParamKind = ParamKind::OneOf(Self::NAMES);
}

impl<T: Choice> ParamValue for T {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        let at = T::NAMES.iter().position(|name| *name == text);
        let alias = || T::ALIASES.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        at.map(|at| T::VALUES[at]).or_else(alias).ok_or_else(|| kind.to_string())
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

/// `auto`, or a value that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AutoOr<T> {
    /// Left to the learner.
    #[default]
    Auto,
    /// This one.
    Given(T),
}

impl<T> AutoOr<T> {
    /// The chosen value, if one was.
    pub fn given(self) -> Option<T> {
        match self {
            AutoOr::Auto => None,
            AutoOr::Given(value) => Some(value),
        }
    }
}

/// The kind is [`ParamKind::Auto`].
impl<T: ParamValue> ParamValue for AutoOr<T> {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "auto" => Ok(AutoOr::Auto),
            text => T::parse(text, kind).map(AutoOr::Given),
        }
    }

    fn text(&self) -> String {
        match self {
            AutoOr::Auto => "auto".into(),
            AutoOr::Given(value) => value.text(),
        }
    }
}

/// A metric.
impl ParamValue for Spec {
    fn parse(text: &str, _: &ParamKind) -> Result<Self, String> {
        text.parse::<Spec>().map_err(|error| format!("a metric: {error}"))
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// The path of a file.
impl ParamValue for PathBuf {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        if text.is_empty() { Err(kind.to_string()) } else { Ok(text.into()) }
    }

    fn text(&self) -> String {
        self.display().to_string()
    }
}

/// `none`, or the path of a file.
impl ParamValue for Option<PathBuf> {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "none" => Ok(None),
            text => PathBuf::parse(text, kind).map(Some),
        }
    }

    fn text(&self) -> String {
        self.as_ref().map_or_else(|| "none".into(), PathBuf::text)
    }
}

/// `none`, or a name.
impl ParamValue for Option<String> {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "" => Err(kind.to_string()),
            "none" => Ok(None),
            text => Ok(Some(text.to_owned())),
        }
    }

    fn text(&self) -> String {
        self.clone().unwrap_or_else(|| "none".into())
    }
}

/// The positions that training counts: `auto` (the capacity of the goal), `all`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cutoff(pub Option<Capacity>);

impl ParamValue for Cutoff {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "auto" => Ok(Cutoff(None)),
            "all" => Ok(Cutoff(Some(Capacity::All))),
            text => match text.parse::<Capacity>() {
                Ok(k @ (Capacity::Items(_) | Capacity::Range(..))) => Ok(Cutoff(Some(k))),
                _ => Err(kind.to_string()),
            },
        }
    }

    fn text(&self) -> String {
        self.0.map_or_else(|| "auto".into(), |k| k.to_string())
    }
}

/// One number, or several to choose from. Each is of the kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers(pub Vec<f64>);

impl Numbers {
    /// The maximum number of numbers.
    const MOST: usize = 100;
}

impl ParamValue for Numbers {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        let numbers = text.split([',', ';']).map(|number| f64::parse(number.trim(), kind));
        let numbers = numbers.collect::<Result<Vec<f64>, _>>()?;
        let differ = numbers.iter().enumerate().all(|(i, a)| !numbers[..i].contains(a));
        let fits = differ && numbers.len() <= Self::MOST;
        fits.then_some(Numbers(numbers)).ok_or_else(|| kind.to_string())
    }

    fn text(&self) -> String {
        self.0.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
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
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        if text == "0" {
            return Ok(Hidden::default());
        }
        let units = text.split(',').map(|units| units.trim().parse::<usize>().ok());
        let units: Option<Vec<usize>> = units.collect();
        let fits = |units: &Vec<usize>| {
            units.len() <= 2 && units.iter().all(|u| (1..=Self::MAX_UNITS).contains(u))
        };
        units.filter(fits).map(Hidden).ok_or_else(|| kind.to_string())
    }

    fn text(&self) -> String {
        match self.0[..] {
            [] => "0".into(),
            _ => self.0.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        }
    }
}
