//! What is inside of a value, replaced: the first output of the update takes
//! the place of what was there, none removes it, as in jq.

use std::rc::Rc;

use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{Exn, ValX};

use super::access::{bounds, no_children, no_index, position};
use super::{Error, Val, ValR, beyond, unwrap};
use crate::query::jq::limits::{Limit, MAX_ITEMS};

/// `.[] |= f`
pub(super) fn values<'a, I>(value: Val, opt: Opt, f: impl Fn(Val) -> I) -> ValX<'a, Val>
where
    I: Iterator<Item = ValX<'a, Val>>,
{
    match value {
        Val::Arr(arr) => {
            let items = unwrap(arr).into_items().into_iter().filter_map(|item| f(item).next());
            Ok(Val::array(items.collect::<Result<Vec<_>, _>>()?)?)
        }
        Val::Obj(obj) => {
            let members = unwrap(obj).into_members().into_iter();
            let members = members.filter_map(|(key, item)| Some(f(item).next()?.map(|item| (key, item))));
            Ok(Val::object(members.collect::<Result<_, _>>()?)?)
        }
        value => opt.fail(value, |value| Exn::from(no_children(&value))),
    }
}

/// `.[index] |= f`
pub(super) fn index<'a, I>(value: Val, index: &Val, opt: Opt, f: impl Fn(Val) -> I) -> ValX<'a, Val>
where
    I: Iterator<Item = ValX<'a, Val>>,
{
    match (value, index) {
        (value @ (Val::Null | Val::Arr(_)), Val::Obj(part)) => {
            range(value, part.get("start")..part.get("end"), opt, f)
        }
        // What is not there comes to be, as in jq.
        (Val::Null, Val::Str(_)) => member(Val::object(super::Obj::default())?, index, f),
        (Val::Null, Val::Num(_)) => match element(Val::default_array(), index, opt, f)? {
            Val::Arr(arr) if arr.is_empty() => Ok(Val::Null),
            value => Ok(value),
        },
        (value @ Val::Obj(_), Val::Str(_)) => member(value, index, f),
        (value @ Val::Arr(_), Val::Num(_)) => element(value, index, opt, f),
        (value, _) => opt.fail(value, |value| Exn::from(no_index(&value, index))),
    }
}

fn member<'a, I>(value: Val, index: &Val, f: impl Fn(Val) -> I) -> ValX<'a, Val>
where
    I: Iterator<Item = ValX<'a, Val>>,
{
    let (Val::Obj(mut rc), Val::Str(key)) = (value, index) else { return Ok(Val::Null) };
    let obj = Rc::make_mut(&mut rc);
    // Taken out, so that nobody else holds it while it is updated.
    let old = obj.get_mut(key).map(std::mem::take).unwrap_or_default();
    match f(old).next().transpose()? {
        Some(new) => obj.insert(Rc::from(key.as_str()), new),
        None => obj.remove(key),
    }
    match rc.depth <= super::MAX_DEPTH {
        true => Ok(Val::Obj(rc)),
        false => Err(beyond(Limit::Depth).into()),
    }
}

fn element<'a, I>(value: Val, index: &Val, opt: Opt, f: impl Fn(Val) -> I) -> ValX<'a, Val>
where
    I: Iterator<Item = ValX<'a, Val>>,
{
    let (Val::Arr(mut rc), Val::Num(num)) = (value, index) else { return Ok(Val::Null) };
    let Some(at) = position(num, rc.len()) else {
        let before =
            |_| Exn::from(Error::str(format!("there is no element {index} before the array's start")));
        return opt.fail(Val::Arr(rc), before);
    };
    let arr = Rc::make_mut(&mut rc);
    let old = arr.items.get_mut(at).map(std::mem::take).unwrap_or_default();
    match f(old).next().transpose()? {
        Some(_) if at >= MAX_ITEMS => return Err(beyond(Limit::Items).into()),
        Some(new) => {
            if at >= arr.items.len() {
                arr.items.resize(at + 1, Val::Null);
            }
            arr.depth = arr.depth.max(1 + new.depth());
            arr.items[at] = new;
        }
        None if at < arr.items.len() => {
            arr.items.remove(at);
        }
        None => {}
    }
    match rc.depth <= super::MAX_DEPTH {
        true => Ok(Val::Arr(rc)),
        false => Err(beyond(Limit::Depth).into()),
    }
}

/// `.[from:to] |= f`
pub(super) fn range<'a, I>(value: Val, range: Range<&Val>, opt: Opt, f: impl Fn(Val) -> I) -> ValX<'a, Val>
where
    I: Iterator<Item = ValX<'a, Val>>,
{
    let mut items = match value {
        Val::Arr(arr) => unwrap(arr).into_items(),
        Val::Null => Vec::new(),
        value => {
            let no_slice = |value| Exn::from(Error::str(format!("cannot update a slice of {value}")));
            return opt.fail(value, no_slice);
        }
    };
    let (start, end) = bounds(range, items.len())?;
    let part = Val::array(items[start..end].to_vec())?;
    let new = match f(part).next().transpose()? {
        Some(Val::Arr(new)) => unwrap(new).into_items(),
        Some(new) => {
            return Err(Error::str(format!("a slice can be replaced by an array, not by {new}")).into());
        }
        None => Vec::new(),
    };
    if items.len() + new.len() > MAX_ITEMS {
        return Err(beyond(Limit::Items).into());
    }
    items.splice(start..end, new);
    Ok(Val::array(items)?)
}

/// Removes what the paths lead to, all as they were before anything is removed.
pub(crate) fn delete_paths(value: Val, paths: &[Val]) -> ValR {
    // From the last to the first, so that no path points elsewhere meanwhile.
    let mut paths: Vec<&Val> = paths.iter().collect();
    paths.sort_by(|l, r| r.cmp(l));
    paths.dedup();
    paths.into_iter().try_fold(value, |value, path| match path {
        Val::Arr(path) => delete(value, path),
        path => Err(Error::str(format!("a path is an array, not {path}"))),
    })
}

fn delete(value: Val, path: &[Val]) -> ValR {
    let Some((first, rest)) = path.split_first() else { return Ok(Val::Null) };
    // The update ends in no output where the path ends; what is not there is
    // not made on the way.
    let missing = match (&value, first) {
        (Val::Null, _) => true,
        (Val::Obj(obj), Val::Str(key)) => obj.get(key).is_none(),
        (Val::Arr(arr), Val::Num(at)) => position(at, arr.len()).is_none_or(|at| at >= arr.len()),
        _ => false,
    };
    if missing {
        return Ok(value);
    }
    let f = |part: Val| match rest {
        [] => None.into_iter(),
        _ => Some(delete(part, rest).map_err(Exn::from)).into_iter(),
    };
    index(value, first, Opt::Essential, f)
        .map_err(|exn: Exn<Val>| exn.get_err().unwrap_or_else(|_| Error::str("the path was not deleted")))
}
