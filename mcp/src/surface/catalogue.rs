//! The tools that are not listed, as lines of a description.

use serde_json::Value;

use super::level::Compression;
use super::sentence::first_sentence;

/// The maximum size of the lines in a description, for a client that shows all of it.
const MAX_BYTES: usize = 32 << 10;

/// The tools that are not listed.
#[derive(Debug, Default)]
pub struct Catalogue {
    rows: Vec<Row>,
}

/// One tool.
#[derive(Debug)]
struct Row {
    name: String,
    /// The names of the arguments, with `?` after optional ones.
    arguments: String,
    sentence: String,
    compression: Compression,
}

impl Row {
    fn new(name: &str, tool: &Value, compression: Compression) -> Self {
        let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        Row {
            name: name.to_owned(),
            arguments: arguments(tool),
            sentence: first_sentence(description),
            compression,
        }
    }

    fn line(&self, compression: Compression) -> String {
        let Row { name, arguments, sentence, .. } = self;
        match compression {
            Compression::Max => name.clone(),
            Compression::High => format!("{name}({arguments})"),
            _ if sentence.is_empty() => format!("{name}({arguments})"),
            _ => format!("{name}({arguments}): {sentence}"),
        }
    }
}

impl Catalogue {
    /// Adds a tool of a server that is not listed at a level.
    pub fn add(&mut self, name: &str, tool: &Value, compression: Compression) {
        self.rows.push(Row::new(name, tool, compression));
    }

    /// Returns whether all tools are listed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the lines, in at most `max` bytes. If they are longer, all tools lose their
    /// sentences, then their arguments; names that still do not fit are counted.
    pub fn lines(&self, max: usize) -> String {
        let max = max.min(MAX_BYTES);
        for least in [Compression::Medium, Compression::High, Compression::Max] {
            let lines: Vec<String> =
                self.rows.iter().map(|row| row.line(row.compression.max(least))).collect();
            let text = joined(&lines, least);
            if text.len() <= max {
                return text;
            }
        }
        let rest =
            |count: usize| format!("\n… and {count} more: get_tool_schema without tool_name lists all");
        let space = max.saturating_sub(rest(self.rows.len()).len());
        let mut text = String::new();
        for (shown, row) in self.rows.iter().enumerate() {
            let separator = if shown == 0 { "" } else { ", " };
            if text.len() + separator.len() + row.name.len() > space {
                return text + &rest(self.rows.len() - shown);
            }
            text.push_str(separator);
            text.push_str(&row.name);
        }
        text
    }
}

/// Returns all tools as lines with sentences, regardless of their level.
pub fn list<'a>(tools: impl Iterator<Item = (&'a String, &'a Value)>) -> String {
    let lines: Vec<String> = tools
        .map(|(name, tool)| Row::new(name, tool, Compression::Medium).line(Compression::Medium))
        .collect();
    lines.join("\n")
}

/// Joins lines. Names alone share a line.
fn joined(lines: &[String], least: Compression) -> String {
    let are_names = least == Compression::Max || !lines.iter().any(|line| line.contains('('));
    lines.join(if are_names { ", " } else { "\n" })
}

/// Returns the names of a tool's arguments.
fn arguments(tool: &Value) -> String {
    let schema = tool.get("inputSchema");
    let required = schema.and_then(|schema| schema.get("required")).and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|required| required == name));
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let names = properties.into_iter().flat_map(|properties| properties.keys());
    let names: Vec<String> =
        names.map(|name| if is_required(name) { name.clone() } else { format!("{name}?") }).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn catalogue(levels: &[Compression]) -> Catalogue {
        let mut catalogue = Catalogue::default();
        for (index, level) in levels.iter().enumerate() {
            let tool = json!({
                "description": format!("Shows log {index}. Takes long."),
                "inputSchema": { "properties": { "path": {}, "max": {} }, "required": ["path"] }
            });
            catalogue.add(&format!("log_{index}"), &tool, *level);
        }
        catalogue
    }

    #[test]
    fn each_tool_has_the_line_of_its_level() {
        let [medium, high, max] = [Compression::Medium, Compression::High, Compression::Max];
        assert_eq!(
            catalogue(&[medium, high, max]).lines(1_000),
            "log_0(path, max?): Shows log 0\nlog_1(path, max?)\nlog_2"
        );
        assert_eq!(catalogue(&[max, max]).lines(1_000), "log_0, log_1");
        let mut bare = Catalogue::default();
        bare.add("bare", &json!({ "name": "bare" }), medium);
        assert_eq!(bare.lines(1_000), "bare()");
    }

    #[test]
    fn lines_that_do_not_fit_are_shortened_in_steps() {
        let many = catalogue(&[Compression::Medium; 20]);
        let shown = |max: usize| {
            let text = many.lines(max);
            assert!(text.len() <= max, "{text}");
            text
        };
        assert!(shown(1_000).starts_with("log_0(path, max?): Shows log 0\n"));
        assert!(shown(500).starts_with("log_0(path, max?)\nlog_1("));
        assert!(shown(200).starts_with("log_0, log_1, "));
        assert_eq!(
            shown(80),
            "log_0, log_1, log_2\n… and 17 more: get_tool_schema without tool_name lists all"
        );
    }
}
