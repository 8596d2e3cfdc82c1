//! What `|=` and loops are rewritten to, and what else goes through values by
//! itself.

use jaq_core::native::{self, Fun};
use jaq_core::{Cv, Native, RunPtr, ValT, ValX, ValXs};

use super::filters;
use crate::limits::{self, Limit, MAX_DEPTH};
use crate::rewrite::{LOOP, RECURSE, UPDATE, UPDATE_EACH};
use crate::run::{Jq, halted_by_limit};
use crate::value::{self, Val, ValR, spend};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let run: [(&str, usize, RunPtr<Jq>); 3] =
        [(UPDATE, 2, update), (UPDATE_EACH, 1, update_each), ("walk", 1, walk)];
    let run = run.map(|(name, arity, run)| native::run::<Jq>((name, filters(arity), run)));
    let passes = Native::new(|cv: Cv<Jq>| once(Ok(cv.1))).with_paths(|cv| {
        let (_, path) = &cv.1;
        let length = path.iter().take(MAX_DEPTH as usize + 1).count();
        // Each part of a path is looked at again in each round.
        limits::take(length as u64 / 8);
        if length > MAX_DEPTH as usize {
            limits::pass(Limit::Path);
            return Box::new(std::iter::once(Err(halted_by_limit())));
        }
        Box::new(std::iter::once(Ok(cv.1)))
    });
    let recurse = Native::new(|cv: Cv<Jq>| {
        Box::new(
            deeper(cv.1, |value| container(value).flat_map(Val::values).filter_map(Result::ok))
                .map(counted()),
        )
    });
    let recurse = recurse.with_paths(|cv| {
        Box::new(
            deeper(cv.1, |(value, path)| {
                let path = path.clone();
                let inside = container(value).flat_map(Val::key_values).filter_map(Result::ok);
                inside.map(move |(key, value)| (value, path.clone().cons(key)))
            })
            .map(counted()),
        )
    });
    // What `path(..) | select(length > 0)` gives, in a fraction of the time.
    let paths = Native::new(|cv: Cv<Jq>| {
        let inside = deeper((cv.1, Ok(Val::default_array())), |(value, path)| {
            let path = path.clone();
            let inside = container(value).flat_map(Val::key_values).filter_map(Result::ok);
            inside.map(move |(key, value)| (value, longer(&path, key)))
        });
        let count = counted();
        Box::new(inside.skip(1).map(move |(_, path)| count(path?)))
    });
    let places = [(LOOP, passes), (RECURSE, recurse), ("paths", paths)];
    run.into_iter().chain(places.map(|(name, native)| (name, filters(0), native)))
}

/// A path with one more part.
fn longer(path: &ValR, part: Val) -> ValR {
    match path {
        Ok(Val::Arr(parts)) => Val::array(parts.iter().cloned().chain([part]).collect::<Vec<_>>()),
        other => other.clone(),
    }
}

/// A value, and all that is inside of it, from the outside in. What is gone on with
/// is kept in a list, not on the stack.
fn deeper<T, I: Iterator<Item = T>>(value: T, inside: impl Fn(&T) -> I) -> impl Iterator<Item = T> {
    let (mut first, mut open) = (Some(value), Vec::<I>::new());
    std::iter::from_fn(move || {
        let next = match first.take() {
            Some(value) => value,
            None => loop {
                match open.last_mut()?.next() {
                    Some(value) => break value,
                    None => drop(open.pop()),
                }
            },
        };
        open.push(inside(&next));
        Some(next)
    })
}

/// The value, if anything is inside of it.
fn container(value: &Val) -> impl Iterator<Item = Val> + use<> {
    Some(value.clone()).filter(|value| matches!(value, Val::Arr(_) | Val::Obj(_))).into_iter()
}

/// Each output at its steps.
fn counted<'a, T>() -> impl Fn(T) -> ValX<'a, T, Val> {
    let steps = 1 + limits::steps_of_output();
    move |output| {
        spend(steps)?;
        Ok(output)
    }
}

fn once<'a>(output: ValX<'a, Val>) -> ValXs<'a, Val> {
    Box::new(std::iter::once(output))
}

/// `paths |= f`
fn update<'a>(mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
    let (f, of_f) = cv.0.pop_fun();
    let (paths, of_paths) = cv.0.pop_fun();
    let paths = paths.paths((of_paths, (cv.1.clone(), Default::default())));
    let paths = paths.map(|path| {
        let (_, path) = path?;
        let mut path: Vec<Val> = path.iter().cloned().collect();
        path.reverse();
        if path.len() > MAX_DEPTH as usize {
            limits::pass(Limit::Path);
            return Err(halted_by_limit());
        }
        Ok(path)
    });
    once(value::update(cv.1, paths, |part| f.run((of_f.clone(), part)).next()))
}

/// `.[] |= f`
fn update_each<'a>(mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
    let (f, context) = cv.0.pop_fun();
    once(value::update_each(cv.1, |part| f.run((context.clone(), part)).next()))
}

/// Every value in a value, from the inside out: all outputs of `f` for an element
/// of an array, the first one for a member of an object, as in jq.
fn walk<'a>(mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
    let (f, context) = cv.0.pop_fun();
    walked(cv.1, &move |value| f.run((context.clone(), value)))
}

/// As deep as the value.
fn walked<'a>(value: Val, f: &dyn Fn(Val) -> ValXs<'a, Val>) -> ValXs<'a, Val> {
    if let Err(error) = spend(4) {
        return once(Err(error.into()));
    }
    let inside = match value {
        Val::Arr(arr) => {
            let mut failure = None;
            let outputs = value::children(arr).flat_map(|item| walked(item, f));
            // Collecting asks whether there is room.
            let items: Val =
                outputs.map_while(|output| output.map_err(|error| failure = Some(error)).ok()).collect();
            match failure {
                Some(error) => Err(error),
                None if limits::passed().is_some() => Err(halted_by_limit()),
                None => Ok(items),
            }
        }
        Val::Obj(_) => {
            return match value::update_each(value, |part| walked(part, f).next()) {
                Ok(value) => f(value),
                Err(error) => once(Err(error)),
            };
        }
        value => return f(value),
    };
    match inside {
        Ok(value) => f(value),
        Err(error) => once(Err(error)),
    }
}
