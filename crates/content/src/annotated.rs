//! Texts that quote the lines of another text and add something to each: `git blame`, `diff -y`,
//! parts of a diff. They have the marks of the other text, but are not of its
//! kind.

use tuckaway_search::find;

use crate::line::is_fenced;
use crate::sample::Sample;

/// Lines of the head that are inspected.
const LINES: usize = 300;

/// Returns whether a text only quotes lines of another one.
pub fn is_annotated(sample: &Sample) -> bool {
    is_blame(sample) || is_comparison(sample)
}

/// Returns whether lines have the form of `git blame`: each with the hash of a commit
/// before its author and time, in brackets.
pub fn is_blame(sample: &Sample) -> bool {
    const LEAST_DIGITS: usize = 7;
    let (mut blamed, mut lines) = (0, 0);
    for (_, line) in sample.visible_lines().take(LINES) {
        let line = line.strip_prefix(b"^").unwrap_or(&line);
        let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let names_author = || line.get(digits) == Some(&b' ') && has_author_and_date(&line[digits..]);
        lines += 1;
        blamed += usize::from(digits >= LEAST_DIGITS && names_author());
    }
    blamed * 2 > lines
}

/// Returns whether a line has an author, a date and the number of a line in brackets.
fn has_author_and_date(line: &[u8]) -> bool {
    const DATE: &[u8] = b"0000-00-00";
    let Some((open, close)) = find::byte(b'(', line).zip(find::byte(b')', line)) else { return false };
    let inside = line.get(open..close).unwrap_or_default();
    let is_date = |date: &[u8]| {
        date.iter()
            .zip(DATE)
            .all(|(byte, form)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form })
    };
    inside.last().is_some_and(u8::is_ascii_digit) && inside.windows(DATE.len()).any(is_date)
}

/// Returns whether a text is a context diff, has hunks of a diff, or shows two files side by
/// side as `diff -y` does: a third of the lines are the same text twice, or marked as
/// different.
fn is_comparison(sample: &Sample) -> bool {
    let mut lines = sample.lines();
    let is = |line: Option<&str>, start| line.is_some_and(|line| line.starts_with(start));
    let first = lines.next();
    if is(first, "*** ") && is(lines.next(), "--- ") {
        return true;
    }
    let (mut beside, mut hunks, mut changed, mut all) = (0, 0, 0, 0);
    for line in sample.lines().take(LINES).filter(|line| !line.trim().is_empty()) {
        all += 1;
        beside += usize::from(is_beside(line));
        hunks += usize::from(line.starts_with("@@ -"));
        changed += usize::from(line.starts_with(['+', '-']));
    }
    // Other texts quote a hunk or two.
    let is_part = || changed * 5 >= all && !is_fenced(&sample.head);
    let is_diff = hunks > 0 && (is(first, "diff --") || is(first, "commit ") || is_part());
    is_diff || beside >= 3 && beside * 3 >= all
}

/// Returns whether a line is a text, tabs or spaces, and the same text again, or is marked as
/// belonging to one file only.
fn is_beside(line: &str) -> bool {
    /// A wide screen has fewer.
    const WIDEST: usize = 400;
    let marked = line.trim_start();
    if line.ends_with(" <") || line.contains(" |\t") || marked.len() < line.len() && marked.starts_with(">\t")
    {
        return true;
    }
    let line = line.trim();
    let (one, gap) = match line.split_once('\t') {
        Some((one, rest)) => (one.trim_end(), rest),
        None => match line.split_once("   ") {
            Some((one, rest)) => (one, rest),
            None => return false,
        },
    };
    line.len() <= WIDEST && !one.is_empty() && gap.trim_start() == one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_another_text_are_annotated() {
        let blame = "^d2537ce (Ada Byron 2026-11-21 22:04:26 +0000  1) [a](b)\n197a1f10 (Ada Byron 2026-11-22 21:25:01 +0000  2) [c](d)\n";
        let coloured = blame.replace("^d", "\x1b[33m^d").replace("]\n", "]\x1b[0m\n");
        for text in [
            blame,
            &coloured,
            "import os\t\t\t\timport os\n\ndef f(a):\t\t\t |\tdef f(b):\n    return a\t\t\t    return a\nclass A:\t\t\t\tclass A:\n",
            "# Title\t\t\t\t# Title\n\n## Use\t\t\t      <\n- one\t\t\t      <\n- two\t\t\t      <\n\t\t\t      >\t- three\n",
            "*** a.py\t2026-01-01\n--- b.py\t2026-01-02\n***************\n*** 1,4 ****\n  import os\n\n! def f(a):\n      return 1\n",
            "\x1b[1mdiff --git a/a.md b/a.md\x1b[m\n\x1b[36m@@ -1,3 +1,3 @@\x1b[m\n# Title\n- \x1b[31mone\x1b[m\x1b[32mtwo\x1b[m\n```\n```\n",
        ] {
            assert!(is_annotated(&Sample::of(text.as_bytes())), "{text}");
        }
        for text in [
            "2026-11-21 22:04:26 a (b)\n2026-11-21 22:04:26 a (b)\n",
            "17000001 Alice (admin),x1,1\n17000002 Bob (user),x2,2\n",
            "import a\n\nPATCH = \"\"\"\\\n@@ -1,1 +1,1 @@\n-a\n+b\n\"\"\"\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n\nclass A:\n    pass\n",
            "# Title\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\n\n| a | a |\n|---|---|\n",
            "a <\nb\nc\nd\ne\nf\ng\nh\ni\nj\n",
        ] {
            assert!(!is_annotated(&Sample::of(text.as_bytes())), "{text}");
        }
    }
}
