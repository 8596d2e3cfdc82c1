//! Which kinds are claimed of samples that are cut, coloured or framed by other lines, and
//! of random bytes.

use tuckaway_host_test::confusion::{name_of, random_strings, random_texts};

#[test]
fn random_bytes_are_of_no_kind() {
    for bytes in random_strings().chain(random_texts()) {
        let detected = name_of(tuckaway_content::detect(&bytes, None));
        let is_json = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
        let is_none = ["text", "binary"].contains(&&*detected) || is_json && detected == "json";
        assert!(is_none, "{detected}: {}", bytes.escape_ascii());
    }
}
