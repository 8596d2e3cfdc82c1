//! Describes documents, databases and programs by their headers.

use tuckaway_search::find;
use tuckaway_text::counted;

use super::bytes::{at, be16, be32, le16, le32};
use crate::line::excerpt;

/// Returns whether a text that begins like a PDF is one: it has a version and an object.
pub fn is_pdf(bytes: &[u8]) -> bool {
    const REACH: usize = 4 << 10;
    at::<4>(bytes, 5).is_some_and(|[major, point, minor, end]| {
        major.is_ascii_digit() && point == b'.' && minor.is_ascii_digit() && (end == b'\r' || end == b'\n')
    }) && super::bytes::find_within(bytes, b" obj", REACH).is_some()
}

/// Describes a PDF: its version, its pages if their objects are not compressed, its title.
pub fn pdf(bytes: &[u8]) -> Option<String> {
    let [major, _, minor] = at(bytes, 5)?;
    let mut text = format!("version {}.{}", char::from(major), char::from(minor));
    let pages = find::texts(b"/Type", bytes)
        .filter(|offset| {
            let rest = bytes[offset + b"/Type".len()..].trim_ascii_start();
            rest.starts_with(b"/Page") && !rest.get(5).is_some_and(u8::is_ascii_alphanumeric)
        })
        .count();
    if pages > 0 {
        text += &format!(", {}", counted(pages as u64, "page"));
    }
    if let Some(title) = pdf_title(bytes) {
        text += &format!(", titled {title:?}");
    }
    Some(text)
}

/// Returns a title in parentheses, if it is ASCII.
fn pdf_title(bytes: &[u8]) -> Option<String> {
    const MAX_BYTES: usize = 512;
    let start = find::text(b"/Title", bytes)? + b"/Title".len();
    let rest = bytes[start..].trim_ascii_start().strip_prefix(b"(")?;
    let rest = &rest[..rest.len().min(MAX_BYTES)];
    let end = (0..rest.len()).find(|&at| rest[at] == b')' && (at == 0 || rest[at - 1] != b'\\'))?;
    let title = &rest[..end];
    let is_plain = title.iter().all(|byte| (b' '..0x7F).contains(byte));
    (is_plain && !title.is_empty()).then(|| excerpt(title).replace('\\', ""))
}

/// Describes an SQLite database.
pub fn sqlite(bytes: &[u8]) -> Option<String> {
    // 1 means 65,536, which two bytes cannot hold.
    let page = match be16(bytes, 16)? {
        1 => 65_536,
        bytes => bytes,
    };
    Some(format!("{} pages of {page} bytes", be32(bytes, 28)?))
}

/// Describes an ELF file.
pub fn elf(bytes: &[u8]) -> Option<String> {
    let [class, order] = at(bytes, 4)?;
    let number = if order == 2 { be16 } else { le16 };
    let role = match number(bytes, 16)? {
        1 => "object file",
        2 => "executable",
        3 => "executable or shared library",
        4 => "core dump",
        _ => "file",
    };
    let machine = match number(bytes, 18)? {
        3 => "x86",
        40 => "ARM",
        62 => "x86-64",
        183 => "AArch64",
        243 => "RISC-V",
        _ => "other machine",
    };
    Some(format!("{}-bit {role}, {machine}", if class == 2 { 64 } else { 32 }))
}

/// Returns whether a program for DOS is one for Windows: its header has the offset of
/// another header.
pub fn is_windows_program(bytes: &[u8]) -> bool {
    let header = le32(bytes, 0x3C).map(|header| header as usize);
    header.and_then(|header| at(bytes, header)) == Some(*b"PE\0\0")
}

/// Returns whether WebAssembly is a component or a module.
pub fn wasm(bytes: &[u8]) -> Option<String> {
    Some(if at(bytes, 4)? == [0x0D, 0, 1, 0] { "component" } else { "module" }.to_owned())
}

/// Returns runs of at least six printable characters in the head of content that is not
/// compressed, by offset.
pub fn strings(bytes: &[u8]) -> Vec<(String, String)> {
    const REACH: usize = 64 << 10;
    const MIN_BYTES: usize = 6;
    const MOST: usize = 12;
    let head = &bytes[..bytes.len().min(REACH)];
    let mut offset = 0;
    head.split(|byte| !(b' '..0x7F).contains(byte))
        .map(|run| {
            let start = offset;
            offset += run.len() + 1;
            (start, run)
        })
        .filter(|(_, run)| {
            let letters = run.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
            run.len() >= MIN_BYTES && 2 * letters >= run.len()
        })
        .map(|(start, run)| (start.to_string(), excerpt(run)))
        .take(MOST)
        .collect()
}
