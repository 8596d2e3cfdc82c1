//! Filters that run a filter again and again. As definitions, each round would pass its outputs through all
//! rounds before it.

use jaq_core::native::Fun;
use jaq_core::{Ctx, Native, ValX, ValXs};

use super::common::filter_args;
use super::paths::check_path;
use crate::limits::{self, Reservation};
use crate::run::{CONTEXT_BYTES, Jq};
use crate::value::{Val, charge};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let recursing = Native::<Jq>::new(|mut cv| {
        let (f, context) = cv.0.pop_fun();
        recurse(context, cv.1, |_| Ok(()), move |cv| f.run(cv))
    });
    let recursing = recursing.with_paths(|mut cv| {
        let (f, context) = cv.0.pop_fun();
        recurse(context, cv.1, |(_, path)| check_path(path.iter()), move |cv| f.paths(cv))
    });
    [("recurse", filter_args(1), recursing)].into_iter()
}

/// `def recurse(f): ., (f | recurse(f));`, which stops at a value that `check` refuses. The outputs to resume
/// are in a list, not on the stack.
fn recurse<'a, T: Clone + 'a>(
    context: Ctx<'a, Jq>,
    input: T,
    check: impl Fn(&T) -> ValX<'a, (), Val> + 'a,
    f: impl Fn((Ctx<'a, Jq>, T)) -> ValXs<'a, T, Val> + 'a,
) -> ValXs<'a, T, Val> {
    let steps = limits::steps_per_output();
    let mut next = Some(Ok(input));
    // The last output. `f` runs on it only if there is a next one: it may read inputs.
    let mut last: Option<T> = None;
    let mut open = Vec::<(ValXs<'a, T, Val>, Reservation)>::new();
    Box::new(std::iter::from_fn(move || {
        if let Some(value) = last.take() {
            open.push((f((context.clone(), value)), Reservation::new(CONTEXT_BYTES)));
        }
        while next.is_none() {
            let (outputs, _) = open.last_mut()?;
            next = outputs.next();
            if next.is_none() || outputs.size_hint().1 == Some(0) {
                open.pop();
            }
        }
        let value = match next.take()? {
            Ok(value) => value,
            Err(error) => return Some(Err(error)),
        };
        if let Err(error) = charge(steps).map_err(Into::into).and_then(|()| check(&value)) {
            return Some(Err(error));
        }
        last = Some(value.clone());
        Some(Ok(value))
    }))
}
