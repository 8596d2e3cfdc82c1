//! The paths that a filter applies to its document, in the order of its text.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::path::{Part, Path};

use crate::alternatives::DESTRUCTURED;
use crate::term::{Term, keeps_known_names, literal};

/// Paths of a filter that are collected.
const MAX_PATHS: usize = 8;

/// Segments of a path that is collected.
const MAX_SEGMENTS: usize = 32;

/// A segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Key(String),
    Index(u64),
    Each,
}

/// The origin of a term's outputs.
#[derive(Clone, Default)]
struct Place {
    path: Vec<Segment>,
    /// Arrays that the filter made around the values at the path.
    arrays: usize,
}

impl Place {
    /// The place of a value that no path of the document leads to.
    fn nowhere() -> Place {
        Place { path: Vec::new(), arrays: usize::MAX / 2 }
    }

    fn in_arrays(self, arrays: usize) -> Place {
        Place { arrays: self.arrays + arrays, ..self }
    }

    /// Returns where a segment of a path leads from here: the elements of an array that the filter
    /// made come from the same path. Returns `None` if it leads nowhere.
    fn below(&self, segment: Segment) -> Option<Place> {
        match segment {
            Segment::Key(_) if self.arrays > 0 => None,
            _ if self.arrays > 0 => Some(Place { arrays: self.arrays - 1, ..self.clone() }),
            segment => Some(Place { path: [&self.path[..], &[segment]].concat(), arrays: 0 }),
        }
    }
}

/// Returns the distinct paths of a term.
pub(super) fn paths(term: &Term) -> Vec<Vec<Segment>> {
    let mut collector = Collector::default();
    collector.term(term, &Place::default());
    collector.paths
}

#[derive(Default)]
struct Collector<'t> {
    paths: Vec<Vec<Segment>>,
    /// Variables, and the places of those that are values of the document. The last variable of a
    /// name counts.
    variables: Vec<(&'t str, Option<Place>)>,
}

impl<'t> Collector<'t> {
    /// Collects the paths of a term whose input is at this place. Returns the place of its outputs, if
    /// they are values of the document, in arrays or not.
    fn term(&mut self, term: &Term<'t>, at: &Place) -> Option<Place> {
        match term {
            Term::Id => Some(at.clone()),
            Term::Arr(Some(term)) => Some(self.term(term, at)?.in_arrays(1)),
            Term::Path(head, path) => self.path(head, path, at),
            Term::BinOp(left, BinaryOp::Pipe(None), right) => {
                let place = self.term(left, at)?;
                self.term(right, &place)
            }
            Term::BinOp(left, BinaryOp::Pipe(Some(pattern)), right) => {
                let value = self.term(left, at);
                let outer = self.variables.len();
                // If this pattern leads nowhere, another pattern is tried.
                self.bind(pattern, value.filter(|_| !matches!(**left, Term::Var(DESTRUCTURED))));
                let place = self.term(right, at);
                self.variables.truncate(outer);
                place
            }
            Term::BinOp(
                _,
                BinaryOp::Assign | BinaryOp::Update | BinaryOp::UpdateMath(_) | BinaryOp::UpdateAlt,
                _,
            ) => {
                self.operands(term, at);
                Some(at.clone())
            }
            Term::Var(name) => self.variables.iter().rfind(|(known, _)| known == name)?.1.clone(),
            Term::Label(_, term) | Term::TryCatch(term, _) => self.term(term, at),
            Term::Def(definitions, term) if keeps_known_names(definitions) => self.term(term, at),
            Term::Call(name, arguments) => self.call(name, arguments, at),
            term => {
                self.operands(term, at);
                None
            }
        }
    }

