//! A filter's external values: the variables of --arg and similar options, and the caller's clock,
//! environment and file name. The engine has none of these. Variables become documents in memory, which
//! it can bind; the rest becomes definitions in front of the filter. Only values that the filter
//! mentions are passed.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value, json};

use super::Operands;
use crate::args::{Cli, Jq};
use crate::exit::Failure;
use crate::source::Source;

/// A filter with its external values.
pub struct Bound {
    pub filter: String,
    /// The names of variables and their values, as JSON.
    pub variables: Vec<(String, String)>,
}

/// Binds the values that a filter mentions.
pub async fn bind(cli: &Cli, args: &Jq, operands: &Operands) -> Result<Bound, Failure> {
    let filter = operands.filter.as_str();
    let named = named(cli, args).await?;
    let mut variables: Vec<_> =
        named.iter().filter(|(name, _)| has_variable(filter, name)).cloned().collect();
    let positional = positional(&operands.positional)?;
    if has_variable(filter, "ARGS") && !named.iter().any(|(name, _)| name == "ARGS") {
        let members: Vec<_> = named.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
        let (positional, named) = (positional.join(","), members.join(","));
        variables
            .push(("ARGS".to_owned(), format!("{{\"positional\":[{positional}],\"named\":{{{named}}}}}")));
    }
    let mut before = String::new();
    if calls(filter, "now") {
        write_now(args, &mut before)?;
    }
    if calls(filter, "input_filename") {
        let _ = write!(before, "def input_filename: {}; ", file_name(&operands.inputs)?);
    }
    let is_env_read = [calls(filter, "env"), has_variable(filter, "ENV")];
    if is_env_read.contains(&true) {
        variables.push(("__env".to_owned(), environment()));
    }
    if is_env_read[0] {
        before += "def env: $__env; ";
    }
    if is_env_read[1] {
        before += "$__env as $ENV | ";
    }
    if args.stream {
        if args.null_input || args.slurp {
            return Err(Failure::new(
                "--stream cannot be used with -n or -s; remove it, and write `inputs | tostream` in the filter",
            ));
        }
        before += "tostream | ";
    }
    Ok(Bound { filter: before + filter, variables })
}

/// Returns the named arguments, as JSON. As in jq, the first of a name counts.
async fn named(cli: &Cli, args: &Jq) -> Result<Vec<(String, String)>, Failure> {
    let mut named: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| {
        if !named.iter().any(|(known, _)| known == name) {
            named.push((name.to_owned(), value));
        }
    };
    for (name, text) in pairs(&args.arg) {
        add(name, json!(text).to_string());
    }
    for (name, text) in pairs(&args.argjson) {
        add(name, checked(text, &format!("the value of --argjson {name}"))?);
    }
    for (name, path) in pairs(&args.rawfile) {
        let bytes = Source::open(cli, Path::new(path)).await?.all().await?;
        add(name, json!(String::from_utf8_lossy(&bytes)).to_string());
    }
    for (name, path) in pairs(&args.slurpfile) {
        let bytes = Source::open(cli, Path::new(path)).await?.all().await?;
        add(name, documents(&bytes, path)?);
    }
    Ok(named)
}

/// Returns the names and values of an option that takes both.
fn pairs(values: &[String]) -> impl Iterator<Item = (&str, &str)> {
    values.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str()))
}

/// Returns the positional arguments, as JSON.
fn positional((texts, values): &(Vec<String>, Vec<String>)) -> Result<Vec<String>, Failure> {
    let texts = texts.iter().map(|text| Ok(json!(text).to_string()));
    texts.chain(values.iter().map(|text| checked(text, "a value of --jsonargs"))).collect()
}

/// Returns a JSON text unchanged if it is valid.
fn checked(text: &str, what: &str) -> Result<String, Failure> {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => {
            Err(Failure::new(format!("{what} is not JSON: {error}; quote strings, as in '\"text\"'")))
        }
    }
}

/// Returns all documents of a file as one array, with their numbers as written.
fn documents(bytes: &[u8], path: &str) -> Result<String, Failure> {
    let text = String::from_utf8_lossy(bytes);
    let found: Result<Vec<_>, _> = Deserializer::from_str(&text).into_iter::<&RawValue>().collect();
    let found = found.map_err(|error| {
        Failure::new(format!("{path} is not JSON: {error}; pass its text with --rawfile"))
    })?;
    Ok(format!("[{}]", found.iter().map(|document| document.get()).collect::<Vec<_>>().join(",")))
}

/// Defines `now`, which is the same in all pages of a run.
fn write_now(args: &Jq, before: &mut String) -> Result<(), Failure> {
    if args.paging.is_one_page() {
        return Err(Failure::new(
            "a filter with `now` has no pages that fit together; write $now, and pass --argjson now \"$(date +%s)\"",
        ));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let _ = write!(before, "def now: {now}; ");
    Ok(())
}

/// Returns the name of the only input, as passed; null for standard input.
fn file_name(inputs: &[PathBuf]) -> Result<Value, Failure> {
    match inputs {
        [] => Ok(Value::Null),
        [input] if input.as_os_str() == "-" => Ok(Value::Null),
        [input] => Ok(json!(input.to_string_lossy())),
        _ => Err(Failure::new(
            "input_filename is not known for several files; run `tuckaway jq` once for each of them",
        )),
    }
}

/// Returns the environment as a JSON object.
fn environment() -> String {
    let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let variables = env::vars_os().map(|(name, value)| (lossy(name), Value::String(lossy(value))));
    Value::Object(variables.collect()).to_string()
}

/// Returns whether a filter may read a variable.
fn has_variable(filter: &str, name: &str) -> bool {
    mentions(filter, &format!("${name}"), |_| true)
}

/// Returns whether a filter may call a filter of this name, which may also be text in it.
pub fn calls(filter: &str, name: &str) -> bool {
    mentions(filter, name, |before| !(is_word(before) || ".$".contains(before)))
}

fn mentions(filter: &str, word: &str, may_precede: impl Fn(char) -> bool) -> bool {
    filter.match_indices(word).any(|(at, word)| {
        filter[..at].chars().next_back().is_none_or(&may_precede)
            && !filter[at + word.len()..].starts_with(is_word)
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_can_be_calls() {
        for filter in ["now", "now|.", "[1,now]", "(now)", "-now", "\"\\(now)\""] {
            assert!(calls(filter, "now"), "{filter}");
        }
        for filter in [".now", "$now", "nowhere", "know", "now2", ""] {
            assert!(!calls(filter, "now"), "{filter}");
        }
        assert!(has_variable("$a|.", "a") && !has_variable("$ab", "a") && !has_variable("a", "a"));
    }

    #[test]
    fn documents_keep_their_numbers() {
        assert_eq!(documents(b"1.50 {\"a\": 1e999}\n[2]\n", "f").unwrap(), "[1.50,{\"a\": 1e999},[2]]");
        assert_eq!(documents(b"", "f").unwrap(), "[]");
        assert!(documents(b"{", "f.txt").unwrap_err().message.unwrap().starts_with("f.txt is not JSON"));
    }
}
