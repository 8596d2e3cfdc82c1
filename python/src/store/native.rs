//! The stores of `tuckaway_host`.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pythonize::pythonize;
use tuckaway_host::store::{OnDemand, Opens, StoreAt, is_session_name};
use tuckaway_host::{BucketStore, Limits, Sessions, Store, StoreError};

use crate::errors;
use crate::process::wait;

type Opening = Pin<Box<dyn Future<Output = Result<Arc<dyn Sessions>, StoreError>> + Send>>;

/// A store, opened once in each process, because the connections to a bucket belong to threads that
/// do not exist in the child of a fork.
struct Opened {
    open: Box<dyn Fn() -> Opening + Send + Sync>,
    current: Mutex<Option<(u32, Arc<dyn Sessions>)>>,
}

impl Opened {
    fn new(open: impl Fn() -> Opening + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Opened { open: Box::new(open), current: Mutex::new(None) })
    }

    async fn store(&self) -> Result<Arc<dyn Sessions>, StoreError> {
        if let Some((process, store)) = &*self.current.lock().unwrap_or_else(PoisonError::into_inner)
            && *process == process::id()
        {
            return Ok(Arc::clone(store));
        }
        let store = (self.open)().await?;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((process::id(), Arc::clone(&store)));
        Ok(store)
    }

    /// Returns the store of a session.
    fn session(self: &Arc<Self>, name: String) -> Arc<Self> {
        let whole = Arc::clone(self);
        Opened::new(move || {
            let (whole, name) = (Arc::clone(&whole), name.clone());
            Box::pin(async move { whole.store().await?.session(&name).await })
        })
    }
}

#[async_trait]
impl Opens for Opened {
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        Ok(self.store().await?)
    }
}

/// A store in memory, in a directory or in a bucket.
#[pyclass(frozen, module = "tuckaway._native")]
pub struct NativeStore(Arc<Opened>);

impl NativeStore {
    /// Returns the store for an engine.
    pub fn shared(&self) -> Arc<dyn Store> {
        Arc::new(OnDemand(Arc::clone(&self.0)))
    }
}

/// Runs a store operation and waits for its answer.
macro_rules! ask {
    ($this:ident, $py:ident, |$store:ident| $call:expr) => {{
        let opened = Arc::clone(&$this.0);
        let work = async move {
            let $store = opened.store().await?;
            $call.await
        };
        wait($py, work)?.map_err(errors::of_store)
    }};
}

#[pymethods]
impl NativeStore {
    /// Opens a store: `memory`, `dir:PATH`, or the URL of a bucket.
    #[new]
    #[pyo3(signature = (at, *, max_bytes=None, max_age=None, endpoint=None, options=None))]
    fn new(
        at: &str,
        max_bytes: Option<u64>,
        max_age: Option<f64>,
        endpoint: Option<String>,
        options: Option<BTreeMap<String, String>>,
    ) -> PyResult<Self> {
        let limits = limits(max_bytes, max_age)?;
        let place: StoreAt = at.parse().map_err(|why: String| errors::about(name_of(at), why))?;
        if let StoreAt::Bucket(url) = place {
            let options = options.unwrap_or_default();
            // A store that cannot be opened is rejected now.
            bucket(&url, endpoint.as_deref(), &options, &limits)?;
            return Ok(NativeStore(Opened::new(move || {
                let opened = bucket(&url, endpoint.as_deref(), &options, &limits);
                Box::pin(async move { opened.map_err(|error| StoreError::Other(error.to_string())) })
            })));
        }
        let opened = place.open(limits, endpoint.as_deref());
        let store = opened.map_err(|error| errors::of_store(StoreError::Other(format!("{error:#}"))))?;
        Ok(NativeStore(Opened::new(move || {
            let store = Arc::clone(&store);
            Box::pin(async move { Ok(store) })
        })))
    }

    fn create(&self, py: Python<'_>, tool: &str, media_type: &str) -> PyResult<String> {
        ask!(self, py, |store| store.create(tool, media_type))
    }

    fn append(&self, py: Python<'_>, id: &str, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = super::bytes(data)?;
        check(id)?;
        ask!(self, py, |store| store.append(id, data))
    }

    fn seal<'py>(&self, py: Python<'py>, id: &str, line_count: u64) -> PyResult<Bound<'py, PyAny>> {
        check(id)?;
        Ok(pythonize(py, &ask!(self, py, |store| store.seal(id, line_count))?)?)
    }

    fn stat<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyAny>> {
        check(id)?;
        Ok(pythonize(py, &ask!(self, py, |store| store.stat(id))?)?)
    }

    fn read<'py>(
        &self,
        py: Python<'py>,
        id: &str,
        offset: u64,
        length: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check(id)?;
        Ok(PyBytes::new(py, &ask!(self, py, |store| store.read(id, offset, length))?))
    }

    fn list_artifacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &ask!(self, py, |store| store.list_artifacts())?)?)
    }

    fn delete(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        check(id)?;
        ask!(self, py, |store| store.delete(id))
    }

    fn session(&self, name: String) -> PyResult<Self> {
        check_session(&name)?;
        Ok(NativeStore(self.0.session(name)))
    }

    fn sessions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        ask!(self, py, |store| store.sessions())
    }

    fn remove_session(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        check_session(name)?;
        ask!(self, py, |store| store.remove_session(name))
    }

    fn collect_garbage<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &ask!(self, py, |store| store.collect_garbage())?)?)
    }
}

/// Returns an error for an id that no artifact can have, before it becomes a path or a key.
fn check(id: &str) -> PyResult<()> {
    match tuckaway_host::is_artifact_id(id) {
        true => Ok(()),
        false => Err(errors::of_store(StoreError::NotFound)),
    }
}

fn check_session(name: &str) -> PyResult<()> {
    match is_session_name(name) {
        true => Ok(()),
        false => Err(errors::malformed(
            "name",
            "of a session must have 1 to 64 characters of a-z, 0-9, '_' and '-'.",
        )),
    }
}

/// Returns the argument that says where a store is.
fn name_of(at: &str) -> &'static str {
    match at.starts_with("dir:") {
        true => "path",
        false => "url",
    }
}

fn limits(max_bytes: Option<u64>, max_age: Option<f64>) -> PyResult<Limits> {
    let mut limits = Limits::none();
    if let Some(bytes) = max_bytes {
        limits = limits.with_quota(bytes);
    }
    if let Some(seconds) = max_age {
        let age = Duration::try_from_secs_f64(seconds).ok().filter(|age| !age.is_zero());
        let age = age.ok_or_else(|| errors::malformed("max_age", "must be a number of seconds above 0."))?;
        limits = limits.with_max_age(age);
    }
    Ok(limits)
}

fn bucket(
    url: &str,
    endpoint: Option<&str>,
    options: &BTreeMap<String, String>,
    limits: &Limits,
) -> PyResult<Arc<dyn Sessions>> {
    let options: Vec<_> = options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let opened = BucketStore::from_url_with(url, endpoint, &options);
    let opened =
        opened.map_err(|error| errors::about("url", format!("Cannot open the store {url}: {error:#}.")))?;
    Ok(Arc::new(opened.with_limits(limits.clone())))
}
