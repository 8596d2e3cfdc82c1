//! The forms of base64.

use tuckaway_search::find;
use tuckaway_text::base64::is_digit;

/// Bare base64 that is shorter may as well be a name.
const MIN_BARE_BYTES: usize = 128;
/// The longest media type of a data URL, with its parameters.
const MAX_PREFIX_BYTES: usize = 256;
/// Minimum different characters of bare base64. Repeated words and numbers have fewer.
const MIN_DIFFERENT: u32 = 32;
/// Lines of base64 mostly have 64 or 76 characters.
const LINE_BYTES: std::ops::RangeInclusive<usize> = 60..=128;
/// The mark before the data of a data URL.
pub const MARK: &[u8] = b";base64,";

/// A form of base64.
pub enum Form<'a> {
    /// Only base64, in one line or several of the same length.
    Bare(&'a [u8]),
    /// A data URL.
    DataUrl {
        /// The media type with its parameters.
        media_type: &'a [u8],
        /// The base64.
        data: &'a [u8],
    },
    /// One or more blocks between `-----BEGIN` and `-----END`.
    Pem(&'a [u8]),
}

impl<'a> Form<'a> {
    /// Returns the form of an output that is base64 from end to end.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        Form::by_start(bytes).filter(Form::is_valid)
    }

    /// Returns the form that the start of an output shows.
    pub fn by_start(bytes: &'a [u8]) -> Option<Self> {
        let all = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        let text = all.trim_ascii();
        if text.starts_with(b"-----BEGIN ") {
            return Some(Form::Pem(all));
        }
        if !text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data:")) {
            return Some(Form::Bare(text));
        }
        let prefix = &text[..text.len().min(MAX_PREFIX_BYTES)];
        let end = find::text(MARK, prefix)?;
        Some(Form::DataUrl { media_type: &text[5..end], data: &text[end + MARK.len()..] })
    }

    /// Returns whether the output has the form from end to end.
    fn is_valid(&self) -> bool {
        match self {
            Form::Pem(text) => is_pem(text),
            Form::DataUrl { media_type, data } => {
                media_type.iter().all(u8::is_ascii_graphic) && is_base64(data, LineLengths::Any)
            }
            Form::Bare(text) => has_variety(text) && is_base64(text, LineLengths::Even),
        }
    }
}

/// 1 for bytes that are not base64.
const STRANGE: [u8; 256] = {
    let mut table = [1; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = !is_digit(byte as u8) as u8;
        byte += 1;
    }
    table
};

/// The lengths that lines of base64 may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineLengths {
    Any,
    /// One usual length, except for the last line; a single line has any length.
    Even,
}

/// Returns whether data is base64, with padding or without.
fn is_base64(data: &[u8], lengths: LineLengths) -> bool {
    let evenly = lengths == LineLengths::Even;
    let padding = data.iter().rev().take(2).filter(|&&byte| byte == b'=').count();
    let body = &data[..data.len() - padding];
    let mut lines = tuckaway_search::Lines::of(body).peekable();
    let first = lines.peek().map_or(0, |line| line.len());
    let is_one = first == body.len();
    if first == 0 || evenly && !is_one && !(LINE_BYTES.contains(&first) && first.is_multiple_of(4)) {
        return false;
    }
    while let Some(line) = lines.next() {
        let is_even = line.len() == first || line.len() < first && lines.peek().is_none();
        let strange = line.iter().fold(0, |strange, &byte| strange | STRANGE[usize::from(byte)]);
        if strange != 0 || evenly && !is_even {
            return false;
        }
    }
    true
}

/// Returns whether a text has letters of both cases, and digits. Hex numbers have one
/// case, names and paths few digits.
fn has_variety(text: &[u8]) -> bool {
    let head = &text[..text.len().min(4 << 10)];
    let different = |test: fn(&u8) -> bool| {
        let seen = head.iter().filter(|byte| test(byte)).fold(0u128, |seen, &byte| seen | 1 << (byte & 127));
        seen.count_ones()
    };
    text.len() >= MIN_BARE_BYTES
        && head.iter().all(|&byte| is_digit(byte) || b"=\r\n".contains(&byte))
        && different(u8::is_ascii_uppercase) >= 6
        && different(u8::is_ascii_lowercase) >= 6
        && different(u8::is_ascii_digit) >= 3
        && different(|_| true) >= MIN_DIFFERENT
}

/// Returns whether a text is only PEM blocks: borders, headers in the old style, and base64
/// between them.
fn is_pem(text: &[u8]) -> bool {
    let mut inside = false;
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).all(|line| {
        if line.starts_with(b"-----BEGIN ") || line.starts_with(b"-----END ") {
            inside = line.starts_with(b"-----BEGIN ");
            // Labels are shown, so they must be printable.
            return line.ends_with(b"-----") && line.iter().all(|byte| (b' '..=b'~').contains(byte));
        }
        let is_header = || line.starts_with(b"Proc-Type: ") || line.starts_with(b"DEK-Info: ");
        line.is_empty() || inside && (line.iter().all(|&byte| is_digit(byte) || byte == b'=') || is_header())
    })
}
