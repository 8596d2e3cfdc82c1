//! The settings of a proxy, from its configuration and the options.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use tuckaway_mcp::config::{self, ConfigError, Options, Reach, Session, Settings};

use crate::args::{Cli, Proxy, Results, Serve, Servers};
use crate::exit::Failure;
use crate::source::cannot_read;

/// The status for options and configurations that are refused.
const USAGE: u8 = 2;

/// Returns the settings of `mcp proxy`.
pub fn of_proxy(cli: &Cli, args: &Proxy) -> Result<Settings, Failure> {
    let options = Options {
        handles: (!args.handles.is_empty()).then(|| args.handles.clone()),
        jq: (!args.jq.is_empty()).then(|| args.jq.clone()),
        filters: args.filter.clone(),
        max_result: args.max_result,
        unlisted: args.unlisted,
        list_when_stored: args.list_when_stored.then_some(true),
        detailed_tools: args.detailed_tools.then_some(true),
        allowed_tools: (!args.allowed_tool.is_empty()).then(|| args.allowed_tool.clone()),
        ..options(cli, &args.results)?
    };
    of_servers(&args.servers, options)
}

/// Returns the settings for the servers alone.
pub fn of_servers(args: &Servers, options: Options) -> Result<Settings, Failure> {
    let options = Options {
        compress_tools: args.compress_tools,
        include_tools: args.include_tool.clone(),
        exclude_tools: args.exclude_tool.clone(),
        ..options
    };
    let settings = match (&args.config, &args.url) {
        (Some(path), _) => {
            let text = fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?;
            Settings::read(&text, path, options)
        }
        (None, Some(url)) => {
            let headers = args.header.iter().map(|header| config::header(header));
            let headers = headers.collect::<Result<_, _>>().map_err(usage)?;
            let reach = Reach::url(url.clone(), headers).map_err(|why| usage(format!("the server {why}")))?;
            Settings::of_one(reach, args.name.as_deref(), options)
        }
        (None, None) => Settings::of_one(command(&args.command)?, args.name.as_deref(), options),
    };
    settings.map_err(refused)
}

/// Returns the settings of `mcp serve`.
pub fn of_server(cli: &Cli, args: &Serve) -> Result<Settings, Failure> {
    Settings::without_servers(options(cli, &args.results)?).map_err(refused)
}

/// Returns the session of clients over HTTP.
pub fn session_over_http(session: Session) -> Result<Session, Failure> {
    session.over_http().map_err(usage)
}

/// Returns the bearer token that clients must send.
pub fn token(variable: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(name) = variable else { return Ok(None) };
    match env::var(name).ok().filter(|token| !token.trim().is_empty()) {
        Some(token) => Ok(Some(token)),
        None => {
            Err(usage(format!("the environment variable {name} has no token; set it to the bearer token")))
        }
    }
}

fn options(cli: &Cli, args: &Results) -> Result<Options, Failure> {
    Ok(Options {
        cap: args.cap,
        file_cap: args.file_cap,
        window: args.window,
        client_limit: args.client_limit,
        store: cli.store.clone(),
        session: cli.session.as_deref().map(str::parse).transpose().map_err(usage)?,
        store_endpoint: cli.store_endpoint.clone(),
        max_age: cli.max_age,
        quota: cli.quota,
        dialect: args.dialect,
        mode: args.mode.map(Into::into),
        policy: args.policy.as_deref().map(policy).transpose()?.unwrap_or_default(),
        ..Options::default()
    })
}

/// Reads the fields of a policy.
fn policy(path: &Path) -> Result<Map<String, Value>, Failure> {
    let bytes = fs::read(path).map_err(|error| cannot_read(path, &error))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| usage(format!("the policy {} is invalid: {error}", path.display())))
}

fn command(words: &[OsString]) -> Result<Reach, Failure> {
    let words = words.iter().map(|word| match word.to_str() {
        Some(word) => Ok(word.to_owned()),
        None => Err(usage(format!("{word:?} is not UTF-8"))),
    });
    let mut words = words.collect::<Result<Vec<_>, _>>()?;
    let program = if words.is_empty() { String::new() } else { words.remove(0) };
    Reach::command(program, words, Vec::new(), None).map_err(|why| usage(format!("the server {why}")))
}

/// Creates a failure for options that are refused.
pub fn usage(message: String) -> Failure {
    Failure::new(message).with_status(USAGE)
}

