//! The keys that a filter requests from objects, to be watched while it runs.

use jaq_core::load::parse::{BinaryOp, Pattern};
use jaq_core::path::Part;

use crate::alternatives::DESTRUCTURED;
use crate::term::{Term, for_each_child, literal};
use crate::watch::Key;

/// Keys that are watched.
const MAX_KEYS: usize = 32;

/// Returns the distinct keys of a filter in the order of its text, without those that it assigns or
/// deletes.
pub(crate) fn keys(term: &Term) -> Vec<Key> {
    let mut keys = Vec::new();
    collect(&mut term.clone(), false, &mut keys);
    keys
}

/// Collects the keys of a term. `has_alternative` is true on the left side of `//` if the
/// filter reads something else there.
fn collect(term: &mut Term, has_alternative: bool, keys: &mut Vec<Key>) {
    collect_own(term, has_alternative, keys);
    match term {
        Term::BinOp(left, BinaryOp::Alt, right) => {
            // A constant, as in `.price // 0`, hides that the key is missing everywhere.
            collect(left, has_alternative || reads_input(right), keys);
            collect(right, has_alternative, keys);
        }
        Term::BinOp(
            path,
            BinaryOp::Update | BinaryOp::Assign | BinaryOp::UpdateMath(_) | BinaryOp::UpdateAlt,
            right,
        ) => {
            collect_conditions(path, keys);
            collect(right, has_alternative, keys);
        }
        // For `del`, it makes no difference whether the key exists.
        Term::Call("del", arguments) => arguments.iter_mut().for_each(|path| collect_conditions(path, keys)),
        Term::Def(definitions, _) => {
            definitions.iter_mut().for_each(|definition| collect(&mut definition.body, false, keys));
            for_each_child(term, &mut |child| collect(child, has_alternative, keys));
        }
        term => for_each_child(term, &mut |child| collect(child, has_alternative, keys)),
    }
}

/// Collects the keys that a term itself names, without those of its parts.
fn collect_own(term: &Term, has_alternative: bool, keys: &mut Vec<Key>) {
    let mut add = |key: &Term| {
        if let Some(name) = literal(key) {
            add_key(Key { name, has_alternative, is_demanded: false }, keys);
        }
    };
    match term {
        Term::Path(_, path) => path.0.iter().for_each(|(part, _)| {
            if let Part::Index(key) = part {
                add(key);
            }
        }),
        // If this pattern has no such key, another pattern is tried.
        Term::BinOp(value, BinaryOp::Pipe(Some(_)), _) if matches!(**value, Term::Var(DESTRUCTURED)) => {}
        Term::BinOp(value, BinaryOp::Pipe(Some(pattern)), _) | Term::Fold(_, value, pattern, _) => {
            pattern_keys(pattern, &mut add);
            // A text in a variable may or may not be a key.
            for_each_in_list(value, &mut |text| {
                if let Some(name) = literal(text) {
                    add_key(Key { name, has_alternative: true, is_demanded: false }, keys);
                }
            });
        }
        Term::Call("getpath", arguments) => {
            if let [Term::Arr(Some(parts))] = &arguments[..] {
                for_each_in_list(parts, &mut add);
            }
        }
        // It may be false because there is no such key, which is reported only if it may be
        // misspelt.
        Term::Call("has", arguments) => {
            for name in arguments.iter().filter_map(literal) {
                add_key(Key { name, has_alternative: true, is_demanded: false }, keys);
            }
        }
        Term::Obj(members) => {
            members.iter().filter(|(_, value)| value.is_none()).for_each(|(key, _)| add(key))
        }
        _ => {}
    }
}

/// Returns whether a term depends on its input or on a variable. Calls do, unless they are known
/// not to.
fn reads_input(term: &mut Term) -> bool {
    let mut reads = match term {
        Term::Id | Term::Recurse | Term::Var(_) | Term::Path(..) => true,
        Term::Call(name, _) => !matches!(*name, "empty" | "error" | "true" | "false" | "null"),
        _ => false,
    };
    for_each_child(term, &mut |child| reads |= reads_input(child));
    reads
}

/// Calls `add` with the keys of a pattern that destructures a value.
fn pattern_keys(pattern: &Pattern<&str>, add: &mut dyn FnMut(&Term)) {
    match pattern {
        Pattern::Var(_) => {}
        Pattern::Arr(parts) => parts.iter().for_each(|part| pattern_keys(part, add)),
        Pattern::Obj(members) => members.iter().for_each(|(key, part)| {
            add(key);
            pattern_keys(part, add);
        }),
    }
}

/// Collects the keys in the arguments of calls in a path, such as `select`, and those that its keys
/// are read from, as in `.[$row.city]`: an assignment to the path itself may create keys.
fn collect_conditions(path: &mut Term, keys: &mut Vec<Key>) {
    match path {
        Term::Call(_, arguments) => arguments.iter_mut().for_each(|term| collect(term, false, keys)),
        Term::Path(head, parts) => {
            collect_conditions(head, keys);
            for (part, _) in &mut parts.0 {
                if let Part::Index(index) = part {
                    collect(index, false, keys);
                }
            }
        }
        path => for_each_child(path, &mut |child| collect_conditions(child, keys)),
    }
}

/// Calls `f` with the terms that commas separate.
fn for_each_in_list(term: &Term, f: &mut dyn FnMut(&Term)) {
    match term {
        Term::BinOp(left, BinaryOp::Comma, right) => {
            for_each_in_list(left, f);
            for_each_in_list(right, f);
        }
        term => f(term),
    }
}

fn add_key(key: Key, keys: &mut Vec<Key>) {
    match keys.iter().position(|known| known.name == key.name) {
        Some(at) => keys[at].has_alternative &= key.has_alternative,
        None if keys.len() < MAX_KEYS => keys.push(key),
        None => {}
    }
}
