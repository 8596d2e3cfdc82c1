//! The parts of a diff: a preamble, the headers of files, and hunks.

use std::ops::Range;

use tuckaway_search::{LineSpan, LineSpans};
use tuckaway_text::lossy;

use super::walker::{DiffLine, DiffWalker, subject};
use crate::truncate::contents::Contents;

/// Listed bytes of the line with which a commit begins: `commit 3f2a9c1`.
const COMMIT_BYTES: usize = 14;
/// Files that programs write. Their changes are cut before those of people.
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

/// A part of a text, in bytes.
#[derive(Clone, Copy, Default)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// Returns its length.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns its text.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// A file's part of a diff: its header and its hunks. A commit's message after the
/// files of another commit is one too: a header without hunks.
pub struct FilePart {
    /// The lines before the first hunk.
    pub header: Span,
    /// The indices of its hunks.
    pub hunks: Range<usize>,
    /// A program writes the file.
    pub is_generated: bool,
}

/// A hunk.
pub struct Hunk {
    /// The first line.
    pub head: Span,
    /// The lines after it.
    pub body: Span,
    /// The number of lines of the body.
    pub lines: usize,
}

/// The parts of a diff, in order.
pub struct Parts {
    /// The commits and the files, by line.
    pub names: Contents,
    /// The text before the first file: a commit's message.
    pub preamble: Span,
    /// The end of the preamble's line that is the commit's subject.
    pub subject_end: usize,
    /// The files.
    pub files: Vec<FilePart>,
    /// The hunks of all files.
    pub hunks: Vec<Hunk>,
}

impl Parts {
    /// Reads the parts of a diff. Stops early if the headers are more than
    /// `max_header_bytes` and more files are named than can be listed.
    pub fn read(text: &str, max_header_bytes: usize) -> Self {
        let mut builder = PartsBuilder::default();
        let mut walker = DiffWalker::of(text.as_bytes());
        let mut lines = LineSpans::of(text.as_bytes()).peekable();
        while let Some(span) = lines.next() {
            builder.number += 1;
            let next = lines.peek().map_or(&b""[..], |next| next.line);
            match walker.step(span.line, next) {
                DiffLine::File { name } => {
                    builder.begin_file(name, &span);
                    if builder.header_bytes > max_header_bytes && builder.parts.names.is_full(1) {
                        builder.parts.names.set_part();
                        break;
                    }
                }
                DiffLine::Hunk if !builder.parts.files.is_empty() => builder.parts.begin_hunk(&span),
                DiffLine::Commit => builder.begin_commit(&span),
                DiffLine::Other => {
                    builder.read_subject(&span);
                    builder.parts.extend(span.end);
                }
                _ => builder.parts.extend(span.end),
            }
        }
        builder.parts
    }

    /// Begins a file's part with its first line.
    fn push_file(&mut self, span: &LineSpan<'_>, is_generated: bool) {
        let header = Span { start: span.start, end: span.end };
        let hunks = self.hunks.len()..self.hunks.len();
        self.files.push(FilePart { header, hunks, is_generated });
    }

    fn begin_hunk(&mut self, span: &LineSpan<'_>) {
        let head = Span { start: span.start, end: span.end };
        let body = Span { start: span.end, end: span.end };
        self.hunks.push(Hunk { head, body, lines: 0 });
        if let Some(file) = self.files.last_mut() {
            file.hunks.end = self.hunks.len();
        }
    }

    /// Adds a line, which ends at `end`, to the part that is being read.
    #[inline]
    fn extend(&mut self, end: usize) {
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
}

/// Parts as far as they were read.
struct PartsBuilder<'t> {
    parts: Parts,
    /// The number of the line that was read last.
    number: usize,
    /// Bytes of the first lines of all headers.
    header_bytes: usize,
    /// The number and the text of the line that began a commit whose subject is to come.
    commit: Option<(usize, &'t [u8])>,
}

impl Default for PartsBuilder<'_> {
    fn default() -> Self {
        let (names, preamble) = (Contents::of("files"), Span::default());
        let parts = Parts { names, preamble, subject_end: 0, files: Vec::new(), hunks: Vec::new() };
        PartsBuilder { parts, number: 0, header_bytes: 0, commit: None }
    }
}

impl<'t> PartsBuilder<'t> {
    fn begin_file(&mut self, name: &[u8], span: &LineSpan<'t>) {
        self.commit = None;
        self.parts.names.push(self.number, 1, &lossy(name));
        let is_generated = GENERATED.iter().any(|end| name.ends_with(end.as_bytes()));
        self.parts.push_file(span, is_generated);
        self.header_bytes += span.end - span.start;
    }

    fn begin_commit(&mut self, span: &LineSpan<'t>) {
        self.commit = Some((self.number, span.line));
        if self.parts.files.is_empty() {
            self.parts.extend(span.end);
        } else {
            self.parts.names.noun = "commits and files";
            self.parts.push_file(span, false);
        }
    }

    /// Lists a commit by its subject, if a line is the subject.
    fn read_subject(&mut self, span: &LineSpan<'t>) {
        let Some((number, hash)) = self.commit else { return };
        let Some(subject) = subject(span.line) else { return };
        let hash = lossy(&hash[..hash.len().min(COMMIT_BYTES)]);
        self.parts.names.push(number, 0, &format!("{hash} {subject}"));
        self.commit = None;
        if self.parts.files.is_empty() {
            self.parts.subject_end = span.end;
        }
    }
}
