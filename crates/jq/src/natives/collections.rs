//! Filters on arrays, objects and other values.

use std::cmp::Ordering;

use jaq_core::native::{self, Fun, bome};
use jaq_core::{Cv, Exn, ValT, ValX, ValXs};

use super::common::{ValueNative, filter_args, mismatch, one_output, with_args};
use super::contain::contains;
use super::entries;
use crate::limits::{self, Limit, MAX_DEPTH};
use crate::run::{self, Jq};
use crate::value::{self, FilterError, Num, Val, ValR, charge, indices_of};

pub(super) const COLLECTIONS: &[ValueNative] = &[
    ("length", 0, |cv| bome(cv.1.length())),
    ("type", 0, |cv| bome(Ok(Val::str(cv.1.type_name())))),
    ("has", 1, |cv| with_args(cv, |input, [key]| has(&input, &key))),
    ("contains", 1, |cv| with_args(cv, |input, [part]| contains(&input, &part).map(Val::Bool))),
    ("to_entries", 0, |cv| bome(entries::to_entries(cv.1))),
    ("from_entries", 0, |cv| bome(entries::from_entries(cv.1))),
    ("_flatten", 1, |cv| with_args(cv, |input, [depth]| flatten(input, &depth))),
    ("indices", 1, |cv| with_args(cv, |input, [part]| indices(&input, &part))),
    ("bsearch", 1, |cv| with_args(cv, |input, [wanted]| bsearch(&input, &wanted))),
    ("reverse", 0, |cv| bome(reverse(cv.1))),
    ("delpaths", 1, |cv| {
        with_args(cv, |input, [paths]| match &paths {
            Val::Arr(paths) => value::delete_paths(input, paths),
            paths => Err(mismatch(paths, "an array of paths")),
        })
    }),
    // Returns its input if that is a path of bounded length.
    ("_path", 0, |cv| {
        bome(match cv.1 {
            Val::Arr(path) if path.len() <= MAX_DEPTH as usize => Ok(Val::Arr(path)),
            Val::Arr(_) => Err(value::limit_error(Limit::Depth)),
            value => Err(mismatch(&value, "a path: a path is an array")),
        })
    }),
    ("tojson", 0, |cv| bome(cv.1.to_json().map(Val::str))),
    ("@json", 0, |cv| bome(cv.1.to_json().map(Val::str))),
    ("range", 3, range),
    // Conditions use these often: as definitions, each would take several steps.
    ("true", 0, |_| bome(Ok(Val::Bool(true)))),
    ("false", 0, |_| bome(Ok(Val::Bool(false)))),
    ("null", 0, |_| bome(Ok(Val::Null))),
    ("halt", 0, |_| one_output(Err(Exn::halt(0)))),
    ("halt_error", 0, |cv| {
        run::store_halt_message(cv.1);
        one_output(Err(Exn::halt(run::HALT_ERROR)))
    }),
];

/// Returns the filters of this module whose arguments are filters.
pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    [native::run::<Jq>(("add", filter_args(1), |cv| one_output(add(cv))))].into_iter()
}

/// `reduce f as $x (null; . + $x)`
fn add<'a>(mut cv: Cv<'a, Jq>) -> ValX<'a, Val> {
    let (f, context) = cv.0.pop_fun();
    f.run((context, cv.1)).try_fold(Val::Null, |sum, item| Ok((sum + item?)?))
}

/// `range($from; $upto; $by)`, which charges the steps of each output.
fn range(mut cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    let [by, upto, from] = [(); 3].map(|()| cv.0.pop_var());
    // Any text is greater than all numbers, so there would be no end.
    if let Some(other) = [&from, &upto, &by].into_iter().find(|bound| !matches!(bound, Val::Num(_))) {
        return one_output(Err(mismatch(other, "a number: the bounds of a range are numbers").into()));
    }
    if let (Val::Num(Num::Int(from)), Val::Num(Num::Int(upto)), Val::Num(Num::Int(by))) = (&from, &upto, &by)
        && *by != 0
    {
        return int_range(*from, *upto, *by);
    }
    let direction = by.partial_cmp(&Val::int(0)).unwrap_or(Ordering::Equal);
    // The addition charges one of them.
    let steps = limits::steps_per_output() - 1;
    let mut next: Option<ValR> = Some(Ok(from));
    Box::new(std::iter::from_fn(move || {
        let value = match next.take()? {
            Ok(value) => value,
            Err(error) => return Some(Err(error.into())),
        };
        let is_within = match direction {
            Ordering::Greater => value < upto,
            Ordering::Less => value > upto,
            Ordering::Equal => value != upto,
        };
        is_within.then(|| {
            next = Some(charge(steps).and_then(|()| value.clone() + by.clone()));
            Ok(value)
        })
    }))
}

