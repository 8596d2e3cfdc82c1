//! Where sentences end.

/// Characters that end a sentence.
pub const ENDS: [char; 12] = ['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '॥', '։'];
/// Characters that may follow the end of a sentence and belong to it.
pub const CLOSERS: [char; 10] = ['"', '\'', ')', ']', '”', '’', '»', '」', '』', '）'];

/// Returns whether a character is of a script without spaces between words.
pub fn is_wide(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns where sentences end: behind their last character and the white space that
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
