//! `tuckaway jq`.

use std::io::Write;

use tuckaway_host::{Error, ErrorKind, JqQuery, Outputs};

use crate::args::{Cli, Jq};
use crate::exit::{Failure, Outcome};
use crate::source::Source;
use crate::{operands, print};

/// The size of the pages that are fetched if everything is printed. It is large
/// because each page runs the filter again.
const PAGE_BYTES: u32 = 32 << 20;

/// The exit statuses of jq.
const USAGE_OR_INPUT: u8 = 2;
const COMPILE_ERROR: u8 = 3;
const RUNTIME_ERROR: u8 = 5;

pub async fn run(cli: &Cli, args: &Jq) -> Outcome {
    query(cli, args).await.map_err(|failure| match failure.status {
        1 => failure.with_status(USAGE_OR_INPUT),
        _ => failure,
    })
}

async fn query(cli: &Cli, args: &Jq) -> Outcome {
    let (first, second) = (args.operands.first.as_deref(), args.operands.second.as_deref());
    let operands = operands::assign(cli, "filter", first, second).await?;
    let source = operands.source.map_or_else(operands::stdin, Ok)?;
    let source = Source::open(cli, &source).await?;
    let engine = source.engine(cli)?;
    let mut query = JqQuery {
        filter: operands.query.unwrap_or_else(|| ".".to_owned()),
        raw: args.raw_output,
        compact: args.compact_output,
        slurp: args.slurp,
        null_input: args.null_input,
        max_steps: args.max_steps,
        max_memory: args.max_memory,
        cursor: args.paging.cursor.clone(),
    };
    let (one_page, max_bytes) = (args.paging.is_one_page(), args.paging.page_bytes(PAGE_BYTES));
    let mut out = print::stdout();
    let mut all = Outputs { text: String::new(), next: None, failure: None, hint: None, parsed_as: None };
    loop {
        let page = engine.jq(&source.id, &query, max_bytes).await;
        let page = page.map_err(|error| {
            let status = status_of(&error, args.paging.cursor.is_some());
            Failure::from(error).with_status(status)
        })?;
        match cli.json {
            true => all.text.push_str(&page.text),
            false => out.write_all(page.text.as_bytes())?,
        }
        (all.next, all.failure, all.parsed_as) = (page.next, page.failure, page.parsed_as);
        // The hint of the first page is about the whole document.
        all.hint = all.hint.or(page.hint);
        if all.next.is_none() || one_page {
            break;
        }
        query.cursor.clone_from(&all.next);
    }
    out.flush()?;
    drop(out);
    report(cli, all)
}

/// Prints notes and errors about the run, and returns jq's exit status.
fn report(cli: &Cli, all: Outputs) -> Outcome {
    let status = all.failure.as_ref().map_or(0, |failure| match failure.kind {
        ErrorKind::Unsupported => USAGE_OR_INPUT,
        _ => RUNTIME_ERROR,
    });
    if cli.json {
        print::json(&all)?;
        return Ok(status);
    }
    if let Some(parsed_as) = &all.parsed_as {
        eprintln!("tuckaway: {parsed_as}");
    }
    if let Some(hint) = &all.hint {
        eprintln!("tuckaway: {hint}");
    }
    match all.failure {
        Some(failure) => Err(Failure::from(failure).with_status(status)),
        None => {
            print::next_page(all.next.as_deref());
            Ok(status)
        }
    }
}

/// Returns the exit status of jq for an error. Invalid input is the filter's fault,
/// unless a cursor was passed.
fn status_of(error: &Error, cursor: bool) -> u8 {
    match error.kind {
        ErrorKind::InvalidInput if !cursor => COMPILE_ERROR,
        ErrorKind::Limit => RUNTIME_ERROR,
        _ => USAGE_OR_INPUT,
    }
}
