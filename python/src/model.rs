//! Models for extractions: in Python, or over HTTP.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pythonize::{depythonize, pythonize};
use tuckaway_host::{
    AnthropicModel, Endpoint, HistoryInput, Model, ModelError, ModelReply, ModelRequest, OpenAiModel,
};

use crate::callback::{Place, call, with_python};
use crate::errors;

/// A callable that takes a request and returns a reply.
struct PyModel(Py<PyAny>);

/// A callable that takes the items to compact, and returns the items that take their place, as JSON.
struct PyCompaction(Py<PyAny>);

#[async_trait]
impl Model for PyModel {
    async fn complete(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let request = request.clone();
        let asked = call(
            &self.0,
            Place::Beside,
            move |py| PyTuple::new(py, [pythonize(py, &request)?]),
            |value| Ok(depythonize(value)?),
        );
        asked.await.map_err(|error| {
            let meant = with_python(|py| Ok(errors::to_model(py, &error)));
            meant.unwrap_or_else(|error| ModelError::new(error.to_string()))
        })
    }
}

#[async_trait]
impl Model for PyCompaction {
    async fn complete(&self, _: &ModelRequest) -> Result<ModelReply, ModelError> {
        Err(ModelError::permanent("A function that compacts answers no requests."))
    }

    async fn compact(&self, items: &str, _: &HistoryInput) -> Result<String, ModelError> {
        let items = items.to_owned();
        let asked = call(&self.0, Place::Here, move |py| PyTuple::new(py, [items]), |value| value.extract());
        asked.await.map_err(|error| {
            let said = with_python(|py| Ok(errors::text(py, &error)));
            ModelError::new(said.unwrap_or_else(|error| error.to_string()))
        })
    }
}

/// Returns the model that compacts a history, over HTTP or by a function.
pub fn compaction(object: &Bound<'_, PyAny>) -> Arc<dyn Model> {
    match object.cast::<NativeModel>() {
        Ok(native) => Arc::clone(&native.get().0) as Arc<dyn Model>,
        Err(_) => Arc::new(PyCompaction(object.clone().unbind())),
    }
}

/// Returns the model for an object.
pub fn model(object: &Bound<'_, PyAny>) -> Arc<dyn Model> {
    match object.cast::<NativeModel>() {
        Ok(native) => Arc::clone(&native.get().0) as Arc<dyn Model>,
        Err(_) => Arc::new(PyModel(object.clone().unbind())),
    }
}

#[derive(Clone, Copy)]
enum Protocol {
    OpenAi,
    Anthropic,
}

/// A model with an API, connected once in each process, because a connection belongs to threads
/// that do not exist in the child of a fork.
struct Connected {
    protocol: Protocol,
    endpoint: Endpoint,
    current: Mutex<Option<(u32, Arc<dyn Model>)>>,
}

impl Connected {
    fn model(&self) -> Result<Arc<dyn Model>, ModelError> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((process, model)) = &*current
            && *process == process::id()
        {
            return Ok(Arc::clone(model));
        }
        let endpoint = self.endpoint.clone();
        let model: Arc<dyn Model> = match self.protocol {
            Protocol::OpenAi => Arc::new(OpenAiModel::new(endpoint)?),
            Protocol::Anthropic => Arc::new(AnthropicModel::new(endpoint)?),
        };
        *current = Some((process::id(), Arc::clone(&model)));
        Ok(model)
    }
}

#[async_trait]
impl Model for Connected {
    async fn complete(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        self.model()?.complete(request).await
    }

    async fn compact(&self, items: &str, history: &HistoryInput) -> Result<String, ModelError> {
        self.model()?.compact(items, history).await
    }
}

/// A model with the HTTP API of OpenAI or Anthropic.
#[pyclass(frozen, module = "tuckaway._native")]
pub struct NativeModel(Arc<Connected>);

#[pymethods]
impl NativeModel {
    #[new]
    #[pyo3(signature = (protocol, model, *, base_url, api_key=None))]
    fn new(protocol: &str, model: &str, base_url: &str, api_key: Option<String>) -> PyResult<Self> {
        let protocol = match protocol {
            "openai" => Protocol::OpenAi,
            "anthropic" => Protocol::Anthropic,
            _ => return Err(PyRuntimeError::new_err("the protocol is openai or anthropic")),
        };
        let endpoint = Endpoint::new(base_url, model, api_key);
        let connected = |endpoint| Connected { protocol, endpoint, current: Mutex::new(None) };
        let model = connected(endpoint.clone());
        // Invalid settings are rejected now. If only the key is invalid, the rest connects without it.
        model.model().map_err(|error| match connected(Endpoint { key: None, ..endpoint }).model() {
            Ok(_) => errors::about("api_key", error.message),
            Err(error) => errors::about("base_url", error.message),
        })?;
        Ok(NativeModel(Arc::new(model)))
    }
}
