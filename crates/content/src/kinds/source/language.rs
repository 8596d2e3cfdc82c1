//! Detects the language of a source by the starts of its lines.

use super::declaration::Style;
use super::languages::{LANGUAGES, Language, REFINED};
use super::numbered;
use crate::sample::Sample;

/// Lines of the head that are inspected.
const LINES: usize = 400;

/// Lines that are longer on average were not written by people.
const MINIFIED_LINE_BYTES: usize = 300;
/// Functions in a text; only a minified script has this many.
const MINIFIED_FUNCTIONS: usize = 5;

impl Language {
    /// Returns the language that most lines are evidence for, if they are enough.
    pub fn of(sample: &Sample) -> Option<&'static Language> {
        let numbered = numbered::is_numbered(sample.lines());
        let lines: Vec<&str> = sample
            .lines()
            .map(|line| if numbered { numbered::code(line) } else { line })
            .filter(|line| !line.trim().is_empty() && !is_comment(line))
            .take(LINES)
            .collect();
        if let Some(first) = lines.first().filter(|line| line.starts_with("#!/") || line.starts_with("#! ")) {
            let named = |word: &&(&str, &str)| first.contains(word.0);
            let shebangs = [
                ("python", "Python"),
                ("node", "JavaScript"),
                ("ruby", "Ruby"),
                ("php", "PHP"),
                ("perl", "Perl"),
                ("lua", "Lua"),
                ("sh", "Shell"),
            ];
            let name = shebangs.iter().find(named)?.1;
            return LANGUAGES.iter().find(|language| language.name == name);
        }
        // Minified code breaks its lines anywhere.
        if lines.iter().map(|line| line.len()).sum::<usize>() > MINIFIED_LINE_BYTES * lines.len() {
            let functions = sample.head.matches("function(").take(MINIFIED_FUNCTIONS).count();
            let is_script = functions == MINIFIED_FUNCTIONS;
            return LANGUAGES.iter().find(|language| is_script && language.name == "JavaScript");
        }
        let marked = |language: &Language| {
            let has = |marks| lines.iter().filter(|line| language.has_mark(line, marks)).count();
            let shared = if language.shared.is_empty() { 0 } else { has(language.shared) };
            (has(language.marks), shared)
        };
        let candidates = LANGUAGES.iter().rev().filter(|language| language.can_be_of(&lines));
        let all = candidates.map(|language| (marked(language), language));
        let known = all.filter(|((own, _), language)| *own > 0 || language.style == Style::Sections);
        let (marks, language) = known
            .map(|((own, shared), language)| (own + shared, language))
            .max_by_key(|(marks, _)| *marks)?;
        let structured = lines.iter().filter(|line| is_structured(line, language.style)).count();
        let enough = marks >= 3 || marks >= 2 && lines.len() <= 16;
        let is_detected = enough && marks * 20 >= lines.len() && structured * 2 >= lines.len();
        let refined = REFINED.iter().find(|(plain, marks, _)| {
            let is_refined = |line: &&&str| marks.iter().any(|mark| line.contains(mark));
            *plain == language.name && lines.iter().filter(is_refined).count() >= 2
        });
        is_detected.then_some(refined.map_or(language, |(_, _, refined)| refined))
    }

    /// Returns whether lines have the marks of all sources of this language, and none that only
    /// other texts have.
    fn can_be_of(&self, lines: &[&str]) -> bool {
        let is_typed = |line: &&&str| {
            let line = line.trim_end();
            SCHEMA_TYPES.iter().any(|name| line.contains(name)) && !line.ends_with([',', ';'])
        };
        match self.name {
            "GraphQL" => lines.iter().filter(is_typed).count() >= 2,
            "PHP" => lines.iter().any(|line| line.contains('$') || line.contains("<?php")),
            // Python's log of its imports.
            "JavaScript" => !lines.iter().any(|line| line.starts_with("import ") && line.contains(" # ")),
            // Documentation declares what source defines.
            "Go" if !lines.iter().any(|line| line.trim_end().ends_with(['{', '('])) => false,
            name if WITHOUT_SEMICOLONS.contains(&name) => {
                let ended = lines.iter().filter(|line| line.trim_end().ends_with(';')).count();
                ended * 10 <= lines.len()
            }
            _ => true,
        }
    }

    /// Returns whether a line begins with one of some marks of this language.
    fn has_mark(&self, line: &str, marks: &[&str]) -> bool {
        let line = line.trim();
        match self.style {
            Style::Sections => {
                line.starts_with('[') && line.ends_with(']') && !line.contains(['"', ' ', '{', ','])
            }
            _ => marks.iter().any(|mark| {
                let Some(rest) = line.strip_prefix(mark) else { return false };
                match mark.as_bytes().last() {
                    Some(b' ') if *mark == "from " && self.name == "Python" => rest.contains(" import "),
                    // `source = "…"` sets a key.
                    Some(b' ') => !rest.trim_start().starts_with("= "),
                    // YAML has `$ref: …`, and a prompt is `$ command`.
                    Some(b'$') if *mark == "$" => {
                        rest.starts_with(|c: char| c.is_alphabetic() || c == '_')
                            && rest.ends_with([';', '{', '(', '[', ','])
                    }
                    // PDF's `endobj` is not `end`.
                    Some(b'a'..=b'z') => !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'),
                    _ => true,
                }
            }),
        }
    }
}

/// Returns whether a line is only a comment, which says nothing about the language.
fn is_comment(line: &str) -> bool {
    let line = line.trim();
    ["//", "/*", "* ", "*/", "# ", "-- "].iter().any(|start| line.starts_with(start))
        || line == "#"
        || line == "*"
}

/// Returns whether a line ends or begins like code, and unlike a sentence.
fn is_structured(line: &str, style: Style) -> bool {
    let trimmed = line.trim();
    if style == Style::Sections {
        return trimmed.contains('=') || trimmed.starts_with(['[', '#', ';', ']', '"']);
    }
    line.starts_with([' ', '\t'])
        || trimmed.ends_with(['{', '}', ';', '(', ')', ':', ',', ']', '[', '\\', '>', '='])
        || ["//", "/*", "*", "#", "--", "@", "\"\"\""].iter().any(|start| trimmed.starts_with(start))
        || [
            "import ", "from ", "package ", "using ", "require", "end", "def ", "FROM ", "RUN ", "COPY ",
            "ENV ",
        ]
        .iter()
        .any(|start| trimmed.starts_with(start))
}

/// Languages whose lines hardly ever end with a semicolon.
const WITHOUT_SEMICOLONS: [&str; 5] = ["Go", "Kotlin", "Swift", "Python", "Ruby"];

/// Marks of fields in GraphQL's schemas that types of other languages do not have.
const SCHEMA_TYPES: [&str; 8] = [": ID", ": String", ": Int", ": Float", ": Boolean", "!]", "]!", "ID!"];
