//! Conditions that a value can be tested for before a filter sees it: those of a
//! `select` right behind an iteration.

use jaq_core::ValT;
use jaq_core::load::parse::BinaryOp;
use jaq_core::ops::Cmp;
use jaq_core::path::Part;

use super::super::compile::Term;
use super::super::demand::literal;
use super::super::value::Val;

/// What a `select` lets pass.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// What the keys lead to is neither false nor null.
    Holds(Vec<String>),
    Compares(Vec<String>, Cmp, Val),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// The condition that is asked first of the inputs of a term; none if there is
    /// none, or one that is more than paths, comparisons and what joins these.
    pub(super) fn of_inputs(term: &Term) -> Option<Condition> {
        match term {
            Term::Call("select", arguments) => Condition::of(arguments.first()?),
            Term::BinOp(left, BinaryOp::Pipe(None), _) => Condition::of_inputs(left),
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
            term => Condition::Holds(keys(term)?),
        })
    }

    /// Whether a value passes; none where only the filter can tell, as it may fail.
    pub(super) fn holds(&self, value: &Val) -> Option<bool> {
        match self {
            Condition::Holds(keys) => Some(at(value, keys)?.as_bool()),
            Condition::Compares(keys, cmp, other) => Some(cmp.run(at(value, keys)?, other)),
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

/// What keys lead to; none if that fails.
fn at<'v>(value: &'v Val, keys: &[String]) -> Option<&'v Val> {
    keys.iter().try_fold(value, |value, key| match value {
        Val::Obj(members) => Some(members.get(key).unwrap_or(&Val::Null)),
        Val::Null => Some(value),
        _ => None,
    })
}

/// A path of keys.
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
