//! Requests that are signed again after a header was removed: a signature of AWS (version 4)
//! covers headers.

use sha2::{Digest, Sha256};

use super::http::Message;
use crate::object_servers::SECRET_KEY;

const BLOCK_BYTES: usize = 64;

/// Removes a header of a request, and signs the request again if its signature covers it.
pub fn without_header(request: &mut Message, name: &str) {
    request.remove(name);
    let signed = request.header("authorization").and_then(Signature::parse);
    if let Some(mut signature) = signed {
        signature.headers.retain(|header| header != name);
        let value = signature.authorization(request);
        request.remove("authorization");
        request.headers.push(("Authorization".to_owned(), value));
    }
}

/// The fields of the header `Authorization`, without the signature itself.
struct Signature {
    access_key: String,
    /// Date, region, service and `aws4_request`.
    scope: String,
    headers: Vec<String>,
}

impl Signature {
    fn parse(header: &str) -> Option<Signature> {
        let fields = header.strip_prefix("AWS4-HMAC-SHA256 ")?;
        let field = |name: &str| {
            let mut fields = fields.split(',').filter_map(|field| field.trim().split_once('='));
            fields.find(|(known, _)| *known == name).map(|(_, value)| value)
        };
        let (access_key, scope) = field("Credential")?.split_once('/')?;
        Some(Signature {
            access_key: access_key.to_owned(),
            scope: scope.to_owned(),
            headers: field("SignedHeaders")?.split(';').map(str::to_owned).collect(),
        })
    }

    fn authorization(&self, request: &Message) -> String {
        let Signature { access_key, scope, headers } = self;
        let mut key = format!("AWS4{SECRET_KEY}").into_bytes();
        for part in scope.split('/') {
            key = hmac(&key, part.as_bytes()).to_vec();
        }
        let date = request.header("x-amz-date").unwrap_or_default();
        let hash = hex(&Sha256::digest(self.canonical(request)));
        let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{hash}");
        let signature = hex(&hmac(&key, text.as_bytes()));
        let headers = headers.join(";");
        format!(
            "AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={headers}, Signature={signature}"
        )
    }

    /// Returns the text whose hash is signed.
    fn canonical(&self, request: &Message) -> String {
        let (path, query) = request.word(1).split_once('?').unwrap_or((request.word(1), ""));
        let mut parameters: Vec<String> =
            query.split('&').filter(|part| !part.is_empty()).map(named).collect();
        parameters.sort();
        let line = |name: &String| format!("{name}:{}\n", request.header(name).unwrap_or_default());
        let headers: String = self.headers.iter().map(line).collect();
        let names = self.headers.join(";");
        let content = request.header("x-amz-content-sha256").unwrap_or("UNSIGNED-PAYLOAD");
        format!("{}\n{path}\n{}\n{headers}\n{names}\n{content}", request.word(0), parameters.join("&"))
    }
}

/// Gives a parameter without a value an empty one.
fn named(parameter: &str) -> String {
    match parameter.contains('=') {
        true => parameter.to_owned(),
        false => format!("{parameter}="),
    }
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut block = [0; BLOCK_BYTES];
    match key.len() > BLOCK_BYTES {
        true => block[..32].copy_from_slice(&Sha256::digest(key)),
        false => block[..key.len()].copy_from_slice(key),
    }
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_keyed_hash_is_that_of_rfc_4231() {
    let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assert_eq!(hex(&hmac(b"Jefe", b"what do ya want for nothing?")), expected);
    let expected = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
    assert_eq!(hex(&hmac(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First")), expected);
}
