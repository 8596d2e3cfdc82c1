//! The arguments of the commands that query: `read`, `grep`, `jq`, `shape` and
//! `truncate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::parse;

/// The options that select how much of the answer to print.
#[derive(Args)]
pub struct Paging {
    /// Prints one page of at most this size, and the cursor of the next page on stderr.
    /// [default: everything]
    #[arg(long, value_name = "SIZE", value_parser = parse::page_size)]
    pub max_bytes: Option<u32>,
    /// Continues from the cursor that an earlier page printed.
    #[arg(long)]
    pub cursor: Option<String>,
}

impl Paging {
    /// Returns whether one page is printed, not everything.
    pub fn is_one_page(&self) -> bool {
        self.max_bytes.is_some() || self.cursor.is_some()
    }

    /// Returns the maximum size of the pages to fetch: `all` if everything is printed,
    /// `None` for the engine's default.
    pub fn page_bytes(&self, all: u32) -> Option<u32> {
        if self.is_one_page() { self.max_bytes } else { Some(all) }
    }
}

/// Prints an artifact, or a range of its lines or bytes.
///
/// On a terminal, a whole artifact is shown in $PAGER, or in `less`. Invalid UTF-8 is
/// printed as U+FFFD, as a model sees it; `--raw` prints the stored bytes.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway read art_fetch_9k2x7m4q1c --lines 100:120 -n
  tuckaway read big.log --lines -100:                    the last 100 lines
  tuckaway read art_fetch_9k2x7m4q1c --bytes 4096:8192
  tuckaway read art_fetch_9k2x7m4q1c --raw > copy        byte for byte
  tuckaway read big.log --max-bytes 4K                   the first page, as a model gets it")]
pub struct Read {
    /// An artifact's id, a file (which is read in place), or `-` for standard input.
    #[arg(value_name = "ID|FILE")]
    pub source: PathBuf,
    #[command(flatten)]
    pub paging: Paging,
    /// Lines A to B, both included: `A:B`, `A:`, `:B` or `A`; `-N:` for the last N.
    #[arg(long, value_name = "A:B", value_parser = parse::lines, allow_hyphen_values = true,
        conflicts_with_all = ["bytes", "cursor"])]
    pub lines: Option<parse::Lines>,
    /// Bytes from A up to but excluding B: `A:B`, `A:` or `:B`.
    #[arg(long, value_name = "A:B", value_parser = parse::bytes, conflicts_with = "cursor")]
    pub bytes: Option<(u64, u64)>,
    /// Numbers the lines.
    #[arg(short = 'n', long)]
    pub line_numbers: bool,
    /// Prints the stored bytes unchanged: all of them, or the range of --bytes.
    #[arg(long, conflicts_with_all = ["lines", "cursor", "line_numbers", "max_bytes", "json"])]
    pub raw: bool,
}

/// A pattern and the source to search.
#[derive(Args)]
pub struct GrepOperands {
    /// The pattern to search for; omitted if -e is given.
    #[arg(value_name = "PATTERN")]
    pub first: Option<OsString>,
    /// An artifact's id, a file (which is searched in place), or `-` for standard input. If
    /// omitted, standard input is searched if it is a pipe or a file, and otherwise all artifacts.
    /// It may come first if PATTERN is neither an id nor a file.
    #[arg(value_name = "ID|FILE")]
    pub second: Option<OsString>,
}

/// Prints the lines that match a pattern.
///
/// Without ID or FILE, all artifacts of the session are searched, newest first; their lines are
/// printed below a heading. Patterns have the syntax of Rust's regex crate; \d, \w, \s and -i are ASCII only.
/// Exits with 0 if a line matched, 1 if no line matched, and 2 after an error.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway grep -n -C2 'error|warning' art_make_9k2x7m4q1c
  tuckaway grep -F -c '[ERROR]' big.log
  tuckaway grep -o 'status=[0-9]+' big.log               only the matching parts
  tuckaway grep 'panicked at'                            all artifacts
  tuckaway grep timeout big.log --max-bytes 4K           the first page, long lines as excerpts")]
