//! Truncates a source: keeps head and tail, and lists the declarations between them.

use super::symbols::Symbols;
use crate::line as lines;
use crate::truncate::contents::{Contents, Ends};
use crate::truncate::text;

/// Truncates a source that is longer than `max` bytes. Cuts it as plain text if there is
/// no space to list declarations, or if there are none between the ends.
pub fn truncate(source: &str, max: usize) -> String {
    let ends = |text, space| {
        let (head, tail) = text::ends(text, space);
        Ends { head, closing: "", tail }
    };
    declarations(source)
        .and_then(|contents| contents.cut(source, max, &ends))
        .unwrap_or_else(|| text::cut(source, max))
}

fn declarations(source: &str) -> Option<Contents> {
    let symbols = Symbols::of(source.as_bytes());
    symbols.language?;
    let mut contents = Contents::of("declarations");
    let mut lines = lines::Lines::of(source.as_bytes());
    let mut number = 0;
    while let Some(line) = lines.next() {
        number += 1;
        if let Some(symbol) = symbols.find(line) {
            // Members are listed after the types that they are members of.
            let level = usize::from(line.starts_with(b" ") || line.starts_with(b"\t"));
            contents.push(number, level, &symbols.text(symbol, &lines));
        }
        if contents.is_full(0) {
            break;
        }
    }
    Some(contents)
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
    fn declarations_between_the_ends_are_listed() {
        let text = source(100);
        let view = truncate(&text, 1_024);
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
            let view = truncate(&text, max);
            prop_assert!(view.len() <= max && !view.is_empty(), "{} > {max}: {view}", view.len());
        }
    }
}
