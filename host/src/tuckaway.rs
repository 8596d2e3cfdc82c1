//! The engine in its sandbox: the exports of the component as methods.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tuckaway_contract::{
    AllMatches, Artifact, ArtifactTool, Decision, Dialect, Error, ErrorKind, GrepQuery, JqQuery, Matches,
    Outputs, Page, Policy, Range, Shape, StoredMedia, ToolDefinition, ToolOutput, ToolReply, Turn, View,
    check_artifact_id,
};

use crate::guest::Pool;
use crate::runtime::Program;
use crate::state::Limits;
use crate::{
    CallOptions, CountTokens, DefinitionOptions, Estimate, MemoryStore, OpenError, ReadOptions, Store,
};

/// The tuckaway component over one store and one token counter.
///
/// Cheap to clone and shared between tasks: calls run concurrently, each in its
/// own instance. Calls need a tokio runtime with its timer enabled.
///
/// Every call returns an error of kind [`Store`](tuckaway_contract::ErrorKind::Store) if the
/// store fails, and of kind [`Limit`](tuckaway_contract::ErrorKind::Limit) at its deadline, at
/// the memory limit, or if the component traps, which would be a bug; the next call then
/// gets a new instance. Queries on an artifact also return
/// [`NotFound`](tuckaway_contract::ErrorKind::NotFound) and
/// [`Expired`](tuckaway_contract::ErrorKind::Expired), and
/// [`InvalidInput`](tuckaway_contract::ErrorKind::InvalidInput) for a malformed id. The other
/// errors of each method are documented at the method of `tuckaway::Engine` with the same
/// name.
#[derive(Clone)]
pub struct Tuckaway {
    pub(crate) pool: Arc<Pool>,
}

/// The parts and limits of a [`Tuckaway`]; see [`Tuckaway::builder`].
#[must_use]
pub struct Builder {
    store: Arc<dyn Store>,
    tokens: Arc<dyn CountTokens>,
    limits: Limits,
    #[cfg(feature = "jit")]
    component: Option<Vec<u8>>,
}

impl Builder {
    /// Sets the store; by default a [`MemoryStore`].
    pub fn store(mut self, store: impl Store + 'static) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// Sets a store that is shared, or whose type is known only at run time.
    pub fn shared_store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = store;
        self
    }

    /// Sets the token counter; by default [`Estimate`].
    pub fn tokens(mut self, tokens: impl CountTokens + 'static) -> Self {
        self.tokens = Arc::new(tokens);
        self
    }

    /// Sets the memory limit for one call, in bytes; by default 1 GiB. An output that is
    /// passed in occupies more than its own size.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.limits.memory = bytes;
        self
    }

    /// Sets the time limit for one call, including the time of the store and the token
    /// counter; by default 10 s.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.limits.deadline = deadline;
        self
    }

    /// Replaces the embedded component by another component with the same world, such as one
    /// that was built for `wasm32-wasip2` and composed. [`Builder::build`] compiles it, which
    /// blocks for about a second.
    #[cfg(feature = "jit")]
    pub fn component(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.component = Some(bytes.into());
        self
    }

    /// Builds the engine. It neither compiles nor reads a file: the machine code of the
    /// component is part of this library.
    ///
    /// Fails if this processor lacks instructions that the machine code needs, or if the bytes
    /// that were passed to `Builder::component` (feature `jit`) are not a component with this world.
    pub fn build(self) -> Result<Tuckaway, OpenError> {
        let unfit = |error: wasmtime::Error| anyhow::anyhow!("loading the component: {error:#}");
        let program = self.program().map_err(unfit)?;
        let pool = Pool::new(program, self.store, self.tokens, self.limits);
        // The embedded component has the types that this library was built with.
        #[cfg(feature = "jit")]
        if self.component.is_some() {
            pool.check().map_err(unfit)?;
        }
        Ok(Tuckaway { pool: Arc::new(pool) })
    }

    fn program(&self) -> wasmtime::Result<Program> {
        #[cfg(feature = "jit")]
        if let Some(component) = &self.component {
            return Program::compile(component);
        }
        Program::embedded()
    }
}

