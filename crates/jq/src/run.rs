//! What jaq runs a filter with: our values, and the context that counts.
//!
//! jaq looks every term up before it runs it, by a look-up table that it asks
//! its context for. This is where a filter is counted and where it is ended:
//!
//! - Each look-up is a step; where terms nest deep, more than one.
//! - A context is handed down to the terms inside of a term, moved or copied,
//!   and never back up: how often it was asked is how deep terms nest, and
//!   bounds the stack that they take.
//! - Whatever waits for its next output holds a context: how many are alive
//!   bounds the memory of what jaq keeps beside values.
//! - Where a limit is passed, the table that is given out from then on is one
//!   whose every term ends the run, with what `try` cannot catch.

use std::cell::{Cell, OnceCell, RefCell};

use jaq_core::compile::TermId;
use jaq_core::data::HasLut;
use jaq_core::load::parse::{Def, Term};
use jaq_core::load::{Arena, File, Loader};
use jaq_core::native::Fun;
use jaq_core::{Bind, Compiler, Ctx, DataT, Exn, Lut, Native, ValXs, Vars};

use super::limits::{self, Limit, MAX_NESTING};
use super::push::Answers;
use super::value::Val;

/// The kind of data that filters run on.
pub(crate) struct Jq;

impl DataT for Jq {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// A filter that runs.
pub(crate) struct Compiled {
    lut: Lut<Jq>,
    /// The last of all terms, which is the call of the main filter.
    id: TermId,
    /// As long as `lut`, and ends whatever it is asked for.
    end: OnceCell<Lut<Jq>>,
}

impl From<jaq_core::Filter<Jq>> for Compiled {
    /// The main filter is a call without arguments.
    fn from(filter: jaq_core::Filter<Jq>) -> Self {
        Compiled { lut: filter.lut, id: filter.id, end: OnceCell::new() }
    }
}

/// The bytes that a context stands for, with what holds it.
const CONTEXT_BYTES: u64 = 384;

/// What is shared by everything that runs in one filter, and how deep this
/// context is in it.
pub(crate) struct Data<'a> {
    filter: &'a Compiled,
    /// Of a planned filter: what it asks of the document.
    pub(super) answers: Option<&'a dyn Answers>,
    depth: Cell<u32>,
}

impl<'a> Data<'a> {
    fn new(filter: &'a Compiled, answers: Option<&'a dyn Answers>, depth: u32) -> Self {
        limits::hold(CONTEXT_BYTES);
        Data { filter, answers, depth: Cell::new(depth) }
    }
}

impl Clone for Data<'_> {
    fn clone(&self) -> Self {
        Data::new(self.filter, self.answers, self.depth.get())
    }
}

impl Drop for Data<'_> {
    fn drop(&mut self) {
        limits::release(CONTEXT_BYTES);
    }
}

impl<'a> HasLut<'a, Jq> for Data<'a> {
    fn lut(&self) -> &'a Lut<Jq> {
        let depth = self.depth.get();
        self.depth.set(depth + 1);
        if depth >= MAX_NESTING {
            limits::pass(Limit::Nesting);
        }
        match limits::look_up(depth) {
            true => &self.filter.lut,
            false => self.filter.end.get_or_init(|| end(self.filter.id)),
        }
    }
}

/// The name of what ends a run; no filter can call it.
const END: &str = "!end";

/// Terms that a term of [`end`] has inside of it, and never looks at.
const INSIDE: usize = 8;

/// A table with a term for each up to the last one, of which each ends the run.
/// It is made where a limit was passed, so that no other filter pays for it.
fn end(last: TermId) -> Lut<Jq> {
    let native = |arity| -> Fun<Jq> {
        let native = Native::new(|_| ended()).with_paths(|_| ended());
        (END, vec![Bind::Fun(()); arity].into(), native)
    };
    // A native that was looked up in the filter's table is run out of this one.
    let natives = super::natives::all().count();
    let table = |depth| {
        let all = Def { name: "_end", args: Vec::new(), body: nested(depth) };
        let arena = Arena::default();
        let modules = Loader::new([all]).load(&arena, File { code: "_end", path: () }).ok()?;
        let funs = [0, INSIDE].into_iter().chain((2..natives).map(|_| 0)).map(native);
        Compiler::default().with_funs(funs).compile(modules).ok()
    };
    // The call of the definition stands behind all other terms, in both tables.
    // Of the depths, the last one has more terms than any filter is long.
    let mut tables = (3..=7).filter_map(table);
    tables.find(|table| table.id >= last).unwrap_or_default().lut
}

/// Calls in calls, as many levels.
fn nested(depth: usize) -> Term<&'static str> {
    let inside = if depth == 0 { 0 } else { INSIDE };
    Term::Call(END, (0..inside).map(|_| nested(depth - 1)).collect())
}

/// What every term gives where a limit was passed.
fn ended<'a, T: 'a>() -> ValXs<'a, T, Val> {
    Box::new(std::iter::once(Err(halted_by_limit())))
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

/// The code of a halt where a limit was passed, of which there is a note.
const HALT_LIMIT: i32 = 6;

thread_local! {
    static HALTED: RefCell<Option<Val>> = const { RefCell::new(None) };
}

/// Drops what a `halt_error` left that was never put out: a filter around it may end
/// first.
pub(super) fn forget_halt() {
    HALTED.take();
}

/// Keeps what `halt_error` was given: jaq's halt has room for a number only.
pub(super) fn note_halt(message: Val) {
    HALTED.with(|halted| halted.replace(Some(message)));
}

/// The end of the run, where a limit was passed.
pub(super) fn halted_by_limit<'a>() -> Exn<'a, Val> {
    Exn::halt(HALT_LIMIT)
}

/// The outputs of a filter, each when it is asked for.
pub(super) fn run<'a>(
    filter: &'a Compiled,
    input: Val,
    answers: Option<&'a dyn Answers>,
) -> impl Iterator<Item = Output> + 'a {
    let context = Ctx::new(Data::new(filter, answers, 0), Vars::new([]));
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
