//! Content and outputs of tools, whose bytes are moved in one piece.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tuckaway_host::{Block, Content, ToolOutput};

use crate::arguments::Argument;
use crate::errors;
use crate::store::bytes;

/// Text or bytes.
pub struct Bytes(pub Vec<u8>);

impl Argument for Bytes {
    fn read(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        match value.cast::<PyString>() {
            Ok(string) => Ok(Bytes(text(string)?.into_bytes())),
            Err(_) => bytes(value).map(Bytes).map_err(|_| wrong(name, value, "a str or bytes")),
        }
    }
}

/// The output of a tool.
pub struct Output(pub ToolOutput);

impl Argument for Output {
    fn read(_: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        // The members of one output are also arguments of the caller.
        output("", value).map(Output)
    }
}

/// The outputs of a turn.
pub struct Outputs(pub Vec<ToolOutput>);

impl Argument for Outputs {
    fn read(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let outputs = value.try_iter()?.enumerate();
        let read = outputs.map(|(index, each)| output(&format!("{name}[{index}]."), &each?));
        read.collect::<PyResult<_>>().map(Outputs)
    }
}

/// Reads an output. In errors, the names of its members begin with `prefix`.
fn output(prefix: &str, value: &Bound<'_, PyAny>) -> PyResult<ToolOutput> {
    let output = value.cast::<PyDict>()?;
    let tool = member(output, "tool")?;
    let blocks = member(output, "blocks")?.try_iter()?;
    Ok(ToolOutput {
        tool: text(string(&format!("{prefix}tool"), &tool)?)?,
        is_error: member(output, "is_error")?.extract()?,
        blocks: blocks.map(|each| block(prefix, each?.cast::<PyDict>()?)).collect::<PyResult<_>>()?,
        structured: optional_text(&format!("{prefix}structured"), &member(output, "structured")?)?,
    })
}

fn block(prefix: &str, block: &Bound<'_, PyDict>) -> PyResult<Block> {
    let value = member(block, "content")?;
    let content = if let Ok(string) = value.cast::<PyString>() {
        Content::Text(text(string)?)
    } else if let Ok(stored) = value.cast::<PyDict>() {
        Content::Stored(member(stored, "stored")?.extract()?)
    } else {
        Content::Bytes(bytes(&value)?)
    };
    let media_type = member(block, "media_type")?;
    Ok(Block { content, media_type: optional_text(&format!("{prefix}media_type"), &media_type)? })
}

fn member<'py>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    dict.get_item(name)?.ok_or_else(|| errors::malformed(name, "is missing."))
}

fn optional_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match value.is_none() {
        true => Ok(None),
        false => text(string(name, value)?).map(Some),
    }
}

fn string<'a, 'py>(name: &str, value: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast().map_err(|_| wrong(name, value, "a str"))
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    match value.get_type().name() {
        Ok(kind) => errors::malformed(name, format!("is of type {kind}; pass {expected}.")),
        Err(error) => error,
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
