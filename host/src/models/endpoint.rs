//! Requests to an HTTP API.

use std::fmt;
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use serde_json::Value;
use tuckaway_text::clean::clean;
use tuckaway_text::cut;

use super::ModelError;
use super::retry::{retry_after, wait};
use crate::tls;

/// The maximum length of a server's explanation of an error.
const MAX_EXPLANATION_BYTES: usize = 200;

/// The address of a model, and how long to wait for it. `Debug` does not print the key.
#[derive(Clone)]
pub struct Endpoint {
    /// The URL of the API, without the path of its method.
    pub base_url: String,
    /// The name of the model.
    pub model: String,
    /// The key; `None` if the API does not need one.
    pub key: Option<String>,
    /// The time for one attempt, from the connection to the end of the body. Default: 3
    /// minutes.
    pub timeout: Duration,
    /// The maximum number of attempts to send a request, at least 1. Default: 5.
    pub attempts: u32,
    /// The wait before the second attempt. It doubles with each attempt. Default: half a
    /// second.
    pub backoff: Duration,
    /// The maximum wait, even if the server asks for a longer one. Default: one minute.
    pub max_wait: Duration,
    /// The maximum size of a body. Default: 8 MiB.
    pub max_body_bytes: usize,
}

impl Endpoint {
    /// Creates an endpoint with the default limits.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>, key: Option<String>) -> Self {
        Endpoint {
            base_url: base_url.into(),
            model: model.into(),
            key,
            timeout: Duration::from_secs(180),
            attempts: 5,
            backoff: Duration::from_millis(500),
            max_wait: Duration::from_secs(60),
            max_body_bytes: 8 << 20,
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("model", &self.model).finish_non_exhaustive()
    }
}

/// Why an attempt failed.
struct Failure {
    error: ModelError,
    is_temporary: bool,
    /// The wait that the server asks for.
    wait: Option<Duration>,
}

impl Failure {
    fn of(error: ModelError) -> Self {
        Failure { error, is_temporary: false, wait: None }
    }

    fn temporary(message: impl Into<String>) -> Self {
        Failure { error: ModelError::new(message), is_temporary: true, wait: None }
    }
}

/// Sends requests to one URL.
#[derive(Clone)]
pub struct Connection {
    client: Client,
    url: String,
    /// Headers of each request, in addition to the client's headers.
    headers: &'static [(&'static str, &'static str)],
    endpoint: Endpoint,
}

