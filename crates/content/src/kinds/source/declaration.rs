//! Finds the declaration in a line of a source.

use tuckaway_search::find;

/// The form of declarations without a keyword in a language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// There are none.
    Keywords,
    /// A line with parentheses that ends in `{`, in a class or outside: methods.
    Methods,
    /// The same, but at the start of a line only: functions.
    Functions,
    /// `name() {`.
    Shell,
    /// Words in any case.
    Sql,
    /// A line that ends in `{`: selectors.
    Css,
    /// `name:` at the start of a line.
    Targets,
    /// `[name]` at the start of a line.
    Sections,
}

/// Maximum indentation of a declaration in columns: that of members of outermost
/// declarations.
const MAX_INDENT: usize = 4;
/// Words before the keyword of a declaration.
const MODIFIERS: [&[u8]; 26] = [
    b"pub",
    b"pub(crate)",
    b"pub(super)",
    b"export",
    b"default",
    b"declare",
    b"async",
    b"unsafe",
    b"extern",
    b"static",
    b"public",
    b"private",
    b"protected",
    b"internal",
    b"abstract",
    b"final",
    b"sealed",
    b"override",
    b"virtual",
    b"readonly",
    b"open",
    b"data",
    b"inline",
    b"const",
    b"partial",
    b"fileprivate",
];

/// Words that begin a statement with parentheses.
const STATEMENTS: [&[u8]; 22] = [
    b"if", b"else", b"for", b"while", b"switch", b"catch", b"return", b"do", b"try", b"new", b"throw",
    b"case", b"await", b"with", b"}", b"foreach", b"using", b"lock", b"assert", b"delete", b"typeof",
    b"yield",
];

/// Returns the declaration that a line begins, without its indentation and its brace, in a
/// language with these keywords and this style.
pub fn declaration<'a>(line: &'a [u8], keywords: &[&str], style: Style) -> Option<&'a [u8]> {
    let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let columns: usize = line[..indent].iter().map(|&byte| if byte == b'\t' { 4 } else { 1 }).sum();
    let trimmed = &line[indent..];
    if trimmed.is_empty() || columns > MAX_INDENT {
        return None;
    }
    let behind = without_modifiers(trimmed);
    let word = up_to(behind, |byte| matches!(byte, b' ' | b'(' | b':'));
    let word = if word.starts_with(b"impl<") { b"impl" } else { word };
    let ends_open = trimmed.ends_with(b"{");
    let has = |text: &[u8]| find::text(text, trimmed).is_some();
    let is_called = |at_margin: bool| {
        let word = up_to(trimmed, |byte| matches!(byte, b' ' | b'('));
        ends_open && has(b"(") && (columns == 0 || !at_margin) && !STATEMENTS.contains(&word)
    };
    // `struct ring ring = {0};` in a function of C is a variable.
    let is_variable = style == Style::Functions && columns > 0 && trimmed.ends_with(b";");
    let is_declared = !is_variable && keywords.iter().any(|keyword| keyword.as_bytes() == word)
        || match style {
            Style::Keywords => false,
            Style::Methods => {
                is_called(false) && !has(b"=>") && !has(b" = ") && !matches!(trimmed[0], b'.' | b'(')
                    || columns == 0 && is_bound_function(behind)
            }
            Style::Functions => {
                columns == 0
                    && match trimmed[0] {
                        b'#' => macro_end(trimmed).is_some(),
                        b'}' => is_named_end(trimmed),
                        _ => is_called(true) || is_bare_function(trimmed),
                    }
            }
            Style::Shell => columns == 0 && has(b"() {") || trimmed.ends_with(b"()"),
            Style::Sql => {
                columns == 0
                    && ["create", "alter", "drop"].iter().any(|w| word.eq_ignore_ascii_case(w.as_bytes()))
            }
            Style::Css => columns == 0 && ends_open,
            Style::Targets => columns == 0 && is_target(trimmed),
            Style::Sections => columns == 0 && trimmed[0] == b'[',
        };
    if !is_declared {
        return None;
    }
    // If the body is on the same line, it is cut off.
    let end = match style {
        Style::Functions if trimmed[0] == b'#' => macro_end(trimmed),
        Style::Functions => find::text(b") {", trimmed).map(|at| at + 1),
        _ => None,
    };
    let symbol = &trimmed[..end.unwrap_or(trimmed.len())];
    let end = symbol.iter().rposition(|byte| !matches!(byte, b'{' | b' ' | b'\r')).map_or(0, |last| last + 1);
    let symbol = &symbol[..end];
    // `typedef struct {`, `struct row *` above its function: the name is on another line.
    let last = symbol.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let is_nameless = last.ends_with(b"*") || keywords.iter().any(|keyword| keyword.as_bytes() == last);
    (style != Style::Functions || !is_nameless).then_some(symbol)
}

