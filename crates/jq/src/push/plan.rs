//! Plans a filter: which parts of the document it requests by paths, and how it uses the responses.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::BinaryOp;
use jaq_core::path::{Opt, Part, Path};

use super::condition::Condition;
use super::request::{REQUEST, Request, RequestKind, Selector, Step};
use crate::demand::Demand;
use crate::term::{Term, keeps_known_names, literal};

/// Filters with their number of arguments, and the indices of the arguments that they evaluate on
/// their own input. They use their input for nothing else. The last index is that of a stream, if
/// the filter takes one.
const STREAMS: [(&str, usize, &[usize]); 16] = [
    ("first", 1, &[0]),
    ("last", 1, &[0]),
    ("limit", 2, &[0, 1]),
    ("skip", 2, &[0, 1]),
    ("nth", 2, &[0, 1]),
    ("isempty", 1, &[0]),
    ("any", 2, &[0]),
    ("all", 2, &[0]),
    ("add", 1, &[0]),
    ("error", 1, &[0]),
    ("range", 1, &[0]),
    ("range", 2, &[0, 1]),
    ("range", 3, &[0, 1, 2]),
    ("INDEX", 2, &[0]),
    ("IN", 2, &[0, 1]),
    ("empty", 0, &[]),
];

/// The plan by which a filter runs on parts of a document.
pub(crate) struct Plan<'f> {
    /// The filter, with a call of [`REQUEST`] in place of each path. It does not use its own input.
    pub(crate) term: Term<'f>,
    pub(super) requests: Vec<Request>,
    /// The request whose values make up all outputs, each independently of the others, so that the
    /// filter can resume at any of them.
    pub(super) resumable: Option<usize>,
}

