//! Texts such that every match of a pattern contains at least one, and the search for them: a line
//! without them needs no automaton.
//!
//! regex-syntax extracts such texts from a pattern's ends only, and expands a text in any
//! case to all its spellings; here they may be anywhere, and a letter may have two cases.

use memchr::memmem;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

use crate::source::ByteSource;
use crate::{Byte, Needles};

/// Maximum texts to search for at once: each costs a comparison of every byte, and more texts no
/// longer pay off.
const MAX_NEEDLES: usize = 8;

/// The longest text; a longer one is truncated to its head.
const MAX_NEEDLE_BYTES: usize = 64;

type Needle = Vec<Byte>;

/// The known texts that a part of a pattern matches.
#[derive(Default)]
struct Known {
    /// All of them, without regard to assertions.
    all: Option<Vec<Needle>>,
    /// Texts such that each match contains at least one.
    some: Option<Vec<Needle>>,
}

impl Known {
    fn all(all: Vec<Needle>) -> Self {
        Known { some: useful(&all).then(|| all.clone()), all: Some(all) }
    }
}

fn useful(needles: &[Needle]) -> bool {
    !needles.is_empty() && needles.len() <= MAX_NEEDLES && needles.iter().all(|needle| !needle.is_empty())
}

/// Estimates how rare these texts are.
fn score(needles: &[Needle]) -> u32 {
    let rarity = |needle: &Needle| needle.iter().map(|byte| byte.rarity()).sum::<u32>().min(60);
    needles.iter().map(rarity).min().unwrap_or(0) * 4 / (needles.len() as u32 + 3)
}

fn better(a: Option<Vec<Needle>>, b: Option<Vec<Needle>>) -> Option<Vec<Needle>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if score(&b) > score(&a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

fn known(pattern: &Hir) -> Known {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => Known::all(vec![Vec::new()]),
        HirKind::Literal(literal) => of_text(&literal.0),
        HirKind::Class(Class::Unicode(class)) => of_class(class).map_or_else(Known::default, Known::all),
        HirKind::Class(Class::Bytes(_)) => Known::default(),
        HirKind::Capture(group) => known(&group.sub),
        HirKind::Repetition(repetition) if repetition.min == 0 => Known::default(),
        HirKind::Repetition(repetition) => Known { all: None, some: known(&repetition.sub).some },
        HirKind::Alternation(subs) => of_either(subs),
        HirKind::Concat(subs) => of_concat(subs),
    }
}

fn of_either(subs: &[Hir]) -> Known {
    let (mut all, mut some) = (Some(Vec::new()), Some(Vec::new()));
    for sub in subs {
        let sub = known(sub);
        let join = |to: Option<Vec<Needle>>, more: Option<Vec<Needle>>| {
            let (mut to, more) = (to?, more?);
            to.extend(more);
            (to.len() <= MAX_NEEDLES).then_some(to)
        };
        all = join(all, sub.all);
        some = join(some, sub.some);
    }
    Known { all, some }
}

fn of_concat(subs: &[Hir]) -> Known {
    // The texts of the parts since the last that are not all known.
    let (mut run, mut complete, mut some) = (vec![Vec::new()], true, None);
    for sub in subs {
        let is_class = matches!(sub.kind(), HirKind::Class(_));
        let sub = known(sub);
        // Each character of a class adds a text, and must be worth it.
        let pays = |longer: &Vec<Needle>| {
            !is_class || longer.len() == run.len() || (useful(&run) && score(longer) > score(&run))
        };
        match sub.all.and_then(|all| product(&run, &all)).filter(pays) {
            Some(longer) => run = longer,
            None => {
                let before = std::mem::replace(&mut run, vec![Vec::new()]);
                some = better(some, useful(&before).then_some(before));
                some = better(some, sub.some);
                complete = false;
            }
        }
    }
    let some = better(some, useful(&run).then(|| run.clone()));
    Known { all: complete.then_some(run), some }
}

/// Concatenates each text of one part with each of the other; none if there are many.
fn product(heads: &[Needle], tails: &[Needle]) -> Option<Vec<Needle>> {
    let pairs = heads.iter().flat_map(|head| tails.iter().map(move |tail| [&head[..], tail].concat()));
    (heads.len() * tails.len() <= MAX_NEEDLES).then(|| pairs.collect())
}

/// Splits a text at each U+FFFD, which also stands for bytes that are not UTF-8.
fn of_text(text: &[u8]) -> Known {
    let text = String::from_utf8_lossy(text);
    let needle = |text: &str| text.bytes().map(Byte::exactly).collect::<Needle>();
    if !text.contains(char::REPLACEMENT_CHARACTER) {
        return Known::all(vec![needle(&text)]);
    }
    let pieces = text.split(char::REPLACEMENT_CHARACTER).map(|piece| vec![needle(piece)]);
    Known { all: None, some: pieces.filter(|piece| useful(piece)).map(Some).fold(None, better) }
}

