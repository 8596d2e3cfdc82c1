//! The blocks of an output: measured, and shown inline, as one text, and split into parts if they
//! are reduced.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::RangeInclusive;
use std::slice;

use tuckaway_contract::{Artifact, Block, Content, Error, ToolOutput};

use super::part::{Part, is_presentable};
use super::structured::{Repeats, repeats};
use super::unwrap::unwrap;
use crate::artifact;
use crate::ports::Store;
use tuckaway_content::{self as content, Kind};
use tuckaway_text::encoding::Encoding;
use tuckaway_text::lossy;

/// Maximum parts. More blocks than this are rows of one result, and form one text.
const MAX_PARTS: usize = 16;
/// Maximum blocks that are inspected individually.
const MAX_BLOCKS: usize = 256;

/// An output without the blocks that are passed on.
pub struct Body<'a> {
    origin: Origin<'a>,
    /// Its length as one text.
    pub size_bytes: u64,
    /// Its line feeds, plus one if the last line has none.
    pub line_count: u64,
    /// The indexes of the blocks that are passed on unchanged.
    pub kept: Vec<u32>,
}

enum Origin<'a> {
    /// The blocks of the output.
    Given {
        /// In order; structured content comes last, unless it repeats the others.
        pieces: Vec<Part<'a>>,
        /// The part that replaces the pieces from an index on if they are reduced.
        replacement: Option<(usize, Part<'a>)>,
        /// Several pieces as one text, joined when first needed.
        joined: OnceCell<Vec<u8>>,
    },
    /// An artifact, loaded when first needed: many decisions need only its size.
    Stored(Artifact, OnceCell<Vec<u8>>),
}

/// The parts of an output that is reduced.
pub struct Parts<'a> {
    /// At least one.
    pub all: Vec<Part<'a>>,
    /// The same content as one part, for a view that is too small for several.
    merged: Option<Part<'a>>,
    /// Whether a wrapped result reports that the tool failed.
    pub reports_failure: bool,
}

impl<'a> Body<'a> {
    /// Measures an output.
    ///
    /// Errors: `invalid-input` for a stored artifact next to other blocks, and those of
    /// the store.
    pub fn of(store: &dyn Store, output: &'a ToolOutput) -> Result<Self, Error> {
        let mut kept = Vec::new();
        let mut blocks = Vec::new();
        for (index, block) in output.blocks.iter().enumerate() {
            match is_passed_on(block) {
                true => kept.push(index as u32),
                false => blocks.push(block),
            }
        }
        let structured = output.structured.as_deref().filter(|text| !text.trim_ascii().is_empty());
        let mut pieces = Vec::new();
        for block in &blocks {
            let media_type = block.media_type.as_deref().filter(|t| is_presentable(t)).map(Cow::Borrowed);
            let part = match &block.content {
                Content::Text(text) => Part::text(text),
                Content::Bytes(bytes) => Part::bytes(bytes),
                Content::Stored(id) if blocks.len() > 1 || structured.is_some() => {
                    return Err(Error::invalid(format!(
                        "The stored artifact {id:?} is one of several blocks; pass it as the only block of its output."
                    ))
                    .about(&["blocks"]));
                }
                Content::Stored(id) => {
                    let artifact = artifact::stat(store, id).map_err(|error| error.or_about("blocks"))?;
                    let (size_bytes, line_count) = (artifact.size_bytes, artifact.line_count);
                    let origin = Origin::Stored(artifact, OnceCell::new());
                    return Ok(Body { origin, size_bytes, line_count, kept });
                }
            };
            pieces.push(part.with_media_type(media_type));
        }
        let replacement = structured.and_then(|json| add_structured(&mut pieces, json));
        let (size_bytes, line_count) = measure(&pieces);
        Ok(Body {
            origin: Origin::Given { pieces, replacement, joined: OnceCell::new() },
            size_bytes,
            line_count,
            kept,
        })
    }

