//! `input` and `inputs`: the documents that follow the input of the filter.

use jaq_core::native::{self, Fun};
use jaq_core::{Cv, RunPtr, ValX, ValXs};

use super::common::{filter_args, one_output};
use crate::limits;
use crate::run::Jq;
use crate::value::{FilterError, Val, charge};

pub(super) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let funs: [(&str, usize, RunPtr<Jq>); 2] = [("input", 0, input), ("inputs", 0, inputs)];
    funs.into_iter().map(|(name, arity, run)| native::run::<Jq>((name, filter_args(arity), run)))
}

fn input(cv: Cv<Jq>) -> ValXs<Val> {
    let next = cv.0.data().surroundings().inputs.and_then(|inputs| inputs.next_input());
    one_output(next.unwrap_or_else(|| Err(FilterError::str("No more inputs").into())))
}

fn inputs(cv: Cv<Jq>) -> ValXs<Val> {
    let inputs = cv.0.data().surroundings().inputs;
    let steps = limits::steps_per_output();
    Box::new(std::iter::from_fn(move || -> Option<ValX<Val>> {
        let next = inputs?.next_input()?;
        Some(next.and_then(|next| {
            charge(steps)?;
            Ok(next)
        }))
    }))
}
