//! The keys of a session.

use tuckaway_contract::is_artifact_id;

/// The prefix of all keys: a bucket may have others.
const PREFIX: &str = "tuckaway/";

/// The prefix of a session, and the keys below it.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    prefix: String,
}

/// What a key is for, with the id of the artifact.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Key<'a> {
    Open(&'a str),
    Segment(&'a str, u64),
    Meta(&'a str),
}

impl Keys {
    /// Returns the keys of a session whose name is valid, or of none.
    pub(crate) fn new(session: Option<&str>) -> Self {
        let prefix = match session {
            Some(name) => format!("{PREFIX}sessions/{name}/"),
            None => PREFIX.to_owned(),
        };
        Keys { prefix }
    }

    pub(crate) fn open(&self, id: &str) -> String {
        format!("{}open/{id}", self.prefix)
    }

    pub(crate) fn segment(&self, id: &str, number: u64) -> String {
        format!("{}data/{id}/{number:08}", self.prefix)
    }

    pub(crate) fn meta(&self, id: &str) -> String {
        format!("{}meta/{id}.json", self.prefix)
    }

    /// Parses a key of this session; `None` for all others.
    pub(crate) fn parse<'a>(&self, key: &'a str) -> Option<Key<'a>> {
        let (kind, rest) = key.strip_prefix(&*self.prefix)?.split_once('/')?;
        let (id, key) = match kind {
            "open" => (rest, Key::Open(rest)),
            "data" => {
                let (id, digits) = rest.split_once('/')?;
                let number = digits.parse().ok()?;
                // Neither a sign nor other leading zeros: no segment has such a key.
                (format!("{number:08}") == digits).then_some((id, Key::Segment(id, number)))?
            }
            "meta" => {
                let id = rest.strip_suffix(".json")?;
                (id, Key::Meta(id))
            }
            _ => return None,
        };
        is_artifact_id(id).then_some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_format() {
        let keys = Keys::new(None);
        assert_eq!(keys.open("art_t_1"), "tuckaway/open/art_t_1");
        assert_eq!(keys.segment("art_t_1", 12), "tuckaway/data/art_t_1/00000012");
        assert_eq!(Keys::new(Some("chat-42")).meta("x"), "tuckaway/sessions/chat-42/meta/x.json");
    }

    #[test]
    fn keys_are_parsed_in_their_session_only() {
        let (keys, session) = (Keys::new(None), Keys::new(Some("s")));
        for keys in [&keys, &session] {
            assert_eq!(keys.parse(&keys.open("x")), Some(Key::Open("x")));
            for number in [7, 99_999_999, 100_000_000, u64::MAX] {
                assert_eq!(keys.parse(&keys.segment("x", number)), Some(Key::Segment("x", number)));
            }
            assert_eq!(keys.parse(&keys.meta("x")), Some(Key::Meta("x")));
        }
        assert_eq!(keys.parse(&session.meta("x")), None);
        assert_eq!(session.parse(&keys.meta("x")), None);
        for other in [
            "",
            "tuckaway/",
            "other/meta/x.json",
            "tuckaway/meta/x",
            "tuckaway/data/x/y",
            "tuckaway/data/x/7",
            "tuckaway/data/x/+0000007",
            "tuckaway/data/x/000000007",
            "tuckaway/data/x/0000000a",
            "tuckaway/open/a b",
        ] {
            assert_eq!(keys.parse(other), None, "{other}");
        }
    }
}
