//! Where a page left off, as a text that a model copies.
//!
//! `<kind>.<tag>.<field>…`: one letter for the query, then numbers in base 36.
//! The tag is a checksum over everything else and over the query's own words
//! (artifact, pattern, filter): a cursor that was mistyped, or that is passed to
//! another query, is refused rather than answered with the wrong part. It is no
//! signature; whoever uses the fields still checks that they are in range.

use crate::error::Error;

/// The query that a cursor goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Grep,
    Jq,
}

impl Kind {
    fn letter(self) -> char {
        match self {
            Kind::Read => 'r',
            Kind::Grep => 'g',
            Kind::Jq => 'q',
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Grep => "grep",
            Kind::Jq => "jq",
        }
    }
}

/// Writes a cursor for the query that `words` describe.
pub(crate) fn write(kind: Kind, words: &[&str], fields: &[u64]) -> String {
    let mut cursor = format!("{}.{}", kind.letter(), base36(tag(kind, words, fields)));
    for &field in fields {
        cursor.push('.');
        cursor.push_str(&base36(field));
    }
    cursor
}

/// How many fields a cursor has, if it is one.
pub(crate) fn fields(cursor: &str) -> usize {
    cursor.split('.').count().saturating_sub(2)
}

/// Reads a cursor of exactly `N` fields, written by [`write`] for the same query.
/// Anything else is `invalid-input`.
pub(crate) fn parse<const N: usize>(cursor: &str, kind: Kind, words: &[&str]) -> Result<[u64; N], Error> {
    let malformed = || {
        Error::invalid(format!(
            "{:?} is no cursor: pass the last reply's cursor exactly as it was given, or none to start over.",
            tuckaway_text::cut::head(cursor, 80)
        ))
    };
    let mut parts = cursor.split('.');
    let letter = parts.next().unwrap_or_default();
    if let Some(other) = [Kind::Read, Kind::Grep, Kind::Jq]
        .into_iter()
        .find(|k| *k != kind && letter == k.letter().to_string())
    {
        return Err(Error::invalid(format!(
            "This cursor goes on with a {}, not with a {}: leave it out to start over.",
            other.verb(),
            kind.verb()
        )));
    }
    if letter != kind.letter().to_string() {
        return Err(malformed());
    }
    let given = parts.next().and_then(number).ok_or_else(malformed)?;
    let mut fields = [0; N];
    for field in &mut fields {
        *field = parts.next().and_then(number).ok_or_else(malformed)?;
    }
    if parts.next().is_some() {
        return Err(malformed());
    }
    match given == tag(kind, words, &fields) {
        true => Ok(fields),
        false => Err(Error::invalid(
            "This cursor belongs to another artifact or another query: pass a cursor only with the very arguments of the call that gave it, or leave it out to start over.",
        )),
    }
}

/// FNV-1a, folded to 32 bits: short, and the same on every machine.
fn tag(kind: Kind, words: &[&str], fields: &[u64]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    take(kind.letter() as u8);
    for word in words {
        (word.len() as u64).to_le_bytes().into_iter().for_each(&mut take);
        word.bytes().for_each(&mut take);
    }
    for field in fields {
        field.to_le_bytes().into_iter().for_each(&mut take);
    }
    (hash >> 32) ^ (hash & 0xffff_ffff)
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// A number in the one spelling that [`base36`] gives it.
fn number(digits: &str) -> Option<u64> {
    let canonical = digits.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if canonical { u64::from_str_radix(digits, 36).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cursor_of_another_query_is_refused() {
        let cursor = write(Kind::Read, &["art"], &[1, 2]);
        assert_eq!(parse::<2>(&cursor, Kind::Read, &["art"]), Ok([1, 2]));
        for (kind, words, says) in [
            (Kind::Grep, ["art"], "goes on with a read, not with a grep"),
            (Kind::Read, ["other"], "another artifact"),
        ] {
            let error = parse::<2>(&cursor, kind, &words).unwrap_err();
            assert!(error.message.contains(says), "{error}");
        }
        assert!(parse::<3>(&cursor, Kind::Read, &["art"]).is_err());
        assert!(parse::<1>(&cursor, Kind::Read, &["art"]).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(fields in any::<[u64; 4]>(), word in any::<String>()) {
            let cursor = write(Kind::Jq, &[&word], &fields);
            prop_assert_eq!(parse::<4>(&cursor, Kind::Jq, &[&word]), Ok(fields));
        }

        #[test]
        fn anything_else_is_invalid(cursor in "\\PC{0,12}|r\\.[0-9a-zA-Z+-]{0,14}\\.[0-9a-z.]{0,30}") {
            let error = parse::<3>(&cursor, Kind::Read, &["art"]).unwrap_err();
            prop_assert_eq!(error.kind, crate::ErrorKind::InvalidInput);
        }
    }
}
