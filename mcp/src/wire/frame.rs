//! The parts of a JSON-RPC message.

use rmcp::model::{ErrorCode, ErrorData, RequestId, RequestMetaObject};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// The params of a request or notification: an object.
pub type Params = Map<String, Value>;

/// A request or notification as on the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The method.
    pub method: String,
    /// The params, with `_meta`.
    pub params: Params,
}

impl Call {
    /// Creates a call.
    pub fn new(method: impl Into<String>, params: Params) -> Self {
        Call { method: method.into(), params }
    }

    /// Removes `_meta` from the params and returns it.
    pub fn take_meta(&mut self) -> Option<RequestMetaObject> {
        match self.params.remove("_meta")? {
            Value::Object(meta) => serde_json::from_value(Value::Object(meta)).ok(),
            _ => None,
        }
    }

    /// Returns the params for rmcp, which would write missing params as `null`.
    pub fn into_params(self) -> Option<Value> {
        Some(Value::Object(self.params))
    }
}

/// A message whose kind is not known yet.
#[derive(Deserialize)]
pub struct Frame {
    /// The id of a request or response.
    #[serde(default, deserialize_with = "present")]
    pub id: Option<Value>,
    /// The method of a request or notification.
    pub method: Option<String>,
    /// Its params.
    pub params: Option<Value>,
    /// The result of a response.
    #[serde(default, deserialize_with = "present")]
    pub result: Option<Value>,
    /// The error of a response.
    pub error: Option<Value>,
}

impl Frame {
    /// Returns the id; `None` if it is `null`, missing or of another type.
    pub fn request_id(&self) -> Option<RequestId> {
        id_of(self.id.as_ref()?)
    }
}

/// Converts a JSON value to an id.
pub fn id_of(value: &Value) -> Option<RequestId> {
    serde_json::from_value(value.clone()).ok()
}

/// Reads a value that may be `null`, which is distinguished from a missing value.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads the error of a response, however incomplete it is.
pub fn error_of(error: &Value) -> ErrorData {
    let code = error["code"].as_i64().and_then(|code| i32::try_from(code).ok());
    let message = error["message"].as_str().unwrap_or("The server failed without a message.").to_owned();
    ErrorData::new(code.map_or(ErrorCode::INTERNAL_ERROR, ErrorCode), message, error.get("data").cloned())
}

/// The code of the error that the proxy creates for a lost answer.
pub const LOST: ErrorCode = ErrorCode(-32091);

/// Returns the error for an answer that is lost.
pub fn lost(why: impl Into<String>) -> ErrorData {
    ErrorData::new(LOST, why.into(), None)
}
