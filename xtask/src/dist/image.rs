//! The image of the command for containers, in the layout of the Open Container Initiative as one tar file:
//! one layer, with nothing but the static command, its licences and a directory for outputs.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tar::{Builder, EntryType};

use super::archive::{Entry, append, gzip, header};
use super::release::Release;
use super::{files, licences};
use crate::workspace;

/// The user and the group that run the command. They have no names in the image; other images without a
/// system use the same number.
const USER: u32 = 65532;

/// The directory below which the command keeps outputs.
const STATE: &str = "/data";

/// How the types of all parts begin.
const OCI: &str = "application/vnd.oci.image";

/// The contents of an image, and the facts in it.
pub struct Image<'a> {
    /// The static command.
    pub command: &'a [u8],
    /// The licences of its dependencies.
    pub notices: &'a str,
    /// The processor, as images name it.
    pub processor: &'a str,
    /// The version of the release.
    pub version: &'a str,
    /// The time of all files, in seconds since 1970.
    pub time: u64,
}

/// A part of an image, which others name by its hash.
struct Blob {
    bytes: Vec<u8>,
    media_type: String,
}

/// Returns the path of the image in a release, if its platform has one.
pub fn path(release: &Release) -> Option<PathBuf> {
    let platform = release.target.platform;
    let file = format!("tuckaway-{}-{}.oci.tar", release.version, platform.target);
    platform.is_static().then(|| release.directory.join(file))
}

/// Writes `tuckaway-VERSION-TARGET.oci.tar`, if the platform has an image.
pub fn write(release: &Release, command: &Path, notices: &str) -> Result<()> {
    let Some(path) = path(release) else { return Ok(()) };
    let processor = release.target.platform.image_cpu();
    let command = files::read(command)?;
    let (version, time) = (&*release.version, release.time);
    let output = File::create(&path).with_context(|| format!("making {}", path.display()))?;
    let image = Image { command: &command, notices, processor, version, time };
    image.pack(output).with_context(|| format!("writing {}", path.display()))
}

impl Image<'_> {
    /// Writes the image as one tar file, the same bytes from the same contents.
    pub fn pack(&self, output: impl Write) -> Result<()> {
        let (layer, content) = self.layer()?;
        let config = Blob::json(&self.config(&content), "config.v1")?;
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": format!("{OCI}.manifest.v1+json"),
            "config": config.descriptor(),
            "layers": [layer.descriptor()],
        });
        let manifest = Blob::json(&manifest, "manifest.v1")?;
        let mut named = manifest.descriptor();
        named["annotations"] = json!({"org.opencontainers.image.ref.name": self.version});
        let index = json!({
            "schemaVersion": 2,
            "mediaType": format!("{OCI}.index.v1+json"),
            "manifests": [named],
        });
        let mut entries = vec![
            file("index.json", serde_json::to_vec(&index)?),
            file("oci-layout", br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec()),
        ];
        for blob in [layer, config, manifest] {
            entries.push(file(&format!("blobs/sha256/{}", hash(&blob.bytes)), blob.bytes));
        }
        let mut archive = Builder::new(output);
        append(&mut archive, entries, self.time)?;
        archive.into_inner()?.flush().context("ending the archive")
    }

    /// Returns the layer, and the hash of its content before it is compressed.
    fn layer(&self) -> Result<(Blob, String)> {
        let mut archive = Builder::new(Vec::new());
        let mut state = header(EntryType::Directory, 0o700, self.time);
        state.set_uid(USER.into());
        state.set_gid(USER.into());
        archive.append_data(&mut state, format!("{}/", STATE.trim_start_matches('/')), &[][..])?;
        let mut entries = vec![
            Entry { is_program: true, ..file("tuckaway", self.command.to_vec()) },
            file(&format!("licenses/{}", licences::FILE), self.notices.as_bytes().to_vec()),
        ];
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            entries.push(file(&format!("licenses/{name}"), files::read(&workspace().join(name))?));
        }
        append(&mut archive, entries, self.time)?;
        let content = archive.into_inner()?;
        let mut compressed = gzip(Vec::new());
        compressed.write_all(&content)?;
        let layer = Blob { bytes: compressed.finish()?, media_type: format!("{OCI}.layer.v1.tar+gzip") };
        Ok((layer, hash(&content)))
    }

    /// Returns the description of how the image runs.
    fn config(&self, content: &str) -> Value {
        json!({
            "os": "linux",
            "architecture": self.processor,
            "config": {
                "User": format!("{USER}:{USER}"),
                "Env": [format!("HOME={STATE}"), format!("XDG_STATE_HOME={STATE}")],
                "Entrypoint": ["/tuckaway"],
                "WorkingDir": STATE,
                "Labels": {
                    "org.opencontainers.image.title": "tuckaway",
                    "org.opencontainers.image.version": self.version,
                    "org.opencontainers.image.source": "https://github.com/tuckaway/tuckaway",
                    "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
                },
            },
            "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{content}")]},
        })
    }
}

impl Blob {
    fn json(value: &Value, kind: &str) -> Result<Self> {
        Ok(Blob { bytes: serde_json::to_vec(value)?, media_type: format!("{OCI}.{kind}+json") })
    }

    fn descriptor(&self) -> Value {
        json!({
            "mediaType": self.media_type,
            "digest": format!("sha256:{}", hash(&self.bytes)),
            "size": self.bytes.len(),
        })
    }
}

fn file(name: &str, bytes: Vec<u8>) -> Entry {
    Entry { name: name.to_owned(), bytes, is_program: false }
}

/// Returns the hash by which a part is named.
pub fn hash(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
