//! The runtime of this process, and its forks.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::process;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tuckaway_host::fork::{Fork, Pause, Step};

use crate::interpreter::{self, attached, detached};

/// How often a blocking call checks for signals, such as Ctrl-C.
const SIGNALS_EVERY: Duration = Duration::from_millis(25);

/// How long a fork waits for running work.
const FORK_WAITS: Duration = Duration::from_secs(5);

/// Returns the runtime of this process. The child of a fork lacks its parent's threads, so it gets
/// its own runtime.
pub fn runtime() -> PyResult<&'static Runtime> {
    static RUNTIME: Mutex<Option<(u32, &'static Runtime)>> = Mutex::new(None);
    let _step = Step::begin();
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    match *runtime {
        Some((process, runtime)) if process == process::id() => Ok(runtime),
        _ => {
            let started = Builder::new_multi_thread().thread_name("tuckaway").enable_all().build();
            let started = started.map_err(|error| {
                PyRuntimeError::new_err(format!("the threads of tuckaway could not be started: {error}"))
            })?;
            let started: &'static Runtime = Box::leak(Box::new(started));
            *runtime = Some((process::id(), started));
            Ok(started)
        }
    }
}

/// A future in which each poll is a step: forks happen between two steps.
pub struct InSteps<F>(pub F);

impl<F: Future + Unpin> Future for InSteps<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let _step = Step::begin();
        Pin::new(&mut self.0).poll(context)
    }
}

/// Waits for work on this thread, without the interpreter's lock. A signal whose handler raises
/// an exception ends it.
pub fn wait<T: Send>(py: Python<'_>, work: impl Future<Output = T> + Send) -> PyResult<T> {
    detached(py, || {
        let runtime = runtime()?;
        match Handle::try_current() {
            Err(_) => runtime.block_on(until_signal(work)),
            // A callback of another call on this thread, which is inside the runtime.
            Ok(_) => thread::scope(|scope| {
                let waited = scope.spawn(|| runtime.block_on(until_signal(work))).join();
                waited.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }),
        }
    })
}

async fn until_signal<T>(work: impl Future<Output = T>) -> PyResult<T> {
    let mut work = InSteps(pin!(work));
    let mut look = interval_at(Instant::now() + SIGNALS_EVERY, SIGNALS_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    poll_fn(|context| {
        if let Poll::Ready(done) = Pin::new(&mut work).poll(context) {
            return Poll::Ready(Ok(done));
        }
        while look.poll_tick(context).is_ready() {
            if let Some(Err(interrupt)) = attached(|py| py.check_signals()) {
                return Poll::Ready(Err(interrupt));
            }
        }
        Poll::Pending
    })
    .await
}

thread_local! {
    /// The fork that this thread is about to make.
    static FORK: RefCell<Option<Fork>> = const { RefCell::new(None) };
}

/// Waits until this package does no work. Python calls it before each fork.
#[pyfunction]
fn before_fork(py: Python<'_>) {
    // The work may need the interpreter, so it must not be locked out in the meantime.
    let pause = detached(py, || Pause::begin(FORK_WAITS));
    FORK.set(Some(pause.lock()));
}

#[pyfunction]
fn after_fork_in_parent() {
    if let Some(fork) = FORK.take() {
        fork.end();
    }
}

#[pyfunction]
fn after_fork_in_child() {
    interpreter::after_fork_in_child();
    if let Some(fork) = FORK.take() {
        fork.end_in_child();
    }
}

/// Has Python announce its forks, except on Windows, which has no forks.
pub fn register(py: Python<'_>) -> PyResult<()> {
    let os = py.import("os")?;
    if !os.hasattr("register_at_fork")? {
        return Ok(());
    }
    let hooks = PyDict::new(py);
    hooks.set_item("before", wrap_pyfunction!(before_fork, py)?)?;
    hooks.set_item("after_in_parent", wrap_pyfunction!(after_fork_in_parent, py)?)?;
    hooks.set_item("after_in_child", wrap_pyfunction!(after_fork_in_child, py)?)?;
    os.call_method("register_at_fork", (), Some(&hooks))?;
    Ok(())
}
