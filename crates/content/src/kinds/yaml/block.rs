//! Reads the lines of a block: items, keys, values.

use std::ops::Range;

use tuckaway_search::find;

use super::line::{closing_quote, comment, ends_key, is_indicator, is_plain_start, key_colon};
use super::properties::Properties;
use super::reader::{Block, Form, Reader};
use super::stats::Stop;
use tuckaway_json::write::push_string;

const MISPLACED_BLOCK: &str = "a block that begins behind a key or an anchor";

/// A key on a line, up to a colon with nothing or a blank after it.
struct Key {
    /// Its text without quotes.
    text: Range<usize>,
    style: KeyStyle,
    /// The offset after its colon.
    behind: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyStyle {
    Plain,
    Quoted,
    Alias,
    Empty,
}

impl<'a> Reader<'a> {
    /// Reads a value that begins at `from`.
    pub(super) fn node(&mut self, column: usize, from: usize, end: usize, form: Form) -> Result<(), Stop> {
        let outer = self.pending.take().unwrap_or_default();
        let mut inner = Properties::default();
        let value = self.properties(&mut inner, from, end)?;
        if self.is_blank(value, end) {
            self.pending = Some(self.combine(outer, inner, from)?);
            self.advance(end);
            return Ok(());
        }
        let text = &self.input[value..end];
        let is_sequence = is_indicator(b'-', text);
        if is_sequence || is_indicator(b'?', text) {
            if form == Form::NotBlock || value != from {
                return self.reject(MISPLACED_BLOCK, value);
            }
            self.open(column, is_sequence, outer.anchor)?;
            return if is_sequence { self.item(from, end) } else { self.member(from, end) };
        }
        if let Some(key) = self.key(value, end) {
            if form == Form::NotBlock {
                return self.reject(MISPLACED_BLOCK, value);
            }
            self.open_mapping(column, outer.anchor)?;
            self.begin_entry();
            return self.implicit_key(&key, from, value, end, inner);
        }
        if let b'[' | b'{' = text[0] {
            let position = self.position();
            let past = self.brackets(value, self.blocks.len())?;
            return match self.colon_behind(past, end).filter(|_| form == Form::Any) {
                Some(colon) => {
                    self.as_key(position)?;
                    let key = self.json.split_off(position.json);
                    self.open_mapping(column, outer.anchor)?;
                    self.begin_odd_member();
                    self.json.extend_from_slice(&key);
                    self.json.push(b':');
                    self.value(from, colon + 1, end, Form::NotBlock)
                }
                None => {
                    let ended = self.end_line(past).and_then(|()| self.combine(outer, inner, from));
                    let properties = ended.inspect_err(|_| self.json.truncate(position.json))?;
                    self.finish(properties, position.json);
                    Ok(())
                }
            };
        }
        let properties = self.combine(outer, inner, from)?;
        self.scalar(value, end, properties)
    }

    /// Reads brackets. Removes their JSON again if they are not read to their end.
    fn brackets(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        let start = self.json.len();
        let past = self.flow(at, depth).inspect_err(|_| self.json.truncate(start))?;
        self.stats.marks += 1;
        Ok(past)
    }

    /// Returns the colon that makes a key of the value that ends at `past`, on a line that
    /// ends at `end`.
    fn colon_behind(&self, past: usize, end: usize) -> Option<usize> {
        let colon = self.skip_blanks(past, end.max(past));
        (past <= end && ends_key(&self.input[..end], colon)).then_some(colon)
    }

