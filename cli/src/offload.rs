//! `tuckaway offload`, and the code that it shares with `tuckaway exec`: turning an output
//! into the view for a model.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;

use tuckaway_host::{Block, Content, Dialect, ErrorKind, Policy, Store, ToolOutput, Tuckaway, Turn, View};
use tuckaway_text::human_bytes;

use crate::args::{Cli, Offload, Reduce};
use crate::choice::StoreAt;
use crate::exit::{Failure, Outcome};
use crate::sink::{self, Sink};
use crate::source::cannot_read;
use crate::{beginning, explain, print, setup, too_big};

pub async fn run(cli: &Cli, args: &Offload) -> Outcome {
    let policy = policy(&args.reduce)?;
    let tool = args.tool.clone().unwrap_or_else(|| match args.file.file_stem() {
        Some(stem) if args.file.as_os_str() != "-" => tool_named(&stem.to_string_lossy()),
        _ => "stdin".to_owned(),
    });
    let store = setup::store_for_output(cli).await?;
    let mut sink = Sink::new(Arc::clone(&store), &tool, args.media_type.as_deref(), spill_at(cli));
    gather(&args.file, &mut sink).await.map_err(|error| cannot_read(&args.file, &error))?;
    let gathered = Gathered { tool, is_error: args.is_error, media_type: args.media_type.clone(), sink };
    let (view, blocks) = reduce(cli, &args.reduce, policy, store, gathered).await?;
    match cli.json {
        true => print::json(&view),
        false => show(&view, &blocks).map(|()| 0),
    }
}

/// Returns a tool's name for the name of a file or command. Avoids the names of
/// artifact tools, whose replies are never reduced.
pub fn tool_named(name: &str) -> String {
    match Dialect::ALL.into_iter().any(|dialect| dialect.has_tool(name)) {
        true => format!("file_{name}"),
        false => name.to_owned(),
    }
}

/// Returns the size beyond which an output is stored before the engine sees it: in the
/// guest it occupies more than its own size.
pub fn spill_at(cli: &Cli) -> usize {
    usize::try_from(cli.memory / 4).unwrap_or(usize::MAX)
}

async fn gather(path: &Path, sink: &mut Sink) -> io::Result<()> {
    let mut input: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path)?),
    };
    let mut chunk = vec![0; 1 << 20];
    loop {
        match input.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(length) => sink.push(&chunk[..length]).await,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns the policy: the defaults of the dialect, overridden by the file, overridden by
/// options.
pub fn policy(args: &Reduce) -> Result<Policy, Failure> {
    let mut policy = match &args.policy {
        None => Policy::for_dialect(args.dialect.unwrap_or_default()),
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| cannot_read(path, &error))?;
            merged(&bytes, args.dialect)
                .map_err(|error| Failure::new(format!("the policy {} is invalid: {error}", path.display())))?
        }
    };
    if let Some(mode) = args.mode {
        policy.mode = mode.into();
    }
    if let Some(max_bytes) = args.max_bytes {
        policy.max_view_bytes = Some(max_bytes);
    }
    policy.max_output_tokens = args.cap.or(policy.max_output_tokens);
    Ok(policy)
}

/// Merges a policy's fields over the defaults of its dialect, which an option may replace.
fn merged(json: &[u8], dialect: Option<Dialect>) -> serde_json::Result<Policy> {
    let given: Policy = serde_json::from_slice(json)?;
    let dialect = dialect.unwrap_or(given.dialect);
    let mut fields = serde_json::to_value(Policy::for_dialect(dialect))?;
    if let (Some(fields), serde_json::Value::Object(given)) =
        (fields.as_object_mut(), serde_json::from_slice(json)?)
    {
        fields.extend(given);
        fields.insert("dialect".to_owned(), serde_json::to_value(dialect)?);
    }
    serde_json::from_value(fields)
}

/// An output that was read to its end.
pub struct Gathered {
    pub tool: String,
    pub is_error: bool,
    pub media_type: Option<String>,
    pub sink: Sink,
}

/// Returns the view of an output, and the output's blocks.
pub async fn reduce(
    cli: &Cli,
    args: &Reduce,
    policy: Policy,
    store: Arc<dyn Store>,
    gathered: Gathered,
) -> Result<(View, Vec<Block>), Failure> {
    let (content, lost) = match gathered.sink.finish().await {
        sink::Gathered::Whole(content) => (content, None),
        sink::Gathered::Beginning(mut left) => (Content::Bytes(std::mem::take(&mut left.bytes)), Some(left)),
    };
    let spilled = match &content {
        Content::Stored(id) => Some(id.clone()),
        _ => None,
    };
    let output = ToolOutput {
        tool: gathered.tool,
        is_error: gathered.is_error,
        blocks: vec![Block { content, media_type: gathered.media_type }],
        structured: None,
    };
    let turn = Turn { context_window: args.window, used_tokens: args.used, tools: args.tools.clone() };
    let engine = setup::engine(cli, Arc::clone(&store), Some(args.tokens))?;
    let view = match (lost, &spilled) {
        (Some(left), _) => beginning::view(&engine, &output, left, &turn, &policy).await?,
        (None, None) => engine.process(&output, &turn, &policy).await?,
        (None, Some(id)) => {
            let view = stored(&engine, &*store, id, &output, &turn, &policy).await;
            // The output is not lost if its store outlives this process.
            view.map_err(|failure| match is_ephemeral(cli) {
                true => failure,
                false => failure.with_addition(&format!("The output is stored as {id}.")),
            })?
        }
    };
    if let Some(id) = spilled.filter(|id| !view.artifacts.iter().any(|artifact| artifact.id == *id)) {
        // The view does not refer to the artifact, which was only a buffer.
        let _ = store.delete(&id).await;
    }
    if is_ephemeral(cli) {
        for artifact in &view.artifacts {
            eprintln!(
                "tuckaway: {} is lost when this command exits; use --store dir:PATH to keep it",
                artifact.id
            );
        }
    }
    if args.explain {
        eprint!("{}", explain::table(&output, &turn, &policy, &view));
    }
    for failure in &view.decision.failures {
        eprintln!("tuckaway: {failure}");
    }
    Ok((view, output.blocks))
}

/// Returns whether stored outputs are lost when the process exits.
fn is_ephemeral(cli: &Cli) -> bool {
    matches!(cli.store, Some(StoreAt::Memory))
}

/// Returns the view of an output that was stored before the engine saw it.
async fn stored(
    engine: &Tuckaway,
    store: &dyn Store,
    id: &str,
    output: &ToolOutput,
    turn: &Turn,
    policy: &Policy,
) -> Result<View, Failure> {
    match engine.process(output, turn, policy).await {
        Ok(view) => Ok(view),
        Err(error) if error.kind == ErrorKind::Limit => {
            let decision = engine.decide(output, turn, policy).await?;
            too_big::view(store, id, turn, policy, decision, error).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Prints the view of the model: the text, and the blocks that are passed on unchanged,
/// whose bytes are not printed on a terminal.
pub fn show(view: &View, blocks: &[Block]) -> Result<(), Failure> {
    print::text(&view.text)?;
    for block in view.kept.iter().filter_map(|&index| blocks.get(index as usize)) {
        let Content::Bytes(bytes) = &block.content else { continue };
        if io::stdout().is_terminal() {
            eprintln!(
                "tuckaway: {} of binary content not shown on a terminal",
                human_bytes(bytes.len() as u64)
            );
        } else {
            let mut out = print::stdout();
            out.write_all(bytes)?;
            out.flush()?;
        }
    }
    Ok(())
}
