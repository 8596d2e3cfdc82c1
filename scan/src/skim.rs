//! JSON run over without a look at what it says: its grammar is checked, and that
//! is all.

use crate::json::{plain_run, space_run};

/// What may come next inside of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The first element of an array, or its end.
    FirstElement,
    /// The first member of an object, or its end.
    FirstMember,
    /// A member's value.
    Value,
    /// A comma, or the end of the container.
    Next,
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
    let levels = levels.min(MAX_LEVELS);
    let mut done = Skim { at, expect, levels: 0, open: u64::from(in_object) };
    while step(bytes, &mut done, levels).is_some() {}
    done.open &= (1 << done.levels) - 1;
    done
}

/// Runs over a value, or into or out of one. None where it ends.
#[inline(always)]
fn step(bytes: &[u8], done: &mut Skim, levels: u32) -> Option<()> {
    let mut at = behind_space(bytes, done.at)?;
    let in_object = done.open & 1 == 1;
    let ends = bytes[at] == if in_object { b'}' } else { b']' };
    if ends && done.expect != Expect::Value {
        if done.levels == 0 {
            return None;
        }
        (done.at, done.expect) = (at + 1, Expect::Next);
        (done.levels, done.open) = (done.levels - 1, done.open >> 1);
        return Some(());
    }
    if done.expect == Expect::Next {
        if bytes[at] != b',' {
            return None;
        }
        at = behind_space(bytes, at + 1)?;
    }
    if in_object && done.expect != Expect::Value {
        if bytes[at] != b'"' {
            return None;
        }
        at = behind_space(bytes, string(bytes, at)?)?;
        if bytes[at] != b':' {
            return None;
        }
        (done.at, done.expect) = (at + 1, Expect::Value);
        at = behind_space(bytes, at + 1)?;
    }
    let (end, expect) = match bytes[at] {
        b'"' => (string(bytes, at)?, Expect::Next),
        opening @ (b'{' | b'[') => {
            if done.levels == levels {
                return None;
            }
            done.levels += 1;
            done.open = done.open << 1 | u64::from(opening == b'{');
            (at + 1, if opening == b'{' { Expect::FirstMember } else { Expect::FirstElement })
        }
        b't' => (word(bytes, at, b"true")?, Expect::Next),
        b'f' => (word(bytes, at, b"false")?, Expect::Next),
        b'n' => (word(bytes, at, b"null")?, Expect::Next),
        _ => (number(bytes, at)?, Expect::Next),
    };
    (done.at, done.expect) = (end, expect);
    Some(())
}

/// The place of the first byte that is no white space; none if there is none.
#[inline(always)]
fn behind_space(bytes: &[u8], at: usize) -> Option<usize> {
    let is_space = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\n' | b'\t' | b'\r'));
    let mut at = at;
    if is_space(at) {
        at += 1;
        // Mostly it is one space, or a new line's indentation.
        if is_space(at) {
            at += space_run(&bytes[at..]);
        }
    }
    (at < bytes.len()).then_some(at)
}

/// From an opening quote to behind the closing one.
#[inline(always)]
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += plain_run(&bytes[at..]);
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => match bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => at += 6,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// To behind a number that something follows.
#[inline(always)]
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = |at: usize| {
        let rest = &bytes[at..];
        at + rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
    };
    let some_digits = |at: usize| Some(digits(at)).filter(|&end| end > at);
    let mut at = if bytes[at] == b'-' { at + 1 } else { at };
    at = match bytes.get(at)? {
        b'0' => at + 1,
        _ => some_digits(at)?,
    };
    if *bytes.get(at)? == b'.' {
        at = some_digits(at + 1)?;
    }
    if let b'e' | b'E' = bytes.get(at)? {
        let sign = matches!(bytes.get(at + 1)?, b'+' | b'-');
        at = some_digits(at + 1 + usize::from(sign))?;
    }
    end_of_word(bytes, at)
}

#[inline(always)]
fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    match bytes[at..].starts_with(word) {
        true => end_of_word(bytes, at + word.len()),
        false => None,
    }
}

/// The place itself, if what stands there is no part of a word.
#[inline(always)]
fn end_of_word(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-' | b'_' => None,
        _ => Some(at),
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
