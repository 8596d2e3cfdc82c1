//! The formats, such as `@csv`: strings for other languages.

use base64::alphabet;
use base64::engine::Engine;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD, STANDARD};
use jaq_core::native::bome;

use super::base32;
use super::common::{ValueNative, mismatch};
use crate::limits::{self, Limit};
use crate::value::{FilterError, Val, ValR, charge, limit_error};
use tuckaway_text as text;

pub(super) const ENCODINGS: &[ValueNative] = &[
    ("@text", 0, |cv| bome(cv.1.to_text().map(Val::Str))),
    ("@html", 0, |cv| bome(escaped(&cv.1, html))),
    ("@uri", 0, |cv| bome(escaped(&cv.1, uri))),
    ("@urid", 0, |cv| bome(cv.1.to_text().and_then(|text| uri_decoded(&text)))),
    ("@csv", 0, |cv| bome(row(&cv.1, ",", |text| format!("\"{}\"", text.replace('"', "\"\""))))),
    ("@tsv", 0, |cv| bome(row(&cv.1, "\t", tsv))),
    ("@sh", 0, |cv| bome(shell(&cv.1))),
    ("@base64", 0, |cv| bome(BASE64.encode(&cv.1))),
    ("@base64d", 0, |cv| bome(BASE64.decode(&cv.1))),
    ("@base32", 0, |cv| bome(BASE32.encode(&cv.1))),
    ("@base32d", 0, |cv| bome(BASE32.decode(&cv.1))),
];

fn escaped(value: &Val, escape: fn(u8, &mut String) -> bool) -> ValR {
    let text = value.to_text()?;
    charge(text.len() as u64 / 4)?;
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let mut buffer = [0; 4];
        let encoded = character.encode_utf8(&mut buffer);
        // Either all bytes of a character are escaped, or none.
        if !encoded.bytes().fold(false, |any, byte| escape(byte, &mut out) | any) {
            out.push(character);
        }
        if out.len() > limits::max_string_bytes() {
            return Err(limit_error(Limit::String));
        }
    }
    Ok(Val::str(out))
}

/// Creates a string, unless it is too long.
fn bounded(text: String) -> ValR {
    match text.len() <= limits::max_string_bytes() {
        true => Ok(Val::str(text)),
        false => Err(limit_error(Limit::String)),
    }
}

/// Joins the texts of values with a separator.
fn joined(words: &[Val], separator: &str, word: impl Fn(&Val) -> Result<String, FilterError>) -> ValR {
    let mut out = String::new();
    for (index, value) in words.iter().enumerate() {
        let word = word(value)?;
        charge(1 + word.len() as u64 / 8)?;
        if out.len() + separator.len() + word.len() > limits::max_string_bytes() {
            return Err(limit_error(Limit::String));
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
    let invalid = || mismatch(&Val::str(encoded), "the encoding of a text for a URI");
    charge(encoded.len() as u64 / 8)?;
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
    let Val::Arr(cells) = value else { return Err(mismatch(value, "an array: a row is made of one")) };
    let cell = |cell: &Val| match cell {
        Val::Null => Ok(String::new()),
        Val::Str(text) => Ok(quote(text)),
        Val::Bool(_) | Val::Num(_) => cell.to_json(),
        Val::Arr(_) | Val::Obj(_) => {
            Err(mismatch(cell, "a cell: a row holds strings, numbers, booleans and nulls"))
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
            Err(mismatch(word, "a word of a command: those are strings, numbers, booleans and nulls"))
        }
        word => word.to_json(),
    };
    match value {
        Val::Arr(words) => joined(words, " ", word),
        value => joined(std::slice::from_ref(value), " ", word),
    }
}

/// A binary encoding as in jq: encoding adds padding, decoding accepts any padding or none, and any
/// bits after the last whole byte.
struct BinaryEncoding {
    name: &'static str,
    alphabet: &'static str,
    /// The numbers of bytes and of digits in a group.
    group: (usize, usize),
    encode: fn(&[u8]) -> String,
    /// Decodes digits without padding.
    decode: fn(&[u8]) -> Option<Vec<u8>>,
}

const BASE64: BinaryEncoding = BinaryEncoding {
    name: "base64",
    alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    group: (3, 4),
    encode: |bytes| STANDARD.encode(bytes),
    decode: |digits| LENIENT_BASE64.decode(digits).ok(),
};

const LENIENT_BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, NO_PAD.with_decode_allow_trailing_bits(true));

const BASE32: BinaryEncoding = BinaryEncoding {
    name: "base32",
    alphabet: base32::ALPHABET,
    group: (5, 8),
    encode: base32::encode,
    decode: base32::decode,
};

impl BinaryEncoding {
    fn encode(&self, value: &Val) -> ValR {
        let text = value.to_text()?;
        charge(text.len() as u64 / 8)?;
        let (bytes, digits) = self.group;
        match text.len().div_ceil(bytes) * digits <= limits::max_string_bytes() {
            true => Ok(Val::str((self.encode)(text.as_bytes()))),
            false => Err(limit_error(Limit::String)),
        }
    }

    fn decode(&self, value: &Val) -> ValR {
        let text = value.to_text()?;
        charge(text.len() as u64 / 2)?;
        let digits = text.trim_end_matches('=').as_bytes();
        match (self.decode)(digits) {
            Some(bytes) => bounded(text::lossy(&bytes).into_owned()),
            None if digits.iter().all(|byte| self.alphabet.as_bytes().contains(byte)) => {
                Err(mismatch(value, &format!("valid {}: a digit is left over", self.name)))
            }
            None => Err(mismatch(value, &format!("valid {}", self.name))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Decodes bit by bit. Fails with false for a digit outside the alphabet, and with true for a
    /// leftover digit.
    fn decode_bits(text: &str, encoding: &BinaryEncoding) -> Result<Vec<u8>, bool> {
        let digit_bits = encoding.alphabet.len().ilog2();
        let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
        for digit in text.trim_end_matches('=').chars() {
            bits = bits << digit_bits | encoding.alphabet.find(digit).ok_or(false)? as u32;
            count += digit_bits;
            if count >= 8 {
                count -= 8;
                bytes.push((bits >> count) as u8);
                bits &= (1 << count) - 1;
            }
        }
        if count >= digit_bits { Err(true) } else { Ok(bytes) }
    }

    proptest! {
        #[test]
        fn decoding_matches_a_decoder_of_bits(text in "[A-D2-5]{0,20}={0,9}|[A-Za-z2-7=+/é]{0,9}") {
            for encoding in [&BASE64, &BASE32] {
                let decoded = encoding.decode(&Val::str(&*text)).map_err(FilterError::into_val);
                match decode_bits(&text, encoding) {
                    Ok(bytes) => prop_assert_eq!(decoded, Ok(Val::str(String::from_utf8_lossy(&bytes)))),
                    Err(is_left_over) => {
                        let message = decoded.unwrap_err();
                        let message = message.as_str().unwrap();
                        let expected = format!("is not valid {}", encoding.name);
                        prop_assert!(message.contains(&expected), "{}", message);
                        prop_assert_eq!(message.contains("a digit is left over"), is_left_over, "{}", message);
                    }
                }
            }
        }

        #[test]
        fn encoded_text_decodes_to_itself(text in any::<String>()) {
            for encoding in [&BASE64, &BASE32] {
                let encoded = encoding.encode(&Val::str(&*text)).unwrap();
                prop_assert_eq!(encoding.decode(&encoded).unwrap(), Val::str(&*text));
            }
        }
    }
}
