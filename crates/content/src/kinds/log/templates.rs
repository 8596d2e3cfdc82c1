//! Templates of messages: messages that differ only in numbers and names have the same
//! template.
//!
//! A message is represented by the hashes of its first words; a number is variable. It
//! belongs to the template with the same number of words, the same first word and the most
//! words in common; words that differ become variable. This is Drain's tree with a fixed
//! depth of two.

use std::cmp::Reverse;

use tuckaway_search::{find, hash};
use tuckaway_text::{lossy, order};

use super::seen::{MESSAGE_BYTES, Message, Seen};
use crate::hashes::Hashes;
use crate::line::class::{self, Classified};

/// Words of a message that are inspected.
const WORDS: usize = 24;
/// Maximum templates; messages of others are only counted.
const MAX_TEMPLATES: usize = 512;
/// Maximum templates with the same number of words and the same first word.
const MAX_ALIKE: usize = 24;
/// Maximum bytes of a pattern.
const PATTERN_BYTES: usize = 90;

/// A word that differs from message to message.
const VARIABLE: u32 = 0;

/// The common words of messages.
pub struct Template {
    words: [u32; WORDS],
    len: usize,
    /// The next template with the same start.
    next: Option<usize>,
    /// The first message.
    example: Vec<u8>,
    /// The line of the first message.
    pub first: u64,
    /// The number of messages.
    pub count: u64,
    /// Whether the messages report failures.
    pub is_error: bool,
}

/// Templates in the order in which they were first seen.
#[derive(Default)]
pub struct Templates {
    all: Vec<Template>,
    /// For each start, the first template that has it.
    by_start: Hashes,
    /// Messages without a template, as there are too many.
    pub others: u64,
}

impl Templates {
    /// Adds the message of a line. `is_error` is whether it reports a failure by its
    /// level; without a level, its text decides.
    pub fn add(&mut self, message: &Message, line: u64, is_error: Option<bool>, seen: &mut Seen) {
        let is_leveled = is_error == Some(true);
        if let Some(known) = *seen.template(message, is_leveled) {
            self.all[usize::from(known)].count += 1;
            return;
        }
        let text = &message.text[..message.text.len().min(MESSAGE_BYTES)];
        let mut words = [VARIABLE; WORDS];
        let len = hash_words(text, &mut words);
        if len == 0 {
            return;
        }
        let start = u64::from(words[0]) << 8 | (len as u64) << 1 | u64::from(is_leveled);
        let mut is_error = || is_error.unwrap_or_else(|| seen.reports_error(message));
        let candidates = self.candidates(start, &words, &mut is_error);
        let index = if let Some(best) = candidates.best {
            self.all[best].add(&words);
            best
        } else if self.all.len() < MAX_TEMPLATES && candidates.count < MAX_ALIKE {
            match candidates.last {
                Some(last) => self.all[last].next = Some(self.all.len()),
                None => _ = self.by_start.insert(start, self.all.len()),
            }
            let (is_error, example) = (is_error(), text.to_vec());
            self.all.push(Template { words, len, next: None, example, first: line, count: 1, is_error });
            self.all.len() - 1
        } else {
            self.others += 1;
            return;
        };
        *seen.template(message, is_leveled) = u16::try_from(index).ok();
    }

    /// Compares a message with the templates that have its start.
    fn candidates(&self, start: u64, words: &[u32; WORDS], mut is_error: impl FnMut() -> bool) -> Candidates {
        let mut candidates = Candidates { best: None, count: 0, last: None };
        // More than the first one, which they all have.
        let mut most_common = 1;
        for index in self.alike(start) {
            let template = &self.all[index];
            let (constant, common) = template.compare(words);
            // A message that differs only in variable words needs no other template.
            if common == constant {
                candidates.best = Some(index);
                break;
            }
            // `Accepted password for …` is not `Failed password for …`.
            let is_alike = common * 5 >= constant * 3;
            if is_alike && common > most_common && template.is_error == is_error() {
                candidates.best = Some(index);
                most_common = common;
            }
            candidates.count += 1;
            candidates.last = Some(index);
        }
        candidates
    }

