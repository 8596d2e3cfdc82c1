//! Filters that sort. The steps of all comparisons are charged before the sort, because the
//! comparator must not change during it.

use std::cmp::Ordering;
use std::rc::Rc;

use jaq_core::native::{self, Fun};
use jaq_core::{Cv, RunPtr, ValX, ValXs};

use super::common::{filter_args, mismatch, one_output};
use crate::limits;
use crate::run::Jq;
use crate::value::{FilterError, Val, charge, sort_values};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let run: [(&str, usize, RunPtr<Jq>); 7] = [
        ("sort", 0, |cv| one_output(sort(cv.1))),
        ("sort_by", 1, sort_by),
        ("group_by", 1, group_by),
        ("min", 0, |cv| one_output(extreme(&cv.1, Ordering::is_lt))),
        ("max", 0, |cv| one_output(extreme(&cv.1, Ordering::is_ge))),
        ("min_by", 1, |cv| one_output(extreme_by(cv, Ordering::is_lt))),
        ("max_by", 1, |cv| one_output(extreme_by(cv, Ordering::is_ge))),
    ];
    run.into_iter().map(|(name, arity, run)| native::run::<Jq>((name, filter_args(arity), run)))
}

/// Returns the elements of a value that must be an array.
fn items<'a>(value: Val) -> ValX<'a, Vec<Val>, Val> {
    match value {
        Val::Arr(arr) => Ok(Rc::unwrap_or_clone(arr).into_items()),
        value => Err(mismatch(&value, "an array").into()),
    }
}

/// Weight that is compared in the time of a step.
const COMPARED_PER_STEP: u64 = 4;

/// The key of an element: the outputs of a filter for it, ordered as an array of them is.
enum Key {
    /// The only output.
    One(Val),
    /// An array of any other number of outputs.
    Many(Val),
}

impl Key {
    /// Collects the outputs of a filter.
    fn collect<'a>(mut outputs: ValXs<'a, Val>) -> ValX<'a, Key, Val> {
        let Some(first) = outputs.next().transpose()? else { return Ok(Key::Many(Val::empty_array())) };
        match outputs.next() {
            None => Ok(Key::One(first)),
            Some(second) => {
                let all = [Ok(first), second].into_iter().chain(outputs);
                all.collect::<Result<Val, _>>().map(Key::Many)
            }
        }
    }

    fn outputs(&self) -> &[Val] {
        match self {
            Key::One(output) => std::slice::from_ref(output),
            Key::Many(Val::Arr(outputs)) => outputs,
            // A limit was exceeded.
            Key::Many(_) => &[],
        }
    }

    fn weight(&self) -> u64 {
        match self {
            Key::One(output) => output.weight(),
            Key::Many(outputs) => outputs.weight(),
        }
    }

    /// Compares two keys, or returns `None` if there are not enough steps.
    fn metered_cmp(&self, other: &Key) -> Option<Ordering> {
        limits::charge(self.weight().min(other.weight())).then(|| self.outputs().cmp(other.outputs()))
    }
}

/// Charges a sort of keys of this weight. A comparison takes no longer than a walk over both keys,
/// and each round of the sort compares each key once.
fn charge_sort(weights: impl ExactSizeIterator<Item = u64>) -> Result<(), FilterError> {
    let keys = weights.len();
    let weight = weights.fold(0, u64::saturating_add);
    charge(limits::log_steps(weight, keys) / COMPARED_PER_STEP)
}

/// Returns the elements of the input, each with its key.
fn with_keys<'a>(mut cv: Cv<'a, Jq>) -> ValX<'a, impl Iterator<Item = ValX<'a, (Key, Val), Val>>, Val> {
    let (f, context) = cv.0.pop_fun();
    Ok(items(cv.1)?.into_iter().map(move |item| {
        let key = Key::collect(f.run((context.clone(), item.clone())))?;
        Ok((key, item))
    }))
}

/// Returns the elements of the input with their keys, sorted by these.
fn sorted_with_keys<'a>(cv: Cv<'a, Jq>) -> ValX<'a, Vec<(Key, Val)>, Val> {
    let mut keyed = with_keys(cv)?.collect::<Result<Vec<_>, _>>()?;
    charge_sort(keyed.iter().map(|(key, _)| key.weight()))?;
    tuckaway_text::order::sort_by(&mut keyed, |(l, _), (r, _)| l.outputs().cmp(r.outputs()));
    Ok(keyed)
}

/// Returns the element whose key wins against those before it; null for an empty array.
fn extreme_by<'a>(cv: Cv<'a, Jq>, wins: fn(Ordering) -> bool) -> ValX<'a, Val, Val> {
    let mut best: Option<(Key, Val)> = None;
    for keyed in with_keys(cv)? {
        let (key, item) = keyed?;
        if best.as_ref().is_none_or(|(best, _)| key.metered_cmp(best).is_some_and(wins)) {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

/// Returns the element that wins against those before it; null for an empty array.
fn extreme<'a>(value: &Val, wins: fn(Ordering) -> bool) -> ValX<'a, Val> {
    let Val::Arr(items) = value else { return Err(mismatch(value, "an array").into()) };
    let mut best: Option<&Val> = None;
    for item in items.iter() {
        charge(1)?;
        if best.is_none_or(|best| item.metered_cmp(best).is_some_and(wins)) {
            best = Some(item);
        }
    }
    Ok(best.cloned().unwrap_or_default())
}

fn sort<'a>(value: Val) -> ValX<'a, Val> {
    let mut items = items(value)?;
    charge_sort(items.iter().map(Val::weight))?;
    sort_values(&mut items);
    Ok(Val::array(items)?)
}

fn sort_by(cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    let sort =
        || Ok(Val::array(sorted_with_keys(cv)?.into_iter().map(|(_, item)| item).collect::<Vec<_>>())?);
    one_output(sort())
}

fn group_by(cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    let group = || {
        let (mut groups, mut group, mut last) = (Vec::new(), Vec::new(), None);
        for (key, item) in sorted_with_keys(cv)? {
            if last.as_ref().is_some_and(|last: &Key| last.outputs().cmp(key.outputs()).is_ne()) {
                groups.push(Val::array(std::mem::take(&mut group))?);
            }
            group.push(item);
            last = Some(key);
        }
        if !group.is_empty() {
            groups.push(Val::array(group)?);
        }
        Ok(Val::array(groups)?)
    };
    one_output(group())
}
