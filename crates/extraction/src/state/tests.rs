//! States as written, after an accident, and forged.

use tuckaway_contract::{
    ExtractionConfig, ExtractionEvent, ExtractionMode, FailureEvent, ModelReply, ReplyEvent,
};

use super::{SEAL_BYTES, State, seal};
use crate::chunks::Range;
use crate::host::{Error, Format};
use crate::map::{Chunk, Status};
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
    for (sample, work) in samples.iter().zip(["map", "reduce", "search"]) {
        assert!(sample.contains(&format!("\"work\":{{\"{work}\":")), "{sample}");
    }
    (host, samples)
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
    let request = text.split("\"request\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let request = request.unwrap_or("extract-1").to_owned();
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
        let content = &sample[..sample.len() - SEAL_BYTES];
        let mut attempt = |forged: String| {
            let text = forged.clone() + &seal(&forged);
            accepted += usize::from(State::from_json(&text).is_ok());
            try_everything(&host, &text);
        };
        for at in (0..content.len()).filter(|&at| content.is_char_boundary(at)) {
            let (before, after) = content.split_at(at);
            attempt(before.to_owned());
            for inserted in ["9", "99999999999", "18446744073709551615", "-", ".5", "\"", "[", "}"] {
                attempt(format!("{before}{inserted}{after}"));
            }
            for bit in 0..7 {
                let mut bytes = content.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                attempt(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    assert!(accepted > 1_000, "most changes of numbers and letters are accepted: {accepted}");
}

#[test]
fn numbers_of_a_forged_state_may_be_as_large_as_possible() {
    let (host, samples) = samples();
    for sample in samples {
        let content = &sample[..sample.len() - SEAL_BYTES];
        let starts = content.match_indices(':').map(|(at, _)| at + 1);
        for start in starts.filter(|&at| content.as_bytes()[at].is_ascii_digit()) {
            let digits = content[start..].bytes().take_while(u8::is_ascii_digit).count();
            for number in ["0", "4294967295", "18446744073709551615"] {
                let forged = format!("{}{number}{}", &content[..start], &content[start + digits..]);
                try_everything(&host, &(forged.clone() + &seal(&forged)));
            }
        }
    }
}

#[test]
fn a_state_with_other_members_is_malformed() {
    let (_, samples) = samples();
    for sample in samples {
        let content = &sample[..sample.len() - SEAL_BYTES];
        // In every object except the outermost.
        for (at, _) in content.match_indices('{').skip(1) {
            let forged = format!("{}\"other\":[[]],{}", &content[..=at], &content[at + 1..]);
            assert_eq!(refusal(&(forged.clone() + &seal(&forged))).as_deref(), Some(MALFORMED), "{forged}");
        }
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
        "{\"version\":3}",
        "{\"version\":\"1\"}",
        "{\"version\":1.0}",
        "{\"version\":1e999}",
        "{\"version\":-1}",
        "{\"version\":null}",
        "{\"version\":1",
        "{\"version\":\"\\ud800\"}",
        "{\"version\":3,\"version\":1}",
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
    let message = "The state has version 1, but this is version 3: start the extraction again.";
    assert_eq!(refusal(first).as_deref(), Some(message));
    let (_, samples) = samples();
    let next = samples[0].replacen("\"version\":3", "\"version\":4", 1);
    let content = &next[..next.len() - SEAL_BYTES];
    for text in [next.clone(), content.to_owned() + &seal(content)] {
        let message = message.replacen('1', "4", 1);
        assert_eq!(refusal(&text), Some(message));
    }
}

/// Raise the version of states if one of these texts has to change.
#[test]
fn the_text_of_a_state_belongs_to_its_version() {
    let (_, samples) = samples();
    let whole = concat!(
        r#"{"version":3,"artifact":"art_1","extract":"every needle","job":{"#,
        r#""subject":{"artifact":"art_1","tool":"sqlquery","arguments":"{\"q\": 1}","extract":"every needle","nonce":"Nonce4711"},"#,
        r#""config":{"context_tokens":2048,"max_output_tokens":128,"max_full_chunks":1,"long_line_bytes":1000,"#,
        r#""max_chunks":64,"overlap_pct":10,"max_parallel":2,"max_requests":150,"max_tokens":null,"max_turns":12,"#,
        r#""max_tool_calls":40,"max_reply_bytes":16384,"max_answer_bytes":32768},"#,
        r#""size":{"bytes":11200,"lines":700,"tokens":2800},"strategy":"full-chunked","warnings":[],"#,
        r#""usage":{"requests":4,"input_tokens":2338,"output_tokens":22}},"#,
        r#""work":{"map":{"chunks":["#,
        r#"{"range":{"start":0,"own":0,"end":3744},"status":{"done":{"text":"a needle, \"quoted\""}}},"#,
        r#"{"range":{"start":3376,"own":3744,"end":7472},"failures":1,"status":{"open":{"request":"extract-4","tokens":1341}}},"#,
        r#"{"range":{"start":7104,"own":7472,"end":11200},"status":{"open":{"request":"extract-3","tokens":1341}}}],"#,
        r#""header_bytes":0}},"checksum":"94b2b90e60e6ab35"}"#,
    );
    assert_eq!(samples[0], whole);
    let reduce = concat!(
        r#""work":{"reduce":{"chunks":["#,
        r#"{"range":{"start":0,"own":0,"end":3744},"status":{"done":{"text":""}}},"#,
        r#"{"range":{"start":3376,"own":3744,"end":7472},"failures":1,"status":{"done":{"text":""}}},"#,
        r#"{"range":{"start":7104,"own":7472,"end":11200},"status":{"done":{"text":"","is_not_found":true}}}],"#,
        r#""groups":[{"items":["a needle, \"quoted\"","a needle, \"quoted\""],"failures":0,"#,
        r#""open":{"request":"synthesize-5","tokens":315},"text":null}],"#,
        r#""is_cut":false,"is_not_found":false,"failure":null}}"#,
    );
    assert!(samples[1].contains(reduce), "{}", samples[1]);
    let search = concat!(
        r#""work":{"search":{"said":[{"model":{"text":"I read.","calls":["#,
        r#"{"id":"call_0","name":"Read","arguments":"0"},{"id":"call_1","name":"Read","arguments":"4000"}]}},"#,
        r#"{"model":{"text":"Hm.","calls":[]}},"missing_report"],"#,
        r#""open":{"request":"search-4","tokens":725},"failures":1,"#,
        r#""read":[{"start":0,"end":640},{"start":4000,"end":4640}],"is_last":false}}"#,
    );
    assert!(samples[2].contains(search), "{}", samples[2]);
    let chunk = |is_half, status| {
        let chunk = Chunk { range: Range { start: 0, own: 1, end: 2 }, failures: 0, is_half, status };
        serde_json::to_string(&chunk).unwrap()
    };
    assert_eq!(chunk(false, Status::Waiting), r#"{"range":{"start":0,"own":1,"end":2}}"#);
    assert_eq!(
        chunk(true, Status::Failed("why".to_owned())),
        r#"{"range":{"start":0,"own":1,"end":2},"is_half":true,"status":{"failed":"why"}}"#
    );
    assert_eq!(chunk(false, Status::Skipped), r#"{"range":{"start":0,"own":1,"end":2},"status":"skipped"}"#);
}
