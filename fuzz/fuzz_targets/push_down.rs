//! A filter that begins with paths gives on large documents, of which only the
//! places are read, what it gives on the values of all of it.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tuckaway::{Engine, Error, JqQuery, Outputs};
use tuckaway_fuzz::{OneArtifact, Quarters};

/// White space that makes any document a large one.
const LARGE: usize = (1 << 20) + 1;

#[derive(Arbitrary, Debug)]
enum Filter {
    Path(Vec<Part>),
    Pipe(Box<Filter>, Box<Filter>),
    Comma(Box<Filter>, Box<Filter>),
    Or(Box<Filter>, Box<Filter>),
    Equal(Box<Filter>, Box<Filter>),
    Array(Box<Filter>),
    Object(Box<Filter>),
    First(Box<Filter>),
    Limit(u8, Box<Filter>),
    Select(Box<Filter>),
    Map(Box<Filter>),
    Reduce(Box<Filter>),
    Try(Box<Filter>),
    Each,
    Length,
    Keys,
    Type,
    One,
}

#[derive(Arbitrary, Debug)]
enum Part {
    A,
    B,
    Each,
    EachTried,
    Index(i8),
    Slice(i8, i8),
}

impl Part {
    fn text(&self) -> String {
        match self {
            Part::A => ".a".to_owned(),
            Part::B => ".b".to_owned(),
            Part::Each => "[]".to_owned(),
            Part::EachTried => "[]?".to_owned(),
            Part::Index(index) => format!("[{index}]"),
            Part::Slice(from, upto) => format!("[{from}:{upto}]"),
        }
    }
}

impl Filter {
    fn text(&self, levels: usize) -> Option<String> {
        let inner = |filter: &Filter| filter.text(levels.checked_sub(1)?);
        Some(match self {
            Filter::Path(parts) => {
                let path: String = parts.iter().map(Part::text).collect();
                if path.starts_with('.') { path } else { format!(".{path}") }
            }
            Filter::Pipe(left, right) => format!("({}) | ({})", inner(left)?, inner(right)?),
            Filter::Comma(left, right) => format!("({}), ({})", inner(left)?, inner(right)?),
            Filter::Or(left, right) => format!("({}) // ({})", inner(left)?, inner(right)?),
            Filter::Equal(left, right) => format!("({}) == ({})", inner(left)?, inner(right)?),
            Filter::Array(filter) => format!("[{}]", inner(filter)?),
            Filter::Object(filter) => format!("{{a: ({})}}", inner(filter)?),
            Filter::First(filter) => format!("first({})", inner(filter)?),
            Filter::Limit(most, filter) => format!("limit({most}; {})", inner(filter)?),
            Filter::Select(filter) => format!("select({})", inner(filter)?),
            Filter::Map(filter) => format!("map({})", inner(filter)?),
            Filter::Reduce(filter) => format!("reduce ({}) as $x (0; . + 1)", inner(filter)?),
            Filter::Try(filter) => format!("try ({}) catch .", inner(filter)?),
            Filter::Each => ".[]".to_owned(),
            Filter::Length => "length".to_owned(),
            Filter::Keys => "keys".to_owned(),
            Filter::Type => "type".to_owned(),
            Filter::One => "1".to_owned(),
        })
    }
}

/// What can be compared: places in a text differ by the white space.
fn told(answer: Result<Outputs, Error>) -> (String, Option<String>) {
    let message = |error: Error| match error.message.split_once(" (byte ") {
        Some(_) => format!("{:?}", error.kind),
        None => error.to_string(),
    };
    match answer {
        Ok(outputs) => (outputs.text, outputs.failure.map(message)),
        Err(error) => (String::new(), Some(message(error))),
    }
}

fuzz_target!(|input: (Filter, &str)| {
    let Some(filter) = input.0.text(4) else { return };
    let ask = |spaces: usize, filter: String| {
        let store = OneArtifact((" ".repeat(spaces) + input.1).into_bytes().into());
        let query = JqQuery { filter, compact: true, ..JqQuery::default() };
        told(Engine::new(&store, &Quarters).jq("art", &query, 1 << 20))
    };
    // A variable takes all of the document.
    let whole = ask(0, format!(". as $all | ({filter})"));
    assert_eq!(ask(LARGE, filter.clone()), whole, "{filter}");
    assert_eq!(ask(0, filter.clone()), whole, "{filter}");
});
