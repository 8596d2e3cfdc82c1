//! Reads YAML line by line into JSON: finds the block that a line belongs to.
//! [`super::block`] reads the line, [`super::flow`] collections in brackets,
//! [`super::text`] scalars.
//!
//! Open blocks are kept in a list, so that depth takes no stack.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use tuckaway_search::find;

use super::line::{is_indicator, is_marker};
use super::merge;
use super::properties::Properties;
use super::scalar::push_plain;
use super::stats::{Stats, Stop};
use tuckaway_json::write::push_string;

/// Blocks and brackets within each other.
pub const MAX_DEPTH: usize = 128;

const NO_DOCUMENT: &str = "a directive without a document behind it";

/// A block that is open.
pub(super) struct Block<'a> {
    pub(super) column: usize,
    pub(super) is_sequence: bool,
    /// Entries so far.
    pub(super) entries: u64,
    /// The first key and the last. If one of them is repeated, the text is not YAML but, for
    /// example, an event stream.
    pub(super) keys: [&'a [u8]; 2],
    /// The key after a `?` whose value has not begun.
    pub(super) open_key: Option<Position>,
    /// The start of its JSON.
    start: usize,
    /// The start of the last entry in the JSON, and that of its line in the input.
    pub(super) last: (usize, usize),
    anchor: Option<&'a [u8]>,
    /// The JSON of the mappings that are merged into this one.
    pub(super) merges: Vec<Range<usize>>,
}

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Anything, also a block that begins in its line.
    Any,
    /// Anything but a block that begins in its line.
    NotBlock,
}

/// The position where the JSON of a value begins.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) json: usize,
    /// The number of anchors set before it.
    pub(super) anchors: usize,
}

/// Reads YAML, writes JSON.
pub struct Reader<'a> {
    pub(super) input: &'a [u8],
    /// The start of the next line.
    pub(super) at: usize,
    pub(super) json: Vec<u8>,
    /// Maximum bytes of `json`.
    pub(super) max: usize,
    /// Bytes that merging has read and written.
    merge_work: usize,
    pub(super) blocks: Vec<Block<'a>>,
    /// The properties of a value that is expected on a separate line.
    pub(super) pending: Option<Properties<'a>>,
    /// The index in `anchored` of each name.
    pub(super) anchors: BTreeMap<Rc<[u8]>, usize>,
    /// The JSON of each value with an anchor; none if it became part of a key.
    pub(super) anchored: Vec<Option<Range<usize>>>,
    pub(super) stats: Stats,
}

impl<'a> Reader<'a> {
    /// Reads all of the input. Returns JSON documents, each with a line feed, of at most about
    /// `max` bytes; statistics; and the reason why reading stopped, if it did. The JSON is valid
    /// even then: open blocks are closed, and an entry without a value is omitted.
    pub fn read(input: &'a [u8], max: usize) -> (Vec<u8>, Stats, Option<Stop>) {
        let at = if input.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
        let mut reader = Reader {
            input,
            at,
            json: Vec::with_capacity(input.len().min(max)),
            max,
            merge_work: 0,
            blocks: Vec::new(),
            pending: Some(Properties::default()),
            anchors: BTreeMap::new(),
            anchored: Vec::new(),
            stats: Stats { is_alike: true, ..Stats::default() },
        };
        let stop = reader.lines().err();
        reader.stats.stopped = reader.stats.read;
        if stop.is_some() {
            reader.roll_back();
        }
        let ended = reader.end_document().err();
        (reader.json, reader.stats, stop.or(ended))
    }

    fn lines(&mut self) -> Result<(), Stop> {
        // Directives are only before a document, whose mark is then behind them.
        let (mut between, mut has_directive) = (true, false);
        while self.at < self.input.len() {
            let start = self.at;
            self.stats.read = start;
            let end = self.line_end(start);
            let column = self.column(start, end);
            let from = start + column;
            match self.input.get(from..end).unwrap_or_default() {
                _ if self.is_blank(self.skip_blanks(from, end), end) => self.advance(end),
                [b'\t', ..] => self.tabbed(column, from, end)?,
                [b'%', ..] if between && column == 0 => {
                    has_directive = true;
                    self.advance(end);
                }
                [b'-', ..] if column == 0 && is_marker(&self.input[from..end]) => {
                    (between, has_directive) = (false, false);
                    self.marker(start, end)?;
                }
                _ if has_directive => return self.reject(NO_DOCUMENT, from),
                text if column == 0 && is_marker(text) => {
                    between = true;
                    self.marker(start, end)?;
                }
                _ => {
                    between = false;
                    self.line(column, from, end)?;
                }
            }
            self.stats.read = self.at;
            if self.json.len() > self.max {
                return Err(Stop::TooLarge);
            }
        }
        if has_directive { self.reject(NO_DOCUMENT, self.at) } else { Ok(()) }
    }

