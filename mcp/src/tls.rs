//! The library that encrypts connections.

/// Makes reqwest use rustls with ring. If the process has installed another provider, that is used.
pub fn use_ring() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}
