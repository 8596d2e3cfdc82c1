//! A filter gives on large documents, of which only the places that it names by
//! paths are read, what it gives on the values of all of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tuckaway::{Engine, Error, JqQuery, Outputs};
use tuckaway_fuzz::grammar::Choices;
use tuckaway_fuzz::{OneArtifact, Quarters};

/// White space that makes any document a large one.
const LARGE: usize = (1 << 20) + 1;

/// Steps of a filter, for which the document gives more.
const STEPS: u64 = 20_000;

/// What can be compared.
struct Told {
    text: String,
    failure: Option<String>,
    /// It ran out of what it may take, or has more pages.
    is_cut: bool,
}

impl Told {
    fn of(answer: Result<Outputs, Error>) -> Told {
        let (text, next, failure) = match answer {
            Ok(outputs) => (outputs.text, outputs.next, outputs.failure),
            Err(error) => (String::new(), None, Some(error)),
        };
        let stopped = |error: &Error| error.message.starts_with("The filter was stopped");
        let is_cut = next.is_some() || failure.as_ref().is_some_and(stopped);
        // Places in a text differ by the white space.
        let failure = failure.map(|error| match error.message.split_once(" (byte ") {
            Some(_) => format!("{:?}", error.kind),
            None => error.to_string(),
        });
        Told { text, failure, is_cut }
    }

    /// The same, as far as both go.
    fn is(&self, other: &Told) -> bool {
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
    let ask = |spaces: usize, filter: String| {
        let store = OneArtifact((" ".repeat(spaces) + &documents).into_bytes().into());
        let query = JqQuery { filter, compact: true, max_steps: Some(STEPS), ..JqQuery::default() };
        Told::of(Engine::new(&store, &Quarters).jq("art", &query, Some(1 << 20)))
    };
    // A variable takes all of the document.
    let whole = ask(0, format!(". as $all | ({filter})"));
    for spaces in [LARGE, 0] {
        let told = ask(spaces, filter.clone());
        assert!(
            told.is(&whole),
            "{filter} of {documents}\n{}\n{:?}\n{}\n{:?}",
            told.text, told.failure, whole.text, whole.failure,
        );
    }
});
