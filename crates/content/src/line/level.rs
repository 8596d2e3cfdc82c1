//! Levels of log lines.

/// Levels, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The program cannot continue.
    Fatal,
    /// Something failed.
    Error,
    /// Something may be wrong.
    Warn,
    /// Normal but significant.
    Notice,
    /// What the program does.
    Info,
    /// For debugging.
    Debug,
    /// Every step.
    Trace,
}

impl Level {
    /// All levels, in order.
    pub const ALL: [Level; 7] =
        [Level::Fatal, Level::Error, Level::Warn, Level::Notice, Level::Info, Level::Debug, Level::Trace];

    /// Returns whether something failed.
    pub fn is_error(self) -> bool {
        self <= Level::Error
    }
}

/// Names of levels, in lower case; the most frequent first.
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

/// Returns the level that a word names, perhaps with marks around it, and the name.
pub fn of_word(word: &[u8]) -> Option<(Level, &[u8])> {
    // Nearly all words are none, most of them by their first letter and their length.
    let from = word.iter().take(3).position(u8::is_ascii_alphabetic)?;
    let letters = word[from..].iter().take(MOST_LETTERS + 1).take_while(|b| b.is_ascii_alphabetic()).count();
    let text = &word[from..from + letters];
    let first = text[0] | 0x20;
    if LENGTHS[usize::from(first - b'a')] >> letters & 1 == 0 {
        return None;
    }
    let around_is_marks = word[from + letters..].iter().all(|b| b"]>):,;|\"'*".contains(b));
    NAMES
        .iter()
        .find(|(name, _)| around_is_marks && name[0] == first && name.eq_ignore_ascii_case(text))
        .map(|&(_, level)| (level, text))
}

/// The letters of the longest name.
const MOST_LETTERS: usize = 11;

/// How long the names are that begin with each letter: a bit for each length.
const LENGTHS: [u16; 26] = {
    let mut lengths = [0; 26];
    let mut index = 0;
    while index < NAMES.len() {
        let name = NAMES[index].0;
        assert!(name.len() <= MOST_LETTERS);
        lengths[(name[0] - b'a') as usize] |= 1 << name.len();
        index += 1;
    }
    lengths
};

/// Returns the level that a letter abbreviates.
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
