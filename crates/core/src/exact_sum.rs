//! Sums of floating-point numbers that do not depend on the order of adding.
//!
//! A sum of doubles depends on the order of its terms in the last digits, so a figure over rows that several
//! machines hold would depend on how the rows are dealt to them. Here a sum is a fixed-point number that is wide
//! enough for every double (Kulisch 2013): digits of 32 bits, each in a counter of 64, so that adding is a few
//! integer additions and no carry is needed before 2^30 terms. Two such sums are added digit by digit; what is
//! read in the end is the exact sum, rounded once.
//!
//! ```
//! use stakes_core::ExactSum;
//! let values = [1e100, 1.0, -1e100, 1e-300];
//! assert_eq!(values.iter().sum::<f64>(), 1e-300);
//! assert_eq!(values.into_iter().collect::<ExactSum>().value(), 1.0);
//! ```

/// The number of digits: from 2^-1074 to 2^1024, and room for carries.
const DIGITS: usize = 68;
/// The bits of a digit.
const BITS: u32 = 32;
/// How many terms may be added before digits are carried: each adds less than 2^32 to a digit.
const MAX_TERMS: u32 = 1 << 30;
/// The exponent of the last place of the smallest double.
const LOWEST: i32 = -1074;

/// The exact sum of doubles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactSum {
    /// The value is the sum over i of digits[i] * 2^(32 i - 1074).
    digits: [i64; DIGITS],
    terms: u32,
    /// Infinities and NaNs, which no fixed-point number holds, as (+infinity, -infinity, NaN).
    special: [bool; 3],
}

impl Default for ExactSum {
    fn default() -> Self {
        ExactSum { digits: [0; DIGITS], terms: 0, special: [false; 3] }
    }
}

impl ExactSum {
    /// The length of [`ExactSum::to_words`].
    pub const WORDS: usize = DIGITS + 3;

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.add_times(value, 1);
    }

    /// The sum of a number so many times.
    #[must_use]
    pub fn of_times(value: f64, times: u32) -> Self {
        let mut sum = ExactSum::default();
        sum.add_times(value, times);
        sum
    }

    #[inline]
    fn add_times(&mut self, value: f64, times: u32) {
        let (place, mantissa) = parts(value);
        if place == SPECIAL {
            return self.add_special(value);
        }
        // All ones for a negative number: x ^ -1 - -1 is -x.
        let sign = (value.to_bits() as i64) >> 63;
        let magnitude = u128::from(mantissa) * u128::from(times);
        self.add_shifted(place, magnitude << (place % BITS), sign);
    }

    /// Adds a magnitude below 2^127, whose last bit is where the digit of a place begins.
    fn add_shifted(&mut self, place: u32, magnitude: u128, sign: i64) {
        if self.terms == MAX_TERMS {
            self.carry();
        }
        self.terms += 1;
        let digits = &mut self.digits[(place / BITS) as usize..];
        for (at, digit) in digits.iter_mut().take(4).enumerate() {
            let part = i64::from((magnitude >> (BITS * at as u32)) as u32);
            *digit += (part ^ sign) - sign;
        }
    }

    #[cold]
    fn add_window(&mut self, window: &Window) {
        let sign = if window.sum < 0 { -1 } else { 0 };
        self.add_shifted(window.place, window.sum.unsigned_abs(), sign);
    }

    #[cold]
    fn add_special(&mut self, value: f64) {
        let kind = if value.is_nan() { 2 } else { usize::from(value < 0.0) };
        self.special[kind] = true;
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        if self.terms + other.terms > MAX_TERMS {
            self.carry();
            let mut other = other.clone();
            other.carry();
            return self.merge(&other);
        }
        self.terms += other.terms;
        self.digits.iter_mut().zip(&other.digits).for_each(|(digit, other)| *digit += other);
        self.special.iter_mut().zip(&other.special).for_each(|(own, other)| *own |= other);
    }

    /// Moves what is beyond 32 bits of a digit into the next one: all but the last are then from 0 to 2^32 - 1.
    fn carry(&mut self) {
        let mut carried = 0;
        let last = DIGITS - 1;
        for digit in &mut self.digits[..last] {
            let sum = *digit + carried;
            carried = sum >> BITS;
            *digit = sum & i64::from(u32::MAX);
        }
        self.digits[last] += carried;
        self.terms = 1;
    }

    /// The sum, rounded to the nearest double (to the even one of two); infinite where it is too large.
    #[must_use]
    pub fn value(&self) -> f64 {
        match self.special {
            [false, false, false] => {}
            [true, false, false] => return f64::INFINITY,
            [false, true, false] => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        let mut sum = self.clone();
        sum.carry();
        // The sign is that of the highest digit that is not 0; the others are not negative after carrying.
        if sum.digits[DIGITS - 1] < 0 {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
            return -sum.magnitude();
        }
        sum.magnitude()
    }

    /// The value of digits that are carried and not negative.
    fn magnitude(&self) -> f64 {
        let Some(top) = self.digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        // The four highest digits have at least 97 bits, of which a double takes 53; all others only decide
        // whether the sum is just a half.
        let bottom = top.saturating_sub(3);
        let high = self.digits[bottom..=top].iter().rev();
        let high = high.fold(0u128, |high, &digit| high << BITS | digit as u128);
        let rest = self.digits[..bottom].iter().any(|&digit| digit != 0);
        rounded(high, rest, LOWEST + (BITS as i32) * bottom as i32)
    }

    /// The sum as whole numbers: added one by one to those of other sums (of fewer than 2^30 terms together),
    /// they are the words of the sum of all.
    #[must_use]
    pub fn to_words(&self) -> [i64; ExactSum::WORDS] {
        let special = |at: usize| i64::from(self.special[at]);
        std::array::from_fn(|at| match at.checked_sub(DIGITS) {
            None => self.digits[at],
            Some(kind) => special(kind),
        })
    }

    /// The sum of these words, or of sums of words.
    #[must_use]
    pub fn of_words(words: &[i64; ExactSum::WORDS]) -> Self {
        let mut sum = ExactSum {
            digits: std::array::from_fn(|at| words[at]),
            terms: 0,
            special: std::array::from_fn(|kind| words[DIGITS + kind] != 0),
        };
        sum.carry();
        sum
    }
}

