//! The outline of prose: its length, its first sentence, its titles.

use tuckaway_text::counted;
use tuckaway_text::cut::with_ellipsis;

use crate::line as lines;
use crate::outline::{Entry, Outline};
use crate::truncate::sentences::{ENDS, is_wide, sentence_ends};

/// Titles that are named.
const MAX_NAMED: usize = 64;
/// Bytes of the first sentence that are quoted.
const FIRST_SENTENCE_BYTES: usize = 160;

/// Returns the counts of paragraphs and words, the first sentence, and lines that look like
/// titles.
pub fn outline(bytes: &[u8]) -> Outline {
    let (mut line_count, mut paragraphs, mut words) = (0u64, 0u64, 0u64);
    let mut titles: Vec<(String, String)> = Vec::new();
    let mut first: Option<String> = None;
    let mut before_is_blank = true;
    let mut all = lines::Lines::of(bytes).peekable();
    while let Some(line) = all.next() {
        line_count += 1;
        let is_blank = line.trim_ascii().is_empty();
        if !is_blank {
            paragraphs += u64::from(before_is_blank);
            words += count_words(line);
            let alone = before_is_blank && all.peek().is_none_or(|next| next.trim_ascii().is_empty());
            if alone && titles.len() < MAX_NAMED && is_title(line) {
                titles.push((line_count.to_string(), lines::excerpt(line)));
            } else if first.is_none() {
                first = Some(first_sentence(line));
            }
        }
        before_is_blank = is_blank;
    }
    let sample = tuckaway_text::lossy(&bytes[..bytes.len().min(4 << 10)]);
    let (wide, all) = (sample.chars().filter(|&c| is_wide(c)).count(), sample.chars().count());
    let size = match wide * 4 > all {
        // There are no spaces between words. A character is three bytes.
        true => counted(bytes.len() as u64 / 3, "character"),
        false => counted(words, "word"),
    };
    let mut outline = Outline::default();
    outline.push("kind", Entry::Text(format!("prose: {}, {size}", counted(paragraphs, "paragraph"))));
    if let Some(first) = first {
        outline.push("begins", Entry::Text(first));
    }
    outline.push_members("titles", titles, 0);
    outline
}

fn count_words(line: &[u8]) -> u64 {
    let mut words = 0;
    let mut before = b' ';
    for &byte in line {
        words += u64::from(before == b' ' && byte != b' ');
        before = byte;
    }
    words
}

/// Returns whether a line is short and does not end as a sentence does.
fn is_title(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line.trim_ascii()).unwrap_or_default();
    (1..=80).contains(&text.len())
        && !text.ends_with(ENDS)
        && !text.ends_with([',', ';', ':'])
        && text.chars().next().is_some_and(|c| !c.is_lowercase())
}

fn first_sentence(line: &[u8]) -> String {
    let text = tuckaway_text::lossy(&line[..line.len().min(4 * FIRST_SENTENCE_BYTES)]);
    let text = text.trim();
    let end = sentence_ends(text).find(|&end| end > 20).unwrap_or(text.len());
    match end <= FIRST_SENTENCE_BYTES {
        true => text[..end].trim_end().to_owned(),
        false => with_ellipsis(text.to_owned(), FIRST_SENTENCE_BYTES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    const LETTER: &str = "The old harbour\n\nIn spring the boats came back. Nobody had seen them leave, and yet everyone knew where they had been! The harbour master wrote it down; he always did.\n\nHe was the only one who kept a diary in those years. It is lost now.\n";

    #[test]
    fn the_outline_says_how_it_begins() {
        assert_eq!(
            outline(LETTER.as_bytes()).to_json(1_000, &Layout::ONE_LINE),
            r#"{"kind": "prose: 3 paragraphs, 47 words", "begins": "In spring the boats came back.", "titles": {"1": "The old harbour"}}"#
        );
    }
}
