//! Properties of all filters of the grammar, on any document.

use super::grammar::Choices;
use super::push::Strategies;
use super::*;
use crate::{limits, natives};
use proptest::prelude::*;

/// More steps than most filters of the grammar take, and few enough for endless ones.
const STEPS: u64 = 20_000;

fn drawn(bytes: usize, draw: fn(&mut Choices) -> String) -> impl Strategy<Value = String> {
    proptest::collection::vec(any::<u8>(), 0..bytes).prop_map(move |bytes| draw(&mut Choices(&bytes)))
}

pub(super) fn filters() -> impl Strategy<Value = String> {
    drawn(100, |choices| choices.filter())
}

pub(super) fn documents() -> impl Strategy<Value = String> {
    drawn(60, |choices| choices.documents())
}

/// Returns the error of an answer.
fn failure(answer: &Result<Outputs, Error>) -> Option<&Error> {
    match answer {
        Ok(outputs) => outputs.failure.as_ref(),
        Err(error) => Some(error),
    }
}

fn text(answer: &Result<Outputs, Error>) -> &str {
    answer.as_ref().map_or("", |outputs| &outputs.text)
}

proptest! {
    #[test]
    fn the_grammar_makes_valid_filters(filter in filters()) {
        if let Err(error) = Filter::compile(&filter) {
            prop_assert_eq!(error.kind, ErrorKind::Limit, "{}: {}", filter, error);
        }
    }

    #[test]
    fn all_strategies_agree(
        filter in filters(),
        documents in proptest::collection::vec((documents(), 1usize..65), 1..4),
    ) {
        if let Some(mut strategies) = Strategies::of(&filter) {
            strategies.query.max_steps = Some(STEPS);
            for (json, part) in documents {
                strategies.assert_agree(json.as_bytes(), part, true);
            }
        }
    }

    #[test]
    fn answers_are_bounded_and_repeatable(filter in filters(), json in documents(), max in 256usize..600) {
        let store = json.into_bytes();
        // Patterns stay in the cache until the next run.
        natives::clear_pattern_cache();
        let reserved = limits::reserved();
        let ask = |steps| {
            let answer = jq(&store, &Query { max_steps: Some(steps), ..query(&filter) }, max);
            natives::clear_pattern_cache();
            assert_eq!(limits::reserved(), reserved, "{filter} leaks memory");
            answer
        };
        let mut before = String::new();
        for steps in [1, 100, 1_500, STEPS] {
            let answer = ask(steps);
            prop_assert_eq!(&ask(steps), &answer);
            prop_assert!(text(&answer).len() <= max);
            prop_assert!(failure(&answer).is_none_or(|failure| failure.message.len() <= 1_024));
            // More steps give more of the same outputs.
            prop_assert!(text(&answer).starts_with(&before), "{filter}: {before} {answer:?}");
            before = text(&answer).to_owned();
        }
        // A filter that ends takes an exact number of steps.
        let stopped = |answer: &_| failure(answer).is_some_and(|failure| failure.message.contains("more than"));
        let whole = ask(STEPS);
        if !stopped(&whole) {
            let (mut too_few, mut enough) = (0, STEPS);
            while enough - too_few > 1 {
                let middle = (too_few + enough) / 2;
                let answer = ask(middle);
                match stopped(&answer) {
                    true => too_few = middle,
                    false => {
                        prop_assert_eq!(&answer, &whole, "{} steps of {}", middle, enough);
                        enough = middle;
                    }
                }
            }
        }
    }
}