/// Returns a line without the modifiers that it begins with.
fn without_modifiers(line: &[u8]) -> &[u8] {
    let mut rest = line;
    loop {
        let word = up_to(rest, |byte| byte == b' ');
        if word.len() == rest.len() || !MODIFIERS.contains(&word) {
            return rest;
        }
        rest = rest[word.len()..].trim_ascii_start();
    }
}

/// Returns the text before the first byte that ends it; all if there is none.
fn up_to(text: &[u8], ends: impl Fn(u8) -> bool) -> &[u8] {
    &text[..text.iter().position(|&byte| ends(byte)).unwrap_or(text.len())]
}

/// Returns whether a line is `name = (a, b) => {` or `name = async function (a) {`. The
/// word `const` was removed as a modifier.
fn is_bound_function(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"let ").unwrap_or(line);
    let Some(at) = find::text(b" = ", line) else { return false };
    let value = &line[at + b" = ".len()..];
    let value = value.strip_prefix(b"async ").unwrap_or(value);
    value.starts_with(b"function") || value.starts_with(b"(") && find::text(b"=>", value).is_some()
}

/// Returns whether a line is a function's head whose brace is on a line below: `int
/// main(void)`, or, below its return type, `main(int count,`. Or whether its body is on the
/// same line.
fn is_bare_function(line: &[u8]) -> bool {
    let line = find::text(b") {", line).filter(|_| line.ends_with(b"}")).map_or(line, |at| &line[..=at]);
    let name = up_to(line, |byte| byte == b'(');
    // A name in capitals is a macro that is used.
    let is_name =
        name.last().is_some_and(u8::is_ascii_alphanumeric) && name.iter().any(u8::is_ascii_lowercase);
    let is_head = match line.last() {
        Some(b')') => is_name || name.contains(&b' '),
        Some(b',') => is_name && !line.ends_with(b"),"),
        _ => false,
    };
    is_head
        && name.len() < line.len()
        && !matches!(name.first(), Some(b'/' | b'*'))
        && !name.contains(&b'=')
        && !STATEMENTS.contains(&up_to(name, |byte| byte == b' '))
}

/// Returns the end of the head of a macro with arguments: `#define max(a, b)`.
fn macro_end(line: &[u8]) -> Option<usize> {
    let open = find::byte(b'(', line).filter(|_| line.starts_with(b"#define "))?;
    let is_name = !line[b"#define ".len()..open].contains(&b' ');
    find::byte(b')', line).map(|close| close + 1).filter(|_| is_name)
}

/// Returns whether a line is `} name_t;`, the end of a type that is named there.
fn is_named_end(line: &[u8]) -> bool {
    let name = line[1..].trim_ascii();
    name.len() > 1
        && name.ends_with(b";")
        && name[..name.len() - 1].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_*, ".contains(byte))
}

