//! Taking a term apart: what it asks of the document by paths, and what it does
//! with the answers.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::BinaryOp;
use jaq_core::path::{Opt, Part, Path};

use super::super::compile::Term;
use super::super::demand::{Demand, GIVEN, literal};
use super::condition::Condition;
use super::{ASK, Ask, Step, To, What};

/// Filters whose arguments of these places are asked of the filter's own input,
/// and which ask nothing else of it.
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

/// How a filter is run on the places of a document.
pub(in super::super) struct Plan<'f> {
    /// The filter, with a call of [`ASK`] in the place of each path. Its own
    /// input is of no account.
    pub(in super::super) term: Term<'f>,
    pub(in super::super) asks: Vec<Ask>,
    /// The ask whose values are all that the outputs are made of, each apart
    /// from the others.
    pub(in super::super) apart: Option<usize>,
}

impl<'f> Plan<'f> {
    /// The plan of a term; none if it needs the document as a whole.
    pub(in super::super) fn of(term: &Term<'f>) -> Option<Plan<'f>> {
        let mut planner = Planner { asks: Vec::new() };
        let term = planner.term(term, &[], &Demand::All)?;
        let apart = apart(&term, &planner.asks);
        Some(Plan { term, asks: planner.asks, apart })
    }
}

/// The ask of which a planned term takes one value after the other.
fn apart(term: &Term, asks: &[Ask]) -> Option<usize> {
    match term {
        Term::Path(head, _) => apart(head, asks),
        Term::BinOp(left, BinaryOp::Pipe(None), right) => match called(left) {
            Some(ask) if matches!(asks.get(ask)?.what, What::Path) => apart(right, asks),
            _ => apart(left, asks),
        },
        term => called(term).filter(|ask| matches!(asks[*ask].what, What::Each { .. })),
    }
}

/// The ask that a planned term is a call for.
fn called(term: &Term) -> Option<usize> {
    match term {
        Term::Call(ASK, arguments) => literal(arguments.first()?)?.parse().ok(),
        _ => None,
    }
}

struct Planner {
    asks: Vec<Ask>,
}

impl Planner {
    /// The term without its input, which is at this path; none if that is the
    /// document itself, and needed as a whole. So much is asked of its outputs.
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
            Term::Arr(Some(term)) => Term::Arr(Some(self.boxed(term, at, &Demand::All)?)),
            Term::Neg(term) => Term::Neg(self.boxed(term, at, &Demand::All)?),
            Term::Obj(members) => {
                let members = members.iter().map(|(key, value)| self.member(key, value.as_ref(), at));
                Term::Obj(members.collect::<Option<_>>()?)
            }
            Term::BinOp(left, BinaryOp::Pipe(None), right) => self.pipe(left, right, at, outputs)?,
            Term::BinOp(left, op, right) => {
                let all = &Demand::All;
                let (of_left, of_right) = match op {
                    BinaryOp::Pipe(_) => (all, outputs),
                    BinaryOp::Comma | BinaryOp::Alt => (outputs, outputs),
                    BinaryOp::Or | BinaryOp::And | BinaryOp::Math(_) | BinaryOp::Cmp(_) => (all, all),
                    _ => return self.whole(term, at, outputs),
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
                let inputs = self.boxed(inputs, at, &Demand::All)?;
                let mut arguments = arguments.clone();
                if let Some(init) = arguments.first_mut() {
                    *init = self.term(init, at, &Demand::All)?;
                }
                Term::Fold(name, inputs, pattern.clone(), arguments)
            }
            Term::Def(definitions, term) if definitions.iter().all(|def| !GIVEN.contains(&def.name)) => {
                Term::Def(definitions.clone(), self.boxed(term, at, outputs)?)
            }
            Term::Call(name, arguments) => self.call(term, name, arguments, at, outputs)?,
            Term::Path(head, path) => self.path(term, head, path, at, outputs)?,
            Term::Id | Term::Recurse | Term::Def(..) => self.whole(term, at, outputs)?,
        })
    }

    fn boxed<'f>(&mut self, term: &Term<'f>, at: &[Step], outputs: &Demand) -> Option<Box<Term<'f>>> {
        self.term(term, at, outputs).map(Box::new)
    }

    /// A member of an object that is made.
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

    /// `left | right`. Where the left side is a path to one place, the right one
    /// is asked of that place.
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
                // Whether or not the right side looks at its input, a path that
                // leads nowhere fails.
                let leads = self.ask(&path, What::Path, Demand::NOTHING);
                Some(pipe(leads, self.term(right, &path, outputs)?))
            }
            None => {
                let left = self.term(left, at, &Demand::of(right, outputs))?;
                if let Some(ask) = called(&left).and_then(|number| self.asks.get_mut(number))
                    && matches!(ask.what, What::Each { .. })
                {
                    ask.condition = Condition::of_inputs(right);
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
        // What these are defined as.
        let meaning = match (name, arguments) {
            ("map", [f]) => Term::Arr(Some(Box::new(pipe(each(), f.clone())))),
            ("first", []) => index(Term::Num("0")),
            ("last", []) => index(Term::Neg(Box::new(Term::Num("1")))),
            ("any" | "all", []) => Term::Call(name, vec![each(), Term::Id]),
            ("any" | "all", [f]) => Term::Call(name, vec![each(), f.clone()]),
            ("add", []) => Term::Call(name, vec![each()]),
            ("INDEX", [f]) => Term::Call(name, vec![each(), f.clone()]),
            ("length", []) => return Some(self.ask(at, What::Length, Demand::NOTHING)),
            ("type", []) => return Some(self.ask(at, What::Type, Demand::NOTHING)),
            ("keys" | "keys_unsorted", []) => {
                return Some(pipe(self.ask(at, What::Outline, Demand::NOTHING), term.clone()));
            }
            ("has", [key]) if is_constant(key) => {
                return Some(pipe(self.ask(at, What::Outline, Demand::NOTHING), term.clone()));
            }
            ("true" | "false" | "null", []) => return Some(term.clone()),
            _ => {
                let stream =
                    STREAMS.iter().find(|(known, arity, _)| *known == name && *arity == arguments.len());
                let Some((.., places)) = stream else { return self.whole(term, at, outputs) };
                let demand = match (name, arguments) {
                    ("first" | "last" | "limit" | "skip" | "nth", _) => outputs.clone(),
                    ("any" | "all", [_, condition]) => Demand::of(condition, &Demand::All),
                    ("isempty", _) => Demand::NOTHING,
                    _ => Demand::All,
                };
                let mut arguments = arguments.to_vec();
                for &place in *places {
                    let is_stream = place + 1 == places.len();
                    let demand = if is_stream { &demand } else { &Demand::All };
                    arguments[place] = self.term(&arguments[place], at, demand)?;
                }
                return Some(Term::Call(name, arguments));
            }
        };
        self.term(&meaning, at, outputs)
    }

    fn path<'f>(
        &mut self,
        term: &Term<'f>,
        head: &Term<'f>,
        path: &Path<Term<'f>>,
        at: &[Step],
        outputs: &Demand,
    ) -> Option<Term<'f>> {
        let constant = path.0.iter().all(|(part, _)| match part {
            Part::Index(index) => is_constant(index),
            Part::Range(from, upto) => from.iter().chain(upto).all(is_constant),
        });
        // Other indices are asked of the input too, in an order that counts.
        if !constant {
            return self.whole(term, at, outputs);
        }
        if !matches!(head, Term::Id) {
            let head = self.boxed(head, at, &demand_of_path(&path.0, outputs))?;
            return Some(Term::Path(head, path.clone()));
        }
        let steps: Vec<Step> = path.0.iter().map_while(step).collect();
        let rest = &path.0[steps.len()..];
        let place = [at, &steps].concat();
        let Some(((part, opt), behind)) = rest.split_first() else {
            return self.whole(&Term::Id, &place, outputs);
        };
        let optional = matches!(opt, Opt::Optional);
        let (what, demand, behind) = match part {
            Part::Range(None, None) => (What::Each { optional }, demand_of_path(behind, outputs), behind),
            Part::Range(from, upto) => match (bound(from), bound(upto)) {
                (Some(from), Some(upto)) => (What::Slice { from, upto, optional }, Demand::All, behind),
                _ => (What::Value, Demand::All, rest),
            },
            Part::Index(index) => match integer(index) {
                Some(index) => (What::At { index, optional }, demand_of_path(behind, outputs), behind),
                None => (What::Value, Demand::All, rest),
            },
        };
        if place.is_empty() && matches!(what, What::Value) {
            return None;
        }
        let answer = self.ask(&place, what, demand);
        Some(match behind {
            [] => answer,
            behind => Term::Path(Box::new(answer), Path(behind.to_vec())),
        })
    }

    /// A term whose input is asked for as a value.
    fn whole<'f>(&mut self, term: &Term<'f>, at: &[Step], outputs: &Demand) -> Option<Term<'f>> {
        if at.is_empty() {
            return None;
        }
        let value = self.ask(at, What::Value, Demand::of(term, outputs));
        Some(match term {
            Term::Id => value,
            term => pipe(value, term.clone()),
        })
    }

    /// The call that answers.
    fn ask<'f>(&mut self, path: &[Step], what: What, demand: Demand) -> Term<'f> {
        let number = self.asks.len().to_string();
        self.asks.push(Ask { path: path.to_vec(), what, demand, condition: None });
        Term::Call(ASK, vec![Term::Str(None, number.chars().map(StrPart::Char).collect())])
    }
}

