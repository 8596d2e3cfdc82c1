//! Classifies the lines of a diff.

use tuckaway_text::lossy;

use super::words;
use crate::line::excerpt;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffLine<'a> {
    /// The first of a file's header.
    File {
        /// The name of the file, without its prefix.
        name: &'a [u8],
    },
    /// Another of a file's header.
    Header,
    /// The head of a hunk: `@@ -1,4 +1,5 @@ fn main()`, or `3,4c3` of a plain diff.
    Hunk,
    /// In a hunk, a line that was added.
    Added,
    /// In a hunk, a line that was removed.
    Removed,
    /// In a hunk, any other line.
    Context,
    /// The first of a commit: of a log, `commit 3f2a9c1`, or of a mailbox, `From 3f2a9c1 …`.
    Commit,
    /// In a hunk of a diff by words, a line with removed and added words.
    Changed,
    /// Not part of a diff: a commit's message, text between patches.
    Other,
}

/// Walks over the lines of a diff and classifies each by its start. The head of a hunk states its
/// number of lines; none of them is taken for a header.
#[derive(Default)]
pub struct DiffWalker {
    /// Lines of the old file that the hunk still has.
    old: u64,
    /// Lines of the new file that the hunk still has.
    new: u64,
    /// In a merge's hunk, the number of columns of marks. It ends with the first
    /// line without marks.
    merged: usize,
    /// A file's header has begun, and no hunk yet.
    in_header: bool,
    /// In a hunk of a plain diff: `<` and `>` mark its lines.
    plain: bool,
    /// The diff is one by words: its lines have no mark at the start.
    pub by_words: bool,
    /// Hunks so far in which a line has no mark.
    pub broken: usize,
    /// Removed and added lines so far, in excess of the number in the head of the hunk.
    pub surplus: usize,
    /// In a hunk of a diff by words, which ends with the next header.
    in_words: bool,
}

impl DiffWalker {
    /// Creates a walker for the lines of a diff.
    pub fn of(diff: &[u8]) -> Self {
        DiffWalker { by_words: words::is_by_words(diff), ..DiffWalker::default() }
    }

    /// Classifies a line. `next` is the line after it; both are without line feeds.
    pub fn step<'a>(&mut self, line: &'a [u8], next: &'a [u8]) -> DiffLine<'a> {
        let first = line.first().copied().unwrap_or(b' ');
        if let Some(step) = self.in_hunk(line, first) {
            return step;
        }
        match first {
            b'd' | b'-' | b'I' | b'*' => self.file(line, next),
            b'0'..=b'9' if is_change(line, next) => {
                (self.plain, self.in_header) = (true, false);
                DiffLine::Hunk
            }
            b'@' => self.hunk(line),
            b'c' | b'F' if is_commit(line) => {
                self.in_header = false;
                DiffLine::Commit
            }
            b'\\' => DiffLine::Context,
            _ if self.in_header && is_header(line) => DiffLine::Header,
            _ => DiffLine::Other,
        }
    }