impl<'f> Plan<'f> {
    /// Plans a term. Returns `None` if it needs the document as a whole.
    pub(crate) fn of(term: &Term<'f>) -> Option<Plan<'f>> {
        let mut planner = Planner { requests: Vec::new() };
        let term = planner.term(term, &[], &Demand::All)?;
        let resumable = resumable(&term, &planner.requests);
        Some(Plan { term, requests: planner.requests, resumable })
    }

    /// Returns whether a request names a key, in its path or in its demand.
    pub(crate) fn names(&self, key: &str) -> bool {
        let is_step = |step: &Step| matches!(&step.selector, Selector::Key(name) if name == key);
        self.requests.iter().any(|request| request.path.iter().any(is_step) || request.demand.names(key))
    }
}

/// Returns the request whose values a planned term processes one after the other.
fn resumable(term: &Term, requests: &[Request]) -> Option<usize> {
    match term {
        Term::Path(head, _) => resumable(head, requests),
        Term::BinOp(left, BinaryOp::Pipe(None), right) => match request_of(left) {
            Some(number) if matches!(requests.get(number)?.kind, RequestKind::Path) => {
                resumable(right, requests)
            }
            _ => resumable(left, requests),
        },
        term => request_of(term).filter(|number| matches!(requests[*number].kind, RequestKind::Each { .. })),
    }
}

/// Returns the number of the request that a planned term is a call for.
fn request_of(term: &Term) -> Option<usize> {
    match term {
        Term::Call(REQUEST, arguments) => literal(arguments.first()?)?.parse().ok(),
        _ => None,
    }
}

struct Planner {
    requests: Vec<Request>,
}

impl Planner {
    /// Plans a term whose input is at the path `at`, given the demand for its outputs. Returns
    /// `None` if it needs the document as a whole.
    fn term<'f>(&mut self, term: &Term<'f>, at: &[Step], outputs: &Demand) -> Option<Term<'f>> {
        Some(match term {
            Term::Num(_) | Term::Var(_) | Term::Break(_) | Term::Arr(None) => term.clone(),
            Term::Str(format, parts) => {
                let parts = parts.iter().map(|part| match part {
                    StrPart::Term(term) => self.term(term, at, &Demand::All).map(StrPart::Term),
                    part => Some(part.clone()),
                });
                Term::Str(*format, parts.collect::<Option<_>>()?)
            }
            Term::Arr(Some(term)) => Term::Arr(Some(self.boxed(term, at, outputs.of_element())?)),
            Term::Neg(term) => Term::Neg(self.boxed(term, at, &Demand::All)?),
            Term::Obj(members) => {
                let members = members.iter().map(|(key, value)| self.member(key, value.as_ref(), at));
                Term::Obj(members.collect::<Option<_>>()?)
            }
            Term::BinOp(left, BinaryOp::Pipe(None), right) => self.pipe(left, right, at, outputs)?,
            Term::BinOp(left, op, right) => {
                let all = &Demand::All;
                let bound = match op {
                    BinaryOp::Pipe(Some(pattern)) => Demand::of_pattern(pattern, std::slice::from_ref(right)),
                    _ => Demand::All,
                };
                let (of_left, of_right) = match op {
                    BinaryOp::Pipe(_) => (&bound, outputs),
                    BinaryOp::Comma | BinaryOp::Alt => (outputs, outputs),
                    BinaryOp::Or | BinaryOp::And | BinaryOp::Math(_) | BinaryOp::Cmp(_) => (all, all),
                    _ => return self.whole_input(term, at, outputs),
                };
                let left = self.boxed(left, at, of_left)?;
                Term::BinOp(left, op.clone(), self.boxed(right, at, of_right)?)
            }
            Term::Label(name, term) => Term::Label(name, self.boxed(term, at, outputs)?),
            Term::TryCatch(term, catch) => Term::TryCatch(self.boxed(term, at, outputs)?, catch.clone()),
            Term::IfThenElse(branches, otherwise) => {
                let branches = branches.iter().map(|(condition, then)| {
                    Some((self.term(condition, at, &Demand::All)?, self.term(then, at, outputs)?))
                });
                let branches = branches.collect::<Option<_>>()?;
                let otherwise = otherwise.as_deref().unwrap_or(&Term::Id);
                Term::IfThenElse(branches, Some(self.boxed(otherwise, at, outputs)?))
            }
            Term::Fold(name, inputs, pattern, arguments) => {
                let mut arguments = arguments.clone();
                let bound = Demand::of_pattern(pattern, arguments.get(1..).unwrap_or_default());
                let inputs = self.boxed(inputs, at, &bound)?;
                if let Some(init) = arguments.first_mut() {
                    *init = self.term(init, at, &Demand::All)?;
                }
                Term::Fold(name, inputs, pattern.clone(), arguments)
            }
            Term::Def(definitions, term) if keeps_known_names(definitions) => {
                Term::Def(definitions.clone(), self.boxed(term, at, outputs)?)
            }
            Term::Call(name, arguments) => self.call(term, name, arguments, at, outputs)?,
            Term::Path(head, path) => self.path(term, head, path, at, outputs)?,
            Term::Id | Term::Recurse | Term::Def(..) => self.whole_input(term, at, outputs)?,
        })
    }

    fn boxed<'f>(&mut self, term: &Term<'f>, at: &[Step], outputs: &Demand) -> Option<Box<Term<'f>>> {
        self.term(term, at, outputs).map(Box::new)
    }

    /// Plans a member of an object construction.
    fn member<'f>(
        &mut self,
        key: &Term<'f>,
        value: Option<&Term<'f>>,
        at: &[Step],
    ) -> Option<(Term<'f>, Option<Term<'f>>)> {
        let value = match value {
            Some(value) => Some(self.term(value, at, &Demand::All)?),
            None if matches!(key, Term::Var(_)) => None,
            None => {
                literal(key)?;
                let part = (Part::Index(key.clone()), Opt::Essential);
                let member = Term::Path(Box::new(Term::Id), Path(vec![part]));
                Some(self.term(&member, at, &Demand::All)?)
            }
        };
        Some((self.term(key, at, &Demand::All)?, value))
    }

    /// Plans `left | right`. If the left side is a path to one location, that is the input of the
    /// right side.
    fn pipe<'f>(
        &mut self,
        left: &Term<'f>,
        right: &Term<'f>,
        at: &[Step],
        outputs: &Demand,
    ) -> Option<Term<'f>> {
        let steps = match left {
            Term::Id => Some(Vec::new()),
            Term::Path(head, path) if matches!(**head, Term::Id) => {
                path.0.iter().map(step).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        match steps {
            Some(steps) if steps.is_empty() => self.term(right, at, outputs),
            Some(steps) => {
                let path = [at, &steps].concat();
                // An invalid path fails even if the right side does not use its input.
                let check = self.request(&path, RequestKind::Path, Demand::NOTHING);
                Some(pipe(check, self.term(right, &path, outputs)?))
            }
            None => {
                let left = self.term(left, at, &Demand::of(right, outputs))?;
                if let Some(request) = request_of(&left).and_then(|number| self.requests.get_mut(number))
                    && matches!(request.kind, RequestKind::Each { .. })
                {
                    request.condition = Condition::of_input(right);
                }
                Some(pipe(left, right.clone()))
            }
        }
    }

    fn call<'f>(
        &mut self,
        term: &Term<'f>,
        name: &'f str,
        arguments: &[Term<'f>],
        at: &[Step],
        outputs: &Demand,
    ) -> Option<Term<'f>> {
        let each = || Term::Path(Box::new(Term::Id), Path(vec![(Part::Range(None, None), Opt::Essential)]));
        let index = |index| Term::Path(Box::new(Term::Id), Path(vec![(Part::Index(index), Opt::Essential)]));
        let definition = match (name, arguments) {
            ("map", [f]) => Term::Arr(Some(Box::new(pipe(each(), f.clone())))),
            ("first", []) => index(Term::Num("0")),
            ("last", []) => index(Term::Neg(Box::new(Term::Num("1")))),
            ("any" | "all", []) => Term::Call(name, vec![each(), Term::Id]),
            ("any" | "all", [f]) => Term::Call(name, vec![each(), f.clone()]),
            ("add", []) => Term::Call(name, vec![each()]),
            ("INDEX", [f]) => Term::Call(name, vec![each(), f.clone()]),
            ("length", []) => return Some(self.request(at, RequestKind::Length, Demand::NOTHING)),
            ("type", []) => return Some(self.request(at, RequestKind::Type, Demand::NOTHING)),
            ("keys" | "keys_unsorted", []) => return Some(self.on_outline(term, at)),
            ("has", [key]) if is_constant(key) => return Some(self.on_outline(term, at)),
            ("true" | "false" | "null", []) => return Some(term.clone()),
            _ => return self.stream(term, name, arguments, at, outputs),
        };
        self.term(&definition, at, outputs)
    }

    /// Plans a call that needs only the outline of its input.
    fn on_outline<'f>(&mut self, term: &Term<'f>, at: &[Step]) -> Term<'f> {
        pipe(self.request(at, RequestKind::Outline, Demand::NOTHING), term.clone())
    }

    /// Plans a call of one of [`STREAMS`], or of an unknown filter.
    fn stream<'f>(
        &mut self,
        term: &Term<'f>,
        name: &'f str,
        arguments: &[Term<'f>],
        at: &[Step],
        outputs: &Demand,
    ) -> Option<Term<'f>> {
        let stream = STREAMS.iter().find(|(known, arity, _)| *known == name && *arity == arguments.len());
        let Some((.., inputs)) = stream else { return self.whole_input(term, at, outputs) };
        let demand = match (name, arguments) {
            ("first" | "last" | "limit" | "skip" | "nth", _) => outputs.clone(),
            ("any" | "all", [_, condition]) => Demand::of_condition(condition),
            ("isempty", _) => Demand::NOTHING,
            _ => Demand::All,
        };
        let mut arguments = arguments.to_vec();
        for &index in *inputs {
            let is_last = index + 1 == inputs.len();
            let demand = if is_last { &demand } else { &Demand::All };
            arguments[index] = self.term(&arguments[index], at, demand)?;
        }
        Some(Term::Call(name, arguments))
    }

    fn path<'f>(
        &mut self,
        term: &Term<'f>,
        head: &Term<'f>,
        path: &Path<Term<'f>>,
        at: &[Step],
        outputs: &Demand,
    ) -> Option<Term<'f>> {
        let is_constant_path = path.0.iter().all(|(part, _)| match part {
            Part::Index(index) => is_constant(index),
            Part::Range(from, upto) => from.iter().chain(upto).all(is_constant),
        });
        // Other indices are evaluated on the input too, in an order that matters.
        if !is_constant_path {
            return self.whole_input(term, at, outputs);
        }
        if !matches!(head, Term::Id) {
            let head = self.boxed(head, at, &demand_of_path(&path.0, outputs))?;
            return Some(Term::Path(head, path.clone()));
        }
        let steps: Vec<Step> = path.0.iter().map_while(step).collect();
        let rest = &path.0[steps.len()..];
        let location = [at, &steps].concat();
        let Some(((part, opt), after)) = rest.split_first() else {
            return self.whole_input(&Term::Id, &location, outputs);
        };
        let is_optional = matches!(opt, Opt::Optional);
        let (kind, demand, after) = match part {
            Part::Range(None, None) => {
                (RequestKind::Each { is_optional }, demand_of_path(after, outputs), after)
            }
            Part::Range(from, upto) => match (bound(from), bound(upto)) {
                (Some(from), Some(upto)) => {
                    (RequestKind::Slice { from, upto, is_optional }, Demand::All, after)
                }
                _ => (RequestKind::Value, Demand::All, rest),
            },
            Part::Index(index) => match integer(index) {
                Some(index) => {
                    (RequestKind::FromEnd { index, is_optional }, demand_of_path(after, outputs), after)
                }
                None => (RequestKind::Value, Demand::All, rest),
            },
        };
        if location.is_empty() && matches!(kind, RequestKind::Value) {
            return None;
        }
        let response = self.request(&location, kind, demand);
        Some(match after {
            [] => response,
            after => Term::Path(Box::new(response), Path(after.to_vec())),
        })
    }

    /// Plans a term that needs its input as a whole.
    fn whole_input<'f>(&mut self, term: &Term<'f>, at: &[Step], outputs: &Demand) -> Option<Term<'f>> {
        if at.is_empty() {
            return None;
        }
        let value = self.request(at, RequestKind::Value, Demand::of(term, outputs));
        Some(match term {
            Term::Id => value,
            term => pipe(value, term.clone()),
        })
    }

    /// Adds a request, and returns the call for it.
    fn request<'f>(&mut self, path: &[Step], kind: RequestKind, demand: Demand) -> Term<'f> {
        let number = self.requests.len().to_string();
        self.requests.push(Request { path: path.to_vec(), kind, demand, condition: None });
        Term::Call(REQUEST, vec![Term::Str(None, number.chars().map(StrPart::Char).collect())])
    }
}

