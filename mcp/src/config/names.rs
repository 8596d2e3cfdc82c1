//! Names of servers.

use std::path::Path;

/// The maximum length of a server's name.
pub const MAX_NAME: usize = 64;

/// Returns a valid name for a server: spaces, dots, slashes and colons become `_`.
///
/// A name has 1 to 64 characters from `A-Z`, `a-z`, `0-9`, `_` and `-`, so that it can be part
/// of a tool's name.
pub fn server_name(given: &str) -> Result<String, String> {
    let mapped: String =
        given.trim().chars().map(|c| if matches!(c, ' ' | '.' | '/' | ':') { '_' } else { c }).collect();
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match mapped.chars().find(|c| !is_allowed(*c)) {
        Some(wrong) => Err(format!("the name contains {wrong:?}; use letters, digits, _ and -")),
        None if mapped.is_empty() => Err("the name is empty".to_owned()),
        None if mapped.len() > MAX_NAME => {
            Err(format!("the name has {} characters; at most {MAX_NAME} are allowed", mapped.len()))
        }
        None => Ok(mapped),
    }
}

/// Returns a name for a server without one: the name of its program, or of the package that a
/// runner starts.
pub fn name_of_command(program: &str, args: &[String]) -> String {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    fit(&named_in(base(program), &args).unwrap_or_default())
}

/// Returns a name for a server that is only known by its URL: the name of the host.
pub fn name_of_url(url: &str) -> String {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => host,
        _ => host,
    };
    fit(host)
}

/// Replaces the characters that a name cannot have.
fn fit(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(allowed).take(MAX_NAME).collect();
    match name.trim_matches('_') {
        "" => "server".to_owned(),
        name => name.to_owned(),
    }
}

/// A program that starts another one.
struct Runner {
    program: &'static str,
    /// The words that may stand before the package, such as `tool run`.
    commands: &'static [&'static str],
    /// Options that take a value.
    valued: &'static [&'static str],
    /// Options whose value is the package.
    package: &'static [&'static str],
}

const NPM: [&str; 2] = ["--package", "-p"];
const PYTHON: [&str; 6] = ["--python", "-p", "--with", "--directory", "--index-url", "--index"];
const CONTAINER: [&str; 16] = [
    "-e",
    "--env",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "--name",
    "--network",
    "--net",
    "-p",
    "--publish",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--platform",
];

#[rustfmt::skip]
const RUNNERS: [Runner; 15] = [
    Runner { program: "npx", commands: &[""], valued: &["-c"], package: &NPM },
    Runner { program: "bunx", commands: &[""], valued: &[], package: &NPM },
    Runner { program: "pnpx", commands: &[""], valued: &[], package: &NPM },
    Runner { program: "npm", commands: &["exec", "x"], valued: &[], package: &NPM },
    Runner { program: "pnpm", commands: &["dlx", "exec"], valued: &[], package: &NPM },
    Runner { program: "yarn", commands: &["dlx"], valued: &[], package: &NPM },
    Runner { program: "bun", commands: &["x", "run", ""], valued: &["--cwd"], package: &[] },
    Runner { program: "uvx", commands: &[""], valued: &PYTHON, package: &["--from"] },
    Runner { program: "uv", commands: &["tool run", "run"], valued: &PYTHON, package: &["--from", "-m", "--module"] },
    Runner { program: "pipx", commands: &["run"], valued: &["--python"], package: &["--spec"] },
    Runner { program: "python", commands: &[""], valued: &["-W", "-X"], package: &["-m"] },
    Runner { program: "node", commands: &[""], valued: &["-r", "--require", "--import"], package: &[] },
    Runner { program: "deno", commands: &["run"], valued: &[], package: &[] },
    Runner { program: "docker", commands: &["run", "container run"], valued: &CONTAINER, package: &[] },
    Runner { program: "podman", commands: &["run"], valued: &CONTAINER, package: &[] },
];

fn named_in(program: &str, args: &[&str]) -> Option<String> {
    // A shell of Windows as a wrapper: `cmd /c npx …`.
    if program.eq_ignore_ascii_case("cmd") && args.first().is_some_and(|arg| arg.eq_ignore_ascii_case("/c")) {
        let (program, args) = args[1..].split_first()?;
        return named_in(base(program), args);
    }
    let runner = RUNNERS
        .iter()
        .find(|runner| program == runner.program || runner.program == "python" && is_python(program));
    let package = runner.and_then(|runner| package(runner, args)).unwrap_or(program);
    Some(name_of_package(package))
}

fn is_python(program: &str) -> bool {
    let version = program.strip_prefix("python").or_else(|| program.strip_prefix("py"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Returns the package that a runner starts.
fn package<'a>(runner: &Runner, args: &[&'a str]) -> Option<&'a str> {
    let mut args = args.iter().copied().peekable();
    let mut before = String::new();
    let mut has_command = runner.commands.contains(&"");
    while let Some(arg) = args.next() {
        let (option, value) = match arg.split_once('=') {
            Some((option, value)) if arg.starts_with('-') => (option, Some(value)),
            _ => (arg, None),
        };
        if runner.package.contains(&option) {
            return value.or_else(|| args.next());
        }
        if runner.valued.contains(&option) && value.is_none() {
            args.next();
        } else if arg.starts_with('-') {
            continue;
        } else if runner.commands.contains(&&*joined(&before, arg)) {
            has_command = true;
            before.clear();
        } else if has_command && before.is_empty() {
            return Some(arg);
        } else {
            before = joined(&before, arg);
        }
    }
    None
}

