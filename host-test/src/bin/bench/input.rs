//! The large document: a real answer of an API, if it was fetched, else made.

use serde_json::{Value, json};
use tuckaway_host_test::suites;

/// A large document and what it is.
pub struct Input {
    /// What it is, for the report.
    pub name: String,
    /// The document, on one line.
    pub bytes: Vec<u8>,
}

/// How often the records of the source are repeated.
const TIMES: usize = 200;

/// The statuses of twitter.json two hundred times: 93 MB on one line.
pub fn large_json() -> Input {
    let (name, document) = match suites::json_example("twitter.json") {
        Some(bytes) => ("twitter.json x 200", serde_json::from_slice(&bytes).expect("twitter.json is JSON")),
        None => ("made records (`cargo xtask suites` fetches twitter.json)", made()),
    };
    let statuses = document["statuses"].as_array().expect("an array of records");
    let repeated: Vec<&Value> = statuses.iter().cycle().take(statuses.len() * TIMES).collect();
    let bytes = serde_json::to_vec(&json!({ "statuses": repeated })).expect("JSON can be written");
    Input { name: format!("{name}, {} MB", bytes.len() / 1_000_000), bytes }
}

/// Records with the mixture of text, numbers and nesting that APIs return.
fn made() -> Value {
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
