//! `tuckaway grep`: the engine finds, and what it gives as excerpts is printed
//! whole, as grep does, unless a page was asked for.

use std::io::Write;

use tuckaway_host::{GrepQuery, Match, Matches};

use crate::args::{Cli, Grep};
use crate::exit::{Failure, Outcome};
use crate::print;
use crate::source::Source;

/// Pages of this size are fetched where everything is printed.
const PAGE_BYTES: u32 = 8 << 20;

/// Bytes that are looked through at once for the ends of a line.
const CHUNK_BYTES: u64 = 64 << 10;

/// grep's own exit statuses.
const NO_MATCH: u8 = 1;
const TROUBLE: u8 = 2;

pub async fn run(cli: &Cli, args: &Grep) -> Outcome {
    search(cli, args).await.map_err(|failure| match failure.status {
        1 => failure.with_status(TROUBLE),
        _ => failure,
    })
}

/// What the engine searches for, and whether it is a plain string: it takes one
/// pattern and knows no letters, so several patterns, whole words and whole lines
/// are written as a regular expression.
fn pattern(args: &Grep) -> (String, bool) {
    let patterns: Vec<&str> = args.pattern.iter().chain(&args.regexp).map(String::as_str).collect();
    if let ([pattern], false, false) = (patterns.as_slice(), args.word_regexp, args.line_regexp) {
        return ((*pattern).to_owned(), args.fixed_strings);
    }
    let grouped = patterns.iter().map(|pattern| match args.fixed_strings {
        true => format!("(?:{})", escaped(pattern)),
        false => format!("(?:{pattern})"),
    });
    let any = grouped.collect::<Vec<_>>().join("|");
    let wrapped = match (args.line_regexp, args.word_regexp) {
        // A whole line is one of whole words as well, as in grep.
        (true, _) => format!("^(?:{any})$"),
        // Not a plain \b, which wants a word's character in the pattern's place, too.
        (false, true) => format!(r"\b{{start-half}}(?:{any})\b{{end-half}}"),
        (false, false) => any,
    };
    (wrapped, false)
}

/// The regular expression that matches just this text.
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
    let source = Source::open(cli, &args.ask.source).await?;
    let engine = source.engine(cli)?;
    let mut left = args.max_count.unwrap_or(u64::MAX);
    if left == 0 {
        return Ok(NO_MATCH);
    }
    let (pattern, fixed_string) = pattern(args);
    let mut query = GrepQuery {
        pattern,
        fixed_string,
        ignore_case: args.ignore_case,
        invert: args.invert_match,
        before_context: args.before_context.unwrap_or(args.context),
        after_context: args.after_context.unwrap_or(args.context),
        max_matches: Some(u32::MAX),
        cursor: args.ask.cursor.clone(),
    };
    if args.count || args.quiet {
        (query.before_context, query.after_context, query.max_matches) = (0, 0, Some(1));
        let matches = engine.grep(&source.id, &query, None).await?;
        let status = if matches.matches.is_empty() { NO_MATCH } else { 0 };
        if !args.quiet {
            let total = matches.total.unwrap_or(matches.matches.len() as u64).min(left);
            let mut out = print::stdout();
            match cli.json {
                true => writeln!(out, "{{\"total\": {total}}}")?,
                false => writeln!(out, "{total}")?,
            }
            out.flush()?;
        }
        return Ok(status);
    }
    let (one_page, max_bytes) = (args.ask.is_one_page(), args.ask.page_bytes(PAGE_BYTES));
    let mut lines = Lines::new(&source, args, !one_page, query.before_context + query.after_context > 0);
    let mut all = Matches { matches: Vec::new(), total: None, next: None };
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
    lines.out.flush()?;
    drop(lines);
    if cli.json {
        print::json(&all)?;
    } else if one_page {
        print::next_page(all.next.as_deref());
    }
    Ok(if any { 0 } else { NO_MATCH })
}

