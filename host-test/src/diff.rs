//! Shows the difference between expected and actual text, for people.

/// Lines of context around a difference.
const CONTEXT: usize = 2;
/// The maximum lines of a difference that are shown.
const MAX_LINES: usize = 60;

/// Returns the lines that differ, `-` for expected and `+` for actual, with some context.
pub fn lines(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let same_head = expected.iter().zip(&actual).take_while(|(e, a)| e == a).count();
    let rest = expected.len().min(actual.len()) - same_head;
    let same_tail =
        expected.iter().rev().zip(actual.iter().rev()).take(rest).take_while(|(e, a)| e == a).count();
    let mut shown = Vec::new();
    let around = |sign: &str, lines: &[&str]| -> Vec<String> {
        lines.iter().map(|line| format!("    {sign} {line}")).collect()
    };
    shown.extend(around(" ", &expected[same_head.saturating_sub(CONTEXT)..same_head]));
    shown.extend(around("-", &expected[same_head..expected.len() - same_tail]));
    shown.extend(around("+", &actual[same_head..actual.len() - same_tail]));
    let tail = &expected[expected.len() - same_tail..];
    shown.extend(around(" ", &tail[..tail.len().min(CONTEXT)]));
    let omitted = shown.len().saturating_sub(MAX_LINES);
    shown.truncate(MAX_LINES);
    if omitted > 0 {
        shown.push(format!("    … {omitted} lines more"));
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_differing_lines_are_shown() {
        assert_eq!(
            super::lines("a\nb\nc\nd\ne", "a\nb\nc\nx\ne"),
            "      b\n      c\n    - d\n    + x\n      e"
        );
    }
}
