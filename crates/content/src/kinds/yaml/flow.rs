//! Reads collections in brackets: `[one, {two: 3}]`.

use super::line::{is_marker, is_plain_start};
use super::properties::Properties;
use super::reader::{MAX_DEPTH, Position, Reader};
use super::stats::Stop;
use super::text::fold;
use tuckaway_json::write::push_string;

/// A value that was read in brackets.
struct FlowNode<'a> {
    /// Its start, after its properties.
    from: usize,
    /// Its end.
    past: usize,
    /// It is a scalar without quotes.
    is_plain: bool,
    properties: Properties<'a>,
    /// The position of its JSON.
    position: Position,
}

/// What a value in brackets is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FlowRole {
    /// A member, as its key.
    Key,
    /// A list or a member, as its value.
    Value,
}

impl<'a> Reader<'a> {
    /// Reads a collection that begins with a bracket at `at`, at most [`MAX_DEPTH`] deep; returns
    /// its end.
    pub(super) fn flow(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        if depth >= MAX_DEPTH {
            return self.reject("more than 128 brackets and blocks within each other", at);
        }
        let is_sequence = self.input[at] == b'[';
        let (open, close) = if is_sequence { (b'[', b']') } else { (b'{', b'}') };
        self.json.push(open);
        let mut at = at + 1;
        let mut is_first = true;
        loop {
            at = self.skip_space(at)?;
            if self.input[at] == close {
                self.json.push(close);
                return Ok(at + 1);
            }
            if !is_first {
                self.json.push(b',');
            }
            is_first = false;
            let past = if is_sequence { self.flow_item(at, depth)? } else { self.flow_member(at, depth)? };
            at = self.skip_space(past)?;
            match self.input[at] {
                b',' => at += 1,
                byte if byte == close => {}
                _ => return self.reject("something else than a comma in brackets", at),
            }
        }
    }

    /// Reads an item: a value, or `key: value`, which is an object of one member.
    fn flow_item(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        if self.is_flow_indicator(b'?', at) || self.is_flow_indicator(b':', at) {
            self.json.push(b'{');
            let past = self.flow_member(at, depth)?;
            self.json.push(b'}');
            return Ok(past);
        }
        let node = self.flow_node(at, depth, FlowRole::Value)?;
        let colon = self.skip_blanks(node.past, self.input.len());
        if !self.ends_flow_key(&node, colon) {
            return Ok(node.past);
        }
        if self.input[node.from..node.past].contains(&b'\n') {
            return self.reject("a key of several lines in brackets", node.from);
        }
        self.flow_key(&node)?;
        let key = self.json.split_off(node.position.json);
        self.json.push(b'{');
        let start = self.json.len();
        self.json.extend_from_slice(&key);
        if !matches!(self.input[node.from], b'[' | b'{') {
            self.set_anchor(node.properties, start);
        }
        let past = self.flow_value(colon, depth)?;
        self.json.push(b'}');
        Ok(past)
    }

    /// Reads a member: `key: value`, where either part may be missing, or `? key`.
    fn flow_member(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        let is_explicit = self.is_flow_indicator(b'?', at);
        let at = if is_explicit { self.skip_space(at + 1)? } else { at };
        if !is_explicit && self.input[at] == b'{' {
            return self.reject("braces in braces, as in a template", at);
        }
        if is_explicit && matches!(self.input[at], b',' | b']' | b'}') {
            self.json.extend_from_slice(b"\"\":null");
            return Ok(at);
        }
        let node = self.flow_node(at, depth, FlowRole::Key)?;
        self.flow_key(&node)?;
        let colon = self.skip_space(node.past)?;
        if self.ends_flow_key(&node, colon) {
            return self.flow_value(colon, depth);
        }
        self.json.extend_from_slice(b":null");
        Ok(node.past)
    }

    /// Makes a key of the value that was written last.
    fn flow_key(&mut self, node: &FlowNode<'a>) -> Result<(), Stop> {
        if node.is_plain && self.json.get(node.position.json) != Some(&b'"') {
            self.json.truncate(node.position.json);
            push_string(&mut self.json, &self.input[node.from..node.past]);
        } else {
            self.as_key(node.position)?;
        }
        Ok(())
    }

    /// Reads the value after the colon of a key, which may be missing.
    fn flow_value(&mut self, colon: usize, depth: usize) -> Result<usize, Stop> {
        self.json.push(b':');
        let at = self.skip_space(colon + 1)?;
        if matches!(self.input[at], b',' | b'}' | b']') {
            self.json.extend_from_slice(b"null");
            return Ok(colon + 1);
        }
        Ok(self.flow_node(at, depth, FlowRole::Value)?.past)
    }

    /// Returns whether there is a colon at `colon` that makes a key of a value. After quotes
    /// and brackets it needs no blank after it.
    fn ends_flow_key(&self, node: &FlowNode<'a>, colon: usize) -> bool {
        let is_closed = node.past > node.from && b"\"']}".contains(&self.input[node.past - 1]);
        let is_colon = self.input.get(colon) == Some(&b':');
        is_colon && (!node.is_plain && is_closed || self.is_flow_indicator(b':', colon))
    }

