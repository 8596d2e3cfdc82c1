//! JSON run over in one loop, without tokens: its grammar is checked, and whoever
//! wants to see what is run over is shown it.

use crate::blocks::{digit_blocks, plain_blocks, plain_ends, space_blocks, space_run};

/// What may come next.
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

/// What is no string and no container.
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

/// Who is shown what is run over, in its order. The insides of strings are shown
/// without their quotes, with their escapes, and with whether they have any.
pub trait Visitor {
    /// If the text begins with the key that the visitor expects, in its quotes: how long
    /// that is. No closing quote is looked for then.
    fn expects(&self, text: &[u8]) -> Option<usize>;

    /// The key that the visitor expects, instead of [`Visitor::key`].
    fn expected_key(&mut self);

    /// A key, whose value is the next to be shown.
    fn key(&mut self, inside: &[u8], escaped: bool);

    /// A string that is a value.
    fn string(&mut self, inside: &[u8], escaped: bool);

    /// A value that is no string and no container.
    fn scalar(&mut self, scalar: Scalar);

    /// The start of an object or an array. False, and as if it had not been called, if
    /// the run has to end before it.
    fn open(&mut self, object: bool) -> bool;

    /// The end of the container that was opened last.
    fn close(&mut self, object: bool);
}

/// Nobody looks.
impl Visitor for () {
    #[inline(always)]
    fn expects(&self, _: &[u8]) -> Option<usize> {
        None
    }

    fn expected_key(&mut self) {}

    fn key(&mut self, _: &[u8], _: bool) {}

    fn string(&mut self, _: &[u8], _: bool) {}

    fn scalar(&mut self, _: Scalar) {}

    #[inline(always)]
    fn open(&mut self, _: bool) -> bool {
        true
    }

    fn close(&mut self, _: bool) {}
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skim {
    /// Where it ended.
    pub at: usize,
    /// What may come next there.
    pub expect: Expect,
    /// The containers that were opened and not closed: how many,
    pub levels: u32,
    /// and a bit for each, set for an object, that of the innermost the lowest.
    pub open: u64,
}

/// The most containers that a run opens inside of each other.
pub const MAX_LEVELS: u32 = 63;

/// Runs over whole tokens from `at` on, inside of an object or an array, into
/// containers up to `levels` deep (63 at most), and out of those it has opened.
///
/// It ends before whatever is not whole in these bytes, not as the grammar has it,
/// too deep, or the end of the container that it began in: what that is, somebody
/// else has to say who takes more time.
pub fn skim(bytes: &[u8], at: usize, expect: Expect, in_object: bool, levels: u32) -> Skim {
    walk(bytes, at, expect, in_object, levels, &mut ())
}

/// As [`skim`], and shows what it runs over. Where a document is expected, it runs over
/// containers and strings, and ends before any other.
#[inline(always)]
pub fn walk(
    bytes: &[u8],
    at: usize,
    expect: Expect,
    in_object: bool,
    levels: u32,
    visitor: &mut impl Visitor,
) -> Skim {
    let levels = levels.min(MAX_LEVELS);
    let outermost = if expect == Expect::Document { Expect::Document } else { Expect::Next };
    let mut done = Skim { at, expect, levels: 0, open: u64::from(in_object) };
    while step(bytes, &mut done, outermost, levels, visitor).is_some() {}
    done.open &= (1 << done.levels) - 1;
    done
}

/// Runs over a value, or into or out of one. None where it ends.
#[inline(always)]
fn step(
    bytes: &[u8],
    done: &mut Skim,
    outermost: Expect,
    levels: u32,
    visitor: &mut impl Visitor,
) -> Option<()> {
    let mut at = behind_space(bytes, done.at)?;
    let in_object = done.open & 1 == 1;
    if done.expect != Expect::Value && done.expect != Expect::Document {
        if bytes[at] == if in_object { b'}' } else { b']' } {
            if done.levels == 0 {
                return None;
            }
            visitor.close(in_object);
            (done.levels, done.open) = (done.levels - 1, done.open >> 1);
            done.at = at + 1;
            done.expect = if done.levels == 0 { outermost } else { Expect::Next };
            return Some(());
        }
        if done.expect == Expect::Next {
            if bytes[at] != b',' {
                return None;
            }
            at = behind_indent(bytes, at + 1)?;
        }
        if in_object {
            at = key(bytes, at, visitor)?;
            (done.at, done.expect) = (at, Expect::Value);
            at = behind_space(bytes, at)?;
        }
    }
    let first = bytes[at];
    if first == b'{' || first == b'[' {
        let object = first == b'{';
        if done.levels == levels || !visitor.open(object) {
            return None;
        }
        done.levels += 1;
        done.open = done.open << 1 | u64::from(object);
        done.at = at + 1;
        done.expect = if object { Expect::FirstMember } else { Expect::FirstElement };
        return Some(());
    }
    let end = if first == b'"' {
        let (end, escaped) = string(bytes, at)?;
        visitor.string(&bytes[at + 1..end - 1], escaped);
        end
    } else if done.expect == Expect::Document {
        return None;
    } else {
        let (end, scalar) = match first {
            b't' => (word(bytes, at, b"true")?, Scalar::Boolean),
            b'f' => (word(bytes, at, b"false")?, Scalar::Boolean),
            b'n' => (word(bytes, at, b"null")?, Scalar::Null),
            _ => number(bytes, at)?,
        };
        visitor.scalar(scalar);
        end
    };
    done.at = end;
    done.expect = if done.levels == 0 { outermost } else { Expect::Next };
    Some(())
}

/// From a key's opening quote to behind its colon.
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
    let colon = behind_space(bytes, end)?;
    if bytes[colon] != b':' {
        return None;
    }
    match expected {
        Some(_) => visitor.expected_key(),
        None => visitor.key(&bytes[at + 1..end - 1], escaped),
    }
    Some(colon + 1)
}

