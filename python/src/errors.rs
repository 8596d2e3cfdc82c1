//! Conversion between errors of the engine and exceptions of `tuckaway.errors`.

use std::fmt::Display;

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tuckaway_host::{Error, Expiry, ModelError, StoreError};

use crate::interpreter::attached;

const MODULE: &str = "tuckaway.errors";

/// Returns the exception of an error.
pub fn of(error: Error) -> PyErr {
    let kind = serde_json::to_value(error.kind).expect("a kind is a string");
    make(|py| {
        let from_kind = py.import(MODULE)?.getattr("from_kind")?;
        from_kind.call1((kind.as_str(), error.message, error.arguments))
    })
}

/// Returns the exception for a malformed argument, whose name begins the message.
pub fn malformed(name: &str, why: impl Display) -> PyErr {
    about(name, format!("{name} {why}"))
}

/// Returns the exception for a malformed argument with a message.
pub fn about(argument: &str, message: impl Into<String>) -> PyErr {
    of(Error::invalid(message).about(&[argument]))
}

/// Returns the exception for a failure of a store.
pub fn of_store(error: StoreError) -> PyErr {
    make(|py| {
        let module = py.import(MODULE)?;
        match error {
            StoreError::NotFound => {
                module.getattr("NotFoundError")?.call1(("The store has no such artifact.",))
            }
            StoreError::Expired(expiry) => {
                let known = PyDict::new(py);
                if let Some(Expiry { tool, expired_at }) = expiry {
                    known.set_item("tool", tool)?;
                    known.set_item("expired_at", expired_at)?;
                }
                module.getattr("ExpiredError")?.call(("The artifact has expired.",), Some(&known))
            }
            StoreError::QuotaExceeded => {
                module.getattr("QuotaExceededError")?.call1(("The store's quota is used up.",))
            }
            StoreError::Other(why) => module.getattr("StoreError")?.call1((why,)),
        }
    })
}

fn make(exception: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyAny>>) -> PyErr {
    let made = attached(|py| match exception(py) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    });
    made.unwrap_or_else(|| PyRuntimeError::new_err("the interpreter is shutting down"))
}

/// Returns the failure that an exception of a Python store means.
pub fn to_store(py: Python<'_>, error: &PyErr) -> StoreError {
    let value = error.value(py);
    if is(py, error, "NotFoundError") {
        return StoreError::NotFound;
    }
    if is(py, error, "QuotaExceededError") {
        return StoreError::QuotaExceeded;
    }
    if is(py, error, "ExpiredError") {
        let tool = value.getattr("tool").and_then(|tool| tool.extract());
        let expired_at = value.getattr("expired_at").and_then(|at| at.extract());
        return StoreError::Expired(match (tool, expired_at) {
            (Ok(tool), Ok(expired_at)) => Some(Expiry { tool, expired_at }),
            _ => None,
        });
    }
    StoreError::Other(text(py, error))
}

/// Returns the failure that an exception of a Python model means.
pub fn to_model(py: Python<'_>, error: &PyErr) -> ModelError {
    let permanent = is(py, error, "ModelError")
        && error.value(py).getattr("permanent").is_ok_and(|permanent| permanent.is_truthy().unwrap_or(false));
    ModelError { message: text(py, error), is_permanent: permanent }
}

/// Returns the message of an exception, or its type if the message is empty.
pub fn text(py: Python<'_>, error: &PyErr) -> String {
    match error.value(py).str() {
        Ok(text) if !text.to_string_lossy().trim().is_empty() => text.to_string_lossy().into_owned(),
        _ => error.get_type(py).name().map_or_else(|_| "an error".to_owned(), |name| name.to_string()),
    }
}

/// Returns whether an exception is meant for the program as a whole, such as `KeyboardInterrupt`.
pub fn is_fatal(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py)
}

fn is(py: Python<'_>, error: &PyErr, name: &str) -> bool {
    let class = py.import(MODULE).and_then(|module| module.getattr(name));
    class.is_ok_and(|class| error.is_instance(py, &class))
}