/// `high` (and a bit more, if there is a `rest`) times 2^exponent, to the nearest double.
fn rounded(high: u128, rest: bool, exponent: i32) -> f64 {
    let length = 128 - high.leading_zeros() as i32;
    // How many of the last bits a double cannot hold: it has 53, fewer below the smallest normal number.
    let dropped = (length - 53).max(LOWEST - exponent).max(0);
    let kept = (high >> dropped) as u64;
    let lost = high & ((1 << dropped) - 1);
    let half = if dropped > 0 { 1 << (dropped - 1) } else { 0 };
    let up = dropped > 0 && (lost > half || (lost == half && (rest || kept & 1 == 1)));
    // At most 2^53, so exact; and the product of both powers is, unless it is too large.
    let power = exponent + dropped;
    let first = power.clamp(-1000, 900);
    (kept + u64::from(up)) as f64 * 2f64.powi(first) * 2f64.powi(power - first)
}

impl Extend<f64> for ExactSum {
    /// Adds many numbers, faster than one by one.
    ///
    /// Most of them have exponents not far from each other. These are added up in one 128-bit number, a window of the
    /// digits that stays in registers; only what does not fit into it goes to the digits themselves.
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        let mut window = Window::at(0);
        for value in values {
            let (place, mantissa) = parts(value);
            let shift = place.wrapping_sub(window.place);
            if shift < WINDOW && window.room > 0 {
                window.add(shift, mantissa, value);
            } else if place < window.place || place == SPECIAL {
                if value != 0.0 {
                    self.add(value);
                }
            } else {
                self.add_window(&window);
                // The window moves upwards only, so that it ends where the largest numbers are.
                window = Window::at(window.place.max((place / BITS).saturating_sub(1) * BITS));
                window.add(place - window.place, mantissa, value);
            }
        }
        self.add_window(&window);
    }
}

/// The number of places of a mantissa within a window.
const WINDOW: u32 = 2 * BITS;
/// The place of infinities and NaNs.
const SPECIAL: u32 = 0x7fe;

/// A sum of some numbers whose places are within `WINDOW` of its own.
#[derive(Clone, Copy)]
struct Window {
    sum: i128,
    /// The place of its last bit, where a digit begins.
    place: u32,
    /// How many more terms it can take: each is below 2^116.
    room: u32,
}

impl Window {
    fn at(place: u32) -> Self {
        Window { sum: 0, place, room: 1 << 10 }
    }

    #[inline(always)]
    fn add(&mut self, shift: u32, mantissa: u64, value: f64) {
        // A 128-bit shift by less than 64, in two words and without a branch.
        let low = mantissa << shift;
        let high = mantissa >> 1 >> (63 - shift);
        let term = (i128::from(high) << 64) | i128::from(low);
        let sign = i128::from((value.to_bits() as i64) >> 63);
        self.sum += (term ^ sign) - sign;
        self.room -= 1;
    }
}

