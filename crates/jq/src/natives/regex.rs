//! What `test`, `match`, `capture`, `scan`, `split`, `sub` and `gsub` are made
//! of: one pattern language with grep.

use std::cell::RefCell;
use std::rc::Rc;

use regex_lite::{Captures, Regex};

use super::{Native, unfit, with};
use crate::limits::{self, Held, Limit};
use crate::value::{Error, Obj, Val, ValR, beyond, spend};
use tuckaway_search::pattern;

pub(super) const REGEX: &[Native] = &[
    // Whether there is a match.
    ("_test", 2, |cv| {
        with(cv, |input, [pattern, flags]| {
            let (regex, flags, cost) = compiled(&pattern, &flags)?;
            let text = subject(&input)?;
            if !flags.ignore_empty {
                return cost
                    .search(text, 0, || regex.is_match(text).then_some(text.len()))
                    .map(|m| Val::Bool(m.is_some()));
            }
            let (mut found, mut from) = (regex.find_iter(text), 0);
            while let Some(m) = cost.search(text, from, || found.next())? {
                if !m.is_empty() {
                    return Ok(Val::Bool(true));
                }
                from = m.end();
            }
            Ok(Val::Bool(false))
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
    let (regex, flags, cost) = compiled(pattern, flags)?;
    let cost = cost.with_groups(&regex);
    let text = subject(input)?;
    let (mut parts, mut place, mut end) = (Vec::new(), Place::default(), 0);
    let mut from = 0;
    // As in jq, a match may be empty where the one before it ends.
    while from <= text.len()
        && let Some(captures) = cost.search(text, from, || regex.captures_at(text, from))?
    {
        let Some(whole) = captures.get(0) else { break };
        from = match whole.is_empty() {
            true => text.ceil_char_boundary(whole.end() + 1).max(whole.end() + 1),
            false => whole.end(),
        };
        spend(STEPS_A_GROUP * captures.len() as u64)?;
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

/// What a search takes for each byte beside that for the places in the pattern, in
/// eighths of a step, and what it takes for each group, before it is described.
const STEPS_OF_SEARCH: u64 = 3;
const STEPS_A_GROUP: u64 = 4;

/// What it costs to look for a pattern.
#[derive(Clone, Copy)]
struct Cost {
    /// The pattern's length with its repetitions written out: of so many places
    /// in it, a search may keep track at once.
    size: u64,
    /// How much further a search may look in vain, but for what repeats without a
    /// bound.
    length: u64,
    /// Whether a search may go on far behind the match that it finds.
    goes_on: bool,
}

impl Cost {
    fn of(pattern: &str) -> Cost {
        let size = pattern::expanded(pattern);
        Cost { size, length: behind(pattern, size), goes_on: goes_on(pattern) }
    }

    /// What it costs to look for what groups match, too: each place in the pattern
    /// that a search keeps track of has a copy of where all groups are.
    fn with_groups(self, regex: &Regex) -> Cost {
        Cost { size: self.size.saturating_mul(1 + regex.captures_len() as u64 / 4), ..self }
    }

    /// Runs a search that begins `from` there. It is paid as if it went to the end
    /// of the text; if it certainly did not, what it left is given back. It may go
    /// on behind its match for as long as the pattern is.
    fn search<T: End>(
        self,
        text: &str,
        from: usize,
        search: impl FnOnce() -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let a_byte = self.size.saturating_add(STEPS_OF_SEARCH);
        // The places behind each byte, and the one before the first.
        let steps = |bytes: usize| 1 + (bytes as u64 + 1).saturating_mul(a_byte) / 8;
        let all = steps(text.len() - from);
        spend(all)?;
        let found = search();
        if let Some(found) = &found
            && !self.goes_on
        {
            let reached = found.end().saturating_sub(from).saturating_add(self.length as usize);
            limits::give_back(all - steps(reached).min(all));
        }
        Ok(found)
    }
}

/// What is found, and where it ends.
trait End {
    fn end(&self) -> usize;
}

impl End for usize {
    fn end(&self) -> usize {
        *self
    }
}

impl End for regex_lite::Match<'_> {
    fn end(&self) -> usize {
        regex_lite::Match::end(self)
    }
}

impl End for Captures<'_> {
    fn end(&self) -> usize {
        self.get(0).map_or(0, |whole| whole.end())
    }
}

/// How many characters of a text a search may look at behind its match: none
/// where there is one way only to match, up to its end.
fn behind(pattern: &str, size: u64) -> u64 {
    if pattern.contains(['|', '?', '{', '*', '+']) { size } else { 0 }
}

/// Whether the search for a pattern may go on far behind its match, in the hope
/// of a better one. Not if nothing in it repeats without a bound, or only what
/// stands at its end.
fn goes_on(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    let (mut in_class, mut either, mut unbounded, mut behind) = (false, false, 0, false);
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
                behind = unbounded > 0;
            }
            ']' => in_class = false,
            _ if in_class => {}
            '[' => {
                in_class = true;
                behind = unbounded > 0;
            }
            '|' => either = true,
            '*' | '+' => unbounded += 1,
            '{' => {
                let counts: String = chars.by_ref().take_while(|&c| c != '}').collect();
                unbounded += usize::from(counts.trim_end().ends_with(','));
            }
            '?' | ')' => {}
            _ => behind = unbounded > 0,
        }
    }
    unbounded > 1 || unbounded == 1 && (either || behind)
}

/// A pattern, its flags, what was made of them, and what that holds.
type Known = (String, String, Regex, Flags, Cost, Held);

thread_local! {
    /// The patterns of this thread that were used last: a filter asks the same
    /// ones of every row.
    static CACHE: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

const CACHED: usize = 8;

/// Makes patterns anew from here on: what a filter takes must not depend on what
/// was asked before it.
pub(in super::super) fn forget() {
    CACHE.take();
}

/// What each place in a pattern holds for each group, in both of a search's tables.
const GROUP_BYTES: u64 = 48;

fn compiled(pattern: &Val, flags: &Val) -> Result<(Regex, Flags, Cost), Error> {
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
            let (_, _, regex, flags, cost, _) = &cache[at];
            return Ok((regex.clone(), *flags, *cost));
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
        let cost = Cost::of(pattern);
        // What is written out is compiled; what is too long for that is refused.
        spend(100 + cost.size.min(pattern::MAX_EXPANDED) * 16)?;
        let regex = pattern::compile(pattern, flags.pattern)
            .map_err(|wrong| Error::str(format!("the pattern {} {wrong}", Val::str(pattern))))?;
        let held = Held::new(cost.size.saturating_mul(regex.captures_len() as u64) * GROUP_BYTES);
        if limits::passed().is_some() {
            return Err(beyond(Limit::Memory));
        }
        if cache.len() == CACHED {
            cache.remove(0);
        }
        cache.push((pattern.to_owned(), spelled.to_owned(), regex.clone(), flags, cost, held));
        Ok((regex, flags, cost))
    })
}