/// Creates a failure for a configuration that is refused.
pub fn refused(error: ConfigError) -> Failure {
    usage(error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tuckaway_host::{Dialect, Mode};
    use tuckaway_mcp::config::{Compression, MaxAge, Quota, StoreAt};

    use super::*;

    /// The arguments that follow `mcp proxy`.
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        proxy: Proxy,
    }

    fn parsed(words: &[&str]) -> Result<Proxy, String> {
        let line = Line::try_parse_from([&["proxy"], words].concat());
        line.map(|line| line.proxy).map_err(|error| error.to_string())
    }

    fn settings(words: &[&str]) -> Result<Settings, String> {
        let cli = Cli::parse_from([
            "tuckaway",
            "--store",
            "memory",
            "--session",
            "team",
            "--max-age",
            "forever",
            "--quota",
            "1G",
            "list",
        ]);
        of_proxy(&cli, &parsed(words)?).map_err(|failure| {
            assert_eq!(failure.status, USAGE);
            failure.message.unwrap_or_default()
        })
    }

    #[test]
    fn a_command_is_one_server_that_keeps_its_names() {
        let settings = settings(&["--cap", "500", "--", "npx", "-y", "@a/b", "--cap", "7"]).unwrap();
        assert!(!settings.prefix_names);
        assert_eq!((settings.servers.len(), &*settings.servers[0].name), (1, "b"));
        let args = ["-y", "@a/b", "--cap", "7"].map(str::to_owned).to_vec();
        let reach = Reach::Command { program: "npx".to_owned(), args, env: Vec::new(), directory: None };
        assert_eq!(settings.servers[0].reach, reach);
        assert_eq!(
            (settings.reduce.policy.max_output_tokens, settings.store.at),
            (Some(500), Some(StoreAt::Memory))
        );
    }

    #[test]
    fn a_url_has_headers() {
        let url = "https://example.com/mcp";
        let settings = settings(&[
            "--name",
            "my web",
            "--url",
            url,
            "--url-type",
            "streamable-http",
            "--header",
            "X-Key: a b",
        ])
        .unwrap();
        assert_eq!(settings.servers[0].name, "my_web");
        let headers = vec![("X-Key".to_owned(), "a b".to_owned())];
        assert_eq!(settings.servers[0].reach, Reach::Url { url: url.to_owned(), headers });
    }

    #[test]
    fn options_become_settings() {
        let settings = settings(&[
            "--file-cap",
            "9",
            "--window",
            "8000",
            "--mode",
            "truncate",
            "--dialect",
            "file",
            "--max-result",
            "1M",
            "--handles",
            "a*",
            "--handles",
            "b",
            "--client-limit",
            "12000",
            "--jq",
            "db_*",
            "--filter",
            "db_rows=.[] | select(.a == 1)",
            "--compress-tools",
            "high",
            "--include-tool",
            "get_*",
            "--exclude-tool",
            "get_all",
            "--exclude-tool",
            "get_some",
            "--detailed-tools",
            "--list-when-stored",
            "--",
            "x",
        ])
        .unwrap();
        let tools = &settings.servers[0].tools;
        assert_eq!((&tools.include[..], tools.exclude.len()), (&["get_*".to_owned()][..], 2));
        assert_eq!((settings.compression, settings.lists_when_stored), (Compression::High, true));
        assert!(settings.reduce.detailed_tools);
        let reduce = &settings.reduce;
        assert_eq!((reduce.file_cap_tokens, reduce.context_window), (9, 8_000));
        assert_eq!((reduce.policy.mode, reduce.policy.dialect), (Mode::Truncate, Dialect::File));
        assert_eq!(reduce.handle_arguments, ["a*", "b"]);
        assert_eq!(reduce.client_limit_bytes, Some(12_000));
        assert_eq!(reduce.filtered_tools, ["db_*"]);
        let filter = ("db_rows".to_owned(), ".[] | select(.a == 1)".to_owned());
        assert_eq!(reduce.default_filters, [filter]);
        assert_eq!(settings.store.session, Session::Named("team".to_owned()));
        assert_eq!(
            (settings.store.max_age, settings.store.quota),
            (MaxAge::Forever, Some(Quota::Of(1 << 30)))
        );
        assert_eq!(settings.max_result_bytes, 1 << 20);
    }

    #[test]
    fn exactly_one_source_of_servers_is_named() {
        for words in [
            &[][..],
            &["--url", "http://a", "--", "b"],
            &["--url", "http://a", "--config", "b"],
            &["--header", "A: b", "--", "c"],
            &["--name", "a", "--config", "b"],
            &["npx"],
            &["--cap", "0", "--", "a"],
            &["--client-limit", "100", "--", "a"],
            &["--filter", ".a", "--", "a"],
            &["--filter", "=.a", "--", "a"],
            &["--filter", "a=", "--", "a"],
            &["--token-env", "A", "--", "a"],
            &["--include-tool", "a", "--config", "b"],
            &["--compress-tools", "some", "--", "a"],
        ] {
            assert!(parsed(words).is_err(), "{words:?}");
        }
        assert_eq!(parsed(&["--name", "-x", "--", "a"]).unwrap().servers.name.as_deref(), Some("-x"));
    }

    #[test]
    fn mistakes_say_what_is_wrong() {
        for (words, message) in [
            (
                &["--url", "example.com"][..],
                "the server has the URL \"example.com\"; write one that begins with http:// or https://",
            ),
            (&["--url", "http://a", "--header", "x"], "\"x\" is not a header; write 'Name: value'"),
            (&["--", ""], "the server has an empty command; write the program to run"),
            (&["--name", "ü", "--", "a"], "the name contains 'ü'; use letters, digits, _ and -"),
            (&["--handles", "", "--", "a"], "handle_arguments: its glob is empty; write * for all tools."),
            (&["--jq", "", "--", "a"], "jq: its glob is empty; write * for all tools."),
            (&["--exclude-tool", "", "--", "a"], "exclude_tools: its glob is empty; write * for all tools."),
        ] {
            assert_eq!(settings(words).unwrap_err(), message);
        }
    }

    #[test]
    fn clients_over_http_have_separate_sessions() {
        for (session, over_http) in [
            (Session::Automatic, Some(Session::Connection)),
            (Session::Shared, Some(Session::Shared)),
            (Session::Project, None),
        ] {
            assert_eq!(session_over_http(session).ok(), over_http);
        }
    }

    #[test]
    fn a_token_is_in_the_environment() {
        assert!(token(None).unwrap().is_none());
        let failure = token(Some("TUCKAWAY_TEST_UNSET")).unwrap_err();
        assert_eq!(
            failure.message.as_deref(),
            Some("the environment variable TUCKAWAY_TEST_UNSET has no token; set it to the bearer token")
        );
    }
}
