//! JSON documents, off an artifact's bytes, as values.
//!
//! Strict by [`tuckaway_json::scan`], which also tells where one document ends.
//! What is not UTF-8 in a string, and what is half of a surrogate pair, becomes
//! U+FFFD. Of equal keys the last value wins, in the place of the first. What a
//! filter does not ask for ([`Demand`]) is scanned, not built.

use std::rc::Rc;

use super::demand::Demand;
use super::limits::{self, MAX_DOCUMENT_DEPTH};
use super::value::{Arr, Num, Obj, Val};
use tuckaway_json::input::Input;
use tuckaway_json::scan::{Scanner, SkipError, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape;

/// Why there is no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    Syntax(SyntaxError),
    /// At this byte the document gets deeper than is read.
    Depth(u64),
    /// At this byte its values take more memory than a document may.
    Size(u64),
    /// It goes on behind where the reading was to stop.
    Long,
}

impl From<SyntaxError> for ReadError {
    fn from(error: SyntaxError) -> Self {
        ReadError::Syntax(error)
    }
}

/// The value of a text that is exactly one document.
pub(crate) fn one(bytes: &[u8]) -> Result<Val, ReadError> {
    let end = |offset, expected| Err(ReadError::Syntax(SyntaxError { offset, expected }));
    let (mut scanner, mut builder) = (Scanner::new(bytes), Builder { is_read: false, ..Builder::default() });
    let Some(value) = builder.next(&mut scanner, &Demand::All)? else {
        return end(bytes.len() as u64, "a value");
    };
    let behind = scanner.offset();
    match scanner.next_token() {
        Ok(None) => Ok(value),
        _ => end(behind, "the end of the document"),
    }
}

/// A container that is being read.
enum Open<'d> {
    Arr(Vec<Val>),
    /// With the key whose value comes next, and what is asked of the members.
    Obj(Obj, Rc<str>, &'d Demand),
}

/// Makes values of tokens, one after the other.
pub(crate) struct Builder {
    keys: Keys,
    /// Bytes that values may still take, by an estimate that is the same on
    /// every machine.
    room: u64,
    /// No token begins behind this.
    stop: u64,
    /// Levels of the document that are outside of the values.
    outside: usize,
    /// They come of an artifact, and not of a string that the filter has made.
    is_read: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            keys: Keys::default(),
            room: limits::document_bytes(),
            stop: u64::MAX,
            outside: 0,
            is_read: true,
        }
    }
}

/// What values take where memory is 32 bits wide, with what allocation adds and a
/// vector's spare room.
pub(crate) const VALUE_BYTES: u64 = 24;
const MEMBER_BYTES: u64 = 36;
const STRING_BYTES: u64 = 40;
const CONTAINER_BYTES: u64 = 56;
const KEY_BYTES: u64 = 24;

impl Builder {
    /// A builder whose values take at most so much.
    pub(crate) fn with_room(room: u64) -> Self {
        Builder { room, ..Builder::default() }
    }

    /// Bytes that values may still take.
    pub(crate) fn room(&self) -> u64 {
        self.room
    }

    /// Values may take so much from now on.
    pub(crate) fn refill(&mut self, room: u64) {
        self.room = room;
    }

    /// Values are this deep inside of their document, which counts.
    pub(crate) fn set_outside(&mut self, levels: usize) {
        self.outside = levels.min(MAX_DOCUMENT_DEPTH);
    }

    /// Documents that go on behind this byte are not read.
    pub(crate) fn stop_at(&mut self, stop: u64) {
        self.stop = stop;
    }

    /// The next value, as far as it is asked for; none at the end of the input.
    /// No recursion.
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

