//! A server on loopback.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::super::files;

/// The time in which a server must accept connections.
const LIMIT: Duration = Duration::from_secs(60);

/// A running server, which ends with this value.
#[derive(Debug)]
pub struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts the command for a free port, and waits until it accepts connections. Its output goes to `log`.
    pub fn start(log: &Path, command: impl FnOnce(u16) -> Result<Command>) -> Result<Self> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("searching for a free port")?;
        let port = free.local_addr()?.port();
        drop(free);
        let mut command = command(port)?;
        let output = File::create(log).with_context(|| format!("making {}", log.display()))?;
        command.stdout(output.try_clone()?).stderr(output);
        let child = command.spawn().with_context(|| format!("starting {:?}", command.get_program()))?;
        let mut server = Server { child, port };
        server.wait(log)?;
        Ok(server)
    }

    /// Returns its address, such as `127.0.0.1:8080`.
    pub fn address(&self) -> String {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)).to_string()
    }

    fn wait(&mut self, log: &Path) -> Result<()> {
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            let ended = self.child.try_wait().context("waiting for the server")?;
            if ended.is_some() || start.elapsed() > LIMIT {
                let output = files::read(log)?;
                bail!("the server accepts no connections: {}", String::from_utf8_lossy(&output).trim());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may already have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    #[test]
    fn a_server_that_ends_is_reported_with_its_output() {
        let log = env::temp_dir().join(format!("tuckaway-server-{}", process::id()));
        let error = Server::start(&log, |_| {
            let mut command = Command::new("cargo");
            command.arg("no-such-command");
            Ok(command)
        })
        .unwrap_err();
        assert!(error.to_string().contains("no-such-command"), "{error}");
        fs::remove_file(log).unwrap();
    }
}
