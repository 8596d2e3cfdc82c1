//! What is inside of a value: by key, by index, by slice, all of it.

use std::rc::Rc;

use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{ValT, ValX};

use super::{Error, Num, Obj, Val, ValR, spend};
use crate::limits;

impl ValT for Val {
    fn from_num(number: &str) -> ValR {
        // It is read anew whenever the term is run.
        spend(2 + number.len() as u64 / 16)?;
        Ok(Val::Num(Num::from_text(number).unwrap_or(Num::Float(f64::NAN))))
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(members: I) -> ValR {
        let mut obj = Obj::default();
        for (key, value) in members {
            match &key {
                Val::Str(key) => obj.insert(Rc::from(&***key), value),
                _ => return Err(Error::str(format!("cannot use {key} as a key: keys are strings"))),
            }
        }
        Val::object(obj)
    }

    fn key_values(self) -> BoxIter<'static, Result<(Val, Val), Error>> {
        match self {
            Val::Arr(arr) => {
                let items = (0..arr.len()).map(move |at| (Val::count(at), arr[at].clone()));
                Box::new(items.map(counted()))
            }
            Val::Obj(obj) => {
                let members = (0..obj.len()).map(move |at| {
                    let (key, item) = obj.at(at);
                    (Val::str(&**key), item.clone())
                });
                Box::new(members.map(counted()))
            }
            value => box_once(Err(no_children(&value))),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR>> {
        match self {
            Val::Arr(arr) => match Rc::try_unwrap(arr) {
                Ok(arr) => Box::new(arr.into_items().into_iter().map(counted())),
                // One at a time: most that iterate stop early or look at little.
                Err(arr) => Box::new((0..arr.len()).map(move |index| arr[index].clone()).map(counted())),
            },
            Val::Obj(obj) => match Rc::try_unwrap(obj) {
                Ok(obj) => Box::new(obj.into_members().into_iter().map(|(_, item)| item).map(counted())),
                Err(obj) => Box::new((0..obj.len()).map(move |at| obj.at(at).1.clone()).map(counted())),
            },
            value => box_once(Err(no_children(&value))),
        }
    }

    fn index(self, index: &Self) -> ValR {
        match (&self, index) {
            (Val::Null, Val::Null | Val::Num(_) | Val::Str(_)) => Ok(Val::Null),
            (Val::Obj(obj), Val::Str(key)) => Ok(obj.get(key).cloned().unwrap_or_default()),
            (Val::Arr(arr), Val::Num(at)) => {
                Ok(position(at, arr.len()).and_then(|at| arr.get(at)).cloned().unwrap_or_default())
            }
            (Val::Arr(arr), Val::Arr(part)) => super::super::natives::indices_of(arr, part),
            (Val::Null | Val::Str(_) | Val::Arr(_), Val::Obj(range)) => {
                self.clone().range(range.get("start")..range.get("end"))
            }
            _ => Err(no_index(&self, index)),
        }
    }

    fn range(self, range: Range<&Self>) -> ValR {
        match &self {
            Val::Null => Ok(Val::Null),
            Val::Arr(arr) => {
                let (start, end) = bounds(range, arr.len())?;
                Val::array(arr[start..end].to_vec())
            }
            Val::Str(text) => {
                spend(text.len() as u64 / 16)?;
                let (start, end) = bounds(range, text.chars().count())?;
                let at = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
                let (from, to) = (at(start), at(end));
                Ok(Val::str(&text[from..to]))
            }
            value => Err(Error::str(format!("cannot slice {value}: only arrays and strings have slices"))),
        }
    }

    // What updates is rewritten before it is compiled, so that jaq asks for none
    // of these; see `rewrite`.
    fn map_values<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        _: Opt,
        _: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        Err(no_update().into())
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        _: &Self,
        _: Opt,
        _: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        Err(no_update().into())
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        _: Range<&Self>,
        _: Opt,
        _: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        Err(no_update().into())
    }

    fn as_bool(&self) -> bool {
        !matches!(self, Val::Null | Val::Bool(false))
    }

    fn into_string(self) -> Self {
        // This cannot fail; where a limit is passed, its note fails the filter.
        self.to_text().map_or_else(|_| Val::str(""), Val::Str)
    }
}

/// What is iterated over, each at its steps: jaq drops outputs in loops of its own.
fn counted<T>() -> impl Fn(T) -> Result<T, Error> {
    let steps = limits::steps_of_output();
    move |item| spend(steps).map(|()| item)
}

fn no_update() -> Error {
    Error::str("this cannot be updated")
}

pub(super) fn no_children(value: &Val) -> Error {
    Error::str(format!("cannot iterate over {value}: only arrays and objects have elements"))
}

/// The error of a value, or of what speaks for one, that has no such index.
pub(crate) fn no_index(value: &dyn std::fmt::Display, index: &Val) -> Error {
    Error::str(format!("cannot index {value} with {index}"))
}

/// Where an index of an array points, from its end if it is negative. None if
/// that is before its start or not a number; it may be past its end.
pub(super) fn position(index: &Num, len: usize) -> Option<usize> {
    let index = match index.as_int() {
        Some(index) => index,
        None => {
            let float = index.as_f64();
            if float.is_nan() {
                return None;
            }
            float.floor() as i128
        }
    };
    let from_start = if index < 0 { index.saturating_add(len as i128) } else { index };
    match from_start {
        ..0 => None,
        // Past the end of anything is past the end.
        _ => Some(usize::try_from(from_start).unwrap_or(usize::MAX)),
    }
}

/// The ends of a slice, within the length, the first not behind the last.
pub(super) fn bounds(range: Range<&Val>, len: usize) -> Result<(usize, usize), Error> {
    let bound = |end: Option<&Val>, default: usize, round: fn(f64) -> f64| match end {
        None | Some(Val::Null) => Ok(default),
        Some(Val::Num(num)) if num.is_nan() => Ok(default),
        Some(Val::Num(num)) => {
            let int = num.as_int().unwrap_or_else(|| round(num.as_f64()) as i128);
            let from_start = if int < 0 { int.saturating_add(len as i128).max(0) } else { int };
            Ok(usize::try_from(from_start).unwrap_or(usize::MAX).min(len))
        }
        Some(value) => Err(Error::str(format!("cannot slice with {value}: the ends of a slice are numbers"))),
    };
    let start = bound(range.start, 0, f64::floor)?;
    let end = bound(range.end, len, f64::ceil)?;
    Ok((start, end.max(start)))
}
