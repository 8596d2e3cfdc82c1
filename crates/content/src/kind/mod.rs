//! Kinds of content, a room for each: how it is told, what its shape says, and
//! what survives when it is cut.
//!
//! ```text
//! bytes ─► Sample (head, tail) ─► tell ─► Kind ─┬─► shape (one pass) ─► entries
//!                                               └─► cut ─► bounded text
//! ```
//!
//! A room answers up to three questions, as far as it knows better than the
//! default for text: `tell(&Sample) -> bool`, `shape(&[u8]) -> Entries`, and
//! `cut(&str, usize) -> String`; those that look for errors take a
//! [`Middle`](crate::truncate::Middle) beside. JSON, whose telling is reading all of
//! it, is asked before them, in [`crate::shape`] and [`crate::truncate`].

pub mod base64;
pub mod build;
pub mod csv;
pub mod diff;
mod lines;
pub mod log;
pub mod markdown;
pub mod markup;
pub mod media;
mod outline;
pub mod prose;
mod sample;
pub mod source;
pub mod trace;
pub mod yaml;

pub use sample::Sample;

/// Content that is no JSON, made into JSON.
pub struct AsJson {
    /// One or more documents.
    pub json: Vec<u8>,
    /// What it was and how it is laid out now, for a model: at most 120 bytes.
    pub note: String,
}

/// What an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One JSON document.
    Json,
    /// Several JSON documents, none a bare scalar: NDJSON or concatenated.
    JsonSequence,
    /// Rows of values between commas, semicolons or bars.
    Csv,
    /// Rows of values between tabs.
    Tsv,
    /// One or more YAML documents.
    Yaml,
    /// An XML document.
    Xml,
    /// An HTML page, or a part of one.
    Html,
    /// Prose with Markdown's headings, lists and code.
    Markdown,
    /// A unified diff, or several.
    Diff,
    /// A stack trace, or text of which it is the heart.
    Trace,
    /// What a build or a test run prints.
    Build,
    /// Lines of a log: most begin with a time or a level.
    Log,
    /// Source code.
    Source,
    /// Sentences in paragraphs.
    Prose,
    /// Base64, bare or as a data URL.
    Base64,
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// A PDF document.
    Pdf,
    /// An archive, a program, a database; or else not UTF-8, with NUL bytes, and
    /// for the most part nothing to read.
    Binary,
    /// Any other text.
    Text,
}

impl Kind {
    /// Whether it is nothing that can be shown as text.
    pub fn is_media(self) -> bool {
        matches!(self, Kind::Image | Kind::Audio | Kind::Video | Kind::Pdf | Kind::Binary)
    }

    /// Whether jq has values to ask it for: JSON, and what it is made of on the way.
    pub fn has_values(self) -> bool {
        matches!(self, Kind::Json | Kind::JsonSequence | Kind::Csv | Kind::Tsv | Kind::Yaml)
    }

    /// The media type where the tool named none, and [`media_type`] knows no
    /// better from the bytes.
    pub fn media_type(self) -> &'static str {
        match self {
            Kind::Json => "application/json",
            Kind::JsonSequence => "application/x-ndjson",
            Kind::Csv => "text/csv",
            Kind::Tsv => "text/tab-separated-values",
            Kind::Yaml => "application/yaml",
            Kind::Xml => "application/xml",
            Kind::Html => "text/html",
            Kind::Markdown => "text/markdown",
            Kind::Diff => "text/x-diff",
            Kind::Trace
            | Kind::Build
            | Kind::Log
            | Kind::Source
            | Kind::Prose
            | Kind::Base64
            | Kind::Text => "text/plain",
            Kind::Image | Kind::Audio | Kind::Video | Kind::Binary => "application/octet-stream",
            Kind::Pdf => "application/pdf",
        }
    }
}

/// The kind of content that is told by how it begins, before it is read as JSON
/// or text: a PDF may be all ASCII.
pub fn tell_by_head(bytes: &[u8]) -> Option<Kind> {
    media::tell(bytes).or_else(|| base64::tell(bytes).then_some(Kind::Base64))
}

/// The name of content that is no text, by as much of its head as is given;
/// little will do.
pub fn binary_name(head: &[u8]) -> Option<&'static str> {
    media::name(head).or_else(|| sample::is_binary(head).then_some("binary data"))
}

/// The media type of content of a kind where the tool named none.
pub fn media_type(kind: Kind, bytes: &[u8]) -> &'static str {
    Some(kind)
        .filter(|kind| kind.is_media())
        .and_then(|_| media::media_type(bytes))
        .unwrap_or(kind.media_type())
}

/// What stands for content that cannot be shown as text: one line that says
/// what it is. None for what can be shown.
pub fn note(kind: Kind, bytes: &[u8]) -> Option<String> {
    kind.is_media().then(|| media::note(bytes))
}

