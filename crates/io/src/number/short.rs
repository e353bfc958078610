//! Short decimals such as `-12.375`, at the start of text of which sixteen bytes can be looked at.
//!
//! Numbers of different lengths follow each other, and a branch that depends on a length is mispredicted every other
//! time, which costs as much as parsing a number. So eight bytes are looked at as one integer (Lemire 2021) and no
//! branch depends on where the point or the blank behind it is. Example: in `12.375 4` the first blank is byte 6 and
//! the point byte 2; without the point the digits are 12375, and 5 - 2 = 3 of them are decimals: 12375 / 10^3.
//!
//! At most 15 digits and a power of ten of at most 15 are exact in `f64`, so that one division rounds correctly
//! (Clinger 1990). Everything else is `None`, for [`super::parse`].

use super::{POWERS, eight_digits};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = ONES << 7;
const ZEROS: u64 = ONES * b'0' as u64;
const POINTS: u64 = ONES * b'.' as u64;

/// The number at the start of `text`, up to the first byte that is a blank or a control character, and its length.
#[inline(always)] // Once per value: the call itself is visible in profiles.
pub(crate) fn short(text: &[u8; 16]) -> Option<(f64, usize)> {
    // A branch: where signs alternate at random this costs more than shifting the text would, elsewhere less.
    if text[0] == b'-' {
        return negative(text);
    }
    positive(u128::from_le_bytes(*text))
}

#[inline(never)] // Or else the compiler makes one path of the two.
fn negative(text: &[u8; 16]) -> Option<(f64, usize)> {
    let (value, length) = positive(u128::from_le_bytes(*text) >> 8 | u128::from(b'-') << 120)?;
    Some((-value, length + 1))
}

#[inline(always)]
fn positive(text: u128) -> Option<(f64, usize)> {
    let (low, high) = (text as u64, (text >> 64) as u64);
    // The next number begins after this length, so it is found first and by itself.
    let (early, late) = (blanks(low), blanks(high));
    // A product, because compilers make a branch of a condition here.
    let length = early.trailing_zeros() / 8 + late.trailing_zeros() / 8 * u32::from(early == 0);
    let points = zero_bytes(low ^ POINTS);
    let point = points.trailing_zeros() / 8;
    // The bytes below the first point; all, if there is none.
    let below = ((points & points.wrapping_neg()) >> 7).wrapping_sub(1);
    let digits = low & below | (low >> 8 | high << 56) & !below;
    // No point is a point at byte 8.
    let has_point = point < length.min(8);
    let count = length - u32::from(has_point);
    let (mantissa, places) = if count.wrapping_sub(1) < 8 {
        (eight((digits ^ ZEROS) << (64 - 8 * count))?, count.saturating_sub(point))
    } else if has_point {
        (sixteen(digits, high >> 8, count, length)?, count - point)
    } else {
        (sixteen(digits, high, count, length)?, 0)
    };
    let value = to_double(mantissa) / POWERS[places as usize & 15];
    Some((value, length as usize))
}

/// The number of 9 to 15 digits that stand in `low` and then `high`.
#[inline]
fn sixteen(low: u64, high: u64, count: u32, length: u32) -> Option<u64> {
    if count == 0 || length > 15 {
        return None;
    }
    let digits = u128::from(low ^ ZEROS) | u128::from(high ^ ZEROS) << 64;
    let digits = digits << (128 - 8 * count);
    Some(eight(digits as u64)? * 100_000_000 + eight((digits >> 64) as u64)?)
}

/// An integer below 2^52 as `f64`: it becomes the mantissa of a number from 2^52 on, of which 2^52 is taken.
#[inline(always)]
fn to_double(integer: u64) -> f64 {
    const POWER: f64 = (1u64 << 52) as f64;
    f64::from_bits(POWER.to_bits() | integer) - POWER
}

/// The number of eight bytes that are 0 to 9 each; `None` if one is not.
#[inline(always)]
fn eight(digits: u64) -> Option<u64> {
    // As in `many_digits`: the first byte that is no digit is always seen.
    let others = (digits.wrapping_add(ONES * 0x76) | digits) & HIGH_BITS;
    (others == 0).then(|| eight_digits(digits))
}

/// Sets the high bit of bytes that are zero. Above the first of them some others may be set, too.
#[inline(always)]
fn zero_bytes(text: u64) -> u64 {
    text.wrapping_sub(ONES) & !text & HIGH_BITS
}

/// Sets the high bit of blanks and control characters, below 33; above the first of them also of some others.
#[inline(always)]
fn blanks(text: u64) -> u64 {
    text.wrapping_sub(ONES * 33) & !text & HIGH_BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What `short` must give: the value of the standard library, or nothing.
    fn agrees(text: &[u8; 16]) -> bool {
        let end = text.iter().position(|b| *b < 33).unwrap_or(16);
        let word = std::str::from_utf8(&text[..end]).ok();
        let expected = word.and_then(|word| word.parse::<f64>().ok()).map(f64::to_bits);
        match short(text) {
            Some((value, length)) => length == end && Some(value.to_bits()) == expected,
            None => true,
        }
    }

    fn padded(text: &str, behind: &[u8]) -> [u8; 16] {
        let mut bytes = [b'.'; 16];
        let all = text.bytes().chain(behind.iter().copied());
        bytes.iter_mut().zip(all).for_each(|(byte, of)| *byte = of);
        bytes
    }

    #[test]
    fn the_usual_numbers_are_read() {
        for text in [
            "0",
            "-0",
            "7",
            "12345678",
            "0.979597",
            "-0.00828462",
            "5.",
            ".5",
            "184.228",
            "22076.82352941",
        ] {
            let expected = text.parse::<f64>().map(f64::to_bits).ok();
            for behind in [&b" 3:1.5"[..], b"\n", b" ", b"\t."] {
                let met =
                    short(&padded(text, behind)).map(|(value, length)| (value.to_bits(), length));
                assert_eq!(met, expected.map(|value| (value, text.len())), "{text}");
            }
        }
        for text in [
            "",
            "-",
            ".",
            "-.",
            "--1",
            "1.2.3",
            "1e5",
            "nan",
            "+1",
            "1#",
            "12345678.",
            "1234567890123456",
        ] {
            assert_eq!(short(&padded(text, b" 1")), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_as_the_standard_library_reads_them(text in any::<[u8; 16]>()) {
            prop_assert!(agrees(&text), "{}", text.escape_ascii());
        }

        #[test]
        fn what_looks_like_numbers_is_read_as_well(
            text in "[-+]?[0-9]{0,9}(\\.[0-9]{0,14})?[-+.:e#0-9 \\n\\x00-\\x20]{0,3}",
            behind in "[-0-9.: \\n]{0,16}",
        ) {
            let text = padded(&(text + " "), behind.as_bytes());
            prop_assert!(agrees(&text), "{}", text.escape_ascii());
        }

        #[test]
        fn short_numbers_need_no_other_path(whole in 0..10_000_000u32, decimals in "[0-9]{0,6}", negative: bool) {
            let text = format!("{}{whole}.{decimals}", if negative { "-" } else { "" });
            prop_assert!(short(&padded(&text, b" ")).is_some(), "{}", text);
        }
    }
}
