//! The same source built for `wasm32-wasip2`. Its standard library imports WASI, but
//! the engine calls none of it and a call traps, with one exception: the standard library
//! asks for the seed of its hash maps, which regex-lite's names of groups are in.

mod bindings;
mod extraction;
mod histories;
mod planning;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::runtime::Runtime;
use tuckaway::{Artifact, Error, Policy, ToolOutput, Turn};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine, Store};
use xtask::component::{Options, Variant};

use crate::subject::{Answer, Session, Subject, answer};
use crate::{Call, World, workspace};
use bindings::convert;
use bindings::{Exports, ExportsPre};

/// Stack of the guest, as in `tuckaway-host`.
const STACK_BYTES: usize = 2 << 20;

/// The `wasm32-wasip2` component.
pub struct Wasi {
    runtime: Arc<Runtime>,
    exports: ExportsPre<State>,
}

/// The host's state of an instance.
pub(crate) struct State {
    world: Arc<World>,
}

impl Wasi {
    /// Builds and loads the component of `cargo xtask component --wasi`.
    pub fn build() -> anyhow::Result<Self> {
        // The directory of the cargo that runs this test may be locked, which would be a
        // deadlock.
        let built = xtask::component::build(&Options::new(workspace(), Variant::Wasi))?;
        Self::load(built.path)
    }

    fn load(path: PathBuf) -> anyhow::Result<Self> {
        let mut config = Config::new();
        config.max_wasm_stack(STACK_BYTES).async_stack_size(2 * STACK_BYTES).wasm_backtrace_max_frames(None);
        let to_anyhow = |error: wasmtime::Error| anyhow::anyhow!("{error:#}");
        let engine = Engine::new(&config).map_err(to_anyhow)?;
        let component = Component::from_file(&engine, path).map_err(to_anyhow)?;
        let mut linker = Linker::new(&engine);
        bindings::add_to_linker(&mut linker).map_err(to_anyhow)?;
        give_seed(&mut linker, &component).map_err(to_anyhow)?;
        linker.define_unknown_imports_as_traps(&component).map_err(to_anyhow)?;
        let exports = linker.instantiate_pre(&component).and_then(ExportsPre::new).map_err(to_anyhow)?;
        Ok(Wasi { runtime: Arc::new(Runtime::new()?), exports })
    }
}

/// Defines the import that asks for a seed, in the version of WASI that the component
/// imports: always the same seed, as no answer may depend on it.
fn give_seed(linker: &mut Linker<State>, component: &Component) -> wasmtime::Result<()> {
    let imports = component.component_type();
    let seeds = imports.imports(component.engine()).map(|(name, _)| name.to_owned());
    for name in seeds.filter(|name| name.starts_with("wasi:random/insecure-seed@")) {
        linker.instance(&name)?.func_wrap("insecure-seed", |_, (): ()| Ok(((1_u64, 2_u64),)))?;
    }
    Ok(())
}

impl Subject for Wasi {
    fn name(&self) -> &str {
        "wasip2"
    }

    fn enter(&self, world: Arc<World>) -> Box<dyn Session> {
        let mut wasm = Store::new(self.exports.engine(), State { world });
        wasm.set_hostcall_fuel(1 << 30);
        let exports = self.runtime.block_on(self.exports.instantiate_async(&mut wasm)).expect("an instance");
        Box::new(WasiSession { runtime: Arc::clone(&self.runtime), exports, wasm })
    }
}

struct WasiSession {
    runtime: Arc<Runtime>,
    exports: Exports,
    wasm: Store<State>,
}

/// Calls an export. Converts a trap to an error, as `tuckaway-host` does.
macro_rules! call {
    ($self:ident, $interface:ident.$function:ident($($argument:expr),*)) => {{
        let WasiSession { exports, wasm, .. } = $self;
        exports.$interface().$function(wasm $(, $argument)*).await
            .map_err(|trap| tuckaway::Error::limit(format!("trapped: {trap:#}")))
    }};
}
use call;

impl Session for WasiSession {
    fn call(&mut self, call: &Call) -> Answer {
        let runtime = Arc::clone(&self.runtime);
        runtime.block_on(self.make(call))
    }
}

