//! Reads TOML into a tree of tables, up to its end or to the first error.

use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, parse_document};
use toml_parser::{ErrorSink, ParseError, Raw, Source, Span};
use tuckaway_json::write::push_string;
use tuckaway_search::find;

use super::MAX_LEVELS;
use super::tree::{Header, Key, NodeId, Origin, ROOT, Table, Tree, Value};

/// A text that was read.
pub struct Read<'t> {
    /// The tables that its statements define, up to the error if there is one.
    pub tree: Tree<'t>,
    /// Counts of the parts that were read.
    pub stats: Stats,
    /// The reason why reading stopped before the end.
    pub stop: Option<Stop>,
}

/// Counts of the parts that were read; they distinguish TOML from texts that look like it.
#[derive(Clone, Copy, Default)]
pub struct Stats {
    /// Headers.
    pub headers: u64,
    /// Keys with a value.
    pub keys: u64,
    /// Values and headers in a form that few other formats have: strings in quotes, dates,
    /// arrays, braces, headers in two brackets.
    pub marks: u64,
    /// Dates and times, which become strings.
    pub dates: u64,
}

/// The first error of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Its offset.
    pub at: usize,
    why: String,
}

impl Stop {
    /// Describes where and why reading stopped.
    pub fn reason(&self, text: &str) -> String {
        let line = find::count(b'\n', &text.as_bytes()[..self.at]) + 1;
        format!("line {line}: {}", self.why)
    }
}

/// Reads a text.
pub fn read(text: &str) -> Read<'_> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let first = RefCell::new(None::<ParseError>);
    let mut reader = Reader {
        text,
        first: &first,
        tree: Tree::new(),
        stats: Stats::default(),
        table: ROOT,
        opening: Span::default(),
        keys: Vec::new(),
        target: None,
        open: Vec::new(),
    };
    let mut sink = |error: ParseError| {
        first.borrow_mut().get_or_insert(error);
    };
    parse_document(&tokens, &mut reader, &mut sink);
    let Reader { tree, stats, .. } = reader;
    let stop = first.take().map(|error| Stop {
        at: error
            .unexpected()
            .or(error.context())
            .map_or(text.len(), |span| text.floor_char_boundary(span.start())),
        why: error.description().to_owned(),
    });
    Read { tree, stats, stop }
}

/// Receives events, in the order of the text, until one is an error.
struct Reader<'t, 'e> {
    text: &'t str,
    /// The first error, which the parser and this report.
    first: &'e RefCell<Option<ParseError>>,
    tree: Tree<'t>,
    stats: Stats,
    /// The table of the last header.
    table: NodeId,
    /// The span of the last header.
    opening: Span,
    /// The parts of a key that is not complete.
    keys: Vec<Key<'t>>,
    /// The table and the key of the next value, unless it is the element of an array.
    target: Option<(NodeId, Key<'t>)>,
    /// Arrays and tables in braces that are open.
    open: Vec<NodeId>,
}

impl<'t> Reader<'t, '_> {
    fn has_stopped(&self) -> bool {
        self.first.borrow().is_some()
    }

    fn raw(&self, span: Span, encoding: Option<Encoding>) -> Raw<'t> {
        Raw::new_unchecked(self.text.get(span.start()..span.end()).unwrap_or_default(), encoding, span)
    }

    fn close_header(&mut self, header: Header, error: &mut dyn ErrorSink) {
        let keys = mem::take(&mut self.keys);
        if self.has_stopped() {
            return;
        }
        self.stats.headers += 1;
        self.stats.marks += u64::from(header == Header::Item);
        match self.tree.open(&keys, header) {
            Ok(table) => self.table = table,
            Err(conflict) => error.report_error(ParseError::new(conflict).with_unexpected(self.opening)),
        }
    }

    /// Adds a value to the open array or table. Returns its node, and none after an error.
    fn place(&mut self, value: Value<'t>, at: Span, error: &mut dyn ErrorSink) -> Option<NodeId> {
        match (self.target.take(), self.open.last()) {
            (Some((table, key)), _) => match self.tree.insert(table, key, value) {
                Ok(node) => Some(node),
                Err(conflict) => {
                    error.report_error(ParseError::new(conflict).with_unexpected(at));
                    None
                }
            },
            (None, Some(&array)) => Some(self.tree.push(array, value)),
            (None, None) => None,
        }
    }

    /// Opens an array or a table in braces. Returns whether the parser may read it, which takes
    /// stack.
    fn enter(&mut self, value: Value<'t>, at: Span, error: &mut dyn ErrorSink) -> bool {
        if self.has_stopped() {
            return false;
        }
        if self.open.len() == MAX_LEVELS {
            let why = "too many brackets within brackets";
            error.report_error(ParseError::new(why).with_unexpected(at));
            return false;
        }
        self.stats.marks += 1;
        let node = self.place(value, at, error);
        self.open.extend(node);
        node.is_some()
    }

    fn leave(&mut self) {
        if !self.has_stopped() {
            self.open.pop();
        }
    }
}

