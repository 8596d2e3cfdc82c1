//! State that all embeddings in a process share: wasmtime's engine, the ticker that
//! advances its epochs, and the component's machine code.

use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::component::{Component, Linker};
use wasmtime::{Cache, CacheConfig, Config, Engine};

use crate::bindings::{self, ExportsPre};
use crate::state::State;

/// The component that this crate was built with.
pub static COMPONENT: &[u8] = include_bytes!(env!("TUCKAWAY_EMBEDDED_COMPONENT"));

/// How often a running guest yields to other tasks and checks its deadline.
const TICK: Duration = Duration::from_millis(5);

/// Stack for the guest. The engine limits the nesting of filters and documents so that
/// they need much less.
const WASM_STACK_BYTES: usize = 2 << 20;

/// Stack of a call: the guest's, plus as much for the host's functions that it calls.
/// It is mapped, not committed.
const CALL_STACK_BYTES: usize = WASM_STACK_BYTES + (2 << 20);

/// The process's engine and its ticker.
struct Process {
    engine: Engine,
    ticker: Arc<Ticker>,
}

fn process() -> wasmtime::Result<&'static Process> {
    static PROCESS: OnceLock<Result<Process, String>> = OnceLock::new();
    let process = PROCESS.get_or_init(|| {
        let engine = engine().map_err(|error| format!("{error:#}"))?;
        let ticker = Ticker::start(engine.clone()).map_err(|error| format!("starting a thread: {error}"))?;
        Ok(Process { engine, ticker })
    });
    process.as_ref().map_err(|why| wasmtime::Error::msg(why.clone()))
}

fn engine() -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(CALL_STACK_BYTES)
        // The component is stripped: its backtrace would have no names.
        .wasm_backtrace_max_frames(None)
        .native_unwind_info(cfg!(windows))
        .generate_address_map(false)
        // Without a cache directory, every process compiles the component.
        .cache(Cache::new(CacheConfig::new()).ok());
    Engine::new(&config)
}

/// A component's machine code, linked to the host's functions.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) exports: ExportsPre<State>,
    pub(crate) ticker: Arc<Ticker>,
}

impl Program {
    /// Returns the embedded component, which is compiled once per process.
    pub(crate) fn embedded() -> wasmtime::Result<Program> {
        static EMBEDDED: Mutex<Option<Program>> = Mutex::new(None);
        let mut embedded = EMBEDDED.lock().unwrap_or_else(PoisonError::into_inner);
        if embedded.is_none() {
            *embedded = Some(Program::compile(COMPONENT)?);
        }
        Ok(embedded.clone().expect("it was set above"))
    }

    /// Compiles a component of the world `tuckaway:context/engine`.
    pub(crate) fn compile(component: &[u8]) -> wasmtime::Result<Program> {
        let Process { engine, ticker } = process()?;
        let component = Component::from_binary(engine, component)?;
        let mut linker = Linker::new(engine);
        bindings::add_to_linker(&mut linker)?;
        let exports = ExportsPre::new(linker.instantiate_pre(&component)?)?;
        Ok(Program { exports, ticker: Arc::clone(ticker) })
    }
}

/// A thread that advances the engine's epoch while a call is in progress, and sleeps
/// otherwise.
pub(crate) struct Ticker {
    calls: Mutex<usize>,
    started: Condvar,
}

impl Ticker {
    fn start(engine: Engine) -> std::io::Result<Arc<Ticker>> {
        let ticker = Arc::new(Ticker { calls: Mutex::new(0), started: Condvar::new() });
        let shared = Arc::clone(&ticker);
        thread::Builder::new().name("tuckaway-ticker".to_owned()).spawn(move || {
            loop {
                let calls = shared.calls.lock().unwrap_or_else(PoisonError::into_inner);
                drop(shared.started.wait_while(calls, |calls| *calls == 0));
                thread::sleep(TICK);
                engine.increment_epoch();
            }
        })?;
        Ok(ticker)
    }

    /// Ticks until the returned guard is dropped.
    pub(crate) fn run(self: &Arc<Self>) -> Ticking {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        *calls += 1;
        self.started.notify_one();
        drop(calls);
        Ticking(Arc::clone(self))
    }
}

/// A guard that keeps the ticker running during a call.
pub(crate) struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        *self.0.calls.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}
