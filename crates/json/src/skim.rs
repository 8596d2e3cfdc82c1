//! A loop that skips JSON without creating tokens. It checks the grammar, and passes the skipped
//! values to a [`Visitor`].

use crate::blocks::{digit_blocks, plain_blocks, plain_ends, space_blocks, space_run};

/// The tokens that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// A document.
    Document,
    /// The first element of an array, or its end.
    FirstElement,
    /// The first member of an object, or its end.
    FirstMember,
    /// A member's value.
    Value,
    /// A comma, or the end of the container.
    Next,
}

/// A value that is neither a string nor a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A number without fraction and exponent.
    Integer,
    /// Any other number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
}

/// Receives each skipped key and value in order, usually with the offset of its first byte. Strings
/// are passed without their quotes but with their escapes, and with whether they have any.
pub trait Visitor {
    /// Returns the length of the expected key, with its quotes, if `text` begins with it. Its
    /// closing quote is then not searched for.
    fn expects(&self, text: &[u8]) -> Option<usize>;

    /// Is called instead of [`Visitor::key`] for the key that the visitor expected.
    fn expected_key(&mut self);

    /// Is called for a key; its value comes next.
    fn key(&mut self, at: usize, inside: &[u8], escaped: bool);

    /// Is called for a string that is a value.
    fn string(&mut self, at: usize, inside: &[u8], escaped: bool);

    /// Is called for a value that is neither a string nor a container.
    fn scalar(&mut self, at: usize, length: usize, scalar: Scalar);

    /// Is called for the start of an object or an array. Returns false, without any effect, if
    /// skimming must stop before it.
    fn open(&mut self, at: usize, object: bool) -> bool;

    /// Is called for the end of the container that was opened last.
    fn close(&mut self, at: usize, object: bool);
}

/// Ignores everything.
impl Visitor for () {
    #[inline(always)]
    fn expects(&self, _: &[u8]) -> Option<usize> {
        None
    }

    fn expected_key(&mut self) {}

    fn key(&mut self, _: usize, _: &[u8], _: bool) {}

    fn string(&mut self, _: usize, _: &[u8], _: bool) {}

    fn scalar(&mut self, _: usize, _: usize, _: Scalar) {}

    #[inline(always)]
    fn open(&mut self, _: usize, _: bool) -> bool {
        true
    }

    fn close(&mut self, _: usize, _: bool) {}
}

/// The state of skimming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skim {
    /// The offset where it stopped.
    pub at: usize,
    /// The tokens that may come next there.
    pub expect: Expect,
    /// The number of containers that were opened and not closed.
    pub levels: u32,
    /// A bit for each of them, set for an object. The innermost has the lowest bit.
    pub open: u64,
}

/// The maximum nesting of opened containers.
pub const MAX_LEVELS: u32 = 63;

/// Skips whole tokens from `at` on, inside an object or an array. Containers are entered up to
/// `max_levels` deep ([`MAX_LEVELS`] at most) and left again.
///
/// It stops before the end of the container in which it began, and before any token that is
/// incomplete, malformed or too deep; the caller has to find out which.
pub fn skim(bytes: &[u8], at: usize, expect: Expect, in_object: bool, max_levels: u32) -> Skim {
    walk(bytes, at, expect, in_object, max_levels, &mut ())
}

/// Skips like [`skim`], and passes the skipped values to a visitor. Between documents it skips
/// containers and strings, and stops before other values.
#[inline(always)]
pub fn walk(
    bytes: &[u8],
    at: usize,
    expect: Expect,
    in_object: bool,
    max_levels: u32,
    visitor: &mut impl Visitor,
) -> Skim {
    let max_levels = max_levels.min(MAX_LEVELS);
    let outermost = if expect == Expect::Document { Expect::Document } else { Expect::Next };
    let mut done = Skim { at, expect, levels: 0, open: u64::from(in_object) };
    while step(bytes, &mut done, outermost, max_levels, visitor).is_some() {}
    done.open &= (1 << done.levels) - 1;
    done
}

/// Skips a value, or the start or the end of a container. None if skimming stops here.
#[inline(always)]
fn step(
    bytes: &[u8],
    done: &mut Skim,
    outermost: Expect,
    max_levels: u32,
    visitor: &mut impl Visitor,
) -> Option<()> {
    let mut at = after_space(bytes, done.at)?;
    let in_object = done.open & 1 == 1;
    if done.expect != Expect::Value && done.expect != Expect::Document {
        if bytes[at] == if in_object { b'}' } else { b']' } {
            return close(at, done, outermost, visitor);
        }
        if done.expect == Expect::Next {
            if bytes[at] != b',' {
                return None;
            }
            at = after_indent(bytes, at + 1)?;
        }
        if in_object {
            at = key(bytes, at, visitor)?;
            (done.at, done.expect) = (at, Expect::Value);
            at = after_space(bytes, at)?;
        }
    }
    let first = bytes[at];
    if first == b'{' || first == b'[' {
        return open(at, first == b'{', done, max_levels, visitor);
    }
    done.at = match first {
        b'"' => {
            let (end, escaped) = string(bytes, at)?;
            visitor.string(at, &bytes[at + 1..end - 1], escaped);
            end
        }
        _ if done.expect == Expect::Document => return None,
        _ => scalar(bytes, at, visitor)?,
    };
    done.expect = if done.levels == 0 { outermost } else { Expect::Next };
    Some(())
}

