//! `tuckaway grep`: the engine searches; lines that it returns as excerpts are printed
//! in full, as grep does, unless a page was requested.

mod all;
mod each;
mod files;
mod lines;

use std::path::{Path, PathBuf};

use regex_lite::Regex;
use tuckaway_host::GrepQuery;
use tuckaway_search::pattern::{self, Flags};

use crate::args::{Cli, Grep};
use crate::exit::{Failure, Outcome};
use crate::{operands, setup};

use lines::Style;

/// The size of the pages that are fetched if everything is printed.
const PAGE_BYTES: u32 = 8 << 20;

/// The exit statuses of grep.
const NO_MATCH: u8 = 1;
const TROUBLE: u8 = 2;

pub async fn run(cli: &Cli, args: &Grep) -> Outcome {
    search(cli, args).await.map_err(|failure| match failure.status {
        1 => failure.with_status(TROUBLE),
        _ => failure,
    })
}

/// The inputs of a search.
enum Inputs {
    /// All artifacts of the session.
    All,
    /// Ids and paths.
    Named(Vec<PathBuf>),
}

/// Returns the patterns, and the inputs to search.
async fn operands(cli: &Cli, args: &Grep) -> Result<(Vec<String>, Inputs), Failure> {
    let operands = args.operands();
    let (pattern, mut named) = match (args.all || args.recursive, operands.as_slice()) {
        _ if !args.regexp.is_empty() => (None, operands.iter().map(PathBuf::from).collect()),
        // The only operand is the pattern, even if there is a file of that name.
        (true, [only]) => (only.to_str().map(str::to_owned), Vec::new()),
        (true, [first, rest @ ..]) => {
            (first.to_str().map(str::to_owned), rest.iter().map(PathBuf::from).collect())
        }
        _ => {
            let assigned = operands::assign(cli, "pattern", &operands).await;
            assigned.map_err(|failure| if args.no_messages { failure.silenced() } else { failure })?
        }
    };
    let patterns = match pattern {
        _ if !args.regexp.is_empty() => args.regexp.clone(),
        Some(pattern) => vec![pattern],
        None => return Err(no_pattern(named.first().map(PathBuf::as_path))),
    };
    if args.all {
        return match named.first() {
            None => Ok((patterns, Inputs::All)),
            Some(extra) => Err(Failure::new(format!(
                "--all searches all artifacts; remove it, or remove {}",
                extra.display()
            ))),
        };
    }
    if args.recursive {
        named = files::below(if named.is_empty() { vec![PathBuf::from(".")] } else { named })?;
    } else if named.is_empty() && operands::stdin_is_stream() {
        // As in ripgrep, standard input is searched if it can have content.
        named.push(PathBuf::from("-"));
    } else if named.is_empty() {
        return Ok((patterns, Inputs::All));
    }
    Ok((patterns, Inputs::Named(named)))
}

/// Creates the failure of a search without a pattern.
fn no_pattern(source: Option<&Path>) -> Failure {
    Failure::new(match source {
        None => "the pattern is missing: tuckaway grep PATTERN [ID|FILE]".to_owned(),
        Some(source) => format!(
            "the pattern is missing: tuckaway grep PATTERN {0}; or is {0} the pattern? Then pass it with -e",
            source.display()
        ),
    })
}

/// Returns the pattern for the engine, and whether it is a plain string. The engine
/// takes one pattern and has no option for whole words or lines, so these and several
/// patterns are combined into one regular expression.
fn pattern(args: &Grep, patterns: &[String]) -> (String, bool) {
    if let ([pattern], false, false) = (patterns, args.word_regexp, args.line_regexp) {
        return (pattern.clone(), args.fixed_strings);
    }
    let grouped = patterns.iter().map(|pattern| match args.fixed_strings {
        true => format!("(?:{})", escaped(pattern)),
        false => format!("(?:{pattern})"),
    });
    let any = grouped.collect::<Vec<_>>().join("|");
    let wrapped = match (args.line_regexp, args.word_regexp) {
        // As in grep, -x includes -w.
        (true, _) => format!("^(?:{any})$"),
        // A plain \b would also require the match to begin and end with a word character.
        (false, true) => format!(r"\b{{start-half}}(?:{any})\b{{end-half}}"),
        (false, false) => any,
    };
    (wrapped, false)
}

/// Compiles the pattern whose matches -o prints, in the engine's dialect.
fn parts(query: &GrepQuery) -> Result<Regex, Failure> {
    let pattern = match query.fixed_string {
        true => escaped(&query.pattern),
        false => query.pattern.clone(),
    };
    let flags = Flags { ignore_case: query.ignore_case, ..Flags::default() };
    pattern::compile(&pattern, flags).map_err(|why| Failure::new(format!("the pattern {why}")))
}

/// Returns the regular expression that matches exactly this text.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

async fn search(cli: &Cli, args: &Grep) -> Outcome {
    if args.null_data {
        return Err(Failure::new(
            "lines end at line feeds only; instead of -z, write: tr '\\0' '\\n' < FILE | tuckaway grep PATTERN",
        ));
    }
    let (patterns, inputs) = operands(cli, args).await?;
    if args.max_count == Some(0) {
        return Ok(NO_MATCH);
    }
    let query = query(args, &patterns);
    // -F is no advice if it was given, and does not accept longer patterns.
    let advises = !args.fixed_strings && query.pattern.len() <= pattern::MAX_PATTERN_BYTES;
    let searched = search_inputs(cli, args, query, inputs).await;
    searched.map_err(|failure| match advises {
        true => failure,
        false => failure
            .with_wording("To search for exactly these characters, use -F.", "Search for a part of it."),
    })
}

async fn search_inputs(cli: &Cli, args: &Grep, query: GrepQuery, inputs: Inputs) -> Outcome {
    match inputs {
        Inputs::All if !args.lists_names() => all::search(cli, args, query).await,
        Inputs::All => {
            let artifacts = setup::store(cli).await?.list_artifacts().await;
            let artifacts = artifacts.map_err(|error| error.into_error("listing the artifacts", ""))?;
            // Newest first.
            let ids: Vec<_> = artifacts.iter().rev().map(|artifact| PathBuf::from(&artifact.id)).collect();
            each::search(cli, args, &query, &ids).await
        }
        Inputs::Named(named) => each::search(cli, args, &query, &named).await,
    }
}

/// Returns the query for the engine.
fn query(args: &Grep, patterns: &[String]) -> GrepQuery {
    let (pattern, fixed_string) = pattern(args, patterns);
    let is_without_context = args.only_matching || args.count || args.quiet || args.lists_names();
    let context = |lines: Option<u32>| match is_without_context {
        true => 0,
        false => lines.unwrap_or(args.context),
    };
    GrepQuery {
        pattern,
        fixed_string,
        ignore_case: args.ignore_case,
        invert: args.invert_match,
        before_context: context(args.before_context),
        after_context: context(args.after_context),
        each_match: false,
        max_matches: Some(1),
        cursor: args.paging.cursor.clone(),
    }
}

/// Returns how lines are printed.
fn style(args: &Grep, query: &GrepQuery) -> Result<Style, Failure> {
    let color = args.color.is_on() && !args.paging.is_one_page();
    let needs_parts = args.only_matching || color && !query.invert;
    Ok(Style {
        numbers: args.line_number,
        whole: !args.paging.is_one_page(),
        groups: query.before_context + query.after_context > 0,
        only: args.only_matching,
        color,
        parts: needs_parts.then(|| parts(query)).transpose()?,
    })
}
