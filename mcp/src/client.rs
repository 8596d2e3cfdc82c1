//! The client, as it introduced itself.

use rmcp::model::{
    ClientCapabilities, Implementation, InitializeRequestParams, ProtocolVersion, RequestMetaObject,
};

use crate::reduce::ClientAbilities;

/// The client, as it introduced itself. Servers get the same introduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    /// Its revision of the protocol.
    pub version: ProtocolVersion,
    /// What `initialize` had, or would have had.
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

    /// Returns whether its revision has no `initialize`: servers cannot send it requests,
    /// and results say how they are to be read.
    pub fn is_modern(&self) -> bool {
        !self.version.has_initialize()
    }

    /// Returns what it can read in a result.
    pub fn abilities(&self) -> ClientAbilities {
        ClientAbilities { resource_links: self.version >= ProtocolVersion::V_2025_06_18 }
    }
}
