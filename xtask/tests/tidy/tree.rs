//! The files of the workspace, as git knows them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All files of the project, by their paths with slashes.
pub struct Tree {
    root: PathBuf,
    pub files: BTreeSet<String>,
}

impl Tree {
    /// Lists the files that git tracks or does not ignore.
    pub fn of_the_workspace() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace");
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
        let output = git.output().expect("git lists the files");
        assert!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
        let names = String::from_utf8(output.stdout).expect("names of files are UTF-8");
        let is_there = |name: &&str| !name.is_empty() && root.join(name).is_file();
        let files = names.split('\0').filter(is_there).map(str::to_owned).collect();
        Tree { root: root.to_owned(), files }
    }

    /// Reads the text of a file.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Parses a Rust file.
    pub fn parse(&self, file: &str) -> syn::File {
        syn::parse_file(&self.read(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Returns the files whose names end in `end`.
    pub fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(String::as_str).filter(move |file| file.ends_with(end))
    }

    /// Returns the folders with files and their parents, without the root.
    pub fn folders(&self) -> BTreeSet<String> {
        let above = |file: &String| {
            let slashes = file.match_indices('/').map(|(at, _)| file[..at].to_owned());
            slashes.collect::<Vec<_>>()
        };
        self.files.iter().flat_map(above).collect()
    }
}

/// Returns whether a file or folder is for tests.
pub fn is_test(path: &str) -> bool {
    let is_test = |part: &str| {
        let name = part.strip_suffix(".rs").unwrap_or(part);
        matches!(name, "test" | "tests") || name.ends_with("_tests")
    };
    path.split('/').any(is_test)
}

/// Returns whether an item is compiled only for tests.
pub fn is_cfg_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => {
            let has_test =
                list.tokens.to_string().split(|c: char| !c.is_alphanumeric()).any(|word| word == "test");
            attribute.path().is_ident("cfg") && has_test
        }
        meta => meta.path().is_ident("test"),
    })
}
