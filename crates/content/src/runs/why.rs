//! Lines that give the reason why a test failed: the expected and the actual value.

use tuckaway_search::find;

use super::Tool;
use super::line::{Meaning, ToolLine};

/// Longer lines hardly say it.
const MAX_BYTES: usize = 300;
/// Starts of such lines.
const STARTS: [&[u8]; 13] = [
    b"Actual:",
    b"actual: ",
    b"Expected string:",
    b"Expected values to be ",
    b"Expected: ",
    b"Received string:",
    b"Received: ",
    b"expect(received)",
    b"expected: ",
    b"got: ",
    b"assertion failed",
    b"message: \"",
    b"message: '",
];

/// Classifies a line that has no tool's form; none if it does not give a reason for a
/// failure. It proves nothing, because any program may print it.
pub fn why(text: &[u8]) -> Option<ToolLine> {
    if text.len() > MAX_BYTES {
        return None;
    }
    // Diagnostics of TAP.
    let text = text.strip_prefix(b"#").map_or(text, |text| text.trim_ascii_start());
    let &first = text.first()?;
    let says_why = matches!(first, b'A' | b'E' | b'R' | b'a' | b'e' | b'g' | b'm')
        && STARTS.iter().any(|start| find::starts_with(text, start))
        || names_exception(text)
        || compares(text);
    says_why.then_some(ToolLine::new(Tool::Any, Meaning::Why, 0))
}

/// `ValueError: no`, `RuntimeException: connect ECONNREFUSED`, `java.io.IOException at …`.
fn names_exception(text: &[u8]) -> bool {
    let Some(end) = text.iter().position(|b| b" :".contains(b)) else { return false };
    let (name, rest) = text.split_at(end);
    let is_name = || name.iter().all(|b| b.is_ascii_alphanumeric() || b"._$".contains(b));
    let is_upper = name[name.iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1)..]
        .first()
        .is_some_and(u8::is_ascii_uppercase);
    (name.ends_with(b"Error") || name.ends_with(b"Exception"))
        && is_upper
        && is_name()
        && [&b": "[..], b" at ", b" ["].iter().any(|start| rest.starts_with(start))
}

/// `77 !== 78`, `got 77, want 78`.
fn compares(text: &[u8]) -> bool {
    if text[0] == b'g' && find::text(b", want ", text).is_some() {
        return true;
    }
    let is_code = || text.iter().any(|b| b"(;{&|".contains(b));
    find::byte(b'=', text).is_some() && find::text(b" !== ", text).is_some() && !is_code()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_say_why() {
        for line in
            ["Expected: 78", "77 !== 78", "got 77, want 78", "ValueError: no", "java.io.IOException: x"]
        {
            assert!(why(line.as_bytes()).is_some(), "{line}");
        }
        for line in
            ["if (a !== b) {", "no errors: fine", "handleError: x", "an Error: x", "expectedly", "x = 1"]
        {
            assert!(why(line.as_bytes()).is_none(), "{line}");
        }
    }
}
