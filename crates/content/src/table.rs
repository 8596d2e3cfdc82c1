//! The table of kinds: how each is detected, outlined, truncated and converted to JSON.
//! Only its order decides which kind wins.
//!
//! ```text
//! bytes ─► by head ─► as JSON ─► by sample (claimed, then in order) ─► row ─┬─► outline
//!                                                                          └─► truncate
//! ```

use std::rc::Rc;

use tuckaway_json::summary::Summary;

use crate::kind::{Kind, ToJson};
use crate::kinds::json::NotJson;
use crate::kinds::{
    base64, build, csv, diff, json, log, markdown, markup, media, prose, source, text, trace, yaml,
};
use crate::nested::Nested;
use crate::outline::Outline;
use crate::sample::Sample;
use crate::truncate::lines::Middle;

/// How a kind is detected.
pub enum Detect {
    /// By how the bytes begin, before they are read as JSON or text: a PDF may be all
    /// ASCII.
    ByHead(fn(&[u8]) -> bool),
    /// As JSON, by reading all of it.
    AsJson,
    /// By its sample: head and tail.
    BySample(fn(&Sample) -> bool),
    /// If no other kind is detected.
    Otherwise,
}

/// Content of a known kind that is outlined.
pub struct Subject<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// The result of parsing it as JSON, if it was parsed.
    pub json: Option<Result<Rc<Summary>, NotJson>>,
    /// Whether the tool reports an error.
    pub has_failed: bool,
    /// Inspects content inside of it.
    pub nested: &'a dyn Nested,
    /// Takes what is found for its truncation too.
    pub middle: &'a mut Middle,
}

/// A text of a known kind that is truncated.
pub struct Cut<'a> {
    /// All of it, cleaned.
    pub text: &'a str,
    /// The most bytes of the view.
    pub max: usize,
    /// What is found once for all cuts of the text.
    pub middle: &'a mut Middle,
    /// Inspects content inside of it.
    pub nested: &'a dyn Nested,
}

/// One kind.
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// The media type of content that neither the tool nor the bytes specify further.
    pub media_type: &'static str,
    /// The media types, without parameters, that claim the kind.
    pub claimed_by: &'static [&'static str],
    /// How it is detected.
    pub detect: Detect,
    /// How it is detected if its media type is claimed and less evidence is enough then.
    pub claimed: Option<fn(&Sample) -> bool>,
    /// Outlines it.
    pub outline: fn(&mut Subject) -> Outline,
    /// Truncates it.
    pub truncate: fn(Cut) -> String,
    /// Converts it to JSON for jq, if it can be.
    pub to_json: Option<ToJson>,
}

/// Plain text, and the defaults of all kinds.
const TEXT: Row = Row {
    kind: Kind::Text,
    media_type: "text/plain",
    claimed_by: &[],
    detect: Detect::Otherwise,
    claimed: None,
    outline: |subject| {
        let error = match &subject.json {
            Some(Err(NotJson::Malformed(malformed))) => Some(&malformed.error),
            _ => None,
        };
        text::outline(subject.bytes, error, subject.nested, subject.middle)
    },
    truncate: |cut| text::truncate(cut.text, cut.max),
    to_json: None,
};

/// The defaults of media.
const MEDIA: Row =
    Row { media_type: "application/octet-stream", outline: |subject| media::outline(subject.bytes), ..TEXT };

