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
    /// Normal operation of the program.
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

/// Names of levels, in lower case: by their first letter, the most frequent first.
const NAMES: [(&[u8], Level); 33] = [
    (b"alert", Level::Fatal),
    (b"critical", Level::Fatal),
    (b"crit", Level::Fatal),
    (b"config", Level::Info),
    (b"debug", Level::Debug),
    (b"dbg", Level::Debug),
    (b"dbug", Level::Debug),
    (b"dpanic", Level::Fatal),
    (b"error", Level::Error),
    (b"err", Level::Error),
    (b"emerg", Level::Fatal),
    (b"emergency", Level::Fatal),
    (b"fatal", Level::Fatal),
    (b"ftl", Level::Fatal),
    (b"fail", Level::Error),
    (b"fine", Level::Debug),
    (b"finer", Level::Trace),
    (b"finest", Level::Trace),
    (b"info", Level::Info),
    (b"inf", Level::Info),
    (b"information", Level::Info),
    (b"log", Level::Info),
    (b"notice", Level::Notice),
    (b"note", Level::Notice),
    (b"panic", Level::Fatal),
    (b"severe", Level::Error),
    (b"trace", Level::Trace),
    (b"trc", Level::Trace),
    (b"trce", Level::Trace),
    (b"verbose", Level::Trace),
    (b"warn", Level::Warn),
    (b"warning", Level::Warn),
    (b"wrn", Level::Warn),
];

/// Returns the level that a word names, perhaps with marks around it, and the name.
#[inline(always)]
pub fn of_word(word: &[u8]) -> Option<(Level, &[u8])> {
    // Nearly all words are none, most of them by their first two letters.
    let from = (0..3).find(|&at| word.get(at).is_some_and(u8::is_ascii_alphabetic))?;
    let initial = &INITIALS[letter(word[from])];
    let second = word.get(from + 1).filter(|byte| byte.is_ascii_alphabetic())?;
    match initial.seconds >> letter(*second) & 1 {
        0 => None,
        _ => of_name(&word[from..], initial),
    }
}

/// Returns the level that a text names whose first two letters are those of a name.
fn of_name<'t>(text: &'t [u8], initial: &Initial) -> Option<(Level, &'t [u8])> {
    let letters = text.iter().take(MOST_LETTERS + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (text, after) = text.split_at(letters);
    let mut names = NAMES[initial.names.0..initial.names.1].iter();
    let &(_, level) = names.find(|(name, _)| name.eq_ignore_ascii_case(text))?;
    after.iter().all(|byte| b"]>):,;|\"'*".contains(byte)).then_some((level, text))
}

/// Returns the number of a letter in the alphabet, from 0.
const fn letter(letter: u8) -> usize {
    ((letter | 0x20) - b'a') as usize
}

/// The letters of the longest name.
const MOST_LETTERS: usize = 11;

/// The names that begin with a letter.
#[derive(Clone, Copy)]
struct Initial {
    /// Their second letters: a bit for each letter.
    seconds: u32,
    /// Their positions in [`NAMES`].
    names: (usize, usize),
}

/// The names by each letter.
const INITIALS: [Initial; 26] = {
    let mut initials = [Initial { seconds: 0, names: (0, 0) }; 26];
    let mut index = 0;
    while index < NAMES.len() {
        let name = NAMES[index].0;
        assert!(name.len() <= MOST_LETTERS);
        assert!(index == 0 || NAMES[index - 1].0[0] <= name[0]);
        let initial = &mut initials[letter(name[0])];
        if initial.seconds == 0 {
            initial.names.0 = index;
        }
        initial.seconds |= 1 << letter(name[1]);
        initial.names.1 = index + 1;
        index += 1;
    }
    initials
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