    /// Returns its content as one text.
    pub fn text(&self, store: &dyn Store) -> Result<Cow<'_, str>, Error> {
        Ok(match &self.origin {
            Origin::Given { pieces, joined, .. } => match &pieces[..] {
                [piece] => piece.as_text(),
                pieces => lossy(joined.get_or_init(|| Part::joined(pieces))),
            },
            Origin::Stored(artifact, loaded) => {
                let bytes = load(store, artifact, loaded)?;
                Encoding::of(bytes).map_or_else(|| lossy(bytes), |encoding| encoding.decode(bytes).into())
            }
        })
    }

    /// Returns its size as text, in which each invalid byte counts as three. The content is decoded
    /// only if that can move the size across one of the `limits`.
    pub fn text_bytes(&self, store: &dyn Store, limits: RangeInclusive<u64>) -> Result<u64, Error> {
        let is_text = match &self.origin {
            Origin::Given { pieces, .. } => pieces.iter().all(Part::is_text),
            Origin::Stored(..) => false,
        };
        let cannot_matter =
            self.size_bytes > *limits.end() || self.size_bytes.saturating_mul(3) < *limits.start();
        Ok(match is_text || cannot_matter {
            true => self.size_bytes,
            false => self.size_bytes.max(self.text(store)?.len() as u64),
        })
    }

    /// Returns the text that a view shows inline: a note replaces each block of bytes that is not
    /// text, unless the output is an error message.
    pub fn inline_text(&self, store: &dyn Store, is_error: bool) -> Result<Cow<'_, str>, Error> {
        let mut pieces = match &self.origin {
            _ if is_error => return self.text(store),
            Origin::Given { pieces, .. } => pieces.iter().map(Part::borrowed).collect(),
            Origin::Stored(artifact, loaded) => vec![Part::bytes(load(store, artifact, loaded)?)],
        };
        let mut any_note = false;
        for piece in &mut pieces {
            if let Some(note) = piece.inline_note() {
                *piece = Part::text(note);
                any_note = true;
            }
        }
        match any_note {
            true => Ok(Cow::Owned(lossy(&Part::joined(&pieces)).into_owned())),
            false => self.text(store),
        }
    }

    /// Returns the maximum number of parts that it may be split into, without inspecting them.
    pub fn max_parts(&self) -> usize {
        match &self.origin {
            Origin::Given { pieces, .. } => match &pieces[..] {
                [] => 1,
                [piece] if super::unwrap::may_be_wrapped(piece.as_bytes()) => MAX_PARTS,
                pieces => pieces.len().min(MAX_PARTS),
            },
            Origin::Stored(..) => 1,
        }
    }

    /// Splits it into parts: adjacent blocks of plain text form one part, and every other block is
    /// a separate part. A single text that is a wrapped tool result is split into the parts of that
    /// result.
    pub fn parts(&self, store: &dyn Store) -> Result<Parts<'_>, Error> {
        let (pieces, replacement, joined) = match &self.origin {
            Origin::Given { pieces, replacement, joined } => (pieces, replacement, joined),
            Origin::Stored(artifact, loaded) => {
                let mut part = Part::bytes(load(store, artifact, loaded)?);
                part.stored = Some(artifact);
                return Ok(Parts::single(part));
            }
        };
        if let Some((0, replacement)) = replacement {
            return Ok(Parts::single(replacement.borrowed()));
        }
        let [piece] = &pieces[..] else {
            let mut parts: Vec<_> = pieces.iter().map(Part::borrowed).collect();
            let mut replaced = None;
            if let Some((from, replacement)) = replacement {
                parts.truncate(*from);
                parts.push(replacement.borrowed());
                replaced = Some(Part::joined(&parts));
            }
            let merged = || match replaced {
                Some(replaced) => Part::bytes(replaced),
                None => Part::bytes(&**joined.get_or_init(|| Part::joined(pieces))),
            };
            return Ok(match grouped(parts) {
                Some(all) => Parts { merged: (all.len() > 1).then(merged), all, reports_failure: false },
                None => Parts::single(merged()),
            });
        };
        let Some(result) = unwrap(piece.as_bytes()) else {
            return Ok(Parts::single(piece.borrowed()));
        };
        // Parts other than text could not be told apart in one text, so they stay wrapped.
        let merged = match result.parts.iter().all(|part| part.label.is_none() && part.note().is_none()) {
            true => Part::bytes(Part::joined(&result.parts)),
            false => piece.borrowed(),
        };
        let reports_failure = result.is_error;
        Ok(match grouped(result.parts) {
            Some(all) => Parts { all, merged: Some(merged), reports_failure },
            None => Parts { all: vec![merged], merged: None, reports_failure },
        })
    }
}

