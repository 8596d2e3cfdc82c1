//! The table of kinds: how each is detected, outlined, truncated and converted to JSON, and
//! how it differs from others. Only its order decides which kind wins.
//!
//! ```text
//! bytes ─► by head ─► as JSON ─► by sample (claimed, then in order) ─► row ─┬─► outline
//!                                                                          └─► truncate
//! ```
//!
//! No other module names a kind: everything that depends on the kind is a column. A row states the
//! columns in which the kind differs from [`DEFAULTS`] or [`DOCUMENT`].

use std::ops::Range;
use std::rc::Rc;

use tuckaway_json::summary::Summary;

use crate::annotated;
use crate::formats::{self, Class};
use crate::json::{NotJson, is_record, within};
use crate::kind::{Kind, ToJson};
use crate::kinds::{
    base64, build, csv, diff, json, listing, literal, log, markdown, markup, media, page, prose, records,
    search, source, table, text, toml, trace, yaml,
};
use crate::nested::Nested;
use crate::outline::Outline;
use crate::sample::Sample;
use crate::truncate::lines::Middle;

/// The way to detect a kind.
pub enum Detect {
    /// By its first bytes, before they are read as JSON or text: a PDF may be all
    /// ASCII.
    ByHead(fn(&[u8]) -> bool),
    /// As JSON, by its documents: all of it is read.
    AsJson(fn(&Summary) -> bool),
    /// If the bytes are not text, whatever the tool claims.
    AsBytes,
    /// By its sample: head and tail.
    BySample(fn(&Sample) -> bool),
    /// If no other kind is detected.
    Otherwise,
}

/// The medium of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Text.
    Text,
    /// Text that nobody reads, such as base64: the outline describes all of it.
    Encoded,
    /// Bytes.
    Bytes,
    /// Bytes that models see or hear: images, audio, video.
    Perceived,
}

/// Content of another kind that the lines of a text may hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Content between lines that a shell or a tool prints around it.
    Document,
    /// JSON that is cut off at the end.
    CutJson,
    /// Text or prose between such lines. Other kinds contain messages.
    Text,
}

/// Content of a known kind that is outlined.
pub struct Subject<'a> {
    /// The whole content.
    pub bytes: &'a [u8],
    /// The result of parsing it as JSON, if it was parsed.
    pub json: Option<Result<Rc<Summary>, NotJson>>,
    /// Whether the tool reports an error.
    pub has_failed: bool,
    /// Inspects content inside it.
    pub nested: &'a dyn Nested,
    /// Takes the findings that its truncation reuses.
    pub middle: &'a mut Middle,
}

/// A text of a known kind that is truncated.
pub struct Cut<'a> {
    /// The whole text, cleaned.
    pub text: &'a str,
    /// Maximum bytes of the view.
    pub max: usize,
    /// Findings shared by all cuts of the text.
    pub middle: &'a mut Middle,
    /// Inspects content inside it.
    pub nested: &'a dyn Nested,
}

/// Finds the part of a text that has priority over the lines around it, and its kind.
pub type MainPart = fn(&str, &mut Middle) -> Option<(Range<usize>, Kind)>;

/// One kind.
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// The media type of content that neither the tool nor the bytes specify further.
    pub media_type: &'static str,
    /// The media types, without parameters, that claim the kind.
    pub claimed_by: &'static [&'static str],
    /// The way to detect it.
    pub detect: Detect,
    /// The way to detect it if its media type is claimed, if that needs less evidence.
    pub claimed: Option<fn(&Sample) -> bool>,
    /// Returns whether a text only quotes lines of the kind, and is not of the kind.
    pub is_quoted: fn(&Sample) -> bool,
    /// Outlines it.
    pub outline: fn(&mut Subject) -> Outline,
    /// Truncates it.
    pub truncate: fn(Cut) -> String,
    /// Converts it to JSON for jq, if it can be.
    pub to_json: Option<ToJson>,
    /// Its medium.
    pub medium: Medium,
    /// Content that may be hidden in a text detected as the kind.
    pub may_hide: &'static [Hidden],
    /// Whether lines that a shell or a tool prints around it are not part of it.
    pub stands_alone: bool,
    /// Whether it is described without its terminal sequences. Other kinds read their lines
    /// as a terminal shows them, or have none.
    pub is_without_colours: bool,
    /// Whether it is cleaned before it is truncated, and not by its truncation.
    pub is_cleaned: bool,
    /// Whether it is plain text, which can be joined with other plain text.
    pub is_plain: bool,
    /// Returns whether the head is enough of a preview: the outline describes the rest.
    pub is_sampled: fn(&[u8]) -> bool,
    /// Finds the part of a text that has priority over the lines around it, and its kind.
    pub main_part: MainPart,
}