/// Skips the end of a container, unless skimming began inside it.
#[inline(always)]
fn close(at: usize, done: &mut Skim, outermost: Expect, visitor: &mut impl Visitor) -> Option<()> {
    if done.levels == 0 {
        return None;
    }
    visitor.close(at, done.open & 1 == 1);
    (done.levels, done.open) = (done.levels - 1, done.open >> 1);
    done.at = at + 1;
    done.expect = if done.levels == 0 { outermost } else { Expect::Next };
    Some(())
}

/// Skips the start of a container, unless it is too deep.
#[inline(always)]
fn open(at: usize, object: bool, done: &mut Skim, max_levels: u32, visitor: &mut impl Visitor) -> Option<()> {
    if done.levels == max_levels || !visitor.open(at, object) {
        return None;
    }
    done.levels += 1;
    done.open = done.open << 1 | u64::from(object);
    done.at = at + 1;
    done.expect = if object { Expect::FirstMember } else { Expect::FirstElement };
    Some(())
}

/// Returns the offset after a number or a word.
#[inline(always)]
fn scalar(bytes: &[u8], at: usize, visitor: &mut impl Visitor) -> Option<usize> {
    let (end, scalar) = match bytes[at] {
        b't' => (word(bytes, at, b"true")?, Scalar::Boolean),
        b'f' => (word(bytes, at, b"false")?, Scalar::Boolean),
        b'n' => (word(bytes, at, b"null")?, Scalar::Null),
        _ => number(bytes, at)?,
    };
    visitor.scalar(at, end - at, scalar);
    Some(end)
}

/// Returns the offset after the colon of the key that begins at `at`.
#[inline(always)]
fn key(bytes: &[u8], at: usize, visitor: &mut impl Visitor) -> Option<usize> {
    if bytes[at] != b'"' {
        return None;
    }
    let expected = visitor.expects(&bytes[at..]);
    let (end, escaped) = match expected {
        Some(length) => (at + length, false),
        None => string(bytes, at)?,
    };
    let colon = after_space(bytes, end)?;
    if bytes[colon] != b':' {
        return None;
    }
    match expected {
        Some(_) => visitor.expected_key(),
        None => visitor.key(at, &bytes[at + 1..end - 1], escaped),
    }
    Some(colon + 1)
}

/// Returns the offset of the next byte that is not white space.
#[inline(always)]
fn after_space(bytes: &[u8], at: usize) -> Option<usize> {
    after(bytes, at, space_run)
}

/// Works like [`after_space`], where a line feed and indentation are probable.
#[inline(always)]
fn after_indent(bytes: &[u8], at: usize) -> Option<usize> {
    after(bytes, at, |rest| {
        let blocks = space_blocks(rest);
        let others = rest[blocks..].iter().take_while(|&&byte| is_space(byte));
        blocks + others.count()
    })
}

/// Skips white space; `run` counts it from the second byte on. Usually there is none, or one space.
#[inline(always)]
fn after(bytes: &[u8], at: usize, run: impl Fn(&[u8]) -> usize) -> Option<usize> {
    let mut at = at;
    if is_space(*bytes.get(at)?) {
        at += 1;
        if is_space(*bytes.get(at)?) {
            at += run(&bytes[at..]);
        }
    }
    (at < bytes.len()).then_some(at)
}

#[inline(always)]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Returns the offset after the string that begins at `at`, and whether it has escapes.
#[inline(always)]
fn string(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let end = at + 1 + plain_blocks(&bytes[at + 1..]);
    match *bytes.get(end)? {
        b'"' => Some((end + 1, false)),
        _ => long_string(bytes, end),
    }
}

/// Works like [`string`], from an offset within the string.
#[inline(never)]
fn long_string(bytes: &[u8], within: usize) -> Option<(usize, bool)> {
    let mut at = within;
    let mut escaped = false;
    while let Some(block) = bytes[at..].first_chunk() {
        // Escapes may be dense: one comparison finds all escapes of a block.
        let mut ends = plain_ends(block);
        loop {
            let run = ends.trailing_zeros() as usize;
            match block.get(run) {
                None => {
                    at += block.len();
                    break;
                }
                Some(b'"') => return Some((at + run + 1, escaped)),
                Some(b'\\') => escaped = true,
                Some(_) => return None,
            }
            if !block.get(run + 1).is_some_and(|&byte| is_short_escape(byte)) {
                // Other scripts are often escaped letter by letter.
                at += run;
                while bytes.get(at) == Some(&b'\\') {
                    at = after_escape(bytes, at)?;
                }
                break;
            }
            ends &= !(0b11 << run);
        }
    }
    loop {
        match bytes.get(at)? {
            b'"' => return Some((at + 1, escaped)),
            b'\\' => {
                escaped = true;
                at = after_escape(bytes, at)?;
            }
            0..0x20 => return None,
            _ => at += 1,
        }
    }
}

