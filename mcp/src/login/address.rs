//! The addresses of servers that a login is for.

use std::fmt;

use tuckaway_search::hash::Fnv;
use url::{Host, Url};

use super::LoginError;

/// The URL of a server, normalized, to which tokens may be sent: `https://`, or `http://` on this
/// machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerUrl(Url);

impl ServerUrl {
    /// Reads a URL.
    ///
    /// Errors: it is no URL, or others could read what is sent to it.
    pub fn parse(text: &str) -> Result<Self, LoginError> {
        let mut url = Url::parse(text).map_err(|_| LoginError::NotAUrl(text.to_owned()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(LoginError::NotAUrl(text.to_owned()));
        }
        if !is_private(&url) {
            return Err(LoginError::Insecure { what: "the server", url: url.to_string() });
        }
        url.set_fragment(None);
        Ok(ServerUrl(url))
    }

    /// Returns the URL.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the command that logs in to the server.
    pub fn login_command(&self) -> String {
        let url = self.as_str();
        let is_plain = url.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/:@%+,=".contains(&byte));
        match is_plain {
            true => format!("tuckaway mcp login {url}"),
            // `Url` escapes single quotes in a query only.
            false => format!("tuckaway mcp login '{}'", url.replace('\'', "%27")),
        }
    }

    /// Returns the name of the files for this server, without an extension.
    pub(super) fn file_stem(&self) -> String {
        let mut hash = Fnv::default();
        hash.bytes(self.as_str().as_bytes());
        let host = self.0.host_str().unwrap_or_default();
        let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
        let host: String = host.chars().map(safe).take(64).collect();
        format!("{host}-{:016x}", hash.value())
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Checks an address that an authorization server names. A browser opens one of them, so it must
/// not be a file or a command either.
pub fn check(what: &'static str, url: &str) -> Result<Url, LoginError> {
    match Url::parse(url) {
        Ok(parsed) if is_private(&parsed) => Ok(parsed),
        _ => Err(LoginError::Insecure { what, url: url.to_owned() }),
    }
}

/// Returns whether others cannot read what is sent to a URL.
fn is_private(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_normalized_and_others_cannot_read_what_is_sent() {
        for (text, normal) in [
            ("https://Example.com", "https://example.com/"),
            ("https://example.com:443/mcp#top", "https://example.com/mcp"),
            ("http://localhost:80/mcp", "http://localhost/mcp"),
            ("http://127.0.0.1:9000/mcp?a=b", "http://127.0.0.1:9000/mcp?a=b"),
            ("http://[::1]:9000/", "http://[::1]:9000/"),
        ] {
            assert_eq!(ServerUrl::parse(text).unwrap().as_str(), normal);
        }
        for text in ["example.com", "file:///etc/passwd", "ftp://localhost/", "https://", ""] {
            assert!(matches!(ServerUrl::parse(text), Err(LoginError::NotAUrl(_))), "{text}");
        }
        for text in ["http://example.com/mcp", "http://192.168.0.2/", "http://localhost.example.com/"] {
            assert!(matches!(ServerUrl::parse(text), Err(LoginError::Insecure { .. })), "{text}");
        }
    }

    #[test]
    fn what_a_browser_opens_is_a_page() {
        assert!(check("a page", "https://example.com/authorize?a=b").is_ok());
        for url in
            ["file:///bin/sh", "javascript:alert(1)", "http://example.com/", "-e calc", "smb://localhost/"]
        {
            assert!(check("a page", url).is_err(), "{url}");
        }
    }

    #[test]
    fn files_and_commands_are_safe_for_any_url() {
        let odd = ServerUrl::parse("https://example.com/mcp?x=$(id)&y='z'").unwrap();
        assert_eq!(odd.login_command(), "tuckaway mcp login 'https://example.com/mcp?x=$(id)&y=%27z%27'");
        let plain = ServerUrl::parse("https://example.com/mcp").unwrap();
        assert_eq!(plain.login_command(), "tuckaway mcp login https://example.com/mcp");
        assert_ne!(odd.file_stem(), plain.file_stem());
        let local = ServerUrl::parse("http://[::1]:1/../../x").unwrap().file_stem();
        assert!(local.starts_with("___1_-") && !local.contains(['/', '[', ':']), "{local}");
    }
}
