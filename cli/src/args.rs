//! The command line: what can be typed, and the help that teaches it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tuckaway_host::{ArtifactTools, Mode};

use crate::choice::{Counter, StoreAt};
use crate::parse;

/// Puts oversized tool outputs away and asks them questions.
///
/// An output that is too big for a model's context window goes into a store; in its
/// place stands a short reference that says what is in it. The reference's id is
/// what `read`, `grep` and `jq` take: they answer in bounded pages, or like the
/// Unix tools of those names.
#[derive(Parser)]
#[command(name = "tuckaway", version, propagate_version = true, after_long_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// Where outputs are kept: `dir:PATH`, or `memory` to forget them at the end.
    /// [default: dir:$XDG_STATE_HOME/tuckaway/store]
    #[arg(long, global = true, value_name = "STORE", env = "TUCKAWAY_STORE", hide_env_values = true)]
    pub store: Option<StoreAt>,
    /// Prints everything as one JSON object, with the contract's names.
    #[arg(long, global = true)]
    pub json: bool,
    /// Time for one call into the engine, such as `500ms`, `60s` or `5m`.
    #[arg(long, global = true, value_name = "TIME", default_value = "60s", value_parser = parse::duration, hide_short_help = true)]
    pub deadline: Duration,
    /// Memory for one call into the engine, such as `512M`.
    #[arg(long, global = true, value_name = "SIZE", default_value = "1G", value_parser = parse::size, hide_short_help = true)]
    pub memory: u64,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tuckaway exec -- cargo test            run it; print what a model should see of its output
  curl -s $URL | tuckaway offload --tool fetch
  tuckaway list                          what is put away
  tuckaway read art_fetch_9k2x7m4q1c --lines 100:120 -n
  tuckaway grep art_fetch_9k2x7m4q1c -i -C2 'error|failed'
  tuckaway jq art_fetch_9k2x7m4q1c '.rows[] | select(.score > 0.9) | .id'
  tuckaway jq big.json '.rows | length'  files are asked in place
  tuckaway offload --explain big.log >/dev/null   which gate decided, and why
  tuckaway rm --older-than 7d

What the model sees goes to stdout, everything else to stderr.
`tuckaway COMMAND --help` says more.";

#[derive(Subcommand)]
pub enum Command {
    Offload(Offload),
    Exec(Exec),
    Read(Read),
    Grep(Grep),
    Jq(Jq),
    Shape(Shape),
    Truncate(Truncate),
    /// Lists what is put away, oldest first.
    List,
    /// Shows what is known of one artifact.
    Stat {
        /// The artifact's id.
        id: String,
    },
    Rm(Rm),
    /// Prints the definitions of the artifact tools, for a model provider.
    ///
    /// A JSON array of objects with `name`, `description` and `input_schema`.
    /// Run what the model then calls with `tuckaway call`.
    Tools {
        /// Which: a list of `read`, `grep` and `jq`, or `none`.
        #[arg(long, value_name = "LIST", default_value = "read,grep,jq", value_parser = parse::tools)]
        tools: ArtifactTools,
    },
    /// Runs an artifact tool as a model called it, and prints what to tell the model.
    ///
    /// Exits with 1 if the reply is an error that the model can mend.
    #[command(after_long_help = "\
Example:
  tuckaway call artifact_read '{\"artifact_id\": \"art_fetch_9k2x7m4q1c\", \"start_line\": 1}'")]
    Call {
        /// `artifact_read`, `artifact_grep` or `artifact_jq`.
        name: String,
        /// The arguments, a JSON object; `-` for standard input.
        arguments: String,
        /// Bound of the reply, such as 4096 or 16K.
        #[arg(long, value_name = "SIZE", value_parser = parse::page_size)]
        max_bytes: Option<u32>,
    },
}

/// Puts an output away if it is too big, and prints what the model should see of it.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  curl -s $URL | tuckaway offload --tool fetch
  tuckaway offload report.json --window 32000 --used 20000 --explain
  tuckaway offload build.log --mode truncate --max-bytes 4K
  tuckaway offload data.csv --json | jq .decision

A policy file holds any of the policy's fields, the others have their defaults:
  {\"min_threshold_bytes\": 8192, \"overrides\": [{\"tools\": \"skill_*\", \"exempt\": true}]}")]
pub struct Offload {
    /// The output; `-` or nothing for standard input.
    #[arg(default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    /// The tool's name. [default: the file's name without its ending]
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// What the output is, such as `text/csv`. [default: found out]
    #[arg(long, value_name = "TYPE")]
    pub media_type: Option<String>,
    /// The output says why the tool failed.
    #[arg(long)]
    pub is_error: bool,
    #[command(flatten)]
    pub reduce: Reduce,
}

