//! Parses and compiles filters, and reports errors in them with their positions.

use jaq_core::Compiler;
use jaq_core::compile::Undefined;
use jaq_core::load::lex::Token;
use jaq_core::load::parse::{Def, Parser};
use jaq_core::load::{self, Arena, File, Lexer, Loader};
use jaq_core::native::Fun;

use crate::alternatives::{self, LEVELS, MAX_ALTERNATIVES};
use crate::direct;
use crate::error::Error;
use crate::limits;
use crate::natives;
use crate::nesting::{self, MAX_BRACKETS, MAX_LEVELS};
use crate::push;
use crate::rewrite::{self, Author};
use crate::run::{Compiled, DirectTerm, Jq};
use crate::suggest;
use crate::term::Term;

/// Longest filter in bytes.
const MAX_FILTER_BYTES: usize = 16_384;

/// Parses a filter.
///
/// Errors: `InvalidInput` for a malformed filter, `Limit` for a filter that is too long or nested
/// too deeply.
pub(crate) fn parse(filter: &str) -> Result<Term<'_>, Error> {
    if filter.len() > MAX_FILTER_BYTES {
        return Err(Error::limit(format!(
            "The filter is {} bytes long; at most {MAX_FILTER_BYTES} are allowed. Query less at a time.",
            filter.len()
        )));
    }
    let too_deep = |what: &str| {
        Error::limit(format!("The filter is nested too deeply: {what}. Write it with fewer levels."))
    };
    if nesting::brackets(filter) > MAX_BRACKETS {
        return Err(too_deep(&format!("more than {MAX_BRACKETS} brackets are open at once")));
    }
    let mut tokens = Lexer::new(filter).lex().map_err(|errors| {
        syntax_error(filter, errors.into_iter().map(|(expected, found)| (expected.as_str(), found)))
    })?;
    let joined = alternatives::join(&mut tokens);
    if joined > MAX_ALTERNATIVES {
        return Err(too_deep(&format!("{joined} `?//`; at most {MAX_ALTERNATIVES} are allowed")));
    }
    if nesting::levels(&tokens) + joined * LEVELS > MAX_LEVELS {
        return Err(too_deep(&format!(
            "brackets, definitions and chains of operators or commas come to more than {MAX_LEVELS} levels; split a string for a long list: \"a,b,c\" | split(\",\")"
        )));
    }
    if let Some(Token("module" | "include" | "import", _)) = tokens.first() {
        return Err(Error::invalid(
            "The filter includes or imports a module, but there are none. Write the definitions into the filter.",
        ));
    }
    let mut term = Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| {
        let errors = errors.into_iter();
        syntax_error(filter, errors.map(|(e, found)| (e.as_str(), Token::opt_as_str(found, filter))))
    })?;
    alternatives::expand(&mut term);
    Ok(term)
}

/// Compiles a term whose names are slices of `filter`, with variables of these names. Fails with
/// `InvalidInput` if a name is not defined.
pub(crate) fn compile<'f>(
    filter: &'f str,
    mut main: Term<'f>,
    variables: &'f [String],
) -> Result<Compiled, Error> {
    // jaq compiles text only. The term becomes a definition with a name that the filter does not
    // contain, and the text is a call of it.
    let mut name = "_main".to_owned();
    while filter.contains(&name) {
        name.insert(0, '_');
    }
    // A plan is compiled while a filter runs: constants must not take steps of that run.
    let directs = limits::unmetered(|| direct::take(&mut main));
    let main = Def { name: &*name, args: Vec::new(), body: main };
    let arena = Arena::default();
    let library = definitions().map(|def| -> Def<&str> { rewrite::definition(def, Author::Trusted) });
    let modules = Loader::new(library.chain([rewrite::definition(main, Author::Unknown)]))
        .load(&arena, File { code: &*name, path: () })
        .map_err(|_| Error::invalid("The filter is not valid."))?;
    let variables = variables.iter().map(String::as_str);
    let mut natives: Vec<_> = all_natives().collect();
    natives.extend(direct::natives(&directs));
    let count = natives.len();
    let compiler = Compiler::default().with_funs(natives).with_global_vars(variables);
    let compiled = compiler.compile(modules);
    let directs = directs.into_iter().map(|direct| -> Box<dyn DirectTerm> { Box::new(direct) }).collect();
    compiled.map(|filter| Compiled::new(filter, count, directs)).map_err(|errors| {
        let undefined = errors.into_iter().flat_map(|(_, undefined)| undefined);
        match undefined.min_by_key(|(name, _)| offset(filter, name)) {
            Some((name, kind)) => undefined_error(filter, name, &kind),
            None => Error::invalid("The filter is not valid."),
        }
    })
}