    /// Classifies a line of a hunk; none if the hunk has ended.
    fn in_hunk(&mut self, line: &[u8], first: u8) -> Option<DiffLine<'static>> {
        if self.in_words {
            self.in_words = !(line.starts_with(b"diff --") || line.starts_with(b"@@ ") || is_commit(line));
            if self.in_words {
                return Some(of_words(line));
            }
        }
        if self.old > 0 || self.new > 0 {
            match first {
                b' ' | b'\r' => {
                    self.old = self.old.saturating_sub(1);
                    self.new = self.new.saturating_sub(1);
                    return Some(DiffLine::Context);
                }
                b'+' => {
                    self.surplus += usize::from(self.new == 0);
                    self.new = self.new.saturating_sub(1);
                    return Some(DiffLine::Added);
                }
                b'-' => {
                    self.surplus += usize::from(self.old == 0);
                    self.old = self.old.saturating_sub(1);
                    return Some(DiffLine::Removed);
                }
                b'\\' => return Some(DiffLine::Context),
                // The hunk ends early. The line is right, the count in the head wrong.
                _ => {
                    (self.old, self.new) = (0, 0);
                    let heads: [&[u8]; 4] = [b"diff ", b"@@ ", b"Index: ", b"commit "];
                    self.broken += usize::from(!heads.iter().any(|head| line.starts_with(head)));
                }
            }
        }
        if self.merged > 0 {
            match first {
                b' ' | b'+' | b'-' | b'\\' => {
                    let marks = &line[..line.len().min(self.merged)];
                    return Some(match (marks.contains(&b'+'), marks.contains(&b'-')) {
                        (true, _) => DiffLine::Added,
                        (_, true) => DiffLine::Removed,
                        _ => DiffLine::Context,
                    });
                }
                _ => self.merged = 0,
            }
        }
        if self.plain {
            match first {
                b'<' => return Some(DiffLine::Removed),
                b'>' => return Some(DiffLine::Added),
                b'-' if line == b"---" => return Some(DiffLine::Context),
                b'\\' => return Some(DiffLine::Context),
                _ => self.plain = false,
            }
        }
        None
    }

    fn file<'a>(&mut self, line: &'a [u8], next: &'a [u8]) -> DiffLine<'a> {
        let names = line
            .strip_prefix(b"diff --git ")
            .or_else(|| line.strip_prefix(b"diff --cc "))
            .or_else(|| line.strip_prefix(b"diff --combined "))
            .or_else(|| line.strip_prefix(b"Index: "))
            .or_else(|| line.strip_prefix(b"diff -"));
        if let Some(names) = names {
            self.in_header = true;
            return DiffLine::File { name: last_name(names) };
        }
        if let Some(old) = line.strip_prefix(b"--- ")
            && let Some(new) = next.strip_prefix(b"+++ ")
        {
            if self.in_header {
                return DiffLine::Header;
            }
            self.in_header = true;
            let name = if file_name(new) == b"/dev/null" { file_name(old) } else { file_name(new) };
            return DiffLine::File { name };
        }
        if self.in_header && is_header(line) { DiffLine::Header } else { DiffLine::Other }
    }

    fn hunk<'a>(&mut self, line: &'a [u8]) -> DiffLine<'a> {
        let marks = line.iter().take_while(|&&byte| byte == b'@').count();
        let ranges: Vec<&[u8]> = line[marks..]
            .split(|&byte| byte == b' ')
            .filter(|part| !part.is_empty())
            .take(marks + 1)
            .collect();
        let closed =
            ranges.last().is_some_and(|last| last.len() >= marks && last[..marks].iter().all(|&b| b == b'@'));
        let lengths: Option<Vec<u64>> = ranges.iter().take(marks).map(|range| length(range)).collect();
        match (lengths, marks) {
            (Some(lengths), 2) if closed && lengths.len() == 2 && self.by_words => self.in_words = true,
            (Some(lengths), 2) if closed && lengths.len() == 2 => {
                (self.old, self.new) = (lengths[0], lengths[1])
            }
            (Some(lengths), 3..=16) if closed && lengths.len() == marks => self.merged = marks - 1,
            _ => return DiffLine::Other,
        }
        self.in_header = false;
        DiffLine::Hunk
    }
}

/// Returns the subject of a commit, if a line is one: the first line of a message, or the
/// subject of a mail.
pub fn subject(line: &[u8]) -> Option<String> {
    let text = line.strip_prefix(b"Subject: ").or(line.strip_prefix(b"    "))?.trim_ascii();
    (!text.is_empty()).then(|| excerpt(lossy(text).as_bytes()))
}

/// Classifies a line of a diff by words.
fn of_words(line: &[u8]) -> DiffLine<'static> {
    match words::changes(line) {
        (true, true) => DiffLine::Changed,
        (true, false) => DiffLine::Removed,
        (false, true) => DiffLine::Added,
        (false, false) => DiffLine::Context,
    }
}

/// Returns whether a line is the head of a plain diff's hunk, `3,4c3`, before such a hunk.
fn is_change(line: &[u8], next: &[u8]) -> bool {
    let is_range = |range: &[u8]| {
        range.split(|&byte| byte == b',').all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
    };
    let Some(at) = line.iter().position(|byte| matches!(byte, b'a' | b'c' | b'd')) else { return false };
    let mark = if line[at] == b'a' { b"> " } else { b"< " };
    next.starts_with(mark) && is_range(&line[..at]) && is_range(&line[at + 1..])
}

fn is_commit(line: &[u8]) -> bool {
    let Some(hash) = line.strip_prefix(b"commit ").or(line.strip_prefix(b"From ")) else { return false };
    let digits = hash.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    digits >= 7 && matches!(hash.get(digits), None | Some(b' '))
}

/// Returns the number of lines of a range: `-12,5` has 5, `+12` has 1.
fn length(range: &[u8]) -> Option<u64> {
    let range = std::str::from_utf8(range.strip_prefix(b"-").or(range.strip_prefix(b"+"))?).ok()?;
    let (start, length) = range.split_once(',').unwrap_or((range, "1"));
    start.parse::<u64>().ok()?;
    length.parse().ok()
}