/// Where the last bit of a number's mantissa is, counted from that of the smallest double, and the mantissa.
#[inline(always)]
fn parts(value: f64) -> (u32, u64) {
    let bits = value.to_bits();
    let exponent = (bits >> 52) as u32 & 0x7ff;
    // Subnormal numbers have the exponent of the smallest normal ones, and no leading bit.
    let is_normal = u32::from(exponent > 0);
    (exponent - is_normal, bits & ((1 << 52) - 1) | u64::from(is_normal) << 52)
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sum = ExactSum::default();
        sum.extend(values);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(values: &[f64]) -> f64 {
        values.iter().copied().collect::<ExactSum>().value()
    }

    #[test]
    fn sums_by_hand() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[1.0, 2f64.powi(-53)]), 1.0, "half a unit is rounded to even");
        assert_eq!(sum(&[1.0, 2f64.powi(-53), 5e-324]), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[-3.0, 1.0, -5e-324, 5e-324]), -2.0);
        assert_eq!(sum(&[5e-324, 5e-324, -5e-324]), 5e-324);
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[f64::MIN, 1.0, f64::MIN]), f64::NEG_INFINITY);
        assert_eq!(sum(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert!(
            sum(&[f64::NEG_INFINITY, f64::INFINITY]).is_nan() && sum(&[f64::NAN, 1.0]).is_nan()
        );
        assert_eq!(sum(&[2f64.powi(-1022), -5e-324]), f64::from_bits((1 << 52) - 1));
    }

    /// Whole numbers times one power of two: their sum is known.
    fn known(values: &[(i64, i32)]) -> (Vec<f64>, f64) {
        let total: i128 = values.iter().map(|&(n, shift)| i128::from(n) << shift).sum();
        let terms = values.iter().map(|&(n, shift)| n as f64 * 2f64.powi(shift)).collect();
        (terms, total as f64)
    }

    proptest! {
        /// Against 128-bit integers, whose conversion to a double is rounded to the nearest as well.
        #[test]
        fn equals_the_sum_of_whole_numbers(
            values in prop::collection::vec((-(1i64 << 53)..(1i64 << 53), 0i32..60), 0..50)
        ) {
            let (terms, total) = known(&values);
            prop_assert_eq!(sum(&terms), total);
        }

        /// Any order, any way of dealing terms to parts, any parts that travel as words.
        #[test]
        fn order_and_parts_do_not_matter(
            values in prop::collection::vec(any::<f64>().prop_filter("finite", |v| v.is_finite()), 0..60),
            part_of in prop::collection::vec(0usize..4, 60)
        ) {
            let whole = sum(&values);
            let mut parts = vec![ExactSum::default(); 4];
            values.iter().zip(&part_of).rev().for_each(|(value, &part)| parts[part].add(*value));
            let mut merged = ExactSum::default();
            parts.iter().for_each(|part| merged.merge(part));
            prop_assert_eq!(merged.value().to_bits(), whole.to_bits());
            let mut words = [0; ExactSum::WORDS];
            for part in &parts {
                words.iter_mut().zip(part.to_words()).for_each(|(all, own)| *all += own);
            }
            prop_assert_eq!(ExactSum::of_words(&words).value().to_bits(), whole.to_bits());
        }

        /// Numbers of like and of all sizes, far more than a window takes, added at once and one by one.
        #[test]
        fn many_at_once_are_added_as_one_by_one(
            values in prop::collection::vec(any::<f64>(), 1..20),
            scales in prop::collection::vec(-1074i32..1000, 1..4),
            picks in prop::collection::vec((any::<u16>(), -1.0f64..1.0, 0usize..50), 0..3000),
        ) {
            let term = |&(pick, unit, kind): &(u16, f64, usize)| match kind {
                0 => values[usize::from(pick) % values.len()],
                _ => unit * 2f64.powi(scales[usize::from(pick) % scales.len()]),
            };
            let terms: Vec<f64> = picks.iter().map(term).collect();
            let mut one_by_one = ExactSum::default();
            terms.iter().for_each(|&term| one_by_one.add(term));
            prop_assert_eq!(sum(&terms).to_bits(), one_by_one.value().to_bits());
            let often = ExactSum::of_times(values[0], picks.len() as u32 + 1);
            let again = vec![values[0]; picks.len() + 1];
            prop_assert_eq!(often.value().to_bits(), sum(&again).to_bits());
        }

        /// One number is its own sum.
        #[test]
        fn one_number_comes_back(value in any::<f64>().prop_filter("a number", |v| !v.is_nan())) {
            prop_assert_eq!(sum(&[value]), value);
        }
    }
}
