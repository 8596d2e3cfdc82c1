//! The dialects: each has a table of its tools, the words of its messages, and the form in which
//! the model sees a stored output. A new dialect needs a file here, a case of [`Dialect`] and a
//! line in [`table`].

pub(crate) mod artifact;
pub(super) mod cache;
mod file;
mod file_names;
pub(super) mod handle;
pub(super) mod pinned;

use tuckaway_contract::{
    Artifact, ArtifactTool, Dialect, Error, Expiry, GrepQuery, JqQuery, JqVariable, Match, Policy, Range,
};

use super::arguments::Arguments;
use super::parameters::{Parameter, Signature};
use super::wording;
use crate::ports::Store;
use crate::query::Words;
use crate::query::characters::CharacterPage;
use crate::query::read::ReadPage;

/// A dialect.
#[derive(Debug)]
pub(crate) struct Table {
    /// In the order in which they are defined.
    pub tools: &'static [Tool],
    /// The words of the queries' messages.
    pub words: &'static Words,
    /// Returns the id of the artifact that a model names.
    pub resolve: fn(&dyn Store, &str) -> Result<String, Error>,
    /// Explains that no artifact has a name; if none, the store's message is used.
    pub missing: Option<fn(Missing, &str) -> String>,
    /// How the model sees a stored output.
    pub view: View,
}

/// Why an artifact cannot be read.
#[derive(Clone, Debug)]
pub(crate) enum Missing {
    NotFound,
    Expired(Option<Expiry>),
}

/// A tool of a dialect.
#[derive(Debug)]
pub(crate) struct Tool {
    pub name: &'static str,
    /// The flags of the contract; any one of them offers the tool.
    pub flags: &'static [ArtifactTool],
    /// The description for the model.
    pub description: &'static str,
    /// The description in brief definitions, if the tool has them.
    pub brief: Option<&'static str>,
    /// In the order of the schema; the first parameter names the artifact.
    pub parameters: &'static [Parameter],
    /// The members of its schema, in order.
    pub schema_members: [&'static str; 4],
    pub query: Query,
}

impl Tool {
    /// Returns the signature of its calls.
    pub(crate) fn signature(&self) -> Signature {
        Signature { name: self.name, parameters: self.parameters }
    }