impl<'a> Parts<'a> {
    fn single(part: Part<'a>) -> Self {
        Parts { all: vec![part], merged: None, reports_failure: false }
    }

    /// Returns the content as a single part, if it can be one.
    pub fn merged(&self) -> &[Part<'a>] {
        self.merged.as_ref().map_or(&self.all, slice::from_ref)
    }
}

/// Returns whether a block goes to the model unchanged. Its media type decides or, for bytes
/// without one, the kind that their head shows.
fn is_passed_on(block: &Block) -> bool {
    match (&block.media_type, &block.content) {
        (Some(named), _) => content::formats::is_medium(named),
        // No image, audio or video begins with readable text.
        (None, Content::Bytes(bytes)) if bytes.iter().take(64).any(|b| !(b'\t'..0x80).contains(b)) => {
            content::detect_by_head(bytes).is_some_and(Kind::is_perceived)
        }
        (None, _) => false,
    }
}

/// Adds structured content to the pieces, unless they already contain it. Returns it with the index
/// of the first piece if it represents that one and the next ones better.
fn add_structured<'a>(pieces: &mut Vec<Part<'a>>, json: &'a str) -> Option<(usize, Part<'a>)> {
    let as_json = |json: Cow<'a, str>| Part::text(json).with_media_type(Some("application/json".into()));
    match repeats(json, pieces) {
        Repeats::One { index, as_json } => {
            let media_type = as_json.then_some(Cow::Borrowed("application/json"));
            pieces[index].media_type = pieces[index].media_type.take().or(media_type);
            None
        }
        Repeats::All => Some((0, as_json(json.into()))),
        // The text counts once. It is stored with the other members too, for filters that name it.
        Repeats::Text(rest) => {
            pieces.push(as_json(rest.into()));
            Some((pieces.len() - 1, as_json(json.into())))
        }
        Repeats::None => {
            pieces.push(as_json(json.into()));
            None
        }
    }
}

/// Returns the length and the lines of pieces as one text.
fn measure(pieces: &[Part<'_>]) -> (u64, u64) {
    let (mut size, mut lines, mut last) = (0, 0, b'\n');
    for piece in pieces {
        if last != b'\n' {
            size += 1;
            last = b'\n';
        }
        size += piece.len() as u64;
        lines += piece.line_count();
        last = piece.as_bytes().last().copied().unwrap_or(last);
    }
    (size, lines)
}

/// Groups pieces into parts: joins adjacent plain texts and omits empty ones. Returns none if there
/// would be too many parts.
fn grouped(pieces: Vec<Part<'_>>) -> Option<Vec<Part<'_>>> {
    if pieces.len() > MAX_BLOCKS {
        return None;
    }
    let mut runs: Vec<Vec<Part<'_>>> = Vec::new();
    for piece in pieces {
        if piece.len() == 0 && piece.label.is_none() {
            continue;
        }
        match runs.last_mut() {
            Some(run) if piece.is_plain_text() && run[0].is_plain_text() => run.push(piece),
            _ => runs.push(vec![piece]),
        }
        if runs.len() > MAX_PARTS {
            return None;
        }
    }
    if runs.is_empty() {
        return Some(vec![Part::text("")]);
    }
    Some(runs.into_iter().map(joined).collect())
}

/// Joins a run of plain texts.
fn joined(mut run: Vec<Part<'_>>) -> Part<'_> {
    match run.len() {
        1 => run.remove(0),
        _ => Part::bytes(Part::joined(&run)),
    }
}

fn load<'b>(
    store: &dyn Store,
    artifact: &Artifact,
    loaded: &'b OnceCell<Vec<u8>>,
) -> Result<&'b [u8], Error> {
    if let Some(bytes) = loaded.get() {
        return Ok(bytes);
    }
    let bytes = artifact::load(store, artifact)?;
    Ok(loaded.get_or_init(|| bytes))
}
