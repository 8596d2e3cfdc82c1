//! Listings with line numbers before the lines, as tools that read files give
//! them: `cat -n`, `12→code`, `12: code`.

/// The number that a line begins with, and what stands behind its mark.
fn split(line: &str) -> Option<(u64, &str)> {
    let line = line.trim_start_matches(' ');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line.get(..digits).filter(|_| (1..=9).contains(&digits))?.parse().ok()?;
    let rest = &line[digits..];
    let code = ["→", "\t", ": ", ":", "│", "| ", " | "].iter().find_map(|mark| rest.strip_prefix(mark));
    match code {
        Some(code) => Some((number, code)),
        None => rest.is_empty().then_some((number, rest)),
    }
}

/// Whether lines are numbered, each one higher than the one before.
pub fn is_numbered<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let numbers: Vec<Option<u64>> =
        lines.take(50).map(|line| split(line).map(|(number, _)| number)).collect();
    numbers.len() >= 3
        && numbers.windows(2).filter(|two| matches!(two, [Some(a), Some(b)] if a + 1 == *b)).count() * 10
            >= (numbers.len() - 1) * 9
}

/// A line of a numbered listing without its number.
pub fn without(line: &str) -> &str {
    split(line).map_or(line, |(_, code)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_are_told_by_numbers_that_count() {
        assert!(is_numbered("     1\tfn a() {\n     2\t\n     3\t}\n".lines()));
        assert!(is_numbered("9→a\n10→b\n11→c".lines()));
        assert!(!is_numbered("1\t2\n7\t8\n3\t4".lines()));
        assert!(!is_numbered("1: a\n2: b".lines()));
        assert_eq!(without("   12→  let x = 1;"), "  let x = 1;");
        assert_eq!(without("no number"), "no number");
    }
}
