//! Stored images, PDF documents and recordings, which a model may be able to see or hear.

use tuckaway_content::formats::{self, Class};
use tuckaway_contract::{Artifact, MediaKind, StoredMedia};

use super::arguments::Arguments;
use crate::artifact;
use crate::ports::Store;

/// The bytes of an artifact that show what it is.
const HEAD_BYTES: usize = 4 << 10;

/// Returns an artifact that is such a file. `None` if its media type does not claim it, so that calls that
/// read texts read nothing else, or if the store cannot read it, which the query then reports.
#[cold]
pub(super) fn of(store: &dyn Store, artifact: &Artifact) -> Option<StoredMedia> {
    let claimed = &*artifact.media_type;
    if !formats::is_medium(claimed) && !claimed.starts_with("application/pdf") {
        return None;
    }
    let head = artifact::read_range(store, artifact, 0, HEAD_BYTES).ok()?;
    let format = formats::format_of(&head).filter(|format| format.is_for_models)?;
    let kind = match format.class {
        Class::Image => MediaKind::Image,
        Class::Audio => MediaKind::Audio,
        _ => MediaKind::Pdf,
    };
    Some(StoredMedia {
        artifact_id: artifact.id.clone(),
        kind,
        media_type: format.media_type.to_owned(),
        size_bytes: artifact.size_bytes,
    })
}

/// Returns whether a call asks for some of the bytes or characters only. An image has no lines, so a range of
/// lines asks for all of it. Models pass 0 for a number that they do not want to set.
pub(super) fn is_part(arguments: &Arguments) -> bool {
    let is_given = |name: &&str| arguments.integer(name).is_some_and(|number| number > 0);
    arguments.text("cursor").is_some() || ["start_byte", "end_byte", "start"].iter().any(is_given)
}
