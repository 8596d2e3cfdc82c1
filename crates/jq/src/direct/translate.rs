//! Translates terms to expressions.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::path::{self, Opt};

use super::expression::{Change, Expression, Op};
use super::fold::Fold;
use super::{Direct, Kind};
use crate::natives;
use crate::term::{Term, literal};
use crate::value::{Num, Val};

/// Levels of an expression, which recursion over it takes from the stack.
const MAX_LEVELS: usize = 32;

/// Variables that an expression takes from the filter.
const MAX_CAPTURED: usize = 8;

/// Terms of the smallest expression for which calling a native takes less time than jaq does.
const MIN_TERMS: usize = 3;

/// Further terms that it needs for each of its variables, because binding one takes time.
const MIN_TERMS_PER_VARIABLE: usize = 2;

/// Translates a term whose outputs have no path. Returns the arguments of its native too. Returns `None`
/// if jaq has to evaluate the term, or does it as fast.
pub(super) fn term<'f>(term: &Term<'f>, defined: &[&'f str]) -> Option<(Direct, Vec<Term<'f>>)> {
    let mut translator = Translator { defined, variables: vec![""], terms: 0, levels: 0 };
    let (kind, stream) = match term {
        Term::Fold(name, stream, Pattern::Var(variable), arguments) => {
            let fold = translator.fold(name, variable, arguments)?;
            (Kind::Fold(fold), Some((**stream).clone()))
        }
        term if has_no_path(term) => {
            let expression = translator.expression(term)?;
            let captured = translator.variables.len() - 1;
            if translator.terms < MIN_TERMS + MIN_TERMS_PER_VARIABLE * captured {
                return None;
            }
            (Kind::Expression(expression), None)
        }
        _ => return None,
    };
    let captured = &translator.variables[1..];
    let arguments = stream.into_iter().chain(captured.iter().copied().map(Term::Var)).collect();
    Some((Direct { kind, captured: captured.len() }, arguments))
}

/// Returns whether the outputs of a term have no path, so that it never means the same as a path.
fn has_no_path(term: &Term) -> bool {
    match term {
        Term::BinOp(_, op, _) => !matches!(op, BinaryOp::Pipe(_) | BinaryOp::Comma | BinaryOp::Alt),
        Term::Num(_) | Term::Str(..) | Term::Arr(_) | Term::Obj(_) | Term::Neg(_) => true,
        // Constants are filters in Rust.
        Term::Call("null" | "true" | "false", arguments) => arguments.is_empty(),
        _ => false,
    }
}

struct Translator<'t, 'f> {
    /// Names that the filter's definitions take from jq's own filters.
    defined: &'t [&'f str],
    /// The variables of the scope. The first is that of the fold, if there is one.
    variables: Vec<&'f str>,
    /// The number of terms so far.
    terms: usize,
    /// The levels around the term.
    levels: usize,
}

