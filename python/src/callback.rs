//! Calls of Python functions that the engine makes during a request: methods of a store, a token
//! counter, a model.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tokio::sync::{Notify, oneshot};
use tuckaway_host::{Error, ErrorKind, fork};

use crate::errors;
use crate::interpreter::attached;

/// An answer on its way to Python.
pub type Answer = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// The work of a request.
pub type Work = Pin<Box<dyn Future<Output = Result<Answer, Error>> + Send>>;

tokio::task_local! {
    /// The call that this task answers.
    pub static CALL: Arc<Call>;
}

/// State that the Python functions share during one call.
pub struct Call {
    /// Evaluates functions on the event loop of the caller, under asyncio.
    dispatch: Option<Py<PyAny>>,
    /// Ends the call early: an exception that the engine must not handle.
    fatal: Mutex<Option<PyErr>>,
    failed: Notify,
    /// The last exception of the store, which may be the reason why the call fails.
    of_store: Mutex<Option<PyErr>>,
}

impl Call {
    /// Creates a call of a thread, or of an event loop with its function `dispatch`.
    pub fn new(dispatch: Option<Py<PyAny>>) -> Arc<Call> {
        Arc::new(Call {
            dispatch,
            fatal: Mutex::new(None),
            failed: Notify::new(),
            of_store: Mutex::new(None),
        })
    }

    /// Answers a call: does the work, unless a function ends the call with an exception.
    pub async fn answer(self: &Arc<Call>, work: Work) -> PyResult<Answer> {
        let done = CALL.scope(Arc::clone(self), async {
            tokio::select! {
                biased;
                () = self.failed.notified() => None,
                done = work => Some(done),
            }
        });
        let done = done.await;
        let fatal = self.fatal.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (fatal, done) {
            (Some(fatal), _) => Err(fatal),
            (None, Some(Ok(answer))) => Ok(answer),
            (None, Some(Err(error))) => Err(self.exception(error)),
            (None, None) => Err(PyRuntimeError::new_err("the call ended without an answer")),
        }
    }

    /// Returns the exception of an error, with the exception that a Python store has raised as its
    /// cause.
    fn exception(&self, error: Error) -> PyErr {
        let is_of_store = error.kind == ErrorKind::Store;
        let exception = errors::of(error);
        let cause = self.of_store.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(cause) = cause.filter(|_| is_of_store) {
            attached(|py| exception.set_cause(py, Some(cause)));
        }
        exception
    }

    /// Ends the call with an exception.
    fn fail(&self, error: PyErr) {
        self.fatal.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.failed.notify_one();
    }
}

/// The place of a function's call if the caller is a waiting thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the waiting thread, as objects such as SQLite connections require.
    Here,
    /// On another thread, so that several functions run in parallel.
    Beside,
}

/// Calls a function and converts its result. Under asyncio, the caller's event loop does it.
/// An exception that the engine must not handle, such as `KeyboardInterrupt`, ends the call.
pub async fn call<T: Send + 'static>(
    function: &Py<PyAny>,
    place: Place,
    arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyTuple>> + Send + 'static,
    convert: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let current = CALL.try_with(Arc::clone).map_err(|_| PyRuntimeError::new_err("no call is in progress"))?;
    let result = match &current.dispatch {
        Some(dispatch) => {
            let value = on_loop(dispatch, function, arguments).await;
            value.and_then(|value| with_python(|py| convert(value.bind(py))))
        }
        None => {
            let function = with_python(|py| Ok(function.clone_ref(py)))?;
            let call = move || with_python(|py| convert(&evaluate(function.bind(py), &arguments(py)?)?));
            match place {
                Place::Here => call(),
                Place::Beside => tokio::task::spawn_blocking(call)
                    .await
                    .unwrap_or_else(|error| Err(PyRuntimeError::new_err(error.to_string()))),
            }
        }
    };
    if let Err(error) = &result {
        let fatal = with_python(|py| Ok(errors::is_fatal(py, error).then(|| error.clone_ref(py))));
        if let Ok(Some(fatal)) = fatal {
            current.fail(fatal);
        }
    }
    result
}

/// Calls a function whose result is ignored, and whose exceptions all end the call.
pub fn notify(
    function: &Py<PyAny>,
    arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyTuple>> + Send + 'static,
) {
    let Ok(current) = CALL.try_with(Arc::clone) else { return };
    let Ok(function) = with_python(|py| Ok(function.clone_ref(py))) else { return };
    if current.dispatch.is_none() {
        let called = with_python(|py| evaluate(function.bind(py), &arguments(py)?).map(drop));
        if let Err(error) = called {
            current.fail(error);
        }
        return;
    }
    // Dispatched now, so that reports keep their order; the engine continues in the meantime.
    let dispatched = current.dispatch.as_ref().map(|dispatch| sent(dispatch, &function, arguments));
    match dispatched {
        Some(Ok(reply)) => {
            _ = tokio::spawn(async move {
                if let Ok(Err(error)) = reply.await {
                    current.fail(error);
                }
            })
        }
        Some(Err(error)) => current.fail(error),
        None => {}
    }
}

/// Remembers the exception that a method of the store has raised.
pub fn store_raised(error: PyErr) {
    let _ = CALL.try_with(|call| {
        *call.of_store.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    });
}

/// Runs Python code outside all steps, because it may fork.
pub fn with_python<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> PyResult<T> {
    let done = fork::outside(|| attached(work));
    done.unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter is shutting down")))
}

fn evaluate<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let value = function.call1(arguments)?;
    if !value.hasattr("__await__")? {
        return Ok(value);
    }
    // A coroutine that is never awaited would be reported as such.
    if value.hasattr("close")? {
        value.call_method0("close")?;
    }
    Err(PyTypeError::new_err("it is asynchronous, which needs AsyncTuckaway"))
}

async fn on_loop(
    dispatch: &Py<PyAny>,
    function: &Py<PyAny>,
    arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyTuple>>,
) -> PyResult<Py<PyAny>> {
    // A closed loop drops the reply.
    let reply = sent(dispatch, function, arguments)?.await;
    reply.unwrap_or_else(|_| Err(PyRuntimeError::new_err("the event loop did not answer")))
}

/// Passes a function to the event loop.
fn sent(
    dispatch: &Py<PyAny>,
    function: &Py<PyAny>,
    arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyTuple>>,
) -> PyResult<oneshot::Receiver<PyResult<Py<PyAny>>>> {
    let (send, receive) = oneshot::channel();
    with_python(|py| {
        let reply = Py::new(py, Reply(Mutex::new(Some(send))))?;
        dispatch.bind(py).call1((function, arguments(py)?, reply)).map(drop)
    })?;
    Ok(receive)
}

/// Receives the result of a function that an event loop has evaluated. Only the first one counts.
#[pyclass(frozen, module = "tuckaway._native")]
pub struct Reply(Mutex<Option<oneshot::Sender<PyResult<Py<PyAny>>>>>);

impl Reply {
    fn send(&self, result: PyResult<Py<PyAny>>) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Nobody waits for the answer of a call that has ended.
        let _ = sender.map(|sender| sender.send(result));
    }
}

#[pymethods]
impl Reply {
    fn result(&self, value: Py<PyAny>) {
        self.send(Ok(value));
    }

    fn error(&self, exception: Bound<'_, PyAny>) {
        self.send(Err(PyErr::from_value(exception)));
    }
}