#[inline(always)]
fn is_short_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// Returns the offset after the escape that begins at `at`.
#[inline(always)]
fn after_escape(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at + 1)? {
        b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => Some(at + 6),
        byte => is_short_escape(byte).then_some(at + 2),
    }
}

/// Returns the offset after the number that begins at `at`, and its kind.
#[inline(always)]
fn number(bytes: &[u8], at: usize) -> Option<(usize, Scalar)> {
    let end = at + digit_blocks(&bytes[at..]);
    match *bytes.get(end)? {
        // Anything else needs a closer check: a leading zero, a sign, a fraction.
        b',' | b'}' | b']' | b'\n' if matches!(bytes[at], b'1'..=b'9') => Some((end, Scalar::Integer)),
        _ => any_number(bytes, at),
    }
}

/// Works like [`number`], for a number of any form.
#[inline(never)]
fn any_number(bytes: &[u8], at: usize) -> Option<(usize, Scalar)> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let some_digits = |at: usize| Some(digits(at)).filter(|&end| end > at);
    let mut scalar = Scalar::Integer;
    let mut at = if bytes[at] == b'-' { at + 1 } else { at };
    at = match bytes.get(at)? {
        b'0' => at + 1,
        _ => some_digits(at)?,
    };
    if *bytes.get(at)? == b'.' {
        at = some_digits(at + 1)?;
        scalar = Scalar::Float;
    }
    if let b'e' | b'E' = bytes.get(at)? {
        let sign = matches!(bytes.get(at + 1)?, b'+' | b'-');
        at = some_digits(at + 1 + usize::from(sign))?;
        scalar = Scalar::Float;
    }
    Some((end_of_word(bytes, at)?, scalar))
}

#[inline(always)]
fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    match bytes[at..].starts_with(word) {
        true => end_of_word(bytes, at + word.len()),
        false => None,
    }
}

/// Returns `at` if the byte there may follow a value in a container.
#[inline(always)]
fn end_of_word(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b',' | b']' | b'}' | b' ' | b'\n' | b'\t' | b'\r' => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn ends(text: &str, in_object: bool, levels: u32) -> (usize, Expect, u32, u64) {
        let first = if in_object { Expect::FirstMember } else { Expect::FirstElement };
        let Skim { at, expect, levels, open } = skim(text.as_bytes(), 0, first, in_object, levels);
        (at, expect, levels, open)
    }

    #[test]
    fn it_stops_before_tokens_that_it_cannot_skip() {
        // The end of its own container.
        assert_eq!(ends(r#" 1, "a\"\u00e9", [], {} ]"#, false, 9), (23, Expect::Next, 0, 0));
        assert_eq!(ends("]", false, 9), (0, Expect::FirstElement, 0, 0));
        // Too deep.
        assert_eq!(ends("[[[1]]]]", false, 2), (2, Expect::FirstElement, 2, 0));
        assert_eq!(ends(r#""a":[{"b":[1,2"#, true, 9), (12, Expect::Next, 3, 0b010));
        // Incomplete: a token, or the token that must follow it.
        for (text, at) in [
            ("1", 0),
            ("true", 0),
            ("1,2", 1),
            ("1, ", 1),
            (r#""a"#, 0),
            ("12e", 0),
            ("1,-", 1),
            (r#""\u00"#, 0),
        ] {
            assert_eq!(ends(text, false, 9).0, at, "{text}");
        }
        // Malformed.
        for text in ["01 ", "truefalse ", "+1 ", "\"\u{1}\" ", r#""\x" "#, "1.e1 ", "}", ",", r#""a":1,"#] {
            assert!(ends(text, false, 9).0 <= 3, "{text}");
        }
        for text in ["1:1 ", r#""a" 1 "#, r#""a",1 "#, "]", ",", r#"{"a":1} "#] {
            assert_eq!(ends(text, true, 9).0, 0, "{text}");
        }
        assert_eq!(ends(r#""a":1,}"#, true, 9), (5, Expect::Next, 0, 0));
        assert_eq!(ends("1,]", false, 9), (1, Expect::Next, 0, 0));
    }

    #[test]
    fn levels_are_bounded() {
        let deep = "[".repeat(100);
        assert_eq!(ends(&deep, true, 9).2, 0);
        assert_eq!(ends(&deep, false, 1000), (63, Expect::FirstElement, 63, 0));
        let objects = "{\"a\":".repeat(100);
        let (_, expect, levels, open) = ends(&objects, false, 1000);
        assert_eq!((expect, levels, open), (Expect::Value, 63, u64::MAX >> 1));
    }
}