impl<'f> Translator<'_, 'f> {
    fn fold(&mut self, name: &str, variable: &'f str, arguments: &[Term<'f>]) -> Option<Fold> {
        let (init, update, extract) = match (name, arguments) {
            ("reduce", [init, update]) => (init, update, Vec::new()),
            ("foreach", [init, update]) => (init, update, vec![&Term::Id]),
            ("foreach", [init, update, extract]) => (init, update, listed(extract)),
            _ => return None,
        };
        if !has_no_path(init) {
            return None;
        }
        let init = self.expression(init)?;
        self.variables[0] = variable;
        let update = self.expression(update)?;
        let extract = self.all(&extract)?;
        Some(Fold { init, update, extract })
    }

    fn expression(&mut self, term: &Term<'f>) -> Option<Expression> {
        self.terms += 1;
        // Each branch and each part of a path is a level of the expression.
        let levels = match term {
            Term::IfThenElse(branches, _) => branches.len(),
            Term::Path(_, path) => path.0.len(),
            _ => 1,
        };
        if self.levels + levels > MAX_LEVELS {
            return None;
        }
        self.levels += levels;
        let expression = self.inner(term);
        self.levels -= levels;
        expression
    }

    fn inner(&mut self, term: &Term<'f>) -> Option<Expression> {
        let (op, parts) = match term {
            Term::Id => (Op::Input, Vec::new()),
            Term::Num(text) => (Op::Constant(Val::Num(Num::from_text(text)?)), Vec::new()),
            Term::Var(name) => (Op::Variable(self.variable(name)?), Vec::new()),
            Term::Str(None, parts) => match literal(term) {
                Some(text) => (Op::Constant(Val::str(text)), Vec::new()),
                None => {
                    let mut texts = Vec::new();
                    for part in parts {
                        texts.push(self.part_of_text(part)?);
                    }
                    (Op::Text, texts)
                }
            },
            Term::Arr(elements) => (Op::Array, self.all(&elements.as_deref().map_or_else(Vec::new, listed))?),
            Term::Obj(members) => {
                let mut parts = Vec::new();
                for (key, value) in members {
                    parts.extend(self.member(key, value.as_ref())?);
                }
                (Op::Object, parts)
            }
            Term::Neg(of) => match self.expression(of)?.into_number() {
                Ok(number) => (Op::Constant(Val::Num(number.neg())), Vec::new()),
                Err(of) => (Op::Negate, vec![of]),
            },
            Term::BinOp(left, op, right) => self.operator(left, op, right)?,
            Term::IfThenElse(branches, otherwise) => {
                let mut rest = self.expression(otherwise.as_deref().unwrap_or(&Term::Id))?;
                for (condition, then) in branches.iter().rev() {
                    let mut parts = self.all(&[condition, then])?;
                    parts.push(rest);
                    rest = Expression::new(Op::If, parts);
                }
                return Some(rest);
            }
            Term::Path(of, path) => return self.path(of, &path.0),
            Term::Call(name, arguments) if arguments.is_empty() && !self.defined.contains(name) => {
                match *name {
                    "not" => (Op::Not, Vec::new()),
                    "tostring" => (Op::Text, self.all(&[&Term::Id])?),
                    name => (Op::Call(natives::without_arguments(name)?), Vec::new()),
                }
            }
            _ => return None,
        };
        Some(Expression::new(op, parts))
    }

    fn all(&mut self, terms: &[&Term<'f>]) -> Option<Vec<Expression>> {
        terms.iter().map(|term| self.expression(term)).collect()
    }

    /// Returns the place of a variable in the scope.
    fn variable(&mut self, name: &'f str) -> Option<usize> {
        let known = self.variables.iter().position(|variable| *variable == name);
        if known.is_none() {
            self.variables.push(name);
        }
        known.or_else(|| Some(self.variables.len() - 1).filter(|captured| *captured <= MAX_CAPTURED))
    }

    fn part_of_text(&mut self, part: &StrPart<&'f str, Term<'f>>) -> Option<Expression> {
        let text = match part {
            StrPart::Str(text) => Val::str(*text),
            StrPart::Char(char) => Val::str(*char),
            StrPart::Term(term) => return self.expression(term),
        };
        Some(Expression::new(Op::Constant(text), Vec::new()))
    }

    fn operator(
        &mut self,
        left: &Term<'f>,
        op: &BinaryOp<&'f str>,
        right: &Term<'f>,
    ) -> Option<(Op, Vec<Expression>)> {
        let op = match op {
            BinaryOp::Pipe(None) => Op::Pipe,
            BinaryOp::Alt => Op::Alternative,
            BinaryOp::Or => Op::Logic(true),
            BinaryOp::And => Op::Logic(false),
            BinaryOp::Math(op) => Op::Math(*op),
            BinaryOp::Cmp(op) => Op::Compare(*op),
            BinaryOp::Update => Op::Update(Change::To),
            BinaryOp::Assign => Op::Update(Change::Assign),
            BinaryOp::UpdateMath(op) => Op::Update(Change::Math(*op)),
            BinaryOp::UpdateAlt => Op::Update(Change::Alternative),
            BinaryOp::Pipe(Some(_)) | BinaryOp::Comma => return None,
        };
        if !matches!(op, Op::Update(_)) {
            return Some((op, self.all(&[left, right])?));
        }
        let mut parts = self.all(&[right])?;
        match left {
            Term::Path(of, path) if matches!(**of, Term::Id) => {
                for part in &path.0 {
                    let (path::Part::Index(index), Opt::Essential) = part else { return None };
                    parts.push(self.expression(index)?);
                }
            }
            _ => return None,
        }
        Some((op, parts))
    }

    fn member(&mut self, key: &Term<'f>, value: Option<&Term<'f>>) -> Option<[Expression; 2]> {
        Some(match (key, value) {
            (key, Some(value)) => [self.expression(key)?, self.expression(value)?],
            (Term::Var(name), None) => {
                let text = Val::str(name.strip_prefix('$')?);
                [Expression::new(Op::Constant(text), Vec::new()), self.expression(key)?]
            }
            // Another key would be translated twice.
            (key, None) if literal(key).is_some() => {
                [self.expression(key)?, Expression::new(Op::Index, self.all(&[&Term::Id, key])?)]
            }
            (_, None) => return None,
        })
    }

    fn path(&mut self, of: &Term<'f>, path: &[(path::Part<Term<'f>>, Opt)]) -> Option<Expression> {
        let mut of = self.expression(of)?;
        for (at, (part, opt)) in path.iter().enumerate() {
            let (op, bounds) = match part {
                _ if matches!(opt, Opt::Optional) => return None,
                path::Part::Range(None, None) => return None,
                path::Part::Index(index) => (Op::Index, self.all(&[index])?),
                path::Part::Range(from, upto) => (
                    Op::Slice(from.is_some(), upto.is_some()),
                    self.all(&from.iter().chain(upto).collect::<Vec<_>>())?,
                ),
            };
            // jaq evaluates all indices before it follows the first of them.
            if at > 0 && !bounds.iter().all(Expression::never_fails) {
                return None;
            }
            of = Expression::new(op, std::iter::once(of).chain(bounds).collect());
        }
        Some(of)
    }
}

/// Returns the terms of a list that is separated by commas.
fn listed<'t, 'f>(term: &'t Term<'f>) -> Vec<&'t Term<'f>> {
    match term {
        Term::BinOp(left, BinaryOp::Comma, right) => {
            let mut terms = listed(left);
            terms.append(&mut listed(right));
            terms
        }
        term => vec![term],
    }
}
