//! Tables whose cells are aligned below the names in their header: those of `ps`, `docker`,
//! `kubectl`, `pip`.

use super::programs::{self, Program};
use crate::columns::{Class, class};

/// Lines below a header that are inspected.
const LINES: usize = 100;
/// The longest line that is inspected, in characters.
const WIDTH: usize = 4_096;
/// The longest name of a column.
const NAME_BYTES: usize = 40;

/// A header of such a table.
pub struct Header {
    /// The names of its columns.
    pub names: Vec<String>,
    /// The number of lines before the first row.
    pub lines: usize,
    /// The start of each column except the first: a character that is a space in most rows.
    pub bounds: Vec<usize>,
    /// The program that prints it, if it is known.
    pub program: Option<&'static Program>,
}

/// Returns the header on the first of some lines.
pub fn header(lines: &[&[u8]]) -> Option<Header> {
    let line =
        std::str::from_utf8(lines.first()?).ok().filter(|line| line.is_ascii() && line.len() < WIDTH)?;
    let program = programs::of_header(line);
    let rule = lines.get(1).map(|rule| segments(rule)).filter(|segments| segments.len() > 1);
    let has_rule = rule.is_some();
    let names = rule.unwrap_or_else(|| words(line.as_bytes()));
    let below = &lines[1 + usize::from(has_rule)..];
    let body: Vec<&[u8]> = below.iter().copied().take_while(|line| !line.is_empty()).take(LINES).collect();
    if names.len() < 2 || body.is_empty() || line.contains('\t') {
        return None;
    }
    let starts = starts(line, &names, &body, program)?;
    let bounds: Vec<usize> = starts[1..].iter().map(|(bound, _)| *bound).collect();
    let ends = starts[1..].iter().map(|(_, start)| *start).chain([line.len()]);
    let names: Vec<String> =
        starts.iter().zip(ends).map(|((_, start), end)| line[*start..end].trim().to_owned()).collect();
    let form = Form { line: line.as_bytes(), bounds: &bounds, body: &body };
    let is_table = program.is_some() && names.len() > 2 || form.is_table(&names, has_rule);
    is_table.then_some(Header { names, lines: 1 + usize::from(has_rule), bounds, program })
}

/// Cuts a line into its cells. Returns whether it is a row: the bounds are spaces, or it has as
/// many words as there are columns.
pub fn cut<'a>(line: &'a [u8], bounds: &[usize], cells: &mut Vec<&'a [u8]>) -> bool {
    cells.clear();
    let is_ascii = line.is_ascii();
    let (mut from, mut at, mut column) = (0, 0, 0);
    for &bound in bounds {
        if is_ascii {
            at = bound.min(line.len());
        } else {
            while at < line.len() && column < bound {
                at += 1;
                // The bytes of one character.
                while line.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
                    at += 1;
                }
                column += 1;
            }
        }
        if line.get(at).is_some_and(|byte| *byte != b' ') {
            return cut_words(line, bounds.len(), cells);
        }
        cells.push(trimmed(&line[from..at]));
        from = at;
    }
    cells.push(trimmed(&line[from..]));
    true
}

/// Returns a cell without the white space around it. Nearly all white space in tables is spaces.
fn trimmed(mut cell: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] = cell {
        cell = rest;
    }
    while let [rest @ .., b' '] = cell {
        cell = rest;
    }
    cell.trim_ascii()
}

/// Cuts a line at its first spaces, of a row with a value that is too wide.
fn cut_words<'a>(line: &'a [u8], spaces: usize, cells: &mut Vec<&'a [u8]>) -> bool {
    cells.clear();
    let mut rest = line.trim_ascii();
    for _ in 0..spaces {
        let Some(space) = rest.iter().position(|byte| *byte == b' ') else { return false };
        cells.push(&rest[..space]);
        rest = rest[space..].trim_ascii_start();
    }
    cells.push(rest);
    true
}

/// Returns the positions of the words of a line.
fn words(line: &[u8]) -> Vec<(usize, usize)> {
    runs(line, |byte| byte != b' ')
}

/// Returns the positions of the parts of a rule: `---  ----`, `+++-====-====`; none if it is not a
/// rule.
fn segments(rule: &[u8]) -> Vec<(usize, usize)> {
    let rule = rule.trim_ascii_end();
    let gap = if rule.contains(&b' ') { b' ' } else { b'-' };
    let is_line = |byte: &u8| b"-=+".contains(byte) || *byte == gap;
    match rule.iter().all(is_line) && rule.len() < WIDTH {
        true => runs(rule, |byte| byte != gap),
        false => Vec::new(),
    }
}

