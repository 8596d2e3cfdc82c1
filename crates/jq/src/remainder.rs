//! Makes `%` bind as `*` and `/` do: `6 * 7 % 5` is 2. jaq parses it as `6 * (7 % 5)`.
//!
//! A parsed term does not record brackets. Therefore brackets after `*` and `/` are marked before
//! jaq parses a filter, with a binding that no filter can spell, and [`associate`] removes it.

use jaq_core::load::lex::{Tok, Token};
use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::ops::Math;

use crate::term::Term;

/// The variable of the binding.
const BRACKETS: &str = "$!brackets";

/// Marks a token that follows others if it is in brackets after `*` or `/`.
pub(crate) fn mark(token: &mut Token<&str>, before: &[Token<&str>]) {
    if let Token(text, Tok::Block(inner)) = token
        && text.starts_with('(')
        && matches!(before.last(), Some(Token("*" | "/", _)))
    {
        let binding = [(".", Tok::Sym), ("as", Tok::Word), (BRACKETS, Tok::Var), ("|", Tok::Sym)];
        inner.splice(0..0, binding.map(|(text, kind)| Token(text, kind)));
    }
}

/// Removes the mark of a term, and turns `a * (b % c)` without brackets into `(a * b) % c`. Its parts
/// are left to the caller.
pub(crate) fn associate(term: &mut Term) {
    while let Term::BinOp(_, BinaryOp::Pipe(Some(Pattern::Var(BRACKETS))), marked) = term {
        *term = *std::mem::take(marked);
    }
    let Term::BinOp(_, BinaryOp::Math(Math::Mul | Math::Div), right) = term else { return };
    if is_remainder(right) {
        let mut chain = std::mem::take(&mut **right);
        let mut first = &mut chain;
        while is_remainder(first) {
            let Term::BinOp(left, ..) = first else { return };
            first = left;
        }
        // The first factor of the chain belongs to the product.
        std::mem::swap(&mut **right, first);
        std::mem::swap(first, term);
        *term = chain;
    }
}

fn is_remainder(term: &Term) -> bool {
    matches!(term, Term::BinOp(_, BinaryOp::Math(Math::Rem), _))
}

#[cfg(test)]
mod tests {
    use crate::{Bytes, Filter, Options};

    #[test]
    fn a_remainder_binds_as_a_product_does() {
        for (filter, expected) in [
            ("6 * 7 % 5", "2"),
            ("3723 / 60 % 60", "2"),
            ("6 * (7 % 5)", "12"),
            ("6 * ((7 % 5))", "12"),
            ("2 * 5 % 3 * 2", "2"),
            ("100 / 7 % 4 % 2 * 9", "0"),
            ("1 + 6 * 7 % 5 + 1", "4"),
            ("2 * -3 % 4", "-2"),
            ("8 * (7 % 5) % 3", "1"),
            ("[3] | map(. * 5 % 4), .[0] * .[7 % 1] % 2", "[3]\n1"),
            ("\"\\(6 * 7 % 5)\"", "\"2\""),
            ("def f(x): 6 * x % 5; f(7 % 4)", "3"),
            ("6 * (. as [$a] ?// $a | 7 % 5) % 7", "5"),
            ("10 * (7, 8 % 5)", "70\n30"),
        ] {
            let options = Options { compact: true, ..Options::default() };
            let outputs = Filter::compile(filter).unwrap().run(&Bytes(b"1".to_vec()), &options, None, 256);
            assert_eq!(outputs.unwrap().text.trim_end(), expected, "{filter}");
        }
    }
}
