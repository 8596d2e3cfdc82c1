//! The filters that are written in Rust. They stand before jaq's own of the same
//! name: where the two differ, ours answer as jq does, the same on 32 and 64
//! bits, and within [`super::limits`].

mod encodings;
mod math;
mod order;
mod paths;
mod regex;
mod strings;
mod time;

use std::cmp::Ordering;

use jaq_core::native::{self, Fun, bome, v};
use jaq_core::{Bind, Cv, Exn, RunPtr, ValXs};

use super::limits::{self, Limit, MAX_DEPTH};
use super::push;
use super::run::Jq;
use super::value::{self, Error, Val, ValR, spend};

pub(super) use regex::forget as forget_patterns;

/// A filter with variable arguments.
type Native = (&'static str, usize, RunPtr<Jq>);

/// All of ours.
pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let all = [
        COLLECTIONS,
        strings::STRINGS,
        encodings::ENCODINGS,
        math::ONE,
        math::TWO,
        math::OTHERS,
        regex::REGEX,
        time::TIME,
    ];
    let ours = all.into_iter().flatten().map(|&(name, arity, run)| native::run::<Jq>((name, v(arity), run)));
    let empty = jaq_core::Native::new(|_: Cv<Jq>| Box::new(std::iter::empty()));
    let empty = empty.with_paths(|_| Box::new(std::iter::empty()));
    ours.chain(paths::funs()).chain(order::funs()).chain([("empty", filters(0), empty)])
}

/// Ours and jaq's own.
pub(super) fn all() -> impl Iterator<Item = Fun<Jq>> {
    funs().chain([push::native()]).chain(jaq_core::funs())
}

/// Arguments that are filters.
fn filters(arity: usize) -> Box<[Bind]> {
    vec![Bind::Fun(()); arity].into()
}

const COLLECTIONS: &[Native] = &[
    ("length", 0, |cv| bome(length(&cv.1))),
    ("type", 0, |cv| bome(Ok(Val::str(cv.1.type_name())))),
    ("has", 1, |cv| with(cv, |input, [key]| has(&input, &key))),
    ("contains", 1, |cv| with(cv, |input, [part]| contains(&input, &part).map(Val::Bool))),
    ("indices", 1, |cv| with(cv, |input, [part]| indices(&input, &part))),
    ("bsearch", 1, |cv| with(cv, |input, [wanted]| bsearch(&input, &wanted))),
    ("reverse", 0, |cv| bome(reverse(cv.1))),
    ("delpaths", 1, |cv| {
        with(cv, |input, [paths]| match &paths {
            Val::Arr(paths) => value::delete_paths(input, paths),
            paths => Err(unfit(paths, "an array of paths")),
        })
    }),
    // A path that is short enough to be followed.
    ("_path", 0, |cv| {
        bome(match cv.1 {
            Val::Arr(path) if path.len() <= MAX_DEPTH as usize => Ok(Val::Arr(path)),
            Val::Arr(_) => Err(value::beyond(Limit::Depth)),
            value => Err(unfit(&value, "a path: a path is an array")),
        })
    }),
    ("tojson", 0, |cv| bome(cv.1.to_json().map(Val::str))),
    ("@json", 0, |cv| bome(cv.1.to_json().map(Val::str))),
    ("fromjson", 0, |cv| bome(strings::from_json(&cv.1))),
    ("range", 3, range),
    // What conditions are made of: defined by other filters, each would take several steps.
    ("true", 0, |_| bome(Ok(Val::Bool(true)))),
    ("false", 0, |_| bome(Ok(Val::Bool(false)))),
    ("null", 0, |_| bome(Ok(Val::Null))),
    ("halt", 0, |_| Box::new(std::iter::once(Err(Exn::halt(0))))),
    ("halt_error", 0, |cv| {
        super::run::note_halt(cv.1);
        Box::new(std::iter::once(Err(Exn::halt(super::run::HALT_ERROR))))
    }),
];

/// Runs a filter of `N` variable arguments, in their order.
fn with<'a, const N: usize>(mut cv: Cv<'a, Jq>, f: impl FnOnce(Val, [Val; N]) -> ValR) -> ValXs<'a, Val> {
    let mut arguments = [const { Val::Null }; N];
    for argument in arguments.iter_mut().rev() {
        *argument = cv.0.pop_var();
    }
    bome(f(cv.1, arguments))
}

/// `range($from; $upto; $by)`: as jaq's own, but each output at its steps.
fn range(mut cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    let [by, upto, from] = [(); 3].map(|()| cv.0.pop_var());
    let side = by.partial_cmp(&Val::int(0)).unwrap_or(Ordering::Equal);
    // One is the addition's.
    let steps = limits::steps_of_output() - 1;
    let mut next: Option<ValR> = Some(Ok(from));
    Box::new(std::iter::from_fn(move || {
        let value = match next.take()? {
            Ok(value) => value,
            Err(error) => return Some(Err(error.into())),
        };
        let is_within = match side {
            Ordering::Greater => value < upto,
            Ordering::Less => value > upto,
            Ordering::Equal => value != upto,
        };
        is_within.then(|| {
            next = Some(spend(steps).and_then(|()| value.clone() + by.clone()));
            Ok(value)
        })
    }))
}

