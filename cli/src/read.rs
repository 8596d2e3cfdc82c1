//! `tuckaway read`.

use std::io::{self, IsTerminal, Write};

use tuckaway_host::{ByteRange, LineRange, Page, Range, ReadOptions, Tuckaway};
use tuckaway_text::encoding::Encoding;
use tuckaway_text::human_bytes;

use crate::args::{Cli, Read};
use crate::exit::{Failure, Outcome};
use crate::pager::Pager;
use crate::parse::Lines;
use crate::source::Source;
use crate::{print, sink};

/// The size of the pages that are fetched if everything is printed.
const PAGE_BYTES: u32 = 16 << 20;

/// The size of the pages that are fetched for a pager.
const SCREEN_BYTES: u32 = 256 << 10;

/// Bytes that are copied at once if no engine is needed.
const CHUNK_BYTES: u64 = 1 << 20;

pub async fn run(cli: &Cli, args: &Read) -> Outcome {
    let source = Source::open(cli, &args.source).await?;
    let is_terminal = io::stdout().is_terminal();
    if is_terminal && !cli.json && is_binary(&source).await? {
        return Err(Failure::new(format!(
            "binary content of {} is not shown on a terminal; write it to a file: tuckaway read {} --raw > FILE",
            human_bytes(source.size),
            args.source.display()
        )));
    }
    if args.raw {
        return raw(&source, args.bytes.unwrap_or((0, u64::MAX))).await;
    }
    let (range, whole) = match (&args.paging.cursor, args.lines, args.bytes) {
        (Some(cursor), ..) => (Range::Cursor(cursor.clone()), false),
        (None, Some(Lines::Range(start, end)), _) => (Range::Lines(LineRange { start, end }), false),
        (None, Some(Lines::Last(count)), _) => (Range::LastLines(count), false),
        (None, None, Some((start, end))) => (Range::Bytes(ByteRange { start, end }), false),
        (None, None, None) => (Range::Bytes(ByteRange { start: 0, end: u64::MAX }), true),
    };
    let interactive = whole && !args.paging.is_one_page() && !cli.json && is_terminal;
    match interactive {
        true => paged(cli, args, &source, range).await,
        false => print_all(cli, args, &source, range).await,
    }
}

/// Returns whether content begins like binary data, which cannot be shown as text.
async fn is_binary(source: &Source) -> Result<bool, Failure> {
    let head = source.bytes(0, 4096).await?;
    Ok(Encoding::of(&head).is_none() && sink::guess(&head) == "application/octet-stream")
}

/// Prints a range, or a page of it.
async fn print_all(cli: &Cli, args: &Read, source: &Source, range: Range) -> Outcome {
    let mut pages = Pages::new(cli, args, source, range)?;
    let one_page = args.paging.is_one_page();
    let mut out = print::stdout();
    let mut text = String::new();
    while let Some(page) = pages.next(args.paging.page_bytes(PAGE_BYTES)).await? {
        match cli.json {
            true => text.push_str(&page),
            false => out.write_all(page.as_bytes())?,
        }
        if one_page {
            break;
        }
    }
    out.flush()?;
    drop(out);
    if cli.json {
        return print::json(&Page { text, next: pages.cursor() });
    }
    print::next_page(pages.cursor().as_deref());
    Ok(0)
}

/// Shows everything in the user's pager; without a pager, one page.
async fn paged(cli: &Cli, args: &Read, source: &Source, range: Range) -> Outcome {
    let mut pages = Pages::new(cli, args, source, range)?;
    let Some(mut pager) = Pager::start()? else {
        let page = pages.next(None).await?;
        print::text(&page.unwrap_or_default())?;
        print::next_page(pages.cursor().as_deref());
        return Ok(0);
    };
    // With small pages, the first one appears at once, and few are fetched that nobody reads.
    while let Some(page) = pages.next(Some(SCREEN_BYTES)).await? {
        if !pager.write(page.as_bytes())? {
            break;
        }
    }
    pager.wait()?;
    Ok(0)
}

/// The pages of a range, in order.
struct Pages<'s> {
    source: &'s Source,
    engine: Tuckaway,
    line_numbers: bool,
    /// The range that is not read yet; `None` at the end.
    rest: Option<Range>,
}

impl<'s> Pages<'s> {
    fn new(cli: &Cli, args: &Read, source: &'s Source, range: Range) -> Result<Self, Failure> {
        let engine = source.engine(cli)?;
        Ok(Pages { source, engine, line_numbers: args.line_numbers, rest: Some(range) })
    }

    async fn next(&mut self, max_bytes: Option<u32>) -> Result<Option<String>, Failure> {
        let Some(range) = &self.rest else { return Ok(None) };
        let options = ReadOptions { line_numbers: self.line_numbers, max_bytes };
        let page = self.engine.read(&self.source.id, range, &options).await?;
        self.rest = page.next.map(Range::Cursor);
        Ok(Some(page.text))
    }

    /// Returns the cursor of the next page.
    fn cursor(&self) -> Option<String> {
        match &self.rest {
            Some(Range::Cursor(cursor)) => Some(cursor.clone()),
            _ => None,
        }
    }
}

/// Prints the stored bytes unchanged.
async fn raw(source: &Source, (start, end): (u64, u64)) -> Outcome {
    if start > source.size {
        return Err(Failure::new(format!(
            "byte {start} is past the end; the content has {} bytes",
            source.size
        )));
    }
    let mut out = print::stdout();
    let (mut at, end) = (start, end.min(source.size));
    while at < end {
        let bytes = source.bytes(at, CHUNK_BYTES.min(end - at) as u32).await?;
        if bytes.is_empty() {
            return Err(Failure::new(
                "the content is shorter than its recorded size: it is damaged, or changed while it was read",
            ));
        }
        out.write_all(&bytes)?;
        at += bytes.len() as u64;
    }
    out.flush()?;
    Ok(0)
}