    /// Returns the indexes of the templates with a start.
    fn alike(&self, start: u64) -> impl Iterator<Item = usize> {
        std::iter::successors(self.by_start.get(start), |&index| self.all[index].next)
    }

    /// Returns the templates, the one with the most messages first.
    pub fn by_count(&self) -> Vec<&Template> {
        let mut templates: Vec<&Template> = self.all.iter().collect();
        order::sort_by_key(&mut templates, |template| (Reverse(template.count), template.first));
        templates
    }
}

/// The templates with the start of a message.
struct Candidates {
    /// The one that the message belongs to.
    best: Option<usize>,
    /// The number of templates, and the last one, unless the message differs from one only
    /// in variable words.
    count: usize,
    last: Option<usize>,
}

impl Template {
    /// Adds a message: the words that differ become variable.
    fn add(&mut self, words: &[u32; WORDS]) {
        self.count += 1;
        for (known, word) in self.words.iter_mut().zip(words) {
            if known != word {
                *known = VARIABLE;
            }
        }
    }

    /// Returns the number of its constant words, and the number of these that a message
    /// has.
    fn compare(&self, words: &[u32; WORDS]) -> (u32, u32) {
        let (mut constant, mut common) = (0, 0);
        // Without branches: vectors compare four words at once.
        for (known, word) in self.words.iter().zip(words) {
            constant += u32::from(*known != VARIABLE);
            common += u32::from(*known != VARIABLE) & u32::from(known == word);
        }
        (constant, common)
    }

    /// Returns a pattern for grep that its messages match: their common words, `.*`
    /// where they differ, `.` for characters with a meaning in patterns.
    pub fn pattern(&self) -> String {
        let mut pattern = String::new();
        let text = lossy(without_package(&self.example));
        let mut words = self.words[..self.len].iter();
        for (index, word) in text.split(' ').enumerate() {
            if index > 0 {
                pattern.push(' ');
            }
            if word.is_empty() {
                continue;
            }
            match words.next() {
                Some(&VARIABLE) => push_any(&mut pattern),
                Some(_) => push_word(&mut pattern, word),
                None => push_any(&mut pattern),
            }
            if pattern.len() > PATTERN_BYTES {
                break;
            }
        }
        bounded(pattern)
    }
}

/// Returns a message without the package of the Java class that it begins with.
fn without_package(message: &[u8]) -> &[u8] {
    let end = message.iter().position(|&b| !b.is_ascii_alphanumeric() && !b"._$-".contains(&b));
    match end {
        Some(end) if message[end] == b':' => {
            let name = &message[..end];
            let class =
                find::last_byte(b'.', name).filter(|_| name.iter().filter(|b| **b == b'.').count() > 1);
            &message[class.map_or(0, |dot| dot + 1)..]
        }
        _ => message,
    }
}

/// Cuts a pattern after a whole word, and removes wildcards at its end.
fn bounded(mut pattern: String) -> String {
    if pattern.len() > PATTERN_BYTES {
        let end = pattern.floor_char_boundary(PATTERN_BYTES);
        let end = pattern[..end].rfind(' ').filter(|&space| space >= PATTERN_BYTES / 2).unwrap_or(end);
        pattern.truncate(end);
    }
    while pattern.len() > 2 && (pattern.ends_with(".*") || pattern.ends_with(' ')) {
        pattern.truncate(pattern.trim_end().len());
        let len = pattern.strip_suffix(".*").map_or(pattern.len(), str::len);
        pattern.truncate(len.max(1));
    }
    pattern
}

