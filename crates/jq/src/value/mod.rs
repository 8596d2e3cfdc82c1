//! Values of filters.
//!
//! They do not come from jaq-json, for three reasons: integers are the same on 32 and 64 bits
//! ([`Num`]), every operator that can grow a value checks its limit ([`crate::limits`]), and every
//! value knows its depth, so that recursion over it cannot overflow the stack.

mod access;
mod number;
mod object;
mod operators;
mod text;
mod update;
pub(crate) mod write;

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use crate::limits::{self, Limit, MAX_DEPTH, MAX_ITEMS, Reservation};
pub(crate) use access::{cannot_index, indices_of, key_of};
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

/// An error of a filter, which the filter can catch.
pub(crate) type FilterError = jaq_core::Error<Val>;

/// The result of an operation on values.
pub(crate) type ValR = Result<Val, FilterError>;

/// An array.
#[derive(Debug)]
pub(crate) struct Arr {
    items: Vec<Val>,
    /// Upper bound of its levels, its own included.
    depth: u32,
    /// Cost of a walk over it; see [`Val::weight`].
    weight: u64,
    memory: Reservation,
}

/// Estimated sizes of an array, and of each of its elements.
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
        limits::charge(steps_to_copy(items.len()));
        let (mut depth, mut weight) = (0, 1);
        for item in &items {
            depth = depth.max(item.depth());
            weight = item.weight().saturating_add(weight);
        }
        let memory = Reservation::new(ARRAY_BYTES + ITEM_BYTES * items.len() as u64);
        Arr { items, depth: depth + 1, weight, memory }
    }
}

/// Charges the copy of the elements.
impl Clone for Arr {
    fn clone(&self) -> Self {
        limits::charge(steps_to_copy(self.len()));
        Arr { items: self.items.clone(), memory: self.memory.clone(), ..*self }
    }
}

impl Arr {
    pub(crate) fn into_items(self) -> Vec<Val> {
        self.items
    }

    /// Sets an element and returns the old one. Past the end, the array grows by nulls.
    fn set(&mut self, at: usize, value: Val) -> Val {
        if at >= self.len() {
            limits::charge(steps_to_copy(at - self.len()));
            self.memory.resize(ARRAY_BYTES + ITEM_BYTES * (at as u64 + 1));
            self.weight = self.weight.saturating_add((at - self.len()) as u64 + 1);
            self.items.resize(at + 1, Val::Null);
        }
        self.depth = self.depth.max(1 + value.depth());
        self.weight = weight_after(self.weight, &self.items[at], &value);
        std::mem::replace(&mut self.items[at], value)
    }

    /// Adds the elements of another array.
    fn append(&mut self, other: Rc<Arr>) {
        limits::charge(steps_to_copy(other.len()));
        self.depth = self.depth.max(other.depth);
        self.weight = self.weight.saturating_add(other.weight);
        self.memory.resize(self.memory.bytes() + ITEM_BYTES * other.len() as u64);
        match Rc::try_unwrap(other) {
            Ok(other) => self.items.extend(other.into_items()),
            Err(other) => self.items.extend(other.iter().cloned()),
        }
    }
}

/// Returns the steps of copying this many values.
fn steps_to_copy(values: usize) -> u64 {
    1 + values as u64 / 4
}

/// Returns the weight of a container after one value replaced another. A weight that overflowed
/// stays at its maximum.
fn weight_after(weight: u64, old: &Val, new: &Val) -> u64 {
    match weight {
        u64::MAX => weight,
        _ => (weight - old.weight().min(weight)).saturating_add(new.weight()),
    }
}

/// Records that a limit was exceeded, and returns the error: a filter that catches it is stopped
/// anyway.
pub(crate) fn limit_error(limit: Limit) -> FilterError {
    limits::exceed(limit);
    FilterError::str(limits::exceeded().unwrap_or(limit).message())
}

/// Charges steps, or fails if there are not enough.
pub(crate) fn charge(steps: u64) -> Result<(), FilterError> {
    match limits::charge(steps) {
        true => Ok(()),
        false => Err(FilterError::str(limits::exceeded().map_or_else(String::new, Limit::message))),
    }
}

