//! How grave a line of a log is.

/// Levels, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It does not go on.
    Fatal,
    /// Something failed.
    Error,
    /// Something may be wrong.
    Warn,
    /// More than usual.
    Notice,
    /// What happens.
    Info,
    /// For those who look for mistakes.
    Debug,
    /// Every step.
    Trace,
}

impl Level {
    /// All of them, in their order.
    pub const ALL: [Level; 7] =
        [Level::Fatal, Level::Error, Level::Warn, Level::Notice, Level::Info, Level::Debug, Level::Trace];

    /// Whether something failed.
    pub fn is_error(self) -> bool {
        self <= Level::Error
    }
}

/// What levels are called, in lower case.
const NAMES: [(&[u8], Level); 34] = [
    (b"info", Level::Info),
    (b"error", Level::Error),
    (b"warn", Level::Warn),
    (b"debug", Level::Debug),
    (b"warning", Level::Warn),
    (b"notice", Level::Notice),
    (b"fatal", Level::Fatal),
    (b"trace", Level::Trace),
    (b"err", Level::Error),
    (b"inf", Level::Info),
    (b"information", Level::Info),
    (b"wrn", Level::Warn),
    (b"dbg", Level::Debug),
    (b"dbug", Level::Debug),
    (b"trc", Level::Trace),
    (b"trce", Level::Trace),
    (b"ftl", Level::Fatal),
    (b"fail", Level::Error),
    (b"severe", Level::Error),
    (b"critical", Level::Fatal),
    (b"crit", Level::Fatal),
    (b"alert", Level::Fatal),
    (b"emerg", Level::Fatal),
    (b"emergency", Level::Fatal),
    (b"panic", Level::Fatal),
    (b"dpanic", Level::Fatal),
    (b"verbose", Level::Trace),
    (b"fine", Level::Debug),
    (b"finer", Level::Trace),
    (b"finest", Level::Trace),
    (b"config", Level::Info),
    (b"note", Level::Notice),
    (b"log", Level::Info),
    (b"statement", Level::Info),
];

/// The level that a word is, whatever stands around it, and how it is written.
pub fn of_word(word: &[u8]) -> Option<(Level, &[u8])> {
    let from = word.iter().position(u8::is_ascii_alphabetic)?;
    let letters = word[from..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let around_is_marks = from <= 2 && word[from + letters..].iter().all(|b| b"]>):,;|\"'*".contains(b));
    if !(3..=11).contains(&letters) || !around_is_marks {
        return None;
    }
    let text = &word[from..from + letters];
    let first = text[0] | 0x20;
    NAMES
        .iter()
        .find(|(name, _)| name[0] == first && name.eq_ignore_ascii_case(text))
        .map(|&(_, level)| (level, text))
}

/// The level that a single letter stands for.
pub fn of_letter(letter: u8) -> Option<Level> {
    Some(match letter {
        b'F' => Level::Fatal,
        b'E' => Level::Error,
        b'W' => Level::Warn,
        b'I' => Level::Info,
        b'D' => Level::Debug,
        b'V' => Level::Trace,
        _ => return None,
    })
}
