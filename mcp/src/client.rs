//! The client and its introduction.

use rmcp::model::{
    ClientCapabilities, Implementation, InitializeRequestParams, ProtocolVersion, RequestMetaObject,
};

use crate::profile;
use crate::reduce::ClientAbilities;

/// The client and its introduction, which is passed on to servers.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    /// Its revision of the protocol.
    pub version: ProtocolVersion,
    /// The parameters of `initialize`, or their equivalent.
    pub introduction: InitializeRequestParams,
}

impl Client {
    /// Returns the client that sent `initialize`.
    pub fn initialized(introduction: InitializeRequestParams) -> Self {
        Client { version: introduction.protocol_version.clone(), introduction }
    }

    /// Returns the client that introduces itself in each request (revision 2026-07-28).
    pub fn inline(meta: &RequestMetaObject) -> Self {
        let capabilities: ClientCapabilities = meta.client_capabilities().unwrap_or_default();
        let info = meta.client_info().unwrap_or_else(|| Implementation::new("unknown", "0"));
        let version = meta.protocol_version().unwrap_or(ProtocolVersion::V_2026_07_28);
        let introduction =
            InitializeRequestParams::new(capabilities, info).with_protocol_version(version.clone());
        Client { version, introduction }
    }

    /// Returns whether the client's revision has no `initialize`: servers cannot send requests
    /// to the client, and results have a `resultType`.
    pub fn is_modern(&self) -> bool {
        !self.version.has_initialize()
    }

    /// Returns the kinds of content that the client can read in a result, and how much it shows.
    pub fn abilities(&self) -> ClientAbilities {
        let is_recent = self.version >= ProtocolVersion::V_2025_06_18;
        let shows = profile::of(&self.introduction.client_info.name).shows;
        ClientAbilities {
            resource_links: is_recent,
            structured_content: is_recent,
            audio: self.version >= ProtocolVersion::V_2025_03_26,
            // A text has at most as many characters as bytes.
            result_bytes: shows.result_chars,
            page_bytes: shows.page_chars,
            shows_both: shows.both,
            refuses_bare_json: shows.refuses_bare_json,
            limit_is_declared: shows.limit_is_declared,
        }
    }
}
