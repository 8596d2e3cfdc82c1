//! Histories of providers, managed in one call.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pythonize::pythonize;
use tuckaway_host::{Error, HistoryInput, ManagedHistory, SummaryRequest, Task, Tuckaway};

use crate::callback::{Place, call, with_python};
use crate::errors;

/// Plans and applies all steps. `summarize` answers the requests.
pub async fn manage(
    tuckaway: &Tuckaway,
    input: &HistoryInput,
    memory: Option<&str>,
    task: &Task,
    summarize: Option<&Py<PyAny>>,
) -> Result<ManagedHistory, Error> {
    tuckaway.manage_history(input, memory, task, |request| summary(summarize, request)).await
}

async fn summary(summarize: Option<&Py<PyAny>>, request: SummaryRequest) -> Result<String, String> {
    let Some(summarize) = summarize else {
        return Err("no function `summarize` was given".to_owned());
    };
    let answer = |value: &Bound<'_, PyAny>| {
        value.extract().map_err(|_| PyException::new_err("summarize must return a str"))
    };
    let asked = call(summarize, Place::Here, move |py| PyTuple::new(py, [pythonize(py, &request)?]), answer);
    asked.await.map_err(|error| {
        let said = with_python(|py| Ok(errors::text(py, &error)));
        said.unwrap_or_else(|error| error.to_string())
    })
}
