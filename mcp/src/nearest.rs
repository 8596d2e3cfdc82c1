//! The known name that was probably meant by an unknown one.

/// The maximum length of a name that is compared: the time grows with its square.
const MAX_CHARS: usize = 128;

/// Returns the known name that was probably meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let simple = |text: &str| text.to_lowercase().replace(['-', '_'], "");
    let name = simple(name);
    let length = name.chars().count();
    let comparable = |known: &&str| length.max(known.len()) <= MAX_CHARS;
    let known = known.into_iter().filter(comparable);
    let near = known.map(|known| (distance(&name, &simple(known)), known)).min()?;
    (near.0 <= length.div_ceil(3)).then_some(near.1)
}

/// Returns how many characters differ between two names: Levenshtein's distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, from) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, to) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["command", "args", "env", "cap", "file_cap", "max_result"];
        for (name, near) in [
            ("comand", Some("command")),
            ("arguments", None),
            ("arg", Some("args")),
            ("fileCap", Some("file_cap")),
            ("max-results", Some("max_result")),
            ("cpa", None),
            ("zzz", None),
        ] {
            assert_eq!(nearest(name, known), near, "{name}");
        }
        assert_eq!(nearest(&"c".repeat(1_000), ["c"]), None);
        assert_eq!((distance("", "abc"), distance("kitten", "sitting"), distance("a", "a")), (3, 3, 0));
    }
}
