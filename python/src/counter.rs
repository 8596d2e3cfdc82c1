//! Token counters written in Python.

use async_trait::async_trait;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyTuple};
use tuckaway_host::CountTokens;

use crate::callback::{Place, call, with_python};
use crate::errors;

/// A callable that takes a text and returns its tokens.
pub struct PyCounter(pub Py<PyAny>);

#[async_trait]
impl CountTokens for PyCounter {
    async fn count(&self, text: &str) -> Result<u64, String> {
        let text = text.to_owned();
        let counted = call(&self.0, Place::Here, move |py| PyTuple::new(py, [text]), tokens).await;
        counted.map_err(|error| {
            let said = with_python(|py| Ok(errors::text(py, &error)));
            said.unwrap_or_else(|error| error.to_string())
        })
    }
}

fn tokens(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let wrong = || format!("a token counter must return a whole number of at least 0, not {}", named(value));
    match value.is_instance_of::<PyBool>() {
        true => Err(PyTypeError::new_err(wrong())),
        false => value.extract().map_err(|_| PyTypeError::new_err(wrong())),
    }
}

fn named(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(
        |_| "something else".to_owned(),
        |repr| repr.to_string_lossy().chars().take(100).collect(),
    )
}
