//! Real servers with the API of S3 or of Azure Blob Storage, on loopback, until they are
//! dropped. They are installed if they are missing, as `cargo xtask object-servers` does.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use object_store::azure::{AzureAccessKey, AzureAuthorizer, AzureCredential};
use object_store::client::{HttpRequest, HttpRequestBody};
use xtask::object_servers;

/// The access key of the servers with the API of S3.
pub const ACCESS_KEY: &str = "tuckaway";

/// The secret key of the servers with the API of S3.
pub const SECRET_KEY: &str = "tuckaway-secret";

/// The region that requests are signed for; the servers accept any.
pub const REGION: &str = "us-east-1";

/// The account that Azurite has, which is in its documentation.
pub const AZURE_ACCOUNT: &str = "devstoreaccount1";

/// The key of that account.
pub const AZURE_KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// How long a server may take until it answers: Python takes a while on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(60);

/// Starts of a server that fail because another process has taken its port meanwhile.
const ATTEMPTS: u32 = 5;

/// A program that is such a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// s3s-fs: keeps objects as files, checks signatures.
    S3sFs,
    /// moto: keeps objects in memory, checks no signatures.
    Moto,
    /// Azurite: has the API of Azure Blob Storage, keeps objects in memory, checks signatures.
    Azurite,
}

/// The programs with the API of S3.
pub const S3_PROGRAMS: [Program; 2] = [Program::S3sFs, Program::Moto];

/// A server that runs.
pub struct ObjectServer {
    program: Program,
    child: Child,
    address: SocketAddr,
    directory: PathBuf,
    buckets: AtomicU32,
}

impl ObjectServer {
    /// Starts a server with a fresh directory, which it removes in the end.
    pub fn start(program: Program) -> Result<ObjectServer> {
        let servers = object_servers::ensure(target_dir()?)?;
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            match ObjectServer::start_installed(program, &servers) {
                Ok(server) => return Ok(server),
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.context("there was no attempt")?.context(format!("starting {program:?}")))
    }

    /// Returns where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of the server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Creates an empty bucket and returns its name.
    pub fn bucket(&self) -> Result<String> {
        let name = format!("bucket-{}", self.buckets.fetch_add(1, Ordering::SeqCst));
        match self.program {
            Program::S3sFs => fs::create_dir(self.directory.join(&name)).context("making a bucket")?,
            Program::Moto => {
                let status = request(self.address, "PUT", &format!("/{name}"), "")?;
                ensure!(status == 200, "making a bucket: HTTP {status}");
            }
            Program::Azurite => {
                let status = make_container(self.address, &name)?;
                ensure!(status == 201, "making a container: HTTP {status}");
            }
        }
        Ok(name)
    }

    fn start_installed(program: Program, servers: &object_servers::ObjectServers) -> Result<ObjectServer> {
        let directory = scratch_directory()?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut command = match program {
            Program::S3sFs => {
                let mut command = Command::new(&servers.s3s_fs);
                command.args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY]);
                command.args(["--host", "127.0.0.1", "--port", &port.to_string()]).arg(&directory);
                command
            }
            Program::Moto => {
                let mut command = Command::new(&servers.moto);
                command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
                command
            }
            Program::Azurite => {
                let mut command = Command::new("node");
                command.arg(&servers.azurite).args(["--blobPort", &port.to_string()]);
                command.args(["--inMemoryPersistence", "--disableTelemetry", "--silent"]);
                // The crate `object_store` may ask for a version of the API that is newer.
                command.arg("--skipApiVersionCheck");
                command
            }
        };
        // Its output is useful only if it does not start.
        let log = directory.with_extension("log");
        let output = fs::File::create(&log).context("making a log")?;
        command.current_dir(&directory).env_remove("RUST_LOG");
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let child = command.spawn().context("running it")?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut server = ObjectServer { program, child, address, directory, buckets: AtomicU32::new(0) };
        server.wait_until_it_answers().with_context(|| fs::read_to_string(&log).unwrap_or_default())?;
        Ok(server)
    }

    fn wait_until_it_answers(&mut self) -> Result<()> {
        let begun = Instant::now();
        loop {
            // Any status will do: one server wants a signature here.
            if request(self.address, "GET", "/", "").is_ok() {
                return Ok(());
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("it has ended ({status})");
            }
            ensure!(begun.elapsed() < START_LIMIT, "it does not answer after {} s", START_LIMIT.as_secs());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for ObjectServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.directory);
        let _ = fs::remove_file(self.directory.with_extension("log"));
    }
}

/// Creates a container in Azurite and returns the status of the answer.
fn make_container(address: SocketAddr, name: &str) -> Result<u16> {
    let path = format!("/{AZURE_ACCOUNT}/{name}?restype=container");
    let mut signed = HttpRequest::new(HttpRequestBody::empty());
    *signed.method_mut() = "PUT".parse()?;
    *signed.uri_mut() = format!("http://{address}{path}").parse()?;
    let key = AzureCredential::AccessKey(AzureAccessKey::try_new(AZURE_KEY)?);
    AzureAuthorizer::new(&key, AZURE_ACCOUNT).try_authorize(&mut signed)?;
    let mut headers = String::new();
    for (name, value) in signed.headers() {
        headers += &format!("{name}: {}\r\n", value.to_str()?);
    }
    request(address, "PUT", &path, &headers)
}

/// Sends a request without a body, with these headers, and returns the status of its answer.
fn request(address: SocketAddr, method: &str, path: &str, headers: &str) -> Result<u16> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(START_LIMIT))?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n{headers}\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = [0; 12];
    stream.read_exact(&mut answer)?;
    let status = std::str::from_utf8(&answer)?.strip_prefix("HTTP/1.1 ").context("it speaks no HTTP/1.1")?;
    status.parse().context("it speaks no HTTP")
}

/// Makes a new directory below cargo's target directory.
fn scratch_directory() -> Result<PathBuf> {
    let name = tuckaway_host::store::mint("server").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let directory = target_dir()?.join("tmp").join(name);
    fs::create_dir_all(&directory).with_context(|| format!("making {}", directory.display()))?;
    Ok(directory)
}

/// Returns cargo's target directory, in which this program is: in `debug/deps`, for example.
fn target_dir() -> Result<&'static Path> {
    use std::sync::OnceLock;
    static TARGET: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = TARGET.get_or_init(|| {
        let this = std::env::current_exe().ok()?;
        // Cargo writes this file there.
        let is_target = |directory: &&Path| directory.join(".rustc_info.json").is_file();
        this.ancestors().find(is_target).map(Path::to_owned)
    });
    found.as_deref().context("this program is not in cargo's target directory")
}
