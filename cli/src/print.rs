//! Formats numbers for people, and writes to stdout.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use crate::exit::{Failure, Outcome};

/// Returns standard output with a buffer that the caller flushes.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// Prints a value as one JSON document, which is everything on stdout.
pub fn json(value: &impl Serialize) -> Outcome {
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, value).map_err(|error| Failure::from(io::Error::from(error)))?;
    writeln!(out)?;
    out.flush()?;
    Ok(0)
}

/// Prints a text unchanged; on a terminal, it adds a missing line feed at the end.
pub fn text(text: &str) -> Result<(), Failure> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') && io::stdout().is_terminal() {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Prints to stderr how to get the next page.
pub fn next_page(next: Option<&str>) {
    if let Some(next) = next {
        eprintln!("tuckaway: there is more; continue with --cursor '{next}'");
    }
}

/// Formats a number like `1,234,567`.
pub fn number(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match number < 0 {
        true => format!("-{grouped}"),
        false => grouped,
    }
}

/// Formats rows below their titles: the first column to the left, the others to the right.
pub fn table<const N: usize>(titles: [&str; N], rows: Vec<[String; N]>) -> String {
    let titles = titles.map(str::to_owned);
    let rows = || std::iter::once(&titles).chain(&rows);
    let widths: [usize; N] =
        std::array::from_fn(|column| rows().map(|row| row[column].chars().count()).max().unwrap_or_default());
    let mut text = String::new();
    for row in rows() {
        let cell = |(column, (cell, &width)): (usize, (&String, &usize))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        };
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Formats an age like `42 s`, `7 min`, `3 h` or `12 d`.
pub fn age(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Makes untrusted text safe for one line of a terminal: replaces control characters.
pub fn inline(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let rows = vec![["long name".to_owned(), "7".to_owned()], ["é".to_owned(), "12".to_owned()]];
        assert_eq!(table(["A", "N"], rows), "A           N\nlong name   7\né          12\n");
    }

    #[test]
    fn numbers() {
        assert_eq!(number(0u64), "0");
        assert_eq!(number(999u64), "999");
        assert_eq!(number(1_234_567u64), "1,234,567");
        assert_eq!(number(-1000i64), "-1,000");
        assert_eq!(number(u64::MAX), "18,446,744,073,709,551,615");
    }
}
