//! Access to the parts of a value: by key, by index, by slice, and all of them.

use std::rc::Rc;

use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{ValT, ValX};

use super::{FilterError, Num, Obj, Val, ValR, charge};
use crate::limits;

/// Steps of following one part of a path: jaq makes several iterators for it.
const STEPS_OF_PATH: u64 = 4;

impl ValT for Val {
    fn from_num(number: &str) -> ValR {
        // jaq parses the number again each time it evaluates the term, but not if it fits the machine's
        // word: an integer takes the same steps on 32 and 64 bits.
        if number.parse::<i64>().is_err() {
            charge(2 + number.len() as u64 / 16)?;
        }
        Ok(Val::Num(Num::from_text(number).unwrap_or(Num::Float(f64::NAN))))
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(members: I) -> ValR {
        let mut obj = Obj::default();
        for (key, value) in members {
            obj.insert(key_of(&key)?, value);
        }
        Val::object(obj)
    }

    fn key_values(self) -> BoxIter<'static, Result<(Val, Val), FilterError>> {
        match self {
            Val::Arr(arr) => {
                let items = (0..arr.len()).map(move |at| (Val::count(at), arr[at].clone()));
                Box::new(items.map(metered()))
            }
            Val::Obj(obj) => {
                let members = (0..obj.len()).map(move |at| {
                    let (key, item) = obj.member_at(at);
                    (Val::str(&**key), item.clone())
                });
                Box::new(members.map(metered()))
            }
            value => box_once(Err(cannot_iterate(&value))),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR>> {
        match self {
            Val::Arr(arr) => match Rc::try_unwrap(arr) {
                Ok(arr) => Box::new(arr.into_items().into_iter().map(metered())),
                // Cloned one at a time: most iterations stop early or use little of an element.
                Err(arr) => Box::new((0..arr.len()).map(move |index| arr[index].clone()).map(metered())),
            },
            Val::Obj(obj) => match Rc::try_unwrap(obj) {
                Ok(obj) => Box::new(obj.into_members().into_iter().map(|(_, item)| item).map(metered())),
                Err(obj) => {
                    Box::new((0..obj.len()).map(move |at| obj.member_at(at).1.clone()).map(metered()))
                }
            },
            value => box_once(Err(cannot_iterate(&value))),
        }
    }

    fn index(self, index: &Self) -> ValR {
        charge(STEPS_OF_PATH)?;
        match (&self, index) {
            (Val::Null, Val::Null | Val::Num(_) | Val::Str(_)) => Ok(Val::Null),
            (Val::Obj(obj), Val::Str(key)) => Ok(obj.watched(key).cloned().unwrap_or_default()),
            (Val::Arr(arr), Val::Num(at)) => {
                Ok(position(at, arr.len()).and_then(|at| arr.get(at)).cloned().unwrap_or_default())
            }
            (Val::Arr(arr), Val::Arr(part)) => indices_of(arr, part),
            (Val::Null | Val::Str(_) | Val::Arr(_), Val::Obj(range)) => {
                self.clone().range(range.get("start")..range.get("end"))
            }
            _ => Err(cannot_index(&self, index)),
        }
    }

    fn range(self, range: Range<&Self>) -> ValR {
        charge(STEPS_OF_PATH)?;
        match &self {
            Val::Null => Ok(Val::Null),
            Val::Arr(arr) => {
                let (start, end) = slice_bounds(range, arr.len())?;
                Val::array(arr[start..end].to_vec())
            }
            Val::Str(text) => {
                charge(text.len() as u64 / 16)?;
                let characters = text.chars().count();
                let (start, end) = slice_bounds(range, characters)?;
                let at = |n: usize| match characters == text.len() {
                    // Each character is a byte.
                    true => n,
                    false => text.char_indices().nth(n).map_or(text.len(), |(at, _)| at),
                };
                let (from, to) = (at(start), at(end));
                Ok(Val::str(&text[from..to]))
            }
            value => {
                Err(FilterError::str(format!("cannot slice {value}: only arrays and strings have slices")))
            }
        }
    }

    // Updates are rewritten before they are compiled, so that jaq never calls these; see
    // `rewrite`.
    fn map_values<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        _: Opt,
        _: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        Err(cannot_update().into())
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        _: &Self,
        _: Opt,
        _: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        Err(cannot_update().into())
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        _: Range<&Self>,
        _: Opt,
        _: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        Err(cannot_update().into())
    }

    fn as_bool(&self) -> bool {
        !matches!(self, Val::Null | Val::Bool(false))
    }

    fn into_string(self) -> Self {
        // This cannot fail. If a limit is exceeded, its record fails the filter.
        self.to_text().map_or_else(|_| Val::str(""), Val::Str)
    }
}

impl Val {
    /// Returns the value's `length`.
    pub(crate) fn length(&self) -> ValR {
        Ok(match self {
            Val::Null => Val::count(0),
            Val::Bool(_) => return Err(FilterError::str(format!("{self} has no length"))),
            Val::Num(num) => Val::Num(num.abs()),
            Val::Str(text) => {
                charge(text.len() as u64 / 64)?;
                Val::count(text.chars().count())
            }
            Val::Arr(arr) => Val::count(arr.len()),
            Val::Obj(obj) => Val::count(obj.len()),
        })
    }
}

/// Returns the key that a value is in the construction of an object.
pub(crate) fn key_of(value: &Val) -> Result<Rc<str>, FilterError> {
    match value {
        Val::Str(key) => Ok(Rc::from(&***key)),
        key => Err(FilterError::str(format!("cannot use {key} as a key: keys are strings"))),
    }
}

/// Returns a function that charges the steps of an output: jaq drops outputs in its own loops.
fn metered<T>() -> impl Fn(T) -> Result<T, FilterError> {
    let steps = limits::steps_per_output();
    move |item| charge(steps).map(|()| item)
}

/// Returns the indices at which an array occurs in another one; null if it is empty.
pub(crate) fn indices_of(arr: &[Val], part: &[Val]) -> ValR {
    if part.is_empty() {
        return Ok(Val::Null);
    }
    // Most windows differ at their first element, but not those of a hostile array.
    let windows = arr.windows(part.len());
    charge((windows.len() as u64).saturating_mul(part.len() as u64))?;
    Ok(windows.enumerate().filter(|(_, window)| *window == part).map(|(at, _)| Val::count(at)).collect())
}

fn cannot_update() -> FilterError {
    FilterError::str("this cannot be updated")
}

pub(super) fn cannot_iterate(value: &Val) -> FilterError {
    FilterError::str(format!("cannot iterate over {value}: only arrays and objects have elements"))
}

/// Returns the error of a value, or of a description of one, that has no such index.
pub(crate) fn cannot_index(value: &dyn std::fmt::Display, index: &Val) -> FilterError {
    FilterError::str(format!("cannot index {value} with {index}"))
}

/// Converts an index of an array to a position, from the end if the index is negative. A fraction is
/// dropped, as in jq. Returns `None` for NaN and for indices before the start; the position may be
/// past the end.
pub(super) fn position(index: &Num, len: usize) -> Option<usize> {
    let index = match index.as_int() {
        Some(index) => index,
        None => {
            let float = index.as_f64();
            if float.is_nan() {
                return None;
            }
            float as i128
        }
    };
    let from_start = if index < 0 { index.saturating_add(len as i128) } else { index };
    match from_start {
        ..0 => None,
        // Any position past the end of memory is past the end of the array.
        _ => Some(usize::try_from(from_start).unwrap_or(usize::MAX)),
    }
}

/// Returns the ends of a slice, clamped to the length and in order.
pub(super) fn slice_bounds(range: Range<&Val>, len: usize) -> Result<(usize, usize), FilterError> {
    let bound = |end: Option<&Val>, default: usize, round: fn(f64) -> f64| match end {
        None | Some(Val::Null) => Ok(default),
        Some(Val::Num(num)) if num.is_nan() => Ok(default),
        Some(Val::Num(num)) => {
            let int = num.as_int().unwrap_or_else(|| round(num.as_f64()) as i128);
            let from_start = if int < 0 { int.saturating_add(len as i128).max(0) } else { int };
            Ok(usize::try_from(from_start).unwrap_or(usize::MAX).min(len))
        }
        Some(value) => {
            Err(FilterError::str(format!("cannot slice with {value}: the ends of a slice are numbers")))
        }
    };
    let start = bound(range.start, 0, f64::floor)?;
    let end = bound(range.end, len, f64::ceil)?;
    Ok((start, end.max(start)))
}