/// What content that is not JSON is: as claimed by a media type, if it can be
/// that, or else the first kind in this order that it looks like. A wrong media
/// type does no harm.
pub fn tell(sample: &Sample, claimed: Option<&str>) -> Kind {
    /// A kind's media types, without parameters, and how it is told.
    type Room = (Kind, &'static [&'static str], fn(&Sample) -> bool);
    const ROOMS: &[Room] = &[
        // Asked only if it is claimed.
        (Kind::Yaml, &["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"], yaml::can_be),
        (Kind::Csv, &["text/csv"], csv::tell_csv),
        (Kind::Tsv, &["text/tab-separated-values"], csv::tell_tsv),
        (Kind::Yaml, &[], yaml::tell),
        (Kind::Xml, &["application/xml", "text/xml", "image/svg+xml"], markup::tell_xml),
        (Kind::Html, &["text/html", "application/xhtml+xml"], markup::tell_html),
        (Kind::Diff, &["text/x-diff", "text/x-patch"], diff::tell),
        (Kind::Markdown, &["text/markdown", "text/x-markdown"], markdown::tell),
        (Kind::Trace, &["text/x-traceback", "text/x-python-traceback"], trace::tell),
        (Kind::Build, &[], build::tell),
        (Kind::Log, &["text/x-log"], log::tell),
        (Kind::Source, &[], source::tell),
        (Kind::Prose, &[], prose::tell),
        (Kind::Binary, &["application/octet-stream"], |sample| sample.is_binary()),
    ];
    let claimed = claimed.map(essence).unwrap_or_default();
    let is_claimed = |(_, types, _): &&Room| types.contains(&claimed.as_str());
    let by_claim = ROOMS.iter().filter(is_claimed);
    by_claim.chain(&ROOMS[1..]).find(|(_, _, tell)| tell(sample)).map_or(Kind::Text, |&(kind, ..)| kind)
}

/// A media type without its parameters, in lower case.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Entries, Layout};
    use crate::truncate::Middle;
    use proptest::prelude::*;

    #[test]
    fn a_wrong_media_type_does_no_harm() {
        let text = Sample::of(b"a log of some length\n");
        assert_eq!(tell(&text, Some("application/octet-stream")), Kind::Text);
        assert_eq!(tell(&text, Some("; ;/")), Kind::Text);
    }

    #[test]
    fn parameters_and_case_of_a_media_type_do_not_count() {
        assert_eq!(essence("Text/CSV; charset=utf-8"), "text/csv");
        assert_eq!(essence(""), "");
    }

    /// Pieces of the lines that rooms look for.
    const PIECES: [&str; 28] = [
        "2024-03-05 10:00:00 ",
        "Dec 10 06:55:46 host app[7]: ",
        "web-1  | ",
        "ERROR ",
        "[warn] ",
        "level=",
        "[",
        "\"",
        "GET / HTTP/1.1\" 50",
        "Traceback (most recent call last):",
        "  File \"a.py\", line 1, in f",
        "    at f (a.js:1:2)",
        "Caused by: ",
        "thread 'main' panicked at ",
        "stack backtrace:",
        "  1: ",
        "goroutine 1 [running]:",
        "#0  0x1 in ",
        "ValueError: ",
        "error[E0308]: ",
        "a.c:1:2: error: ",
        "test a ... FAILED",
        "#12 ",
        "npm error ",
        "exit code 1",
        "\u{1b}[31m",
        "\r",
        "é👩🏽\u{200d}",
    ];

    proptest! {
        #[test]
        fn rooms_for_lines_are_bounded_whatever_they_are_given(
            lines in proptest::collection::vec(
                proptest::collection::vec(prop_oneof![
                    proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
                    "\\PC{0,12}",
                    "[ -~]{0,300}",
                ], 0..5),
                0..60,
            ),
            max in 1usize..1_500,
        ) {
            let text = lines.iter().map(|pieces| pieces.concat()).collect::<Vec<_>>().join("\n");
            let sample = Sample::of(text.as_bytes());
            for (tell, shape, cut) in [
                (log::tell as fn(&Sample) -> bool, log::shape as fn(&[u8]) -> Entries, log::cut as fn(&str, usize, &mut Middle) -> String),
                (trace::tell, trace::shape, trace::cut),
                (build::tell, build::shape, build::cut),
            ] {
                tell(&sample);
                let json = shape(text.as_bytes()).to_json(max, &Layout::NESTED);
                prop_assert!(json.len() <= max.max(2));
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
                if text.len() > max {
                    let view = cut(&text, max, &mut Middle::default());
                    prop_assert!(view.len() <= max);
                    prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
                }
            }
        }
    }
}