impl EventReceiver for Reader<'_, '_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.opening = span;
    }

    fn std_table_close(&mut self, _: Span, error: &mut dyn ErrorSink) {
        self.close_header(Header::Table, error);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.opening = span;
    }

    fn array_table_close(&mut self, _: Span, error: &mut dyn ErrorSink) {
        self.close_header(Header::Item, error);
    }

    fn inline_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.enter(Value::Table(Table::of(Origin::Inline)), span, error)
    }

    fn inline_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.leave();
    }

    fn array_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.enter(Value::Array(Vec::new()), span, error)
    }

    fn array_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.leave();
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        if self.has_stopped() {
            return;
        }
        if self.keys.len() == MAX_LEVELS {
            let why = "a key of too many parts";
            return error.report_error(ParseError::new(why).with_unexpected(span));
        }
        let mut key = Cow::Borrowed("");
        self.raw(span, encoding).decode_key(&mut key, error);
        self.keys.push(key);
    }

    fn key_val_sep(&mut self, span: Span, error: &mut dyn ErrorSink) {
        let mut keys = mem::take(&mut self.keys);
        let Some(key) = keys.pop().filter(|_| !self.has_stopped()) else { return };
        self.stats.keys += 1;
        let table = self.open.last().copied().unwrap_or(self.table);
        match self.tree.descend(table, &keys) {
            Ok(table) => self.target = Some((table, key)),
            Err(conflict) => error.report_error(ParseError::new(conflict).with_unexpected(span)),
        }
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        if self.has_stopped() {
            return;
        }
        let raw = self.raw(span, encoding);
        let mut text = Cow::Borrowed("");
        let kind = raw.decode_scalar(&mut text, error);
        if self.has_stopped() {
            return;
        }
        self.stats.marks += u64::from(matches!(kind, ScalarKind::String | ScalarKind::DateTime));
        self.stats.dates += u64::from(kind == ScalarKind::DateTime);
        let value = self.tree.scalar(|json| push_scalar(json, kind, &text, raw.as_str()));
        self.place(value, span, error);
    }

    fn comment(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.raw(span, None).decode_comment(error);
    }

    fn newline(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.raw(span, None).decode_newline(error);
    }
}

/// Writes a scalar, given its decoded text and its text in the document.
fn push_scalar(json: &mut Vec<u8>, kind: ScalarKind, text: &str, raw: &str) {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    match kind {
        ScalarKind::Boolean(value) => json.extend_from_slice(if value { b"true" } else { b"false" }),
        ScalarKind::Integer(radix) if radix.value() == 10 => json.extend_from_slice(unsigned.as_bytes()),
        ScalarKind::Integer(radix) => match u64::from_str_radix(text, radix.value()) {
            Ok(number) => json.extend_from_slice(number.to_string().as_bytes()),
            Err(_) => push_string(json, raw.as_bytes()),
        },
        ScalarKind::Float if unsigned.ends_with(|last: char| last.is_ascii_digit()) => {
            json.extend_from_slice(unsigned.as_bytes());
        }
        ScalarKind::Float | ScalarKind::DateTime => push_string(json, raw.as_bytes()),
        ScalarKind::String => push_string(json, text.as_bytes()),
    }
}