fn runs(line: &[u8], is_in: impl Fn(u8) -> bool) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, &byte) in line.iter().chain(b" ").enumerate() {
        match (start, at < line.len() && is_in(byte)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                runs.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    runs
}

/// Returns the starts of the columns below some names, in the lines and in the header. None if
/// values are not below them.
fn starts(
    line: &str,
    names: &[(usize, usize)],
    body: &[&[u8]],
    program: Option<&Program>,
) -> Option<Vec<(usize, usize)>> {
    let ink = ink(body);
    let most = body.len() / 10;
    let blank = |from: usize, to: usize| {
        let at = (from..to).min_by_key(|at| ink.get(*at).copied().unwrap_or(0));
        at.filter(|at| ink.get(*at).copied().unwrap_or(0) <= most)
    };
    // The first column may have no name.
    let begins_before = |at: &usize| {
        let before = |line: &&&[u8]| line.get(..*at).is_some_and(|start| !start.trim_ascii().is_empty());
        ink.get(*at).is_none_or(|ink| *ink <= most) && body.iter().filter(before).count() >= body.len() - most
    };
    let mut starts = vec![(0, 0)];
    starts.extend((1..names[0].0).find(begins_before).map(|at| (at, names[0].0)));
    for pair in names.windows(2) {
        let (from, to) = (pair[0].1, pair[1].0);
        let is_space = to == from + 1;
        let (before, after) = (line.get(..from)?, line.get(to..).unwrap_or_default());
        // Some programs print values that are wider than their column.
        let is_known =
            || program.is_some_and(|program| program.columns.iter().any(|name| after.starts_with(name)));
        match blank(from, to).or_else(|| blank(to, pair[1].1).filter(|_| is_known())) {
            _ if is_space && programs::is_one_name(before, after) => {}
            Some(at) => starts.push((at, to)),
            None if is_space => {}
            // Rows with such a value are cut at their spaces.
            None if program.is_some() => starts.push((to, to)),
            None => return None,
        }
    }
    Some(starts)
}

/// Returns the number of lines that are not blank at each character.
fn ink(body: &[&[u8]]) -> Vec<usize> {
    let mut ink = Vec::new();
    for line in body {
        let characters = line.iter().filter(|byte| **byte & 0xC0 != 0x80);
        for (at, byte) in characters.enumerate().take(WIDTH) {
            if ink.len() <= at {
                ink.push(0);
            }
            ink[at] += usize::from(*byte != b' ');
        }
    }
    ink
}

/// A header and the lines below it.
struct Form<'a> {
    line: &'a [u8],
    bounds: &'a [usize],
    body: &'a [&'a [u8]],
}

impl Form<'_> {
    /// Returns whether there are more signs of a table than the spaces in it.
    fn is_table(&self, names: &[String], has_rule: bool) -> bool {
        let is_name = |name: &&String| {
            name.len() <= NAME_BYTES
                && name.bytes().any(|byte| byte.is_ascii_alphabetic() || b"#%".contains(&byte))
                && !name.ends_with(['.', ',', ';', ':', '(', '{', '='])
                && class(name.as_bytes()) <= Class::Boolean
        };
        let named = names.iter().filter(is_name).count();
        let is_distinct = (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        let is_upper = !self.line.iter().any(u8::is_ascii_lowercase);
        let has_first = names[0].is_empty();
        let (columns, rows) = (names.len(), self.body.len());
        let is_sure = match (has_rule, is_upper) {
            (true, _) => columns > 1,
            (false, true) => columns > 2 && rows > 1 || columns > 1 && rows > 2,
            (false, false) => columns > 2 && rows > 2 && self.has_types(columns),
        };
        is_sure && is_distinct && named + usize::from(has_first) == columns && self.is_aligned(columns)
    }

    /// Returns whether most values of a column are numbers, dates or similar values.
    fn has_types(&self, columns: usize) -> bool {
        let mut cells = Vec::new();
        let mut typed = vec![0; columns];
        for line in self.body {
            cut(line, self.bounds, &mut cells);
            for (typed, cell) in typed.iter_mut().zip(&cells) {
                *typed += usize::from(class(cell) > Class::Boolean);
            }
        }
        typed.iter().any(|typed| typed * 5 >= self.body.len() * 4)
    }

    /// Returns whether the values of each column begin or end where its name does.
    fn is_aligned(&self, columns: usize) -> bool {
        let place = |line: &[u8], cell: &[u8]| {
            let start = cell.as_ptr() as usize - line.as_ptr() as usize;
            (start, start + cell.len())
        };
        let mut names = Vec::new();
        if !cut(self.line, self.bounds, &mut names) {
            return false;
        }
        let (mut aligned, mut all) = (vec![0; columns], vec![0; columns]);
        let mut cells = Vec::new();
        for line in self.body.iter().filter(|line| line.is_ascii()) {
            cut(line, self.bounds, &mut cells);
            for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let ((start, end), (name_start, name_end)) =
                    (place(line, cell), place(self.line, names[column]));
                all[column] += 1;
                aligned[column] +=
                    usize::from(names[column].is_empty() || start == name_start || end == name_end);
            }
        }
        aligned.iter().zip(&all).all(|(aligned, all)| aligned * 10 >= all * 9)
    }
}
