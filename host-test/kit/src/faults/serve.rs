//! One client's connection: each request with its fault.

use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::fault::Fault;
use super::http::Message;
use super::seen::{Method, Seen};
use super::{Moment, Shared, sign};

/// How often a stalled connection checks whether the proxy has ended.
const STALL_CHECK: Duration = Duration::from_millis(20);

/// How a request ended.
enum End {
    /// The connection can be used for the next request.
    Open,
    /// The connection ends as if all were well.
    Close,
    /// The connection is reset.
    Reset,
}

/// Serves a client until one side ends the connection.
pub fn client(shared: &Shared, client: &TcpStream) {
    let _ = client.set_nodelay(true);
    // A client that hangs up is none of the proxy's business.
    if let Ok(End::Reset) = requests(shared, client) {
        reset(client);
    }
}

fn requests(shared: &Shared, client: &TcpStream) -> io::Result<End> {
    let mut reader = BufReader::new(client);
    let mut writer = client;
    while let Some(request) = Message::read_request(&mut reader, &mut writer)? {
        let seen = Seen::new(request.word(0), request.word(1), request.body.len() as u64);
        let seen = shared.note(seen);
        match answer(shared, request, &seen, client)? {
            End::Open if !shared.is_stopped() => {}
            end => return Ok(end),
        }
    }
    Ok(End::Close)
}

/// Answers a request, with its fault by the rules.
fn answer(shared: &Shared, mut request: Message, seen: &Seen, mut client: &TcpStream) -> io::Result<End> {
    let fault = shared.fault(seen);
    if shared.call_hook(seen, Moment::Arrived).is_break() {
        return Ok(End::Reset);
    }
    let is_conditional = request.header("if-none-match").is_some();
    match fault {
        Some(Fault::Refuse) => return Ok(End::Reset),
        Some(Fault::Stall) => {
            while !shared.is_stopped() {
                thread::sleep(STALL_CHECK);
            }
            return Ok(End::Close);
        }
        Some(Fault::Status(status)) => return send_error(shared, seen, client, status),
        Some(Fault::RefuseCondition) if is_conditional => return send_error(shared, seen, client, 501),
        Some(Fault::DropCondition) if is_conditional => sign::without_header(&mut request, "if-none-match"),
        Some(Fault::Twice) => drop(exchange(shared, &request, seen, None)?),
        _ => {}
    }
    let Some(answer) = exchange(shared, &request, seen, fault)? else { return Ok(End::Reset) };
    if fault == Some(Fault::LoseAnswer) || shared.call_hook(seen, Moment::Answered).is_break() {
        return Ok(End::Reset);
    }
    shared.note_answer(seen, answer.status(), answer.body.len() as u64);
    client.write_all(&answer.head(false))?;
    let half = answer.body.len() / 2;
    match fault {
        Some(Fault::ResetAnswer) => {
            client.write_all(&answer.body[..half])?;
            // A reset discards what the client has not read.
            thread::sleep(STALL_CHECK);
            Ok(End::Reset)
        }
        Some(Fault::CutAnswer) => client.write_all(&answer.body[..half]).map(|()| End::Close),
        _ => client.write_all(&answer.body).map(|()| End::Open),
    }
}

fn send_error(shared: &Shared, seen: &Seen, mut client: &TcpStream, status: u16) -> io::Result<End> {
    let mut answer = Message::error(status);
    if seen.method == Method::Head {
        answer.body.clear();
    }
    shared.note_answer(seen, status, answer.body.len() as u64);
    client.write_all(&answer.head(false))?;
    client.write_all(&answer.body)?;
    Ok(End::Open)
}

/// Sends a request to the server and returns its answer; `None` if it was broken off.
fn exchange(
    shared: &Shared,
    request: &Message,
    seen: &Seen,
    fault: Option<Fault>,
) -> io::Result<Option<Message>> {
    let server = TcpStream::connect(shared.server)?;
    server.set_nodelay(true)?;
    let (first, second) = request.body.split_at(request.body.len() / 2);
    (&server).write_all(&request.head(true))?;
    (&server).write_all(first)?;
    let breaks = fault == Some(Fault::ResetRequest);
    if breaks || shared.call_hook(seen, Moment::HalfSent) == ControlFlow::Break(()) {
        reset(&server);
        return Ok(None);
    }
    (&server).write_all(second)?;
    Message::read_answer(&mut BufReader::new(&server), seen.method == Method::Head).map(Some)
}

/// Makes the end of a connection a reset.
fn reset(stream: &TcpStream) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}
