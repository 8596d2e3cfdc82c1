//! Conditions of a `select` directly after an iteration; values are tested for them before the
//! filter receives them.

use jaq_core::ValT;
use jaq_core::load::parse::BinaryOp;
use jaq_core::ops::Cmp;
use jaq_core::path::Part;

use crate::term::{Term, literal};
use crate::value::Val;

/// A condition on a value.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The value at the path is neither false nor null.
    IsTrue(Vec<String>),
    /// The value at the path compares like this with a constant.
    Compares(Vec<String>, Cmp, Val),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Returns the condition that a term tests first of its input. Returns `None` if there is
    /// none, or if it consists of more than paths, comparisons, `and` and `or`.
    pub(super) fn of_input(term: &Term) -> Option<Condition> {
        match term {
            Term::Call("select", arguments) => Condition::of(arguments.first()?),
            Term::BinOp(left, BinaryOp::Pipe(None), _) => Condition::of_input(left),
            _ => None,
        }
    }

    fn of(term: &Term) -> Option<Condition> {
        Some(match term {
            Term::BinOp(left, BinaryOp::And, right) => {
                Condition::And(Condition::of(left)?.into(), Condition::of(right)?.into())
            }
            Term::BinOp(left, BinaryOp::Or, right) => {
                Condition::Or(Condition::of(left)?.into(), Condition::of(right)?.into())
            }
            Term::BinOp(left, BinaryOp::Cmp(cmp), right) => {
                Condition::Compares(keys(left)?, *cmp, constant(right)?)
            }
            term => Condition::IsTrue(keys(term)?),
        })
    }

    /// Returns whether a value meets the condition; `None` if the filter has to decide, because it
    /// may fail.
    pub(super) fn holds(&self, value: &Val) -> Option<bool> {
        match self {
            Condition::IsTrue(keys) => Some(follow(value, keys)?.as_bool()),
            Condition::Compares(keys, cmp, other) => Some(cmp.run(follow(value, keys)?, other)),
            Condition::And(left, right) => match left.holds(value)? {
                true => right.holds(value),
                false => Some(false),
            },
            Condition::Or(left, right) => match left.holds(value)? {
                true => Some(true),
                false => right.holds(value),
            },
        }
    }
}

/// Follows a path of keys. Returns `None` if that fails.
fn follow<'v>(value: &'v Val, keys: &[String]) -> Option<&'v Val> {
    keys.iter().try_fold(value, |value, key| match value {
        Val::Obj(members) => Some(members.watched(key).unwrap_or(&Val::Null)),
        Val::Null => Some(value),
        _ => None,
    })
}

/// Returns the keys of a path that consists of keys only.
fn keys(term: &Term) -> Option<Vec<String>> {
    let Term::Path(head, path) = term else { return None };
    let key = |part: &Part<Term>| match part {
        Part::Index(index) => literal(index),
        Part::Range(..) => None,
    };
    matches!(**head, Term::Id).then(|| path.0.iter().map(|(part, _)| key(part)).collect())?
}

fn constant(term: &Term) -> Option<Val> {
    match term {
        Term::Num(number) => Val::from_num(number).ok(),
        Term::Call("true", arguments) if arguments.is_empty() => Some(Val::Bool(true)),
        Term::Call("false", arguments) if arguments.is_empty() => Some(Val::Bool(false)),
        Term::Call("null", arguments) if arguments.is_empty() => Some(Val::Null),
        term => literal(term).map(Val::str),
    }
}
