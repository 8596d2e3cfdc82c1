//! Extractions end to end: the component in its sandbox, the driver, the adapters for HTTP
//! APIs, and a scripted server that misbehaves.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tuckaway_host::{
    Answer, AnthropicModel, Block, Content, Endpoint, Estimate, ExtractOptions, ExtractionConfig,
    ExtractionMode, ExtractionOutcome, ExtractionProgress, MemoryStore, Model, ModelError, OpenAiModel,
    Policy, Question, Store, ToolOutput, Tuckaway, Turn,
};
use tuckaway_test_kit::model_server::{Fault, ModelServer};

const KEY: &str = "sk-scripted-secret-key";
const NEEDLE: &str = "the turbine stopped at 04:12";

/// An engine with one artifact.
struct Stored {
    tuckaway: Tuckaway,
    store: Arc<dyn Store>,
    question: Question,
}

fn engine(store: &Arc<dyn Store>) -> Tuckaway {
    let builder = Tuckaway::builder().shared_store(Arc::clone(store)).tokens(Estimate);
    builder.deadline(Duration::from_secs(120)).build().unwrap()
}

async fn stored(text: String) -> Stored {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let tuckaway = engine(&store);
    let output = ToolOutput {
        tool: "monitor".to_owned(),
        is_error: false,
        blocks: vec![Block { content: Content::Text(text), media_type: None }],
        structured: None,
    };
    let turn = Turn { context_window: 1, used_tokens: 0, tools: Vec::new() };
    let policy = Policy { keep_all: true, ..Policy::default() };
    let view = tuckaway.process(&output, &turn, &policy).await.unwrap();
    let question = Question {
        artifact: view.artifacts[0].id.clone(),
        extract: "Say when it happened: \"the turbine stopped\"".to_owned(),
        mode: ExtractionMode::Auto,
        tool_arguments: Some("{\"plant\": 7}".to_owned()),
        nonce: None,
    };
    Stored { tuckaway, store, question }
}

/// A document of one long line.
fn one_line(rows: usize) -> String {
    let row = |n: usize| match n == rows / 2 {
        true => format!("{{\"id\":{n},\"event\":\"{NEEDLE}\"}}"),
        false => format!("{{\"id\":{n},\"event\":\"nothing of note happened in hour {n}\"}}"),
    };
    format!("{{\"events\":[{}]}}", (0..rows).map(row).collect::<Vec<_>>().join(","))
}

fn many_lines(lines: usize) -> String {
    let line = |n: usize| match n == lines * 3 / 4 {
        true => format!("event {n}: {NEEDLE}\n"),
        false => format!("event {n}: nothing of note\n"),
    };
    (0..lines).map(line).collect()
}

fn endpoint(server: &ModelServer) -> Endpoint {
    Endpoint {
        backoff: Duration::from_millis(5),
        timeout: Duration::from_secs(20),
        ..Endpoint::new(server.url(), "scripted", Some(KEY.to_owned()))
    }
}

fn openai(server: &ModelServer) -> OpenAiModel {
    OpenAiModel::new(endpoint(server)).unwrap()
}

