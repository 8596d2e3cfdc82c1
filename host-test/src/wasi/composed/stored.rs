//! The initial artifacts of a world as files or keys, and the files that a component has written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use tuckaway_stores::{Directory, Record};

use crate::content;
use crate::world::InitialArtifact;

/// The size of segments of the initial artifacts: another than the adapter's, and small, so that
/// content is in several.
const SEGMENT_BYTES: usize = 1_000;

/// Writes artifacts into a directory, in the format of stores in directories.
pub(super) fn write_files(directory: &Path, initial: &[InitialArtifact]) -> std::io::Result<()> {
    for (number, InitialArtifact { artifact, bytes, expired }) in initial.iter().enumerate() {
        let mut meta = json!({
            "id": artifact.id, "tool": artifact.tool, "media_type": artifact.media_type,
            "size_bytes": artifact.size_bytes, "line_count": artifact.line_count,
            "created_at": artifact.created_at,
        });
        match expired {
            None => fs::write(directory.join(&artifact.id), bytes)?,
            // Metadata alone means that it has expired.
            Some(expiry) => {
                if let Some(expiry) = expiry {
                    meta["expired_at"] = expiry.expired_at.into();
                }
            }
        }
        let path = directory.join(format!("{}.json", artifact.id));
        fs::write(&path, meta.to_string())?;
        // Artifacts of the same second are in the order of these times.
        let written = UNIX_EPOCH + Duration::from_secs(1_000_000 + number as u64);
        File::options().append(true).open(path)?.set_modified(written)?;
    }
    Ok(())
}

/// Returns artifacts as the keys and values of a bucket.
pub(super) fn keys(initial: &[InitialArtifact]) -> BTreeMap<String, Vec<u8>> {
    let mut keys = BTreeMap::new();
    for (number, InitialArtifact { artifact, bytes, expired }) in initial.iter().enumerate() {
        let id = &artifact.id;
        let mut record = Record::new(artifact, SEGMENT_BYTES as u64, number as u64, String::new());
        match expired {
            None => {
                for (segment, bytes) in bytes.chunks(SEGMENT_BYTES).enumerate() {
                    keys.insert(format!("tuckaway/data/{id}/{segment:08}"), bytes.to_vec());
                }
            }
            Some(expiry) => {
                let at = expiry.as_ref().map_or(0, |expiry| expiry.expired_at);
                record = record.of(id).expect("its own id").expired(at);
            }
        }
        keys.insert(format!("tuckaway/meta/{id}.json"), record.to_json());
    }
    keys
}

/// Reads the artifacts in a directory with the native store, as the command line does.
pub(super) fn read_files(directory: &Path, initial: &[InitialArtifact]) -> Value {
    let store = Directory::open(directory).expect("the directory of the case");
    let listed = store.list_artifacts().expect("its artifacts");
    let is_new = |id: &str| initial.iter().all(|initial| initial.artifact.id != id);
    let new = listed.into_iter().filter(|artifact| is_new(&artifact.id));
    let shown = new.map(|artifact| {
        let bytes = store.read(&artifact.id, 0, u32::MAX).expect("its content");
        let content = match String::from_utf8(bytes) {
            Ok(text) => Value::from(text),
            Err(error) => content::encoded(error.as_bytes()),
        };
        let shown = json!({
            "tool": artifact.tool, "media_type": artifact.media_type, "line_count": artifact.line_count,
            "content": content,
        });
        (artifact.id, shown)
    });
    Value::Object(shown.collect::<Map<_, _>>())
}
