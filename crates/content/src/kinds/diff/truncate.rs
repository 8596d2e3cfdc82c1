//! A diff within a bound: the headers of its files stay, then the heads of its
//! hunks, and of what the hunks say as much as there is room for.

use super::walker::{Line, Walker};
use tuckaway_search::{Place, Places};

use super::outline::subject_of;
use crate::truncate::contents::{Contents, Ends};
use crate::truncate::{fair_share, text};
use crate::wording;
use tuckaway_text::cut::head;
use tuckaway_text::lossy;

/// The longest notice in the place of lines, and in the place of hunks.
const NOTICE_BYTES: usize = 40;
const HUNKS_NOTICE_BYTES: usize = 72;
/// Of the line that a commit begins with, what is listed: `commit 3f2a9c1`.
const COMMIT_BYTES: usize = 14;
/// Files whose changes are made by programs: theirs give way first.
const GENERATED: [&str; 12] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    ".min.js",
    ".min.css",
];

/// Part of a text, in bytes.
#[derive(Clone, Copy, Default)]
struct Span {
    start: usize,
    end: usize,
}

impl Span {
    fn len(self) -> usize {
        self.end - self.start
    }

    fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// A file's part: its header, and its hunks by index. Or a commit's message behind
/// another commit's files: a header alone.
struct File {
    header: Span,
    hunks: std::ops::Range<usize>,
    generated: bool,
}

/// A hunk: its head, which is one line, and its body.
struct Hunk {
    head: Span,
    body: Span,
    lines: usize,
}

/// What a diff is made of.
struct Parts {
    /// The commits and the files by line.
    names: Contents,
    /// What comes before the first file: a commit's message.
    preamble: Span,
    /// Where the line in it ends that says what the commit is about.
    subject_end: usize,
    files: Vec<File>,
    hunks: Vec<Hunk>,
}

/// A diff that is longer than `max` bytes. Should its headers alone be too long, its
/// ends, and the names of the files between them.
pub fn truncate(text: &str, max: usize) -> String {
    let parts = Parts::of(text, headers_room(max));
    let ends = |text, room| {
        let (head, tail) = text::ends(text, room);
        Ends { head, closing: "", tail }
    };
    let within = parts.within(text, max).or_else(|| parts.names.cut(text, max, &ends));
    within.unwrap_or_else(|| text::cut(text, max))
}

/// What the headers of all files may take.
fn headers_room(max: usize) -> usize {
    max / 4 * 3
}

impl Parts {
    /// All parts, or as many as are asked for if the headers do not fit in their room.
    fn of(text: &str, headers_room: usize) -> Self {
        let (preamble, files, hunks) = (Span::default(), Vec::new(), Vec::new());
        let mut parts = Parts { names: Contents::of("files"), preamble, subject_end: 0, files, hunks };
        let mut walker = Walker::default();
        let mut lines = Places::of(text.as_bytes()).peekable();
        let (mut number, mut header_bytes) = (0, 0);
        let mut commit = None;
        while let Some(Place { line, start, end }) = lines.next() {
            number += 1;
            let next = lines.peek().map_or(&b""[..], |next| next.line);
            match walker.step(line, next) {
                Line::File { name } => {
                    commit = None;
                    parts.names.push(number, 1, &lossy(name));
                    let generated = GENERATED.iter().any(|end| name.ends_with(end.as_bytes()));
                    let hunks = parts.hunks.len()..parts.hunks.len();
                    parts.files.push(File { header: Span { start, end }, hunks, generated });
                    header_bytes += end - start;
                    if header_bytes > headers_room && parts.names.is_full(1) {
                        parts.names.set_part();
                        break;
                    }
                }
                Line::Hunk if !parts.files.is_empty() => {
                    parts.hunks.push(Hunk {
                        head: Span { start, end },
                        body: Span { start: end, end },
                        lines: 0,
                    });
                    if let Some(file) = parts.files.last_mut() {
                        file.hunks.end = parts.hunks.len();
                    }
                }
                Line::Commit => {
                    commit = Some((number, line));
                    if parts.files.is_empty() {
                        parts.grow(end);
                    } else {
                        parts.names.noun = "commits and files";
                        let hunks = parts.hunks.len()..parts.hunks.len();
                        parts.files.push(File { header: Span { start, end }, hunks, generated: false });
                    }
                }
                step => {
                    if step == Line::Other
                        && let Some((number, hash)) = commit
                        && let Some(subject) = subject_of(line)
                    {
                        let hash = lossy(&hash[..hash.len().min(COMMIT_BYTES)]);
                        parts.names.push(number, 0, &format!("{hash} {subject}"));
                        commit = None;
                        if parts.files.is_empty() {
                            parts.subject_end = end;
                        }
                    }
                    parts.grow(end);
                }
            }
        }
        parts
    }

