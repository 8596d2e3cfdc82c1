//! Expressions that are evaluated directly, without jaq.
//!
//! jaq evaluates each term to an iterator, because a term of jq may have any number of outputs. Most terms
//! inside a filter have exactly one: `.price * $rate`, `[.[-1] + $n]`, `.total += $row.total`. For these, the
//! iterators, the contexts they own, and their allocations take most of the time.
//!
//! Before a filter is compiled, [`take`] replaces such terms by calls of natives: expressions whose results
//! have no path, and `reduce` and `foreach` whose parts, except for the stream, are expressions. A native
//! finds its expression in the run, by its number. Variables of the filter become its arguments.
//!
//! Results and errors are those of jaq; a property test compares both. Only the steps differ: an
//! expression takes one for each operator, and no context is copied for it.

mod expression;
mod fold;
mod translate;

use jaq_core::load::parse::Def;
use jaq_core::native::Fun;
use jaq_core::{Bind, Ctx, Cv, Native, RunPtr, ValXs, Vars};

use crate::run::{Data, DirectTerm, Jq, Run};
use crate::term::{Term, for_each_child};
use crate::value::Val;
use expression::Expression;
use fold::Fold;

/// The natives that replace terms: their names, which no filter can spell, and their functions. A filter
/// with more such terms leaves the others to jaq.
const NATIVES: [(&str, RunPtr<Jq>); 12] = [
    ("!direct0", |cv| run(0, cv)),
    ("!direct1", |cv| run(1, cv)),
    ("!direct2", |cv| run(2, cv)),
    ("!direct3", |cv| run(3, cv)),
    ("!direct4", |cv| run(4, cv)),
    ("!direct5", |cv| run(5, cv)),
    ("!direct6", |cv| run(6, cv)),
    ("!direct7", |cv| run(7, cv)),
    ("!direct8", |cv| run(8, cv)),
    ("!direct9", |cv| run(9, cv)),
    ("!direct10", |cv| run(10, cv)),
    ("!direct11", |cv| run(11, cv)),
];

/// A term that was replaced.
pub(crate) struct Direct {
    kind: Kind,
    /// The number of variables that it takes from the filter.
    captured: usize,
}

enum Kind {
    Expression(Expression),
    Fold(Fold),
}

/// What an expression can reach besides its input.
struct Scope<'a> {
    run: &'a Run<'a>,
    depth: u32,
    /// The variable of the fold that the expression is a part of, and those of the filter.
    variables: Vec<Val>,
}

impl<'a> Scope<'a> {
    /// Creates the context of a native without arguments.
    fn context(&self) -> Ctx<'a, Jq> {
        Ctx::new(Data::new(self.run, self.depth), Vars::new([]))
    }
}

#[cfg(test)]
thread_local! {
    static IS_OFF: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `f` with all terms left to jaq.
#[cfg(test)]
pub(crate) fn without_it<T>(f: impl FnOnce() -> T) -> T {
    struct On;
    impl Drop for On {
        fn drop(&mut self) {
            IS_OFF.set(false);
        }
    }
    IS_OFF.set(true);
    let _on_again = On;
    f()
}

/// Replaces terms of a filter by calls of natives, the outermost first.
pub(crate) fn take(term: &mut Term) -> Vec<Direct> {
    let mut taken = Vec::new();
    #[cfg(test)]
    if IS_OFF.get() {
        return taken;
    }
    let mut names = Vec::new();
    add_definitions(term, &mut names);
    replace(term, &names, &mut taken);
    taken
}

/// Returns the natives that the calls of these terms need.
pub(crate) fn natives(taken: &[Direct]) -> impl Iterator<Item = Fun<Jq>> {
    taken.iter().zip(NATIVES).map(|(direct, (name, run))| {
        let stream = matches!(direct.kind, Kind::Fold(_)).then_some(Bind::Fun(()));
        let variables = std::iter::repeat_n(Bind::Var(()), direct.captured);
        (name, stream.into_iter().chain(variables).collect(), Native::<Jq>::new(run))
    })
}

/// Adds the names that definitions in a term take from jq's own filters, and those of their arguments.
fn add_definitions<'f>(term: &mut Term<'f>, names: &mut Vec<&'f str>) {
    if let Term::Def(definitions, _) = term {
        for Def { name, args, body } in definitions {
            names.push(name);
            names.extend(args.iter());
            add_definitions(body, names);
        }
    }
    for_each_child(term, &mut |child| add_definitions(child, names));
}

/// Replaces a term, or else the terms in it.
fn replace<'f>(term: &mut Term<'f>, defined: &[&'f str], taken: &mut Vec<Direct>) {
    let Some((name, _)) = NATIVES.get(taken.len()) else { return };
    if let Some((direct, arguments)) = translate::term(term, defined) {
        taken.push(direct);
        *term = Term::Call(name, arguments);
    }
    if let Term::Def(definitions, _) = term {
        definitions.iter_mut().for_each(|definition| replace(&mut definition.body, defined, taken));
    }
    for_each_child(term, &mut |child| replace(child, defined, taken));
}

/// Runs the term with this number.
fn run(number: usize, cv: Cv<'_, Jq>) -> ValXs<'_, Val> {
    match cv.0.data().run().direct(number) {
        Some(direct) => direct.run(cv),
        None => Box::new(std::iter::empty()),
    }
}

impl DirectTerm for Direct {
    fn run<'a>(&'a self, mut cv: Cv<'a, Jq>) -> ValXs<'a, Val> {
        let mut variables = Vec::new();
        if self.captured > 0 || matches!(self.kind, Kind::Fold(_)) {
            // The first place is for the variable of a fold. The last argument is on top.
            variables = vec![Val::Null; 1 + self.captured];
            variables[1..].iter_mut().rev().for_each(|variable| *variable = cv.0.pop_var());
        }
        let scope = Scope { run: cv.0.data().run(), depth: cv.0.data().depth(), variables };
        match &self.kind {
            Kind::Expression(expression) => Box::new(std::iter::once(expression.evaluate(cv.1, &scope))),
            Kind::Fold(fold) => {
                let (stream, context) = cv.0.pop_fun();
                fold.run(stream.run((context, cv.1.clone())), cv.1, scope)
            }
        }
    }
}
