//! What jaq runs a filter with: our values, and the context that every native
//! can ask.

use std::cell::RefCell;

use jaq_core::data::HasLut;
use jaq_core::{Ctx, DataT, Lut, Vars};

use super::compile::Filter;
use super::push::Answers;
use super::value::Val;

/// The kind of data that filters run on.
pub(crate) struct Jq;

impl DataT for Jq {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// What is shared by everything that runs in one filter.
#[derive(Clone)]
pub(crate) struct Data<'a> {
    lut: &'a Lut<Jq>,
    /// Of a planned filter: what it asks of the document.
    pub(super) answers: Option<&'a dyn Answers>,
}

impl<'a> HasLut<'a, Jq> for Data<'a> {
    fn lut(&self) -> &'a Lut<Jq> {
        self.lut
    }
}

/// How one output came out.
pub(super) enum Output {
    Value(Val),
    /// The filter failed with this; a string is its message.
    Error(Val),
    /// The filter ended all of it, with a message if it failed.
    Halt(Option<Val>),
}

/// The code of a halt that leaves a message.
pub(super) const HALT_ERROR: i32 = 5;

thread_local! {
    static HALTED: RefCell<Option<Val>> = const { RefCell::new(None) };
}

/// Keeps what `halt_error` was given: jaq's halt has room for a number only.
pub(super) fn note_halt(message: Val) {
    HALTED.with(|halted| halted.replace(Some(message)));
}

/// The outputs of a filter, each when it is asked for.
pub(super) fn run<'a>(
    filter: &'a Filter,
    input: Val,
    answers: Option<&'a dyn Answers>,
) -> impl Iterator<Item = Output> + 'a {
    let context = Ctx::new(Data { lut: &filter.lut, answers }, Vars::new([]));
    filter.id.run::<Jq>((context, input)).map(|output| match output {
        Ok(value) => Output::Value(value),
        Err(exception) => match exception.get_err() {
            Ok(error) => Output::Error(error.into_val()),
            Err(exception) => match exception.get_halt() {
                Ok(HALT_ERROR) => Output::Halt(HALTED.with(RefCell::take)),
                Ok(_) => Output::Halt(None),
                // Control flow of jaq's own never gets out of a filter.
                Err(_) => Output::Error(Val::str("the filter broke out of itself")),
            },
        },
    })
}
