//! `tuckaway mcp login`, `tuckaway mcp logout` and `tuckaway mcp logins`.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tuckaway_mcp::config::{Options, Reach, ServerConfig, Settings};
use tuckaway_mcp::login::{Login, LoginError, LoginRequest, Logins, Renewal, Revoked, ServerUrl};

use super::settings::{refused, usage};
use crate::args::{Cli, LogIn, LogOut, OneServer};
use crate::choice::state_directory;
use crate::exit::{Failure, Outcome};
use crate::print::{self, age, inline, table};
use crate::source::cannot_read;

/// Returns the logins of the user; `None` if there is no home directory.
pub fn stored() -> Option<Logins> {
    Some(Logins::new(state_directory()?.join("logins")))
}

pub async fn login(cli: &Cli, args: &LogIn) -> Outcome {
    let logins = own()?;
    let Target { url, name, has_token } = target(&args.server, &logins)?;
    if has_token {
        eprintln!("tuckaway: its configuration has a token, which is used instead of the login");
    }
    let request = LoginRequest {
        url: url.clone(),
        name,
        scopes: args.scope.clone(),
        client_id: args.client_id.clone(),
        client_secret: args.client_secret_env.as_deref().map(secret).transpose()?,
        port: args.port,
    };
    let pending = request.begin().await?;
    let at = inline(pending.issuer());
    eprintln!("To log in to {url} at {at}, open this page:\n\n  {}\n", pending.page());
    if !args.no_browser
        && let Err(error) = open(pending.page(), args.client_secret_env.as_deref())
    {
        eprintln!("tuckaway: no browser could be opened: {error}");
    }
    let login = pending.finish(&logins, args.wait).await?;
    if cli.json {
        return print::json(&as_json(&login));
    }
    let scopes = match login.scopes() {
        [] => String::new(),
        scopes => format!(" with the scopes {}", inline(&scopes.join(" "))),
    };
    eprintln!("You are logged in{scopes}. The proxy uses this login ({}).", describe(login.renewal()));
    Ok(0)
}

pub async fn logout(cli: &Cli, args: &LogOut) -> Outcome {
    let logins = own()?;
    let Target { url, .. } = target(&args.server, &logins)?;
    let Some(revoked) = logins.log_out(&url).await? else {
        return Err(Failure::new(format!("there is no login to {url}; see `tuckaway mcp logins`")));
    };
    if cli.json {
        let why = match &revoked {
            Revoked::No(why) => Some(why),
            _ => None,
        };
        return print::json(
            &json!({ "url": url.as_str(), "revoked": revoked == Revoked::Yes, "reason": why }),
        );
    }
    match revoked {
        Revoked::Yes => eprintln!("You are logged out of {url}. Its tokens are revoked."),
        Revoked::NotOffered => eprintln!(
            "You are logged out of {url}. Its authorization server does not revoke tokens: they are valid until they \
             expire."
        ),
        Revoked::No(why) => {
            eprintln!("You are logged out of {url}, but its tokens were not revoked: {why}.");
        }
    }
    Ok(0)
}

pub fn logins(cli: &Cli) -> Outcome {
    let logins = listed(&own()?)?;
    if cli.json {
        return print::json(&logins.iter().map(as_json).collect::<Vec<_>>());
    }
    if logins.is_empty() {
        return Ok(0);
    }
    let row = |login: &Login| {
        let name = login.name.as_deref().unwrap_or("-");
        [inline(&login.url), inline(name), inline(&login.scopes().join(" ")), describe(login.renewal())]
    };
    print::text(&table(["SERVER", "NAME", "SCOPES", "LOGIN"], logins.iter().map(row).collect()))?;
    Ok(0)
}

fn own() -> Result<Logins, Failure> {
    stored().ok_or_else(|| Failure::new("there is no home directory to keep logins in; set XDG_STATE_HOME"))
}

