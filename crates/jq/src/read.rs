//! JSON documents as values.
//!
//! [`tuckaway_json::scan`] checks the grammar strictly and finds the end of each document. Invalid
//! UTF-8 in strings and halves of surrogate pairs become U+FFFD. For equal keys, the last value
//! wins, at the position of the first. Parts that a filter does not demand ([`Demand`]) are
//! scanned, not built.

use std::rc::Rc;

use crate::demand::Demand;
use crate::limits::{self, MAX_DOCUMENT_DEPTH};
use crate::value::{Arr, Num, Obj, Val};
use tuckaway_json::input::Input;
use tuckaway_json::scan::{Scanner, SkipError, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape;

/// The reason why a document could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    Syntax(SyntaxError),
    /// The document exceeds the maximum depth at this byte.
    Depth(u64),
    /// The values exceed their budget of memory at this byte.
    Size(u64),
    /// The document continues past the cutoff.
    Cutoff,
}

impl From<SyntaxError> for ReadError {
    fn from(error: SyntaxError) -> Self {
        ReadError::Syntax(error)
    }
}

/// Parses a text that is exactly one document.
pub(crate) fn parse(bytes: &[u8]) -> Result<Val, ReadError> {
    let error = |offset, expected| Err(ReadError::Syntax(SyntaxError { offset, expected }));
    let mut scanner = Scanner::new(bytes);
    let mut builder = Builder { is_metered: true, ..Builder::default() };
    let Some(value) = builder.next(&mut scanner, &Demand::All)? else {
        return error(bytes.len() as u64, "a value");
    };
    let end = scanner.offset();
    match scanner.next_token() {
        Ok(None) => Ok(value),
        _ => error(end, "the end of the document"),
    }
}

/// A container whose end was not read yet.
enum OpenContainer<'d> {
    /// An array, and the demand for its elements.
    Arr(Vec<Val>, &'d Demand),
    /// An object, the key of its current member, and the demand for its members.
    Obj(Obj, Rc<str>, &'d Demand),
}

impl<'d> OpenContainer<'d> {
    fn new(start: TokenKind, demand: &'d Demand) -> Self {
        match start {
            TokenKind::ArrayStart => OpenContainer::Arr(Vec::new(), demand.of_element()),
            _ => OpenContainer::Obj(Obj::default(), Rc::from(""), demand),
        }
    }

    fn close(self) -> Val {
        match self {
            OpenContainer::Arr(items, _) => Val::Arr(Rc::new(Arr::from(items))),
            OpenContainer::Obj(obj, ..) => Val::Obj(Rc::new(obj)),
        }
    }
}

/// Builds values from tokens, one after the other.
pub(crate) struct Builder {
    keys: KeyCache,
    /// Bytes that values may still occupy, by an estimate that is the same on every machine.
    budget: u64,
    /// Offset past which no token may start.
    cutoff: u64,
    /// Levels of the document around the values.
    outer_depth: usize,
    /// Whether values are charged to the filter, because they come from a string that it made.
    is_metered: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            keys: KeyCache::default(),
            budget: limits::document_memory(),
            cutoff: u64::MAX,
            outer_depth: 0,
            is_metered: false,
        }
    }
}

/// Estimated sizes of an element where pointers have 32 bits, with the overhead of its allocation
/// and the unused capacity of its vector; then of a member, and of other parts of values.
pub(crate) const VALUE_BYTES: u64 = 24;
const MEMBER_BYTES: u64 = 36;
const STRING_BYTES: u64 = 40;
const CONTAINER_BYTES: u64 = 56;
const KEY_BYTES: u64 = 24;

impl Builder {
    /// Creates a builder whose values may occupy this many bytes.
    pub(crate) fn with_budget(budget: u64) -> Self {
        Builder { budget, ..Builder::default() }
    }

    /// Returns the bytes that values may still occupy.
    pub(crate) fn budget(&self) -> u64 {
        self.budget
    }

    /// Sets the bytes that values may occupy from now on.
    pub(crate) fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// Sets the levels of the document around the values, which count towards its depth.
    pub(crate) fn set_outer_depth(&mut self, levels: usize) {
        self.outer_depth = levels.min(MAX_DOCUMENT_DEPTH);
    }

    /// Sets the offset past which no document may continue.
    pub(crate) fn set_cutoff(&mut self, cutoff: u64) {
        self.cutoff = cutoff;
    }

