//! JSON at the start of bytes, or after lines of other text.

use crate::scan::{Scanner, SyntaxError};
use crate::whole::is_cut_off;

/// Maximum lines of a head that are tried as the start of JSON.
const MAX_STARTS: usize = 64;

/// Shorter JSON between lines of other text does not count as JSON.
const MIN_BYTES_WITHIN_TEXT: usize = 64;

/// The first document of several.
pub struct FirstDocument {
    /// Whether it is an array or an object.
    pub is_container: bool,
    /// Whether another document follows.
    pub several: bool,
}

/// A literal that is incomplete at the end of a head is not an error.
const LONGEST_WORD: u64 = 5;

/// Parses the first document of a head, up to the start of the second document or the end of the
/// head, which may split a document.
pub fn first_documents(head: &[u8], is_all: bool) -> Result<FirstDocument, SyntaxError> {
    let mut scanner = Scanner::new(head);
    let mut first = None;
    let mut ended = false;
    loop {
        let token = match scanner.next_token() {
            Ok(Some(token)) => token,
            Ok(None) => break,
            Err(error) if !is_all && error.offset + LONGEST_WORD >= head.len() as u64 => break,
            Err(error) => return Err(error),
        };
        if ended {
            return Ok(FirstDocument { is_container: first == Some(true), several: true });
        }
        first = first.or(Some(token.kind.opens()));
        ended = scanner.depth() == 0;
    }
    Ok(FirstDocument { is_container: first == Some(true), several: false })
}

/// JSON that begins after lines of other text: a banner, the headers of a response.
pub struct StartWithin {
    /// The start of its line.
    pub offset: usize,
    /// The number of lines before it.
    pub lines: usize,
    /// Whether several documents follow each other.
    pub several: bool,
}

/// Finds where JSON begins on a line of a head after the first: up to the end of the head, or up
/// to a line of other text.
pub fn start_within(head: &[u8], is_all: bool) -> Option<StartWithin> {
    // Lines of JSON that is truncated begin JSON, too.
    if documents_at(head, is_all).is_some_and(|found| found.is_cut) {
        return None;
    }
    let (mut start, mut is_after_blank) = (0, false);
    let starts = head.split_inclusive(|&byte| byte == b'\n').enumerate().filter_map(|(lines, line)| {
        let at = start;
        start += line.len();
        let is_after_blank = std::mem::replace(&mut is_after_blank, line.trim_ascii().is_empty());
        let is_start = lines > 0 && matches!(line.first(), Some(b'{' | b'['));
        is_start.then_some((lines, at, is_after_blank))
    });
    starts.take(MAX_STARTS).find_map(|(lines, start, is_after_blank)| {
        let rest = &head[start..];
        let LeadingContainers { documents, bytes, .. } = documents_at(rest, is_all)?;
        // `[1]` alone on a line may be anything.
        let is_sure = is_after_blank || rest[0] == b'{' || bytes >= MIN_BYTES_WITHIN_TEXT;
        is_sure.then_some(StartWithin { offset: start, lines, several: documents > 1 })
    })
}

/// The containers at the start of a text.
struct LeadingContainers {
    documents: u64,
    bytes: usize,
    /// Whether the last container was truncated by its producer.
    is_cut: bool,
}

/// Finds the containers at the start of a text; the last one may be truncated. Returns
/// none if the text does not begin with JSON, or if other text follows on the same line.
fn documents_at(text: &[u8], is_all: bool) -> Option<LeadingContainers> {
    let mut scanner = Scanner::new(text);
    let (mut documents, mut is_between) = (0, true);
    let end = loop {
        match scanner.next_token() {
            Ok(Some(token)) if is_between && !token.kind.opens() => break token.start,
            Ok(Some(_)) => {
                documents += u64::from(is_between);
                is_between = scanner.depth() == 0;
            }
            Ok(None) => return Some(LeadingContainers { documents, bytes: text.len(), is_cut: false }),
            Err(error) if !is_all && error.offset + LONGEST_WORD >= text.len() as u64 => {
                return Some(LeadingContainers { documents, bytes: text.len(), is_cut: false });
            }
            Err(error) => break error.offset,
        }
    };
    let before = &text[..end as usize];
    let is_whole =
        is_between && documents > 0 && before.ends_with(b"\n") && before.len() >= MIN_BYTES_WITHIN_TEXT;
    let is_cut = !is_between && is_all && is_cut_off(&text[end as usize..]);
    (is_whole || is_cut).then_some(LeadingContainers { documents, bytes: before.len(), is_cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_behind_lines_of_text() {
        fn found(text: &str) -> Option<(usize, &str, bool)> {
            let start = start_within(text.as_bytes(), true)?;
            Some((start.lines, &text[start.offset..start.offset + 1], start.several))
        }
        let long = format!("[1] 4711\n{{\"a\": \"{}\"}}\nbye\n", "x".repeat(80));
        for (text, expected) in [
            ("warning\n{\"a\": 1}", Some((1, "{", false))),
            ("warning\n{\"a\": 1}\n{\"a\": 2}\n", Some((1, "{", true))),
            ("HTTP/1.1 200 OK\r\n\r\n[1, 2]", Some((2, "[", false))),
            (&long, Some((1, "{", false))),
            ("results\n[1] 0.5\n[2] 0.7\n[3]", None),
            ("a\n{b}\n{\"c\"}", None),
            ("{\"a\": 1}\nx", None),
            ("", None),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
        let cut = format!("{{\"a\": [\n{{\"b\": \"{}\"}},\n{{\"b\": ", "x".repeat(80));
        assert_eq!(found(&cut), None);
        let cut = format!("log\n[{{\"a\": \"{}\"}},", "x".repeat(80));
        assert_eq!(found(&cut), Some((1, "[", false)));
        assert!(start_within(&cut.as_bytes()[..80], false).is_some());
    }
}
