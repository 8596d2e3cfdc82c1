//! The arguments of the commands that query: `read`, `grep`, `jq`, `shape` and
//! `truncate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, value_parser};

use crate::color::When;
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

/// A pattern and the sources to search.
#[derive(Args)]
pub struct GrepOperands {
    /// The pattern to search for; omitted if -e is given.
    #[arg(value_name = "PATTERN")]
    pub first: Option<OsString>,
    /// Ids of artifacts, files (which are searched in place), or `-` for standard input. If omitted,
    /// standard input is searched if it is a pipe or a file, and otherwise all artifacts. A single
    /// one may come first if PATTERN is neither an id nor a file.
    #[arg(value_name = "ID|FILE")]
    pub rest: Vec<OsString>,
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
    /// Stops after N matching lines, of each file if there are several.
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
    /// Prints only the names of files and artifacts with a matching line.
    #[arg(short = 'l', long, conflicts_with_all = ["count", "max_bytes", "cursor", "json"])]
    pub files_with_matches: bool,
    /// Prints only the names of files and artifacts without a matching line.
    #[arg(short = 'L', long, conflicts_with_all = ["files_with_matches", "count", "max_bytes", "cursor", "json"])]
    pub files_without_match: bool,
    /// Searches all files in directories; `.` if none is named. Links in them are not followed.
    #[arg(short = 'r', long, visible_short_alias = 'R', conflicts_with = "all")]
    pub recursive: bool,
    /// Prints the name of the file before each line. This is the default for several files.
    #[arg(short = 'H', long)]
    pub with_filename: bool,
    /// Never prints the name of the file before a line.
    #[arg(long, conflicts_with = "with_filename")]
    pub no_filename: bool,
    /// Says nothing about files that do not exist or cannot be read.
    #[arg(short = 's', long)]
    pub no_messages: bool,
    /// Colours matches, names and line numbers: `auto`, `always` or `never`.
    #[arg(long, visible_alias = "colour", value_name = "WHEN", value_enum, default_value_t, hide_default_value = true,
        num_args = 0..=1, default_missing_value = "auto", require_equals = true, hide_possible_values = true)]
    pub color: When,
    /// Has no effect on text, which is always searched; binary content never is.
    #[arg(short = 'a', long, hide = true)]
    pub text: bool,
    /// Is refused: lines end at line feeds.
    #[arg(short = 'z', long, hide = true)]
    pub null_data: bool,
}

impl Grep {
    /// Returns whether names are printed instead of lines.
    pub fn lists_names(&self) -> bool {
        self.files_with_matches || self.files_without_match
    }

    /// Returns the operands in their order.
    pub fn operands(&self) -> Vec<OsString> {
        self.operands.first.iter().chain(&self.operands.rest).cloned().collect()
    }
}

/// A filter and the sources to run it on.
#[derive(Args)]
pub struct JqOperands {
    /// The filter; `.` if omitted. Put `--` before a filter that begins with a hyphen.
    #[arg(value_name = "FILTER")]
    pub first: Option<OsString>,
    /// Ids of artifacts, or files (which are queried in place); standard input if `-` or omitted.
    /// A single one may come first if FILTER is neither an id nor a file. Several must be JSON.
    #[arg(value_name = "ID|FILE")]
    pub rest: Vec<OsString>,
}

