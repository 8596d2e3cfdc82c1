//! A package index on loopback with the wheel and the source distribution of a release, in the form of
//! PEP 503.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::super::files;
use super::super::python::FOLDER;
use super::super::release::Release;
use super::home::python;
use super::server::Server;

/// Writes the pages of the index, and starts a server for them. The index is below `/simple/`.
pub fn start(release: &Release) -> Result<Server> {
    let home = release.work.join("verify/python-index");
    files::empty_directory(&home)?;
    let pages = home.join("pages/simple");
    files::write(&pages.join("index.html"), page("<a href=\"tuckaway/\">tuckaway</a>\n"))?;
    write_project(&pages.join("tuckaway"), &release.directory.join(FOLDER))?;
    Server::start(&home.join("log"), |port| {
        let mut command = Command::new(python()?);
        command.args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"]);
        command.arg(home.join("pages")).arg(port.to_string());
        Ok(command)
    })
    .context("the package index")
}

/// Writes the page of the project, and copies the files that it links to.
fn write_project(project: &Path, packages: &Path) -> Result<()> {
    let mut links = String::new();
    for path in files::below(packages)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let hash = Sha256::digest(files::read(&path)?);
        links += &format!("<a href=\"{name}#sha256={hash:x}\">{name}</a>\n");
        files::copy(&path, &project.join(&*name))?;
    }
    files::write(&project.join("index.html"), page(&links))
}

fn page(links: &str) -> String {
    format!("<!DOCTYPE html>\n<html><body>\n{links}</body></html>\n")
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    #[test]
    fn a_project_links_to_its_files_with_their_hashes() {
        let directory = env::temp_dir().join(format!("tuckaway-index-{}", process::id()));
        files::write(&directory.join("python/a-1.whl"), "abc").unwrap();
        write_project(&directory.join("a"), &directory.join("python")).unwrap();
        let page = fs::read_to_string(directory.join("a/index.html")).unwrap();
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(page.contains(&format!("<a href=\"a-1.whl#sha256={hash}\">a-1.whl</a>")), "{page}");
        assert_eq!(fs::read(directory.join("a/a-1.whl")).unwrap(), b"abc");
        fs::remove_dir_all(directory).unwrap();
    }
}
