//! Updates and removals at paths of a value. Updates do not recurse: a path is as long as the
//! value is deep, and longer if it leads through null.

use std::rc::Rc;

use jaq_core::{ValT, ValX};

use super::access::{cannot_index, cannot_iterate, position, slice_bounds};
use super::{Arr, FilterError, Obj, Val, ValR, charge, limit_error, sort_values};
use crate::limits::{self, Limit, MAX_DEPTH, MAX_ITEMS};

/// The containers around a part that was taken out of a value.
struct Zipper<'p> {
    /// From the outermost inward, each with the component of the path that leads on from it.
    containers: Vec<(Val, &'p Val)>,
}

impl<'p> Zipper<'p> {
    /// Takes out the part at a path. A missing part is null.
    fn take(value: Val, path: &'p [Val]) -> Result<(Zipper<'p>, Val), FilterError> {
        charge(path.len() as u64)?;
        let (mut containers, mut value) = (Vec::with_capacity(path.len()), value);
        for at in path {
            let (container, part) = take_part(value, at)?;
            containers.push((container, at));
            value = part;
        }
        Ok((Zipper { containers }, value))
    }

    /// Puts a value in place of the part, and returns the whole value.
    fn put(mut self, value: Val) -> ValR {
        let mut value = value;
        while let Some((container, at)) = self.containers.pop() {
            value = put_part(container, at, value)?;
        }
        Ok(value)
    }
}

/// Takes a part out of a value and leaves null in its place.
fn take_part(value: Val, at: &Val) -> Result<(Val, Val), FilterError> {
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
        (Val::Str(_), Val::Obj(_)) => Err(FilterError::str("a slice of a string cannot be updated")),
        (value, at) => Err(cannot_index(&value, at)),
    }
}

/// Puts a part where [`take_part`] took one.
fn put_part(value: Val, at: &Val, part: Val) -> ValR {
    let is_deep = part.depth() >= MAX_DEPTH;
    if is_deep && !matches!(at, Val::Obj(_)) {
        return Err(limit_error(Limit::Depth));
    }
    match (value, at) {
        (Val::Null, Val::Str(_)) => put_part(Val::Obj(Rc::new(Obj::default())), at, part),
        (Val::Null, _) => put_part(Val::empty_array(), at, part),
        (Val::Obj(mut rc), Val::Str(key)) => {
            Rc::make_mut(&mut rc).insert(Rc::from(&***key), part);
            Ok(Val::Obj(rc))
        }
        (Val::Arr(mut rc), Val::Num(index)) => {
            let Some(at) = position(index, rc.len()) else {
                return Err(FilterError::str(format!("there is no element {at} before the array's start")));
            };
            if at >= MAX_ITEMS {
                return Err(limit_error(Limit::Items));
            }
            Rc::make_mut(&mut rc).set(at, part);
            Ok(Val::Arr(rc))
        }
        (Val::Arr(rc), Val::Obj(range)) => {
            let Val::Arr(new) = part else {
                return Err(FilterError::str(format!("a slice can be replaced by an array, not by {part}")));
            };
            splice(rc, range, Rc::unwrap_or_clone(new).into_items())
        }
        (value, at) => Err(cannot_index(&value, at)),
    }
}

/// Replaces the elements of a slice.
fn splice(arr: Rc<Arr>, range: &Obj, new: Vec<Val>) -> ValR {
    let mut items = Rc::unwrap_or_clone(arr).into_items();
    let (start, end) = slice_bounds(range.get("start")..range.get("end"), items.len())?;
    if items.len() + new.len() > MAX_ITEMS {
        return Err(limit_error(Limit::Items));
    }
    items.splice(start..end, new);
    Val::array(items)
}

/// Updates the part at each path, one after the other, to the first output of `f`. Parts without an
/// output of `f` are removed at the end, as in jq.
pub(crate) fn update<'a>(
    value: Val,
    paths: &mut dyn Iterator<Item = ValX<'a, Vec<Val>, Val>>,
    f: &dyn Fn(Val) -> Option<ValX<'a, Val>>,
) -> ValX<'a, Val> {
    let (mut value, mut removed) = (value, Vec::new());
    for path in paths {
        let path = path?;
        let (zipper, part) = Zipper::take(value, &path)?;
        match f(part).transpose()? {
            Some(new) => value = zipper.put(new)?,
            None => {
                value = zipper.put(Val::Null)?;
                removed.push(Val::array(path)?);
            }
        }
    }
    Ok(if removed.is_empty() { value } else { delete_paths(value, &removed)? })
}

/// Updates every element or member of a value to the first output of `f`, and removes those without
/// an output.
pub(crate) fn update_each<'a>(value: Val, f: impl Fn(Val) -> Option<ValX<'a, Val>>) -> ValX<'a, Val> {
    match value {
        Val::Arr(arr) => {
            let items = children(arr).filter_map(f).collect::<Result<Vec<_>, _>>()?;
            Ok(Val::array(items)?)
        }
        Val::Obj(obj) => {
            let members = Rc::unwrap_or_clone(obj).into_members().into_iter();
            let members = members.filter_map(|(key, item)| Some(f(item)?.map(|item| (key, item))));
            Ok(Val::object(members.collect::<Result<_, _>>()?)?)
        }
        value => Err(cannot_iterate(&value).into()),
    }
}