    /// Reads the demanded parts of the next value. Returns `None` at the end of the input.
    pub(crate) fn next<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        demand: &Demand,
    ) -> Result<Option<Val>, ReadError> {
        match scanner.next_token()? {
            None => Ok(None),
            Some(token) => self.value(scanner, token, demand).map(Some),
        }
    }

    /// Reads the demanded parts of the value whose first token is `first`.
    pub(crate) fn value<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        first: Token,
        demand: &Demand,
    ) -> Result<Val, ReadError> {
        match self.is_metered {
            true => self.build(scanner, first, demand),
            false => limits::unmetered(|| self.build(scanner, first, demand)),
        }
    }

    /// Builds a value, without recursion.
    fn build<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        first: Token,
        demand: &Demand,
    ) -> Result<Val, ReadError> {
        let deepest =
            scanner.depth() - usize::from(first.kind.opens()) + MAX_DOCUMENT_DEPTH - self.outer_depth;
        let mut open: Vec<OpenContainer> = Vec::new();
        let (mut token, mut demand) = (first, demand);
        loop {
            let value = match token.kind {
                TokenKind::ArrayStart | TokenKind::ObjectStart => {
                    if scanner.depth() > deepest {
                        return Err(ReadError::Depth(token.start));
                    }
                    self.charge_memory(CONTAINER_BYTES, token)?;
                    open.push(OpenContainer::new(token.kind, demand));
                    None
                }
                TokenKind::ArrayEnd | TokenKind::ObjectEnd => open.pop().map(OpenContainer::close),
                TokenKind::Key => {
                    if let Some(OpenContainer::Obj(_, key, members)) = open.last_mut() {
                        match members.of_member(unquoted(scanner, token), token.escaped) {
                            Some(wanted) => {
                                demand = wanted;
                                *key = self.key(unquoted(scanner, token), token)?;
                            }
                            None => {
                                scanner.drop_texts();
                                skip_value(scanner, deepest)?;
                                scanner.keep_texts();
                            }
                        }
                    }
                    None
                }
                _ => Some(self.scalar(scanner, token)?),
            };
            if let Some(value) = value {
                match open.last_mut() {
                    Some(OpenContainer::Arr(items, _)) => {
                        items.push(value);
                        self.charge_memory(VALUE_BYTES, token)?;
                    }
                    Some(OpenContainer::Obj(obj, key, _)) => {
                        obj.insert(std::mem::replace(key, Rc::from("")), value);
                    }
                    None => return Ok(value),
                }
            }
            if token.start > self.cutoff {
                return Err(ReadError::Cutoff);
            }
            if let Some(OpenContainer::Arr(_, of_elements)) = open.last() {
                demand = of_elements;
            }
            token = scanner.next_token()?.ok_or_else(|| unfinished(scanner))?;
        }
    }

    /// Builds a string, a number or a literal name.
    #[inline]
    fn scalar<I: Input>(&mut self, scanner: &Scanner<I>, token: Token) -> Result<Val, ReadError> {
        Ok(match token.kind {
            TokenKind::String => {
                let text = unescape(unquoted(scanner, token)).into_owned();
                self.charge_memory(STRING_BYTES + text.len() as u64, token)?;
                Val::str(text)
            }
            TokenKind::Integer | TokenKind::Float => {
                let length = token.end - token.start;
                self.charge_memory(length, token)?;
                // Numbers in JSON are ASCII.
                let digits = scanner.text(token.start, token.end).unwrap_or_default();
                let num = Num::from_json(std::str::from_utf8(digits).unwrap_or("0"));
                self.charge_memory(num.heap_bytes().saturating_sub(length), token)?;
                Val::Num(num)
            }
            TokenKind::True => Val::Bool(true),
            TokenKind::False => Val::Bool(false),
            _ => Val::Null,
        })
    }

    /// Reads the keys of the object whose start was the last token, up to its end, with nulls as
    /// values. `deepest` bounds the depth of the skipped values.
    pub(crate) fn keys_of<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        deepest: usize,
    ) -> Result<Obj, ReadError> {
        let mut keys = Obj::default();
        while let Some(token) = scanner.next_token()?
            && token.kind == TokenKind::Key
        {
            let key = self.key(unquoted(scanner, token), token)?;
            keys.insert(key, Val::Null);
            scanner.drop_texts();
            skip_value(scanner, deepest)?;
            scanner.keep_texts();
        }
        Ok(keys)
    }

    /// Returns the key of this spelling, and charges the memory of its member.
    fn key(&mut self, spelling: &[u8], token: Token) -> Result<Rc<str>, ReadError> {
        let key = self.keys.get(spelling, token.escaped);
        // Keys that members share are charged once.
        let own = if Rc::strong_count(&key) <= 2 { KEY_BYTES + key.len() as u64 } else { 0 };
        self.charge_memory(MEMBER_BYTES + own, token)?;
        Ok(key)
    }

    /// Charges the memory of a value to the budget.
    pub(crate) fn charge_memory(&mut self, bytes: u64, token: Token) -> Result<(), ReadError> {
        self.budget = self.budget.checked_sub(bytes).ok_or(ReadError::Size(token.start))?;
        Ok(())
    }
}

