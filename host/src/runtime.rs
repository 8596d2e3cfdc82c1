//! The state that all embeddings in a process share: wasmtime's engine, the ticker that
//! advances its epochs, and the embedded component.

use std::io;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::exports::Exports;
use crate::settings::settings;
use crate::state::State;
use crate::{imports, machine_code};

/// The component that this crate was built with.
pub static COMPONENT: &[u8] = include_bytes!(env!("TUCKAWAY_EMBEDDED_COMPONENT"));

/// How often a running guest yields to other tasks and checks its deadline.
const TICK: Duration = Duration::from_millis(5);

/// The guest's stack. The engine limits the nesting of filters and documents so that they
/// need much less.
const WASM_STACK_BYTES: usize = 2 << 20;

/// The stack of a call: the guest's, plus as much for the host functions that it calls.
/// It is mapped, not committed.
const CALL_STACK_BYTES: usize = WASM_STACK_BYTES + (2 << 20);

/// Why the machine code may not load.
const UNFIT: &str = "the machine code was made for another component, version of wasmtime or processor; build tuckaway-host again";

/// The process's engine and its ticker.
struct Process {
    engine: Engine,
    ticker: Arc<Ticker>,
}

fn shared() -> wasmtime::Result<&'static Process> {
    static PROCESS: OnceLock<Result<Process, String>> = OnceLock::new();
    let process = PROCESS.get_or_init(|| {
        let engine = engine().map_err(|error| format!("{error:#}"))?;
        let ticker = Ticker::new(engine.clone());
        Ok(Process { engine, ticker })
    });
    process.as_ref().map_err(|why| wasmtime::Error::msg(why.clone()))
}

fn engine() -> wasmtime::Result<Engine> {
    let mut config = settings(machine_code::DIGEST, cfg!(windows));
    config.max_wasm_stack(WASM_STACK_BYTES).async_stack_size(CALL_STACK_BYTES);
    machine_code::prepare(&mut config);
    Engine::new(&config)
}

/// A component's machine code, linked to the host's functions.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) linked: InstancePre<State>,
    pub(crate) ticker: Arc<Ticker>,
}

impl Program {
    /// Returns the embedded component, which is linked once per process.
    pub(crate) fn embedded() -> wasmtime::Result<Program> {
        static EMBEDDED: Mutex<Option<Program>> = Mutex::new(None);
        let mut embedded = EMBEDDED.lock().unwrap_or_else(PoisonError::into_inner);
        if embedded.is_none() {
            let process = shared()?;
            let component = machine_code::load(&process.engine).map_err(|error| error.context(UNFIT))?;
            *embedded = Some(Program::link(process, &component)?);
        }
        Ok(embedded.clone().expect("it was set above"))
    }

    /// Compiles a component of the world `tuckaway:context/engine`.
    #[cfg(feature = "jit")]
    pub(crate) fn compile(component: &[u8]) -> wasmtime::Result<Program> {
        let process = shared()?;
        // Separate threads: the threads that rayon shares do not exist in the child of a fork.
        let threads = rayon::ThreadPoolBuilder::new().build()?;
        let component = threads.install(|| Component::from_binary(&process.engine, component))?;
        Program::link(process, &component)
    }

    fn link(process: &Process, component: &Component) -> wasmtime::Result<Program> {
        let mut linker = Linker::new(&process.engine);
        imports::add_to_linker(&mut linker)?;
        Exports::check(component)?;
        Ok(Program { linked: linker.instantiate_pre(component)?, ticker: Arc::clone(&process.ticker) })
    }
}

/// A thread that advances the engine's epoch while a call is in progress, and sleeps
/// otherwise.
pub(crate) struct Ticker {
    engine: Engine,
    calls: AtomicUsize,
    /// The thread, and the process that it belongs to: a child process has no threads of its parent.
    thread: Mutex<Option<(u32, Thread)>>,
}

impl Ticker {
    fn new(engine: Engine) -> Arc<Ticker> {
        Arc::new(Ticker { engine, calls: AtomicUsize::new(0), thread: Mutex::new(None) })
    }

    /// Ticks until the returned guard is dropped.
    pub(crate) fn run(self: &Arc<Self>) -> io::Result<Ticking> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        match &*thread {
            Some((process, thread)) if *process == process::id() => {
                self.calls.fetch_add(1, Ordering::SeqCst);
                thread.unpark();
            }
            _ => {
                // Calls that the parent process began do not count here.
                self.calls.store(1, Ordering::SeqCst);
                *thread = Some((process::id(), self.start()?));
            }
        }
        Ok(Ticking(Arc::clone(self)))
    }

    fn start(self: &Arc<Self>) -> io::Result<Thread> {
        let ticker = Arc::clone(self);
        let started = thread::Builder::new().name("tuckaway-ticker".to_owned()).spawn(move || {
            loop {
                // The thread takes no lock, so that a fork may happen at any time.
                match ticker.calls.load(Ordering::SeqCst) {
                    0 => thread::park(),
                    _ => {
                        thread::sleep(TICK);
                        ticker.engine.increment_epoch();
                    }
                }
            }
        })?;
        Ok(started.thread().clone())
    }
}

/// A guard that keeps the ticker running during a call.
pub(crate) struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        // A call that began in the parent process also ends in the child, where it was not
        // counted.
        let one_less = |calls: usize| Some(calls.saturating_sub(1));
        let _ = self.0.calls.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
    }
}
