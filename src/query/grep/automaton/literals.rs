//! Texts of which every match of a pattern holds at least one, and the search
//! for them: what they are not in need not be looked at any closer.

use memchr::memmem;
use tuckaway_search::{Byte, Needles};

use super::chars::Set;
use super::syntax::Tree;
use crate::error::Error;
use crate::query::grep::line::Line;

/// The most texts that are searched for at once: each costs a comparison of
/// every byte, and more of them no longer pay.
const MAX_NEEDLES: usize = 8;

/// The longest text; of a longer one its head.
const MAX_NEEDLE_BYTES: usize = 64;

type Needle = Vec<Byte>;

/// What is known of the texts that a part of a pattern matches.
#[derive(Default)]
struct Known {
    /// All of them, assertions left aside.
    all: Option<Vec<Needle>>,
    /// Texts of which each holds at least one.
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

/// How few places these texts are likely to be found in.
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

fn known(tree: &Tree) -> Known {
    match tree {
        Tree::Empty | Tree::Look(_) => Known::all(vec![Vec::new()]),
        Tree::Set(set) => of_set(set).map_or_else(Known::default, |needle| Known::all(vec![needle])),
        Tree::Repeat { min: 0, .. } => Known::default(),
        Tree::Repeat { sub, .. } => Known { all: None, some: known(sub).some },
        Tree::Either(subs) => {
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
        Tree::Concat(subs) => {
            // The texts of the parts since the last that are not all known.
            let (mut run, mut complete, mut some) = (vec![Vec::new()], true, None);
            for sub in subs {
                let sub = known(sub);
                match sub.all.and_then(|all| product(&run, &all)) {
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
    }
}

/// Each text of one part followed by each of the other; none if they are many.
fn product(heads: &[Needle], tails: &[Needle]) -> Option<Vec<Needle>> {
    let pairs = heads.iter().flat_map(|head| tails.iter().map(move |tail| [&head[..], tail].concat()));
    (heads.len() * tails.len() <= MAX_NEEDLES).then(|| pairs.collect())
}

/// The bytes of a set of one character, or of one letter in both cases.
fn of_set(set: &Set) -> Option<Needle> {
    match *set.ranges() {
        [(upper, first), (lower, last)]
            if upper == first && lower == last && lower == upper + 32 && (65..=90).contains(&upper) =>
        {
            Some(vec![Byte::in_any_case(lower as u8)])
        }
        _ => {
            // U+FFFD also stands for what is not UTF-8.
            let c = set.single().filter(|&c| c != char::REPLACEMENT_CHARACTER)?;
            Some(c.encode_utf8(&mut [0; 4]).bytes().map(Byte::exactly).collect())
        }
    }
}

/// The one text that a pattern matches, if that is all there is to it.
pub(super) fn plain(tree: &Tree, looks: bool) -> Option<Vec<u8>> {
    match &known(tree).all?[..] {
        [needle] if !looks => exact(needle),
        _ => None,
    }
}

/// The bytes of a text whose case counts.
fn exact(needle: &Needle) -> Option<Vec<u8>> {
    needle.iter().map(|byte| byte.exact()).collect()
}

/// The search for the texts that a pattern's matches cannot do without.
pub(in crate::query::grep) enum Search {
    One(Box<memmem::Finder<'static>>),
    Several(Needles),
}

impl Search {
    /// None if a pattern can do without any text, or with one of too many.
    pub(super) fn new(tree: &Tree) -> Option<Self> {
        let mut needles = known(tree).some?;
        needles.iter_mut().for_each(|needle| needle.truncate(MAX_NEEDLE_BYTES));
        if let [needle] = &needles[..]
            && let Some(text) = exact(needle)
        {
            return Some(Search::one(&text));
        }
        Needles::new(needles).map(Search::Several)
    }

    /// The search for one text.
    pub(super) fn one(text: &[u8]) -> Self {
        Search::One(Box::new(memmem::Finder::new(text).into_owned()))
    }

    /// The first place in a line of any length where one of the texts begins.
    pub(super) fn find_in(&self, line: &Line) -> Result<Option<u64>, Error> {
        let (mut at, part_bytes) = (0, line.part_bytes().max(2 * self.longest()));
        loop {
            let part = line.part(at, part_bytes)?;
            if let Some(found) = self.find(&part, 0) {
                return Ok(Some(at + found as u64));
            }
            if at + part.len() as u64 == line.len() {
                return Ok(None);
            }
            // What begins in this part may go on in the next.
            at += (part.len() - self.longest().saturating_sub(1)) as u64;
        }
    }

    /// The first place from `from` on where one of the texts begins.
    pub(in crate::query::grep) fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match self {
            Search::One(finder) => finder.find(bytes.get(from..)?).map(|at| from + at),
            Search::Several(needles) => needles.find(bytes, from),
        }
    }

    /// Bytes of the longest text.
    pub(in crate::query::grep) fn longest(&self) -> usize {
        match self {
            Search::One(finder) => finder.needle().len(),
            Search::Several(needles) => needles.longest(),
        }
    }
}
