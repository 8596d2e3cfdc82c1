//! `tuckaway exec`: runs a command and reduces its output.

use std::io::{self, Read};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tuckaway_text::human_bytes;

use crate::args::{Cli, Exec};
use crate::exit::{Failure, Outcome};
use crate::offload::{self, Gathered};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::sink::Sink;
use crate::{commands, print, setup};

/// The exit statuses of a shell for a command that it cannot run.
const NOT_EXECUTABLE: u8 = 126;
const NOT_FOUND: u8 = 127;

/// How long the output may stay open after the command has ended: a background
/// process may hold it open forever.
const GRACE: Duration = Duration::from_secs(1);

pub async fn run(cli: &Cli, args: &Exec) -> Outcome {
    let policy = offload::policy(&args.reduce)?;
    let program = &args.command[0];
    let tool = args.tool.clone().unwrap_or_else(|| {
        let name = Path::new(program).file_stem().unwrap_or(program);
        offload::tool_named(&name.to_string_lossy())
    });
    let store = setup::store_for_output(cli).await?;
    let sink = Sink::new(Arc::clone(&store), &tool, args.media_type.as_deref(), offload::spill_at(cli));
    let cannot = |error: io::Error| Failure::new(format!("cannot run a command: {error}"));
    let mut signals = Signals::new().map_err(cannot)?;
    let (status, sink) = run_command(args, sink, &mut signals).await?;
    let gathered = Gathered { tool, is_error: status != 0, media_type: args.media_type.clone(), sink };
    // The caller wants the command's status. Failures of this process set the status
    // only if the command succeeded.
    let own = |failure: Failure| if status == 0 { failure } else { failure.with_status(status) };
    let (mut view, blocks) = tokio::select! {
        reduced = offload::reduce(cli, &args.reduce, policy, store, gathered) => reduced.map_err(own)?,
        // The command has ended: from here on, signals are for this process.
        signal = signals.next() => return Ok(128 + signal),
    };
    if args.commands && !view.artifacts.is_empty() {
        view.text = commands::named(&view.text);
    }
    match cli.json {
        true => {
            let mut object = serde_json::to_value(&view).map_err(anyhow::Error::from)?;
            object["exit_status"] = status.into();
            print::json(&object)?;
        }
        false => offload::show(&view, &blocks).map_err(own)?,
    }
    Ok(status)
}

/// Runs the command until it ends. Returns its status and everything that it wrote.
async fn run_command(args: &Exec, mut sink: Sink, signals: &mut Signals) -> Result<(u8, Sink), Failure> {
    let cannot = |error: io::Error| Failure::new(format!("cannot run a command: {error}"));
    // One pipe for both streams keeps the order in which they were written.
    let (reader, writer) = io::pipe().map_err(cannot)?;
    let mut child = spawn(args, writer)?;
    let mut chunks = chunks_of(reader).map_err(cannot)?;
    let mut progress = Progress::new();
    let mut tick = interval(Duration::from_millis(200));
    tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut ended: Option<ExitStatus> = None;
    let mut grace = std::pin::pin!(sleep(Duration::MAX));
    loop {
        // `None` once the process was reaped: its id may have been reused.
        let id = child.id();
        tokio::select! {
            chunk = chunks.recv() => match chunk {
                Some(bytes) => sink.push(&bytes).await,
                None => break,
            },
            status = child.wait(), if ended.is_none() => {
                ended = Some(status.map_err(cannot)?);
                grace.as_mut().reset(tokio::time::Instant::now() + GRACE);
            }
            () = &mut grace, if ended.is_some() => {
                progress.clear();
                eprintln!("tuckaway: a background process still holds the output open; anything it writes from now on is lost");
                break;
            }
            signal = signals.next() => pass_on(signal, id),
            _ = tick.tick() => progress.show(|elapsed| so_far(&sink, elapsed)),
        }
    }
    progress.clear();
    let status = match ended {
        Some(status) => status,
        None => child.wait().await.map_err(cannot)?,
    };
    Ok((status_of(status), sink))
}

/// Says how much the command has written.
fn so_far(sink: &Sink, elapsed: Duration) -> String {
    let (size, lines) = (human_bytes(sink.size), print::number(sink.lines()));
    format!("{size}, {lines} lines, {}", print::age(elapsed.as_secs()))
}

fn spawn(args: &Exec, writer: io::PipeWriter) -> Result<Child, Failure> {
    let [program, arguments @ ..] = args.command.as_slice() else {
        return Err(Failure::new("no command given").with_status(2));
    };
    let start = |program: &Path| {
        let (stdout, stderr) = (writer.try_clone()?, writer.try_clone()?);
        Command::new(program).args(arguments).stdout(stdout).stderr(stderr).spawn()
    };
    let program = Path::new(program);
    let mut started = start(program);
    // On Windows many commands are scripts, such as npm.cmd.
    let scripts: &[&str] = if cfg!(windows) && program.extension().is_none() { &["cmd", "bat"] } else { &[] };
    for extension in scripts {
        if matches!(&started, Err(error) if error.kind() == io::ErrorKind::NotFound) {
            started = start(&program.with_extension(extension));
        }
    }
    started.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Failure::new(format!("command not found: {program:?}")).with_status(NOT_FOUND)
        }
        _ => Failure::new(format!("cannot run {program:?}: {error}")).with_status(NOT_EXECUTABLE),
    })
}

/// Reads a pipe on a separate thread until it is closed.
fn chunks_of(mut pipe: io::PipeReader) -> io::Result<mpsc::Receiver<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel(16);
    thread::Builder::new().name("output".to_owned()).spawn(move || {
        let mut chunk = vec![0; 64 << 10];
        loop {
            match pipe.read(&mut chunk) {
                Ok(length) if length > 0 => {
                    if sender.blocking_send(chunk[..length].to_vec()).is_err() {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => break,
            }
        }
    })?;
    Ok(receiver)
}

/// Returns the command's own status, or 128 plus the number of the signal that ended it.
fn status_of(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal as u8;
    }
    match status.code() {
        Some(0) => 0,
        // Windows has statuses beyond 255: a failure must not turn into 0.
        Some(code) => ((code & 0xff) as u8).max(1),
        None => 1,
    }
}

/// Passes a signal on to the command. A terminal sends an interrupt to the command as
/// well; only a termination request is sent to this process alone.
#[cfg(unix)]
fn pass_on(signal: u8, child: Option<u32>) {
    use rustix::process::{Pid, Signal, kill_process};

    use crate::signals::TERMINATE;

    if signal == TERMINATE
        && let Some(pid) = child.and_then(|id| Pid::from_raw(id as i32))
    {
        // The command may have ended in the meantime.
        let _ = kill_process(pid, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn pass_on(_signal: u8, _child: Option<u32>) {}
