//! The head and the tail of an artifact, in memory that does not grow with it.

use tuckaway_content::{self as content, wording};
use tuckaway_contract::Error;
use tuckaway_search::source::ByteSource;
use tuckaway_text::cut;

use super::lossy;
use super::source::Source;
use crate::reduce;

/// Artifacts of at most this many bytes are truncated to suit their format; of larger ones, only
/// the ends are read.
const BY_KIND_BYTES: u64 = 8 << 20;

/// Returns an artifact as text of at most `max` bytes: unchanged if it fits, otherwise its head and
/// tail; a note if it is not text.
///
/// Errors: those of the store.
pub(crate) fn text(source: &Source<'_>, max: usize) -> Result<String, Error> {
    let text = match source.size() <= BY_KIND_BYTES.max(max as u64) {
        true => reduce::truncated(&source.read_at(0, source.size() as usize)?, max),
        false => ends(source, max)?,
    };
    Ok(cut::with_ellipsis(text, max))
}

/// Returns the two ends of a large artifact.
fn ends(source: &Source<'_>, max: usize) -> Result<String, Error> {
    let window = max + cut::MAX_GRAPHEME_BYTES;
    let top = source.read_at(0, window)?;
    if let Some(name) = super::binary_name(&top) {
        return Ok(wording::not_shown(name, source.size()));
    }
    let all = usize::try_from(source.size()).unwrap_or(usize::MAX);
    let each = max.saturating_sub(wording::truncated(all).len() + "\n\n".len()) / 2;
    let (top, shown) = lossy::head(&top, each);
    let top =
        &top[..top.rfind('\n').filter(|&feed| feed >= top.len() / 2).map_or(top.len(), |feed| feed + 1)];
    let bottom = source.read_at(source.size().saturating_sub(window as u64), window)?;
    // Three more bytes show whether the tail begins within a character.
    let begin = lossy::unit_around(&bottom, lossy::MAX_UNIT_BYTES).1;
    let bottom = String::from_utf8_lossy(&bottom[begin..]);
    let bottom = cut::tail(&bottom, each);
    let from = bottom.find('\n').filter(|&feed| feed < bottom.len() / 2).map_or(0, |feed| feed + 1);
    let bottom = &bottom[from..];
    let notice = wording::truncated(all.saturating_sub(shown + bottom.len()));
    let top = content::clean_text(top.trim_end_matches('\n'));
    let bottom = content::clean_text(bottom);
    Ok(format!("{top}\n{notice}\n{bottom}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Target;
    use crate::query::testing::One;

    #[test]
    fn large_artifacts_have_their_ends() {
        let lines: String = (1..=900_000).map(|n| format!("line {n}\n")).collect();
        let store = One(lines.into_bytes());
        let text = text(&Target::artifact(&store, "art").open().unwrap(), 300).unwrap();
        assert!(text.len() <= 300, "{}", text.len());
        assert!(text.starts_with("line 1\nline 2\n") && text.ends_with("\nline 900000\n"), "{text}");
        assert!(text.contains("\n... [truncated 1"), "{text}");
    }

    #[test]
    fn one_line_and_bytes_are_bounded() {
        for content in ["👩‍👩‍👧".repeat(600_000).into_bytes(), vec![0xFF; 9 << 20], vec![0; 9 << 20]]
        {
            let store = One(content);
            for max in [64, 100, 300, 5_000] {
                let text = text(&Target::artifact(&store, "art").open().unwrap(), max).unwrap();
                assert!(!text.is_empty() && text.len() <= max, "{} of {max}", text.len());
            }
        }
    }
}
