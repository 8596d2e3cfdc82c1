//! `tuckaway read`.

use std::io::Write;

use tuckaway_host::{Page, Range};

use crate::args::{Cli, Read};
use crate::exit::{Failure, Outcome};
use crate::parse::Lines;
use crate::print;
use crate::source::Source;

/// Pages of this size are fetched where everything is printed.
const PAGE_BYTES: u32 = 16 << 20;

/// Bytes that cross at once where no engine is needed.
const CHUNK_BYTES: u64 = 1 << 20;

pub async fn run(cli: &Cli, args: &Read) -> Outcome {
    let source = Source::open(cli, &args.ask.source).await?;
    if args.raw {
        return raw(&source, args.bytes.unwrap_or((0, u64::MAX))).await;
    }
    let mut range = match (&args.ask.cursor, args.lines, args.bytes) {
        (Some(cursor), ..) => Range::Cursor(cursor.clone()),
        (None, Some(Lines::Range(first, last)), _) => Range::Lines { start: first, end: last },
        (None, Some(Lines::Last(count)), _) => Range::LastLines(count),
        (None, None, Some((start, end))) => Range::Bytes { start, end },
        (None, None, None) => Range::Bytes { start: 0, end: u64::MAX },
    };
    let engine = source.engine(cli)?;
    let (one_page, max_bytes) = (args.ask.is_one_page(), args.ask.page_bytes(PAGE_BYTES));
    let mut out = print::stdout();
    let mut all = Page { text: String::new(), next: None };
    loop {
        let page = engine.read(&source.id, &range, args.line_numbers, max_bytes).await?;
        match cli.json {
            true => all.text.push_str(&page.text),
            false => out.write_all(page.text.as_bytes())?,
        }
        all.next = page.next;
        match &all.next {
            Some(next) if !one_page => range = Range::Cursor(next.clone()),
            _ => break,
        }
    }
    out.flush()?;
    drop(out);
    if cli.json {
        return print::json(&all);
    }
    print::next_page(all.next.as_deref());
    Ok(0)
}

/// The bytes as they are stored.
async fn raw(source: &Source, (start, end): (u64, u64)) -> Outcome {
    if start > source.size {
        return Err(Failure::new(format!("there are {} bytes, none from {start} on", source.size)));
    }
    let mut out = print::stdout();
    let (mut at, end) = (start, end.min(source.size));
    while at < end {
        let bytes = source.bytes(at, CHUNK_BYTES.min(end - at) as u32).await?;
        if bytes.is_empty() {
            return Err(Failure::new("it ends before its size"));
        }
        out.write_all(&bytes)?;
        at += bytes.len() as u64;
    }
    out.flush()?;
    Ok(0)
}
