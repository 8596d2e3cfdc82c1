//! Requests over HTTP as they are on the wire: rmcp decodes a body into its own types, which
//! drop unknown members. An unknown method is decoded into the type for custom requests, which
//! keeps everything. So all methods outside the lifecycle get a prefix before rmcp sees them, in
//! the body and in the header that repeats the method. In an introduction, `_meta` carries the
//! capabilities that its type has no field for.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::Value;

use crate::wire::{UNKNOWN, is_of_lifecycle, keep_capabilities, restore_capabilities};

/// The header that repeats the method (revision 2026-07-28).
const METHOD: &str = "mcp-method";

/// Adds the prefix to the methods in the body of a request.
pub async fn keep(State(max_bytes): State<usize>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, max_bytes).await else {
        let why = format!("The body has more than {max_bytes} bytes, or was cut off.");
        return (StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
    };
    // rmcp reports the error of a body that is not JSON.
    let mut message = serde_json::from_slice::<Value>(&body).unwrap_or_default();
    let is_introduction = matches!(message["method"].as_str(), Some("initialize" | "server/discover"));
    let is_answer = message.get("method").is_none() && message["result"].is_object();
    let body = if is_answer {
        // Only the type for custom results accepts a string.
        message["result"] = message["result"].to_string().into();
        Body::from(message.to_string())
    } else if is_introduction {
        message.get_mut("params").into_iter().for_each(keep_capabilities);
        Body::from(message.to_string())
    } else if prefix(&mut message) {
        prefix_header(&mut parts.headers);
        Body::from(message.to_string())
    } else {
        Body::from(body)
    };
    // The length has changed.
    parts.headers.remove(CONTENT_LENGTH);
    let response = next.run(Request::from_parts(parts, body)).await;
    if is_introduction { introduction(response, max_bytes).await } else { response }
}

/// Restores the capabilities in the answer to an introduction. The answer is a JSON document,
/// or the only event of a stream.
async fn introduction(response: Response, max_bytes: usize) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, max_bytes).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let text = String::from_utf8_lossy(&body);
    let restored = text.split_inclusive('\n').map(|line| {
        let (name, data) = line.split_at(if line.starts_with("data:") { "data:".len() } else { 0 });
        match serde_json::from_str::<Value>(data) {
            Ok(mut message @ Value::Object(_)) => {
                restore_capabilities(&mut message);
                format!("{name} {message}\n")
            }
            _ => line.to_owned(),
        }
    });
    let restored: String = restored.collect();
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(restored))
}

/// Adds the prefix to the method of a message, and returns whether the method gets one.
fn prefix(message: &mut Value) -> bool {
    let Some(Value::String(method)) = message.get_mut("method") else { return false };
    let is_kept = !is_of_lifecycle(method);
    if is_kept {
        method.insert_str(0, UNKNOWN);
    }
    is_kept
}

fn prefix_header(headers: &mut HeaderMap) {
    let prefixed = headers
        .get(METHOD)
        .and_then(|method| method.to_str().ok())
        .map(|method| format!("{UNKNOWN}{method}"));
    if let Some(prefixed) = prefixed.and_then(|method| HeaderValue::from_str(&method).ok()) {
        headers.insert(METHOD, prefixed);
    }
}