/// The place of the first byte that is no white space; none if there is none.
#[inline(always)]
fn behind_space(bytes: &[u8], at: usize) -> Option<usize> {
    behind(bytes, at, space_run)
}

/// As [`behind_space`], where a new line and its indentation are likely.
#[inline(always)]
fn behind_indent(bytes: &[u8], at: usize) -> Option<usize> {
    behind(bytes, at, |rest| {
        let blocks = space_blocks(rest);
        let others = rest[blocks..].iter().take_while(|&&byte| is_space(byte));
        blocks + others.count()
    })
}

/// Mostly there is no white space or one space: only what follows is asked for.
#[inline(always)]
fn behind(bytes: &[u8], at: usize, run: impl Fn(&[u8]) -> usize) -> Option<usize> {
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

/// From an opening quote to behind the closing one, and whether there was an escape.
#[inline(always)]
fn string(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let end = at + 1 + plain_blocks(&bytes[at + 1..]);
    match *bytes.get(end)? {
        b'"' => Some((end + 1, false)),
        _ => long_string(bytes, end),
    }
}

/// From within a string to behind its closing quote, and whether there was an escape.
#[inline(never)]
fn long_string(bytes: &[u8], within: usize) -> Option<(usize, bool)> {
    let mut at = within;
    let mut escaped = false;
    while let Some(block) = bytes[at..].first_chunk() {
        // Escapes may be dense: all of a block are seen at once.
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
                at = behind_escape(bytes, at + run)?;
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
                at = behind_escape(bytes, at)?;
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

/// From a backslash to behind the escape that it begins.
#[inline(always)]
fn behind_escape(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at + 1)? {
        b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => Some(at + 6),
        byte => is_short_escape(byte).then_some(at + 2),
    }
}

/// To behind a number, and whether it has a fraction or an exponent.
#[inline(always)]
fn number(bytes: &[u8], at: usize) -> Option<(usize, Scalar)> {
    let end = at + digit_blocks(&bytes[at..]);
    match *bytes.get(end)? {
        // Of one that begins with zero or has no digits here, more is to be known.
        b',' | b'}' | b']' | b'\n' if matches!(bytes[at], b'1'..=b'9') => Some((end, Scalar::Integer)),
        _ => any_number(bytes, at),
    }
}

/// As [`number`], and of any make.
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

/// The place itself, if what stands there is what may follow a value in a container.
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
    fn it_ends_before_what_ends_it() {
        // The end of the container itself.
        assert_eq!(ends(r#" 1, "a\"\u00e9", [], {} ]"#, false, 9), (23, Expect::Next, 0, 0));
        assert_eq!(ends("]", false, 9), (0, Expect::FirstElement, 0, 0));
        // What is too deep.
        assert_eq!(ends("[[[1]]]]", false, 2), (2, Expect::FirstElement, 2, 0));
        assert_eq!(ends(r#""a":[{"b":[1,2"#, true, 9), (12, Expect::Next, 3, 0b010));
        // What is not whole: a token, or what has to follow it.
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
        // What is wrong.
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
    fn levels_are_as_many_as_it_can_count() {
        let deep = "[".repeat(100);
        assert_eq!(ends(&deep, true, 9).2, 0);
        assert_eq!(ends(&deep, false, 1000), (63, Expect::FirstElement, 63, 0));
        let objects = "{\"a\":".repeat(100);
        let (_, expect, levels, open) = ends(&objects, false, 1000);
        assert_eq!((expect, levels, open), (Expect::Value, 63, u64::MAX >> 1));
    }
}
