//! What is at a path of a value, replaced and removed. Without recursion: paths
//! are as long as values are deep, and longer where they lead through null.

use std::rc::Rc;

use jaq_core::{ValT, ValX};

use super::access::{bounds, no_children, no_index, position};
use super::{Arr, Error, Obj, Val, ValR, beyond, spend, unwrap};
use crate::limits::{self, Limit, MAX_DEPTH, MAX_ITEMS};

/// A value at a path, taken out of what is around it.
pub(crate) struct Place<'p> {
    /// From the outermost inward, each with where the next one belongs.
    around: Vec<(Val, &'p Val)>,
}

impl<'p> Place<'p> {
    /// Takes out what is at the path. What is not there is null.
    pub(crate) fn take(value: Val, path: &'p [Val]) -> Result<(Place<'p>, Val), Error> {
        spend(path.len() as u64)?;
        let (mut around, mut value) = (Vec::with_capacity(path.len()), value);
        for at in path {
            let (outer, inner) = take(value, at)?;
            around.push((outer, at));
            value = inner;
        }
        Ok((Place { around }, value))
    }

    /// Puts a value in its place.
    pub(crate) fn put(mut self, value: Val) -> ValR {
        let mut value = value;
        while let Some((outer, at)) = self.around.pop() {
            value = put(outer, at, value)?;
        }
        Ok(value)
    }
}

/// Takes a part out of a value, where null stays behind.
fn take(value: Val, at: &Val) -> Result<(Val, Val), Error> {
    match (value, at) {
        (Val::Obj(mut rc), Val::Str(key)) => {
            let part = Rc::make_mut(&mut rc).take(key).unwrap_or_default();
            Ok((Val::Obj(rc), part))
        }
        (Val::Arr(mut rc), Val::Num(index)) => {
            let part = match position(index, rc.len()).filter(|at| *at < rc.len()) {
                Some(at) => Rc::make_mut(&mut rc).set(at, Val::Null),
                None => Val::Null,
            };
            Ok((Val::Arr(rc), part))
        }
        (value @ Val::Arr(_), Val::Obj(_)) => {
            let part = value.clone().index(at)?;
            Ok((value, part))
        }
        (Val::Null, Val::Str(_) | Val::Num(_) | Val::Obj(_)) => Ok((Val::Null, Val::Null)),
        (Val::Str(_), Val::Obj(_)) => Err(Error::str("a slice of a string cannot be updated")),
        (value, at) => Err(no_index(&value, at)),
    }
}

/// Puts a part where it was taken out.
fn put(value: Val, at: &Val, part: Val) -> ValR {
    let deep = part.depth() >= MAX_DEPTH;
    if deep && !matches!(at, Val::Obj(_)) {
        return Err(beyond(Limit::Depth));
    }
    match (value, at) {
        (Val::Null, Val::Str(_)) => put(Val::Obj(Rc::new(Obj::default())), at, part),
        (Val::Null, _) => put(Val::default_array(), at, part),
        (Val::Obj(mut rc), Val::Str(key)) => {
            Rc::make_mut(&mut rc).insert(Rc::from(&***key), part);
            Ok(Val::Obj(rc))
        }
        (Val::Arr(mut rc), Val::Num(index)) => {
            let Some(at) = position(index, rc.len()) else {
                return Err(Error::str(format!("there is no element {at} before the array's start")));
            };
            if at >= MAX_ITEMS {
                return Err(beyond(Limit::Items));
            }
            Rc::make_mut(&mut rc).set(at, part);
            Ok(Val::Arr(rc))
        }
        (Val::Arr(rc), Val::Obj(range)) => {
            let Val::Arr(new) = part else {
                return Err(Error::str(format!("a slice can be replaced by an array, not by {part}")));
            };
            splice(rc, range, unwrap(new).into_items())
        }
        (value, at) => Err(no_index(&value, at)),
    }
}

/// Puts elements in the place of a slice.
fn splice(arr: Rc<Arr>, range: &Obj, new: Vec<Val>) -> ValR {
    let mut items = unwrap(arr).into_items();
    let (start, end) = bounds(range.get("start")..range.get("end"), items.len())?;
    if items.len() + new.len() > MAX_ITEMS {
        return Err(beyond(Limit::Items));
    }
    items.splice(start..end, new);
    Val::array(items)
}

/// Updates what the paths lead to, one after the other, by the first output of
/// `f`. What it has none for is removed at the end, as in jq.
pub(crate) fn update<'a>(
    value: Val,
    paths: impl Iterator<Item = ValX<'a, Vec<Val>, Val>>,
    f: impl Fn(Val) -> Option<ValX<'a, Val>>,
) -> ValX<'a, Val> {
    let (mut value, mut removed) = (value, Vec::new());
    for path in paths {
        let path = path?;
        let (place, part) = Place::take(value, &path)?;
        match f(part).transpose()? {
            Some(new) => value = place.put(new)?,
            None => {
                value = place.put(Val::Null)?;
                removed.push(Val::array(path)?);
            }
        }
    }
    Ok(if removed.is_empty() { value } else { delete_paths(value, &removed)? })
}

