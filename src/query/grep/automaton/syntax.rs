//! A pattern as a tree. The language is regex-lite's, which has checked the
//! pattern before: what is no pattern of it, or not known here, is none here
//! either, without a reason. Groups do not show in the tree, as nobody asks for
//! what they matched.
//!
//! The parser takes regex-lite's steps one by one, white space under the flag
//! `x` above all, so that both read every pattern alike.

use super::brackets::named_set;
use super::chars::Set;

/// What a pattern is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Empty,
    Set(Set),
    Look(Look),
    /// At least `min` times, at most `max`.
    Repeat {
        sub: Box<Tree>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
    Concat(Vec<Tree>),
    /// The first that matches goes before the others.
    Either(Vec<Tree>),
}

/// Assertions of the place between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Start,
    End,
    LineStart,
    LineEnd,
    CrlfStart,
    CrlfEnd,
    Word,
    NotWord,
    WordStart,
    WordEnd,
    WordStartHalf,
    WordEndHalf,
}

impl Tree {
    /// Whether it matches the empty text, assertions left aside.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Tree::Empty | Tree::Look(_) => true,
            Tree::Set(_) => false,
            Tree::Repeat { sub, min, .. } => *min == 0 || sub.may_be_empty(),
            Tree::Concat(subs) => subs.iter().all(Tree::may_be_empty),
            Tree::Either(subs) => subs.iter().any(Tree::may_be_empty),
        }
    }

    /// Whether it matches at the start of a text only.
    pub(super) fn is_anchored(&self) -> bool {
        match self {
            Tree::Empty | Tree::Set(_) => false,
            Tree::Look(look) => *look == Look::Start,
            Tree::Repeat { sub, min, .. } => *min > 0 && sub.is_anchored(),
            Tree::Concat(subs) => subs.first().is_some_and(Tree::is_anchored),
            Tree::Either(subs) => subs.iter().all(Tree::is_anchored),
        }
    }

    /// What matches just this text.
    pub(super) fn literal(text: &str, ignore_case: bool) -> Tree {
        let set = |c| if ignore_case { Set::of(c).folded() } else { Set::of(c) };
        Tree::concat(text.chars().map(|c| Tree::Set(set(c))).collect())
    }

    fn concat(mut subs: Vec<Tree>) -> Tree {
        match subs.len() {
            0 => Tree::Empty,
            1 => subs.remove(0),
            _ => Tree::Concat(subs),
        }
    }

    fn repeat(sub: Tree, min: u32, max: Option<u32>, greedy: bool) -> Tree {
        match (min, max) {
            (0, Some(0)) => Tree::Empty,
            (1, Some(1)) => sub,
            _ => Tree::Repeat { sub: Box::new(sub), min, max, greedy },
        }
    }
}

/// The tree of a pattern that regex-lite takes.
pub(super) fn parse(pattern: &str, ignore_case: bool) -> Option<Tree> {
    let flags = Flags { ignore_case, ..Flags::default() };
    let mut parser = Parser { pattern: pattern.chars().collect(), at: 0, flags };
    let tree = parser.alternatives()?;
    parser.is_done().then_some(tree)
}

#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    multi_line: bool,
    dot_matches_new_line: bool,
    swap_greed: bool,
    crlf: bool,
    ignore_whitespace: bool,
}

/// A pattern as it is read.
pub(super) struct Parser {
    pattern: Vec<char>,
    at: usize,
    pub(super) flags: Flags,
}

impl Parser {
    fn is_done(&self) -> bool {
        self.at == self.pattern.len()
    }

    pub(super) fn char(&self) -> Option<char> {
        self.pattern.get(self.at).copied()
    }

    /// One character on; false at the end.
    pub(super) fn bump(&mut self) -> bool {
        self.at = (self.at + 1).min(self.pattern.len());
        !self.is_done()
    }

    pub(super) fn bump_if(&mut self, prefix: &str) -> bool {
        let ahead = prefix.chars().enumerate().all(|(n, c)| self.pattern.get(self.at + n) == Some(&c));
        if ahead {
            self.at += prefix.chars().count();
        }
        ahead
    }

