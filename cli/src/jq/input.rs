//! The input of a filter: one source, several joined, the lines of a text, or none.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::Operands;
use super::bind::calls;
use crate::args::{Cli, Jq};
use crate::exit::Failure;
use crate::source::Source;

/// The media type of documents in memory.
const NDJSON: &str = "application/x-ndjson";

/// Opens the input of a filter.
pub async fn open(cli: &Cli, args: &Jq, operands: &Operands) -> Result<Source, Failure> {
    // As in jq, standard input is not read unless the filter asks for it.
    let is_read = !args.null_input || ["input", "inputs"].iter().any(|name| calls(&operands.filter, name));
    let stdin;
    let inputs = match operands.inputs.is_empty() {
        true if !is_read => return Ok(Source::in_memory("null", NDJSON, b"null".to_vec())),
        true => {
            stdin = [crate::operands::stdin()?];
            stdin.as_slice()
        }
        false => operands.inputs.as_slice(),
    };
    let mut sources = Vec::new();
    for input in inputs {
        sources.push(Source::open(cli, input).await?);
    }
    if args.raw_input {
        return raw(args, inputs, &sources).await;
    }
    match sources.pop() {
        Some(only) if sources.is_empty() => Ok(only),
        last => {
            sources.extend(last);
            Ok(Source::joined(sources))
        }
    }
}

/// Returns the lines of texts as JSON strings, or all of them as one string.
async fn raw(args: &Jq, inputs: &[PathBuf], sources: &[Source]) -> Result<Source, Failure> {
    let mut bytes = Vec::new();
    for source in sources {
        bytes.extend(source.all().await?);
    }
    let text = String::from_utf8_lossy(&bytes);
    let json = match args.slurp {
        true => json!(text).to_string(),
        false => text.split_terminator('\n').map(|line| json!(line).to_string() + "\n").collect(),
    };
    let name = inputs.first().map(PathBuf::as_path).and_then(Path::file_stem).unwrap_or_default();
    Ok(Source::in_memory(&name.to_string_lossy(), NDJSON, json.into_bytes()))
}
