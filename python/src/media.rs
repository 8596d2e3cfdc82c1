//! Stored files, whose bytes are moved in one piece.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pythonize::pythonize;
use tuckaway_host::{MediaKind, StoredMedia, Tuckaway};

use crate::callback::{Answer, Work};

/// Asks for the file that a call reads, if it reads one.
pub fn media_of_call(engine: Tuckaway, name: String, arguments: String) -> Work {
    Box::pin(async move {
        let media = engine.media_of_call(&name, &arguments).await;
        Ok(Box::new(move |py: Python<'_>| match media {
            Some(media) => Ok(plain(py, &media)?.into_any().unbind()),
            None => Ok(py.None()),
        }) as Answer)
    })
}

fn plain<'py>(py: Python<'py>, media: &StoredMedia) -> PyResult<Bound<'py, PyDict>> {
    let plain = PyDict::new(py);
    plain.set_item("artifact", pythonize(py, &media.artifact)?)?;
    let kind = match media.kind {
        MediaKind::Image => "image",
        MediaKind::Pdf => "pdf",
        MediaKind::Audio => "audio",
    };
    plain.set_item("kind", kind)?;
    plain.set_item("media_type", media.media_type)?;
    plain.set_item("data", media.bytes.as_ref().map(|bytes| PyBytes::new(py, bytes)))?;
    plain.set_item("text", media.text())?;
    Ok(plain)
}
