//! Reads values of Python, JavaScript and JSON with comments, and writes them as JSON.

use tuckaway_json::write::push_string;
use tuckaway_search::find;

use crate::columns::number;

/// Maximum depth of containers.
const MAX_DEPTH: usize = 500;

/// The notation of a text, by what it has that JSON does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notation {
    /// Commas before closing brackets, numbers that JSON does not allow.
    Relaxed,
    /// Comments.
    Comments,
    /// Single quotes, `True`, `False` and `None`, tuples and sets.
    Python,
    /// Names without quotes, `undefined`.
    JavaScript,
}

/// A container that is open.
struct Open {
    /// The bracket that closes it.
    close: u8,
    /// Where it begins in the JSON.
    at: usize,
    /// Whether it is an object; not known before the first colon or comma.
    is_object: Option<bool>,
    /// Whether a value has been read since the last comma.
    has_value: bool,
    /// Whether that value is a name before a colon.
    has_name: bool,
    /// Where that value begins in the JSON.
    value: usize,
}

/// A text that is read, as JSON.
pub struct Reader<'a> {
    /// The JSON so far: a document for each value at the top.
    pub json: Vec<u8>,
    /// The notation; none if all of it is JSON.
    pub notation: Option<Notation>,
    /// Where reading stopped, if not at the end.
    pub malformed: Option<usize>,
    /// Whether it stopped because the text ends within a string, a call or a comment.
    pub is_cut: bool,
    /// The number of values in containers.
    pub members: u64,
    /// The number of calls that became strings.
    pub calls: u64,
    bytes: &'a [u8],
    at: usize,
    open: Vec<Open>,
}

impl<'a> Reader<'a> {
    /// Reads a text, and stops once the JSON is longer than `max` bytes.
    pub fn read(bytes: &'a [u8], max: usize) -> Self {
        let start = if bytes.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
        let mut reader = Reader {
            json: Vec::with_capacity(bytes.len().min(max)),
            notation: None,
            malformed: None,
            is_cut: false,
            members: 0,
            calls: 0,
            bytes,
            at: start,
            open: Vec::new(),
        };
        loop {
            let is_read = reader.skip_space().is_some();
            if is_read && reader.at == bytes.len() && reader.open.is_empty() {
                return reader;
            }
            if !is_read || reader.json.len() > max || reader.next().is_none() {
                reader.malformed = Some(reader.at);
                reader.is_cut |= reader.at == bytes.len();
                return reader;
            }
        }
    }

    fn is(&mut self, notation: Notation) {
        self.notation = self.notation.max(Some(notation));
    }

