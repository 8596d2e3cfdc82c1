//! Ids of artifacts.

use tuckaway_contract::StoreError;

/// The maximum length of an id.
const MAX_ID: usize = 64;

/// The number of random characters in an id: with 36^10 ids for each slug, no id can be
/// guessed, and none is minted twice.
const RANDOM: usize = 10;

/// The number of random characters in the ids of stores that cannot check whether an id is
/// taken.
pub const LONG: usize = 16;

const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// Mints a new id for an output of `tool`, which may be any text:
/// `art_sql_query_9k2x7m4q1c`. Fails only if the system provides no random bytes.
///
/// ```
/// let id = tuckaway_stores::mint("SQL query!").unwrap();
/// assert!(id.starts_with("art_sql_query_"));
/// assert!(tuckaway_contract::is_artifact_id(&id));
/// ```
pub fn mint(tool: &str) -> Result<String, StoreError> {
    mint_with(tool, RANDOM)
}

/// Mints an id with this many random characters.
pub fn mint_with(tool: &str, random: usize) -> Result<String, StoreError> {
    let mut id = format!("art_{}_", slug(tool, MAX_ID - "art__".len() - random));
    let mut drawn = 0;
    while drawn < random {
        // 252 is the largest multiple of 36 in a byte: with larger values, some characters
        // would be likelier than others.
        for byte in random_bytes()?.into_iter().filter(|byte| *byte < 252).take(random - drawn) {
            id.push(char::from(ALPHABET[usize::from(byte % 36)]));
            drawn += 1;
        }
    }
    Ok(id)
}

/// Returns random bytes of the system.
pub(crate) fn random_bytes() -> Result<[u8; 16], StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Other(format!("the system provides no random bytes: {error}")))?;
    Ok(bytes)
}

/// Returns whether an id could have been minted here: when a store cleans up, it touches no
/// other files.
pub(crate) fn is_minted(id: &str) -> bool {
    let Some((slug, random)) = id.strip_prefix("art_").and_then(|rest| rest.rsplit_once('_')) else {
        return false;
    };
    // Capitals are excluded: a file system that ignores case would find the files of other ids.
    let of_slug = |byte: u8| byte == b'_' || ALPHABET.contains(&byte);
    !slug.is_empty()
        && slug.bytes().all(of_slug)
        && [RANDOM, LONG].contains(&random.len())
        && random.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// Converts a tool's name to at most `most` lowercase ASCII letters, digits and single
/// underscores.
fn slug(tool: &str, most: usize) -> String {
    let mut slug = String::new();
    for byte in tool.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => slug.push(char::from(byte.to_ascii_lowercase())),
            false if !slug.is_empty() && !slug.ends_with('_') => slug.push('_'),
            false => {}
        }
        if slug.len() == most {
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
    fn any_text_has_a_slug() {
        assert_eq!(slug("sql_query", 49), "sql_query");
        assert_eq!(slug("  Web.Fetch -- v2/  ", 49), "web_fetch_v2");
        assert_eq!(slug("../../etc/passwd\0", 49), "etc_passwd");
        for empty in ["", "___", "日本語", "\0\n"] {
            assert_eq!(slug(empty, 49), "tool_output");
        }
        assert_eq!(slug(&"x".repeat(1000), 49).len(), 49);
    }

    #[test]
    fn ids_fit_the_grammar_and_differ() {
        for tool in ["", "sql", &"long ".repeat(100), "🦀"] {
            let id = mint(tool).unwrap();
            assert!(tuckaway_contract::is_artifact_id(&id) && is_minted(&id), "{id}");
            assert_ne!(id, mint(tool).unwrap());
            let long = mint_with(tool, LONG).unwrap();
            assert!(tuckaway_contract::is_artifact_id(&long) && is_minted(&long), "{long}");
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
