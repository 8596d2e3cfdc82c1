//! The values that filters work on.
//!
//! Our own, not jaq-json's, for three reasons: integers are the same on 32 and
//! 64 bits ([`Num`]), every operator that can grow a value knows its limit
//! ([`super::limits`]), and every value knows how deep it is, so that nothing
//! that follows its levels can run out of stack.

mod access;
mod number;
mod object;
mod operators;
mod text;
mod update;

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use super::limits::{self, Held, Limit, MAX_DEPTH, MAX_ITEMS, MAX_STRING_BYTES};
use super::write;
pub(crate) use access::no_index;
pub(crate) use number::Num;
pub(crate) use object::Obj;
pub(crate) use operators::split;
pub(crate) use text::Text;
pub(crate) use update::{children, delete_paths, update, update_each};

/// A JSON value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Val {
    #[default]
    Null,
    Bool(bool),
    Num(Num),
    Str(Rc<Text>),
    Arr(Rc<Arr>),
    Obj(Rc<Obj>),
}

/// What fails in a filter.
pub(crate) type Error = jaq_core::Error<Val>;

/// A value, or what failed.
pub(crate) type ValR = Result<Val, Error>;

/// An array.
#[derive(Debug)]
pub(crate) struct Arr {
    items: Vec<Val>,
    /// Levels, this one included; never too few.
    depth: u32,
    /// What it takes to walk it; see [`Val::weight`].
    weight: u64,
    held: Held,
}

/// What an array and each of its elements are estimated to hold.
const ARRAY_BYTES: u64 = 48;
const ITEM_BYTES: u64 = 24;

impl std::ops::Deref for Arr {
    type Target = [Val];

    fn deref(&self) -> &[Val] {
        &self.items
    }
}

impl From<Vec<Val>> for Arr {
    fn from(items: Vec<Val>) -> Self {
        limits::take(steps_to_copy(items.len()));
        let (mut depth, mut weight) = (0, 1);
        for item in &items {
            depth = depth.max(item.depth());
            weight = item.weight().saturating_add(weight);
        }
        let held = Held::new(ARRAY_BYTES + ITEM_BYTES * items.len() as u64);
        Arr { items, depth: depth + 1, weight, held }
    }
}

/// Elements and all they hold together are counted where they are copied.
impl Clone for Arr {
    fn clone(&self) -> Self {
        limits::take(steps_to_copy(self.len()));
        Arr { items: self.items.clone(), depth: self.depth, weight: self.weight, held: self.held.clone() }
    }
}

impl Arr {
    pub(crate) fn into_items(self) -> Vec<Val> {
        self.items
    }

    /// Puts a value where another one was, or behind the end.
    fn set(&mut self, at: usize, value: Val) -> Val {
        if at >= self.len() {
            limits::take(steps_to_copy(at - self.len()));
            self.held.set(ARRAY_BYTES + ITEM_BYTES * (at as u64 + 1));
            self.weight = self.weight.saturating_add((at - self.len()) as u64 + 1);
            self.items.resize(at + 1, Val::Null);
        }
        self.depth = self.depth.max(1 + value.depth());
        self.weight = reweighed(self.weight, &self.items[at], &value);
        std::mem::replace(&mut self.items[at], value)
    }

    /// Adds what is in another one.
    fn append(&mut self, other: &Arr) {
        limits::take(steps_to_copy(other.len()));
        self.depth = self.depth.max(other.depth);
        self.weight = self.weight.saturating_add(other.weight);
        self.held.set(self.held.bytes() + ITEM_BYTES * other.len() as u64);
        self.items.extend(other.iter().cloned());
    }
}

/// The steps of copying so many values.
fn steps_to_copy(values: usize) -> u64 {
    1 + values as u64 / 4
}

/// The weight of a container in which one value takes the place of another. One
/// that is too great to be told stays so.
fn reweighed(weight: u64, old: &Val, new: &Val) -> u64 {
    match weight {
        u64::MAX => weight,
        _ => (weight - old.weight().min(weight)).saturating_add(new.weight()),
    }
}

/// What is inside, without a copy if nobody else holds it.
pub(crate) fn unwrap<T: Clone>(rc: Rc<T>) -> T {
    Rc::try_unwrap(rc).unwrap_or_else(|rc| (*rc).clone())
}

/// The error of a limit that was passed, noted so that catching it is no use.
pub(crate) fn beyond(limit: Limit) -> Error {
    limits::pass(limit);
    Error::str(limits::passed().unwrap_or(limit).message())
}

/// Takes steps, or fails where there are not as many left.
pub(crate) fn spend(steps: u64) -> Result<(), Error> {
    match limits::take(steps) {
        true => Ok(()),
        false => Err(Error::str(limits::passed().map_or_else(String::new, Limit::message))),
    }
}

