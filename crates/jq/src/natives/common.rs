//! Code that natives share: their types, arguments and errors.

use jaq_core::native::bome;
use jaq_core::{Bind, Cv, RunPtr, ValX, ValXs};

use crate::run::Jq;
use crate::value::{FilterError, Val, ValR};

/// A filter whose arguments are values: its name, its number of arguments, and its function.
pub(super) type ValueNative = (&'static str, usize, RunPtr<Jq>);

/// Returns the bindings of arguments that are filters.
pub(super) fn filter_args(arity: usize) -> Box<[Bind]> {
    vec![Bind::Fun(()); arity].into()
}

/// Calls `f` with the input and with `N` arguments that are values, in their order.
pub(super) fn with_args<'a, const N: usize>(
    mut cv: Cv<'a, Jq>,
    f: impl FnOnce(Val, [Val; N]) -> ValR,
) -> ValXs<'a, Val> {
    let mut arguments = [const { Val::Null }; N];
    for argument in arguments.iter_mut().rev() {
        *argument = cv.0.pop_var();
    }
    bome(f(cv.1, arguments))
}

/// Returns a stream of one output.
pub(super) fn one_output<'a>(output: ValX<'a, Val>) -> ValXs<'a, Val> {
    Box::new(std::iter::once(output))
}

/// Returns the error of a value that is not of the kind that a filter takes.
pub(super) fn mismatch(value: &Val, expected: &str) -> FilterError {
    FilterError::str(format!("{value} is not {expected}"))
}
