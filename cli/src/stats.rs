//! `tuckaway stats`: sums over the artifacts of a store.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use tuckaway_host::{
    Artifact, ArtifactTool, Block, Content, CountTokens, Policy, Store, StoreError, ToolOutput, Tuckaway,
    Turn,
};
use tuckaway_text::{counted, human_bytes, order, time};

use crate::args::{Cli, Stats};
use crate::choice::Counter;
use crate::exit::{Failure, Outcome};
use crate::print::{self, inline, number, table};
use crate::setup;

/// The bytes of a token, where tokens are not counted; the policy's default is the same.
const BYTES_PER_TOKEN: u64 = 4;

/// The maximum number of bytes that are read and counted at once.
const PART_BYTES: u32 = 1 << 20;

/// The context window of the model that would see the envelopes.
const CONTEXT_WINDOW: u64 = 200_000;

/// The maximum number of rows of a table.
const MAX_ROWS: usize = 20;

pub async fn run(cli: &Cli, args: &Stats) -> Outcome {
    let (mut all, mut tools, mut sessions, mut days) =
        (Sum::default(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (session, store) in stores(cli).await? {
        let counting = match args.tokens {
            Some(counter) => Some((counter, setup::engine(cli, Arc::clone(&store), Some(counter))?)),
            None => None,
        };
        let listed = store.list_artifacts().await;
        for artifact in listed.map_err(|error| error.into_error("listing artifacts", ""))? {
            let Some(sum) = sum(&*store, &artifact, counting.as_ref()).await? else { continue };
            all.add(sum);
            add(&mut tools, artifact.tool.clone(), sum);
            add(&mut sessions, session.clone(), sum);
            add(&mut days, day(artifact.created_at), sum);
        }
    }
    let mut tools: Vec<(String, Sum)> = tools.into_iter().collect();
    order::sort_by_key(&mut tools, |(_, sum)| std::cmp::Reverse(sum.size_bytes));
    if cli.json {
        let mut document = json!(all);
        document["tokens_estimated"] = json!(args.tokens.is_none());
        document["by_tool"] = rows("tool", &tools);
        document["by_session"] = rows("session", &sessions.into_iter().collect::<Vec<_>>());
        document["by_day"] = rows("day", &days.into_iter().collect::<Vec<_>>());
        return print::json(&document);
    }
    if all.artifacts == 0 {
        eprintln!("tuckaway: nothing is stored");
        return Ok(0);
    }
    let sessions = sessions.into_iter().map(|(name, sum)| (name.unwrap_or_else(|| "(none)".to_owned()), sum));
    // Newest first, since the oldest are the ones that a long table omits.
    let days = days.into_iter().rev();
    let tables = [
        describe("TOOL", &tools),
        describe("SESSION", &sessions.collect::<Vec<_>>()),
        describe("DAY", &days.collect::<Vec<_>>()),
    ];
    print::text(&format!("{}\n{}", tables.join("\n"), describe_all(&all, args.tokens.is_none())))?;
    Ok(0)
}

/// Sums over artifacts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Sum {
    artifacts: u64,
    size_bytes: u64,
    line_count: u64,
    tokens: u64,
    /// The tokens that envelopes save, if tokens are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved_tokens: Option<u64>,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.artifacts += other.artifacts;
        self.size_bytes = self.size_bytes.saturating_add(other.size_bytes);
        self.line_count = self.line_count.saturating_add(other.line_count);
        self.tokens = self.tokens.saturating_add(other.tokens);
        if let Some(saved) = other.saved_tokens {
            self.saved_tokens = Some(self.saved_tokens.unwrap_or(0).saturating_add(saved));
        }
    }
}

fn add<Name: Ord>(sums: &mut BTreeMap<Name, Sum>, name: Name, sum: Sum) {
    sums.entry(name).or_default().add(sum);
}

/// Returns the session that the options name, or all sessions; the one without a name comes first.
async fn stores(cli: &Cli) -> Result<Vec<(Option<String>, Arc<dyn Store>)>, Failure> {
    if let Some(name) = setup::session(cli)? {
        return Ok(vec![(Some(name.to_owned()), setup::store(cli).await?)]);
    }
    let everything = setup::sessions(cli)?;
    let names = everything.sessions().await;
    let names = names.map_err(|error| error.into_error("listing sessions", ""))?;
    let mut stores: Vec<(Option<String>, Arc<dyn Store>)> =
        vec![(None, Arc::clone(&everything) as Arc<dyn Store>)];
    for name in names {
        let session = everything.session(&name).await;
        let session = session.map_err(|error| error.into_error("opening a session", &name))?;
        stores.push((Some(name), session));
    }
    Ok(stores)
}

/// Returns the figures of an artifact; `None` if it is removed meanwhile.
async fn sum(
    store: &dyn Store,
    artifact: &Artifact,
    counting: Option<&(Counter, Tuckaway)>,
) -> Result<Option<Sum>, Failure> {
    let Artifact { size_bytes, line_count, .. } = *artifact;
    let sum = |tokens, saved_tokens| Sum { artifacts: 1, size_bytes, line_count, tokens, saved_tokens };
    let Some((counter, engine)) = counting else {
        return Ok(Some(sum(size_bytes.div_ceil(BYTES_PER_TOKEN), None)));
    };
    let Some(tokens) = tokens(store, artifact, *counter).await? else { return Ok(None) };
    let saved = tokens.saturating_sub(tokens_of_view(engine, artifact, *counter).await?.unwrap_or(tokens));
    Ok(Some(sum(tokens, Some(saved))))
}