    /// Reads a line that begins or ends a document, and the rest of that line.
    fn marker(&mut self, start: usize, end: usize) -> Result<(), Stop> {
        self.end_document()?;
        self.pending = Some(Properties::default());
        let rest = self.skip_blanks(start + 3, end);
        if self.is_blank(rest, end) {
            self.advance(end);
            Ok(())
        } else if self.input[start] == b'-' {
            self.node(rest - start, rest, end, Form::NotBlock)
        } else {
            self.reject("text behind a document's end", rest)
        }
    }

    /// Reads a line that is indented by tabs. They may be before a pending value that spaces
    /// indent far enough, but not before a block.
    fn tabbed(&mut self, column: usize, from: usize, end: usize) -> Result<(), Stop> {
        let is_inside = self.parent_column().is_none_or(|parent| column > parent);
        if self.pending.is_none() || !is_inside {
            return self.reject("a tab for indentation", from);
        }
        self.node(column, self.skip_blanks(from, end), end, Form::NotBlock)
    }

    /// Reads any other line, whose text begins at `from`.
    fn line(&mut self, column: usize, from: usize, end: usize) -> Result<(), Stop> {
        let is_item = is_indicator(b'-', &self.input[from..end]);
        if self.pending.is_some() {
            let inside = self.blocks.last().is_none_or(|block| {
                column > block.column || column == block.column && !block.is_sequence && is_item
            });
            if inside {
                return self.node(column, from, end, Form::Any);
            }
            self.null();
        }
        while self.blocks.last().is_some_and(|block| {
            block.column > column || block.column == column && block.is_sequence && !is_item
        }) {
            self.close()?;
        }
        match self.blocks.last() {
            Some(block) if block.column == column && block.is_sequence == is_item => {
                if is_item {
                    self.item(from, end)
                } else {
                    self.member(from, end)
                }
            }
            _ => self.reject("a line that is set in like none before it", from),
        }
    }

    /// Opens a mapping.
    pub(super) fn open_mapping(&mut self, column: usize, anchor: Option<&'a [u8]>) -> Result<(), Stop> {
        self.open(column, false, anchor)
    }

