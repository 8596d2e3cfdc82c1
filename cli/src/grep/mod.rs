//! `tuckaway grep`: the engine searches; lines that it returns as excerpts are printed
//! in full, as grep does, unless a page was requested.

mod all;
mod lines;

use std::io::Write;
use std::path::{Path, PathBuf};

use regex_lite::Regex;
use tuckaway_host::{GrepQuery, Matches, Tuckaway};
use tuckaway_search::pattern::{self, Flags};

use crate::args::{Cli, Grep};
use crate::exit::{Failure, Outcome};
use crate::source::Source;
use crate::{operands, print};

use lines::{Lines, Style};

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

/// Returns the patterns, and the source to search; `None` for all artifacts.
async fn patterns(cli: &Cli, args: &Grep) -> Result<(Vec<String>, Option<PathBuf>), Failure> {
    let (first, second) = (args.operands.first.as_deref(), args.operands.second.as_deref());
    if args.all {
        return Ok((pattern_alone(args)?, None));
    }
    let (patterns, source) = match args.regexp.is_empty() {
        false => (args.regexp.clone(), operands::source_alone(first, second)?),
        true => {
            let operands = operands::assign(cli, "pattern", first, second).await?;
            let pattern = operands.query.ok_or_else(|| no_pattern(operands.source.as_deref()))?;
            (vec![pattern], operands.source)
        }
    };
    // As in ripgrep, standard input is searched if it can have content.
    let source = source.or_else(|| operands::stdin_is_stream().then(|| PathBuf::from("-")));
    Ok((patterns, source))
}

/// Returns the patterns if all artifacts are searched.
fn pattern_alone(args: &Grep) -> Result<Vec<String>, Failure> {
    let (first, second) = (args.operands.first.as_deref(), args.operands.second.as_deref());
    let (patterns, extra) = match (args.regexp.is_empty(), first) {
        (false, extra) => (args.regexp.clone(), extra),
        (true, None) => return Err(no_pattern(None)),
        (true, Some(pattern)) => {
            let pattern = pattern.to_str().ok_or_else(|| Failure::new("the pattern is not UTF-8"))?;
            (vec![pattern.to_owned()], second)
        }
    };
    match extra {
        None => Ok(patterns),
        Some(extra) => Err(Failure::new(format!(
            "--all searches all artifacts; remove it, or remove {}",
            extra.to_string_lossy()
        ))),
    }
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
    let (patterns, source) = patterns(cli, args).await?;
    let source = match source {
        Some(source) => Some(Source::open(cli, &source).await?),
        None => None,
    };
    if args.max_count == Some(0) {
        return Ok(NO_MATCH);
    }
    let (pattern, fixed_string) = pattern(args, &patterns);
    let context = |lines: Option<u32>| match args.only_matching || args.count || args.quiet {
        true => 0,
        false => lines.unwrap_or(args.context),
    };
    let query = GrepQuery {
        pattern,
        fixed_string,
        ignore_case: args.ignore_case,
        invert: args.invert_match,
        before_context: context(args.before_context),
        after_context: context(args.after_context),
        each_match: false,
        max_matches: Some(1),
        cursor: args.paging.cursor.clone(),
    };
    let Some(source) = source else { return all::search(cli, args, query).await };
    let engine = source.engine(cli)?;
    match args.count || args.quiet {
        true => count(cli, args, &engine, &source, &query).await,
        false => print_all(cli, args, &engine, &source, query).await,
    }
}

/// Prints the number of matching lines, or nothing.
async fn count(cli: &Cli, args: &Grep, engine: &Tuckaway, source: &Source, query: &GrepQuery) -> Outcome {
    let matches = engine.grep(&source.id, query, None).await?;
    if !args.quiet {
        let total = matches.total.unwrap_or(matches.matches.len() as u64);
        let total = total.min(args.max_count.unwrap_or(u64::MAX));
        let mut out = print::stdout();
        match cli.json {
            true => writeln!(out, "{{\"total\": {total}}}")?,
            false => writeln!(out, "{total}")?,
        }
        out.flush()?;
    }
    Ok(if matches.matches.is_empty() { NO_MATCH } else { 0 })
}

/// Returns how lines are printed.
fn style(args: &Grep, query: &GrepQuery) -> Result<Style, Failure> {
    Ok(Style {
        numbers: args.line_number,
        whole: !args.paging.is_one_page(),
        groups: query.before_context + query.after_context > 0,
        only: args.only_matching.then(|| parts(query)).transpose()?,
    })
}

/// Prints the matching lines, page by page.
async fn print_all(
    cli: &Cli,
    args: &Grep,
    engine: &Tuckaway,
    source: &Source,
    mut query: GrepQuery,
) -> Outcome {
    let (one_page, max_bytes) = (args.paging.is_one_page(), args.paging.page_bytes(PAGE_BYTES));
    let style = style(args, &query)?;
    let mut lines = Lines::new(source, &style, 0);
    let mut left = args.max_count.unwrap_or(u64::MAX);
    let mut all = Matches { matches: Vec::new(), total: None, match_count: None, next: None };
    let mut any = false;
    loop {
        query.max_matches = Some(u32::try_from(left).unwrap_or(u32::MAX));
        let page = engine.grep(&source.id, &query, max_bytes).await?;
        any |= !page.matches.is_empty();
        left -= page.matches.len() as u64;
        if all.matches.is_empty() {
            all.total = page.total;
        }
        match cli.json {
            true => all.matches.extend(page.matches),
            // The lines that do not match have no matching parts.
            false if query.invert && args.only_matching => {}
            false => {
                for found in &page.matches {
                    lines.print(found).await?;
                }
            }
        }
        all.next = page.next;
        if all.next.is_none() || one_page || left == 0 {
            break;
        }
        query.cursor.clone_from(&all.next);
    }
    lines.finish()?;
    if cli.json {
        print::json(&all)?;
    } else if one_page {
        print::next_page(all.next.as_deref());
    }
    Ok(if any { 0 } else { NO_MATCH })
}