impl Val {
    /// Levels of arrays and objects: 0 for all else.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Val::Arr(arr) => arr.depth,
            Val::Obj(obj) => obj.depth.max(1),
            _ => 0,
        }
    }

    /// An array, unless it would be too deep.
    pub(crate) fn array(arr: impl Into<Arr>) -> ValR {
        let arr = arr.into();
        match arr.depth <= MAX_DEPTH {
            true => Ok(Val::Arr(Rc::new(arr))),
            false => Err(beyond(Limit::Depth)),
        }
    }

    /// An object, unless it would be too deep.
    pub(crate) fn object(obj: Obj) -> ValR {
        match obj.depth <= MAX_DEPTH {
            true => Ok(Val::Obj(Rc::new(obj))),
            false => Err(beyond(Limit::Depth)),
        }
    }

    /// What it takes to walk all of the value: one for each value in it, and for
    /// each 32 bytes of text. Values that share what is in them can be far
    /// heavier than the memory that they hold, so that whatever walks a value
    /// takes as many steps first.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Val::Str(text) => 1 + text.len() as u64 / 32,
            Val::Arr(arr) => arr.weight,
            Val::Obj(obj) => obj.weight(),
            _ => 1,
        }
    }

    /// A string.
    pub(crate) fn str(text: impl Into<String>) -> Val {
        Val::Str(Rc::new(Text::from(text.into())))
    }

    pub(crate) fn int(int: i128) -> Val {
        Val::Num(Num::from(int))
    }

    /// A length or an index.
    pub(crate) fn count(count: usize) -> Val {
        Val::int(count as i128)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Val::Str(text) => Some(text),
            _ => None,
        }
    }

    /// What `type` says.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Val::Null => "null",
            Val::Bool(_) => "boolean",
            Val::Num(_) => "number",
            Val::Str(_) => "string",
            Val::Arr(_) => "array",
            Val::Obj(_) => "object",
        }
    }

    /// The value as JSON in one line, unless that is too long for a string.
    pub(crate) fn to_json(&self) -> Result<String, Error> {
        let mut text = write::Bounded::up_to(MAX_STRING_BYTES);
        match write::value(self, false, &mut text) {
            Ok(()) => Ok(text.text),
            // Unless it is the steps that were used up, which is noted then.
            Err(fmt::Error) => Err(beyond(Limit::String)),
        }
    }

    /// Strings as they are, all else as JSON.
    pub(crate) fn to_text(&self) -> Result<Rc<Text>, Error> {
        match self {
            Val::Str(text) => Ok(text.clone()),
            _ => self.to_json().map(|json| Rc::new(Text::from(json))),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Val::Null => 0,
            Val::Bool(false) => 1,
            Val::Bool(true) => 2,
            Val::Num(_) => 3,
            Val::Str(_) => 4,
            Val::Arr(_) => 5,
            Val::Obj(_) => 6,
        }
    }
}

impl From<bool> for Val {
    fn from(bool: bool) -> Self {
        Val::Bool(bool)
    }
}

impl From<isize> for Val {
    fn from(int: isize) -> Self {
        Val::int(int as i128)
    }
}

impl From<usize> for Val {
    fn from(count: usize) -> Self {
        Val::count(count)
    }
}

impl From<f64> for Val {
    fn from(float: f64) -> Self {
        Val::Num(Num::Float(float))
    }
}

/// A filter's own strings: each is copied whenever its term is run.
impl From<String> for Val {
    fn from(text: String) -> Self {
        limits::take(1);
        Val::str(text)
    }
}

/// What a slice is as a part of a path.
impl From<jaq_core::val::Range<Val>> for Val {
    fn from(range: jaq_core::val::Range<Val>) -> Self {
        let ends = [("start", range.start), ("end", range.end)];
        Val::Obj(Rc::new(ends.into_iter().map(|(key, end)| (key.into(), end.unwrap_or_default())).collect()))
    }
}

/// Collects an array. This cannot fail, so that past a limit it stops, and the
/// note that it leaves fails the filter.
impl FromIterator<Val> for Val {
    fn from_iter<I: IntoIterator<Item = Val>>(values: I) -> Self {
        /// How often it is asked whether there is room.
        const BATCH: usize = 4_096;
        let mut items = Vec::new();
        for value in values {
            if items.len() % BATCH == BATCH - 1 {
                if items.len() + 1 >= MAX_ITEMS {
                    limits::pass(Limit::Items);
                }
                // A list that grows is in memory twice.
                limits::has_room(2 * ITEM_BYTES * items.len() as u64);
                limits::take(1);
                if limits::passed().is_some() {
                    return Val::Null;
                }
            }
            items.push(value);
        }
        Val::array(items).unwrap_or_default()
    }
}

