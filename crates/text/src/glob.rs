//! Globs over names.

/// Maximum bytes of a glob.
const MAX_GLOB_BYTES: usize = 256;

/// Returns the reason why a glob is invalid, as part of a sentence; none if it is valid.
pub fn violation(glob: &str) -> Option<String> {
    match glob.len() {
        0 => Some("its glob is empty; write * for all tools.".to_owned()),
        1..=MAX_GLOB_BYTES => None,
        length => Some(format!("its glob has {length} bytes; at most {MAX_GLOB_BYTES} are allowed.")),
    }
}

/// Matches a name against a glob: `*` matches any run of characters, `?` one character, everything
/// else itself. The number of steps is at most the product of the lengths.
pub fn matches(glob: &str, name: &str) -> bool {
    let (mut glob_rest, mut name_rest) = (glob.chars(), name.chars());
    // If the pattern after the last star does not match, the star takes one more
    // character.
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let (mut after_glob, mut after_name) = (glob_rest.clone(), name_rest.clone());
        match (after_glob.next(), after_name.next()) {
            (Some('*'), _) => {
                retry = Some((after_glob.clone(), name_rest.clone()));
                glob_rest = after_glob;
                continue;
            }
            (Some('?'), Some(_)) => (glob_rest, name_rest) = (after_glob, after_name),
            (Some(wanted), Some(found)) if wanted == found => {
                (glob_rest, name_rest) = (after_glob, after_name)
            }
            (None, None) => return true,
            _ => {
                let Some((after_star, mut taken)) = retry.take() else { return false };
                if taken.next().is_none() {
                    return false;
                }
                (glob_rest, name_rest) = (after_star.clone(), taken.clone());
                retry = Some((after_star, taken));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;
    use proptest::prelude::*;

    #[test]
    fn globs_match() {
        for (glob, name, expected) in [
            ("sql_*", "sql_query", true),
            ("sql_*", "sql_", true),
            ("sql_*", "mysql_query", false),
            ("*", "", true),
            ("?", "é", true),
            ("?", "", false),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("[a]", "[a]", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(glob, name), expected, "{glob} {name}");
        }
    }

    proptest! {
        #[test]
        fn globs_match_like_their_definition(glob in "[ab*?]{0,8}", name in "[ab]{0,10}") {
            fn reference(glob: &[u8], name: &[u8]) -> bool {
                match (glob.split_first(), name.split_first()) {
                    (None, None) => true,
                    (Some((b'*', rest)), _) => (0..=name.len()).any(|taken| reference(rest, &name[taken..])),
                    (Some((b'?', rest)), Some((_, name))) => reference(rest, name),
                    (Some((g, rest)), Some((n, name))) => g == n && reference(rest, name),
                    _ => false,
                }
            }
            prop_assert_eq!(matches(&glob, &name), reference(glob.as_bytes(), name.as_bytes()));
        }
    }
}