fn both(server: &ModelServer) -> [(&'static str, Box<dyn Model>); 2] {
    let anthropic = AnthropicModel::new(endpoint(server)).unwrap();
    [("openai", Box::new(openai(server))), ("anthropic", Box::new(anthropic))]
}

fn server(faults: &[&str], always: Option<&str>) -> ModelServer {
    let faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
    ModelServer::start(faults, always.map(|fault| fault.parse::<Fault>().unwrap())).unwrap()
}

async fn config(tuckaway: &Tuckaway, context_tokens: u64) -> ExtractionConfig {
    tuckaway.extraction_config(context_tokens).await.unwrap()
}

/// Extracts from a document that fits into one request.
async fn from_one_chunk(model: &dyn Model) -> Answer {
    let Stored { tuckaway, question, .. } = stored(one_line(100)).await;
    let config = config(&tuckaway, 16_000).await;
    tuckaway.extract(&question, &config, model, ExtractOptions::new()).await.unwrap()
}

#[tokio::test]
async fn one_long_line_of_json_is_read_in_chunks() {
    for index in 0..2 {
        let server = server(&[], Some("slow:20"));
        let Stored { tuckaway, question, .. } = stored(one_line(10_000)).await;
        let (name, model) = &both(&server)[index];
        let config = config(&tuckaway, 32_000).await;
        let estimate = tuckaway.estimate_extraction(&question, &config).await.unwrap();
        let mut last = ExtractionProgress::default();
        let options = ExtractOptions::new().on_progress(|progress| last = *progress);
        let answer = tuckaway.extract(&question, &config, &**model, options).await.unwrap();
        assert_eq!(
            (answer.outcome, answer.strategy),
            (ExtractionOutcome::Found, ExtractionMode::FullChunked)
        );
        assert!(answer.text.contains(NEEDLE), "{name}: {}", answer.text);
        assert!(answer.text.starts_with("ABSTRACT FROM TOOL OUTPUT monitor WITH HANDLE art_monitor_"));
        assert!(!answer.is_partial && answer.warnings.is_empty(), "{name}: {answer:?}");
        let coverage = &answer.coverage;
        assert!(coverage.chunks > 4 && coverage.chunks == coverage.chunks_done, "{coverage:?}");
        assert_eq!((coverage.read.len(), coverage.read[0].end), (1, coverage.size_bytes));
        assert_eq!(server.asked().len() as u32, answer.usage.requests);
        assert_eq!(estimate.chunks, coverage.chunks);
        // Nothing is put together if only one chunk had it, and not the next one's overlap.
        assert!((estimate.requests - 1..=estimate.requests).contains(&answer.usage.requests), "{name}");
        assert_eq!((last.answered, last.open, last.failed), (answer.usage.requests, 0, 0));
        assert_eq!(answer.usage.input_tokens, 1_000 * u64::from(answer.usage.requests));
        assert_eq!(last.output_tokens, answer.usage.output_tokens);
        assert!((2..=config.max_parallel).contains(&server.most_open()), "{}", server.most_open());
    }
}

#[tokio::test]
async fn many_lines_are_read_and_searched() {
    for index in 0..2 {
        let server = server(&[], None);
        let Stored { tuckaway, question, .. } = stored(many_lines(40_000)).await;
        let (name, model) = &both(&server)[index];
        let config = config(&tuckaway, 32_000).await;
        let answer = tuckaway.extract(&question, &config, &**model, ExtractOptions::new()).await.unwrap();
        assert_eq!((answer.outcome, answer.strategy), (ExtractionOutcome::Found, ExtractionMode::ReadGrep));
        assert!(answer.text.contains(NEEDLE), "{name}: {}", answer.text);
        let asked = server.asked();
        assert_eq!((asked.len(), answer.usage.requests), (3, 3), "{name}: Grep, Read, the answer");
        let tools: Vec<_> = asked.iter().map(|asked| asked.body["tools"].as_array().unwrap().len()).collect();
        assert_eq!(tools, [2, 2, 2], "{name}");
    }
}

#[tokio::test]
async fn the_last_turn_may_call_nothing() {
    for index in 0..2 {
        let server = server(&[], None);
        let Stored { tuckaway, question, .. } = stored(many_lines(40_000)).await;
        let (name, model) = &both(&server)[index];
        let config = ExtractionConfig { max_turns: 2, ..config(&tuckaway, 32_000).await };
        let answer = tuckaway.extract(&question, &config, &**model, ExtractOptions::new()).await.unwrap();
        assert_eq!(answer.outcome, ExtractionOutcome::Found, "{name}: {}", answer.text);
        let choice = &server.asked()[1].body["tool_choice"];
        assert!(choice == "none" || choice["type"] == "none", "{name}: {choice}");
    }
}

#[tokio::test]
async fn what_fails_for_a_while_is_tried_again() {
    let faults = ["slow:50", "429:0", "429", "500", "529", "half", "disconnect", "json", "shape"];
    for fault in faults {
        for index in 0..2 {
            let server = server(&[fault, fault], None);
            let (name, model) = &both(&server)[index];
            let answer = from_one_chunk(&**model).await;
            assert_eq!(answer.outcome, ExtractionOutcome::Found, "{fault}, {name}: {}", answer.text);
            assert!(answer.text.contains(NEEDLE) && answer.warnings.is_empty(), "{fault}, {name}");
            assert_eq!(answer.usage.requests, 1, "{fault}, {name}: the adapter tries again");
        }
    }
}

#[tokio::test]
async fn an_answer_without_a_report_is_asked_for_again() {
    for fault in ["wrapper", "nonce", "silence", "huge", "418"] {
        for index in 0..2 {
            let server = server(&[fault], None);
            let (name, model) = &both(&server)[index];
            let answer = from_one_chunk(&**model).await;
            assert_eq!(answer.outcome, ExtractionOutcome::Found, "{fault}, {name}: {}", answer.text);
            assert_eq!(answer.usage.requests, 2, "{fault}, {name}: the machine tries again");
        }
    }
    // An answer that is cut is one.
    let server = server(&["length"], None);
    let answer = from_one_chunk(&openai(&server)).await;
    assert!(answer.is_partial && answer.text.contains(NEEDLE), "{}", answer.text);
}

#[tokio::test]
async fn hostile_answers_stay_in_their_place() {
    let server = server(&[], Some("hostile"));
    let Stored { tuckaway, question, .. } = stored(one_line(3_000)).await;
    let config = config(&tuckaway, 32_000).await;
    let answer = tuckaway.extract(&question, &config, &openai(&server), ExtractOptions::new()).await.unwrap();
    assert!(!answer.text.contains(['\u{1b}', '\u{7}']), "{:?}", answer.text);
    let asked = server.asked();
    let reduce = asked.last().unwrap().body["messages"][0]["content"].as_str().unwrap();
    let nonce = reduce.rsplit_once("<ai-agent-").unwrap().1.split_once('-').unwrap().0;
    assert!(!answer.text.contains(nonce), "{}", answer.text);
    // Answers for chunks cannot close the tags around them.
    let outputs = reduce.matches(&format!("<chunk-output-{nonce}>")).count();
    assert_eq!(outputs, reduce.matches(&format!("</chunk-output-{nonce}>")).count());
    assert_eq!(outputs as u32, answer.coverage.chunks_done);
}

#[tokio::test]
async fn a_model_that_always_fails_leaves_head_and_tail() {
    for fault in ["500", "half", "wrapper", "json"] {
        let server = server(&[], Some(fault));
        let endpoint = Endpoint { attempts: 2, backoff: Duration::from_millis(1), ..endpoint(&server) };
        let answer = from_one_chunk(&OpenAiModel::new(endpoint).unwrap()).await;
        assert_eq!(answer.outcome, ExtractionOutcome::Truncated, "{fault}: {}", answer.text);
        assert_eq!(answer.strategy, ExtractionMode::Truncate);
        assert!(answer.text.contains("WARNING: full-chunked failed"), "{fault}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_model_that_refuses_for_good_is_not_asked_again() {
    for fault in ["401", "403", "404", "redirect"] {
        let server = server(&[], Some(fault));
        let Stored { tuckaway, question, .. } = stored(one_line(10_000)).await;
        let config = config(&tuckaway, 32_000).await;
        let answer =
            tuckaway.extract(&question, &config, &openai(&server), ExtractOptions::new()).await.unwrap();
        assert_eq!(answer.outcome, ExtractionOutcome::Truncated, "{fault}");
        assert!(server.asked().len() as u32 <= config.max_parallel, "{fault}: {}", server.asked().len());
        let warning = &answer.warnings[0];
        assert!(warning.contains("HTTP"), "{fault}: {warning}");
    }
}

async fn failure(fault: &str, change: impl Fn(Endpoint) -> Endpoint) -> (ModelError, Duration) {
    let server = server(&[], Some(fault));
    let model = OpenAiModel::new(change(endpoint(&server))).unwrap();
    let Stored { tuckaway, question, .. } = stored(one_line(100)).await;
    let step = tuckaway.start_extraction(&question, &config(&tuckaway, 16_000).await).await.unwrap();
    let began = Instant::now();
    let error = model.complete(&step.requests[0]).await.unwrap_err();
    (error, began.elapsed())
}

#[tokio::test]
async fn the_server_says_how_long_to_wait() {
    let (error, took) = failure("429:1", |endpoint| Endpoint { attempts: 2, ..endpoint }).await;
    assert!(took >= Duration::from_secs(1), "{took:?}");
    assert_eq!(error.message, "The model's API is busy or failed (HTTP 429): scripted failure");
    let short = Duration::from_millis(40);
    let (_, took) =
        failure("429:900", |endpoint| Endpoint { attempts: 2, max_wait: short, ..endpoint }).await;
    assert!((short..Duration::from_secs(5)).contains(&took), "{took:?}");
}

#[tokio::test]
async fn what_takes_too_long_ends() {
    let timeout = Duration::from_millis(100);
    let (error, took) = failure("slow:4000", |endpoint| Endpoint { timeout, attempts: 2, ..endpoint }).await;
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(error.message, "The model's API took too long.");
}

#[tokio::test]
async fn no_error_has_the_key() {
    let mut errors = Vec::new();
    for fault in ["echo", "401", "500", "huge", "disconnect"] {
        errors.push(failure(fault, |endpoint| Endpoint { attempts: 1, ..endpoint }).await.0);
    }
    let nowhere = |endpoint| Endpoint {
        base_url: "http://user:secret@127.0.0.1:9/v1".to_owned(),
        attempts: 1,
        ..endpoint
    };
    errors.push(failure("none", nowhere).await.0);
    for error in &errors {
        assert!(!error.message.contains(KEY) && !error.message.contains("secret@"), "{error}");
    }
    assert_eq!(errors[0].message, "The model's API refused the request (HTTP 400): wrong key: [key]");
    let server = server(&[], None);
    let endpoint = endpoint(&server);
    assert!(!format!("{endpoint:?} {:?}", openai(&server)).contains("secret"));
    for (base_url, key) in [("ftp://host", KEY), ("nonsense", KEY), (&*server.url(), "a\nkey")] {
        let wrong = Endpoint::new(base_url, "m", Some(key.to_owned()));
        let error = OpenAiModel::new(wrong).unwrap_err();
        assert!(error.is_permanent && !error.message.contains(key), "{error}");
    }
    // The key goes where the API expects it.
    let models = both(&server);
    for (_, model) in &models {
        assert_eq!(from_one_chunk(&**model).await.outcome, ExtractionOutcome::Found);
    }
    let asked = server.asked();
    assert_eq!(asked[0].header("authorization"), Some(&*format!("Bearer {KEY}")));
    assert_eq!(asked[1].header("x-api-key"), Some(KEY));
}

#[tokio::test]
async fn an_extraction_is_canceled_with_what_it_has() {
    let server = server(&["none", "none", "none", "none", "none", "none"], Some("slow:30000"));
    let Stored { tuckaway, question, .. } = stored(one_line(10_000)).await;
    let config = ExtractionConfig { max_parallel: 2, ..config(&tuckaway, 16_000).await };
    let (answered, watch) = tokio::sync::watch::channel(0);
    let enough = async move {
        let mut watch = watch;
        let _ = watch.wait_for(|answered| *answered >= 6).await;
    };
    let options = ExtractOptions::new().cancel(enough).on_progress(|progress| {
        answered.send_replace(progress.answered);
    });
    let began = Instant::now();
    let answer = tuckaway.extract(&question, &config, &openai(&server), options).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "the open requests are dropped");
    assert!(answer.is_partial || answer.outcome == ExtractionOutcome::Failed, "{answer:?}");
    assert!(answer.warnings.iter().chain([&answer.text]).any(|text| text.contains("canceled")), "{answer:?}");
}

#[tokio::test]
async fn an_extraction_that_was_stopped_is_resumed() {
    for text in [one_line(10_000), many_lines(40_000)] {
        let slow = server(&["none", "none"], Some("slow:30000"));
        let Stored { tuckaway, question, store } = stored(text).await;
        let config = config(&tuckaway, 32_000).await;
        let states = Mutex::new(Vec::new());
        let keep = |state: &str| states.lock().unwrap().push(state.to_owned());
        let model = openai(&slow);
        let extraction = tuckaway.extract(&question, &config, &model, ExtractOptions::new().on_state(keep));
        let two_answers = async {
            while states.lock().unwrap().len() < 3 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            answer = extraction => panic!("it has an answer: {answer:?}"),
            () = two_answers => {}
        }
        // Another engine, which shares only the store, another API.
        let state = states.lock().unwrap().last().unwrap().clone();
        assert!(state.len() < 10_000, "no state has a text of the artifact: {state}");
        let server = server(&[], None);
        let model = AnthropicModel::new(endpoint(&server)).unwrap();
        let answer = engine(&store).resume_extraction(&state, &model, ExtractOptions::new()).await.unwrap();
        assert_eq!(answer.outcome, ExtractionOutcome::Found, "{}", answer.text);
        assert!(answer.text.contains(NEEDLE) && !answer.is_partial, "{}", answer.text);
        assert_eq!(answer.usage.requests, server.asked().len() as u32 + 2);
        let cut = &state[..state.len() - 1];
        let error = engine(&store).resume_extraction(cut, &model, ExtractOptions::new()).await.unwrap_err();
        assert!(error.message.contains("not the state of an extraction"), "{error}");
    }
}

#[tokio::test]
async fn no_model_is_asked_where_none_is_needed() {
    let server = server(&[], None);
    let Stored { tuckaway, mut question, .. } = stored(one_line(5_000)).await;
    let config = config(&tuckaway, 16_000).await;
    question.mode = ExtractionMode::Truncate;
    let answer = tuckaway.extract(&question, &config, &openai(&server), ExtractOptions::new()).await.unwrap();
    assert_eq!(answer.outcome, ExtractionOutcome::Truncated);
    question.artifact = "art_gone_0000000000".to_owned();
    let answer = tuckaway.extract(&question, &config, &openai(&server), ExtractOptions::new()).await.unwrap();
    assert_eq!(answer.outcome, ExtractionOutcome::Failed);
    assert!(answer.text.starts_with("TOOL_OUTPUT FAILED FOR"), "{}", answer.text);
    assert!(server.asked().is_empty());
}