/// Appends `.*`.
fn push_any(pattern: &mut String) {
    // `.*` also matches a mark between two of them, and a mark before it.
    let before_mark = pattern.strip_suffix(['.', '_', ':', '-', '/']).filter(|rest| rest.ends_with(".*"));
    if let Some(len) = before_mark.map(str::len) {
        pattern.truncate(len);
    }
    if pattern.ends_with(".*") {
        return;
    }
    if pattern.ends_with('.') {
        pattern.pop();
    }
    pattern.push_str(".*");
}

/// Appends a word, with `.*` for numbers and `.` for characters with a meaning in
/// patterns.
fn push_word(pattern: &mut String, word: &str) {
    for character in word.chars() {
        if character.is_ascii_digit() {
            push_any(pattern);
        } else if is_special(character) {
            if !pattern.ends_with(".*") {
                pattern.push('.');
            }
        } else {
            pattern.push(character);
        }
    }
}

/// Returns whether a character has a meaning in patterns, or cannot be written literally.
fn is_special(character: char) -> bool {
    matches!(
        character,
        '\\' | '(' | ')' | '[' | ']' | '{' | '}' | '*' | '+' | '?' | '|' | '^' | '$' | '\u{FFFD}'
    ) || character.is_control()
}

/// Hashes the words of a message, and returns their number.
fn hash_words(message: &[u8], words: &mut [u32; WORDS]) -> usize {
    let mut len = 0;
    let (mut start, mut has_digit, mut is_word) = (0, false, false);
    let mut digits = Digits::default();
    let mut add = |start: usize, end: usize, has_digit, is_word, digits: &Digits| {
        if start < end && len < WORDS {
            words[len] = hash_word(&message[start..end], has_digit, is_word, || digits.from(start));
            len += 1;
        }
        len < WORDS
    };
    for (index, bytes) in message.chunks(class::BLOCK).enumerate() {
        let classified = Classified::of(bytes);
        let offset = index * class::BLOCK;
        digits = Digits { last: digits.here, here: classified.digit, offset };
        let mut at = 0;
        while at < bytes.len() {
            let end = (at + (classified.space >> at).trailing_zeros() as usize).min(bytes.len());
            let bits = u64::MAX >> (class::BLOCK - (end - at).max(1)) << at;
            has_digit |= classified.digit & bits != 0;
            is_word |= classified.word & bits != 0;
            at = end + 1;
            // A word may continue in the next block.
            if end < bytes.len() {
                if !add(start, offset + end, has_digit, is_word, &digits) {
                    return WORDS;
                }
                (start, has_digit, is_word) = (offset + at, false, false);
            }
        }
    }
    add(start, message.len(), has_digit, is_word, &digits);
    len
}

/// The digits among the bytes of the last two blocks: a bit for each byte.
#[derive(Default)]
struct Digits {
    last: u64,
    here: u64,
    /// The start of the last block.
    offset: usize,
}

impl Digits {
    /// Returns the bits of the bytes from an offset on that is in one of the two.
    fn from(&self, start: usize) -> u64 {
        match self.offset.checked_sub(start) {
            None | Some(0) => self.here >> (start - self.offset),
            Some(class::BLOCK) => self.last,
            Some(before) => self.last >> (class::BLOCK - before) | self.here << before,
        }
    }
}

/// Hashes a word. A run of digits counts as one digit; a number, also a hexadecimal one, is
/// [`VARIABLE`]. `digits` has a bit for each of the first bytes, set for a digit.
fn hash_word(word: &[u8], has_digit: bool, is_word: bool, digits: impl Fn() -> u64) -> u32 {
    let hash = match (has_digit, is_word) {
        (true, false) => return VARIABLE,
        (true, true) if word.len() <= class::BLOCK => {
            let digits = digits();
            hash_runs(word, |from, is_digit| {
                let wanted = if is_digit { digits } else { !digits };
                (wanted >> from).trailing_zeros() as usize
            })
        }
        (true, true) => hash_runs(word, |from, is_digit| {
            word[from..].iter().take_while(|byte| byte.is_ascii_digit() != is_digit).count()
        }),
        (false, _) => hash::of(word),
    };
    (hash >> 32) as u32 | 1
}

