//! Unwraps a JSON-encoded tool result: an MCP `CallToolResult`, or an array of content parts in the
//! format of a model provider. The inner content is stored, so that it can be paged and queried.
//!
//! Detection is strict: unless every member has a known name and the right type, the
//! text is ordinary JSON. Names and types are those of the Model Context Protocol
//! (2025-06-18), of OpenAI's Chat Completions and Responses, and of Anthropic's
//! Messages.

mod fields;
mod item;

use std::borrow::Cow;

use super::part::Part;
use super::structured::{Repeats, repeats};
use fields::{Fields, JsonValue};
use tuckaway_json::scan::{Scanner, Token, TokenKind};

/// Maximum items of a result; a longer array is ordinary data.
const MAX_ITEMS: usize = 10_000;
/// The members of a result.
const MEMBERS: [&str; 4] = ["content", "structuredContent", "isError", "_meta"];

/// The content of a wrapped result.
pub struct Unwrapped {
    /// In order; structured content comes last, unless it repeats the others.
    pub parts: Vec<Part<'static>>,
    /// Whether the result reports that the tool failed.
    pub is_error: bool,
}

/// Returns whether a text begins like a wrapped result; nearly all other texts do not.
pub fn may_be_wrapped(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(&bytes[..bytes.len().min(256)]);
    let mut next = || scanner.next_token().ok().flatten();
    let is_member = |token: Option<Token>, names: &[&str]| {
        let key = token.filter(|token| token.kind == TokenKind::Key).map(|key| key.inside(bytes));
        key.is_some_and(|key| names.iter().any(|name| name.as_bytes() == key))
    };
    match next().map(|token| token.kind) {
        Some(TokenKind::ObjectStart) => is_member(next(), &MEMBERS),
        Some(TokenKind::ArrayStart) => {
            let is_object = next().is_some_and(|token| token.kind == TokenKind::ObjectStart);
            is_object && is_member(next(), &item::FIRST)
        }
        _ => false,
    }
}

/// Unwraps a text; none if it is not a wrapped result. Takes time linear in its length,
/// and nearly none if [`may_be_wrapped`] is false.
pub fn unwrap(bytes: &[u8]) -> Option<Unwrapped> {
    if !may_be_wrapped(bytes) {
        return None;
    }
    let mut scanner = Scanner::new(bytes);
    let unwrapped = match scanner.next_token().ok()??.kind {
        TokenKind::ArrayStart => {
            let parts = items(&mut scanner, bytes)?;
            Unwrapped { parts, is_error: false }
        }
        _ => result(&mut scanner, bytes)?,
    };
    let is_all = scanner.next_token().ok()?.is_none();
    (is_all && !unwrapped.parts.is_empty()).then_some(unwrapped)
}

/// Parses the rest of a `CallToolResult`.
fn result<'a>(scanner: &mut Scanner<&'a [u8]>, bytes: &'a [u8]) -> Option<Unwrapped> {
    let (mut content, mut structured, mut is_error) = (None, None, None);
    loop {
        let key = scanner.next_token().ok()??;
        if key.kind == TokenKind::ObjectEnd {
            break;
        }
        match key.inside(bytes) {
            b"content" if content.is_none() => {
                scanner.next_token().ok()?.filter(|token| token.kind == TokenKind::ArrayStart)?;
                content = Some(items(scanner, bytes)?);
            }
            b"structuredContent" if structured.is_none() => {
                structured = Some(JsonValue::read(scanner, bytes)?.text)
            }
            b"isError" if is_error.is_none() => {
                is_error = Some(match JsonValue::read(scanner, bytes)?.kind {
                    TokenKind::True => true,
                    TokenKind::False => false,
                    _ => return None,
                });
            }
            b"_meta" => {
                JsonValue::read(scanner, bytes)?;
            }
            _ => return None,
        }
    }
    let mut parts = content?;
    if let Some(json) = structured.filter(|json| *json != b"null") {
        let json = String::from_utf8(json.to_vec()).ok()?;
        match repeats(&json, &parts) {
            Repeats::One { index, as_json } => {
                let media_type = as_json.then_some(Cow::Borrowed("application/json"));
                parts[index].media_type = parts[index].media_type.take().or(media_type);
            }
            repeats => {
                if repeats == Repeats::All {
                    parts.clear();
                }
                parts.push(Part::text(json).with_media_type(Some(Cow::Borrowed("application/json"))));
            }
        }
    }
    Some(Unwrapped { parts, is_error: is_error.unwrap_or(false) })
}

/// Parses the rest of an array of items.
fn items<'a>(scanner: &mut Scanner<&'a [u8]>, bytes: &'a [u8]) -> Option<Vec<Part<'static>>> {
    let mut parts = Vec::new();
    loop {
        let token = scanner.next_token().ok()??;
        match token.kind {
            TokenKind::ArrayEnd => return Some(parts),
            TokenKind::ObjectStart if parts.len() < MAX_ITEMS => {
                parts.push(item::part(&Fields::read(scanner, bytes, token.start)?)?);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests;