/// Calls an export on an instance from the pool.
macro_rules! call {
    ($self:ident.$export:ident($($argument:expr),* $(,)?)) => {{
        let mut guest = $self.pool.take().await?;
        let call = guest.exports.$export(&mut guest.wasm, ($($argument,)*));
        let answer = $self.pool.answer(call).await;
        $self.pool.settle(guest, answer)?
    }};
}
pub(crate) use call;

impl Tuckaway {
    /// Returns a builder with a memory store, estimated tokens, 1 GiB and 10 s.
    pub fn builder() -> Builder {
        Builder {
            store: Arc::new(MemoryStore::new()),
            tokens: Arc::new(Estimate),
            limits: Limits { memory: 1 << 30, deadline: Duration::from_secs(10) },
            #[cfg(feature = "jit")]
            component: None,
        }
    }

    /// Returns the component's defaults for a dialect, the same as
    /// [`Policy::for_dialect`].
    pub async fn default_policy(&self, dialect: Dialect) -> Result<Policy, Error> {
        Ok(call!(self.offload_default_policy(dialect)))
    }

    /// Returns the decision for one output. Stores nothing.
    pub async fn decide(&self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Result<Decision, Error> {
        call!(self.offload_decide(output, turn, policy))
    }

    /// Reduces one output to its view, which replaces it in the conversation.
    pub async fn process(&self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Result<View, Error> {
        call!(self.offload_process(output, turn, policy))
    }

    /// Reduces all outputs of one turn so that together they fit the headroom: the
    /// largest are reduced first (max-min fairness). Returns the views in the order of
    /// the outputs.
    pub async fn process_turn(
        &self,
        outputs: &[ToolOutput],
        turn: &Turn,
        policy: &Policy,
    ) -> Result<Vec<View>, Error> {
        call!(self.offload_process_turn(outputs, turn, policy))
    }

    /// Describes the content of a text or of bytes in at most `max_bytes`: at least 256, by
    /// default 2048.
    pub async fn infer_shape(
        &self,
        content: impl AsRef<[u8]>,
        max_bytes: Option<u32>,
    ) -> Result<Shape, Error> {
        call!(self.reduce_infer_shape(content.as_ref(), max_bytes))
    }

    /// Truncates a text to its head and tail in at most `max_bytes`, at least 512; JSON stays
    /// valid JSON. Returns a text that fits unchanged. For bytes that are not text, returns
    /// a note.
    pub async fn truncate(&self, content: impl AsRef<[u8]>, max_bytes: u64) -> Result<String, Error> {
        call!(self.reduce_truncate(content.as_ref(), max_bytes))
    }

    /// Reads part of an artifact, one page at a time.
    pub async fn read(&self, id: &str, range: &Range, options: &ReadOptions) -> Result<Page, Error> {
        call!(self.artifacts_read(id, range, options.line_numbers, options.max_bytes))
    }

    /// Finds the lines of an artifact that match a pattern, in pages of at most
    /// `max_bytes`: at least 256, by default 16384.
    pub async fn grep(&self, id: &str, query: &GrepQuery, max_bytes: Option<u32>) -> Result<Matches, Error> {
        call!(self.artifacts_grep(id, query, max_bytes))
    }

    /// Finds the lines that match a pattern in all artifacts of the store, newest first, in
    /// pages of at most `max_bytes`: at least 1,024, by default 16384. An artifact that cannot be
    /// read is in [`AllMatches::skipped`].
    pub async fn grep_all(&self, query: &GrepQuery, max_bytes: Option<u32>) -> Result<AllMatches, Error> {
        call!(self.artifacts_grep_all(query, max_bytes))
    }

    /// Runs a jq filter on an artifact that is JSON, or can be read as JSON, in pages
    /// of at most `max_bytes`: at least 256, by default 16384. An error of the running filter
    /// is [`Outputs::failure`]. [`JqQuery::max_memory`] is clamped to half
    /// of [`Builder::memory_limit`], or to 1 GiB if the limit is 1 GiB to 2 GiB. An error of a filter
    /// that needs more names the option that limits it.
    pub async fn jq(&self, id: &str, query: &JqQuery, max_bytes: Option<u32>) -> Result<Outputs, Error> {
        let limit = self.pool.limits().memory;
        let requested = query.max_memory.unwrap_or(DEFAULT_MEMORY);
        let query = JqQuery { max_memory: Some(requested.min(memory_of_values(limit))), ..query.clone() };
        match call!(self.artifacts_jq(id, &query, max_bytes)) {
            Ok(mut outputs) => {
                outputs.failure = outputs.failure.map(|error| of_memory_limit(error, requested, limit));
                Ok(outputs)
            }
            Err(error) => Err(of_memory_limit(error, requested, limit)),
        }
    }

    /// Lists all artifacts of the store, oldest first.
    pub async fn list_artifacts(&self) -> Result<Vec<Artifact>, Error> {
        call!(self.artifacts_list_artifacts())
    }

    /// Returns the definitions of the given tools in a dialect, for a model provider, in the
    /// order read, grep, jq. Returns none in a final turn, and none for [`Dialect::Handle`]
    /// while the store is empty.
    pub async fn tool_definitions(
        &self,
        tools: &[ArtifactTool],
        options: &DefinitionOptions,
    ) -> Result<Vec<ToolDefinition>, Error> {
        Ok(call!(self.tools_definitions(tools, options.dialect, options.is_final_turn, options.is_detailed)))
    }

    /// Runs a tool with the arguments that a model passed, as JSON. The name determines the
    /// tool and its dialect. All modes of `tool_output` except `truncate` are
    /// [`Unsupported`](tuckaway_contract::ErrorKind::Unsupported), because they ask a model. A
    /// mistake that the model can correct results in a reply with [`ToolReply::is_error`]. If the
    /// call reads a stored image, PDF document or recording, [`ToolReply::media`] names it.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &str,
        options: &CallOptions,
    ) -> Result<ToolReply, Error> {
        call!(self.tools_call(name, arguments, options.max_bytes))
    }

    /// Returns the bytes of the file that [`ToolReply::media`] names, to be added to the result in the
    /// provider's format. A store that returns fewer bytes has failed.
    pub async fn media_bytes(&self, media: &StoredMedia) -> Result<Vec<u8>, Error> {
        let (id, size) = (&media.artifact_id, media.size_bytes);
        check_artifact_id(id)?;
        let length = u32::try_from(size).unwrap_or(u32::MAX);
        let read = self.pool.answer_of_store(self.pool.store().read(id, 0, length)).await?;
        let bytes = read.map_err(|error| error.into_error("reading an artifact", id))?;
        match bytes.len() as u64 == size {
            true => Ok(bytes),
            false => Err(Error::new(
                ErrorKind::Store,
                format!(
                    "The store broke its contract: it returned {} bytes of {id:?}, which has {size}.",
                    bytes.len()
                ),
            )),
        }
    }
}

/// The memory that the engine gives a filter by default.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// Returns the maximum memory of a filter's values: half of an instance's memory, but not less than the
/// default if an instance has as much. The other half is for memory that is not counted: buffers,
/// arrays that are moved as they grow, the component's own data, gaps between values.
fn memory_of_values(memory_limit: usize) -> u64 {
    let limit = memory_limit as u64;
    let least = if limit < DEFAULT_MEMORY { 1 } else { DEFAULT_MEMORY };
    (limit / 2).max(least)
}

/// Names `memory_limit` in the advice of an error if that limits the memory of a filter that
/// requested this many bytes.
fn of_memory_limit(mut error: Error, requested: u64, memory_limit: usize) -> Error {
    const ADVICE: &str = "; the host can raise max_memory";
    if requested < memory_of_values(memory_limit) || !error.message.ends_with(&format!("{ADVICE}.")) {
        return error;
    }
    let is_clamped = requested > memory_of_values(memory_limit);
    // A component has at most 4 GiB.
    let (advice, arguments): (_, &[&str]) = match u32::try_from(memory_limit) {
        Ok(limit) if limit < u32::MAX && is_clamped => {
            ("; the host can raise memory_limit", &["memory_limit"])
        }
        Ok(limit) if limit < u32::MAX => {
            ("; the host can raise max_memory and memory_limit", &["max_memory", "memory_limit"])
        }
        _ => ("", &[]),
    };
    error.message = error.message.replace(ADVICE, advice);
    error.arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    error
}

impl fmt::Debug for Tuckaway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tuckaway").finish_non_exhaustive()
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("limits", &self.limits).finish_non_exhaustive()
    }
}
