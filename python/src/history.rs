//! Histories of providers, managed in one call.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pythonize::pythonize;
use serde::Serialize;
use tuckaway_host::{Error, Format, History, Memory, Report, SummaryRequest, Task, TokenUsage, Tuckaway};

use crate::callback::{Place, call, with_python};
use crate::errors;

/// A history, its memory, and the task.
pub struct Managing {
    history: History,
    memory: Memory,
    usage: Option<TokenUsage>,
    task: Task,
    summarize: Option<Py<PyAny>>,
}

/// The Python form of a managed history.
#[derive(Serialize)]
pub struct Managed {
    history: String,
    memory: String,
    report: Report,
}

impl Managing {
    /// Reads the history `{"format", "json"}` and the memory, which is JSON or missing.
    pub fn new(
        history: &Bound<'_, PyDict>,
        memory: Option<&str>,
        usage: Option<TokenUsage>,
        task: Task,
        summarize: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let member =
            |name| history.get_item(name)?.ok_or_else(|| errors::invalid(format!("{name} is missing.")));
        let format: Option<String> = member("format")?.extract()?;
        let format = format.map(|name| name.parse::<Format>()).transpose();
        let format = format.map_err(|error| errors::invalid(error.to_string()))?;
        let json: String = member("json")?.extract()?;
        let history = History::parse(json, format).map_err(|error| errors::invalid(error.to_string()))?;
        let memory = match memory {
            None => Memory::default(),
            Some(memory) => serde_json::from_str(memory).map_err(|error| {
                errors::invalid(format!("The memory was changed: {error}. Pass the memory of the last call."))
            })?,
        };
        Ok(Managing { history, memory, usage, task, summarize })
    }

    /// Plans and applies all steps.
    pub async fn run(self, tuckaway: &Tuckaway) -> Result<Managed, Error> {
        let Managing { history, memory, usage, task, summarize } = self;
        let summarize = summarize.as_ref();
        let ask = move |request| summary(summarize, request);
        let managed = tuckaway.manage_history(&history, &memory, usage, &task, ask).await?;
        Ok(Managed {
            history: managed.history.as_json().to_owned(),
            memory: serde_json::to_string(&managed.memory).expect("a memory is JSON"),
            report: managed.report,
        })
    }
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
