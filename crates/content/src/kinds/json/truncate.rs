//! Truncates JSON so that it still parses: replaces values in the middle of arrays and
//! objects by a string with the notice, cuts long strings inside, and keeps small values.

use super::children::{Container, ContainerKind, overhead, size};
use super::document::Document;
use super::selection;
use crate::json::LEVELS;
use crate::nested::Nested;
use crate::truncate::WIDEST_SIZE;
use crate::truncate::lines::{Middle, Values};
use crate::wording;
use tuckaway_json::scan::Scanner;
use tuckaway_json::spans::{Span, Spans};
use tuckaway_json::unescape::unescape;
use tuckaway_json::write::{escaped_len, quote};
use tuckaway_text::cut::{head, tail};
use tuckaway_text::fair;

/// Nested values are cut down to this depth. Deeper ones are replaced by a notice.
const MAX_DEPTH: usize = 12;
/// Replaces a value if there is no space for a notice. Every value can be made this short.
const DROPPED: &str = "\"…\"";
/// With less space than this, a string is cut as plain text, whatever it contains.
const MIN_CONTENT: usize = 160;
/// Fewer bytes that other values leave are not enough to show more of one.
const MIN_LEFT: usize = 128;

/// Truncates a document, or several in a row, that is longer than `max` bytes. White space
/// between tokens and base64 are removed first, because they are not informative.
pub fn truncate(text: &str, max: usize, middle: &mut Middle, nested: &dyn Nested) -> String {
    let values = middle.json(|| Spans::of(text, LEVELS));
    let document = Document { text, values, nested };
    let context = Context { depth: 0, document: &document, beside: None };
    if let [document] = values.spans.documents() {
        return reduce(document.value, max, context);
    }
    let whole = document.shown_whole(max);
    if whole.len() <= max {
        return whole;
    }
    Container::of_documents(&document).within(max, context)
}

/// The depth of a value, its document, and the neighbouring element.
#[derive(Clone, Copy)]
struct Context<'d> {
    depth: usize,
    document: &'d Document<'d>,
    beside: Option<Span>,
}

impl Context<'_> {
    fn deeper(self, beside: Option<Span>) -> Self {
        Context { depth: self.depth + 1, beside, ..self }
    }
}

/// Returns a value in at most `space` bytes, or [`DROPPED`] if there is less space.
fn reduce(value: Span, space: usize, context: Context<'_>) -> String {
    let document = context.document;
    let whole = document.shown(value, space);
    if whole.len() <= space {
        return whole.to_owned();
    }
    match whole.as_bytes()[0] {
        b'"' => string(&whole, value, space, context),
        b'[' if context.depth < MAX_DEPTH => {
            Container::read(document, value, ContainerKind::Array).within(space, context)
        }
        b'{' if context.depth < MAX_DEPTH => {
            let object = Container::read(document, value, ContainerKind::Object);
            Container { beside: context.beside, ..object }.within(space, context)
        }
        _ => notice_or_less(&wording::truncated_inside(value.len()), space),
    }
}

fn notice_or_less(notice: &str, space: usize) -> String {
    let notice = quote(notice);
    if notice.len() <= space { notice } else { DROPPED.to_owned() }
}

/// Returns head and tail of a string, with the notice between them. Cuts JSON in a string
/// as JSON, and text of several lines as its kind.
fn string(raw: &str, value: Span, space: usize, context: Context<'_>) -> String {
    let text = unescape(&raw.as_bytes()[1..raw.len() - 1]);
    if let Some(view) =
        json_string(&text, space, context).or_else(|| text_string(&text, value, space, context.document))
    {
        return view;
    }
    let notice_cost = quote(&wording::truncated_inside(WIDEST_SIZE)).len();
    let Some(space) = space.checked_sub(notice_cost).filter(|&space| space >= 16) else {
        return notice_or_less(&wording::truncated_inside(text.len()), space);
    };
    let head = head_escaped(&text, space - space / 2);
    let tail = tail_escaped(&text[head.len()..], space / 2);
    let dropped = text.len() - head.len() - tail.len();
    quote(&format!("{head}{}{tail}", wording::truncated_inside(dropped)))
}

/// Cuts a string that holds an array or an object as such. None if it holds something else
/// or there is too little space.
fn json_string(text: &str, space: usize, context: Context<'_>) -> Option<String> {
    if context.depth >= MAX_DEPTH || space < MIN_CONTENT || !text.starts_with(['{', '[']) {
        return None;
    }
    let mut scanner = Scanner::new(text.as_bytes());
    scanner.next_token().ok()?;
    scanner.skip_container().ok()?;
    scanner.next_token().ok().filter(Option::is_none)?;
    let values = Values::at(Spans::of(text, LEVELS));
    let document = Document { text, values: &values, nested: context.document.nested };
    let value = values.spans.documents().first()?.value;
    let context = Context { depth: context.depth + 1, document: &document, beside: None };
    quoted_within(space, |max| reduce(value, max, context))
}

/// Cuts a string of several lines as its kind. None if there is too little space.
fn text_string(text: &str, value: Span, space: usize, document: &Document<'_>) -> Option<String> {
    if space < MIN_CONTENT || !text.contains('\n') {
        return None;
    }
    let nested = document.nested;
    let kind = document.values.kind_of_string(value.start, || nested.detect_text(text));
    let (text, mut middle) = (nested.clean(text, kind), Middle::default());
    quoted_within(space, |max| nested.truncate(&text, kind, max, &mut middle))
}

