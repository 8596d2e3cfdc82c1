//! Structured content in addition to text. MCP recommends that tools also return it as text;
//! repeated content is stored once.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::part::Part;
use tuckaway_json::digest::digest;
use tuckaway_json::scan::{Scanner, Token, TokenKind};
use tuckaway_json::unescape::unescape_bytes;

/// How the pieces of an output repeat structured content.
#[derive(Debug, PartialEq)]
pub enum Repeats {
    /// They do not repeat it.
    None,
    /// One piece has the same content.
    One {
        /// The index of the piece.
        index: usize,
        /// Whether the piece is the same JSON value, and not the text of a string.
        as_json: bool,
    },
    /// Each piece is one element of a list.
    All,
    /// One piece has the text of the only string. This is the content with an ellipsis in its place.
    Text(String),
}

/// Maximum nested wrapper objects around a value.
const MAX_WRAPPERS: usize = 4;

/// Returns how the pieces repeat a JSON text. Servers wrap their results in objects with one
/// member, because MCP used to require an object: `{"result": …}` or `{"content": …}`.
pub fn repeats(text: &str, pieces: &[Part<'_>]) -> Repeats {
    let json = text.as_bytes();
    let Some(whole) = digest(json) else { return Repeats::None };
    let is_whole =
        |piece: &Part<'_>| first(json) == first(piece.as_bytes()) && digest(piece.as_bytes()) == Some(whole);
    if let Some(index) = pieces.iter().position(is_whole) {
        return Repeats::One { index, as_json: true };
    }
    std::iter::successors(only_member(json), |value| only_member(value))
        .take(MAX_WRAPPERS)
        .map(|value| repeats_inside(value, pieces))
        .find(|found| !matches!(found, Repeats::None))
        .or_else(|| without_text(text, pieces).map(Repeats::Text))
        .unwrap_or(Repeats::None)
}

/// Returns the JSON text with an ellipsis in place of its only string, if that is the text of a piece.
fn without_text(json: &str, pieces: &[Part<'_>]) -> Option<String> {
    let mut scanner = Scanner::new(json.as_bytes());
    let mut only = None;
    while let Some(token) = scanner.next_token().ok()? {
        if token.kind == TokenKind::String && only.replace(token).is_some() {
            return None;
        }
    }
    let only = only?;
    let value = Value::new(only.text(json.as_bytes()));
    let is_repeated = pieces.iter().any(|piece| value.is_text_of(piece));
    is_repeated.then(|| [&json[..only.start as usize], "\"…\"", &json[only.end as usize..]].concat())
}

/// Returns how the pieces repeat the value that the structured content wraps.
fn repeats_inside(json: &[u8], pieces: &[Part<'_>]) -> Repeats {
    let value = Value::new(json);
    let same = |(index, piece)| value.is_repeated_by(piece).map(|as_json| Repeats::One { index, as_json });
    if let Some(one) = pieces.iter().enumerate().find_map(same) {
        return one;
    }
    let are_elements = elements(json, pieces.len()).is_some_and(|elements| {
        let mut pairs = elements.iter().zip(pieces);
        pairs.all(|(element, piece)| Value::new(element).is_repeated_by(piece).is_some())
    });
    if are_elements { Repeats::All } else { Repeats::None }
}

/// A value to compare pieces with. Its text and its digest are computed once.
struct Value<'a> {
    json: &'a [u8],
    /// Its text, if it is a string.
    text: Option<Cow<'a, [u8]>>,
    digest: OnceCell<Option<u64>>,
}

impl<'a> Value<'a> {
    fn new(json: &'a [u8]) -> Self {
        let text = match json {
            [b'"', inside @ .., b'"'] => Some(unescape_bytes(inside)),
            _ => None,
        };
        Value { json, text, digest: OnceCell::new() }
    }

    /// Returns whether it is a string with the text of a piece.
    fn is_text_of(&self, piece: &Part<'_>) -> bool {
        self.text.as_deref().is_some_and(|own| own == piece.as_bytes())
    }

    /// Returns whether a piece repeats the value as JSON (true) or as the text of a string
    /// (false); none if it does not.
    fn is_repeated_by(&self, piece: &Part<'_>) -> Option<bool> {
        let text = piece.as_bytes();
        if self.is_text_of(piece) {
            return Some(false);
        }
        if first(text) != first(self.json) {
            return None;
        }
        let own = (*self.digest.get_or_init(|| digest(self.json)))?;
        (digest(text) == Some(own)).then_some(true)
    }
}

fn first(json: &[u8]) -> Option<&u8> {
    json.trim_ascii_start().first()
}

/// Returns the text of `x` if the document is `{"any name": x}`.
fn only_member(json: &[u8]) -> Option<&[u8]> {
    let mut scanner = Scanner::new(json);
    let next = |scanner: &mut Scanner<&[u8]>| scanner.next_token().ok().flatten();
    next(&mut scanner).filter(|token| token.kind == TokenKind::ObjectStart)?;
    next(&mut scanner).filter(|token| token.kind == TokenKind::Key)?;
    let value = next(&mut scanner)?;
    let value = value_of(&mut scanner, json, value)?;
    next(&mut scanner).filter(|token| token.kind == TokenKind::ObjectEnd)?;
    Some(value)
}

/// Returns the texts of an array's elements if it has exactly `count`, at least one.
fn elements(array: &[u8], count: usize) -> Option<Vec<&[u8]>> {
    let mut scanner = Scanner::new(array);
    scanner.next_token().ok()?.filter(|token| token.kind == TokenKind::ArrayStart)?;
    let mut elements = Vec::new();
    loop {
        let token = scanner.next_token().ok()??;
        if token.kind == TokenKind::ArrayEnd {
            break;
        }
        if elements.len() == count {
            return None;
        }
        elements.push(value_of(&mut scanner, array, token)?);
    }
    (elements.len() == count && count > 0).then_some(elements)
}

/// Returns the text of the value that begins with a token.
fn value_of<'a>(scanner: &mut Scanner<&'a [u8]>, bytes: &'a [u8], token: Token) -> Option<&'a [u8]> {
    let end = if token.kind.opens() { scanner.skip_container().ok()?.end } else { token.end };
    bytes.get(token.start as usize..end as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_repeated_content() {
        let one = |index, as_json| Repeats::One { index, as_json };
        let rest = |json: &str| Repeats::Text(json.to_owned());
        for (json, texts, found) in [
            (r#"{"a":1,"b":2}"#, &["{\n  \"b\": 2.0,\n  \"a\": 1\n}"][..], one(0, true)),
            (r#"{"a":1}"#, &["Found:", r#"{"a": 1}"#], one(1, true)),
            (r#"{"a":1}"#, &["Found one"], Repeats::None),
            (r#"{"a":1}"#, &[], Repeats::None),
            (r#"{"result":"sunny\n"}"#, &["sunny\n"], one(0, false)),
            (r#"{"result":5}"#, &["5"], one(0, true)),
            (r#"{"result":[1,2]}"#, &["[1, 2]"], one(0, true)),
            (r#"{"result":["a",{"b":1}]}"#, &["a", r#"{"b": 1}"#], Repeats::All),
            (r#"{"result":["a"]}"#, &["a"], Repeats::All),
            (r#"{"result":["a","b"]}"#, &["a"], Repeats::None),
            (r#"{"result":["a"]}"#, &["a", "b"], rest(r#"{"result":["…"]}"#)),
            (r#"{"result":[1]}"#, &["1", "2"], Repeats::None),
            (r#"{"result":[]}"#, &[], Repeats::None),
            (r#"{"content":"a file"}"#, &["a file"], one(0, false)),
            (r#"{"content":"a file"}"#, &["Read it:", "a file"], one(1, false)),
            (r#"{"data":{"items":[1,2]}}"#, &["[1, 2]"], one(0, true)),
            (r#"{"a":{"b":{"c":{"d":{"e":[5]}}}}}"#, &["[5]"], Repeats::None),
            (r#"{"files":["a","b"]}"#, &["a", "b"], Repeats::All),
            (r#"{"content":"a file","size":6}"#, &["a file"], rest(r#"{"content":"…","size":6}"#)),
            (
                r#"{"n": 1.50, "text": "a\nb" , "ok":[]}"#,
                &["Read:", "a\nb"],
                rest(r#"{"n": 1.50, "text": "…" , "ok":[]}"#),
            ),
            (
                r#"{"result":{"content":"a file","size":6}}"#,
                &["a file"],
                rest(r#"{"result":{"content":"…","size":6}}"#),
            ),
            (r#"{"content":"a file","path":"a"}"#, &["a file"], Repeats::None),
            (r#"{"path":"a","content":"a file"}"#, &["a file"], Repeats::None),
            (r#"{"content":"another file","size":6}"#, &["a file"], Repeats::None),
            (r#"{"content":"a file","size":6"#, &["a file"], Repeats::None),
            (r#"{"a":"#, &[r#"{"a":"#], Repeats::None),
        ] {
            let pieces: Vec<_> = texts.iter().map(|&text| Part::text(text)).collect();
            assert_eq!(repeats(json, &pieces), found, "{json}");
        }
    }
}
