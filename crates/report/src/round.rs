//! Numbers of the page: those of items to six significant digits, as more would double its size, and sums over all
//! lists to twelve, as whole numbers are shown with all their digits.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use stakes::display::significant;

/// Serialises numbers to six digits.
pub(crate) fn six<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    to(6, numbers, serializer)
}

/// Serialises numbers to twelve digits.
pub(crate) fn twelve<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    to(12, numbers, serializer)
}

fn to<S: Serializer>(digits: usize, numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let mut array = serializer.serialize_seq(Some(numbers.len()))?;
    for number in numbers {
        array.serialize_element(&Short(significant(*number, digits)))?;
    }
    array.end()
}

/// A number without `.0`; what is not a number is null.
struct Short(f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole numbers that a 64-bit float holds exactly.
        const WHOLE: f64 = 9_007_199_254_740_992.0;
        match self.0 {
            number if !number.is_finite() => serializer.serialize_none(),
            number if number.fract() == 0.0 && number.abs() < WHOLE => {
                serializer.serialize_i64(number as i64)
            }
            number => serializer.serialize_f64(number),
        }
    }
}
