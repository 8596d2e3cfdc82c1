//! The outline of a source: its language and its declarations.

use super::symbols::Symbols;
use crate::line as lines;
use crate::outline::{Entry, Outline};

/// Symbols that are named. The rest is counted.
const MAX_NAMED: usize = 512;

/// Returns the language, the count of lines, and the symbols by line number.
pub fn outline(bytes: &[u8]) -> Outline {
    let symbols = Symbols::of(bytes);
    let (mut line_count, mut count) = (0u64, 0u64);
    let mut named: Vec<(String, String)> = Vec::new();
    let mut lines = lines::Lines::of(bytes);
    while let Some(line) = lines.next() {
        line_count += 1;
        if let Some(symbol) = symbols.find(line) {
            count += 1;
            if named.len() < MAX_NAMED {
                named.push((line_count.to_string(), symbols.text(symbol, &lines)));
            }
        }
    }
    let name = symbols.language.map_or("source", |language| language.name);
    let noun = if name == "configuration" { "" } else { " source" };
    let numbers = if symbols.is_numbered { ", with line numbers" } else { "" };
    let mut outline = Outline::default();
    outline.push("kind", Entry::Text(format!("{name}{noun}: {line_count} lines{numbers}")));
    let more = count - named.len() as u64;
    outline.push_members("symbols", named, more);
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn declarations_of_c_are_named_in_every_layout() {
        let text = "#include <stdio.h>\n#define LIMIT 5\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\ntypedef struct {\n    int x;\n} point_t;\n\nstatic const struct row *\nget_row(struct bar *b)\n{\n    return b->f;\n}\n\nextern int\nnew_row(struct row **to, const char *name,\n        int *error)\n{\n    if (error)\n    {\n    }\n}\n\nunsigned long big(void) { return 1; }\nint small(int a) {\n}\nint put(struct row *r, int n);\nTABLE(row)\nenum color { RED };\nstruct row {\n    int x;\n} all[] = {\n};\ndo {\n} while (0);\n";
        assert_eq!(
            outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE),
            r##"{"kind": "C source: 35 lines", "symbols": {"3": "#define MAX(a, b)", "7": "} point_t;", "10": "get_row(struct bar *b)", "16": "new_row(struct row **to, const char *name,", "24": "unsigned long big(void)", "25": "int small(int a)", "29": "enum color { RED };", "30": "struct row"}}"##
        );
    }

    #[test]
    fn declarations_are_named_by_line() {
        let text = "     1\t//! Reads.\n     2\t\n     3\tuse std::fs;\n     4\t\n     5\tpub struct Reader;\n     6\t\n     7\timpl Reader {\n     8\t    pub fn read(&self) -> u8 {\n     9\t        let f = |x| x;\n    10\t        0\n    11\t    }\n    12\t}\n";
        assert_eq!(
            outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE),
            r#"{"kind": "Rust source: 12 lines, with line numbers", "symbols": {"5": "pub struct Reader;", "7": "impl Reader", "8": "pub fn read(&self) -> u8"}}"#
        );
    }
}
