//! Bytes that were written as text: base64, alone, in lines, or as a data URL,
//! and the blocks of PEM.
//!
//! ```text
//! text ─► Form (how it is written) ─► its head, decoded ─► what it is
//! ```
//!
//! Nobody reads base64, so what stands for it is one line that says what it is;
//! a key in a PEM block is not shown at all.

use std::borrow::Cow;

use tuckaway_search::{Needles, find};

use super::media;
use crate::kind::Kind;
use crate::nested::Nested;
use crate::outline::{Entry, Outline};
use crate::wording;
use tuckaway_text::cut::head;

/// Bare base64 that is shorter than this may as well be a name.
const MIN_BARE_BYTES: usize = 128;
/// A data URL's media type, with its parameters, is no longer than this.
const MAX_PREFIX_BYTES: usize = 256;
/// Different characters that bare base64 has at least: words repeated or
/// numbers have fewer.
const MIN_DIFFERENT: u32 = 32;
/// Lines of base64 are mostly 64 or 76 characters long.
const LINE_BYTES: std::ops::RangeInclusive<usize> = 60..=128;
/// What stands before the data of a data URL.
const MARK: &[u8] = b";base64,";
/// Bytes of base64 that are decoded to see what is in it.
const DECODED_BYTES: usize = 3 << 18;

/// How base64 is written.
enum Form<'a> {
    /// Nothing else, in one line or several of the same length.
    Bare(&'a [u8]),
    /// Behind a media type.
    DataUrl { media_type: &'a [u8], data: &'a [u8] },
    /// Between `-----BEGIN` and `-----END`, once or more often.
    Pem(&'a [u8]),
}

/// Whether a whole output is base64. Reads all of it only if its head is.
pub fn detect(bytes: &[u8]) -> bool {
    form_of(bytes).is_some()
}

fn form_of(bytes: &[u8]) -> Option<Form<'_>> {
    Form::by_start(bytes).filter(Form::holds)
}

impl<'a> Form<'a> {
    /// The form that an output has, if it has one.
    fn by_start(bytes: &'a [u8]) -> Option<Self> {
        let all = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        let text = all.trim_ascii();
        if text.starts_with(b"-----BEGIN ") {
            return Some(Form::Pem(all));
        }
        if !text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data:")) {
            return Some(Form::Bare(text));
        }
        let prefix = &text[..text.len().min(MAX_PREFIX_BYTES)];
        let end = find::text(MARK, prefix)?;
        Some(Form::DataUrl { media_type: &text[5..end], data: &text[end + MARK.len()..] })
    }

    /// Whether it has it from end to end.
    fn holds(&self) -> bool {
        match self {
            Form::Pem(text) => is_pem(text),
            Form::DataUrl { media_type, data } => {
                media_type.iter().all(u8::is_ascii_graphic) && is_written(data, false)
            }
            Form::Bare(text) => has_variety(text) && is_written(text, true),
        }
    }
}

/// A character of base64, plain or for URLs.
const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// 1 for what is no character of base64.
const STRANGE: [u8; 256] = {
    let mut table = [1; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = !is_digit(byte as u8) as u8;
        byte += 1;
    }
    table
};

/// Only base64 in lines, filled up at its end or not: in one line, or, if they
/// have to be even, lines of which all but the last are of one usual length.
fn is_written(data: &[u8], evenly: bool) -> bool {
    let padding = data.iter().rev().take(2).filter(|&&byte| byte == b'=').count();
    let body = &data[..data.len() - padding];
    let mut lines = tuckaway_search::Lines::of(body).peekable();
    let first = lines.peek().map_or(0, |line| line.len());
    let is_one = first == body.len();
    if first == 0 || evenly && !is_one && !(LINE_BYTES.contains(&first) && first.is_multiple_of(4)) {
        return false;
    }
    while let Some(line) = lines.next() {
        let is_even = line.len() == first || line.len() < first && lines.peek().is_none();
        let strange = line.iter().fold(0, |strange, &byte| strange | STRANGE[usize::from(byte)]);
        if strange != 0 || evenly && !is_even {
            return false;
        }
    }
    true
}

/// Letters of both cases and digits: numbers in hex have one case, names and
/// paths few digits.
fn has_variety(text: &[u8]) -> bool {
    let head = &text[..text.len().min(4 << 10)];
    let different = |test: fn(&u8) -> bool| {
        let seen = head.iter().filter(|byte| test(byte)).fold(0u128, |seen, &byte| seen | 1 << (byte & 127));
        seen.count_ones()
    };
    text.len() >= MIN_BARE_BYTES
        && head.iter().all(|&byte| is_digit(byte) || b"=\r\n".contains(&byte))
        && different(u8::is_ascii_uppercase) >= 6
        && different(u8::is_ascii_lowercase) >= 6
        && different(u8::is_ascii_digit) >= 3
        && different(|_| true) >= MIN_DIFFERENT
}