fn pipe<'f>(left: Term<'f>, right: Term<'f>) -> Term<'f> {
    Term::BinOp(Box::new(left), BinaryOp::Pipe(None), Box::new(right))
}

/// What is asked of a value by a path of constant parts.
fn demand_of_path(path: &[(Part<Term>, Opt)], outputs: &Demand) -> Demand {
    path.iter().rev().fold(outputs.clone(), |demand, (part, _)| match part {
        Part::Index(index) => literal(index).map_or(Demand::All, |key| Demand::key(key, demand)),
        Part::Range(..) => Demand::All,
    })
}

/// A part of a path that leads to one place, however large the document is.
fn step((part, opt): &(Part<Term>, Opt)) -> Option<Step> {
    let Part::Index(index) = part else { return None };
    let to = match literal(index) {
        Some(key) => To::Key(key),
        None => To::Index(integer(index)?.try_into().ok()?),
    };
    Some(Step { to, optional: matches!(opt, Opt::Optional) })
}

/// An index that has one value, whatever the input is.
fn is_constant(index: &Term) -> bool {
    matches!(index, Term::Num(_) | Term::Var(_)) || literal(index).is_some() || integer(index).is_some()
}

/// An integer as it is written, within what is exact everywhere.
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

/// An end of a slice: none if it is not an integer, none inside if it is left out.
fn bound(end: &Option<Term>) -> Option<Option<i64>> {
    end.as_ref().map_or(Some(None), |end| integer(end).map(Some))
}
