//! How deep a filter nests, before anything follows its levels.
//!
//! jaq's lexer, parser, compiler and interpreter are recursive, and not only in
//! brackets: `a | b | c` nests to the right, `a + b + c` to the left, and a
//! definition that calls the one before it adds to what that takes. All of them
//! would run out of stack on a filter that is within its bytes, so that a bound
//! of what each can need is taken from the tokens: brackets first, by a scan
//! without recursion, then the rest, as deep as the brackets.

use jaq_core::load::lex::{StrPart, Tok, Token};

/// The most brackets, strings with interpolation included, that may be open.
pub(super) const MAX_BRACKETS: usize = 64;

/// The most levels that a filter may need.
pub(super) const MAX_LEVELS: usize = 256;

/// The most brackets that are open at once, as jaq's lexer sees them.
pub(super) fn brackets(filter: &str) -> usize {
    let (mut open, mut most): (Vec<u8>, usize) = (Vec::new(), 0);
    let bytes = filter.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let in_string = open.last() == Some(&b'"');
        match byte {
            b'\\' if in_string => {
                at += 1;
                if bytes.get(at) == Some(&b'(') {
                    open.push(b'(');
                }
            }
            b'"' if in_string => drop(open.pop()),
            _ if in_string => {}
            b'"' | b'(' | b'[' | b'{' => open.push(byte),
            b')' | b']' | b'}' => {
                // What does not match is an error: the lexer leaves the bracket
                // and asks the ones around it.
                let opening = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                while open.pop().is_some_and(|open| open != opening) {}
            }
            b'#' => {
                // A backslash before the line's end carries the comment on.
                let mut escaped = false;
                while let Some(&byte) = bytes.get(at) {
                    let carriage_return = byte == b'\r' && bytes.get(at + 1) == Some(&b'\n');
                    if byte == b'\n' && !escaped {
                        break;
                    }
                    escaped = byte == b'\\' && !escaped || carriage_return && escaped;
                    at += 1;
                }
            }
            _ => {}
        }
        most = most.max(open.len());
        at += 1;
    }
    most
}

/// A bound of the levels that parsing, compiling and running the tokens takes.
pub(super) fn levels(tokens: &[Token<&str>]) -> usize {
    let mut definitions = 0;
    let main = sequence(tokens, &mut definitions);
    main + definitions
}

/// How tightly operators bind, from the loosest: `;` between arguments, then
/// pipes and what works like them, commas, updates, `or`, `and`, comparisons,
/// sums, products, and at last prefixes and paths.
const TIGHTNESS: usize = 9;

fn tightness(token: &str) -> Option<usize> {
    Some(match token {
        "|" | "then" | "elif" | "else" => 1,
        "," | ":" => 2,
        "//" | "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=" => 3,
        "or" => 4,
        "and" => 5,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 6,
        "+" | "-" => 7,
        "*" | "/" | "%" => 8,
        "try" | "catch" | "reduce" | "foreach" | "label" => TIGHTNESS,
        _ if token.starts_with('.') || token.starts_with('[') => TIGHTNESS,
        _ => return None,
    })
}

/// A run of operators and their operands, of each tightness: how many operators
/// there are, and the deepest operand so far.
#[derive(Default)]
struct Run {
    operators: [usize; TIGHTNESS + 1],
    deepest: [usize; TIGHTNESS + 1],
}

impl Run {
    /// An operand of this depth.
    fn operand(&mut self, depth: usize) {
        self.deepest[TIGHTNESS] = self.deepest[TIGHTNESS].max(depth);
    }

    /// An operator ends what binds tighter: that is an operand of it.
    fn operator(&mut self, tightness: usize) {
        self.end(tightness);
        self.operators[tightness] += usize::from(tightness > 0);
    }

    fn end(&mut self, tightness: usize) {
        for tighter in (tightness + 1..=TIGHTNESS).rev() {
            let depth = self.operators[tighter] + self.deepest[tighter];
            self.deepest[tighter - 1] = self.deepest[tighter - 1].max(depth);
            (self.operators[tighter], self.deepest[tighter]) = (0, 0);
        }
    }

    fn depth(mut self) -> usize {
        self.end(0);
        self.deepest[0]
    }
}