/// Returns the characters of a class, letters in both cases as one; none if there are many.
fn of_class(class: &ClassUnicode) -> Option<Vec<Needle>> {
    let characters = || class.ranges().iter().flat_map(|range| range.start()..=range.end());
    if characters().take(2 * MAX_NEEDLES + 1).count() > 2 * MAX_NEEDLES {
        return None;
    }
    let mut needles = Vec::new();
    for c in characters() {
        let in_both_cases = |other: char| other != c && characters().any(|c| c == other);
        match c {
            char::REPLACEMENT_CHARACTER => return None,
            c if in_both_cases(c.to_ascii_lowercase()) => {}
            c if in_both_cases(c.to_ascii_uppercase()) => needles.push(vec![Byte::in_any_case(c as u8)]),
            c => needles.push(c.encode_utf8(&mut [0; 4]).bytes().map(Byte::exactly).collect()),
        }
    }
    (needles.len() <= MAX_NEEDLES).then_some(needles)
}

/// Returns the text of a pattern that is a plain text.
pub(super) fn plain(pattern: &Hir) -> Option<Vec<u8>> {
    match pattern.kind() {
        HirKind::Empty => Some(Vec::new()),
        HirKind::Literal(literal) => exact(known(pattern).all?.first()?).filter(|text| **text == *literal.0),
        _ => None,
    }
}

/// Returns the bytes of a text; none if a letter has two cases.
fn exact(needle: &Needle) -> Option<Vec<u8>> {
    needle.iter().map(|byte| byte.exact()).collect()
}

/// The search for texts such that every match contains at least one.
pub(super) enum Search {
    One(Box<memmem::Finder<'static>>),
    Several(Needles),
}

impl Search {
    /// Prepares the search; none if there are no such texts, or too many.
    pub(super) fn new(pattern: &Hir) -> Option<Self> {
        let mut needles = known(pattern).some?;
        needles.iter_mut().for_each(|needle| needle.truncate(MAX_NEEDLE_BYTES));
        if let [needle] = &needles[..]
            && let Some(text) = exact(needle)
        {
            return Some(Search::one(&text));
        }
        Needles::new(needles).map(Search::Several)
    }

    /// Searches for one text.
    pub(super) fn one(text: &[u8]) -> Self {
        Search::One(Box::new(memmem::Finder::new(text).into_owned()))
    }

    /// Returns the first offset from `from` on where one of the texts begins.
    pub(super) fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match self {
            Search::One(finder) => finder.find(bytes.get(from..)?).map(|at| from + at),
            Search::Several(needles) => needles.find(bytes, from),
        }
    }

    /// Returns the first offset in a line where one of the texts begins.
    pub(super) fn find_in<L: ByteSource>(&self, line: &L) -> Result<Option<u64>, L::Error> {
        let (mut at, part_bytes) = (0, line.reads().largest().max(2 * self.longest()));
        loop {
            let part = line.read_at(at, part_bytes)?;
            if let Some(offset) = self.find(&part, 0) {
                return Ok(Some(at + offset as u64));
            }
            if at + part.len() as u64 == line.size() {
                return Ok(None);
            }
            // A text that begins in this part may end in the next.
            at += (part.len() - self.longest().saturating_sub(1)) as u64;
        }
    }

    /// Returns the first offset from `from` on in a line where one of the texts begins.
    pub(super) fn find_after<L: ByteSource>(
        &self,
        line: &L,
        from: u64,
        walked: &mut u64,
    ) -> Result<Option<u64>, L::Error> {
        let least = 2 * self.longest().max(super::FIRST_PART_BYTES);
        let (mut at, mut part_bytes) = (from, least);
        loop {
            let part = line.read_at(at, part_bytes)?;
            *walked += part.len() as u64;
            if let Some(offset) = self.find(&part, 0) {
                return Ok(Some(at + offset as u64));
            }
            if at + part.len() as u64 >= line.size() {
                return Ok(None);
            }
            at += (part.len() - self.longest().saturating_sub(1)) as u64;
            part_bytes = (2 * part_bytes).min(line.reads().largest().max(least));
        }
    }

    /// Returns the length of the longest text in bytes.
    pub(super) fn longest(&self) -> usize {
        match self {
            Search::One(finder) => finder.needle().len(),
            Search::Several(needles) => needles.longest(),
        }
    }
}
