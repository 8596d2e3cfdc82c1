//! A document that responds to the requests of a planned filter.

use std::cell::{Cell, RefCell};

use jaq_core::{Exn, ValT, ValX, ValXs};

use super::locate::{Location, Locations};
use super::plan::Plan;
use super::reader::{Aborted, ResumePoint, ValueReader};
use super::request::{Request, RequestKind, Selector};
use super::single_pass::{NeedsTwoPasses, SinglePass};
use crate::demand::Demand;
use crate::error::Error;
use crate::read::{ReadError, type_name};
use crate::run::Responder;
use crate::source::Source;
use crate::stream::Stream;
use crate::value::{Arr, FilterError, Val, ValR, cannot_index};
use crate::watch;
use tuckaway_json::scan::{Scanner, TokenKind};

/// Upper bound of the memory of values, as a multiple of the length of their text.
const MAX_GROWTH: u64 = 8;

/// One document, read in parts.
pub(crate) struct Document<'p, 's, 'a> {
    requests: &'p [Request],
    /// The request whose values the filter processes independently.
    resumable: Option<usize>,
    access: Access<'s>,
    reader: ValueReader<'s, 'a>,
    /// For each request: its value, if it has one that was read before.
    cache: RefCell<Vec<Option<Val>>>,
    /// For each request: whether its values were read one by one before.
    streamed: RefCell<Vec<bool>>,
}

/// The way in which a document is read.
enum Access<'s> {
    /// By the locations that a first pass has found.
    Located(Locations),
    /// From a value on. A first pass has checked the document before.
    Resumed(ResumePoint),
    /// In a single pass, which is abandoned if it turns out to be impossible.
    SinglePass { pass: Box<RefCell<SinglePass<'s>>>, is_abandoned: Cell<bool> },
    /// All documents of the source as the elements of one array, each when it is consumed.
    Slurped,
}

/// The target of a path.
enum Target {
    Found(Location),
    /// A missing key or index, whose value is null.
    Missing,
    /// The path failed, and its `?` suppresses the error.
    Suppressed,
    Failed(FilterError),
}

impl<'p, 's, 'a> Document<'p, 's, 'a> {
    /// Checks the document that comes next, finds all requested locations, and moves the scanner
    /// past it.
    pub(crate) fn locate(
        source: &'s Source<'a>,
        plan: &'p Plan,
        scanner: &mut Scanner<Stream>,
    ) -> Result<Self, ReadError> {
        let mut locations = Locations::of(&plan.requests);
        locations.locate(scanner)?;
        Ok(Document::new(plan, Access::Located(locations), ValueReader::new(source)))
    }

    /// Resumes a document that an earlier run has checked, at one of its values.
    pub(crate) fn resume(source: &'s Source<'a>, plan: &'p Plan, from: ResumePoint) -> Self {
        Document::new(plan, Access::Resumed(from), ValueReader::new(source))
    }

    /// Resumes the array of all documents at one of them.
    pub(crate) fn resume_slurped(source: &'s Source<'a>, plan: &'p Plan, from: ResumePoint) -> Self {
        Document::new(plan, Access::Resumed(from), ValueReader::slurped(source))
    }

    /// Reads all documents of a source as one array. Returns `None` if the filter requests more
    /// than its elements, in order, and their number.
    pub(crate) fn slurped(source: &'s Source<'a>, plan: &'p Plan) -> Option<Self> {
        let is_possible = |request: &Request| {
            request.path.is_empty()
                && matches!(request.kind, RequestKind::Each { .. } | RequestKind::Length | RequestKind::Type)
        };
        let can_stream = plan.requests.iter().all(is_possible);
        can_stream.then(|| Document::new(plan, Access::Slurped, ValueReader::slurped(source)))
    }

    /// Reads the document that comes next in a single pass. Returns `None` if the filter requests
    /// more than the elements of one array. Its outputs are valid only if [`Document::finish`]
    /// succeeds.
    pub(crate) fn single_pass(
        source: &'s Source<'a>,
        plan: &'p Plan,
        scanner: Scanner<Stream<'s>>,
    ) -> Option<Self> {
        let request = &plan.requests[plan.resumable?];
        let pass = Box::new(RefCell::new(SinglePass::new(scanner, &request.path)));
        let access = Access::SinglePass { pass, is_abandoned: Cell::new(false) };
        Some(Document::new(plan, access, ValueReader::new(source)))
    }

