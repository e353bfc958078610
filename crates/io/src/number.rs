//! Parsing and formatting of numbers.
//!
//! The fast path of Clinger 1990: up to 19 digits are collected in an integer; if it is below
//! 2^53 and the power of ten is at most 22, both are exact in `f64` and one multiplication or division rounds correctly. All
//! other numbers go to the standard library, so the value is always the nearest `f64`.
//! Example: `-0.375` is 375 with exponent -3, hence -(375 / 10^3).
//!
//! Why not a maintained crate: reading LETOR is mostly parsing numbers, and the best crate
//! makes it 18 to 30 % slower (before `short.rs`, which reads most numbers of LETOR since). Time of the whole reading path relative to this parser (from
//! memory, one thread, the fastest of 50 to 300 interleaved runs; all values are equal to the
//! bit):
//!
//! | data | fast-float2 0.2.4 | lexical-core 1.0.6 | `str::parse` |
//! |---|---|---|---|
//! | LETOR, MQ2008 S1 | 1.18 | 1.18 | 1.76 |
//! | LETOR, 5,000 rows of MSLR | 1.26 | 1.23 | 1.85 |
//! | LETOR, generated search set of 200 lists | 1.30 | 1.21 | 2.25 |
//! | CSV, 10,000 generated storm rows | 0.99 | 1.01 | 1.26 |

mod short;

pub(crate) use short::short;

/// Exact powers of ten.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Texts that mean a missing value, in every format.
const MISSING: [&[u8]; 9] = [b"", b"NA", b"NaN", b"nan", b"N/A", b"null", b"NULL", b"None", b"?"];

/// Whether a field is a missing value.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    field.len() <= 8 && MISSING.contains(&field.trim_ascii())
}