fn pipe<'f>(left: Term<'f>, right: Term<'f>) -> Term<'f> {
    Term::BinOp(Box::new(left), BinaryOp::Pipe(None), Box::new(right))
}

/// Returns the demand of a path of constant parts.
fn demand_of_path(path: &[(Part<Term>, Opt)], outputs: &Demand) -> Demand {
    path.iter().rev().fold(outputs.clone(), |demand, (part, _)| Demand::of_part(part, demand))
}

/// Converts a part of a path, if it selects one value.
fn step((part, opt): &(Part<Term>, Opt)) -> Option<Step> {
    let Part::Index(index) = part else { return None };
    let selector = match literal(index) {
        Some(key) => Selector::Key(key),
        None => Selector::Index(integer(index)?.try_into().ok()?),
    };
    Some(Step { selector, is_optional: matches!(opt, Opt::Optional) })
}

/// Returns whether an index is the same for any input.
fn is_constant(index: &Term) -> bool {
    matches!(index, Term::Num(_) | Term::Var(_)) || literal(index).is_some() || integer(index).is_some()
}

/// Returns the value of an integer literal, if `f64` holds it exactly.
fn integer(term: &Term) -> Option<i64> {
    const EXACT: i64 = 1 << 53;
    let (digits, sign) = match term {
        Term::Num(digits) => (digits, 1),
        Term::Neg(term) => match &**term {
            Term::Num(digits) => (digits, -1),
            _ => return None,
        },
        _ => return None,
    };
    let number: i64 = digits.parse().ok()?;
    (number < EXACT).then_some(sign * number)
}

/// Returns the end of a slice: `None` if it is not an integer, `Some(None)` if it is omitted.
fn bound(end: &Option<Term>) -> Option<Option<i64>> {
    end.as_ref().map_or(Some(None), |end| integer(end).map(Some))
}
