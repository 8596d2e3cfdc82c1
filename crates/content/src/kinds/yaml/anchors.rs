//! What stands before a value, and what stands for one: anchors, tags, aliases.

use std::ops::Range;

use super::reader::{Reader, Stop};

/// What stands before a value: `&name !tag`.
#[derive(Clone, Copy, Default)]
pub(super) struct Properties<'a> {
    pub(super) anchor: Option<&'a [u8]>,
    /// The tag says that it is a string, whatever it looks like.
    pub(super) is_string: bool,
}

impl<'a> Reader<'a> {
    /// Gives what was written from `start` on the name that stands before it, if one
    /// does.
    pub(super) fn set_anchor(&mut self, properties: Properties<'a>, start: usize) {
        if let Some(name) = properties.anchor {
            self.anchor(name, start);
        }
    }

    /// Names what was written from `start` on.
    pub(super) fn anchor(&mut self, name: &[u8], start: usize) {
        self.anchors.insert(name.into(), self.anchored.len());
        self.anchored.push(start..self.json.len());
    }

    /// Anchors and tags at `from`; where what they belong to begins.
    pub(super) fn properties(
        &mut self,
        properties: &mut Properties<'a>,
        mut from: usize,
        end: usize,
    ) -> Result<usize, Stop> {
        while let Some(mark @ (b'&' | b'!')) = self.input[from..end].first() {
            let name = self.name(from + 1);
            self.seen.marks += 1;
            if *mark == b'!' {
                properties.is_string |= matches!(&self.input[name.clone()], b"" | b"!str" | b"!binary");
                self.seen.tagged = true;
            } else if name.is_empty() || properties.anchor.replace(&self.input[name.clone()]).is_some() {
                return self.unread("an anchor without a name, or two", from);
            }
            from = self.skip_blanks(name.end, end);
        }
        Ok(from)
    }

    /// Writes what an alias at `from` stands for; where it ends.
    pub(super) fn alias(&mut self, from: usize) -> Result<usize, Stop> {
        let (range, past) = self.aliased(from)?;
        if self.json.len() + range.len() > self.max {
            return Err(Stop::TooLarge);
        }
        self.json.extend_from_within(range);
        Ok(past)
    }

    /// What was written for the anchor of an alias at `from`, and where the alias ends.
    pub(super) fn aliased(&self, from: usize) -> Result<(Range<usize>, usize), Stop> {
        let name = self.name(from + 1);
        match self.anchors.get(&self.input[name.clone()]) {
            Some(&place) => Ok((self.anchored[place].clone(), name.end)),
            None => self.unread("an alias without an anchor before it", from),
        }
    }

    /// The name of an anchor, an alias or a tag.
    fn name(&self, from: usize) -> Range<usize> {
        let is_end =
            |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'}');
        from..from + self.input[from..].iter().position(is_end).unwrap_or(self.input.len() - from)
    }
}
