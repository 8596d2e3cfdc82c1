//! The tools of an extraction's sub-agent: [`dialects::pinned`](super::dialects::pinned) on
//! one artifact.

use tuckaway_contract::{Error, ToolDefinition};
use tuckaway_extraction::Reply;

use super::dialects::pinned::TABLE;
use super::dialects::{Query, Reading};
use super::schema::Detail;
use super::{Arguments, answer, definition, replied, reply, wording};
use crate::ports::Store;
use crate::query::read::LineStyle;
use crate::query::{self, Target};

/// Returns the definitions of `Read` and `Grep`.
pub(crate) fn definitions() -> Vec<ToolDefinition> {
    TABLE.tools.iter().map(|tool| definition(tool, Detail::Full)).collect()
}

/// Runs `Read` or `Grep` on the artifact `id`, as [`call`](super::call) runs a tool. Another
/// file and another tool are mistakes of the model.
///
/// Errors: `invalid-input` for a `max_bytes` under 256, `store` for a failure of the store.
pub(crate) fn call(
    store: &dyn Store,
    id: &str,
    name: &str,
    arguments: &str,
    max_bytes: u32,
) -> Result<Reply, Error> {
    let max = query::page_bytes(Some(max_bytes))?;
    let mut read = None;
    let reply = replied(run(store, id, (name, arguments), max, &mut read), max)?;
    Ok(Reply { text: reply.text, is_error: reply.is_error, read })
}

fn run(
    store: &dyn Store,
    id: &str,
    (name, json): (&str, &str),
    max: usize,
    read: &mut Option<(u64, u64)>,
) -> Result<tuckaway_contract::ToolReply, Error> {
    let tool = TABLE.tools.iter().find(|tool| tool.name == name);
    let tool =
        tool.ok_or_else(|| Error::invalid(wording::only_read_and_grep(tuckaway_text::cut::head(name, 80))))?;
    let arguments = Arguments::parse(&tool.signature(), json)?;
    let named = arguments.text("filename").unwrap_or_default().trim();
    if named != id {
        return Err(Error::invalid(wording::other_file(tuckaway_text::cut::head(named, 160), id)));
    }
    let target = Target { store, id, words: TABLE.words };
    match &tool.query {
        Query::Read(Reading::Lines { range, more }) => {
            let range = range(&arguments)?;
            let page_bytes = max - reply::NOTICE_BYTES;
            let page = query::read::page(&target.open()?, &range, LineStyle::Numbered, page_bytes)?;
            *read = Some(page.bytes);
            Ok(reply::read(&page, target.words.noun, *more))
        }
        _ => answer(&target, tool, &arguments, max),
    }
}
