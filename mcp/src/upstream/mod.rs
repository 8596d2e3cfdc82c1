//! A server: it is started when a client connects, and restarted after growing pauses when
//! it ends. Calls wait while it starts, and fail at once during a pause.

mod access;
mod connect;
mod connection;
mod failure;
mod http;
mod process;
mod servant;
mod stderr;
#[cfg(test)]
pub mod testing;

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use rmcp::model::ErrorData;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::config::ServerConfig;
use crate::login::Logins;
use crate::wire::{Call, lost};

pub use connection::{Connection, ProgressTo, send_to_client};

/// The maximum time that a server may take to start: its package may have to be downloaded.
const START_PATIENCE: Duration = Duration::from_secs(120);
/// The first pause before a server is restarted.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The time that a server has to end.
const CLOSE_PATIENCE: Duration = Duration::from_secs(5);
/// After a server has run for this time, its next pause is as short as the first one.
const STEADY: Duration = Duration::from_secs(10);

/// Receives the requests and notifications of servers.
#[async_trait]
pub trait Events: Send + Sync + 'static {
    /// Answers a request of a server.
    async fn request(
        &self,
        server: usize,
        call: Call,
        cancelled: CancellationToken,
    ) -> Result<Value, ErrorData>;
    /// Handles a notification of a server.
    async fn notification(&self, server: usize, call: Call);
    /// Handles the start or the end of a server.
    async fn changed(&self, server: usize);
}

/// Whether a server can be called.
#[derive(Clone)]
pub enum State {
    /// It is starting.
    Starting,
    /// It is running.
    Running(Arc<Connection>),
    /// It has ended or could not be started, for this reason.
    Pausing(Arc<str>),
}

/// A server.
pub struct Upstream {
    /// Its name.
    pub name: String,
    state: watch::Receiver<State>,
    stop: CancellationToken,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Upstream {
    /// Starts a server, and keeps it running while this value lives.
    pub fn start(
        index: usize,
        config: ServerConfig,
        max_result_bytes: u64,
        logins: Option<Logins>,
        client: Client,
        events: Weak<dyn Events>,
    ) -> Self {
        let (sender, state) = watch::channel(State::Starting);
        let stop = CancellationToken::new();
        let name = config.name.clone();
        let stopped = stop.clone();
        let keeper =
            Keeper { index, config, max_result_bytes, logins, client, events, sender, stop: stopped };
        let keeper = Mutex::new(Some(tokio::spawn(keeper.run())));
        Upstream { name, state, stop, keeper }
    }

    /// Stops the server, and waits until it has ended.
    pub async fn close(&self) {
        self.stop.cancel();
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(keeper) = keeper {
            // If its task has panicked, the server has ended as well.
            let _ = tokio::time::timeout(CLOSE_PATIENCE, keeper).await;
        }
    }

    /// Returns the current state.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Waits until the server is running, or fails if it pauses.
    pub async fn connection(&self) -> Result<Arc<Connection>, ErrorData> {
        let mut state = self.state.clone();
        let settled = state.wait_for(|state| !matches!(state, State::Starting)).await;
        match settled.as_deref() {
            Ok(State::Running(connection)) => Ok(Arc::clone(connection)),
            Ok(State::Pausing(why)) => Err(lost(format!("The server {} is not running: {why}.", self.name))),
            _ => Err(lost(format!("The server {} was stopped.", self.name))),
        }
    }
}

/// Keeps a server running.
struct Keeper {
    index: usize,
    config: ServerConfig,
    max_result_bytes: u64,
    logins: Option<Logins>,
    client: Client,
    events: Weak<dyn Events>,
    sender: watch::Sender<State>,
    stop: CancellationToken,
}

impl Keeper {
    async fn run(self) {
        let mut pause = FIRST_PAUSE;
        while !self.stop.is_cancelled() {
            let begun = Instant::now();
            let why = self.run_once().await;
            if self.stop.is_cancelled() {
                break;
            }
            if begun.elapsed() >= STEADY {
                pause = FIRST_PAUSE;
            }
            tracing::warn!("{}: {why}; it will be restarted in {pause:?}", self.config.name);
            self.sender.send_replace(State::Pausing(why.into()));
            self.tell().await;
            tokio::select! {
                () = sleep(pause) => {}
                () = self.stop.cancelled() => break,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
            self.sender.send_replace(State::Starting);
        }
        self.sender.send_replace(State::Pausing("it was stopped".into()));
    }

    /// Starts the server, and returns why it ended.
    async fn run_once(&self) -> String {
        let starting = connect::connect(self, &self.stop);
        let started = tokio::select! {
            started = tokio::time::timeout(START_PATIENCE, starting) => started,
            () = self.stop.cancelled() => return "it was stopped".to_owned(),
        };
        let (connection, ended) = match started {
            Ok(Ok(connected)) => connected,
            Ok(Err(error)) => return format!("it could not be started: {error:#}"),
            Err(_) => return format!("it did not answer within {} s", START_PATIENCE.as_secs()),
        };
        self.sender.send_replace(State::Running(connection));
        self.tell().await;
        ended.await
    }

    async fn tell(&self) {
        if let Some(events) = self.events.upgrade() {
            events.changed(self.index).await;
        }
    }
}