/// Returns whether a line belongs to a header as git, Subversion and others write it.
fn is_header(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 20] = [
        b"index ",
        b"--- ",
        b"+++ ",
        b"new file mode ",
        b"deleted file mode ",
        b"old mode ",
        b"new mode ",
        b"mode ",
        b"similarity index ",
        b"dissimilarity index ",
        b"rename from ",
        b"rename to ",
        b"copy from ",
        b"copy to ",
        b"Binary files ",
        b"GIT binary patch",
        b"====",
        b"literal ",
        b"delta ",
        b"Property changes on: ",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Returns the last name of a header that has two, or its only one.
fn last_name(names: &[u8]) -> &[u8] {
    let names = names.trim_ascii_end();
    match names.windows(3).rposition(|three| three == b" b/") {
        Some(at) => &names[at + b" b/".len()..],
        None => {
            let last = names.rsplit(|&byte| byte == b' ').next().unwrap_or(names);
            last.strip_prefix(b"b/").unwrap_or(if last.is_empty() { names } else { last })
        }
    }
}

/// Returns the name in a `---` or `+++` line: up to the tab before a time, without a prefix.
fn file_name(rest: &[u8]) -> &[u8] {
    let name = rest.split(|&byte| byte == b'\t').next().unwrap_or(rest).trim_ascii_end();
    name.strip_prefix(b"a/").or(name.strip_prefix(b"b/")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &str) -> Vec<DiffLine<'_>> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        let mut walker = DiffWalker::of(text.as_bytes());
        (0..lines.len())
            .map(|i| walker.step(lines[i], lines.get(i + 1).copied().unwrap_or_default()))
            .collect()
    }

    #[test]
    fn a_line_is_read_by_where_it_is() {
        use DiffLine::*;
        let text = "commit 1234abc\ndiff --git a/x.rs b/x.rs\nindex 1..2 100644\n--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1,2 @@ fn main()\n--- gone\n+++ came\n stays\n\\ No newline at end of file\n-- \n2.40.0\n";
        assert_eq!(
            walk(text),
            [
                Commit,
                File { name: b"x.rs" },
                Header,
                Header,
                Header,
                Hunk,
                Removed,
                Added,
                Context,
                Context,
                Other,
                Other
            ]
        );
    }

    #[test]
    fn a_unified_diff_without_git_begins_with_two_names() {
        use DiffLine::*;
        assert_eq!(
            walk(
                "--- old.txt\t2026-01-01\n+++ new.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n--- x\n+++ /dev/null\n"
            ),
            [File { name: b"new.txt" }, Header, Hunk, Removed, Added, File { name: b"x" }, Header]
        );
    }

    #[test]
    fn the_output_of_diff_without_options_is_read() {
        use DiffLine::*;
        assert_eq!(
            walk("diff -r a/x b/x\n3c3\n< old\n---\n> new\n5,6d4\n< gone\n< too\nOnly in b: y\n> z\n7c\n"),
            [File { name: b"x" }, Hunk, Removed, Context, Added, Hunk, Removed, Removed, Other, Other, Other]
        );
    }

    #[test]
    fn hunks_of_merges_have_columns_of_marks() {
        use DiffLine::*;
        assert_eq!(
            walk(
                "diff --cc x\n@@@ -1,2 -1,2 +1,3 @@@\n  a\n++b\n -c\n\ncommit 1234abc\ncommit later\ndiff --cc y\n"
            ),
            [File { name: b"x" }, Hunk, Context, Added, Removed, Context, Commit, Other, File { name: b"y" }]
        );
    }

    #[test]
    fn malformed_hunk_heads_are_other_lines() {
        for line in [
            "@@ nothing",
            "@@ -1 +1",
            "@@ -x,1 +1,1 @@",
            "@",
            "@@@@ -1 +1 @@@@",
            "@@ -1,99999999999999999999 +1 @@",
        ] {
            assert_eq!(walk(line), [DiffLine::Other], "{line}");
        }
    }

    #[test]
    fn words_are_marked_within_lines() {
        use DiffLine::*;
        let text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n# Title\n- [-old-]{+new+} item\n- item\n{+added+}\n\ncommit 1234abc\n    [-a-]\ndiff --git a/y b/y\n@@ -1 +0,0 @@\n[-gone-]\n";
        assert_eq!(
            walk(text),
            [
                File { name: b"x" },
                Header,
                Header,
                Hunk,
                Context,
                Changed,
                Context,
                Added,
                Context,
                Commit,
                Other,
                File { name: b"y" },
                Hunk,
                Removed
            ]
        );
        let by_lines = "@@ -1,2 +1,2 @@\n-see [-x-]\n+see {+x+}\n a\n";
        assert_eq!(walk(by_lines), [Hunk, Removed, Added, Context]);
    }
}
