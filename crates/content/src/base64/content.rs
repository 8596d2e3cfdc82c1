//! The content of base64.

use tuckaway_search::find;
use tuckaway_text::base64::decode_head;

use super::form::Form;
use crate::formats::{self, Class};
use crate::nested::Nested;
use crate::wording;

/// Bytes that are decoded to inspect the content of base64.
const DECODED_BYTES: usize = 3 << 18;

/// Returns the line that replaces base64.
pub fn note_of(form: &Form<'_>, nested: &dyn Nested) -> String {
    match form {
        Form::Pem(text) => wording::not_shown(&format!("PEM: {}", pem_labels(text)), text.len() as u64),
        Form::DataUrl { data, .. } | Form::Bare(data) => {
            wording::not_shown(&format!("base64 of {}", describe(data, nested).0), decoded_len(data))
        }
    }
}

/// Returns the labels of PEM blocks, with the number of blocks of each, in the order of the text.
pub fn pem_labels(text: &[u8]) -> String {
    const MOST: usize = 8;
    const MAX_LABEL_BYTES: usize = 40;
    let mut labels: Vec<(&[u8], usize)> = Vec::new();
    for start in find::texts(b"-----BEGIN ", text) {
        let rest = &text[start + b"-----BEGIN ".len()..];
        let rest = &rest[..rest.len().min(MAX_LABEL_BYTES)];
        let label = &rest[..find::byte(b'-', rest).unwrap_or(rest.len())];
        match labels.iter().position(|(known, _)| *known == label) {
            Some(known) => labels[known].1 += 1,
            None if labels.len() < MOST => labels.push((label, 1)),
            None => {}
        }
    }
    let words = labels.iter().map(|(label, count)| format!("{count} {}", crate::line::excerpt(label)));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the number of bytes that base64 encodes.
pub fn decoded_len(data: &[u8]) -> u64 {
    let data = data.trim_ascii_end();
    let padding = data.iter().rev().take(2).filter(|&&byte| byte == b'=').count();
    let ends = find::count(b'\n', data) + find::count(b'\r', data);
    (data.len() - padding - ends) as u64 * 3 / 4
}

/// Describes the content of base64, and returns its head if that is text.
pub fn describe(data: &[u8], nested: &dyn Nested) -> (String, Option<String>) {
    let decoded = decode_head(data, DECODED_BYTES / 3 * 4);
    // The head of a picture describes it. Other media are described by all of their bytes.
    let is_all = decoded.len() < DECODED_BYTES;
    let what = match formats::detect(&decoded) {
        Some(class) if is_all || class == Class::Image => formats::describe(&decoded),
        _ => formats::name(&decoded).map(str::to_owned),
    };
    if let Some(what) = what {
        return (what, None);
    }
    let is_text = decoded.utf8_chunks().next().is_some_and(|chunk| chunk.valid().len() + 4 > decoded.len());
    match Some(&decoded).filter(|_| is_text).and_then(|decoded| nested.text_type(decoded)) {
        Some(media_type) => (media_type.to_owned(), Some(crate::line::excerpt(&decoded))),
        None => ("binary data".to_owned(), None),
    }
}

#[test]
fn the_length_is_that_of_the_bytes() {
    use ::base64::prelude::*;

    for length in [0, 1, 2, 3, 1_000] {
        let text = BASE64_STANDARD.encode(vec![7; length]);
        assert_eq!(decoded_len(text.as_bytes()), length as u64);
    }
}
