//! Detects, outlines and truncates content by the table of kinds.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use tuckaway_json::summary::Summary;
use tuckaway_text::clean::{clean as without_controls, without_sequences};

use crate::framed::{self, Framed};
use crate::json::{self, NotJson, within};
use crate::kind::{Kind, ToJson};
use crate::nested::Nested;
use crate::outline::{Entry, Layout, Outline};
use crate::sample::{self, Sample};
use crate::table::{Cut, Detect, Hidden, Row, Subject, TABLE, otherwise, row};
use crate::truncate::lines::Middle;
use crate::{MIN_VIEW_BYTES, base64, formats, wording};

/// An output that was inspected once, from start to end.
pub struct Inspected {
    /// Its kind.
    pub kind: Kind,
    /// Whether jq can query it, as far as the inspection shows.
    pub is_queryable: bool,
    outline: Outline,
    /// Findings reused by truncation, only for the same, uncleaned text.
    pub middle: RefCell<Middle>,
}

impl Inspected {
    /// Adds the name of the decoded encoding to the outline.
    pub fn set_encoding(&mut self, name: &str) {
        self.outline.insert("encoding", Entry::Text(name.to_owned()));
    }

    /// Returns whether it consists of records of a failed run, and some of them give the
    /// reason.
    pub fn reports_failure(&self) -> bool {
        self.outline.reports_failure
    }

    /// Returns the outline as a JSON object of at most `max_bytes`.
    pub fn to_json(&self, max_bytes: usize, layout: &Layout) -> String {
        self.outline.to_json(max_bytes, layout)
    }
}

/// Facts about an output beyond its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// The media type that its tool claims.
    pub claimed: Option<&'a str>,
    /// Its number of lines.
    pub line_count: u64,
    /// Whether its tool reports an error: the outline of a run without a result then says that
    /// it failed.
    pub has_failed: bool,
}

/// Inspects an output. Takes linear time, and bounded memory in addition to a copy of text that
/// has terminal sequences.
pub fn inspect(bytes: &[u8], facts: &Facts) -> Inspected {
    let &Facts { claimed, line_count, has_failed } = facts;
    let mut middle = Middle::default();
    let (row, json, framed) = match by_head(bytes) {
        Some(row) => (row, None, None),
        None => match json::read(bytes, Some(&mut middle)) {
            Ok(summary) => (of_documents(&summary), Some(Ok(Rc::new(summary))), None),
            Err(error) => {
                let (row, framed) = detect_text(bytes, claimed, &error, &mut middle);
                (row, Some(Err(error)), framed)
            }
        },
    };
    let is_text = json.as_ref().is_some_and(Result::is_err) && !row.is_media();
    let content = framed.as_ref().map_or(Cow::Borrowed(bytes), |framed| framed.in_place().into());
    let content = match row.is_without_colours {
        true => without_sequences(&content),
        false => Cow::Borrowed(&*content),
    };
    let subject = &mut Subject { bytes: &content, json, has_failed, nested: &Table, middle: &mut middle };
    let mut outline = (row.outline)(subject);
    if let Some(framed) = &framed {
        // jq reads the other lines too.
        outline = outline.without_filters();
        outline.push("around", Entry::Text(framed.note()));
    }
    if let Some(status) = framed::status(bytes).filter(|_| is_text) {
        outline.insert("response", Entry::Text(status));
    }
    if is_text {
        outline.add_lines(line_count);
    }
    let has_values = row.is_json() || row.to_json.is_some();
    let is_queryable = (has_values || outline.answers_jq) && framed.is_none() && !outline.refuses_jq;
    Inspected { kind: row.kind, is_queryable, outline, middle: middle.into() }
}

/// Detects the kind of an output. A claimed media type is a hint: the bytes must allow the
/// kind.
pub fn detect(bytes: &[u8], claimed: Option<&str>) -> Kind {
    if let Some(row) = by_head(bytes) {
        return row.kind;
    }
    let row = match json::read(bytes, None) {
        Ok(summary) => of_documents(&summary),
        Err(error) => detect_text(bytes, claimed, &error, &mut Middle::default()).0,
    };
    row.kind
}

