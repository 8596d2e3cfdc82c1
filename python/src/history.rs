//! Histories of providers, managed in one call.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pythonize::pythonize;
use tuckaway_host::{
    Error, HistoryInput, ManagedHistory, Model, SummaryAnswer, SummaryRequest, Task, Tuckaway,
};

use crate::callback::{Place, call, with_python};
use crate::errors;

/// Plans and applies all steps. `compact` answers the request that it can, `summarize` the others. Why a
/// compaction failed is added to the errors of summaries.
pub async fn manage(
    tuckaway: &Tuckaway,
    input: &HistoryInput,
    memory: Option<&str>,
    task: &Task,
    summarize: Option<&Py<PyAny>>,
    compact: Option<Arc<dyn Model>>,
) -> Result<ManagedHistory, Error> {
    let errors = Mutex::new(Vec::new());
    let (errors_ref, compact) = (&errors, compact.as_deref());
    let answer = move |request: SummaryRequest, items: Option<String>| async move {
        if let (Some(compact), Some(items)) = (compact, items) {
            match compact.compact(&items, input).await {
                Ok(json) => return SummaryAnswer::Compacted(json),
                Err(error) => errors_ref.lock().unwrap_or_else(PoisonError::into_inner).push(error.message),
            }
        }
        match summary(summarize, request).await {
            Ok(text) => SummaryAnswer::Text(text),
            Err(why) => SummaryAnswer::Failed(why),
        }
    };
    let mut managed = tuckaway.manage_history_with(input, memory, task, answer).await?;
    let errors = errors.into_inner().unwrap_or_else(PoisonError::into_inner);
    managed.report.summary_errors.splice(0..0, errors);
    Ok(managed)
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
