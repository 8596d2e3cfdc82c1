//! Forms of single lines in traces: frames, causes, names of errors.

use tuckaway_search::find;

use super::Language;

#[inline(always)]
fn has(text: &[u8], part: &[u8]) -> bool {
    find::text(part, text).is_some()
}

/// Returns the language of a frame `at …`.
pub fn at_frame(text: &[u8]) -> Option<Language> {
    let frame = text.strip_prefix(b"at ")?;
    let of_java: [&[u8]; 6] =
        [b".java:", b".kt:", b".scala:", b".groovy:", b"(Native Method)", b"(Unknown Source)"];
    if of_java.iter().any(|part| has(frame, part)) {
        return Some(Language::Java);
    }
    if has(frame, b":line ") {
        return Some(Language::DotNet);
    }
    let has_no_location = || has(frame, b"<anonymous>") || has(frame, b"(native)") || has(frame, b" (index ");
    if ends_with_location(frame) || has_no_location() {
        return Some(Language::JavaScript);
    }
    let open = find::byte(b'(', frame)?;
    let name = &frame[..open];
    (frame.ends_with(b")") && name.contains(&b'.') && !name.contains(&b' ')).then_some(Language::DotNet)
}

/// Returns whether a frame ends with `…:12:5`, perhaps in parentheses. `10:12:05` is a
/// time.
fn ends_with_location(frame: &[u8]) -> bool {
    let frame = frame.strip_suffix(b")").unwrap_or(frame);
    let mut parts = frame.rsplitn(3, |&b| b == b':');
    let mut is_number = || parts.next().is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    let is_located = is_number() && is_number();
    let file = parts.next().unwrap_or_default();
    let name = &file[find::last_byte(b' ', file).map_or(0, |space| space + 1)..];
    is_located && !name.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'T'))
}

/// Returns the language of a frame `#0 …`.
pub fn numbered_frame(text: &[u8]) -> Option<Language> {
    let digits = text[1..].iter().take_while(|b| b.is_ascii_digit()).count();
    let frame = text[1 + digits..].strip_prefix(b" ").filter(|_| digits > 0)?;
    if has(frame, b".php(") || has(frame, b"{main}") || has(frame, b"[internal function]") {
        return Some(Language::Php);
    }
    let is_native = has(frame, b"0x") || has(frame, b") at ") || has(frame, b" (package:");
    is_native.then_some(Language::Native)
}

/// Returns whether a line names the cause of the error before it.
pub fn is_cause(text: &[u8]) -> bool {
    [&b"Caused by: "[..], b"Suppressed: ", b"---> ", b"[cause]: "].iter().any(|start| text.starts_with(start))
}

/// Returns whether a line names an error: `ValueError: …`, `java.io.IOException`,
/// `panic: …`, a signal.
pub fn names_error(text: &[u8]) -> bool {
    let end = find::byte(b':', text).unwrap_or(text.len());
    let name = text[..end].rsplit(|&b| b == b' ').next().unwrap_or_default();
    let ends = [&b"Error"[..], b"Exception", b"Throwable", b"Failure", b"Warning"];
    let may_end = matches!(name.last(), Some(b'r' | b'n' | b'e' | b'g'));
    // `console.error("Error: handled")` is code.
    if may_end && ends.iter().any(|end| name.ends_with(end)) && find::byte(b'(', name).is_none() {
        return true;
    }
    let starts =
        [&b"panic: "[..], b"fatal error: ", b"Uncaught ", b"PHP Fatal error:", b"Exception in thread "];
    let may_start = matches!(text[0], b'p' | b'f' | b'U' | b'P' | b'E');
    if may_start && starts.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    match text[0] {
        b'=' => has(text, b"ERROR: "),
        b'P' => text.starts_with(b"Program ") && has(text, b" signal "),
        b'\'' | b'U' => has(text, b"xception"),
        _ => false,
    }
}