    /// Opens a block.
    pub(super) fn open(
        &mut self,
        column: usize,
        is_sequence: bool,
        anchor: Option<&'a [u8]>,
    ) -> Result<(), Stop> {
        if self.blocks.len() == MAX_DEPTH {
            return self.reject("more than 128 blocks within each other", self.at);
        }
        if self.blocks.is_empty() {
            self.stats.is_alike &= self.stats.is_sequence.is_none_or(|before| before == is_sequence);
            self.stats.is_sequence = Some(is_sequence);
        } else {
            self.stats.nested += 1;
        }
        let start = self.json.len();
        self.json.push(if is_sequence { b'[' } else { b'{' });
        self.blocks.push(Block {
            column,
            is_sequence,
            entries: 0,
            keys: [b""; 2],
            open_key: None,
            start,
            last: (start + 1, self.at),
            anchor,
            merges: Vec::new(),
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Stop> {
        if let Err(stop) = self.end_key() {
            self.roll_back();
            return Err(stop);
        }
        let Some(block) = self.blocks.pop() else { return Ok(()) };
        if !block.merges.is_empty() {
            let left = self.max.saturating_sub(self.merge_work);
            let Some(work) = merge::into_open(&mut self.json, block.start, &block.merges, left) else {
                self.json.truncate(block.start);
                self.roll_back();
                return Err(Stop::TooLarge);
            };
            self.merge_work += work;
        }
        self.json.push(if block.is_sequence { b']' } else { b'}' });
        if let Some(name) = block.anchor {
            self.add_anchor(name, block.start);
        }
        Ok(())
    }

    /// Ends an open key after a `?`, which has no value.
    pub(super) fn end_key(&mut self) -> Result<(), Stop> {
        if let Some(position) = self.blocks.last_mut().and_then(|block| block.open_key.take()) {
            self.as_key(position)?;
            self.json.extend_from_slice(b":null");
        }
        Ok(())
    }

    /// After reading stopped, removes the entry that has no value yet, and enclosing entries whose
    /// first entry it was.
    fn roll_back(&mut self) {
        self.pending = None;
        if let Some(index) = self.blocks.iter().position(|block| block.open_key.is_some()) {
            self.blocks.truncate(index + 1);
            self.blocks[index].open_key = None;
            self.roll_back_entry();
        }
        while let Some(b':' | b',' | b'[' | b'{') = self.json.last()
            && !self.blocks.is_empty()
        {
            self.roll_back_entry();
        }
    }

    fn roll_back_entry(&mut self) {
        let Some(block) = self.blocks.last() else { return };
        self.json.truncate(block.last.0);
        self.stats.read = self.stats.read.min(block.last.1);
        if self.json.len() == block.start + 1 {
            self.json.truncate(block.start);
            self.blocks.pop();
        }
    }

    /// Closes open blocks.
    fn end_document(&mut self) -> Result<(), Stop> {
        if self.blocks.is_empty() && matches!(self.json.last(), None | Some(b'\n')) {
            self.pending = None;
            return Ok(());
        }
        if self.pending.is_some() {
            self.null();
        }
        let mut closed = Ok(());
        while !self.blocks.is_empty() {
            closed = closed.and(self.close());
        }
        self.anchors.clear();
        self.anchored.clear();
        // A document that stopped at its first entry is empty.
        if !matches!(self.json.last(), None | Some(b'\n')) {
            self.json.push(b'\n');
            self.stats.documents += 1;
        }
        closed
    }

    /// Writes null for a pending value that is missing.
    fn null(&mut self) {
        let properties = self.pending.take().unwrap_or_default();
        let start = self.json.len();
        self.push_plain(b"", properties.is_string);
        self.set_anchor(properties, start);
    }

    /// Returns the position of the JSON that is written next.
    pub(super) fn position(&self) -> Position {
        Position { json: self.json.len(), anchors: self.anchored.len() }
    }

    /// Turns the JSON from `position` on into a key: a string stays, any other value becomes a
    /// string of its JSON. A key within keys is escaped once for each of them, and doubles in
    /// length every time.
    pub(super) fn as_key(&mut self, position: Position) -> Result<(), Stop> {
        if self.json.get(position.json) == Some(&b'"') {
            return Ok(());
        }
        let value = self.json.split_off(position.json);
        self.forget_anchors(position);
        push_string(&mut self.json, &value);
        if self.json.len() > self.max {
            self.json.truncate(position.json);
            return Err(Stop::TooLarge);
        }
        Ok(())
    }

    /// Returns the end of a line's text, without its carriage return.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let end = find::byte(b'\n', &self.input[from..]).map_or(self.input.len(), |feed| from + feed);
        if end > from && self.input[end - 1] == b'\r' { end - 1 } else { end }
    }

    /// Advances past a line that ends at `end`.
    pub(super) fn advance(&mut self, end: usize) {
        self.at = self.past_line(end);
    }

    /// Returns the start of the line after one that ends at `end`.
    pub(super) fn past_line(&self, end: usize) -> usize {
        let end = if self.input.get(end) == Some(&b'\r') { end + 1 } else { end };
        (end + 1).min(self.input.len())
    }

    /// Advances past the line of a value that ends at `past`, if nothing else is on it.
    pub(super) fn end_line(&mut self, past: usize) -> Result<(), Stop> {
        let end = self.line_end(past);
        let rest = self.skip_blanks(past, end);
        if !self.is_blank(rest, end) || rest == past && rest < end {
            return self.reject("text behind a value", rest);
        }
        self.advance(end);
        Ok(())
    }

    /// Returns the number of spaces by which a line is indented.
    pub(super) fn column(&self, start: usize, end: usize) -> usize {
        self.input[start..end].iter().take_while(|&&byte| byte == b' ').count()
    }

    pub(super) fn skip_blanks(&self, from: usize, end: usize) -> usize {
        from + self.input[from..end].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Returns whether the rest of a line is empty or a comment.
    pub(super) fn is_blank(&self, from: usize, end: usize) -> bool {
        from >= end || self.input[from] == b'#'
    }

    /// Returns the column that the lines of a value must be beyond; none for a document.
    pub(super) fn parent_column(&self) -> Option<usize> {
        self.blocks.last().map(|block| block.column)
    }

    pub(super) fn push_plain(&mut self, text: &[u8], is_string: bool) {
        if is_string {
            push_string(&mut self.json, text);
        } else {
            push_plain(&mut self.json, text);
        }
    }

    pub(super) fn reject<T>(&self, what: &'static str, at: usize) -> Result<T, Stop> {
        Err(Stop::Rejected(what, at))
    }
}