/// Returns all logins. A file that cannot be read does not hide the others.
fn listed(logins: &Logins) -> Result<Vec<Login>, Failure> {
    let (logins, unreadable) = logins.list()?;
    for error in unreadable {
        eprintln!("tuckaway: {error}");
    }
    Ok(logins)
}

/// A server that the arguments name.
struct Target {
    url: ServerUrl,
    name: Option<String>,
    /// Whether its configuration has a token.
    has_token: bool,
}

fn target(args: &OneServer, logins: &Logins) -> Result<Target, Failure> {
    let named = &args.server;
    if named.contains("://") {
        return Ok(Target { url: ServerUrl::parse(named)?, name: None, has_token: false });
    }
    if let Some(path) = &args.config {
        return of_config(path, named);
    }
    let mut same = listed(logins)?.into_iter().filter(|login| login.name.as_ref() == Some(named));
    match (same.next(), same.next()) {
        (Some(login), None) => {
            Ok(Target { url: ServerUrl::parse(&login.url)?, name: login.name, has_token: false })
        }
        (Some(_), Some(_)) => Err(usage(format!("there are several logins named {named:?}; write the URL"))),
        (None, _) => Err(usage(format!(
            "{named:?} is neither a URL nor the name of a login; write the server's URL, or name the file that has \
             the server with --config FILE"
        ))),
    }
}

fn of_config(path: &Path, named: &str) -> Result<Target, Failure> {
    let text = fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?;
    let settings = Settings::read(&text, path, Options::default()).map_err(refused)?;
    let Some(ServerConfig { reach, .. }) = settings.servers.iter().find(|server| server.name == named) else {
        let names: Vec<&str> = settings.servers.iter().map(|server| &*server.name).collect();
        let names = names.join(", ");
        return Err(usage(format!("{} has no server {named:?}; it has {names}", path.display())));
    };
    match reach {
        Reach::Url { url, headers } => Ok(Target {
            url: ServerUrl::parse(url)?,
            name: Some(named.to_owned()),
            has_token: headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")),
        }),
        Reach::Command { .. } => Err(usage(format!(
            "the server {named:?} is a command; only a server with a URL asks for a login"
        ))),
    }
}

fn secret(variable: &str) -> Result<String, Failure> {
    let set = env::var(variable).ok().filter(|secret| !secret.is_empty());
    set.ok_or_else(|| usage(format!("the environment variable {variable} has no secret; set it")))
}

/// Opens a page in the system's browser. The program gets the page as one argument, without a shell.
/// The variable with the client's secret is not passed on.
fn open(page: &str, secret: Option<&str>) -> io::Result<()> {
    let words: &[&str] = match env::consts::OS {
        "macos" => &["open"],
        "windows" => &["rundll32", "url.dll,FileProtocolHandler"],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(variable) = secret {
        command.env_remove(variable);
    }
    command.spawn().map(|_| ())
}

fn describe(renewal: Renewal) -> String {
    match renewal {
        Renewal::Automatic => "renewed automatically".to_owned(),
        Renewal::Never(Some(at)) => format!("expires in {}", age(at.saturating_sub(now()))),
        Renewal::Never(None) => "not renewed".to_owned(),
        Renewal::Ended => "expired, log in again".to_owned(),
    }
}

fn as_json(login: &Login) -> Value {
    let (state, expires_at) = match login.renewal() {
        Renewal::Automatic => ("automatic", None),
        Renewal::Never(at) => ("valid", at),
        Renewal::Ended => ("ended", None),
    };
    json!({
        "url": login.url, "name": login.name, "issuer": login.issuer(), "scopes": login.scopes(),
        "logged_in_at": login.logged_in_at, "state": state, "expires_at": expires_at,
    })
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl From<LoginError> for Failure {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::NotAUrl(_)
            | LoginError::Insecure { what: "the server", .. }
            | LoginError::Password { what: "the server" } => usage(error.to_string()),
            error => Failure::new(error.to_string()),
        }
    }
}
