//! Recognizes the parts of a line.

use tuckaway_search::find;

/// Returns the offset after the quote that closes the one at the start. None if that is on
/// a later line.
pub fn closing_quote(line: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        at += line.get(at..)?.iter().position(|&byte| byte == quote || byte == b'\\' && quote == b'"')?;
        match line[at] {
            b'\\' => at += 2,
            _ if quote == b'\'' && line.get(at + 1) == Some(&quote) => at += 2,
            _ => return Some(at + 1),
        }
    }
}

/// Returns whether a line begins with a mark of a block, `-`, `?` or `:`, with nothing or a
/// blank after it.
pub fn is_indicator(mark: u8, text: &[u8]) -> bool {
    text.first() == Some(&mark) && matches!(text.get(1), None | Some(b' ' | b'\t'))
}

/// Returns whether a line begins with `---` or `...`, with nothing or a blank after it.
pub fn is_marker(text: &[u8]) -> bool {
    (text.starts_with(b"---") || text.starts_with(b"..."))
        && matches!(text.get(3), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
}

/// Returns whether a scalar without quotes may begin like this.
pub fn is_plain_start(text: &[u8]) -> bool {
    match text[0] {
        b'-' | b'?' | b':' => !matches!(text.get(1), None | Some(b' ' | b'\t' | b'\r' | b'\n')),
        first => !b",[]{}#&*!|>'\"%@`".contains(&first),
    }
}

/// Returns whether there is the end of a key at an offset: a colon with nothing or a blank
/// after it.
pub fn ends_key(line: &[u8], at: usize) -> bool {
    line.get(at) == Some(&b':') && matches!(line.get(at + 1), None | Some(b' ' | b'\t'))
}

/// Returns the offset of the colon that ends the key of a line.
pub fn key_colon(line: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + find::byte(b':', line.get(from..)?)?;
        if ends_key(line, at) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Returns the start of a comment in a line, including the blank before it.
pub fn comment(line: &[u8]) -> Option<usize> {
    let mut from = 1;
    loop {
        let at = from + find::byte(b'#', line.get(from..)?)?;
        if matches!(line[at - 1], b' ' | b'\t') {
            return Some(at - 1);
        }
        from = at + 1;
    }
}
