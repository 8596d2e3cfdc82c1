//! What a kind is told by: the two ends of an output.

use tuckaway_search::find;

use tuckaway_text::lossy;

/// Bytes of the head that are looked at.
const HEAD_BYTES: usize = 64 << 10;
/// Bytes of the tail that are looked at.
const TAIL_BYTES: usize = 8 << 10;

/// The head and the tail of an output, as text.
pub struct Sample<'a> {
    /// All of the output.
    pub bytes: &'a [u8],
    /// The first 64 KiB of it without a leading BOM, what is not UTF-8 as U+FFFD;
    /// the last line is left out if it goes on beyond and is not the only one.
    pub head: String,
    /// The last 8 KiB of it, from the start of a line if there is one; all of
    /// it where it is no longer than the head.
    pub tail: String,
}

impl<'a> Sample<'a> {
    /// Looks at both ends.
    pub fn of(bytes: &'a [u8]) -> Self {
        let text = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        if text.len() <= HEAD_BYTES {
            let head = lossy(text).into_owned();
            return Sample { bytes, tail: head.clone(), head };
        }
        let head = &text[..HEAD_BYTES];
        let head = find::last_byte(b'\n', head).map_or(head, |feed| &head[..=feed]);
        let tail = &text[text.len() - TAIL_BYTES..];
        let tail = find::byte(b'\n', tail).map_or(tail, |feed| &tail[feed + 1..]);
        Sample { bytes, head: lossy(head).into_owned(), tail: lossy(tail).into_owned() }
    }

    /// The lines of the head, without their ends.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.head.lines()
    }

    /// Whether all of it is nothing to read.
    pub fn is_binary(&self) -> bool {
        is_binary(self.bytes)
    }
}

/// Not UTF-8, with NUL bytes, and of what a reader cannot use more than a tenth at
/// its head: a log with a stray byte stays a log.
pub fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let unusable: usize = head
        .utf8_chunks()
        .map(|chunk| {
            let controls = chunk.valid().bytes().filter(|b| *b < b' ' && !b"\t\n\r\x1b".contains(b)).count();
            controls + chunk.invalid().len()
        })
        .sum();
    unusable > head.len() / 10 && find::byte(0, bytes).is_some() && std::str::from_utf8(bytes).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_whole_lines_where_there_are_lines() {
        let text = format!("\u{FEFF}{}", "a line of text\n".repeat(10_000));
        let sample = Sample::of(text.as_bytes());
        assert!(sample.head.starts_with("a line") && sample.head.ends_with("text\n"));
        assert!(sample.tail.starts_with("a line") && sample.tail.ends_with("text\n"));
        assert!(sample.head.len() <= HEAD_BYTES && sample.tail.len() <= TAIL_BYTES);
        let one_line = "x".repeat(100_000);
        assert_eq!(Sample::of(one_line.as_bytes()).head.len(), HEAD_BYTES);
        assert_eq!(Sample::of(b"ab\ncd").tail, "ab\ncd");
    }
}