    /// Past white space and comments, if the flag `x` is set.
    pub(super) fn skip_space(&mut self) {
        if !self.flags.ignore_whitespace {
            return;
        }
        while let Some(c) = self.char() {
            if c == '#' {
                while self.char().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
                self.bump();
            } else if c.is_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    pub(super) fn bump_and_skip_space(&mut self) -> bool {
        if !self.bump() {
            return false;
        }
        self.skip_space();
        !self.is_done()
    }

    /// The next character but white space, if the flag `x` is set; what begins a
    /// comment counts as regex-lite counts it.
    pub(super) fn peek_past_space(&self) -> Option<char> {
        let rest = self.pattern.get(self.at + 1..)?;
        if !self.flags.ignore_whitespace {
            return rest.first().copied();
        }
        let mut in_comment = false;
        for &c in rest {
            if c.is_whitespace() {
                continue;
            }
            if in_comment || c != '#' {
                return Some(c);
            }
            in_comment = true;
        }
        rest.first().copied()
    }

    fn alternatives(&mut self) -> Option<Tree> {
        let (mut either, mut concat) = (Vec::new(), Vec::new());
        loop {
            self.skip_space();
            match self.char() {
                None | Some(')') => break,
                Some('(') => {
                    let outer = self.flags;
                    if let Some(group) = self.group()? {
                        concat.push(group);
                        self.flags = outer;
                    }
                    if self.char() != Some(')') {
                        return None;
                    }
                    self.bump();
                }
                Some('|') => {
                    either.push(Tree::concat(std::mem::take(&mut concat)));
                    self.bump();
                }
                Some('[') => concat.push(Tree::Set(self.class()?)),
                Some(sign @ ('?' | '*' | '+')) => {
                    let sub = concat.pop()?;
                    let (min, max) = match sign {
                        '?' => (0, Some(1)),
                        '*' => (0, None),
                        _ => (1, None),
                    };
                    self.bump();
                    concat.push(Tree::repeat(sub, min, max, self.greed()));
                }
                Some('{') => {
                    let sub = concat.pop()?;
                    let (min, max) = self.counts()?;
                    self.bump_and_skip_space();
                    concat.push(Tree::repeat(sub, min, max, self.greed()));
                }
                Some(_) => concat.push(self.primitive()?),
            }
        }
        let last = Tree::concat(concat);
        if either.is_empty() {
            return Some(last);
        }
        either.push(last);
        Some(Tree::Either(either))
    }

    /// Whether a repetition is greedy; past the sign that says it is not.
    fn greed(&mut self) -> bool {
        let lazy = self.bump_if("?");
        lazy == self.flags.swap_greed
    }

    /// The numbers of `{2,5}`, up to the closing brace.
    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        self.bump_and_skip_space();
        let min = self.decimal()?;
        let mut max = Some(min);
        if self.char() == Some(',') {
            self.bump_and_skip_space();
            max = if self.char() == Some('}') { None } else { Some(self.decimal()?) };
        }
        (self.char() == Some('}') && max.is_none_or(|max| min <= max)).then_some((min, max))
    }

    fn decimal(&mut self) -> Option<u32> {
        while self.char().is_some_and(char::is_whitespace) {
            self.bump();
        }
        let mut digits = String::new();
        while let Some(digit) = self.char().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.bump_and_skip_space();
        }
        while self.char().is_some_and(char::is_whitespace) {
            self.bump_and_skip_space();
        }
        digits.parse().ok()
    }

    /// What is in parentheses; none if it only sets flags. The inner none is not
    /// the outer one, which is no pattern.
    #[expect(clippy::option_option)]
    fn group(&mut self) -> Option<Option<Tree>> {
        self.bump_and_skip_space();
        if self.bump_if("?P<") || self.bump_if("?<") {
            while self.char()? != '>' {
                self.bump();
            }
            self.bump();
        } else if self.bump_if("?") {
            self.flags = self.inline_flags()?;
            if self.char() == Some(')') {
                return Some(None);
            }
            self.bump();
        }
        self.alternatives().map(Some)
    }

    fn inline_flags(&mut self) -> Option<Flags> {
        let (mut flags, mut on) = (self.flags, true);
        let mut without_meaning = false;
        loop {
            let flag = match self.char()? {
                ':' | ')' => return Some(flags),
                '-' => {
                    on = false;
                    self.bump();
                    continue;
                }
                'i' => &mut flags.ignore_case,
                'm' => &mut flags.multi_line,
                's' => &mut flags.dot_matches_new_line,
                'U' => &mut flags.swap_greed,
                'R' => &mut flags.crlf,
                'x' => &mut flags.ignore_whitespace,
                'u' => &mut without_meaning,
                _ => return None,
            };
            *flag = on;
            self.bump();
        }
    }

