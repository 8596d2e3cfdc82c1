//! Addresses of artifacts and of their parts:
//!
//! ```text
//! tuckaway://ID
//! tuckaway://ID#lines=10:20    lines from 1, both included; either may be omitted
//! tuckaway://ID#bytes=0:4096   bytes from 0, the last excluded
//! tuckaway://ID#jq=FILTER      the outputs of a filter
//! tuckaway://ID#grep=PATTERN   the lines that match
//! …&cursor=CURSOR              the next page
//! ```
//!
//! Values are percent-encoded. `?` may replace `#`, because some clients remove fragments.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use tuckaway_host::{ByteRange, Error, ErrorKind, LineRange, Range, is_artifact_id};
use tuckaway_text::cut;

/// The scheme of every address.
pub const SCHEME: &str = "tuckaway://";

/// The characters that are encoded in a value: all except the unreserved characters of URIs.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of an artifact or of its part.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    pub id: String,
    pub part: Part,
    /// The start of a page.
    pub cursor: Option<String>,
}

/// The part of an artifact that is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Whole,
    Range(Range),
    Jq(String),
    Grep(String),
}

impl Part {
    /// Returns the name of the part in an address; `uri` for the whole artifact.
    pub fn name(&self) -> &'static str {
        match self {
            Part::Range(Range::Lines(_)) => "lines",
            Part::Range(Range::Bytes(_)) => "bytes",
            Part::Jq(_) => "jq",
            Part::Grep(_) => "grep",
            Part::Whole | Part::Range(_) => "uri",
        }
    }
}

impl Handle {
    /// Parses an address.
    ///
    /// Errors: `not-found` if it names no artifact, `invalid-input` for a malformed part. The
    /// argument of the error is the part's name, or `uri` if the part has no known name.
    pub fn parse(address: &str) -> Result<Self, Error> {
        let (named, fragment) = split(address).ok_or_else(|| not_an_address(address))?;
        // Some URL libraries add a slash where a path would begin.
        let id = named.strip_suffix('/').unwrap_or(named);
        if !is_artifact_id(id) {
            return Err(not_an_address(address));
        }
        let (selector, cursor) = match fragment.rsplit_once("cursor=") {
            Some(("", cursor)) => ("", Some(decoded("cursor", cursor)?)),
            Some((before, cursor)) if before.ends_with('&') => {
                (&before[..before.len() - 1], Some(decoded("cursor", cursor)?))
            }
            _ => (fragment, None),
        };
        Ok(Handle { id: id.to_owned(), part: part(selector)?, cursor })
    }

    /// Returns the address of the page that begins at a cursor.
    pub fn page(&self, cursor: &str) -> String {
        let encode = |value: &str| utf8_percent_encode(value, ENCODED).to_string();
        let selector = match &self.part {
            // The cursor of a range contains the range.
            Part::Whole | Part::Range(_) => String::new(),
            Part::Jq(filter) => format!("jq={}&", encode(filter)),
            Part::Grep(pattern) => format!("grep={}&", encode(pattern)),
        };
        format!("{SCHEME}{}#{selector}cursor={}", self.id, encode(cursor))
    }
}

/// Splits an address into the id, which may be malformed, and the part; `None` if it has another
/// scheme.
fn split(address: &str) -> Option<(&str, &str)> {
    let rest = address.strip_prefix(SCHEME)?;
    Some(rest.split_once(['#', '?']).unwrap_or((rest, "")))
}

/// Returns whether a text is meant as an address: it begins with the scheme, and there is no
/// white space before the part.
pub fn is_meant(text: &str) -> bool {
    split(text).is_some_and(|(id, _)| !id.contains(char::is_whitespace))
}

fn not_an_address(address: &str) -> Error {
    let why = format!(
        "{:?} names no artifact. Write {SCHEME} followed by the artifact's id, exactly as it appears in the envelope.",
        cut::head(address, 160)
    );
    Error::new(ErrorKind::NotFound, why)
}

fn part(selector: &str) -> Result<Part, Error> {
    let (name, value) = selector.split_once('=').unwrap_or((selector, ""));
    Ok(match name {
        "" if value.is_empty() => Part::Whole,
        "lines" => {
            let (start, end) = bounds(name, value)?;
            Part::Range(Range::Lines(LineRange { start: start.unwrap_or(1), end: end.unwrap_or(u64::MAX) }))
        }
        "bytes" => {
            let (start, end) = bounds(name, value)?;
            Part::Range(Range::Bytes(ByteRange { start: start.unwrap_or(0), end: end.unwrap_or(u64::MAX) }))
        }
        "jq" => Part::Jq(decoded(name, value)?),
        "grep" => Part::Grep(decoded(name, value)?),
        _ => {
            return Err(Error::invalid(format!(
                "{:?} does not select a part of an artifact. Use #lines=10:20, #bytes=0:4096, #jq=FILTER or #grep=PATTERN.",
                cut::head(selector, 160)
            ))
            .about(&["uri"]));
        }
    })
}

