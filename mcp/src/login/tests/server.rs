//! An authorization server, and an MCP server that it protects.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::form_urlencoded;

/// How the server behaves.
#[derive(Clone)]
pub struct Behaviour {
    /// Whether anyone may use it without a token.
    pub is_open: bool,
    /// Whether it says where to log in.
    pub describes_login: bool,
    /// The answer to a registration; `None` if there is no address for it.
    pub registration: Option<StatusCode>,
    /// Where a registration is redirected.
    pub registers_at: Option<String>,
    /// Whether the user agrees.
    pub user_agrees: bool,
    /// The time that a token is valid.
    pub expires_in: Option<u64>,
    /// Whether there are refresh tokens.
    pub renews: bool,
    /// The issuer that the browser's answer names, if it lies.
    pub false_issuer: Option<&'static str>,
    /// Where the MCP server redirects.
    pub redirects_to: Option<String>,
    /// The scopes that a call needs besides `notes`.
    pub needs: Option<&'static str>,
    /// The secret of the client `known`.
    pub secret: Option<&'static str>,
    /// The page to log in, if it is not on this server.
    pub page: Option<String>,
    /// Whether the metadata is at an address that rmcp does not compare with its issuer.
    pub hides_metadata: bool,
    /// The issuer and the source of tokens in the metadata, if they are not this server's.
    pub named_issuer: Option<String>,
    pub named_tokens: Option<String>,
    /// Whether the metadata has no issuer.
    pub is_nameless: bool,
    /// Whether the source of tokens has a fault.
    pub fails: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Behaviour {
            is_open: false,
            describes_login: true,
            registration: Some(StatusCode::CREATED),
            registers_at: None,
            user_agrees: true,
            expires_in: Some(3_600),
            renews: true,
            false_issuer: None,
            redirects_to: None,
            needs: None,
            secret: None,
            page: None,
            hides_metadata: false,
            named_issuer: None,
            named_tokens: None,
            is_nameless: false,
            fails: false,
        }
    }
}

/// A code that was not exchanged yet.
struct Code {
    client: String,
    redirect: String,
    challenge: String,
    scope: String,
}

/// What happened, and what is valid.
#[derive(Default)]
pub struct State {
    pub behaviour: Behaviour,
    redirects: HashMap<String, String>,
    codes: HashMap<String, Code>,
    /// Tokens that may be used, with their scopes.
    pub access: HashMap<String, String>,
    /// The refresh token that may be used.
    pub refresh: Option<String>,
    used: HashSet<String>,
    count: usize,
    /// How often tokens were renewed, or an attempt was refused.
    pub renewals: usize,
    pub refused_renewals: usize,
    /// How often the source of tokens had a fault.
    pub faults: usize,
    /// The `Authorization` of each message to the MCP server.
    pub authorizations: Vec<Option<String>>,
    /// What was wrong with requests.
    pub violations: Vec<String>,
    pub revoked: Vec<String>,
}

/// The servers, on one port.
pub struct Servers {
    pub origin: String,
    state: Arc<Mutex<State>>,
    served: JoinHandle<()>,
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.served.abort();
    }
}