/// Runs a jq filter on JSON.
///
/// If the input is NDJSON or concatenated documents, the filter runs once for each
/// document, or once for all of them with --slurp or --null-input.
/// The exit status is jq's: 2 if the input cannot be read or is not JSON, 3 if the
/// filter is invalid, 5 if the filter failed; with -e, 1 if the last output is false or null,
/// and 4 if there is none.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway jq '.rows | length' art_fetch_9k2x7m4q1c
  tuckaway jq -r '.rows[] | select(.score > 0.9) | .id' big.json
  tuckaway jq -c 'select(.level == \"error\")' events.ndjson --max-bytes 8K
  tuckaway jq -s 'group_by(.level) | map({level: .[0].level, n: length})' events.ndjson
  tuckaway jq -n 'reduce inputs as $e ({}; .[$e.level] += 1)' events.ndjson
  tuckaway jq '.[] | select(.state == \"open\")' issues.json --save-as open-issues
  tuckaway jq '.[] | .user += $users[.user.login]' issues.json --with users=users.json
  tuckaway jq --arg who ann '.[] | select(.user == $who)' issues.json
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
    /// Reads the filter from a file; all operands are inputs.
    #[arg(short = 'f', long, value_name = "FILE")]
    pub from_file: Option<PathBuf>,
    /// Runs the filter on each line as a string, or with -s on the whole text as one string.
    #[arg(short = 'R', long)]
    pub raw_input: bool,
    /// Runs the filter on the events of each document, as `tostream` does.
    #[arg(long, conflicts_with = "raw_input")]
    pub stream: bool,
    /// Prints strings without quotes, and nothing between outputs.
    #[arg(short = 'j', long, conflicts_with_all = FIXED)]
    pub join_output: bool,
    /// Sorts the keys of objects.
    #[arg(short = 'S', long, conflicts_with_all = FIXED)]
    pub sort_keys: bool,
    /// Escapes all characters that are not ASCII.
    #[arg(short = 'a', long, conflicts_with_all = FIXED)]
    pub ascii_output: bool,
    /// Indents with tabs.
    #[arg(long, conflicts_with_all = FIXED)]
    pub tab: bool,
    /// Indents by N spaces, 0 to 7; 0 prints each output on one line. [default: 2]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(0..=7), conflicts_with_all = FIXED)]
    pub indent: Option<u8>,
    /// Colours the output even if it is not a terminal's.
    #[arg(short = 'C', long, conflicts_with_all = FIXED)]
    pub color_output: bool,
    /// Does not colour the output on a terminal.
    #[arg(short = 'M', long, conflicts_with = "color_output")]
    pub monochrome_output: bool,
    /// Sets the exit status by the last output: 0, or 1 if it is false or null, or 4 if there is none.
    #[arg(short = 'e', long, conflicts_with_all = FIXED)]
    pub exit_status: bool,
    /// Makes a text the variable $NAME. May be repeated, as the next three.
    #[arg(long, num_args = 2, value_names = ["NAME", "TEXT"], allow_hyphen_values = true)]
    pub arg: Vec<String>,
    /// Makes a JSON value the variable $NAME.
    #[arg(long, num_args = 2, value_names = ["NAME", "JSON"], allow_hyphen_values = true)]
    pub argjson: Vec<String>,
    /// Makes an array of all documents of an artifact or a file the variable $NAME.
    #[arg(long, num_args = 2, value_names = ["NAME", "ID|FILE"])]
    pub slurpfile: Vec<String>,
    /// Makes the text of an artifact or a file the variable $NAME.
    #[arg(long, num_args = 2, value_names = ["NAME", "ID|FILE"])]
    pub rawfile: Vec<String>,
    /// Adds all operands after this option to $ARGS.positional, as texts.
    #[arg(long, num_args = 0.., value_name = "TEXT", allow_negative_numbers = true)]
    pub args: Vec<String>,
    /// Adds all operands after this option to $ARGS.positional, as JSON values.
    #[arg(long, num_args = 0.., value_name = "JSON", allow_negative_numbers = true)]
    pub jsonargs: Vec<String>,
    /// Maximum number of steps, about two for each term that is evaluated. The default
    /// stops a filter about two seconds after it has read the document.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Maximum memory for the values of the filter and its document, such as 256M. It is
    /// limited by --memory as well. [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub max_memory: Option<u64>,
    /// Makes the content of another artifact or file the variable $NAME, or an array if it has several
    /// documents. May be repeated, up to 8 times.
    #[arg(long, value_name = "NAME=ID|FILE", value_parser = parse::variable)]
    pub with: Vec<(String, PathBuf)>,
    /// Stores all outputs as a new artifact of this name, one on each line, and prints its id.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["max_bytes", "cursor"])]
    pub save_as: Option<String>,
}

/// Options that fix the layout of the outputs.
const FIXED: [&str; 4] = ["max_bytes", "cursor", "save_as", "json"];

impl Jq {
    /// Returns the operands in their order.
    pub fn operands(&self) -> Vec<OsString> {
        self.operands.first.iter().chain(&self.operands.rest).cloned().collect()
    }
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
