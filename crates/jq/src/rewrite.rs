//! A filter as it is compiled: what jaq would run without a bound, written so
//! that it has one.
//!
//! What jaq runs is bounded in [`super::run`], but for some ways to use up
//! stack or time that it does not see. Each is closed here, in the filter and in all
//! definitions alike:
//!
//! - **Updates.** jaq nests what is on the right of a path into what is on its
//!   left, loops included. `p |= f` becomes the call of a native, which asks for
//!   the paths of `p` and updates one after the other, as jq does it.
//! - **Tail calls that bind filters.** `def f(g): f(g + 1); …` takes no stack as it
//!   recurses, but makes a chain that does once it is used or dropped. Calls of a
//!   definition inside of itself that hand a filter over are no tail calls.
//! - **`..`** passes each value through as many iterators as it is deep. It becomes
//!   the call of a native that does not.
//! - **Paths.** Loops, and definitions that use one another, can make a path of any
//!   length, which takes stack when it is dropped. They pass a native that looks
//!   how long it is.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::path::{Opt, Part};

/// Natives that are called by what is written here; filters cannot spell them.
pub(super) const UPDATE: &str = "!update";
pub(super) const UPDATE_EACH: &str = "!update_each";
pub(super) const LOOP: &str = "!loop";
pub(super) const RECURSE: &str = "!recurse";

/// What the right side of an assignment is bound to.
const ASSIGNED: &str = "$!assigned";

/// Whose definitions they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    /// Of these it is known that those which do not call themselves make no long
    /// paths on their own.
    Trusted,
    Unknown,
}

/// A definition that stands around a term.
#[derive(Clone, Copy)]
struct Around<'s> {
    name: &'s str,
    arity: usize,
    /// Whether it is given filters, not values only.
    takes_filters: bool,
}

/// Rewrites a definition of the outermost level.
pub(super) fn definition(mut def: Def<&str>, author: Author) -> Def<&str> {
    in_definition(&mut def, author, &mut Vec::new());
    def
}

fn in_definition<'s>(def: &mut Def<&'s str>, author: Author, around: &mut Vec<Around<'s>>) {
    let arity = def.args.len();
    let takes_filters = def.args.iter().any(|arg| !arg.starts_with('$'));
    around.push(Around { name: def.name, arity, takes_filters });
    let mut repeated = author == Author::Unknown;
    calls(&mut def.body, &mut |name, args| repeated |= name == def.name && args == arity);
    rewrite(&mut def.body, author, around);
    if repeated && extends_paths(&def.body) {
        watch(&mut def.body);
    }
    around.pop();
}

fn rewrite<'s>(term: &mut Term<&'s str>, author: Author, around: &mut Vec<Around<'s>>) {
    if let Term::Def(defs, _) = term {
        defs.iter_mut().for_each(|def| in_definition(def, author, around));
    }
    each_inside(term, &mut |inside| rewrite(inside, author, around));
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
            let again = |a: &Around| a.takes_filters && a.name == name && a.arity == arity;
            if around.iter().any(again) {
                *term = pipe(std::mem::take(term), None, Term::Id);
            }
        }
        Term::Fold(_, _, _, args) => {
            if let Some(update) = args.get_mut(1)
                && extends_paths(update)
            {
                watch(update);
            }
        }
        _ => {}
    }
}

fn pipe<'s>(l: Term<&'s str>, bound: Option<Pattern<&'s str>>, r: Term<&'s str>) -> Term<&'s str> {
    Term::BinOp(Box::new(l), BinaryOp::Pipe(bound), Box::new(r))
}

/// Lets a term that is run again and again pass the native that looks at paths.
fn watch(term: &mut Term<&str>) {
    *term = pipe(Term::Call(LOOP, Vec::new()), None, std::mem::take(term));
}

/// `path op right` as calls. What is assigned is computed once, as in jq.
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

