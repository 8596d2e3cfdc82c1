//! YAML read line by line into JSON: which block a line belongs to. What stands
//! for a value is read in [`super::text`] and [`super::flow`].
//!
//! Blocks that are open are kept in a list, so that no depth takes stack.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use tuckaway_search::find;

use super::anchors::Properties;
use super::line::{Key, closing_quote, comment, ends_key, is_dash, is_marker, is_plain_start, key_colon};
use super::merge;
use super::scalar::push_plain;
use tuckaway_json::write::push_string;

/// Blocks and brackets within each other.
pub const MAX_DEPTH: usize = 128;

/// Why reading stopped before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The input ends within brackets or quotes.
    Ended,
    /// It is no YAML, or of a kind that is not read: what, and at which byte.
    Unread(&'static str, usize),
    /// The JSON is longer than it may be, or aliases make too much of little.
    TooLarge,
}

/// What was seen, by which YAML is told from what looks like it.
#[derive(Default)]
pub struct Seen {
    /// Documents with something in them.
    pub documents: u64,
    /// They are all sequences, or all mappings.
    pub is_alike: bool,
    /// The last document is a sequence; none where it is a scalar.
    pub is_sequence: Option<bool>,
    /// Keys of blocks, and those of them with spaces in them.
    pub keys: u64,
    pub spaced_keys: u64,
    /// Mappings with two keys or more.
    pub records: u64,
    /// Blocks in blocks.
    pub nested: u64,
    /// Blocks of text, brackets, anchors and tags.
    pub marks: u64,
    /// Plain scalars of several lines.
    pub folded: u64,
    /// Merge keys were applied.
    pub merged: bool,
    /// Tags were left out.
    pub tagged: bool,
    /// Bytes of the lines that are in the JSON: all, unless reading stopped.
    pub read: usize,
    /// Where the line begins in which reading stopped.
    pub stopped: usize,
}

/// A block that is open.
struct Block<'a> {
    column: usize,
    is_sequence: bool,
    /// Outline so far.
    entries: u64,
    /// The first key and the last: one that comes again is a line of something else
    /// than YAML, such as an event stream.
    keys: [&'a [u8]; 2],
    /// Where its JSON begins.
    start: usize,
    /// Where the last entry begins: in its JSON, and the line in the input.
    last: (usize, usize),
    anchor: Option<&'a [u8]>,
    /// The JSON of the mappings that are merged into this one.
    merges: Vec<Range<usize>>,
}

/// Reads YAML, writes JSON.
pub struct Reader<'a> {
    pub(super) input: &'a [u8],
    /// The start of the first line that was not read yet.
    pub(super) at: usize,
    pub(super) json: Vec<u8>,
    /// The most that `json` may come to.
    pub(super) max: usize,
    /// Bytes that merging has looked at.
    merge_work: usize,
    blocks: Vec<Block<'a>>,
    /// A value is to come, on a line of its own.
    pending: Option<Properties<'a>>,
    /// Which of `anchored` has a name.
    pub(super) anchors: BTreeMap<Rc<[u8]>, usize>,
    pub(super) anchored: Vec<Range<usize>>,
    pub(super) seen: Seen,
}