/// Only blocks: borders, headers in the old style, base64 between.
fn is_pem(text: &[u8]) -> bool {
    let mut inside = false;
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).all(|line| {
        if line.starts_with(b"-----BEGIN ") || line.starts_with(b"-----END ") {
            inside = line.starts_with(b"-----BEGIN ");
            // A label is shown, and no label has anything else.
            return line.ends_with(b"-----") && line.iter().all(|byte| (b' '..=b'~').contains(byte));
        }
        let is_header = || line.starts_with(b"Proc-Type: ") || line.starts_with(b"DEK-Info: ");
        line.is_empty() || inside && (line.iter().all(|&byte| is_digit(byte) || byte == b'=') || is_header())
    })
}

/// The labels of PEM blocks with how often each comes, in the order of the text.
fn pem_labels(text: &[u8]) -> String {
    const MOST: usize = 8;
    const MAX_LABEL_BYTES: usize = 40;
    let mut labels: Vec<(&[u8], usize)> = Vec::new();
    for start in find::texts(b"-----BEGIN ", text) {
        let rest = &text[start + b"-----BEGIN ".len()..];
        let rest = &rest[..rest.len().min(MAX_LABEL_BYTES)];
        let label = &rest[..find::byte(b'-', rest).unwrap_or(rest.len())];
        match labels.iter().position(|(known, _)| *known == label) {
            Some(known) => labels[known].1 += 1,
            None if labels.len() < MOST => labels.push((label, 1)),
            None => {}
        }
    }
    let words = labels.iter().map(|(label, count)| format!("{count} {}", crate::line::excerpt(label)));
    words.collect::<Vec<_>>().join(", ")
}

/// The bytes that the head of base64 stands for.
fn decode_head(data: &[u8]) -> Vec<u8> {
    let digits = data.iter().filter(|&&byte| is_digit(byte)).take(DECODED_BYTES / 3 * 4);
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for &digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Bytes that base64 stands for.
fn decoded_len(data: &[u8]) -> u64 {
    let data = data.trim_ascii_end();
    let padding = data.iter().rev().take(2).filter(|&&byte| byte == b'=').count();
    let ends = find::count(b'\n', data) + find::count(b'\r', data);
    (data.len() - padding - ends) as u64 * 3 / 4
}

/// What base64 stands for, in words, and the head of it if that is text.
fn describe(data: &[u8], nested: &dyn Nested) -> (String, Option<String>) {
    let decoded = decode_head(data);
    // What a picture is stands in its head; what is counted needs all of it.
    let is_all = decoded.len() < DECODED_BYTES;
    let what = match media::detect(&decoded) {
        Some(kind) if is_all || kind == Kind::Image => media::describe(&decoded),
        _ => media::name(&decoded).map(str::to_owned),
    };
    if let Some(what) = what {
        return (what, None);
    }
    let kind = nested.detect(&decoded);
    let is_text = decoded.utf8_chunks().next().is_some_and(|chunk| chunk.valid().len() + 4 > decoded.len());
    match is_text && !kind.is_media() {
        true => (nested.media_type(kind).to_owned(), Some(crate::line::excerpt(&decoded))),
        false => ("binary data".to_owned(), None),
    }
}

/// What it stands for, and how much of it there is.
pub fn outline(bytes: &[u8], nested: &dyn Nested) -> Outline {
    let mut entries = Outline::default();
    let (data, claimed) = match Form::by_start(bytes) {
        Some(Form::Pem(text)) => {
            entries.push("kind", Entry::Text(format!("PEM: {}", pem_labels(text))));
            entries.push("lines", Entry::Number(tuckaway_text::count_lines(bytes)));
            return entries;
        }
        Some(Form::DataUrl { media_type, data }) => (data, Some(media_type)),
        Some(Form::Bare(data)) => (data, None),
        None => (bytes, None),
    };
    let (what, head) = describe(data, nested);
    entries.push("kind", Entry::Text(format!("base64 of {what}")));
    entries.push("decoded_bytes", Entry::Number(decoded_len(data)));
    if let Some(claimed) = claimed {
        entries.push("data_url_of", Entry::Text(crate::line::excerpt(claimed)));
    }
    if let Some(head) = head {
        entries.push("decoded_head", Entry::Text(head));
    }
    entries
}

/// The line that stands for base64; none for what is something else.
pub fn note(text: &[u8], nested: &dyn Nested) -> Option<String> {
    form_of(text).map(|form| form.note(nested))
}

impl Form<'_> {
    fn note(&self, nested: &dyn Nested) -> String {
        match self {
            Form::Pem(text) => wording::not_shown(&format!("PEM: {}", pem_labels(text)), text.len() as u64),
            Form::DataUrl { data, .. } | Form::Bare(data) => {
                wording::not_shown(&format!("base64 of {}", describe(data, nested).0), decoded_len(data))
            }
        }
    }
}

