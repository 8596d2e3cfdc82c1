//! Rewrites filters before they are compiled, so that everything they do is bounded.
//!
//! `run` bounds most of what jaq evaluates, but not all ways to consume stack or time
//! between two look-ups. They are removed here, from the filter and from all definitions alike:
//!
//! - **Updates.** jaq evaluates `p |= f` as nested closures, one for each part of `p` and each
//!   round of a loop. It becomes a call of a native, which computes the paths of `p` and updates
//!   one after the other, as jq does.
//! - **Tail calls that bind filters.** `def f(g): f(g + 1); …` recurses without stack, but builds a
//!   chain of closures that needs it once the chain is called or dropped. Recursive calls that pass
//!   a filter are therefore not treated as tail calls.
//! - **`..`** passes each value through as many iterators as it is deep. It becomes a call of a
//!   native that does not.
//! - **Paths.** Loops, and definitions that call each other, can build a path of any length, which
//!   needs stack when it is dropped. They call a native that bounds its length.

use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::path::{Opt, Part};

use crate::term::for_each_child;

/// Natives that rewritten filters call. No filter can spell their names.
pub(crate) const UPDATE: &str = "!update";
pub(crate) const UPDATE_EACH: &str = "!update_each";
pub(crate) const LOOP_GUARD: &str = "!loop";
pub(crate) const RECURSE: &str = "!recurse";

/// The variable for the right side of an assignment.
const ASSIGNED: &str = "$!assigned";

/// The author of a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Author {
    /// This crate or jaq. Definitions that do not call themselves never build long paths.
    Trusted,
    Unknown,
}

/// A definition around a term.
#[derive(Clone, Copy)]
struct Enclosing<'s> {
    name: &'s str,
    arity: usize,
    /// Whether some of its arguments are filters, not values.
    takes_filters: bool,
}

/// Rewrites a top-level definition.
pub(crate) fn definition(mut def: Def<&str>, author: Author) -> Def<&str> {
    rewrite_definition(&mut def, author, &mut Vec::new());
    def
}

fn rewrite_definition<'s>(def: &mut Def<&'s str>, author: Author, enclosing: &mut Vec<Enclosing<'s>>) {
    let arity = def.args.len();
    let takes_filters = def.args.iter().any(|arg| !arg.starts_with('$'));
    enclosing.push(Enclosing { name: def.name, arity, takes_filters });
    let mut may_repeat = author == Author::Unknown;
    for_each_call(&mut def.body, &mut |name, args| may_repeat |= name == def.name && args == arity);
    rewrite(&mut def.body, author, enclosing);
    if may_repeat && extends_paths(&def.body) {
        guard_paths(&mut def.body);
    }
    enclosing.pop();
}

fn rewrite<'s>(term: &mut Term<&'s str>, author: Author, enclosing: &mut Vec<Enclosing<'s>>) {
    if let Term::Def(defs, _) = term {
        defs.iter_mut().for_each(|def| rewrite_definition(def, author, enclosing));
    }
    for_each_child(term, &mut |child| rewrite(child, author, enclosing));
    match term {
        Term::BinOp(
            _,
            BinaryOp::Update | BinaryOp::Assign | BinaryOp::UpdateMath(_) | BinaryOp::UpdateAlt,
            _,
        ) => {
            if let Term::BinOp(path, op, right) = std::mem::take(term) {
                *term = update(*path, op, *right);
            }
        }
        Term::Recurse => *term = Term::Call(RECURSE, Vec::new()),
        Term::Call(name, args) => {
            let (name, arity) = (*name, args.len());
            let is_called = |def: &Enclosing| def.takes_filters && def.name == name && def.arity == arity;
            if enclosing.iter().any(is_called) {
                // A pipe after the call makes it no tail call.
                *term = pipe(std::mem::take(term), None, Term::Id);
            }
        }
        Term::Fold(_, _, _, args) => {
            if let Some(update) = args.get_mut(1)
                && extends_paths(update)
            {
                guard_paths(update);
            }
        }
        _ => {}
    }
}

