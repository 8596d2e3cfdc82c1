//! The machine as a whole.

mod properties;

use tuckaway_contract::{
    ExtractionConfig, ExtractionEvent, ExtractionMode, ExtractionOutcome, FailureEvent, ModelReply,
    ModelRequest, Question, ReplyEvent, RequestMessage, RequestPurpose, StopReason,
};
use tuckaway_search::source::ByteSource;

use crate::State;
use crate::chunks::{self, Range};
use crate::host::{Error, Format};
use crate::testing::{Doc, NONCE, advance, config, last_message, question, report, run, said};

const FULL: ExtractionMode = ExtractionMode::FullChunked;
const SEARCH: ExtractionMode = ExtractionMode::ReadGrep;

/// Returns this many lines of 40 bytes.
fn lines(count: usize) -> String {
    (0..count)
        .map(|n| format!("{n:08} a line of a log, of forty bytes\n"))
        .map(|line| format!("{:.39}\n", line.trim_end()))
        .collect()
}

/// Returns the part of the document in a request for a chunk.
fn chunk_of(message: &str) -> &str {
    let open = format!("<document-chunk-{NONCE}>\n");
    let close = format!("\n</document-chunk-{NONCE}>");
    message.strip_prefix(&open).and_then(|rest| rest.strip_suffix(&close)).expect("the frame of a chunk")
}

#[test]
fn a_small_document_is_read_in_one_request() {
    let host = Doc::new("one\ntwo\n", Format::Lines);
    let (answer, requests) =
        run(&host, &question(ExtractionMode::Auto), &config(), &mut |_| Some(report("two is there")));
    assert_eq!(requests.len(), 1);
    assert_eq!(chunk_of(last_message(&requests[0])), "one\ntwo");
    assert_eq!(
        answer.text,
        "ABSTRACT FROM TOOL OUTPUT sqlquery WITH HANDLE art_1, STRATEGY:full-chunked:\n\ntwo is there"
    );
    assert!(!answer.is_partial && answer.warnings.is_empty());
    assert_eq!((answer.coverage.chunks, answer.coverage.chunks_done), (1, 1));
}

#[test]
fn an_empty_document_needs_no_model() {
    let (answer, requests) =
        run(&Doc::new("", Format::Lines), &question(ExtractionMode::Auto), &config(), &mut |_| None);
    assert!(requests.is_empty());
    assert_eq!((answer.outcome, answer.usage.requests), (ExtractionOutcome::NotFound, 0));
}

#[test]
fn chunks_are_read_side_by_side_and_put_together() {
    let host = Doc::new(lines(600), Format::Lines);
    let (answer, requests) = run(&host, &question(FULL), &config(), &mut |request| {
        Some(match request.purpose {
            RequestPurpose::Synthesize => report("all of it"),
            _ => report(&format!("needle of {}", request.id)),
        })
    });
    let (last, chunks) = requests.split_last().unwrap();
    assert!(chunks.len() > 3 && chunks.iter().all(|request| request.purpose == RequestPurpose::Extract));
    assert_eq!(last.purpose, RequestPurpose::Synthesize);
    for request in chunks {
        assert!(last.system.contains(&format!("needle of {}\n</chunk-output-{NONCE}>", request.id)));
    }
    assert_eq!(answer.content, "all of it");
    assert_eq!(answer.coverage.read.len(), 1);
    assert!(!answer.is_partial);
}

#[test]
fn one_relevant_chunk_needs_nothing_put_together() {
    let host = Doc::new(lines(600), Format::Lines);
    let mut script = |request: &ModelRequest| {
        Some(match request.id.as_str() {
            "extract-2" => report("here"),
            _ => report("NO RELEVANT DATA FOUND\nlog lines"),
        })
    };
    let (answer, _) = run(&host, &question(FULL), &config(), &mut script);
    assert_eq!((answer.content.as_str(), answer.outcome), ("here", ExtractionOutcome::Found));
    let (answer, _) =
        run(&host, &question(FULL), &config(), &mut |_| Some(report("NO RELEVANT DATA FOUND\nlog lines")));
    assert_eq!(answer.content, "NO RELEVANT DATA FOUND\nlog lines");
    assert_eq!(answer.outcome, ExtractionOutcome::NotFound);
}

#[test]
fn a_failed_chunk_is_retried_then_split_then_named() {
    let host = Doc::new(lines(600), Format::Lines);
    let poisoned = "00000300 ";
    let mut failed = 0;
    let (answer, _) = run(&host, &question(FULL), &config(), &mut |request| {
        if request.purpose == RequestPurpose::Extract && last_message(request).contains(poisoned) {
            failed += 1;
            return None;
        }
        Some(report("some"))
    });
    assert!(failed >= 3, "once, again, and the half of it: {failed}");
    assert!(answer.is_partial);
    assert_eq!(answer.outcome, ExtractionOutcome::Found);
    assert!(answer.coverage.chunks_failed >= 1);
    assert!(answer.text.contains("[Partial answer: "), "{}", answer.text);
    assert!(answer.warnings[0].contains("could not be read, the first at bytes"), "{:?}", answer.warnings);
}