/// Names, with their numbers of arguments, all that a term calls, and what is
/// defined in it.
fn calls<'s>(term: &mut Term<&'s str>, f: &mut dyn FnMut(&str, usize)) {
    match term {
        Term::Call(name, args) => f(name, args.len()),
        Term::Def(defs, _) => defs.iter_mut().for_each(|def| calls(&mut def.body, f)),
        _ => {}
    }
    each_inside(term, &mut |inside| calls(inside, f));
}

/// Whether an output of a term can be a path that is longer than its input's.
fn extends_paths(term: &Term<&str>) -> bool {
    match term {
        Term::Path(..) | Term::Recurse => true,
        // Of these nothing is known but that they may give paths.
        Term::Call(name, _) => !matches!(*name, "empty" | "error" | "not"),
        Term::Fold(_, _, _, args) => args.iter().any(extends_paths),
        Term::BinOp(l, BinaryOp::Pipe(None) | BinaryOp::Comma | BinaryOp::Alt, r) => {
            extends_paths(l) || extends_paths(r)
        }
        Term::BinOp(_, BinaryOp::Pipe(Some(_)), r) => extends_paths(r),
        Term::Label(_, inside) | Term::TryCatch(inside, _) => extends_paths(inside),
        Term::IfThenElse(branches, rest) => {
            branches.iter().any(|(_, then)| extends_paths(then)) || rest.as_deref().is_some_and(extends_paths)
        }
        Term::Def(defs, inside) => defs.iter().any(|def| extends_paths(&def.body)) || extends_paths(inside),
        // An operator's result is no path.
        Term::BinOp(..) | Term::Id | Term::Num(_) | Term::Str(..) | Term::Arr(_) | Term::Obj(_) => false,
        Term::Neg(_) | Term::Break(_) | Term::Var(_) => false,
    }
}

/// The terms that a term consists of, but for what it defines.
fn each_inside<'s>(term: &mut Term<&'s str>, f: &mut dyn FnMut(&mut Term<&'s str>)) {
    match term {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Var(_) | Term::Break(_) => {}
        Term::Str(_, parts) => {
            for part in parts {
                if let StrPart::Term(inside) = part {
                    f(inside);
                }
            }
        }
        Term::Arr(inside) => inside.iter_mut().for_each(|inside| f(inside)),
        Term::Obj(members) => {
            for (key, value) in members {
                f(key);
                value.iter_mut().for_each(&mut *f);
            }
        }
        Term::Neg(inside) | Term::Label(_, inside) | Term::Def(_, inside) => f(inside),
        Term::BinOp(l, op, r) => {
            f(l);
            if let BinaryOp::Pipe(Some(pattern)) = op {
                in_pattern(pattern, f);
            }
            f(r);
        }
        Term::Fold(_, over, pattern, args) => {
            f(over);
            in_pattern(pattern, f);
            args.iter_mut().for_each(f);
        }
        Term::TryCatch(inside, catch) => {
            f(inside);
            catch.iter_mut().for_each(|catch| f(catch));
        }
        Term::IfThenElse(branches, rest) => {
            for (condition, then) in branches {
                f(condition);
                f(then);
            }
            rest.iter_mut().for_each(|rest| f(rest));
        }
        Term::Call(_, args) => args.iter_mut().for_each(f),
        Term::Path(of, parts) => {
            f(of);
            for (part, _) in &mut parts.0 {
                match part {
                    Part::Index(index) => f(index),
                    Part::Range(from, to) => from.iter_mut().chain(to).for_each(&mut *f),
                }
            }
        }
    }
}

fn in_pattern<'s>(pattern: &mut Pattern<&'s str>, f: &mut dyn FnMut(&mut Term<&'s str>)) {
    match pattern {
        Pattern::Var(_) => {}
        Pattern::Arr(parts) => parts.iter_mut().for_each(|part| in_pattern(part, f)),
        Pattern::Obj(members) => {
            for (key, part) in members {
                f(key);
                in_pattern(part, f);
            }
        }
    }
}
