//! What is quoted of a tool's line.

/// Returns a line without surrounding white space, and without the time that a CI
/// service or the step that BuildKit prints before it.
pub fn without_lead(line: &[u8]) -> &[u8] {
    indented(line).trim_ascii_start()
}

/// Returns a line [`without_lead`], with what indents it.
pub fn indented(line: &[u8]) -> &[u8] {
    let text = line.trim_ascii();
    let behind = |end: usize| text[end..].strip_prefix(b" ").unwrap_or(&text[end..]);
    // 2024-01-02T03:04:05.1234567Z
    if text.len() > 28 && text[0].is_ascii_digit() && text[10] == b'T' && text[27] == b'Z' {
        return behind(28);
    }
    // 10:00:41 AM - , as tsc prints when it watches.
    if let [b'0'..=b'9', .., b'-', b' '] = text[..text.len().min(14)]
        && text.len() > 14
        && text[2] == b':'
        && text[10] == b'M'
    {
        return &text[14..];
    }
    if let Some(rest) = text.strip_prefix(b"#") {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let step = rest[digits..].strip_prefix(b" ").filter(|_| digits > 0);
        if let Some(step) = step {
            let time = step.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
            if time > 1 && step[..time].contains(&b'.') {
                return behind(text.len() - step.len() + time);
            }
        }
    }
    line.trim_ascii_end()
}

/// Returns the name of the test that a line reports as failed.
pub fn test_name(line: &[u8]) -> &[u8] {
    let text = without_lead(line);
    let prefixes = [&b"test "[..], b"--- FAIL: ", b"FAILED ", b"FAIL: ", b"ERROR: ", b"not ok "];
    let text = prefixes.iter().find_map(|prefix| text.strip_prefix(*prefix)).unwrap_or(text);
    text.strip_suffix(b" ... FAILED").unwrap_or(text)
}

/// Returns the location that rustc prints below an error.
pub fn location(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"--> ")
}
