//! Filters that sort. The steps of all comparisons are charged before the sort, because the
//! comparator must not change during it.

use std::rc::Rc;

use jaq_core::native::{self, Fun};
use jaq_core::{Cv, RunPtr, ValX, ValXs};

use super::common::{filter_args, mismatch, one_output};
use crate::limits;
use crate::run::Jq;
use crate::value::{Val, charge};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let run: [(&str, usize, RunPtr<Jq>); 5] = [
        ("sort", 0, |cv| one_output(sort(cv.1))),
        ("sort_by", 1, sort_by),
        ("group_by", 1, group_by),
        ("min_by", 1, |cv| one_output(extreme(cv, |key, least| key < least))),
        ("max_by", 1, |cv| one_output(extreme(cv, |key, most| key >= most))),
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

/// Sorts elements by their keys. A comparison takes no longer than a walk over both keys, and each
/// round of the sort compares each key once.
fn sort_by_key<'a>(mut keyed: Vec<(Val, Val)>) -> ValX<'a, Vec<(Val, Val)>, Val> {
    let weight = keyed.iter().fold(0, |weight: u64, (key, _)| weight.saturating_add(key.weight()));
    charge(limits::log_steps(weight, keyed.len()) / COMPARED_PER_STEP)?;
    keyed.sort_by(|(l, _), (r, _)| l.cmp(r));
    Ok(keyed)
}

/// Returns the elements of the input, each with the outputs of `f` for it as its key.
fn with_keys<'a>(mut cv: Cv<'a, Jq>) -> ValX<'a, impl Iterator<Item = ValX<'a, (Val, Val), Val>>, Val> {
    let (f, context) = cv.0.pop_fun();
    Ok(items(cv.1)?.into_iter().map(move |item| {
        let key = f.run((context.clone(), item.clone())).collect::<Result<Val, _>>()?;
        Ok((key, item))
    }))
}

/// Returns the elements of the input with their keys, sorted by these.
fn sorted_with_keys<'a>(cv: Cv<'a, Jq>) -> ValX<'a, Vec<(Val, Val)>, Val> {
    sort_by_key(with_keys(cv)?.collect::<Result<Vec<_>, _>>()?)
}

/// Returns the element whose key wins against those before it; null for an empty array.
fn extreme<'a>(cv: Cv<'a, Jq>, wins: fn(&Val, &Val) -> bool) -> ValX<'a, Val, Val> {
    let mut best: Option<(Val, Val)> = None;
    for keyed in with_keys(cv)? {
        let (key, item) = keyed?;
        if best.as_ref().is_none_or(|(best, _)| wins(&key, best)) {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

fn sort<'a>(value: Val) -> ValX<'a, Val> {
    let keyed = items(value)?.into_iter().map(|item| (item, Val::Null)).collect();
    Ok(Val::array(sort_by_key(keyed)?.into_iter().map(|(item, _)| item).collect::<Vec<_>>())?)
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
            if last.as_ref().is_some_and(|last: &Val| last.cmp(&key).is_ne()) {
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
