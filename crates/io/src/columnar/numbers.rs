//! The values of a column as numbers: the nearest `f64`, `NaN` where null.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowNativeTypeOp};
use arrow_schema::DataType;

use super::texts;
use crate::number;

/// The error of text that is not a number, with its row (from 0).
pub(super) struct NotANumber {
    pub(super) row: usize,
    pub(super) met: String,
}

/// Whether values of a type are numbers.
pub(super) fn is_numeric(kind: &DataType) -> bool {
    use DataType::{Boolean, Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, Null};
    match kind {
        Boolean | Null | Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => true,
        Dictionary(_, values) => is_numeric(values),
        kind => kind.is_integer() || kind.is_floating(),
    }
}

/// Whether an `f32` holds every value of a type exactly.
pub(super) fn fits_f32(kind: &DataType) -> bool {
    use DataType::{Boolean, Float16, Float32, Int8, Int16, Null, UInt8, UInt16};
    matches!(kind, Boolean | Float16 | Float32 | Int8 | Int16 | Null | UInt8 | UInt16)
}

/// Returns the first row (from 0) with an integer that an `f64` cannot hold, and the integer.
pub(super) fn first_rounded(array: &dyn Array) -> Option<(usize, String)> {
    fn first<T: ArrowPrimitiveType>(array: &dyn Array) -> Option<(usize, String)>
    where
        T::Native: Into<i128>,
    {
        let exact = |v: i128| v as f64 as i128 == v;
        let values = array.as_primitive::<T>().iter().enumerate();
        let mut values = values.filter_map(|(row, value)| Some((row, value?.into())));
        values.find(|(_, v)| !exact(*v)).map(|(row, v)| (row, v.to_string()))
    }
    match array.data_type() {
        DataType::Int64 => first::<Int64Type>(array),
        DataType::UInt64 => first::<UInt64Type>(array),
        _ => None,
    }
}

/// Fills `out` with the values of a column. `None` if the type cannot be read as numbers.
pub(super) fn fill(array: &dyn Array, out: &mut Vec<f64>) -> Option<Result<(), NotANumber>> {
    out.clear();
    match array.data_type() {
        DataType::Int8 => plain::<Int8Type>(array, out, f64::from),
        DataType::Int16 => plain::<Int16Type>(array, out, f64::from),
        DataType::Int32 => plain::<Int32Type>(array, out, f64::from),
        DataType::Int64 => plain::<Int64Type>(array, out, |v| v as f64),
        DataType::UInt8 => plain::<UInt8Type>(array, out, f64::from),
        DataType::UInt16 => plain::<UInt16Type>(array, out, f64::from),
        DataType::UInt32 => plain::<UInt32Type>(array, out, f64::from),
        DataType::UInt64 => plain::<UInt64Type>(array, out, |v| v as f64),
        DataType::Float16 => plain::<Float16Type>(array, out, f64::from),
        DataType::Float32 => plain::<Float32Type>(array, out, f64::from),
        DataType::Float64 => plain::<Float64Type>(array, out, |v| v),
        DataType::Boolean => {
            let array = array.as_boolean();
            out.extend(array.iter().map(|v| v.map_or(f64::NAN, |v| f64::from(u8::from(v)))));
        }
        DataType::Null => out.resize(array.len(), f64::NAN),
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array, out),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array, out),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array, out),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array, out),
        DataType::Dictionary(_, values) if is_numeric(values) => {
            let array = array.as_any_dictionary();
            let mut values = Vec::new();
            fill(array.values(), &mut values)?.ok();
            let keys = array.keys();
            let codes = texts::codes(array);
            out.extend(codes.into_iter().enumerate().map(|(i, code)| {
                if keys.is_null(i) {
                    f64::NAN
                } else {
                    values.get(code).copied().unwrap_or(f64::NAN)
                }
            }));
        }
        _ => return parsed(array, out),
    }
    Some(Ok(()))
}

fn plain<T: ArrowPrimitiveType>(
    array: &dyn Array,
    out: &mut Vec<f64>,
    to: impl Fn(T::Native) -> f64,
) where
    T::Native: ArrowNativeTypeOp,
{
    let array = array.as_primitive::<T>();
    out.extend(array.values().iter().map(|v| to(*v)));
    if array.null_count() > 0 {
        (0..array.len()).filter(|&i| array.is_null(i)).for_each(|i| out[i] = f64::NAN);
    }
}

/// Converts decimals by way of text, as in CSV: a division would round twice.
fn decimal<T: DecimalType>(array: &dyn Array, out: &mut Vec<f64>) {
    let array = array.as_primitive::<T>();
    out.extend((0..array.len()).map(|i| {
        let text = (!array.is_null(i)).then(|| array.value_as_string(i));
        text.and_then(|text| number::parse(text.as_bytes())).unwrap_or(f64::NAN)
    }));
}

/// Parses text as numbers.
fn parsed(array: &dyn Array, out: &mut Vec<f64>) -> Option<Result<(), NotANumber>> {
    let texts = texts::Texts::new(array)?;
    for row in 0..array.len() {
        out.push(match texts.get(row) {
            None => f64::NAN,
            Some(text) => match number::parse(text.as_bytes()) {
                Some(value) => value,
                None => return Some(Err(NotANumber { row, met: text.into_owned() })),
            },
        });
    }
    Some(Ok(()))
}
