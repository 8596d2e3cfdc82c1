//! Cutting JSON so that it still parses: members in the middle of arrays and
//! objects give way to one string with the notice, long strings are cut inside,
//! small values stay as they are.

use std::borrow::Cow;

use super::errors;
use crate::nested::Nested;
use crate::truncate::WIDEST_SIZE;
use crate::truncate::lines::Middle;
use crate::wording;
use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::unescape::unescape;
use tuckaway_json::write::{escaped_len, quote};
use tuckaway_text::cut::{head, tail};
use tuckaway_text::fair;

/// Values inside values are cut to this depth; what lies deeper is dropped
/// whole, with a notice.
const MAX_DEPTH: usize = 12;
/// What stands for a value where there is no room for a notice. Every value can
/// be made this short.
const DROPPED: &str = "\"…\"";
/// A string of this many bytes that is base64 is no id or cursor, and gives way to
/// a note of what it is.
const MIN_BASE64: usize = 1_024;
/// A member of an array is shown in part rather than dropped if this much of it
/// can be shown; members of objects, whose keys tell most, sooner.
const MIN_ELEMENT: usize = 160;
const MIN_MEMBER: usize = 24;

/// A document, or several in a row, that is longer than `max` bytes. White
/// space between tokens and base64 go first: they are what says nothing.
pub fn truncate(text: &str, max: usize, nested: &dyn Nested) -> String {
    let level = Level { depth: 0, nested };
    let text = &compact(text, nested);
    let documents = children(text, Parent::Sequence);
    if let [document] = &documents[..] {
        return reduce(document.text, max, level);
    }
    if text.len() <= max {
        return text.clone();
    }
    members(&documents, Parent::Sequence, max, level)
}

/// How deep a value is, and what answers for the content of strings.
#[derive(Clone, Copy)]
struct Level<'n> {
    depth: usize,
    nested: &'n dyn Nested,
}

impl Level<'_> {
    fn deeper(self) -> Self {
        Level { depth: self.depth + 1, ..self }
    }
}

/// What holds the values that are cut.
#[derive(Clone, Copy, PartialEq)]
enum Parent {
    Sequence,
    Array,
    Object,
}

impl Parent {
    fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Parent::Sequence => ("", "\n"),
            Parent::Array => ("[", "]"),
            Parent::Object => ("{", "}"),
        }
    }

    fn separator(self) -> &'static str {
        if self == Parent::Sequence { "\n" } else { ", " }
    }

    fn noun(self) -> &'static str {
        match self {
            Parent::Sequence => "documents",
            Parent::Array => "elements",
            Parent::Object => "members",
        }
    }

    fn min_share(self) -> usize {
        if self == Parent::Object { MIN_MEMBER } else { MIN_ELEMENT }
    }
}

/// A value with its key, if it is a member of an object.
pub(super) struct Child<'a> {
    pub(super) key: Option<&'a str>,
    pub(super) text: &'a str,
}

impl Child<'_> {
    /// What the key and the separator take.
    fn overhead(&self) -> usize {
        self.key.map_or(0, |key| key.len() + ": ".len()) + ", ".len()
    }

    /// What goes when it is dropped.
    fn size(&self) -> usize {
        self.text.len() + self.key.map_or(0, |key| key.len() + ":".len())
    }
}

/// A value in at most `room` bytes, or [`DROPPED`] if there is less room.
fn reduce(text: &str, room: usize, level: Level<'_>) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    match text.as_bytes()[0] {
        b'"' => string(text, room, level),
        b'[' if level.depth < MAX_DEPTH => {
            members(&children(text, Parent::Array), Parent::Array, room, level)
        }
        b'{' if level.depth < MAX_DEPTH => {
            members(&children(text, Parent::Object), Parent::Object, room, level)
        }
        _ => notice_or_less(&wording::truncated_inside(text.len()), room),
    }
}

fn notice_or_less(notice: &str, room: usize) -> String {
    let notice = quote(notice);
    if notice.len() <= room { notice } else { DROPPED.to_owned() }
}

/// Head and tail of a string, the notice between them. JSON in a string stays JSON, and
/// text of several lines is cut as what it is.
fn string(raw: &str, room: usize, level: Level<'_>) -> String {
    let text = unescape(&raw.as_bytes()[1..raw.len() - 1]);
    if let Some(view) = json_string(&text, room, level).or_else(|| text_string(&text, room, level.nested)) {
        return view;
    }
    let notice_cost = quote(&wording::truncated_inside(WIDEST_SIZE)).len();
    let Some(room) = room.checked_sub(notice_cost).filter(|&room| room >= 16) else {
        return notice_or_less(&wording::truncated_inside(text.len()), room);
    };
    let head = head_escaped(&text, room - room / 2);
    let tail = tail_escaped(&text[head.len()..], room / 2);
    let dropped = text.len() - head.len() - tail.len();
    quote(&format!("{head}{}{tail}", wording::truncated_inside(dropped)))
}

