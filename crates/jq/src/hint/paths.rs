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

/// Returns the distinct paths of a term.
pub(super) fn paths(term: &Term) -> Vec<Vec<Segment>> {
    let mut collector = Collector::default();
    collector.term(term, &[]);
    collector.paths
}

#[derive(Default)]
struct Collector<'t> {
    paths: Vec<Vec<Segment>>,
    /// Variables, and the paths of those that are values of the document. The last variable of a
    /// name counts.
    variables: Vec<(&'t str, Option<Vec<Segment>>)>,
}

impl<'t> Collector<'t> {
    /// Collects the paths of a term whose input is at this path. Returns the path of its outputs, if
    /// they are values of the document.
    fn term(&mut self, term: &Term<'t>, at: &[Segment]) -> Option<Vec<Segment>> {
        match term {
            Term::Id => Some(at.to_vec()),
            Term::Path(head, path) => self.path(head, path, at),
            Term::BinOp(left, BinaryOp::Pipe(None), right) => {
                let path = self.term(left, at)?;
                self.term(right, &path)
            }
            Term::BinOp(left, BinaryOp::Pipe(Some(pattern)), right) => {
                let value = self.term(left, at);
                let outer = self.variables.len();
                // If this pattern leads nowhere, another pattern is tried.
                self.bind(pattern, value.filter(|_| !matches!(**left, Term::Var(DESTRUCTURED))));
                let path = self.term(right, at);
                self.variables.truncate(outer);
                path
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
    fn operands(&mut self, term: &Term<'t>, at: &[Segment]) {
        match term {
            Term::BinOp(left, _, right) => {
                self.term(left, at);
                self.term(right, at);
            }
            Term::Arr(Some(term)) | Term::Neg(term) => drop(self.term(term, at)),
            Term::Obj(members) => {
                for (key, value) in members {
                    match (value, literal(key)) {
                        (Some(value), _) => drop(self.term(value, at)),
                        (None, Some(key)) => self.add([at, &[Segment::Key(key)]].concat()),
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
            Term::Fold(_, inputs, ..) => drop(self.term(inputs, at)),
            _ => {}
        }
    }

    /// Binds the variables of a pattern to a value at this path, and collects the paths of its keys.
    fn bind(&mut self, pattern: &Pattern<&'t str>, at: Option<Vec<Segment>>) {
        let below = |segment: Option<Segment>| Some([at.as_deref()?, &[segment?]].concat());
        match pattern {
            Pattern::Var(name) => self.variables.push((*name, at)),
            Pattern::Arr(parts) => parts.iter().for_each(|part| self.bind(part, None)),
            Pattern::Obj(members) => {
                for (key, part) in members {
                    let path = below(literal(key).map(Segment::Key));
                    path.clone().into_iter().for_each(|path| self.add(path));
                    self.bind(part, path);
                }
            }
        }
    }

    fn path(&mut self, head: &Term<'t>, path: &Path<Term<'t>>, at: &[Segment]) -> Option<Vec<Segment>> {
        let mut segments = self.term(head, at)?;
        for (part, _) in &path.0 {
            let segment = match part {
                Part::Range(None, None) => Some(Segment::Each),
                Part::Index(Term::Num(index)) => index.parse().ok().map(Segment::Index),
                Part::Index(index) => literal(index).map(Segment::Key),
                Part::Range(..) => None,
            };
            let Some(segment) = segment.filter(|_| segments.len() < MAX_SEGMENTS) else {
                self.add(segments);
                return None;
            };
            segments.push(segment);
        }
        self.add(segments.clone());
        Some(segments)
    }

    fn call(&mut self, name: &str, arguments: &[Term<'t>], at: &[Segment]) -> Option<Vec<Segment>> {
        let each = [at, &[Segment::Each]].concat();
        match (name, arguments) {
            ("select", [condition]) => {
                self.term(condition, at);
                Some(at.to_vec())
            }
            (
                "map" | "map_values" | "any" | "all" | "sort_by" | "group_by" | "unique_by" | "min_by"
                | "max_by",
                [f],
            ) => {
                self.add(each.clone());
                self.term(f, &each);
                // The order of elements does not matter here.
                (name == "sort_by").then(|| at.to_vec())
            }
            ("first", []) => {
                let first = [at, &[Segment::Index(0)]].concat();
                self.add(first.clone());
                Some(first)
            }
            ("last", []) => Some(each),
            ("first" | "last", [f]) | ("limit" | "skip" | "nth", [_, f]) => self.term(f, at),
            ("any" | "all", [values, condition]) => {
                let path = self.term(values, at)?;
                self.term(condition, &path);
                None
            }
            ("add" | "isempty", [f]) => {
                self.term(f, at);
                None
            }
            ("sort" | "reverse", []) => Some(at.to_vec()),
            _ => None,
        }
    }

    fn add(&mut self, path: Vec<Segment>) {
        let fits = path.len() <= MAX_SEGMENTS && self.paths.len() < MAX_PATHS;
        if !path.is_empty() && fits && !self.paths.contains(&path) {
            self.paths.push(path);
        }
    }
}