/// The answer in a field that says yes or no (or true or false).
pub(crate) fn yes_or_no(field: &[u8]) -> Option<bool> {
    let is = |word: &str| field.trim_ascii().eq_ignore_ascii_case(word.as_bytes());
    match (is("yes") || is("true"), is("no") || is("false")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Parses the number in a field, with blanks around it allowed. `None` if it is not a number.
pub(crate) fn parse(field: &[u8]) -> Option<f64> {
    let field = field.trim_ascii();
    match scan(field) {
        Some((value, used)) if used == field.len() => Some(value),
        _ => std::str::from_utf8(field).ok()?.parse().ok(),
    }
}

/// Whether a field is a code such as the postcode `00501`: digits with leading zeros, which
/// would be lost in a number.
pub(crate) fn is_code(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    field.len() > 1 && field[0] == b'0' && field.iter().all(u8::is_ascii_digit)
}

/// Whether a field is an integer that an `f64` cannot hold.
pub(crate) fn is_rounded(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    if digits.len() <= 15 || !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let whole = std::str::from_utf8(field).ok().and_then(|text| text.parse::<i128>().ok());
    whole.is_none_or(|whole| whole as f64 as i128 != whole)
}

/// Parses the number at the start of `text`, up to a blank or the end; returns it with its
/// length. `None` if it is not a number, or needs the slow path.
#[inline(always)] // Once per value: the call itself is visible in profiles.
pub(crate) fn scan(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let mut i = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let mut mantissa = 0u64;
    let whole = digits(text, &mut i, &mut mantissa);
    let mut places = 0;
    if text.get(i) == Some(&b'.') {
        i += 1;
        places = many_digits(text, &mut i, &mut mantissa);
    }
    if whole + places == 0 || whole + places > 19 || mantissa >= 1 << 53 {
        return None;
    }
    let mut exponent = -(places as i32);
    if matches!(text.get(i), Some(b'e' | b'E')) {
        i += 1;
        let down = text.get(i) == Some(&b'-');
        i += usize::from(matches!(text.get(i), Some(b'-' | b'+')));
        let mut power = 0u64;
        let n = digits(text, &mut i, &mut power);
        if n == 0 || n > 4 {
            return None;
        }
        exponent += if down { -(power as i32) } else { power as i32 };
    }
    if !matches!(text.get(i), None | Some(b' ' | b'\t')) || !(-22..=22).contains(&exponent) {
        return None;
    }
    let power = POWERS[exponent.unsigned_abs() as usize];
    let value = if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
    Some((if negative { -value } else { value }, i))
}

/// Appends the digits at `i` to `value`; returns their number.
#[inline]
fn digits(text: &[u8], i: &mut usize, value: &mut u64) -> usize {
    let start = *i;
    while let Some(digit) = text.get(*i).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        *i += 1;
    }
    *i - start
}

/// As [`digits`], for runs of unpredictable length, such as decimals: eight bytes at a time,
/// without a branch per digit (Lemire 2021).
#[inline]
fn many_digits(text: &[u8], i: &mut usize, value: &mut u64) -> usize {
    const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    let start = *i;
    while let Some(eight) = text[*i..].first_chunk::<8>() {
        // A digit becomes 0..=9; adding 0x76 sets the high bit of every other byte. A carry
        // only reaches bytes after the first that is not a digit, which are not used.
        let bytes = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
        let others = (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080;
        let n = others.trailing_zeros() as usize / 8;
        if n == 0 {
            return *i - start;
        }
        *value = value.wrapping_mul(TENS[n]).wrapping_add(eight_digits(bytes << (64 - 8 * n)));
        *i += n;
        if n < 8 {
            return *i - start;
        }
    }
    digits(text, i, value);
    *i - start
}

/// The number whose eight digits are the bytes, with the first digit in the lowest byte.
#[inline]
fn eight_digits(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

/// Appends the shortest text that is read as the same `f32`.
///
/// Numbers are read by way of `f64`; if rounding twice gives another `f32`, all digits of the
/// value are written instead. (The caller writes `NaN`, which means missing.)
pub(crate) fn push_f32(out: &mut String, value: f32) {
    use std::fmt::Write;
    let start = out.len();
    let size = value.abs();
    // Writing to a String cannot fail.
    let _ = if value == 0.0 || (1e-5..1e16).contains(&size) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
    let back = parse(&out.as_bytes()[start..]).unwrap_or(f64::NAN) as f32;
    if back.to_bits() != value.to_bits() {
        out.truncate(start);
        let _ = write!(out, "{:e}", f64::from(value));
    }
}

/// Appends the shortest text that is read as the same `f64`.
pub(crate) fn push_f64(out: &mut String, value: f64) {
    use std::fmt::Write;
    let size = value.abs();
    let _ = if value == 0.0 || (1e-5..1e16).contains(&size) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_beyond_53_bits_are_rounded() {
        for text in ["9007199254740993", "-9007199254740993", "123456789012345678", &"9".repeat(40)]
        {
            assert!(is_rounded(text.as_bytes()), "{text}");
        }
        for text in ["9007199254740992", "0", "1e300", "0.30000000000000004", "x", ""] {
            assert!(!is_rounded(text.as_bytes()), "{text}");
        }
    }

    fn agrees(text: &str) {
        let expected = text.trim_ascii().parse::<f64>().ok().map(f64::to_bits);
        assert_eq!(parse(text.as_bytes()).map(f64::to_bits), expected, "{text}");
    }

    #[test]
    fn odd_texts_are_read_as_the_standard_library_reads_them() {
        for text in [
            "0",
            "-0",
            "+1",
            ".5",
            "5.",
            ".",
            "",
            "-",
            "e5",
            "1e",
            "1e+",
            "1e5",
            "1E-5",
            "1e23",
            "9007199254740992",
            "9007199254740993",
            "0.30000000000000004",
            "1e-400",
            "1e400",
            "18446744073709551616",
            "123456789012345678901234567890",
            "inf",
            "NaN",
            "0x10",
            "1_000",
            "1.2.3",
            "--1",
            "00000000000000000000001",
            "1e00005",
            "1e99999",
            "٣",
        ] {
            agrees(text);
        }
    }

    proptest! {
        #[test]
        fn every_text_is_read_as_the_standard_library_reads_it(text in "[-+]?[0-9]{0,22}(\\.[0-9]{0,22})?([eE][-+]?[0-9]{1,3})?") {
            agrees(&text);
        }

        #[test]
        fn noise_is_read_as_the_standard_library_reads_it(text in "[-+.0-9eEinfa ]{0,12}") {
            agrees(&text);
        }

        #[test]
        fn what_follows_a_blank_does_not_matter(
            text in "-?[0-9]{1,9}\\.[0-9]{0,12}",
            behind in prop::collection::vec(any::<u8>(), 0..12),
        ) {
            let mut line = text.clone().into_bytes();
            line.push(b' ');
            line.extend(behind);
            let expected = text.parse::<f64>().expect("a number").to_bits();
            match scan(&line) {
                Some((value, used)) => prop_assert_eq!((value.to_bits(), used), (expected, text.len())),
                None => prop_assert!(text.len() > 16, "{} needs no slow path", text),
            }
        }

        #[test]
        fn every_double_comes_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let mut text = String::new();
            push_f64(&mut text, value);
            prop_assert_eq!(parse(text.as_bytes()).map(f64::to_bits), Some(bits));
            agrees(&format!("{value}"));
            agrees(&format!("{value:.6}"));
        }

        #[test]
        fn every_float_comes_back(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            let mut text = String::new();
            push_f32(&mut text, value);
            let back = parse(text.as_bytes()).map(|v| (v as f32).to_bits());
            prop_assert_eq!(back, Some(bits), "{}", text);
        }
    }
}