/// A string that holds an array or an object, which is cut as such; none where it
/// holds something else or has too little room.
fn json_string(text: &str, room: usize, level: Level<'_>) -> Option<String> {
    if level.depth >= MAX_DEPTH || room < MIN_ELEMENT || !text.starts_with(['{', '[']) {
        return None;
    }
    let mut scanner = Scanner::new(text.as_bytes());
    scanner.next_token().ok()?;
    scanner.skip_container().ok()?;
    scanner.next_token().ok().filter(Option::is_none)?;
    let text = compact(text, level.nested);
    quoted_within(room, |max| reduce(&text, max, level.deeper()))
}

/// A string of several lines; none where it has too little room.
fn text_string(text: &str, room: usize, nested: &dyn Nested) -> Option<String> {
    if room < MIN_ELEMENT || !text.contains('\n') {
        return None;
    }
    let kind = nested.detect_text(text);
    let (text, mut middle) = (nested.clean(text, kind), Middle::default());
    quoted_within(room, |max| nested.truncate(&text, kind, max, &mut middle))
}

/// A view in quotes, made shorter until it fits with its escapes.
fn quoted_within(room: usize, mut view: impl FnMut(usize) -> String) -> Option<String> {
    const TURNS: usize = 4;
    let mut max = room - "\"\"".len();
    for _ in 0..TURNS {
        let view = quote(&view(max));
        match view.len().checked_sub(room) {
            None | Some(0) => return Some(view),
            Some(over) => max = max.checked_sub(over)?,
        }
    }
    None
}