/// Returns the error of an input that ends inside a document.
pub(crate) fn unfinished<I: Input>(scanner: &Scanner<I>) -> SyntaxError {
    SyntaxError { offset: scanner.offset(), expected: "more: the input ends inside a document" }
}

/// Skips the next value, which may nest up to the depth `deepest`. Returns its first token and its
/// end.
pub(crate) fn skip_value<I: Input>(
    scanner: &mut Scanner<I>,
    deepest: usize,
) -> Result<(Token, u64), ReadError> {
    let token = scanner.next_token()?.ok_or_else(|| unfinished(scanner))?;
    let end = skip_rest(scanner, token, deepest)?;
    Ok((token, end))
}

/// Skips the rest of the value whose first token is `first`, and returns its end.
pub(crate) fn skip_rest<I: Input>(
    scanner: &mut Scanner<I>,
    first: Token,
    deepest: usize,
) -> Result<u64, ReadError> {
    scanner.skip_rest(first, deepest).map_err(|error| match error {
        SkipError::Syntax(error) => error.into(),
        SkipError::Depth(start) => ReadError::Depth(start),
    })
}

/// The keys that were read last, in slots by their length and ends. Rows share their keys, which
/// saves most of the keys' memory.
#[derive(Default)]
struct KeyCache {
    slots: Vec<Option<Rc<str>>>,
}

impl KeyCache {
    const SLOTS: usize = 256;

    /// Returns the key of this spelling.
    fn get(&mut self, raw: &[u8], escaped: bool) -> Rc<str> {
        if escaped {
            return unescape(raw).into();
        }
        self.slots.resize(Self::SLOTS, None);
        let ends = raw
            .first()
            .zip(raw.last())
            .map_or(0, |(first, last)| usize::from(*first) * 7 + usize::from(*last));
        let slot = &mut self.slots[(raw.len() * 31 + ends) % Self::SLOTS];
        match slot {
            Some(key) if key.as_bytes() == raw => key.clone(),
            _ => {
                let key: Rc<str> = unescape(raw).into();
                *slot = Some(key.clone());
                key
            }
        }
    }
}

/// Returns the text of the last token, a key or a string, without its quotes.
pub(crate) fn unquoted<I: Input>(scanner: &Scanner<I>, token: Token) -> &[u8] {
    scanner.text(token.start + 1, token.end - 1).unwrap_or_default()
}

/// Returns the `type` of the value with this token.
pub(crate) fn type_name(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::ObjectStart | TokenKind::ObjectEnd => "object",
        TokenKind::ArrayStart | TokenKind::ArrayEnd => "array",
        TokenKind::Key | TokenKind::String => "string",
        TokenKind::Integer | TokenKind::Float => "number",
        TokenKind::True | TokenKind::False => "boolean",
        TokenKind::Null => "null",
    }
}

/// Describes the next value as its `Display` does, but reads only its keys.
pub(crate) fn describe<I: Input>(
    scanner: &mut Scanner<I>,
    builder: &mut Builder,
) -> Result<String, ReadError> {
    let Some(first) = scanner.next_token()? else { return Ok(String::new()) };
    let deepest = scanner.depth() + MAX_DOCUMENT_DEPTH;
    match first.kind {
        TokenKind::ArrayStart => {
            let mut count = 0u64;
            scanner.drop_texts();
            loop {
                let token = scanner
                    .next_token()?
                    .ok_or(SyntaxError { offset: scanner.offset(), expected: "a value" })?;
                if token.kind == TokenKind::ArrayEnd {
                    return Ok(format!("array of {count}"));
                }
                skip_rest(scanner, token, deepest)?;
                count += 1;
            }
        }
        TokenKind::ObjectStart => Ok(Val::Obj(Rc::new(builder.keys_of(scanner, deepest)?)).to_string()),
        _ => builder.value(scanner, first, &Demand::All).map(|value| value.to_string()),
    }
}

#[cfg(test)]
mod tests;
