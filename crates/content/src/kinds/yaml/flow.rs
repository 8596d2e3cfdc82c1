//! Collections in brackets: `[one, {two: 3}]`.

use super::anchors::Properties;
use super::line::{closing_quote, is_plain_start};
use super::reader::{MAX_DEPTH, Reader, Stop};
use tuckaway_json::write::push_string;

impl Reader<'_> {
    /// What begins with a bracket at `at`; where it ends. As deep as
    /// [`MAX_DEPTH`] allows.
    pub(super) fn flow(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        if depth >= MAX_DEPTH {
            return self.unread("more than 128 brackets and blocks within each other", at);
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
            if !is_sequence {
                at = self.flow_member(at, depth)?;
            } else if self.is_member(at) {
                self.json.push(b'{');
                at = self.flow_member(at, depth)?;
                self.json.push(b'}');
            } else {
                at = self.flow_value(at, depth)?;
            }
            at = self.skip_space(at)?;
            match self.input[at] {
                b',' => at += 1,
                byte if byte == close => {}
                _ => return self.unread("something else than a comma in brackets", at),
            }
        }
    }

    /// Whether `key: value` stands where an element is.
    fn is_member(&self, at: usize) -> bool {
        let rest = &self.input[at..];
        let past = match rest[0] {
            quote @ (b'"' | b'\'') => closing_quote(rest, quote).map(|past| at + past),
            _ => self.flow_plain(at).ok(),
        };
        past.is_some_and(|past| self.input.get(self.skip_blanks(past, self.input.len())) == Some(&b':'))
    }

    fn flow_member(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        let at = self.flow_key(at)?;
        let colon = self.skip_space(at)?;
        if self.input[colon] == b':' {
            let value = self.skip_space(colon + 1)?;
            if !matches!(self.input[value], b',' | b'}' | b']') {
                return self.flow_value(value, depth);
            }
        }
        self.json.extend_from_slice(b"null");
        Ok(if self.input[colon] == b':' { colon + 1 } else { at })
    }

    /// Writes a key and its colon.
    fn flow_key(&mut self, at: usize) -> Result<usize, Stop> {
        let past = match self.input[at] {
            b'"' | b'\'' => self.quoted(at)?,
            _ => {
                let end = self.flow_plain(at)?;
                push_string(&mut self.json, &self.input[at..end]);
                if &self.input[at..end] == b"<<" {
                    return self.unread("a merge key in brackets", at);
                }
                end
            }
        };
        self.json.push(b':');
        Ok(past)
    }

    fn flow_value(&mut self, at: usize, depth: usize) -> Result<usize, Stop> {
        let mut properties = Properties::default();
        let at = self.properties(&mut properties, at, self.input.len())?;
        let start = self.json.len();
        let past = match self.input.get(at) {
            Some(b'[' | b'{') => self.flow(at, depth + 1)?,
            Some(b'"' | b'\'') => self.quoted(at)?,
            Some(b'*') => self.alias(at)?,
            Some(_) => {
                let end = self.flow_plain(at)?;
                self.push_plain(&self.input[at..end], properties.is_string);
                end
            }
            None => return Err(Stop::Ended),
        };
        self.set_anchor(properties, start);
        Ok(past)
    }

    /// Where a scalar without quotes ends, which is on its line. No further is looked:
    /// a line may hold very many.
    fn flow_plain(&self, at: usize) -> Result<usize, Stop> {
        let rest = &self.input[at..];
        let is_end = |index: &usize| match rest[*index] {
            b',' | b'[' | b']' | b'{' | b'}' | b'\n' => true,
            b':' => matches!(
                rest.get(index + 1),
                None | Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'}')
            ),
            b'#' => *index > 0 && matches!(rest[index - 1], b' ' | b'\t'),
            _ => false,
        };
        let end = (0..rest.len()).find(is_end).unwrap_or(rest.len());
        if end == 0 || !is_plain_start(rest) {
            return self.unread("a mark of YAML in brackets that is not read", at);
        }
        Ok(at + rest[..end].trim_ascii_end().len())
    }

    /// Past blanks, line feeds and comments, to a byte that is there.
    fn skip_space(&self, mut at: usize) -> Result<usize, Stop> {
        loop {
            match self.input.get(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'#') if matches!(self.input[at - 1], b' ' | b'\t' | b'\n') => at = self.line_end(at),
                Some(_) => return Ok(at),
                None => return Err(Stop::Ended),
            }
        }
    }
}
