//! The addresses of servers that a login is for.

use std::fmt;

use tuckaway_search::hash::Fnv;
use url::{Host, Position, Url};

use super::LoginError;

/// The URL of a server, normalized, to which tokens may be sent: `https://`, or `http://` on this
/// machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerUrl(Url);

impl ServerUrl {
    /// Reads a URL.
    ///
    /// Errors: it is no URL, it contains a password, or others could read what is sent to it.
    pub fn parse(text: &str) -> Result<Self, LoginError> {
        let mut url = Url::parse(text).map_err(|_| LoginError::NotAUrl(text.to_owned()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(LoginError::NotAUrl(text.to_owned()));
        }
        refuse_password("the server", &url)?;
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

    /// Returns the command that logs in to the server. A model may read it, and a query may contain a
    /// key, so `…` stands for the query.
    pub fn login_command(&self) -> String {
        let url = self.to_string();
        let is_plain = url.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/:@%+,=".contains(&byte));
        match is_plain {
            true => format!("tuckaway mcp login {url}"),
            // `Url` does not escape single quotes in a path.
            false => format!("tuckaway mcp login '{}'", url.replace('\'', "%27")),
        }
    }

    /// Checks an address that this server or its authorization server names. A browser opens one of
    /// them, so it must not be a file or a command either. Only a server on this machine may name
    /// another address of it: others would reach services that trust whoever runs here.
    pub(super) fn check(&self, what: &'static str, url: &str) -> Result<Url, LoginError> {
        let refused = || LoginError::Insecure { what, url: url.to_owned() };
        let parsed = Url::parse(url).map_err(|_| refused())?;
        refuse_password(what, &parsed)?;
        let is_allowed = is_private(&parsed) && (is_here(&self.0) || !is_here(&parsed));
        if is_allowed { Ok(parsed) } else { Err(refused()) }
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

/// Writes the URL without its query, for messages and the log.
impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0[..Position::AfterPath])?;
        f.write_str(if self.0.query().is_some() { "?…" } else { "" })
    }
}

/// Refuses addresses with a password, or with a name that stands before another host.
fn refuse_password(what: &'static str, url: &Url) -> Result<(), LoginError> {
    match url.username().is_empty() && url.password().is_none() {
        true => Ok(()),
        false => Err(LoginError::Password { what }),
    }
}

/// Returns whether others cannot read what is sent to a URL.
fn is_private(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_here(url))
}

/// Returns whether an address is of this machine. Names below `localhost` are not: not every
/// resolver keeps them here.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
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
        for text in [
            "http://example.com/mcp",
            "http://192.168.0.2/",
            "http://localhost.example.com/",
            "http://a.localhost/",
        ] {
            assert!(matches!(ServerUrl::parse(text), Err(LoginError::Insecure { .. })), "{text}");
        }
        for text in
            ["https://me:s3cret@example.com/", "https://s3cret@example.com/", "http://:s3cret@localhost/"]
        {
            let error = ServerUrl::parse(text).unwrap_err();
            assert!(matches!(error, LoginError::Password { .. }), "{error}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn what_a_browser_opens_is_a_page() {
        let server = ServerUrl::parse("https://example.com/mcp").unwrap();
        let local = ServerUrl::parse("http://localhost:1/mcp").unwrap();
        assert!(server.check("a page", "https://example.com/authorize?a=b").is_ok());
        for url in ["http://127.0.0.1:2/", "http://localhost/", "https://[::1]/"] {
            assert!(local.check("a page", url).is_ok(), "{url}");
            assert!(server.check("a page", url).is_err(), "{url}");
        }
        for url in [
            "file:///bin/sh",
            "javascript:alert(1)",
            "http://example.com/",
            "-e calc",
            "smb://localhost/",
            "https://login.real@evil.example/",
        ] {
            assert!(local.check("a page", url).is_err(), "{url}");
        }
    }

    #[test]
    fn files_and_commands_are_safe_for_any_url() {
        let odd = ServerUrl::parse("https://example.com/$(id)'").unwrap();
        assert_eq!(odd.login_command(), "tuckaway mcp login 'https://example.com/$(id)%27'");
        let keyed = ServerUrl::parse("https://example.com/mcp?key=s3cret").unwrap();
        assert_eq!(keyed.login_command(), "tuckaway mcp login 'https://example.com/mcp?…'");
        let plain = ServerUrl::parse("https://example.com/mcp").unwrap();
        assert_eq!(plain.login_command(), "tuckaway mcp login https://example.com/mcp");
        assert_ne!(odd.file_stem(), plain.file_stem());
        let local = ServerUrl::parse("http://[::1]:1/../../x").unwrap().file_stem();
        assert!(local.starts_with("___1_-") && !local.contains(['/', '[', ':']), "{local}");
    }
}
