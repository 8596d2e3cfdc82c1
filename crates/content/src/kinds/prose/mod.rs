//! Plain prose: sentences in paragraphs, cut between sentences.

use crate::line as lines;
use crate::outline::{Entry, Outline};
use crate::sample::Sample;
use crate::truncate::text;
use crate::wording;
use tuckaway_text::cut::{head, tail};

/// Titles that are named.
const MAX_NAMED: usize = 64;
/// Of the sentence with which a text begins, this much is quoted.
const FIRST_SENTENCE_BYTES: usize = 160;

/// Characters that end a sentence.
const ENDS: [char; 12] = ['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '॥', '։'];
/// Characters that may stand behind the end of a sentence and belong to it.
const CLOSERS: [char; 10] = ['"', '\'', ')', ']', '”', '’', '»', '」', '』', '）'];

/// Whether nearly all is letters, most of it in sentences of a length that people
/// write.
pub fn detect(sample: &Sample) -> bool {
    let text = sample.head.trim();
    let (mut letters, mut odd, mut wide, mut characters) = (0usize, 0usize, 0usize, 0usize);
    for c in text.chars() {
        characters += 1;
        match c {
            _ if is_wide(c) => wide += 1,
            _ if c.is_alphabetic() || c.is_whitespace() => letters += 1,
            _ if ENDS.contains(&c)
                || CLOSERS.contains(&c)
                || ",;:-–—(«“‘„、，「『（\u{200C}\u{200D}".contains(c) => {}
            _ if !c.is_ascii() => letters += 1,
            _ => odd += 1,
        }
    }
    if characters < 80 || odd * 20 > characters || (letters + wide) * 10 < characters * 8 {
        return false;
    }
    let ends = sentence_ends(text).count();
    // A wide character is about half a word; eight letters and a space are one.
    let words = text.split_whitespace().count() + wide / 2;
    let set_in = text.lines().filter(|line| line.starts_with([' ', '\t'])).count();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let labels = text.lines().filter(|line| line.find(": ").is_some_and(|at| at < 24)).count();
    ends >= 2 && words >= 4 * ends && words <= 60 * ends && set_in * 3 <= lines && labels * 3 <= lines
}

/// A character of a script without spaces between words.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Where sentences end: behind their last character and the white space that
/// follows. An abbreviation ends one too: what is lost is a shorter view.
fn sentence_ends(text: &str) -> impl DoubleEndedIterator<Item = usize> {
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

/// Paragraphs, words, how it begins, and lines that look like titles.
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
    let count = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let sample = tuckaway_text::lossy(&bytes[..bytes.len().min(4 << 10)]);
    let (wide, all) = (sample.chars().filter(|&c| is_wide(c)).count(), sample.chars().count());
    let size = match wide * 4 > all {
        // Words are not set apart there: three bytes are a character.
        true => count(bytes.len() as u64 / 3, "character"),
        false => count(words, "word"),
    };
    let mut entries = Outline::default();
    entries.push("kind", Entry::Text(format!("prose: {}, {size}", count(paragraphs, "paragraph"))));
    if let Some(first) = first {
        entries.push("begins", Entry::Text(first));
    }
    entries.push_members("titles", titles, 0);
    entries
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

/// A short line that ends as no sentence does.
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
        false => format!("{}…", head(text, FIRST_SENTENCE_BYTES - "…".len())),
    }
}

/// A text that is longer than `max` bytes: sentences from both ends, or words where
/// one alone is too long.
pub fn truncate(prose: &str, max: usize) -> String {
    let notice_bytes = wording::truncated(999).len() + "\n\n".len();
    let Some(room) = max.checked_sub(notice_bytes).filter(|&room| room >= 64) else {
        return text::cut(prose, max);
    };
    let first = head(prose, room - room / 3);
    let end = sentence_ends(first)
        .rev()
        .find(|&end| end < first.len())
        .filter(|end| end * 2 >= first.len())
        .or_else(|| first.rfind(char::is_whitespace).map(|at| at + 1).filter(|end| end * 2 >= first.len()))
        .unwrap_or(first.len());
    let first = &first[..end];
    let last = tail(&prose[end..], room - (room - room / 3).max(end));
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
    use crate::outline::Layout;
    use proptest::prelude::*;

    const LETTER: &str = "The old harbour\n\nIn spring the boats came back. Nobody had seen them leave, and yet everyone knew where they had been! The harbour master wrote it down; he always did.\n\nHe was the only one who kept a diary in those years. It is lost now.\n";

    #[test]
    fn prose_is_told_in_many_scripts() {
        for text in [
            LETTER,
            "春になると船が戻ってきた。誰も出て行くのを見ていなかったが、どこへ行っていたかは皆が知っていた。港の主はそれを書き留めた。彼はいつもそうしていた。それは今ではもう失われている。しかし人々はまだ覚えている。",
            "في الربيع عادت القوارب إلى الميناء القديم. لم يرها أحد وهي تغادر، ومع ذلك كان الجميع يعرف أين كانت. كتب مدير الميناء ذلك في دفتره، كما كان يفعل دائما.",
            "वसंत में नावें वापस आ गईं। किसी ने उन्हें जाते हुए नहीं देखा था, फिर भी सब जानते थे कि वे कहाँ थीं। बंदरगाह के मालिक ने यह लिख लिया।",
        ] {
            assert!(detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn lists_and_tables_are_none() {
        for text in [
            "",
            "short. very. short.",
            &"src/lib.rs\nsrc/main.rs\nCargo.toml\n".repeat(10),
            &"name: a\nsize: 12\nkind: b\n".repeat(10),
            &"2026-01-01 12:00:00 The server has started. All is well.\n".repeat(10),
            &"let a = b + c; d.e(f);\n".repeat(10),
        ] {
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn the_shape_says_how_it_begins() {
        assert_eq!(
            outline(LETTER.as_bytes()).to_json(1_000, &Layout::ONE_LINE),
            r#"{"kind": "prose: 3 paragraphs, 47 words", "begins": "In spring the boats came back.", "titles": {"1": "The old harbour"}}"#
        );
    }

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