/// Every kind, in the order in which they are tried.
pub const TABLE: &[Row] = &[
    Row {
        kind: Kind::Image,
        detect: Detect::ByHead(|head| media::detect(head) == Some(Kind::Image)),
        ..MEDIA
    },
    Row {
        kind: Kind::Audio,
        detect: Detect::ByHead(|head| media::detect(head) == Some(Kind::Audio)),
        ..MEDIA
    },
    Row {
        kind: Kind::Video,
        detect: Detect::ByHead(|head| media::detect(head) == Some(Kind::Video)),
        ..MEDIA
    },
    Row {
        kind: Kind::Pdf,
        media_type: "application/pdf",
        detect: Detect::ByHead(|head| media::detect(head) == Some(Kind::Pdf)),
        ..MEDIA
    },
    Row {
        kind: Kind::Binary,
        detect: Detect::ByHead(|head| media::detect(head) == Some(Kind::Binary)),
        ..MEDIA
    },
    Row {
        kind: Kind::Base64,
        detect: Detect::ByHead(base64::detect),
        outline: |subject| base64::outline(subject.bytes, subject.nested),
        truncate: |cut| base64::truncate(cut.text, cut.max, cut.nested),
        ..TEXT
    },
    Row { kind: Kind::Json, media_type: "application/json", ..JSON },
    Row { kind: Kind::JsonSequence, media_type: "application/x-ndjson", ..JSON },
    // A build may print a table, a document or a trace before its result.
    Row { detect: Detect::BySample(build::is_concluded), ..BUILD },
    Row {
        kind: Kind::Csv,
        media_type: "text/csv",
        claimed_by: &["text/csv"],
        detect: Detect::BySample(csv::detect_csv),
        outline: |subject| csv::outline(subject.bytes),
        truncate: |cut| csv::truncate(cut.text, cut.max),
        to_json: Some(csv::to_json),
        ..TEXT
    },
    Row {
        kind: Kind::Tsv,
        media_type: "text/tab-separated-values",
        claimed_by: &["text/tab-separated-values"],
        detect: Detect::BySample(csv::detect_tsv),
        outline: |subject| csv::outline(subject.bytes),
        truncate: |cut| csv::truncate(cut.text, cut.max),
        to_json: Some(csv::to_json),
        ..TEXT
    },
    Row {
        kind: Kind::Yaml,
        media_type: "application/yaml",
        claimed_by: &["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"],
        detect: Detect::BySample(yaml::detect),
        claimed: Some(yaml::can_be),
        outline: |subject| yaml::outline(subject.bytes),
        truncate: |cut| yaml::truncate(cut.text, cut.max),
        to_json: Some(yaml::to_json),
    },
    Row {
        kind: Kind::Xml,
        media_type: "application/xml",
        claimed_by: &["application/xml", "text/xml", "image/svg+xml"],
        detect: Detect::BySample(markup::is_xml),
        outline: |subject| markup::outline_xml(subject.bytes),
        truncate: |cut| markup::truncate_xml(cut.text, cut.max),
        ..TEXT
    },
    Row { detect: Detect::BySample(markup::is_page), ..HTML },
    Row {
        kind: Kind::Diff,
        media_type: "text/x-diff",
        claimed_by: &["text/x-diff", "text/x-patch"],
        detect: Detect::BySample(diff::detect),
        outline: |subject| diff::outline(subject.bytes),
        truncate: |cut| diff::truncate(cut.text, cut.max),
        ..TEXT
    },
    Row {
        kind: Kind::Markdown,
        media_type: "text/markdown",
        claimed_by: &["text/markdown", "text/x-markdown"],
        detect: Detect::BySample(markdown::detect),
        outline: |subject| markdown::outline(subject.bytes),
        truncate: |cut| markdown::truncate(cut.text, cut.max),
        ..TEXT
    },
    // After Markdown, which may begin with elements of HTML.
    Row { detect: Detect::BySample(markup::is_part_of_a_page), ..HTML },
    Row {
        claimed_by: &["text/x-traceback", "text/x-python-traceback"],
        detect: Detect::BySample(trace::detect),
        claimed: Some(trace::can_be),
        ..TRACE
    },
    Row { detect: Detect::BySample(build::detect), ..BUILD },
    Row {
        kind: Kind::Log,
        claimed_by: &["text/x-log"],
        detect: Detect::BySample(log::detect),
        outline: |subject| log::outline(subject.bytes, subject.middle),
        truncate: |cut| log::truncate(cut.text, cut.max, cut.middle),
        ..TEXT
    },
    // After builds and logs, which may end with a trace too.
    Row { detect: Detect::BySample(trace::ends_with_a_trace), ..TRACE },
    Row {
        kind: Kind::Source,
        detect: Detect::BySample(source::detect),
        outline: |subject| source::outline(subject.bytes),
        truncate: |cut| source::truncate(cut.text, cut.max),
        ..TEXT
    },
    Row {
        kind: Kind::Prose,
        detect: Detect::BySample(prose::detect),
        outline: |subject| prose::outline(subject.bytes),
        truncate: |cut| prose::truncate(cut.text, cut.max),
        ..TEXT
    },
    TEXT,
];

const JSON: Row = Row {
    detect: Detect::AsJson,
    outline: |subject| match &subject.json {
        Some(Ok(summary)) => json::outline(subject.bytes, summary),
        _ => Outline::default(),
    },
    truncate: |cut| json::truncate(cut.text, cut.max, cut.middle, cut.nested),
    ..TEXT
};

const BUILD: Row = Row {
    kind: Kind::Build,
    outline: |subject| build::outline(subject.bytes, subject.has_failed),
    truncate: |cut| build::truncate(cut.text, cut.max, cut.middle),
    ..TEXT
};

const HTML: Row = Row {
    kind: Kind::Html,
    media_type: "text/html",
    claimed_by: &["text/html", "application/xhtml+xml"],
    outline: |subject| markup::outline_html(subject.bytes),
    truncate: |cut| markup::truncate_html(cut.text, cut.max),
    ..TEXT
};

const TRACE: Row = Row {
    kind: Kind::Trace,
    outline: |subject| trace::outline(subject.bytes),
    truncate: |cut| trace::truncate(cut.text, cut.max, cut.middle),
    ..TEXT
};

/// Returns the first row of a kind.
pub fn row(kind: Kind) -> &'static Row {
    TABLE.iter().find(|row| row.kind == kind).unwrap_or(&TABLE[TABLE.len() - 1])
}
