//! Runs compiled filters on [`Val`]s, with a context that meters them.
//!
//! jaq looks each term up in a look-up table before it evaluates the term, and asks its context
//! for that table. This is where a filter is charged and stopped:
//!
//! - Each look-up takes a step; deeply nested ones take more.
//! - A context is passed down to the terms inside a term, by move or by clone, and never back up.
//!   The number of look-ups it has seen is the nesting depth of terms, which bounds their stack.
//! - Each iterator that may be resumed owns a context. The number of live contexts bounds the
//!   memory that jaq uses besides values.
//! - Once a limit is exceeded, contexts return a table in which every term ends the run, in a way
//!   that `try` cannot catch.
//!
//! This depends on the internals of one version of jaq, which is therefore pinned.

use std::cell::{Cell, OnceCell, RefCell};

use jaq_core::compile::TermId;
use jaq_core::data::HasLut;
use jaq_core::load::parse::{Def, Term};
use jaq_core::load::{Arena, File, Loader};
use jaq_core::native::Fun;
use jaq_core::{Bind, Compiler, Ctx, Cv, DataT, Exn, Lut, Native, ValX, ValXs, Vars};

use crate::limits::{self, Limit, MAX_NESTING};
use crate::value::Val;

/// The types that jaq runs filters with.
pub(crate) struct Jq;

impl DataT for Jq {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// A compiled filter.
pub(crate) struct Compiled {
    lut: Lut<Jq>,
    /// The call of the main filter, which is the last of all terms.
    id: TermId,
    /// The number of natives that it was compiled with.
    natives: usize,
    /// The terms that are evaluated without jaq.
    directs: Vec<Box<dyn DirectTerm>>,
    /// A table as long as `lut`; each of its terms ends the run.
    halting_lut: OnceCell<Lut<Jq>>,
}

impl Compiled {
    /// Wraps a filter that was compiled with this many natives. The last ones evaluate these terms.
    pub(crate) fn new(
        filter: jaq_core::Filter<Jq>,
        natives: usize,
        directs: Vec<Box<dyn DirectTerm>>,
    ) -> Self {
        Compiled { lut: filter.lut, id: filter.id, natives, directs, halting_lut: OnceCell::new() }
    }
}

/// Estimated size of a context and of the iterator that owns it.
pub(crate) const CONTEXT_BYTES: u64 = 384;

/// Responds to the requests of a planned filter for parts of the document.
pub(crate) trait Responder {
    /// Returns the values of the request with this number. Each is read when it is consumed.
    fn respond<'s>(&'s self, request: &Val) -> ValXs<'s, Val>;
}

/// A term that is evaluated without jaq (see `direct`).
pub(crate) trait DirectTerm {
    /// Evaluates the term. Its arguments are in the context.
    fn run<'a>(&'a self, cv: Cv<'a, Jq>) -> ValXs<'a, Val>;
}

/// The documents that follow the input of a filter.
pub(crate) trait Inputs {
    /// Reads the next document. Returns `None` if there is none.
    fn next_input<'x>(&self) -> Option<ValX<'x, Val>>;
}

/// The surroundings that a filter can reach besides its input.
#[derive(Clone, Copy, Default)]
pub(crate) struct Surroundings<'a> {
    /// Responds to requests, if the filter is planned.
    pub(crate) responder: Option<&'a dyn Responder>,
    pub(crate) inputs: Option<&'a dyn Inputs>,
    /// The values of the filter's variables.
    pub(crate) variables: &'a [Val],
}

/// A run of a filter: the data that all its contexts share.
pub(crate) struct Run<'a> {
    filter: &'a Compiled,
    surroundings: Surroundings<'a>,
}

/// The data of a context: the run it belongs to, and its depth. jaq copies contexts all the time,
/// so they are small.
pub(crate) struct Data<'a> {
    run: &'a Run<'a>,
    depth: Cell<u32>,
}

impl<'a> Data<'a> {
    /// Creates the data of a context, and charges it.
    ///
    /// Not inlined: jaq copies contexts at many places, and two counters are updated.
    #[inline(never)]
    pub(crate) fn new(run: &'a Run<'a>, depth: u32) -> Self {
        limits::charge(1);
        limits::reserve(CONTEXT_BYTES);
        Data { run, depth: Cell::new(depth) }
    }

    /// Returns the run that the context belongs to.
    pub(crate) fn run(&self) -> &'a Run<'a> {
        self.run
    }

    /// Returns the nesting depth of terms.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.get()
    }

    /// Returns the surroundings that the filter can reach besides its input.
    pub(crate) fn surroundings(&self) -> Surroundings<'a> {
        self.run.surroundings
    }
}

