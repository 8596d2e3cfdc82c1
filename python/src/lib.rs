//! `tuckaway._native`: the engine for the Python package, which wraps it in Python.
//!
//! ```text
//! Engine.call ──┐                                     ┌─► PyStore, PyCounter, PyModel ─┐
//!  (blocks)     ├─► request ─► tuckaway_host, sandbox ┤                                ├─► callback
//! Engine.start ─┘                                     └─► NativeStore, NativeModel     │   (Python)
//!  (asyncio)                                                                           ▼
//! ```
//!
//! Records cross the border as plain values, in the same form as in JSON.
#![forbid(unsafe_code)]

mod arguments;
mod callback;
mod counter;
mod engine;
mod errors;
mod history;
mod interpreter;
mod model;
mod output;
mod process;
mod request;
mod store;

use pyo3::prelude::*;

/// The native module of the package `tuckaway`.
#[pymodule]
mod _native {
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use tuckaway_host::{Dialect, Policy};

    #[pymodule_export]
    use crate::callback::Reply;
    #[pymodule_export]
    use crate::engine::{Engine, Running};
    #[pymodule_export]
    use crate::model::NativeModel;
    #[pymodule_export]
    use crate::store::native::NativeStore;

    /// Returns an estimate of the tokens of a text.
    #[pyfunction]
    fn estimate(py: Python<'_>, text: &str) -> PyResult<u64> {
        super::count(py, &tuckaway_host::Estimate, text)
    }

    /// Returns the tokens of a text by one of OpenAI's encodings, such as `o200k_base`.
    #[pyfunction]
    fn count_tokens(py: Python<'_>, encoding: &str, text: &str) -> PyResult<u64> {
        let counter: tuckaway_host::Tiktoken = encoding.parse().map_err(PyValueError::new_err)?;
        super::count(py, &counter, text)
    }

    /// Returns the default policy of a dialect.
    #[pyfunction]
    fn default_policy(py: Python<'_>, dialect: &str) -> PyResult<Py<PyAny>> {
        let dialect = Dialect::from_name(dialect)
            .ok_or_else(|| PyValueError::new_err(format!("{dialect:?} is no dialect")))?;
        Ok(pythonize::pythonize(py, &Policy::for_dialect(dialect))?.unbind())
    }

    /// Returns an unguessable id for an artifact.
    #[pyfunction]
    fn mint(tool: &str) -> PyResult<String> {
        tuckaway_host::store::mint(tool).map_err(crate::errors::of_store)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::interpreter::register(module.py())?;
        crate::process::register(module.py())
    }
}

fn count(py: Python<'_>, counter: &impl tuckaway_host::CountTokens, text: &str) -> PyResult<u64> {
    let counted = process::wait(py, counter.count(text))?;
    counted.map_err(pyo3::exceptions::PyRuntimeError::new_err)
}