fn sequence(tokens: &[Token<&str>], definitions: &mut usize) -> usize {
    // `if … end` and `def … ;` are brackets too.
    let mut outer: Vec<(Run, bool)> = Vec::new();
    let mut run = Run::default();
    for Token(text, token) in tokens {
        match (token, *text) {
            (Tok::Word, "if") => outer.push((std::mem::take(&mut run), false)),
            (Tok::Word, "def") => outer.push((std::mem::take(&mut run), true)),
            (Tok::Word, "end") if matches!(outer.last(), Some((_, false))) => {
                let depth = 1 + std::mem::take(&mut run).depth();
                run = outer.pop().map(|(run, _)| run).unwrap_or_default();
                run.operand(depth);
            }
            (Tok::Sym, ";") if matches!(outer.last(), Some((_, true))) => {
                *definitions += 1 + std::mem::take(&mut run).depth();
                run = outer.pop().map(|(run, _)| run).unwrap_or_default();
            }
            (Tok::Sym, ";") => run.operator(0),
            (Tok::Word | Tok::Sym, text) => {
                if let Some(tightness) = tightness(text) {
                    run.operator(tightness);
                }
            }
            (Tok::Block(inner), text) => {
                let depth = 1 + sequence(inner, definitions);
                if text.starts_with('[') {
                    run.operator(TIGHTNESS);
                }
                run.operand(depth);
            }
            (Tok::Str(parts), _) => {
                let deepest = parts.iter().map(|part| match part {
                    StrPart::Term(Token(_, Tok::Block(inner))) => 1 + sequence(inner, definitions),
                    _ => 0,
                });
                let deepest = deepest.max().unwrap_or(0);
                run.operand(parts.len() + deepest);
            }
            (Tok::Var | Tok::Fmt | Tok::Num, _) => {}
        }
    }
    // Without their ends these are errors, which take a parser all the same.
    let mut depth = run.depth();
    while let Some((mut run, _)) = outer.pop() {
        run.operand(1 + depth);
        depth = run.depth();
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use jaq_core::load::Lexer;

    fn levels_of(filter: &str) -> usize {
        levels(&Lexer::new(filter).lex().unwrap())
    }

    #[test]
    fn brackets_are_counted_as_the_lexer_sees_them() {
        for (filter, depth) in [
            ("[[1], (2)]", 2),
            (r#""((((" | [")"]"#, 2),
            (r#""\("\(1)")""#, 4),
            (r#""\\(" | ["\""]"#, 2),
            ("# ((((\n[1]", 1),
            ("# \\\n((((\n[1]", 1),
            ("# \\\\\n((", 2),
            ("([)]", 2),
        ] {
            assert_eq!(brackets(filter), depth, "{filter}");
        }
    }

    #[test]
    fn chains_nest() {
        for (filter, depth) in [
            (".", 1),
            ("1 + 2 + 3", 2),
            ("1 + 2 * 3 + 4", 3),
            (". | . | .", 3),
            ("- - - 1", 3),
            ("try try 1", 2),
            (".a.b[0].c", 5),
            ("f(1; 2; 3)", 1),
            ("[1, 2, 3]", 4),
            ("if 1 then 2 elif 3 then 4 else 5 end", 5),
            ("def f: 1; def g: f; g", 4),
            (".a == 1 or .b == 2 or .c == 3", 4),
        ] {
            assert_eq!(levels_of(filter), depth, "{filter}");
        }
        for hostile in
            ["- ", "try ", ". as $x | ", "1+", "def f: 1; ", "reduce . as $x (1; ", "if 1 then ", "."]
        {
            let filter = hostile.repeat(16_384 / hostile.len());
            if brackets(&filter) <= MAX_BRACKETS {
                assert!(levels(&Lexer::new(&filter).lex().unwrap()) > MAX_LEVELS, "{hostile}");
            }
        }
    }

    #[test]
    fn ordinary_filters_are_far_from_the_bounds() {
        let wide =
            format!("{{{}}}", (0..100).map(|n| format!("k{n}: .a.b[{n}]")).collect::<Vec<_>>().join(", "));
        assert!(levels_of(&wide) <= MAX_LEVELS, "{}", levels_of(&wide));
        let either = (0..120).map(|n| format!(".id == {n}")).collect::<Vec<_>>().join(" or ");
        assert!(levels_of(&format!(".[] | select({either}) | .name")) <= MAX_LEVELS);
    }
}
