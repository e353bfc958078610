//! Numbers as people write them: `1.234,56`, `1 234`, `$1,234.50`, `(1'234)`, `12.5 %`.
//!
//! A thousands separator stands between groups of three digits, and the first group does not begin with 0:
//! `0,567` can only have a decimal comma. An amount in parentheses is negative. A percentage is its number:
//! `12.5 %` is 12.5.

use crate::{Decimal, number};

/// Signs and codes of currencies; an amount may have one of them, before or after it.
const CURRENCIES: [&str; 36] = [
    "US$", "$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₪", "USD", "EUR", "GBP", "CHF", "JPY", "CNY",
    "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RUB", "TRY", "ILS",
    "BRL", "MXN", "ZAR", "KRW", "SGD", "HKD", "Fr.",
];

/// What a number has around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Currency(&'static str),
    Percent,
}

/// A number without what is around it.
pub(super) struct Amount<'a> {
    negative: bool,
    digits: &'a str,
    pub(super) unit: Unit,
}

impl<'a> Amount<'a> {
    /// Takes a text apart; `None` if there is no digit where the number should be.
    pub(super) fn of(text: &'a str) -> Option<Amount<'a>> {
        let text = text.trim();
        let in_brackets = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let (minus, rest) = sign(in_brackets.unwrap_or(text).trim());
        let (before, rest) = currency(rest, |text, name| text.strip_prefix(name));
        let (inner_minus, rest) = sign(rest);
        let (percent, rest) = match rest.strip_suffix('%') {
            Some(rest) => (true, rest.trim_end()),
            None => (false, rest),
        };
        let (after, digits) = currency(rest, |text, name| text.strip_suffix(name));
        let unit = match (before.or(after), percent) {
            (Some(_), true) => return None,
            (None, true) => Unit::Percent,
            (Some(name), false) => Unit::Currency(name),
            (None, false) => Unit::None,
        };
        let signs = [in_brackets.is_some(), minus, inner_minus].iter().filter(|is| **is).count();
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
        let is_once = signs <= 1 && (before.is_none() || after.is_none());
        (is_number && is_once).then_some(Amount { negative: signs == 1, digits, unit })
    }

    /// The number in plain form, if its decimals are separated so.
    pub(super) fn plain(&self, decimal: Decimal) -> Option<String> {
        let (thousands, mark) = match decimal {
            Decimal::Point => (',', '.'),
            Decimal::Comma => ('.', ','),
        };
        let (digits, exponent) = match self.digits.find(['e', 'E']) {
            Some(at) => self.digits.split_at(at),
            None => (self.digits, ""),
        };
        let (whole, decimals) = match digits.split_once(mark) {
            Some((whole, decimals)) => (whole, Some(decimals)),
            None => (digits, None),
        };
        let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if !decimals.is_none_or(is_digits) {
            return None;
        }
        let whole = match is_digits(whole) {
            true if decimals.is_none() && number::is_code(whole.as_bytes()) => return None,
            true => whole.to_owned(),
            false => joined(whole, thousands)?,
        };
        let minus = if self.negative { "-" } else { "" };
        let decimals = decimals.map(|digits| format!(".{digits}")).unwrap_or_default();
        let plain = format!("{minus}{whole}{decimals}{exponent}");
        let is_exact = !number::is_rounded(plain.as_bytes());
        number::parse(plain.as_bytes()).filter(|value| value.is_finite() && is_exact).map(|_| plain)
    }
}

/// Digits in groups, without what separates them.
fn joined(text: &str, thousands: char) -> Option<String> {
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    let is_known =
        separator == thousands || matches!(separator, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’');
    let mut groups = text.split(separator);
    let first = groups.next()?;
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let is_group =
        |group: &str, width| group.len() == width && group.bytes().all(|b| b.is_ascii_digit());
    let fits = is_known
        && is_first
        && is_group(first, first.len())
        && groups.all(|group| is_group(group, 3));
    fits.then(|| text.chars().filter(char::is_ascii_digit).collect())
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn currency<'a>(
    text: &'a str,
    strip: impl Fn(&'a str, &str) -> Option<&'a str>,
) -> (Option<&'static str>, &'a str) {
    let found = CURRENCIES.iter().find_map(|name| Some((Some(*name), strip(text, name)?.trim())));
    found.unwrap_or((None, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> [Option<String>; 2] {
        let amount = Amount::of(text);
        [Decimal::Point, Decimal::Comma].map(|decimal| amount.as_ref()?.plain(decimal))
    }

    #[test]
    fn either_or_both_or_neither() {
        for (text, point, comma) in [
            ("1,234.56", Some("1234.56"), None),
            ("1.234,56", None, Some("1234.56")),
            ("1,234", Some("1234"), Some("1.234")),
            ("12,5", None, Some("12.5")),
            ("0,567", None, Some("0.567")),
            ("1,234,567", Some("1234567"), None),
            ("1 234", Some("1234"), Some("1234")),
            ("1\u{202f}234,5", None, Some("1234.5")),
            ("1'234.5", Some("1234.5"), None),
            ("$1,234.50", Some("1234.50"), None),
            ("-$5", Some("-5"), Some("-5")),
            ("$-5", Some("-5"), Some("-5")),
            ("(1,234.5)", Some("-1234.5"), None),
            ("1.234,50 €", None, Some("1234.50")),
            ("CHF 1’234.50", Some("1234.50"), None),
            ("12.5 %", Some("12.5"), None),
            ("1.5e3", Some("1.5e3"), None),
            ("950", Some("950"), Some("950")),
        ] {
            let expected = [point, comma].map(|text| text.map(str::to_owned));
            assert_eq!(plain(text), expected, "{text}");
        }
        for text in [
            "",
            "-",
            "$",
            "%",
            "north",
            "00501",
            "1,23,4",
            "1 23",
            "1,234 567",
            "01.07.2011",
            "1.7.",
            "(5",
            "--5",
            "-(5)",
            "$5%",
            "$5 EUR",
            "5 km",
            "1,2,3",
            "e5",
            ",",
            "1e999",
        ] {
            assert_eq!(plain(text), [None, None], "{text}");
        }
    }
}
