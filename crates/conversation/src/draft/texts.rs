//! Large texts of the user, which keep their start and their end.

use tuckaway_text::{cut, human_bytes};

/// The tool name of stored texts.
pub(super) const TOOL: &str = "user_message";
/// Begins the line that replaces the omitted text.
const OMITTED: &str = "[… ";
/// Comes before the artifact in this line.
const REF: &str = " omitted; ref=";

/// Returns the start and the end of a text, together at most `keep` bytes, around a line with the
/// size of the omitted text and the artifact of the whole text.
pub(super) fn shortened(text: &str, artifact: &str, keep: usize) -> String {
    let (head, tail) = ends(text, keep / 2);
    let omitted = human_bytes((text.len() - head.len() - tail.len()) as u64);
    let feed = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let shorter = format!("{head}{feed}{OMITTED}{omitted}{REF}{artifact}]\n{tail}");
    shorter.trim_end_matches('\n').to_owned()
}

/// Returns the whole lines at the start and at the end of a text that have at most `space` bytes each. A
/// line that is longer is cut only if the text would otherwise lose both ends, or if it is the first one
/// and is not JSON.
fn ends(text: &str, space: usize) -> (&str, &str) {
    let (head, tail) = (cut::head(text, space), cut::tail(text, space));
    let lines = head.rfind('\n').map(|feed| &head[..=feed]);
    let last_lines = tail.find('\n').map(|feed| &tail[feed + 1..]);
    match (lines, last_lines) {
        (None, None) => (head, tail),
        (Some(lines), last_lines) => (lines, last_lines.unwrap_or_default()),
        (None, Some(last_lines)) if head.trim_start().starts_with(['{', '[']) => ("", last_lines),
        (None, Some(last_lines)) => (head, last_lines),
    }
}

/// Returns the artifact that has the whole text, if an earlier plan shortened it.
pub fn whole_of(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| line.starts_with(OMITTED) && line.contains(REF))?;
    line.split_once(REF)?.1.strip_suffix(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_the_ends_of_lines() {
        let code = format!("Fix this:\n```rust\n{}```\nThanks.\n", "let x = 1;\n".repeat(1_000));
        let short = shortened(&code, "art_1", 64);
        let omitted = "[… 10.9 KB omitted; ref=art_1]\n";
        assert_eq!(short, format!("Fix this:\n```rust\nlet x = 1;\n{omitted}let x = 1;\n```\nThanks."));
        assert_eq!(whole_of(&short), Some("art_1"));
    }

    #[test]
    fn a_long_line_of_json_is_not_cut_beside_whole_lines() {
        let json = format!("{{\"rows\":[{}0]}}", "1,".repeat(5_000));
        let omitted = "[… 10 KB omitted; ref=art_1]";
        for (text, short) in [
            (format!("Sum this up:\n{json}"), format!("Sum this up:\n{omitted}")),
            (format!("{json}\nSum this up."), format!("{omitted}\nSum this up.")),
            (format!("Sum\n{json}\nthis up."), format!("Sum\n{omitted}\nthis up.")),
        ] {
            assert_eq!(shortened(&text, "art_1", 100), short);
        }
    }

    #[test]
    fn a_text_of_long_lines_is_cut_between_graphemes() {
        let text = "ä".repeat(2_000);
        assert_eq!(shortened(&text, "a", 9), "ää\n[… 3.9 KB omitted; ref=a]\nää");
        let prose = format!("{}\n{}end", "word ".repeat(100), "x\n".repeat(100));
        assert_eq!(shortened(&prose, "a", 20), "word word \n[… 685 bytes omitted; ref=a]\nx\nx\nx\nend");
    }
}
