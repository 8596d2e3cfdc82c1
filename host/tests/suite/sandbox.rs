//! The engine in its sandbox: guarantees of this crate beyond the contract.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tuckaway_host::store::{OnDemand, Opens};
use tuckaway_host::{
    Action, ArtifactTool, Block, CallOptions, Content, CountTokens, Dialect, ErrorKind, Gate, JqQuery,
    LineRange, MemoryStore, Policy, Range, ReadOptions, Store, StoreError, ToolOutput, Tuckaway, Turn,
    async_trait,
};

fn output(bytes: usize) -> ToolOutput {
    let text = "a line of a tool's output, as good as any other\n".repeat(bytes / 48 + 1);
    ToolOutput {
        tool: "tool".to_owned(),
        is_error: false,
        blocks: vec![Block { content: Content::Text(text), media_type: None }],
        structured: None,
    }
}

fn turn() -> Turn {
    Turn { context_window: 200_000, used_tokens: 0, tools: ArtifactTool::ALL.to_vec() }
}

/// A store that never answers, or always fails.
#[derive(Clone, Copy)]
enum Fault {
    Hang,
    Fail,
}

#[async_trait]
impl Opens for Fault {
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        match self {
            Fault::Hang => std::future::pending().await,
            Fault::Fail => Err(StoreError::Other("the disk is on fire".to_owned())),
        }
    }
}

#[tokio::test]
async fn the_default_policy_is_the_components() {
    let tuckaway = Tuckaway::builder().build().unwrap();
    for dialect in Dialect::ALL {
        assert_eq!(tuckaway.default_policy(dialect).await.unwrap(), Policy::for_dialect(dialect));
    }
}

