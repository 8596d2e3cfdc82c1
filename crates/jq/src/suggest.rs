//! Suggestions for names that are not defined.

use tuckaway_text::counted;

/// Longest name in bytes that is compared with others.
const MAX_NAME_BYTES: usize = 32;

/// Returns a sentence about the defined filter that is nearest to a name: one of the same name with
/// other arguments, or one with a similar name.
pub(crate) fn nearest<'d>(name: &str, defined: impl Iterator<Item = (&'d str, usize)>) -> Option<String> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let (mut arities, mut best) = (Vec::new(), None);
    for (other, arity) in defined.filter(|(other, _)| !other.starts_with(['!', '_'])) {
        if other == name {
            arities.push(arity);
        }
        if let Some(distance) = near_distance(name, other)
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, other));
        }
    }
    arities.sort();
    arities.dedup();
    match (&arities[..], best) {
        ([], None) => None,
        ([], Some((_, other))) => Some(format!("The nearest is `{other}`.")),
        ([arity], _) => Some(format!("`{name}` takes {}.", arguments(*arity))),
        ([few @ .., most], _) => {
            let few: Vec<String> = few.iter().map(usize::to_string).collect();
            Some(format!("`{name}` takes {} or {}.", few.join(", "), arguments(*most)))
        }
    }
}

/// Returns the edit distance of two names if it is at most a third of the first one's length, or
/// one if that is short.
pub(crate) fn near_distance(name: &str, other: &str) -> Option<usize> {
    let max = (name.len() / 3).max(1);
    let may_be_near = name.len() <= MAX_NAME_BYTES && name.len().abs_diff(other.len()) <= max;
    let distance = may_be_near.then(|| edit_distance(name, other));
    distance.filter(|distance| *distance <= max && *distance < name.len())
}

fn arguments(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_owned(),
        _ => counted(arity as u64, "argument"),
    }
}

/// Returns how many letters to insert, delete or replace.
fn edit_distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, a) in from.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], above + 1);
        for (left, b) in to.bytes().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[left + 1];
            row[left + 1] = changed.min(diagonal + 1).min(row[left] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let defined =
            [("map", 1), ("limit", 2), ("test", 1), ("test", 2), ("ascii_downcase", 0), ("_path", 0)];
        let nearest = |name| nearest(name, defined.into_iter()).unwrap_or_default();
        assert_eq!(nearest("mp"), "The nearest is `map`.");
        assert_eq!(nearest("limits"), "The nearest is `limit`.");
        assert_eq!(nearest("asciidowncase"), "The nearest is `ascii_downcase`.");
        assert_eq!(nearest("test"), "`test` takes 1 or 2 arguments.");
        assert_eq!(nearest("ascii_downcase"), "`ascii_downcase` takes no arguments.");
        assert_eq!(nearest("_pat"), "");
        assert_eq!(nearest("frobnicate"), "");
        assert_eq!(nearest(&"limit".repeat(9)), "");
    }
}
