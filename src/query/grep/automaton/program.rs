//! A tree as states with arrows between them, to be walked along a text from
//! its start, or against it from its end.

use super::chars::{Classes, Kind, Set};
use super::syntax::{Look, Tree};

/// The most states of a program: more than any pattern comes to whose counted
/// repetitions keep the bound of `query::pattern`.
const MAX_STATES: usize = 100_000;

pub(super) type StateId = u32;

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// A character of the set of this number leads on.
    Set(u32, StateId),
    /// Both ways at once; the first goes before the second.
    Split(StateId, StateId),
    Look(Look, StateId),
    Match,
}

/// Which way a program walks along a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From wherever a match may begin to the end of the first one, as Perl
    /// counts: the one that begins first, and of those the preferred one.
    Forward,
    /// From the end of a match to the first place where one may begin that ends
    /// there.
    Backward,
}

/// States, and the sets of classes that they name.
#[derive(Debug)]
pub(super) struct Program {
    states: Vec<State>,
    sets: Vec<Vec<(u16, u16)>>,
    pub(super) start: StateId,
    pub(super) direction: Direction,
    /// There are assertions.
    pub(super) looks: bool,
    /// It matches at the start of a text only.
    pub(super) anchored: bool,
}

impl Program {
    /// None if it would be too large.
    pub(super) fn new(tree: &Tree, classes: &Classes, direction: Direction) -> Option<Self> {
        let mut builder = Builder { states: vec![State::Match], sets: Vec::new(), direction };
        let start = builder.add(tree, 0)?;
        Some(Program {
            looks: builder.states.iter().any(|state| matches!(state, State::Look(..))),
            sets: builder.sets.iter().map(|set| classes.of_set(set)).collect(),
            states: builder.states,
            start,
            direction,
            anchored: tree.is_anchored(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, id: StateId) -> State {
        self.states[id as usize]
    }

    /// Whether a class belongs to the set of this number.
    pub(super) fn contains(&self, set: u32, class: u16) -> bool {
        let ranges = &self.sets[set as usize];
        let behind = ranges.partition_point(|&(first, _)| first <= class);
        behind > 0 && class <= ranges[behind - 1].1
    }
}

/// Whether there are assertions in a tree, and all of its sets.
pub(super) fn sets_of<'t>(tree: &'t Tree, sets: &mut Vec<&'t Set>) -> bool {
    match tree {
        Tree::Empty => false,
        Tree::Look(_) => true,
        Tree::Set(set) => {
            sets.push(set);
            false
        }
        Tree::Repeat { sub, .. } => sets_of(sub, sets),
        Tree::Concat(subs) | Tree::Either(subs) => {
            subs.iter().fold(false, |looks, sub| sets_of(sub, sets) | looks)
        }
    }
}

struct Builder<'t> {
    states: Vec<State>,
    sets: Vec<&'t Set>,
    direction: Direction,
}

impl<'t> Builder<'t> {
    fn push(&mut self, state: State) -> Option<StateId> {
        self.states.push(state);
        (self.states.len() <= MAX_STATES).then(|| self.states.len() as StateId - 1)
    }

    fn split(&mut self, sub: StateId, next: StateId, greedy: bool) -> Option<StateId> {
        self.push(match greedy {
            true => State::Split(sub, next),
            false => State::Split(next, sub),
        })
    }

    /// The states of a tree, which go on to `next`; gives the first of them.
    fn add(&mut self, tree: &'t Tree, next: StateId) -> Option<StateId> {
        match tree {
            Tree::Empty => Some(next),
            Tree::Set(set) => {
                let number = self.sets.iter().position(|known| *known == set).unwrap_or(self.sets.len());
                if number == self.sets.len() {
                    self.sets.push(set);
                }
                self.push(State::Set(number as u32, next))
            }
            Tree::Look(look) => self.push(State::Look(*look, next)),
            Tree::Concat(subs) => match self.direction {
                Direction::Forward => subs.iter().rev().try_fold(next, |next, sub| self.add(sub, next)),
                Direction::Backward => subs.iter().try_fold(next, |next, sub| self.add(sub, next)),
            },
            Tree::Either(subs) => {
                let mut subs = subs.iter().rev();
                let mut rest = self.add(subs.next()?, next)?;
                for sub in subs {
                    let first = self.add(sub, next)?;
                    rest = self.push(State::Split(first, rest))?;
                }
                Some(rest)
            }
            Tree::Repeat { sub, min, max, greedy } => {
                let (mut first, exactly) = match max {
                    Some(max) => (self.up_to(sub, max - min, *greedy, next)?, *min),
                    None => match (min, sub.may_be_empty()) {
                        (0, false) => (self.looped(sub, *greedy, next)?.0, 0),
                        // `x*` as `(x+)?`: what else is preferred where `x` may be
                        // empty, see rust-lang/regex#779.
                        (0, true) => {
                            let (_, body) = self.looped(sub, *greedy, next)?;
                            (self.split(body, next, *greedy)?, 0)
                        }
                        (min, _) => (self.looped(sub, *greedy, next)?.1, min - 1),
                    },
                };
                for _ in 0..exactly {
                    first = self.add(sub, first)?;
                }
                Some(first)
            }
        }
    }

    /// A tree that may follow itself for ever: the state behind it, which leads
    /// to it once more or to `next`, and its own first state.
    fn looped(&mut self, sub: &'t Tree, greedy: bool, next: StateId) -> Option<(StateId, StateId)> {
        let again = self.push(State::Match)?;
        let body = self.add(sub, again)?;
        self.states[again as usize] = match greedy {
            true => State::Split(body, next),
            false => State::Split(next, body),
        };
        Some((again, body))
    }

    /// A tree that is repeated up to `most` times.
    fn up_to(&mut self, sub: &'t Tree, most: u32, greedy: bool, next: StateId) -> Option<StateId> {
        let mut first = next;
        for _ in 0..most {
            let body = self.add(sub, first)?;
            first = self.split(body, next, greedy)?;
        }
        Some(first)
    }
}

impl Look {
    /// Whether it holds between two neighbours.
    pub(super) fn holds(self, left: Kind, right: Kind) -> bool {
        let (before, after) = (left == Kind::Word, right == Kind::Word);
        match self {
            Look::Start => left == Kind::Edge,
            Look::End => right == Kind::Edge,
            Look::LineStart => matches!(left, Kind::Edge | Kind::LineFeed),
            Look::LineEnd => matches!(right, Kind::Edge | Kind::LineFeed),
            Look::CrlfStart => match left {
                Kind::Edge | Kind::LineFeed => true,
                Kind::CarriageReturn => right != Kind::LineFeed,
                _ => false,
            },
            Look::CrlfEnd => match right {
                Kind::Edge | Kind::CarriageReturn => true,
                Kind::LineFeed => left != Kind::CarriageReturn,
                _ => false,
            },
            Look::Word => before != after,
            Look::NotWord => before == after,
            Look::WordStart => !before && after,
            Look::WordEnd => before && !after,
            Look::WordStartHalf => !before,
            Look::WordEndHalf => !after,
        }
    }
}
