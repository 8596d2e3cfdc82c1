//! The natives behind `test`, `match`, `capture`, `scan`, `split`, `sub` and `gsub`. Their patterns
//! are those of [`tuckaway_search::pattern`].

use std::cell::RefCell;
use std::rc::Rc;

use regex_lite::{Captures, Regex};

use super::common::{ValueNative, mismatch, with_args};
use crate::limits::{self, Limit, Reservation};
use crate::value::{FilterError, Obj, Val, ValR, charge, limit_error};
use tuckaway_search::pattern;

pub(super) const REGEX: &[ValueNative] = &[
    // Returns whether there is a match.
    ("_test", 2, |cv| with_args(cv, |input, [pattern, flags]| test(&input, &pattern, &flags))),
    // Returns the matches.
    ("_matches", 2, |cv| {
        with_args(cv, |input, [pattern, flags]| {
            split(&input, &pattern, &flags, WantedParts { texts: false, matches: true })
        })
    }),
    // Returns the texts between the matches.
    ("_split", 2, |cv| {
        with_args(cv, |input, [pattern, flags]| {
            split(&input, &pattern, &flags, WantedParts { texts: true, matches: false })
        })
    }),
    // Returns both, alternately.
    ("_split_matches", 2, |cv| {
        with_args(cv, |input, [pattern, flags]| {
            split(&input, &pattern, &flags, WantedParts { texts: true, matches: true })
        })
    }),
];

/// A compiled pattern.
#[derive(Clone)]
struct Pattern {
    regex: Regex,
    flags: Flags,
    cost: Cost,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    global: bool,
    ignore_empty: bool,
    pattern: pattern::Flags,
}

fn subject(input: &Val) -> Result<&str, FilterError> {
    input.as_str().ok_or_else(|| mismatch(input, "a string: only strings can be matched"))
}

fn test(input: &Val, pattern: &Val, flags: &Val) -> ValR {
    let Pattern { regex, flags, cost } = compiled(pattern, flags)?;
    let text = subject(input)?;
    if !flags.ignore_empty {
        let found = cost.search(text, 0, || regex.is_match(text).then_some(text.len()))?;
        return Ok(Val::Bool(found.is_some()));
    }
    let (mut matches, mut from) = (regex.find_iter(text), 0);
    while let Some(found) = cost.search(text, from, || matches.next())? {
        if !found.is_empty() {
            return Ok(Val::Bool(true));
        }
        from = found.end();
    }
    Ok(Val::Bool(false))
}

/// The parts of a text to return.
#[derive(Clone, Copy)]
struct WantedParts {
    /// Texts between the matches.
    texts: bool,
    matches: bool,
}

/// Splits a text at matches, and returns parts of it in their order.
fn split(input: &Val, pattern: &Val, flags: &Val, wanted: WantedParts) -> ValR {
    let Pattern { regex, flags, cost } = compiled(pattern, flags)?;
    let cost = cost.with_groups(&regex);
    let text = subject(input)?;
    let (mut parts, mut position, mut end) = (Vec::new(), Position::default(), 0);
    let mut from = 0;
    // As in jq, an empty match may follow directly after another match.
    while from <= text.len()
        && let Some(captures) = cost.search(text, from, || regex.captures_at(text, from))?
    {
        let Some(whole) = captures.get(0) else { break };
        from = match whole.is_empty() {
            true => text.ceil_char_boundary(whole.end() + 1).max(whole.end() + 1),
            false => whole.end(),
        };
        charge(STEPS_PER_GROUP * captures.len() as u64)?;
        if flags.ignore_empty && whole.is_empty() {
            continue;
        }
        if wanted.texts {
            parts.push(Val::str(&text[end..whole.start()]));
            end = whole.end();
        }
        if wanted.matches {
            position.advance(text, whole.start());
            parts.push(describe_match(text, &regex, &captures, position)?);
        }
        if !flags.global {
            break;
        }
    }
    if wanted.texts {
        parts.push(Val::str(&text[end..]));
    }
    Ok(parts.into_iter().collect())
}

/// A position in a text, in bytes and in characters.
#[derive(Clone, Copy, Default)]
struct Position {
    byte: usize,
    character: usize,
}

impl Position {
    /// Moves forward to a byte.
    fn advance(&mut self, text: &str, byte: usize) {
        self.character += text[self.byte..byte].chars().count();
        self.byte = byte;
    }
}