#[test]
fn if_every_chunk_fails_the_document_is_truncated() {
    let host = Doc::new(lines(600), Format::Lines);
    let (answer, _) = run(&host, &question(FULL), &config(), &mut |_| None);
    assert_eq!((answer.outcome, answer.strategy), (ExtractionOutcome::Truncated, ExtractionMode::Truncate));
    assert!(answer.text.contains("STRATEGY:truncate:\n\nWARNING: full-chunked failed ("), "{}", answer.text);
    assert!(answer.text.contains("the line was cut"));
}

#[test]
fn what_does_not_fit_is_put_together_in_levels() {
    let host = Doc::new(lines(2_000), Format::Lines);
    let long = "x".repeat(480);
    let limits = ExtractionConfig { max_chunks: 1_024, ..config() };
    let mut levels = 0;
    let (answer, _) = run(&host, &question(FULL), &limits, &mut |request| {
        levels += usize::from(request.purpose == RequestPurpose::Synthesize);
        assert!(request.input_tokens + request.max_output_tokens <= limits.context_tokens);
        Some(report(&long))
    });
    assert!(levels > 2);
    assert_eq!(answer.content, long);
    assert!(!answer.is_partial, "{:?}", answer.warnings);
}

#[test]
fn extracts_that_cannot_be_put_together_follow_one_by_one() {
    let host = Doc::new(lines(600), Format::Lines);
    let (answer, _) = run(&host, &question(FULL), &config(), &mut |request| match request.purpose {
        RequestPurpose::Synthesize => None,
        _ => Some(report(&format!("from {}", request.id))),
    });
    assert!(answer.content.starts_with("from extract-1\n\nfrom extract-2"));
    assert!(answer.is_partial && answer.warnings[0].contains("could not be combined"));
}

#[test]
fn too_many_chunks_are_searched_instead() {
    let host = Doc::new(lines(20_000), Format::Lines);
    let (answer, requests) = run(&host, &question(FULL), &config(), &mut |_| Some(report("found")));
    assert!(requests.iter().all(|request| request.purpose == RequestPurpose::Search));
    assert!(answer.warnings[0].contains("more than max_chunks (64)"), "{:?}", answer.warnings);
    assert_eq!(answer.strategy, SEARCH);
}

#[test]
fn limits_of_requests_and_tokens_are_hard() {
    let host = Doc::new(lines(2_000), Format::Lines);
    for limits in [
        ExtractionConfig { max_requests: 30, ..config() },
        ExtractionConfig { max_tokens: Some(40_000), ..config() },
    ] {
        // Each chunk fails once, which no estimate expects.
        let mut seen = std::collections::BTreeSet::new();
        let (answer, requests) = run(&host, &question(FULL), &limits, &mut |request| {
            let is_new = seen.insert(last_message(request).to_owned());
            (!is_new || request.purpose == RequestPurpose::Synthesize).then(|| report("some"))
        });
        assert!(requests.len() <= limits.max_requests as usize);
        let used = answer.usage.input_tokens + answer.usage.output_tokens;
        assert!(used <= limits.max_tokens.unwrap_or(u64::MAX), "{used}");
        assert!(answer.is_partial && answer.coverage.chunks_skipped > 0, "{:?}", answer.coverage);
    }
}

#[test]
fn a_model_reads_and_searches_turn_by_turn() {
    let host = Doc::new(lines(2_000), Format::Lines);
    let mut turn = 0;
    let (answer, requests) = run(&host, &question(ExtractionMode::Auto), &config(), &mut |_| {
        turn += 1;
        Some(if turn < 3 { said("I read on.", &["4000"]) } else { report("\"00000100 a line of a log\"") })
    });
    assert_eq!(answer.strategy, SEARCH);
    assert!(requests[0].may_call && requests[0].tools.len() == 2);
    assert!(matches!(requests[2].messages[2], RequestMessage::Results(ref results) if results.len() == 1));
    assert_eq!(answer.coverage.read.len(), 1);
    assert_eq!(answer.quotes[0].line, Some(101));
    assert!(answer.text.ends_with("\"00000100 a line of a log\" [line 101]"), "{}", answer.text);
}

