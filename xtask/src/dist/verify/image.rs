//! The image for containers: its parts, its way through a registry, and the command in its layer.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use serde_json::Value;
use tar::Archive;

use super::super::files;
use super::super::image::{Image, hash, path};
use super::super::release::Release;
use super::home::Home;
use super::launcher::Launcher;
use super::oci_registry::Registry;
use super::{archive, checks};

/// The parts of an image that a container runtime reads.
struct Parts {
    /// The name of its manifest, which has the hash.
    digest: String,
    config: Value,
    /// The content of the layer, a tar archive.
    layer: Vec<u8>,
}

/// Copies the image of the platform through a registry, and runs its command from the unpacked layer. A
/// platform of Linux without static programs gets an image for this, whose command needs the libraries of
/// this machine.
pub fn verify(release: &Release) -> Result<()> {
    let platform = release.target.platform;
    if platform.npm_os != "linux" {
        return Ok(());
    }
    let registry = Registry::start(release.work.join("verify/oci-registry"))?;
    let path = match path(release) {
        Some(path) => path,
        None => pack_dynamic(release)?,
    };
    let digest = Parts::read(&files::read(&path)?)?.digest;
    let pulled = registry.round_trip(&path, &release.version)?;
    let parts = Parts::read(&files::read(&pulled)?)?;
    ensure!(parts.digest == digest, "the image {digest} was pulled as {}", parts.digest);
    let home = Home::new(release, "image", &[])?;
    Archive::new(&*parts.layer).unpack(&home.directory).context("unpacking the layer")?;
    let program = parts.config["config"]["Entrypoint"][0].as_str().context("it has no entry point")?;
    let words = release.target.words_of(&home.directory.join(program.trim_start_matches('/')));
    checks::run(&Launcher { home: &home, words }, &release.version)
}

/// Packs the command of the unpacked archive as an image.
fn pack_dynamic(release: &Release) -> Result<PathBuf> {
    let command = files::read(&archive::unpacked(release).join("tuckaway"))?;
    let path = release.work.join("verify/dynamic.oci.tar");
    let output = File::create(&path).with_context(|| format!("making {}", path.display()))?;
    let (processor, version) = (release.target.platform.image_cpu(), &*release.version);
    Image { command: &command, notices: "", processor, version, time: release.time }.pack(output)?;
    Ok(path)
}

impl Parts {
    /// Follows the names from the index to the layer. Fails if a part is missing or has another hash or size
    /// than its name says.
    fn read(image: &[u8]) -> Result<Self> {
        let mut files = BTreeMap::new();
        for entry in Archive::new(image).entries()? {
            let mut entry = entry?;
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            files.insert(entry.path()?.to_string_lossy().into_owned(), bytes);
        }
        let file = |name: &str| files.get(name).with_context(|| format!("the image has no {name}"));
        let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).context("a part is not JSON");
        let blob = |descriptor: &Value| {
            let digest = descriptor["digest"].as_str().and_then(|digest| digest.strip_prefix("sha256:"));
            let digest = digest.context("a part is named without its hash")?;
            let bytes = file(&format!("blobs/sha256/{digest}"))?;
            ensure!(hash(bytes) == digest, "part {digest} has another hash");
            ensure!(descriptor["size"] == bytes.len(), "part {digest} has another size");
            Ok(bytes)
        };
        ensure!(
            json(file("oci-layout")?)?["imageLayoutVersion"] == "1.0.0",
            "the layout has another version"
        );
        let index = json(file("index.json")?)?;
        let named = &index["manifests"][0];
        let digest = named["digest"].as_str().unwrap_or_default().to_owned();
        let manifest = json(blob(named)?)?;
        let config = json(blob(&manifest["config"])?)?;
        let mut layer = Vec::new();
        GzDecoder::new(&**blob(&manifest["layers"][0])?).read_to_end(&mut layer)?;
        let content = format!("sha256:{}", hash(&layer));
        ensure!(
            config["rootfs"]["diff_ids"][0] == *content,
            "the layer has other content than its hash says"
        );
        Ok(Parts { digest, config, layer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(time: u64) -> Vec<u8> {
        let command = b"a program".as_slice();
        let image = Image { command, notices: "notices", processor: "arm64", version: "1.2.3", time };
        let mut bytes = Vec::new();
        image.pack(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn an_image_has_the_command_and_a_directory_that_its_user_may_write() {
        let image = packed(1_700_000_000);
        assert_eq!(image, packed(1_700_000_000));
        let parts = Parts::read(&image).unwrap();
        assert_eq!(parts.config["architecture"], "arm64");
        assert_eq!(parts.config["config"]["User"], "65532:65532");
        let mut found = Vec::new();
        for entry in Archive::new(&*parts.layer).entries().unwrap() {
            let entry = entry.unwrap();
            let header = entry.header();
            let name = entry.path().unwrap().to_string_lossy().into_owned();
            found.push((name, header.mode().unwrap(), header.uid().unwrap(), entry.size()));
        }
        assert_eq!(found[0], ("data/".to_owned(), 0o700, 65532, 0));
        assert_eq!(found[4], ("tuckaway".to_owned(), 0o755, 0, 9));
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn a_damaged_image_is_detected() {
        let mut image = packed(1_700_000_000);
        let at = image.windows(6).position(|window| window == b"\"arm64").unwrap();
        image[at + 1] = b'b';
        let error = Parts::read(&image).err().unwrap().to_string();
        assert!(error.contains("has another hash"), "{error}");
    }
}
