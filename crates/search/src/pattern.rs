//! The pattern language: regex-lite's, bounded so that compiling and matching stay cheap.
//! grep matches lines with it, jq's `test`, `match` and `sub` match strings.

use regex_lite::{Regex, RegexBuilder};

/// The longest pattern in bytes.
pub const MAX_PATTERN_BYTES: usize = 4_096;

/// Maximum characters of a pattern with its counted repetitions expanded: in the worst case, the
/// cost of matching is this times the length of the text.
pub const MAX_EXPANDED: u64 = 10_000;

/// The deepest nesting of groups and repetitions.
const MAX_NESTING: u32 = 64;

/// The options of a pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// Letters match in either case (ASCII).
    pub ignore_case: bool,
    /// `^` and `$` also match at line boundaries.
    pub multi_line: bool,
    /// `.` also matches a line feed.
    pub dot_matches_new_line: bool,
    /// `x*` is lazy and `x*?` greedy.
    pub swap_greed: bool,
    /// White space and `#` comments in the pattern are ignored.
    pub ignore_whitespace: bool,
}

/// Compiles a pattern. The error says what is wrong with it and where, as the end of a
/// sentence whose subject the caller knows: "The pattern …".
pub fn compile(pattern: &str, flags: Flags) -> Result<Regex, String> {
    check_length(pattern)?;
    if expanded(pattern) > MAX_EXPANDED {
        return Err(format!(
            "repeats too much: expanded, its counted repetitions exceed {MAX_EXPANDED} characters"
        ));
    }
    RegexBuilder::new(pattern)
        .case_insensitive(flags.ignore_case)
        .multi_line(flags.multi_line)
        .dot_matches_new_line(flags.dot_matches_new_line)
        .swap_greed(flags.swap_greed)
        .ignore_whitespace(flags.ignore_whitespace)
        .nest_limit(MAX_NESTING)
        .build()
        .map_err(|error| match column(pattern, &error.to_string()) {
            Some(column) => format!("is not valid at column {column}: {error}"),
            None => format!("is not valid: {error}"),
        })
}

/// Checks the length of a pattern, or of a text to search for, with an error like that of
/// [`compile`].
pub fn check_length(pattern: &str) -> Result<(), String> {
    match pattern.len() <= MAX_PATTERN_BYTES {
        true => Ok(()),
        false => Err(format!("is {} bytes long; at most {MAX_PATTERN_BYTES} are allowed", pattern.len())),
    }
}

/// Returns the column of the mistake, in characters from 1. regex-lite names the mistake but not
/// its position; the most common mistakes can be located again.
fn column(pattern: &str, error: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut in_class = None;
    let mut escaped = false;
    for (index, c) in pattern.chars().enumerate() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' if in_class.is_some() => in_class = None,
            _ if in_class.is_some() => {}
            '[' => in_class = Some(index),
            '(' => open.push(index),
            ')' if open.pop().is_none() => {
                return error.contains("without matching '('").then_some(index + 1);
            }
            '*' | '+' | '?' | '{' if index == 0 && error.contains("applied to a sub-expression") => {
                return Some(1);
            }
            _ => {}
        }
    }
    match error {
        _ if error.contains("character class") => in_class.map(|index| index + 1),
        _ if error.contains("without closing ')'") => open.last().map(|index| index + 1),
        _ => None,
    }
}

/// Counts the characters of a pattern whose counted repetitions are expanded. regex-lite has its
/// own limit, but counts bytes of memory, which differ between 32 and 64 bits.
pub fn expanded(pattern: &str) -> u64 {
    // For each open group: the characters before it.
    let mut outer: Vec<u64> = Vec::new();
    let (mut total, mut last) = (0u64, 0u64);
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                outer.push(total.saturating_add(last));
                (total, last) = (0, 1);
            }
            ')' => {
                last = total.saturating_add(last);
                total = outer.pop().unwrap_or(0);
            }
            '{' => {
                let mut bounds = String::new();
                while let Some(c) = chars.next_if(|&c| c != '}') {
                    bounds.push(c);
                }
                // Digits may have white space between them. Digits that overflow a number exceed
                // every bound.
                let bound = |text: &str| {
                    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
                    if digits.is_empty() { 1 } else { digits.parse::<u64>().unwrap_or(u64::MAX) }
                };
                let most = bounds.split(',').map(bound).max().unwrap_or(1);
                last = last.saturating_mul(most.max(1));
            }
            '[' => {
                total = total.saturating_add(last);
                last = 1;
                while let Some(c) = chars.next_if(|&c| c != ']') {
                    last += 1;
                    if c == '\\' {
                        chars.next();
                    }
                }
            }
            _ => {
                total = total.saturating_add(last);
                last = 1;
                // The braces of `\x{10437}` hold a character, not a count.
                let escaped = if c == '\\' { chars.next() } else { None };
                if let Some('x' | 'u' | 'U') = escaped
                    && chars.peek() == Some(&'{')
                {
                    chars.by_ref().find(|&c| c == '}');
                }
            }
        }
    }
    outer.into_iter().fold(total.saturating_add(last), u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(pattern: &str) -> String {
        compile(pattern, Flags::default()).unwrap_err()
    }

    #[test]
    fn common_mistakes_are_located() {
        assert!(error("foo(bar").starts_with("is not valid at column 4: found open group"));
        assert!(error("bar)").starts_with("is not valid at column 4: found closing"));
        assert!(error("[(]x)").contains("column 5"));
        assert!(error("a[bc").contains("column 2"), "{}", error("a[bc"));
        assert!(error("*a").contains("column 1"), "{}", error("*a"));
        assert!(error(r"\p{L}").starts_with("is not valid: "));
    }

    #[test]
    fn patterns_are_bounded() {
        for pattern in [
            "(a{1000}){1000}",
            "((((a{99}){99}){99}){99})",
            "[a-z0-9]{9999}",
            "a{99999999999999999999}{9}",
            "(a{0000000000000000000000000001000}){1000}",
            "(?x)(a{1 000}){1 000}",
        ] {
            assert!(compile(pattern, Flags::default()).is_err(), "{pattern}");
        }
        assert!(error("(a{1000}){1000}").contains("repeats too much"));
        assert!(error(&"a".repeat(4_097)).contains("at most 4096"));
        assert!(compile(&"a".repeat(4_096), Flags::default()).is_ok());
        assert!(error(&"(".repeat(4_096)).len() < 200);
        assert!(compile(r"^\s*\w{1,200}:\s.{0,500}$", Flags::default()).is_ok());
    }

    proptest! {
        #[test]
        fn no_pattern_panics(pattern in r"[a-c\[\](){}|*+?^$.\\dwsbpP0-9,:<>i-]{0,40}") {
            if let Ok(regex) = compile(&pattern, Flags::default()) {
                regex.is_match("abcé 123");
            }
        }
    }
}
