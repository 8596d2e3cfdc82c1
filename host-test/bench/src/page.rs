//! Writes tables into docs/performance.md, each between the markers of its bench:
//! `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.

use std::fs;
use std::thread;

use anyhow::{Context, Result};
use tuckaway_host_test::workspace;

/// Replaces the text between the markers of a bench by its table, with the command and
/// the machine.
pub fn write(name: &str, table: &str) -> Result<()> {
    let path = workspace().join("docs/performance.md");
    let page = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let text = format!("`cargo xtask bench {name}`, {cores} cores, {os} on {arch}:\n\n{table}");
    let page =
        replaced(&page, name, &text).with_context(|| format!("writing the table into {}", path.display()))?;
    fs::write(&path, page).with_context(|| format!("writing {}", path.display()))
}

/// Returns the page with another text between the markers of a bench.
fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    let (open, close) = (format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->"));
    let missing = |marker: &str| format!("the marker {marker} is missing");
    let (before, rest) = page.split_once(&open).with_context(|| missing(&open))?;
    let (_, after) = rest.split_once(&close).with_context(|| missing(&close))?;
    Ok(format!("{before}{open}\n{}\n{close}{after}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Title\n<!-- bench:a -->\nold\n<!-- /bench:a -->\nbetween\n<!-- bench:b -->\n<!-- /bench:b -->\nend\n";

    #[test]
    fn only_the_text_between_the_markers_changes() {
        let page = replaced(PAGE, "b", "| new |\n").unwrap();
        assert_eq!(
            page,
            PAGE.replace("<!-- bench:b -->\n", "<!-- bench:b -->\n| new |\n"),
            "an empty section is filled"
        );
        assert_eq!(replaced(&page, "b", "| new |\n").unwrap(), page, "replacing twice is the same as once");
        assert_eq!(replaced(PAGE, "a", "new").unwrap(), PAGE.replace("old", "new"));
    }

    #[test]
    fn a_missing_marker_is_named() {
        let error = replaced(PAGE, "c", "").unwrap_err().to_string();
        assert_eq!(error, "the marker <!-- bench:c --> is missing");
        let error = replaced("<!-- bench:c -->", "c", "").unwrap_err().to_string();
        assert_eq!(error, "the marker <!-- /bench:c --> is missing");
    }

    #[test]
    fn the_page_has_markers_for_every_bench() {
        let page = fs::read_to_string(workspace().join("docs/performance.md")).unwrap();
        for (name, _) in crate::BENCHES {
            replaced(&page, name, "").unwrap();
        }
    }
}
