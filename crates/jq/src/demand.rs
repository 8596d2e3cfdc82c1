//! The parts of its input that a filter needs: the whole input, only some members, or some members of
//! all values in it. Other members need not be built.
//!
//! A demand is never too small: it includes everything that the filter could output, compare, or
//! name in an error.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::path::{Part, Path};

use crate::term::{Term, for_each_child, keeps_known_names, literal};
use tuckaway_json::unescape::unescape;

/// The parts of a value that are needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    All,
    /// These members of an object, each with its own demand; other values as a whole.
    Keys(Vec<(String, Demand)>),
    /// All values in an array or in an object, each with this demand; other values as a whole.
    Each(Box<Demand>),
}

impl Demand {
    /// No members: enough for the description of the value in an error.
    pub(crate) const NOTHING: Demand = Demand::Keys(Vec::new());

    /// Returns the demand for the member with this key, spelled as in JSON.
    pub(crate) fn of_member(&self, spelling: &[u8], escaped: bool) -> Option<&Demand> {
        match self {
            Demand::All => Some(self),
            Demand::Each(demand) => Some(demand),
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

    /// Returns the demand for the elements of an array.
    pub(crate) fn of_element(&self) -> &Demand {
        match self {
            Demand::Each(demand) => demand,
            Demand::All | Demand::Keys(_) => &Demand::All,
        }
    }

    /// Returns whether the demand is for a member of this key, at any level.
    pub(crate) fn names(&self, key: &str) -> bool {
        match self {
            Demand::All => false,
            Demand::Each(demand) => demand.names(key),
            Demand::Keys(keys) => keys.iter().any(|(name, demand)| name == key || demand.names(key)),
        }
    }

    /// Returns the demand for one member only.
    pub(crate) fn member(key: String, demand: Demand) -> Demand {
        Demand::Keys(vec![(key, demand)])
    }

    /// Returns the demand for all values in a value.
    pub(crate) fn each(demand: Demand) -> Demand {
        match demand {
            Demand::All => Demand::All,
            demand => Demand::Each(Box::new(demand)),
        }
    }

    /// Returns the demand of a part of a path that selects values in its input by anything but a
    /// known key, given the demand for the selected values.
    pub(crate) fn of_part(part: &Part<Term>, selected: Demand) -> Demand {
        match part {
            Part::Range(None, None) => Demand::each(selected),
            // The selected value is an array of such values.
            Part::Range(..) => Demand::each(selected.of_element().clone()),
            Part::Index(Term::Num(_)) => Demand::each(selected),
            Part::Index(Term::Neg(index)) if matches!(**index, Term::Num(_)) => Demand::each(selected),
            Part::Index(index) => literal(index).map_or(Demand::All, |key| Demand::member(key, selected)),
        }
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
            (Demand::Each(one), Demand::Each(other)) => Demand::each(one.and(*other)),
            (Demand::Each(each), Demand::Keys(keys)) | (Demand::Keys(keys), Demand::Each(each)) => {
                Demand::each(keys.into_iter().fold(*each, |each, (_, demand)| each.and(demand)))
            }
            (Demand::All, _) | (_, Demand::All) => Demand::All,
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
            Term::Arr(Some(term)) => Demand::of(term, outputs.of_element()),
            Term::Neg(term) => Demand::of_whole(term),
            Term::Obj(members) => members.iter().fold(Demand::NOTHING, |demand, (key, value)| {
                demand.and(Demand::of_constructed_member(key, value.as_ref(), outputs))
            }),
            Term::BinOp(left, op, right) => Demand::of_operator(left, op, right, outputs),
            Term::Label(_, term) | Term::TryCatch(term, _) => Demand::of(term, outputs),
            Term::IfThenElse(branches, otherwise) => {
                let last = otherwise.as_ref().map_or(outputs.clone(), |term| Demand::of(term, outputs));
                branches.iter().fold(last, |demand, (condition, then)| {
                    demand.and(Demand::of_condition(condition)).and(Demand::of(then, outputs))
                })
            }
            Term::Fold(_, inputs, pattern @ Pattern::Var(_), arguments) => match arguments.split_first() {
                Some((init, scope)) => {
                    Demand::of(inputs, &Demand::of_pattern(pattern, scope)).and(Demand::of_whole(init))
                }
                None => Demand::All,
            },
            Term::Call(name, arguments) => Demand::of_call(name, arguments, outputs),
            Term::Def(definitions, term) if keeps_known_names(definitions) => Demand::of(term, outputs),
            Term::Path(head, path) => Demand::of_path(head, path, outputs),
            _ => Demand::All,
        }
    }

    /// Returns the demand of a term whose outputs are needed as a whole.
    fn of_whole(term: &Term) -> Demand {
        Demand::of(term, &Demand::All)
    }

    /// Returns the demand of a member of an object construction, given the demand for the object.
    fn of_constructed_member(key: &Term, value: Option<&Term>, outputs: &Demand) -> Demand {
        match (value, literal(key)) {
            (Some(value), Some(key)) => {
                let member = outputs.of_member(key.as_bytes(), false);
                Demand::of(value, member.unwrap_or(&Demand::NOTHING))
            }
            (Some(value), None) => Demand::of_whole(key).and(Demand::of_whole(value)),
            (None, Some(key)) => {
                let member = outputs.of_member(key.as_bytes(), false).cloned();
                Demand::member(key, member.unwrap_or(Demand::NOTHING))
            }
            (None, None) if matches!(key, Term::Var(_)) => Demand::NOTHING,
            (None, None) => Demand::All,
        }
    }

    fn of_call(name: &str, arguments: &[Term], outputs: &Demand) -> Demand {
        match (name, arguments) {
            ("empty" | "true" | "false" | "null" | "type" | "not", []) => Demand::NOTHING,
            // The number of values, and their keys.
            ("length" | "keys" | "keys_unsorted" | "any" | "all", []) => Demand::each(Demand::NOTHING),
            ("first" | "last", []) => Demand::each(outputs.clone()),
            ("reverse", []) => Demand::each(outputs.of_element().clone()),
            ("values" | "nulls" | "booleans" | "numbers" | "strings" | "arrays" | "objects", []) => {
                outputs.clone()
            }
            ("select", [condition]) => Demand::of_condition(condition).and(outputs.clone()),
            ("first" | "last", [f]) => Demand::of(f, outputs),
            ("limit" | "skip" | "nth", [count, f]) => Demand::of_whole(count).and(Demand::of(f, outputs)),
            ("isempty", [f]) => Demand::of(f, &Demand::NOTHING),
            ("any" | "all", [values, condition]) => Demand::of(values, &Demand::of_condition(condition)),
            ("any" | "all", [condition]) => Demand::each(Demand::of_condition(condition)),
            ("map" | "map_values", [f]) => Demand::each(Demand::of(f, outputs.of_element())),
            // The outputs contain the values that `f` is applied to: one, an array, an array of arrays.
            ("min_by" | "max_by", [f]) => Demand::of_values(f, outputs),
            ("sort_by" | "unique_by", [f]) => Demand::of_values(f, outputs.of_element()),
            ("group_by", [f]) => Demand::of_values(f, outputs.of_element().of_element()),
            _ => Demand::All,
        }
    }

    /// Returns the demand of a filter that compares all values in its input by `f`, given the
    /// demand for the values that it outputs.
    fn of_values(f: &Term, outputs: &Demand) -> Demand {
        Demand::each(Demand::of_whole(f).and(outputs.clone()))
    }

    /// Returns the demand of a term whose outputs are only tested for being true.
    pub(crate) fn of_condition(term: &Term) -> Demand {
        Demand::of(term, &Demand::NOTHING)
    }

    /// Returns the demand of a pattern for the values that it binds in these terms.
    pub(crate) fn of_pattern(pattern: &Pattern<&str>, scope: &[Term]) -> Demand {
        match pattern {
            Pattern::Var(name) => Demand::of_variable(name, scope),
            Pattern::Arr(_) | Pattern::Obj(_) => Demand::All,
        }
    }

    /// Returns the demand for the values of a variable in these terms.
    fn of_variable(name: &str, scope: &[Term]) -> Demand {
        let mut demand = Demand::NOTHING;
        scope.to_vec().iter_mut().for_each(|term| demand.add_uses(name, term));
        demand
    }

    /// Adds the demand of each use of a variable, and of one with the same name that hides it. Only paths
    /// name parts: what else a term means depends on the definitions around it.
    fn add_uses(&mut self, name: &str, term: &mut Term) {
        let is_variable = |term: &Term| matches!(term, Term::Var(other) if *other == name);
        match term {
            Term::Def(definitions, _) => {
                definitions.iter_mut().for_each(|definition| self.add_uses(name, &mut definition.body));
            }
            Term::Path(head, path) if is_variable(head) => {
                let parts = path.0.iter().rev();
                self.add(parts.fold(Demand::All, |selected, (part, _)| Demand::of_part(part, selected)));
                **head = Term::Id;
            }
            Term::Var(other) if *other == name => self.add(Demand::All),
            _ => {}
        }
        for_each_child(term, &mut |child| self.add_uses(name, child));
    }

    fn add(&mut self, other: Demand) {
        *self = std::mem::replace(self, Demand::All).and(other);
    }

    fn of_operator(left: &Term, op: &BinaryOp<&str>, right: &Term, outputs: &Demand) -> Demand {
        match op {
            BinaryOp::Pipe(None) => Demand::of(left, &Demand::of(right, outputs)),
            BinaryOp::Pipe(Some(pattern)) => {
                let of_left = Demand::of_pattern(pattern, std::slice::from_ref(right));
                Demand::of(left, &of_left).and(Demand::of(right, outputs))
            }
            BinaryOp::Comma | BinaryOp::Alt => Demand::of(left, outputs).and(Demand::of(right, outputs)),
            BinaryOp::Or | BinaryOp::And => Demand::of_condition(left).and(Demand::of_condition(right)),
            BinaryOp::Math(_) | BinaryOp::Cmp(_) => Demand::of_whole(left).and(Demand::of_whole(right)),
            BinaryOp::Assign | BinaryOp::Update | BinaryOp::UpdateMath(_) | BinaryOp::UpdateAlt => {
                Demand::of_whole(left).and(Demand::of_whole(right)).and(outputs.clone())
            }
        }
    }

    fn of_path(head: &Term, path: &Path<Term>, outputs: &Demand) -> Demand {
        let (mut demand, mut indices) = (outputs.clone(), Demand::NOTHING);
        for (part, _) in path.0.iter().rev() {
            demand = Demand::of_part(part, demand);
            let terms: Vec<&Term> = match part {
                Part::Index(index) if literal(index).is_some() => Vec::new(),
                Part::Index(index) => vec![index],
                Part::Range(from, upto) => from.iter().chain(upto).collect(),
            };
            indices = terms.into_iter().fold(indices, |indices, term| indices.and(Demand::of_whole(term)));
        }
        Demand::of(head, &demand).and(indices)
    }
}
