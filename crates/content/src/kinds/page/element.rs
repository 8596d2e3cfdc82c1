//! Reads a line of a snapshot.

use tuckaway_search::find;

/// Maximum attributes of an element. A line with more is not an element.
pub const MOST_ATTRIBUTES: usize = 32;

/// An element of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// The columns before it.
    pub indent: usize,
    /// Its role: `button`, `link`, or a property such as `/url`.
    pub role: &'a [u8],
    /// Its name, with escapes.
    pub name: Option<&'a [u8]>,
    /// The reference by which tools of the browser name it: `e12`, `1_4`.
    pub reference: Option<&'a [u8]>,
    /// Its other attributes, as written: `level=1`, `focusable`.
    pub attributes: Vec<&'a [u8]>,
    /// The text after it.
    pub text: &'a [u8],
}

impl<'a> Element<'a> {
    /// Reads a line. None if it is not an element.
    pub fn of(line: &'a [u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        let mut rest = line.trim_ascii_start();
        let indent = line.len() - rest.len();
        let mut element =
            Element { indent, role: b"", name: None, reference: None, attributes: Vec::new(), text: b"" };
        match rest.strip_prefix(b"uid=") {
            Some(uid) => {
                let end = find::byte(b' ', uid)?;
                element.reference = Some(&uid[..end]);
                rest = &uid[end + 1..];
            }
            None => rest = rest.strip_prefix(b"- ")?,
        }
        let is_role = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'/' || **byte == b'-';
        let len = rest.iter().take_while(is_role).count();
        (element.role, rest) = rest.split_at_checked(len).filter(|(role, _)| !role.is_empty())?;
        if let Some(name) = rest.strip_prefix(b" \"") {
            let end = quoted_bytes(name)?;
            element.name = Some(&name[..end]);
            rest = &name[end + 1..];
        }
        let is_bare = element.reference.is_some();
        while let Some((attribute, behind)) = attribute(rest, is_bare) {
            match attribute.strip_prefix(b"ref=") {
                Some(reference) => element.reference = Some(reference),
                None if element.attributes.len() == MOST_ATTRIBUTES => return None,
                None => element.attributes.push(attribute),
            }
            rest = behind;
        }
        element.text = match rest {
            [] | [b':'] => b"",
            [b':', b' ', text @ ..] => text.trim_ascii(),
            _ => return None,
        };
        Some(element)
    }

    /// Returns whether it describes its parent: `/url`.
    pub fn is_property(&self) -> bool {
        self.role.starts_with(b"/")
    }
}

/// Returns the first attribute and what follows it: ` [level=1]`, or ` url="…"` if attributes are bare.
fn attribute(text: &[u8], is_bare: bool) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b" ")?;
    if let Some(inside) = text.strip_prefix(b"[") {
        let end = find::byte(b']', inside)?;
        return Some((&inside[..end], &inside[end + 1..]));
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let name = text.iter().take_while(is_name).count();
    let end = match &text[name..] {
        [b'=', b'"', value @ ..] => name + 2 + quoted_bytes(value)? + 1,
        _ => name,
    };
    (is_bare && name > 0).then(|| text.split_at(end))
}

/// Returns the length of a text up to its closing quote.
fn quoted_bytes(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += find::any_byte([b'"', b'\\', b'"'], text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Returns a name without the backslashes before quotes and backslashes.
pub fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(if byte == b'\\' { *bytes.next().unwrap_or(&b'\\') } else { byte });
    }
    plain
}
