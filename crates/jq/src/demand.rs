//! What a filter asks of its input: all of it, or some members only. What is not
//! asked for need not be built.
//!
//! A demand is never too small: whatever the filter could put out, compare, or
//! name in an error is in it.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::path::Part;

use super::compile::Term;
use tuckaway_json::unescape::unescape;

/// Filters that are taken for what they are by their names, here and where a
/// filter is planned: one that defines them anew is taken as it is.
pub(crate) const GIVEN: [&str; 24] = [
    "select",
    "empty",
    "true",
    "false",
    "null",
    "map",
    "first",
    "last",
    "any",
    "all",
    "add",
    "INDEX",
    "IN",
    "length",
    "type",
    "keys",
    "keys_unsorted",
    "has",
    "limit",
    "skip",
    "nth",
    "isempty",
    "error",
    "range",
];

/// What is asked of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    All,
    /// Of an object these members only, each as far as it says; of what is no
    /// object all.
    Keys(Vec<(String, Demand)>),
}

impl Demand {
    /// Nothing but what an error would say.
    pub(crate) const NOTHING: Demand = Demand::Keys(Vec::new());

    /// What is asked of the member with this key, spelled as in JSON.
    pub(crate) fn of_key(&self, spelling: &[u8], escaped: bool) -> Option<&Demand> {
        match self {
            Demand::All => Some(self),
            Demand::Keys(keys) => {
                let find = |name: &[u8]| keys.iter().find(|(key, _)| key.as_bytes() == name);
                let found = match escaped {
                    true => find(unescape(spelling).as_bytes()),
                    false => match find(spelling) {
                        // What is not UTF-8 is another key once it is read.
                        None if !spelling.is_ascii() => find(unescape(spelling).as_bytes()),
                        found => found,
                    },
                };
                found.map(|(_, demand)| demand)
            }
        }
    }

    /// Of this member so much.
    pub(crate) fn key(key: String, demand: Demand) -> Demand {
        Demand::Keys(vec![(key, demand)])
    }

    /// Both demands in one.
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

    /// What a term asks of its input, if so much is asked of its outputs.
    pub(crate) fn of(term: &Term, outputs: &Demand) -> Demand {
        let all = |term: &Term| Demand::of(term, &Demand::All);
        match term {
            Term::Id => outputs.clone(),
            Term::Num(_) | Term::Var(_) | Term::Break(_) | Term::Arr(None) => Demand::NOTHING,
            Term::Str(_, parts) => parts.iter().fold(Demand::NOTHING, |demand, part| match part {
                StrPart::Term(term) => demand.and(all(term)),
                StrPart::Str(_) | StrPart::Char(_) => demand,
            }),
            Term::Arr(Some(term)) | Term::Neg(term) => all(term),
            Term::Obj(members) => members.iter().fold(Demand::NOTHING, |demand, (key, value)| {
                demand.and(match (value, literal(key)) {
                    (Some(value), _) => all(key).and(all(value)),
                    (None, Some(key)) => Demand::key(key, Demand::All),
                    (None, None) if matches!(key, Term::Var(_)) => Demand::NOTHING,
                    (None, None) => Demand::All,
                })
            }),
            Term::BinOp(left, BinaryOp::Pipe(pattern), right) => match pattern {
                None => Demand::of(left, &Demand::of(right, outputs)),
                Some(_) => all(left).and(Demand::of(right, outputs)),
            },
            Term::BinOp(left, BinaryOp::Comma | BinaryOp::Alt, right) => {
                Demand::of(left, outputs).and(Demand::of(right, outputs))
            }
            Term::BinOp(left, BinaryOp::Or | BinaryOp::And | BinaryOp::Math(_) | BinaryOp::Cmp(_), right) => {
                all(left).and(all(right))
            }
            Term::Label(_, term) | Term::TryCatch(term, _) => Demand::of(term, outputs),
            Term::IfThenElse(branches, otherwise) => {
                let last = otherwise.as_ref().map_or(outputs.clone(), |term| Demand::of(term, outputs));
                branches.iter().fold(last, |demand, (condition, then)| {
                    demand.and(all(condition)).and(Demand::of(then, outputs))
                })
            }
            Term::Fold(_, inputs, Pattern::Var(_), arguments) => match arguments.first() {
                Some(init) => all(inputs).and(all(init)),
                None => Demand::All,
            },
            Term::Call("select", arguments) if arguments.len() == 1 => {
                all(&arguments[0]).and(outputs.clone())
            }
            Term::Call("empty" | "true" | "false" | "null", arguments) if arguments.is_empty() => {
                Demand::NOTHING
            }
            Term::Def(definitions, term) if definitions.iter().all(|def| !GIVEN.contains(&def.name)) => {
                Demand::of(term, outputs)
            }
            Term::Path(head, path) => {
                let (mut demand, mut indices) = (outputs.clone(), Demand::NOTHING);
                for (part, _) in path.0.iter().rev() {
                    demand = match part {
                        Part::Index(index) => match literal(index) {
                            Some(key) => Demand::key(key, demand),
                            None => {
                                indices = indices.and(all(index));
                                Demand::All
                            }
                        },
                        Part::Range(from, upto) => {
                            for end in from.iter().chain(upto) {
                                indices = indices.and(all(end));
                            }
                            Demand::All
                        }
                    };
                }
                Demand::of(head, &demand).and(indices)
            }
            _ => Demand::All,
        }
    }
}

/// The text of a string without interpolation.
pub(crate) fn literal(term: &Term) -> Option<String> {
    let Term::Str(None, parts) = term else { return None };
    parts
        .iter()
        .map(|part| match part {
            StrPart::Str(text) => Some((*text).to_owned()),
            StrPart::Char(char) => Some(char.to_string()),
            StrPart::Term(_) => None,
        })
        .collect()
}
