//! Truncates a diff: keeps the headers of files first, then the first lines of hunks, then
//! as much of the hunks' bodies as fits.

use super::parts::{Hunk, Parts};
use crate::truncate::contents::Ends;
use crate::truncate::text;
use crate::wording;
use tuckaway_text::cut::head;
use tuckaway_text::{fair, order};

/// The longest notice for omitted lines.
const NOTICE_BYTES: usize = 40;
/// The longest notice for omitted hunks.
const HUNKS_NOTICE_BYTES: usize = 72;

/// Truncates a diff that is longer than `max` bytes. If its headers alone are too long,
/// keeps head and tail, and lists the files between them.
pub fn truncate(text: &str, max: usize) -> String {
    let parts = Parts::read(text, header_bytes(max));
    let ends = |text, space| {
        let (head, tail) = text::ends(text, space);
        Ends { head, closing: "", tail }
    };
    let within = parts.within(text, max).or_else(|| parts.names.cut(text, max, &ends));
    within.unwrap_or_else(|| text::cut(text, max))
}

/// Returns the bytes that the headers of all files may take.
fn header_bytes(max: usize) -> usize {
    max / 4 * 3
}

impl Parts {
    /// Returns the parts in at most `max` bytes; none if the headers of all files with
    /// their notices take more than three quarters of it.
    fn within(&self, text: &str, max: usize) -> Option<String> {
        let headers: usize = self.files.iter().map(|file| file.header.len()).sum();
        if self.files.is_empty() || headers > header_bytes(max) {
            return None;
        }
        let subject = (self.subject_end + NOTICE_BYTES).min((max - headers) / 2);
        let preamble = self.preamble(text, subject.max((max - headers) / 3));
        let space = max - headers - preamble.len();
        // If the heads of all hunks fit, no file needs a notice of its own.
        let notices = self.files.iter().filter(|file| !file.hunks.is_empty()).count() * HUNKS_NOTICE_BYTES;
        let (named, shown) = match self.shares(space) {
            (named, shown) if named.iter().all(|&named| named) => (named, shown),
            _ => self.shares(space.checked_sub(notices)?),
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
                hunk.push_body(text, shown[usize::from(file.is_generated)], &mut cut);
            }
            if dropped.0 > 0 {
                end_line(&mut cut);
                cut += &wording::omitted_hunks(dropped.0, dropped.1);
                cut.push('\n');
            }
        }
        (cut.len() <= max).then_some(cut)
    }

    /// Returns the commit's message in at most `space` bytes.
    fn preamble(&self, text: &str, space: usize) -> String {
        let preamble = self.preamble.of(text);
        if preamble.len() <= space {
            return preamble.to_owned();
        }
        let Some(space) = space.checked_sub(NOTICE_BYTES) else { return String::new() };
        let kept = head(preamble, space);
        let kept = &kept[..kept.rfind('\n').map_or(kept.len(), |feed| feed + 1)];
        let mut cut = kept.to_owned();
        end_line(&mut cut);
        cut + &wording::omitted_rest(preamble[kept.len()..].lines().count()) + "\n"
    }

    /// Selects the hunks that keep their heads: the first of every file, then the second
    /// of every file, and so on. Also returns the maximum length of a body, in files that
    /// people wrote and in files that programs wrote.
    fn shares(&self, space: usize) -> (Vec<bool>, [usize; 2]) {
        let mut rounds: Vec<(bool, usize, usize)> = Vec::new();
        for file in &self.files {
            rounds
                .extend(file.hunks.clone().enumerate().map(|(round, hunk)| (file.is_generated, round, hunk)));
        }
        order::sort(&mut rounds);
        let mut left = space;
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
            let share = fair::share_of_bytes(bodies.iter().copied(), left);
            left -= bodies.iter().map(|&body| body.min(share)).sum::<usize>();
            share.saturating_add(NOTICE_BYTES)
        });
        (named, shares)
    }
}

impl Hunk {
    /// Adds the body if it has at most `space` bytes, or else as many of its first lines
    /// as fit with a notice after them.
    fn push_body(&self, text: &str, space: usize, cut: &mut String) {
        let body = self.body.of(text);
        if body.len() <= space {
            cut.push_str(body);
            return;
        }
        let kept = head(body, space.saturating_sub(NOTICE_BYTES));
        let kept = &kept[..kept.rfind('\n').map_or(0, |feed| feed + 1)];
        cut.push_str(kept);
        end_line(cut);
        cut.push_str(&wording::omitted_rest(self.lines - kept.matches('\n').count()));
        cut.push('\n');
    }
}

/// Ends the last line, so that a notice gets a line of its own.
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
    fn headers_are_kept_and_bodies_are_cut() {
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
    fn generated_files_are_cut_first() {
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
