//! File names of artifacts: `tool_YYYYMMDD_HHMMSS_name.ext`, from the time at which the store
//! created them (the virtual-tools document, docs/origins.md).
//!
//! The oldest of several artifacts with the same name has it unchanged; the others have their id
//! appended. Names are not stored; they are derived from the store's list.

use tuckaway_contract::{Artifact, Error, ErrorKind, is_artifact_id};

use crate::artifact;
use crate::ports::Store;
use tuckaway_text::cut;

/// Maximum bytes of the tool's name in a file name.
const MAX_TOOL_BYTES: usize = 64;
/// Maximum names that an error lists.
const LISTED: usize = 5;
/// The last second of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

/// Returns the name of an artifact that the store has just sealed.
pub(crate) fn name_of(store: &dyn Store, artifact: &Artifact) -> String {
    // The name with the id is always accepted, whatever the list says.
    artifact::list(store).map_or_else(|_| with_id(artifact), |all| name_in(&all, artifact))
}

/// Returns the name of an artifact of the store's list.
fn name_in(all: &[Artifact], artifact: &Artifact) -> String {
    let name = plain(artifact, "");
    let mut older = all.iter().take_while(|other| other.id != artifact.id);
    // A tool's name may make its files look like those of another tool.
    let is_taken =
        older.any(|other| plain(other, "") == name) || all.iter().any(|other| with_id(other) == name);
    if is_taken { with_id(artifact) } else { name }
}

