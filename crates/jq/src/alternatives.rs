//! Alternatives of patterns, `E as P1 ?// P2 | f`, which jaq does not support.
//!
//! Before jaq parses a filter, [`join`] turns the patterns of such a binding into one pattern that
//! no filter can spell. In the parsed term, [`expand`] turns it into
//!
//! ```text
//! E as $value
//! | def body($x; $y): f;
//!   . as $input
//! | try ([] as [$x, $y] | $value as P1 | body($x; $y))
//!   catch ($input | [] as [$x, $y] | $value as P2 | body($x; $y))
//! ```
//!
//! where `$x` and `$y` are the variables of all patterns. They are null where a pattern does not
//! bind them, and `f` is compiled only once.

use jaq_core::load::lex::{StrPart, Tok, Token};
use jaq_core::load::parse::{BinaryOp, Def, Pattern};

use crate::remainder;
use crate::rewrite::pipe;
use crate::term::{Term, for_each_child};

/// Maximum `?//` in a filter. Each has all the variables of its binding.
pub(crate) const MAX_ALTERNATIVES: usize = 32;

/// Levels that each `?//` adds to the term.
pub(crate) const LEVELS: usize = 3;

/// The variable of the value that is destructured. No filter can spell this name, nor the following.
pub(crate) const DESTRUCTURED: &str = "$!value";
/// The variable that a joined pattern begins with, which is an array of all patterns.
const ALTERNATIVES: &str = "$?//";
const BODY: &str = "!body";
const INPUT: &str = "$!input";
const STATE: &str = "$!state";

/// Joins the patterns of each binding into one, and marks brackets. Returns the number of `?//`.
pub(crate) fn join(tokens: &mut Vec<Token<&str>>) -> usize {
    let mut joined = 0;
    let mut rest = std::mem::take(tokens).into_iter();
    while let Some(mut token) = rest.next() {
        remainder::mark(&mut token, tokens);
        match &mut token {
            Token(_, Tok::Block(inner)) => joined += join(inner),
            Token(_, Tok::Str(parts)) => {
                for part in parts {
                    if let StrPart::Term(Token(_, Tok::Block(inner))) = part {
                        joined += join(inner);
                    }
                }
            }
            _ => {}
        }
        let is_binding = matches!(token, Token("as", Tok::Word));
        tokens.push(token);
        let further = if is_binding { further_patterns(rest.as_slice()) } else { 0 };
        if further > 0 {
            joined += further;
            let mut patterns = vec![Token(ALTERNATIVES, Tok::Var)];
            for pattern in rest.by_ref().take(1 + 3 * further).step_by(3) {
                patterns.extend([Token(",", Tok::Sym), pattern]);
            }
            patterns.push(Token("]", Tok::Sym));
            joined += join(&mut patterns);
            tokens.push(Token("[", Tok::Block(patterns)));
        }
    }
    joined
}

/// Returns the number of times that `?// P` follows the first of some tokens.
fn further_patterns(tokens: &[Token<&str>]) -> usize {
    let groups = tokens.get(1..).unwrap_or_default().chunks_exact(3);
    groups.take_while(|group| matches!(group, [Token("?", _), Token("//", _), _])).count()
}

/// Replaces the joined patterns of a term and of its definitions, and removes the marks.
pub(crate) fn expand(term: &mut Term) {
    remainder::associate(term);
    if let Term::Def(definitions, _) = term {
        definitions.iter_mut().for_each(|definition| expand(&mut definition.body));
    }
    for_each_child(term, &mut expand);
    match term {
        Term::BinOp(_, BinaryOp::Pipe(Some(pattern)), body) => {
            if let Some(patterns) = take_patterns(pattern) {
                **body = try_each(patterns, std::mem::take(body));
            }
        }
        Term::Fold(_, _, pattern, arguments) => {
            if let Some(patterns) = take_patterns(pattern) {
                expand_fold(patterns, arguments);
            }
        }
        _ => {}
    }
}