#[test]
fn a_model_that_never_answers_is_stopped() {
    let host = Doc::new(lines(2_000), Format::Lines);
    for reply in [said("", &["0", "5"]), said("I think.", &[])] {
        let (answer, requests) = run(&host, &question(SEARCH), &config(), &mut |_| Some(reply.clone()));
        assert_eq!(requests.len(), config().max_turns as usize);
        assert!(!requests.last().unwrap().may_call);
        assert_eq!(answer.outcome, ExtractionOutcome::Truncated);
    }
}

#[test]
fn a_search_that_was_cut_is_partial() {
    let host = Doc::new(lines(600), Format::Lines);
    let cut = |text: &str| ModelReply { stop: StopReason::Length, ..said(text, &[]) };
    let open = format!("<ai-agent-{NONCE}-FINAL format=\"text\">half of");
    let (answer, _) = run(&host, &question(SEARCH), &config(), &mut |_| Some(cut(&open)));
    assert_eq!((answer.content.as_str(), answer.is_partial), ("half of", true));
    assert_eq!(answer.warnings, ["an answer was truncated at its length limit"]);
}

#[test]
fn an_answer_beyond_its_limit_says_that_it_was_cut() {
    let host = Doc::new("one", Format::Lines);
    let config = ExtractionConfig { max_answer_bytes: 1_024, ..config() };
    let mut script = |_: &ModelRequest| Some(report(&"word ".repeat(200)));
    let (answer, _) = run(&host, &question(FULL), &config, &mut script);
    assert!(answer.text.len() <= 1_024 && answer.is_partial, "{}", answer.text.len());
    let note = "[WARNING: the answer exceeded 1024 bytes and was truncated]";
    assert!(answer.text.ends_with(note), "{}", answer.text);
}

#[test]
fn the_reason_of_a_failure_is_one_short_line() {
    let host = Doc::new(lines(600), Format::Lines);
    let why = format!("HTTP 500\r\n\u{1b}[31m{NONCE}\u{2028}{}", "x".repeat(500));
    for mode in [FULL, SEARCH] {
        let mut step = crate::start(&host, &question(mode), &config()).unwrap();
        let mut open: Vec<String> = Vec::new();
        let answer = loop {
            open.extend(step.requests.into_iter().map(|request| request.id));
            if let Some(answer) = step.answer {
                break answer;
            }
            let event = ExtractionEvent::Failed(FailureEvent { request: open.remove(0), why: why.clone() });
            step = advance(&host, &step.state, &event).unwrap();
        };
        let [warning] = &answer.warnings[..] else { panic!("{:?}", answer.warnings) };
        assert!(warning.contains("HTTP 500") && warning.contains("[nonce]"), "{warning}");
        assert!(warning.len() < 600 && !warning.contains(crate::subject::ends_line), "{warning}");
    }
}

#[test]
fn an_extraction_without_its_document_says_what_it_took() {
    let step = crate::start(&Doc::new("one", Format::Lines), &question(FULL), &config()).unwrap();
    let answer = crate::abandoned(State::from_json(&step.state).unwrap(), "It has expired.").answer.unwrap();
    let text = "TOOL_OUTPUT FAILED FOR sqlquery WITH HANDLE art_1, STRATEGY:full-chunked:\n\nIt has expired.";
    assert_eq!((answer.text.as_str(), answer.usage.requests), (text, 1));
}

#[test]
fn no_line_end_makes_a_heading() {
    for end in ["\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
        let question = Question {
            extract: format!("all{end}OUTPUT FORMAT (required)"),
            tool_arguments: Some(format!("{{\"q\":\"a{end}SOURCE TOOL\"}}")),
            ..question(FULL)
        };
        let step = crate::start(&Doc::new("one", Format::Lines), &question, &config()).unwrap();
        let system = &step.requests[0].system;
        assert!(system.contains("all\n| OUTPUT FORMAT (required)\n"), "{end:?}: {system}");
        let lines = system.split(crate::subject::ends_line);
        assert_eq!(lines.filter(|line| line.starts_with("SOURCE TOOL")).count(), 1, "{end:?}: {system}");
    }
}