/// Detects the kind of content that is not JSON and that its head does not show. If lines
/// around it hide its kind, the kind is that of the content within, which is returned for
/// kinds that have no place for other lines.
fn detect_text<'a>(
    bytes: &'a [u8],
    claimed: Option<&str>,
    not_json: &NotJson,
    middle: &mut Middle,
) -> (&'static Row, Option<Framed<'a>>) {
    let malformed = match not_json {
        NotJson::Malformed(malformed) => Some(malformed),
        NotJson::BareValues => None,
    };
    if malformed.is_some_and(|malformed| malformed.is_first) {
        middle.set_begins_as_json();
    }
    let sample = Sample::of(bytes);
    let whole = by_sample(&sample, claimed);
    let may_hide = |hidden| whole.may_hide.contains(&hidden);
    if !may_hide(Hidden::Document) {
        return (whole, None);
    }
    let is_cut = may_hide(Hidden::CutJson)
        && malformed.is_some_and(|malformed| within::is_cut(bytes, &malformed.error));
    if is_cut || within::is_most(bytes, middle) || is_coloured_json(&sample) {
        return (otherwise(), None);
    }
    let Some(framed) = Framed::of(bytes) else { return (whole, None) };
    let within = match by_head(framed.content) {
        Some(row) if !row.stands_alone => return (otherwise(), None),
        Some(row) => row,
        None => by_sample(&Sample::of(framed.content), claimed),
    };
    match within {
        within if within.stands_alone => (within, Some(framed)),
        // Messages are part of a build or a log, but a text behind those of a task is not.
        within if within.is_plain && !may_hide(Hidden::Text) && !framed.is_before_text() => (whole, None),
        within => (within, None),
    }
}

/// Returns whether a sample would be JSON without its terminal sequences. jq does not read
/// it, but the words in it are those of values, not of a log or a build.
fn is_coloured_json(sample: &Sample) -> bool {
    let head = sample.head.as_bytes();
    let is_json = || json::read(head, None).is_ok() || within::is_most(head, &mut Middle::default());
    sample.is_coloured() && is_json()
}

/// Returns the content of a kind that excludes other lines, if there are some around
/// it.
fn within<'a>(bytes: &'a [u8], of: &Row) -> Option<Framed<'a>> {
    let framed = Some(bytes).filter(|_| of.stands_alone).and_then(Framed::of)?;
    let is_whole = match of.detect {
        Detect::ByHead(detect) => detect(bytes),
        _ => by_sample(&Sample::of(bytes), None).kind == of.kind,
    };
    (!is_whole).then_some(framed)
}

/// Detects the kinds that the first bytes show, before anything is parsed as JSON or text.
pub fn detect_by_head(bytes: &[u8]) -> Option<Kind> {
    by_head(bytes).map(|row| row.kind)
}

fn by_head(bytes: &[u8]) -> Option<&'static Row> {
    TABLE.iter().find(|row| matches!(row.detect, Detect::ByHead(detect) if detect(bytes)))
}

/// Returns the row of JSON with these documents.
fn of_documents(summary: &Summary) -> &'static Row {
    let is = |row: &&Row| matches!(row.detect, Detect::AsJson(detect) if detect(summary));
    TABLE.iter().find(is).unwrap_or(otherwise())
}

/// Detects the kind of content that is not JSON: the one that the media type claims, if
/// the content can be of that kind, or else the first kind of the table that fits.
pub fn detect_by_sample(sample: &Sample, claimed: Option<&str>) -> Kind {
    by_sample(sample, claimed).kind
}

fn by_sample(sample: &Sample, claimed: Option<&str>) -> &'static Row {
    if sample.is_binary() {
        return TABLE.iter().find(|row| matches!(row.detect, Detect::AsBytes)).unwrap_or(otherwise());
    }
    let essence = claimed.map(essence).unwrap_or_default();
    let claims = TABLE.iter().filter(|row| row.claimed_by.contains(&essence.as_str()));
    let claimed = claims.filter_map(|row| match (row.claimed, &row.detect) {
        (Some(detect), _) | (None, &Detect::BySample(detect)) => Some((row, detect)),
        _ => None,
    });
    let in_order = TABLE.iter().filter_map(|row| match row.detect {
        Detect::BySample(detect) => Some((row, detect)),
        _ => None,
    });
    let detected = claimed.chain(in_order).find(|(_, detect)| detect(sample));
    let detected = detected.filter(|(row, _)| !(row.is_quoted)(sample));
    detected.map_or(otherwise(), |(row, _)| row)
}

