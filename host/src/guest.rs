//! Instances of the component, and the pool of idle ones.

use std::fmt;
use std::future::Future;
#[cfg(feature = "jit")]
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(feature = "jit")]
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tuckaway_contract::{Error, ErrorKind};
use wasmtime::{Store as Wasm, Trap, UpdateDeadline};

use crate::exports::Exports;
use crate::runtime::{Program, Ticking};
use crate::state::{Limits, State};
use crate::{CountTokens, Store};

/// Instances whose memory has grown beyond this size are not kept, because a memory never
/// shrinks.
const KEPT_MEMORY_BYTES: usize = 64 << 20;

/// An instance, taken from the pool for one call. If the call does not finish, the
/// instance is dropped with it.
pub(crate) struct Guest {
    pub(crate) exports: Exports,
    pub(crate) wasm: Wasm<State>,
    _ticking: Ticking,
}

/// An instance between two calls. The component keeps no state.
struct Idle {
    exports: Exports,
    wasm: Wasm<State>,
}

/// Instances over one store and one token counter.
pub(crate) struct Pool {
    program: Program,
    store: Arc<dyn Store>,
    tokens: Arc<dyn CountTokens>,
    limits: Limits,
    idle: Mutex<Vec<Idle>>,
    /// The maximum number of idle instances.
    capacity: usize,
}

impl Pool {
    pub(crate) fn new(
        program: Program,
        store: Arc<dyn Store>,
        tokens: Arc<dyn CountTokens>,
        limits: Limits,
    ) -> Self {
        let capacity = std::thread::available_parallelism().map_or(1, usize::from);
        Pool { program, store, tokens, limits, idle: Mutex::default(), capacity }
    }

    /// Returns the store of all instances.
    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Returns the limits of each instance.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Compares the types of a component's exports with the contract, which takes an instance.
    ///
    /// Errors: a function or a record differs.
    #[cfg(feature = "jit")]
    pub(crate) fn check(&self) -> wasmtime::Result<()> {
        let mut instance = pin!(self.instantiate());
        let mut context = Context::from_waker(Waker::noop());
        // It waits for nothing but its turn: the component calls no import when it starts.
        loop {
            if let Poll::Ready(instance) = instance.as_mut().poll(&mut context) {
                return instance.map(drop);
            }
        }
    }

    /// Takes an instance for one call, whose deadline starts now.
    pub(crate) async fn take(&self) -> Result<Guest, Error> {
        let ticking = self.program.ticker.run().map_err(|error| unstarted(&error))?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Idle { exports, mut wasm } = match idle {
            Some(idle) => idle,
            None => self.instantiate().await.map_err(|error| unstarted(&error))?,
        };
        wasm.data_mut().ends = Instant::now() + self.limits.deadline;
        wasm.data_mut().memory.denied = false;
        wasm.set_epoch_deadline(1);
        Ok(Guest { exports, wasm, _ticking: ticking })
    }

    async fn instantiate(&self) -> wasmtime::Result<Idle> {
        let state = State::new(Arc::clone(&self.store), Arc::clone(&self.tokens), self.limits);
        let mut wasm = Wasm::new(self.program.linked.engine(), state);
        wasm.limiter(|state| &mut state.memory);
        // A guest cannot pass more at once than its memory contains, except by lists
        // whose elements alias each other. This limit stops those.
        wasm.set_hostcall_fuel(self.limits.memory);
        wasm.set_epoch_deadline(1);
        wasm.epoch_deadline_callback(|wasm| {
            Ok(match Instant::now() < wasm.data().ends {
                true => UpdateDeadline::Yield(1),
                false => UpdateDeadline::Interrupt,
            })
        });
        let instance = self.program.linked.instantiate_async(&mut wasm).await?;
        Ok(Idle { exports: Exports::of(&instance, &mut wasm)?, wasm })
    }

    /// Waits for a call's answer until its deadline. The epoch stops a guest that
    /// computes for too long; the timer stops a host function that never returns.
    pub(crate) async fn answer<T>(
        &self,
        call: impl Future<Output = wasmtime::Result<T>> + Send,
    ) -> wasmtime::Result<T> {
        match tokio::time::timeout(self.limits.deadline, call).await {
            Ok(answer) => answer,
            Err(_) => Err(Trap::Interrupt.into()),
        }
    }

    /// Waits for an answer of the store, outside of any call of the component, until the deadline of a call.
    ///
    /// Errors: `limit` at the deadline.
    pub(crate) async fn answer_of_store<T>(&self, answer: impl Future<Output = T>) -> Result<T, Error> {
        let answer = tokio::time::timeout(self.limits.deadline, answer).await;
        answer.map_err(|_| Error::limit(self.too_slow()))
    }

    /// Returns an instance to the pool after its call. An instance that trapped is dropped: its
    /// memory can no longer be trusted.
    pub(crate) fn settle<T>(&self, guest: Guest, answer: wasmtime::Result<T>) -> Result<T, Error> {
        match answer {
            Ok(answer) => {
                if guest.wasm.data().memory.grown_to <= KEPT_MEMORY_BYTES {
                    let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
                    if idle.len() < self.capacity {
                        idle.push(Idle { exports: guest.exports, wasm: guest.wasm });
                    }
                }
                Ok(answer)
            }
            Err(error) => Err(self.explain(&guest, &error)),
        }
    }

    /// Converts a trap to an error for the caller.
    fn explain(&self, guest: &Guest, error: &wasmtime::Error) -> Error {
        Error::limit(match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => self.too_slow(),
            _ if guest.wasm.data().memory.denied => format!(
                "This needs more than {} MiB of memory, the host's limit for a call; narrow the query, or raise the limit.",
                self.limits.memory >> 20
            ),
            Some(Trap::StackOverflow) => {
                "This is nested too deeply: the call used up its stack. Use a simpler filter or pattern."
                    .to_owned()
            }
            Some(trap) => format!(
                "The tuckaway component trapped ({trap}). This is a bug in tuckaway; please report it with this input. Other calls are not affected."
            ),
            None => format!("The call into the tuckaway component failed: {error:#}."),
        })
    }

    fn too_slow(&self) -> String {
        format!(
            "This took longer than {}, the host's deadline for a call; narrow the query, or raise the deadline.",
            seconds(self.limits.deadline)
        )
    }
}

fn unstarted(error: &dyn fmt::Display) -> Error {
    Error::new(ErrorKind::Limit, format!("The tuckaway component could not be started: {error:#}."))
}

/// Formats a duration for people.
fn seconds(duration: Duration) -> String {
    match duration.as_millis() {
        ms if ms % 1000 == 0 => format!("{} s", ms / 1000),
        ms => format!("{ms} ms"),
    }
}
