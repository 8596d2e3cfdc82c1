//! Enough of a shell's grammar to say which commands a script runs: words, operators, groups,
//! substitutions. A script in another form has no answer, and is not changed.

/// The maximum depth of groups and substitutions.
const MAX_DEPTH: usize = 16;

/// A simple command: its words as written, without redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple {
    /// The words.
    pub words: Vec<String>,
    /// Where the command begins in the script.
    pub start: usize,
    /// The operator after the command.
    pub then: Operator,
    /// Whether the command is within a group or a substitution.
    pub is_nested: bool,
    /// Whether an output goes to a file, or a substitution is among the words.
    pub is_complex: bool,
}

/// An operator between two commands, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Pipe,
    /// `;` or a line feed.
    Next,
    End,
}

/// Returns the simple commands of a script in the order in which they begin; `None` if the script
/// has a part that is not understood, such as a here-document or a background job.
pub fn commands(script: &str) -> Option<Vec<Simple>> {
    let mut parser = Parser { script, at: 0, commands: Vec::new() };
    parser.list(0)?;
    parser.commands.sort_by_key(|command| command.start);
    Some(parser.commands)
}

struct Parser<'a> {
    script: &'a str,
    at: usize,
    commands: Vec<Simple>,
}

/// A simple command whose end has not been reached.
struct Open {
    words: Vec<String>,
    word: Option<String>,
    start: Option<usize>,
    /// Whether the next word is the target of a redirection, and of an output.
    target: Option<bool>,
    is_complex: bool,
}

impl Open {
    fn new() -> Self {
        Open { words: Vec::new(), word: None, start: None, target: None, is_complex: false }
    }

    fn push(&mut self, at: usize, text: &str) {
        self.start.get_or_insert(at);
        self.word.get_or_insert_default().push_str(text);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.target.take() {
            Some(is_output) => self.is_complex |= is_output && word != "/dev/null",
            None => self.words.push(word),
        }
    }
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.script[self.at..]
    }

    /// Reads commands up to the end, or up to the parenthesis that closes a group.
    fn list(&mut self, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut open = Open::new();
        loop {
            let at = self.at;
            let Some(first) = self.rest().chars().next() else {
                return if depth == 0 { self.close(open, Operator::End, depth) } else { None };
            };
            if let Some(operator) = self.operator()? {
                let ended = std::mem::replace(&mut open, Open::new());
                self.close(ended, operator, depth)?;
                continue;
            }
            self.at += first.len_utf8();
            match first {
                ')' => return if depth > 0 { self.close(open, Operator::End, depth) } else { None },
                '(' if open.word.is_none() && open.words.is_empty() => {
                    open.start.get_or_insert(at);
                    open.is_complex = true;
                    self.list(depth + 1)?;
                }
                '(' | '`' => return None,
                '$' => self.dollar(&mut open, at, depth)?,
                '<' | '>' => self.redirection(&mut open, first)?,
                '\\' | '\'' | '"' => self.quoted(&mut open, at, first)?,
                '#' if open.word.is_none() => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                ' ' | '\t' => open.end_word(),
                _ => open.push(at, &self.script[at..self.at]),
            }
        }
    }

    /// Reads an operator between commands, if there is one.
    fn operator(&mut self) -> Option<Option<Operator>> {
        let rest = self.rest();
        let (length, operator) = match rest.as_bytes() {
            [b'&', b'&', ..] => (2, Operator::And),
            [b'&', b'>', ..] => return Some(None),
            // A background job.
            [b'&', ..] => return None,
            [b'|', b'|', ..] => (2, Operator::Or),
            [b'|', b'&', ..] => (2, Operator::Pipe),
            [b'|', ..] => (1, Operator::Pipe),
            // A branch of `case`.
            [b';', b';' | b'&', ..] => return None,
            [b';' | b'\n', ..] => (1, Operator::Next),
            _ => return Some(None),
        };
        self.at += length;
        Some(Some(operator))
    }

    fn close(&mut self, mut open: Open, then: Operator, depth: usize) -> Option<()> {
        open.end_word();
        if open.target.is_some() {
            return None;
        }
        let Some(start) = open.start else { return Some(()) };
        let Open { words, is_complex, .. } = open;
        self.commands.push(Simple { words, start, then, is_nested: depth > 0, is_complex });
        Some(())
    }

    /// Reads the expansion after a dollar sign.
    fn dollar(&mut self, open: &mut Open, at: usize, depth: usize) -> Option<()> {
        match self.rest().as_bytes() {
            // Arithmetic.
            [b'(', b'(', ..] => return None,
            [b'(', ..] => {
                self.at += 1;
                open.is_complex = true;
                open.push(at, "$");
                return self.list(depth + 1);
            }
            [b'{', ..] => {
                let length = self.rest().find('}')? + 1;
                self.at += length;
                if self.script[at..self.at].contains(['\'', '"', '`', '(', '\\']) {
                    return None;
                }
            }
            // Quotes with other escapes.
            [b'\'' | b'"', ..] => return None,
            _ => {}
        }
        open.push(at, &self.script[at..self.at]);
        Some(())
    }

    fn redirection(&mut self, open: &mut Open, first: char) -> Option<()> {
        // A number that ends at the sign is a descriptor.
        if open
            .word
            .as_ref()
            .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'&'))
        {
            open.word = None;
        }
        open.end_word();
        open.start.get_or_insert(self.at - 1);
        let rest = self.rest();
        let is_output = first == '>' || rest.starts_with('>');
        match (first, rest.as_bytes()) {
            // A here-document or a process.
            ('<', [b'<', ..]) | (_, [b'(', ..]) => return None,
            (_, [b'&', ..]) => {
                let length =
                    rest[1..].bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
                if length == 0 {
                    return None;
                }
                self.at += 1 + length;
                return Some(());
            }
            ('>', [b'>' | b'|', ..]) | ('<', [b'>', ..]) => self.at += 1,
            _ => {}
        }
        open.target = Some(is_output);
        Some(())
    }

    /// Reads the rest of a quoted string, or an escaped character.
    fn quoted(&mut self, open: &mut Open, at: usize, quote: char) -> Option<()> {
        let rest = self.rest();
        let length = match quote {
            '\\' if rest.starts_with('\n') => {
                self.at += 1;
                return Some(());
            }
            '\\' => rest.chars().next()?.len_utf8(),
            '\'' => rest.find('\'')? + 1,
            _ => double_quoted(rest)?,
        };
        self.at += length;
        open.push(at, &self.script[at..self.at]);
        Some(())
    }
}

