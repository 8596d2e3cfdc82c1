//! Parsers for option values: sizes, durations, ranges, lists.

use std::path::PathBuf;

use tuckaway_host::{ArtifactTool, Dialect, HistoryFormat, MIN_VIEW_BYTES, Preset};

pub use tuckaway_text::units::{duration, size};

use crate::choice::Budget;

/// Parses a variable of a filter: its name, and an id or a path.
pub fn variable(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, source)) if !source.is_empty() => Ok((name.to_owned(), PathBuf::from(source))),
        _ => Err(format!("{text:?} is not a variable; write NAME=ID or NAME=FILE")),
    }
}

/// Parses a glob of tools and the filter for their results.
#[cfg(feature = "mcp")]
pub fn glob_and_filter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((glob, filter)) if !glob.is_empty() && !filter.trim().is_empty() => {
            Ok((glob.to_owned(), filter.to_owned()))
        }
        _ => Err(format!("{text:?} is not a filter for tools; write GLOB=FILTER, such as 'db_*=.rows'")),
    }
}

/// Parses the maximum size of a page.
pub fn page_size(text: &str) -> Result<u32, String> {
    match u32::try_from(size(text)?) {
        Ok(size) if size >= 256 => Ok(size),
        _ => Err("the size of a page must be at least 256 bytes and less than 4G".to_owned()),
    }
}

/// Parses the maximum size of a truncated view.
pub fn view_size(text: &str) -> Result<u64, String> {
    match size(text)? {
        few if few < MIN_VIEW_BYTES as u64 => {
            Err(format!("the size of a truncated view must be at least {MIN_VIEW_BYTES} bytes"))
        }
        bytes => Ok(bytes),
    }
}

/// A selection of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// From 1, both ends included.
    Range(u64, u64),
    /// This number of lines at the end.
    Last(u64),
}

/// Parses a range of lines, both ends included, or a number of last lines.
pub fn lines(text: &str) -> Result<Lines, String> {
    let wrong = || {
        format!(
            "{text:?} is not a range of lines; write A:B, A:, :B or A, with lines counted from 1, or -N: for the last N"
        )
    };
    if let Some(count) = text.strip_prefix('-') {
        let count = count.strip_suffix(':').and_then(|count| count.parse().ok());
        return count.filter(|&count| count > 0).map(Lines::Last).ok_or_else(wrong);
    }
    let (first, last) = match text.split_once(':') {
        Some((first, last)) => (first, last),
        None => (text, text),
    };
    range(text, first, last, 1)
        .filter(|(first, last)| 1 <= *first && first <= last)
        .map(|(first, last)| Lines::Range(first, last))
        .ok_or_else(wrong)
}

/// Parses a range of bytes, its end excluded.
pub fn bytes(text: &str) -> Result<(u64, u64), String> {
    text.split_once(':')
        .and_then(|(start, end)| range(text, start, end, 0))
        .filter(|(start, end)| start <= end)
        .ok_or_else(|| {
            format!("{text:?} is not a range of bytes; write A:B, A: or :B, with bytes counted from 0")
        })
}

fn range(text: &str, first: &str, last: &str, start: u64) -> Option<(u64, u64)> {
    let number = |end: &str, open: u64| match end {
        "" => Some(open),
        end => end.parse().ok(),
    };
    (text != ":" && !text.is_empty()).then_some(())?;
    Some((number(first, start)?, number(last, u64::MAX)?))
}

/// A list of tools, which is one value of the command line.
pub type Tools = Vec<ArtifactTool>;

/// Parses a list of artifact tools.
pub fn tools(text: &str) -> Result<Tools, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let tool = |name: &str| {
        ArtifactTool::from_name(name.trim())
            .ok_or_else(|| format!("no such artifact tool: {name:?}; write read, grep, jq or none"))
    };
    let tools = text.split(',').map(tool).collect::<Result<Vec<_>, _>>()?;
    Ok(ArtifactTool::sorted(&tools).collect())
}

/// Parses the name of a dialect.
pub fn dialect(name: &str) -> Result<Dialect, String> {
    serde_json::from_value(name.into())
        .map_err(|_| format!("no such dialect: {name:?}; write artifact, cache, handle or file"))
}

