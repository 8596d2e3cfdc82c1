//! Arithmetic on values. An operator that can grow a value checks its limit before it takes the
//! memory.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
use std::rc::Rc;

use jaq_core::ops::Math;

use super::{Arr, FilterError, Num, Obj, Val, ValR, charge, limit_error, sort_values};
use crate::limits::{self, Limit, MAX_DEPTH, MAX_ITEMS};

/// Returns the error of an operator that is not defined for these values.
fn undefined(l: &Val, op: Math, r: &Val) -> FilterError {
    let verb = match op {
        Math::Add => "add",
        Math::Sub => "subtract",
        Math::Mul => "multiply",
        Math::Div | Math::Rem => "divide",
    };
    FilterError::str(format!("cannot {verb} {l} and {r}"))
}

impl Add for Val {
    type Output = ValR;

    fn add(self, other: Val) -> ValR {
        // jaq adds in its own loops.
        charge(1)?;
        match (self, other) {
            (Val::Null, value) | (value, Val::Null) => Ok(value),
            (Val::Num(l), Val::Num(r)) => Ok(Val::Num(l.add(&r))),
            (Val::Str(mut l), Val::Str(r)) => {
                if l.len() + r.len() > limits::max_string_bytes() {
                    return Err(limit_error(Limit::String));
                }
                Rc::make_mut(&mut l).push(&r);
                Ok(Val::Str(l))
            }
            (Val::Arr(mut l), Val::Arr(r)) => {
                if l.len() + r.len() > MAX_ITEMS {
                    return Err(limit_error(Limit::Items));
                }
                Rc::make_mut(&mut l).append(r);
                Ok(Val::Arr(l))
            }
            (Val::Obj(mut l), Val::Obj(r)) => {
                charge(r.len() as u64)?;
                let obj = Rc::make_mut(&mut l);
                match Rc::try_unwrap(r) {
                    Ok(r) => r.into_members().into_iter().for_each(|(key, value)| obj.insert(key, value)),
                    Err(r) => r.iter().for_each(|(key, value)| obj.insert(key.clone(), value.clone())),
                }
                Ok(Val::Obj(l))
            }
            (l, r) => Err(undefined(&l, Math::Add, &r)),
        }
    }
}

impl Sub for Val {
    type Output = ValR;

    fn sub(self, other: Val) -> ValR {
        charge(1)?;
        match (self, other) {
            (Val::Num(l), Val::Num(r)) => Ok(Val::Num(l.sub(&r))),
            (Val::Arr(l), Val::Arr(r)) => {
                charge(limits::log_steps(l.weight.saturating_add(r.weight), r.len()))?;
                let mut removed = r.to_vec();
                sort_values(&mut removed);
                let mut items = Rc::unwrap_or_clone(l).items;
                items.retain(|item| removed.binary_search(item).is_err());
                Ok(Val::Arr(Rc::new(Arr::from(items))))
            }
            (l, r) => Err(undefined(&l, Math::Sub, &r)),
        }
    }
}

impl Mul for Val {
    type Output = ValR;

    fn mul(self, other: Val) -> ValR {
        match (self, other) {
            (Val::Num(l), Val::Num(r)) => Ok(Val::Num(l.mul(&r))),
            (Val::Str(text), Val::Num(times)) | (Val::Num(times), Val::Str(text)) => repeat(&text, &times),
            (Val::Obj(mut l), Val::Obj(r)) => {
                charge(r.weight())?;
                merge(Rc::make_mut(&mut l), &r);
                match l.depth <= MAX_DEPTH {
                    true => Ok(Val::Obj(l)),
                    false => Err(limit_error(Limit::Depth)),
                }
            }
            (l, r) => Err(undefined(&l, Math::Mul, &r)),
        }
    }
}

/// Repeats a text, ignoring the fraction of the number. Negative numbers give null.
fn repeat(text: &str, times: &Num) -> ValR {
    let times = times.as_f64();
    if times.is_nan() || times < 0.0 {
        return Ok(Val::Null);
    }
    // The cast saturates, and so does the product.
    let times = times as usize;
    match text.len().saturating_mul(times) <= limits::max_string_bytes() {
        true => Ok(Val::str(if text.is_empty() { String::new() } else { text.repeat(times) })),
        false => Err(limit_error(Limit::String)),
    }
}

/// Merges `r` into `l`: objects recursively, other values replace the old ones. Recursion is as
/// deep as the values.
fn merge(l: &mut Obj, r: &Obj) {
    for (key, value) in r.iter() {
        let merged = match (l.get(key), value) {
            (Some(Val::Obj(_)), Val::Obj(r)) => match l.take(key) {
                Some(Val::Obj(mut l)) => {
                    merge(Rc::make_mut(&mut l), r);
                    Val::Obj(l)
                }
                _ => value.clone(),
            },
            _ => value.clone(),
        };
        l.insert(key.clone(), merged);
    }
}

impl Div for Val {
    type Output = ValR;

    fn div(self, other: Val) -> ValR {
        match (self, other) {
            (Val::Num(l), Val::Num(r)) => match r.as_f64() == 0.0 {
                true => Err(division_by_zero(&Val::Num(l))),
                false => Ok(Val::Num(l.div(&r))),
            },
            (Val::Str(text), Val::Str(separator)) => split(&text, &separator),
            (l, r) => Err(undefined(&l, Math::Div, &r)),
        }
    }
}

fn division_by_zero(dividend: &Val) -> FilterError {
    FilterError::str(format!("cannot divide {dividend} by zero"))
}

/// Splits a string at a separator, or into its characters if the separator is empty.
pub(crate) fn split(text: &str, separator: &str) -> ValR {
    charge(text.len() as u64 / 16)?;
    Ok(match (text, separator) {
        ("", _) => Val::empty_array(),
        (_, "") => text.chars().map(Val::str).collect(),
        _ => text.split(separator).map(Val::str).collect(),
    })
}

impl Val {
    /// Creates an empty array.
    pub(crate) fn empty_array() -> Val {
        Val::Arr(Rc::new(Arr::from(Vec::new())))
    }
}

impl Rem for Val {
    type Output = ValR;

    fn rem(self, other: Val) -> ValR {
        match (self, other) {
            (Val::Num(l), Val::Num(r)) => match charge(l.steps_to_divide(&r)).map(|()| l.rem(&r))? {
                None => Err(division_by_zero(&Val::Num(l))),
                Some(remainder) => Ok(Val::Num(remainder)),
            },
            (l, r) => Err(undefined(&l, Math::Rem, &r)),
        }
    }
}

impl Neg for Val {
    type Output = ValR;

    fn neg(self) -> ValR {
        // jaq takes a step for the term, but not for each of its outputs.
        charge(1)?;
        match self {
            Val::Num(num) => Ok(Val::Num(num.neg())),
            value => Err(FilterError::str(format!("cannot negate {value}"))),
        }
    }
}
