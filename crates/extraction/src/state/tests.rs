//! States as written, after an accident, and forged.

use tuckaway_contract::{
    ExtractionConfig, ExtractionEvent, ExtractionMode, FailureEvent, ModelReply, ReplyEvent,
};

use base64::prelude::*;

use super::{SEAL_BYTES, State, Work, seal};
use crate::host::{Error, Format};
use crate::subject::fingerprint;
use crate::testing::{Doc, advance, config, question, report, said};

const MALFORMED: &str =
    "This is not the state of an extraction: pass the state of the last step unchanged, or start again.";

/// Returns the state after each answer; a missing answer is a failed request.
fn states(host: &Doc, mode: ExtractionMode, answers: &[Option<ModelReply>]) -> Vec<String> {
    let limits = ExtractionConfig { max_parallel: 2, ..config() };
    let mut step = crate::start(host, &question(mode), &limits).unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut states = vec![step.state.clone()];
    for answer in answers {
        open.extend(step.requests.into_iter().map(|request| request.id));
        let request = open.remove(0);
        let event = match answer.clone() {
            Some(reply) => ExtractionEvent::Reply(ReplyEvent { request, reply }),
            None => ExtractionEvent::Failed(FailureEvent { request, why: "HTTP 500".to_owned() }),
        };
        step = advance(host, states.last().unwrap(), &event).unwrap();
        assert!(step.answer.is_none(), "it ends: {:?}", step.answer);
        states.push(step.state.clone());
    }
    states
}

/// Returns a document of three chunks, and three states: one with open, failed and finished
/// chunks, one with an open group, and one of a model that has called tools.
fn samples() -> (Doc, Vec<String>) {
    let host = Doc::new("a line of a log\n".repeat(700), Format::Lines);
    let found = || Some(report("a needle, \"quoted\""));
    let not_found = || Some(report("NO RELEVANT DATA FOUND\nlog lines"));
    let chunks = states(&host, ExtractionMode::FullChunked, &[found(), None, not_found(), found()]);
    let calls = [Some(said("I read.", &["0", "4000"])), Some(said("Hm.", &[])), None];
    let search = states(&host, ExtractionMode::ReadGrep, &calls);
    let last = |states: &[String]| states.last().unwrap().clone();
    let samples = vec![chunks[2].clone(), last(&chunks), last(&search)];
    let works: Vec<Work> = samples.iter().map(|sample| State::from_json(sample).unwrap().work).collect();
    assert!(matches!(works[..], [Work::Map(_), Work::Reduce(_), Work::Search(_)]), "{works:?}");
    (host, samples)
}

/// The member with the data that only this crate reads.
const STATE: &str = "\"state\":\"";

/// Returns the bytes of a state's own form.
fn bytes_of(sample: &str) -> Vec<u8> {
    let (_, encoded) = sample.split_once(STATE).unwrap();
    BASE64_STANDARD.decode(encoded.split('"').next().unwrap()).unwrap()
}

/// Returns a sealed state with other bytes.
fn forged(sample: &str, bytes: &[u8]) -> String {
    let (start, _) = sample.split_once(STATE).unwrap();
    let content = format!("{start}{STATE}{}\"", BASE64_STANDARD.encode(bytes));
    let seal = seal(&content);
    content + &seal
}

/// Returns the message of the error for a text; none if it is a state.
fn refusal(text: &str) -> Option<String> {
    match State::from_json(text) {
        Ok(state) => {
            assert!(state.is_consistent(), "{text}");
            None
        }
        Err(Error::Rejected(error)) => Some(error.message),
        Err(error) => panic!("{error:?} for {text}"),
    }
}

/// Takes every possible step from a text with a valid checksum: none may panic.
fn try_everything(host: &Doc, text: &str) {
    let Ok(state) = State::from_json(text) else { return };
    assert!(state.is_consistent(), "{text}");
    let request = match &state.work {
        Work::Map(_) => "extract-4",
        Work::Reduce(_) => "synthesize-5",
        Work::Search(_) => "search-4",
    };
    let request = request.to_owned();
    for event in [
        ExtractionEvent::Resume,
        ExtractionEvent::Cancel,
        ExtractionEvent::Failed(FailureEvent { request: request.clone(), why: "HTTP 500".to_owned() }),
        ExtractionEvent::Reply(ReplyEvent { request, reply: report("found") }),
    ] {
        let result = crate::step(host, state.clone(), &event);
        assert!(matches!(result, Ok(_) | Err(Error::Rejected(_))), "{result:?} for {text}");
    }
    crate::abandoned(state, "It has expired.");
}

#[test]
fn a_state_is_read_as_it_was_written() {
    let (_, samples) = samples();
    for sample in samples {
        assert_eq!(State::from_json(&sample).unwrap().into_json(), sample);
    }
}

