//! Finds the ends of sentences, and truncates texts between them.

use tuckaway_text::cut::{head, tail};

use super::text;
use crate::wording;

/// Characters that end a sentence.
pub const ENDS: [char; 12] = ['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '॥', '։'];
/// Characters that may follow the end of a sentence and belong to it.
pub const CLOSERS: [char; 10] = ['"', '\'', ')', ']', '”', '’', '»', '」', '』', '）'];

/// Returns whether a character is of a script without spaces between words.
pub fn is_wide(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns the ends of sentences: after their last character and the white space that
/// follows. An abbreviation counts as an end too, which makes a view a little shorter.
pub fn sentence_ends(text: &str) -> impl DoubleEndedIterator<Item = usize> {
    text.char_indices().filter_map(move |(at, c)| {
        if !ENDS.contains(&c) {
            return None;
        }
        let behind = text[at + c.len_utf8()..].trim_start_matches(CLOSERS);
        let rest = behind.trim_start();
        let ends = rest.is_empty() || rest.len() < behind.len() || !c.is_ascii() && c != '…';
        ends.then(|| text.len() - rest.len())
    })
}

/// Truncates a text that is longer than `max` bytes: keeps sentences at both ends, or words
/// if one sentence is too long.
pub fn truncate(prose: &str, max: usize) -> String {
    let notice_bytes = wording::truncated(999).len() + "\n\n".len();
    let Some(space) = max.checked_sub(notice_bytes).filter(|&space| space >= 64) else {
        return text::cut(prose, max);
    };
    let first = head(prose, space - space / 3);
    let end = sentence_ends(first)
        .rev()
        .find(|&end| end < first.len())
        .filter(|end| end * 2 >= first.len())
        .or_else(|| first.rfind(char::is_whitespace).map(|at| at + 1).filter(|end| end * 2 >= first.len()))
        .unwrap_or(first.len());
    let first = &first[..end];
    let last = tail(&prose[end..], space - (space - space / 3).max(end));
    let start = sentence_ends(last)
        .find(|&end| end > 0)
        .filter(|start| start * 2 <= last.len())
        .or_else(|| last.find(char::is_whitespace).map(|at| at + 1).filter(|start| start * 2 <= last.len()))
        .unwrap_or(0);
    let last = &last[start..];
    let notice = wording::truncated(prose.len() - first.len() - last.len());
    let before = if first.ends_with('\n') { "" } else { "\n" };
    [first, before, &notice, "\n", last].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_are_between_sentences() {
        let text = "A first sentence of some words. Then a second one of more words! ".repeat(100);
        let view = truncate(&text, 600);
        let (head, rest) = view.split_once("\n... [truncated ").unwrap_or_else(|| panic!("{view}"));
        assert!(head.trim_end().ends_with(['.', '!']), "{view}");
        assert!(rest.contains("] ...\nA first") || rest.contains("] ...\nThen a"), "{view}");
        assert!(view.len() <= 600 && view.len() > 480);
        let text = "春になると船が戻ってきた。".repeat(100);
        let view = truncate(&text, 600);
        assert!(view.split_once("\n...").unwrap().0.ends_with('。'), "{view}");
    }

    proptest! {
        #[test]
        fn views_are_bounded(text in "([a-zé]{1,12}|[。.!?] |\n){1,300}", max in 1usize..900) {
            prop_assume!(text.len() > max);
            let view = truncate(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
            prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
        }
    }
}
