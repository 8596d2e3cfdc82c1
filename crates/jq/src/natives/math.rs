//! Mathematics. Inexact functions are those of the libm crate: the platform's own differ in the
//! last bit between machines.

use jaq_core::native::bome;

use super::common::{ValueNative, mismatch, with_args};
use crate::value::{FilterError, Num, Val, ValR, charge};

macro_rules! unary {
    ($($name:ident)*) => { [$((stringify!($name), 0, |cv| bome(float(&cv.1).map(|x| Val::from(libm::$name(x)))))),*] };
}

macro_rules! binary {
    ($($name:ident)*) => {
        [$((stringify!($name), 2, |cv| with_args(cv, |_, [x, y]| Ok(Val::from(libm::$name(float(&x)?, float(&y)?)))))),*]
    };
}

/// Functions of one float.
pub(super) const UNARY: &[ValueNative] = &unary![
    acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 fabs j0 j1 lgamma log log10
    log1p log2 rint sin sinh sqrt tan tanh tgamma y0 y1
];

/// Functions of two floats.
pub(super) const BINARY: &[ValueNative] = &binary![atan2 copysign fdim fmax fmin hypot nextafter];

/// Steps of a division with remainder, which takes a round for each of up to 2,048 bits of the quotient.
const STEPS_TO_DIVIDE: u64 = 96;

/// All others.
pub(super) const OTHERS: &[ValueNative] = &[
    ("fmod", 2, |cv| with_args(cv, |_, [x, y]| remainder(&x, &y, libm::fmod))),
    ("remainder", 2, |cv| with_args(cv, |_, [x, y]| remainder(&x, &y, libm::remainder))),
    ("floor", 0, |cv| bome(round(cv.1, libm::floor))),
    ("ceil", 0, |cv| bome(round(cv.1, libm::ceil))),
    ("round", 0, |cv| bome(round(cv.1, libm::round))),
    ("trunc", 0, |cv| bome(round(cv.1, libm::trunc))),
    ("nearbyint", 0, |cv| bome(round(cv.1, libm::rint))),
    ("abs", 0, |cv| {
        bome(match cv.1 {
            Val::Num(num) => Ok(Val::Num(num.abs())),
            value if value >= Val::int(0) => Ok(value),
            value => Err(mismatch(&value, "a number")),
        })
    }),
    ("pow", 2, |cv| with_args(cv, |_, [x, y]| Ok(integral(libm::pow(float(&x)?, float(&y)?), &[&x, &y])))),
    ("fma", 3, |cv| {
        with_args(cv, |_, [x, y, z]| Ok(Val::from(libm::fma(float(&x)?, float(&y)?, float(&z)?))))
    }),
    ("ldexp", 2, |cv| with_args(cv, |_, [x, e]| scale(&x, &e))),
    ("scalb", 2, |cv| with_args(cv, |_, [x, e]| scale(&x, &e))),
    ("scalbln", 2, |cv| with_args(cv, |_, [x, e]| scale(&x, &e))),
    ("nan", 0, |_| bome(Ok(Val::from(f64::NAN)))),
    ("infinite", 0, |_| bome(Ok(Val::from(f64::INFINITY)))),
    ("significand", 0, |cv| bome(float(&cv.1).map(|x| Val::from(significand(x))))),
    ("logb", 0, |cv| bome(float(&cv.1).map(|x| Val::from(logb(x))))),
    ("gamma", 0, |cv| bome(float(&cv.1).map(|x| Val::from(libm::lgamma(x))))),
    ("pow10", 0, |cv| bome(float(&cv.1).map(|x| Val::from(libm::exp10(x))))),
    ("frexp", 0, |cv| {
        bome(float(&cv.1).and_then(|x| {
            let (fraction, exponent) = libm::frexp(x);
            Val::array(vec![Val::from(fraction), Val::int(i128::from(exponent))])
        }))
    }),
    ("modf", 0, |cv| {
        bome(float(&cv.1).and_then(|x| {
            let (fraction, whole) = libm::modf(x);
            Val::array(vec![Val::from(fraction), Val::from(whole)])
        }))
    }),
    ("isnan", 0, |cv| bome(float(&cv.1).map(|x| Val::Bool(x.is_nan())))),
];

fn float(value: &Val) -> Result<f64, FilterError> {
    match value {
        Val::Num(num) => Ok(num.as_f64()),
        value => Err(mismatch(value, "a number")),
    }
}

fn remainder(x: &Val, y: &Val, remainder: fn(f64, f64) -> f64) -> ValR {
    charge(STEPS_TO_DIVIDE)?;
    Ok(Val::from(remainder(float(x)?, float(y)?)))
}

/// Rounds to an integer if the result is in range. Integers stay unchanged.
fn round(value: Val, round: fn(f64) -> f64) -> ValR {
    match &value {
        Val::Num(num) if num.is_int() => Ok(value),
        value => Ok(Val::Num(Num::integral(round(float(value)?)))),
    }
}

/// Converts the result of integers to an integer, if it is exact.
fn integral(float: f64, from: &[&Val]) -> Val {
    const EXACT: f64 = (1u64 << 53) as f64;
    let ints = from.iter().all(|value| matches!(value, Val::Num(num) if num.is_int()));
    Val::Num(if ints && float.abs() <= EXACT { Num::integral(float) } else { Num::Float(float) })
}

fn scale(x: &Val, exponent: &Val) -> ValR {
    // Past a few thousand the result does not change.
    let exponent = float(exponent)?.clamp(-5_000.0, 5_000.0) as i32;
    Ok(Val::from(libm::ldexp(float(x)?, exponent)))
}

fn significand(x: f64) -> f64 {
    match x == 0.0 || !x.is_finite() {
        true => x,
        false => libm::ldexp(x, -libm::ilogb(x)),
    }
}

fn logb(x: f64) -> f64 {
    match x {
        0.0 => f64::NEG_INFINITY,
        x if x.is_nan() => x,
        x if x.is_infinite() => f64::INFINITY,
        x => f64::from(libm::ilogb(x)),
    }
}