impl<'a> Reader<'a> {
    /// Reads all of the input: JSON documents, each with a line feed, of at most
    /// about `max` bytes; what was seen; and why it ends sooner, if it does. The
    /// JSON is sound then too: what was open is closed, and the entry whose value was
    /// not read left out.
    pub fn read(input: &'a [u8], max: usize) -> (Vec<u8>, Seen, Option<Stop>) {
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
            seen: Seen { is_alike: true, ..Seen::default() },
        };
        let stop = reader.lines().err();
        reader.seen.stopped = reader.seen.read;
        if stop.is_some() {
            reader.leave_out();
        }
        let ended = reader.end_document().err();
        (reader.json, reader.seen, stop.or(ended))
    }

    fn lines(&mut self) -> Result<(), Stop> {
        // Directives stand before a document only.
        let mut between = true;
        while self.at < self.input.len() {
            let start = self.at;
            self.seen.read = start;
            let end = self.line_end(start);
            let column = self.column(start, end);
            let from = start + column;
            match self.input.get(from..end).unwrap_or_default() {
                [] | [b'#', ..] => self.go_on(end),
                blank if blank.iter().all(|byte| matches!(byte, b' ' | b'\t')) => self.go_on(end),
                [b'\t', ..] => return self.unread("a tab for indentation", from),
                [b'%', ..] if between && column == 0 => self.go_on(end),
                text if column == 0 && is_marker(text) => {
                    self.end_document()?;
                    self.pending = Some(Properties::default());
                    between = text[0] == b'.';
                    let rest = self.skip_blanks(from + 3, end);
                    if self.is_nothing(rest, end) {
                        self.go_on(end);
                    } else if text[0] == b'-' && b"!&[{|>\"'".contains(&self.input[rest]) {
                        self.node(rest - start, rest, end, false)?;
                    } else {
                        return self.unread("text behind a document's mark", rest);
                    }
                }
                _ => {
                    between = false;
                    self.line(column, from, end)?;
                }
            }
            self.seen.read = self.at;
            if self.json.len() > self.max {
                return Err(Stop::TooLarge);
            }
        }
        Ok(())
    }

    /// A line that begins at `from` with something in it.
    fn line(&mut self, column: usize, from: usize, end: usize) -> Result<(), Stop> {
        let is_entry = is_dash(&self.input[from..end]);
        if self.pending.is_some() {
            let inside = self.blocks.last().is_none_or(|block| {
                column > block.column || column == block.column && !block.is_sequence && is_entry
            });
            if inside {
                return self.node(column, from, end, true);
            }
            self.null();
        }
        while self.blocks.last().is_some_and(|block| {
            block.column > column || block.column == column && block.is_sequence && !is_entry
        }) {
            self.close()?;
        }
        match self.blocks.last() {
            Some(block) if block.column == column && block.is_sequence == is_entry => {
                self.entry(column, from, end)
            }
            _ => self.unread("a line that is set in like none before it", from),
        }
    }

    /// A value that begins at `from`, in a line that may begin a block there.
    fn node(&mut self, column: usize, from: usize, end: usize, may_be_block: bool) -> Result<(), Stop> {
        let mut properties = self.pending.take().unwrap_or_default();
        let value = self.properties(&mut properties, from, end)?;
        if self.is_nothing(value, end) {
            self.pending = Some(properties);
            self.go_on(end);
            return Ok(());
        }
        let text = &self.input[value..end];
        let block = match text[0] {
            _ if is_dash(text) => Some(true),
            b'"' | b'\'' if self.key(value, end).is_some() => Some(false),
            _ if is_plain_start(text) && self.key(value, end).is_some() => Some(false),
            _ => None,
        };
        if let Some(is_sequence) = block {
            if !may_be_block || value != from {
                return self.unread("a block that begins behind a key or an anchor", value);
            }
            self.open(column, is_sequence, properties.anchor)?;
            return self.entry(column, from, end);
        }
        let start = self.json.len();
        let read = match text[0] {
            b'|' | b'>' => self.block_text(value, end),
            b'[' | b'{' => self.flow(value, self.blocks.len()).and_then(|past| self.end_line(past)),
            b'"' | b'\'' => self.quoted(value).and_then(|past| self.end_line(past)),
            b'*' => self.alias(value).and_then(|past| self.end_line(past)),
            _ if is_plain_start(text) => self.plain(value, end, properties.is_string),
            _ => self.unread("a mark of YAML that is not read", value),
        };
        if let Err(stop) = read {
            self.json.truncate(start);
            return Err(stop);
        }
        self.seen.marks += u64::from(matches!(text[0], b'|' | b'>' | b'[' | b'{' | b'*'));
        if self.blocks.is_empty() {
            self.seen.is_sequence = None;
            self.seen.is_alike = false;
        }
        self.set_anchor(properties, start);
        Ok(())
    }

    /// An entry of the block that is open: `- value` or `key: value`.
    fn entry(&mut self, column: usize, from: usize, end: usize) -> Result<(), Stop> {
        let block = self.blocks.last_mut().expect("an entry stands in a block");
        block.last = (self.json.len(), self.at);
        let separate = block.entries > 0;
        let behind = if block.is_sequence {
            block.entries += 1;
            if separate {
                self.json.push(b',');
            }
            from + 1
        } else {
            let text = &self.input[from..end];
            let is_key = matches!(text[0], b'"' | b'\'') || is_plain_start(text);
            let Some(key) = self.key(from, end).filter(|_| is_key) else {
                let what = match text {
                    [b'?', ..] if !is_key => "a key behind `?`",
                    _ => "a line without a key among keys",
                };
                return self.unread(what, from);
            };
            if &self.input[key.text.clone()] == b"<<" {
                return self.merge_key(key.behind, end);
            }
            let text = &self.input[key.text];
            let block = self.blocks.last_mut().expect("an entry stands in a block");
            if separate && block.keys.contains(&text) {
                return self.unread("a key that was there before", from);
            }
            block.keys = [if separate { block.keys[0] } else { text }, text];
            block.entries += 1;
            self.seen.records += u64::from(block.entries == 2);
            self.seen.keys += 1;
            if separate {
                self.json.push(b',');
            }
            if key.is_quoted {
                self.quoted(from)?;
            } else {
                self.seen.spaced_keys += u64::from(find::byte(b' ', text).is_some());
                push_string(&mut self.json, text);
            }
            self.json.push(b':');
            key.behind
        };
        let value = self.skip_blanks(behind, end);
        if self.is_nothing(value, end) {
            self.pending = Some(Properties::default());
            self.go_on(end);
            return Ok(());
        }
        let is_sequence = self.input[from..].starts_with(b"-") && behind == from + 1;
        if is_sequence && self.input[behind..value].contains(&b'\t') {
            return self.unread("a tab for indentation", behind);
        }
        self.node(column + (value - from), value, end, is_sequence)
    }

    /// `<<: *one` or `<<: [*one, *other]`.
    fn merge_key(&mut self, behind: usize, end: usize) -> Result<(), Stop> {
        let mut at = self.skip_blanks(behind, end);
        let is_list = self.input[at..end].starts_with(b"[");
        let mut merges = Vec::new();
        loop {
            if is_list {
                at = self.skip_blanks(at + 1, end);
            }
            if !self.input[at..end].starts_with(b"*") {
                return self.unread("a merge key without an alias", at);
            }
            let (range, past) = self.aliased(at)?;
            merges.push(range);
            at = self.skip_blanks(past, end);
            match self.input[at..end].first() {
                Some(b',') if is_list => {}
                Some(b']') if is_list => {
                    at += 1;
                    break;
                }
                _ if is_list => return self.unread("a merge key that is not read", at),
                _ => break,
            }
        }
        let block = self.blocks.last_mut().expect("a key stands in a block");
        if !block.merges.is_empty() {
            return self.unread("a second merge key", behind);
        }
        block.merges = merges;
        self.seen.merged = true;
        self.seen.keys += 1;
        self.end_line(at)
    }

    fn open(&mut self, column: usize, is_sequence: bool, anchor: Option<&'a [u8]>) -> Result<(), Stop> {
        if self.blocks.len() == MAX_DEPTH {
            return self.unread("more than 128 blocks within each other", self.at);
        }
        if self.blocks.is_empty() {
            self.seen.is_alike &= self.seen.is_sequence.is_none_or(|before| before == is_sequence);
            self.seen.is_sequence = Some(is_sequence);
        } else {
            self.seen.nested += 1;
        }
        let start = self.json.len();
        self.json.push(if is_sequence { b'[' } else { b'{' });
        self.blocks.push(Block {
            column,
            is_sequence,
            entries: 0,
            keys: [b""; 2],
            start,
            last: (start + 1, self.at),
            anchor,
            merges: Vec::new(),
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Stop> {
        let Some(block) = self.blocks.pop() else { return Ok(()) };
        if !block.merges.is_empty() {
            let left = self.max.saturating_sub(self.merge_work);
            let Some(work) = merge::into_open(&mut self.json, block.start, &block.merges, left) else {
                self.json.truncate(block.start);
                self.leave_out();
                return Err(Stop::TooLarge);
            };
            self.merge_work += work;
        }
        self.json.push(if block.is_sequence { b']' } else { b'}' });
        if let Some(name) = block.anchor {
            self.anchor(name, block.start);
        }
        Ok(())
    }

    /// Where reading stopped: without the entry that has no value yet, and without
    /// those around it of which it was the first.
    fn leave_out(&mut self) {
        self.pending = None;
        while let Some(b':' | b',' | b'[' | b'{') = self.json.last()
            && let Some(block) = self.blocks.last()
        {
            self.json.truncate(block.last.0);
            self.seen.read = self.seen.read.min(block.last.1);
            if self.json.len() == block.start + 1 {
                self.json.truncate(block.start);
                self.blocks.pop();
            }
        }
    }

    /// Closes what is open.
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
        // Nothing is left of one that stopped at its first entry.
        if !matches!(self.json.last(), None | Some(b'\n')) {
            self.json.push(b'\n');
            self.seen.documents += 1;
        }
        closed
    }

    fn null(&mut self) {
        let properties = self.pending.take().unwrap_or_default();
        let start = self.json.len();
        self.json.extend_from_slice(b"null");
        self.set_anchor(properties, start);
    }

    /// The key that a line has at `from`: up to a colon with a space or nothing
    /// behind it.
    fn key(&self, from: usize, end: usize) -> Option<Key> {
        let line = &self.input[from..end];
        if let quote @ (b'"' | b'\'') = line[0] {
            let past = closing_quote(line, quote)?;
            let colon = past + line[past..].iter().take_while(|&&byte| byte == b' ').count();
            let text = from + 1..from + past - 1;
            return ends_key(line, colon).then_some(Key { text, is_quoted: true, behind: from + colon + 1 });
        }
        let colon = key_colon(line)?;
        let text = line[..colon].trim_ascii_end();
        (!text.is_empty() && comment(text).is_none()).then_some(Key {
            text: from..from + text.len(),
            is_quoted: false,
            behind: from + colon + 1,
        })
    }

    /// The end of a line's text, its carriage return left out.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let end = find::byte(b'\n', &self.input[from..]).map_or(self.input.len(), |feed| from + feed);
        if end > from && self.input[end - 1] == b'\r' { end - 1 } else { end }
    }

    /// Goes on behind a line that ends at `end`.
    pub(super) fn go_on(&mut self, end: usize) {
        self.at = self.past_line(end);
    }

    /// The start of the line behind one that ends at `end`.
    pub(super) fn past_line(&self, end: usize) -> usize {
        let end = if self.input.get(end) == Some(&b'\r') { end + 1 } else { end };
        (end + 1).min(self.input.len())
    }

    /// Goes on behind the line of a value that ends at `past`, if that is all.
    fn end_line(&mut self, past: usize) -> Result<(), Stop> {
        let end = self.line_end(past);
        let rest = self.skip_blanks(past, end);
        if !self.is_nothing(rest, end) || rest == past && rest < end {
            return self.unread("text behind a value", rest);
        }
        self.go_on(end);
        Ok(())
    }

    /// How far a line is set in by spaces.
    pub(super) fn column(&self, start: usize, end: usize) -> usize {
        self.input[start..end].iter().take_while(|&&byte| byte == b' ').count()
    }

    pub(super) fn skip_blanks(&self, from: usize, end: usize) -> usize {
        from + self.input[from..end].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Nothing more on a line, or a comment.
    pub(super) fn is_nothing(&self, from: usize, end: usize) -> bool {
        from >= end || self.input[from] == b'#'
    }

    /// What a value's lines must be set in further than; none for a document.
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

    pub(super) fn unread<T>(&self, what: &'static str, at: usize) -> Result<T, Stop> {
        Err(Stop::Unread(what, at))
    }
}
