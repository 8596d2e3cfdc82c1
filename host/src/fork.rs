//! Makes it safe to fork a process with threads, for languages in which programs fork, such as
//! Python.
//!
//! Only the thread that forks exists in the child. A lock that another thread holds at that
//! moment is never released there. So everything in this crate that takes a lock is a
//! [`Step`], and a caller that forks first begins a [`Pause`], which waits until no step is
//! running. Steps are short: a call that waits for a store, a timer or a model is outside of
//! them.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of running steps in this process, and whether new ones have to wait.
#[derive(Debug)]
struct Steps {
    taken: usize,
    is_paused: bool,
}

static STEPS: Mutex<Steps> = Mutex::new(Steps { taken: 0, is_paused: false });
static CHANGED: Condvar = Condvar::new();

thread_local! {
    /// The number of nested steps of this thread.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

fn steps() -> MutexGuard<'static, Steps> {
    STEPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of work that no fork interrupts. It ends when it is dropped, on the thread that began
/// it.
#[must_use]
#[derive(Debug)]
pub struct Step {
    // Not Send: each thread counts its own steps.
    _thread: std::marker::PhantomData<*const ()>,
}

impl Step {
    /// Begins a step. Waits while the process is about to fork, unless this thread is already in
    /// a step, which the fork waits for.
    pub fn begin() -> Step {
        enter(1);
        Step { _thread: std::marker::PhantomData }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        leave(1);
    }
}

/// Runs foreign code, such as a callback, outside of all steps of this thread, because it may
/// fork.
pub fn outside<T>(work: impl FnOnce() -> T) -> T {
    /// Enters the steps again, even if the work panics.
    struct Back(usize);
    impl Drop for Back {
        fn drop(&mut self) {
            enter(self.0);
        }
    }
    let own = OWN.get();
    leave(own);
    let _back = Back(own);
    work()
}

fn enter(count: usize) {
    if count == 0 {
        return;
    }
    let mut steps = steps();
    if OWN.get() == 0 {
        steps = CHANGED.wait_while(steps, |steps| steps.is_paused).unwrap_or_else(PoisonError::into_inner);
    }
    steps.taken += count;
    OWN.set(OWN.get() + count);
}

fn leave(count: usize) {
    if count == 0 {
        return;
    }
    let mut steps = steps();
    steps.taken -= count;
    OWN.set(OWN.get() - count);
    if steps.is_paused {
        CHANGED.notify_all();
    }
}

/// Prevents new steps until it ends. It holds no lock: before the fork, the caller may have to
/// wait for more, such as an interpreter.
#[must_use]
#[derive(Debug)]
pub struct Pause(());

impl Pause {
    /// Waits until all steps of other threads have ended, or until `limit` has passed: a fork
    /// that waits forever would be worse than a child in which a call hangs.
    pub fn begin(limit: Duration) -> Pause {
        let wait = |steps| CHANGED.wait_while(steps, |steps: &mut Steps| steps.is_paused);
        let mut steps = wait(steps()).unwrap_or_else(PoisonError::into_inner);
        steps.is_paused = true;
        let others = |steps: &mut Steps| steps.taken > OWN.get();
        drop(CHANGED.wait_timeout_while(steps, limit, others));
        Pause(())
    }

    /// Prepares the fork, which must follow at once. Does not wait for other threads.
    pub fn lock(self) -> Fork {
        Fork { steps: steps() }
    }
}

/// A pause during which the process forks. It belongs to the thread that forks.
#[must_use]
#[derive(Debug)]
pub struct Fork {
    /// Held by the thread that forks, so that no other thread holds it in the child.
    steps: MutexGuard<'static, Steps>,
}

impl Fork {
    /// Ends the pause in the process that has forked, or has decided not to fork.
    pub fn end(mut self) {
        self.steps.is_paused = false;
        CHANGED.notify_all();
    }

    /// Ends the pause in the child, in which no other thread is in a step.
    pub fn end_in_child(mut self) {
        self.steps.is_paused = false;
        self.steps.taken = OWN.get();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(20);

    /// One test, because steps are counted for the whole process.
    #[test]
    fn a_pause_waits_for_steps_and_steps_wait_for_a_pause() {
        // A pause waits for a step of another thread, but not beyond its limit.
        let (end, ended) = channel::<()>();
        let (begun, has_begun) = channel();
        let worker = thread::spawn(move || {
            let _step = Step::begin();
            begun.send(()).unwrap();
            ended.recv().unwrap();
        });
        has_begun.recv().unwrap();
        let fork = Pause::begin(SHORT).lock();
        assert!(fork.steps.taken >= 1, "the limit has passed first");
        fork.end();
        end.send(()).unwrap();
        worker.join().unwrap();

        // A pause does not wait for a step of the same thread. A step of another thread waits for
        // the end of the pause.
        let own = Step::begin();
        let pause = Pause::begin(LONG);
        let (stepped, has_stepped) = channel();
        let worker = thread::spawn(move || {
            let _step = Step::begin();
            stepped.send(()).unwrap();
        });
        assert_eq!(has_stepped.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
        pause.lock().end();
        has_stepped.recv_timeout(LONG).unwrap();
        worker.join().unwrap();
        drop(own);

        // Outside of its steps, a thread delays no fork.
        let _outer = Step::begin();
        let _inner = Step::begin();
        outside(|| {
            assert_eq!(OWN.get(), 0);
            thread::spawn(|| Pause::begin(LONG).lock().end()).join().unwrap();
        });
        assert_eq!(OWN.get(), 2);
    }
}
