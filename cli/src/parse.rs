//! Parsers for option values: sizes, durations, ranges, lists.

use std::time::Duration;

use tuckaway_host::histories::token_usage;
use tuckaway_host::{ArtifactTool, ArtifactTools, Dialect, MIN_VIEW_BYTES, Preset, TokenUsage};

use crate::choice::Budget;

/// Parses a number of bytes: `4096`, `64K`, `1.5M`, `2GiB`, in powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a size; write it like 4096, 64K or 2M");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let unit = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ => return Err(wrong()),
    };
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(1 << unit).ok_or_else(wrong);
    }
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    match number.is_finite() && number >= 0.0 {
        true => Ok((number * (1_u64 << unit) as f64) as u64),
        false => Err(wrong()),
    }
}

/// Parses the maximum size of a page.
pub fn page_size(text: &str) -> Result<u32, String> {
    match u32::try_from(size(text)?) {
        Ok(size) if size >= 256 => Ok(size),
        _ => Err("a page has at least 256 bytes and less than 4G".to_owned()),
    }
}

/// Parses the maximum size of a truncated view.
pub fn view_size(text: &str) -> Result<u64, String> {
    match size(text)? {
        few if few < MIN_VIEW_BYTES as u64 => {
            Err(format!("a truncated view has at least {MIN_VIEW_BYTES} bytes"))
        }
        bytes => Ok(bytes),
    }
}

/// Parses a duration: `500ms`, `60s`, `5m`, `12h`, `7d`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is not a duration; write it like 500ms, 60s, 5m, 12h or 7d");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let unit = match &text[digits.len()..] {
        "ms" => return Ok(Duration::from_millis(number)),
        "" | "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).map(Duration::from_secs).ok_or_else(wrong)
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

/// Parses a list of artifact tools.
pub fn tools(text: &str) -> Result<ArtifactTools, String> {
    if text == "none" {
        return Ok(ArtifactTools::new());
    }
    text.split(',')
        .map(|name| match name.trim() {
            "read" => Ok(ArtifactTool::Read),
            "grep" => Ok(ArtifactTool::Grep),
            "jq" => Ok(ArtifactTool::Jq),
            name => Err(format!("no such artifact tool: {name:?}; write read, grep, jq or none")),
        })
        .collect()
}

/// Parses the name of a dialect.
pub fn dialect(name: &str) -> Result<Dialect, String> {
    serde_json::from_value(name.into())
        .map_err(|_| format!("no such dialect: {name:?}; write artifact, cache, handle or file"))
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

/// Parses a usage: a total, or the JSON that a provider reported.
pub fn usage(text: &str) -> Result<TokenUsage, String> {
    let usage: serde_json::Value = serde_json::from_str(text)
        .map_err(|_| format!("{text:?} is not a usage; write its total, or its JSON"))?;
    let usage = if usage.is_number() { serde_json::json!({ "input_tokens": usage }) } else { usage };
    token_usage(&usage).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [("0", 0), ("4096", 4096), ("64K", 65_536), ("1.5k", 1536), ("2GiB", 2 << 30)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "-1", "1x", "99999999999G", "nan", "1e3q", "4é"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert!(page_size("255").is_err() && page_size("4G").is_err() && page_size("256") == Ok(256));
        assert!(view_size("511").is_err() && view_size("512") == Ok(512) && view_size("5G") == Ok(5 << 30));
    }

    #[test]
    fn durations() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("7d"), Ok(Duration::from_secs(604_800)));
        for text in ["", "s", "-1s", "1w", "1.5h", "99999999999999999999d"] {
            assert!(duration(text).is_err(), "{text}");
        }
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
        assert_eq!(tools("none"), Ok(ArtifactTools::new()));
        assert_eq!(tools("jq, read"), Ok(ArtifactTools::from([ArtifactTool::Read, ArtifactTool::Jq])));
        assert!(tools("").is_err() && tools("write").is_err());
    }

    #[test]
    fn presets_and_usages() {
        assert!(preset("none").unwrap().0.is_none());
        assert_eq!(preset("code-editing").unwrap().0, Some(Preset::CodeEditing));
        assert!(preset("huge").is_err());
        assert_eq!(usage("1200").unwrap().total_tokens(), 1_200);
        let reported = r#"{"prompt_tokens": 100, "completion_tokens": 20}"#;
        assert_eq!(usage(reported).unwrap().total_tokens(), 120);
        for wrong in ["", "-5", "1.5", "{}", "many", "[]"] {
            assert!(usage(wrong).is_err(), "{wrong}");
        }
    }
}
