//! Expressions: terms with exactly one output, or an error.

use jaq_core::ops::{Cmp, Math};
use jaq_core::{RunPtr, ValT, ValX};

use super::Scope;
use crate::run::Jq;
use crate::value::{self, Num, Obj, Val, charge, push_item};

/// A term with exactly one output: an operator, and the terms it is applied to.
pub(super) struct Expression {
    op: Op,
    parts: Vec<Expression>,
}

/// What an expression does with its parts, which are evaluated on its input.
pub(super) enum Op {
    /// `.`
    Input,
    Constant(Val),
    /// A variable, by its place in the scope.
    Variable(usize),
    /// `of[index]`
    Index,
    /// `of[from:upto]`, with only those bounds that these flags name.
    Slice(bool, bool),
    /// `l | r`; the right part is evaluated on the left one.
    Pipe,
    Math(Math),
    Compare(Cmp),
    /// `l or r` if the flag is set, otherwise `l and r`.
    Logic(bool),
    /// `l // r`
    Alternative,
    Negate,
    Not,
    /// `if` with a condition and two cases.
    If,
    Array,
    /// Each key is followed by its value.
    Object,
    /// The parts of a string with interpolations.
    Text,
    /// An assignment: its right side, and the components of its path, which starts at the input.
    Update(Change),
    /// A filter in Rust without arguments.
    Call(RunPtr<Jq>),
}

/// How an assignment changes the value at its path.
pub(super) enum Change {
    /// `|=`; the right side is evaluated on the old value.
    To,
    /// `=`
    Assign,
    /// `+=`, and the same with other operators.
    Math(Math),
    /// `//=`
    Alternative,
}

impl Expression {
    pub(super) fn new(op: Op, parts: Vec<Expression>) -> Self {
        Expression { op, parts }
    }

    /// Returns the number if the expression is one, otherwise the expression.
    pub(super) fn into_number(self) -> Result<Num, Self> {
        match self.op {
            Op::Constant(Val::Num(number)) => Ok(number),
            op => Err(Expression { op, ..self }),
        }
    }

    /// Returns whether evaluating it never fails.
    pub(super) fn never_fails(&self) -> bool {
        matches!(self.op, Op::Input | Op::Constant(_) | Op::Variable(_))
    }

    /// Evaluates the expression on an input. The last part gets the input itself: a value without other
    /// owners is changed in place.
    pub(super) fn evaluate<'a>(&self, mut input: Val, scope: &Scope<'a>) -> ValX<'a, Val> {
        match &self.op {
            Op::Input => return Ok(input),
            Op::Constant(value) => return Ok(value.clone()),
            Op::Variable(at) => return Ok(scope.variables[*at].clone()),
            Op::Update(change) => return self.update(change, input, scope),
            _ => charge(1)?,
        }
        let mut part = |at: usize| {
            let is_last = at + 1 == self.parts.len();
            let input = if is_last { std::mem::take(&mut input) } else { input.clone() };
            self.parts[at].evaluate(input, scope)
        };
        Ok(match &self.op {
            Op::Index => part(0)?.index(&part(1)?)?,
            Op::Slice(has_from, has_upto) => {
                let value = part(0)?;
                let from = if *has_from { Some(part(1)?) } else { None };
                let upto = if *has_upto { Some(part(self.parts.len() - 1)?) } else { None };
                value.range(from.as_ref()..upto.as_ref())?
            }
            Op::Math(op) => op.run(part(0)?, part(1)?)?,
            Op::Compare(op) => Val::Bool(op.run(&part(0)?, &part(1)?)),
            Op::Logic(decides) => {
                Val::Bool(if part(0)?.as_bool() == *decides { *decides } else { part(1)?.as_bool() })
            }
            Op::Alternative => match part(0)? {
                value if value.as_bool() => value,
                _ => part(1)?,
            },
            Op::Negate => (-part(0)?)?,
            Op::Array | Op::Object | Op::Text => self.construct(&mut part)?,
            Op::If => {
                let at = if part(0)?.as_bool() { 1 } else { 2 };
                self.parts[at].evaluate(input, scope)?
            }
            Op::Pipe => {
                let left = self.parts[0].evaluate(input, scope)?;
                self.parts[1].evaluate(left, scope)?
            }
            Op::Not => Val::Bool(!input.as_bool()),
            Op::Call(run) => run((scope.context(), input)).next().unwrap_or(Ok(Val::Null))?,
            // Returned above.
            Op::Input | Op::Constant(_) | Op::Variable(_) | Op::Update(_) => input,
        })
    }

    /// Constructs an array, an object or a string.
    fn construct<'a>(&self, part: &mut dyn FnMut(usize) -> ValX<'a, Val>) -> ValX<'a, Val> {
        let count = self.parts.len();
        Ok(match self.op {
            Op::Object => {
                let mut obj = Obj::default();
                for at in (0..count).step_by(2) {
                    let (key, value) = (part(at)?, part(at + 1)?);
                    obj.insert(value::key_of(&key)?, value);
                }
                Val::object(obj)?
            }
            Op::Text => {
                let mut text = Val::str("");
                for at in 0..count {
                    text = (text + part(at)?.into_string())?;
                }
                text
            }
            _ => {
                let mut items = Vec::with_capacity(count);
                for at in 0..count {
                    push_item(&mut items, part(at)?)?;
                }
                Val::array(items)?
            }
        })
    }

    fn update<'a>(&self, change: &Change, input: Val, scope: &Scope<'a>) -> ValX<'a, Val> {
        let [f, path @ ..] = &self.parts[..] else { return Ok(input) };
        let right = match change {
            Change::To => Val::Null,
            _ => f.evaluate(input.clone(), scope)?,
        };
        let path = path.iter().map(|at| at.evaluate(input.clone(), scope)).collect::<Result<Vec<_>, _>>()?;
        // Fails as the path itself does, and records missing keys.
        path.iter().try_fold(input.clone(), |value, at| value.index(at))?;
        value::update(input, &mut [Ok(path)].into_iter(), &|old| {
            Some(match change {
                Change::To => f.evaluate(old, scope),
                Change::Math(op) => op.run(old, right.clone()).map_err(Into::into),
                Change::Alternative if old.as_bool() => Ok(old),
                Change::Alternative | Change::Assign => Ok(right.clone()),
            })
        })
    }
}
