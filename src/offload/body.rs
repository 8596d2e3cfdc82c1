//! The blocks of an output, measured as the one text that they are inline, and
//! as the parts that they are where they are reduced.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::part::Part;
use super::structured::{Repeats, repeats};
use super::unwrap::unwrap;
use crate::artifact;
use crate::error::Error;
use crate::model::{Artifact, Block, Content, ToolOutput};
use crate::ports::Store;
use tuckaway_content::{self as content, Kind};
use tuckaway_text::lossy;

/// Longer media types than this, or ones that are no printable ASCII, are not
/// passed on: they are read by a model.
const MAX_MEDIA_TYPE_BYTES: usize = 127;
/// Parts at most. More blocks than a few are rows of one thing, and one text.
const MAX_PARTS: usize = 16;
/// More blocks than this are not looked at one by one.
const MAX_BLOCKS: usize = 256;

/// What an output is without the blocks that are passed on.
pub struct Body<'a> {
    source: Source<'a>,
    /// Its length, as one text.
    pub size_bytes: u64,
    /// Line feeds, and one more for a last line that has none.
    pub line_count: u64,
    /// Blocks that are passed on as they are, by index.
    pub kept: Vec<u32>,
}

enum Source<'a> {
    Here {
        /// In their order, the structured content last unless it says nothing new.
        pieces: Vec<Part<'a>>,
        /// What stands for all of them where they are reduced.
        instead: Option<Part<'a>>,
        /// Made where there are several and they are asked for as one.
        joined: OnceCell<Vec<u8>>,
    },
    /// Loaded when it is first asked for: many decisions need its size alone.
    Stored(Artifact, OnceCell<Vec<u8>>),
}

/// What an output is made of, where it is reduced.
pub struct Parts<'a> {
    /// At least one.
    pub all: Vec<Part<'a>>,
    /// The same as one part, should there be no room for several.
    one: Option<Part<'a>>,
    /// A result that was unwrapped says that the tool failed.
    pub says_failed: bool,
}

impl<'a> Body<'a> {
    /// The body of an output: the one block that there mostly is, or several.
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
                    )));
                }
                Content::Stored(id) => {
                    let artifact = artifact::stat(store, id)?;
                    let (size_bytes, line_count) = (artifact.size_bytes, artifact.line_count);
                    let source = Source::Stored(artifact, OnceCell::new());
                    return Ok(Body { source, size_bytes, line_count, kept });
                }
            };
            pieces.push(part.with_media_type(media_type));
        }
        let instead = structured.and_then(|json| add_structured(&mut pieces, json));
        let (size_bytes, line_count) = measure(&pieces);
        Ok(Body {
            source: Source::Here { pieces, instead, joined: OnceCell::new() },
            size_bytes,
            line_count,
            kept,
        })
    }

    /// Its bytes as a model is shown them inline.
    pub fn text(&self, store: &dyn Store) -> Result<Cow<'_, str>, Error> {
        Ok(match &self.source {
            Source::Here { pieces, joined, .. } => match &pieces[..] {
                [piece] => piece.as_text(),
                pieces => lossy(joined.get_or_init(|| Part::joined(pieces))),
            },
            Source::Stored(artifact, loaded) => lossy(load(store, artifact, loaded)?),
        })
    }

    /// The same with a note in place of each block that is bytes and no text. An
    /// error is shown whatever it looks like.
    pub fn shown(&self, store: &dyn Store, is_error: bool) -> Result<Cow<'_, str>, Error> {
        let mut pieces = match &self.source {
            _ if is_error => return self.text(store),
            Source::Here { pieces, .. } => pieces.iter().map(Part::borrowed).collect(),
            Source::Stored(artifact, loaded) => vec![Part::bytes(load(store, artifact, loaded)?)],
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

    /// How many parts it may come to, without a look at them.
    pub fn most_parts(&self) -> usize {
        match &self.source {
            Source::Here { pieces, .. } => match &pieces[..] {
                [] => 1,
                [piece] if super::unwrap::looks_wrapped(piece.as_bytes()) => MAX_PARTS,
                pieces => pieces.len().min(MAX_PARTS),
            },
            Source::Stored(..) => 1,
        }
    }

    /// What it is made of: neighbouring blocks of plain text are one part, all
    /// others are parts of their own. A single text that is itself a tool's
    /// result, content parts and all, becomes those.
    pub fn parts(&self, store: &dyn Store) -> Result<Parts<'_>, Error> {
        let (pieces, instead, joined) = match &self.source {
            Source::Here { pieces, instead, joined } => (pieces, instead, joined),
            Source::Stored(artifact, loaded) => {
                let mut part = Part::bytes(load(store, artifact, loaded)?);
                part.stored = Some(artifact);
                return Ok(Parts::single(part));
            }
        };
        if let Some(instead) = instead {
            return Ok(Parts::single(instead.borrowed()));
        }
        let [piece] = &pieces[..] else {
            let one = || Part::bytes(&**joined.get_or_init(|| Part::joined(pieces)));
            return Ok(match grouped(pieces.iter().map(Part::borrowed).collect()) {
                Some(all) => Parts { one: (all.len() > 1).then(one), all, says_failed: false },
                None => Parts::single(one()),
            });
        };
        let Some(result) = unwrap(piece.as_bytes()) else {
            return Ok(Parts::single(piece.borrowed()));
        };
        // What is more than text can't be told apart again in one text: it stays wrapped.
        let one = match result.parts.iter().all(|part| part.label.is_none() && part.note().is_none()) {
            true => Part::bytes(Part::joined(&result.parts)),
            false => piece.borrowed(),
        };
        let says_failed = result.is_error;
        Ok(match grouped(result.parts) {
            Some(all) => Parts { all, one: Some(one), says_failed },
            None => Parts { all: vec![one], one: None, says_failed },
        })
    }
}

