//! The scanner accepts the language of serde_json, and more only as documented.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tuckaway_json::scan::Scanner;

fuzz_target!(|bytes: &[u8]| {
    let mut scanner = Scanner::new(bytes);
    let mut documents = 0;
    let ours = loop {
        match scanner.next_token() {
            Ok(Some(token)) => {
                assert!(token.start < token.end && token.end <= bytes.len() as u64);
                documents += u64::from(scanner.depth() == 0);
            }
            Ok(None) => break true,
            Err(error) => {
                assert!(error.offset <= bytes.len() as u64);
                break false;
            }
        }
    };
    // serde_json refuses invalid UTF-8 and a byte order mark.
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.starts_with('\u{feff}')
    {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        assert_eq!(ours && documents == 1, theirs);
    }
});
