//! Numbers, the same on 32 and on 64 bits.
//!
//! Integers are exact up to 38 digits, whatever the machine's word size; results outside that range
//! become `f64`. A literal that neither can hold exactly keeps its text until an operation changes
//! it.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use crate::limits::{self, Reservation};
use tuckaway_json::scan::Scanner;

/// A number.
#[derive(Clone, Debug)]
pub(crate) enum Num {
    Int(i64),
    /// An integer outside the range of `i64`.
    Wide(Rc<Wide>),
    Float(f64),
    Literal(Rc<Literal>),
}

/// An integer of more than 64 bits.
#[derive(Debug)]
pub(crate) struct Wide {
    int: i128,
    _memory: Reservation,
}

/// Estimated size of a wide integer.
const WIDE_BYTES: u64 = 40;

/// Steps of creating one: it takes memory, and arithmetic on more than a machine word.
const WIDE_STEPS: u64 = 4;

impl From<i128> for Wide {
    fn from(int: i128) -> Self {
        limits::charge(WIDE_STEPS);
        Wide { int, _memory: Reservation::new(WIDE_BYTES) }
    }
}

/// The text of a number in JSON, with the value of the nearest `f64`.
#[derive(Debug)]
pub(crate) struct Literal {
    text: Box<str>,
    /// The parsed text, for sorts, which need it many times. NaN until it is first needed.
    float: Cell<f64>,
}

/// Estimated size of a literal without its text.
const LITERAL_BYTES: u64 = 40;

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        limits::charge(text.len() as u64 / 16);
        limits::reserve(LITERAL_BYTES + text.len() as u64);
        Literal { text: text.into(), float: Cell::new(f64::NAN) }
    }
}

impl Drop for Literal {
    fn drop(&mut self) {
        limits::release(LITERAL_BYTES + self.text.len() as u64);
    }
}

impl Literal {
    fn float(&self) -> f64 {
        if self.float.get().is_nan() {
            self.float.set(self.text.parse().unwrap_or(f64::INFINITY));
        }
        self.float.get()
    }
}

impl From<i128> for Num {
    fn from(int: i128) -> Self {
        i64::try_from(int).map_or_else(|_| Num::Wide(Rc::new(Wide::from(int))), Num::Int)
    }
}

impl Num {
    /// Creates a number of JSON text; writing the number returns the same text.
    pub(crate) fn from_json(text: &str) -> Self {
        if let Ok(int) = text.parse::<i64>() {
            // As an integer, -0 would lose its sign.
            return if int == 0 && text.starts_with('-') { Num::literal(text) } else { Num::Int(int) };
        }
        if let Ok(int) = text.parse::<i128>() {
            return Num::from(int);
        }
        match is_shortest(text) {
            true => Num::Float(text.parse().unwrap_or(f64::NAN)),
            false => Num::literal(text),
        }
    }

    fn literal(text: &str) -> Self {
        Num::Literal(Rc::new(Literal::from(text)))
    }

    /// Returns the bytes that it occupies on the heap.
    pub(crate) fn heap_bytes(&self) -> u64 {
        match self {
            Num::Int(_) | Num::Float(_) => 0,
            Num::Wide(_) => WIDE_BYTES,
            Num::Literal(literal) => LITERAL_BYTES + literal.text.len() as u64,
        }
    }

    /// Returns the steps of writing it: the shortest text of a float takes a search.
    pub(crate) fn steps_to_write(&self) -> u64 {
        match self {
            Num::Int(_) => 1,
            Num::Wide(_) => 3,
            Num::Float(_) => 6,
            Num::Literal(literal) => 1 + literal.text.len() as u64 / 64,
        }
    }

