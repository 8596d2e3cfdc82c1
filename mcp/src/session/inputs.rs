//! Inputs that a server needs from the client while it handles a request: the answer of a
//! model, the answer of the user, the roots.
//!
//! Up to revision 2025-11-25, a server sends a request to the client. From 2026-07-28 on, it
//! answers that inputs are required, and the client repeats its request with them. If client
//! and server are of the same kind, messages pass through. If not, this module asks an old
//! client on behalf of a modern server, and holds the open request to an old server while it
//! asks a modern client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ClientResult, CustomRequest, CustomResult, ErrorData, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};
use rmcp::{RoleServer, model::RequestMetaObject};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::resources::inputs_are_required;
use super::{Context, Session};
use crate::upstream::Connection;
use crate::wire::{Call, lost};

/// How often a request is repeated with inputs.
const MAX_ROUNDS: usize = 16;
/// How long a request waits for its inputs.
const PATIENCE: Duration = Duration::from_secs(600);
/// The maximum number of waiting requests.
const MAX_HELD: usize = 256;
/// The prefix of the state of a waiting request.
const STATE: &str = "tuckaway-held:";
/// The name of the only input of a waiting request.
const INPUT: &str = "input";

/// A request of a server, and the channel for its answer.
struct Ask {
    call: Call,
    answer: oneshot::Sender<Result<Value, ErrorData>>,
}

/// The request of a modern client to an old server.
struct Open {
    server: String,
    asks: mpsc::Sender<Ask>,
}

/// A request that waits for an input.
struct Held {
    result: oneshot::Receiver<Result<Value, ErrorData>>,
    asks: mpsc::Receiver<Ask>,
    answer: oneshot::Sender<Result<Value, ErrorData>>,
    open: u64,
    since: Instant,
}

/// The requests that wait for an input, or may have to.
#[derive(Default)]
pub struct Inputs {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    next: u64,
    open: HashMap<u64, Open>,
    held: HashMap<String, Held>,
}

impl Inputs {
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Sends a request that may need inputs to a server.
    pub(super) async fn with_inputs(
        &self,
        connection: &Arc<Connection>,
        call: Call,
        context: &Context,
    ) -> Result<Value, ErrorData> {
        match (self.is_modern(), connection.is_modern()) {
            (true, false) => self.hold(connection, call, context).await,
            (false, true) => self.fulfil(connection, call, context).await,
            _ => self.ask(connection, call, context).await,
        }
    }

    /// Asks an old client for the inputs that a modern server requires.
    async fn fulfil(
        &self,
        connection: &Connection,
        mut call: Call,
        context: &Context,
    ) -> Result<Value, ErrorData> {
        for _ in 0..MAX_ROUNDS {
            let result = self.ask(connection, call.clone(), context).await?;
            if !inputs_are_required(&result) {
                return Ok(result);
            }
            let mut responses = serde_json::Map::new();
            for (key, request) in result["inputRequests"].as_object().into_iter().flatten() {
                let asked = Call::new(
                    request["method"].as_str().unwrap_or_default(),
                    request["params"].as_object().cloned().unwrap_or_default(),
                );
                responses.insert(key.clone(), ask_client(&context.peer, asked, &context.cancelled).await?);
            }
            call.params.insert("inputResponses".to_owned(), Value::Object(responses));
            match result.get("requestState") {
                Some(state) => call.params.insert("requestState".to_owned(), state.clone()),
                None => call.params.remove("requestState"),
            };
        }
        Err(ErrorData::internal_error(
            format!(
                "The server {} asked for inputs {MAX_ROUNDS} times, which is the limit.",
                connection.name
            ),
            None,
        ))
    }

    /// Sends the request of a modern client to an old server. If the server asks for an input,
    /// the request is held, and the client is answered that the input is required.
    async fn hold(
        &self,
        connection: &Arc<Connection>,
        mut call: Call,
        context: &Context,
    ) -> Result<Value, ErrorData> {
        let state = call.params.get("requestState").and_then(Value::as_str).map(str::to_owned);
        if let Some(state) = state.filter(|state| state.starts_with(STATE)) {
            let responses = call.params.remove("inputResponses").unwrap_or_default();
            return self.go_on(&state, &responses, context).await;
        }
        let (asks, asked) = mpsc::channel(1);
        let open = {
            let mut inner = self.inputs.inner();
            // Some requests were abandoned while they waited for an input.
            inner.open.retain(|_, open| !open.asks.is_closed());
            inner.next += 1;
            let open = inner.next;
            inner.open.insert(open, Open { server: connection.name.clone(), asks });
            open
        };
        let (sender, result) = oneshot::channel();
        let (connection, progress) = (Arc::clone(connection), context.progress());
        let cancelled = context.cancelled.clone();
        tokio::spawn(async move {
            // The client's request ends when the client is asked for an input, so this request
            // must not be cancelled with it. It ends when nobody waits for its result any more.
            let mut sender = sender;
            let stop = CancellationToken::new();
            let answer = connection.request(call, progress, &stop);
            tokio::pin!(answer);
            let answer = tokio::select! {
                answer = &mut answer => answer,
                () = sender.closed() => { stop.cancel(); answer.await }
            };
            let _ = sender.send(answer);
        });
        self.wait(Waiting { result, asked, open }, &cancelled).await
    }