#[tokio::test]
async fn an_output_is_stored_and_read_back() {
    let store = MemoryStore::new();
    let tuckaway = Tuckaway::builder().store(store.clone()).build().unwrap();
    let output = output(2_000_000);
    let view = tuckaway.process(&output, &turn(), &Policy::default()).await.unwrap();
    assert_eq!((view.decision.action, view.decision.gate), (Action::Artifact, Gate::Ceiling));
    let [artifact] = view.artifacts.as_slice() else { panic!("{:?}", view.artifacts) };
    assert!(view.text.contains(&artifact.id));
    assert_eq!(tuckaway.list_artifacts().await.unwrap(), std::slice::from_ref(artifact));
    let Content::Text(text) = &output.blocks[0].content else { unreachable!() };
    assert_eq!(store.read(&artifact.id, 0, u32::MAX).await.unwrap(), text.as_bytes());
    let page = tuckaway
        .read(&artifact.id, &Range::Lines(LineRange { start: 2, end: 3 }), &ReadOptions::default())
        .await
        .unwrap();
    assert_eq!(page.text, text[..96]);
    // `decide` returns the same decision and stores nothing.
    let decision = tuckaway.decide(&output, &turn(), &Policy::default()).await.unwrap();
    assert_eq!(decision.gate, Gate::Ceiling);
    assert_eq!(store.list_artifacts().await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_bytes_of_a_file_come_from_the_store() {
    let store = MemoryStore::new();
    let tuckaway = Tuckaway::builder().store(store.clone()).build().unwrap();
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    let id = store.create("shot", "image/jpeg").await.unwrap();
    store.append(&id, png.clone()).await.unwrap();
    store.seal(&id, 3).await.unwrap();
    let arguments = format!("{{\"artifact_id\": \"{id}\"}}");
    let reply = tuckaway.call_tool("artifact_read", &arguments, &CallOptions::default()).await.unwrap();
    let mut media = reply.media.unwrap();
    assert_eq!((media.media_type.as_str(), media.size_bytes), ("image/png", 16));
    assert_eq!(tuckaway.media_bytes(&media).await.unwrap(), png);
    for (fault, kind) in [(Fault::Fail, ErrorKind::Store), (Fault::Hang, ErrorKind::Limit)] {
        let failing =
            Tuckaway::builder().store(OnDemand(fault)).deadline(Duration::from_millis(10)).build().unwrap();
        assert_eq!(failing.media_bytes(&media).await.unwrap_err().kind, kind);
    }
    media.size_bytes += 1;
    assert_eq!(tuckaway.media_bytes(&media).await.unwrap_err().kind, ErrorKind::Store);
    store.delete(&id).await.unwrap();
    assert_eq!(tuckaway.media_bytes(&media).await.unwrap_err().kind, ErrorKind::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_run_concurrently() {
    let tuckaway = Tuckaway::builder().build().unwrap();
    let calls: Vec<_> = (0..40)
        .map(|n| {
            let tuckaway = tuckaway.clone();
            tokio::spawn(async move { tuckaway.truncate(&"x y ".repeat(10_000), 512 + n).await.unwrap() })
        })
        .collect();
    for (n, call) in calls.into_iter().enumerate() {
        let text = call.await.unwrap();
        assert!(text.len() <= 512 + n && text.len() > 256);
    }
}

#[tokio::test]
async fn a_call_that_computes_for_too_long_is_stopped() {
    let tuckaway = Tuckaway::builder().deadline(Duration::from_millis(1)).build().unwrap();
    let text = "[1, \"two\", {\"three\": [null]}]\n".repeat(2_000_000);
    let error = tuckaway.infer_shape(&text, None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert_eq!(
        error.message,
        "This took longer than 1 ms, the host's deadline for a call; narrow the query, or raise the deadline."
    );
}

#[tokio::test]
async fn a_store_that_never_answers_leaves_time_for_a_view() {
    let tuckaway =
        Tuckaway::builder().store(OnDemand(Fault::Hang)).deadline(Duration::from_secs(4)).build().unwrap();
    let error = tuckaway.list_artifacts().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Store);
    assert!(error.message.contains("it did not answer in time"), "{error}");
    let view = tuckaway.process(&output(1 << 20), &turn(), &Policy::default()).await.unwrap();
    assert_eq!(view.decision.action, Action::Truncate);
    assert!(view.text.len() <= 200_000, "{}", view.text.len());
    let failures = &view.decision.failures;
    assert!(
        failures.iter().any(|failure| failure.message.contains("it did not answer in time")),
        "{failures:?}"
    );
}

#[tokio::test]
async fn a_call_that_needs_too_much_memory_is_stopped() {
    let tuckaway = Tuckaway::builder().memory_limit(16 << 20).build().unwrap();
    let error = tuckaway.truncate(&"x".repeat(32 << 20), 512).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert_eq!(
        error.message,
        "This needs more than 16 MiB of memory, the host's limit for a call; narrow the query, or raise the limit."
    );
    assert_eq!(tuckaway.truncate("short", 512).await.unwrap(), "short");
}

#[tokio::test]
async fn a_limit_of_memory_names_the_option_that_raises_it() {
    let output = ToolOutput::text("t", "1\n".repeat(4_000));
    let policy = Policy { max_output_tokens: Some(1), ..Policy::default() };
    const FILTER: &str = "[range(1000000)] | map(tostring)";
    let too_much = |max_memory| JqQuery { filter: FILTER.to_owned(), max_memory, ..JqQuery::default() };
    for (memory_limit, max_memory, expected) in [
        (
            64 << 20,
            None,
            "12 MiB in memory, its share of 32 MiB. Query less at a time; the host can raise memory_limit.",
        ),
        (
            64 << 20,
            Some(8 << 20),
            "3 MiB in memory, its share of 8 MiB. Query less at a time; the host can raise max_memory.",
        ),
        (
            64 << 20,
            Some(32 << 20),
            "12 MiB in memory, its share of 32 MiB. Query less at a time; the host can raise max_memory and memory_limit.",
        ),
    ] {
        let tuckaway = Tuckaway::builder().memory_limit(memory_limit).build().unwrap();
        let view = tuckaway.process(&output, &turn(), &policy).await.unwrap();
        let id = &view.artifacts[0].id;
        let expected = format!("The filter was stopped: it holds more than {expected}");
        let error = tuckaway.jq(id, &too_much(max_memory), None).await.unwrap_err();
        assert_eq!(error.message, expected);
        let after_an_output = JqQuery { filter: format!("1, ({})", FILTER), ..too_much(max_memory) };
        let failure = tuckaway.jq(id, &after_an_output, None).await.unwrap().failure.unwrap();
        assert_eq!((failure.message, failure.arguments), (expected, error.arguments));
    }
}

#[tokio::test]
async fn inputs_of_several_hundred_megabytes_pass() {
    let tuckaway = Tuckaway::builder().deadline(Duration::from_secs(120)).build().unwrap();
    let policy = Policy { enabled: false, ..Policy::default() };
    let output = output(200 << 20);
    let view = tuckaway.process(&output, &turn(), &policy).await.unwrap();
    let Content::Text(text) = &output.blocks[0].content else { unreachable!() };
    assert!(view.text == *text, "{} bytes of {} returned", view.text.len(), text.len());
}

#[tokio::test]
async fn if_the_store_fails_the_view_is_truncated() {
    let tuckaway = Tuckaway::builder().store(OnDemand(Fault::Fail)).build().unwrap();
    let view = tuckaway.process(&output(2_000_000), &turn(), &Policy::default()).await.unwrap();
    assert_eq!(view.decision.action, Action::Truncate);
    assert!(view.text.len() <= 200_000 && view.artifacts.is_empty());
    assert!(
        view.decision.failures[0].message.contains("the disk is on fire"),
        "{:?}",
        view.decision.failures
    );
}

#[tokio::test]
async fn tokens_are_counted_by_the_host() {
    #[derive(Clone, Default)]
    struct Ten(Arc<AtomicUsize>);

    #[async_trait]
    impl CountTokens for Ten {
        async fn count(&self, _: &str) -> Result<u64, String> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(10)
        }
    }

    let ten = Ten::default();
    let tuckaway = Tuckaway::builder().tokens(ten.clone()).build().unwrap();
    let policy = Policy { max_output_tokens: Some(9), ..Policy::default() };
    let decision = tuckaway.decide(&output(100_000), &turn(), &policy).await.unwrap();
    assert_eq!((decision.gate, decision.token_count), (Gate::TokenCap, Some(10)));
    assert_eq!(ten.0.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn an_abandoned_call_does_not_affect_others() {
    let tuckaway = Tuckaway::builder().store(OnDemand(Fault::Hang)).build().unwrap();
    let abandoned = tokio::time::timeout(Duration::from_millis(20), tuckaway.list_artifacts()).await;
    assert!(abandoned.is_err());
    assert_eq!(tuckaway.truncate("short", 512).await.unwrap(), "short");
}

#[cfg(feature = "jit")]
#[test]
fn bytes_that_are_not_an_engine_component_are_refused() {
    let refused = |bytes: &[u8]| Tuckaway::builder().component(bytes).build().unwrap_err().to_string();
    assert!(refused(b"hello").starts_with("loading the component: "));
    // An empty component.
    assert!(refused(b"\0asm\x0d\0\x01\0").contains("tuckaway:context/"));
}

/// A component whose records differ from the contract is refused when the engine is built, not when it
/// is first called.
#[cfg(feature = "jit")]
#[test]
fn a_component_with_another_record_is_refused() {
    let (field, other) = (b"preview-bytes", b"preview-octet");
    let mut component = tuckaway_host::COMPONENT.to_vec();
    let places: Vec<usize> =
        (0..component.len() - field.len()).filter(|at| component[*at..].starts_with(field)).collect();
    places.iter().for_each(|at| component[*at..at + field.len()].copy_from_slice(other));
    assert!(!places.is_empty());
    let error = Tuckaway::builder().component(component).build().unwrap_err().to_string();
    assert!(error.starts_with("loading the component: ") && error.contains("preview-octet"), "{error}");
}