/// Runs a command and prints what the model should see of its output.
///
/// Standard output and standard error are one text, in the order in which they
/// came. The exit status is the command's own, 128 and the signal's number if a
/// signal ended it, 127 if there is no such command; an output with a status other
/// than 0 counts as an error, whose message is never put away unseen.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway exec -- cargo test --workspace
  tuckaway exec --tool sql_query -- psql -c 'select * from events'
  tuckaway exec --explain -- sh -c 'make 2>&1 | tee build.log'")]
pub struct Exec {
    /// The tool's name. [default: the command's]
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// What the output is, such as `text/csv`. [default: found out]
    #[arg(long, value_name = "TYPE")]
    pub media_type: Option<String>,
    #[command(flatten)]
    pub reduce: Reduce,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// What decides how an output is reduced.
#[derive(Args)]
pub struct Reduce {
    /// The model's context window in tokens.
    #[arg(long, value_name = "TOKENS", default_value_t = 200_000)]
    pub window: u64,
    /// Tokens of it that are already used.
    #[arg(long, value_name = "TOKENS", default_value_t = 0)]
    pub used: u64,
    /// How an output that is too big is reduced. [default: the policy's, auto]
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// The artifact tools that the model can call: a list of `read`, `grep` and `jq`, or `none`.
    #[arg(long, value_name = "LIST", default_value = "read,grep,jq", value_parser = parse::tools)]
    pub tools: ArtifactTools,
    /// A JSON file with fields of the policy that are not the default.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Bound of a truncated view, such as 4096 or 64K: at least 512. [default: the policy's]
    #[arg(long, value_name = "SIZE", value_parser = parse::view_size)]
    pub max_bytes: Option<u64>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
    /// Shows on stderr every gate in its order, what it compared, and which one decided.
    #[arg(long)]
    pub explain: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ModeArg {
    /// A reference if the model can call any artifact tool, else head and tail.
    Auto,
    /// Put away, with a reference in its place.
    Artifact,
    /// Head and tail.
    Truncate,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Auto => Mode::Auto,
            ModeArg::Artifact => Mode::Artifact,
            ModeArg::Truncate => Mode::Truncate,
        }
    }
}

/// Where to ask, and how much of the answer to print.
#[derive(Args)]
pub struct Ask {
    /// An artifact's id; or a file, which is asked in place; or `-` for standard input.
    #[arg(value_name = "ID|FILE")]
    pub source: PathBuf,
    /// Prints one page of at most this size, and on stderr the cursor of the next.
    /// [default: everything]
    #[arg(long, value_name = "SIZE", value_parser = parse::page_size)]
    pub max_bytes: Option<u32>,
    /// Goes on where an earlier page left off.
    #[arg(long)]
    pub cursor: Option<String>,
}

impl Ask {
    /// Returns whether one page is printed, not everything.
    pub fn is_one_page(&self) -> bool {
        self.max_bytes.is_some() || self.cursor.is_some()
    }

    /// Returns the bound of the pages that are fetched: `all` if everything is
    /// printed, the engine's default if none.
    pub fn page_bytes(&self, all: u32) -> Option<u32> {
        if self.is_one_page() { self.max_bytes } else { Some(all) }
    }
}

/// Prints an artifact, or a part of it.
///
/// What is not UTF-8 is printed as U+FFFD, as a model sees it; `--raw` prints the
/// bytes themselves.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway read art_fetch_9k2x7m4q1c --lines 100:120 -n
  tuckaway read big.log --lines -100:                    the last 100 lines
  tuckaway read art_fetch_9k2x7m4q1c --bytes 4096:8192
  tuckaway read art_fetch_9k2x7m4q1c --raw > copy        every byte as it came
  tuckaway read big.log --max-bytes 4K                   the first page, as a model gets it")]
pub struct Read {
    #[command(flatten)]
    pub ask: Ask,
    /// Lines from A to B, both included: `A:B`, `A:`, `:B` or `A`; `-N:` for the last N.
    #[arg(long, value_name = "A:B", value_parser = parse::lines, allow_hyphen_values = true,
        conflicts_with_all = ["bytes", "cursor"])]
    pub lines: Option<parse::Lines>,
    /// Bytes from A to before B: `A:B`, `A:` or `:B`.
    #[arg(long, value_name = "A:B", value_parser = parse::bytes, conflicts_with = "cursor")]
    pub bytes: Option<(u64, u64)>,
    /// Numbers the lines.
    #[arg(short = 'n', long)]
    pub line_numbers: bool,
    /// The bytes as they are stored, all or those of --bytes.
    #[arg(long, conflicts_with_all = ["lines", "cursor", "line_numbers", "max_bytes", "json"])]
    pub raw: bool,
}