impl Val {
    /// Whether two values are equal. As long as the lighter one is heavy: see
    /// `==`, which takes the steps.
    fn same(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Null, Val::Null) => true,
            (Val::Bool(l), Val::Bool(r)) => l == r,
            (Val::Num(l), Val::Num(r)) => !l.is_nan() && l.total_cmp(r).is_eq(),
            (Val::Str(l), Val::Str(r)) => l == r,
            (Val::Arr(l), Val::Arr(r)) => {
                Rc::ptr_eq(l, r) || l.len() == r.len() && l.iter().zip(r.iter()).all(|(l, r)| l.same(r))
            }
            (Val::Obj(l), Val::Obj(r)) => {
                let member = |(key, value): (_, &Val)| r.get(key).is_some_and(|other| value.same(other));
                Rc::ptr_eq(l, r) || l.len() == r.len() && l.iter().all(|(key, value)| member((&**key, value)))
            }
            _ => false,
        }
    }

    /// The steps that comparing takes, at most; none for what is compared at once.
    fn steps_to_compare(&self, other: &Val) -> u64 {
        match (self, other) {
            (Val::Str(_), Val::Str(_)) => self.weight().min(other.weight()) - 1,
            (Val::Arr(l), Val::Arr(r)) if Rc::ptr_eq(l, r) => 0,
            (Val::Obj(l), Val::Obj(r)) if Rc::ptr_eq(l, r) => 0,
            (Val::Arr(_), Val::Arr(_)) => self.weight().min(other.weight()),
            // Both are sorted by their keys.
            (Val::Obj(_), Val::Obj(_)) => self.weight().saturating_add(other.weight()),
            _ => 0,
        }
    }

    fn may_compare(&self, other: &Val) -> bool {
        match self.steps_to_compare(other) {
            0 => true,
            steps => limits::take(steps),
        }
    }
}

/// As jq's operators compare: where the steps are used up, nothing is equal.
impl PartialEq for Val {
    fn eq(&self, other: &Self) -> bool {
        self.may_compare(other) && self.same(other)
    }
}

impl Eq for Val {}

/// As jq's operators compare: NaN is less than anything, itself included.
/// Sorting goes by [`Ord`], where NaN equals itself: there an order has to be
/// one, so that it takes no steps. Whoever sorts takes them before.
#[allow(clippy::non_canonical_partial_ord_impl)]
impl PartialOrd for Val {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Val::Num(l), Val::Num(_)) if l.is_nan() => Some(Ordering::Less),
            _ => self.may_compare(other).then(|| self.cmp(other)),
        }
    }
}

/// null, false, true, numbers, strings, arrays, objects: these by their sorted
/// keys, then by their values.
impl Ord for Val {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Val::Num(l), Val::Num(r)) => l.total_cmp(r),
            (Val::Str(l), Val::Str(r)) => l.cmp(r),
            (Val::Arr(l), Val::Arr(r)) if Rc::ptr_eq(l, r) => Ordering::Equal,
            (Val::Arr(l), Val::Arr(r)) => l.items.cmp(&r.items),
            (Val::Obj(l), Val::Obj(r)) if Rc::ptr_eq(l, r) => Ordering::Equal,
            (Val::Obj(l), Val::Obj(r)) => {
                let (l, r) = (l.sorted(), r.sorted());
                let keys = l.iter().map(|(key, _)| key).cmp(r.iter().map(|(key, _)| key));
                keys.then_with(|| l.iter().map(|(_, value)| value).cmp(r.iter().map(|(_, value)| value)))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// Bytes of a value that an error quotes.
const QUOTED_BYTES: usize = 60;

/// Keys that an error names.
const NAMED_KEYS: usize = 10;

/// The steps of finding where to cut a text that is quoted, and of making an
/// error of it.
const STEPS_TO_QUOTE: u64 = 16;

/// A value as an error quotes it, whatever its size: its type, and enough of it
/// to know it by.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        limits::take(STEPS_TO_QUOTE);
        match self {
            Val::Null => f.write_str("null"),
            Val::Bool(bool) => write!(f, "{bool}"),
            Val::Num(num) => {
                f.write_str("number ")?;
                num.write(f)
            }
            Val::Str(text) => {
                f.write_str("string ")?;
                let head = tuckaway_text::cut::head(text, QUOTED_BYTES);
                write::string(head, f)?;
                f.write_str(if head.len() < text.len() { "…" } else { "" })
            }
            Val::Arr(arr) => write!(f, "array of {}", arr.len()),
            Val::Obj(obj) if obj.is_empty() => f.write_str("object without keys"),
            Val::Obj(obj) => {
                f.write_str(if obj.len() == 1 { "object with the key " } else { "object with the keys " })?;
                keys(obj, f)
            }
        }
    }
}

/// Some of an object's keys, and how many more there are.
pub(crate) fn keys(obj: &Obj, f: &mut dyn fmt::Write) -> fmt::Result {
    for (index, (key, _)) in obj.iter().take(NAMED_KEYS).enumerate() {
        f.write_str(if index > 0 { ", " } else { "" })?;
        limits::take(STEPS_TO_QUOTE);
        let head = tuckaway_text::cut::head(key, QUOTED_BYTES);
        write::string(head, f)?;
        f.write_str(if head.len() < key.len() { "…" } else { "" })?;
    }
    match obj.len().saturating_sub(NAMED_KEYS) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
