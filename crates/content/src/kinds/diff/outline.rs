//! The outline of a diff: its commits, files and hunks by the lines on which they begin.

use super::walker::{DiffLine, DiffWalker, subject};

use crate::line as lines;
use crate::outline::{Entry, Outline};
use tuckaway_text::clean::without_sequences;
use tuckaway_text::counted;

/// Files and hunks that are named. The rest is counted.
const MAX_NAMED: usize = 256;
/// Maximum commits that are named: few, to leave space for the files.
const MAX_COMMITS: usize = 16;

/// Returns the commits with their subjects, the files with the numbers of added and
/// removed lines, and the hunks with the functions that they change.
pub fn outline(bytes: &[u8]) -> Outline {
    let bytes = &*without_sequences(bytes);
    let mut walker = DiffWalker::of(bytes);
    let mut changes = Changes { by_words: walker.by_words, ..Changes::default() };
    let mut lines = lines::Lines::of(bytes).peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        changes.push(walker.step(line, next), line);
    }
    changes.into_outline()
}

/// The changes of a diff.
#[derive(Default)]
struct Changes {
    /// The number of the line that was read last.
    line: u64,
    commits: Commits,
    /// The first files.
    files: Vec<FileChange>,
    file_count: u64,
    /// Counts for the files that are not named.
    unnamed: FileChange,
    /// The first hunks, by line.
    hunks: Vec<(String, String)>,
    hunk_count: u64,
    added: u64,
    removed: u64,
    /// Words, not lines, are added and removed.
    by_words: bool,
}

/// The commits of a diff.
#[derive(Default)]
struct Commits {
    count: u64,
    /// The line on which the last one begins.
    line: u64,
    /// The message of the last one has shown its subject, or is over.
    has_subject: bool,
    /// The subjects of the first, by line.
    named: Vec<(String, String)>,
    /// A subject before any commit.
    lead: Option<String>,
}

/// The changes of one file.
#[derive(Default)]
struct FileChange {
    line: u64,
    name: String,
    /// `new`, `deleted`, `renamed`, `binary`, in the order in which they were seen.
    marks: Vec<&'static str>,
    added: u64,
    removed: u64,
    hunks: u64,
}

impl Changes {
    /// Adds the next line.
    #[inline]
    fn push(&mut self, step: DiffLine<'_>, line: &[u8]) {
        self.line += 1;
        match step {
            DiffLine::Commit => self.commits.begin(self.line),
            DiffLine::File { name } => self.begin_file(name),
            DiffLine::Header => {
                if let (Some(file), Some(mark)) = (self.file(), mark(line)) {
                    file.marks.push(mark);
                }
            }
            DiffLine::Hunk => self.begin_hunk(line),
            DiffLine::Added => self.change(1, 0),
            DiffLine::Removed => self.change(0, 1),
            DiffLine::Changed => self.change(1, 1),
            DiffLine::Context => {}
            DiffLine::Other => self.commits.push_message(line),
        }
    }

    #[inline]
    fn change(&mut self, added: u64, removed: u64) {
        (self.added, self.removed) = (self.added + added, self.removed + removed);
        if let Some(file) = self.file() {
            (file.added, file.removed) = (file.added + added, file.removed + removed);
        }
    }

    /// Returns the file that is being read; none before the first.
    #[inline]
    fn file(&mut self) -> Option<&mut FileChange> {
        match self.file_count > self.files.len() as u64 {
            true => Some(&mut self.unnamed),
            false => self.files.last_mut(),
        }
    }

    fn begin_file(&mut self, name: &[u8]) {
        self.file_count += 1;
        self.commits.has_subject = true;
        if self.files.len() < MAX_NAMED {
            let name = lines::excerpt(name);
            self.files.push(FileChange { line: self.line, name, ..FileChange::default() });
        }
    }

    fn begin_hunk(&mut self, head: &[u8]) {
        self.hunk_count += 1;
        if self.hunks.len() < MAX_NAMED {
            self.hunks.push((self.line.to_string(), lines::excerpt(head)));
        }
        if let Some(file) = self.file() {
            file.hunks += 1;
        }
    }

    fn into_outline(self) -> Outline {
        let mut outline = Outline::default();
        outline.push("kind", Entry::Text(self.summary()));
        self.commits.push_to(&mut outline);
        let more = self.file_count - self.files.len() as u64;
        let files = self.files.iter().map(|file| (file.line.to_string(), file.summary()));
        outline.push_members("files", files.collect(), more);
        let more = self.hunk_count - self.hunks.len() as u64;
        outline.push_members("hunks", self.hunks, more);
        outline
    }

    /// Returns the counts in words.
    fn summary(&self) -> String {
        let (count, noun) = match (self.commits.count, self.file_count) {
            // `diff` does not name two files that it compares.
            (_, 0) => (self.hunk_count, "hunk"),
            (0 | 1, _) => (self.file_count, "file"),
            // Several commits may change the same file.
            _ => (self.file_count, "file change"),
        };
        let commits = match self.commits.count {
            0 | 1 => String::new(),
            count => format!("{count} commits, "),
        };
        let name = if self.by_words { "diff by words" } else { "diff" };
        let lines = if self.by_words { " lines" } else { "" };
        format!("{name}: {commits}{}, +{} -{}{lines}", counted(count, noun), self.added, self.removed)
    }
}

impl Commits {
    fn begin(&mut self, line: u64) {
        self.count += 1;
        (self.line, self.has_subject) = (line, false);
    }

    /// Adds a line that may be the subject of the last commit.
    fn push_message(&mut self, line: &[u8]) {
        if self.has_subject {
            return;
        }
        let Some(subject) = subject(line) else { return };
        self.has_subject = true;
        if self.count == 0 {
            self.lead = Some(subject);
        } else if self.named.len() < MAX_COMMITS {
            self.named.push((self.line.to_string(), subject));
        }
    }

    /// Adds the subjects of several commits, or that of the only one.
    fn push_to(mut self, outline: &mut Outline) {
        if self.count > 1 {
            let more = self.count.saturating_sub(self.named.len() as u64);
            outline.push_members("commits", self.named, more);
        } else if let Some(subject) = self.named.pop().map(|(_, subject)| subject).or(self.lead) {
            outline.push("subject", Entry::Text(subject));
        }
    }
}

impl FileChange {
    /// Returns the change in words.
    fn summary(&self) -> String {
        let mut words = self.name.clone();
        for mark in &self.marks {
            words += &format!(" ({mark})");
        }
        if self.hunks > 0 {
            words += &format!(" +{} -{}, {}", self.added, self.removed, counted(self.hunks, "hunk"));
        }
        words
    }
}

/// Returns the mark that a line of a header gives its file.
fn mark(line: &[u8]) -> Option<&'static str> {
    match line {
        _ if line.starts_with(b"new file") => Some("new"),
        _ if line.starts_with(b"deleted file") => Some("deleted"),
        _ if line.starts_with(b"rename to") => Some("renamed"),
        _ if line.starts_with(b"Binary files") || line.starts_with(b"GIT binary") => Some("binary"),
        _ => None,
    }
}