/// A text without the long data of the data URLs in it, such as pictures in a
/// page: they would take the room of what can be read.
pub fn without_data(text: Cow<'_, str>) -> Cow<'_, str> {
    const MIN_DATA_BYTES: usize = 256;
    let mut shorter = String::new();
    let mut kept = 0;
    let mut from = 0;
    let Some(needle) = Needles::of(MARK) else { return text };
    while let Some(mark) = needle.find(text.as_bytes(), from) {
        let start = mark + MARK.len();
        let data =
            text.as_bytes()[start..].iter().take_while(|&&byte| is_digit(byte) || byte == b'=').count();
        from = start + data;
        if data >= MIN_DATA_BYTES {
            shorter.push_str(&text[kept..start]);
            shorter.push_str(&wording::truncated_inside(data));
            kept = from;
        }
    }
    match kept {
        0 => text,
        kept => Cow::Owned(shorter + &text[kept..]),
    }
}

/// That line of what is known to be base64, as much of it as there is room for.
pub fn truncate(text: &str, max: usize, nested: &dyn Nested) -> String {
    match Form::by_start(text.as_bytes()) {
        Some(form) => head(&form.note(nested), max).to_owned(),
        None => crate::truncate::text::cut(text, max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Table;
    use proptest::prelude::*;

    /// Base64 as it is written, for tests that read it.
    fn encode(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let groups = bytes.chunks(3).flat_map(|chunk| {
            let bits =
                chunk.iter().chain(&[0, 0]).take(3).fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
            (0..4).map(move |at| match at <= chunk.len() {
                true => char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]),
                false => '=',
            })
        });
        groups.collect()
    }

    fn in_lines(text: &str, length: usize, end: &str) -> String {
        let lines = text.as_bytes().chunks(length).map(|line| std::str::from_utf8(line).unwrap());
        lines.collect::<Vec<_>>().join(end) + end
    }

    #[test]
    fn base64_is_told_however_it_is_written() {
        let noise: Vec<u8> = (0..1_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let text = encode(&noise);
        for written in [
            text.clone(),
            text.trim_end_matches('=').replace('+', "-").replace('/', "_"),
            in_lines(&text, 76, "\n"),
            in_lines(&text, 64, "\r\n"),
            format!("data:application/octet-stream;base64,{text}"),
            format!("-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n", in_lines(&text, 64, "\n")),
        ] {
            assert!(detect(written.as_bytes()), "{written}");
        }
        assert_eq!(decode_head(text.as_bytes()), noise);
        assert_eq!(decoded_len(text.as_bytes()), 1_000);
    }

    #[test]
    fn what_only_looks_like_it_is_not_hidden() {
        for text in [
            "/usr/local/lib/Python3/".repeat(20),
            "0123456789abcdef".repeat(20),
            "ACGT".repeat(100),
            "3141592653".repeat(20),
            "thisIsAVeryLongNameOfAFunction".repeat(9),
            "FirstName1\nLastName2\nStreet3\n".repeat(20),
            "data:text/plain,hello there".to_owned(),
            "data:text/plain;base64,but then come words".to_owned(),
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSome words that count.\n".to_owned(),
            "Zm9v".to_owned(),
            String::new(),
        ] {
            assert!(!detect(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn pictures_in_a_page_give_way() {
        let picture = encode(&[7; 300]);
        let page = format!(
            "<img src=\"data:image/png;base64,{picture}\"> and ;base64,Zm9v <b>words</b> ;base64,{picture}"
        );
        assert_eq!(
            without_data(page.into()),
            "<img src=\"data:image/png;base64,... [truncated 400 bytes] ...\"> and ;base64,Zm9v <b>words</b> ;base64,... [truncated 400 bytes] ..."
        );
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMIIEow==\n-----END RSA PRIVATE KEY-----\n";
        let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
        let both = [key, certificate, certificate].concat();
        assert_eq!(
            note(both.as_bytes(), &Table).unwrap(),
            "[PEM: 1 RSA PRIVATE KEY, 2 CERTIFICATE, 238 bytes, not shown]"
        );
        assert_eq!(truncate(&both, 10, &Table), "[PEM: 1 RS");
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_at(bytes in proptest::collection::vec(any::<u8>(), 0..400), max in 1usize..100) {
            let text = encode(&bytes);
            let cut = truncate(&text, max, &Table);
            prop_assert!(cut.len() <= max);
            prop_assert!(detect(&bytes) == note(&bytes, &Table).is_some());
            let json = outline(&bytes, &Table).to_json(400, &crate::outline::Layout::ONE_LINE);
            prop_assert!(json.len() <= 400);
            prop_assert_eq!(decode_head(text.as_bytes()), bytes);
        }

        #[test]
        fn prose_is_none(text in "([A-Za-z0-9]{1,12}[ .,]){20,60}") {
            prop_assert!(!detect(text.as_bytes()));
        }
    }
}
