//! The envelope: what a model gets in place of an output that was put away.

use super::MIN_ENVELOPE_BYTES;
use crate::model::{Artifact, ArtifactTool, ArtifactTools};
use crate::offload::wording::{AS_ABOVE, how_to_access};
use tuckaway_content::{self as content, DEFAULT_OUTLINE_BYTES, Inspected, Kind, Layout, Middle};
use tuckaway_json::write::{escaped_len, quote};
use tuckaway_text::cut::head;

/// An error's message is shown in this much at least, whatever the policy says
/// of previews.
const MIN_ERROR_PREVIEW_BYTES: usize = 1_024;

/// What an envelope is made of.
pub struct Contents<'a> {
    /// Where the output is.
    pub artifact: &'a Artifact,
    /// What it is: as the store says, unless that is nothing to show a model.
    pub media_type: &'a str,
    /// What is in it.
    pub looked: &'a Inspected,
    /// The output as text, cleaned; where it is a sample, as much as the preview takes.
    pub text: &'a str,
    /// See [`shows_sample`].
    pub is_sample: bool,
    /// Its tokens, if they are known.
    pub token_count: Option<u64>,
    /// The tool failed: the preview shows why.
    pub is_error: bool,
    /// What the model can call, as far as it is of use here: see [`of_use`].
    pub tools: &'a [ArtifactTool],
    /// What an envelope above it in the same view has said the use of.
    pub told: &'a [ArtifactTool],
    /// Bound of the preview, escapes counted.
    pub preview_bytes: usize,
}

/// A record of more than this is not cut for its preview, which takes longer than all
/// else that is done with it.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// In less room than this the head of a record says more than bits of its members.
const MIN_RECORD_ROOM: usize = 256;

/// Whether the preview is the head alone: of rows, as the shape says what comes later,
/// unless they tell of an error. A record may say last how it ended.
pub fn shows_sample(kind: Kind, is_error: bool, bytes: &[u8]) -> bool {
    let is_record = || bytes.trim_ascii_start().starts_with(b"{") && bytes.len() <= MAX_RECORD_BYTES;
    match kind {
        Kind::JsonSequence => !is_error,
        Kind::Json => !is_error && !is_record(),
        _ => false,
    }
}

/// Of what the model can call, what has an answer for such an artifact.
pub fn of_use(tools: &ArtifactTools, looked: &Inspected) -> Vec<ArtifactTool> {
    let answers = |tool: &ArtifactTool| match tool {
        ArtifactTool::Read => true,
        ArtifactTool::Grep => !looked.kind.is_media(),
        ArtifactTool::Jq => looked.is_queryable,
    };
    tools.iter().filter(answers).collect()
}

/// The envelope in at most `max_bytes`, which is at least
/// [`MIN_ENVELOPE_BYTES`]. First the five keys that an agent may rely on, then
/// what is known beside, each member on a line of its own.
pub fn envelope(contents: &Contents<'_>, max_bytes: usize) -> String {
    let head = lines_before_shape(contents);
    let tail = lines_after_shape(contents);
    let fixed = head.len() + tail.len() + "{\n\n}".len();
    let room = max_bytes.max(MIN_ENVELOPE_BYTES).saturating_sub(fixed + ",\n  \"shape\": {}".len());
    let wanted = match contents.is_error {
        true => contents.preview_bytes.max(MIN_ERROR_PREVIEW_BYTES),
        false => contents.preview_bytes,
    };
    // An error's message comes before its shape, any other preview after it.
    let preview_room = if contents.is_error { room * 3 / 4 } else { room / 3 }.min(wanted);
    let preview = preview_line(contents, preview_room);
    let shape_room = (room + "{}".len()).saturating_sub(preview.len()).min(DEFAULT_OUTLINE_BYTES);
    let shape = contents.looked.to_json(shape_room, &Layout::NESTED);
    format!("{{\n{head}  \"shape\": {shape}{tail}{preview}\n}}")
}

fn lines_before_shape(contents: &Contents<'_>) -> String {
    let artifact = contents.artifact;
    format!(
        "  \"artifact_id\": {},\n  \"size_bytes\": {},\n  \"line_count\": {},\n",
        quote(&artifact.id),
        artifact.size_bytes,
        artifact.line_count
    )
}

fn lines_after_shape(contents: &Contents<'_>) -> String {
    let tools: Vec<String> = contents
        .tools
        .iter()
        .map(|&tool| {
            let words = if contents.told.contains(&tool) { AS_ABOVE } else { how_to_access(tool) };
            format!("\n    {}: {}", quote(tool.name()), quote(words))
        })
        .collect();
    let tools = if tools.is_empty() { "{}".to_owned() } else { format!("{{{}\n  }}", tools.join(",")) };
    let mut lines = format!(",\n  \"how_to_access\": {tools}");
    lines += &format!(",\n  \"media_type\": {}", quote(contents.media_type));
    if let Some(tokens) = contents.token_count {
        lines += &format!(",\n  \"token_count\": {tokens}");
    }
    if contents.is_error {
        lines += ",\n  \"is_error\": true";
    }
    lines
}

/// The preview as a member of its own in at most `room` bytes, or nothing.
fn preview_line(contents: &Contents<'_>, room: usize) -> String {
    const LEAD: &str = ",\n  \"preview\": ";
    let Some(room) = room.checked_sub(LEAD.len() + "\"\"".len()).filter(|&room| room >= 16) else {
        return String::new();
    };
    // What its shape says of it is all that there is to read.
    let says_all = contents.looked.kind.is_media() || contents.looked.kind == Kind::Base64;
    if says_all && !contents.is_error {
        return String::new();
    }
    let is_short = room < MIN_RECORD_ROOM && contents.looked.kind == Kind::Json && !contents.is_error;
    let is_sample = contents.is_sample || is_short;
    let (mut max, mut middle) = (room, Middle::default());
    loop {
        let preview = if is_sample {
            format!("{}...", head(contents.text, max.saturating_sub("...".len())))
        } else {
            content::truncate_again(contents.text, contents.looked.kind, max, &mut middle)
        };
        match escaped_len(&preview).checked_sub(room) {
            None | Some(0) => return format!("{LEAD}{}", quote(&preview)),
            Some(over) if over < max => max -= over,
            Some(_) => max /= 2,
        }
        if max < 8 {
            return String::new();
        }
    }
}
