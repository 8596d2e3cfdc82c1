//! Listings with line numbers before the lines, as tools print them: `cat -n`,
//! `12→code`, `12: code`.

/// Splits a line into the number that it begins with and the code after the mark.
fn split(line: &[u8]) -> Option<(u64, &[u8])> {
    const MARKS: [&str; 7] = ["→", "\t", ": ", ":", "│", "| ", " | "];
    let line = &line[line.iter().take_while(|&&byte| byte == b' ').count()..];
    let (digits, rest) = line.split_at(line.iter().take_while(|byte| byte.is_ascii_digit()).count());
    if !(1..=9).contains(&digits.len()) {
        return None;
    }
    let number = digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    match MARKS.iter().find_map(|mark| rest.strip_prefix(mark.as_bytes())) {
        Some(code) => Some((number, code)),
        None => rest.is_empty().then_some((number, rest)),
    }
}

/// Returns whether lines are numbered, each one higher than the one before.
pub fn is_numbered<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let numbers: Vec<Option<u64>> =
        lines.take(50).map(|line| split(line.as_bytes()).map(|(number, _)| number)).collect();
    numbers.len() >= 3
        && numbers.windows(2).filter(|two| matches!(two, [Some(a), Some(b)] if a + 1 == *b)).count() * 10
            >= (numbers.len() - 1) * 9
}

/// Returns a line of a numbered listing without its number.
pub fn without(line: &[u8]) -> &[u8] {
    split(line).map_or(line, |(_, code)| code)
}

/// Returns the same for a line that is text.
pub fn code(line: &str) -> &str {
    &line[line.len() - without(line.as_bytes()).len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_are_detected_by_consecutive_numbers() {
        assert!(is_numbered("     1\tfn a() {\n     2\t\n     3\t}\n".lines()));
        assert!(is_numbered("9→a\n10→b\n11→c".lines()));
        assert!(!is_numbered("1\t2\n7\t8\n3\t4".lines()));
        assert!(!is_numbered("1: a\n2: b".lines()));
        assert_eq!(code("   12→  let x = 1;"), "  let x = 1;");
        assert_eq!(code("no number"), "no number");
    }
}
