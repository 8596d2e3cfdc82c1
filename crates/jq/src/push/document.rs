//! The answers to what a planned filter asks of one document.

use std::cell::{Cell, RefCell};

use jaq_core::{Exn, ValT, ValXs};

use super::super::demand::Demand;
use super::super::limits::{self, MAX_DOCUMENT_DEPTH};
use super::super::natives;
use super::super::read::{Builder, ReadError, VALUE_BYTES, skip_rest};
use super::super::stream::{self, Stream};
use super::super::value::{self, Arr, Val, no_index};
use super::locate::{Found, Places};
use super::once::{Once, TwoPasses};
use super::{Ask, Plan, To, What};
use crate::error::{Error, ErrorKind};
use crate::source::Source;
use tuckaway_json::scan::{Scanner, TokenKind};

/// How often all of an artifact may be read for one document, beside what fits
/// into memory.
const MAX_PASSES: u64 = 4;

/// How much more memory values take than their text, where that is to be guessed.
const MAX_GROWTH: u64 = 8;

const TOO_OFTEN: &str = "The filter was stopped: it reads a document over and over that is too large to be kept in memory. Go through it once, or narrow what is read by a longer path.";

/// What answers the asks of a filter that runs.
pub(in super::super) trait Answers {
    /// The values of the ask with this number, each read when it is asked for.
    fn answer<'s>(&'s self, ask: &Val) -> ValXs<'s, Val>;
}

/// Where a filter whose values are apart can go on: at one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Resume {
    /// Where the value, or its key, begins.
    pub(in super::super) offset: u64,
    /// It is a member of an object.
    pub(in super::super) object: bool,
}

/// One document, read in parts.
pub(in super::super) struct Document<'p, 's, 'a> {
    source: &'s Source<'a>,
    asks: &'p [Ask],
    places: Places,
    apart: Option<usize>,
    resume: Option<Resume>,
    /// The one pass that is tried first, and whether it was given up.
    once: RefCell<Option<Once<'s>>>,
    given_up: Cell<bool>,
    reached: Cell<Option<Resume>>,
    /// Single values that were read before.
    known: RefCell<Vec<Option<Val>>>,
    /// The asks that were answered value by value before.
    begun: RefCell<Vec<bool>>,
    /// Bytes that values may still take.
    room: Cell<u64>,
    /// Bytes of values that may still be read one after the other.
    left: Cell<u64>,
    failure: RefCell<Option<Error>>,
}

/// What a path leads to.
enum Place {
    At(Found),
    /// Nothing is there, which is null.
    Null,
    /// Nothing is there, and no answer either.
    Nowhere,
    Wrong(value::Error),
}

/// That no answer can be had. The reason is kept, and the filter ends.
struct Failed;

impl<'p, 's, 'a> Document<'p, 's, 'a> {
    /// The document that comes next, checked and all places found. The scanner
    /// is then behind it.
    pub(in super::super) fn locate(
        source: &'s Source<'a>,
        plan: &'p Plan,
        scanner: &mut Scanner<Stream>,
    ) -> Result<Self, ReadError> {
        let mut document = Document::new(source, plan);
        document.places.locate(scanner)?;
        Ok(document)
    }

    /// A document that was checked before, of whose values that are apart those
    /// from here on are asked for.
    pub(in super::super) fn resume(source: &'s Source<'a>, plan: &'p Plan, from: Resume) -> Self {
        Document { resume: Some(from), ..Document::new(source, plan) }
    }

    /// The document that comes next, read in one pass; none if the filter asks for
    /// more than the elements of one array. What it puts out stands only if
    /// [`Document::finish`] says so.
    pub(in super::super) fn once(
        source: &'s Source<'a>,
        plan: &'p Plan,
        scanner: Scanner<Stream<'s>>,
    ) -> Option<Self> {
        let ask = &plan.asks[plan.apart?];
        let once = RefCell::new(Some(Once::new(scanner, &ask.path)));
        Some(Document { once, ..Document::new(source, plan) })
    }