/// Returns all natives. Those of this crate precede jaq's own of the same name.
fn all_natives() -> impl Iterator<Item = Fun<Jq>> {
    natives::funs().chain([push::native()]).chain(jaq_core::funs())
}

/// Returns the definitions in jq: jaq's, without those that a native of this crate replaces, then
/// those of this crate.
fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let replaced: Vec<_> = natives::funs().map(|(name, arguments, _)| (name, arguments.len())).collect();
    let of_jaq = jaq_core::defs().filter(move |def| !replaced.contains(&(def.name, def.args.len())));
    // A test checks that they parse.
    let own = load::parse(include_str!("defs.jq"), |parser| parser.defs()).unwrap_or_default();
    of_jaq.chain(own)
}

/// Returns the error of a malformed filter, with the expected and the found text.
fn syntax_error<'f>(filter: &'f str, errors: impl Iterator<Item = (&'f str, &'f str)>) -> Error {
    // The first error, or the last of several at one position.
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
        position(filter, at)
    ))
}

/// Names of jq that are not supported here, with the reason or an alternative.
const UNSUPPORTED: [(&str, &str); 9] = [
    ("env", "there is no environment here"),
    ("$ENV", "there is no environment here"),
    ("input_filename", "an artifact has no file name"),
    ("input_line_number", "use grep for line numbers"),
    ("now", "there is no clock here: write the time as a number"),
    ("localtime", "there are no time zones here: use gmtime"),
    ("strflocaltime", "there are no time zones here: use strftime"),
    ("get_search_list", "there are no modules here"),
    ("$__loc__", "source locations are not available"),
];

fn undefined_error(filter: &str, name: &str, kind: &Undefined) -> Error {
    let called = match kind {
        Undefined::Filter(0) => format!("the filter `{name}`"),
        Undefined::Filter(arity) => format!("the filter `{name}` with {arity} arguments"),
        kind => format!("the {} `{name}`", kind.as_str()),
    };
    let called = called.replace("with 1 arguments", "with 1 argument");
    let why = UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name).map_or("", |(_, why)| why);
    let position = position(filter, offset(filter, name));
    Error::invalid(match why {
        "" => {
            let defined = definitions().map(|def| (def.name, def.args.len()));
            let defined = defined.chain(all_natives().map(|(name, arguments, _)| (name, arguments.len())));
            let nearest = match kind {
                Undefined::Filter(_) => suggest::nearest(name, defined),
                _ => None,
            };
            let nearest = nearest.map_or(String::new(), |nearest| format!(" {nearest}"));
            format!("The filter is not valid at {position}: {called} is not defined.{nearest}")
        }
        why => format!("The filter is not valid at {position}: {called} is not supported: {why}."),
    })
}

/// Returns the offset of a slice of the filter.
fn offset(filter: &str, part: &str) -> usize {
    let start = part.as_ptr().addr().wrapping_sub(filter.as_ptr().addr());
    start.min(filter.len())
}

/// Formats an offset for people: line and column in characters, from 1.
fn position(filter: &str, offset: usize) -> String {
    let before = &filter[..filter.floor_char_boundary(offset)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let column = line.chars().count() + 1;
    match filter.contains('\n') {
        false => format!("column {column}"),
        true => format!("line {}, column {column}", before.matches('\n').count() + 1),
    }
}