/// Prints matches the way grep does.
struct Lines<'s> {
    source: &'s Source,
    numbers: bool,
    /// Lines are printed whole, whatever the engine left out.
    whole: bool,
    /// Groups of lines are set apart.
    groups: bool,
    /// The number of the last line that was printed.
    last: u64,
    out: std::io::BufWriter<std::io::StdoutLock<'static>>,
}

impl<'s> Lines<'s> {
    fn new(source: &'s Source, args: &Grep, whole: bool, groups: bool) -> Self {
        Lines { source, numbers: args.line_number, whole, groups, last: 0, out: print::stdout() }
    }

    async fn print(&mut self, found: &Match) -> Result<(), Failure> {
        let first = found.line.saturating_sub(found.before.len() as u64);
        if self.groups && self.last > 0 && first > self.last + 1 {
            writeln!(self.out, "--")?;
        }
        let count = found.before.len() + 1 + found.after.len();
        let texts = found.before.iter().chain([&found.text]).chain(&found.after);
        // Only if something is missing from them, or stands for bytes that are no
        // text, are the lines looked up: else they are what is stored.
        let altered = found.clipped || texts.clone().any(|text| text.contains(char::REPLACEMENT_CHARACTER));
        let spans = match altered && self.whole {
            true => self.spans(found, count).await?,
            false => Vec::new(),
        };
        for (place, text) in texts.enumerate() {
            let number = first + place as u64;
            // Context that two matches share is printed once.
            if number <= self.last {
                continue;
            }
            self.last = number;
            if self.numbers {
                let mark = if number == found.line { ':' } else { '-' };
                write!(self.out, "{number}{mark}")?;
            }
            match spans.get(place) {
                Some(&(start, end)) => self.copy(start, end).await?,
                None => self.out.write_all(text.as_bytes())?,
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Where the lines of a match and its context begin and end.
    async fn spans(&self, found: &Match, count: usize) -> Result<Vec<(u64, u64)>, Failure> {
        let mut start = self.start_of_line(found.byte_offset).await?;
        for _ in 0..found.before.len() {
            start = self.start_of_line(start.saturating_sub(1)).await?;
        }
        let mut spans = Vec::with_capacity(count);
        for _ in 0..count {
            let end = self.end_of_line(start).await?;
            spans.push((start, end));
            start = end + 1;
        }
        Ok(spans)
    }

    /// Where the line that holds a byte begins.
    async fn start_of_line(&self, mut offset: u64) -> Result<u64, Failure> {
        while offset > 0 {
            let from = offset.saturating_sub(CHUNK_BYTES);
            let bytes = self.source.bytes(from, (offset - from) as u32).await?;
            if let Some(feed) = memchr::memrchr(b'\n', &bytes) {
                return Ok(from + feed as u64 + 1);
            }
            offset = from;
        }
        Ok(0)
    }

    /// Where the line that holds a byte ends, before its line feed.
    async fn end_of_line(&self, mut offset: u64) -> Result<u64, Failure> {
        while offset < self.source.size {
            let bytes = self.source.bytes(offset, CHUNK_BYTES as u32).await?;
            if let Some(feed) = memchr::memchr(b'\n', &bytes) {
                return Ok(offset + feed as u64);
            }
            if bytes.is_empty() {
                break;
            }
            offset += bytes.len() as u64;
        }
        Ok(offset)
    }

    /// The bytes of a line as they are, but for a carriage return that is part of
    /// its end.
    async fn copy(&mut self, mut start: u64, end: u64) -> Result<(), Failure> {
        while start < end {
            let mut bytes = self.source.bytes(start, CHUNK_BYTES.min(end - start) as u32).await?;
            if bytes.is_empty() {
                break;
            }
            start += bytes.len() as u64;
            if start == end && end < self.source.size && bytes.ends_with(b"\r") {
                bytes.pop();
            }
            self.out.write_all(&bytes)?;
        }
        Ok(())
    }
}
