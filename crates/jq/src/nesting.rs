//! Bounds of the nesting of a filter, checked before any recursion over it.
//!
//! jaq's lexer, parser, compiler and interpreter are recursive, and not only in brackets: `a | b |
//! c` nests to the right, `a + b + c` to the left, and a definition that calls the one before it
//! adds to its depth. All of them could overflow the stack on a filter of legal length. An upper
//! bound of the depth is computed from the tokens: first the depth of brackets, by a scan without
//! recursion, then the rest, by recursion into the brackets.

use jaq_core::load::lex::{StrPart, Tok, Token};

/// Maximum brackets that may be open at once, including strings with interpolation.
pub(crate) const MAX_BRACKETS: usize = 64;

/// Maximum levels that a filter may need.
pub(crate) const MAX_LEVELS: usize = 256;

/// Returns the maximum number of brackets open at once, by the rules of jaq's lexer.
pub(crate) fn brackets(filter: &str) -> usize {
    let (mut open, mut max): (Vec<u8>, usize) = (Vec::new(), 0);
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
                // A bracket that does not match is an error: the lexer closes brackets up to one
                // that does.
                let opening = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                while open.pop().is_some_and(|open| open != opening) {}
            }
            b'#' => {
                // A backslash before the end of the line continues the comment.
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
        max = max.max(open.len());
        at += 1;
    }
    max
}

/// Returns an upper bound of the levels of recursion to parse, compile and run the tokens.
pub(crate) fn levels(tokens: &[Token<&str>]) -> usize {
    let mut definitions = 0;
    let main = sequence(tokens, &mut definitions);
    main + definitions
}

/// The highest precedence. From the lowest, 0, they are: `;` between arguments, pipes and keywords
/// like them, commas, updates, `or`, `and`, comparisons, sums, products, prefixes and paths.
const HIGHEST: usize = 9;

fn precedence(token: &str) -> Option<usize> {
    Some(match token {
        "|" | "then" | "elif" | "else" => 1,
        "," | ":" => 2,
        "//" | "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=" => 3,
        "or" => 4,
        "and" => 5,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 6,
        "+" | "-" => 7,
        "*" | "/" | "%" => 8,
        "try" | "catch" | "reduce" | "foreach" | "label" => HIGHEST,
        _ if token.starts_with('.') || token.starts_with('[') => HIGHEST,
        _ => return None,
    })
}

/// A chain of operators and operands. For each precedence: the number of its operators since the
/// last one of lower precedence, and the depth of their deepest operand.
#[derive(Default)]
struct Chain {
    operators: [usize; HIGHEST + 1],
    deepest: [usize; HIGHEST + 1],
}

impl Chain {
    /// Adds an operand of this depth.
    fn operand(&mut self, depth: usize) {
        self.deepest[HIGHEST] = self.deepest[HIGHEST].max(depth);
    }

    /// Adds an operator. The operators of higher precedence before it are its operand.
    fn operator(&mut self, precedence: usize) {
        self.close(precedence);
        self.operators[precedence] += usize::from(precedence > 0);
    }

    /// Turns the operators above a precedence into an operand.
    fn close(&mut self, precedence: usize) {
        for higher in (precedence + 1..=HIGHEST).rev() {
            let depth = self.operators[higher] + self.deepest[higher];
            self.deepest[higher - 1] = self.deepest[higher - 1].max(depth);
            (self.operators[higher], self.deepest[higher]) = (0, 0);
        }
    }

    fn depth(mut self) -> usize {
        self.close(0);
        self.deepest[0]
    }
}

/// A construct that encloses a chain as brackets do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    /// `if … end`
    If,
    /// `def … ;`
    Def,
}

/// Returns the depth of tokens, and adds that of their definitions.
fn sequence(tokens: &[Token<&str>], definitions: &mut usize) -> usize {
    let mut outer: Vec<(Chain, Keyword)> = Vec::new();
    let mut chain = Chain::default();
    for Token(text, token) in tokens {
        match (token, *text) {
            (Tok::Word, "if") => outer.push((std::mem::take(&mut chain), Keyword::If)),
            (Tok::Word, "def") => outer.push((std::mem::take(&mut chain), Keyword::Def)),
            (Tok::Word, "end") if matches!(outer.last(), Some((_, Keyword::If))) => {
                let depth = 1 + std::mem::take(&mut chain).depth();
                chain = outer.pop().map(|(chain, _)| chain).unwrap_or_default();
                chain.operand(depth);
            }
            (Tok::Sym, ";") if matches!(outer.last(), Some((_, Keyword::Def))) => {
                *definitions += 1 + std::mem::take(&mut chain).depth();
                chain = outer.pop().map(|(chain, _)| chain).unwrap_or_default();
            }
            (Tok::Sym, ";") => chain.operator(0),
            (Tok::Word | Tok::Sym, text) => {
                if let Some(precedence) = precedence(text) {
                    chain.operator(precedence);
                }
            }
            (Tok::Block(inner), text) => {
                let depth = 1 + sequence(inner, definitions);
                if text.starts_with('[') {
                    chain.operator(HIGHEST);
                }
                chain.operand(depth);
            }
            (Tok::Str(parts), _) => {
                let deepest = parts.iter().map(|part| match part {
                    StrPart::Term(Token(_, Tok::Block(inner))) => 1 + sequence(inner, definitions),
                    _ => 0,
                });
                let deepest = deepest.max().unwrap_or(0);
                chain.operand(parts.len() + deepest);
            }
            (Tok::Var | Tok::Fmt | Tok::Num, _) => {}
        }
    }
    // Missing ends are errors, but the parser recurses before it reports them.
    let mut depth = chain.depth();
    while let Some((mut chain, _)) = outer.pop() {
        chain.operand(1 + depth);
        depth = chain.depth();
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
    fn brackets_are_counted_by_the_rules_of_the_lexer() {
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
