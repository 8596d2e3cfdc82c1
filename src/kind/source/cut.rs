//! A source within a bound: its two ends, and between them the heads of what is
//! declared in what was left out.

use super::language::Language;
use super::{lines, numbered, symbols, text as line_text};
use crate::kind::Sample;
use crate::truncate::text;
use crate::wording;

/// Declarations that are looked for: more than any view has room for.
const MAX_LISTED: usize = 2_048;

/// Head, notice, declarations and tail of a source that is longer than `max`
/// bytes. As any text where there is no room for them, or none is left out.
pub fn cut(source: &str, max: usize) -> String {
    listed(source, max).unwrap_or_else(|| text::cut(source, max))
}

fn listed(source: &str, max: usize) -> Option<String> {
    let sample = Sample::of(source.as_bytes());
    let language = Language::of(&sample)?;
    let numbered = numbered::is_numbered(sample.lines());
    // Half of the room for the two ends, the declarations have the rest.
    let (head, tail) = text::ends(source, max / 2);
    let middle = &source[head.len()..source.len() - tail.len()];
    let first = head.matches('\n').count() + 1;
    let mut declared = Vec::new();
    for (index, line) in lines::lines(middle.as_bytes()).enumerate() {
        if let Some(symbol) = symbols::declared(language, &line_text(line, numbered)) {
            let entry = format!("{}: {}\n", first + index, lines::excerpt(symbol.as_bytes()));
            declared.push(entry);
            if declared.len() == MAX_LISTED {
                break;
            }
        }
    }
    if !head.ends_with('\n') || declared.is_empty() {
        return None;
    }
    let last = first + middle.matches('\n').count().saturating_sub(1);
    let end = "...\n";
    let notice = |kept| wording::truncated_but_declarations(first, last, kept, declared.len()) + "\n";
    let room = max.checked_sub(head.len() + tail.len() + notice(declared.len()).len() + end.len())?;
    let mut used = 0;
    let fitting = declared.iter().take_while(|entry| {
        used += entry.len();
        used <= room
    });
    let kept = fitting.count();
    if kept == 0 {
        return None;
    }
    let list = declared[..kept].concat();
    // What the list leaves goes to the ends.
    let ends = max / 2 + (room - list.len());
    let (more_head, more_tail) =
        text::ends(source, ends.min(max - list.len() - notice(kept).len() - end.len()));
    let middle_start = more_head.matches('\n').count() + 1;
    let middle_end = source.matches('\n').count() - more_tail.matches('\n').count();
    let still_left = |entry: &&String| {
        let line: usize = entry.split(':').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        (middle_start..=middle_end).contains(&line)
    };
    let list: Vec<&String> = declared[..kept].iter().filter(still_left).collect();
    if list.is_empty() || !more_head.ends_with('\n') {
        return None;
    }
    let left = declared.iter().filter(still_left).count();
    let notice = wording::truncated_but_declarations(middle_start, middle_end, list.len(), left) + "\n";
    let list: String = list.into_iter().map(String::as_str).collect();
    let cut = [more_head, &notice, &list, end, more_tail].concat();
    (cut.len() <= max).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn source(functions: usize) -> String {
        let body = "    let a = 1;\n    let b = 2;\n    a + b\n";
        let functions = (0..functions).map(|n| format!("pub fn function_{n}() -> u8 {{\n{body}}}\n\n"));
        "//! Sums.\n\nuse std::fmt;\n\n".to_owned() + &functions.collect::<String>()
    }

    #[test]
    fn what_is_declared_between_the_ends_is_listed() {
        let text = source(100);
        let view = cut(&text, 1_024);
        assert!(view.starts_with("//! Sums.\n\nuse std::fmt;\n\npub fn function_0() -> u8 {\n"), "{view}");
        assert!(view.contains("pub fn function_9() -> u8\n"), "{view}");
        assert!(view.ends_with("    a + b\n}\n\n"), "{view}");
        assert!(view.len() <= 1_024 && view.len() > 900, "{view}");
        for entry in view.lines().filter_map(|line| line.split_once(": pub fn ")) {
            let line: usize = entry.0.parse().unwrap();
            assert!(text.lines().nth(line - 1).unwrap().contains(entry.1), "{view}");
        }
    }

    proptest! {
        #[test]
        fn views_are_bounded(functions in 1usize..40, max in 1usize..2_000, tail in "[a-z {}é\n]{0,40}") {
            let text = source(functions) + &tail;
            prop_assume!(text.len() > max);
            let view = cut(&text, max);
            prop_assert!(view.len() <= max && !view.is_empty(), "{} > {max}: {view}", view.len());
        }
    }
}
