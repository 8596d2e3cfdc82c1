//! A filter has the same outputs on a large document, from which only the values that its
//! paths name are read, as on the whole document in memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tuckaway::{Engine, Error, JqQuery, Outputs};
use tuckaway_fuzz::grammar::Choices;
use tuckaway_fuzz::{OneArtifact, Quarters};

/// The amount of white space that makes any document large.
const LARGE: usize = (1 << 20) + 1;

/// The steps of a filter, to which the document's size adds.
const STEPS: u64 = 20_000;

/// The comparable parts of an answer.
struct Comparable {
    text: String,
    failure: Option<String>,
    /// Whether it reached a limit, or has more pages.
    is_cut: bool,
    /// Whether the filter ran on the whole text as JSON.
    is_of_all: bool,
}

impl Comparable {
    fn of(answer: Result<Outputs, Error>) -> Comparable {
        let (text, next, failure, parsed_as) = match answer {
            Ok(outputs) => (outputs.text, outputs.next, outputs.failure, outputs.parsed_as),
            Err(error) => (String::new(), None, Some(error), None),
        };
        let is_all = |note: String| note.contains("JSON document") && !note.contains("skipped");
        let stopped = |error: &Error| error.message.starts_with("The filter was stopped");
        let is_cut = next.is_some() || failure.as_ref().is_some_and(stopped);
        // Positions in the text differ because of the white space.
        let failure = failure.map(|error| match error.message.split_once(" (byte ") {
            Some(_) => format!("{:?}", error.kind),
            None => error.to_string(),
        });
        Comparable { text, failure, is_cut, is_of_all: parsed_as.is_none_or(is_all) }
    }

    /// Returns whether two answers are the same, up to the end of the shorter one.
    fn agrees_with(&self, other: &Comparable) -> bool {
        self.is_cut && other.text.starts_with(&self.text)
            || other.is_cut && self.text.starts_with(&other.text)
            || self.text == other.text && self.failure == other.failure
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let filter = choices.filter();
    let documents = match choices.below(8) {
        7 => String::from_utf8_lossy(choices.0).into_owned(),
        _ => choices.documents(),
    };
    let run = |spaces: usize, filter: String| {
        let store = OneArtifact((" ".repeat(spaces) + &documents).into_bytes().into());
        let query = JqQuery { filter, compact: true, max_steps: Some(STEPS), ..JqQuery::default() };
        Comparable::of(Engine::new(&store, &Quarters).jq("art", &query, Some(1 << 20)))
    };
    // A variable binds the whole document.
    let whole = run(0, format!(". as $all | ({filter})"));
    // White space at the start hides the other kinds of a text, and the start of JSON in it.
    if !whole.is_of_all {
        return;
    }
    for spaces in [LARGE, 0] {
        let answer = run(spaces, filter.clone());
        assert!(
            answer.agrees_with(&whole),
            "{filter} of {documents}\n{}\n{:?}\n{}\n{:?}",
            answer.text,
            answer.failure,
            whole.text,
            whole.failure,
        );
    }
});
