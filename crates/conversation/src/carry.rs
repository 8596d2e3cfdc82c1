//! Content carried over from the messages that a plan removes: where they can be read, the user's
//! own words, and the artifacts that they name.

use std::collections::HashSet;

use tuckaway_contract::{CompactionConfig, Message, Part, Removal, Role};
use tuckaway_text::{counted, cut, human_bytes};

use crate::draft::{Draft, whole_of};

/// Begins the list of the user's words.
const WORDS: &str = "\nThe user's own words";
/// Begins each line of the user's words.
const WORD: &str = "> ";
/// The share of all words that one message may take.
const WORDS_SHARE: usize = 4;

/// Maximum bytes of an artifact's id, assumed while the id is unknown.
const ID_BYTES: usize = 64;

/// Stores and removes messages, and inserts the texts that `texts` builds from the content carried
/// over, if these and the `added` tokens of other replacements are fewer than the messages had. If
/// the store refuses the messages, they stay.
///
/// Errors: the tokens of the replacement, if they are not fewer.
pub fn replace(
    draft: &mut Draft,
    messages: &[usize],
    removal: Removal,
    config: &CompactionConfig,
    added: u64,
    texts: &dyn Fn(String) -> Vec<String>,
) -> Result<(), u64> {
    let Some(first) = messages.first() else { return Ok(()) };
    let expected = texts(carried(draft, messages, &"0".repeat(ID_BYTES), config));
    let after =
        expected.iter().map(|text| draft.count_message(text, *first)).fold(added, u64::saturating_add);
    if after >= draft.tokens_left(messages) {
        return Err(after);
    }
    if let Some(archive) = draft.archive(messages) {
        let inserted = texts(carried(draft, messages, &archive, config));
        draft.replace(messages, inserted, removal, archive);
    }
    Ok(())
}

/// Returns the text that replaces removed messages. Words and artifacts that an earlier plan
/// carried over are carried over again.
fn carried(draft: &Draft, removed: &[usize], archive: &str, config: &CompactionConfig) -> String {
    let count = counted(removed.len() as u64, "earlier message");
    let mut text = format!(
        "[{count} of this conversation, stored as ref={archive} (NDJSON). Read, search or query it for omitted details.]\n"
    );
    let (words, omitted) = words(draft, removed, max_user_bytes(config));
    if !words.is_empty() {
        text.push_str(WORDS);
        if omitted > 0 {
            text.push_str(&format!(" ({} omitted)", counted(omitted, "earlier message")));
        }
        text.push_str(":\n");
        text.push_str(&words.join("\n"));
    }
    let references = references(draft, removed, config.max_references as usize);
    if !references.is_empty() {
        text.push_str("\nOutputs that can still be read:\n");
        text.push_str(&references.concat());
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns the maximum bytes of the user's words: at most about a tenth of the context limit.
fn max_user_bytes(config: &CompactionConfig) -> usize {
    const TOKEN_BYTES: u64 = 4;
    let limit = config.context_limit.unwrap_or(u64::MAX);
    let max_bytes = config.max_user_bytes.min(limit.saturating_mul(TOKEN_BYTES) / 10);
    usize::try_from(max_bytes).unwrap_or(usize::MAX)
}

/// Returns the user's words in messages, each quoted, in order, and the number of omitted messages.
/// The newest have priority.
fn words(draft: &Draft, removed: &[usize], max_bytes: usize) -> (Vec<String>, u64) {
    let (mut words, mut bytes, mut omitted) = (Vec::new(), 0, 0);
    for index in removed.iter().rev() {
        let message = &draft.conversation.messages[*index];
        let quoted = match message.role {
            _ if message.inserted => quoted_before(message),
            Role::User => vec![quote(message, max_bytes / WORDS_SHARE)],
            _ => continue,
        };
        for quoted in quoted.into_iter().rev().filter(|quoted| !quoted.is_empty()) {
            if bytes + quoted.len() > max_bytes {
                omitted += 1;
                continue;
            }
            bytes += quoted.len();
            words.push(quoted);
        }
    }
    words.reverse();
    (words, omitted)
}

fn quote(message: &Message, max_bytes: usize) -> String {
    let texts: Vec<&str> = texts(message).collect();
    let text = texts.join("\n");
    let text = cut::excerpt(text.trim().to_owned(), max_bytes);
    text.lines().map(|line| [WORD, line, "\n"].concat()).collect()
}

/// Returns the words that an inserted message carries, separately for each original message, so
/// that the newest can be carried over without the others. Quotes in a summary are not the user's.
fn quoted_before(message: &Message) -> Vec<String> {
    let listed = texts(message).filter_map(|text| {
        let (_, listed) = text[text.rfind(WORDS)?..].trim_start().split_once('\n')?;
        Some(listed)
    });
    let quoted = listed.flat_map(|listed| listed.split("\n\n").take_while(|quoted| quoted.starts_with(WORD)));
    quoted.map(|quoted| [quoted.trim_end_matches('\n'), "\n"].concat()).collect()
}

/// Returns a line for each artifact that messages refer to and that can still be read, in
/// order: at most `max`, the newest.
fn references(draft: &Draft, removed: &[usize], max: usize) -> Vec<String> {
    let mut known = HashSet::new();
    let mut lines = Vec::new();
    for index in removed.iter().rev() {
        let message = &draft.conversation.messages[*index];
        let results = message
            .parts
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(part, _)| draft.artifact_at((*index, part)).map(str::to_owned));
        for id in results.chain(carried_before(message)) {
            if lines.len() == max {
                break;
            }
            if !known.insert(id.clone()) {
                continue;
            }
            let Some(stored) = draft.host.about(&id) else { continue };
            let size = human_bytes(stored.size_bytes);
            let tool = cut::excerpt(stored.tool.replace(['\n', '\r'], " "), 64);
            lines.push(format!("- ref={id} {tool}, {}, {size}\n", stored.media_type));
        }
    }
    lines.reverse();
    lines
}

/// Returns the artifacts that an inserted message names, and those with the whole texts of a message of
/// the user, the newest first.
fn carried_before(message: &Message) -> Vec<String> {
    if message.role == Role::User && !message.inserted {
        return texts(message).filter_map(whole_of).map(str::to_owned).collect();
    }
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let after_marks = texts(message).filter(|_| message.inserted).flat_map(|text| text.split("ref=").skip(1));
    let ids = after_marks.map(|text| text.split(|c| !is_of_id(c)).next().unwrap_or_default().to_owned());
    let mut ids: Vec<String> = ids.collect();
    ids.reverse();
    ids
}

fn texts(message: &Message) -> impl Iterator<Item = &str> {
    message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    })
}