pub struct Grep {
    #[command(flatten)]
    pub operands: GrepOperands,
    #[command(flatten)]
    pub paging: Paging,
    /// A pattern, which may begin with a hyphen. If repeated, lines match if any pattern does.
    #[arg(short = 'e', long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub regexp: Vec<String>,
    /// Searches all artifacts, even if standard input is a pipe or a file.
    #[arg(long)]
    pub all: bool,
    /// Ignores the case of ASCII letters.
    #[arg(short = 'i', long)]
    pub ignore_case: bool,
    /// Prints the lines that do not match.
    #[arg(short = 'v', long)]
    pub invert_match: bool,
    /// Matches the pattern as a plain string.
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,
    /// Matches whole words only.
    #[arg(short = 'w', long)]
    pub word_regexp: bool,
    /// Matches whole lines only.
    #[arg(short = 'x', long)]
    pub line_regexp: bool,
    /// Has no effect: patterns are always extended regular expressions.
    #[arg(short = 'E', long, hide = true, conflicts_with = "fixed_strings")]
    pub extended_regexp: bool,
    /// Number of context lines after each match.
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u32>,
    /// Number of context lines before each match.
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u32>,
    /// Number of context lines on either side of each match.
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub context: u32,
    /// Stops after N matching lines.
    #[arg(short = 'm', long, value_name = "N")]
    pub max_count: Option<u64>,
    /// Numbers the lines.
    #[arg(short = 'n', long)]
    pub line_number: bool,
    /// Prints only the number of matching lines, of each artifact if all are searched.
    #[arg(short = 'c', long, conflicts_with_all = ["max_bytes", "cursor"])]
    pub count: bool,
    /// Prints only the matching parts of lines, each on its own line.
    #[arg(short = 'o', long, conflicts_with_all = ["max_bytes", "cursor", "json"])]
    pub only_matching: bool,
    /// Prints nothing; the exit status tells whether a line matched.
    #[arg(short = 'q', long, visible_alias = "silent")]
    pub quiet: bool,
}

/// A filter and the source to run it on.
#[derive(Args)]
pub struct JqOperands {
    /// The filter; `.` if omitted. Put `--` before a filter that begins with a hyphen.
    #[arg(value_name = "FILTER")]
    pub first: Option<OsString>,
    /// An artifact's id, or a file (which is queried in place); standard input if `-` or
    /// omitted. It may come first if FILTER is neither an id nor a file.
    #[arg(value_name = "ID|FILE")]
    pub second: Option<OsString>,
}

/// Runs a jq filter on JSON.
///
/// If the input is NDJSON or concatenated documents, the filter runs once for each
/// document, or once for all of them with --slurp or --null-input.
/// The exit status is jq's: 2 if the input cannot be read or is not JSON, 3 if the
/// filter is invalid, 5 if the filter failed.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway jq '.rows | length' art_fetch_9k2x7m4q1c
  tuckaway jq -r '.rows[] | select(.score > 0.9) | .id' big.json
  tuckaway jq -c 'select(.level == \"error\")' events.ndjson --max-bytes 8K
  tuckaway jq -s 'group_by(.level) | map({level: .[0].level, n: length})' events.ndjson
  tuckaway jq -n 'reduce inputs as $e ({}; .[$e.level] += 1)' events.ndjson
  curl -s $URL | tuckaway jq .name")]
pub struct Jq {
    #[command(flatten)]
    pub operands: JqOperands,
    #[command(flatten)]
    pub paging: Paging,
    /// Prints strings without quotes.
    #[arg(short = 'r', long)]
    pub raw_output: bool,
    /// Prints each output on one line.
    #[arg(short = 'c', long)]
    pub compact_output: bool,
    /// Runs the filter once, on an array of all documents.
    #[arg(short = 's', long)]
    pub slurp: bool,
    /// Runs the filter once, on null; `input` and `inputs` return the documents.
    #[arg(short = 'n', long)]
    pub null_input: bool,
    /// Maximum number of steps, about two for each term that is evaluated. The default
    /// stops a filter about two seconds after it has read the document.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Maximum memory for the values of the filter and its document, such as 256M. It is
    /// limited by --memory as well. [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub max_memory: Option<u64>,
}

/// Describes a text: prints its structure as JSON, and its type on stderr.
#[derive(Args)]
pub struct Shape {
    /// A file, an artifact's id, or `-` for standard input.
    #[arg(value_name = "FILE|ID", default_value = "-", hide_default_value = true)]
    pub source: PathBuf,
    /// Maximum size of the structure, such as 4096 or 8K.
    #[arg(long, value_name = "SIZE", value_parser = parse::page_size)]
    pub max_bytes: Option<u32>,
}

/// Truncates a text to its head and tail within a maximum size; JSON stays valid JSON.
#[derive(Args)]
pub struct Truncate {
    /// A file, an artifact's id, or `-` for standard input.
    #[arg(value_name = "FILE|ID", default_value = "-", hide_default_value = true)]
    pub source: PathBuf,
    /// The maximum size, such as 4096 or 64K: at least 512.
    #[arg(long, value_name = "SIZE", value_parser = parse::view_size)]
    pub max_bytes: u64,
}