#[test]
fn a_state_that_was_cut_or_changed_at_any_byte_is_malformed() {
    let (_, samples) = samples();
    for sample in samples {
        for at in 0..sample.len() {
            let cut = sample.get(..at).unwrap_or_default();
            assert_eq!(refusal(cut).as_deref(), Some(MALFORMED), "cut at {at}");
            for bit in 0..8 {
                let mut bytes = sample.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let changed = String::from_utf8_lossy(&bytes);
                let message = refusal(&changed).unwrap_or_else(|| panic!("bit {bit} at {at} is not noticed"));
                assert!(message == MALFORMED || message.starts_with("The state has version "), "{message}");
            }
        }
    }
}

#[test]
fn a_forged_state_is_an_error_or_consistent() {
    let (host, samples) = samples();
    let mut accepted = 0;
    for sample in samples {
        let whole = bytes_of(&sample);
        let mut attempt = |bytes: &[u8]| {
            let text = forged(&sample, bytes);
            accepted += usize::from(State::from_json(&text).is_ok());
            try_everything(&host, &text);
        };
        for at in 0..whole.len() {
            let (before, after) = whole.split_at(at);
            attempt(before);
            for inserted in [&[0][..], &[1], &[0x7f], &[0xff], b"\""] {
                attempt(&[before, inserted, after].concat());
            }
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                attempt(&bytes);
            }
        }
    }
    assert!(accepted > 1_000, "most changes of numbers and letters are accepted: {accepted}");
}

#[test]
fn numbers_of_a_forged_state_may_be_as_large_as_possible() {
    let (host, samples) = samples();
    // The numbers of one byte, as which all others are tried too, and the largest of 32 and 64 bits.
    let largest = [&[0xff, 0xff, 0xff, 0xff, 0x0f][..], &[&[0xff; 9][..], &[1]].concat()].map(<[u8]>::to_vec);
    for sample in samples {
        let whole = bytes_of(&sample);
        for at in 0..whole.len() {
            for number in &largest {
                let bytes = [&whole[..at], number, &whole[at + 1..]].concat();
                try_everything(&host, &forged(&sample, &bytes));
            }
        }
    }
}

#[test]
fn a_state_with_more_than_it_needs_is_malformed() {
    let (_, samples) = samples();
    for sample in samples {
        let whole = bytes_of(&sample);
        assert_eq!(refusal(&forged(&sample, &whole)), None);
        assert_eq!(refusal(&forged(&sample, &[&whole[..], &[0]].concat())).as_deref(), Some(MALFORMED));
    }
}

#[test]
fn any_other_text_is_malformed() {
    let nested = ["[", "{\"version\":", "{\"version\":[", "{\"job\":"].map(|start| start.repeat(100_000));
    let texts = [
        "",
        " ",
        "null",
        "0",
        "[2]",
        "[1]",
        "\"version\"",
        "{}",
        "{\"version\":4}",
        "{\"version\":\"1\"}",
        "{\"version\":1.0}",
        "{\"version\":1e999}",
        "{\"version\":-1}",
        "{\"version\":null}",
        "{\"version\":1",
        "{\"version\":\"\\ud800\"}",
        "{\"version\":4,\"version\":1}",
        "\0",
        "\u{feff}{\"version\":1}",
    ];
    for text in texts.into_iter().chain(nested.iter().map(String::as_str)) {
        assert_eq!(refusal(text).as_deref(), Some(MALFORMED), "{:.80}", text);
    }
}

#[test]
fn a_state_of_another_version_is_refused_by_its_version() {
    let first = "{\"version\":1,\"checksum\":\"0123456789abcdef\",\"artifact\":\"art_1\",\"extract\":\"all\",\"values\":[]}";
    let message = "The state has version 1, but this is version 4: start the extraction again.";
    assert_eq!(refusal(first).as_deref(), Some(message));
    let (_, samples) = samples();
    let next = samples[0].replacen("\"version\":4", "\"version\":5", 1);
    let content = &next[..next.len() - SEAL_BYTES];
    for text in [next.clone(), content.to_owned() + &seal(content)] {
        let message = message.replacen('1', "5", 1);
        assert_eq!(refusal(&text), Some(message));
    }
}

/// Raise the version of states if one of these has to change.
#[test]
fn the_text_of_a_state_belongs_to_its_version() {
    let (_, samples) = samples();
    let start = r#"{"version":4,"artifact":"art_1","extract":"every needle","state":""#;
    assert!(samples.iter().all(|sample| sample.starts_with(start)), "{}", samples[0]);
    let texts: Vec<u64> = samples.iter().map(|sample| fingerprint(sample)).collect();
    assert_eq!(texts, [3645477604025161566, 2980033907726936733, 961962970860580509]);
}
