//! JSON documents, off the artifact's bytes, as values.
//!
//! Strict by [`crate::json::scan`], which also tells where one document ends.
//! What is not UTF-8 in a string, and what is half of a surrogate pair, becomes
//! U+FFFD. Of equal keys the last value wins, in the place of the first.

use std::rc::Rc;

use super::limits::MAX_DOCUMENT_DEPTH;
use super::value::{Arr, Num, Obj, Val};
use crate::json::scan::{Scanner, SyntaxError, Token, TokenKind};
use crate::json::unescape::unescape;

/// Why there is no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    Syntax(SyntaxError),
    /// At this byte the document gets deeper than is read.
    Depth(usize),
}

/// The documents of an artifact, one after the other, each when it is asked
/// for. After an error there is nothing more.
pub(crate) struct Documents<'a> {
    bytes: &'a [u8],
    scanner: Scanner<'a>,
    keys: Keys,
    failed: bool,
}

impl<'a> Documents<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Documents { bytes, scanner: Scanner::new(bytes), keys: Keys::default(), failed: false }
    }

    /// Where the next document is looked for.
    pub(crate) fn offset(&self) -> usize {
        self.scanner.offset()
    }
}

impl Iterator for Documents<'_> {
    type Item = Result<Val, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let document = document(self.bytes, &mut self.scanner, &mut self.keys).transpose();
        self.failed = matches!(document, Some(Err(_)));
        document
    }
}

/// The value of a text that is exactly one document.
pub(crate) fn one(bytes: &[u8]) -> Result<Val, ReadError> {
    let mut documents = Documents::new(bytes);
    let end = |offset, expected| Err(ReadError::Syntax(SyntaxError { offset, expected }));
    let first = documents.next().unwrap_or_else(|| end(bytes.len(), "a value"))?;
    let behind = documents.scanner.offset();
    match documents.next() {
        None => Ok(first),
        Some(_) => end(behind, "the end of the document"),
    }
}

/// A container that is being read.
enum Open {
    Arr(Vec<Val>),
    Obj(Obj, Rc<str>),
}

/// Keys that were read lately, by length and ends: rows share theirs, which
/// saves most of the memory that they would take.
#[derive(Default)]
struct Keys {
    slots: Vec<Option<Rc<str>>>,
}

impl Keys {
    const SLOTS: usize = 256;

    fn get(&mut self, bytes: &[u8], token: Token) -> Rc<str> {
        let raw = &bytes[token.start + 1..token.end - 1];
        self.slots.resize(Self::SLOTS, None);
        let ends = raw
            .first()
            .zip(raw.last())
            .map_or(0, |(first, last)| usize::from(*first) * 7 + usize::from(*last));
        let slot = &mut self.slots[(raw.len() * 31 + ends) % Self::SLOTS];
        match slot {
            Some(key) if key.as_bytes() == raw => key.clone(),
            _ => {
                let key: Rc<str> = string(bytes, token).into();
                // Only keys without a backslash are kept: those are spelled as
                // they are, and equal no other key's spelling.
                if !raw.contains(&b'\\') {
                    *slot = Some(key.clone());
                }
                key
            }
        }
    }
}

/// The next document, or none at the end. No recursion.
fn document(bytes: &[u8], scanner: &mut Scanner, keys: &mut Keys) -> Result<Option<Val>, ReadError> {
    let mut open: Vec<Open> = Vec::new();
    while let Some(token) = scanner.next_token().map_err(ReadError::Syntax)? {
        let value = match token.kind {
            TokenKind::ArrayStart | TokenKind::ObjectStart => {
                if open.len() == MAX_DOCUMENT_DEPTH {
                    return Err(ReadError::Depth(token.start));
                }
                open.push(match token.kind {
                    TokenKind::ArrayStart => Open::Arr(Vec::new()),
                    _ => Open::Obj(Obj::default(), Rc::from("")),
                });
                continue;
            }
            TokenKind::Key => {
                if let Some(Open::Obj(_, key)) = open.last_mut() {
                    *key = keys.get(bytes, token);
                }
                continue;
            }
            TokenKind::ArrayEnd | TokenKind::ObjectEnd => match open.pop() {
                Some(Open::Arr(items)) => Val::Arr(Rc::new(Arr::from(items))),
                Some(Open::Obj(obj, _)) => Val::Obj(Rc::new(obj)),
                None => continue,
            },
            TokenKind::String => Val::str(string(bytes, token)),
            TokenKind::Integer | TokenKind::Float => {
                // A number's grammar is ASCII.
                Val::Num(Num::from_json(std::str::from_utf8(&bytes[token.start..token.end]).unwrap_or("0")))
            }
            TokenKind::True => Val::Bool(true),
            TokenKind::False => Val::Bool(false),
            TokenKind::Null => Val::Null,
        };
        match open.last_mut() {
            Some(Open::Arr(items)) => items.push(value),
            Some(Open::Obj(obj, key)) => obj.insert(std::mem::replace(key, Rc::from("")), value),
            None => return Ok(Some(value)),
        }
    }
    Ok(None)
}

/// What a string or a key stands for.
fn string(bytes: &[u8], token: Token) -> String {
    unescape(&bytes[token.start + 1..token.end - 1]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn json(bytes: &[u8]) -> String {
        one(bytes).unwrap().to_json().unwrap()
    }

    #[test]
    fn strings_become_what_they_stand_for() {
        let cases: [(&[u8], &str); 8] = [
            (br#""a\u00e9\ud83d\ude00\n\/""#, r#""aé😀\n/""#),
            (br#""\ud800""#, "\"\u{FFFD}\""),
            (br#""\ud800\u0041""#, "\"\u{FFFD}A\""),
            (br#""\udc00\ud800""#, "\"\u{FFFD}\u{FFFD}\""),
            (b"\"a\xFFb\\n\xC3\"", "\"a\u{FFFD}b\\n\u{FFFD}\""),
            (br#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
            (br#"[{"a\\n":1},{"a\n":2},{"a\\n":3}]"#, r#"[{"a\\n":1},{"a\n":2},{"a\\n":3}]"#),
            (b"\xEF\xBB\xBF[1.0]", "[1.0]"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(json(bytes), expected);
        }
    }

    #[test]
    fn documents_are_split_and_bounded() {
        let found: Vec<_> = Documents::new(b"1 \"a\"\n[2]{}x").collect();
        assert_eq!(found.len(), 5);
        assert!(matches!(found[4], Err(ReadError::Syntax(SyntaxError { offset: 11, .. }))));
        let deep = |n: usize| [b"[".repeat(n), b"]".repeat(n)].concat();
        assert_eq!(one(&deep(MAX_DOCUMENT_DEPTH)).unwrap().depth() as usize, MAX_DOCUMENT_DEPTH);
        assert_eq!(one(&deep(100_000)).unwrap_err(), ReadError::Depth(MAX_DOCUMENT_DEPTH));
        assert!(one(b"").is_err() && one(b"1 2").is_err());
    }

    proptest! {
        #[test]
        fn strings_are_those_of_serde_json(text in any::<String>()) {
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            for spelling in [format!("\"{escaped}\""), crate::json::write::quote(&text)] {
                let Val::Str(read) = one(spelling.as_bytes()).unwrap() else { panic!() };
                prop_assert_eq!(&*read, &text);
            }
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), text in r#"[\[\]{}:,"\\u0-9a-f.etrunsl-]{0,40}"#) {
            Documents::new(&bytes).for_each(drop);
            Documents::new(text.as_bytes()).for_each(drop);
        }
    }
}
