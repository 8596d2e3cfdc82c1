//! A pattern in regex-lite's syntax as regex-syntax's intermediate representation.
//!
//! regex-syntax parses the pattern. Its own translator is not used, because it gives `\w`, `\d`,
//! `\s`, `\b` and the case of letters their Unicode meaning; here they have their ASCII meaning,
//! while `.` and negated classes match whole characters. Groups are dropped, because their matches
//! are not needed.

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassAscii, ClassAsciiKind, ClassBracketed, ClassPerl, ClassPerlKind,
    ClassSet, ClassSetItem, Flag, FlagsItemKind, Group, RepetitionKind, RepetitionRange,
};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Dot, Hir, Look, Repetition};

/// The maximum nesting of groups. regex-lite, as the engine builds it, allows less.
const MAX_DEPTH: u32 = 100;

/// Translates a pattern that regex-lite accepts. Returns `None` for a pattern outside its syntax.
pub(super) fn pattern(pattern: &str, ignore_case: bool) -> Option<Hir> {
    // The parser's nesting limit counts every `a{1}{1}…`; it needs none, as it keeps
    // its stack in memory.
    let ast = ParserBuilder::new().nest_limit(u32::MAX).build().parse(pattern).ok()?;
    Translator { flags: Flags { ignore_case, ..Flags::default() }, depth: 0 }.tree(&ast)
}

/// Translates a plain text.
pub(super) fn literal(text: &str, ignore_case: bool) -> Hir {
    let translator = Translator { flags: Flags { ignore_case, ..Flags::default() }, depth: 0 };
    Hir::concat(text.chars().map(|c| translator.character(c)).collect())
}

#[derive(Clone, Copy, Default)]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_matches_new_line: bool,
    swap_greed: bool,
    crlf: bool,
}

impl Flags {
    fn set(&mut self, flags: &regex_syntax::ast::Flags) {
        let mut on = true;
        for item in &flags.items {
            match item.kind {
                FlagsItemKind::Negation => on = false,
                FlagsItemKind::Flag(Flag::CaseInsensitive) => self.ignore_case = on,
                FlagsItemKind::Flag(Flag::MultiLine) => self.multi_line = on,
                FlagsItemKind::Flag(Flag::DotMatchesNewLine) => self.dot_matches_new_line = on,
                FlagsItemKind::Flag(Flag::SwapGreed) => self.swap_greed = on,
                FlagsItemKind::Flag(Flag::CRLF) => self.crlf = on,
                // The parser has applied the one; the other has no meaning in regex-lite.
                FlagsItemKind::Flag(Flag::IgnoreWhitespace | Flag::Unicode) => {}
            }
        }
    }
}

/// Walks a syntax tree in the order in which it was written, because flags apply from where they
/// are set to the end of their group.
struct Translator {
    flags: Flags,
    depth: u32,
}

impl Translator {
    fn tree(&mut self, ast: &Ast) -> Option<Hir> {
        Some(match ast {
            Ast::Empty(_) => Hir::empty(),
            Ast::Flags(set) => {
                self.flags.set(&set.flags);
                Hir::empty()
            }
            Ast::Literal(literal) => self.character(literal.c),
            Ast::Dot(_) => Hir::dot(match (self.flags.dot_matches_new_line, self.flags.crlf) {
                (true, _) => Dot::AnyChar,
                (false, false) => Dot::AnyCharExceptLF,
                (false, true) => Dot::AnyCharExceptCRLF,
            }),
            Ast::Assertion(assertion) => Hir::look(self.look(assertion)),
            Ast::ClassPerl(perl) => class_of(perl_ranges(perl)),
            Ast::ClassBracketed(class) => self.class(class)?,
            Ast::ClassUnicode(_) => return None,
            Ast::Repetition(_) => self.repetition(ast)?,
            Ast::Group(group) => self.group(group)?,
            Ast::Alternation(either) => Hir::alternation(self.trees(&either.asts)?),
            Ast::Concat(concat) => Hir::concat(self.trees(&concat.asts)?),
        })
    }

    fn trees(&mut self, asts: &[Ast]) -> Option<Vec<Hir>> {
        asts.iter().map(|ast| self.tree(ast)).collect()
    }

