//! The declarations in a source, a line at a time.

use super::language::{Language, Style};

/// Columns that a declaration may be set in: the members of what stands outermost.
const MAX_INDENT: usize = 4;
/// What begins a statement with parentheses that declares nothing.
const STATEMENTS: [&str; 22] = [
    "if", "else", "for", "while", "switch", "catch", "return", "do", "try", "new", "throw", "case", "await",
    "with", "}", "foreach", "using", "lock", "assert", "delete", "typeof", "yield",
];

/// The declaration that a line begins, without its indentation and its brace.
pub fn declared<'a>(language: &Language, line: &'a str) -> Option<&'a str> {
    let trimmed = line.trim_start_matches([' ', '\t']);
    let set_in = &line[..line.len() - trimmed.len()];
    let columns: usize = set_in.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum();
    if trimmed.is_empty() || columns > MAX_INDENT {
        return None;
    }
    let behind = Language::without_modifiers(trimmed);
    let word = behind.split([' ', '(', ':']).next().unwrap_or_default();
    let word = if word.starts_with("impl<") { "impl" } else { word };
    let ends_open = trimmed.ends_with('{');
    let called = |at_margin: bool| {
        let word = trimmed.split([' ', '(']).next().unwrap_or_default();
        ends_open && trimmed.contains('(') && (columns == 0 || !at_margin) && !STATEMENTS.contains(&word)
    };
    let is_declared = language.keywords.contains(&word)
        || match language.style {
            Style::Keywords => false,
            Style::Methods => {
                called(false)
                    && !trimmed.contains("=>")
                    && !trimmed.contains(" = ")
                    && !trimmed.starts_with(['.', '('])
                    || columns == 0 && is_bound_function(behind)
            }
            Style::Functions => called(true) || columns == 0 && is_bare_function(trimmed),
            Style::Shell => columns == 0 && trimmed.contains("() {") || trimmed.ends_with("()"),
            Style::Sql => {
                columns == 0 && ["create", "alter", "drop"].iter().any(|w| word.eq_ignore_ascii_case(w))
            }
            Style::Css => columns == 0 && ends_open,
            Style::Targets => columns == 0 && is_target(trimmed),
            Style::Sections => columns == 0 && trimmed.starts_with('['),
        };
    is_declared.then(|| trimmed.trim_end_matches(['{', ' ', '\r']))
}

/// `name = (a, b) => {`, `name = async function (a) {`, of which the word
/// `const` was taken off as a modifier.
fn is_bound_function(line: &str) -> bool {
    let value = line.strip_prefix("let ").unwrap_or(line).split_once(" = ").map_or("", |(_, value)| value);
    let value = value.strip_prefix("async ").unwrap_or(value);
    value.starts_with("function") || value.starts_with('(') && value.contains("=>")
}

/// A function's head whose brace stands on the next line: `int main(void)`.
fn is_bare_function(line: &str) -> bool {
    let name = line.split('(').next().unwrap_or_default();
    line.ends_with(')')
        && name.contains(' ')
        && !name.starts_with(['#', '/', '*', '}'])
        && !name.contains('=')
}

/// `name: what it needs`, but no assignment and no line of a recipe.
fn is_target(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    name.len() < line.len() && !name.contains(['=', '$', '#']) && !line[name.len()..].starts_with(":=")
}
