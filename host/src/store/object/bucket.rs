//! Requests to a bucket, with a time limit. Their errors say what failed and how, without the
//! bucket, the key or the address.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path;
use object_store::{
    Error, GetOptions, GetRange, ListResult, ObjectMeta, ObjectStoreExt, PutMode, PutOptions, PutPayload,
};
use tuckaway_contract::StoreError;

/// The status of a server that does not support a condition.
const NOT_IMPLEMENTED: &str = "HTTP 501";

/// The status of a server if a requested range begins after the end of an object.
const NOT_SATISFIABLE: &str = "HTTP 416";

/// A bucket of any provider.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    objects: Arc<dyn object_store::ObjectStore>,
    timeout: Duration,
    /// Whether the server has refused a condition. It is not sent again: the client retries after
    /// such an answer, which takes a second.
    refuses_conditions: Arc<AtomicBool>,
}

/// The outcome for an object that must be new.
pub(super) enum Created {
    Yes,
    /// The object already exists.
    Exists,
}

impl Bucket {
    pub(super) fn new(objects: Arc<dyn object_store::ObjectStore>, timeout: Duration) -> Self {
        Bucket { objects, timeout, refuses_conditions: Arc::default() }
    }

    pub(super) fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Writes an object, and replaces it if it exists.
    pub(super) async fn put(&self, doing: &str, key: &Path, bytes: Bytes) -> Result<(), StoreError> {
        self.bounded(doing, self.objects.put(key, PutPayload::from_bytes(bytes))).await.map(|_| ())
    }

    /// Writes an object if it does not exist. A server that does not support this condition
    /// writes it in any case.
    pub(super) async fn create(&self, doing: &str, key: &Path, bytes: Bytes) -> Result<Created, StoreError> {
        if self.refuses_conditions.load(Ordering::Relaxed) {
            return self.put(doing, key, bytes).await.map(|()| Created::Yes);
        }
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let put = self.objects.put_opts(key, PutPayload::from_bytes(bytes.clone()), options);
        let created = async {
            match put.await {
                Ok(_) => Ok(Created::Yes),
                Err(Error::AlreadyExists { .. }) => Ok(Created::Exists),
                Err(error) => Err(error),
            }
        };
        match self.bounded(doing, created).await {
            Err(StoreError::Other(why)) if why.ends_with(NOT_IMPLEMENTED) => {
                self.refuses_conditions.store(true, Ordering::Relaxed);
                self.put(doing, key, bytes).await.map(|()| Created::Yes)
            }
            created => created,
        }
    }

    /// Reads an object, if it exists.
    pub(super) async fn get(&self, doing: &str, key: &Path) -> Result<Option<Bytes>, StoreError> {
        self.get_with(doing, key, GetOptions::default()).await
    }

    /// Reads a range of an object, if it exists. Returns fewer bytes if the object is shorter.
    pub(super) async fn get_range(
        &self,
        doing: &str,
        key: &Path,
        range: std::ops::Range<u64>,
    ) -> Result<Option<Bytes>, StoreError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        match self.get_with(doing, key, options).await {
            // The object ends before the range.
            Err(StoreError::Other(why)) if why.ends_with(NOT_SATISFIABLE) => Ok(Some(Bytes::new())),
            read => read,
        }
    }

    async fn get_with(
        &self,
        doing: &str,
        key: &Path,
        options: GetOptions,
    ) -> Result<Option<Bytes>, StoreError> {
        let read = async {
            match self.objects.get_opts(key, options).await {
                Ok(found) => found.bytes().await.map(Some),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        };
        self.bounded(doing, read).await
    }

    /// Lists all objects below a prefix.
    pub(super) async fn list(&self, doing: &str, prefix: &Path) -> Result<Vec<ObjectMeta>, StoreError> {
        self.bounded(doing, self.objects.list(Some(prefix)).try_collect()).await
    }

    /// Lists the objects and the common prefixes directly below a prefix.
    pub(super) async fn list_directory(&self, doing: &str, prefix: &Path) -> Result<ListResult, StoreError> {
        self.bounded(doing, self.objects.list_with_delimiter(Some(prefix))).await
    }

    /// Removes objects. An object that does not exist is not an error.
    pub(super) async fn delete(&self, doing: &str, keys: Vec<Path>) -> Result<(), StoreError> {
        if keys.is_empty() {
            return Ok(());
        }
        let deleted = async {
            let mut deleted = self.objects.delete_stream(stream::iter(keys).map(Ok).boxed());
            while let Some(each) = deleted.next().await {
                match each {
                    Ok(_) | Err(Error::NotFound { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        };
        self.bounded(doing, deleted).await
    }

    async fn bounded<T>(
        &self,
        doing: &str,
        request: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, StoreError> {
        match tokio::time::timeout(self.timeout, request).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(StoreError::Other(format!("{doing}: {}", reason(&error)))),
            Err(_) => Err(StoreError::Other(format!("{doing}: no answer within {:?}", self.timeout))),
        }
    }
}

/// Returns why a request failed, without naming its object.
fn reason(error: &Error) -> String {
    let mut cause = error.source();
    while let Some(each) = cause {
        if let Some(error) = each.downcast_ref::<HttpError>() {
            return match error.kind() {
                HttpErrorKind::Connect => "no connection".to_owned(),
                HttpErrorKind::Timeout => "no answer in time".to_owned(),
                _ => "the connection was lost".to_owned(),
            };
        }
        if let Some(status) = status(&each.to_string()) {
            return format!("HTTP {status}");
        }
        cause = each.source();
    }
    match error {
        Error::NotFound { .. } => "there is no such object or bucket".to_owned(),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => "access is denied".to_owned(),
        Error::NotImplemented { .. } | Error::NotSupported { .. } => NOT_IMPLEMENTED.to_owned(),
        _ => "the answer is not valid".to_owned(),
    }
}

/// Returns the status in the message of an error: the crate does not expose it in any other way.
fn status(message: &str) -> Option<&str> {
    let (_, after) = message.split_once("status code: ")?;
    let status = after.get(..3)?;
    status.bytes().all(|byte| byte.is_ascii_digit()).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_nothing() {
        let source = "Error performing PUT http://10.0.0.1/bucket/key in 1s - Server returned non-2xx status code: 503 Service Unavailable: body";
        let error = Error::Generic { store: "S3", source: source.into() };
        assert_eq!(reason(&error), "HTTP 503");
        let error = Error::Generic { store: "S3", source: "http://10.0.0.1/bucket/key".into() };
        assert_eq!(reason(&error), "the answer is not valid");
        let error = Error::PermissionDenied { path: "secret".to_owned(), source: "secret".into() };
        assert_eq!(reason(&error), "access is denied");
    }
}
