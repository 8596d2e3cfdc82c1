//! The proxy in front of a server of a few lines.

use std::collections::HashMap;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::http::Message;
use super::{Class, Fault, FaultProxy, Method, Moment, Rule};

const SEGMENT: &str = "/b/data/art_t_0123456789abcdef/00000000";
const META: &str = "/b/meta/art_t_0123456789abcdef.json";

/// Keeps objects until the test ends. PUT understands `If-None-Match`.
#[derive(Clone, Default)]
struct Server(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    objects: HashMap<String, Vec<u8>>,
    puts: usize,
    /// Requests that ended before their body did.
    torn: usize,
}

impl Server {
    fn start(&self) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = self.clone();
        thread::spawn(move || listener.incoming().flatten().for_each(|stream| server.serve(&stream)));
        address
    }

    fn serve(&self, mut stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        let read = Message::read_request(&mut reader, &mut stream);
        let mut kept = self.0.lock().unwrap();
        let Ok(Some(request)) = read else {
            kept.torn += 1;
            return;
        };
        let path = request.word(1).to_owned();
        let is_there = kept.objects.contains_key(&path);
        let (status, body) = match request.word(0) {
            "PUT" if is_there && request.header("if-none-match").is_some() => (412, Vec::new()),
            "PUT" => {
                kept.puts += 1;
                kept.objects.insert(path, request.body);
                (200, Vec::new())
            }
            _ if is_there => (200, kept.objects[&path].clone()),
            _ => (404, Vec::new()),
        };
        // In chunks of two bytes, for a change.
        let mut answer = format!("HTTP/1.1 {status} x\r\nTransfer-Encoding: chunked\r\n\r\n").into_bytes();
        for chunk in body.chunks(2) {
            answer.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            answer.extend(chunk);
            answer.extend(b"\r\n");
        }
        answer.extend(b"0\r\n\r\n");
        stream.write_all(&answer).unwrap();
    }

    fn kept<T>(&self, read: impl FnOnce(&Kept) -> T) -> T {
        read(&self.0.lock().unwrap())
    }
}

fn started() -> (Server, FaultProxy) {
    let server = Server::default();
    let proxy = FaultProxy::start(server.start()).unwrap();
    (server, proxy)
}

/// Sends a request over a new connection and returns status and body.
fn ask(proxy: &FaultProxy, method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    let stream = TcpStream::connect(proxy.address())?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    ask_over(&stream, method, path, body)
}

fn ask_over(mut stream: &TcpStream, method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\ncontent-length: {length}\r\n\r\n{body}"
    )?;
    let answer = Message::read_answer(&mut BufReader::new(stream), method == "HEAD")?;
    Ok((answer.status(), String::from_utf8(answer.body).unwrap()))
}

#[test]
fn requests_are_relayed_and_counted() {
    let (_server, proxy) = started();
    let stream = TcpStream::connect(proxy.address()).unwrap();
    assert_eq!(ask_over(&stream, "PUT", META, "abcde").unwrap(), (200, String::new()));
    assert_eq!(ask_over(&stream, "GET", META, "").unwrap(), (200, "abcde".to_owned()));
    assert_eq!(ask_over(&stream, "GET", SEGMENT, "").unwrap().0, 404);
    assert_eq!((proxy.count(Method::Get, Class::Meta), proxy.count(Method::Put, Class::Segment)), (1, 0));
    let seen = proxy.take_seen();
    let read: Vec<_> = seen.iter().map(|seen| (seen.number, seen.body_bytes, seen.status)).collect();
    assert_eq!(read, [(0, 5, Some(200)), (1, 0, Some(200)), (2, 0, Some(404))]);
    assert_eq!(seen[1].answer_bytes, 5);
    assert_eq!(proxy.take_seen(), []);
}