/// A range of integers, whose steps are charged as those of other numbers are.
fn int_range<'a>(from: i64, upto: i64, by: i64) -> ValXs<'a, Val> {
    let steps = limits::steps_per_output();
    let mut next = Some(from);
    Box::new(std::iter::from_fn(move || {
        let int = next.filter(|int| if by > 0 { *int < upto } else { *int > upto })?;
        next = int.checked_add(by);
        Some(charge(steps).map(|()| Val::Num(Num::Int(int))).map_err(Into::into))
    }))
}

fn has(value: &Val, key: &Val) -> ValR {
    match (value, key) {
        (Val::Obj(obj), Val::Str(key)) => Ok(Val::Bool(obj.watched(key).is_some())),
        (Val::Arr(arr), Val::Num(at)) => Ok(Val::Bool(at.as_f64() >= 0.0 && at.as_f64() < arr.len() as f64)),
        (Val::Null, _) => Ok(Val::Bool(false)),
        _ => Err(FilterError::str(format!("cannot check whether {value} has {key}"))),
    }
}

/// Returns the indices at which a string occurs in a string (in characters), an array in an array,
/// or an element in an array. Occurrences may overlap.
fn indices(value: &Val, part: &Val) -> ValR {
    match (value, part) {
        (Val::Null, _) => Ok(Val::Null),
        (Val::Str(text), Val::Str(part)) => {
            charge((text.len() + part.len()) as u64 / 8)?;
            let (mut found, mut from, mut chars) = (Vec::new(), 0, 0);
            while let Some(at) = (!part.is_empty()).then(|| text[from..].find(&***part)).flatten() {
                // The search for the next one preprocesses the part again.
                charge(1 + part.len() as u64 / 8)?;
                chars += text[from..from + at].chars().count();
                found.push(Val::count(chars));
                let next = text[from + at..].chars().next().map_or(1, char::len_utf8);
                (from, chars) = (from + at + next, chars + 1);
            }
            Ok(found.into_iter().collect())
        }
        (Val::Arr(arr), Val::Arr(part)) => indices_of(arr, part),
        (Val::Arr(arr), part) if charge(arr.len() as u64).is_ok() => Ok(arr
            .iter()
            .enumerate()
            .filter(|(_, item)| *item == part)
            .map(|(at, _)| Val::count(at))
            .collect()),
        _ => Err(FilterError::str(format!("cannot search for {part} in {value}"))),
    }
}

fn bsearch(value: &Val, wanted: &Val) -> ValR {
    match value {
        Val::Arr(arr) => {
            // A comparison may walk both values if they are containers.
            let weight = match wanted {
                Val::Arr(_) | Val::Obj(_) => wanted.weight().saturating_add(value.weight()),
                _ => wanted.weight(),
            };
            charge(limits::log_steps(weight, arr.len()))?;
            Ok(match arr.binary_search(wanted) {
                Ok(at) => Val::count(at),
                Err(at) => Val::int(-1 - at as i128),
            })
        }
        value => Err(mismatch(value, "an array")),
    }
}

fn reverse(value: Val) -> ValR {
    match value {
        Val::Null => Ok(Val::empty_array()),
        Val::Str(text) => {
            charge(text.len() as u64 / 16)?;
            Ok(Val::str(text.chars().rev().collect::<String>()))
        }
        Val::Arr(arr) => Val::array(arr.iter().rev().cloned().collect::<Vec<_>>()),
        value => Err(FilterError::str(format!("cannot reverse {value}"))),
    }
}

/// Replaces the arrays in a container by their elements, down to this depth.
fn flatten(value: Val, depth: &Val) -> ValR {
    let mut flat = Vec::new();
    flatten_into(&mut flat, value, depth)?;
    Val::array(flat)
}

/// Appends the elements of a container. Recursion is as deep as the value.
fn flatten_into(flat: &mut Vec<Val>, value: Val, depth: &Val) -> Result<(), FilterError> {
    let is_deep = *depth > Val::int(0);
    for item in value.values() {
        match item? {
            Val::Arr(arr) if is_deep => flatten_into(flat, Val::Arr(arr), &(depth.clone() - Val::int(1))?)?,
            item => value::push_item(flat, item)?,
        }
    }
    Ok(())
}