/// Describes a match as jq does. Groups that took no part in it are null.
fn describe_match(text: &str, regex: &Regex, captures: &Captures, start: Position) -> ValR {
    let describe = |group: Option<regex_lite::Match>| {
        let mut obj = Obj::default();
        let mut position = start;
        let (offset, length, string) = match group {
            Some(group) => {
                position.advance(text, group.start());
                (position.character as i128, group.as_str().chars().count(), Val::str(group.as_str()))
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

/// Eighths of a step that a search takes for each byte, besides one for each state.
const SEARCH_EIGHTHS: u64 = 3;

/// Steps of each group of a match, before the match is described.
const STEPS_PER_GROUP: u64 = 4;

/// Cost of searching for a pattern.
#[derive(Clone, Copy)]
struct Cost {
    /// Length of the pattern with its repetitions expanded. A search may track this many states
    /// at once.
    states: u64,
    /// Bytes past its match that a search may inspect, apart from unbounded repetitions.
    lookahead: u64,
    /// Whether a search may inspect any number of bytes past its match.
    unbounded_lookahead: bool,
}

impl Cost {
    fn of(pattern: &str) -> Cost {
        let states = pattern::expanded(pattern);
        Cost {
            states,
            lookahead: lookahead(pattern, states),
            unbounded_lookahead: has_unbounded_lookahead(pattern),
        }
    }

    /// Returns the cost of a search that also finds groups: each state that it tracks has a copy
    /// of the positions of all groups.
    fn with_groups(self, regex: &Regex) -> Cost {
        Cost { states: self.states.saturating_mul(1 + regex.captures_len() as u64 / 4), ..self }
    }

    /// Runs a search that starts at `from`. Charges steps as if it inspected the rest of the text,
    /// and refunds those for bytes that it cannot have inspected, past the lookahead of a match.
    fn search<T: MatchEnd>(
        self,
        text: &str,
        from: usize,
        search: impl FnOnce() -> Option<T>,
    ) -> Result<Option<T>, FilterError> {
        let eighths = self.states.saturating_add(SEARCH_EIGHTHS);
        // The positions after each byte, and the one before the first.
        let steps = |bytes: usize| 1 + (bytes as u64 + 1).saturating_mul(eighths) / 8;
        let all = steps(text.len() - from);
        charge(all)?;
        let found = search();
        if let Some(found) = &found
            && !self.unbounded_lookahead
        {
            let inspected = found.end().saturating_sub(from).saturating_add(self.lookahead as usize);
            limits::refund(all - steps(inspected).min(all));
        }
        Ok(found)
    }
}

/// The result of a search.
trait MatchEnd {
    /// Returns where the match ends.
    fn end(&self) -> usize;
}

impl MatchEnd for usize {
    fn end(&self) -> usize {
        *self
    }
}

impl MatchEnd for regex_lite::Match<'_> {
    fn end(&self) -> usize {
        regex_lite::Match::end(self)
    }
}

impl MatchEnd for Captures<'_> {
    fn end(&self) -> usize {
        self.get(0).map_or(0, |whole| whole.end())
    }
}

/// Returns the number of characters that a search may inspect past its match: 0 if there is only
/// one way to match.
fn lookahead(pattern: &str, states: u64) -> u64 {
    if pattern.contains(['|', '?', '{', '*', '+']) { states } else { 0 }
}

/// Returns whether a search may inspect any number of characters past its match, for a better
/// match. That takes a repetition without a bound that is not the end of the pattern.
fn has_unbounded_lookahead(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    let (mut in_class, mut has_alternatives, mut unbounded, mut has_more) = (false, false, 0, false);
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
                has_more = unbounded > 0;
            }
            ']' => in_class = false,
            _ if in_class => {}
            '[' => {
                in_class = true;
                has_more = unbounded > 0;
            }
            '|' => has_alternatives = true,
            '*' | '+' => unbounded += 1,
            '{' => {
                let counts: String = chars.by_ref().take_while(|&c| c != '}').collect();
                unbounded += usize::from(counts.trim_end().ends_with(','));
            }
            '?' | ')' => {}
            _ => has_more = unbounded > 0,
        }
    }
    unbounded > 1 || unbounded == 1 && (has_alternatives || has_more)
}

struct CachedPattern {
    pattern: String,
    flags: String,
    compiled: Pattern,
    _memory: Reservation,
}

thread_local! {
    /// The patterns of this thread that were used last: a filter uses the same ones for every row.
    static CACHE: RefCell<Vec<CachedPattern>> = const { RefCell::new(Vec::new()) };
}

const CACHED_PATTERNS: usize = 8;

/// Clears the cache of patterns: the steps of a filter must not depend on the filters before it.
pub(crate) fn clear_pattern_cache() {
    CACHE.take();
}

/// Bytes of each state of a pattern for each group, in both tables of a search.
const GROUP_BYTES: u64 = 48;

fn compiled(pattern: &Val, flags: &Val) -> Result<Pattern, FilterError> {
    let Some(pattern) = pattern.as_str() else {
        return Err(mismatch(pattern, "a pattern: patterns are strings"));
    };
    let flags = match flags {
        Val::Null => "",
        Val::Str(flags) => flags,
        flags => return Err(mismatch(flags, "a string of flags")),
    };
    CACHE.with_borrow_mut(|cache| {
        if let Some(known) = cache.iter().find(|known| known.pattern == pattern && known.flags == flags) {
            return Ok(known.compiled.clone());
        }
        let known = compile(pattern, flags)?;
        let compiled = known.compiled.clone();
        if cache.len() == CACHED_PATTERNS {
            cache.remove(0);
        }
        cache.push(known);
        Ok(compiled)
    })
}

fn compile(pattern: &str, flags: &str) -> Result<CachedPattern, FilterError> {
    let parsed = parse_flags(flags)?;
    let cost = Cost::of(pattern);
    // Compilation expands repetitions, and rejects a pattern that gets too long.
    charge(100 + cost.states.min(pattern::MAX_EXPANDED) * 16)?;
    let regex = pattern::compile(pattern, parsed.pattern)
        .map_err(|wrong| FilterError::str(format!("the pattern {} {wrong}", Val::str(pattern))))?;
    let groups = regex.captures_len() as u64;
    let memory = Reservation::new(cost.states.saturating_mul(groups) * GROUP_BYTES);
    if limits::exceeded().is_some() {
        return Err(limit_error(Limit::Memory));
    }
    let compiled = Pattern { regex, flags: parsed, cost };
    Ok(CachedPattern { pattern: pattern.to_owned(), flags: flags.to_owned(), compiled, _memory: memory })
}

fn parse_flags(letters: &str) -> Result<Flags, FilterError> {
    let mut flags = Flags::default();
    for letter in letters.chars() {
        match letter {
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
                return Err(FilterError::str(format!(
                    "{flag:?} is not a flag of a pattern: use g, n, i, m, s, p, l or x"
                )));
            }
        }
    }
    Ok(flags)
}
