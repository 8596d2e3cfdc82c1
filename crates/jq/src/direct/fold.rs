//! `reduce` and `foreach`.

use jaq_core::{ValX, ValXs};

use super::Scope;
use super::expression::Expression;
use crate::limits;
use crate::run::limit_halt;
use crate::value::Val;

/// `reduce … as $x (init; update)` or `foreach … as $x (init; update; extract)`
pub(super) struct Fold {
    pub(super) init: Expression,
    pub(super) update: Expression,
    /// The outputs after each update; none for `reduce`, whose only output is the last state.
    pub(super) extract: Vec<Expression>,
}

/// A fold that is running.
struct Running<'a> {
    fold: &'a Fold,
    scope: Scope<'a>,
    stream: ValXs<'a, Val>,
    /// The state after the last update. `None` at the end, and after an error.
    state: Option<Val>,
    /// The number of outputs after the last update that were returned.
    extracted: usize,
}

impl Fold {
    /// Folds the outputs of a stream. Each output is computed when it is consumed.
    pub(super) fn run<'a>(&'a self, stream: ValXs<'a, Val>, input: Val, scope: Scope<'a>) -> ValXs<'a, Val> {
        let state = match self.init.evaluate(input, &scope) {
            Ok(state) => Some(state),
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let mut running = Running { fold: self, scope, stream, state, extracted: self.extract.len() };
        Box::new(std::iter::from_fn(move || running.next_output()))
    }
}

impl<'a> Running<'a> {
    fn next_output(&mut self) -> Option<ValX<'a, Val>> {
        loop {
            if let Some(extract) = self.fold.extract.get(self.extracted) {
                self.extracted += 1;
                return Some(extract.evaluate(self.state.clone()?, &self.scope));
            }
            let state = self.state.take()?;
            match self.stream.next() {
                Some(next) => match self.updated(state, next) {
                    Ok(state) => self.state = Some(state),
                    Err(error) => return Some(Err(error)),
                },
                None => return self.fold.extract.is_empty().then_some(Ok(state)),
            }
            self.extracted = 0;
        }
    }

    /// Returns the state after the next value of the stream.
    fn updated(&mut self, state: Val, next: ValX<'a, Val>) -> ValX<'a, Val> {
        if !limits::charge(1) {
            return Err(limit_halt());
        }
        self.scope.variables[0] = next?;
        self.fold.update.evaluate(state, &self.scope)
    }
}
