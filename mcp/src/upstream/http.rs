//! Messages of servers over HTTP as they are on the wire: rmcp decodes an event of a stream
//! into its own types, which drop unknown members and round numbers. So events are rewritten
//! to fit only its types for custom messages: methods get a prefix, and a result becomes a
//! string that contains its JSON. Messages of the lifecycle are not rewritten. Answers that
//! are one JSON document instead of a stream are decoded by rmcp.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, CustomRequest, CustomResult, JsonRpcMessage, ServerResult,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use serde_json::{Value, json};
use sse_stream::{Error as SseError, Sse};

use super::access::Access;
use crate::login::Tokens;
use crate::wire::{UNKNOWN, is_known_of_server, is_of_lifecycle, keep_capabilities, restore_capabilities};

type Events = BoxStream<'static, Result<Sse, SseError>>;
type Failure = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// A client that keeps all members of messages.
#[derive(Clone)]
pub struct Verbatim {
    http: reqwest::Client,
    access: Access,
}

impl Verbatim {
    /// Creates a client that sends these tokens.
    pub fn new(tokens: Option<Tokens>) -> reqwest::Result<Self> {
        Ok(Verbatim { http: Access::client()?, access: Access(tokens) })
    }
}

impl StreamableHttpClient for Verbatim {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, auth, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let is_lifecycle = match &message {
            JsonRpcMessage::Request(request) => is_typed_result(request.request.method()),
            _ => false,
        };
        let message = with_capabilities(message);
        let answer = self.access.send(auth, |auth| {
            let (uri, message, session) = (Arc::clone(&uri), message.clone(), session.clone());
            self.http.post_message_with_response_limits(uri, message, session, auth, headers.clone(), limits)
        });
        let answer = answer.await?;
        Ok(match answer {
            StreamableHttpPostResponse::Sse(events, session) => {
                StreamableHttpPostResponse::Sse(verbatim(events, is_lifecycle), session)
            }
            answer => answer,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<(), Failure> {
        let send =
            |auth| self.http.delete_session(Arc::clone(&uri), Arc::clone(&session), auth, headers.clone());
        self.access.send_silently(auth, send).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failure> {
        let send = |auth| {
            self.http.get_stream(Arc::clone(&uri), session.clone(), last.clone(), auth, headers.clone())
        };
        Ok(verbatim(self.access.send_silently(auth, send).await?, false))
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        auth: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<Events, Failure> {
        let send = |auth| {
            let (uri, session, last) = (Arc::clone(&uri), session.clone(), last.clone());
            self.http.get_stream_with_max_sse_event_size(uri, session, last, auth, headers.clone(), most)
        };
        Ok(verbatim(self.access.send_silently(auth, send).await?, false))
    }
}

/// Returns whether rmcp reads the result of our request itself.
fn is_typed_result(method: &str) -> bool {
    is_of_lifecycle(method) || method == "subscriptions/listen"
}

/// Returns a message with the capabilities that rmcp's type of an introduction drops.
fn with_capabilities(message: ClientJsonRpcMessage) -> ClientJsonRpcMessage {
    let JsonRpcMessage::Request(request) = message else { return message };
    if !matches!(request.request, ClientRequest::InitializeRequest(_)) {
        return JsonRpcMessage::Request(request);
    }
    let mut call = serde_json::to_value(&request.request).unwrap_or_default();
    restore_capabilities(&mut call);
    let params = call.get_mut("params").map(Value::take);
    let custom = ClientRequest::CustomRequest(CustomRequest::new("initialize", params));
    ClientJsonRpcMessage::request(custom, request.id)
}

fn verbatim(events: Events, is_lifecycle: bool) -> Events {
    events
        .map(move |event| {
            event.map(|mut event| {
                event.data = event.data.map(|data| rewritten(data, is_lifecycle));
                event
            })
        })
        .boxed()
}

/// Returns a message for rmcp. Data that is not JSON is returned unchanged: rmcp reports the
/// error.
fn rewritten(data: String, is_lifecycle: bool) -> String {
    let Ok(Value::Object(mut message)) = serde_json::from_str(&data) else { return data };
    if let Some(Value::String(method)) = message.get_mut("method") {
        if is_known_of_server(method) {
            return data;
        }
        method.insert_str(0, UNKNOWN);
    } else if let Some(result) = message.get_mut("result") {
        match is_lifecycle {
            true => keep_capabilities(result),
            false => *result = json!(result.to_string()),
        }
    }
    Value::Object(message).to_string()
}

/// Returns a result as on the wire.
pub fn whole(result: ServerResult) -> serde_json::Result<Value> {
    match result {
        ServerResult::CustomResult(CustomResult(Value::String(text))) => serde_json::from_str(&text),
        ServerResult::CustomResult(CustomResult(value)) => Ok(value),
        result => serde_json::to_value(result),
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ServerJsonRpcMessage;

    use super::*;

    #[test]
    fn results_keep_what_rmcp_does_not_know() {
        let result = json!({ "tools": [{ "name": "a", "inputSchema": {}, "execution": { "x": 0.7 } }] });
        let event = json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string();
        let message: ServerJsonRpcMessage = serde_json::from_str(&rewritten(event, false)).unwrap();
        let JsonRpcMessage::Response(response) = message else { panic!("{message:?}") };
        assert_eq!(whole(response.result).unwrap(), result);
    }

    #[test]
    fn requests_of_servers_keep_their_numbers() {
        let event =
            r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"temperature":0.7}}"#;
        let written = rewritten(event.to_owned(), false);
        assert!(written.contains(r#""method":"tuckaway/sampling/createMessage""#) && written.contains("0.7"));
        let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
        assert_eq!(rewritten(changed.to_owned(), false), changed);
        assert_eq!(rewritten("not JSON".to_owned(), false), "not JSON");
    }
}
