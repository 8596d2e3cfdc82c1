//! An npm registry on loopback with the packages of a release.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xtask::component::output;

use super::super::npm::{self, FOLDER};
use super::super::platform::PLATFORMS;
use super::super::release::Release;
use super::super::{files, tools};
use super::home::node_directory;
use super::server::Server;

/// Everyone may publish, and packages of other registries are not offered.
const CONFIG: &str = "\
storage: ./storage
auth: {}
uplinks: {}
packages:
  '**': {access: $all, publish: $all}
max_body_size: 1gb
log: {type: stdout, format: pretty, level: warn}
";

/// Starts a registry, and publishes the library and the command of this platform. The commands of the other
/// platforms have their manifests but no programs: npm must not install them.
pub fn start(release: &Release) -> Result<Server> {
    let home = release.work.join("verify/npm-registry");
    files::empty_directory(&home)?;
    let config = home.join("config.yaml");
    files::write(&config, CONFIG)?;
    let verdaccio = tools::verdaccio()?;
    let server = Server::start(&home.join("log"), |port| {
        let mut command = Command::new("node");
        command.arg(&verdaccio).arg("--config").arg(&config);
        command.args(["--listen", &format!("127.0.0.1:{port}")]).current_dir(&home);
        Ok(command)
    })
    .context("the npm registry")?;

    let registry = Registry { address: server.address(), home };
    let own = release.target.platform;
    // As in a release: the library names the commands.
    for platform in PLATFORMS.iter().filter(|platform| *platform != own) {
        let folder = registry.home.join("placeholders").join(platform.target);
        files::write(&folder.join("package.json"), npm::command_manifest(platform, &release.version)?)?;
        registry.publish(&folder)?;
    }
    registry.publish(&command_package(release)?)?;
    registry.publish(&files::only(
        &release.directory.join(FOLDER),
        &format!("tuckaway-{}", release.version),
        ".tgz",
    )?)?;
    Ok(server)
}

/// Returns the path of the package with the command of this platform.
fn command_package(release: &Release) -> Result<PathBuf> {
    let name = release.target.platform.npm_package().trim_start_matches('@').replace('/', "-");
    files::only(&release.directory.join(FOLDER), &format!("{name}-{}", release.version), ".tgz")
}

/// A registry into which packages are published.
struct Registry {
    address: String,
    home: PathBuf,
}

impl Registry {
    fn publish(&self, package: &Path) -> Result<()> {
        let mut npm = Command::new(npm_program("npm")?);
        npm.args(["publish", "--silent", "--access", "public"]).current_dir(&self.home);
        npm.arg(format!("--registry=http://{}/", self.address));
        // npm publishes only with a token, which this registry does not inspect.
        npm.arg(format!("--//{}/:_authToken=anyone", self.address));
        output(npm.arg(package)).with_context(|| format!("publishing {}", package.display())).map(drop)
    }
}

/// Returns the path of npm or npx, which are shell scripts on Windows.
pub fn npm_program(name: &str) -> Result<PathBuf> {
    let file = if cfg!(windows) { format!("{name}.cmd") } else { name.to_owned() };
    Ok(node_directory()?.join(file))
}