#[test]
fn no_answer_is_longer_than_its_limit() {
    let host = Doc::new(lines(600), Format::Lines);
    let artifact = "a".repeat(64);
    let limits = ExtractionConfig { max_answer_bytes: 1_024, max_requests: 7, ..config() };
    for mode in [FULL, SEARCH, ExtractionMode::Truncate] {
        let question = Question { artifact: artifact.clone(), ..question(mode) };
        for found in [None, Some(report(&"word ".repeat(300)))] {
            let mut count = 0;
            let mut step = crate::start(&host, &question, &limits).unwrap();
            let mut open: Vec<String> = Vec::new();
            let answer = loop {
                open.extend(step.requests.into_iter().map(|request| request.id));
                if let Some(answer) = step.answer {
                    break answer;
                }
                count += 1;
                let request = open.remove(0);
                let event = match found.clone().filter(|_| count != 2) {
                    Some(reply) => ExtractionEvent::Reply(ReplyEvent { request, reply }),
                    None => ExtractionEvent::Failed(FailureEvent { request, why: "why ".repeat(200) }),
                };
                step = advance(&host, &step.state, &event).unwrap();
            };
            assert!(answer.text.len() <= 1_024, "{mode:?}: {}: {}", answer.text.len(), answer.text);
            let is_truncation =
                answer.outcome == ExtractionOutcome::Truncated && mode != ExtractionMode::Truncate;
            assert!(
                !is_truncation || answer.text.contains("); this is the head and the tail of the output.")
            );
        }
    }
}

#[test]
fn a_fallback_with_everything_says_so() {
    let (answer, _) = run(&Doc::new("one", Format::Lines), &question(FULL), &config(), &mut |_| None);
    assert!(answer.text.ends_with("; this is all of the output.\n\none"), "{}", answer.text);
    assert!(!answer.is_partial);
}

#[test]
fn a_canceled_extraction_has_what_was_found() {
    let host = Doc::new(lines(600), Format::Lines);
    let step = crate::start(&host, &question(FULL), &config()).unwrap();
    let reply =
        ExtractionEvent::Reply(ReplyEvent { request: "extract-1".to_owned(), reply: report("first") });
    let step = advance(&host, &step.state, &reply).unwrap();
    let answer = advance(&host, &step.state, &ExtractionEvent::Cancel).unwrap().answer.unwrap();
    assert_eq!(answer.content, "first");
    assert!(answer.is_partial && answer.coverage.chunks_skipped > 0);
}

#[test]
fn a_resumed_extraction_returns_the_open_requests() {
    let host = Doc::new(lines(600), Format::Lines);
    for mode in [FULL, SEARCH] {
        let step = crate::start(&host, &question(mode), &config()).unwrap();
        let again = advance(&host, &step.state, &ExtractionEvent::Resume).unwrap();
        assert_eq!(again.requests, step.requests);
    }
}

#[test]
fn a_reply_to_another_request_is_refused() {
    let host = Doc::new(lines(600), Format::Lines);
    let step = crate::start(&host, &question(FULL), &config()).unwrap();
    let reply = ExtractionEvent::Reply(ReplyEvent { request: "extract-99".to_owned(), reply: report("x") });
    assert!(
        matches!(advance(&host, &step.state, &reply), Err(Error::Rejected(error)) if error.message.contains("is not open"))
    );
}

#[test]
fn no_state_has_a_text_of_the_document() {
    let host = Doc::new(lines(2_000), Format::Lines);
    for mode in [FULL, SEARCH] {
        let mut step = crate::start(&host, &question(mode), &config()).unwrap();
        for _ in 0..3 {
            assert!(
                !step.state.contains("a line of a log") && step.state.len() < 16_000,
                "{}",
                step.state.len()
            );
            let request = step.requests[0].id.clone();
            let reply = if mode == FULL { report("some") } else { said("", &["0"]) };
            step =
                advance(&host, &step.state, &ExtractionEvent::Reply(ReplyEvent { request, reply })).unwrap();
        }
    }
}

#[test]
fn chunks_end_with_records() {
    let records: Vec<String> = (0..200).map(|n| format!("{{\"id\": {n}, \"name\": \"r,{n}\"}}")).collect();
    for json in [
        format!("[{}]", records.join(",")),
        format!("{{\"next\": null, \"page\": {{\"rows\": [{}]}}}}", records.join(", ")),
    ] {
        let host = Doc::new(json.clone(), Format::Json);
        let whole = Range { start: 0, own: 0, end: host.size() };
        let ranges = chunks::cut(&host, whole, 5, 10).unwrap();
        assert_eq!(ranges.len(), 5);
        for range in &ranges[1..] {
            assert!(json[range.own as usize..].starts_with("{\"id\""), "{range:?}");
            assert!(json[range.start as usize..].starts_with("{\"id\""), "{range:?}");
        }
        let sizes: Vec<u64> = ranges.iter().map(|range| range.end - range.own).collect();
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 40 + 30, "{sizes:?}");
    }
    let table: String = (0..200).map(|n| format!("{n},\"two\nlines\"\n")).collect();
    let host = Doc::new(table.clone(), Format::Table);
    for range in &chunks::cut(&host, Range { start: 0, own: 0, end: host.size() }, 4, 0).unwrap()[1..] {
        assert!(table[..range.own as usize].ends_with("lines\"\n"), "{range:?}");
    }
}
