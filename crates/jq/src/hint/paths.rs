//! The paths that a filter asks of its document, in the order in which it names
//! them.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::BinaryOp;
use jaq_core::path::Part;

use super::Step;
use crate::compile::Term;
use crate::demand::{GIVEN, literal};

/// Paths of a filter that are looked at.
const MAX_PATHS: usize = 8;

/// Steps of a path that is.
const MAX_STEPS: usize = 32;

/// The paths of a term, each once.
pub(super) fn of(term: &Term) -> Vec<Vec<Step>> {
    let mut paths = Paths::default();
    paths.of(term, Some(&[]));
    paths.0
}

#[derive(Default)]
struct Paths(Vec<Vec<Step>>);

impl Paths {
    /// Notes the paths of a term whose input is at this path, if it is known.
    /// Where its outputs are, if they are values of the document.
    fn of(&mut self, term: &Term, at: Option<&[Step]>) -> Option<Vec<Step>> {
        let at = at?;
        match term {
            Term::Id => Some(at.to_vec()),
            Term::Path(head, path) => {
                let mut place = self.of(head, Some(at))?;
                for (part, _) in &path.0 {
                    let step = match part {
                        Part::Range(None, None) => Some(Step::Each),
                        Part::Index(Term::Num(index)) => index.parse().ok().map(Step::At),
                        Part::Index(index) => literal(index).map(Step::Key),
                        Part::Range(..) => None,
                    };
                    let Some(step) = step.filter(|_| place.len() < MAX_STEPS) else {
                        self.note(place);
                        return None;
                    };
                    place.push(step);
                }
                self.note(place.clone());
                Some(place)
            }
            Term::BinOp(left, BinaryOp::Pipe(None), right) => {
                let place = self.of(left, Some(at));
                self.of(right, place.as_deref())
            }
            Term::BinOp(left, BinaryOp::Pipe(Some(_)), right) => {
                self.of(left, Some(at));
                self.of(right, Some(at))
            }
            Term::BinOp(left, _, right) => {
                self.of(left, Some(at));
                self.of(right, Some(at));
                None
            }
            Term::Arr(Some(term)) | Term::Neg(term) => {
                self.of(term, Some(at));
                None
            }
            Term::Obj(members) => {
                for (key, value) in members {
                    match (value, literal(key)) {
                        (Some(value), _) => drop(self.of(value, Some(at))),
                        (None, Some(key)) => self.note([at, &[Step::Key(key)]].concat()),
                        (None, None) => {}
                    }
                }
                None
            }
            Term::Str(_, parts) => {
                for part in parts {
                    if let StrPart::Term(term) = part {
                        self.of(term, Some(at));
                    }
                }
                None
            }
            Term::Label(_, term) | Term::TryCatch(term, _) => self.of(term, Some(at)),
            Term::IfThenElse(branches, otherwise) => {
                for (condition, then) in branches {
                    self.of(condition, Some(at));
                    self.of(then, Some(at));
                }
                otherwise.as_ref().map(|term| self.of(term, Some(at)));
                None
            }
            Term::Fold(_, inputs, ..) => {
                self.of(inputs, Some(at));
                None
            }
            Term::Def(definitions, term) if definitions.iter().all(|def| !GIVEN.contains(&def.name)) => {
                self.of(term, Some(at))
            }
            Term::Call(name, arguments) => self.call(name, arguments, at),
            _ => None,
        }
    }

    fn call(&mut self, name: &str, arguments: &[Term], at: &[Step]) -> Option<Vec<Step>> {
        let each = [at, &[Step::Each]].concat();
        match (name, arguments) {
            ("select", [condition]) => {
                self.of(condition, Some(at));
                Some(at.to_vec())
            }
            (
                "map" | "map_values" | "any" | "all" | "sort_by" | "group_by" | "unique_by" | "min_by"
                | "max_by",
                [f],
            ) => {
                self.note(each.clone());
                self.of(f, Some(&each));
                // Sorted, the elements are where they were.
                (name == "sort_by").then(|| at.to_vec())
            }
            ("first", []) => {
                let place = [at, &[Step::At(0)]].concat();
                self.note(place.clone());
                Some(place)
            }
            ("first" | "last", [f]) | ("limit" | "skip" | "nth", [_, f]) => self.of(f, Some(at)),
            ("add" | "isempty", [f]) => {
                self.of(f, Some(at));
                None
            }
            ("sort" | "reverse", []) => Some(at.to_vec()),
            _ => None,
        }
    }

    fn note(&mut self, path: Vec<Step>) {
        if !path.is_empty() && path.len() <= MAX_STEPS && self.0.len() < MAX_PATHS && !self.0.contains(&path)
        {
            self.0.push(path);
        }
    }
}
