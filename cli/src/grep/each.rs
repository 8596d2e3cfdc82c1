//! Searches files and artifacts one after the other, and prints the same as grep.

use std::io::Write;
use std::path::{Path, PathBuf};

use tuckaway_host::{Error, ErrorKind, GrepQuery, Matches, Tuckaway};

use super::lines::{Lines, Style};
use super::{NO_MATCH, PAGE_BYTES, TROUBLE, style};
use crate::args::{Cli, Grep};
use crate::exit::{Failure, Outcome};
use crate::print;
use crate::source::Source;

/// Searches inputs in their order. If there is only one, its error is the command's; of several,
/// the others are searched nevertheless.
pub async fn search(cli: &Cli, args: &Grep, query: &GrepQuery, inputs: &[PathBuf]) -> Outcome {
    let is_one = inputs.len() == 1 && !args.recursive;
    if !is_one && (cli.json || args.paging.is_one_page()) {
        return Err(Failure::new(
            "--json, --max-bytes and --cursor take one input; run `tuckaway grep` once for each file",
        ));
    }
    let style = style(args, query)?;
    let has_names = args.with_filename || !is_one && !args.no_filename;
    let (mut any, mut is_trouble) = (false, false);
    for input in inputs {
        let name = name_of(input);
        let search = Search { cli, args, style: &style, name: has_names.then_some(&*name) };
        match search.one(input, &name, query.clone()).await {
            // -L is successful if it prints a name.
            Ok(found) => any |= found != args.files_without_match,
            Err(problem) if problem.ends_the_search() => return Err(problem.failure),
            Err(problem) if args.no_messages => is_trouble |= !problem.is_binary(),
            Err(problem) if is_one => return Err(problem.failure),
            Err(problem) => {
                is_trouble |= !problem.is_binary();
                eprintln!("tuckaway: not searched: {name}: {}", problem.failure.message.unwrap_or_default());
            }
        }
        if any && args.quiet {
            return Ok(0);
        }
    }
    Ok(match (is_trouble, any) {
        (true, _) => TROUBLE,
        (false, true) => 0,
        (false, false) => NO_MATCH,
    })
}

/// Returns the name that is printed before lines.
fn name_of(input: &Path) -> String {
    match input.as_os_str() == "-" {
        true => "(standard input)".to_owned(),
        false => input.to_string_lossy().into_owned(),
    }
}

/// Why an input was not searched.
struct Problem {
    failure: Failure,
    /// The kind of the engine's error.
    kind: Option<ErrorKind>,
}

impl Problem {
    /// Returns whether the other inputs have the same problem: standard output is closed, or the
    /// pattern is invalid.
    fn ends_the_search(&self) -> bool {
        self.failure.message.is_none() || self.kind == Some(ErrorKind::InvalidInput)
    }

    /// Returns whether the input is binary, which is not an error among several inputs.
    fn is_binary(&self) -> bool {
        self.kind == Some(ErrorKind::Unsupported)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Problem { failure, kind: None }
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Failure::from(error).into()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let kind = error.kind;
        let failure = Failure::from(error);
        let failure = match kind {
            ErrorKind::Unsupported => failure.with_addition("To search its bytes, use `grep -a`."),
            _ => failure,
        };
        Problem { failure, kind: Some(kind) }
    }
}

/// The search of one input.
struct Search<'s> {
    cli: &'s Cli,
    args: &'s Grep,
    style: &'s Style,
    /// The name before each line, if any.
    name: Option<&'s str>,
}

impl Search<'_> {
    /// Searches an input, and returns whether a line matched.
    async fn one(&self, input: &Path, name: &str, query: GrepQuery) -> Result<bool, Problem> {
        let source = Source::open(self.cli, input).await?;
        let engine = source.engine(self.cli)?;
        if !(self.args.count || self.args.quiet || self.args.lists_names()) {
            return self.print_all(&engine, &source, query).await;
        }
        let matches = engine.grep(&source.id, &query, None).await?;
        let found = !matches.matches.is_empty();
        let mut out = print::stdout();
        if self.args.lists_names() {
            if found == self.args.files_with_matches {
                writeln!(out, "{}", self.style.name(name))?;
            }
        } else if !self.args.quiet {
            let total = matches.total.unwrap_or(matches.matches.len() as u64);
            let total = total.min(self.args.max_count.unwrap_or(u64::MAX));
            match (self.cli.json, self.name) {
                (true, _) => writeln!(out, "{{\"total\": {total}}}")?,
                (false, None) => writeln!(out, "{total}")?,
                (false, Some(name)) => {
                    writeln!(out, "{}{}{total}", self.style.name(name), self.style.separator(':'))?;
                }
            }
        }
        out.flush()?;
        Ok(found)
    }

    /// Prints the matching lines, page by page.
    async fn print_all(
        &self,
        engine: &Tuckaway,
        source: &Source,
        mut query: GrepQuery,
    ) -> Result<bool, Problem> {
        let args = self.args;
        let (one_page, max_bytes) = (args.paging.is_one_page(), args.paging.page_bytes(PAGE_BYTES));
        let mut lines = Lines::new(source, self.style, self.name, 0);
        let mut left = args.max_count.unwrap_or(u64::MAX);
        // The lines after the last match may be matches, which are then context.
        let extra = if one_page { 0 } else { query.after_context };
        let mut all = Matches { matches: Vec::new(), total: None, match_count: None, next: None };
        let mut any = false;
        loop {
            query.max_matches = Some(u32::try_from(left.saturating_add(extra.into())).unwrap_or(u32::MAX));
            let mut page = engine.grep(&source.id, &query, max_bytes).await?;
            let wanted = page.matches.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let behind = page.matches.split_off(wanted);
            any |= !page.matches.is_empty();
            left -= page.matches.len() as u64;
            if all.matches.is_empty() {
                all.total = page.total;
            }
            match self.cli.json {
                true => all.matches.extend(page.matches),
                // The lines that do not match have no matching parts.
                false if query.invert && args.only_matching => {}
                false => {
                    for found in &page.matches {
                        lines.print(found).await?;
                    }
                    let until = page.matches.last().map_or(0, |last| last.line + u64::from(extra));
                    for found in &behind {
                        lines.print_context(found, until).await?;
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
        if self.cli.json {
            print::json(&all)?;
        } else if one_page {
            print::next_page(all.next.as_deref());
        }
        Ok(any)
    }
}
