//! The same source built for `wasm32-wasip2`. Its standard library imports WASI, but
//! the engine calls none of it and a call traps, with one exception: the standard library
//! asks for the seed of its hash maps, which regex-lite's names of groups are in.

mod calls;
#[cfg(feature = "wasi")]
pub mod composed;
/// The typed calls of `tuckaway-host`, for a store with another state.
#[path = "../../../host/src/exports.rs"]
mod exports;
mod imports;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::runtime::Runtime;
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Config, Engine, Store};
use xtask::component::{Options, Variant};

use crate::subject::{Answer, Session, Subject};
use crate::{Call, World, workspace};
use exports::Exports;

/// Stack of the guest, as in `tuckaway-host`.
const STACK_BYTES: usize = 2 << 20;

/// The `wasm32-wasip2` component.
pub struct Wasi {
    runtime: Arc<Runtime>,
    program: InstancePre<State>,
}

/// The host's state of an instance.
pub(crate) struct State {
    world: Arc<World>,
    /// WASI, for components that use it.
    #[cfg(feature = "wasi")]
    host: Option<Box<composed::Host>>,
}

impl State {
    fn new(world: Arc<World>) -> Self {
        State {
            world,
            #[cfg(feature = "wasi")]
            host: None,
        }
    }
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
        Exports::check(&component).map_err(to_anyhow)?;
        let mut linker = Linker::new(&engine);
        imports::add_to_linker(&mut linker).map_err(to_anyhow)?;
        give_seed(&mut linker, &component).map_err(to_anyhow)?;
        linker.define_unknown_imports_as_traps(&component).map_err(to_anyhow)?;
        let program = linker.instantiate_pre(&component).map_err(to_anyhow)?;
        Ok(Wasi { runtime: Arc::new(Runtime::new()?), program })
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
        let mut wasm = Store::new(self.program.engine(), State::new(world));
        wasm.set_hostcall_fuel(1 << 30);
        let instance = self.runtime.block_on(self.program.instantiate_async(&mut wasm)).expect("an instance");
        let exports = Exports::of(&instance, &mut wasm).expect("the exports of the contract");
        Box::new(WasiSession { runtime: Arc::clone(&self.runtime), exports, wasm })
    }
}

struct WasiSession {
    runtime: Arc<Runtime>,
    exports: Exports,
    wasm: Store<State>,
}

impl Session for WasiSession {
    fn call(&mut self, call: &Call) -> Answer {
        let runtime = Arc::clone(&self.runtime);
        runtime.block_on(self.make(call))
    }
}