/// Returns a view in quotes, made shorter until it fits with its escapes.
fn quoted_within(space: usize, mut view: impl FnMut(usize) -> String) -> Option<String> {
    const TURNS: usize = 4;
    let mut max = space - "\"\"".len();
    for _ in 0..TURNS {
        let view = quote(&view(max));
        match view.len().checked_sub(space) {
            None | Some(0) => return Some(view),
            Some(over) => max = max.checked_sub(over)?,
        }
    }
    None
}

/// Returns the same as [`head`], with escapes counted in `max`.
fn head_escaped(text: &str, max: usize) -> &str {
    let mut kept = head(text, max);
    while let Some(over) = escaped_len(kept).checked_sub(max).filter(|&over| over > 0) {
        // An escape takes up to six bytes for one, so this never removes too much.
        kept = head(text, kept.len() - over.div_ceil(6));
    }
    kept
}

fn tail_escaped(text: &str, max: usize) -> &str {
    let mut kept = tail(text, max);
    while let Some(over) = escaped_len(kept).checked_sub(max).filter(|&over| over > 0) {
        kept = tail(text, kept.len() - over.div_ceil(6));
    }
    kept
}

/// The bytes that the values of a container may take, one after the other.
struct Shares {
    /// The bytes of each.
    each: usize,
    /// The bytes that earlier, larger values left of their shares: not all can be cut to
    /// any length.
    left: usize,
}

impl Shares {
    fn of(each: usize) -> Self {
        Shares { each, left: 0 }
    }
}

impl Container<'_> {
    /// Returns the container in at most `space` bytes: all children in part if the shares
    /// are large enough to be useful, or else some of them and notices.
    fn within(&self, space: usize, context: Context<'_>) -> String {
        let (open, close) = self.kind.brackets();
        let Some(inside) = space.checked_sub(open.len() + close.len()) else { return DROPPED.to_owned() };
        if let Some(share) = self.share_of_all(inside) {
            let mut shares = Shares::of(share);
            let parts = (0..self.children.len()).map(|index| self.part(index, &mut shares, context));
            return self.kind.enclose(&parts.collect::<Vec<String>>());
        }
        let notice_bytes = self.max_notice_bytes();
        let Some(inside) = inside.checked_sub(notice_bytes) else {
            return notice_or_less(&wording::truncated_inside(self.size()), space);
        };
        let kept = selection::select(self, inside, notice_bytes);
        if kept.is_empty() {
            return self.kind.enclose(&[self.notice(&wording::truncated_inside(self.size()))]);
        }
        // There is space for one.
        let more = selection::notices(&kept, self.children.len()).saturating_sub(1);
        let space = inside - more * notice_bytes;
        self.kind.enclose(&self.parts(&kept, space, context))
    }

    /// Returns the bytes that each value may take if all are shown in part; none if that is
    /// too little to be useful.
    fn share_of_all(&self, space: usize) -> Option<usize> {
        let overhead: usize = self.children.iter().map(overhead).sum();
        let space = space.checked_sub(overhead)?;
        // Most containers have no space for a little of each, as their first children show.
        let least = self.kind.min_share();
        let mut left = space;
        for child in self.children.iter() {
            left = left.checked_sub(self.shown_len(child, least).min(least))?;
        }
        let lengths = self.children.iter().map(|child| self.shown_len(child, space));
        let share = fair::share_of_bytes(lengths, space);
        (share >= least).then_some(share)
    }

    /// Returns the maximum bytes of a notice, with its key and its separator.
    fn max_notice_bytes(&self) -> usize {
        let count = self.children.len();
        let widest = wording::truncated_members(count, count, self.kind.noun(), WIDEST_SIZE);
        quote(&widest).len() + "\"…\": , ".len()
    }

    /// Returns the children with these indices in at most `space` bytes, and between them
    /// notices for those that are dropped.
    fn parts(&self, kept: &[usize], space: usize, context: Context<'_>) -> Vec<String> {
        let space = space - kept.iter().map(|&index| overhead(&self.children[index])).sum::<usize>();
        let lengths = kept.iter().map(|&index| self.shown_len(&self.children[index], space));
        let mut shares = Shares::of(fair::share_of_bytes(lengths, space));
        let mut parts = Vec::with_capacity(kept.len() + 1);
        let mut at = 0;
        for index in kept.iter().copied().chain([self.children.len()]) {
            if let dropped @ [_, ..] = &self.children[at..index] {
                let bytes = dropped.iter().map(size).sum();
                let (count, noun) = (self.children.len(), self.kind.noun());
                parts.push(self.notice(&wording::truncated_members(dropped.len(), count, noun, bytes)));
            }
            if index < self.children.len() {
                parts.push(self.part(index, &mut shares, context));
            }
            at = index + 1;
        }
        parts
    }

    /// Returns the child of this index. Its value takes at most its share.
    fn part(&self, index: usize, shares: &mut Shares, context: Context<'_>) -> String {
        let child = &self.children[index];
        let is_larger = self.shown_len(child, shares.each) > shares.each;
        let space = match is_larger && shares.left >= MIN_LEFT {
            true => shares.each + std::mem::take(&mut shares.left),
            false => shares.each,
        };
        let value = reduce(child.value, space, context.deeper(self.beside(index)));
        if is_larger {
            shares.left += space.saturating_sub(value.len());
        }
        match child.key {
            Some(key) => format!("{}: {value}", &context.document.text[key.range()]),
            None => value,
        }
    }

    /// Returns a notice as a child: a string, with a key in an object.
    fn notice(&self, text: &str) -> String {
        let key = if self.kind == ContainerKind::Object { "\"…\": " } else { "" };
        key.to_owned() + &quote(text)
    }
}