    /// Parses a number as people write it, with spaces around it, a plus or leading zeros.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        if !number || !text.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        if is_json(text) {
            return Some(Num::from_json(text));
        }
        text.parse::<i128>().map(Num::from).ok().or_else(|| text.parse().map(Num::Float).ok())
    }

    pub(crate) fn is_int(&self) -> bool {
        matches!(self, Num::Int(_) | Num::Wide(_))
    }

    /// Returns the integer, if it is one.
    pub(crate) fn as_int(&self) -> Option<i128> {
        match self {
            Num::Int(int) => Some(i128::from(*int)),
            Num::Wide(wide) => Some(wide.int),
            Num::Float(_) | Num::Literal(_) => None,
        }
    }

    pub(crate) fn as_f64(&self) -> f64 {
        match self {
            Num::Int(int) => *int as f64,
            Num::Wide(wide) => wide.int as f64,
            Num::Float(float) => *float,
            Num::Literal(literal) => literal.float(),
        }
    }

    pub(crate) fn is_nan(&self) -> bool {
        matches!(self, Num::Float(float) if float.is_nan())
    }

    /// Creates an integer of a float without a fraction, if it is in the range of integers.
    pub(crate) fn integral(float: f64) -> Self {
        const BOUND: f64 = (1u128 << 126) as f64;
        match float.trunc() == float && float.abs() < BOUND {
            true => Num::from(float as i128),
            false => Num::Float(float),
        }
    }

    /// Applies `exact` if both are integers and its result is in range, otherwise `float`.
    fn arithmetic(
        &self,
        other: &Num,
        exact: impl Fn(i128, i128) -> Option<i128>,
        float: impl Fn(f64, f64) -> f64,
    ) -> Num {
        let ints = self.as_int().zip(other.as_int());
        match ints.and_then(|(l, r)| exact(l, r)) {
            Some(int) => Num::from(int),
            None => Num::Float(float(self.as_f64(), other.as_f64())),
        }
    }

    pub(crate) fn add(&self, other: &Num) -> Num {
        if let (Num::Int(l), Num::Int(r)) = (self, other)
            && let Some(sum) = l.checked_add(*r)
        {
            return Num::Int(sum);
        }
        self.arithmetic(other, i128::checked_add, |l, r| l + r)
    }

    pub(crate) fn sub(&self, other: &Num) -> Num {
        self.arithmetic(other, i128::checked_sub, |l, r| l - r)
    }

    pub(crate) fn mul(&self, other: &Num) -> Num {
        self.arithmetic(other, i128::checked_mul, |l, r| l * r)
    }

    /// Returns the steps of [`Self::rem`]: floats take a round for each bit of the quotient.
    pub(crate) fn steps_to_divide(&self, other: &Num) -> u64 {
        match (self, other) {
            (Num::Int(_), Num::Int(_)) => 0,
            (Num::Int(_) | Num::Wide(_), Num::Int(_) | Num::Wide(_)) => 16,
            _ => 32,
        }
    }

    /// Divides by a number that is not zero. The result is an integer if there is no remainder.
    pub(crate) fn div(&self, other: &Num) -> Num {
        self.arithmetic(
            other,
            |l, r| (l.checked_rem(r) == Some(0)).then(|| l.checked_div(r)).flatten(),
            |l, r| l / r,
        )
    }

    /// Returns the remainder of both without their fractions, as in jq, with the sign of the
    /// dividend; `None` if the divisor is then zero.
    pub(crate) fn rem(&self, other: &Num) -> Option<Num> {
        let whole = |num: &Num| match num.is_int() {
            true => num.clone(),
            // Infinity saturates.
            false if num.as_f64().is_infinite() => Num::Int(num.as_f64() as i64),
            false => Num::integral(num.as_f64().trunc()),
        };
        let (left, right) = (whole(self), whole(other));
        (right.as_f64() != 0.0)
            .then(|| left.arithmetic(&right, |l, r| Some(l.checked_rem(r).unwrap_or(0)), |l, r| l % r))
    }

    pub(crate) fn neg(&self) -> Num {
        match self {
            Num::Int(0) => Num::Int(0),
            Num::Float(float) => Num::Float(-float),
            Num::Literal(literal) => match literal.text.strip_prefix('-') {
                Some(positive) => Num::literal(positive),
                None => Num::literal(&format!("-{}", literal.text)),
            },
            Num::Int(_) | Num::Wide(_) => Num::Int(0).sub(self),
        }
    }

    pub(crate) fn abs(&self) -> Num {
        match self.total_cmp(&Num::Int(0)) {
            Ordering::Less if !self.is_nan() => self.neg(),
            _ => self.clone(),
        }
    }

    /// Compares by a total order: NaN first, and integers with floats without rounding.
    pub(crate) fn total_cmp(&self, other: &Num) -> Ordering {
        match (self.as_int(), other.as_int()) {
            (Some(l), Some(r)) => l.cmp(&r),
            (Some(l), None) => int_cmp(l, other.as_f64()),
            (None, Some(r)) => int_cmp(r, self.as_f64()).reverse(),
            (None, None) => {
                let (l, r) = (self.as_f64(), other.as_f64());
                l.partial_cmp(&r).unwrap_or_else(|| r.is_nan().cmp(&l.is_nan()))
            }
        }
    }

    /// Writes the number as JSON. NaN is null and infinities are the largest finite numbers, as
    /// in jq.
    pub(crate) fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Num::Int(int) => write!(out, "{int}"),
            Num::Wide(wide) => write!(out, "{}", wide.int),
            Num::Float(float) if float.is_nan() => out.write_str("null"),
            Num::Float(float) if float.is_infinite() => write_float(f64::MAX.copysign(*float), out),
            Num::Float(float) => write_float(*float, out),
            Num::Literal(literal) => out.write_str(&literal.text),
        }
    }
}