    /// Gives a line, which ends at `end`, to what came before it.
    fn grow(&mut self, end: usize) {
        let in_hunk = self.files.last().is_some_and(|file| !file.hunks.is_empty());
        match (self.files.last_mut(), self.hunks.last_mut()) {
            (Some(_), Some(hunk)) if in_hunk => {
                hunk.body.end = end;
                hunk.lines += 1;
            }
            (Some(file), _) => file.header.end = end,
            (None, _) => self.preamble.end = end,
        }
    }

    /// The parts in at most `max` bytes; none if the headers of all files with
    /// their notices are more than three quarters of it.
    fn within(&self, text: &str, max: usize) -> Option<String> {
        let headers: usize = self.files.iter().map(|file| file.header.len()).sum();
        if self.files.is_empty() || headers > headers_room(max) {
            return None;
        }
        let subject = (self.subject_end + NOTICE_BYTES).min((max - headers) / 2);
        let preamble = self.preamble(text, subject.max((max - headers) / 3));
        let room = max - headers - preamble.len();
        // Where the heads of all hunks fit, no file needs a notice of its own.
        let notices = self.files.iter().filter(|file| !file.hunks.is_empty()).count() * HUNKS_NOTICE_BYTES;
        let (named, shown) = match self.shares(room) {
            (named, shown) if named.iter().all(|&named| named) => (named, shown),
            _ => self.shares(room.checked_sub(notices)?),
        };
        let mut cut = String::with_capacity(max);
        cut += &preamble;
        for file in &self.files {
            cut += file.header.of(text);
            let mut dropped = (0, 0);
            for (index, hunk) in self.hunks[file.hunks.clone()].iter().enumerate() {
                let index = file.hunks.start + index;
                if !named[index] {
                    dropped = (dropped.0 + 1, dropped.1 + hunk.lines);
                    continue;
                }
                cut += hunk.head.of(text);
                hunk.push_body(text, shown[usize::from(file.generated)], &mut cut);
            }
            if dropped.0 > 0 {
                end_line(&mut cut);
                cut += &wording::left_out_hunks(dropped.0, dropped.1);
                cut.push('\n');
            }
        }
        (cut.len() <= max).then_some(cut)
    }

    /// The commit's message, at most so much of it.
    fn preamble(&self, text: &str, room: usize) -> String {
        let preamble = self.preamble.of(text);
        if preamble.len() <= room {
            return preamble.to_owned();
        }
        let Some(room) = room.checked_sub(NOTICE_BYTES) else { return String::new() };
        let kept = head(preamble, room);
        let kept = &kept[..kept.rfind('\n').map_or(kept.len(), |feed| feed + 1)];
        let mut cut = kept.to_owned();
        end_line(&mut cut);
        cut + &wording::left_out_lines(preamble[kept.len()..].lines().count()) + "\n"
    }

