//! The lines in which two texts differ, as a unified diff without context. Myers' greedy algorithm
//! ("An O(ND) Difference Algorithm and Its Variations", 1986), for texts that hardly differ.

use std::ops::Range;

/// Maximum lines between the common start and the common end of two texts.
const MAX_LINES: usize = 2_000;
/// Maximum bytes of a text.
const MAX_BYTES: usize = 256 << 10;

/// Lines of the old text, and lines of the new text in their place. One of the two may be empty.
type Change = (Range<usize>, Range<usize>);

/// Returns the lines that were removed and added, as hunks such as `@@ -3,2 +3 @@`, each line with a
/// line feed. A text that ends with a line feed has an empty last line. None if more than `max` lines
/// were removed and added, or if the texts are larger than a bounded comparison allows.
pub fn changed_lines(old: &str, new: &str, max: usize) -> Option<String> {
    if old.len().max(new.len()) > MAX_BYTES {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    if old_rest.len().max(new_rest.len()) > MAX_LINES {
        return None;
    }
    let mut text = String::new();
    for (removed, added) in changes(old_rest, new_rest, max)? {
        let (removed, added) = (shifted(removed, start), shifted(added, start));
        text.push_str(&format!("@@ -{} +{} @@\n", span(&removed), span(&added)));
        old[removed].iter().for_each(|line| text.extend(["-", line, "\n"]));
        new[added].iter().for_each(|line| text.extend(["+", line, "\n"]));
    }
    Some(text)
}

/// Returns the changes that turn one list of lines into another, in order. None if they have more than
/// `max` lines.
fn changes(old: &[&str], new: &[&str], max: usize) -> Option<Vec<Change>> {
    let at = |diagonal: isize| diagonal.wrapping_add_unsigned(max + 1) as usize;
    // The number of old lines done on each diagonal: on diagonal `k`, `k` more old lines are done
    // than new ones.
    let mut reached = vec![0; 2 * max + 3];
    let mut rounds = Vec::new();
    for round in 0..=max as isize {
        rounds.push(reached.clone());
        for diagonal in (-round..=round).step_by(2) {
            let from = origin(&rounds[round as usize], &at, diagonal, round);
            let mut done = reached[at(from)] + usize::from(from < diagonal);
            while let (Some(old), Some(new)) = (old.get(done), new.get(done.wrapping_add_signed(-diagonal)))
                && old == new
            {
                done += 1;
            }
            reached[at(diagonal)] = done;
            if done >= old.len() && done.wrapping_add_signed(-diagonal) >= new.len() {
                return Some(path(&rounds, &at, (old.len(), new.len())));
            }
        }
    }
    None
}

/// Returns the diagonal from which a round reaches this one: the next one by adding a line, or the one
/// before by removing a line, whichever is further.
fn origin(reached: &[usize], at: &dyn Fn(isize) -> usize, diagonal: isize, round: isize) -> isize {
    let adds =
        diagonal == -round || diagonal != round && reached[at(diagonal - 1)] < reached[at(diagonal + 1)];
    if adds { diagonal + 1 } else { diagonal - 1 }
}

/// Goes back from the end through the positions that each round had reached, and returns the
/// changes.
fn path(rounds: &[Vec<usize>], at: &dyn Fn(isize) -> usize, end: (usize, usize)) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut diagonal = end.0 as isize - end.1 as isize;
    for (round, reached) in rounds.iter().enumerate().skip(1).rev() {
        let from = origin(reached, at, diagonal, round as isize);
        let old = reached[at(from)];
        let new = old.wrapping_add_signed(-from);
        let (removed, added) = if from < diagonal { (1, 0) } else { (0, 1) };
        diagonal = from;
        match changes.last_mut().filter(|(next, _)| next.start == old + removed) {
            // Only equal lines are between two changes that do not meet in both texts.
            Some((next, next_added)) if next_added.start == new + added => {
                (next.start, next_added.start) = (old, new);
            }
            _ => changes.push((old..old + removed, new..new + added)),
        }
    }
    changes.reverse();
    changes
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Returns the first line and the number of lines, as a hunk has them: an empty range is after a line.
fn span(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hunks_are_those_of_a_unified_diff_without_context() {
        for (old, new, diff) in [
            ("a\nb\nc", "a\nB\nc", "@@ -2 +2 @@\n-b\n+B\n"),
            ("a\nb\nc\nd", "a\nd", "@@ -2,2 +1,0 @@\n-b\n-c\n"),
            ("a\nd", "a\nb\nc\nd", "@@ -1,0 +2,2 @@\n+b\n+c\n"),
            ("a\nb\nc", "x\nb\ny", "@@ -1 +1 @@\n-a\n+x\n@@ -3 +3 @@\n-c\n+y\n"),
            ("a", "a\n", "@@ -1,0 +2 @@\n+\n"),
            ("same", "same", ""),
        ] {
            assert_eq!(changed_lines(old, new, 4).as_deref(), Some(diff), "{old:?} {new:?}");
        }
    }

    #[test]
    fn texts_that_differ_much_or_are_large_are_not_compared() {
        assert_eq!(changed_lines("a\nb\nc", "x\ny\nz", 5), None);
        assert!(changed_lines("a\nb\nc", "x\ny\nz", 6).is_some());
        let large = "x".repeat(MAX_BYTES);
        assert!(changed_lines(&large, &format!("y{}", &large[1..]), 2).is_some());
        assert_eq!(changed_lines(&large, &format!("{large}y"), 2), None);
        let many = |end: &str| format!("{end}\n{}{end}", "\n".repeat(MAX_LINES));
        assert_eq!(changed_lines(&many("a"), &many("b"), 4), None);
    }

    /// Applies hunks to the old lines.
    fn applied(old: &str, hunks: &str) -> String {
        let old: Vec<&str> = old.split('\n').collect();
        let (mut new, mut done) = (Vec::new(), 0);
        for line in hunks.lines() {
            if let Some(removed) = line.strip_prefix('-') {
                assert_eq!(removed, old[done]);
                done += 1;
            } else if let Some(added) = line.strip_prefix('+') {
                new.push(added);
            } else {
                let (span, _) = line.strip_prefix("@@ -").unwrap().split_once(" +").unwrap();
                let (first, count) = span.split_once(',').unwrap_or((span, "1"));
                let first: usize = first.parse().unwrap();
                let start = if count == "0" { first } else { first - 1 };
                new.extend_from_slice(&old[done..start]);
                done = start;
            }
        }
        new.extend_from_slice(&old[done..]);
        new.join("\n")
    }

    proptest! {
        #[test]
        fn hunks_make_the_new_text_of_the_old(old in "[ab\n]{0,30}", new in "[ab\n]{0,30}", max in 0..70usize) {
            match changed_lines(&old, &new, max) {
                Some(hunks) => prop_assert_eq!(applied(&old, &hunks), new),
                None => prop_assert!(max < 62),
            }
        }

        #[test]
        fn few_lines_that_differ_are_found(lines in prop::collection::vec("[a-c]{0,2}", 1..80), at in any::<prop::sample::Index>()) {
            let mut other = lines.clone();
            other[at.index(lines.len())] = "other".to_owned();
            let hunks = changed_lines(&lines.join("\n"), &other.join("\n"), 2).unwrap();
            prop_assert_eq!(hunks.lines().count(), 3);
        }
    }
}