    /// Collects the paths of the terms in a term that creates new values.
    fn operands(&mut self, term: &Term<'t>, at: &Place) {
        match term {
            Term::BinOp(left, _, right) => {
                self.term(left, at);
                self.term(right, at);
            }
            Term::Neg(term) => drop(self.term(term, at)),
            Term::Obj(members) => {
                for (key, value) in members {
                    match (value, literal(key)) {
                        (Some(value), _) => drop(self.term(value, at)),
                        (None, Some(key)) => self.add(at.below(Segment::Key(key))),
                        (None, None) => {}
                    }
                }
            }
            Term::Str(_, parts) => {
                for part in parts {
                    if let StrPart::Term(term) = part {
                        self.term(term, at);
                    }
                }
            }
            Term::IfThenElse(branches, otherwise) => {
                for (condition, then) in branches {
                    self.term(condition, at);
                    self.term(then, at);
                }
                otherwise.as_ref().map(|term| self.term(term, at));
            }
            Term::Fold(_, inputs, pattern, arguments) => {
                let value = self.term(inputs, at);
                let outer = self.variables.len();
                self.bind(pattern, value);
                // Their inputs are states of the fold, not values of the document.
                for term in arguments.iter().skip(1) {
                    self.term(term, &Place::nowhere());
                }
                self.variables.truncate(outer);
            }
            _ => {}
        }
    }

    /// Binds the variables of a pattern to a value at this place, and collects the paths of its keys.
    fn bind(&mut self, pattern: &Pattern<&'t str>, at: Option<Place>) {
        match pattern {
            Pattern::Var(name) => self.variables.push((*name, at)),
            Pattern::Arr(parts) => parts.iter().for_each(|part| self.bind(part, None)),
            Pattern::Obj(members) => {
                for (key, part) in members {
                    let place = literal(key).and_then(|key| at.as_ref()?.below(Segment::Key(key)));
                    self.add(place.clone());
                    self.bind(part, place);
                }
            }
        }
    }

    fn path(&mut self, head: &Term<'t>, path: &Path<Term<'t>>, at: &Place) -> Option<Place> {
        let mut place = self.term(head, at)?;
        for (part, _) in &path.0 {
            let segment = match part {
                Part::Range(None, None) => Some(Segment::Each),
                Part::Index(Term::Num(index)) => index.parse().ok().map(Segment::Index),
                Part::Index(index) => literal(index).map(Segment::Key).or_else(|| {
                    self.term(index, at);
                    None
                }),
                Part::Range(..) => None,
            };
            let below = segment.filter(|_| place.path.len() < MAX_SEGMENTS).and_then(|s| place.below(s));
            let Some(below) = below else {
                self.add(Some(place));
                return None;
            };
            place = below;
        }
        self.add(Some(place.clone()));
        Some(place)
    }

    fn call(&mut self, name: &str, arguments: &[Term<'t>], at: &Place) -> Option<Place> {
        let each = at.below(Segment::Each)?;
        match (name, arguments) {
            ("select", [condition]) => {
                self.term(condition, at);
                Some(at.clone())
            }
            (
                "map" | "map_values" | "any" | "all" | "sort_by" | "group_by" | "unique_by" | "min_by"
                | "max_by",
                [f],
            ) => {
                self.add(Some(each.clone()));
                let outputs = self.term(f, &each);
                match name {
                    "map" => Some(outputs?.in_arrays(1)),
                    // The order of elements does not matter here.
                    "sort_by" => Some(at.clone()),
                    "unique_by" => Some(each.in_arrays(1)),
                    "group_by" => Some(each.in_arrays(2)),
                    "min_by" | "max_by" => Some(each),
                    _ => None,
                }
            }
            ("first", []) => {
                let first = at.below(Segment::Index(0));
                self.add(first.clone());
                first
            }
            ("last", []) => Some(each),
            ("first" | "last", [f]) | ("limit" | "skip" | "nth", [_, f]) => self.term(f, at),
            ("any" | "all", [values, condition]) => {
                let place = self.term(values, at)?;
                self.term(condition, &place);
                None
            }
            ("add" | "isempty", [f]) => {
                self.term(f, at);
                None
            }
            ("sort" | "reverse", []) => Some(at.clone()),
            _ => None,
        }
    }

    /// Adds the path of a place, unless that is the document itself.
    fn add(&mut self, place: Option<Place>) {
        let Some(Place { path, .. }) = place else { return };
        let fits = path.len() <= MAX_SEGMENTS && self.paths.len() < MAX_PATHS;
        if !path.is_empty() && fits && !self.paths.contains(&path) {
            self.paths.push(path);
        }
    }
}