fn int_cmp(int: i128, float: f64) -> Ordering {
    // NaN precedes all numbers. Outside the range of i128 the cast would saturate.
    if float.is_nan() {
        return Ordering::Greater;
    }
    if float.is_infinite() || float.abs() >= i128::MAX as f64 {
        return 0.0f64.partial_cmp(&float).unwrap_or(Ordering::Equal);
    }
    int.cmp(&(float.trunc() as i128))
        .then_with(|| 0.0f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal))
}

/// Writes the shortest text that parses as this finite float: with a decimal point from 1e-5 to
/// 1e16 unless it is whole, otherwise with an exponent. Among equally short and near texts, it is
/// the even one, as in jq.
fn write_float(float: f64, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(float);
    let (mantissa, exponent) = text.split_once("e+").map_or((text, None), |(m, e)| (m, Some(e)));
    out.write_str(mantissa.strip_suffix(".0").unwrap_or(mantissa))?;
    exponent.map_or(Ok(()), |exponent| write!(out, "e{exponent}"))
}

/// Returns whether a JSON number is spelled as [`write_float`] writes it, so that its text need not
/// be kept. Checks the spelling only: 15 digits always survive a round trip.
fn is_shortest(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some((whole, fraction)) = unsigned.split_once('.') else { return false };
    whole.len() + fraction.len() <= 15
        && fraction.bytes().all(|b| b.is_ascii_digit())
        && !fraction.ends_with('0')
        && !(whole == "0" && fraction.starts_with("0000"))
}

