//! The symbols that a source declares, in the form in which they are listed.

use super::declaration::declaration;
use super::languages::Language;
use super::numbered;
use crate::line as lines;
use crate::sample::Sample;

/// Bytes of a line that are searched for a declaration.
const LINE_BYTES: usize = 400;

/// Finds the symbols in the lines of a source.
pub struct Symbols {
    /// The language, if it is detected.
    pub language: Option<&'static Language>,
    /// Lines begin with their numbers.
    pub is_numbered: bool,
}

impl Symbols {
    /// Inspects the head of a source.
    pub fn of(bytes: &[u8]) -> Self {
        let sample = Sample::of(bytes);
        Symbols { language: Language::of(&sample), is_numbered: numbered::is_numbered(sample.lines()) }
    }

    /// Returns the symbol that a line declares.
    #[inline]
    pub fn find<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let language = self.language?;
        let code = self.without_number(&line[..line.len().min(LINE_BYTES)]);
        declaration(code, language.keywords, language.style)
    }

    /// Returns a symbol in its listed form; `behind` are the lines that follow. Repeated tables,
    /// such as `[[package]]`, get the name on the first line after them.
    pub fn text(&self, symbol: &[u8], behind: &lines::Lines) -> String {
        let text = lines::excerpt(symbol);
        let first = if symbol.starts_with(b"[[") { behind.clone().next() } else { None };
        let first = first.map(|line| self.without_number(line));
        match first.and_then(|first| first.strip_prefix(b"name = ")) {
            Some(name) => format!("{text} {}", lines::excerpt(name).trim_matches('"')),
            None => text,
        }
    }

    fn without_number<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        if self.is_numbered { numbered::without(line) } else { line }
    }
}
