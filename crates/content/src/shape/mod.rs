//! What is in an output: what a model needs to write its first query.
//!
//! ```text
//! bytes ─► look (one pass) ─► Looked { kind, summary } ─► describe ─► bounded JSON
//! ```

mod describe;
mod entries;

use tuckaway_search::{Place, Places};

pub use entries::{Entries, Entry, Layout};
use tuckaway_json::summary::Summary;

use crate::kind::{self, Kind, Sample};
use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_text::count_lines;

/// Bound of a shape where none is given.
pub const DEFAULT_MAX_BYTES: usize = 2_048;
/// A shape with less room than this says nothing.
pub const MIN_MAX_BYTES: usize = 256;
/// JSON within text that is shorter says little.
const MIN_JSON_BYTES: usize = 64;
/// Where at most is looked for what follows a bare value.
const ROW_HEAD: usize = 64 << 10;

/// An output that was looked at, once, from end to end.
pub struct Looked {
    /// What it is.
    pub kind: Kind,
    /// Whether jq has values to ask it for, as far as it was looked at.
    pub has_values: bool,
    entries: Entries,
}

impl Looked {
    fn new(kind: Kind, entries: Entries) -> Self {
        Looked { kind, has_values: kind.has_values(), entries }
    }

    /// The shape as a JSON object of at most `max_bytes`.
    pub fn to_json(&self, max_bytes: usize, layout: &Layout) -> String {
        self.entries.to_json(max_bytes, layout)
    }
}

/// Looks at an output of so many lines, of which a media type may be claimed. Time
/// linear in its length, memory bounded.
pub fn look(bytes: &[u8], claimed: Option<&str>, line_count: u64) -> Looked {
    if let Some(kind) = kind::tell_by_head(bytes) {
        let entries =
            if kind == Kind::Base64 { kind::base64::shape(bytes) } else { kind::media::shape(bytes) };
        return Looked::new(kind, entries);
    }
    let error = match as_json(bytes) {
        Ok((kind, summary)) => return Looked::new(kind, describe::describe(&summary)),
        Err(error) => error,
    };
    let kind = kind::tell(&Sample::of(bytes), claimed);
    let mut has_values = kind.has_values();
    let mut entries = match kind {
        Kind::Csv | Kind::Tsv => kind::csv::shape(bytes),
        Kind::Yaml => {
            let (entries, is_asked) = kind::yaml::shape(bytes);
            has_values = is_asked;
            entries
        }
        Kind::Xml => kind::markup::xml_shape(bytes),
        Kind::Html => kind::markup::html_shape(bytes),
        Kind::Markdown => kind::markdown::shape(bytes),
        Kind::Diff => kind::diff::shape(bytes),
        Kind::Trace => kind::trace::shape(bytes),
        Kind::Build => kind::build::shape(bytes),
        Kind::Log => kind::log::shape(bytes),
        Kind::Source => kind::source::shape(bytes),
        Kind::Prose => kind::prose::shape(bytes),
        Kind::Binary => kind::media::shape(bytes),
        _ => text_entries(bytes, error),
    };
    if kind != Kind::Binary {
        entries.add_lines(line_count);
    }
    Looked { kind, has_values, entries }
}

/// Of content that was made into JSON, which is given: what each of its documents
/// is, in words, and what stands below, keyed by path.
pub fn json_entries(json: &[u8]) -> (String, Entries) {
    match Summary::of(json) {
        Ok(summary) => (describe::phrase(&summary, Summary::ROOT), describe::below(&summary)),
        Err(_) => (String::new(), Entries::default()),
    }
}

/// What an output is, without a look at what is in it.
pub fn kind_of(bytes: &[u8], claimed: Option<&str>) -> Kind {
    if let Some(kind) = kind::tell_by_head(bytes) {
        return kind;
    }
    match as_json(bytes) {
        Ok((kind, _)) => kind,
        Err(_) => kind::tell(&Sample::of(bytes), claimed),
    }
}

/// The output as JSON, or why it is none, if that is for its syntax.
fn as_json(bytes: &[u8]) -> Result<(Kind, Summary), Option<SyntaxError>> {
    if begins_as_a_row(bytes) {
        return Err(None);
    }
    let summary = Summary::of(bytes)?;
    match summary.documents {
        1 => Ok((Kind::Json, summary)),
        // A row of bare numbers or words is text that happens to be JSON; a single
        // one is what a JSON API may well return.
        2.. if summary.node(Summary::ROOT).is_container() => Ok((Kind::JsonSequence, summary)),
        _ => Err(None),
    }
}