/// Returns the elements of an array. If the array has other owners, they are cloned one at a
/// time.
pub(crate) fn children(arr: Rc<Arr>) -> impl Iterator<Item = Val> {
    let (owned, shared) = match Rc::try_unwrap(arr) {
        Ok(arr) => (Some(arr.into_items()), None),
        Err(arr) => (None, Some(arr)),
    };
    let shared = shared.into_iter().flat_map(|arr| (0..arr.len()).map(move |at| arr[at].clone()));
    owned.into_iter().flatten().chain(shared)
}

/// Removes the parts at paths. All paths refer to the value before the removal.
pub(crate) fn delete_paths(value: Val, paths: &[Val]) -> ValR {
    let weight = paths.iter().fold(1u64, |weight, path| weight.saturating_add(path.weight()));
    // Each path is copied, sorted, and inspected on each level.
    charge(limits::log_steps(weight.saturating_mul(2), paths.len()))?;
    if let Some(path) = paths.iter().find(|path| !matches!(path, Val::Arr(_))) {
        return Err(FilterError::str(format!("a path is an array, not {path}")));
    }
    let mut sorted = paths.to_vec();
    sort_values(&mut sorted);
    let sorted: Vec<&[Val]> = sorted
        .iter()
        .filter_map(|path| if let Val::Arr(path) = path { Some(&path[..]) } else { None })
        .collect();
    delete(value, &sorted)
}

/// Removes the parts at sorted paths. Recursion is as deep as the value.
fn delete(value: Val, paths: &[&[Val]]) -> ValR {
    if paths.is_empty() {
        return Ok(value);
    }
    // Each level inspects all paths again.
    charge(paths.len() as u64)?;
    if paths.iter().any(|path| path.is_empty()) {
        return Ok(Val::Null);
    }
    match value {
        Val::Obj(obj) => delete_members(obj, paths),
        Val::Arr(arr) => delete_elements(arr, paths),
        Val::Null => Ok(Val::Null),
        value => Err(cannot_index(&value, &paths[0][0])),
    }
}

fn delete_members(mut rc: Rc<Obj>, paths: &[&[Val]]) -> ValR {
    let obj = Rc::make_mut(&mut rc);
    // Sorted, because the paths are.
    let mut removed: Vec<&str> = Vec::new();
    for same in paths.chunk_by(|l, r| l[0].cmp(&r[0]).is_eq()) {
        let Val::Str(key) = &same[0][0] else { return Err(cannot_index(&Val::Obj(rc), &same[0][0])) };
        if same[0].len() == 1 {
            removed.push(key);
        } else if let Some(value) = obj.take(key) {
            let rests: Vec<_> = same.iter().map(|path| &path[1..]).collect();
            obj.insert(Rc::from(&***key), delete(value, &rests)?);
        }
    }
    if !removed.is_empty() {
        obj.retain(|key| removed.binary_search(&key).is_err());
    }
    Ok(Val::Obj(rc))
}

fn delete_elements(arr: Rc<Arr>, paths: &[&[Val]]) -> ValR {
    let mut items = Rc::unwrap_or_clone(arr).into_items();
    let mut removed = vec![false; items.len()];
    for same in paths.chunk_by(|l, r| l[0].cmp(&r[0]).is_eq() && matches!(l[0], Val::Num(_))) {
        match enter_array(same[0], items.len())? {
            (slice, []) => {
                charge(slice.len() as u64 / 64)?;
                removed[slice].fill(true);
            }
            (slice, _) => {
                let rests: Vec<_> = match same {
                    [path] => vec![enter_array(path, items.len())?.1],
                    same => same.iter().map(|path| &path[1..]).collect(),
                };
                for at in slice {
                    items[at] = delete(std::mem::take(&mut items[at]), &rests)?;
                }
            }
        }
    }
    let mut removed = removed.into_iter();
    items.retain(|_| !removed.next().unwrap_or(false));
    Val::array(items)
}

/// Follows a path into an array, through slices up to the first index. Returns the elements that
/// it leads to, and the rest of the path.
fn enter_array(path: &[Val], len: usize) -> Result<(std::ops::Range<usize>, &[Val]), FilterError> {
    let (mut slice, mut path) = (0..len, path);
    while let Some((at, rest)) = path.split_first() {
        path = rest;
        match at {
            Val::Obj(range) => {
                let (start, end) = slice_bounds(range.get("start")..range.get("end"), slice.len())?;
                slice = slice.start + start..slice.start + end;
            }
            Val::Num(index) => {
                let at = position(index, slice.len()).filter(|at| *at < slice.len());
                let at = at.map_or(0..0, |at| slice.start + at..slice.start + at + 1);
                return Ok((at, rest));
            }
            at => return Err(cannot_index(&Val::empty_array(), at)),
        }
    }
    Ok((slice, path))
}