/// Returns whether a text is a number in JSON.
fn is_json(text: &str) -> bool {
    let mut scanner = Scanner::new(text.as_bytes());
    matches!(scanner.next_token(), Ok(Some(token)) if token.start == 0 && token.end == text.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(num: &Num) -> String {
        let mut out = String::new();
        num.write(&mut out).unwrap();
        out
    }

    #[test]
    fn literals_keep_their_text() {
        for text in [
            "0",
            "-0",
            "1.0",
            "1.50",
            "-0.0",
            "1e3",
            "1E-7",
            "0.00001",
            "123456789012345678",
            "3.14",
            "100000000000000000000",
            "170141183460469231731687303715884105728",
            "1e1000",
            "0.10000000000000001",
            "-9223372036854775809",
        ] {
            assert_eq!(written(&Num::from_json(text)), text);
        }
    }

    #[test]
    fn arithmetic_is_exact_within_the_range_of_integers() {
        let max = Num::Int(i64::MAX);
        assert_eq!(written(&max.add(&Num::Int(1))), "9223372036854775808");
        assert_eq!(written(&max.mul(&max)), "85070591730234615847396907784232501249");
        assert_eq!(written(&max.mul(&max).mul(&max)), "7.846377169233351e56");
        assert_eq!(written(&max.add(&Num::Int(1)).sub(&Num::Int(1))), "9223372036854775807");
        assert_eq!(written(&Num::Int(i64::MIN).rem(&Num::Int(-1)).unwrap()), "0");
        assert_eq!(written(&Num::Int(i64::MIN).neg()), "9223372036854775808");
        assert_eq!(written(&Num::Int(4).div(&Num::Int(2))), "2");
        assert_eq!(written(&Num::Int(1).div(&Num::Int(2))), "0.5");
        assert_eq!(written(&Num::Int(-5).rem(&Num::Int(3)).unwrap()), "-2");
        assert_eq!(written(&Num::Float(5.9).rem(&Num::Float(-2.1)).unwrap()), "1");
        assert!(Num::Int(1).rem(&Num::Float(0.5)).is_none());
    }

    #[test]
    fn nan_and_infinity_are_written_as_in_jq() {
        assert_eq!(written(&Num::Float(f64::NAN)), "null");
        assert_eq!(written(&Num::Float(f64::NEG_INFINITY)), "-1.7976931348623157e308");
    }

    #[test]
    fn numbers_of_people_are_parsed() {
        for (text, number) in
            [(" 12 ", "12"), ("+7", "7"), ("007", "7"), (".5", "0.5"), ("5.", "5"), ("1e2", "1e2")]
        {
            assert_eq!(Num::from_text(text).as_ref().map(written).as_deref(), Some(number), "{text}");
        }
        for text in ["", "-", "nan", "inf", "0x10", "1 2", "1e", "e", "--1"] {
            assert!(Num::from_text(text).is_none(), "{text}");
        }
    }

    #[test]
    fn integers_and_floats_compare_without_rounding() {
        let (big, bigger) = (Num::Int((1 << 53) + 1), Num::Float((1u64 << 53) as f64));
        assert_eq!(big.total_cmp(&bigger), Ordering::Greater);
        assert_eq!(Num::Int(1).total_cmp(&Num::Float(1.5)), Ordering::Less);
        assert_eq!(Num::Int(-1).total_cmp(&Num::Float(-1.5)), Ordering::Greater);
        assert_eq!(Num::Int(0).total_cmp(&Num::Float(-0.0)), Ordering::Equal);
        assert_eq!(Num::Int(0).total_cmp(&Num::Float(f64::INFINITY)), Ordering::Less);
    }

    #[test]
    fn floats_are_written_in_their_shortest_form() {
        for (float, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (100.0, "100"),
            (1e15, "1000000000000000"),
            (1e16, "1e16"),
            (1.5e300, "1.5e300"),
            (1e-5, "0.00001"),
            (-1.25e-6, "-1.25e-6"),
            // A tie between two digits.
            (27_760_791_203_480.0 + 0.5625, "27760791203480.562"),
        ] {
            assert_eq!(written(&Num::Float(float)), text);
        }
    }

    proptest! {
        #[test]
        fn written_floats_parse_as_themselves(float in any::<f64>()) {
            prop_assume!(float.is_finite());
            let mut text = String::new();
            write_float(float, &mut text).unwrap();
            prop_assert!(is_json(&text), "{}", text);
            prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), float.to_bits());
        }

        #[test]
        fn dropped_spellings_are_written_again(text in "-?(0|[1-9][0-9]{0,9})\\.[0-9]{1,9}") {
            prop_assert_eq!(written(&Num::from_json(&text)), text);
        }

        #[test]
        fn the_order_is_total(a in num(), b in num(), c in num()) {
            prop_assert_eq!(a.total_cmp(&b), b.total_cmp(&a).reverse());
            if a.total_cmp(&b).is_le() && b.total_cmp(&c).is_le() {
                prop_assert!(a.total_cmp(&c).is_le());
            }
        }
    }

    fn num() -> impl Strategy<Value = Num> {
        prop_oneof![
            (-3i64..3).prop_map(Num::Int),
            ((1i64 << 53) - 2..(1 << 53) + 3).prop_map(Num::Int),
            ((1i64 << 53) - 2..(1 << 53) + 3).prop_map(|n| Num::Float(n as f64)),
            any::<f64>().prop_map(Num::Float),
            Just(Num::Float(f64::NAN)),
            any::<i128>().prop_map(Num::from),
            (-3i64..3).prop_map(|n| Num::Float(n as f64 / 2.0)),
        ]
    }
}
