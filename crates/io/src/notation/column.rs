//! Finding out how the values of a column are written.

use super::number::{Amount, Unit};
use super::{Notation, date};
use crate::number::is_missing;
use crate::{DateOrder, Decimal, FileOptions};

/// What the values of a column, seen one after the other, may be.
#[derive(Debug, Clone)]
pub(crate) struct Sniffer {
    numbers: Candidates<Decimal>,
    unit: Option<Unit>,
    dates: Candidates<DateOrder>,
    short_years: bool,
    /// The first value that is not plain, or the first at all.
    first: Option<String>,
    is_plain: bool,
}

/// Ways to read a column that every value so far allows.
#[derive(Debug, Clone)]
struct Candidates<T> {
    left: Vec<T>,
    /// The first value that they read differently.
    differ: Option<String>,
}

/// What a column is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Text, or plain already.
    AsItIs,
    /// Numbers or dates; the first value is an example.
    Written(Notation, String),
    /// Numbers whose decimals, in this value, may be separated by a comma or a point.
    UnknownDecimal(String),
    /// Dates whose day and month, in this value, may be either.
    UnknownOrder(String),
}

impl Sniffer {
    /// For a column of which nothing is known; what the options decide is not guessed.
    pub(crate) fn new(options: &FileOptions) -> Self {
        let numbers = options.decimal.map_or(vec![Decimal::Point, Decimal::Comma], |it| vec![it]);
        let all = || vec![DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];
        let dates = options.dates.map_or_else(all, |order| vec![order]);
        Sniffer {
            numbers: Candidates { left: numbers, differ: None },
            unit: None,
            dates: Candidates { left: dates, differ: None },
            short_years: options.dates.is_some(),
            first: None,
            is_plain: true,
        }
    }

    /// For a column that is not read as numbers: a list, or times.
    pub(crate) fn of_dates(options: &FileOptions) -> Self {
        let mut sniffer = Sniffer::new(options);
        sniffer.numbers.left.clear();
        sniffer
    }

    /// Looks at a value; returns whether the column may still be numbers or dates.
    pub(crate) fn see(&mut self, field: &[u8]) -> bool {
        let text = match std::str::from_utf8(field) {
            Ok(text) if !is_missing(field) => text,
            _ => return self.is_open(),
        };
        if self.first.is_none() {
            // A column that begins with ISO dates is left as it is, without a look at the others.
            if date::is_iso(text) {
                self.dates.left.clear();
            }
            self.first = Some(text.to_owned());
        }
        if self.is_plain && crate::number::parse(field).is_none() {
            self.first = Some(text.to_owned());
            self.is_plain = false;
        }
        if !self.numbers.left.is_empty() {
            let amount = Amount::of(text);
            let unit = amount.as_ref().map(|amount| amount.unit);
            let is_same =
                *self.unit.get_or_insert(unit.unwrap_or(Unit::None)) == unit.unwrap_or(Unit::None);
            let amount = amount.filter(|_| is_same);
            self.numbers.keep(text, |decimal| {
                let plain = amount.as_ref()?.plain(decimal)?;
                plain.parse::<f64>().ok().map(f64::to_bits)
            });
        }
        let short = self.short_years;
        self.dates.keep(text, |order| date::iso(text, order, short));
        self.is_open()
    }

    fn is_open(&self) -> bool {
        !self.numbers.left.is_empty() || !self.dates.left.is_empty()
    }

    pub(crate) fn verdict(self) -> Verdict {
        let Some(first) = self.first else { return Verdict::AsItIs };
        if let Some(decimal) = self.numbers.left.first() {
            return match self.numbers.differ {
                Some(text) if self.numbers.left.len() > 1 => Verdict::UnknownDecimal(text),
                _ => Verdict::Written(Notation::Number(*decimal), first),
            };
        }
        // Of several that agree the last: the year first, whose name says least.
        match (self.dates.left.last(), self.dates.differ) {
            (None, _) => Verdict::AsItIs,
            (Some(_), Some(text)) if self.dates.left.len() > 1 => Verdict::UnknownOrder(text),
            (Some(order), _) => Verdict::Written(Notation::Date(*order, self.short_years), first),
        }
    }
}

impl<T: Copy> Candidates<T> {
    /// Keeps those that can read a value.
    fn keep<V: PartialEq>(&mut self, text: &str, read: impl Fn(T) -> Option<V>) {
        if self.left.is_empty() {
            return;
        }
        let read: Vec<(T, V)> =
            self.left.iter().filter_map(|&way| Some((way, read(way)?))).collect();
        let is_open = self.differ.is_none();
        if is_open && read.windows(2).any(|pair| pair[0].1 != pair[1].1) {
            self.differ = Some(text.to_owned());
        }
        self.left = read.into_iter().map(|(way, _)| way).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(values: &[&str], options: &FileOptions) -> Verdict {
        let mut sniffer = Sniffer::new(options);
        for value in values {
            sniffer.see(value.as_bytes());
        }
        sniffer.verdict()
    }

    #[test]
    fn one_value_settles_a_column() {
        let number = |decimal, text: &str| Verdict::Written(Notation::Number(decimal), text.into());
        let date = |order, text: &str| Verdict::Written(Notation::Date(order, false), text.into());
        let none = FileOptions::default();
        for (values, expected) in [
            (&["1,234", "12,5"][..], number(Decimal::Comma, "1,234")),
            (&["1,234", "0.5"], number(Decimal::Point, "1,234")),
            (&["", "1,234", "950"], Verdict::UnknownDecimal("1,234".into())),
            (&["1 234", "950"], number(Decimal::Point, "1 234")),
            (&["$5", "$1,000.00", "NA"], number(Decimal::Point, "$5")),
            (&["$5", "€5"], Verdict::AsItIs),
            (&["5", "€5"], Verdict::AsItIs),
            (&["5 %", "7"], Verdict::AsItIs),
            (&["5 %", "7,5 %"], number(Decimal::Comma, "5 %")),
            (&["north", "south"], Verdict::AsItIs),
            (&["7/1/2011", "7/13/2011"], date(DateOrder::Mdy, "7/1/2011")),
            (&["1.7.2011", "13.7.2011"], date(DateOrder::Dmy, "1.7.2011")),
            (&["7/1/2011", "8/2/2011"], Verdict::UnknownOrder("7/1/2011".into())),
            (&["13/1/2011", "1/13/2011"], Verdict::AsItIs),
            (&["1-Jul-2011"], date(DateOrder::Ymd, "1-Jul-2011")),
            (&["2011-07-01", "2011-07-02"], Verdict::AsItIs),
            (&["7/1/11", "7/13/11"], Verdict::AsItIs),
            (&[], Verdict::AsItIs),
        ] {
            assert_eq!(verdict(values, &none), expected, "{values:?}");
        }
        let comma = FileOptions { decimal: Some(Decimal::Comma), ..FileOptions::default() };
        assert_eq!(verdict(&["1,234", "950"], &comma), number(Decimal::Comma, "1,234"));
        let mdy = FileOptions { dates: Some(DateOrder::Mdy), ..FileOptions::default() };
        let short = Verdict::Written(Notation::Date(DateOrder::Mdy, true), "7/1/11".into());
        assert_eq!(verdict(&["7/1/11"], &mdy), short);
    }
}