/// Converts an answer of the bindings to a record of the `tuckaway` crate.
macro_rules! record {
    ([$record:ty], $answer:expr) => {
        answer($answer.and_then(|inner| Ok(convert::all::<_, $record>(inner.map_err(Error::from)?))))
    };
    ($record:ty, $answer:expr) => {
        answer($answer.and_then(|inner| Ok(<$record>::from(inner.map_err(Error::from)?))))
    };
}
use record;

impl WasiSession {
    async fn make(&mut self, call: &Call) -> Answer {
        match call {
            Call::Decide { output, turn, policy } => self.decide(output, turn, policy).await,
            Call::Process { output, turn, policy } => self.process(output, turn, policy).await,
            Call::ProcessTurn { outputs, turn, policy } => self.process_turn(outputs, turn, policy).await,
            Call::InferShape { content, max_bytes } => record!(
                tuckaway::Shape,
                call!(self, tuckaway_context_reduce.call_infer_shape(content, *max_bytes))
            ),
            Call::Truncate { content, max_bytes } => {
                record!(String, call!(self, tuckaway_context_reduce.call_truncate(content, *max_bytes)))
            }
            Call::Read { id, range, line_numbers, max_bytes } => {
                let range = convert::range(range);
                record!(
                    tuckaway::Page,
                    call!(self, tuckaway_context_artifacts.call_read(id, range, *line_numbers, *max_bytes))
                )
            }
            Call::Grep { id, query, max_bytes } => record!(
                tuckaway::Matches,
                call!(self, tuckaway_context_artifacts.call_grep(id, convert::grep(query), *max_bytes))
            ),
            Call::Jq { id, query, max_bytes } => {
                let query = convert::jq(query, usize::MAX);
                record!(
                    tuckaway::Outputs,
                    call!(self, tuckaway_context_artifacts.call_jq(id, query, *max_bytes))
                )
            }
            Call::ListArtifacts => {
                record!([Artifact], call!(self, tuckaway_context_artifacts.call_list_artifacts()))
            }
            Call::DefaultPolicy { dialect } => answer(
                call!(self, tuckaway_context_offload.call_default_policy((*dialect).into()))
                    .map(Policy::from),
            ),
            Call::Definitions { tools, dialect, is_final_turn } => {
                let (tools, dialect) = (convert::tools(tools), (*dialect).into());
                answer(
                    call!(self, tuckaway_context_tools.call_definitions(tools, dialect, *is_final_turn))
                        .map(convert::all::<_, tuckaway::ToolDefinition>),
                )
            }
            Call::Call { name, arguments, max_bytes } => record!(
                tuckaway::ToolReply,
                call!(self, tuckaway_context_tools.call_call(name, arguments, *max_bytes))
            ),
            Call::Planning(planning) => self.planning(planning).await,
            Call::Extraction(extraction) => self.extraction(extraction).await,
            Call::Histories(histories) => self.histories(histories).await,
        }
    }

    async fn decide(&mut self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Answer {
        let (blocks, overrides) = (convert::blocks(output), convert::overrides(policy));
        let (output, policy) = (convert::output(output, &blocks), convert::policy(policy, &overrides));
        record!(
            tuckaway::Decision,
            call!(self, tuckaway_context_offload.call_decide(output, convert::turn(turn), policy))
        )
    }

    async fn process(&mut self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Answer {
        let (blocks, overrides) = (convert::blocks(output), convert::overrides(policy));
        let (output, policy) = (convert::output(output, &blocks), convert::policy(policy, &overrides));
        record!(
            tuckaway::View,
            call!(self, tuckaway_context_offload.call_process(output, convert::turn(turn), policy))
        )
    }

    async fn process_turn(&mut self, outputs: &[ToolOutput], turn: &Turn, policy: &Policy) -> Answer {
        let overrides = convert::overrides(policy);
        let blocks: Vec<_> = outputs.iter().map(convert::blocks).collect();
        let outputs: Vec<_> =
            outputs.iter().zip(&blocks).map(|(output, blocks)| convert::output(output, blocks)).collect();
        let (turn, policy) = (convert::turn(turn), convert::policy(policy, &overrides));
        record!(
            [tuckaway::View],
            call!(self, tuckaway_context_offload.call_process_turn(&outputs, turn, policy))
        )
    }
}
