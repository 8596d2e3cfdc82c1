//! The large document: a real API response if it was fetched, otherwise a generated one.

use serde_json::{Value, json};
use tuckaway_host_test::suites;

/// A large document.
pub struct Input {
    /// Its name in the report.
    pub name: String,
    /// The document, on one line.
    pub bytes: Vec<u8>,
}

/// How often the records of the source are repeated.
const TIMES: usize = 200;

/// Returns the name and the text of the document that is repeated.
fn source() -> (&'static str, Vec<u8>) {
    match suites::json_example("twitter.json") {
        Some(bytes) => ("twitter.json x 200", bytes),
        None => {
            let bytes = serde_json::to_vec(&generated()).expect("JSON can be written");
            ("generated records (`cargo xtask suites` fetches twitter.json)", bytes)
        }
    }
}

/// Returns an array of twitter.json 200 times, unchanged: 126 MB.
pub fn many_documents() -> Input {
    let (name, document) = source();
    let documents: Vec<&[u8]> = std::iter::repeat_n(&document[..], TIMES).collect();
    let bytes = [b"[", &documents.join(&b","[..])[..], b"]"].concat();
    Input { name: format!("an array of {name}, {} MB", bytes.len() / 1_000_000), bytes }
}

/// Returns the statuses of twitter.json 200 times: 93 MB on one line.
pub fn large_json() -> Input {
    let (name, document) = source();
    let document: Value = serde_json::from_slice(&document).expect("the source is JSON");
    let statuses = document["statuses"].as_array().expect("an array of records");
    let repeated: Vec<&Value> = statuses.iter().cycle().take(statuses.len() * TIMES).collect();
    let bytes = serde_json::to_vec(&json!({ "statuses": repeated })).expect("JSON can be written");
    Input { name: format!("{name}, {} MB", bytes.len() / 1_000_000), bytes }
}

/// Returns records with a mixture of text, numbers and nesting as in API responses.
fn generated() -> Value {
    let record = |id: u64| {
        json!({
            "id": 505_874_924_095_815_681_u64 + id,
            "created_at": "Sun Aug 31 00:29:15 +0000 2014",
            "text": format!("a text of some length, with \"quotes\", élan and a link https://example.org/{id} ").repeat(6),
            "user": {"id": id, "name": format!("name {id}"), "verified": id.is_multiple_of(3), "followers": id * 17, "url": null},
            "entities": {"tags": ["one", "two"], "urls": [{"url": "https://example.org", "indices": [id, id + 20]}]},
            "score": id as f64 / 7.0
        })
    };
    json!({ "statuses": (0..400).map(record).collect::<Vec<_>>() })
}
