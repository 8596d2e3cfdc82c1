//! Sequences of queries on any bytes. Each query follows the cursor of the previous one.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tuckaway::{
    ByteRange, CallOptions, Dialect, Engine, Error, GrepQuery, JqQuery, LineRange, Range, ReadOptions,
};
use tuckaway_fuzz::{OneArtifact, Quarters};

#[derive(Arbitrary, Debug)]
enum Query {
    Lines(u8, u8, bool),
    Bytes(u16, u16),
    Cursor(String),
    Grep {
        pattern: String,
        fixed: bool,
        ignore_case: bool,
        invert: bool,
        context: u8,
        most: Option<u8>,
    },
    /// A filter that ends: any other is stopped only by the deadline.
    Jq {
        filter: Filter,
        raw: bool,
        compact: bool,
        slurp: bool,
        null_input: bool,
    },
    /// One of the tools of all dialects.
    Call(u8, String),
    Next,
}

#[derive(Arbitrary, Debug)]
enum Filter {
    Path(Vec<Step>),
    Of(String, Vec<Step>),
}

#[derive(Arbitrary, Debug)]
enum Step {
    Key(String),
    Index(i64),
    Slice(i32, i32),
    Each,
    Keys,
    Length,
    ToJson,
    Sort,
    Test(String),
    Plus(i64),
    Inputs,
}

impl Filter {
    fn text(&self) -> String {
        let (mut text, steps) = match self {
            Filter::Path(steps) => (".".to_owned(), steps),
            // Only as a string: an arbitrary filter may loop.
            Filter::Of(string, steps) => (serde_json::Value::from(string.as_str()).to_string(), steps),
        };
        for step in steps {
            text += " | ";
            text += &match step {
                Step::Key(key) => format!(".[{}]?", serde_json::Value::from(key.as_str())),
                Step::Index(index) => format!(".[{index}]?"),
                Step::Slice(from, to) => format!(".[{from}:{to}]?"),
                Step::Each => ".[]?".to_owned(),
                Step::Keys => "keys?".to_owned(),
                Step::Length => "length?".to_owned(),
                Step::ToJson => "tojson".to_owned(),
                Step::Sort => "sort?".to_owned(),
                Step::Test(pattern) => format!("test({})?", serde_json::Value::from(pattern.as_str())),
                Step::Plus(number) => format!("(. + {number})?"),
                Step::Inputs => "(., inputs)".to_owned(),
            };
        }
        text
    }
}

fuzz_target!(|input: (Vec<u8>, Vec<Query>, Option<u16>)| {
    let (bytes, queries, max) = input;
    let store = OneArtifact(bytes.into());
    let engine = Engine::new(&store, &Quarters);
    let max = max.map(u32::from);
    let bound = max.map_or(16_384, |max| max as usize);
    let mut next: Option<(Range, bool)> = None;
    for query in queries.iter().take(8) {
        let error = match query {
            Query::Lines(from, to, numbers) => page(
                &engine,
                Range::Lines(LineRange { start: (*from).into(), end: (*to).into() }),
                *numbers,
                max,
                bound,
                &mut next,
            ),
            Query::Bytes(from, to) => page(
                &engine,
                Range::Bytes(ByteRange { start: (*from).into(), end: (*to).into() }),
                false,
                max,
                bound,
                &mut next,
            ),
            Query::Cursor(cursor) => {
                page(&engine, Range::Cursor(cursor.clone()), false, max, bound, &mut next)
            }
            Query::Next => match next.take() {
                Some((range, numbers)) => page(&engine, range, numbers, max, bound, &mut next),
                None => None,
            },
            Query::Grep { pattern, fixed, ignore_case, invert, context, most } => {
                let query = GrepQuery {
                    pattern: pattern.clone(),
                    fixed_string: *fixed,
                    ignore_case: *ignore_case,
                    invert: *invert,
                    before_context: (*context).into(),
                    after_context: (*context).into(),
                    each_match: true,
                    max_matches: most.map(u32::from),
                    cursor: None,
                };
                match engine.grep("art", &query, max) {
                    Ok(found) => {
                        let shown: usize = found.matches.iter().map(|m| m.text.len()).sum();
                        assert!(shown <= bound);
                        None
                    }
                    Err(error) => Some(error),
                }
            }
            Query::Jq { filter, raw, compact, slurp, null_input } => {
                let query = JqQuery {
                    filter: filter.text(),
                    raw: *raw,
                    compact: *compact,
                    slurp: *slurp,
                    null_input: *null_input,
                    ..JqQuery::default()
                };
                match engine.jq("art", &query, max) {
                    Ok(outputs) => {
                        assert!(outputs.text.len() <= bound);
                        None
                    }
                    Err(error) => Some(error),
                }
            }
            Query::Call(tool, arguments) => {
                let names: Vec<&str> = Dialect::ALL.into_iter().flat_map(Dialect::tool_names).collect();
                match engine.call_tool(
                    names[usize::from(*tool) % names.len()],
                    arguments,
                    &CallOptions { max_bytes: max },
                ) {
                    Ok(reply) => {
                        assert!(reply.text.len() <= bound);
                        None
                    }
                    Err(error) => Some(error),
                }
            }
        };
        assert!(error.is_none_or(|error| error.message.len() <= 1_024));
    }
});

fn page(
    engine: &Engine<'_>,
    range: Range,
    numbers: bool,
    max: Option<u32>,
    bound: usize,
    next: &mut Option<(Range, bool)>,
) -> Option<Error> {
    match engine.read("art", &range, &ReadOptions { line_numbers: numbers, max_bytes: max }) {
        Ok(page) => {
            assert!(page.text.len() <= bound);
            assert!(page.next.is_none() || !page.text.is_empty(), "a page with a next one has made progress");
            *next = page.next.map(|cursor| (Range::Cursor(cursor), numbers));
            None
        }
        Err(error) => Some(error),
    }
}