    /// Reads a value, which may be missing after a tag or an anchor.
    fn flow_node(&mut self, at: usize, depth: usize, role: FlowRole) -> Result<FlowNode<'a>, Stop> {
        let is_key = role == FlowRole::Key;
        let mut properties = Properties { is_string: is_key, ..Properties::default() };
        let mut from = at;
        while let Some(b'&' | b'!') = self.input.get(from) {
            let past = self.properties(&mut properties, from, self.input.len())?;
            from = self.skip_space(past)?;
        }
        let position = self.position();
        let mut is_plain = false;
        let past = match self.input.get(from) {
            Some(b'[' | b'{') => self.flow(from, depth + 1)?,
            Some(b'"' | b'\'') => self.quoted(from)?,
            Some(b'*') if properties.anchor.is_some() => return self.reject("an alias with an anchor", from),
            Some(b'*') => self.alias(from)?,
            Some(b',' | b']' | b'}') if from > at => self.flow_nothing(from, properties),
            Some(b':') if self.is_flow_indicator(b':', from) => self.flow_nothing(from, properties),
            Some(_) => {
                is_plain = true;
                self.flow_plain(from, properties.is_string)?
            }
            None => return Err(Stop::Ended),
        };
        if is_key && is_plain && &self.input[from..past] == b"<<" {
            return self.reject("a merge key in brackets", from);
        }
        self.set_anchor(properties, position.json);
        Ok(FlowNode { from, past, is_plain, properties, position })
    }

    fn flow_nothing(&mut self, at: usize, properties: Properties<'a>) -> usize {
        self.push_plain(b"", properties.is_string);
        at
    }

    /// Reads a scalar without quotes, which may span lines; returns its end.
    fn flow_plain(&mut self, from: usize, is_string: bool) -> Result<usize, Stop> {
        let is_start = is_plain_start(&self.input[from..])
            && !matches!(self.input[from..], [b'-' | b'?' | b':', b',' | b'[' | b']' | b'{' | b'}', ..]);
        if !is_start {
            return self.reject("a mark of YAML in brackets that is not read", from);
        }
        let mut past = self.flow_text(from);
        let mut folded = Vec::new();
        while let Some((blank, text)) = self.next_flow_text(past)? {
            if folded.is_empty() {
                folded.extend_from_slice(&self.input[from..past]);
                self.stats.folded += 1;
            }
            past = self.flow_text(text);
            fold(&mut folded, blank);
            folded.extend_from_slice(&self.input[text..past]);
        }
        if folded.is_empty() {
            self.push_plain(&self.input[from..past], is_string);
        } else {
            push_string(&mut self.json, &folded);
        }
        Ok(past)
    }

    /// Returns the offset where a scalar without quotes continues after the end of a line at
    /// `past`, and the number of empty lines between.
    fn next_flow_text(&self, past: usize) -> Result<Option<(usize, usize)>, Stop> {
        let feed = self.skip_blanks(past, self.input.len());
        if !matches!(self.input[feed..], [b'\n', ..] | [b'\r', b'\n', ..]) {
            return Ok(None);
        }
        let line = self.past_line(feed);
        let Some((blank, start, end)) = self.next_text_line(line) else { return Err(Stop::Ended) };
        let text = self.skip_blanks(start, end);
        let is_end = matches!(self.input[text], b',' | b'[' | b']' | b'{' | b'}' | b'#')
            || self.is_flow_indicator(b':', text)
            || is_marker(&self.input[start..end]);
        Ok((!is_end).then_some((blank, text)))
    }

    /// Returns the end of the part of a scalar without quotes that is on one line. Reads no
    /// further, because a line may hold very many scalars.
    fn flow_text(&self, from: usize) -> usize {
        let rest = &self.input[from..];
        let is_end = |index: &usize| match rest[*index] {
            b',' | b'[' | b']' | b'{' | b'}' | b'\n' => true,
            b':' => self.is_flow_indicator(b':', from + index),
            b'#' => *index > 0 && matches!(rest[index - 1], b' ' | b'\t'),
            _ => false,
        };
        let end = (0..rest.len()).find(is_end).unwrap_or(rest.len());
        from + rest[..end].trim_ascii_end().len()
    }

    /// Returns whether there is a mark, `?` or `:`, at an offset by itself.
    fn is_flow_indicator(&self, mark: u8, at: usize) -> bool {
        let is_apart =
            |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'}');
        self.input.get(at) == Some(&mark) && self.input.get(at + 1).is_none_or(is_apart)
    }

    /// Skips blanks, line feeds and comments; returns the start of the next text.
    fn skip_space(&self, mut at: usize) -> Result<usize, Stop> {
        loop {
            match self.input.get(at) {
                Some(b'\n') if is_marker(&self.input[at + 1..]) => {
                    return self.reject("a document's mark in brackets", at + 1);
                }
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'#') if matches!(self.input[at - 1], b' ' | b'\t' | b'\n') => at = self.line_end(at),
                Some(_) => return Ok(at),
                None => return Err(Stop::Ended),
            }
        }
    }
}