fn joined(before: &str, word: &str) -> String {
    match before {
        "" => word.to_owned(),
        before => format!("{before} {word}"),
    }
}

/// Returns the name of a package, an image or a path, without scope, folder, version and
/// extension.
fn name_of_package(package: &str) -> String {
    let package = package.trim_end_matches(['/', '\\']);
    let folders: Vec<&str> = package.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let last = folders.last().copied().unwrap_or_default();
    let version = ["@", "==", ">=", "<=", "~=", "[", ":"];
    let name = version.iter().fold(last, |name, mark| match name.split_once(mark) {
        Some((name, _)) if !name.is_empty() => name,
        _ => name,
    });
    let name = stem(name);
    // `build/index.js` is not a telling name; the folder of the project is.
    let says_nothing = |name: &&&str| {
        matches!(stem(name), "index" | "main" | "__main__" | "dist" | "build" | "src" | "out" | "bin" | "lib")
    };
    match says_nothing(&&name) && folders.len() > 1 {
        true => {
            folders.iter().rev().find(|part| !says_nothing(part) && **part != ".").map_or(name, |part| *part)
        }
        false => name,
    }
    .to_owned()
}

/// Returns the name of a program without folders and extension.
fn base(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    stem(name)
}

/// Removes the extension of a program or script.
fn stem(name: &str) -> &str {
    match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some(
            extension @ ("exe" | "cmd" | "bat" | "ps1" | "sh" | "js" | "mjs" | "cjs" | "ts" | "mts" | "py"
            | "jar" | "git"),
        ) => &name[..name.len() - extension.len() - 1],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_mapped_or_refused() {
        assert_eq!(server_name("git-hub_2").as_deref(), Ok("git-hub_2"));
        assert_eq!(server_name(" My Server v1.2 ").as_deref(), Ok("My_Server_v1_2"));
        assert_eq!(server_name("io.github/x:y").as_deref(), Ok("io_github_x_y"));
        assert_eq!(server_name("").unwrap_err(), "the name is empty");
        assert!(server_name("größe").unwrap_err().contains("'ö'"));
        assert!(server_name(&"x".repeat(64)).is_ok() && server_name(&"x".repeat(65)).is_err());
    }

    #[test]
    fn a_command_is_named_after_what_it_runs() {
        for (command, name) in [
            ("npx -y @modelcontextprotocol/server-everything", "server-everything"),
            ("npx -y @modelcontextprotocol/server-filesystem@2025.1.14 /tmp", "server-filesystem"),
            ("npx --package=@playwright/mcp mcp-server-playwright", "mcp"),
            ("npx.cmd -y tool", "tool"),
            ("cmd /c npx -y @scope/tool", "tool"),
            ("/usr/bin/uvx mcp-server-git --repository .", "mcp-server-git"),
            ("uvx --from git+https://example.com/o/serena.git serena start", "serena"),
            ("uvx --python 3.12 mcp-server-fetch==2025.4.7", "mcp-server-fetch"),
            ("uv tool run mcp-server-time", "mcp-server-time"),
            ("uv --directory /src/weather run weather.py", "weather"),
            ("python -m mcp_server_git", "mcp_server_git"),
            ("python3.12 /src/notes/server.py", "server"),
            ("node /src/weather/build/index.js --port 1", "weather"),
            ("node C:\\tools\\weather\\dist\\index.js", "weather"),
            ("docker run -i --rm -e TOKEN -v /a:/b ghcr.io/github/github-mcp-server:v1", "github-mcp-server"),
            ("pnpm dlx thing", "thing"),
            ("bunx thing@latest", "thing"),
            ("bun server.ts", "server"),
            ("C:\\Program\\my server.exe", "my"),
            ("./target/debug/my_server", "my_server"),
            ("npx", "npx"),
            ("docker ps", "docker"),
            ("...", "server"),
        ] {
            let mut words = command.split(' ').map(str::to_owned);
            let program = words.next().unwrap();
            assert_eq!(name_of_command(&program, &words.collect::<Vec<_>>()), name, "{command}");
        }
        assert_eq!(name_of_command("C:\\Program Files\\my server.exe", &[]), "my_server");
    }

    #[test]
    fn a_url_is_named_after_its_host() {
        for (url, name) in [
            ("https://mcp.example.com/mcp?x=1", "mcp_example_com"),
            ("http://127.0.0.1:8000", "127_0_0_1"),
            ("http://user:pass@localhost:1/mcp", "localhost"),
            ("http://[::1]:80/", "1"),
            ("", "server"),
        ] {
            assert_eq!(name_of_url(url), name, "{url}");
        }
    }
}
