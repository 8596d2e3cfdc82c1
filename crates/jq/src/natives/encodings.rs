//! `@csv` and the others: strings for other languages.

use jaq_core::native::bome;

use super::{Native, unfit};
use crate::limits::{Limit, MAX_STRING_BYTES};
use crate::value::{Error, Val, ValR, beyond, spend};
use tuckaway_text as text;

pub(super) const ENCODINGS: &[Native] = &[
    ("@text", 0, |cv| bome(cv.1.to_text().map(Val::Str))),
    ("@html", 0, |cv| bome(escaped(&cv.1, html))),
    ("@uri", 0, |cv| bome(escaped(&cv.1, uri))),
    ("@urid", 0, |cv| bome(cv.1.to_text().and_then(|text| uri_decoded(&text)))),
    ("@csv", 0, |cv| bome(row(&cv.1, ",", |text| format!("\"{}\"", text.replace('"', "\"\""))))),
    ("@tsv", 0, |cv| bome(row(&cv.1, "\t", tsv))),
    ("@sh", 0, |cv| bome(shell(&cv.1))),
    ("@base64", 0, |cv| bome(encoded(&cv.1, BASE64, 6))),
    ("@base64d", 0, |cv| bome(decoded(&cv.1, BASE64, 6, "base64"))),
    ("@base32", 0, |cv| bome(encoded(&cv.1, BASE32, 5))),
    ("@base32d", 0, |cv| bome(decoded(&cv.1, BASE32, 5, "base32"))),
];

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

fn escaped(value: &Val, escape: fn(u8, &mut String) -> bool) -> ValR {
    let text = value.to_text()?;
    spend(text.len() as u64 / 4)?;
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let mut buffer = [0; 4];
        let encoded = character.encode_utf8(&mut buffer);
        // Every byte of a character is escaped, or none.
        if !encoded.bytes().fold(false, |any, byte| escape(byte, &mut out) | any) {
            out.push(character);
        }
        if out.len() > MAX_STRING_BYTES {
            return Err(beyond(Limit::String));
        }
    }
    Ok(Val::str(out))
}

/// A string that may be too long.
fn bounded(text: String) -> ValR {
    match text.len() <= MAX_STRING_BYTES {
        true => Ok(Val::str(text)),
        false => Err(beyond(Limit::String)),
    }
}

/// Words with a separator between two.
fn joined(words: &[Val], separator: &str, word: impl Fn(&Val) -> Result<String, Error>) -> ValR {
    let mut out = String::new();
    for (index, value) in words.iter().enumerate() {
        let word = word(value)?;
        spend(1 + word.len() as u64 / 8)?;
        if out.len() + separator.len() + word.len() > MAX_STRING_BYTES {
            return Err(beyond(Limit::String));
        }
        out += if index > 0 { separator } else { "" };
        out += &word;
    }
    Ok(Val::str(out))
}

fn html(byte: u8, out: &mut String) -> bool {
    *out += match byte {
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'&' => "&amp;",
        b'\'' => "&#39;",
        b'"' => "&quot;",
        _ => return false,
    };
    true
}

fn uri(byte: u8, out: &mut String) -> bool {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let escape = !(byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
    if escape {
        let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
        out.extend(['%', digit(byte >> 4), digit(byte)]);
    }
    escape
}

fn uri_decoded(encoded: &str) -> ValR {
    let invalid = || unfit(&Val::str(encoded), "the encoding of a text for a URI");
    spend(encoded.len() as u64 / 8)?;
    let bytes = encoded.as_bytes();
    let (mut at, mut out) = (0, Vec::with_capacity(bytes.len()));
    while let Some(&byte) = bytes.get(at) {
        let digits =
            encoded.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                out.push(decoded);
                at += 3;
            }
            None if byte == b'%' => return Err(invalid()),
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_err(|_| invalid()).and_then(bounded)
}

fn row(value: &Val, separator: &str, quote: fn(&str) -> String) -> ValR {
    let Val::Arr(cells) = value else { return Err(unfit(value, "an array: a row is made of one")) };
    let cell = |cell: &Val| match cell {
        Val::Null => Ok(String::new()),
        Val::Str(text) => Ok(quote(text)),
        Val::Bool(_) | Val::Num(_) => cell.to_json(),
        Val::Arr(_) | Val::Obj(_) => {
            Err(unfit(cell, "a cell: a row holds strings, numbers, booleans and nulls"))
        }
    };
    joined(cells, separator, cell)
}

fn tsv(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn shell(value: &Val) -> ValR {
    let word = |word: &Val| match word {
        Val::Str(text) => Ok(format!("'{}'", text.replace('\'', "'\\''"))),
        Val::Arr(_) | Val::Obj(_) => {
            Err(unfit(word, "a word of a command: those are strings, numbers, booleans and nulls"))
        }
        word => word.to_json(),
    };
    match value {
        Val::Arr(words) => joined(words, " ", word),
        value => joined(std::slice::from_ref(value), " ", word),
    }
}

fn encoded(value: &Val, alphabet: &[u8], bits: u32) -> ValR {
    let text = value.to_text()?;
    spend(text.len() as u64 / 8)?;
    bounded(encode(text.as_bytes(), alphabet, bits))
}

/// Groups of `bits` bits, padded with `=` to whole groups of bytes.
fn encode(bytes: &[u8], alphabet: &[u8], bits: u32) -> String {
    let (mut out, mut held, mut count) = (String::new(), 0u32, 0);
    let digit = |group: u32| char::from(alphabet[group as usize % alphabet.len()]);
    for &byte in bytes {
        held = held << 8 | u32::from(byte);
        count += 8;
        while count >= bits {
            count -= bits;
            out.push(digit(held >> count & ((1 << bits) - 1)));
        }
        held &= (1 << count) - 1;
    }
    if count > 0 {
        out.push(digit(held << (bits - count)));
    }
    let group = if bits == 6 { 4 } else { 8 };
    while out.len() % group != 0 {
        out.push('=');
    }
    out
}

fn decoded(value: &Val, alphabet: &[u8], bits: u32, name: &str) -> ValR {
    let text = value.to_text()?;
    // Each digit is looked for in the alphabet.
    spend(text.len() as u64 / 2)?;
    let digits = text.trim_end_matches('=');
    let (mut out, mut held, mut count) = (Vec::new(), 0u32, 0);
    for digit in digits.bytes() {
        let Some(group) = alphabet.iter().position(|&d| d == digit) else {
            return Err(unfit(value, &format!("valid {name}")));
        };
        held = held << bits | group as u32;
        count += bits;
        if count >= 8 {
            count -= 8;
            out.push((held >> count) as u8);
            held &= (1 << count) - 1;
        }
    }
    if count >= bits {
        return Err(unfit(value, &format!("valid {name}: a digit is left over")));
    }
    bounded(text::lossy(&out).into_owned())
}
