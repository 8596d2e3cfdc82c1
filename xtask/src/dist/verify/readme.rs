//! The examples of the README, which users run first.

use anyhow::{Context, Result};

use super::super::files;
use crate::workspace;

/// Returns the first example of the README in a language, by the name after its fence.
pub fn example(language: &str) -> Result<String> {
    let readme = String::from_utf8(files::read(&workspace().join("README.md"))?).context("README.md")?;
    let start = format!("\n```{language}\n");
    let (_, after) =
        readme.split_once(&start).with_context(|| format!("README.md has no example in {language}"))?;
    let (example, _) = after.split_once("\n```").context("the example has no end")?;
    Ok(format!("{example}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_end_with_their_fences() {
        for (language, first) in [("js", "import {"), ("python", "from tuckaway import")] {
            let example = example(language).unwrap();
            assert!(example.starts_with(first), "{example}");
            assert!(example.contains("artifact_jq") && !example.contains("```"), "{example}");
        }
        assert!(example("cobol").is_err());
    }
}
