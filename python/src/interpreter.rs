//! The interpreter's lock, and the shutdown of the interpreter.
//!
//! Before 3.14, Python ends a thread that wants the lock of an interpreter that is shutting down
//! (`pthread_exit`), which unwinds its stack and destroys objects without the lock: the process
//! crashes. So no thread of this package may want the lock then: a handler of `atexit` waits until
//! all threads have left the interpreter, and keeps them out.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tuckaway_host::fork::Step;

/// How long the shutdown of the interpreter waits for running callbacks.
const EXIT_WAITS: Duration = Duration::from_secs(2);

/// The threads that have the lock, or are about to take it. Not a mutex: its holder may be missing
/// in the child of a fork.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
static IS_EXITING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread shuts down the interpreter. It may still make calls.
    static ENDS_IT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A thread in the interpreter.
struct Inside;

impl Inside {
    fn enter() -> Option<Inside> {
        INSIDE.fetch_add(1, Ordering::SeqCst);
        let inside = Inside;
        match IS_EXITING.load(Ordering::SeqCst) && !ENDS_IT.get() {
            true => None,
            false => Some(inside),
        }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        // The child of a fork starts counting from 0.
        let _ = INSIDE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |inside| inside.checked_sub(1));
    }
}

/// Runs Python code on a thread that does not have the lock; returns `None` if the interpreter is
/// shutting down.
pub fn attached<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _inside = Inside::enter()?;
    // Python adds the thread to a list. Before 3.12, the child of a fork would find its mutex
    // locked.
    let step = Step::begin();
    Python::try_attach(|py| {
        drop(step);
        work(py)
    })
}

/// Runs work without the lock. If the interpreter is shutting down afterwards, the thread sleeps
/// until the process ends, as threads do from Python 3.14 on.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let (done, _inside) = py.detach(|| {
        let done = work();
        let inside = Inside::enter();
        if inside.is_none() {
            loop {
                thread::park();
            }
        }
        (done, inside)
    });
    done
}

/// Waits until no other thread is in the interpreter. Python calls it before it shuts down.
#[pyfunction]
fn before_exit(py: Python<'_>) {
    ENDS_IT.set(true);
    IS_EXITING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let end = Instant::now() + EXIT_WAITS;
        while INSIDE.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// Forgets the threads that do not exist in the child of a fork.
pub fn after_fork_in_child() {
    INSIDE.store(0, Ordering::SeqCst);
}

/// Has Python announce its shutdown.
pub fn register(py: Python<'_>) -> PyResult<()> {
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(before_exit, py)?,))?;
    Ok(())
}
