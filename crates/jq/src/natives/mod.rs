//! Filters in Rust. They replace jaq's own filters of the same name: where the two differ, these
//! answer as jq does, the same on 32 and 64 bits, and within [`crate::limits`].

mod base32;
mod collections;
mod common;
mod contain;
mod encodings;
mod entries;
mod inputs;
mod loops;
mod math;
mod order;
mod paths;
mod regex;
mod strings;
mod time;

use jaq_core::native::{self, Fun, v};
use jaq_core::{Cv, Native, RunPtr};

use crate::run::Jq;
use common::ValueNative;

pub(crate) use regex::clear_pattern_cache;

/// Returns the filters whose arguments are values.
fn of_values() -> impl Iterator<Item = &'static ValueNative> {
    let tables = [
        collections::COLLECTIONS,
        strings::STRINGS,
        encodings::ENCODINGS,
        math::UNARY,
        math::BINARY,
        math::OTHERS,
        regex::REGEX,
        time::TIME,
    ];
    tables.into_iter().flatten()
}

/// Returns the filter of this name without arguments, if it is one of this module. It has exactly one
/// output, or an error.
pub(crate) fn without_arguments(wanted: &str) -> Option<RunPtr<Jq>> {
    of_values().find(|(name, arity, _)| *name == wanted && *arity == 0).map(|(.., run)| *run)
}

/// Returns all filters of this module.
pub(crate) fn funs() -> impl Iterator<Item = Fun<Jq>> {
    let values = of_values().map(|&(name, arity, run)| native::run::<Jq>((name, v(arity), run)));
    let empty = Native::new(|_: Cv<Jq>| Box::new(std::iter::empty()));
    let empty = empty.with_paths(|_| Box::new(std::iter::empty()));
    values
        .chain(collections::funs())
        .chain(paths::funs())
        .chain(order::funs())
        .chain(inputs::funs())
        .chain(loops::funs())
        .chain([("empty", common::filter_args(0), empty)])
}
