//! Names for artifacts.

use tuckaway::StoreError;

/// Bytes of a tool's name that go into an id: with `art_`, `_` and the random
/// characters that makes 64 at most.
const MAX_SLUG: usize = 49;

/// Random characters in an id: 36^10 ids to a slug, so that none is guessed and
/// none is minted twice.
const RANDOM: usize = 10;

const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// A new id for an output of `tool`, which may be any text:
/// `art_sql_query_9k2x7m4q1c`. Fails only if the system has no randomness to give.
///
/// ```
/// let id = tuckaway_host::store::mint("SQL query!").unwrap();
/// assert!(id.starts_with("art_sql_query_"));
/// assert!(tuckaway_host::is_artifact_id(&id));
/// ```
pub fn mint(tool: &str) -> Result<String, StoreError> {
    let mut id = format!("art_{}_", slug(tool));
    let mut drawn = 0;
    while drawn < RANDOM {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| StoreError::Other(format!("the system gives no random bytes: {error}")))?;
        // 252 is the largest multiple of 36 in a byte: above it some characters
        // would be likelier than others.
        for byte in bytes.into_iter().filter(|byte| *byte < 252).take(RANDOM - drawn) {
            id.push(char::from(ALPHABET[usize::from(byte % 36)]));
            drawn += 1;
        }
    }
    Ok(id)
}

/// Whether an id could have come from [`mint`]; a store that cleans up touches
/// no other file.
pub(super) fn is_minted(id: &str) -> bool {
    let Some((slug, random)) = id.strip_prefix("art_").and_then(|rest| rest.rsplit_once('_')) else {
        return false;
    };
    // Never in capitals: a file system that ignores case would find another's files.
    let of_slug = |byte: u8| byte == b'_' || ALPHABET.contains(&byte);
    !slug.is_empty()
        && slug.bytes().all(of_slug)
        && random.len() == RANDOM
        && random.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// A tool's name in lowercase ASCII letters, digits and single underscores.
fn slug(tool: &str) -> String {
    let mut slug = String::new();
    for byte in tool.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => slug.push(char::from(byte.to_ascii_lowercase())),
            false if !slug.is_empty() && !slug.ends_with('_') => slug.push('_'),
            false => {}
        }
        if slug.len() == MAX_SLUG {
            break;
        }
    }
    match slug.trim_end_matches('_') {
        "" => "tool_output".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_made_of_any_text() {
        assert_eq!(slug("sql_query"), "sql_query");
        assert_eq!(slug("  Web.Fetch -- v2/  "), "web_fetch_v2");
        assert_eq!(slug("../../etc/passwd\0"), "etc_passwd");
        for empty in ["", "___", "日本語", "\0\n"] {
            assert_eq!(slug(empty), "tool_output");
        }
        assert_eq!(slug(&"x".repeat(1000)).len(), MAX_SLUG);
    }

    #[test]
    fn ids_fit_the_grammar_and_differ() {
        for tool in ["", "sql", &"long ".repeat(100), "🦀"] {
            let id = mint(tool).unwrap();
            assert!(tuckaway::is_artifact_id(&id) && is_minted(&id), "{id}");
            assert_ne!(id, mint(tool).unwrap());
        }
    }

    #[test]
    fn other_names_were_not_minted_here() {
        for name in [
            "Makefile",
            "art_",
            "art__0123456789",
            "art_sql_012345678",
            "art_sql_012345678Z",
            "art_SQL_0123456789",
        ] {
            assert!(!is_minted(name), "{name}");
        }
    }
}
