//! The arguments of the commands that take an output: `offload` and `exec`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tuckaway_host::{Dialect, Mode};

use crate::choice::Counter;
use crate::parse;

/// Stores an output if it is too big, and prints what the model should see.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  curl -s $URL | tuckaway offload --tool fetch
  tuckaway offload report.json --window 32000 --used 20000 --explain
  tuckaway offload build.log --mode truncate --max-bytes 4K
  tuckaway offload logs.txt --dialect file   presented as a saved file, for read_large_output
  tuckaway offload data.csv --json | jq .decision

A policy file sets some of the policy's fields; the others keep the defaults of its dialect:
  {\"min_threshold_bytes\": 8192, \"overrides\": [{\"tools\": \"skill_*\", \"exempt\": true}]}")]
pub struct Offload {
    /// The output; standard input if `-` or omitted.
    #[arg(default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    /// The tool's name. [default: the file's name without its extension]
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Media type of the output, such as `text/csv`. [default: detected]
    #[arg(long, value_name = "TYPE")]
    pub media_type: Option<String>,
    /// Marks the output as the error message of a failed tool.
    #[arg(long)]
    pub is_error: bool,
    #[command(flatten)]
    pub reduce: Reduce,
}

/// Runs a command and prints what the model should see of its output.
///
/// Standard output and standard error are merged in the order in which they were
/// written. The exit status is the command's own, 128 plus the signal's number if a
/// signal ended it, or 127 if the command is not found. If the status is nonzero, the
/// output counts as an error, and the error message is always shown.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway exec -- cargo test --workspace
  tuckaway exec --tool sql_query -- psql -c 'select * from events'
  tuckaway exec --cap 5000 --commands -- cargo build   for a model that has only a shell
  tuckaway exec --explain -- sh -c 'make 2>&1 | tee build.log'")]
pub struct Exec {
    /// The tool's name. [default: the command's name]
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Media type of the output, such as `text/csv`. [default: detected]
    #[arg(long, value_name = "TYPE")]
    pub media_type: Option<String>,
    /// Names the commands that read a stored output, such as `tuckaway read`, instead of the
    /// artifact tools: for a model that has a shell. If the store cannot be opened, the command is
    /// still run, and its output truncated.
    #[arg(long)]
    pub commands: bool,
    #[command(flatten)]
    pub reduce: Reduce,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// The options that decide how an output is reduced.
#[derive(Args)]
pub struct Reduce {
    /// The model's context window in tokens.
    #[arg(long, value_name = "TOKENS", default_value_t = 200_000)]
    pub window: u64,
    /// Tokens of the context window that are already used.
    #[arg(long, value_name = "TOKENS", default_value_t = 0)]
    pub used: u64,
    /// How an output that is too big is reduced. [default: from the policy, or auto]
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// The tool names and messages shown to the model: `artifact`, `cache`, `handle` or `file`.
    /// Each has its own default policy. [default: from the policy, or artifact]
    #[arg(long, value_name = "DIALECT", value_parser = parse::dialect)]
    pub dialect: Option<Dialect>,
    /// The artifact tools that the model can call: a list of `read`, `grep` and `jq`, or `none`.
    #[arg(long, value_name = "LIST", default_value = "read,grep,jq", value_parser = parse::tools)]
    pub tools: parse::Tools,
    /// A JSON file with the policy's fields that differ from the defaults.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Maximum tokens of an output that passes unchanged, and of its view. [default: from the
    /// policy]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub cap: Option<u64>,
    /// Maximum size of a truncated view, such as 4096 or 64K: at least 512. [default: from the
    /// policy]
    #[arg(long, value_name = "SIZE", value_parser = parse::view_size)]
    pub max_bytes: Option<u64>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
    /// Prints all gates to stderr, in order: what each one compared, and which one decided.
    #[arg(long)]
    pub explain: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ModeArg {
    /// Stores the output if the model can call any artifact tool, otherwise truncates it.
    Auto,
    /// Stores the output and shows a reference.
    Artifact,
    /// Shows head and tail.
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