impl Val {
    /// Returns the levels of arrays and objects; 0 for other values.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Val::Arr(arr) => arr.depth,
            Val::Obj(obj) => obj.depth.max(1),
            _ => 0,
        }
    }

    /// Creates an array, unless it is too deep.
    pub(crate) fn array(arr: impl Into<Arr>) -> ValR {
        let arr = arr.into();
        match arr.depth <= MAX_DEPTH {
            true => Ok(Val::Arr(Rc::new(arr))),
            false => Err(limit_error(Limit::Depth)),
        }
    }

    /// Creates an object, unless it is too deep.
    pub(crate) fn object(obj: Obj) -> ValR {
        match obj.depth <= MAX_DEPTH {
            true => Ok(Val::Obj(Rc::new(obj))),
            false => Err(limit_error(Limit::Depth)),
        }
    }

    /// Returns the cost of a walk over the value: one for each value in it, and for each 32 bytes
    /// of text. A value that contains the same value many times can be far heavier than its
    /// memory suggests: every walk over a value charges its weight first.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Val::Str(text) => 1 + text.len() as u64 / 32,
            Val::Arr(arr) => arr.weight,
            Val::Obj(obj) => obj.weight(),
            _ => 1,
        }
    }

    /// Creates a string.
    pub(crate) fn str(text: impl Into<String>) -> Val {
        Val::Str(Rc::new(Text::from(text.into())))
    }

    /// Creates an integer.
    pub(crate) fn int(int: i128) -> Val {
        Val::Num(Num::from(int))
    }

    /// Creates a length or an index.
    pub(crate) fn count(count: usize) -> Val {
        Val::int(count as i128)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Val::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the name of the value's `type`.
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

    /// Returns the value as JSON on one line, unless that is too long for a string.
    pub(crate) fn to_json(&self) -> Result<String, FilterError> {
        let mut text = write::Bounded::up_to(limits::max_string_bytes());
        match write::value(self, write::Layout::OneLine, &mut text) {
            Ok(()) => Ok(text.text),
            // If the steps ran out instead, that limit is on record and takes precedence.
            Err(fmt::Error) => Err(limit_error(Limit::String)),
        }
    }

    /// Returns strings unchanged, other values as JSON.
    pub(crate) fn to_text(&self) -> Result<Rc<Text>, FilterError> {
        match self {
            Val::Str(text) => Ok(text.clone()),
            _ => self.to_json().map(|json| Rc::new(Text::from(json))),
        }
    }

    /// Returns the place of the value's type in jq's order of types.
    fn type_rank(&self) -> u8 {
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

/// Converts a string of the filter's text, which is copied each time its term is evaluated.
impl From<String> for Val {
    fn from(text: String) -> Self {
        Val::str(text)
    }
}

/// Converts a slice to a component of a path.
impl From<jaq_core::val::Range<Val>> for Val {
    fn from(range: jaq_core::val::Range<Val>) -> Self {
        let ends = [("start", range.start), ("end", range.end)];
        Val::Obj(Rc::new(ends.into_iter().map(|(key, end)| (key.into(), end.unwrap_or_default())).collect()))
    }
}

/// Collects an array. This cannot fail: at a limit it stops, and the recorded limit fails the
/// filter.
impl FromIterator<Val> for Val {
    fn from_iter<I: IntoIterator<Item = Val>>(values: I) -> Self {
        let mut items = Vec::new();
        for value in values {
            if push_item(&mut items, value).is_err() {
                return Val::Null;
            }
        }
        Val::array(items).unwrap_or_default()
    }
}

/// Appends an element to those of a new array, unless a limit is exceeded.
pub(crate) fn push_item(items: &mut Vec<Val>, item: Val) -> Result<(), FilterError> {
    /// Elements between two checks of the limits.
    const BATCH: usize = 4_096;
    if items.len() % BATCH == BATCH - 1 {
        if items.len() + 1 >= MAX_ITEMS {
            limits::exceed(Limit::Items);
        }
        // A vector that grows is in memory twice.
        limits::check_memory(2 * ITEM_BYTES * items.len() as u64);
        charge(1)?;
    }
    items.push(item);
    Ok(())
}

impl Val {
    /// Compares two values, in time proportional to the weight of the lighter one. `==` charges
    /// the steps.
    fn is_equal(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Null, Val::Null) => true,
            (Val::Bool(l), Val::Bool(r)) => l == r,
            (Val::Num(l), Val::Num(r)) => !l.is_nan() && l.total_cmp(r).is_eq(),
            (Val::Str(l), Val::Str(r)) => l == r,
            (Val::Arr(l), Val::Arr(r)) => {
                Rc::ptr_eq(l, r) || l.len() == r.len() && l.iter().zip(r.iter()).all(|(l, r)| l.is_equal(r))
            }
            (Val::Obj(l), Val::Obj(r)) => {
                let member = |(key, value): (_, &Val)| r.get(key).is_some_and(|other| value.is_equal(other));
                Rc::ptr_eq(l, r) || l.len() == r.len() && l.iter().all(|(key, value)| member((&**key, value)))
            }
            _ => false,
        }
    }

    /// Returns an upper bound of the steps of a comparison; 0 if it takes constant time.
    fn steps_to_compare(&self, other: &Val) -> u64 {
        match (self, other) {
            (Val::Str(_), Val::Str(_)) => self.weight().min(other.weight()) - 1,
            (Val::Arr(l), Val::Arr(r)) if Rc::ptr_eq(l, r) => 0,
            (Val::Obj(l), Val::Obj(r)) if Rc::ptr_eq(l, r) => 0,
            (Val::Arr(_), Val::Arr(_)) => self.weight().min(other.weight()),
            // The keys of both are sorted first.
            (Val::Obj(_), Val::Obj(_)) => self.weight().saturating_add(other.weight()),
            _ => 0,
        }
    }

    /// Orders two values as sorts do, and charges the comparison. Returns `None` if there are not
    /// enough steps.
    pub(crate) fn metered_cmp(&self, other: &Val) -> Option<Ordering> {
        self.charge_comparison(other).then(|| self.cmp(other))
    }

    /// Charges a comparison. Returns false if there are not enough steps.
    fn charge_comparison(&self, other: &Val) -> bool {
        match self.steps_to_compare(other) {
            0 => true,
            steps => limits::charge(steps),
        }
    }
}

