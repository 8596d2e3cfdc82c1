//! Filters that sort. All comparing is paid for before it is begun: an order that
//! changes while something is sorted by it is none.

use jaq_core::native::{self, Fun};
use jaq_core::{Cv, RunPtr, ValX, ValXs};

use super::{filters, unfit};
use crate::limits;
use crate::run::Jq;
use crate::value::{self, Val, spend};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let run: [(&str, usize, RunPtr<Jq>); 5] = [
        ("sort", 0, |cv| once(sort(cv.1))),
        ("sort_by", 1, sort_by),
        ("group_by", 1, group_by),
        ("min_by", 1, |cv| once(extreme(cv, |key, least| key < least))),
        ("max_by", 1, |cv| once(extreme(cv, |key, most| key >= most))),
    ];
    run.into_iter().map(|(name, arity, run)| native::run::<Jq>((name, filters(arity), run)))
}

fn once<'a>(output: ValX<'a, Val>) -> ValXs<'a, Val> {
    Box::new(std::iter::once(output))
}

/// The elements of what has to be an array.
fn items<'a>(value: Val) -> ValX<'a, Vec<Val>, Val> {
    match value {
        Val::Arr(arr) => Ok(value::unwrap(arr).into_items()),
        value => Err(unfit(&value, "an array").into()),
    }
}

/// What is compared in the time of a step.
const COMPARED_IN_A_STEP: u64 = 4;

/// The elements in the order of their keys. Comparing takes no longer than walking
/// both, and each is compared once in each round.
fn sorted<'a>(mut keyed: Vec<(Val, Val)>) -> ValX<'a, Vec<(Val, Val)>, Val> {
    let weight = keyed.iter().fold(0, |weight: u64, (key, _)| weight.saturating_add(key.weight()));
    spend(limits::rounds(weight, keyed.len()) / COMPARED_IN_A_STEP)?;
    keyed.sort_by(|(l, _), (r, _)| l.cmp(r));
    Ok(keyed)
}

/// The elements, each with what `f` gives for it.
fn keyed<'a>(mut cv: Cv<'a, Jq>) -> ValX<'a, impl Iterator<Item = ValX<'a, (Val, Val), Val>>, Val> {
    let (f, context) = cv.0.pop_fun();
    Ok(items(cv.1)?.into_iter().map(move |item| {
        let key = f.run((context.clone(), item.clone())).collect::<Result<Val, _>>()?;
        Ok((key, item))
    }))
}

/// The same, in the order of the keys.
fn sorted_by<'a>(cv: Cv<'a, Jq>) -> ValX<'a, Vec<(Val, Val)>, Val> {
    sorted(keyed(cv)?.collect::<Result<Vec<_>, _>>()?)
}

/// The element whose key goes before that of any other; null if there is none.
fn extreme<'a>(cv: Cv<'a, Jq>, goes_before: fn(&Val, &Val) -> bool) -> ValX<'a, Val, Val> {
    let mut best: Option<(Val, Val)> = None;
    for keyed in keyed(cv)? {
        let (key, item) = keyed?;
        if best.as_ref().is_none_or(|(best, _)| goes_before(&key, best)) {
            best = Some((key, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

fn sort<'a>(value: Val) -> ValX<'a, Val> {
    let keyed = items(value)?.into_iter().map(|item| (item, Val::Null)).collect();
    Ok(Val::array(sorted(keyed)?.into_iter().map(|(item, _)| item).collect::<Vec<_>>())?)
}

fn sort_by(cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    let sort = || Ok(Val::array(sorted_by(cv)?.into_iter().map(|(_, item)| item).collect::<Vec<_>>())?);
    once(sort())
}

fn group_by(cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    let group = || {
        let (mut groups, mut group, mut last) = (Vec::new(), Vec::new(), None);
        for (key, item) in sorted_by(cv)? {
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
    once(group())
}
