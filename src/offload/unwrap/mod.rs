//! A text that is itself a tool's result: the JSON of an MCP `CallToolResult`, or
//! an array of content parts as model providers take them. What is stored is what
//! is inside, so that it can be paged and queried.
//!
//! Told strictly: every member has a known name and the right type, or it is
//! JSON like any other. Names and types are those of the Model Context Protocol
//! (2025-06-18), of OpenAI's Chat Completions and Responses, and of Anthropic's
//! Messages.

mod fields;
mod item;

use std::borrow::Cow;

use super::part::Part;
use super::structured::{Repeats, repeats};
use fields::{Fields, Value};
use tuckaway_json::scan::{Scanner, Token, TokenKind};

/// More items than this are data of another kind.
const MAX_ITEMS: usize = 10_000;
/// Members of a result.
const MEMBERS: [&str; 4] = ["content", "structuredContent", "isError", "_meta"];

/// What was in a wrapped result.
pub struct Unwrapped {
    /// In their order, the structured content last unless it says nothing new.
    pub parts: Vec<Part<'static>>,
    /// The tool failed and says why.
    pub is_error: bool,
}

/// Whether a text begins as a wrapped result does: enough to rule out nearly all
/// that is none.
pub fn looks_wrapped(bytes: &[u8]) -> bool {
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

/// What is in a text that is a wrapped result; none if it is not. Time linear in
/// its length, and next to none where [`looks_wrapped`] says no.
pub fn unwrap(bytes: &[u8]) -> Option<Unwrapped> {
    if !looks_wrapped(bytes) {
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

/// A `CallToolResult` past its start.
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
                structured = Some(Value::read(scanner, bytes)?.text)
            }
            b"isError" if is_error.is_none() => {
                is_error = Some(match Value::read(scanner, bytes)?.kind {
                    TokenKind::True => true,
                    TokenKind::False => false,
                    _ => return None,
                });
            }
            b"_meta" => {
                Value::read(scanner, bytes)?;
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
            found => {
                if found == Repeats::All {
                    parts.clear();
                }
                parts.push(Part::text(json).with_media_type(Some(Cow::Borrowed("application/json"))));
            }
        }
    }
    Some(Unwrapped { parts, is_error: is_error.unwrap_or(false) })
}

/// The items of an array past its start.
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
