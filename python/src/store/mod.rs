//! Stores written in Python.

pub mod native;

use async_trait::async_trait;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyTuple};
use tuckaway_host::{Artifact, Store, StoreError};

use crate::callback::{Place, call, store_raised, with_python};
use crate::errors;

/// A Python object with the seven methods of a store.
pub struct PyStore {
    create: Py<PyAny>,
    append: Py<PyAny>,
    seal: Py<PyAny>,
    stat: Py<PyAny>,
    read: Py<PyAny>,
    list: Py<PyAny>,
    delete: Py<PyAny>,
}

impl PyStore {
    /// Takes the methods of a store.
    pub fn new(store: &Bound<'_, PyAny>) -> PyResult<Self> {
        let method = |name: &str| -> PyResult<Py<PyAny>> {
            match store.getattr(name) {
                Ok(method) if method.is_callable() => Ok(method.unbind()),
                _ => Err(errors::malformed(
                    "store",
                    format!("is of type {}, lacking the method {name}.", store.get_type().name()?),
                )),
            }
        };
        Ok(PyStore {
            create: method("create")?,
            append: method("append")?,
            seal: method("seal")?,
            stat: method("stat")?,
            read: method("read")?,
            list: method("list_artifacts")?,
            delete: method("delete")?,
        })
    }

    async fn call<T: Send + 'static>(
        &self,
        method: &Py<PyAny>,
        arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyTuple>> + Send + 'static,
        convert: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        call(method, Place::Here, arguments, convert).await.map_err(|error| {
            let meant = with_python(|py| Ok(errors::to_store(py, &error)));
            store_raised(error);
            meant.unwrap_or_else(|error| StoreError::Other(error.to_string()))
        })
    }
}

#[async_trait]
impl Store for PyStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let arguments = (tool.to_owned(), media_type.to_owned());
        self.call(&self.create, |py| arguments.into_pyobject(py), text).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.call(&self.append, move |py| (id, PyBytes::new(py, &bytes)).into_pyobject(py), |_| Ok(())).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let arguments = (id.to_owned(), line_count);
        self.call(&self.seal, |py| arguments.into_pyobject(py), artifact).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        let id = id.to_owned();
        self.call(&self.stat, |py| PyTuple::new(py, [id]), artifact).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let arguments = (id.to_owned(), offset, length);
        self.call(&self.read, |py| arguments.into_pyobject(py), bytes).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let all = |list: &Bound<'_, PyAny>| list.try_iter()?.map(|each| artifact(&each?)).collect();
        self.call(&self.list, |py| Ok(PyTuple::empty(py)), all).await
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.call(&self.delete, |py| PyTuple::new(py, [id]), |_| Ok(())).await
    }
}

/// Returns the bytes of a bytes-like object.
pub fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(bytes.to_vec());
    }
    if value.get_type().name()? == "memoryview" {
        return bytes(&value.call_method0("tobytes")?);
    }
    Err(wrong("bytes", value))
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|_| wrong("a str", value))
}

/// Converts an object with the fields of an artifact.
fn artifact(value: &Bound<'_, PyAny>) -> PyResult<Artifact> {
    let number = |name: &str| -> PyResult<u64> {
        let field = value.getattr(name).map_err(|_| wrong("an Artifact", value))?;
        field
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("{name} must be a whole number of at least 0")))
    };
    let string = |name: &str| -> PyResult<String> {
        let field = value.getattr(name).map_err(|_| wrong("an Artifact", value))?;
        field.extract().map_err(|_| PyTypeError::new_err(format!("{name} must be a str")))
    };
    Ok(Artifact {
        id: string("id")?,
        tool: string("tool")?,
        media_type: string("media_type")?,
        size_bytes: number("size_bytes")?,
        line_count: number("line_count")?,
        created_at: number("created_at")?,
    })
}

fn wrong(expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("it returned {found}, not {expected}"))
}
