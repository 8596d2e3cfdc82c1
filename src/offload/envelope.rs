//! The envelope: describes a stored output to the model.

use std::cell::RefCell;

use tuckaway_contract::{Artifact, ArtifactTool, Dialect};

use super::MIN_ENVELOPE_BYTES;
use crate::offload::wording::AS_ABOVE;
use crate::tools::dialects::artifact::how_to_access;
use tuckaway_content::{self as content, Inspected, Layout, Middle};
use tuckaway_json::compact::compact;
use tuckaway_json::write::{escaped_len, quote};
use tuckaway_text::cut::head;

/// The preview of an error message gets at least this many bytes, whatever the policy says.
const MIN_ERROR_PREVIEW_BYTES: usize = 1_024;

/// Maximum bytes of the shape. The model pays for an envelope in every later turn, and queries the
/// rest. With 1,216 bytes, the outputs of `cargo xtask bench views` show what the next question needs.
const SHAPE_BYTES: usize = 1_216;

/// Pretty JSON is at most this many times as long as the same JSON without white space.
const MAX_SPACING: usize = 4;

/// The data of an envelope.
pub struct EnvelopeFields<'a> {
    /// The artifact that holds the output.
    pub artifact: &'a Artifact,
    /// The store's media type if it may be shown to a model, otherwise the detected one.
    pub media_type: &'a str,
    /// Its detected kind and its outline.
    pub inspected: &'a Inspected,
    /// The output as clean text; for a sample, as much as the preview needs.
    pub text: &'a str,
    /// Findings of the inspection that truncation reuses, if the text is the same.
    pub middle: Option<&'a RefCell<Middle>>,
    /// See [`shows_sample`].
    pub is_sample: bool,
    /// Its number of tokens, if counted.
    pub token_count: Option<u64>,
    /// Whether the tool failed; the preview then shows the message.
    pub is_error: bool,
    /// The tools to offer: see [`useful_tools`].
    pub tools: &'a [ArtifactTool],
    /// The tools that an earlier envelope of the same view explains.
    pub explained: &'a [ArtifactTool],
    /// Maximum bytes of the preview, including escapes.
    pub preview_bytes: usize,
}

/// Below this many bytes, the head of a record is more useful than fragments of its members.
const MIN_RECORD_BYTES: usize = 256;

/// Returns whether the preview shows only the head. It does for rows that report no error, because
/// the shape describes the later rows; a record, in contrast, may have its result at the end.
pub fn shows_sample(inspected: &Inspected, is_error: bool, bytes: &[u8]) -> bool {
    !is_error && !inspected.reports_failure() && inspected.kind.is_sampled(bytes)
}

/// Returns the number of bytes at the head of an output from which its sample is made.
pub fn sampled_bytes(preview_bytes: usize) -> usize {
    preview_bytes.saturating_mul(MAX_SPACING)
}

/// Returns the tools that the model can call and that support such an artifact.
pub fn useful_tools(tools: &[ArtifactTool], inspected: &Inspected) -> Vec<ArtifactTool> {
    let answers = |tool: &ArtifactTool| match tool {
        ArtifactTool::Read => true,
        ArtifactTool::Grep => !inspected.kind.is_media(),
        ArtifactTool::Jq => inspected.is_queryable,
    };
    ArtifactTool::sorted(tools).filter(answers).collect()
}

/// Returns the envelope in at most `max_bytes`, which is at least [`MIN_ENVELOPE_BYTES`]: first the
/// five keys that an agent may rely on, then the optional keys, one member per line.
pub fn envelope(fields: &EnvelopeFields<'_>, max_bytes: usize) -> String {
    let head = lines_before_shape(fields);
    let tail = lines_after_shape(fields);
    let fixed = head.len() + tail.len() + "{\n\n}".len();
    let budget = max_bytes.max(MIN_ENVELOPE_BYTES).saturating_sub(fixed + ",\n  \"shape\": {}".len());
    let wanted = match fields.is_error {
        true => fields.preview_bytes.max(MIN_ERROR_PREVIEW_BYTES),
        false => fields.preview_bytes,
    };
    // An error's message comes before its shape, any other preview after it.
    let preview_limit = if fields.is_error { budget * 3 / 4 } else { budget / 3 }.min(wanted);
    let preview = preview_line(fields, preview_limit);
    let shape_limit = (budget + "{}".len()).saturating_sub(preview.len()).min(SHAPE_BYTES);
    let shape = fields.inspected.to_json(shape_limit, &Layout::NESTED);
    format!("{{\n{head}  \"shape\": {shape}{tail}{preview}\n}}")
}

fn lines_before_shape(fields: &EnvelopeFields<'_>) -> String {
    let artifact = fields.artifact;
    format!(
        "  \"artifact_id\": {},\n  \"size_bytes\": {},\n  \"line_count\": {},\n",
        quote(&artifact.id),
        artifact.size_bytes,
        artifact.line_count
    )
}

fn lines_after_shape(fields: &EnvelopeFields<'_>) -> String {
    let tools: Vec<String> = fields
        .tools
        .iter()
        .map(|&tool| {
            let words = if fields.explained.contains(&tool) { AS_ABOVE } else { how_to_access(tool) };
            let name = Dialect::Artifact.tools_of(&[tool]).next().unwrap_or_default();
            format!("\n    {}: {}", quote(name), quote(words))
        })
        .collect();
    let tools = if tools.is_empty() { "{}".to_owned() } else { format!("{{{}\n  }}", tools.join(",")) };
    let mut lines = format!(",\n  \"how_to_access\": {tools}");
    lines += &format!(",\n  \"media_type\": {}", quote(fields.media_type));
    if let Some(tokens) = fields.token_count {
        lines += &format!(",\n  \"token_count\": {tokens}");
    }
    if fields.is_error {
        lines += ",\n  \"is_error\": true";
    }
    lines
}

/// Returns the preview's member in at most `limit` bytes, or the empty string.
fn preview_line(fields: &EnvelopeFields<'_>, limit: usize) -> String {
    const LEAD: &str = ",\n  \"preview\": ";
    let Some(limit) = limit.checked_sub(LEAD.len() + "\"\"".len()).filter(|&limit| limit >= 16) else {
        return String::new();
    };
    // The shape already describes all readable content.
    let shape_suffices = fields.inspected.kind.is_opaque();
    if shape_suffices && !fields.is_error {
        return String::new();
    }
    let has_records = fields.inspected.kind.is_json();
    let is_short = limit < MIN_RECORD_BYTES && has_records && !fields.is_error;
    let is_sample = fields.is_sample || is_short;
    let own = RefCell::default();
    let middle = &mut *fields.middle.unwrap_or(&own).borrow_mut();
    let mut max = limit;
    loop {
        let preview = if is_sample {
            let max = max.saturating_sub("...".len());
            let text = match has_records {
                true => &compact(fields.text, max, usize::MAX, |_| None),
                false => fields.text,
            };
            format!("{}...", head(text, max))
        } else {
            content::truncate_again(fields.text, fields.inspected.kind, max, middle)
        };
        let escaped = escaped_len(&preview);
        let Some(over) = escaped.checked_sub(limit).filter(|&over| over > 0) else {
            return format!("{LEAD}{}", quote(&preview));
        };
        max = match over < max {
            // JSON often uses less than its limit. With exactly that limit it would be truncated to
            // the same text.
            true if has_records => (max - over).min(preview.len() - 1),
            true => max - over,
            false => max / 2,
        };
        if max < 8 {
            return String::new();
        }
    }
}