    /// Reads a value that is not a collection.
    fn scalar(&mut self, from: usize, end: usize, properties: Properties<'a>) -> Result<(), Stop> {
        let start = self.json.len();
        let text = &self.input[from..end];
        let read = match text[0] {
            b'|' | b'>' => self.block_text(from, end),
            b'"' | b'\'' => self.quoted(from).and_then(|past| self.end_line(past)),
            b'*' if properties.anchor.is_some() => self.reject("an alias with an anchor", from),
            b'*' => self.alias(from).and_then(|past| self.end_line(past)),
            _ if is_plain_start(text) => self.plain(from, end, properties.is_string),
            _ => self.reject("a mark of YAML that is not read", from),
        };
        read.inspect_err(|_| self.json.truncate(start))?;
        self.stats.marks += u64::from(matches!(text[0], b'|' | b'>' | b'*'));
        self.finish(properties, start);
        Ok(())
    }

    /// Finishes a value that is not a block, whose JSON begins at `start`.
    fn finish(&mut self, properties: Properties<'a>, start: usize) {
        if self.blocks.is_empty() {
            self.stats.is_sequence = None;
            self.stats.is_alike = false;
        }
        self.set_anchor(properties, start);
    }

    /// Reads an item of the open sequence: `- value`.
    pub(super) fn item(&mut self, from: usize, end: usize) -> Result<(), Stop> {
        self.begin_entry();
        if self.block().entries > 0 {
            self.json.push(b',');
        }
        self.block().entries += 1;
        self.value(from, from + 1, end, Form::Any)
    }

    /// Reads a line of the open mapping: `key: value`, `? key` or `: value`.
    pub(super) fn member(&mut self, from: usize, end: usize) -> Result<(), Stop> {
        let text = &self.input[from..end];
        if is_indicator(b':', text)
            && let Some(position) = self.block().open_key.take()
        {
            self.as_key(position)?;
            self.json.push(b':');
            return self.value(from, from + 1, end, Form::Any);
        }
        self.end_key()?;
        self.begin_entry();
        if is_indicator(b'?', text) {
            self.begin_odd_member();
            let position = self.position();
            self.block().open_key = Some(position);
            self.pending = Some(Properties { is_string: true, ..Properties::default() });
            return self.value(from, from + 1, end, Form::Any);
        }
        let mut properties = Properties::default();
        let at = self.properties(&mut properties, from, end)?;
        if let Some(key) = self.key(at, end) {
            return self.implicit_key(&key, from, at, end, properties);
        }
        if !matches!(self.input[at..end], [b'[' | b'{', ..]) {
            return self.reject("a line without a key among keys", from);
        }
        self.begin_odd_member();
        let position = self.position();
        let past = self.brackets(at, self.blocks.len())?;
        let Some(colon) = self.colon_behind(past, end) else {
            self.json.truncate(position.json);
            return self.reject("a line without a key among keys", from);
        };
        self.as_key(position)?;
        self.json.push(b':');
        self.value(from, colon + 1, end, Form::NotBlock)
    }

    /// Writes the key at `at`, and reads its value.
    fn implicit_key(
        &mut self,
        key: &Key,
        from: usize,
        at: usize,
        end: usize,
        properties: Properties<'a>,
    ) -> Result<(), Stop> {
        let text = &self.input[key.text.clone()];
        if key.style == KeyStyle::Plain && text == b"<<" {
            return self.merge_key(key.behind, end);
        }
        match key.style {
            KeyStyle::Plain | KeyStyle::Quoted => self.begin_member(text, from)?,
            KeyStyle::Alias | KeyStyle::Empty => self.begin_odd_member(),
        }
        let position = self.position();
        match key.style {
            KeyStyle::Plain => {
                self.stats.spaced_keys += u64::from(find::byte(b' ', text).is_some());
                push_string(&mut self.json, text);
            }
            KeyStyle::Quoted => {
                self.quoted(at)?;
            }
            KeyStyle::Alias if properties.anchor.is_some() => {
                return self.reject("an alias with an anchor", at);
            }
            KeyStyle::Alias => {
                self.alias(at)?;
                self.as_key(position)?;
            }
            KeyStyle::Empty => push_string(&mut self.json, b""),
        }
        self.set_anchor(properties, position.json);
        self.json.push(b':');
        self.value(from, key.behind, end, Form::NotBlock)
    }

