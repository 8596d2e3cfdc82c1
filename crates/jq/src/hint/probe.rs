//! How far a path leads into the documents of an artifact.

use super::Step;
use crate::read::inside;
use crate::source::Source;
use crate::stream::{self, Stream};
use crate::suggest;
use tuckaway_json::scan::{Scanner, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape;
use tuckaway_json::write::quote;
use tuckaway_text::cut;

/// Keys that are named, and bytes of each.
const NAMED_KEYS: usize = 20;
const KEY_BYTES: usize = 40;
/// Bytes of all of them.
const KEYS_BYTES: usize = 320;
/// Keys among which the nearest is looked for.
const COMPARED_KEYS: u64 = 1_000;

/// Where a path leaves the document.
#[derive(Debug, Default)]
pub(super) struct Missed {
    /// The step that leads nowhere.
    pub(super) step: usize,
    /// Values that it could have been taken from: objects or arrays.
    pub(super) values: u64,
    /// If there were none of these: what was there, none of them null.
    pub(super) other: Option<&'static str>,
    /// Of objects: the first of their keys, as a filter would spell them, and
    /// whether there are others.
    pub(super) keys: Vec<String>,
    pub(super) more_keys: bool,
    /// The key that is spelled most like the step's.
    pub(super) nearest: Option<String>,
    /// Of arrays: elements of the longest.
    pub(super) longest: u64,
    /// There is more of the artifact than was looked at.
    pub(super) is_head: bool,
}

/// What was found where a step is taken.
#[derive(Default)]
struct Level {
    missed: Missed,
    /// Values from which the step leads on.
    led_on: u64,
    compared: u64,
    /// How far the nearest key is from the step's.
    distance: usize,
}

/// Why a probe ends before the artifact does.
enum End {
    /// The path leads to something: there is nothing to say.
    Found,
    /// Enough was looked at.
    Bound,
    /// This cannot be read.
    Unreadable,
}

impl From<SyntaxError> for End {
    fn from(_: SyntaxError) -> Self {
        End::Unreadable
    }
}

type Scan<'s> = Scanner<Stream<'s>>;

/// A path, and what was found at each of its steps.
pub(super) struct Probe<'p> {
    path: &'p [Step],
    levels: Vec<Level>,
    bound: u64,
    /// It is known that the path leads somewhere, or nothing is known.
    is_moot: bool,
    is_head: bool,
}

impl<'p> Probe<'p> {
    pub(super) fn new(path: &'p [Step]) -> Self {
        let levels = path.iter().map(|_| Level::default()).collect();
        Probe { path, levels, bound: 0, is_moot: false, is_head: false }
    }

    /// Looks at so many bytes of an artifact, and says how many it were.
    pub(super) fn run(&mut self, source: &Source, bound: u64) -> u64 {
        self.bound = bound;
        let mut scanner = Scanner::new(stream::open(source, 0));
        match self.documents(&mut scanner) {
            Ok(()) => self.is_moot |= stream::failure(scanner.input()).is_some(),
            Err(End::Bound) => self.is_head = true,
            Err(End::Found | End::Unreadable) => self.is_moot = true,
        }
        scanner.offset()
    }

    /// The deepest step that no value led on from.
    pub(super) fn missed(self) -> Option<Missed> {
        let mut levels = self.levels.into_iter().enumerate();
        let (step, level) =
            levels.rfind(|(_, level)| level.missed.values > 0 || level.missed.other.is_some())?;
        let other = level.missed.other.filter(|_| level.missed.values == 0);
        // How long an array is shows at its end.
        let is_moot = self.is_moot || self.is_head && matches!(self.path[step], Step::At(_));
        let more_keys = level.missed.more_keys || self.is_head;
        (!is_moot && level.led_on == 0).then_some(Missed {
            step,
            other,
            more_keys,
            is_head: self.is_head,
            ..level.missed
        })
    }

    fn documents(&mut self, scanner: &mut Scan) -> Result<(), End> {
        while let Some(token) = scanner.next_token()? {
            self.value(scanner, token, 0)?;
        }
        Ok(())
    }