    /// Checks the rest of a document that is read in a single pass, and returns the scanner.
    pub(crate) fn finish(self) -> Result<Scanner<Stream<'s>>, NeedsTwoPasses> {
        match self.access {
            Access::SinglePass { pass, is_abandoned } if !is_abandoned.get() => (*pass).into_inner().finish(),
            _ => Err(NeedsTwoPasses),
        }
    }

    fn new(plan: &'p Plan, access: Access<'s>, reader: ValueReader<'s, 'a>) -> Self {
        Document {
            requests: &plan.requests,
            resumable: plan.resumable,
            access,
            reader,
            cache: RefCell::new(vec![None; plan.requests.len()]),
            streamed: RefCell::new(vec![false; plan.requests.len()]),
        }
    }

    /// Returns the value that the filter received last, of those at which it can resume.
    pub(crate) fn last_read(&self) -> Option<ResumePoint> {
        self.reader.last_read()
    }

    /// Takes the error that halted the filter because a request was aborted.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        self.reader.take_failure()
    }

    /// Follows the path of a request.
    fn resolve(&self, request: &Request, locations: &Locations) -> Result<Target, Aborted> {
        let mut node = Locations::ROOT;
        let mut found = locations.get(node);
        for step in &request.path {
            let Some(location) = found else { return Ok(Target::Missing) };
            match (&step.selector, location.kind) {
                (_, TokenKind::Null) => return Ok(Target::Missing),
                (Selector::Key(_), TokenKind::ObjectStart) | (Selector::Index(_), TokenKind::ArrayStart) => {
                    node = locations.child(node, &step.selector).unwrap_or(Locations::ROOT);
                    found = locations.get(node);
                    if let Selector::Key(key) = &step.selector {
                        match found {
                            Some(_) => watch::found(key),
                            None => watch::missed(key, std::iter::empty()),
                        }
                    }
                }
                _ if step.is_optional => return Ok(Target::Suppressed),
                (selector, _) => {
                    let index = match selector {
                        Selector::Key(key) => Val::str(key.as_str()),
                        Selector::Index(index) => Val::int(i128::from(*index)),
                    };
                    return Ok(Target::Failed(match location.kind {
                        TokenKind::ArrayStart => {
                            cannot_index(&format_args!("array of {}", location.count), &index)
                        }
                        _ => cannot_index(&self.reader.outline(location)?, &index),
                    }));
                }
            }
        }
        Ok(found.map_or(Target::Missing, Target::Found))
    }

    /// Returns the value of a request that has one, and caches it.
    fn cached_value(
        &self,
        number: usize,
        request: &Request,
        location: Option<Location>,
    ) -> Result<ValR, Aborted> {
        if let Some(value) = &self.cache.borrow()[number] {
            return Ok(Ok(value.clone()));
        }
        let value = self.read_value(request, location)?;
        if let Ok(value) = &value {
            self.cache.borrow_mut()[number] = Some(value.clone());
        }
        Ok(value)
    }

    fn read_value(&self, request: &Request, location: Option<Location>) -> Result<ValR, Aborted> {
        let outline = || location.map_or(Ok(Val::Null), |location| self.reader.outline(location));
        Ok(match (&request.kind, location) {
            (RequestKind::Path, _) => Ok(Val::Null),
            (RequestKind::Type, _) => {
                Ok(Val::str(location.map_or("null", |location| type_name(location.kind))))
            }
            (RequestKind::Length, Some(found)) if found.kind.opens() && found.has_distinct_keys => {
                Ok(Val::int(i128::from(found.count)))
            }
            (RequestKind::Length, _) => outline()?.length(),
            (RequestKind::Outline, _) => Ok(outline()?),
            (RequestKind::FromEnd { index, .. }, Some(found)) if found.kind == TokenKind::ArrayStart => {
                Ok(match found.count.checked_add_signed(*index).filter(|_| *index < 0) {
                    Some(at) => {
                        self.reader.slice(found, at, at + 1, &request.demand)?.pop().unwrap_or_default()
                    }
                    None => Val::Null,
                })
            }
            (RequestKind::FromEnd { index, .. }, _) => outline()?.index(&Val::int(i128::from(*index))),
            (RequestKind::Slice { from, upto, .. }, Some(found)) if found.kind == TokenKind::ArrayStart => {
                let end = |end: Option<i64>, default| match end {
                    None => default,
                    Some(end) if end < 0 => found.count.saturating_add_signed(end),
                    Some(end) => found.count.min(end.unsigned_abs()),
                };
                let (from, upto) = (end(*from, 0), end(*upto, found.count));
                Ok(Val::Arr(Arr::from(self.reader.slice(found, from, upto, &request.demand)?).into()))
            }
            (RequestKind::Slice { from, upto, .. }, _) => {
                let [from, upto] = [from, upto].map(|end| end.map(|end| Val::int(i128::from(end))));
                outline()?.range(from.as_ref()..upto.as_ref())
            }
            (RequestKind::Value, Some(found)) => Ok(self.reader.read(found.start, &request.demand)?),
            // The demand is that of each value in it.
            (RequestKind::Each { .. }, Some(found)) => Ok(self.reader.read(found.start, &Demand::All)?),
            (RequestKind::Value | RequestKind::Each { .. }, None) => Ok(Val::Null),
        })
    }

    fn try_respond<'t>(&'t self, request: &Val) -> Result<ValXs<'t, Val>, Aborted> {
        let number = request.as_str().and_then(|number| number.parse().ok());
        let Some((number, request)) =
            number.and_then(|number: usize| Some((number, self.requests.get(number)?)))
        else {
            return Ok(Box::new(std::iter::empty()));
        };
        let is_resumable = self.resumable == Some(number);
        Ok(match &self.access {
            Access::Located(locations) => return self.respond_located(number, request, locations),
            Access::Slurped => match request.kind {
                RequestKind::Length => {
                    let count = self.reader.count_documents()?;
                    Box::new(std::iter::once(Ok(Val::int(i128::from(count)))))
                }
                RequestKind::Type => Box::new(std::iter::once(Ok(Val::str("array")))),
                _ => Box::new(self.reader.values(ResumePoint::default(), request, is_resumable)),
            },
            // The other requests check a path. The search for the array checks it, too.
            _ if !is_resumable => Box::new(std::iter::once(Ok(Val::Null))),
            Access::Resumed(from) => Box::new(self.reader.values(*from, request, true)),
            Access::SinglePass { pass, is_abandoned } => {
                Box::new(self.elements_of_pass(pass, is_abandoned, request))
            }
        })
    }

    fn respond_located<'t>(
        &'t self,
        number: usize,
        request: &'t Request,
        locations: &Locations,
    ) -> Result<ValXs<'t, Val>, Aborted> {
        let location = match self.resolve(request, locations)? {
            Target::Found(location) => Some(location),
            Target::Missing => None,
            Target::Suppressed => return Ok(Box::new(std::iter::empty())),
            Target::Failed(error) => return Ok(Box::new(std::iter::once(Err(error.into())))),
        };
        let is_optional = match request.kind {
            RequestKind::Each { is_optional } => {
                if let Some(found) = location
                    && found.kind.opens()
                    && found.has_distinct_keys
                    && !self.is_worth_caching(number, found)
                {
                    let in_object = found.kind == TokenKind::ObjectStart;
                    let from = ResumePoint { offset: found.start + 1, in_object };
                    return Ok(Box::new(self.reader.values(from, request, self.resumable == Some(number))));
                }
                is_optional
            }
            RequestKind::FromEnd { is_optional, .. } | RequestKind::Slice { is_optional, .. } => is_optional,
            RequestKind::Path
            | RequestKind::Value
            | RequestKind::Length
            | RequestKind::Type
            | RequestKind::Outline => false,
        };
        let value = self.cached_value(number, request, location)?;
        let values: Box<dyn Iterator<Item = ValR>> = match (&request.kind, value) {
            (RequestKind::Each { .. }, Ok(value)) => value.values(),
            (_, value) => Box::new(std::iter::once(value)),
        };
        let reported = values.filter(move |value| !is_optional || value.is_ok());
        Ok(Box::new(reported.map(|value| value.map_err(Exn::from))))
    }

    /// Returns whether the values of a container are better read and cached as a whole: they were
    /// read one by one before, and fit into memory.
    fn is_worth_caching(&self, number: usize, container: Location) -> bool {
        let was_streamed = std::mem::replace(&mut self.streamed.borrow_mut()[number], true);
        let size = container.end - container.start;
        was_streamed && size.saturating_mul(MAX_GROWTH) <= self.reader.budget()
    }

    /// Returns the elements of the requested array during a single pass.
    fn elements_of_pass<'t>(
        &'t self,
        pass: &'t RefCell<SinglePass<'s>>,
        is_abandoned: &'t Cell<bool>,
        request: &'t Request,
    ) -> impl Iterator<Item = ValX<'t, Val>> + 't {
        let mut is_at_array = false;
        std::iter::from_fn(move || {
            if is_abandoned.get() {
                return None;
            }
            let mut pass = pass.borrow_mut();
            let mut next = || -> Result<Option<Val>, NeedsTwoPasses> {
                if !std::mem::replace(&mut is_at_array, true) {
                    pass.find_array()?;
                }
                while let Some((token, value)) = pass.next_element(self.reader.budget(), &request.demand)? {
                    if request.accepts(&value) {
                        self.reader.set_last_read(ResumePoint { offset: token.start, in_object: false });
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            };
            next().map(|value| value.map(Ok)).unwrap_or_else(|NeedsTwoPasses| {
                is_abandoned.set(true);
                Some(Err(Exn::halt(0)))
            })
        })
    }
}

impl Responder for Document<'_, '_, '_> {
    fn respond<'t>(&'t self, request: &Val) -> ValXs<'t, Val> {
        self.try_respond(request).unwrap_or_else(|aborted| Box::new(std::iter::once(Err(aborted.halt()))))
    }
}
