//! Token counts without a vocabulary.

/// The class of a character for the tokenizer.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Punctuation,
    Space,
    LineEnd,
    Control,
    Other,
}

impl Class {
    const fn of(c: char) -> Self {
        match c {
            'A'..='Z' => Class::Upper,
            // Words with accented Latin letters are words.
            'a'..='z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Class::Lower,
            '0'..='9' => Class::Digit,
            ' ' => Class::Space,
            '\n' | '\r' => Class::LineEnd,
            '!'..='~' => Class::Punctuation,
            '\0'..='\x7F' => Class::Control,
            _ => Class::Other,
        }
    }

    /// Returns the class of a character; ASCII is looked up in a table.
    fn get(c: char) -> Self {
        ASCII.get(c as usize).copied().unwrap_or_else(|| Class::of(c))
    }

    fn is_letter(self) -> bool {
        matches!(self, Class::Upper | Class::Lower)
    }
}

static ASCII: [Class; 128] = {
    let mut classes = [Class::Control; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = Class::of(byte as u8 as char);
        byte += 1;
    }
    classes
};

/// Estimates the tokens of o200k_base: splits a text as that tokenizer does, into words,
/// groups of digits, punctuation and white space, and sums up the averages of their tokens,
/// in sixteenths. The averages were fitted over JSON, logs, tables, code, markup and prose.
pub fn estimate(text: &str) -> u64 {
    let mut sixteenths = 0;
    // White space at the start of a text counts like white space before a line.
    let mut previous = Class::LineEnd;
    // Characters so far: of a word, of a number, of a run of spaces.
    let mut run = 0;
    for c in text.chars() {
        let class = Class::get(c);
        let begins_hump = class == Class::Upper && previous == Class::Lower;
        let goes_on = (class == previous || class.is_letter() && previous.is_letter()) && !begins_hump;
        run = if goes_on { run + 1 } else { 1 };
        sixteenths += match class {
            Class::Upper | Class::Lower => {
                let word = match run {
                    1 => 16 + if begins_hump { 12 } else { 0 },
                    7 => 4,
                    13.. => 16 * (run % 2),
                    _ => 0,
                };
                let capital = if class == Class::Upper && run > 1 { 2 } else { 0 };
                word + capital + if c.is_ascii() { 0 } else { 3 }
            }
            // Three digits are one token. A space before them is another.
            Class::Digit if run % 3 == 1 => 16 + if previous == Class::Space { 16 } else { 0 },
            // Runs of one class are single tokens, but only up to a maximum length.
            Class::Punctuation if run % 96 == 1 => 14,
            // A single space belongs to the word after it.
            Class::Space if run % 128 == 2 => 11,
            Class::LineEnd if run == 1 && previous == Class::Punctuation => 6,
            Class::LineEnd | Class::Control if run % 16 == 1 => 16,
            Class::Other => match c {
                '\0'..='\u{1FFF}' => 6,
                '\u{2000}'..='\u{FFFF}' => 12,
                _ => 32,
            },
            _ => 0,
        };
        previous = class;
    }
    // A token is at least one byte.
    u64::div_ceil(sixteenths, 16).min(text.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn pieces_have_their_averages() {
        for (text, tokens) in [
            ("", 0),
            ("word", 1),
            (" word", 1),
            ("two words", 2),
            ("extraordinary", 3),
            ("fooBar", 3),
            ("123456", 2),
            ("a 1", 3),
            ("{\"a\":", 3),
            ("=".repeat(80).as_str(), 1),
            ("=".repeat(20_000).as_str(), 183),
            (" ".repeat(20_000).as_str(), 108),
            ("\n".repeat(20_000).as_str(), 1_250),
            ("\n\n\n\n", 1),
            ("aB", 2),
            ("Zürich", 2),
            ("漢字漢字", 3),
            ("🦀🦀", 4),
        ] {
            assert_eq!(estimate(text), tokens, "{text:?}");
        }
    }
}
