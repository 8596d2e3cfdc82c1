//! The parts of its input that a filter needs: the whole input, or only some members. Other members
//! need not be built.
//!
//! A demand is never too small: it includes whatever the filter could output, compare, or name in
//! an error.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::path::{Part, Path};

use crate::term::{Term, keeps_known_names, literal};
use tuckaway_json::unescape::unescape;

/// The parts of a value that are needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    All,
    /// These members of an object, each with its own demand; other values as a whole.
    Keys(Vec<(String, Demand)>),
}

impl Demand {
    /// No members: enough for the description of the value in an error.
    pub(crate) const NOTHING: Demand = Demand::Keys(Vec::new());

    /// Returns the demand for the member with this key, spelled as in JSON.
    pub(crate) fn of_member(&self, spelling: &[u8], escaped: bool) -> Option<&Demand> {
        match self {
            Demand::All => Some(self),
            Demand::Keys(keys) => {
                let find = |name: &[u8]| keys.iter().find(|(key, _)| key.as_bytes() == name);
                let member = match escaped {
                    true => find(unescape(spelling).as_bytes()),
                    false => match find(spelling) {
                        // Invalid UTF-8 changes the key when it is decoded.
                        None if !spelling.is_ascii() => find(unescape(spelling).as_bytes()),
                        member => member,
                    },
                };
                member.map(|(_, demand)| demand)
            }
        }
    }

    /// Returns whether the demand is for a member of this key, at any level.
    pub(crate) fn names(&self, key: &str) -> bool {
        match self {
            Demand::All => false,
            Demand::Keys(keys) => keys.iter().any(|(name, demand)| name == key || demand.names(key)),
        }
    }

    /// Returns the demand for one member only.
    pub(crate) fn member(key: String, demand: Demand) -> Demand {
        Demand::Keys(vec![(key, demand)])
    }

    /// Returns the union of two demands.
    fn and(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::Keys(mut keys), Demand::Keys(others)) => {
                for (key, demand) in others {
                    match keys.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = std::mem::replace(known, Demand::All).and(demand),
                        None => keys.push((key, demand)),
                    }
                }
                Demand::Keys(keys)
            }
            _ => Demand::All,
        }
    }

    /// Returns the demand of a term for its input, given the demand for its outputs.
    pub(crate) fn of(term: &Term, outputs: &Demand) -> Demand {
        match term {
            Term::Id => outputs.clone(),
            Term::Num(_) | Term::Var(_) | Term::Break(_) | Term::Arr(None) => Demand::NOTHING,
            Term::Str(_, parts) => parts.iter().fold(Demand::NOTHING, |demand, part| match part {
                StrPart::Term(term) => demand.and(Demand::of_whole(term)),
                StrPart::Str(_) | StrPart::Char(_) => demand,
            }),
            Term::Arr(Some(term)) | Term::Neg(term) => Demand::of_whole(term),
            Term::Obj(members) => members.iter().fold(Demand::NOTHING, |demand, (key, value)| {
                demand.and(Demand::of_constructed_member(key, value.as_ref()))
            }),
            Term::BinOp(left, op, right) => Demand::of_operator(left, op, right, outputs),
            Term::Label(_, term) | Term::TryCatch(term, _) => Demand::of(term, outputs),
            Term::IfThenElse(branches, otherwise) => {
                let last = otherwise.as_ref().map_or(outputs.clone(), |term| Demand::of(term, outputs));
                branches.iter().fold(last, |demand, (condition, then)| {
                    demand.and(Demand::of_whole(condition)).and(Demand::of(then, outputs))
                })
            }
            Term::Fold(_, inputs, Pattern::Var(_), arguments) => match arguments.first() {
                Some(init) => Demand::of_whole(inputs).and(Demand::of_whole(init)),
                None => Demand::All,
            },
            Term::Call("select", arguments) if arguments.len() == 1 => {
                Demand::of_whole(&arguments[0]).and(outputs.clone())
            }
            Term::Call("empty" | "true" | "false" | "null", arguments) if arguments.is_empty() => {
                Demand::NOTHING
            }
            Term::Def(definitions, term) if keeps_known_names(definitions) => Demand::of(term, outputs),
            Term::Path(head, path) => Demand::of_path(head, path, outputs),
            _ => Demand::All,
        }
    }

    /// Returns the demand of a term whose outputs are needed as a whole.
    fn of_whole(term: &Term) -> Demand {
        Demand::of(term, &Demand::All)
    }

    /// Returns the demand of a member of an object construction.
    fn of_constructed_member(key: &Term, value: Option<&Term>) -> Demand {
        match (value, literal(key)) {
            (Some(value), _) => Demand::of_whole(key).and(Demand::of_whole(value)),
            (None, Some(key)) => Demand::member(key, Demand::All),
            (None, None) if matches!(key, Term::Var(_)) => Demand::NOTHING,
            (None, None) => Demand::All,
        }
    }

    fn of_operator(left: &Term, op: &BinaryOp<&str>, right: &Term, outputs: &Demand) -> Demand {
        match op {
            BinaryOp::Pipe(None) => Demand::of(left, &Demand::of(right, outputs)),
            BinaryOp::Pipe(Some(_)) => Demand::of_whole(left).and(Demand::of(right, outputs)),
            BinaryOp::Comma | BinaryOp::Alt => Demand::of(left, outputs).and(Demand::of(right, outputs)),
            BinaryOp::Or | BinaryOp::And | BinaryOp::Math(_) | BinaryOp::Cmp(_) => {
                Demand::of_whole(left).and(Demand::of_whole(right))
            }
            _ => Demand::All,
        }
    }

    fn of_path(head: &Term, path: &Path<Term>, outputs: &Demand) -> Demand {
        let (mut demand, mut indices) = (outputs.clone(), Demand::NOTHING);
        for (part, _) in path.0.iter().rev() {
            demand = match part {
                Part::Index(index) => match literal(index) {
                    Some(key) => Demand::member(key, demand),
                    None => {
                        indices = indices.and(Demand::of_whole(index));
                        Demand::All
                    }
                },
                Part::Range(from, upto) => {
                    for end in from.iter().chain(upto) {
                        indices = indices.and(Demand::of_whole(end));
                    }
                    Demand::All
                }
            };
        }
        Demand::of(head, &demand).and(indices)
    }
}