    /// Records the start of an entry, so that it can be rolled back.
    fn begin_entry(&mut self) {
        self.block().last = (self.json.len(), self.at);
    }

    /// Begins a member whose key is text of the input.
    fn begin_member(&mut self, key: &'a [u8], from: usize) -> Result<(), Stop> {
        let block = self.block();
        let is_first = block.entries == 0;
        if !is_first && block.keys.contains(&key) {
            return self.reject("a key that was there before", from);
        }
        block.keys = [if is_first { key } else { block.keys[0] }, key];
        self.count_member();
        Ok(())
    }

    /// Begins a member whose key has a rare form.
    fn begin_odd_member(&mut self) {
        self.stats.odd_keys += 1;
        self.count_member();
    }

    fn count_member(&mut self) {
        let block = self.block();
        block.entries += 1;
        let entries = block.entries;
        if entries > 1 {
            self.json.push(b',');
        }
        self.stats.records += u64::from(entries == 2);
        self.stats.keys += 1;
    }

    /// Returns the open block. Call it only where an entry is read.
    fn block(&mut self) -> &mut Block<'a> {
        self.blocks.last_mut().expect("an entry is in a block")
    }

    /// Reads the value of an entry that begins at `from`, or leaves it pending for another
    /// line.
    fn value(&mut self, from: usize, behind: usize, end: usize, form: Form) -> Result<(), Stop> {
        self.pending.get_or_insert_default();
        let value = self.skip_blanks(behind, end);
        if self.is_blank(value, end) {
            self.advance(end);
            return Ok(());
        }
        // A tab has no width, so text behind one has no column.
        let form = if self.input[behind..value].contains(&b'\t') { Form::NotBlock } else { form };
        let column = self.parent_column().unwrap_or_default() + (value - from);
        self.node(column, value, end, form)
    }

    /// Returns the key at `from`, unless it is in brackets.
    fn key(&self, from: usize, end: usize) -> Option<Key> {
        let line = &self.input[from..end];
        let (past, style) = match *line.first()? {
            quote @ (b'"' | b'\'') => (from + closing_quote(line, quote)?, KeyStyle::Quoted),
            b'*' => (self.name(from + 1).end, KeyStyle::Alias),
            b':' if is_indicator(b':', line) => (from, KeyStyle::Empty),
            _ if is_plain_start(line) => return Self::plain_key(line, from),
            _ => return None,
        };
        let text = if style == KeyStyle::Quoted { from + 1..past - 1 } else { from..past };
        let behind = self.colon_behind(past, end)? + 1;
        Some(Key { text, style, behind })
    }

    fn plain_key(line: &[u8], from: usize) -> Option<Key> {
        let colon = key_colon(line)?;
        let text = line[..colon].trim_ascii_end();
        (!text.is_empty() && comment(text).is_none()).then_some(Key {
            text: from..from + text.len(),
            style: KeyStyle::Plain,
            behind: from + colon + 1,
        })
    }

    /// Reads a merge key: `<<: *one` or `<<: [*one, *other]`.
    fn merge_key(&mut self, behind: usize, end: usize) -> Result<(), Stop> {
        let mut at = self.skip_blanks(behind, end);
        let is_list = self.input[at..end].starts_with(b"[");
        let mut merges = Vec::new();
        loop {
            if is_list {
                at = self.skip_blanks(at + 1, end);
            }
            if !self.input[at..end].starts_with(b"*") {
                return self.reject("a merge key without an alias", at);
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
                _ if is_list => return self.reject("a merge key that is not read", at),
                _ => break,
            }
        }
        let block = self.block();
        if !block.merges.is_empty() {
            return self.reject("a second merge key", behind);
        }
        block.merges = merges;
        self.stats.merged = true;
        self.stats.keys += 1;
        self.end_line(at)
    }
}
