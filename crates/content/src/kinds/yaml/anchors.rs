//! Reads anchors, tags and aliases.

use std::ops::Range;

use super::properties::Properties;
use super::reader::{Position, Reader};
use super::stats::Stop;

/// The tags of strings, without the `!` that they begin with.
const STRINGS: [&[u8]; 5] =
    [b"", b"!str", b"!binary", b"<tag:yaml.org,2002:str>", b"<tag:yaml.org,2002:binary>"];

/// Maximum anchors of a document. They take memory until it ends.
const MAX_ANCHORS: usize = 1 << 20;

impl<'a> Reader<'a> {
    /// Sets the anchor of the JSON from `start` on, if the properties have one.
    pub(super) fn set_anchor(&mut self, properties: Properties<'a>, start: usize) {
        if let Some(name) = properties.anchor {
            self.add_anchor(name, start);
        }
    }

    /// Names the JSON from `start` on.
    pub(super) fn add_anchor(&mut self, name: &[u8], start: usize) {
        self.anchors.insert(name.into(), self.anchored.len());
        self.anchored.push(Some(start..self.json.len()));
    }

    /// Forgets the anchors of the JSON from a position on, which was rewritten.
    pub(super) fn forget_anchors(&mut self, position: Position) {
        self.anchored[position.anchors..].fill(None);
    }

    /// Combines the properties on the lines before a value with those on its own line.
    pub(super) fn combine(
        &self,
        outer: Properties<'a>,
        inner: Properties<'a>,
        from: usize,
    ) -> Result<Properties<'a>, Stop> {
        if outer.anchor.is_some() && inner.anchor.is_some() {
            return self.reject("an anchor without a name, or two", from);
        }
        if outer.is_tagged && inner.is_tagged {
            return self.reject("two tags", from);
        }
        let is_tagged = outer.is_tagged || inner.is_tagged;
        let is_string = outer.is_string || inner.is_string;
        Ok(Properties { anchor: outer.anchor.or(inner.anchor), is_tagged, is_string })
    }

    /// Reads anchors and tags at `from`; returns the start of their value.
    pub(super) fn properties(
        &mut self,
        properties: &mut Properties<'a>,
        from: usize,
        end: usize,
    ) -> Result<usize, Stop> {
        match self.input[from..end].first() {
            Some(b'&' | b'!') => self.read_properties(properties, from, end),
            _ => Ok(from),
        }
    }

    fn read_properties(
        &mut self,
        properties: &mut Properties<'a>,
        mut from: usize,
        end: usize,
    ) -> Result<usize, Stop> {
        while let Some(mark @ (b'&' | b'!')) = self.input[from..end].first() {
            let name = self.name(from + 1);
            self.stats.marks += 1;
            if *mark == b'!' {
                if std::mem::replace(&mut properties.is_tagged, true) {
                    return self.reject("two tags", from);
                }
                properties.is_string |= STRINGS.contains(&&self.input[name.clone()]);
                self.stats.tagged = true;
            } else if self.anchored.len() >= MAX_ANCHORS {
                return self.reject("more than a million anchors", from);
            } else if name.is_empty() || properties.anchor.replace(&self.input[name.clone()]).is_some() {
                return self.reject("an anchor without a name, or two", from);
            }
            from = self.skip_blanks(name.end, end);
        }
        Ok(from)
    }

    /// Writes the value of an alias at `from`; returns the end of the alias.
    pub(super) fn alias(&mut self, from: usize) -> Result<usize, Stop> {
        let (range, past) = self.aliased(from)?;
        if self.json.len() + range.len() > self.max {
            return Err(Stop::TooLarge);
        }
        self.json.extend_from_within(range);
        Ok(past)
    }

    /// Returns the JSON of the anchor of an alias at `from`, and the end of the alias.
    pub(super) fn aliased(&self, from: usize) -> Result<(Range<usize>, usize), Stop> {
        let name = self.name(from + 1);
        match self.anchors.get(&self.input[name.clone()]) {
            Some(&index) => match &self.anchored[index] {
                Some(range) => Ok((range.clone(), name.end)),
                None => self.reject("an alias of a part of a key", from),
            },
            None => self.reject("an alias without an anchor before it", from),
        }
    }

    /// Returns the name of an anchor, an alias or a tag.
    pub(super) fn name(&self, from: usize) -> Range<usize> {
        let is_verbatim = self.input[from..].first() == Some(&b'<') && self.input[from - 1] == b'!';
        let is_end = |byte: &u8| match byte {
            b' ' | b'\t' | b'\r' | b'\n' => true,
            b',' | b'[' | b']' | b'{' | b'}' => !is_verbatim,
            _ => false,
        };
        from..from + self.input[from..].iter().position(is_end).unwrap_or(self.input.len() - from)
    }
}
