//! A server that speaks the APIs of OpenAI (Chat Completions) and Anthropic (Messages), for
//! tests and demonstrations. Its model is a script that answers only from the text that it is
//! given (`script.rs`), and it misbehaves on request ([`Fault`]).
//!
//! ```text
//! POST /v1/chat/completions ─┐                       ┌─ fault ─► a broken answer
//! POST /v1/messages ─────────┴─► protocol ─► script ─┴─────────► protocol ─► answer
//! ```

mod fault;
mod http;
mod protocol;
mod script;

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use serde_json::Value;

pub use fault::Fault;
use http::Received;
pub use protocol::nonce;
pub use script::{handle, wanted};

/// A server on a separate port, until it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The path.
    pub path: String,
    /// The headers, by their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

impl Asked {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Default)]
struct Shared {
    /// The faults of the next requests, one each.
    faults: Mutex<VecDeque<Fault>>,
    /// The fault of all later requests.
    always: Option<Fault>,
    asked: Mutex<Vec<Asked>>,
    /// Requests that are being answered, and their maximum so far.
    open: AtomicU32,
    most_open: AtomicU32,
    is_stopped: AtomicBool,
}

impl ModelServer {
    /// Starts a server. The first requests have these faults, in their order; all later ones
    /// have `always`, or none.
    pub fn start(faults: Vec<Fault>, always: Option<Fault>) -> io::Result<ModelServer> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { faults: Mutex::new(faults.into()), always, ..Shared::default() });
        let shared_there = Arc::clone(&shared);
        let listening = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared_there.is_stopped.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&shared_there);
                // A client that hangs up is none of the server's business.
                thread::spawn(move || drop(shared.serve(stream)));
            }
        });
        Ok(ModelServer { address, shared, listening: Some(listening) })
    }

    /// Returns the base URL, for both protocols.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Returns the requests so far, in the order of their arrival.
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.shared.asked).clone()
    }

    /// Returns the maximum number of requests that were answered at the same time.
    pub fn most_open(&self) -> u32 {
        self.shared.most_open.load(Ordering::SeqCst)
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

impl Shared {
    /// Answers the one request of a connection.
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let Some(received) = http::receive(&mut stream)? else { return Ok(()) };
        let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_open.fetch_max(open, Ordering::SeqCst);
        let served = self.answer(received, &mut stream);
        self.open.fetch_sub(1, Ordering::SeqCst);
        served
    }

    fn answer(&self, received: Received, stream: &mut TcpStream) -> io::Result<()> {
        let Received { method, path, headers, body } = received;
        if method == "OPTIONS" {
            return http::send_text(stream, 204, &[], "", None);
        }
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        lock(&self.asked).push(Asked { path: path.clone(), headers: headers.clone(), body: body.clone() });
        let fault = lock(&self.faults).pop_front().or_else(|| self.always.clone()).unwrap_or_default();
        let answered = match protocol::read(&path, &headers, &body) {
            Ok(ask) => Ok(protocol::write(ask.protocol, &fault.said(&ask, script::answer(&ask)))),
            Err(refusal) => Err(refusal),
        };
        match answered {
            Ok(answer) => fault.send(stream, &answer),
            Err((status, why)) => http::send(stream, status, &[], &protocol::refusal(&why)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