/// Updates every part of a value by the first output of `f`, without those that
/// it has none for.
pub(crate) fn update_each<'a>(value: Val, f: impl Fn(Val) -> Option<ValX<'a, Val>>) -> ValX<'a, Val> {
    match value {
        Val::Arr(arr) => {
            let items = children(arr).filter_map(f).collect::<Result<Vec<_>, _>>()?;
            Ok(Val::array(items)?)
        }
        Val::Obj(obj) => {
            let members = unwrap(obj).into_members().into_iter();
            let members = members.filter_map(|(key, item)| Some(f(item)?.map(|item| (key, item))));
            Ok(Val::object(members.collect::<Result<_, _>>()?)?)
        }
        value => Err(no_children(&value).into()),
    }
}

/// The elements of an array, one at a time where somebody else holds it.
pub(crate) fn children(arr: Rc<Arr>) -> impl Iterator<Item = Val> {
    let (owned, shared) = match Rc::try_unwrap(arr) {
        Ok(arr) => (Some(arr.into_items()), None),
        Err(arr) => (None, Some(arr)),
    };
    let shared = shared.into_iter().flat_map(|arr| (0..arr.len()).map(move |at| arr[at].clone()));
    owned.into_iter().flatten().chain(shared)
}

/// Removes what the paths lead to, all as they were before anything is removed.
pub(crate) fn delete_paths(value: Val, paths: &[Val]) -> ValR {
    let weight = paths.iter().fold(1u64, |weight, path| weight.saturating_add(path.weight()));
    spend(limits::rounds(weight, paths.len()))?;
    if let Some(path) = paths.iter().find(|path| !matches!(path, Val::Arr(_))) {
        return Err(Error::str(format!("a path is an array, not {path}")));
    }
    let mut sorted = paths.to_vec();
    sorted.sort();
    let sorted: Vec<&[Val]> = sorted
        .iter()
        .filter_map(|path| if let Val::Arr(path) = path { Some(&path[..]) } else { None })
        .collect();
    delete(value, &sorted)
}

/// Removes what paths lead to that are sorted. As deep as the value.
fn delete(value: Val, paths: &[&[Val]]) -> ValR {
    if paths.is_empty() {
        return Ok(value);
    }
    // Each path is looked at again on each level.
    spend(paths.len() as u64)?;
    if paths.iter().any(|path| path.is_empty()) {
        return Ok(Val::Null);
    }
    match value {
        Val::Obj(mut rc) => {
            let obj = Rc::make_mut(&mut rc);
            // In their order, as are the paths.
            let mut gone: Vec<&str> = Vec::new();
            for same in paths.chunk_by(|l, r| l[0].cmp(&r[0]).is_eq()) {
                let Val::Str(key) = &same[0][0] else { return Err(no_index(&Val::Obj(rc), &same[0][0])) };
                if same[0].len() == 1 {
                    gone.push(key);
                } else if let Some(inside) = obj.take(key) {
                    let rests: Vec<_> = same.iter().map(|path| &path[1..]).collect();
                    obj.insert(Rc::from(&***key), delete(inside, &rests)?);
                }
            }
            if !gone.is_empty() {
                obj.retain(|key| gone.binary_search(&key).is_err());
            }
            Ok(Val::Obj(rc))
        }
        Val::Arr(rc) => {
            let mut items = unwrap(rc).into_items();
            let mut gone = vec![false; items.len()];
            for same in paths.chunk_by(|l, r| l[0].cmp(&r[0]).is_eq() && matches!(l[0], Val::Num(_))) {
                match place(same[0], items.len())? {
                    (slice, []) => {
                        spend(slice.len() as u64 / 64)?;
                        gone[slice].fill(true);
                    }
                    (slice, _) => {
                        let rests: Vec<_> = match same {
                            [path] => vec![place(path, items.len())?.1],
                            same => same.iter().map(|path| &path[1..]).collect(),
                        };
                        for at in slice {
                            items[at] = delete(std::mem::take(&mut items[at]), &rests)?;
                        }
                    }
                }
            }
            let mut gone = gone.into_iter();
            items.retain(|_| !gone.next().unwrap_or(false));
            Val::array(items)
        }
        Val::Null => Ok(Val::Null),
        value => Err(no_index(&value, &paths[0][0])),
    }
}

/// Where a path enters an array: an element, none, or at its end a slice. What
/// is left of it.
fn place(path: &[Val], len: usize) -> Result<(std::ops::Range<usize>, &[Val]), Error> {
    let (mut slice, mut path) = (0..len, path);
    while let Some((at, rest)) = path.split_first() {
        path = rest;
        match at {
            Val::Obj(range) => {
                let (start, end) = bounds(range.get("start")..range.get("end"), slice.len())?;
                slice = slice.start + start..slice.start + end;
            }
            Val::Num(index) => {
                let at = position(index, slice.len()).filter(|at| *at < slice.len());
                let at = at.map_or(0..0, |at| slice.start + at..slice.start + at + 1);
                return Ok((at, rest));
            }
            at => return Err(no_index(&Val::default_array(), at)),
        }
    }
    Ok((slice, path))
}
