//! TLS for requests over HTTP.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// Returns a configuration with the certificates that the system trusts.
pub(crate) fn config() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = || {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        builder.with_safe_default_protocol_versions()
    };
    let verifier = rustls_platform_verifier::Verifier::new(Arc::clone(&provider));
    Ok(match verifier {
        Ok(verifier) => {
            builder()?.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
        }
        Err(_) => builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
    })
}
