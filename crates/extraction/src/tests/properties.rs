//! Properties that hold for every document, limit, model and changed state.

use proptest::prelude::*;
use tuckaway_contract::{ExtractionConfig, ExtractionEvent, Question};

use super::{FULL, SEARCH, lines};
use crate::chunks::{self, Range};
use crate::host::{Error, Format};
use crate::testing::{Doc, NONCE, advance, config, last_message, question, report, run, said};

/// The parts of a message that could be taken for our frame.
fn frames(message: &str) -> usize {
    message.matches(NONCE).count()
}

proptest! {
    #[test]
    fn chunks_cover_the_document(
        text in "([a-z{}\\[\\],\":\n é👩‍👩‍👧]|\\{\"a\": [0-9]{1,3}\\},?){0,400}",
        count in 1u64..20,
        overlap in 0u32..=50,
        format in prop_oneof![Just(Format::Lines), Just(Format::Json), Just(Format::Table)],
    ) {
        let host = Doc::new(text, format);
        let whole = Range { start: 0, own: 0, end: host.bytes.len() as u64 };
        let ranges = chunks::cut(&host, whole, count, overlap).unwrap();
        let mut at = 0;
        let share = whole.end / count;
        for range in &ranges {
            prop_assert_eq!(range.own, at);
            prop_assert!(range.start <= range.own && range.own < range.end);
            prop_assert!(range.own - range.start <= share * u64::from(overlap) / 100);
            // Not within a character.
            let text = std::str::from_utf8(&host.bytes).unwrap();
            prop_assert!(text.is_char_boundary(range.start as usize) && text.is_char_boundary(range.end as usize));
            at = range.end;
        }
        prop_assert_eq!(at, whole.end);
    }

    #[test]
    fn chunks_are_balanced_by_records(
        count in 2u64..20,
        records in 400usize..900,
        length in 8usize..40,
        overlap in 0u32..=50,
        format in prop_oneof![Just(Format::Lines), Just(Format::Json), Just(Format::Table)],
    ) {
        let (text, first) = match format {
            Format::Json => (format!("[{}]", vec![format!("\"{}\"", "x".repeat(length - 3)); records].join(",")), 1),
            _ => (format!("{}\n", "x".repeat(length - 1)).repeat(records), 0),
        };
        let size = text.len() as u64;
        // A record is near enough if it is within a twentieth of a chunk.
        prop_assume!(size / count / 20 >= length as u64);
        let host = Doc::new(text, format);
        let ranges = chunks::cut(&host, Range { start: 0, own: 0, end: size }, count, overlap).unwrap();
        prop_assert_eq!(ranges.len() as u64, count);
        let records_before = |at: u64| at.saturating_sub(first).div_ceil(length as u64);
        let records: Vec<u64> = ranges.iter().map(|range| records_before(range.end) - records_before(range.own)).collect();
        prop_assert!(records.iter().max().unwrap() - records.iter().min().unwrap() <= 1, "{:?}", records);
        for range in &ranges[1..] {
            prop_assert_eq!((range.own - first) % length as u64, 0);
            // The requested share is repeated, give or take less than a record; of a
            // longer record, only its end.
            let wanted = size / count * u64::from(overlap) / 100;
            let repeated = range.own - range.start;
            prop_assert!(repeated <= wanted && wanted < repeated + length as u64, "{repeated} of {wanted}");
            if wanted >= length as u64 {
                prop_assert_eq!((range.start - first) % length as u64, 0);
            }
        }
    }

    #[test]
    fn the_machine_ends_whatever_the_model_does(
        script in proptest::collection::vec(0u8..7, 1..60),
        full in any::<bool>(),
        size in 1usize..1_500,
    ) {
        let host = Doc::new(lines(size), Format::Lines);
        let mut at = 0;
        let mode = if full { FULL } else { SEARCH };
        let limits = ExtractionConfig { max_chunks: 1_024, max_parallel: 3, ..config() };
        let (answer, requests) = run(&host, &question(mode), &limits, &mut |_| {
            at += 1;
            match script[at % script.len()] {
                0 => None,
                1 => Some(said("nothing to say", &[])),
                2 => Some(said("", &["17", "4000"])),
                3 => Some(report("NO RELEVANT DATA FOUND")),
                4 => Some(said(&format!("<ai-agent-{NONCE}-FINAL format=\"text\">cut"), &[])),
                5 => Some(said(&"long ".repeat(4_000), &["0"; 40])),
                _ => Some(report("a needle, \"00000001 a line of a log\"")),
            }
        });
        prop_assert!(requests.len() <= limits.max_requests as usize);
        prop_assert!(answer.text.len() <= limits.max_answer_bytes as usize);
        for request in &requests {
            prop_assert!(request.input_tokens <= limits.context_tokens - limits.max_output_tokens);
        }
    }

    #[test]
    fn nothing_leaves_its_place_in_a_prompt(
        hostile in "(Nonce4711|\n|</document-chunk-|<ai-agent-|-FINAL>|OUTPUT FORMAT \\(required\\)|SOURCE TOOL|[a-z>\"]){1,60}",
    ) {
        let host = Doc::new(hostile.clone(), Format::Lines);
        let asked = Question {
            extract: format!("x{hostile}"),
            tool_arguments: Some(hostile),
            ..question(FULL)
        };
        let (_, requests) = run(&host, &asked, &config(), &mut |_| Some(report("x")));
        prop_assert_eq!(frames(last_message(&requests[0])), 2);
        let system = &requests[0].system;
        prop_assert_eq!(frames(system), 2);
        for heading in ["SOURCE TOOL", "OUTPUT FORMAT (required)"] {
            prop_assert_eq!(system.lines().filter(|line| line.trim_start().starts_with(heading)).count(), 1);
        }
    }

    #[test]
    fn a_changed_state_is_an_error(at in 0usize..4_000, byte in any::<u8>(), cut in any::<bool>()) {
        let host = Doc::new(lines(600), Format::Lines);
        let step = crate::start(&host, &question(FULL), &config()).unwrap();
        let mut state = step.state.clone().into_bytes();
        let at = at % state.len();
        if cut { state.truncate(at) } else { state[at] = byte }
        let state = String::from_utf8_lossy(&state).into_owned();
        if state != step.state {
            let result = advance(&host, &state, &ExtractionEvent::Resume);
            prop_assert!(matches!(result, Err(Error::Rejected(_))));
        }
    }
}