impl Clone for Data<'_> {
    fn clone(&self) -> Self {
        Data::new(self.run, self.depth.get())
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
            limits::exceed(Limit::Nesting);
        }
        let filter = self.run.filter;
        match limits::charge_lookup(depth) {
            true => &filter.lut,
            false => filter.halting_lut.get_or_init(|| halting_lut(filter)),
        }
    }
}

/// The native that ends a run. No filter can spell its name.
const HALT: &str = "!end";

/// Arguments of each call in the table of [`halting_lut`]. They are never evaluated.
const ARGUMENTS: usize = 8;

/// Returns a table with a term for each of the filter's terms; all of them end the run. The table
/// is created only when a limit is exceeded, so that other filters do not pay for it.
fn halting_lut(filter: &Compiled) -> Lut<Jq> {
    let native = |arity| -> Fun<Jq> {
        let native = Native::new(|_| halted()).with_paths(|_| halted());
        (HALT, vec![Bind::Fun(()); arity].into(), native)
    };
    let table = |depth| {
        let definition = Def { name: "_end", args: Vec::new(), body: nested_calls(depth) };
        let arena = Arena::default();
        let modules = Loader::new([definition]).load(&arena, File { code: "_end", path: () }).ok()?;
        // A native that was looked up in the filter's table runs out of this one: there must be the
        // same number of them.
        let funs = [0, ARGUMENTS].into_iter().chain((2..filter.natives).map(|_| 0)).map(native);
        Compiler::default().with_funs(funs).compile(modules).ok()
    };
    // In both tables, the call of the definition follows all other terms. The table of the last
    // depth has more terms than any filter.
    let mut tables = (3..=7).filter_map(table);
    tables.find(|table| table.id >= filter.id).unwrap_or_default().lut
}

/// Returns calls that are nested this deep.
fn nested_calls(depth: usize) -> Term<&'static str> {
    let arguments = if depth == 0 { 0 } else { ARGUMENTS };
    Term::Call(HALT, (0..arguments).map(|_| nested_calls(depth - 1)).collect())
}

/// Returns the result of every term after a limit is exceeded.
fn halted<'a, T: 'a>() -> ValXs<'a, T, Val> {
    Box::new(std::iter::once(Err(limit_halt())))
}

/// One output of a filter.
pub(crate) enum Output {
    Value(Val),
    /// The filter failed with this value; a string is its message.
    Error(Val),
    /// The filter halted the run, with a message if it failed.
    Halt(Option<Val>),
}

/// Exit code of a halt that stored a message.
pub(crate) const HALT_ERROR: i32 = 5;

/// Exit code of a halt because of a recorded limit.
const HALT_LIMIT: i32 = 6;

thread_local! {
    static HALT_MESSAGE: RefCell<Option<Val>> = const { RefCell::new(None) };
}

/// Clears the message of a `halt_error` that no output reported: a filter around it may end first.
pub(crate) fn clear_halt_message() {
    HALT_MESSAGE.take();
}

/// Stores the input of `halt_error`: a halt of jaq carries only an exit code.
pub(crate) fn store_halt_message(message: Val) {
    HALT_MESSAGE.with(|stored| stored.replace(Some(message)));
}

/// Returns the exception that ends a run because of a limit.
pub(crate) fn limit_halt<'a>() -> Exn<'a, Val> {
    Exn::halt(HALT_LIMIT)
}

impl<'a> Run<'a> {
    pub(crate) fn new(filter: &'a Compiled, surroundings: Surroundings<'a>) -> Self {
        Run { filter, surroundings }
    }

    /// Returns the term with this number that is evaluated without jaq.
    pub(crate) fn direct(&self, number: usize) -> Option<&'a dyn DirectTerm> {
        self.filter.directs.get(number).map(|direct| &**direct)
    }

    /// Runs the filter on an input. Each output is computed when it is consumed.
    pub(crate) fn outputs(&'a self, input: Val) -> impl Iterator<Item = Output> + 'a {
        let context = Ctx::new(Data::new(self, 0), Vars::new(self.surroundings.variables.iter().cloned()));
        self.filter.id.run::<Jq>((context, input)).map(|output| match output {
            Ok(value) => Output::Value(value),
            Err(exception) => match exception.get_err() {
                Ok(error) => Output::Error(error.into_val()),
                Err(exception) => match exception.get_halt() {
                    Ok(HALT_ERROR) => Output::Halt(HALT_MESSAGE.with(RefCell::take)),
                    Ok(_) => Output::Halt(None),
                    // jaq's own control flow never leaves a filter.
                    Err(_) => Output::Error(Val::str("the filter broke out of itself")),
                },
            },
        })
    }
}