    /// Reads on to the end of a document that is read in one pass, and gives the
    /// scanner back.
    pub(in super::super) fn finish(self) -> Result<Scanner<Stream<'s>>, TwoPasses> {
        match self.once.take() {
            Some(once) if !self.given_up.get() => once.finish(),
            _ => Err(TwoPasses),
        }
    }

    fn new(source: &'s Source<'a>, plan: &'p Plan) -> Self {
        Document {
            source,
            asks: &plan.asks,
            places: Places::of(&plan.asks),
            apart: plan.apart,
            resume: None,
            once: RefCell::new(None),
            given_up: Cell::new(false),
            reached: Cell::new(None),
            known: RefCell::new(vec![None; plan.asks.len()]),
            begun: RefCell::new(vec![false; plan.asks.len()]),
            room: Cell::new(limits::document_bytes()),
            left: Cell::new(
                source.size().saturating_mul(MAX_PASSES).saturating_add(limits::document_bytes()),
            ),
            failure: RefCell::new(None),
        }
    }

    /// The value that the filter was given last, of those that are apart.
    pub(in super::super) fn reached(&self) -> Option<Resume> {
        self.reached.get()
    }

    /// Why the filter was ended, if it was for want of an answer.
    pub(in super::super) fn take_failure(&self) -> Option<Error> {
        self.failure.take()
    }

    fn fail(&self, error: Error) -> Failed {
        self.failure.borrow_mut().get_or_insert(error);
        Failed
    }

    fn unreadable(&self, error: ReadError, stream: &Stream) -> Failed {
        self.fail(match (stream::failure(stream), error) {
            (Some(failure), _) => failure.clone(),
            (None, ReadError::Size(_)) => super::super::failure::unreadable(self.source, error),
            (None, _) => Error::new(
                ErrorKind::Source,
                "The store broke its contract: what it gave of the artifact is not what it gave before.",
            ),
        })
    }

    /// Follows the path of an ask.
    fn place(&self, ask: &Ask) -> Result<Place, Failed> {
        let (mut at, mut found) = (Places::ROOT, self.places.found(Places::ROOT));
        for step in &ask.path {
            let Some(place) = found else { return Ok(Place::Null) };
            match (&step.to, place.kind) {
                (_, TokenKind::Null) => return Ok(Place::Null),
                (To::Key(_), TokenKind::ObjectStart) | (To::Index(_), TokenKind::ArrayStart) => {
                    at = self.places.child(at, &step.to).unwrap_or(Places::ROOT);
                    found = self.places.found(at);
                }
                _ if step.optional => return Ok(Place::Nowhere),
                (to, _) => {
                    let index = match to {
                        To::Key(key) => Val::str(key.as_str()),
                        To::Index(index) => Val::int(i128::from(*index)),
                    };
                    return Ok(Place::Wrong(match place.kind {
                        TokenKind::ArrayStart => no_index(&format_args!("array of {}", place.count), &index),
                        _ => no_index(&self.outline(place)?, &index),
                    }));
                }
            }
        }
        Ok(found.map_or(Place::Null, Place::At))
    }

    fn scanner(&self, offset: u64) -> Scanner<Stream<'s>> {
        Scanner::at_value(stream::open(self.source, offset))
    }

    /// The value that begins there, as far as it is asked for.
    fn read(&self, offset: u64, demand: &Demand) -> Result<Val, Failed> {
        let (mut scanner, mut builder) = (self.scanner(offset), Builder::with_room(self.room.get()));
        match builder.next(&mut scanner, demand) {
            Ok(value) => {
                self.room.set(builder.room());
                Ok(value.unwrap_or_default())
            }
            Err(error) => Err(self.unreadable(error, scanner.input())),
        }
    }

    /// The value with nulls in the place of what is inside.
    fn outline(&self, found: Found) -> Result<Val, Failed> {
        match found.kind {
            TokenKind::ArrayStart => {
                let fits = found.count.saturating_mul(VALUE_BYTES) <= self.room.get();
                let count = usize::try_from(found.count).ok().filter(|_| fits);
                let count = count.ok_or_else(|| {
                    self.unreadable(ReadError::Size(found.start), self.scanner(found.start).input())
                })?;
                Ok(Val::Arr(Arr::from(vec![Val::Null; count]).into()))
            }
            TokenKind::ObjectStart => {
                let mut scanner = self.scanner(found.start);
                let mut builder = Builder::with_room(self.room.get());
                let keys = scanner
                    .next_token()
                    .map_err(ReadError::from)
                    .and_then(|_| builder.keys_of(&mut scanner, MAX_DOCUMENT_DEPTH))
                    .map_err(|error| self.unreadable(error, scanner.input()))?;
                Ok(Val::Obj(keys.into()))
            }
            _ => self.read(found.start, &Demand::All),
        }
    }

    /// The elements from one index to another.
    fn slice(&self, found: Found, from: u64, upto: u64, demand: &Demand) -> Result<Vec<Val>, Failed> {
        let (mut scanner, mut builder) = (self.scanner(found.start), Builder::with_room(self.room.get()));
        let mut items = Vec::new();
        let mut read = || -> Result<(), ReadError> {
            scanner.next_token()?;
            scanner.drop_texts();
            for _ in 0..from {
                let Some(token) = scanner.next_token()? else { return Ok(()) };
                skip_rest(&mut scanner, token, MAX_DOCUMENT_DEPTH)?;
            }
            scanner.keep_texts();
            for _ in from..upto {
                let Some(token) = scanner.next_token()? else { return Ok(()) };
                builder.take(VALUE_BYTES, token)?;
                items.push(builder.value(&mut scanner, token, demand)?);
            }
            Ok(())
        };
        match read() {
            Ok(()) => {
                self.room.set(builder.room());
                Ok(items)
            }
            Err(error) => Err(self.unreadable(error, scanner.input())),
        }
    }

    /// One value for asks that have one, kept for the next time.
    fn single(&self, number: usize, ask: &Ask, found: Option<Found>) -> Result<value::ValR, Failed> {
        if let Some(known) = &self.known.borrow()[number] {
            return Ok(Ok(known.clone()));
        }
        let outline = || found.map_or(Ok(Val::Null), |found| self.outline(found));
        let value = match (&ask.what, found) {
            (What::Path, _) => Val::Null,
            (What::Type, _) => Val::str(found.map_or("null", |found| type_name(found.kind))),
            (What::Length, Some(found)) if found.kind.opens() && found.distinct => {
                Val::int(i128::from(found.count))
            }
            (What::Length, _) => match natives::length(&outline()?) {
                Ok(length) => length,
                error => return Ok(error),
            },
            (What::Outline, _) => outline()?,
            (What::At { index, .. }, Some(found)) if found.kind == TokenKind::ArrayStart => {
                match found.count.checked_add_signed(*index).filter(|_| *index < 0) {
                    Some(at) => self.slice(found, at, at + 1, &ask.demand)?.pop().unwrap_or_default(),
                    None => Val::Null,
                }
            }
            (What::At { index, .. }, _) => match outline()?.index(&Val::int(i128::from(*index))) {
                Ok(value) => value,
                error => return Ok(error),
            },
            (What::Slice { from, upto, .. }, Some(found)) if found.kind == TokenKind::ArrayStart => {
                let end = |end: Option<i64>, default| match end {
                    None => default,
                    Some(end) if end < 0 => found.count.saturating_add_signed(end),
                    Some(end) => found.count.min(end.unsigned_abs()),
                };
                let (from, upto) = (end(*from, 0), end(*upto, found.count));
                Val::Arr(Arr::from(self.slice(found, from, upto, &ask.demand)?).into())
            }
            (What::Slice { from, upto, .. }, _) => {
                let [from, upto] = [from, upto].map(|end| end.map(|end| Val::int(i128::from(end))));
                match outline()?.range(from.as_ref()..upto.as_ref()) {
                    Ok(value) => value,
                    error => return Ok(error),
                }
            }
            (What::Value, Some(found)) => self.read(found.start, &ask.demand)?,
            // What is asked is asked of each value in it.
            (What::Each { .. }, Some(found)) => self.read(found.start, &Demand::All)?,
            (What::Value | What::Each { .. }, None) => Val::Null,
        };
        self.known.borrow_mut()[number] = Some(value.clone());
        Ok(Ok(value))
    }

    fn try_answer<'t>(&'t self, ask: &Val) -> Result<ValXs<'t, Val>, Failed> {
        let number = ask.as_str().and_then(|number| number.parse().ok());
        let Some((number, ask)) = number.and_then(|number: usize| Some((number, self.asks.get(number)?)))
        else {
            return Ok(Box::new(std::iter::empty()));
        };
        let apart = self.apart == Some(number);
        if self.once.borrow().is_some() {
            return Ok(match apart {
                true => Box::new(self.elements_at_once(ask)),
                false => Box::new(std::iter::once(Ok(Val::Null))),
            });
        }
        if let Some(resume) = self.resume {
            return Ok(match apart {
                true => Box::new(self.members(resume.offset, resume.object, ask, apart)),
                false => Box::new(std::iter::once(Ok(Val::Null))),
            });
        }
        let found = match self.place(ask)? {
            Place::At(found) => Some(found),
            Place::Null => None,
            Place::Nowhere => return Ok(Box::new(std::iter::empty())),
            Place::Wrong(error) => return Ok(Box::new(std::iter::once(Err(error.into())))),
        };
        let optional = match ask.what {
            What::Each { optional } => {
                if let Some(found) = found
                    && found.kind.opens()
                    && found.distinct
                    && !self.is_asked_again(number, found)
                {
                    let object = found.kind == TokenKind::ObjectStart;
                    return Ok(Box::new(self.members(found.start + 1, object, ask, apart)));
                }
                optional
            }
            What::At { optional, .. } | What::Slice { optional, .. } => optional,
            What::Path | What::Value | What::Length | What::Type | What::Outline => false,
        };
        let value = self.single(number, ask, found)?;
        let values: Box<dyn Iterator<Item = value::ValR>> = match (&ask.what, value) {
            (What::Each { .. }, Ok(value)) => value.values(),
            (_, value) => Box::new(std::iter::once(value)),
        };
        let shown = values.filter(move |value| !optional || value.is_ok());
        Ok(Box::new(shown.map(|value| value.map_err(Exn::from))))
    }

    /// Whether values are asked for that were read one by one before, and that fit
    /// into memory: then they are read as one, for this time and all others.
    fn is_asked_again(&self, number: usize, found: Found) -> bool {
        let again = std::mem::replace(&mut self.begun.borrow_mut()[number], true);
        again && (found.end - found.start).saturating_mul(MAX_GROWTH) <= self.room.get()
    }

    /// The elements of an array as the document is read for the first time.
    fn elements_at_once<'t>(&'t self, ask: &'t Ask) -> impl Iterator<Item = Result<Val, Exn<'t, Val>>> + 't {
        let mut reached = false;
        std::iter::from_fn(move || {
            let mut once = self.once.borrow_mut();
            let once = once.as_mut().filter(|_| !self.given_up.get())?;
            let mut next = || -> Result<Option<Val>, TwoPasses> {
                if !std::mem::replace(&mut reached, true) {
                    once.reach()?;
                }
                while let Some((token, value)) = once.next(self.room.get(), &ask.demand)? {
                    if ask.condition.as_ref().is_none_or(|condition| condition.holds(&value) != Some(false)) {
                        self.reached.set(Some(Resume { offset: token.start, object: false }));
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            };
            next().map(|value| value.map(Ok)).unwrap_or_else(|TwoPasses| {
                self.given_up.set(true);
                Some(Err(Exn::halt(0)))
            })
        })
    }

    /// The values of an array or an object from one of them on, each read when it
    /// is asked for.
    fn members<'t>(
        &'t self,
        offset: u64,
        object: bool,
        ask: &'t Ask,
        apart: bool,
    ) -> impl Iterator<Item = Result<Val, Exn<'t, Val>>> + 't {
        let mut scanner = Scanner::at_member(stream::open(self.source, offset), object);
        let mut builder = Builder::with_room(self.room.get());
        let mut ended = false;
        std::iter::from_fn(move || {
            if ended {
                return None;
            }
            let mut next = || -> Result<Option<Val>, ReadError> {
                while let Some(mut token) = scanner.next_token()? {
                    if matches!(token.kind, TokenKind::ArrayEnd | TokenKind::ObjectEnd) {
                        return Ok(None);
                    }
                    let place = Resume { offset: token.start, object };
                    if token.kind == TokenKind::Key {
                        let Some(value) = scanner.next_token()? else { break };
                        token = value;
                    }
                    builder.refill(self.room.get());
                    let value = builder.value(&mut scanner, token, &ask.demand)?;
                    self.left.set(self.left.get().saturating_sub(scanner.offset() - place.offset));
                    if ask.condition.as_ref().is_none_or(|condition| condition.holds(&value) != Some(false)) {
                        if apart {
                            self.reached.set(Some(place));
                        }
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            };
            if self.left.get() == 0 {
                ended = true;
                self.fail(Error::limit(TOO_OFTEN));
                return Some(Err(Exn::halt(0)));
            }
            match next() {
                Ok(None) if stream::failure(scanner.input()).is_none() => None,
                Ok(Some(value)) => Some(Ok(value)),
                Ok(None) => {
                    ended = true;
                    self.unreadable(ReadError::Size(0), scanner.input());
                    Some(Err(Exn::halt(0)))
                }
                Err(error) => {
                    ended = true;
                    self.unreadable(error, scanner.input());
                    Some(Err(Exn::halt(0)))
                }
            }
        })
    }
}

impl Answers for Document<'_, '_, '_> {
    fn answer<'t>(&'t self, ask: &Val) -> ValXs<'t, Val> {
        self.try_answer(ask).unwrap_or_else(|Failed| Box::new(std::iter::once(Err(Exn::halt(0)))))
    }
}

fn type_name(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::ObjectStart | TokenKind::ObjectEnd => "object",
        TokenKind::ArrayStart | TokenKind::ArrayEnd => "array",
        TokenKind::Key | TokenKind::String => "string",
        TokenKind::Integer | TokenKind::Float => "number",
        TokenKind::True | TokenKind::False => "boolean",
        TokenKind::Null => "null",
    }
}
