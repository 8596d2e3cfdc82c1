//! Parsed filters.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{self, BinaryOp, Pattern};
use jaq_core::path::Part;

/// A parsed filter, whose names are slices of its text.
pub(crate) type Term<'f> = parse::Term<&'f str>;

/// Filters that the analysis of a term recognizes by their names. A filter that redefines one of
/// them is not analysed.
const KNOWN: [&str; 39] = [
    "select",
    "empty",
    "true",
    "false",
    "null",
    "not",
    "type",
    "length",
    "keys",
    "keys_unsorted",
    "has",
    "first",
    "last",
    "limit",
    "skip",
    "nth",
    "isempty",
    "map",
    "map_values",
    "any",
    "all",
    "add",
    "INDEX",
    "IN",
    "min_by",
    "max_by",
    "sort_by",
    "unique_by",
    "group_by",
    "reverse",
    "values",
    "nulls",
    "booleans",
    "numbers",
    "strings",
    "arrays",
    "objects",
    "error",
    "range",
];

/// Returns whether definitions leave the names of [`KNOWN`] to jq's own filters.
pub(crate) fn keeps_known_names(definitions: &[parse::Def<&str>]) -> bool {
    definitions.iter().all(|definition| !KNOWN.contains(&definition.name))
}

/// Returns the text of a string without interpolation.
pub(crate) fn literal(term: &Term) -> Option<String> {
    let Term::Str(None, parts) = term else { return None };
    parts
        .iter()
        .map(|part| match part {
            StrPart::Str(text) => Some((*text).to_owned()),
            StrPart::Char(char) => Some(char.to_string()),
            StrPart::Term(_) => None,
        })
        .collect()
}

/// Calls `f` with each term that is a part of a term, except for those of its definitions.
pub(crate) fn for_each_child<'s>(term: &mut Term<'s>, f: &mut dyn FnMut(&mut Term<'s>)) {
    match term {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Var(_) | Term::Break(_) => {}
        Term::Str(_, parts) => {
            for part in parts {
                if let StrPart::Term(child) = part {
                    f(child);
                }
            }
        }
        Term::Arr(child) => child.iter_mut().for_each(|child| f(child)),
        Term::Obj(members) => {
            for (key, value) in members {
                f(key);
                value.iter_mut().for_each(&mut *f);
            }
        }
        Term::Neg(child) | Term::Label(_, child) | Term::Def(_, child) => f(child),
        Term::BinOp(l, op, r) => {
            f(l);
            if let BinaryOp::Pipe(Some(pattern)) = op {
                for_each_in_pattern(pattern, f);
            }
            f(r);
        }
        Term::Fold(_, over, pattern, args) => {
            f(over);
            for_each_in_pattern(pattern, f);
            args.iter_mut().for_each(f);
        }
        Term::TryCatch(child, catch) => {
            f(child);
            catch.iter_mut().for_each(|catch| f(catch));
        }
        Term::IfThenElse(branches, rest) => {
            for (condition, then) in branches {
                f(condition);
                f(then);
            }
            rest.iter_mut().for_each(|rest| f(rest));
        }
        Term::Call(_, args) => args.iter_mut().for_each(f),
        Term::Path(of, parts) => {
            f(of);
            for (part, _) in &mut parts.0 {
                match part {
                    Part::Index(index) => f(index),
                    Part::Range(from, to) => from.iter_mut().chain(to).for_each(&mut *f),
                }
            }
        }
    }
}

fn for_each_in_pattern<'s>(pattern: &mut Pattern<&'s str>, f: &mut dyn FnMut(&mut Term<'s>)) {
    match pattern {
        Pattern::Var(_) => {}
        Pattern::Arr(parts) => parts.iter_mut().for_each(|part| for_each_in_pattern(part, f)),
        Pattern::Obj(members) => {
            for (key, part) in members {
                f(key);
                for_each_in_pattern(part, f);
            }
        }
    }
}