impl Servers {
    pub async fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State { behaviour, ..State::default() }));
        let shared = (origin.clone(), Arc::clone(&state));
        let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            let (origin, state) = shared.clone();
            async move { answer(&origin, &mut state.lock().unwrap(), &method, &uri, &headers, &body) }
        };
        let served = tokio::spawn(async move {
            axum::serve(listener, Router::new().fallback(answer)).await.unwrap();
        });
        Servers { origin, state, served }
    }

    /// Returns the URL of the MCP server.
    pub fn url(&self) -> String {
        format!("{}/mcp", self.origin)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

type Form = HashMap<String, String>;

fn answer(
    origin: &str,
    state: &mut State,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &[u8],
) -> Response {
    let form = |bytes: &[u8]| -> Form { form_urlencoded::parse(bytes).into_owned().collect() };
    let behaviour = state.behaviour.clone();
    match (method.as_str(), uri.path()) {
        ("GET", "/.well-known/oauth-protected-resource/mcp") if behaviour.describes_login => {
            axum_json(&json!({
                "resource": format!("{origin}/mcp"),
                "authorization_servers": [match behaviour.hides_metadata {
                    true => format!("{origin}/.well-known/x"),
                    false => origin.to_owned(),
                }],
                "scopes_supported": ["notes"],
            }))
        }
        ("GET", "/.well-known/oauth-authorization-server") if behaviour.describes_login => {
            axum_json(&metadata(origin, &behaviour))
        }
        ("GET", "/.well-known/x") if behaviour.hides_metadata => axum_json(&metadata(origin, &behaviour)),
        ("POST", "/register") if behaviour.registers_at.is_some() => {
            let to = behaviour.registers_at.unwrap_or_default();
            (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response()
        }
        ("POST", "/register") => register(state, body),
        ("GET", "/authorize") => authorize(origin, state, &form(uri.query().unwrap_or_default().as_bytes())),
        ("POST", "/token") if behaviour.fails => {
            state.faults += 1;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        ("POST", "/token") => token(origin, state, headers, &form(body)),
        ("POST", "/revoke") => {
            let token = form(body).remove("token").unwrap_or_default();
            state.access.remove(&token);
            state.revoked.push(token);
            StatusCode::OK.into_response()
        }
        ("POST", "/mcp") => mcp(origin, state, headers, body),
        ("GET" | "DELETE", "/mcp") => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn axum_json(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn metadata(origin: &str, behaviour: &Behaviour) -> Value {
    let mut metadata = json!({
        "issuer": origin,
        "authorization_endpoint": behaviour.page.clone().unwrap_or(format!("{origin}/authorize")),
        "token_endpoint": format!("{origin}/token"),
        "revocation_endpoint": format!("{origin}/revoke"),
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    });
    if let Some(issuer) = &behaviour.named_issuer {
        metadata["issuer"] = json!(issuer);
    }
    if let Some(tokens) = &behaviour.named_tokens {
        metadata["token_endpoint"] = json!(tokens);
    }
    if behaviour.is_nameless {
        metadata.as_object_mut().unwrap().remove("issuer");
    }
    if behaviour.registration.is_some() {
        metadata["registration_endpoint"] = json!(format!("{origin}/register"));
    }
    metadata
}

fn register(state: &mut State, body: &[u8]) -> Response {
    let status = state.behaviour.registration.unwrap_or(StatusCode::NOT_FOUND);
    if status != StatusCode::CREATED {
        return (status, r#"{"error":"access_denied","error_description":"clients\u001b[31m are approved"}"#)
            .into_response();
    }
    let request: Value = serde_json::from_slice(body).unwrap();
    let redirect = request["redirect_uris"][0].as_str().unwrap().to_owned();
    let id = format!("client-{}", state.redirects.len() + 1);
    state.redirects.insert(id.clone(), redirect);
    let client = json!({ "client_id": id, "redirect_uris": request["redirect_uris"] });
    (StatusCode::CREATED, [(header::CONTENT_TYPE, "application/json")], client.to_string()).into_response()
}

fn authorize(origin: &str, state: &mut State, query: &Form) -> Response {
    let get = |name: &str| query.get(name).cloned().unwrap_or_default();
    let redirect = get("redirect_uri");
    let is_known = state.redirects.get(&get("client_id")).is_none_or(|known| *known == redirect);
    for (name, is_right) in [
        ("redirect_uri", is_known && redirect.starts_with("http://127.0.0.1:")),
        ("response_type", get("response_type") == "code"),
        ("code_challenge_method", get("code_challenge_method") == "S256"),
        ("resource", get("resource") == format!("{origin}/mcp")),
        ("state", get("state").len() >= 16),
    ] {
        if !is_right {
            state.violations.push(format!("authorize: {name}"));
        }
    }
    let issuer = state.behaviour.false_issuer.unwrap_or(origin).to_owned();
    let mut to = url::Url::parse(&redirect).unwrap();
    to.query_pairs_mut().append_pair("state", &get("state")).append_pair("iss", &issuer);
    if state.behaviour.user_agrees {
        state.count += 1;
        let code = format!("code-{}", state.count);
        let details = Code {
            client: get("client_id"),
            redirect,
            challenge: get("code_challenge"),
            scope: get("scope"),
        };
        state.codes.insert(code.clone(), details);
        to.query_pairs_mut().append_pair("code", &code);
    } else {
        to.query_pairs_mut()
            .append_pair("error", "access_denied")
            .append_pair("error_description", "not today");
    }
    (StatusCode::FOUND, [(header::LOCATION, to.to_string())]).into_response()
}

fn token(origin: &str, state: &mut State, headers: &HeaderMap, form: &Form) -> Response {
    let get = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let refuse = |error: &str| {
        let body = json!({ "error": error }).to_string();
        (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    };
    if get("resource") != format!("{origin}/mcp") {
        state.violations.push("token: resource".to_owned());
    }
    if let Some(secret) = state.behaviour.secret {
        let expected = base64::prelude::BASE64_STANDARD.encode(format!("known:{secret}"));
        let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if sent != Some(&format!("Basic {expected}")) {
            return refuse("invalid_client");
        }
    }
    let scope = match get("grant_type") {
        "authorization_code" => {
            let Some(code) = state.codes.remove(get("code")) else { return refuse("invalid_grant") };
            let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(get("code_verifier")));
            let is_client = state.behaviour.secret.is_some() || code.client == get("client_id");
            if challenge != code.challenge || code.redirect != get("redirect_uri") || !is_client {
                return refuse("invalid_grant");
            }
            code.scope
        }
        "refresh_token" => {
            let sent = get("refresh_token").to_owned();
            if state.refresh.as_ref() != Some(&sent) {
                state.refused_renewals += 1;
                if state.used.contains(&sent) {
                    state.violations.push("token: a refresh token was used twice".to_owned());
                }
                return refuse("invalid_grant");
            }
            state.used.insert(sent);
            state.renewals += 1;
            state.access.clear();
            "notes".to_owned()
        }
        _ => return refuse("unsupported_grant_type"),
    };
    state.count += 1;
    let (access, refresh) = (format!("access-{}", state.count), format!("refresh-{}", state.count));
    state.access.insert(access.clone(), scope.clone());
    state.refresh = state.behaviour.renews.then_some(refresh);
    let mut tokens = json!({ "access_token": access, "token_type": "bearer", "scope": scope });
    if let Some(refresh) = &state.refresh {
        tokens["refresh_token"] = json!(refresh);
    }
    if let Some(seconds) = state.behaviour.expires_in {
        tokens["expires_in"] = json!(seconds);
    }
    axum_json(&tokens)
}

fn mcp(origin: &str, state: &mut State, headers: &HeaderMap, body: &[u8]) -> Response {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    state.authorizations.push(authorization.map(str::to_owned));
    if let Some(to) = &state.behaviour.redirects_to {
        return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to.clone())]).into_response();
    }
    let scope =
        authorization.and_then(|value| value.strip_prefix("Bearer ")).map(|token| state.access.get(token));
    let message: Value = serde_json::from_slice(body).unwrap();
    if !state.behaviour.is_open {
        let Some(Some(scope)) = scope else {
            let challenge = match state.behaviour.describes_login {
                true => {
                    format!(r#"Bearer resource_metadata="{origin}/.well-known/oauth-protected-resource/mcp""#)
                }
                false => "Bearer".to_owned(),
            };
            return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)]).into_response();
        };
        let needs = state.behaviour.needs.filter(|_| message["method"] == "tools/call");
        if let Some(needed) = needs.filter(|needed| !scope.split(' ').any(|scope| scope == *needed)) {
            let challenge = format!(r#"Bearer error="insufficient_scope", scope="{needed}""#);
            return (StatusCode::FORBIDDEN, [(header::WWW_AUTHENTICATE, challenge)]).into_response();
        }
    }
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": { "tools": {} },
            "serverInfo": { "name": "protected", "version": "1" },
        }),
        "tools/call" => json!({ "content": [{ "type": "text", "text": "a secret note" }] }),
        _ => return StatusCode::ACCEPTED.into_response(),
    };
    axum_json(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))
}