    /// Which hunks keep their heads, first ones of all files before second ones,
    /// and how long bodies may be: of files that people wrote, and that programs made.
    fn shares(&self, room: usize) -> (Vec<bool>, [usize; 2]) {
        let mut rounds: Vec<(bool, usize, usize)> = Vec::new();
        for file in &self.files {
            rounds.extend(file.hunks.clone().enumerate().map(|(round, hunk)| (file.generated, round, hunk)));
        }
        rounds.sort();
        let mut left = room;
        let mut named = vec![false; self.hunks.len()];
        let mut bodies = [Vec::new(), Vec::new()];
        for (generated, _, index) in rounds {
            let hunk = &self.hunks[index];
            let least = hunk.head.len() + hunk.body.len().min(NOTICE_BYTES);
            let Some(rest) = left.checked_sub(least) else { break };
            left = rest;
            named[index] = true;
            bodies[usize::from(generated)].push(hunk.body.len().saturating_sub(NOTICE_BYTES));
        }
        let shares = bodies.map(|bodies| {
            let share = fair_share(bodies.clone(), left);
            left -= bodies.iter().map(|&body| body.min(share)).sum::<usize>();
            share.saturating_add(NOTICE_BYTES)
        });
        (named, shares)
    }
}

impl Hunk {
    /// The body if it is no longer than `room`, or as many of its first lines as
    /// fit with a notice behind them.
    fn push_body(&self, text: &str, room: usize, cut: &mut String) {
        let body = self.body.of(text);
        if body.len() <= room {
            cut.push_str(body);
            return;
        }
        let kept = head(body, room.saturating_sub(NOTICE_BYTES));
        let kept = &kept[..kept.rfind('\n').map_or(0, |feed| feed + 1)];
        cut.push_str(kept);
        end_line(cut);
        cut.push_str(&wording::left_out_lines(self.lines - kept.matches('\n').count()));
        cut.push('\n');
    }
}

/// A notice stands on a line of its own.
fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn diff(files: usize, hunks: usize, lines: usize) -> String {
        let mut text = "commit 1\n\n    Say what\n\n".to_owned();
        for file in 0..files {
            text += &format!("diff --git a/f{file}.rs b/f{file}.rs\n--- a/f{file}.rs\n+++ b/f{file}.rs\n");
            for hunk in 0..hunks {
                text += &format!("@@ -{0},0 +{0},{lines} @@ fn f{hunk}()\n", hunk * 100 + 1);
                (0..lines).for_each(|line| text += &format!("+let line_{line} = {line};\n"));
            }
        }
        text
    }

    #[test]
    fn headers_stay_and_bodies_give_way() {
        let view = truncate(&diff(3, 2, 50), 1_200);
        assert!(view.len() <= 1_200 && view.len() > 900, "{}", view.len());
        assert!(view.starts_with("commit 1\n\n    Say what\n\ndiff --git"));
        for file in 0..3 {
            assert!(
                view.contains(&format!("+++ b/f{file}.rs\n@@ -1,0 +1,50 @@ fn f0()\n+let line_0 = 0;\n")),
                "{view}"
            );
        }
        assert!(view.contains("\n... ["), "{view}");
    }

    #[test]
    fn what_programs_made_gives_way_first() {
        let lock =
            "diff --git a/Cargo.lock b/Cargo.lock\n--- a/Cargo.lock\n+++ b/Cargo.lock\n@@ -1,0 +1,99 @@\n";
        let text = format!("{lock}{}{}", "+a line\n".repeat(99), diff(1, 1, 20));
        let view = truncate(&text, text.len() - 200);
        assert!(view.contains("+let line_19 = 19;\n"), "{view}");
        assert!(view.contains("more lines"), "{view}");
    }

    proptest! {
        #[test]
        fn views_are_bounded(
            files in 0usize..5, hunks in 0usize..5, lines in 0usize..30, max in 1usize..3_000, tail in "[@+ -]{0,9}",
        ) {
            let text = diff(files, hunks, lines) + &tail;
            prop_assume!(text.len() > max);
            let view = truncate(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
            prop_assert!(!view.is_empty());
        }
    }
}
