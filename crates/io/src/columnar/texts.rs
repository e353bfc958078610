//! The values of a column as text: names, ids, dates.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{AnyDictionaryArray, Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};

use super::numbers;
use crate::number;

/// Whether columns of a type can be read.
pub(super) fn is_text_or_number(kind: &DataType) -> bool {
    use DataType::{Date32, Date64, Dictionary, LargeUtf8, Timestamp, Utf8, Utf8View};
    match kind {
        Utf8 | LargeUtf8 | Utf8View | Date32 | Date64 | Timestamp(..) => true,
        Dictionary(_, values) => is_text_or_number(values),
        kind => numbers::is_numeric(kind),
    }
}

/// The text of each row.
pub(super) enum Texts<'a> {
    Strings(&'a dyn Array),
    /// Codes (`None` where null) and the texts they stand for.
    Dictionary(Vec<Option<usize>>, Vec<Option<String>>),
    /// Numbers and dates, converted to text.
    Made(Vec<Option<String>>),
}

impl<'a> Texts<'a> {
    /// Reads a column as text; `None` if its type has no text form.
    pub(super) fn new(array: &'a dyn Array) -> Option<Texts<'a>> {
        let made = |f: &dyn Fn(usize) -> String| {
            Texts::Made((0..array.len()).map(|i| (!array.is_null(i)).then(|| f(i))).collect())
        };
        Some(match array.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Texts::Strings(array),
            DataType::Dictionary(..) => dictionary(array.as_any_dictionary())?,
            DataType::Date32 => {
                let days = array.as_primitive::<Date32Type>();
                made(&|i| iso(i128::from(days.value(i)) * 86_400_000_000_000, true))
            }
            DataType::Date64 => {
                let millis = array.as_primitive::<Date64Type>();
                made(&|i| iso(i128::from(millis.value(i)) * 1_000_000, true))
            }
            DataType::Timestamp(unit, _) => {
                let nanos: Box<dyn Fn(usize) -> i128> = match unit {
                    TimeUnit::Second => {
                        let a = array.as_primitive::<TimestampSecondType>();
                        Box::new(move |i| i128::from(a.value(i)) * 1_000_000_000)
                    }
                    TimeUnit::Millisecond => {
                        let a = array.as_primitive::<TimestampMillisecondType>();
                        Box::new(move |i| i128::from(a.value(i)) * 1_000_000)
                    }
                    TimeUnit::Microsecond => {
                        let a = array.as_primitive::<TimestampMicrosecondType>();
                        Box::new(move |i| i128::from(a.value(i)) * 1000)
                    }
                    TimeUnit::Nanosecond => {
                        let a = array.as_primitive::<TimestampNanosecondType>();
                        Box::new(move |i| i128::from(a.value(i)))
                    }
                };
                made(&|i| iso(nanos(i), false))
            }
            kind if kind.is_integer() => {
                // Not by way of f64, which would round an id of 19 digits.
                let values = integers(array)?;
                made(&|i| values[i].to_string())
            }
            kind if numbers::is_numeric(kind) => {
                let mut values = Vec::new();
                numbers::fill(array, &mut values)?.ok()?;
                made(&|i| {
                    let mut text = String::new();
                    number::push_f64(&mut text, values[i]);
                    text
                })
            }
            _ => return None,
        })
    }

    /// The text of a row; `None` where missing.
    pub(super) fn get(&self, row: usize) -> Option<Cow<'_, str>> {
        let text = match self {
            Texts::Strings(array) if array.is_null(row) => return None,
            Texts::Strings(array) => Cow::Borrowed(match array.data_type() {
                DataType::Utf8 => array.as_string::<i32>().value(row),
                DataType::LargeUtf8 => array.as_string::<i64>().value(row),
                _ => array.as_string_view().value(row),
            }),
            Texts::Dictionary(codes, names) => Cow::Borrowed(names.get(codes[row]?)?.as_deref()?),
            Texts::Made(texts) => Cow::Borrowed(texts[row].as_deref()?),
        };
        Some(text)
    }
}

/// Returns the codes of a dictionary column, 0 where null. (`normalized_keys` panics if the
/// dictionary is empty.)
pub(super) fn codes(array: &dyn AnyDictionaryArray) -> Vec<usize> {
    if array.values().is_empty() { vec![0; array.keys().len()] } else { array.normalized_keys() }
}

fn dictionary<'a>(array: &dyn AnyDictionaryArray) -> Option<Texts<'a>> {
    let values: &ArrayRef = array.values();
    let texts = Texts::new(values)?;
    let names = (0..values.len()).map(|i| texts.get(i).map(Cow::into_owned)).collect();
    let keys = array.keys();
    let codes = codes(array).into_iter().enumerate();
    let codes = codes.map(|(i, code)| (!keys.is_null(i)).then_some(code)).collect();
    Some(Texts::Dictionary(codes, names))
}

fn integers(array: &dyn Array) -> Option<Vec<i128>> {
    use arrow_array::types::{
        Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    };
    macro_rules! of {
        ($($kind:ident => $native:ty),*) => {
            match array.data_type() {
                $(DataType::$kind => {
                    array.as_primitive::<$native>().values().iter().map(|v| i128::from(*v)).collect()
                })*
                _ => return None,
            }
        };
    }
    Some(of!(
        Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type,
        UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type, UInt64 => UInt64Type
    ))
}

/// Formats nanoseconds since 1970 as ISO text; dates without the time of day.
fn iso(nanos: i128, date_only: bool) -> String {
    const DAY: i128 = 86_400_000_000_000;
    let (days, clock) = (nanos.div_euclid(DAY), nanos.rem_euclid(DAY));
    let (year, month, day) = civil(days);
    let date = format!("{year:04}-{month:02}-{day:02}");
    if date_only {
        return date;
    }
    let (seconds, fraction) = (clock / 1_000_000_000, clock % 1_000_000_000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{date}T{hour:02}:{minute:02}:{second:02}");
    if fraction != 0 {
        text.push_str(format!(".{fraction:09}").trim_end_matches('0'));
    }
    text
}

/// Returns the proleptic Gregorian date: year, month, day (Hinnant's algorithm).
fn civil(days: i128) -> (i128, i128, i128) {
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let (month, day) = (if m < 10 { m + 3 } else { m - 9 }, day_of_year - (153 * m + 2) / 5 + 1);
    (year_of_era + era * 400 + i128::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn instants_are_written_as_iso_text() {
        assert_eq!(iso(0, true), "1970-01-01");
        assert_eq!(iso(951_782_400_000_000_000, true), "2000-02-29");
        assert_eq!(iso(-1, false), "1969-12-31T23:59:59.999999999");
        assert_eq!(iso(951_782_400_500_000_000, false), "2000-02-29T00:00:00.5");
    }
}
