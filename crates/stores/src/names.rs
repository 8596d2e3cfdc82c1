//! Names of sessions.

use tuckaway_contract::StoreError;

/// The maximum length of a session's name.
const MAX_NAME_BYTES: usize = 64;

/// Fails for a name that no session can have.
pub fn check_name(name: &str) -> Result<(), StoreError> {
    match is_session_name(name) {
        true => Ok(()),
        false => Err(StoreError::Other(format!(
            "the name of a session must have 1 to {MAX_NAME_BYTES} characters from a-z, 0-9, '_' and '-', not {:?}",
            tuckaway_text::cut::head(name, 100)
        ))),
    }
}

/// Returns whether a session can have this name.
pub fn is_session_name(name: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_paths_and_keys() {
        for name in ["a", "chat-42", "user_1", "0", &"x".repeat(64)] {
            assert!(is_session_name(name), "{name}");
        }
        for name in ["", ".", "..", "a/b", "a\\b", "A", "é", "a b", "a.b", "nul\0", &"x".repeat(65)] {
            assert!(!is_session_name(name), "{name}");
            assert!(matches!(check_name(name), Err(StoreError::Other(_))));
        }
    }
}