/// Returns `l | r`, or `l as bound | r`.
pub(crate) fn pipe<'s>(l: Term<&'s str>, bound: Option<Pattern<&'s str>>, r: Term<&'s str>) -> Term<&'s str> {
    Term::BinOp(Box::new(l), BinaryOp::Pipe(bound), Box::new(r))
}

/// Creates a term call the native that bounds paths first.
fn guard_paths(term: &mut Term<&str>) {
    *term = pipe(Term::Call(LOOP_GUARD, Vec::new()), None, std::mem::take(term));
}

/// Returns `path op right` as a call. The right side is evaluated once, as in jq.
fn update<'s>(path: Term<&'s str>, op: BinaryOp<&'s str>, right: Term<&'s str>) -> Term<&'s str> {
    let assigned = || Term::Var(ASSIGNED);
    let with = |op| Term::BinOp(Box::new(Term::Id), op, Box::new(assigned()));
    let updated = match op {
        BinaryOp::Assign => assigned(),
        BinaryOp::UpdateMath(math) => with(BinaryOp::Math(math)),
        BinaryOp::UpdateAlt => with(BinaryOp::Alt),
        _ => return call_update(path, right),
    };
    pipe(right, Some(Pattern::Var(ASSIGNED)), call_update(path, updated))
}

fn call_update<'s>(path: Term<&'s str>, f: Term<&'s str>) -> Term<&'s str> {
    match &path {
        Term::Path(of, parts)
            if matches!(**of, Term::Id)
                && matches!(parts.0[..], [(Part::Range(None, None), Opt::Essential)]) =>
        {
            Term::Call(UPDATE_EACH, vec![f])
        }
        _ => Term::Call(UPDATE, vec![path, f]),
    }
}

/// Calls `f` with the name and the number of arguments of each call in a term and in its
/// definitions.
fn for_each_call<'s>(term: &mut Term<&'s str>, f: &mut dyn FnMut(&str, usize)) {
    match term {
        Term::Call(name, args) => f(name, args.len()),
        Term::Def(defs, _) => defs.iter_mut().for_each(|def| for_each_call(&mut def.body, f)),
        _ => {}
    }
    for_each_child(term, &mut |child| for_each_call(child, f));
}

/// Returns whether a term calls a filter of one of these names, without arguments.
pub(crate) fn calls(term: &Term<&str>, names: &[&str]) -> bool {
    let mut is_called = false;
    for_each_call(&mut term.clone(), &mut |name, args| is_called |= args == 0 && names.contains(&name));
    is_called
}

/// Returns whether the path of an output of a term can be longer than that of its input.
fn extends_paths(term: &Term<&str>) -> bool {
    match term {
        Term::Path(..) | Term::Recurse => true,
        // Calls of unknown filters may extend paths.
        Term::Call(name, _) => !matches!(*name, "empty" | "error" | "not"),
        Term::Fold(_, _, _, args) => args.iter().any(extends_paths),
        Term::BinOp(l, BinaryOp::Pipe(None) | BinaryOp::Comma | BinaryOp::Alt, r) => {
            extends_paths(l) || extends_paths(r)
        }
        Term::BinOp(_, BinaryOp::Pipe(Some(_)), r) => extends_paths(r),
        Term::Label(_, child) | Term::TryCatch(child, _) => extends_paths(child),
        Term::IfThenElse(branches, rest) => {
            branches.iter().any(|(_, then)| extends_paths(then)) || rest.as_deref().is_some_and(extends_paths)
        }
        Term::Def(defs, child) => defs.iter().any(|def| extends_paths(&def.body)) || extends_paths(child),
        // The result of an operator has no path.
        Term::BinOp(..) | Term::Id | Term::Num(_) | Term::Str(..) | Term::Arr(_) | Term::Obj(_) => false,
        Term::Neg(_) | Term::Break(_) | Term::Var(_) => false,
    }
}