    /// Passes the input to a request that is held.
    async fn go_on(&self, state: &str, responses: &Value, context: &Context) -> Result<Value, ErrorData> {
        let held = self.inputs.inner().held.remove(state);
        let gone = || {
            ErrorData::invalid_params("This request is no longer waiting for inputs: start it again.", None)
        };
        let Held { result, asks, answer, open, .. } = held.ok_or_else(gone)?;
        let input = responses.get(INPUT).cloned();
        let input = input.ok_or_else(|| ErrorData::invalid_params("The client provided no input.", None));
        // The server may have stopped waiting.
        let _ = answer.send(input);
        self.wait(Waiting { result, asked: asks, open }, &context.cancelled).await
    }

    async fn wait(&self, waiting: Waiting, cancelled: &CancellationToken) -> Result<Value, ErrorData> {
        let Waiting { mut result, mut asked, open } = waiting;
        tokio::select! {
            biased;
            answer = &mut result => {
                self.inputs.inner().open.remove(&open);
                answer.unwrap_or_else(|_| Err(lost("The request was stopped.")))
            }
            Some(Ask { call, answer }) = asked.recv() => {
                let mut inner = self.inputs.inner();
                inner.held.retain(|_, held| held.since.elapsed() < PATIENCE);
                if inner.held.len() >= MAX_HELD {
                    inner.open.remove(&open);
                    return Err(ErrorData::internal_error("Too many requests are waiting for inputs.", None));
                }
                inner.next += 1;
                let state = format!("{STATE}{}", inner.next);
                let held = Held { result, asks: asked, answer, open, since: Instant::now() };
                inner.held.insert(state.clone(), held);
                Ok(json!({
                    "resultType": "input_required",
                    "inputRequests": { INPUT: { "method": call.method, "params": call.params } },
                    "requestState": state,
                }))
            }
            () = cancelled.cancelled() => {
                self.inputs.inner().open.remove(&open);
                Err(lost("The request was cancelled."))
            }
        }
    }

    /// Answers a request of an old server to a modern client, through the client's open request
    /// to that server.
    pub(super) async fn ask_through_open(&self, server: &str, call: Call) -> Result<Value, ErrorData> {
        let asks = {
            let inner = self.inputs.inner();
            let newest =
                inner.open.iter().filter(|(_, open)| open.server == server).max_by_key(|(id, _)| **id);
            newest.map(|(_, open)| open.asks.clone())
        };
        let none =
            || ErrorData::invalid_request("The client can be asked only while it waits for a result.", None);
        let (answer, answered) = oneshot::channel();
        asks.ok_or_else(none)?.send(Ask { call, answer }).await.map_err(|_| none())?;
        match tokio::time::timeout(PATIENCE, answered).await {
            Ok(Ok(answer)) => answer,
            _ => Err(ErrorData::internal_error("The client did not answer.", None)),
        }
    }
}

/// A request that was sent.
struct Waiting {
    result: oneshot::Receiver<Result<Value, ErrorData>>,
    asked: mpsc::Receiver<Ask>,
    open: u64,
}

/// Sends a request to a client, and waits for its answer.
pub(super) async fn ask_client(
    peer: &Peer<RoleServer>,
    call: Call,
    cancelled: &CancellationToken,
) -> Result<Value, ErrorData> {
    send_request(peer, call, RequestMetaObject::new(), cancelled, |_| {}).await
}

/// Sends a request to a client. `sent` receives its progress token.
pub(super) async fn send_request(
    peer: &Peer<RoleServer>,
    call: Call,
    meta: RequestMetaObject,
    cancelled: &CancellationToken,
    sent: impl FnOnce(&rmcp::model::ProgressToken),
) -> Result<Value, ErrorData> {
    let method = call.method.clone();
    let request = ServerRequest::CustomRequest(CustomRequest::new(method, call.into_params()));
    let options = PeerRequestOptions::no_options().with_meta(meta);
    let mut handle = peer.send_cancellable_request(request, options).await.map_err(failure)?;
    sent(&handle.progress_token);
    tokio::select! {
        biased;
        answer = &mut handle.rx => match answer {
            // Over HTTP, the result is a string that contains the JSON: see
            // `downstream::verbatim`.
            Ok(Ok(ClientResult::CustomResult(CustomResult(Value::String(text))))) => {
                serde_json::from_str(&text).map_err(|error| ErrorData::internal_error(error.to_string(), None))
            }
            Ok(Ok(ClientResult::CustomResult(CustomResult(value)))) => Ok(value),
            Ok(Ok(result)) => Ok(serde_json::to_value(result).unwrap_or_default()),
            Ok(Err(error)) => Err(failure(error)),
            Err(_) => Err(failure(ServiceError::TransportClosed)),
        },
        () = cancelled.cancelled() => {
            let _ = handle.cancel(Some("the server cancelled it".to_owned())).await;
            Err(lost("The request was cancelled."))
        }
    }
}

fn failure(error: ServiceError) -> ErrorData {
    match error {
        ServiceError::McpError(error) => error,
        error => {
            ErrorData::internal_error(format!("The client could not be asked for input: {error}."), None)
        }
    }
}
