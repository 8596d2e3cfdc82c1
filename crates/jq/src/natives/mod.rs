//! Filters in Rust. They replace jaq's own filters of the same name: where the two differ, these
//! answer as jq does, the same on 32 and 64 bits, and within [`crate::limits`].

mod base32;
mod collections;
mod common;
mod contain;
mod encodings;
mod entries;
mod inputs;
mod math;
mod order;
mod paths;
mod regex;
mod strings;
mod time;

use jaq_core::native::{self, Fun, v};
use jaq_core::{Cv, Native};

use crate::run::Jq;

pub(crate) use regex::clear_pattern_cache;

/// Returns all filters of this module.
pub(crate) fn funs() -> impl Iterator<Item = Fun<Jq>> {
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
    let values =
        tables.into_iter().flatten().map(|&(name, arity, run)| native::run::<Jq>((name, v(arity), run)));
    let empty = Native::new(|_: Cv<Jq>| Box::new(std::iter::empty()));
    let empty = empty.with_paths(|_| Box::new(std::iter::empty()));
    values
        .chain(collections::funs())
        .chain(paths::funs())
        .chain(order::funs())
        .chain(inputs::funs())
        .chain([("empty", common::filter_args(0), empty)])
}
