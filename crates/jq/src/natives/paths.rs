//! Filters on paths: the natives that updates and loops are rewritten to (see [`crate::rewrite`]),
//! and others that walk through values.

use jaq_core::native::{self, Fun};
use jaq_core::{Cv, Native, RunPtr, ValT, ValX, ValXs};

use super::common::{filter_args, one_output};
use crate::limits::{self, Limit, MAX_DEPTH};
use crate::rewrite::{LOOP_GUARD, RECURSE, UPDATE, UPDATE_EACH};
use crate::run::{Jq, limit_halt};
use crate::value::{self, Val, ValR, charge};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let updates: [(&str, usize, RunPtr<Jq>); 3] =
        [(UPDATE, 2, update), (UPDATE_EACH, 1, update_each), ("walk", 1, walk)];
    let updates = updates.map(|(name, arity, run)| native::run::<Jq>((name, filter_args(arity), run)));
    let walks =
        [(LOOP_GUARD, loop_guard()), (RECURSE, recurse()), ("paths", paths()), ("tostream", tostream())];
    updates.into_iter().chain(walks.map(|(name, native)| (name, filter_args(0), native)))
}

/// Returns the identity, which halts the run if the path of its input is too long.
fn loop_guard() -> Native<Jq> {
    Native::new(|cv: Cv<Jq>| one_output(Ok(cv.1)))
        .with_paths(|cv| Box::new(std::iter::once(check_path(cv.1.1.iter()).map(|()| cv.1))))
}

/// Halts the run if a path is too long.
pub(super) fn check_path<'a, 'p>(path: impl Iterator<Item = &'p Val>) -> ValX<'a, (), Val> {
    let length = path.take(MAX_DEPTH as usize + 1).count();
    // Each round counts all components again.
    limits::charge(length as u64 / 8);
    if length > MAX_DEPTH as usize {
        limits::exceed(Limit::Path);
        return Err(limit_halt());
    }
    Ok(())
}

/// `..`
fn recurse() -> Native<Jq> {
    let values = Native::new(|cv: Cv<Jq>| {
        let all = descend(cv.1, |value| container(value).flat_map(Val::values).filter_map(Result::ok));
        let charged = metered();
        Box::new(all.map(move |(_, value)| charged(value)))
    });
    values.with_paths(|cv| {
        let all = descend(cv.1, |(value, path)| {
            let path = path.clone();
            members(value).map(move |(key, value)| (value, path.clone().cons(key)))
        });
        let charged = metered();
        Box::new(all.map(move |(level, found)| {
            // Any use of the path takes each of its components.
            charge(level as u64 / 2)?;
            charged(found)
        }))
    })
}

/// `path(..) | select(length > 0)`, in a fraction of the time.
fn paths() -> Native<Jq> {
    Native::new(|cv: Cv<Jq>| {
        let all = descend((cv.1, Ok(Val::empty_array())), |(value, path)| {
            let path = path.clone();
            members(value).map(move |(key, value)| (value, extended(&path, key)))
        });
        let charged = metered();
        Box::new(all.skip(1).map(move |(_, (_, path))| charged(path?)))
    })
}

/// `tostream`
fn tostream() -> Native<Jq> {
    Native::new(|cv: Cv<Jq>| {
        let charged = metered();
        Box::new(events(cv.1).map(move |event| charged(event?)))
    })
}

/// A container whose events are not complete.
struct OpenContainer<M> {
    path: ValR,
    members: M,
    /// The path of the last member.
    last: ValR,
}

/// Returns the events of `tostream`: `[path, leaf]` for each value that contains no others, and
/// `[path]` of the last member at the end of each container.
fn events(value: Val) -> impl Iterator<Item = ValR> {
    let mut first = Some(value);
    let mut open = Vec::new();
    std::iter::from_fn(move || {
        let (mut path, mut value) = (Ok(Val::empty_array()), first.take());
        loop {
            if let Some(value) = value {
                let mut inside = members(&value).peekable();
                if inside.peek().is_none() {
                    return Some(path.and_then(|path| Val::array(vec![path, value])));
                }
                open.push(OpenContainer { last: path.clone(), path, members: inside });
            }
            let container = open.last_mut()?;
            value = match container.members.next() {
                Some((key, value)) => {
                    path = extended(&container.path, key);
                    container.last = path.clone();
                    Some(value)
                }
                None => return open.pop()?.last.and_then(|last| Val::array(vec![last])).into(),
            };
        }
    })
}

/// Returns a path with one more component.
fn extended(path: &ValR, component: Val) -> ValR {
    match path {
        Ok(Val::Arr(parts)) => Val::array(parts.iter().cloned().chain([component]).collect::<Vec<_>>()),
        other => other.clone(),
    }
}

/// Returns a value and all its descendants, parents first, each with its level. The iterators to
/// resume are in a list, not on the stack.
fn descend<T, I: Iterator<Item = T>>(
    value: T,
    children: impl Fn(&T) -> I,
) -> impl Iterator<Item = (usize, T)> {
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
        open.push(children(&next));
        Some((open.len() - 1, next))
    })
}

