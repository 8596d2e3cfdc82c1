//! One pass over a document where two would give the same: the elements of an
//! array are read as they are come by, and the grammar of all is checked on the
//! way. Where that turns out not to do, the outputs are of no account and the
//! document is read again, in two passes.

use super::super::demand::Demand;
use super::super::limits::MAX_DOCUMENT_DEPTH;
use super::super::read::{Builder, inside, skip_rest, skip_value};
use super::super::stream::Stream;
use super::super::value::Val;
use super::{Step, To};
use tuckaway_json::scan::{Scanner, Token, TokenKind};
use tuckaway_json::unescape::unescape;

/// That one pass does not do: no array is there, the way to it is there twice, or
/// the document is none.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct TwoPasses;

/// A pass over one document.
///
/// ```text
/// reach ─► next ─► next ─► … ─► finish
/// ```
pub(super) struct Once<'s> {
    scanner: Scanner<Stream<'s>>,
    path: Vec<Step>,
    builder: Builder,
    /// In the array whose elements are read.
    within: bool,
}

impl<'s> Once<'s> {
    /// A pass over the document that the scanner comes to next.
    pub(super) fn new(scanner: Scanner<Stream<'s>>, path: &[Step]) -> Self {
        Once { scanner, path: path.to_vec(), builder: Builder::default(), within: false }
    }

    fn token(&mut self) -> Result<Token, TwoPasses> {
        self.scanner.next_token().ok().flatten().ok_or(TwoPasses)
    }

    fn skip(&mut self) -> Result<(), TwoPasses> {
        skip_value(&mut self.scanner, MAX_DOCUMENT_DEPTH).map(drop).map_err(|_| TwoPasses)
    }

    /// Goes to the next member of an object, and says whether it has this key;
    /// none at the object's end.
    fn is_key(&mut self, wanted: &str) -> Result<Option<bool>, TwoPasses> {
        self.scanner.keep_texts();
        let token = self.token()?;
        let found = match token.kind {
            TokenKind::Key => Some(*unescape(inside(&self.scanner, token)) == *wanted),
            _ => None,
        };
        self.scanner.drop_texts();
        Ok(found)
    }

    /// Goes to the array.
    pub(super) fn reach(&mut self) -> Result<(), TwoPasses> {
        self.scanner.drop_texts();
        for step in self.path.clone() {
            match (&step.to, self.token()?.kind) {
                (To::Key(key), TokenKind::ObjectStart) => {
                    while !self.is_key(key)?.ok_or(TwoPasses)? {
                        self.skip()?;
                    }
                }
                (To::Index(index), TokenKind::ArrayStart) => {
                    for _ in 0..*index {
                        self.skip()?;
                    }
                }
                _ => return Err(TwoPasses),
            }
        }
        match self.token()?.kind {
            TokenKind::ArrayStart if self.scanner.depth() <= MAX_DOCUMENT_DEPTH => {}
            _ => return Err(TwoPasses),
        }
        self.within = true;
        self.builder.set_outside(self.scanner.depth());
        self.scanner.keep_texts();
        Ok(())
    }

    /// The next element and where it begins; none at the array's end.
    pub(super) fn next(&mut self, room: u64, demand: &Demand) -> Result<Option<(Token, Val)>, TwoPasses> {
        if !self.within {
            return Ok(None);
        }
        let token = self.token()?;
        if token.kind == TokenKind::ArrayEnd {
            self.within = false;
            return Ok(None);
        }
        self.builder.refill(room);
        let value = self.builder.value(&mut self.scanner, token, demand).map_err(|_| TwoPasses)?;
        Ok(Some((token, value)))
    }

    /// Goes on to the end of the document, and gives the scanner back.
    pub(super) fn finish(mut self) -> Result<Scanner<Stream<'s>>, TwoPasses> {
        self.scanner.drop_texts();
        if self.within {
            self.skip_elements()?;
        }
        for step in std::mem::take(&mut self.path).iter().rev() {
            match &step.to {
                To::Key(key) => {
                    while let Some(again) = self.is_key(key)? {
                        if again {
                            return Err(TwoPasses);
                        }
                        self.skip()?;
                    }
                }
                To::Index(_) => self.skip_elements()?,
            }
        }
        self.scanner.keep_texts();
        Ok(self.scanner)
    }

    fn skip_elements(&mut self) -> Result<(), TwoPasses> {
        loop {
            let token = self.token()?;
            if token.kind == TokenKind::ArrayEnd {
                return Ok(());
            }
            skip_rest(&mut self.scanner, token, MAX_DOCUMENT_DEPTH).map_err(|_| TwoPasses)?;
        }
    }
}
