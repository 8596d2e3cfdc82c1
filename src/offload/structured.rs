//! Structured content in addition to text. MCP recommends that tools also return it as text;
//! repeated content is stored once.

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
}

/// Returns how the pieces repeat `json`. A value other than an object is often wrapped
/// into `{"result": …}`, because MCP used to require an object.
pub fn repeats(json: &str, pieces: &[Part<'_>]) -> Repeats {
    let json = json.as_bytes();
    let Some(whole) = digest(json) else { return Repeats::None };
    let is_whole =
        |piece: &&Part<'_>| first(json) == first(piece.as_bytes()) && digest(piece.as_bytes()) == Some(whole);
    if let Some(index) = pieces.iter().position(|piece| is_whole(&piece)) {
        return Repeats::One { index, as_json: true };
    }
    let Some(result) = result_of(json) else { return Repeats::None };
    if let [piece] = pieces
        && let Some(as_json) = repeats_value(piece, result)
    {
        return Repeats::One { index: 0, as_json };
    }
    match elements(result, pieces.len()) {
        Some(elements)
            if elements
                .iter()
                .zip(pieces)
                .all(|(element, piece)| repeats_value(piece, element).is_some()) =>
        {
            Repeats::All
        }
        _ => Repeats::None,
    }
}

/// Returns whether a piece repeats a value as JSON (true) or as the text of a string
/// (false); none if it does not.
fn repeats_value(piece: &Part<'_>, value: &[u8]) -> Option<bool> {
    let text = piece.as_bytes();
    if let [b'"', inside @ .., b'"'] = value
        && *unescape_bytes(inside) == *text
    {
        return Some(false);
    }
    let same = first(text) == first(value) && digest(text) == digest(value);
    same.then_some(true)
}

fn first(json: &[u8]) -> Option<&u8> {
    json.trim_ascii_start().first()
}

/// Returns the text of `x` if the document is `{"result": x}`.
fn result_of(json: &[u8]) -> Option<&[u8]> {
    let mut scanner = Scanner::new(json);
    let next = |scanner: &mut Scanner<&[u8]>| scanner.next_token().ok().flatten();
    next(&mut scanner).filter(|token| token.kind == TokenKind::ObjectStart)?;
    next(&mut scanner).filter(|token| token.kind == TokenKind::Key && token.inside(json) == b"result")?;
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
            (r#"{"result":["a"]}"#, &["a", "b"], Repeats::None),
            (r#"{"result":[]}"#, &[], Repeats::None),
            (r#"{"result":"a","more":1}"#, &["a"], Repeats::None),
            (r#"{"a":"#, &[r#"{"a":"#], Repeats::None),
        ] {
            let pieces: Vec<_> = texts.iter().map(|&text| Part::text(text)).collect();
            assert_eq!(repeats(json, &pieces), found, "{json}");
        }
    }
}