/// Returns the length of a string up to and including its closing quote; `None` if a command is
/// substituted in it.
fn double_quoted(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 1),
            b'\\' => {
                bytes.next()?;
            }
            b'`' => return None,
            b'$' if text[at + 1..].starts_with('(') => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of each command, joined.
    fn words(script: &str) -> Option<Vec<String>> {
        commands(script).map(|all| all.iter().map(|command| command.words.join(" ")).collect())
    }

    #[test]
    fn scripts_are_split_into_commands() {
        for (script, expected) in [
            ("cargo test", &["cargo test"][..]),
            ("a && b || c; d | e\nf", &["a", "b", "c", "d", "e", "f"]),
            ("a 'x; y' \"z && \\\" w\" \\; b", &["a 'x; y' \"z && \\\" w\" \\; b"]),
            ("make -j$(nproc --all) all 2>&1 | tee log", &["make -j$ all", "nproc --all", "tee log"]),
            ("(cd x; make) > out 2>/dev/null", &["", "cd x", "make"]),
            ("a \\\n  b # c; d\ne", &["a b", "e"]),
            ("echo ${HOME}/x $A", &["echo ${HOME}/x $A"]),
            ("a &>log; b <in", &["a", "b"]),
            ("", &[]),
        ] {
            let expected = expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(words(script), Some(expected), "{script}");
        }
        let all = commands("a > b; c | d").unwrap();
        assert_eq!(all.iter().map(|command| command.is_complex).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(all.iter().map(|command| command.start).collect::<Vec<_>>(), [0, 7, 11]);
        assert_eq!(all[1].then, Operator::Pipe);
    }

    #[test]
    fn what_is_not_understood_has_no_commands() {
        for script in [
            "a &",
            "a & b",
            "cat <<E\nx\nE",
            "cat <<<x",
            "diff <(a) <(b)",
            "echo `a`",
            "echo \"$(a)\"",
            "f() { a; }",
            "echo 'a",
            "echo \"a",
            "a )",
            "(a",
            "$(a",
            "(a \\)",
            "b 2>& 1",
            "echo $((1))",
            "echo $'a'",
            "case a in b) c;; esac",
            "a >",
            "echo ${a:-'}'}",
            "a\\",
        ] {
            assert_eq!(words(script), None, "{script}");
        }
        assert_eq!(words(&"(".repeat(100_000)), None);
        assert_eq!(words(&"$(".repeat(100_000)), None);
    }
}
