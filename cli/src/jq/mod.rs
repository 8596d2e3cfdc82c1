//! `tuckaway jq`: the engine runs the filter; what jq takes from outside is bound here, and layouts
//! that the engine does not have are made here.

mod bind;
mod input;
mod layout;

use std::io::{BufWriter, StdoutLock, Write};
use std::path::PathBuf;

use tuckaway_host::{Error, ErrorKind, JqQuery, JqVariable, Outputs, Tuckaway};
use tuckaway_text::{counted, human_bytes};

use crate::args::{Cli, Jq};
use crate::color::When;
use crate::exit::{Failure, Outcome};
use crate::source::{Source, Sources, slurp};
use crate::{operands, print, setup};

use layout::Layout;

/// The size of the pages that are fetched if everything is printed. It is large
/// because each page runs the filter again.
const PAGE_BYTES: u32 = 32 << 20;

/// The variables from outside that the engine accepts.
const MAX_VARIABLES: usize = 8;

/// The exit statuses of jq.
const FALSE_OUTPUT: u8 = 1;
const USAGE_OR_INPUT: u8 = 2;
const COMPILE_ERROR: u8 = 3;
const NO_OUTPUT: u8 = 4;
const RUNTIME_ERROR: u8 = 5;

pub async fn run(cli: &Cli, args: &Jq) -> Outcome {
    query(cli, args).await.map_err(|failure| match failure.status {
        1 => failure.with_status(USAGE_OR_INPUT),
        _ => failure,
    })
}

async fn query(cli: &Cli, args: &Jq) -> Outcome {
    let operands = operands(cli, args).await?;
    let bound = bind::bind(cli, args, &operands).await?;
    let mut sources = Sources::default();
    let id = sources.add(input::open(cli, args, &operands).await?);
    let variables = variables(cli, args, bound.variables, &mut sources).await?;
    if args.save_as.is_some() {
        sources.save_in(setup::store(cli).await?);
    }
    let engine = sources.engine(cli)?;
    let layout = layout(cli, args);
    let query = JqQuery {
        filter: bound.filter,
        raw: args.raw_output && layout.is_none(),
        compact: args.compact_output || layout.is_some(),
        slurp: args.slurp && !args.raw_input,
        null_input: args.null_input,
        max_steps: args.max_steps,
        max_memory: args.max_memory,
        variables,
        save_as: args.save_as.clone(),
        cursor: args.paging.cursor.clone(),
    };
    let mut printer = Printer { layout, out: print::stdout(), line: String::new(), last: None };
    let mut all = run_pages(cli, args, &engine, &id, query, &mut printer).await?;
    let last = printer.finish()?;
    if args.raw_input {
        // The lines are documents only for the engine.
        all.parsed_as = None;
    }
    match report(cli, all)? {
        0 if args.exit_status => Ok(last.map_or(NO_OUTPUT, |truth| if truth { 0 } else { FALSE_OUTPUT })),
        status => Ok(status),
    }
}

/// Adds the sources of variables, and returns the variables.
async fn variables(
    cli: &Cli,
    args: &Jq,
    bound: Vec<(String, String)>,
    sources: &mut Sources,
) -> Result<Vec<JqVariable>, Failure> {
    let mut variables = Vec::new();
    for (name, source) in &args.with {
        let artifact = sources.add(Source::open(cli, source).await?);
        variables.push(JqVariable { name: name.clone(), artifact });
    }
    for (name, json) in bound {
        let source = Source::in_memory(&name, "application/json", json.into_bytes());
        variables.push(JqVariable { name, artifact: sources.add(source) });
    }
    if variables.len() > MAX_VARIABLES {
        return Err(Failure::new(format!(
            "the filter uses {} variables from outside, and can use {MAX_VARIABLES}; pass several values as one object, with --argjson, or use $ARGS.named",
            variables.len()
        )));
    }
    Ok(variables)
}

