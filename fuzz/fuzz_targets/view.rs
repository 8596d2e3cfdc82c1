//! Any output has a bounded view under any policy, and nothing is lost.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tuckaway::{Action, ArtifactTool, Block, Content, Dialect, Engine, Mode, Policy, ToolOutput, Turn};
use tuckaway_fuzz::{OneArtifact, Quarters};
use tuckaway_text::encoding::Encoding;

#[derive(Arbitrary, Debug)]
struct Input {
    bytes: Vec<u8>,
    times: u8,
    is_error: bool,
    truncate: bool,
    dialect: u8,
    floor: u16,
    window: u32,
    used: u32,
    headroom: f64,
    max_view: Option<u16>,
    preview: u16,
}

fuzz_target!(|input: Input| {
    let bytes = input.bytes.repeat(usize::from(input.times));
    let output = ToolOutput {
        tool: "fuzz".to_owned(),
        is_error: input.is_error,
        blocks: vec![Block { content: Content::Bytes(bytes.clone()), media_type: None }],
        structured: None,
    };
    let dialect = Dialect::ALL[usize::from(input.dialect) % Dialect::ALL.len()];
    let policy = Policy {
        dialect,
        mode: if input.truncate { Mode::Truncate } else { Mode::Artifact },
        min_threshold_bytes: input.floor.into(),
        headroom_percentage: input.headroom,
        max_view_bytes: input.max_view.map(u64::from),
        preview_bytes: input.preview.into(),
        ..Policy::default()
    };
    let turn = Turn {
        context_window: input.window.into(),
        used_tokens: input.used.into(),
        tools: ArtifactTool::ALL.into(),
    };
    let store = OneArtifact::default();
    let Ok(view) = Engine::new(&store, &Quarters).process(&output, &turn, &policy) else { return };
    match view.decision.action {
        // Media is passed on unchanged.
        Action::Inline if !view.kept.is_empty() => assert!(view.text.is_empty()),
        // Other binary content is replaced by a description.
        Action::Inline if std::str::from_utf8(&bytes).is_err() && view.text.ends_with(", not shown]") => {
            assert!(view.text.len() <= bytes.len());
        }
        Action::Inline => match Encoding::of(&bytes) {
            Some(encoding) => assert_eq!(view.text, encoding.decode(&bytes)),
            None => assert_eq!(view.text, String::from_utf8_lossy(&bytes)),
        },
        Action::Artifact => {
            // A wrapped result is stored as its content, in up to four sections.
            let is_wrapped = view.artifacts[0].size_bytes != bytes.len() as u64;
            if !is_wrapped {
                assert_eq!(*store.0.borrow(), bytes);
            }
            let section = match dialect {
                Dialect::Cache => input.max_view.map_or(51_200, usize::from).max(768),
                _ => 3_072 + usize::from(input.preview),
            };
            let most = if is_wrapped { 4 * section } else { section };
            assert!(view.text.len() <= most, "{} of {most} bytes: {}", view.text.len(), view.text);
            if dialect == Dialect::Artifact && !is_wrapped {
                serde_json::from_str::<serde_json::Value>(&view.text).expect("an envelope is JSON");
            }
        }
        Action::Truncate => {
            let most = input.max_view.map_or(view.decision.threshold_bytes, u64::from).max(512);
            assert!(view.text.len() as u64 <= most);
            assert!(!view.text.is_empty());
        }
    }
});