/// Most kinds: lines of text, which may have been printed around something else.
const DEFAULTS: Row = Row {
    kind: Kind::Text,
    media_type: "text/plain",
    claimed_by: &[],
    detect: Detect::Otherwise,
    claimed: None,
    is_quoted: annotated::is_annotated,
    outline: outline_text,
    truncate: |cut| text::truncate(cut.text, cut.max),
    to_json: None,
    medium: Medium::Text,
    may_hide: &[Hidden::Document, Hidden::CutJson],
    stands_alone: false,
    is_without_colours: false,
    is_cleaned: true,
    is_plain: false,
    is_sampled: |_| false,
    main_part: |_, _| None,
};

/// The defaults of formats with a grammar, such as tables and markup: they hide nothing, and
/// have no place for other lines.
const DOCUMENT: Row = Row { may_hide: &[], stands_alone: true, is_without_colours: true, ..DEFAULTS };

/// The defaults of media.
const MEDIA: Row = Row {
    media_type: "application/octet-stream",
    outline: |subject| media::outline(subject.bytes),
    medium: Medium::Bytes,
    may_hide: &[],
    ..DEFAULTS
};

/// Every kind, in the order in which they are tried.
pub const TABLE: &[Row] = &[
    Row {
        kind: Kind::Image,
        detect: Detect::ByHead(|head| formats::detect(head) == Some(Class::Image)),
        medium: Medium::Perceived,
        ..MEDIA
    },
    Row {
        kind: Kind::Audio,
        detect: Detect::ByHead(|head| formats::detect(head) == Some(Class::Audio)),
        medium: Medium::Perceived,
        ..MEDIA
    },
    Row {
        kind: Kind::Video,
        detect: Detect::ByHead(|head| formats::detect(head) == Some(Class::Video)),
        medium: Medium::Perceived,
        ..MEDIA
    },
    Row {
        kind: Kind::Pdf,
        media_type: "application/pdf",
        detect: Detect::ByHead(|head| formats::detect(head) == Some(Class::Pdf)),
        ..MEDIA
    },
    Row { detect: Detect::ByHead(|head| formats::detect(head) == Some(Class::Other)), ..BINARY },
    Row {
        kind: Kind::Base64,
        detect: Detect::ByHead(base64::detect),
        outline: |subject| base64::outline(subject.bytes, subject.nested),
        truncate: |cut| base64::truncate(cut.text, cut.max, cut.nested),
        medium: Medium::Encoded,
        is_without_colours: false,
        is_cleaned: false,
        ..DOCUMENT
    },
    Row {
        kind: Kind::Json,
        media_type: "application/json",
        detect: Detect::AsJson(|summary| summary.documents == 1),
        is_sampled: |bytes| !is_record(bytes),
        ..JSON
    },
    Row {
        kind: Kind::JsonSequence,
        media_type: "application/x-ndjson",
        detect: Detect::AsJson(|summary| summary.documents > 1),
        is_sampled: |_| true,
        ..JSON
    },
    // Bytes have the marks of every kind of text.
    Row { detect: Detect::AsBytes, ..BINARY },
    // A build may print a table, a document or a trace before its result.
    Row { detect: Detect::BySample(build::is_concluded), ..BUILD },
    Row {
        kind: Kind::Literal,
        detect: Detect::BySample(literal::detect),
        outline: |subject| literal::outline(subject.bytes),
        to_json: Some(literal::to_json),
        ..DOCUMENT
    },
    // Its elements are items of a list to YAML and Markdown.
    Row {
        kind: Kind::Page,
        detect: Detect::BySample(page::detect),
        outline: |subject| page::outline(subject.bytes),
        to_json: Some(page::to_json),
        ..DOCUMENT
    },
    // Lists in it may look like a table.
    Row {
        kind: Kind::Toml,
        media_type: "application/toml",
        claimed_by: &["application/toml", "text/toml", "text/x-toml"],
        detect: Detect::BySample(toml::detect),
        claimed: Some(toml::can_be),
        outline: |subject| toml::outline(subject.bytes),
        truncate: |cut| toml::truncate(cut.text, cut.max),
        to_json: Some(toml::to_json),
        ..DOCUMENT
    },
    // Some have tabs.
    Row {
        kind: Kind::Listing,
        detect: Detect::BySample(listing::detect),
        outline: |subject| listing::outline(subject.bytes),
        to_json: Some(listing::to_json),
        ..DOCUMENT
    },
    Row { detect: Detect::BySample(csv::detect_csv), ..CSV },
    Row {
        kind: Kind::Tsv,
        media_type: "text/tab-separated-values",
        claimed_by: &["text/tab-separated-values"],
        detect: Detect::BySample(csv::detect_tsv),
        ..CSV
    },
    Row {
        kind: Kind::Table,
        detect: Detect::BySample(table::detect),
        outline: |subject| table::outline(subject.bytes),
        to_json: Some(table::to_json),
        is_quoted: annotated::is_blame,
        ..DOCUMENT
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
        ..DOCUMENT
    },
    Row {
        kind: Kind::Xml,
        media_type: "application/xml",
        claimed_by: &["application/xml", "text/xml", "image/svg+xml"],
        detect: Detect::BySample(markup::is_xml),
        outline: |subject| markup::outline_xml(subject.bytes),
        truncate: |cut| markup::truncate_xml(cut.text, cut.max),
        is_quoted: |_| false,
        ..DOCUMENT
    },
    Row { detect: Detect::BySample(markup::is_page), ..HTML },
    Row {
        kind: Kind::Diff,
        media_type: "text/x-diff",
        claimed_by: &["text/x-diff", "text/x-patch"],
        detect: Detect::BySample(diff::detect),
        outline: |subject| diff::outline(subject.bytes),
        truncate: |cut| diff::truncate(cut.text, cut.max),
        is_quoted: |_| false,
        may_hide: &[],
        ..DEFAULTS
    },
    Row {
        kind: Kind::Markdown,
        media_type: "text/markdown",
        claimed_by: &["text/markdown", "text/x-markdown"],
        detect: Detect::BySample(markdown::detect),
        outline: |subject| markdown::outline(subject.bytes),
        truncate: |cut| markdown::truncate(cut.text, cut.max),
        may_hide: &[Hidden::Document, Hidden::CutJson, Hidden::Text],
        is_without_colours: true,
        ..DEFAULTS
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
        ..DEFAULTS
    },
    // After builds and logs, which may end with a trace too.
    Row { detect: Detect::BySample(trace::ends_with_a_trace), ..TRACE },
    Row {
        kind: Kind::Search,
        detect: Detect::BySample(search::detect),
        outline: |subject| search::outline(subject.bytes),
        to_json: Some(search::to_json),
        ..DOCUMENT
    },
    Row {
        kind: Kind::Source,
        detect: Detect::BySample(source::detect),
        outline: |subject| source::outline(subject.bytes),
        truncate: |cut| source::truncate(cut.text, cut.max),
        may_hide: &[Hidden::Document, Hidden::CutJson, Hidden::Text],
        is_without_colours: true,
        ..DEFAULTS
    },
    // After source code, which may have lines of names and values too.
    Row {
        kind: Kind::Records,
        detect: Detect::BySample(records::detect),
        outline: |subject| records::outline(subject.bytes),
        to_json: Some(records::to_json),
        may_hide: &[Hidden::Document, Hidden::CutJson, Hidden::Text],
        is_without_colours: true,
        ..DEFAULTS
    },
    Row {
        kind: Kind::Prose,
        detect: Detect::BySample(prose::detect),
        outline: |subject| prose::outline(subject.bytes),
        truncate: |cut| prose::truncate(cut.text, cut.max),
        is_without_colours: true,
        is_plain: true,
        ..DEFAULTS
    },
    Row {
        kind: Kind::Text,
        is_plain: true,
        main_part: |text, middle| Some((within::range(text.as_bytes(), middle)?, Kind::Json)),
        ..DEFAULTS
    },
];