#[test]
fn a_rule_holds_for_some_requests() {
    let (server, proxy) = started();
    proxy.set([
        Rule::new(Fault::Status(503)).of(Method::Put, Class::Segment).only(1, 2),
        Rule::new(Fault::Status(429)).of(Method::Get, Class::Meta),
    ]);
    let statuses = |method: &str, path: &str| [0; 5].map(|_| ask(&proxy, method, path, "x").unwrap().0);
    // The server knows the object after the first request.
    assert_eq!(statuses("PUT", SEGMENT), [200, 503, 503, 412, 412]);
    assert_eq!(statuses("GET", META), [429; 5]);
    assert_eq!(server.kept(|kept| kept.puts), 1);
    proxy.set([]);
    assert_eq!(statuses("GET", META), [404; 5]);
}

#[test]
fn connections_are_reset() {
    let (server, proxy) = started();
    let body = "0123456789";
    let put = |fault: Fault| {
        proxy.set([Rule::new(fault).only(0, 1)]);
        ask(&proxy, "PUT", META, body).unwrap_err().kind()
    };
    assert_eq!(put(Fault::Refuse), ErrorKind::ConnectionReset);
    assert_eq!(server.kept(|kept| (kept.puts, kept.torn)), (0, 0));
    assert_eq!(put(Fault::ResetRequest), ErrorKind::ConnectionReset);
    while server.kept(|kept| kept.torn) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(put(Fault::LoseAnswer), ErrorKind::ConnectionReset);
    assert_eq!(server.kept(|kept| (kept.puts, kept.torn)), (1, 1));
    proxy.set([Rule::new(Fault::ResetAnswer).only(0, 1)]);
    let reset = ask(&proxy, "GET", META, "").unwrap_err().kind();
    assert_eq!(reset, ErrorKind::ConnectionReset);
    assert_eq!(ask(&proxy, "GET", META, "").unwrap(), (200, body.to_owned()));
}

#[test]
fn an_answer_is_cut() {
    let (_server, proxy) = started();
    ask(&proxy, "PUT", META, "0123456789").unwrap();
    proxy.set([Rule::new(Fault::CutAnswer)]);
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    write!(stream, "GET {META} HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("\r\n\r\n01234") && answer.contains("Content-Length: 10\r\n"), "{answer}");
}

#[test]
fn a_request_is_delivered_twice() {
    let (server, proxy) = started();
    proxy.set([Rule::new(Fault::Twice)]);
    assert_eq!(ask(&proxy, "PUT", META, "x").unwrap().0, 412);
    assert_eq!(server.kept(|kept| kept.puts), 1);
}

#[test]
fn conditions_are_dropped_or_refused() {
    let (server, proxy) = started();
    proxy.set([Rule::new(Fault::DropCondition)]);
    assert_eq!([0; 2].map(|_| ask(&proxy, "PUT", META, "x").unwrap().0), [200, 200]);
    proxy.set([Rule::new(Fault::RefuseCondition)]);
    assert_eq!(ask(&proxy, "PUT", META, "y").unwrap().0, 501);
    assert_eq!(server.kept(|kept| kept.objects[META].clone()), b"x");
}

#[test]
fn a_stall_lasts_until_the_proxy_ends() {
    let (server, proxy) = started();
    proxy.set([Rule::new(Fault::Stall)]);
    let stalled = ask(&proxy, "PUT", META, "x").unwrap_err().kind();
    assert!(matches!(stalled, ErrorKind::WouldBlock | ErrorKind::TimedOut), "{stalled}");
    assert_eq!(server.kept(|kept| kept.puts), 0);
    let address = proxy.address();
    drop(proxy);
    assert_eq!(TcpStream::connect(address).unwrap_err().kind(), ErrorKind::ConnectionRefused);
}

#[test]
fn a_hook_breaks_a_request_off() {
    for (moment, puts, torn) in [(Moment::Arrived, 0, 0), (Moment::HalfSent, 0, 1), (Moment::Answered, 1, 0)]
    {
        let (server, proxy) = started();
        proxy.hook(move |seen, now| match (seen.number, now) {
            (1, now) if now == moment => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        assert_eq!(ask(&proxy, "GET", META, "").unwrap().0, 404);
        ask(&proxy, "PUT", META, "0123456789").unwrap_err();
        while server.kept(|kept| kept.torn) < torn {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(server.kept(|kept| (kept.puts, kept.torn)), (puts, torn), "{moment:?}");
    }
}