/// Parses the program that a client runs as the proxy.
#[cfg(feature = "mcp")]
pub fn program(text: &str) -> Result<String, String> {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    match name {
        // `tuckaway mcp install` recognises the proxy by this name later.
        "tuckaway" | "tuckaway.exe" => Ok(text.to_owned()),
        _ => Err(format!("{text:?} is not named tuckaway; write the path of a program with this name")),
    }
}

/// Parses the name of a format of histories.
pub fn format(name: &str) -> Result<HistoryFormat, String> {
    HistoryFormat::from_name(name).ok_or_else(|| {
        let names = HistoryFormat::ALL.map(HistoryFormat::name).join(", ");
        format!("{name:?} is not a format; use one of {names}.")
    })
}

/// Parses the name of a preset of budgets.
pub fn preset(name: &str) -> Result<Budget, String> {
    if name == "none" {
        return Ok(Budget(None));
    }
    let preset: Result<Preset, _> = serde_json::from_value(name.replace('-', "_").into());
    preset.map(|preset| Budget(Some(preset))).map_err(|_| {
        format!(
            "no such preset: {name:?}; write general, customer-support, code-editing, research, voice, automation or none"
        )
    })
}

/// Parses a usage: a total, or the JSON that a provider reported. Returns JSON.
pub fn usage(text: &str) -> Result<String, String> {
    let usage: serde_json::Value = serde_json::from_str(text)
        .map_err(|_| format!("{text:?} is not a token usage; write a total, or the provider's JSON"))?;
    let usage = if usage.is_number() { serde_json::json!({ "input_tokens": usage }) } else { usage };
    Ok(usage.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_minimum() {
        assert!(page_size("255").is_err() && page_size("4G").is_err() && page_size("256") == Ok(256));
        assert!(view_size("511").is_err() && view_size("512") == Ok(512) && view_size("5G") == Ok(5 << 30));
    }

    #[test]
    fn ranges() {
        assert_eq!(lines("3:7"), Ok(Lines::Range(3, 7)));
        assert_eq!(lines(":7"), Ok(Lines::Range(1, 7)));
        assert_eq!(lines("3:"), Ok(Lines::Range(3, u64::MAX)));
        assert_eq!(lines("3"), Ok(Lines::Range(3, 3)));
        assert_eq!(lines("-100:"), Ok(Lines::Last(100)));
        assert_eq!(bytes(":7"), Ok((0, 7)));
        assert_eq!(bytes("0:"), Ok((0, u64::MAX)));
        for text in ["", ":", "0:5", "7:3", "a:b", "1:2:3", "-1:2"] {
            assert!(lines(text).is_err(), "{text}");
        }
        assert!(bytes("5").is_err() && bytes("7:3").is_err());
    }

    #[test]
    fn tool_lists() {
        assert_eq!(tools("none"), Ok(Vec::new()));
        assert_eq!(tools("jq, read"), Ok(vec![ArtifactTool::Read, ArtifactTool::Jq]));
        assert!(tools("").is_err() && tools("write").is_err());
    }

    #[cfg(feature = "mcp")]
    #[test]
    fn programs_are_recognised_by_their_names() {
        for path in ["tuckaway", "/opt/bin/tuckaway", "C:\\bin\\tuckaway.exe"] {
            assert_eq!(program(path).as_deref(), Ok(path));
        }
        assert!(program("/opt/bin/other").is_err() && program("").is_err());
    }

    #[test]
    fn presets_and_usages() {
        assert!(preset("none").unwrap().0.is_none());
        assert_eq!(preset("code-editing").unwrap().0, Some(Preset::CodeEditing));
        assert!(preset("huge").is_err());
        assert_eq!(usage("1200").unwrap(), r#"{"input_tokens":1200}"#);
        assert_eq!(usage(r#"{ "prompt_tokens": 100 }"#).unwrap(), r#"{"prompt_tokens":100}"#);
        for wrong in ["", "many"] {
            assert!(usage(wrong).is_err(), "{wrong}");
        }
    }
}