/// Compares as jq's operators do. If the steps run out, nothing is equal.
impl PartialEq for Val {
    fn eq(&self, other: &Self) -> bool {
        self.charge_comparison(other) && self.is_equal(other)
    }
}

impl Eq for Val {}

/// Compares as jq's operators do: NaN is less than anything, itself included. Sorting uses
/// [`Ord`], where NaN equals itself and no steps are charged, because a comparator must not
/// change during a sort. Callers charge the steps of a sort before it.
#[allow(clippy::non_canonical_partial_ord_impl)]
impl PartialOrd for Val {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Val::Num(l), Val::Num(_)) if l.is_nan() => Some(Ordering::Less),
            _ => self.metered_cmp(other),
        }
    }
}

/// Orders null, false, true, numbers, strings, arrays, objects. Objects are ordered by their
/// sorted keys, then by their values.
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
            _ => self.type_rank().cmp(&other.type_rank()),
        }
    }
}

/// Sorts values by [`Ord`]. `sort` would use [`PartialOrd`], which charges steps and returns another
/// order once they run out: a comparator that changes can make a sort panic.
#[allow(clippy::unnecessary_sort_by)]
pub(crate) fn sort_values(values: &mut [Val]) {
    values.sort_by(|l, r| l.cmp(r));
}

/// Bytes of a string or a key that an error quotes.
const QUOTED_BYTES: usize = 60;

/// Keys that an error lists.
const LISTED_KEYS: usize = 10;

/// Steps of truncating a quoted text, and of making an error of it.
const STEPS_TO_QUOTE: u64 = 16;

/// Writes the quote of a value for errors, whatever its size: its type, and enough content to
/// recognize it.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        limits::charge(STEPS_TO_QUOTE);
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
                write_keys(obj, f)
            }
        }
    }
}

/// Writes the first keys of an object, and the number of further keys.
fn write_keys(obj: &Obj, f: &mut dyn fmt::Write) -> fmt::Result {
    for (index, (key, _)) in obj.iter().take(LISTED_KEYS).enumerate() {
        f.write_str(if index > 0 { ", " } else { "" })?;
        limits::charge(STEPS_TO_QUOTE);
        let head = tuckaway_text::cut::head(key, QUOTED_BYTES);
        write::string(head, f)?;
        f.write_str(if head.len() < key.len() { "…" } else { "" })?;
    }
    match obj.len().saturating_sub(LISTED_KEYS) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