    /// Returns whether the model can call it.
    pub(crate) fn is_offered(&self, tools: &[ArtifactTool]) -> bool {
        tools.iter().any(|tool| self.flags.contains(tool))
    }
}

/// The query that a tool runs.
#[derive(Debug)]
pub(crate) enum Query {
    Read(Reading),
    Grep(Grep),
    /// Its filter is the argument of this name.
    Jq(&'static str),
}

/// What a tool reads of an artifact, the conversion of its arguments, and the notice that says how to
/// continue.
#[derive(Debug)]
pub(crate) enum Reading {
    /// Lines with their numbers, or bytes. `more` is for a page with a cursor.
    Lines { range: fn(&Arguments) -> Result<Range, Error>, more: fn(&ReadPage, &str) -> String },
    /// Characters: the first one, and the one before which to stop. `more` is for a page that is
    /// not the last, with the requested end.
    Characters {
        range: fn(&Arguments) -> (u64, Option<u64>),
        more: fn(&CharacterPage, Option<u64>) -> String,
    },
    /// Information that a model describes in words; in the mode `truncate`, the head and the tail.
    Extract,
}

/// How a dialect searches, and how it shows matches.
#[derive(Debug)]
pub(crate) struct Grep {
    /// The flag that makes a pattern plain text, and the value that does so; none if patterns are
    /// never plain text.
    pub literal: Option<(&'static str, bool)>,
    /// The flag that ignores case, and the value that does so.
    pub ignore_case: (&'static str, bool),
    /// The argument that limits the matches.
    pub limit: &'static str,
    pub position: MatchPosition,
    /// Says where to read a truncated line, given its match and the position of the match.
    pub read_on: fn(&Match, u64) -> String,
}

impl Grep {
    /// Returns the query of a call.
    pub(super) fn query(&self, arguments: &Arguments) -> GrepQuery {
        let is = |(flag, value): (&str, bool)| arguments.flag(flag) == value;
        // A dialect has at most one of the names.
        let integer = |names: &[&str]| names.iter().find_map(|name| arguments.integer(name));
        // The query rejects all large numbers in the same way.
        let saturated = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        GrepQuery {
            pattern: arguments.text("pattern").unwrap_or_default().to_owned(),
            fixed_string: self.literal.is_some_and(is),
            ignore_case: is(self.ignore_case),
            invert: arguments.flag("invert"),
            before_context: saturated(integer(&["before_context", "before", "context"]).unwrap_or(0)),
            after_context: saturated(integer(&["after_context", "after", "context"]).unwrap_or(0)),
            each_match: true,
            // Models pass 0 for a number that they do not want to set.
            max_matches: arguments.integer(self.limit).filter(|&most| most > 0).map(saturated),
            cursor: arguments.cursor(),
        }
    }
}

/// Returns the query of a call that runs a jq filter, which is the argument of this name.
///
/// Errors: `invalid-input` for malformed variables.
pub(super) fn jq(arguments: &Arguments, filter: &str) -> Result<JqQuery, Error> {
    Ok(JqQuery {
        filter: arguments.text(filter).unwrap_or_default().to_owned(),
        raw: arguments.flag("raw"),
        compact: arguments.flag("compact"),
        slurp: arguments.flag("slurp"),
        null_input: arguments.flag("null_input"),
        max_steps: None,
        max_memory: None,
        variables: variables(arguments.text("variables").unwrap_or_default())?,
        save_as: arguments.text("save_as").map(str::to_owned),
        cursor: arguments.cursor(),
    })
}

/// Parses variables: `users=ID teams=ID`.
fn variables(text: &str) -> Result<Vec<JqVariable>, Error> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let parse = |word: &str| match word.split_once('=') {
        Some((name, id)) => {
            // Models write the name as the filter does.
            let name = name.strip_prefix('$').unwrap_or(name).to_owned();
            Ok(JqVariable { name, artifact: id.to_owned() })
        }
        None => Err(Error::invalid(wording::malformed_variables(word))),
    };
    words.map(parse).collect()
}

/// The position that is shown with a match, in addition to its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchPosition {
    /// The byte, if the line has several matches.
    Byte,
    /// The character.
    Character,
    Nothing,
}

/// How the model sees a stored output.
#[derive(Debug)]
pub(crate) enum View {
    /// The envelope.
    Envelope,
    Message(Message),
}

/// A message that replaces an output.
#[derive(Debug)]
pub(crate) struct Message {
    /// Writes the message in at most the given number of bytes, which is at least 768.
    pub write: fn(&Stored<'_>, usize) -> String,
    /// Returns the maximum bytes of the message.
    pub max_bytes: fn(&Policy) -> u64,
    /// Whether the message states the tokens of the output.
    pub counts_tokens: bool,
}

/// A stored output, for its message.
pub(crate) struct Stored<'a> {
    pub store: &'a dyn Store,
    pub artifact: &'a Artifact,
    /// Its tokens, counted or estimated; 0 if the message does not state them.
    pub tokens: u64,
    /// Its text as a model may see it, or a note if it is not text.
    pub text: &'a str,
    /// Whether `text` is from the output itself.
    pub is_text: bool,
    /// The flags of the tools that the model can call and that support it.
    pub tools: &'a [ArtifactTool],
    pub policy: &'a Policy,
}

impl Stored<'_> {
    /// Returns whether the model can call any tool that has this flag.
    pub(crate) fn has(&self, tool: ArtifactTool) -> bool {
        self.tools.contains(&tool)
    }
}

/// Returns the table of a dialect.
pub(crate) fn table(dialect: Dialect) -> &'static Table {
    match dialect {
        Dialect::Artifact => &artifact::TABLE,
        Dialect::Cache => &cache::TABLE,
        Dialect::Handle => &handle::TABLE,
        Dialect::File => &file::TABLE,
    }
}

/// Returns the tool of this name, and its dialect.
pub(super) fn find(name: &str) -> Option<(&'static Table, &'static Tool)> {
    let tables = Dialect::ALL.into_iter().map(table);
    tables
        .flat_map(|table| table.tools.iter().map(move |tool| (table, tool)))
        .find(|(_, tool)| tool.name == name)
}

/// Returns an id unchanged.
fn own_id(_: &dyn Store, id: &str) -> Result<String, Error> {
    Ok(id.to_owned())
}

#[cfg(test)]
mod tests;