/// Hashes a word without its digits: what is between two runs of them. `run` returns how
/// many bytes lie between an offset and the next digit, or the next byte that is not one.
fn hash_runs(word: &[u8], run: impl Fn(usize, bool) -> usize) -> u64 {
    let (mut hash, mut at) = (0, 0);
    while at < word.len() {
        let end = (at + run(at, true)).min(word.len());
        hash = hash::mix(hash ^ hash::of(&word[at..end]));
        at = end + if end < word.len() { run(end, false) } else { 0 };
        // Digits at the end count too.
        if at >= word.len() && end < word.len() {
            hash = hash::mix(hash);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn patterns(lines: &[&str]) -> Vec<(u64, String)> {
        let (mut templates, mut seen) = (Templates::default(), Seen::default());
        for (index, line) in lines.iter().enumerate() {
            templates.add(&Message::of(line.as_bytes()), index as u64 + 1, Some(false), &mut seen);
        }
        templates.by_count().iter().map(|t| (t.count, t.pattern())).collect()
    }

    #[test]
    fn messages_that_differ_in_names_and_numbers_have_one_template() {
        let found = patterns(&[
            "sshd[24200]: Invalid user webmaster from 173.234.31.186",
            "sshd[24201]: Invalid user admin from 1.2.3.4",
            "sshd[24208]: Connection closed by 1.2.3.4 [preauth]",
            "sshd[24201]: Invalid user root from 1.2.3.5",
        ]);
        assert_eq!(found[0], (3, "sshd.*: Invalid user .* from".to_owned()));
        assert_eq!(found[1], (1, "sshd.*: Connection closed by .* .preauth.".to_owned()));
    }

    #[test]
    fn success_and_failure_have_different_templates() {
        let (mut templates, mut seen) = (Templates::default(), Seen::default());
        for (line, message) in [
            "sshd[1]: Failed password for root from 1.2.3.4 port 22 ssh2",
            "sshd[2]: Accepted password for ann from 1.2.3.4 port 22 ssh2",
            "sshd[3]: Failed password for bob from 1.2.3.5 port 22 ssh2",
        ]
        .iter()
        .enumerate()
        {
            templates.add(&Message::of(message.as_bytes()), line as u64, None, &mut seen);
        }
        let found: Vec<_> = templates.by_count().iter().map(|t| (t.count, t.is_error, t.first)).collect();
        assert_eq!(found, [(2, true, 0), (1, false, 1)]);
    }

    #[test]
    fn messages_beyond_the_bounds_are_counted() {
        let (mut templates, mut seen) = (Templates::default(), Seen::default());
        for n in 0..100_000u64 {
            let word: String = n.to_string().bytes().map(|b| (b'a' + b - b'0') as char).collect();
            templates.add(&Message::of(format!("{word} {word}").as_bytes()), n, Some(false), &mut seen);
        }
        assert_eq!(templates.all.len(), MAX_TEMPLATES);
        let counted: u64 = templates.others + templates.all.iter().map(|t| t.count).sum::<u64>();
        assert_eq!(counted, 100_000);
    }

    proptest! {
        #[test]
        fn a_pattern_matches_its_first_message(
            messages in proptest::collection::vec("[a-c0-9()\\[\\].*+ é\u{7}\\\\]{1,40}|\\PC{1,200}", 1..20)
        ) {
            let (mut templates, mut seen) = (Templates::default(), Seen::default());
            for (index, message) in messages.iter().enumerate() {
                templates.add(&Message::of(message.as_bytes()), index as u64, None, &mut seen);
            }
            for template in templates.by_count() {
                let pattern = template.pattern();
                prop_assert!(pattern.len() <= PATTERN_BYTES);
                let regex = regex_lite::Regex::new(&pattern).unwrap();
                prop_assert!(regex.is_match(&messages[template.first as usize]), "{pattern:?}");
            }
        }
    }
}
