//! Detects prose.

use crate::sample::Sample;
use crate::truncate::sentences::{CLOSERS, ENDS, is_wide, sentence_ends};

/// Returns whether a text is nearly all letters, in sentences of usual length.
pub fn detect(sample: &Sample) -> bool {
    let text = sample.head.trim();
    let (mut letters, mut odd, mut wide, mut characters) = (0usize, 0usize, 0usize, 0usize);
    for c in text.chars() {
        characters += 1;
        match c {
            // An invalid byte: of an encoding whose letters are not known.
            char::REPLACEMENT_CHARACTER => odd += 1,
            _ if is_wide(c) => wide += 1,
            _ if c.is_alphabetic() || c.is_whitespace() => letters += 1,
            ',' | ';' | ':' | '-' | '–' | '—' | '(' | '«' | '“' | '‘' | '„' => {}
            '、' | '，' | '「' | '『' | '（' | '\u{200C}' | '\u{200D}' => {}
            _ if ENDS.contains(&c) || CLOSERS.contains(&c) => {}
            _ if !c.is_ascii() => letters += 1,
            _ => odd += 1,
        }
    }
    if characters < 80 || odd * 20 > characters || (letters + wide) * 10 < characters * 8 {
        return false;
    }
    let ends = sentence_ends(text).count();
    // A wide character is about half a word; eight letters and a space are one.
    let words = text.split_whitespace().count() + wide / 2;
    let indented = text.lines().filter(|line| line.starts_with([' ', '\t'])).count();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let labels = text.lines().filter(|line| line.find(": ").is_some_and(|at| at < 24)).count();
    ends >= 2 && words >= 4 * ends && words <= 60 * ends && indented * 3 <= lines && labels * 3 <= lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_detected_in_many_scripts() {
        for text in [
            "In spring the boats came back. Nobody had seen them leave, and yet everyone knew where they had been! The harbour master wrote it down; he always did.",
            "春になると船が戻ってきた。誰も出て行くのを見ていなかったが、どこへ行っていたかは皆が知っていた。港の主はそれを書き留めた。彼はいつもそうしていた。それは今ではもう失われている。しかし人々はまだ覚えている。",
            "في الربيع عادت القوارب إلى الميناء القديم. لم يرها أحد وهي تغادر، ومع ذلك كان الجميع يعرف أين كانت. كتب مدير الميناء ذلك في دفتره، كما كان يفعل دائما.",
            "वसंत में नावें वापस आ गईं। किसी ने उन्हें जाते हुए नहीं देखा था, फिर भी सब जानते थे कि वे कहाँ थीं। बंदरगाह के मालिक ने यह लिख लिया।",
        ] {
            assert!(detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn lists_and_tables_are_not_prose() {
        for text in [
            "",
            "short. very. short.",
            &"src/lib.rs\nsrc/main.rs\nCargo.toml\n".repeat(10),
            &"name: a\nsize: 12\nkind: b\n".repeat(10),
            &"2026-01-01 12:00:00 The server has started. All is well.\n".repeat(10),
            &"let a = b + c; d.e(f);\n".repeat(10),
            &"\u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD} \u{FFFD}\u{FFFD}. "
                .repeat(10),
        ] {
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }
}