/// Returns a media type without its parameters, in lower case.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns the function that converts content of a kind to JSON; none if it cannot be
/// converted, or is JSON.
pub fn to_json(kind: Kind) -> Option<ToJson> {
    row(kind).to_json
}

/// Returns the name of content that is not text, by its first bytes.
pub fn binary_name(head: &[u8]) -> Option<&'static str> {
    formats::name(head).or_else(|| sample::is_binary(head).then_some("binary data"))
}

/// Returns the media type of content of a kind if the tool named none.
pub fn media_type(kind: Kind, bytes: &[u8]) -> &'static str {
    let row = row(kind);
    if within(bytes, row).is_some() {
        return otherwise().media_type;
    }
    let of_bytes = Some(bytes).filter(|_| row.is_media()).and_then(formats::media_type);
    of_bytes.unwrap_or(row.media_type)
}

/// Returns the line that replaces content which cannot be shown as text; none for content
/// that can.
pub fn note(kind: Kind, bytes: &[u8]) -> Option<String> {
    kind.is_media().then(|| formats::note(bytes))
}

/// Removes control characters, escape sequences and the data of data URLs from a text of
/// a known kind; JSON is cleaned when it is truncated. A note replaces a text of only
/// control characters.
pub fn clean(text: &str, kind: Kind) -> Cow<'_, str> {
    match row(kind).is_cleaned {
        true => clean_text(text),
        false => Cow::Borrowed(text),
    }
}

/// Cleans, as [`clean`] does, a text of a kind that is not known.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    match without_controls(text) {
        left if left.is_empty() && !text.is_empty() => {
            wording::not_shown("control characters", text.len() as u64).into()
        }
        left => base64::without_data(left),
    }
}

/// Truncates a text of a known kind to `max_bytes`; returns it unchanged if it fits.
///
/// With fewer than [`MIN_VIEW_BYTES`](crate::MIN_VIEW_BYTES), as a preview may have, the
/// result is still within the bound, and not empty if one character fits.
pub fn truncate(text: &str, kind: Kind, max_bytes: usize) -> String {
    truncate_again(text, kind, max_bytes, &mut Middle::default())
}

/// Truncates like [`truncate`], for callers that truncate one text more than once.
pub fn truncate_again(text: &str, kind: Kind, max_bytes: usize, middle: &mut Middle) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let of = row(kind);
    let main_part = match max_bytes < MIN_VIEW_BYTES {
        true => None,
        false => (of.main_part)(text, middle)
            .or_else(|| within(text.as_bytes(), of).map(|framed| (framed.range(), kind))),
    };
    let mut cut = |text, kind, max| (row(kind).truncate)(Cut { text, max, middle, nested: &Table });
    let Some((range, kind)) = main_part else { return cut(text, kind, max_bytes) };
    // The content has priority over the lines around it.
    let lead = framed::shown(&text[..range.start], max_bytes / 8);
    let trail = framed::shown(&text[range.end..], max_bytes / 8);
    let space = max_bytes - lead.len() - trail.len() - "\n".len();
    let content = match &text[range] {
        content if content.len() <= space => content.to_owned(),
        content => cut(content, kind, space),
    };
    let feed = if trail.is_empty() || content.ends_with('\n') { "" } else { "\n" };
    [&lead, &content, feed, &trail].concat()
}

/// Inspects content inside other content by the table.
pub(crate) struct Table;

impl Nested for Table {
    fn detect_text(&self, text: &str) -> Kind {
        detect_by_sample(&Sample::of(text.as_bytes()), None)
    }

    fn text_type(&self, bytes: &[u8]) -> Option<&'static str> {
        let row = row(detect(bytes, None));
        (!row.is_media()).then_some(row.media_type)
    }

    fn clean<'t>(&self, text: &'t str, kind: Kind) -> Cow<'t, str> {
        clean(text, kind)
    }

    fn truncate(&self, text: &str, kind: Kind, max: usize, middle: &mut Middle) -> String {
        truncate_again(text, kind, max, middle)
    }
}

#[cfg(test)]
mod tests;