    /// Takes the path's steps from one on, from the value that begins with this
    /// token. As deep as the path is long.
    fn value(&mut self, scanner: &mut Scan, token: Token, at: usize) -> Result<(), End> {
        if token.start > self.bound {
            return Err(End::Bound);
        }
        let Some(step) = self.path.get(at) else {
            return if token.kind == TokenKind::Null { Ok(()) } else { Err(End::Found) };
        };
        match (step, token.kind) {
            (_, TokenKind::Null) => {}
            (Step::Key(_) | Step::Each, TokenKind::ObjectStart) => self.members(scanner, at)?,
            (Step::At(_) | Step::Each, TokenKind::ArrayStart) => self.elements(scanner, at)?,
            (_, kind) => {
                self.levels[at].missed.other = Some(name(kind));
                self.skip(scanner, token)?;
            }
        }
        Ok(())
    }

    /// Runs to the end of the value that begins with this token.
    fn skip(&self, scanner: &mut Scan, first: Token) -> Result<(), End> {
        let outside = scanner.depth() - usize::from(first.kind.opens());
        scanner.drop_texts();
        while scanner.depth() > outside {
            let token = scanner.next_token()?.ok_or(End::Unreadable)?;
            if token.start > self.bound {
                return Err(End::Bound);
            }
        }
        scanner.keep_texts();
        Ok(())
    }

    fn elements(&mut self, scanner: &mut Scan, at: usize) -> Result<(), End> {
        self.levels[at].missed.values += 1;
        let wanted = match self.path[at] {
            Step::At(index) => Some(index),
            _ => None,
        };
        let mut count = 0;
        loop {
            let token = scanner.next_token()?.ok_or(End::Unreadable)?;
            if token.kind == TokenKind::ArrayEnd {
                break;
            }
            if wanted.is_none_or(|wanted| wanted == count) {
                self.levels[at].led_on += 1;
                self.value(scanner, token, at + 1)?;
            } else {
                self.skip(scanner, token)?;
            }
            count += 1;
        }
        let missed = &mut self.levels[at].missed;
        missed.longest = missed.longest.max(count);
        Ok(())
    }

    fn members(&mut self, scanner: &mut Scan, at: usize) -> Result<(), End> {
        self.levels[at].missed.values += 1;
        loop {
            let token = scanner.next_token()?.ok_or(End::Unreadable)?;
            if token.kind != TokenKind::Key {
                return Ok(());
            }
            let leads_on = match &self.path[at] {
                Step::Key(wanted) => {
                    let key = unescape(inside(scanner, token));
                    let level = &mut self.levels[at];
                    if key != **wanted {
                        level.note(&key, wanted);
                    }
                    key == **wanted
                }
                _ => true,
            };
            let token = scanner.next_token()?.ok_or(End::Unreadable)?;
            if leads_on {
                self.levels[at].led_on += 1;
                self.value(scanner, token, at + 1)?;
            } else {
                self.skip(scanner, token)?;
            }
        }
    }
}

impl Level {
    /// Notes a key that is not the one that was wanted.
    fn note(&mut self, key: &str, wanted: &str) {
        let keys = &mut self.missed.keys;
        let shown = spelled(key);
        if keys.contains(&shown) {
            return;
        }
        if self.compared < COMPARED_KEYS {
            self.compared += 1;
            let far = suggest::far(wanted, key);
            if let Some(far) = far.filter(|far| self.missed.nearest.is_none() || *far < self.distance) {
                (self.missed.nearest, self.distance) = (Some(shown.clone()), far);
            }
        }
        let bytes: usize = keys.iter().map(|key| key.len() + 2).sum();
        match keys.len() < NAMED_KEYS && bytes + shown.len() <= KEYS_BYTES {
            true => keys.push(shown),
            false => self.missed.more_keys = true,
        }
    }
}

/// A key as it is named: in quotes unless it is plain.
fn spelled(key: &str) -> String {
    let head = cut::head(key, KEY_BYTES);
    let cut = if head.len() < key.len() { "…" } else { "" };
    let plain = !head.is_empty() && head.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain { format!("{head}{cut}") } else { format!("{}{cut}", quote(head)) }
}

fn name(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::ArrayStart | TokenKind::ArrayEnd => "array",
        TokenKind::ObjectStart | TokenKind::ObjectEnd => "object",
        TokenKind::Key | TokenKind::String => "string",
        TokenKind::Integer | TokenKind::Float => "number",
        TokenKind::True | TokenKind::False => "boolean",
        TokenKind::Null => "null",
    }
}
