//! Cursors: the position at which a page ended, as a text for a model to copy.
//!
//! The form is `<kind>.<tag>.<field>…`: one letter for the query, then numbers in base 36. The tag
//! is a checksum of the other fields and of the query's parameters (artifact, pattern, filter), so
//! that a mistyped cursor, or a cursor of another query, is rejected instead of returning the wrong
//! page. It is not a signature: callers still validate the range of each field.

use tuckaway_search::hash::Fnv;

use tuckaway_contract::Error;

/// The query that a cursor continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryKind {
    Read,
    Grep,
    GrepAll,
    Jq,
}

impl QueryKind {
    const ALL: [Self; 4] = [QueryKind::Read, QueryKind::Grep, QueryKind::GrepAll, QueryKind::Jq];

    fn letter(self) -> char {
        match self {
            QueryKind::Read => 'r',
            QueryKind::Grep => 'g',
            QueryKind::GrepAll => 'a',
            QueryKind::Jq => 'q',
        }
    }

    fn verb(self) -> &'static str {
        match self {
            QueryKind::Read => "read",
            QueryKind::Grep => "grep",
            QueryKind::GrepAll => "grep of all artifacts",
            QueryKind::Jq => "jq",
        }
    }
}

/// The query that a cursor is checked against.
pub(crate) struct Continued<'a> {
    pub kind: QueryKind,
    /// The query's parameters.
    pub words: &'a [&'a str],
    /// The noun for an artifact in messages.
    pub noun: &'a str,
}

/// Writes a cursor for the query that `words` describe.
pub(crate) fn write(kind: QueryKind, words: &[&str], fields: &[u64]) -> String {
    let mut cursor = format!("{}.{}", kind.letter(), base36(tag(kind, words, fields)));
    for &field in fields {
        cursor.push('.');
        cursor.push_str(&base36(field));
    }
    cursor
}

/// Returns the number of fields of a well-formed cursor.
pub(crate) fn fields(cursor: &str) -> usize {
    cursor.split('.').count().saturating_sub(2)
}

/// Parses a cursor of exactly `N` fields that [`write`] wrote for the same query.
///
/// Errors: `invalid-input` for anything else.
pub(crate) fn parse<const N: usize>(cursor: &str, of: &Continued<'_>) -> Result<[u64; N], Error> {
    let &Continued { kind, words, noun } = of;
    let malformed = || {
        invalid(format!(
            "{:?} is not a cursor: pass the last reply's cursor unchanged, or none to start over.",
            tuckaway_text::cut::head(cursor, 80)
        ))
    };
    let mut parts = cursor.split('.');
    let letter = parts.next().unwrap_or_default();
    if let Some(other) = QueryKind::ALL.into_iter().find(|k| *k != kind && letter == k.letter().to_string()) {
        return Err(invalid(format!(
            "This cursor continues a {}, not a {}: omit it to start over.",
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
        false => Err(invalid(format!(
            "This cursor belongs to another {noun} or another query: pass a cursor only with the arguments of the call that returned it, or omit it to start over."
        ))),
    }
}

/// Returns an error about a cursor.
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::invalid(message).about(&["cursor"])
}

/// Returns the checksum of a cursor in 32 bits.
fn tag(kind: QueryKind, words: &[&str], fields: &[u64]) -> u64 {
    let mut hash = Fnv::default();
    hash.byte(kind.letter() as u8);
    for word in words {
        hash.bytes(&(word.len() as u64).to_le_bytes());
        hash.bytes(word.as_bytes());
    }
    for field in fields {
        hash.bytes(&field.to_le_bytes());
    }
    hash.folded().into()
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

/// Parses a number in the canonical form that [`base36`] writes.
fn number(digits: &str) -> Option<u64> {
    let canonical = digits.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if canonical { u64::from_str_radix(digits, 36).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse<const N: usize>(cursor: &str, kind: QueryKind, words: &[&str]) -> Result<[u64; N], Error> {
        super::parse(cursor, &Continued { kind, words, noun: "artifact" })
    }

    #[test]
    fn rejects_a_cursor_of_another_query() {
        let cursor = write(QueryKind::Read, &["art"], &[1, 2]);
        assert_eq!(parse::<2>(&cursor, QueryKind::Read, &["art"]), Ok([1, 2]));
        for (kind, words, says) in [
            (QueryKind::Grep, ["art"], "continues a read, not a grep"),
            (QueryKind::Read, ["other"], "another artifact"),
        ] {
            let error = parse::<2>(&cursor, kind, &words).unwrap_err();
            assert!(error.message.contains(says), "{error}");
        }
        assert!(parse::<3>(&cursor, QueryKind::Read, &["art"]).is_err());
        assert!(parse::<1>(&cursor, QueryKind::Read, &["art"]).is_err());
    }

    proptest! {
        #[test]
        fn parses_what_it_writes(fields in any::<[u64; 4]>(), word in any::<String>()) {
            let cursor = write(QueryKind::Jq, &[&word], &fields);
            prop_assert_eq!(parse::<4>(&cursor, QueryKind::Jq, &[&word]), Ok(fields));
        }

        #[test]
        fn rejects_anything_else(cursor in "\\PC{0,12}|r\\.[0-9a-zA-Z+-]{0,14}\\.[0-9a-z.]{0,30}") {
            let error = parse::<3>(&cursor, QueryKind::Read, &["art"]).unwrap_err();
            prop_assert_eq!(error.kind, crate::ErrorKind::InvalidInput);
        }
    }
}