    /// The value that begins with this token.
    pub(crate) fn value<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        first: Token,
        demand: &Demand,
    ) -> Result<Val, ReadError> {
        match self.is_read {
            true => limits::free(|| self.build(scanner, first, demand)),
            false => self.build(scanner, first, demand),
        }
    }

    fn build<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        first: Token,
        demand: &Demand,
    ) -> Result<Val, ReadError> {
        let deepest = scanner.depth() - usize::from(first.kind.opens()) + MAX_DOCUMENT_DEPTH - self.outside;
        let mut open: Vec<Open> = Vec::new();
        let (mut token, mut demand) = (first, demand);
        loop {
            let value = match token.kind {
                TokenKind::ArrayStart | TokenKind::ObjectStart => {
                    if scanner.depth() > deepest {
                        return Err(ReadError::Depth(token.start));
                    }
                    self.take(CONTAINER_BYTES, token)?;
                    open.push(match token.kind {
                        TokenKind::ArrayStart => Open::Arr(Vec::new()),
                        _ => Open::Obj(Obj::default(), Rc::from(""), demand),
                    });
                    None
                }
                TokenKind::ArrayEnd | TokenKind::ObjectEnd => match open.pop() {
                    Some(Open::Arr(items)) => Some(Val::Arr(Rc::new(Arr::from(items)))),
                    Some(Open::Obj(obj, ..)) => Some(Val::Obj(Rc::new(obj))),
                    None => None,
                },
                TokenKind::Key => {
                    if let Some(Open::Obj(_, key, members)) = open.last_mut() {
                        match members.of_key(inside(scanner, token), token.escaped) {
                            Some(wanted) => {
                                demand = wanted;
                                *key = self.key(inside(scanner, token), token)?;
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
                TokenKind::String => {
                    let text = unescape(inside(scanner, token)).into_owned();
                    self.take(STRING_BYTES + text.len() as u64, token)?;
                    Some(Val::str(text))
                }
                TokenKind::Integer | TokenKind::Float => {
                    let length = token.end - token.start;
                    self.take(length, token)?;
                    // A number's grammar is ASCII.
                    let digits = scanner.text(token.start, token.end).unwrap_or_default();
                    let num = Num::from_json(std::str::from_utf8(digits).unwrap_or("0"));
                    self.take(num.bytes_outside().saturating_sub(length), token)?;
                    Some(Val::Num(num))
                }
                TokenKind::True => Some(Val::Bool(true)),
                TokenKind::False => Some(Val::Bool(false)),
                TokenKind::Null => Some(Val::Null),
            };
            if let Some(value) = value {
                match open.last_mut() {
                    Some(Open::Arr(items)) => {
                        items.push(value);
                        self.take(VALUE_BYTES, token)?;
                    }
                    Some(Open::Obj(obj, key, _)) => obj.insert(std::mem::replace(key, Rc::from("")), value),
                    None => return Ok(value),
                }
            }
            if token.start > self.stop {
                return Err(ReadError::Long);
            }
            if matches!(open.last(), Some(Open::Arr(_))) {
                demand = &Demand::All;
            }
            token = scanner.next_token()?.ok_or(SyntaxError {
                offset: scanner.offset(),
                expected: "more: the input ends inside a document",
            })?;
        }
    }

    /// The keys of the object whose start was the last token, up to its end. What
    /// is inside must not open up deeper than this.
    pub(crate) fn keys_of<I: Input>(
        &mut self,
        scanner: &mut Scanner<I>,
        deepest: usize,
    ) -> Result<Obj, ReadError> {
        let mut keys = Obj::default();
        while let Some(token) = scanner.next_token()?
            && token.kind == TokenKind::Key
        {
            let key = self.key(inside(scanner, token), token)?;
            keys.insert(key, Val::Null);
            scanner.drop_texts();
            skip_value(scanner, deepest)?;
            scanner.keep_texts();
        }
        Ok(keys)
    }

    /// A key of this spelling, and room for its member.
    fn key(&mut self, spelling: &[u8], token: Token) -> Result<Rc<str>, ReadError> {
        let key = self.keys.get(spelling, token.escaped);
        // Those that are shared take their room once.
        let own = if Rc::strong_count(&key) <= 2 { KEY_BYTES + key.len() as u64 } else { 0 };
        self.take(MEMBER_BYTES + own, token)?;
        Ok(key)
    }

    /// Counts bytes that a value takes, or an element beside what is in it.
    pub(crate) fn take(&mut self, bytes: u64, token: Token) -> Result<(), ReadError> {
        self.room = self.room.checked_sub(bytes).ok_or(ReadError::Size(token.start))?;
        Ok(())
    }
}

/// Runs over the next value, whose containers may open up to this depth, and
/// gives its first token and its end.
pub(crate) fn skip_value<I: Input>(
    scanner: &mut Scanner<I>,
    deepest: usize,
) -> Result<(Token, u64), ReadError> {
    let ends_early = "more: the input ends inside a document";
    let token =
        scanner.next_token()?.ok_or(SyntaxError { offset: scanner.offset(), expected: ends_early })?;
    let end = skip_rest(scanner, token, deepest)?;
    Ok((token, end))
}

/// Runs to the end of the value that begins with this token.
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

/// Keys that were read lately, by length and ends: rows share theirs, which
/// saves most of the memory that they would take.
#[derive(Default)]
struct Keys {
    slots: Vec<Option<Rc<str>>>,
}

impl Keys {
    const SLOTS: usize = 256;

    /// The key of this spelling.
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

/// The last token, a key or a string, without its quotes.
pub(crate) fn inside<I: Input>(scanner: &Scanner<I>, token: Token) -> &[u8] {
    scanner.text(token.start + 1, token.end - 1).unwrap_or_default()
}

/// A value as an error speaks of it, whatever its size: what its `Display` says
/// once it is read, but of what is inside of it only the keys.
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