/// Whether a bare value is first, and something follows: that is text, JSON or not, and
/// need not be read to its end to be told.
fn begins_as_a_row(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(&bytes[..bytes.len().min(ROW_HEAD)]);
    matches!(scanner.next_token(), Ok(Some(first)) if !first.kind.opens())
        && !matches!(scanner.next_token(), Ok(None))
}

fn text_entries(bytes: &[u8], error: Option<SyntaxError>) -> Entries {
    let mut entries = Entries::default();
    entries.push("longest_line_bytes", Entry::Number(longest_line(bytes)));
    // A document that breaks off late was meant to be JSON: say why jq is no way in.
    let json_like = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    if let Some(error) = error.filter(|error| json_like && error.offset > 64) {
        entries.push("json", Entry::Text(error.to_string()));
    } else if let Some((lines, summary)) = json_within(bytes) {
        let phrase = describe::phrase(&summary, Summary::ROOT);
        let many = if summary.documents > 1 {
            format!("{} documents of ", summary.documents)
        } else {
            String::new()
        };
        entries.push("json", Entry::Text(format!("{lines}: {many}{phrase}; jq reads only what is all JSON")));
        entries.append(describe::below(&summary).as_places());
    }
    entries
}

/// JSON from a line on, to the end or to a line that is none, as tools print it behind a
/// warning or the headers of a response: on which lines, and what it is.
fn json_within(bytes: &[u8]) -> Option<(String, Summary)> {
    let is_open = |(_, place): &(usize, Place)| matches!(place.line.first(), Some(b'{' | b'['));
    let head = &bytes[..bytes.len().min(ROW_HEAD)];
    let (before, Place { start, .. }) = Places::of(head).enumerate().find(is_open)?;
    let rest = Some(&bytes[start..]).filter(|rest| rest.len() >= MIN_JSON_BYTES)?;
    let first = before + 1;
    let error = match Summary::of(rest) {
        Ok(summary) => return (before > 0).then(|| (format!("from line {first} on"), summary)),
        Err(error) => error,
    };
    // What ends it begins a line.
    let json = &rest[..usize::try_from(error.offset).ok()?];
    let json = &json[..json.iter().rposition(|&byte| byte == b'\n')? + 1];
    let summary = Summary::of(Some(json).filter(|json| json.len() >= MIN_JSON_BYTES)?).ok()?;
    let lines = match before as u64 + count_lines(json.trim_ascii_end()) {
        last if last == first as u64 => format!("line {first}"),
        last => format!("lines {first} to {last}"),
    };
    Some((lines, summary))
}

fn longest_line(bytes: &[u8]) -> u64 {
    let line_bytes = |place: Place| place.end - place.start - usize::from(bytes[place.end - 1] == b'\n');
    Places::of(bytes).map(line_bytes).max().unwrap_or(0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kinds_are_told_by_looking() {
        for (bytes, kind) in [
            (&b"{\"a\": 1}"[..], Kind::Json),
            (b" 42 ", Kind::Json),
            (b"\xEF\xBB\xBF[]", Kind::Json),
            (b"{}\n{}\n", Kind::JsonSequence),
            (b"[1][2]", Kind::JsonSequence),
            (b"1\n2\n3\n", Kind::Text),
            (b"{} 1", Kind::Text),
            (b"1 {}", Kind::Text),
            (b"\"[1]\" \"[2]\"", Kind::Text),
            (b"\"[1]\"\n", Kind::Json),
            (b"", Kind::Text),
            (b"[2026-01-01] started", Kind::Text),
            (b"caf\xE9", Kind::Text),
            (b"a\0b", Kind::Text),
            (b"\x89PNG\0", Kind::Binary),
            (b"a log of some length\0 with a caf\xE9", Kind::Text),
        ] {
            assert_eq!(look(bytes, None, 1).kind, kind, "{}", String::from_utf8_lossy(bytes));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_bounded_shape(bytes in proptest::collection::vec(any::<u8>(), 0..300), max in 2usize..500) {
            let json = look(&bytes, None, 1).to_json(max, &Layout::NESTED);
            prop_assert!(json.len() <= max);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
        }
    }
}
