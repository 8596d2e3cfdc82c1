//! Requests as the proxy sees them.

/// The method of a request.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Put,
    Delete,
    Head,
    Post,
    Other,
}

/// The subject of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A listing of keys.
    List,
    /// Metadata of an artifact, `meta/<id>.json`.
    Meta,
    /// A segment of an artifact, `data/<id>/<n>`.
    Segment,
    /// Anything else, such as a deletion of many keys.
    Other,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its number, from 0.
    pub number: usize,
    /// Its method.
    pub method: Method,
    /// Its subject.
    pub class: Class,
    /// The path and the query, as sent.
    pub key: String,
    /// The bytes of its body.
    pub body_bytes: u64,
    /// The status of the answer, if it has one.
    pub status: Option<u16>,
    /// The bytes of the answer's body.
    pub answer_bytes: u64,
}

impl Seen {
    /// Describes a request by its first line.
    pub fn new(method: &str, target: &str, body_bytes: u64) -> Self {
        let method = match method {
            "GET" => Method::Get,
            "PUT" => Method::Put,
            "DELETE" => Method::Delete,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            _ => Method::Other,
        };
        Seen {
            number: 0,
            method,
            class: class(target),
            key: target.to_owned(),
            body_bytes,
            status: None,
            answer_bytes: 0,
        }
    }
}

fn class(target: &str) -> Class {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        _ if query.contains("list-type") => Class::List,
        [.., "meta", name] if name.ends_with(".json") => Class::Meta,
        [.., "data", _, number] if number.bytes().all(|byte| byte.is_ascii_digit()) => Class::Segment,
        _ => Class::Other,
    }
}

#[test]
fn requests_have_a_class() {
    for (target, expected) in [
        ("/b?list-type=2&prefix=p%2Fmeta%2F", Class::List),
        ("/b/p/meta/art_t_0123456789abcdef.json", Class::Meta),
        ("/b/meta/art_t_0123456789abcdef.json?x-id=PutObject", Class::Meta),
        ("/b/p/sessions/s/data/art_t_0123456789abcdef/00000000", Class::Segment),
        ("/b?delete", Class::Other),
        ("/", Class::Other),
    ] {
        assert_eq!(class(target), expected, "{target}");
    }
}
