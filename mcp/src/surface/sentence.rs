//! The first sentence of a description.

use tuckaway_text::cut;

/// The maximum size of a sentence; the first sentence of most descriptions is shorter.
const MAX_BYTES: usize = 200;

/// Characters that end a sentence.
const ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// Characters that may follow the end of a sentence and belong to it.
const CLOSERS: [char; 6] = ['"', '\'', ')', ']', '`', '”'];

/// Words with a full stop that does not end a sentence.
const ABBREVIATIONS: [&str; 9] = ["e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp", "ca"];

/// Returns the first sentence of a description on one line, without its full stop. A heading of
/// Markdown is skipped if a text follows it.
pub fn first_sentence(description: &str) -> String {
    let mut paragraphs = paragraphs(description).peekable();
    let mut first = paragraphs.next().unwrap_or_default();
    while first.starts_with('#') && paragraphs.peek().is_some() {
        first = paragraphs.next().unwrap_or_default();
    }
    let first = first.trim_start_matches(['#', ' ']);
    let sentence = end(first).map_or(first, |end| &first[..end]);
    let sentence = sentence.strip_suffix(['.', ':', '。']).unwrap_or(sentence);
    if sentence.len() <= MAX_BYTES {
        return sentence.to_owned();
    }
    let head = cut::head(sentence, MAX_BYTES);
    let head = head.rsplit_once(' ').map_or(head, |(words, _)| words);
    format!("{head}…")
}

/// Returns the paragraphs of a text, each on one line. A heading and an item of a list end the
/// paragraph before.
fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let mut all: Vec<String> = vec![String::new()];
    for line in text.lines().map(str::trim) {
        let is_own = line.starts_with(['#', '-', '*', '•', '<']);
        let follows_heading = all.last().is_some_and(|last| last.starts_with('#'));
        if line.is_empty() || is_own || follows_heading {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut().filter(|_| !line.is_empty()) {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line);
        }
    }
    all.into_iter().filter(|paragraph| !paragraph.is_empty())
}

/// Returns the offset after the first sentence of a line.
fn end(line: &str) -> Option<usize> {
    line.char_indices().find_map(|(at, c)| {
        if !ENDS.contains(&c) {
            return None;
        }
        let behind = &line[at + c.len_utf8()..];
        let rest = behind.trim_start_matches(CLOSERS);
        let is_wide = !c.is_ascii();
        let next = rest.trim_start().chars().next();
        let ends = is_wide || next.is_none() || rest.starts_with(char::is_whitespace);
        // A lower-case letter continues a sentence, as after "v. 2" or "approx.".
        let continues = c == '.' && (next.is_some_and(char::is_lowercase) || is_abbreviation(&line[..at]));
        (ends && !continues).then(|| line.len() - rest.len())
    })
}

/// Returns whether a full stop after these words belongs to an abbreviation, or to the number of
/// an item.
fn is_abbreviation(words: &str) -> bool {
    let word = words.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    let is_number = words.chars().all(|c| c.is_ascii_digit());
    is_number || ABBREVIATIONS.contains(&&*word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_found() {
        for (description, sentence) in [
            ("Shows the log. Takes a path.", "Shows the log"),
            ("Shows the log", "Shows the log"),
            ("Reads a file\nfrom disk.\n\nArguments:\n  path", "Reads a file from disk"),
            ("Reads files, e.g. README.md, at v1.2. Then stops.", "Reads files, e.g. README.md, at v1.2"),
            ("Is it there? Says so.", "Is it there?"),
            ("Searches (see docs.) Returns rows.", "Searches (see docs.)"),
            ("# Log\n\nShows the log. More.", "Shows the log"),
            ("# Log\nShows the log.", "Shows the log"),
            ("# Only a heading", "Only a heading"),
            ("Lists:\n- files\n- folders", "Lists"),
            ("1. Starts it. 2. Stops it.", "1. Starts it"),
            ("ログを表示。次。", "ログを表示"),
            ("  \n ", ""),
            ("", ""),
        ] {
            assert_eq!(first_sentence(description), sentence, "{description:?}");
        }
    }

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let sentence = first_sentence(&"word ".repeat(1_000));
        assert!(sentence.ends_with("word…") && sentence.len() <= MAX_BYTES + "…".len(), "{sentence}");
        assert!(first_sentence(&"é".repeat(1_000)).len() <= MAX_BYTES + "…".len());
    }
}
