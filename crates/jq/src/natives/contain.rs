//! `contains`.

use std::rc::Rc;

use crate::value::{FilterError, Val, charge};

/// Returns whether a value contains a part. Only strings, arrays and objects of the same type can
/// be compared at the top; inside them, no value contains one of another type.
pub(super) fn contains(value: &Val, part: &Val) -> Result<bool, FilterError> {
    match value.type_name() == part.type_name() {
        true => Search::default().finds(value, part),
        false => Err(FilterError::str(format!("cannot check whether {value} contains {part}"))),
    }
}

/// Weight from which the result for a container that is compared with itself is kept.
const KEPT_WEIGHT: u64 = 256;

/// A search for a part.
#[derive(Default)]
struct Search {
    /// The containers that were compared with themselves, by their address, and whether each
    /// contains itself: it does unless a NaN is in it. A value that is made of few others, each of
    /// them many times, is compared in time proportional to its memory.
    same: Vec<(usize, bool)>,
}

impl Search {
    /// Recursion is as deep as the values.
    fn finds(&mut self, value: &Val, part: &Val) -> Result<bool, FilterError> {
        charge(1)?;
        let Some(address) = shared_address(value, part) else { return self.compares(value, part) };
        match self.same.binary_search_by_key(&address, |(address, _)| *address) {
            Ok(at) => Ok(self.same[at].1),
            Err(_) => {
                let is_found = self.compares(value, part)?;
                let at = self.same.partition_point(|(other, _)| *other < address);
                self.same.insert(at, (address, is_found));
                Ok(is_found)
            }
        }
    }

    fn compares(&mut self, value: &Val, part: &Val) -> Result<bool, FilterError> {
        match (value, part) {
            (Val::Obj(value), Val::Obj(part)) => {
                for (key, part) in part.iter() {
                    let Some(value) = value.get(key) else { return Ok(false) };
                    if !self.finds(value, part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Val::Arr(value), Val::Arr(part)) => {
                for part in part.iter() {
                    if !self.is_in(value, part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Val::Str(value), Val::Str(part)) => {
                charge((value.len() + part.len()) as u64 / 16)?;
                Ok(value.contains(&***part))
            }
            _ => Ok(value == part),
        }
    }

    /// Returns whether an element contains the part.
    fn is_in(&mut self, elements: &[Val], part: &Val) -> Result<bool, FilterError> {
        for element in elements {
            if self.finds(element, part)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the address of a heavy container if both values are the same one.
fn shared_address(value: &Val, part: &Val) -> Option<usize> {
    let address = match (value, part) {
        (Val::Arr(value), Val::Arr(part)) if Rc::ptr_eq(value, part) => Rc::as_ptr(value).addr(),
        (Val::Obj(value), Val::Obj(part)) if Rc::ptr_eq(value, part) => Rc::as_ptr(value).addr(),
        _ => return None,
    };
    (value.weight() >= KEPT_WEIGHT).then_some(address)
}
