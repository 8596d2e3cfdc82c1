//! A single pass over a document: reads the elements of one array as they come, and checks the
//! grammar of the document on the way. If that turns out to be impossible, the outputs so far are
//! discarded, and the document is read again in two passes.

use super::request::{Selector, Step};
use crate::demand::Demand;
use crate::limits::MAX_DOCUMENT_DEPTH;
use crate::read::{Builder, skip_rest, skip_value, unquoted};
use crate::stream::Stream;
use crate::value::Val;
use tuckaway_json::scan::{Scanner, Token, TokenKind};
use tuckaway_json::unescape::unescape;

/// A single pass is impossible: the path does not lead to an array, a key on the path occurs
/// twice, or the document is malformed or too large.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeedsTwoPasses;

/// A pass over one document.
///
/// ```text
/// find_array ─► next_element ─► next_element ─► … ─► finish
/// ```
pub(super) struct SinglePass<'s> {
    scanner: Scanner<Stream<'s>>,
    path: Vec<Step>,
    builder: Builder,
    /// Whether the scanner is in the array.
    is_in_array: bool,
}

impl<'s> SinglePass<'s> {
    /// Starts a pass over the next document of a scanner. `path` leads to the array.
    pub(super) fn new(scanner: Scanner<Stream<'s>>, path: &[Step]) -> Self {
        SinglePass { scanner, path: path.to_vec(), builder: Builder::default(), is_in_array: false }
    }

    fn token(&mut self) -> Result<Token, NeedsTwoPasses> {
        self.scanner.next_token().ok().flatten().ok_or(NeedsTwoPasses)
    }

    fn skip(&mut self) -> Result<(), NeedsTwoPasses> {
        skip_value(&mut self.scanner, MAX_DOCUMENT_DEPTH).map(drop).map_err(|_| NeedsTwoPasses)
    }

    /// Reads the next key of an object, and returns whether it is this one; `None` at the end of
    /// the object.
    fn next_key_is(&mut self, key: &str) -> Result<Option<bool>, NeedsTwoPasses> {
        self.scanner.keep_texts();
        let token = self.token()?;
        let is_key = match token.kind {
            TokenKind::Key => Some(*unescape(unquoted(&self.scanner, token)) == *key),
            _ => None,
        };
        self.scanner.drop_texts();
        Ok(is_key)
    }

    /// Moves the scanner into the array.
    pub(super) fn find_array(&mut self) -> Result<(), NeedsTwoPasses> {
        self.scanner.drop_texts();
        for step in self.path.clone() {
            match (&step.selector, self.token()?.kind) {
                (Selector::Key(key), TokenKind::ObjectStart) => {
                    while !self.next_key_is(key)?.ok_or(NeedsTwoPasses)? {
                        self.skip()?;
                    }
                }
                (Selector::Index(index), TokenKind::ArrayStart) => {
                    for _ in 0..*index {
                        self.skip()?;
                    }
                }
                _ => return Err(NeedsTwoPasses),
            }
        }
        match self.token()?.kind {
            TokenKind::ArrayStart if self.scanner.depth() <= MAX_DOCUMENT_DEPTH => {}
            _ => return Err(NeedsTwoPasses),
        }
        self.is_in_array = true;
        self.builder.set_outer_depth(self.scanner.depth());
        self.scanner.keep_texts();
        Ok(())
    }

    /// Reads the next element, and returns it with its first token; `None` at the end of the array.
    pub(super) fn next_element(
        &mut self,
        budget: u64,
        demand: &Demand,
    ) -> Result<Option<(Token, Val)>, NeedsTwoPasses> {
        if !self.is_in_array {
            return Ok(None);
        }
        let token = self.token()?;
        if token.kind == TokenKind::ArrayEnd {
            self.is_in_array = false;
            return Ok(None);
        }
        self.builder.set_budget(budget);
        let value = self.builder.value(&mut self.scanner, token, demand).map_err(|_| NeedsTwoPasses)?;
        Ok(Some((token, value)))
    }

    /// Checks the rest of the document, and returns the scanner past it.
    pub(super) fn finish(mut self) -> Result<Scanner<Stream<'s>>, NeedsTwoPasses> {
        self.scanner.drop_texts();
        if self.is_in_array {
            self.skip_elements()?;
        }
        for step in std::mem::take(&mut self.path).iter().rev() {
            match &step.selector {
                Selector::Key(key) => {
                    while let Some(is_repeated) = self.next_key_is(key)? {
                        if is_repeated {
                            return Err(NeedsTwoPasses);
                        }
                        self.skip()?;
                    }
                }
                Selector::Index(_) => self.skip_elements()?,
            }
        }
        self.scanner.keep_texts();
        Ok(self.scanner)
    }

    /// Skips the rest of an array.
    fn skip_elements(&mut self) -> Result<(), NeedsTwoPasses> {
        loop {
            let token = self.token()?;
            if token.kind == TokenKind::ArrayEnd {
                return Ok(());
            }
            skip_rest(&mut self.scanner, token, MAX_DOCUMENT_DEPTH).map_err(|_| NeedsTwoPasses)?;
        }
    }
}