/// Replaces a joined pattern by a variable. Returns the patterns that were joined, if they were.
fn take_patterns<'f>(pattern: &mut Pattern<&'f str>) -> Option<Vec<Pattern<&'f str>>> {
    match pattern {
        Pattern::Arr(parts) if matches!(parts.first(), Some(Pattern::Var(ALTERNATIVES))) => {
            let mut patterns = std::mem::take(parts);
            patterns.remove(0);
            *pattern = Pattern::Var(DESTRUCTURED);
            Some(patterns)
        }
        _ => None,
    }
}

/// Moves the patterns of `reduce` or `foreach` into its update. If outputs are extracted from the
/// states, these become arrays of a state and the variables that it was computed with.
fn expand_fold<'f>(patterns: Vec<Pattern<&'f str>>, arguments: &mut [Term<'f>]) {
    match arguments {
        [_, update] => *update = try_each(patterns, std::mem::take(update)),
        [init, update, extract] => {
            let names = variables(&patterns);
            *init = Term::Arr(Some(Box::new(std::mem::take(init))));
            let state = Term::Arr(Some(Box::new(comma(Term::Id, comma_separated(&names)))));
            let body = pipe(std::mem::take(update), None, state);
            *update = in_state(&[], try_each(patterns, body));
            *extract = in_state(&names, std::mem::take(extract));
        }
        _ => {}
    }
}

fn comma<'f>(left: Term<'f>, right: Term<'f>) -> Term<'f> {
    Term::BinOp(Box::new(left), BinaryOp::Comma, Box::new(right))
}

/// Returns `$x, $y`, in few levels: there may be thousands of variables.
fn comma_separated<'f>(names: &[&'f str]) -> Term<'f> {
    match names {
        [] => Term::Id,
        [name] => Term::Var(name),
        names => {
            let (left, right) = names.split_at(names.len() / 2);
            comma(comma_separated(left), comma_separated(right))
        }
    }
}

/// Returns `. as [$state, $x, $y] | $state | f`.
fn in_state<'f>(names: &[&'f str], f: Term<'f>) -> Term<'f> {
    let parts = std::iter::once(&STATE).chain(names).map(|name| Pattern::Var(*name));
    pipe(Term::Id, Some(Pattern::Arr(parts.collect())), pipe(Term::Var(STATE), None, f))
}

/// Returns the term that runs `body` with the first pattern that does not fail.
fn try_each<'f>(patterns: Vec<Pattern<&'f str>>, body: Term<'f>) -> Term<'f> {
    let names = variables(&patterns);
    let nulls = Pattern::Arr(names.iter().copied().map(Pattern::Var).collect());
    let attempts = patterns.into_iter().map(|pattern| {
        let call = Term::Call(BODY, names.iter().copied().map(Term::Var).collect());
        pipe(Term::Arr(None), Some(nulls.clone()), pipe(Term::Var(DESTRUCTURED), Some(pattern), call))
    });
    let attempts = attempts.reduce(|failing, next| {
        let next = pipe(Term::Var(INPUT), None, next);
        Term::TryCatch(Box::new(failing), Some(Box::new(next)))
    });
    let attempts = pipe(Term::Id, Some(Pattern::Var(INPUT)), attempts.unwrap_or_default());
    Term::Def(vec![Def { name: BODY, args: names, body }], Box::new(attempts))
}

/// Returns the variables of all patterns. Those of the same name have the same value.
fn variables<'f>(patterns: &[Pattern<&'f str>]) -> Vec<&'f str> {
    let mut names = Vec::new();
    patterns.iter().for_each(|pattern| add_variables(pattern, &mut names));
    names
}

fn add_variables<'f>(pattern: &Pattern<&'f str>, names: &mut Vec<&'f str>) {
    match pattern {
        Pattern::Var(name) => names.push(name),
        Pattern::Arr(parts) => parts.iter().for_each(|part| add_variables(part, names)),
        Pattern::Obj(members) => members.iter().for_each(|(_, part)| add_variables(part, names)),
    }
}