/// Returns whether a line is `name: needed`, and not an assignment or a line of a recipe.
fn is_target(line: &[u8]) -> bool {
    let name = up_to(line, |byte| byte == b':');
    name.len() < line.len()
        && !name.iter().any(|byte| matches!(byte, b'=' | b'$' | b'#'))
        && !line[name.len()..].starts_with(b":=")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks the declarations in lines of a language with a style.
    fn check(style: Style, keywords: &[&str], lines: &[(&str, Option<&str>)]) {
        for (line, symbol) in lines {
            let actual = declaration(line.as_bytes(), keywords, style);
            assert_eq!(actual, symbol.map(str::as_bytes), "{line}");
        }
    }

    #[test]
    fn a_word_behind_modifiers_declares() {
        let keywords = ["fn", "struct", "impl", "type", "macro_rules!"];
        check(
            Style::Keywords,
            &keywords,
            &[
                (
                    "pub(crate) async unsafe fn run<T>(of: T) -> u8 {",
                    Some("pub(crate) async unsafe fn run<T>(of: T) -> u8"),
                ),
                ("    pub const fn at(&self) -> u8 {", Some("pub const fn at(&self) -> u8")),
                ("\tfn at() {", Some("fn at()")),
                ("impl<T> Reader<T> {", Some("impl<T> Reader<T>")),
                ("macro_rules! row {", Some("macro_rules! row")),
                ("struct Row;", Some("struct Row;")),
                ("     fn deeper() {", None),
                ("\t\tfn deeper() {", None),
                ("// fn run() {", None),
                ("let fn_name = 1;", None),
                ("fnord() {", None),
                ("pub", None),
                ("const", None),
                ("", None),
                ("    ", None),
                ("{", None),
            ],
        );
    }

    #[test]
    fn methods_and_functions_are_known_by_their_form() {
        check(
            Style::Methods,
            &["class"],
            &[
                ("export class Reader {", Some("export class Reader")),
                ("  async read(path) {", Some("async read(path)")),
                ("const read = (path) => {", Some("const read = (path) =>")),
                ("let read = async function (path) {", Some("let read = async function (path)")),
                ("  if (path) {", None),
                ("  } else if (path) {", None),
                ("  const rows = read(path) {", None),
                ("  .then((rows) => {", None),
                ("  rows.map((row) => {", None),
            ],
        );
        check(
            Style::Functions,
            &["struct", "typedef"],
            &[
                ("int main(void) {", Some("int main(void)")),
                ("int small(int a) { return a; }", Some("int small(int a)")),
                ("main(int count,", Some("main(int count,")),
                ("#define MAX(a, b) ((a) > (b) ? (a) : (b))", Some("#define MAX(a, b)")),
                ("} point_t;", Some("} point_t;")),
                ("    struct ring ring = {0};", None),
                ("int put(struct row *r);", None),
                ("#define LIMIT 5", None),
                ("#define LIMIT (5)", None),
                ("typedef struct {", None),
                ("struct row *", None),
                ("TABLE(row)", None),
                ("while (0) {", None),
                ("};", None),
            ],
        );
    }

    #[test]
    fn other_styles_have_marks_of_their_own() {
        check(
            Style::Shell,
            &["function"],
            &[("run() {", Some("run()")), ("function run {", Some("function run")), ("run", None)],
        );
        check(
            Style::Sql,
            &[],
            &[
                ("CREATE TABLE a (", Some("CREATE TABLE a (")),
                ("alter table a", Some("alter table a")),
                ("  create", None),
                ("select 1", None),
            ],
        );
        check(
            Style::Css,
            &[],
            &[(".row > a:hover {", Some(".row > a:hover")), ("  color: red;", None), ("}", None)],
        );
        check(
            Style::Targets,
            &[],
            &[("all: a b", Some("all: a b")), ("CC := cc", None), ("A = b:c", None), ("\techo a: b", None)],
        );
        check(Style::Sections, &[], &[("[package]", Some("[package]")), ("name = \"[a]\"", None)]);
    }

    const STYLES: [Style; 8] = [
        Style::Keywords,
        Style::Methods,
        Style::Functions,
        Style::Shell,
        Style::Sql,
        Style::Css,
        Style::Targets,
        Style::Sections,
    ];

    fn is_part_of_its_line(line: &[u8], style: Style) {
        if let Some(symbol) = declaration(line, &["fn", "class", "struct"], style) {
            let start = symbol.as_ptr().addr().wrapping_sub(line.as_ptr().addr());
            assert!(start + symbol.len() <= line.len());
            assert!(line[..start].iter().all(|byte| matches!(byte, b' ' | b'\t')));
            assert!(!matches!(symbol.last(), Some(b'{' | b' ' | b'\r')));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(line in proptest::collection::vec(any::<u8>(), 0..200), style in prop::sample::select(STYLES.to_vec())) {
            is_part_of_its_line(&line, style);
        }

        #[test]
        fn parts_of_declarations_are_read(
            parts in proptest::collection::vec(prop::sample::select(vec![
                "pub ", "const ", "let ", "fn ", "class ", "struct ", "name", "(", ")", " {", "}", " = ", "=>", "async ", "function",
                "#define ", ";", ",", "*", ":", "[", " ", "\t", "\r", "é", "impl<",
            ]), 0..12),
            style in prop::sample::select(STYLES.to_vec()),
        ) {
            is_part_of_its_line(parts.concat().as_bytes(), style);
        }
    }
}