/// Parses `a:b`, the value of a part; either number may be omitted.
fn bounds(name: &str, value: &str) -> Result<(Option<u64>, Option<u64>), Error> {
    let malformed = || {
        Error::invalid(format!(
            "{:?} is not a range. Write the first and the last number with a colon between them, such as 10:20; either may be omitted.",
            cut::head(value, 160)
        ))
        .about(&[name])
    };
    let value = decoded(name, value)?;
    let (start, end) = value.split_once(':').ok_or_else(malformed)?;
    let bound = |digits: &str| match digits {
        "" => Ok(None),
        // `parse` would also accept a sign.
        _ if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Some(digits.parse().unwrap_or(u64::MAX))),
        _ => Err(malformed()),
    };
    Ok((bound(start)?, bound(end)?))
}

/// Decodes the value of a part. A `%` that does not begin a code stands for itself.
fn decoded(name: &str, value: &str) -> Result<String, Error> {
    let decoded = percent_decode_str(value).decode_utf8();
    let malformed = |_| Error::invalid("The address is not UTF-8 after percent-decoding.").about(&[name]);
    let text = decoded.map_err(malformed)?;
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(address: &str) -> Part {
        let handle = Handle::parse(address).unwrap();
        assert_eq!(handle.id, "art_x_1", "{address}");
        handle.part
    }

    fn error(address: &str) -> (ErrorKind, String) {
        let error = Handle::parse(address).expect_err(address);
        (error.kind, error.message)
    }

    #[test]
    fn parts_are_parsed() {
        for whole in ["tuckaway://art_x_1", "tuckaway://art_x_1/", "tuckaway://art_x_1#"] {
            assert_eq!(parsed(whole), Part::Whole);
        }
        let lines = |start, end| Part::Range(Range::Lines(LineRange { start, end }));
        assert_eq!(parsed("tuckaway://art_x_1#lines=10:20"), lines(10, 20));
        assert_eq!(parsed("tuckaway://art_x_1?lines=10:20"), lines(10, 20));
        assert_eq!(parsed("tuckaway://art_x_1#lines=10%3A20"), lines(10, 20));
        assert_eq!(parsed("tuckaway://art_x_1#lines=:"), lines(1, u64::MAX));
        assert_eq!(
            parsed("tuckaway://art_x_1#bytes=:99999999999999999999999"),
            Part::Range(Range::Bytes(ByteRange { start: 0, end: u64::MAX }))
        );
        assert_eq!(parsed("tuckaway://art_x_1#jq=.a%5B0%5D%20%23"), Part::Jq(".a[0] #".to_owned()));
        assert_eq!(
            parsed("tuckaway://art_x_1#jq=.a[0] % 2 | . == 1"),
            Part::Jq(".a[0] % 2 | . == 1".to_owned())
        );
        assert_eq!(parsed("tuckaway://art_x_1#grep=a?b#c&d"), Part::Grep("a?b#c&d".to_owned()));
    }

    #[test]
    fn pages_have_addresses() {
        for part in [Part::Whole, Part::Jq("\"&cursor=1\" | %".to_owned()), Part::Grep("é&".to_owned())] {
            let handle = Handle { id: "art_x_1".to_owned(), part, cursor: None };
            let next = Handle::parse(&handle.page("r:1&2")).unwrap();
            assert_eq!(next, Handle { cursor: Some("r:1&2".to_owned()), ..handle });
        }
    }

    #[test]
    fn malformed_addresses_are_explained() {
        for no_artifact in [
            "file:///etc/passwd",
            "tuckaway://",
            "tuckaway:///etc/passwd",
            "tuckaway://../art_x_1",
            "tuckaway://art_x_1/..",
            "tuckaway://art%5fx",
            "Tuckaway://art_x_1",
        ] {
            assert_eq!(error(no_artifact).0, ErrorKind::NotFound, "{no_artifact}");
        }
        for malformed in
            ["lines", "lines=1", "lines=-1:2", "lines=+1:2", "lines=a:b", "rows=1", "jq=%FF", "=1"]
        {
            assert_eq!(
                error(&format!("tuckaway://art_x_1#{malformed}")).0,
                ErrorKind::InvalidInput,
                "{malformed}"
            );
        }
        assert!(error(&format!("tuckaway://{}", "x".repeat(1 << 20))).1.len() < 1_024);
    }

    #[test]
    fn prose_is_not_an_address() {
        assert!(is_meant("tuckaway://art_x_1#jq=.a | .b") && is_meant("tuckaway://../x"));
        assert!(
            !is_meant("tuckaway://art_x_1 has it")
                && !is_meant(" tuckaway://art_x_1")
                && !is_meant("art_x_1")
        );
    }
}