impl Connection {
    /// Prepares a connection to a path of an endpoint. `key_header` has a `{}` for the key.
    ///
    /// Errors: for a URL or a key that cannot be sent.
    pub fn new(
        endpoint: Endpoint,
        path: &str,
        (key_header, key_value): (&'static str, &str),
        headers: &[(&'static str, &'static str)],
    ) -> Result<Self, ModelError> {
        let mut map = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        for (name, value) in headers {
            map.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(key) = &endpoint.key {
            let value = HeaderValue::try_from(key_value.replace("{}", key.trim()));
            let mut value = value.map_err(|_| {
                ModelError::permanent(
                    "The API key contains characters that cannot be sent: check that it was copied correctly.",
                )
            })?;
            value.set_sensitive(true);
            map.insert(HeaderName::from_static(key_header), value);
        }
        let url = format!("{}{path}", endpoint.base_url.trim_end_matches('/'));
        // The error does not show the URL, which may contain a password.
        let unusable =
            || ModelError::permanent("The base URL is not an HTTP URL: write it like https://host/v1.");
        match reqwest::Url::parse(&url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {}
            _ => return Err(unusable()),
        }
        // A redirect could send the key to another host.
        let tls =
            tls::config().map_err(|error| ModelError::permanent(format!("TLS cannot be used: {error}.")))?;
        let client = Client::builder()
            .default_headers(map)
            .timeout(endpoint.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .tls_backend_preconfigured(tls)
            .build()
            .map_err(|error| ModelError::permanent(described(&error)))?;
        Ok(Connection { client, url, headers: &[], endpoint })
    }

    /// Returns the connection for another path of the endpoint, with more headers.
    pub fn to(&self, path: &str, headers: &'static [(&'static str, &'static str)]) -> Self {
        let url = format!("{}{path}", self.endpoint.base_url.trim_end_matches('/'));
        Connection { url, headers, ..self.clone() }
    }

    /// Returns the name of the model.
    pub fn model(&self) -> &str {
        &self.endpoint.model
    }

    /// Returns the URL without the path of its method.
    pub fn base_url(&self) -> &str {
        &self.endpoint.base_url
    }

    /// Sends a body and reads the answer. Temporary failures are retried: the statuses 408, 429
    /// and 5xx, connections and bodies that break off, and answers that cannot be read.
    pub async fn post<T>(
        &self,
        body: &Value,
        read: impl Fn(&Value) -> Result<T, ModelError>,
    ) -> Result<T, ModelError> {
        let body = body.to_string();
        let mut attempt = 0;
        loop {
            let failure = match self.attempt(&body).await {
                Ok(answer) => match read(&answer) {
                    Ok(answer) => return Ok(answer),
                    Err(error) => Failure { error, is_temporary: true, wait: None },
                },
                Err(failure) => failure,
            };
            attempt += 1;
            if !failure.is_temporary || attempt >= self.endpoint.attempts {
                return Err(self.without_key(failure.error));
            }
            let Endpoint { backoff, max_wait, .. } = self.endpoint;
            tokio::time::sleep(wait(attempt, backoff, max_wait, failure.wait)).await;
        }
    }

    async fn attempt(&self, body: &str) -> Result<Value, Failure> {
        let mut request = self.client.post(&self.url).body(body.to_owned());
        for (name, value) in self.headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.map_err(|error| Failure::temporary(described(&error)))?;
        let status = response.status();
        let wish = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let wait = wish.and_then(|value| retry_after(value, SystemTime::now()));
        if !status.is_success() {
            let explanation =
                self.body(response).await.ok().and_then(|body| serde_json::from_slice(&body).ok());
            return Err(Failure { wait, ..refused(status, &explanation.unwrap_or_default()) });
        }
        let body = self.body(response).await?;
        serde_json::from_slice(&body)
            .map_err(|_| Failure::temporary("The model's API did not answer with JSON."))
    }

    /// Reads a body, up to the limit.
    async fn body(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(None) => return Ok(body),
                Ok(Some(part)) if body.len() + part.len() <= self.endpoint.max_body_bytes => {
                    body.extend(part)
                }
                Ok(Some(_)) => {
                    let most = tuckaway_text::human_bytes(self.endpoint.max_body_bytes as u64);
                    return Err(Failure::of(ModelError::new(format!(
                        "The answer from the model's API is larger than {most}."
                    ))));
                }
                Err(error) => return Err(Failure::temporary(described(&error))),
            }
        }
    }

    /// Removes the key from a message, because a server may repeat it.
    fn without_key(&self, error: ModelError) -> ModelError {
        match self.endpoint.key.as_deref().map(str::trim) {
            Some(key) if !key.is_empty() => {
                ModelError { message: error.message.replace(key, "[key]"), ..error }
            }
            _ => error,
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.endpoint.fmt(f)
    }
}

/// Describes a failure of the connection, without the URL, which may contain a password.
fn described(error: &reqwest::Error) -> String {
    let what = match error {
        error if error.is_timeout() => "The model's API took too long.",
        error if error.is_connect() => "The model's API cannot be reached",
        error if error.is_body() || error.is_decode() => "The answer from the model's API was cut off.",
        _ => "The request to the model's API failed",
    };
    if what.ends_with('.') {
        return what.to_owned();
    }
    // The innermost reason is the most specific.
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    format!("{what}: {}.", cut::with_ellipsis(clean(&reason.to_string()).into_owned(), MAX_EXPLANATION_BYTES))
}

/// Converts a status that does not mean success.
fn refused(status: StatusCode, body: &Value) -> Failure {
    let error = &body["error"];
    let said = error["message"].as_str().or(error.as_str()).or(body["message"].as_str()).unwrap_or_default();
    let said = clean(said).replace('\n', " ");
    let said = cut::with_ellipsis(said.trim().to_owned(), MAX_EXPLANATION_BYTES);
    let explained = |what: &str| match said.is_empty() {
        true => format!("{what} (HTTP {}).", status.as_u16()),
        false => format!("{what} (HTTP {}): {said}", status.as_u16()),
    };
    let is_out_of_quota = error["code"] == "insufficient_quota";
    match status.as_u16() {
        // The server's message may contain a part of the key.
        401 | 403 => Failure::of(ModelError::permanent(format!(
            "The model's API refused the key (HTTP {}).",
            status.as_u16()
        ))),
        402 => Failure::of(ModelError::permanent(explained("The model's API requires payment"))),
        429 if is_out_of_quota => {
            Failure::of(ModelError::permanent(explained("The quota of the model's API is used up")))
        }
        404 | 405 | 300..=399 => Failure::of(ModelError::permanent(explained(
            "The model's API has no such model or method: check the base URL and the model",
        ))),
        408 | 429 | 500..=599 => Failure::temporary(explained("The model's API is busy or failed")),
        _ => Failure::of(ModelError::new(explained("The model's API refused the request"))),
    }
}