    fn primitive(&mut self) -> Option<Tree> {
        let c = self.char()?;
        self.bump();
        let flags = self.flags;
        Some(match c {
            '\\' => return self.escape(),
            '.' => Tree::Set(match (flags.dot_matches_new_line, flags.crlf) {
                (true, _) => Set::default().negated(),
                (false, false) => Set::of('\n').negated(),
                (false, true) => Set::new(&[(10, 10), (13, 13)]).negated(),
            }),
            '^' => Tree::Look(match (flags.multi_line, flags.crlf) {
                (false, _) => Look::Start,
                (true, false) => Look::LineStart,
                (true, true) => Look::CrlfStart,
            }),
            '$' => Tree::Look(match (flags.multi_line, flags.crlf) {
                (false, _) => Look::End,
                (true, false) => Look::LineEnd,
                (true, true) => Look::CrlfEnd,
            }),
            c => self.literal(c),
        })
    }

    fn literal(&self, c: char) -> Tree {
        let set = Set::of(c);
        Tree::Set(if self.flags.ignore_case { set.folded() } else { set })
    }

    /// What a backslash begins.
    pub(super) fn escape(&mut self) -> Option<Tree> {
        let c = self.char()?;
        match c {
            'x' => return self.hexadecimal(2),
            'u' => return self.hexadecimal(4),
            'U' => return self.hexadecimal(8),
            _ => {}
        }
        self.bump();
        let perl = |name: &str| {
            let set = named_set(name)?;
            Some(Tree::Set(if c.is_ascii_uppercase() { set.negated() } else { set }))
        };
        match c {
            'd' | 'D' => perl("digit"),
            's' | 'S' => perl("space"),
            'w' | 'W' => perl("word"),
            'a' => Some(self.literal('\x07')),
            'f' => Some(self.literal('\x0C')),
            't' => Some(self.literal('\t')),
            'n' => Some(self.literal('\n')),
            'r' => Some(self.literal('\r')),
            'v' => Some(self.literal('\x0B')),
            'A' => Some(Tree::Look(Look::Start)),
            'z' => Some(Tree::Look(Look::End)),
            'b' => self.word_boundary(),
            'B' => Some(Tree::Look(Look::NotWord)),
            '<' => Some(Tree::Look(Look::WordStart)),
            '>' => Some(Tree::Look(Look::WordEnd)),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(self.literal(c)),
            _ => None,
        }
    }

    /// Behind `\b`: a name in braces makes it another assertion, a number is a
    /// repetition for others to read.
    fn word_boundary(&mut self) -> Option<Tree> {
        let start = self.at;
        if self.char() != Some('{') {
            return Some(Tree::Look(Look::Word));
        }
        self.bump_and_skip_space();
        let mut name = String::new();
        while let Some(c) = self.char().filter(|c| c.is_ascii_alphabetic() || *c == '-') {
            name.push(c);
            self.bump_and_skip_space();
        }
        if name.is_empty() {
            self.at = start;
            return Some(Tree::Look(Look::Word));
        }
        let look = match name.as_str() {
            "start" => Look::WordStart,
            "end" => Look::WordEnd,
            "start-half" => Look::WordStartHalf,
            "end-half" => Look::WordEndHalf,
            _ => return None,
        };
        (self.char() == Some('}')).then(|| {
            self.bump();
            Tree::Look(look)
        })
    }

    /// The number of a character: so many digits, or any in braces.
    fn hexadecimal(&mut self, length: usize) -> Option<Tree> {
        self.bump_and_skip_space();
        let mut digits = String::new();
        if self.char() == Some('{') {
            while self.bump_and_skip_space() && self.char() != Some('}') {
                digits.extend(self.char());
            }
            self.char()?;
        } else {
            for n in 0..length {
                if n > 0 {
                    self.bump_and_skip_space();
                }
                digits.push(self.char()?);
            }
        }
        self.bump_and_skip_space();
        let number = u32::from_str_radix(&digits, 16).ok()?;
        char::from_u32(number).map(|c| self.literal(c))
    }
}