    /// Skips spaces and comments. None if a comment does not end.
    fn skip_space(&mut self) -> Option<()> {
        loop {
            let rest = &self.bytes[self.at..];
            match rest {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'/', b'/', ..] | [b'#', ..] => {
                    self.is(Notation::Comments);
                    self.at += find::byte(b'\n', rest).unwrap_or(rest.len());
                }
                [b'/', b'*', ..] => {
                    self.is(Notation::Comments);
                    let end = find::text(b"*/", rest);
                    self.is_cut |= end.is_none();
                    self.at += end? + 2;
                }
                _ => return Some(()),
            }
        }
    }

    /// Reads a token. None if it is not allowed here.
    fn next(&mut self) -> Option<()> {
        let byte = *self.bytes.get(self.at)?;
        match byte {
            b'{' | b'[' | b'(' => self.begin(byte),
            b'}' | b']' | b')' => self.end(byte),
            b',' => self.comma(),
            b':' => self.colon(),
            b'"' | b'\'' => self.string(0),
            _ => self.word(),
        }
    }

    /// Prepares for a value in a container. None if none may be here.
    fn begin_value(&mut self) -> Option<()> {
        let at = self.json.len();
        let open = self.open.last_mut().filter(|open| !open.has_value)?;
        (open.has_value, open.value) = (true, at);
        self.members += 1;
        Some(())
    }

    fn begin(&mut self, bracket: u8) -> Option<()> {
        match self.open.is_empty() {
            true if !self.json.is_empty() => self.json.push(b'\n'),
            true => {}
            false => self.begin_value()?,
        }
        let (close, json, is_object) = match bracket {
            b'{' => (b'}', b'{', None),
            b'[' => (b']', b'[', Some(false)),
            _ => (b')', b'[', Some(false)),
        };
        if bracket == b'(' {
            self.is(Notation::Python);
        }
        let at = self.json.len();
        self.json.push(json);
        self.at += 1;
        self.open.push(Open { close, at, is_object, has_value: false, has_name: false, value: at });
        (self.open.len() <= MAX_DEPTH).then_some(())
    }

    fn end(&mut self, bracket: u8) -> Option<()> {
        let open = self.open.pop()?;
        // In an object, a name and a value belong together.
        let is_half = open.is_object == Some(true) && open.has_value != open.has_name;
        if open.close != bracket || is_half {
            return None;
        }
        if !open.has_value && self.json.last() == Some(&b',') {
            self.json.pop();
            self.is(Notation::Relaxed);
        }
        let is_set = open.close == b'}' && open.is_object.is_none() && open.has_value;
        let is_object = open.close == b'}' && !is_set && open.is_object != Some(false);
        if is_set {
            self.is(Notation::Python);
            self.json[open.at] = b'[';
        }
        self.json.push(if is_object { b'}' } else { b']' });
        self.at += 1;
        Some(())
    }

    fn comma(&mut self) -> Option<()> {
        let open = self.open.last_mut()?;
        if !open.has_value || (open.is_object == Some(true) && !open.has_name) {
            return None;
        }
        if open.is_object.is_none() {
            open.is_object = Some(false);
            self.json[open.at] = b'[';
        }
        let is_set = open.close == b'}' && open.is_object == Some(false);
        (open.has_value, open.has_name) = (false, false);
        if is_set {
            self.is(Notation::Python);
        }
        self.json.push(b',');
        self.at += 1;
        Some(())
    }

    /// Turns the last value into a name.
    fn colon(&mut self) -> Option<()> {
        let open = self.open.last_mut()?;
        if open.close != b'}' || !open.has_value || open.has_name || open.is_object == Some(false) {
            return None;
        }
        (open.is_object, open.has_value, open.has_name) = (Some(true), false, true);
        match self.json.get(open.value) {
            Some(b'"') => {}
            Some(b'{' | b'[') => return None,
            _ => {
                self.json.insert(open.value, b'"');
                self.json.push(b'"');
            }
        }
        self.json.push(b':');
        self.at += 1;
        Some(())
    }

    /// Reads a string after `prefix` bytes, such as `b`.
    fn string(&mut self, prefix: usize) -> Option<()> {
        self.begin_value()?;
        let start = self.at + prefix;
        let quote = self.bytes[start];
        if quote == b'\'' {
            self.is(Notation::Python);
        }
        let rest = &self.bytes[start + 1..];
        self.is_cut |= find::any_byte([quote, quote, b'\n'], rest).is_none();
        let end = find::any_byte([quote, b'\\', b'\n'], rest)?;
        let has_escapes = match rest[end] {
            b'\\' => true,
            b'\n' => return None,
            _ => false,
        };
        if has_escapes {
            let (text, len) = unescaped(rest, quote)?;
            push_string(&mut self.json, &text);
            self.at = start + 1 + len + 1;
        } else {
            push_string(&mut self.json, &rest[..end]);
            self.at = start + 1 + end + 1;
        }
        Some(())
    }

    /// Reads a number, a constant, a name without quotes, or a call.
    fn word(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_$.+-".contains(byte);
        let len = rest.iter().take_while(|byte| is_part(byte)).count();
        let (word, behind) = rest.split_at(len);
        match (word, behind.first()) {
            ([], _) => None,
            (b"b" | b"u" | b"B" | b"U", Some(b'"' | b'\'')) => {
                self.is(Notation::Python);
                self.string(1)
            }
            (_, Some(b'(')) => {
                self.begin_value()?;
                let brackets = call_bytes(behind);
                self.is_cut |= brackets.is_none() && find::byte(b'\n', behind).is_none();
                let call = len + brackets?;
                push_string(&mut self.json, &rest[..call]);
                self.at += call;
                self.calls += 1;
                Some(())
            }
            _ => {
                self.begin_value()?;
                self.push_word(word);
                self.at += len;
                Some(())
            }
        }
    }

    fn push_word(&mut self, word: &[u8]) {
        let json: &[u8] = match word {
            b"True" | b"False" | b"None" => {
                self.is(Notation::Python);
                match word {
                    b"True" => b"true",
                    b"False" => b"false",
                    _ => b"null",
                }
            }
            b"undefined" => {
                self.is(Notation::JavaScript);
                b"null"
            }
            b"true" | b"false" | b"null" => word,
            _ if number(word).is_some() => word,
            _ => {
                let is_number = [&b"nan"[..], b"inf", b"NaN", b"Infinity"].contains(&word);
                let is_name = !is_number && (word[0].is_ascii_alphabetic() || b"_$".contains(&word[0]));
                self.is(if is_name { Notation::JavaScript } else { Notation::Relaxed });
                return push_string(&mut self.json, word);
            }
        };
        self.json.extend_from_slice(json);
    }
}

/// Returns the bytes of the brackets of a call and what is in them, strings skipped.
fn call_bytes(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match *text.get(at)? {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while *text.get(at)? != quote {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'\n' => return None,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Returns a string up to its quote without escapes, and its length in the text.
fn unescaped(text: &[u8], quote: u8) -> Option<(Vec<u8>, usize)> {
    let (mut plain, mut at) = (Vec::new(), 0);
    loop {
        let byte = *text.get(at)?;
        at += 1;
        if byte == quote {
            return Some((plain, at - 1));
        }
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        let escape = *text.get(at)?;
        at += 1;
        let digits = match escape {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let mut code = hexadecimal(text.get(at..at + digits)?)?;
            at += digits;
            // Two halves of a pair make one character.
            if let 0xD800..0xDC00 = code
                && let Some([b'\\', b'u', low @ ..]) = text.get(at..at + 6)
                && let Some(low @ 0xDC00..0xE000) = hexadecimal(low)
            {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                at += 6;
            }
            let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match escape {
            b'n' => plain.push(b'\n'),
            b't' => plain.push(b'\t'),
            b'r' => plain.push(b'\r'),
            b'b' => plain.push(8),
            b'f' => plain.push(12),
            b'0' => plain.push(0),
            b'\n' => {}
            b'\\' | b'"' | b'\'' | b'/' => plain.push(escape),
            other => plain.extend([b'\\', other]),
        }
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
