//! A proxy between a client and a server with the API of S3, which counts requests and
//! misbehaves on request.
//!
//! ```text
//! client ─► request, whole ─► Seen ─► rule ─┬─► fault ─► client
//!                              │            └─► server ─► answer, whole ─► client
//!                              └─► hook: on arrival, half sent, answered
//! ```
//!
//! Each request goes to the server over a separate connection. A hook can kill the client at a
//! moment of a request, and abort the request.

mod fault;
mod http;
mod seen;
mod serve;
mod sign;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

pub use fault::{Fault, Rule};
pub use seen::{Class, Method, Seen};

/// A moment of a request at which the hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nothing of it has reached the server.
    Arrived,
    /// The server has half of its body, or its head if it has no body.
    HalfSent,
    /// The server has answered, and the client has nothing of that.
    Answered,
}

/// All moments, in their order.
pub const MOMENTS: [Moment; 3] = [Moment::Arrived, Moment::HalfSent, Moment::Answered];

/// Called with each request at each moment. `Break` ends both connections there.
pub type Hook = Arc<dyn Fn(&Seen, Moment) -> ControlFlow<()> + Send + Sync>;

/// A proxy on a separate port, until it is dropped. After that, the port refuses connections.
pub struct FaultProxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    server: SocketAddr,
    rules: Mutex<Vec<Rule>>,
    hook: Mutex<Option<Hook>>,
    seen: Mutex<Vec<Seen>>,
    /// Copies of the clients' connections by their numbers: they end with the proxy.
    connections: Mutex<HashMap<usize, TcpStream>>,
    is_stopped: AtomicBool,
}

impl FaultProxy {
    /// Starts a proxy in front of a server.
    pub fn start(server: SocketAddr) -> io::Result<FaultProxy> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            server,
            rules: Mutex::default(),
            hook: Mutex::default(),
            seen: Mutex::default(),
            connections: Mutex::default(),
            is_stopped: AtomicBool::new(false),
        });
        let there = Arc::clone(&shared);
        let listening = thread::spawn(move || there.listen(&listener));
        Ok(FaultProxy { address, shared, listening: Some(listening) })
    }

    /// Returns where the proxy listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL to use in place of the server's.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Replaces the rules. The first rule that matches a request decides.
    pub fn set(&self, rules: impl IntoIterator<Item = Rule>) {
        *lock(&self.shared.rules) = rules.into_iter().collect();
    }

    /// Replaces the hook.
    pub fn hook(&self, hook: impl Fn(&Seen, Moment) -> ControlFlow<()> + Send + Sync + 'static) {
        *lock(&self.shared.hook) = Some(Arc::new(hook));
    }

    /// Returns the requests so far, in the order of their arrival, and forgets them: the
    /// next one has the number 0.
    pub fn take_seen(&self) -> Vec<Seen> {
        std::mem::take(&mut *lock(&self.shared.seen))
    }

    /// Returns the number of requests so far of this method and class.
    pub fn count(&self, method: Method, class: Class) -> usize {
        let seen = lock(&self.shared.seen);
        seen.iter().filter(|seen| seen.method == method && seen.class == class).count()
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
        for (_, connection) in lock(&self.shared.connections).drain() {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

impl Shared {
    fn listen(self: Arc<Self>, listener: &TcpListener) {
        for (number, client) in listener.incoming().flatten().enumerate() {
            if self.is_stopped() {
                return;
            }
            if let Ok(copy) = client.try_clone() {
                lock(&self.connections).insert(number, copy);
            }
            let shared = Arc::clone(&self);
            thread::spawn(move || {
                serve::client(&shared, &client);
                // The connection ends when its last copy is dropped.
                lock(&shared.connections).remove(&number);
            });
        }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Remembers a request and returns it with its number.
    fn note(&self, mut seen: Seen) -> Seen {
        let mut all = lock(&self.seen);
        seen.number = all.len();
        all.push(seen.clone());
        seen
    }

    /// Records the status and the size of an answer.
    fn note_answer(&self, seen: &Seen, status: u16, bytes: u64) {
        // It may have been forgotten since.
        if let Some(known) = lock(&self.seen).get_mut(seen.number).filter(|known| known.key == seen.key) {
            (known.status, known.answer_bytes) = (Some(status), bytes);
        }
    }

    /// Returns the fault of a request, from the first rule that matches and applies.
    fn fault(&self, seen: &Seen) -> Option<Fault> {
        lock(&self.rules).iter_mut().find_map(|rule| rule.take(seen))
    }

    fn call_hook(&self, seen: &Seen, moment: Moment) -> ControlFlow<()> {
        let hook = lock(&self.hook).clone();
        hook.map_or(ControlFlow::Continue(()), |hook| hook(seen, moment))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
