//! The keys of a session's objects.

use object_store::path::Path;
use tuckaway_contract::is_artifact_id;

/// The prefix of a session, and the keys below it.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    prefix: Path,
}

impl Keys {
    pub(super) fn new(prefix: Path) -> Self {
        Keys { prefix }
    }

    pub(super) fn of_session(&self, name: &str) -> Self {
        Keys::new(self.sessions().join(name))
    }

    /// Returns the prefix of all objects.
    pub(super) fn all(&self) -> Path {
        self.prefix.clone()
    }

    pub(super) fn sessions(&self) -> Path {
        self.all().join("sessions")
    }

    /// Returns the prefix of all metadata.
    pub(super) fn metas(&self) -> Path {
        self.all().join("meta")
    }

    pub(super) fn meta(&self, id: &str) -> Path {
        self.metas().join(format!("{id}.json"))
    }

    /// Returns the prefix of all segments.
    pub(super) fn data(&self) -> Path {
        self.all().join("data")
    }

    /// Returns the prefix of an artifact's segments.
    pub(super) fn data_of(&self, id: &str) -> Path {
        self.data().join(id)
    }

    pub(super) fn segment(&self, id: &str, number: u64) -> Path {
        self.data_of(id).join(format!("{number:08}"))
    }

    /// Returns the id of the artifact whose metadata has this key.
    pub(super) fn id_of_meta(&self, key: &Path) -> Option<String> {
        let mut parts = key.prefix_match(&self.metas())?;
        let name = parts.next()?;
        let id = name.as_ref().strip_suffix(".json")?;
        (parts.next().is_none() && is_artifact_id(id)).then(|| id.to_owned())
    }

    /// Returns the id of the artifact whose segment has this key.
    pub(super) fn id_of_segment(&self, key: &Path) -> Option<String> {
        let mut parts = key.prefix_match(&self.data())?;
        let id = parts.next()?;
        is_artifact_id(id.as_ref()).then(|| id.as_ref().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_format() {
        let keys = Keys::new(Path::from("agents/a"));
        assert_eq!(keys.meta("art_t_1").as_ref(), "agents/a/meta/art_t_1.json");
        assert_eq!(keys.segment("art_t_1", 12).as_ref(), "agents/a/data/art_t_1/00000012");
        let session = keys.of_session("chat-42");
        assert_eq!(session.meta("x").as_ref(), "agents/a/sessions/chat-42/meta/x.json");
        assert_eq!(Keys::new(Path::default()).meta("x").as_ref(), "meta/x.json");
    }

    #[test]
    fn ids_are_found_in_keys() {
        let keys = Keys::new(Path::from("p"));
        assert_eq!(keys.id_of_meta(&keys.meta("art_t_1")).as_deref(), Some("art_t_1"));
        assert_eq!(keys.id_of_segment(&keys.segment("art_t_1", 0)).as_deref(), Some("art_t_1"));
        for other in
            ["p/meta/x", "p/meta/a b.json", "p/meta/x/y.json", "q/meta/x.json", "p/sessions/s/meta/x.json"]
        {
            assert_eq!(keys.id_of_meta(&Path::from(other)), None, "{other}");
        }
    }
}