    fn group(&mut self, group: &Group) -> Option<Hir> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        let outer = self.flags;
        if let Some(flags) = group.flags() {
            self.flags.set(flags);
        }
        self.depth += 1;
        let hir = self.tree(&group.ast)?;
        self.depth -= 1;
        self.flags = outer;
        Some(hir)
    }

    /// Translates a repetition, or nested repetitions, whose number is bounded only by the
    /// pattern's length.
    fn repetition(&mut self, mut ast: &Ast) -> Option<Hir> {
        let mut repetitions = Vec::new();
        while let Ast::Repetition(repetition) = ast {
            let (min, max) = match repetition.op.kind {
                RepetitionKind::ZeroOrOne => (0, Some(1)),
                RepetitionKind::ZeroOrMore => (0, None),
                RepetitionKind::OneOrMore => (1, None),
                RepetitionKind::Range(RepetitionRange::Exactly(count)) => (count, Some(count)),
                RepetitionKind::Range(RepetitionRange::AtLeast(min)) => (min, None),
                RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (min, Some(max)),
            };
            repetitions.push((min, max, repetition.greedy));
            ast = &repetition.ast;
        }
        let mut hir = self.tree(ast)?;
        for (min, max, greedy) in repetitions.into_iter().rev() {
            let greedy = greedy != self.flags.swap_greed;
            hir = Hir::repetition(Repetition { min, max, greedy, sub: Box::new(hir) });
        }
        Some(hir)
    }

    fn character(&self, c: char) -> Hir {
        let mut ranges = vec![ClassUnicodeRange::new(c, c)];
        if self.flags.ignore_case {
            fold(&mut ranges);
        }
        class_of(ranges)
    }

    fn look(&self, assertion: &Assertion) -> Look {
        let Flags { multi_line, crlf, .. } = self.flags;
        match (&assertion.kind, multi_line, crlf) {
            (AssertionKind::StartText, ..) | (AssertionKind::StartLine, false, _) => Look::Start,
            (AssertionKind::StartLine, true, false) => Look::StartLF,
            (AssertionKind::StartLine, true, true) => Look::StartCRLF,
            (AssertionKind::EndText, ..) | (AssertionKind::EndLine, false, _) => Look::End,
            (AssertionKind::EndLine, true, false) => Look::EndLF,
            (AssertionKind::EndLine, true, true) => Look::EndCRLF,
            (AssertionKind::WordBoundary, ..) => Look::WordAscii,
            (AssertionKind::NotWordBoundary, ..) => Look::WordAsciiNegate,
            (AssertionKind::WordBoundaryStart | AssertionKind::WordBoundaryStartAngle, ..) => {
                Look::WordStartAscii
            }
            (AssertionKind::WordBoundaryEnd | AssertionKind::WordBoundaryEndAngle, ..) => Look::WordEndAscii,
            (AssertionKind::WordBoundaryStartHalf, ..) => Look::WordStartHalfAscii,
            (AssertionKind::WordBoundaryEndHalf, ..) => Look::WordEndHalfAscii,
        }
    }

    fn class(&self, class: &ClassBracketed) -> Option<Hir> {
        let ClassSet::Item(item) = &class.kind else { return None };
        let mut ranges = Vec::new();
        add_item(item, &mut ranges)?;
        let mut set = ClassUnicode::new(ranges);
        if self.flags.ignore_case {
            let mut ranges = set.ranges().to_vec();
            fold(&mut ranges);
            set = ClassUnicode::new(ranges);
        }
        if class.negated {
            set.negate();
        }
        Some(Hir::class(Class::Unicode(set)))
    }
}

fn class_of(ranges: Vec<ClassUnicodeRange>) -> Hir {
    Hir::class(Class::Unicode(ClassUnicode::new(ranges)))
}

/// Adds the matches of an item of a class. The syntax has no nested classes.
fn add_item(item: &ClassSetItem, ranges: &mut Vec<ClassUnicodeRange>) -> Option<()> {
    match item {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => ranges.push(ClassUnicodeRange::new(literal.c, literal.c)),
        ClassSetItem::Range(range) => ranges.push(ClassUnicodeRange::new(range.start.c, range.end.c)),
        ClassSetItem::Ascii(class) => ranges.extend(posix_ranges(class)),
        ClassSetItem::Perl(class) => ranges.extend(perl_ranges(class)),
        ClassSetItem::Union(union) => {
            for item in &union.items {
                match item {
                    ClassSetItem::Union(_) => return None,
                    item => add_item(item, ranges)?,
                }
            }
        }
        ClassSetItem::Unicode(_) | ClassSetItem::Bracketed(_) => return None,
    }
    Some(())
}

fn perl_ranges(class: &ClassPerl) -> Vec<ClassUnicodeRange> {
    let kind = match class.kind {
        ClassPerlKind::Digit => ClassAsciiKind::Digit,
        ClassPerlKind::Space => ClassAsciiKind::Space,
        ClassPerlKind::Word => ClassAsciiKind::Word,
    };
    posix_ranges(&ClassAscii { span: class.span, kind, negated: class.negated })
}

fn posix_ranges(class: &ClassAscii) -> Vec<ClassUnicodeRange> {
    let ranges: &[(char, char)] = match class.kind {
        ClassAsciiKind::Alnum => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        ClassAsciiKind::Alpha => &[('A', 'Z'), ('a', 'z')],
        ClassAsciiKind::Ascii => &[('\0', '\x7F')],
        ClassAsciiKind::Blank => &[('\t', '\t'), (' ', ' ')],
        ClassAsciiKind::Cntrl => &[('\0', '\x1F'), ('\x7F', '\x7F')],
        ClassAsciiKind::Digit => &[('0', '9')],
        ClassAsciiKind::Graph => &[('!', '~')],
        ClassAsciiKind::Lower => &[('a', 'z')],
        ClassAsciiKind::Print => &[(' ', '~')],
        ClassAsciiKind::Punct => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        ClassAsciiKind::Space => &[('\t', '\r'), (' ', ' ')],
        ClassAsciiKind::Upper => &[('A', 'Z')],
        ClassAsciiKind::Word => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        ClassAsciiKind::Xdigit => &[('0', '9'), ('A', 'F'), ('a', 'f')],
    };
    let mut set = ClassUnicode::new(ranges.iter().map(|&(first, last)| ClassUnicodeRange::new(first, last)));
    if class.negated {
        set.negate();
    }
    set.ranges().to_vec()
}

/// Adds the other case of ASCII letters. As in regex-lite, a range with letters of both cases gets
/// only the upper case of its lower-case letters.
fn fold(ranges: &mut Vec<ClassUnicodeRange>) {
    for n in 0..ranges.len() {
        let within = |low: char, high: char| {
            let (first, last) = (ranges[n].start().max(low), ranges[n].end().min(high));
            (first <= last).then_some((first, last))
        };
        let folded = match (within('a', 'z'), within('A', 'Z')) {
            (Some((first, last)), _) => Some((first.to_ascii_uppercase(), last.to_ascii_uppercase())),
            (None, Some((first, last))) => Some((first.to_ascii_lowercase(), last.to_ascii_lowercase())),
            (None, None) => None,
        };
        ranges.extend(folded.map(|(first, last)| ClassUnicodeRange::new(first, last)));
    }
}
