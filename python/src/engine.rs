//! The engine over a store and a token counter, for a thread that waits and for an event loop.

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use tokio::task::AbortHandle;
use tuckaway_host::fork::Step;
use tuckaway_host::{Builder, Tiktoken, Tuckaway};

use crate::callback::{Call, Work, with_python};
use crate::counter::PyCounter;
use crate::errors;
use crate::interpreter::detached;
use crate::process::{InSteps, runtime, wait};
use crate::request::begin;
use crate::store::PyStore;
use crate::store::native::NativeStore;

/// The component with its store and its token counter.
#[pyclass(frozen, module = "tuckaway._native")]
pub struct Engine(Tuckaway);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (store, tokens=None, memory_limit=None, deadline=None))]
    fn new(
        py: Python<'_>,
        store: &Bound<'_, PyAny>,
        tokens: Option<&Bound<'_, PyAny>>,
        memory_limit: Option<usize>,
        deadline: Option<f64>,
    ) -> PyResult<Self> {
        let mut builder = Tuckaway::builder();
        builder = match store.cast::<NativeStore>() {
            Ok(native) => builder.shared_store(native.get().shared()),
            Err(_) => builder.store(PyStore::new(store)?),
        };
        if let Some(tokens) = tokens {
            builder = counting(builder, tokens)?;
        }
        if let Some(bytes) = memory_limit {
            builder = builder.memory_limit(bytes);
        }
        if let Some(seconds) = deadline {
            let deadline = Duration::try_from_secs_f64(seconds);
            builder = builder.deadline(
                deadline
                    .map_err(|_| errors::malformed("deadline", "must be a number of at least 0 seconds."))?,
            );
        }
        let built = detached(py, || {
            let _step = Step::begin();
            builder.build()
        });
        built.map(Engine).map_err(|error| errors::about("memory_limit", format!("{error:#}.")))
    }

    /// Answers a request on this thread.
    fn call(&self, py: Python<'_>, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        let work = begin(self.0.clone(), method, arguments)?;
        let call = Call::new(None);
        let answer = wait(py, async move { call.answer(work).await })??;
        answer(py)
    }

    /// Starts a request whose answer goes to `done(result, error)`. Its Python functions are
    /// evaluated by `dispatch(function, arguments, reply)`. Both are called on another thread.
    fn start(
        &self,
        py: Python<'_>,
        method: &str,
        arguments: &Bound<'_, PyTuple>,
        dispatch: Py<PyAny>,
        done: Py<PyAny>,
    ) -> PyResult<Running> {
        let work = begin(self.0.clone(), method, arguments)?;
        let call = Call::new(Some(dispatch));
        let task = InSteps(Box::pin(answer(call, work, done)));
        let started = detached(py, || PyResult::Ok(runtime()?.spawn(task)))?;
        Ok(Running(started.abort_handle()))
    }
}

async fn answer(call: Arc<Call>, work: Work, done: Py<PyAny>) {
    let answer = call.answer(work).await;
    // Fails if the interpreter is shutting down, when nobody is waiting any more.
    let _ = with_python(|py| match answer.and_then(|answer| answer(py)) {
        Ok(result) => done.call1(py, (result, py.None())),
        Err(error) => done.call1(py, (py.None(), error.into_value(py))),
    });
}

fn counting(builder: Builder, tokens: &Bound<'_, PyAny>) -> PyResult<Builder> {
    if let Ok(name) = tokens.cast::<PyString>() {
        let encoding: Tiktoken =
            name.to_str()?.parse().map_err(|why: String| errors::about("tokens", why))?;
        return Ok(builder.tokens(encoding));
    }
    match tokens.is_callable() {
        true => Ok(builder.tokens(PyCounter(tokens.clone().unbind()))),
        false => Err(PyRuntimeError::new_err("tokens is the name of an encoding or a callable")),
    }
}

/// A running request.
#[pyclass(frozen, module = "tuckaway._native")]
pub struct Running(AbortHandle);

#[pymethods]
impl Running {
    /// Ends the request; `done` is not called any more.
    fn cancel(&self) {
        self.0.abort();
    }
}