const BINARY: Row = Row { kind: Kind::Binary, ..MEDIA };

const CSV: Row = Row {
    kind: Kind::Csv,
    media_type: "text/csv",
    claimed_by: &["text/csv"],
    outline: |subject| csv::outline(subject.bytes),
    truncate: |cut| csv::truncate(cut.text, cut.max),
    to_json: Some(csv::to_json),
    is_quoted: annotated::is_blame,
    ..DOCUMENT
};

const JSON: Row = Row {
    outline: |subject| match &subject.json {
        Some(Ok(summary)) => json::outline(subject.bytes, summary, subject.middle),
        _ => Outline::default(),
    },
    truncate: |cut| json::truncate(cut.text, cut.max, cut.middle, cut.nested),
    // Its truncation cleans what it shows.
    is_cleaned: false,
    may_hide: &[],
    ..DEFAULTS
};

const BUILD: Row = Row {
    kind: Kind::Build,
    outline: |subject| build::outline(subject.bytes, subject.has_failed),
    truncate: |cut| build::truncate(cut.text, cut.max, cut.middle),
    is_quoted: |_| false,
    // Events of builds are JSON, too.
    may_hide: &[Hidden::Document],
    ..DEFAULTS
};

const HTML: Row = Row {
    kind: Kind::Html,
    media_type: "text/html",
    claimed_by: &["text/html", "application/xhtml+xml"],
    outline: |subject| markup::outline_html(subject.bytes),
    truncate: |cut| markup::truncate_html(cut.text, cut.max),
    is_quoted: |_| false,
    ..DOCUMENT
};

