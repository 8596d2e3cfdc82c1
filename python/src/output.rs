//! Content and outputs of tools, whose bytes are moved in one piece.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tuckaway_host::{Block, Content, ToolOutput};

use crate::errors;
use crate::store::bytes;

/// Text or bytes.
pub struct Bytes(pub Vec<u8>);

impl<'py> FromPyObject<'_, 'py> for Bytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyString>() {
            Ok(string) => Ok(Bytes(text(&string)?.into_bytes())),
            Err(_) => Ok(Bytes(bytes(&object)?)),
        }
    }
}

/// The output of a tool.
pub struct Output(pub ToolOutput);

impl<'py> FromPyObject<'_, 'py> for Output {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let output = object.cast::<PyDict>()?;
        let blocks = member(&output, "blocks")?.try_iter()?;
        Ok(Output(ToolOutput {
            tool: text(member(&output, "tool")?.cast::<PyString>()?)?,
            is_error: member(&output, "is_error")?.extract()?,
            blocks: blocks.map(|each| block(each?.cast::<PyDict>()?)).collect::<PyResult<_>>()?,
            structured: optional_text(&member(&output, "structured")?)?,
        }))
    }
}

fn block(block: &Bound<'_, PyDict>) -> PyResult<Block> {
    let value = member(block, "content")?;
    let content = if let Ok(string) = value.cast::<PyString>() {
        Content::Text(text(string)?)
    } else if let Ok(stored) = value.cast::<PyDict>() {
        Content::Stored(member(stored, "stored")?.extract()?)
    } else {
        Content::Bytes(bytes(&value)?)
    };
    Ok(Block { content, media_type: optional_text(&member(block, "media_type")?)? })
}

fn member<'py>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    dict.get_item(name)?.ok_or_else(|| errors::invalid(format!("{name} is missing.")))
}

fn optional_text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match value.is_none() {
        true => Ok(None),
        false => text(value.cast::<PyString>()?).map(Some),
    }
}

/// Returns a string as UTF-8. A lone surrogate, which UTF-8 cannot contain, becomes U+FFFD.
pub fn text(string: &Bound<'_, PyString>) -> PyResult<String> {
    if let Ok(text) = string.to_str() {
        return Ok(text.to_owned());
    }
    let utf16 = string.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    utf16.call_method1("decode", ("utf-16-le", "replace"))?.extract()
}
