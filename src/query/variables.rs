//! The variables of a jq filter: other artifacts, by name.

use tuckaway_contract::{Error, JqVariable};

use super::parsed::Readable;
use super::{Source, Target};

/// Maximum variables of a filter.
const MAX_VARIABLES: usize = 8;

/// Maximum bytes of a variable's name.
const MAX_NAME_BYTES: usize = 64;

/// Maximum bytes of JSON that variables of other formats are converted to, together: it is in memory
/// until the filter ends.
const MAX_JSON_BYTES: usize = 64 << 20;

/// Names that jq defines itself.
const RESERVED: [&str; 2] = ["ENV", "__loc__"];

/// Returns the names of variables, with dollar signs.
///
/// Errors: `invalid-input` for too many variables, and for a name that is malformed, reserved or given
/// twice.
pub(super) fn checked(variables: &[JqVariable]) -> Result<Vec<String>, Error> {
    if variables.len() > MAX_VARIABLES {
        return Err(Error::invalid(format!(
            "There are {} variables; a filter has at most {MAX_VARIABLES}. Pass fewer.",
            variables.len()
        )));
    }
    let mut names = Vec::new();
    for JqVariable { name, .. } in variables {
        let dollar = format!("${name}");
        if !is_name(name) || names.contains(&dollar) {
            let shown = tuckaway_text::cut::head(name, MAX_NAME_BYTES);
            return Err(Error::invalid(format!(
                "{shown:?} is not a name for a variable: use a letter, then letters, digits and underscores, at most {MAX_NAME_BYTES}, without the dollar sign. Names of jq ({}) and names of other variables are taken.",
                RESERVED.join(", ")
            )));
        }
        names.push(dollar);
    }
    Ok(names)
}

fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.len() <= MAX_NAME_BYTES
        && !RESERVED.contains(&name)
        && name.bytes().next().is_some_and(is_letter)
        && name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

/// Opens the artifacts of variables. The message of an error begins with the variable's name.
///
/// Errors: `invalid-input` for a malformed id, `limit` and `unsupported` for content that cannot be
/// converted to JSON, and those of the store.
pub(super) fn open<'a>(target: &Target<'a>, variables: &[JqVariable]) -> Result<Vec<Readable<'a>>, Error> {
    let (mut opened, mut left) = (Vec::new(), MAX_JSON_BYTES);
    for JqVariable { name, artifact } in variables {
        let source = Source::open(target.store, artifact, target.words);
        let readable = source.and_then(|source| Readable::open(source, left));
        let readable = readable.map_err(|error| error.with_message(|why| format!("${name}: {why}")))?;
        left = left.saturating_sub(readable.bytes_in_memory());
        opened.push(readable);
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let variable = |name: &str| JqVariable { name: name.to_owned(), artifact: "art".to_owned() };
        assert_eq!(checked(&[variable("a"), variable("_b2")]), Ok(vec!["$a".to_owned(), "$_b2".to_owned()]));
        let error = checked(&[variable("a"), variable("b"), variable("a")]).unwrap_err();
        assert!(error.message.ends_with("names of other variables are taken."), "{}", error.message);
    }
}