/// The error of a value that is not of the kind that a filter takes.
fn unfit(value: &Val, wanted: &str) -> Error {
    Error::str(format!("{value} is not {wanted}"))
}

/// What `length` says.
pub(super) fn length(value: &Val) -> ValR {
    Ok(match value {
        Val::Null => Val::count(0),
        Val::Bool(_) => return Err(Error::str(format!("{value} has no length"))),
        Val::Num(num) => Val::Num(num.abs()),
        Val::Str(text) => {
            spend(text.len() as u64 / 64)?;
            Val::count(text.chars().count())
        }
        Val::Arr(arr) => Val::count(arr.len()),
        Val::Obj(obj) => Val::count(obj.len()),
    })
}

fn has(value: &Val, key: &Val) -> ValR {
    match (value, key) {
        (Val::Obj(obj), Val::Str(key)) => Ok(Val::Bool(obj.get(key).is_some())),
        (Val::Arr(arr), Val::Num(at)) => Ok(Val::Bool(at.as_f64() >= 0.0 && at.as_f64() < arr.len() as f64)),
        _ => Err(Error::str(format!("cannot check whether {value} has {key}"))),
    }
}

fn contains(value: &Val, part: &Val) -> Result<bool, Error> {
    spend(1)?;
    match (value, part) {
        (Val::Obj(l), Val::Obj(r)) => r
            .iter()
            .try_fold(true, |all, (key, r)| Ok(all && l.get(key).map_or(Ok(false), |l| contains(l, r))?)),
        (Val::Arr(l), Val::Arr(r)) => {
            for r in r.iter() {
                let mut any = false;
                for l in l.iter().filter(|l| l.type_name() == r.type_name()) {
                    any |= contains(l, r)?;
                }
                if !any {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Val::Str(l), Val::Str(r)) => {
            spend((l.len() + r.len()) as u64 / 16)?;
            Ok(l.contains(&***r))
        }
        (l, r) if l.type_name() == r.type_name() => Ok(l == r),
        _ => Err(Error::str(format!("cannot check whether {value} contains {part}"))),
    }
}

/// Where a string is in a string, in characters, or an array in an array; where
/// an element is in an array. Overlaps count.
fn indices(value: &Val, part: &Val) -> ValR {
    match (value, part) {
        (Val::Null, _) => Ok(Val::Null),
        (Val::Str(text), Val::Str(part)) => {
            spend((text.len() + part.len()) as u64 / 8)?;
            let (mut found, mut from, mut chars) = (Vec::new(), 0, 0);
            while let Some(at) = (!part.is_empty()).then(|| text[from..].find(&***part)).flatten() {
                // The search for the next one looks at the part anew.
                spend(1 + part.len() as u64 / 8)?;
                chars += text[from..from + at].chars().count();
                found.push(Val::count(chars));
                let next = text[from + at..].chars().next().map_or(1, char::len_utf8);
                (from, chars) = (from + at + next, chars + 1);
            }
            Ok(found.into_iter().collect())
        }
        (Val::Arr(arr), Val::Arr(part)) => indices_of(arr, part),
        (Val::Arr(arr), part) if spend(arr.len() as u64).is_ok() => Ok(arr
            .iter()
            .enumerate()
            .filter(|(_, item)| *item == part)
            .map(|(at, _)| Val::count(at))
            .collect()),
        _ => Err(Error::str(format!("cannot look for {part} in {value}"))),
    }
}

/// Where an array is in an array. Nowhere if it is empty.
pub(super) fn indices_of(arr: &[Val], part: &[Val]) -> ValR {
    if part.is_empty() {
        return Ok(Val::Null);
    }
    // Most windows differ at their first element, but not of a hostile array.
    let windows = arr.windows(part.len());
    spend((windows.len() as u64).saturating_mul(part.len() as u64))?;
    Ok(windows.enumerate().filter(|(_, window)| *window == part).map(|(at, _)| Val::count(at)).collect())
}

fn bsearch(value: &Val, wanted: &Val) -> ValR {
    match value {
        Val::Arr(arr) => {
            // All of both may be compared where there is more than one value in each.
            let weight = match wanted {
                Val::Arr(_) | Val::Obj(_) => wanted.weight().saturating_add(value.weight()),
                _ => wanted.weight(),
            };
            spend(limits::rounds(weight, arr.len()))?;
            Ok(match arr.binary_search(wanted) {
                Ok(at) => Val::count(at),
                Err(at) => Val::int(-1 - at as i128),
            })
        }
        value => Err(unfit(value, "an array")),
    }
}

fn reverse(value: Val) -> ValR {
    match value {
        Val::Null => Ok(Val::default_array()),
        Val::Str(text) => {
            spend(text.len() as u64 / 16)?;
            Ok(Val::str(text.chars().rev().collect::<String>()))
        }
        Val::Arr(arr) => Val::array(arr.iter().rev().cloned().collect::<Vec<_>>()),
        value => Err(Error::str(format!("cannot reverse {value}"))),
    }
}