/// Counts the tokens of the envelope that a model sees of an artifact; `None` if there is no envelope,
/// because the artifact is small, or no longer there.
async fn tokens_of_view(
    engine: &Tuckaway,
    artifact: &Artifact,
    counter: Counter,
) -> Result<Option<u64>, Failure> {
    let output = ToolOutput {
        tool: artifact.tool.clone(),
        is_error: false,
        blocks: vec![Block { content: Content::Stored(artifact.id.clone()), media_type: None }],
        structured: None,
    };
    let turn = Turn { context_window: CONTEXT_WINDOW, used_tokens: 0, tools: ArtifactTool::ALL.to_vec() };
    // It was stored, regardless of the policy at that time.
    let policy = Policy { max_output_tokens: Some(1), ..Policy::default() };
    let Ok(view) = engine.process(&output, &turn, &policy).await else { return Ok(None) };
    let counted = counter.count(&view.text).await;
    counted.map(Some).map_err(|error| Failure::new(format!("cannot count tokens: {error}")))
}

/// Counts the tokens of an artifact in parts, which end with lines if they have any.
async fn tokens(store: &dyn Store, artifact: &Artifact, counter: Counter) -> Result<Option<u64>, Failure> {
    let (mut tokens, mut at) = (0u64, 0);
    while at < artifact.size_bytes {
        let mut part = match store.read(&artifact.id, at, PART_BYTES).await {
            Ok(part) => part,
            Err(StoreError::NotFound | StoreError::Expired(_)) => return Ok(None),
            Err(error) => return Err(error.into_error("reading an artifact", &artifact.id).into()),
        };
        if part.len() as u64 == u64::from(PART_BYTES)
            && let Some(end) = memchr::memrchr(b'\n', &part)
        {
            part.truncate(end + 1);
        }
        if part.is_empty() {
            break;
        }
        at += part.len() as u64;
        let counted = counter.count(&String::from_utf8_lossy(&part)).await;
        tokens += counted.map_err(|error| Failure::new(format!("cannot count tokens: {error}")))?;
    }
    Ok(Some(tokens))
}

/// Returns the day of a time in Unix seconds, in UTC.
fn day(seconds: u64) -> String {
    let (year, month, day) = time::date((seconds / 86_400).cast_signed());
    format!("{year:04}-{month:02}-{day:02}")
}

/// Returns the rows of a table as JSON.
fn rows<Name: Serialize>(column: &str, sums: &[(Name, Sum)]) -> serde_json::Value {
    let row = |(name, sum): &(Name, Sum)| {
        let mut row = json!({ column: name });
        if let (Some(row), serde_json::Value::Object(figures)) = (row.as_object_mut(), json!(sum)) {
            row.extend(figures);
        }
        row
    };
    sums.iter().map(row).collect()
}

fn describe(title: &str, sums: &[(String, Sum)]) -> String {
    let cells = |(name, sum): &(String, Sum)| {
        let Sum { artifacts, size_bytes, line_count, tokens, saved_tokens } = *sum;
        let saved = number(saved_tokens.unwrap_or_default());
        [inline(name), number(artifacts), human_bytes(size_bytes), number(line_count), number(tokens), saved]
    };
    let shown = sums.iter().take(MAX_ROWS).map(cells);
    let mut text = match sums.iter().any(|(_, sum)| sum.saved_tokens.is_some()) {
        true => table([title, "ARTIFACTS", "SIZE", "LINES", "TOKENS", "SAVED"], shown.collect()),
        false => {
            let shown =
                shown.map(|[name, artifacts, size, lines, tokens, _]| [name, artifacts, size, lines, tokens]);
            table([title, "ARTIFACTS", "SIZE", "LINES", "TOKENS"], shown.collect())
        }
    };
    if let more @ 1.. = sums.len().saturating_sub(MAX_ROWS) {
        text += &format!("and {} more; --json lists all\n", number(more as u64));
    }
    text
}

/// Describes the totals, and what the store does not know.
fn describe_all(all: &Sum, is_estimated: bool) -> String {
    let how = match is_estimated {
        true => format!("at {BYTES_PER_TOKEN} bytes each; --tokens counts them"),
        false => "counted".to_owned(),
    };
    let saved = match all.saved_tokens {
        Some(saved) => format!(
            "with an envelope in place of each artifact, a request that has all of them takes {} tokens less.",
            number(saved)
        ),
        None => {
            "so what was saved in each request is at most the tokens above; --tokens subtracts envelopes."
                .to_owned()
        }
    };
    format!(
        "{}, {}, {} tokens ({how}).\n\
         Expired and removed artifacts are not included. The store records neither queries nor the views that models \
         saw;\n{saved}\n",
        counted(all.artifacts, "artifact"),
        human_bytes(all.size_bytes),
        number(all.tokens)
    )
}
