//! Base64 as all of an output: one line replaces it.

mod outline;

pub use outline::outline;

use tuckaway_text::cut::head;

use crate::base64::{Form, note_of};
use crate::nested::Nested;

/// Returns whether an output is base64. Reads all of it only if its head is.
pub fn detect(bytes: &[u8]) -> bool {
    Form::of(bytes).is_some()
}

/// Truncates a text that is known to be base64: returns the line that replaces it, as far as
/// it fits.
pub fn truncate(text: &str, max: usize, nested: &dyn Nested) -> String {
    match Form::by_start(text.as_bytes()) {
        Some(form) => head(&note_of(&form, nested), max).to_owned(),
        None => crate::truncate::text::cut(text, max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base64::note;
    use crate::inspect::Table;
    use ::base64::prelude::*;
    use proptest::prelude::*;

    fn in_lines(text: &str, length: usize, end: &str) -> String {
        let lines = text.as_bytes().chunks(length).map(|line| std::str::from_utf8(line).unwrap());
        lines.collect::<Vec<_>>().join(end) + end
    }

    #[test]
    fn base64_is_detected_in_every_form() {
        let noise: Vec<u8> = (0..1_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let text = BASE64_STANDARD.encode(&noise);
        for written in [
            text.clone(),
            text.trim_end_matches('=').replace('+', "-").replace('/', "_"),
            in_lines(&text, 76, "\n"),
            in_lines(&text, 64, "\r\n"),
            format!("data:application/octet-stream;base64,{text}"),
            format!("-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n", in_lines(&text, 64, "\n")),
        ] {
            assert!(detect(written.as_bytes()), "{written}");
        }
    }

    #[test]
    fn texts_that_look_like_base64_are_not_detected() {
        for text in [
            "/usr/local/lib/Python3/".repeat(20),
            "0123456789abcdef".repeat(20),
            "ACGT".repeat(100),
            "3141592653".repeat(20),
            "thisIsAVeryLongNameOfAFunction".repeat(9),
            "FirstName1\nLastName2\nStreet3\n".repeat(20),
            "data:text/plain,hello there".to_owned(),
            "data:text/plain;base64,but then come words".to_owned(),
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSome words that count.\n".to_owned(),
            "Zm9v".to_owned(),
            String::new(),
        ] {
            assert!(!detect(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMIIEow==\n-----END RSA PRIVATE KEY-----\n";
        let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
        let both = [key, certificate, certificate].concat();
        assert_eq!(
            note(both.as_bytes(), &Table).unwrap(),
            "[PEM: 1 RSA PRIVATE KEY, 2 CERTIFICATE, 238 bytes, not shown]"
        );
        assert_eq!(truncate(&both, 10, &Table), "[PEM: 1 RS");
    }

    proptest! {
        #[test]
        fn any_bytes_are_bounded(bytes in proptest::collection::vec(any::<u8>(), 0..400), max in 1usize..100) {
            let text = BASE64_STANDARD.encode(&bytes);
            let cut = truncate(&text, max, &Table);
            prop_assert!(cut.len() <= max);
            prop_assert!(detect(&bytes) == note(&bytes, &Table).is_some());
            let json = outline(&bytes, &Table).to_json(400, &crate::outline::Layout::ONE_LINE);
            prop_assert!(json.len() <= 400);
        }

        #[test]
        fn prose_is_not_detected(text in "([A-Za-z0-9]{1,12}[ .,]){20,60}") {
            prop_assert!(!detect(text.as_bytes()));
        }
    }
}