/// Returns the id of the artifact that a model names: by its file name, which may follow a
/// path, or by its id.
///
/// Errors: `invalid-input` for a path that leads elsewhere, `not-found`, and those of the
/// store.
pub(super) fn resolve(store: &dyn Store, path: &str) -> Result<String, Error> {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with('/') || path.contains('\\') || is_drive || path.split('/').any(|part| part == "..") {
        return Err(Error::invalid(format!(
            "path traversal detected: {:?} is outside the output folder. Pass only the filename from the summary message, such as tool_20250727_093045_name.json.",
            cut::head(path, 160)
        )));
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let all = artifact::list(store)?;
    let by_id = all.iter().find(|artifact| artifact.id == name || with_id(artifact) == name);
    match by_id.or_else(|| all.iter().find(|artifact| plain(artifact, "") == name)) {
        Some(artifact) => Ok(artifact.id.clone()),
        // The store says whether it has expired.
        None if is_artifact_id(name) => Ok(name.to_owned()),
        None => Err(Error::new(ErrorKind::NotFound, not_found(name, &all))),
    }
}

/// Explains that there is no file of a name, with the newest existing names.
fn not_found(name: &str, all: &[Artifact]) -> String {
    let newest: Vec<String> = all.iter().rev().take(LISTED).map(|artifact| name_in(all, artifact)).collect();
    let listed = match newest.len() {
        0 => "No output is saved in this session.".to_owned(),
        _ => format!("The newest are {}.", newest.join(", ")),
    };
    format!(
        "file not found: {:?}. Pass the exact filename from the summary message. {listed}",
        cut::head(name, 160)
    )
}

fn with_id(artifact: &Artifact) -> String {
    plain(artifact, &format!("_{}", artifact.id))
}

/// Returns `tool_YYYYMMDD_HHMMSS_name.ext` with a suffix after the name.
fn plain(artifact: &Artifact, suffix: &str) -> String {
    let seconds = artifact.created_at.min(LAST_SECOND);
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!(
        "tool_{year:04}{month:02}{day:02}_{hour:02}{minute:02}{second:02}_{}{suffix}.{}",
        safe(&artifact.tool),
        extension(&artifact.media_type)
    )
}

/// Reduces a tool's name to letters, digits, `-` and `_`; each run of other characters becomes one
/// `_`.
fn safe(tool: &str) -> String {
    let mut name = String::new();
    for c in tool.chars() {
        match c.is_ascii_alphanumeric() || c == '-' || c == '_' {
            true => name.push(c),
            false if !name.ends_with('_') => name.push('_'),
            false => {}
        }
        if name.len() == MAX_TOOL_BYTES {
            break;
        }
    }
    match name.trim_matches('_') {
        "" => "output".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the usual extension of a media type.
fn extension(media_type: &str) -> &'static str {
    const EXTENSIONS: [(&str, &str); 22] = [
        ("application/json", "json"),
        ("application/x-ndjson", "ndjson"),
        ("text/csv", "csv"),
        ("text/tab-separated-values", "tsv"),
        ("text/html", "html"),
        ("application/xhtml+xml", "html"),
        ("text/markdown", "md"),
        ("application/xml", "xml"),
        ("text/xml", "xml"),
        ("application/yaml", "yaml"),
        ("text/yaml", "yaml"),
        ("application/toml", "toml"),
        ("text/x-diff", "diff"),
        ("image/png", "png"),
        ("image/jpeg", "jpg"),
        ("image/gif", "gif"),
        ("image/webp", "webp"),
        ("image/svg+xml", "svg"),
        ("application/pdf", "pdf"),
        ("application/zip", "zip"),
        ("application/gzip", "gz"),
        ("application/octet-stream", "bin"),
    ];
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match EXTENSIONS.iter().find(|(known, _)| *known == essence) {
        Some((_, extension)) => extension,
        None if essence.ends_with("+json") => "json",
        None if essence.ends_with("+xml") => "xml",
        None if tuckaway_content::formats::is_medium(&essence) => "bin",
        None => "txt",
    }
}

/// Returns year, month and day of a number of days since 1970-01-01, in the Gregorian
/// calendar.
fn date(days: u64) -> (u64, u64, u64) {
    // Years begin in March, so that a leap day ends one: day 0 is 0000-03-01.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, is_next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + is_next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(id: &str, tool: &str, media_type: &str, created_at: u64) -> Artifact {
        Artifact {
            id: id.to_owned(),
            tool: tool.to_owned(),
            media_type: media_type.to_owned(),
            size_bytes: 0,
            line_count: 0,
            created_at,
        }
    }

    #[test]
    fn names_follow_the_clock_the_tool_and_the_type() {
        for (tool, media_type, at, name) in [
            ("tavily-search", "application/json", 1_753_608_645, "tool_20250727_093045_tavily-search.json"),
            ("logs", "text/plain", 0, "tool_19700101_000000_logs.txt"),
            (
                "../../etc/passwd",
                "text/csv; charset=utf-8",
                951_827_696,
                "tool_20000229_123456_etc_passwd.csv",
            ),
            ("", "application/vnd.api+json", LAST_SECOND, "tool_99991231_235959_output.json"),
            ("sql query\n", "", u64::MAX, "tool_99991231_235959_sql_query.txt"),
            ("é", "image/tiff", 4_107_542_400, "tool_21000301_000000_output.bin"),
        ] {
            assert_eq!(plain(&artifact("art", tool, media_type, at), ""), name);
        }
        let long = plain(&artifact("art", &"x".repeat(1_000), "text/html", 0), "");
        assert_eq!(long.len(), "tool_19700101_000000_.html".len() + MAX_TOOL_BYTES);
    }

    #[test]
    fn names_are_unique() {
        let all = [
            artifact("a", "t", "text/plain", 5),
            artifact("b", "t", "text/plain", 5),
            artifact("c", "t_b", "text/plain", 5),
            artifact("d", "u", "text/plain", 5),
        ];
        let names: Vec<String> = all.iter().map(|artifact| name_in(&all, artifact)).collect();
        assert_eq!(
            names,
            [
                "tool_19700101_000005_t.txt",
                "tool_19700101_000005_t_b.txt",
                "tool_19700101_000005_t_b_c.txt",
                "tool_19700101_000005_u.txt",
            ]
        );
    }
}
