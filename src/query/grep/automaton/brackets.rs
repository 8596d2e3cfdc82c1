//! What is in brackets: the sets of characters that a pattern spells out.

use super::chars::Set;
use super::syntax::{Parser, Tree};

impl Parser {
    /// What is in brackets.
    pub(super) fn class(&mut self) -> Option<Set> {
        let mut set = Set::default();
        self.bump_and_skip_space();
        let negated = self.char() == Some('^');
        if negated {
            self.bump_and_skip_space();
        }
        while self.char() == Some('-') {
            set.extend(&Set::of('-'));
            self.bump_and_skip_space();
        }
        if set == Set::default() && self.char() == Some(']') {
            set.extend(&Set::of(']'));
            self.bump_and_skip_space();
        }
        loop {
            self.skip_space();
            match self.char()? {
                '[' => set.extend(&self.posix_class()?),
                ']' => {
                    self.bump();
                    let set = if self.flags.ignore_case { set.folded() } else { set };
                    return Some(if negated { set.negated() } else { set });
                }
                _ => self.class_range(&mut set)?,
            }
        }
    }

    fn class_range(&mut self, set: &mut Set) -> Option<()> {
        let first = self.class_item()?;
        self.skip_space();
        if self.char()? != '-' || matches!(self.peek_past_space(), Some(']' | '-')) {
            set.extend(&first);
            return Some(());
        }
        self.bump_and_skip_space();
        let last = self.class_item()?;
        let (first, last) = (first.single()?, last.single()?);
        (first <= last).then(|| set.insert((first.into(), last.into())))
    }

    fn class_item(&mut self) -> Option<Set> {
        let c = self.char()?;
        self.bump();
        match c {
            '\\' => match self.escape()? {
                Tree::Set(set) => Some(set),
                _ => None,
            },
            c => Some(Set::of(c)),
        }
    }

    /// `[:alpha:]` and its like.
    fn posix_class(&mut self) -> Option<Set> {
        if !self.bump_if("[:") {
            return None;
        }
        let negated = self.bump_if("^");
        let mut name = String::new();
        while let Some(c) = self.char().filter(|&c| c != ':') {
            name.push(c);
            self.bump();
        }
        let set = named_set(&name)?;
        self.bump_if(":]").then(|| if negated { set.negated() } else { set })
    }
}

/// The set that POSIX gives this name; all are of ASCII.
pub(super) fn named_set(name: &str) -> Option<Set> {
    let ranges: &[&[u8; 2]] = match name {
        "alnum" => &[b"09", b"AZ", b"az"],
        "alpha" => &[b"AZ", b"az"],
        "ascii" => &[b"\x00\x7F"],
        "blank" => &[b"\t\t", b"  "],
        "cntrl" => &[b"\x00\x1F", b"\x7F\x7F"],
        "digit" => &[b"09"],
        "graph" => &[b"!~"],
        "lower" => &[b"az"],
        "print" => &[b" ~"],
        "punct" => &[b"!/", b":@", b"[`", b"{~"],
        "space" => &[b"\t\r", b"  "],
        "upper" => &[b"AZ"],
        "word" => &[b"09", b"AZ", b"__", b"az"],
        "xdigit" => &[b"09", b"AF", b"af"],
        _ => return None,
    };
    let mut set = Set::default();
    ranges.iter().for_each(|&&[first, last]| set.insert((first.into(), last.into())));
    Some(set)
}