/// Returns the value if it is an array or an object.
fn container(value: &Val) -> impl Iterator<Item = Val> + use<> {
    Some(value.clone()).filter(|value| matches!(value, Val::Arr(_) | Val::Obj(_))).into_iter()
}

/// Returns the keys or indices of a container with their values.
fn members(value: &Val) -> impl Iterator<Item = (Val, Val)> + use<> {
    container(value).flat_map(Val::key_values).filter_map(Result::ok)
}

/// Returns a function that charges the steps of an output.
fn metered<'a, T>() -> impl Fn(T) -> ValX<'a, T, Val> {
    let steps = 1 + limits::steps_per_output();
    move |output| {
        charge(steps)?;
        Ok(output)
    }
}

/// `paths |= f`
fn update<'a>(mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
    let (f, f_context) = cv.0.pop_fun();
    let (paths, paths_context) = cv.0.pop_fun();
    let paths = paths.paths((paths_context, (cv.1.clone(), Default::default())));
    let mut paths = paths.map(|path| {
        let (_, path) = path?;
        let mut path: Vec<Val> = path.iter().cloned().collect();
        path.reverse();
        if path.len() > MAX_DEPTH as usize {
            limits::exceed(Limit::Path);
            return Err(limit_halt());
        }
        charge(path.len() as u64 / 2)?;
        Ok(path)
    });
    one_output(value::update(cv.1, &mut paths, &|part| f.run((f_context.clone(), part)).next()))
}

/// `.[] |= f`
fn update_each<'a>(mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
    let (f, context) = cv.0.pop_fun();
    one_output(value::update_each(cv.1, |part| f.run((context.clone(), part)).next()))
}

/// `walk(f)`: replaces every value in the input, children first, by the outputs of `f`: by all of
/// them for an element of an array, by the first for a member of an object, as in jq.
fn walk<'a>(mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
    let (f, context) = cv.0.pop_fun();
    walk_value(cv.1, &move |value| f.run((context.clone(), value)))
}

/// Recursion is as deep as the value.
fn walk_value<'a>(value: Val, f: &dyn Fn(Val) -> ValXs<'a, Val>) -> ValXs<'a, Val> {
    if let Err(error) = charge(4) {
        return one_output(Err(error.into()));
    }
    let inside = match value {
        Val::Arr(arr) => {
            let mut failure = None;
            let outputs = value::children(arr).flat_map(|item| walk_value(item, f));
            // Collecting checks the limits.
            let items: Val =
                outputs.map_while(|output| output.map_err(|error| failure = Some(error)).ok()).collect();
            match failure {
                Some(error) => Err(error),
                None if limits::exceeded().is_some() => Err(limit_halt()),
                None => Ok(items),
            }
        }
        Val::Obj(_) => {
            return match value::update_each(value, |part| walk_value(part, f).next()) {
                Ok(value) => f(value),
                Err(error) => one_output(Err(error)),
            };
        }
        value => return f(value),
    };
    match inside {
        Ok(value) => f(value),
        Err(error) => one_output(Err(error)),
    }
}
