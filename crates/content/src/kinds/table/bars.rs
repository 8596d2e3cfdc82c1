//! Tables with bars between their cells and a rule below their header: those of databases,
//! Markdown, and boxes drawn with Unicode.

use tuckaway_search::find;

/// The bars between cells.
const BARS: [&[u8]; 4] = [b"|", "│".as_bytes(), "┃".as_bytes(), "║".as_bytes()];
/// Maximum lines of a header.
const HEADER_LINES: usize = 3;

/// The separation of cells and rows in such a table.
#[derive(Clone, Copy, Debug)]
pub struct Bars {
    bar: &'static [u8],
    /// There are bars at both ends of a row.
    is_framed: bool,
    /// There are rules between rows, so a row may have several lines.
    pub is_ruled: bool,
    columns: usize,
}

/// A header of such a table.
pub struct Header<'a> {
    /// The names of its columns.
    pub names: Vec<&'a [u8]>,
    /// The number of lines before the first row.
    pub lines: usize,
    /// The separation of rows.
    pub bars: Bars,
}

impl Bars {
    /// Returns the header that begins with the first of some lines.
    pub fn of<'a>(lines: &[&'a [u8]]) -> Option<Header<'a>> {
        let top = usize::from(is_rule(lines.first()?));
        let header = *lines.get(top)?;
        let below = lines[top..].iter().take(HEADER_LINES + 1).position(|line| is_rule(line))?;
        let rule = lines[top + below];
        let has_junctions = rule.iter().any(|byte| b"+|".contains(byte)) || !rule.is_ascii();
        if below == 0 || top == 0 && below > 1 || !has_junctions {
            return None;
        }
        let bar = bar_of(header)?;
        let mut names = Vec::new();
        let is_framed = header.trim_ascii().starts_with(bar);
        split(header, bar, is_framed, &mut names);
        let lines = &lines[top + below + 1..];
        let bar = bar_of(lines.first()?)?;
        let is_row = |line: &&&[u8]| bar_of(line) == Some(bar);
        let rules = lines.windows(3).take_while(|three| three.iter().all(|line| !line.is_empty()));
        let is_ruled = rules.filter(|three| is_rule(three[1]) && is_row(&&three[2])).count() > 1;
        let bars = Bars { bar, is_framed, is_ruled, columns: names.len() };
        (names.len() > 1).then_some(Header { names, lines: top + below + 1, bars })
    }

    /// Splits a line into its cells. Returns whether it is a row, or a part of one.
    pub fn split<'a>(&self, line: &'a [u8], cells: &mut Vec<&'a [u8]>) -> bool {
        let has_ends = !self.is_framed || line.trim_ascii().starts_with(self.bar);
        split(line, self.bar, self.is_framed, cells);
        has_ends && cells.len() == self.columns
    }

    /// Returns whether a cell of a line continues on the next one: psql marks it with a plus before
    /// the bar.
    pub fn is_continued(&self, line: &[u8]) -> bool {
        self.bar == b"|" && (line.ends_with(b"+") || find::text(b"+|", line).is_some())
    }
}

/// Returns the first bar in a line.
fn bar_of(line: &[u8]) -> Option<&'static [u8]> {
    let found = BARS.into_iter().filter_map(|bar| Some((find::text(bar, line)?, bar)));
    found.min().map(|(_, bar)| bar)
}

fn split<'a>(line: &'a [u8], bar: &[u8], is_framed: bool, cells: &mut Vec<&'a [u8]>) {
    cells.clear();
    let mut rest = line.trim_ascii_end();
    if is_framed {
        rest = rest.trim_ascii_start();
        rest = rest.strip_prefix(bar).unwrap_or(rest);
        rest = rest.strip_suffix(bar).unwrap_or(rest);
    }
    let (first, mut from) = (bar[0], 0);
    while let Some(at) = find::byte(first, &rest[from..]).map(|at| from + at) {
        from = at + 1;
        if rest[at..].starts_with(bar) {
            cells.push(rest[..at].trim_ascii());
            rest = &rest[at + bar.len()..];
            from = 0;
        }
    }
    cells.push(rest.trim_ascii());
}

/// Returns whether a line is drawn below a header, between rows or around them.
pub fn is_rule(line: &[u8]) -> bool {
    let mut lines = 0;
    let mut rest = line.trim_ascii();
    while let Some(&first) = rest.first() {
        let width = match (first, rest) {
            (b'-' | b'=', _) => {
                lines += 1;
                1
            }
            (b'+' | b'|' | b':' | b' ', _) => 1,
            // U+2500 to U+257F.
            (0xE2, [_, second @ (0x94 | 0x95), third, ..]) => {
                let is_bar = BARS.contains(&&rest[..3]);
                lines += usize::from(!is_bar && (*third < 0x86 || *second == 0x95));
                3
            }
            _ => return false,
        };
        rest = &rest[width..];
    }
    lines >= 3
}
