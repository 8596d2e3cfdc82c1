//! From the text of a filter to something that runs, or to what is wrong with
//! the text and where.

use jaq_core::Compiler;
use jaq_core::compile::Undefined;
use jaq_core::load::lex::Token;
use jaq_core::load::parse::{Def, Parser};
use jaq_core::load::{self, Arena, File, Lexer, Loader};

use super::natives;
use super::nesting::{self, MAX_BRACKETS, MAX_LEVELS};
use super::rewrite::{self, Author};
use super::run::Compiled;
use super::suggest;
use crate::error::Error;

/// The longest filter in bytes.
pub(crate) const MAX_FILTER_BYTES: usize = 16_384;

/// What the text of a filter says, in jaq's terms.
pub(super) type Term<'f> = load::parse::Term<&'f str>;

/// Parses a filter. `invalid-input` where it is none, `limit` where it is too
/// long or nests too deep.
pub(super) fn parse(filter: &str) -> Result<Term<'_>, Error> {
    if filter.len() > MAX_FILTER_BYTES {
        return Err(Error::limit(format!(
            "The filter is {} bytes long; at most {MAX_FILTER_BYTES} are allowed. Ask for less at a time.",
            filter.len()
        )));
    }
    let too_deep =
        |what: &str| Error::limit(format!("The filter nests too deep: {what}. Write it with fewer levels."));
    if nesting::brackets(filter) > MAX_BRACKETS {
        return Err(too_deep(&format!("more than {MAX_BRACKETS} brackets are open at once")));
    }
    let tokens = Lexer::new(filter).lex().map_err(|errors| {
        not_valid(filter, errors.into_iter().map(|(expected, found)| (expected.as_str(), found)))
    })?;
    if nesting::levels(&tokens) > MAX_LEVELS {
        return Err(too_deep(&format!(
            "brackets, definitions and chains of operators or commas come to more than {MAX_LEVELS} levels; split a string for a long list: \"a,b,c\" | split(\",\")"
        )));
    }
    if let Some(Token("module" | "include" | "import", _)) = tokens.first() {
        return Err(Error::invalid("The filter includes or imports a module: there are none here."));
    }
    Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| {
        let errors = errors.into_iter();
        not_valid(filter, errors.map(|(e, found)| (e.as_str(), Token::opt_as_str(found, filter))))
    })
}

/// Compiles a term whose names are parts of `filter`. `invalid-input` where
/// something in it is not defined.
pub(super) fn compile<'f>(filter: &'f str, main: Term<'f>) -> Result<Compiled, Error> {
    // jaq loads text only. So the term goes in as a definition, by a name that
    // the filter itself cannot call, and the text is a call of it.
    let mut name = "_main".to_owned();
    while filter.contains(&name) {
        name.insert(0, '_');
    }
    let main = Def { name: &*name, args: Vec::new(), body: main };
    let arena = Arena::default();
    let ours = definitions().map(|def| -> Def<&str> { rewrite::definition(def, Author::Trusted) });
    let modules = Loader::new(ours.chain([rewrite::definition(main, Author::Unknown)]))
        .load(&arena, File { code: &*name, path: () })
        .map_err(|_| Error::invalid("The filter is not valid."))?;
    let compiled = Compiler::default().with_funs(natives::all()).compile(modules);
    compiled.map(Compiled::from).map_err(|errors| {
        let undefined = errors.into_iter().flat_map(|(_, undefined)| undefined);
        match undefined.min_by_key(|(name, _)| offset(filter, name)) {
            Some((name, what)) => not_defined(filter, name, &what),
            None => Error::invalid("The filter is not valid."),
        }
    })
}

/// What is defined in jq itself: jaq's, then ours over it. Of jaq's, those are
/// left out that a native of ours stands for.
fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let ours: Vec<_> = natives::funs().map(|(name, arguments, _)| (name, arguments.len())).collect();
    let theirs = jaq_core::defs().filter(move |def| !ours.contains(&(def.name, def.args.len())));
    // That our own definitions parse is under test.
    let over = load::parse(include_str!("defs.jq"), |parser| parser.defs()).unwrap_or_default();
    theirs.chain(over)
}

/// The error of a text that is no filter: what was expected, and what stood there.
fn not_valid<'f>(filter: &'f str, errors: impl Iterator<Item = (&'f str, &'f str)>) -> Error {
    // What stands first; of what stands in one place, what was found last.
    let mut first: Option<(usize, &str, &str)> = None;
    for (expected, found) in errors {
        let at = offset(filter, found);
        if first.is_none_or(|(first, ..)| at <= first) {
            first = Some((at, expected, found));
        }
    }
    let Some((at, expected, found)) = first else { return Error::invalid("The filter is not valid.") };
    let expected = match expected {
        "nothing" => "an operator or the end of the filter",
        "" => "the end",
        expected => expected,
    };
    let found = match found.chars().next() {
        None => "the end of the filter".to_owned(),
        Some(_) => format!("`{}`", tuckaway_text::cut::head(found.lines().next().unwrap_or_default(), 30)),
    };
    Error::invalid(format!(
        "The filter is not valid at {}: expected {expected}, found {found}.",
        place(filter, at)
    ))
}

/// What jq has and this has not, with what to do instead.
const LACKING: [(&str, &str); 11] = [
    ("env", "there is no environment here"),
    ("$ENV", "there is no environment here"),
    ("input", "the filter already runs once for each document"),
    ("inputs", "the filter already runs once for each document"),
    ("input_filename", "an artifact has no file name"),
    ("input_line_number", "use grep for line numbers"),
    ("now", "there is no clock here: write the time as a number"),
    ("localtime", "there are no time zones here: use gmtime"),
    ("strflocaltime", "there are no time zones here: use strftime"),
    ("get_search_list", "there are no modules here"),
    ("$__loc__", "a filter does not know its own place here"),
];

fn not_defined(filter: &str, name: &str, what: &Undefined) -> Error {
    let called = match what {
        Undefined::Filter(0) => format!("the filter `{name}`"),
        Undefined::Filter(arity) => format!("the filter `{name}` with {arity} arguments"),
        what => format!("the {} `{name}`", what.as_str()),
    };
    let called = called.replace("with 1 arguments", "with 1 argument");
    let why = LACKING.iter().find(|(lacking, _)| *lacking == name).map_or("", |(_, why)| why);
    let place = place(filter, offset(filter, name));
    Error::invalid(match why {
        "" => {
            let defined = definitions().map(|def| (def.name, def.args.len()));
            let defined = defined.chain(natives::all().map(|(name, arguments, _)| (name, arguments.len())));
            let nearest = match what {
                Undefined::Filter(_) => suggest::nearest(name, defined),
                _ => None,
            };
            let nearest = nearest.map_or(String::new(), |nearest| format!(" {nearest}"));
            format!("The filter is not valid at {place}: {called} is not defined.{nearest}")
        }
        why => format!("The filter is not valid at {place}: {called} is not supported: {why}."),
    })
}

/// Where a part of the filter is in it.
fn offset(filter: &str, part: &str) -> usize {
    let start = part.as_ptr().addr().wrapping_sub(filter.as_ptr().addr());
    start.min(filter.len())
}

/// For people, in characters from 1.
fn place(filter: &str, offset: usize) -> String {
    let before = &filter[..filter.floor_char_boundary(offset)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let column = line.chars().count() + 1;
    match filter.contains('\n') {
        false => format!("column {column}"),
        true => format!("line {}, column {column}", before.matches('\n').count() + 1),
    }
}