const TRACE: Row = Row {
    kind: Kind::Trace,
    outline: |subject| trace::outline(subject.bytes),
    truncate: |cut| trace::truncate(cut.text, cut.max, cut.middle),
    is_quoted: |_| false,
    may_hide: &[Hidden::Document],
    ..DEFAULTS
};

fn outline_text(subject: &mut Subject) -> Outline {
    let error = match &subject.json {
        Some(Err(NotJson::Malformed(malformed))) => Some(&malformed.error),
        _ => None,
    };
    text::outline(subject.bytes, error, subject.middle)
}

/// Returns the first row of a kind.
pub fn row(kind: Kind) -> &'static Row {
    TABLE.iter().find(|row| row.kind == kind).unwrap_or(otherwise())
}

/// Returns the row of text that is of no other kind.
pub fn otherwise() -> &'static Row {
    &TABLE[TABLE.len() - 1]
}

impl Row {
    /// Returns whether the kind cannot be shown as text.
    pub fn is_media(&self) -> bool {
        matches!(self.medium, Medium::Bytes | Medium::Perceived)
    }

    /// Returns whether jq reads the kind without conversion.
    pub fn is_json(&self) -> bool {
        matches!(self.detect, Detect::AsJson(_))
    }
}

/// Questions of code outside the table about a kind.
impl Kind {
    /// Returns whether the kind cannot be shown as text.
    pub fn is_media(self) -> bool {
        row(self).is_media()
    }

    /// Returns whether models see or hear it: an image, audio, video.
    pub fn is_perceived(self) -> bool {
        row(self).medium == Medium::Perceived
    }

    /// Returns whether nobody reads it directly, so that its outline suffices.
    pub fn is_opaque(self) -> bool {
        row(self).medium != Medium::Text
    }

    /// Returns whether it is plain text, which can be joined with other plain text.
    pub fn is_plain(self) -> bool {
        row(self).is_plain
    }

    /// Returns whether it is one JSON document or several.
    pub fn is_json(self) -> bool {
        row(self).is_json()
    }

    /// Returns whether the head is enough of a preview of such content: the outline describes
    /// the rest.
    pub fn is_sampled(self, bytes: &[u8]) -> bool {
        (row(self).is_sampled)(bytes)
    }
}
