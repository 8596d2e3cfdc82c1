//! The store and the token counter of a host that exchanges bytes: one line of JSON, then content.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tuckaway::{Artifact, CountTokens, Store, StoreError};

/// Two functions of a host, over bytes.
pub trait Link {
    /// Makes a call of the store. The request is a line of JSON with the member `method`, followed
    /// by the content for `append`. The answer is `{"ok": result}` or `{"error": failure}` on a
    /// line, followed by the content for `read`.
    fn store(&self, request: &[u8]) -> Vec<u8>;
    /// Counts the tokens of a text in UTF-8. The answer is `{"ok": count}` or `{"error": reason}`.
    fn tokens(&self, text: &[u8]) -> Vec<u8>;
}

/// A store that is reached through a link.
pub struct LinkedStore<L>(pub L);

/// A token counter that is reached through a link.
pub struct LinkedTokens<L>(pub L);

#[derive(Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
enum Request<'a> {
    Create { tool: &'a str, media_type: &'a str },
    Append { id: &'a str },
    Seal { id: &'a str, line_count: u64 },
    Stat { id: &'a str },
    Read { id: &'a str, offset: u64, length: u32 },
    ListArtifacts,
    Delete { id: &'a str },
}

/// The first line of an answer.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer<T, E> {
    Ok(T),
    Error(E),
}

/// An `ok` of any value, which is not used.
type Done = serde::de::IgnoredAny;

impl<L: Link> LinkedStore<L> {
    fn ask<T: DeserializeOwned>(&self, request: &Request<'_>, content: &[u8]) -> Result<T, StoreError> {
        self.ask_for_content(request, content).map(|(result, _)| result)
    }

    /// Makes a call, and returns the result and the content after it.
    fn ask_for_content<T: DeserializeOwned>(
        &self,
        request: &Request<'_>,
        content: &[u8],
    ) -> Result<(T, Vec<u8>), StoreError> {
        let failed = |why: String| StoreError::Other(why);
        let mut bytes = serde_json::to_vec(request).map_err(|error| failed(error.to_string()))?;
        bytes.reserve_exact(content.len() + 1);
        bytes.push(b'\n');
        bytes.extend_from_slice(content);
        let mut answer = self.0.store(&bytes);
        let line = answer.iter().position(|byte| *byte == b'\n').unwrap_or(answer.len());
        match serde_json::from_slice(&answer[..line]) {
            Ok(Answer::Ok(result)) => {
                answer.drain(..answer.len().min(line + 1));
                Ok((result, answer))
            }
            Ok(Answer::Error(error)) => Err(error),
            Err(error) => Err(failed(format!("the host's answer is malformed: {error}"))),
        }
    }
}

impl<L: Link> Store for LinkedStore<L> {
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.ask(&Request::Create { tool, media_type }, b"")
    }

    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.ask::<Done>(&Request::Append { id }, bytes).map(drop)
    }

    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.ask(&Request::Seal { id, line_count }, b"")
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.ask(&Request::Stat { id }, b"")
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let request = Request::Read { id, offset, length };
        self.ask_for_content::<Done>(&request, b"").map(|(_, content)| content)
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.ask(&Request::ListArtifacts, b"")
    }

    fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.ask::<Done>(&Request::Delete { id }, b"").map(drop)
    }
}

impl<L: Link> CountTokens for LinkedTokens<L> {
    fn count(&self, text: &str) -> Result<u64, String> {
        match serde_json::from_slice(&self.0.tokens(text.as_bytes())) {
            Ok(Answer::Ok(count)) => Ok(count),
            Ok(Answer::Error(why)) => Err(why),
            Err(error) => Err(format!("the host's answer is malformed: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that returns the same answer to everything.
    struct Says(&'static [u8]);

    impl Link for Says {
        fn store(&self, _: &[u8]) -> Vec<u8> {
            self.0.to_vec()
        }

        fn tokens(&self, _: &[u8]) -> Vec<u8> {
            self.0.to_vec()
        }
    }

    /// A host that returns the request as the content of its answer.
    struct Echo;

    impl Link for Echo {
        fn store(&self, request: &[u8]) -> Vec<u8> {
            [b"{\"ok\": null}\n", request].concat()
        }

        fn tokens(&self, text: &[u8]) -> Vec<u8> {
            format!("{{\"ok\": {}}}", text.len()).into_bytes()
        }
    }

    #[test]
    fn a_request_is_a_line_and_content() {
        let request = LinkedStore(Echo).read("art_a", 3, 7).unwrap();
        assert_eq!(request, b"{\"method\":\"read\",\"id\":\"art_a\",\"offset\":3,\"length\":7}\n");
        let sent = LinkedStore(Echo).ask_for_content::<Done>(&Request::Append { id: "a\nb" }, b"\n\xff");
        assert_eq!(sent.unwrap().1, b"{\"method\":\"append\",\"id\":\"a\\nb\"}\n\n\xff");
        assert_eq!(LinkedTokens(Echo).count("four"), Ok(4));
    }

    #[test]
    fn failures_have_the_names_of_the_contract() {
        for (said, expected) in [
            (&b"{\"error\": \"not_found\"}"[..], StoreError::NotFound),
            (b"{\"error\": \"quota_exceeded\"}\n", StoreError::QuotaExceeded),
            (b"{\"error\": {\"expired\": null}}", StoreError::Expired(None)),
            (b"{\"error\": {\"other\": \"no disk\"}}", StoreError::Other("no disk".to_owned())),
        ] {
            assert_eq!(LinkedStore(Says(said)).stat("art_a"), Err(expected));
        }
        assert_eq!(LinkedTokens(Says(b"{\"error\": \"no model\"}")).count(""), Err("no model".to_owned()));
    }

    #[test]
    fn a_malformed_answer_is_a_failure() {
        for said in [&b""[..], b"\n", b"\xff", b"{}", b"{\"ok\": 1}", b"{\"error\": \"odd\"}", b"[", b"null"]
        {
            let error = LinkedStore(Says(said)).stat("art_a").unwrap_err().to_string();
            assert!(error.starts_with("the host's answer is malformed: "), "{error}");
        }
        for said in [&b""[..], b"{\"ok\": -1}", b"{\"ok\": \"1\"}", b"{\"error\": null}"] {
            let error = LinkedTokens(Says(said)).count("").unwrap_err();
            assert!(error.starts_with("the host's answer is malformed: "), "{error}");
        }
    }

    #[test]
    fn an_answer_without_content_is_empty() {
        assert_eq!(LinkedStore(Says(b"{\"ok\": null}")).read("art_a", 0, 9), Ok(Vec::new()));
        assert_eq!(LinkedStore(Says(b"{\"ok\": null}\n")).read("art_a", 0, 9), Ok(Vec::new()));
        assert_eq!(LinkedStore(Says(b"{\"ok\": null}\n\n")).read("art_a", 0, 9), Ok(b"\n".to_vec()));
    }
}