/// As [`head`], escapes counted: shortened until they fit.
fn head_escaped(text: &str, max: usize) -> &str {
    let mut kept = head(text, max);
    while let Some(over) = escaped_len(kept).checked_sub(max).filter(|&over| over > 0) {
        // An escape takes up to six bytes for one: a step that is never too far.
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

/// The children of a container in at most `room` bytes: all of them in part if
/// each share says something, else those from both ends and a notice.
fn members(children: &[Child<'_>], parent: Parent, room: usize, level: Level<'_>) -> String {
    let (open, close) = parent.brackets();
    let Some(inside) = room.checked_sub(open.len() + close.len()) else { return DROPPED.to_owned() };
    let overhead: usize = children.iter().map(Child::overhead).sum();
    let lengths = children.iter().map(|child| child.text.len());
    let share = inside.checked_sub(overhead).map(|room| fair::share_of_bytes(lengths, room));
    if let Some(share) = share.filter(|&share| share >= parent.min_share()) {
        let parts = children.iter().map(|child| part(child, share, level));
        return [open, &parts.collect::<Vec<_>>().join(parent.separator()), close].concat();
    }
    // The widest the notice can get, with its key and its separator.
    let bytes: usize = children.iter().map(Child::size).sum();
    let widest = wording::truncated_members(children.len(), children.len(), parent.noun(), WIDEST_SIZE);
    let notice_cost = quote(&widest).len() + "\"…\": , ".len();
    let Some(inside) = inside.checked_sub(notice_cost) else {
        return notice_or_less(&wording::truncated_inside(bytes), room);
    };
    let cap = (inside / 4).max(parent.min_share());
    let cost = |child: &Child<'_>| child.text.len().min(cap) + child.overhead();
    let ends = |mut left: usize| {
        let (mut first, mut last) = (0, children.len());
        while first < last {
            let from_front = first <= children.len() - last;
            let child = if from_front { &children[first] } else { &children[last - 1] };
            let Some(less) = left.checked_sub(cost(child)) else { break };
            left = less;
            if from_front { first += 1 } else { last -= 1 }
        }
        (first, last)
    };
    let (mut first, mut last) = ends(inside);
    let mut errors = Vec::new();
    // Members of an object are told by their keys, which stand for all of it.
    let may_tell = if parent == Parent::Object { 0..0 } else { first..last };
    let error = errors::among(children, may_tell).next();
    let set_off = |index: usize| cost(&children[index]) + notice_cost;
    // A third of the room, or what one takes, unless little would be left for the ends.
    let for_errors = error.map(|error| set_off(error).max(inside / 3)).filter(|room| room * 3 <= inside * 2);
    if let Some(mut left) = for_errors {
        (first, last) = ends(inside - left);
        for index in errors::among(children, first..last) {
            let Some(less) = left.checked_sub(set_off(index)) else { break };
            left = less;
            errors.push(index);
        }
        if errors.is_empty() {
            (first, last) = ends(inside);
        }
    }
    let kept: Vec<usize> = (0..first).chain(errors.iter().copied()).chain(last..children.len()).collect();
    if kept.is_empty() {
        let notice = quote(&wording::truncated_inside(bytes));
        let key = if parent == Parent::Object { "\"…\": " } else { "" };
        return [open, key, &notice, close].concat();
    }
    let overhead: usize = kept.iter().map(|&index| children[index].overhead()).sum();
    let room = inside - overhead - errors.len() * notice_cost;
    let share = fair::share_of_bytes(kept.iter().map(|&index| children[index].text.len()), room);
    let mut parts = Vec::with_capacity(kept.len() + errors.len() + 1);
    let mut at = 0;
    for index in kept.into_iter().chain([children.len()]) {
        if let dropped @ [_, ..] = &children[at..index] {
            let bytes = dropped.iter().map(Child::size).sum();
            let notice = wording::truncated_members(dropped.len(), children.len(), parent.noun(), bytes);
            let key = if parent == Parent::Object { "\"…\": " } else { "" };
            parts.push(key.to_owned() + &quote(&notice));
        }
        if let Some(child) = children.get(index) {
            parts.push(part(child, share, level));
        }
        at = index + 1;
    }
    [open, &parts.join(parent.separator()), close].concat()
}

fn part(child: &Child<'_>, share: usize, level: Level<'_>) -> String {
    let value = reduce(child.text, share, level.deeper());
    match child.key {
        Some(key) => format!("{key}: {value}"),
        None => value,
    }
}

/// What stands for a string that is base64: the line that says of what.
fn base64_note(raw: &str, nested: &dyn Nested) -> Option<Cow<'static, str>> {
    let inside = &raw.as_bytes()[1..raw.len() - 1];
    // Nearly all strings are told from it by their first bytes.
    if inside[..32].contains(&b' ') {
        return None;
    }
    let note = nested.base64_note(unescape(inside).as_bytes())?;
    Some(Cow::Owned(quote(&note)))
}

/// JSON without the white space between its tokens and the base64 in its
/// strings, neither of which says anything; documents stay apart by a line feed.
pub(super) fn compact(text: &str, nested: &dyn Nested) -> String {
    let mut compact = String::with_capacity(text.len());
    let mut scanner = Scanner::new(text.as_bytes());
    let mut after_value = false;
    loop {
        let depth = scanner.depth();
        let Ok(Some(token)) = scanner.next_token() else { break };
        let closes = matches!(token.kind, TokenKind::ArrayEnd | TokenKind::ObjectEnd);
        if after_value && !closes {
            compact.push(if depth == 0 { '\n' } else { ',' });
        }
        let raw = &text[token.start as usize..token.end as usize];
        match token.kind == TokenKind::String && raw.len() >= MIN_BASE64 {
            true => compact.push_str(&base64_note(raw, nested).unwrap_or(Cow::Borrowed(raw))),
            false => compact.push_str(raw),
        }
        if token.kind == TokenKind::Key {
            compact.push(':');
        }
        after_value = !matches!(token.kind, TokenKind::ArrayStart | TokenKind::ObjectStart | TokenKind::Key);
    }
    compact
}

/// The values directly inside a container, or the documents in a text. What
/// comes here was scanned before: it is JSON.
fn children(text: &str, parent: Parent) -> Vec<Child<'_>> {
    let mut scanner = Scanner::new(text.as_bytes());
    if parent != Parent::Sequence {
        let _ = scanner.next_token();
    }
    let mut children = Vec::new();
    let mut key = None;
    while let Ok(Some(token)) = scanner.next_token() {
        match token.kind {
            TokenKind::Key => key = Some(&text[token.start as usize..token.end as usize]),
            TokenKind::ArrayEnd | TokenKind::ObjectEnd => break,
            kind => {
                let container = matches!(kind, TokenKind::ArrayStart | TokenKind::ObjectStart);
                let end = if container {
                    scanner.skip_container().map_or(text.len() as u64, |end| end.end)
                } else {
                    token.end
                };
                children.push(Child { key: key.take(), text: &text[token.start as usize..end as usize] });
            }
        }
    }
    children
}
