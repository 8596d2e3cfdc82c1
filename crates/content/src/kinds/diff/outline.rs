//! The shape of a diff: its files and hunks, by the lines on which they begin.

use super::walker::{Line, Walker};

use crate::line as lines;
use crate::outline::{Entry, Outline};
use tuckaway_text::lossy;

/// Files and hunks that are named; what comes after is counted.
const MAX_NAMED: usize = 256;
/// Commits that are named: there is to be room for files behind them.
const MAX_COMMITS: usize = 16;

/// What one file's part of a diff comes to.
#[derive(Default)]
struct File {
    line: u64,
    name: String,
    /// `new`, `deleted`, `renamed`, `binary`, in the order in which they were seen.
    marks: Vec<&'static str>,
    added: u64,
    removed: u64,
    hunks: u64,
}

/// Commits with their subjects, files with what was added and removed, hunks with the
/// function they are in.
pub fn outline(bytes: &[u8]) -> Outline {
    let bytes = &*super::uncoloured(bytes);
    let mut walker = Walker::default();
    let mut files: Vec<File> = Vec::new();
    let mut hunks: Vec<(String, String)> = Vec::new();
    let (mut file_count, mut added, mut removed, mut hunk_count, mut line_count) =
        (0u64, 0u64, 0u64, 0u64, 0);
    let mut commits: Vec<(String, String)> = Vec::new();
    let (mut commit_count, mut commit_line, mut in_message) = (0u64, 0u64, true);
    // What is said before any commit.
    let mut lead = None;
    let mut unnamed = File::default();
    let mut all = lines::Lines::of(bytes).peekable();
    while let Some(line) = all.next() {
        line_count += 1;
        let next = all.peek().copied().unwrap_or_default();
        let step = walker.step(line, next);
        let file = if file_count > files.len() as u64 { Some(&mut unnamed) } else { files.last_mut() };
        match step {
            Line::Commit => {
                commit_count += 1;
                (commit_line, in_message) = (line_count, true);
            }
            Line::File { name } => {
                file_count += 1;
                in_message = false;
                if files.len() < MAX_NAMED {
                    let name = lines::excerpt(name);
                    files.push(File { line: line_count, name, ..File::default() });
                }
            }
            Line::Header => {
                if let (Some(file), Some(mark)) = (file, mark(line)) {
                    file.marks.push(mark);
                }
            }
            Line::Hunk => {
                hunk_count += 1;
                if hunks.len() < MAX_NAMED {
                    hunks.push((line_count.to_string(), lines::excerpt(line)));
                }
                if let Some(file) = file {
                    file.hunks += 1;
                }
            }
            Line::Added => {
                added += 1;
                if let Some(file) = file {
                    file.added += 1;
                }
            }
            Line::Removed => {
                removed += 1;
                if let Some(file) = file {
                    file.removed += 1;
                }
            }
            Line::Context => {}
            Line::Other => {
                if in_message && let Some(subject) = subject_of(line) {
                    in_message = false;
                    if commit_count == 0 {
                        lead = Some(subject);
                    } else if commits.len() < MAX_COMMITS {
                        commits.push((commit_line.to_string(), subject));
                    }
                }
            }
        }
    }
    let mut entries = Outline::default();
    // What `diff` writes of two files does not name them.
    let (count, noun) = match (commit_count, file_count) {
        (_, 0) => (hunk_count, "hunk"),
        (0 | 1, _) => (file_count, "file"),
        // The same one may be in several.
        _ => (file_count, "file change"),
    };
    let s = if count == 1 { "" } else { "s" };
    let of = if commit_count > 1 { format!("{commit_count} commits, ") } else { String::new() };
    entries.push("kind", Entry::Text(format!("diff: {of}{count} {noun}{s}, +{added} -{removed}")));
    if commit_count > 1 {
        let more = commit_count.saturating_sub(commits.len() as u64);
        entries.push_members("commits", commits, more);
    } else if let Some(subject) = commits.pop().map(|(_, subject)| subject).or(lead) {
        entries.push("subject", Entry::Text(subject));
    }
    let more = file_count - files.len() as u64;
    let named = files.iter().map(|file| (file.line.to_string(), describe(file)));
    entries.push_members("files", named.collect(), more);
    let more = hunk_count - hunks.len() as u64;
    entries.push_members("hunks", hunks, more);
    entries
}

/// What a line of a header says of its file.
fn mark(line: &[u8]) -> Option<&'static str> {
    match line {
        _ if line.starts_with(b"new file") => Some("new"),
        _ if line.starts_with(b"deleted file") => Some("deleted"),
        _ if line.starts_with(b"rename to") => Some("renamed"),
        _ if line.starts_with(b"Binary files") || line.starts_with(b"GIT binary") => Some("binary"),
        _ => None,
    }
}

fn describe(file: &File) -> String {
    let mut words = file.name.clone();
    for mark in &file.marks {
        words += &format!(" ({mark})");
    }
    if file.hunks > 0 {
        let noun = if file.hunks == 1 { "hunk" } else { "hunks" };
        words += &format!(" +{} -{}, {} {noun}", file.added, file.removed, file.hunks);
    }
    words
}

/// What a commit is about: the first line of its message, or a mail's subject.
pub(super) fn subject_of(line: &[u8]) -> Option<String> {
    let text = line.strip_prefix(b"Subject: ").or(line.strip_prefix(b"    "))?.trim_ascii();
    (!text.is_empty()).then(|| lossy(text).into_owned()).map(|text| lines::excerpt(text.as_bytes()))
}