impl<'a> Parts<'a> {
    fn single(part: Part<'a>) -> Self {
        Parts { all: vec![part], one: None, says_failed: false }
    }

    /// All in one part.
    pub fn in_one(mut self) -> Self {
        if let Some(one) = self.one.take() {
            self.all = vec![one];
        }
        self
    }
}

/// Whether a block goes to the model as it is: told by its media type, or, where
/// bytes have none, by a look at their head.
fn is_passed_on(block: &Block) -> bool {
    match (&block.media_type, &block.content) {
        (Some(named), _) => ["image/", "audio/", "video/"].iter().any(|class| named.starts_with(class)),
        // No picture, sound or film begins with readable text.
        (None, Content::Bytes(bytes)) if bytes.iter().take(64).any(|b| !(b'\t'..0x80).contains(b)) => {
            matches!(content::detect_by_head(bytes), Some(Kind::Image | Kind::Audio | Kind::Video))
        }
        (None, _) => false,
    }
}

/// Adds structured content to the pieces, unless they say it already. Gives what
/// is the better form of all of them, if it is.
fn add_structured<'a>(pieces: &mut Vec<Part<'a>>, json: &'a str) -> Option<Part<'a>> {
    let part = Part::text(json).with_media_type(Some(Cow::Borrowed("application/json")));
    match repeats(json, pieces) {
        Repeats::One { index, as_json } => {
            let media_type = as_json.then_some(Cow::Borrowed("application/json"));
            pieces[index].media_type = pieces[index].media_type.take().or(media_type);
            None
        }
        Repeats::All => Some(part),
        Repeats::None => {
            pieces.push(part);
            None
        }
    }
}

/// Length and lines of pieces as one text.
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

/// Pieces as parts: plain texts joined with their neighbours, empty ones left
/// out. None if there would be too many.
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
    Some(runs.into_iter().map(one_of).collect())
}

/// Plain texts as one.
fn one_of(mut run: Vec<Part<'_>>) -> Part<'_> {
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

/// Whether a model may be shown a media type: short, printable ASCII.
pub fn is_presentable(media_type: &str) -> bool {
    (1..=MAX_MEDIA_TYPE_BYTES).contains(&media_type.len())
        && media_type.bytes().all(|b| (0x20..0x7F).contains(&b))
}