/// Prints the lines that match a pattern.
///
/// Patterns are those of Rust's regex crate, with \d, \w, \s and -i for ASCII.
/// Exits with 0 if a line matched, 1 if none did, 2 if something went wrong.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway grep art_make_9k2x7m4q1c -n -C2 'error|warning'
  tuckaway grep big.log -F -c '[ERROR]'
  tuckaway grep big.log timeout --max-bytes 4K           the first page, long lines as excerpts")]
pub struct Grep {
    #[command(flatten)]
    pub ask: Ask,
    /// What to look for.
    #[arg(required_unless_present = "regexp")]
    pub pattern: Option<String>,
    /// The same, where it begins with a hyphen; of several, any may match.
    #[arg(short = 'e', long, value_name = "PATTERN", allow_hyphen_values = true, conflicts_with = "pattern")]
    pub regexp: Vec<String>,
    /// Ignores case.
    #[arg(short = 'i', long)]
    pub ignore_case: bool,
    /// The lines that do not match.
    #[arg(short = 'v', long)]
    pub invert_match: bool,
    /// The pattern is a plain string.
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,
    /// Only whole words match.
    #[arg(short = 'w', long)]
    pub word_regexp: bool,
    /// Only whole lines match.
    #[arg(short = 'x', long)]
    pub line_regexp: bool,
    /// Does nothing: patterns are always extended ones.
    #[arg(short = 'E', long, hide = true, conflicts_with = "fixed_strings")]
    pub extended_regexp: bool,
    /// Lines of context after each match.
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u32>,
    /// Lines of context before each match.
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u32>,
    /// Lines of context on either side.
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub context: u32,
    /// Stops after so many matching lines.
    #[arg(short = 'm', long, value_name = "N")]
    pub max_count: Option<u64>,
    /// Numbers the lines.
    #[arg(short = 'n', long)]
    pub line_number: bool,
    /// Prints the number of matching lines only.
    #[arg(short = 'c', long, conflicts_with_all = ["max_bytes", "cursor"])]
    pub count: bool,
    /// Prints nothing: the exit status says whether a line matched.
    #[arg(short = 'q', long, visible_alias = "silent")]
    pub quiet: bool,
}

/// Runs a jq filter on JSON.
///
/// On NDJSON and concatenated documents it runs once for each. Exits as jq does:
/// 2 if the input cannot be read or is no JSON, 3 if the filter is none, 5 if the
/// filter failed.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway jq art_fetch_9k2x7m4q1c '.rows | length'
  tuckaway jq -r big.json '.rows[] | select(.score > 0.9) | .id'
  tuckaway jq events.ndjson -c 'select(.level == \"error\")' --max-bytes 8K")]
pub struct Jq {
    #[command(flatten)]
    pub ask: Ask,
    /// The filter; put `--` before one that begins with a hyphen.
    #[arg(default_value = ".")]
    pub filter: String,
    /// Strings without quotes.
    #[arg(short = 'r', long)]
    pub raw_output: bool,
    /// One line an output.
    #[arg(short = 'c', long)]
    pub compact_output: bool,
    /// Steps that the filter may take, about one for each of its terms that is
    /// run; the default ends what runs for some seconds.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Memory that the filter's values and its document's may take at once, such
    /// as 256M; no more than --memory has room for. [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub max_memory: Option<u64>,
}

/// Prints what is in a text: its type, and its structure as one JSON value.
#[derive(Args)]
pub struct Shape {
    /// A file, an artifact's id, or `-` for standard input.
    #[arg(value_name = "FILE|ID", default_value = "-", hide_default_value = true)]
    pub source: PathBuf,
    /// Bound of the structure, such as 4096 or 8K.
    #[arg(long, value_name = "SIZE", value_parser = parse::page_size)]
    pub max_bytes: Option<u32>,
}

/// Prints head and tail of a text within a bound; JSON stays JSON.
#[derive(Args)]
pub struct Truncate {
    /// A file, an artifact's id, or `-` for standard input.
    #[arg(value_name = "FILE|ID", default_value = "-", hide_default_value = true)]
    pub source: PathBuf,
    /// The bound, such as 4096 or 64K: at least 512.
    #[arg(long, value_name = "SIZE", value_parser = parse::view_size)]
    pub max_bytes: u64,
}

/// Removes artifacts.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Rm {
    /// Their ids.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Those that are older than this, such as `12h` or `7d`.
    #[arg(long, value_name = "AGE", value_parser = parse::duration)]
    pub older_than: Option<Duration>,
    /// All of them.
    #[arg(long)]
    pub all: bool,
}
