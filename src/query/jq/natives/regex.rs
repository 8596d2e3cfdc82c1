//! What `test`, `match`, `capture`, `scan`, `split`, `sub` and `gsub` are made
//! of: one pattern language with grep.

use std::cell::RefCell;
use std::rc::Rc;

use regex_lite::{Captures, Regex};

use super::{Native, unfit, with};
use crate::query::jq::value::{Error, Obj, Val, ValR};
use crate::query::pattern;

pub(super) const REGEX: &[Native] = &[
    // Whether there is a match.
    ("_test", 2, |cv| {
        with(cv, |input, [pattern, flags]| {
            let (regex, flags) = compiled(&pattern, &flags)?;
            let text = subject(&input)?;
            Ok(Val::Bool(match flags.ignore_empty {
                false => regex.is_match(text),
                true => regex.find_iter(text).any(|found| !found.is_empty()),
            }))
        })
    }),
    // The matches.
    ("_matches", 2, |cv| with(cv, |input, [pattern, flags]| parts(&input, &pattern, &flags, false, true))),
    // The texts between the matches.
    ("_split", 2, |cv| with(cv, |input, [pattern, flags]| parts(&input, &pattern, &flags, true, false))),
    // Both, in turns.
    ("_split_matches", 2, |cv| {
        with(cv, |input, [pattern, flags]| parts(&input, &pattern, &flags, true, true))
    }),
];

#[derive(Clone, Copy, Default)]
struct Flags {
    global: bool,
    ignore_empty: bool,
    pattern: pattern::Flags,
}

fn subject(input: &Val) -> Result<&str, Error> {
    input.as_str().ok_or_else(|| unfit(input, "a string: only strings can be matched"))
}

fn parts(input: &Val, pattern: &Val, flags: &Val, texts: bool, matches: bool) -> ValR {
    let (regex, flags) = compiled(pattern, flags)?;
    let text = subject(input)?;
    let (mut parts, mut place, mut end) = (Vec::new(), Place::default(), 0);
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        if flags.ignore_empty && whole.is_empty() {
            continue;
        }
        if texts {
            parts.push(Val::str(&text[end..whole.start()]));
            end = whole.end();
        }
        if matches {
            place.go_to(text, whole.start());
            parts.push(found(text, &regex, &captures, place)?);
        }
        if !flags.global {
            break;
        }
    }
    if texts {
        parts.push(Val::str(&text[end..]));
    }
    Ok(parts.into_iter().collect())
}

/// A place in a text, in bytes and in characters.
#[derive(Clone, Copy, Default)]
struct Place {
    byte: usize,
    character: usize,
}

impl Place {
    fn go_to(&mut self, text: &str, byte: usize) {
        self.character += text[self.byte..byte].chars().count();
        self.byte = byte;
    }
}

/// A match as jq describes it. Groups that took no part are null.
fn found(text: &str, regex: &Regex, captures: &Captures, at: Place) -> ValR {
    let describe = |group: Option<regex_lite::Match>| {
        let mut obj = Obj::default();
        let mut place = at;
        let (offset, length, string) = match group {
            Some(group) => {
                place.go_to(text, group.start());
                (place.character as i128, group.as_str().chars().count(), Val::str(group.as_str()))
            }
            None => (-1, 0, Val::Null),
        };
        obj.insert("offset".into(), Val::int(offset));
        obj.insert("length".into(), Val::count(length));
        obj.insert("string".into(), string);
        obj
    };
    let groups = captures.iter().zip(regex.capture_names()).skip(1).map(|(group, name)| {
        let mut group = describe(group);
        group.insert("name".into(), name.map_or(Val::Null, Val::str));
        Val::Obj(Rc::new(group))
    });
    let groups: Val = groups.collect();
    let mut whole = describe(captures.get(0));
    whole.insert("captures".into(), groups);
    Val::object(whole)
}

thread_local! {
    /// The patterns of this thread that were used last: a filter asks the same
    /// ones of every row.
    static CACHE: RefCell<Vec<(String, String, Regex, Flags)>> = const { RefCell::new(Vec::new()) };
}

const CACHED: usize = 8;

fn compiled(pattern: &Val, flags: &Val) -> Result<(Regex, Flags), Error> {
    let Some(pattern) = pattern.as_str() else {
        return Err(unfit(pattern, "a pattern: patterns are strings"));
    };
    let spelled = match flags {
        Val::Null => "",
        Val::Str(flags) => flags,
        flags => return Err(unfit(flags, "a string of flags")),
    };
    CACHE.with_borrow_mut(|cache| {
        if let Some(at) = cache.iter().position(|(p, f, ..)| p == pattern && f == spelled) {
            let (_, _, regex, flags) = &cache[at];
            return Ok((regex.clone(), *flags));
        }
        let mut flags = Flags::default();
        for flag in spelled.chars() {
            match flag {
                'g' => flags.global = true,
                'n' => flags.ignore_empty = true,
                'i' => flags.pattern.ignore_case = true,
                'm' => flags.pattern.multi_line = true,
                's' => flags.pattern.dot_matches_new_line = true,
                'l' => flags.pattern.swap_greed = true,
                'x' => flags.pattern.ignore_whitespace = true,
                'p' => {
                    flags.pattern.multi_line = true;
                    flags.pattern.dot_matches_new_line = true;
                }
                flag => {
                    return Err(Error::str(format!(
                        "{flag:?} is no flag of a pattern: those are g, n, i, m, s, p, l, x"
                    )));
                }
            }
        }
        let regex = pattern::compile(pattern, flags.pattern)
            .map_err(|wrong| Error::str(format!("the pattern {} {wrong}", Val::str(pattern))))?;
        if cache.len() == CACHED {
            cache.remove(0);
        }
        cache.push((pattern.to_owned(), spelled.to_owned(), regex.clone(), flags));
        Ok((regex, flags))
    })
}