/// Runs the filter page by page: all pages, unless one is requested. Prints the outputs, unless
/// they are collected for --json.
async fn run_pages(
    cli: &Cli,
    args: &Jq,
    engine: &Tuckaway,
    id: &str,
    mut query: JqQuery,
    printer: &mut Printer,
) -> Result<Outputs, Failure> {
    let one_page = args.paging.is_one_page();
    let max_bytes = args.paging.page_bytes(PAGE_BYTES).filter(|_| args.save_as.is_none());
    let mut all = Outputs::default();
    loop {
        let page = engine.jq(id, &query, max_bytes).await;
        let page = page.map_err(|error| {
            let status = status_of(&error, args.paging.cursor.is_some());
            Failure::from(error).with_status(status)
        })?;
        match cli.json {
            true => all.text.push_str(&page.text),
            false => printer.print(&page.text)?,
        }
        (all.next, all.failure, all.parsed_as) = (page.next, page.failure, page.parsed_as);
        all.saved = page.saved;
        // The hint of the first page is about the whole document.
        all.hint = all.hint.or(page.hint);
        if all.next.is_none() || one_page {
            return Ok(all);
        }
        query.cursor.clone_from(&all.next);
    }
}

/// The operands of a run, by their meaning.
struct Operands {
    filter: String,
    inputs: Vec<PathBuf>,
    /// The positional arguments of the filter: texts, then JSON.
    positional: (Vec<String>, Vec<String>),
}

/// Assigns a role to each operand. As in jq, the first operand after --args is the filter if none
/// precedes it.
async fn operands(cli: &Cli, args: &Jq) -> Result<Operands, Failure> {
    let mut positional = (args.args.clone(), args.jsonargs.clone());
    let (filter, inputs) = match &args.from_file {
        Some(path) => {
            let text = String::from_utf8(slurp(path)?);
            let text = text.map_err(|_| {
                Failure::new(format!("the filter in {} is not UTF-8; save it as UTF-8", path.display()))
            })?;
            (Some(text), args.operands().into_iter().map(PathBuf::from).collect())
        }
        None if args.operands.first.is_none() => {
            let (texts, values) = (&mut positional.0, &mut positional.1);
            let first = [texts, values].into_iter().find(|list| !list.is_empty());
            (first.map(|list| list.remove(0)), Vec::new())
        }
        None => operands::assign(cli, "filter", &args.operands()).await?,
    };
    Ok(Operands { filter: filter.unwrap_or_else(|| ".".to_owned()), inputs, positional })
}

/// Returns the layout if the engine does not have it.
fn layout(cli: &Cli, args: &Jq) -> Option<Layout> {
    let is_fixed = cli.json || args.paging.is_one_page() || args.save_as.is_some();
    let color = match (args.color_output, args.monochrome_output) {
        (true, _) => When::Always,
        (false, true) => When::Never,
        (false, false) => When::Auto,
    };
    let indent = match (args.compact_output, args.tab, args.indent) {
        (true, ..) | (.., Some(0)) => None,
        (_, true, _) => Some("\t".to_owned()),
        (.., width) => Some(" ".repeat(width.unwrap_or(2).into())),
    };
    let layout = Layout {
        indent,
        sort_keys: args.sort_keys,
        ascii: args.ascii_output,
        color: !is_fixed && color.is_on(),
        raw: args.raw_output || args.join_output,
        join: args.join_output,
    };
    let is_own = layout.color || layout.sort_keys || layout.ascii || layout.join;
    (is_own || args.tab || args.indent.is_some() || args.exit_status).then_some(layout)
}

/// Prints outputs, in a layout if there is one.
struct Printer {
    layout: Option<Layout>,
    out: BufWriter<StdoutLock<'static>>,
    /// The beginning of an output that continues on the next page.
    line: String,
    /// Whether the last output was neither false nor null.
    last: Option<bool>,
}

impl Printer {
    fn print(&mut self, page: &str) -> Result<(), Failure> {
        let Some(layout) = &self.layout else { return Ok(self.out.write_all(page.as_bytes())?) };
        for part in page.split_inclusive('\n') {
            self.line.push_str(part);
            if let Some(json) = self.line.strip_suffix('\n') {
                layout.write(json, &mut self.out)?;
                self.last = Some(!matches!(json, "false" | "null"));
                self.line.clear();
            }
        }
        Ok(())
    }

    /// Returns whether the last output was neither false nor null.
    fn finish(mut self) -> Result<Option<bool>, Failure> {
        if !self.line.is_empty() {
            self.print("\n")?;
        }
        self.out.flush()?;
        Ok(self.last)
    }
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
    if let Some(saved) = &all.saved {
        print::text(&format!("{}\n", saved.artifact.id))?;
        let size = human_bytes(saved.artifact.size_bytes);
        eprintln!("tuckaway: saved {}, {size}, as {}", counted(saved.count, "output"), saved.artifact.tool);
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
