//! The login itself: discovery, registration, the browser's answer, and what is stored.

use axum::http::StatusCode;
use rmcp::model::ProtocolVersion;

use super::*;
use crate::upstream::testing::{start, why_not_running};

const OLD: ProtocolVersion = ProtocolVersion::V_2025_06_18;

#[tokio::test]
async fn a_login_is_discovered_registered_and_used() {
    let world = World::new(Behaviour::default()).await;
    let login = world.log_in().await.unwrap();
    assert_eq!(
        (login.url.as_str(), login.issuer()),
        (world.url.as_str(), Some(world.servers.origin.as_str()))
    );
    assert_eq!((login.scopes(), login.renewal()), (&["notes".to_owned()][..], Renewal::Automatic));
    assert!(!format!("{login:?}").contains("access-"), "{login:?}");

    let server = start(world.url.as_str(), &[], Some(world.logins.clone()), OLD);
    assert!(call(&server).await.unwrap().contains("a secret note"));
    server.close().await;
    let tokens = world.servers.state().authorizations.clone();
    // The first message asked where to log in.
    assert_eq!(tokens[0], None);
    assert!(tokens.len() > 2 && tokens[1..].iter().all(|token| token.as_deref() == Some("Bearer access-2")));
    world.check();
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_reads_a_login() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    world.log_in().await.unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let directory = world.directory.path().join("logins");
    assert_eq!(mode(&directory), 0o700);
    let mut files: Vec<_> =
        std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let extensions: Vec<_> = files.iter().map(|file| file.extension().unwrap().to_str().unwrap()).collect();
    assert_eq!(extensions, ["json", "lock"]);
    assert!(files.iter().all(|file| mode(file) == 0o600));
}

#[tokio::test]
async fn a_user_who_refuses_is_not_asked_again() {
    let world = World::new(Behaviour { user_agrees: false, ..Behaviour::default() }).await;
    let error = world.log_in().await.unwrap_err();
    assert_eq!(error.to_string(), "the login was refused: access_denied (not today)");
    assert!(world.logins.list().unwrap().0.is_empty());
}

#[tokio::test]
async fn answers_with_another_state_are_ignored() {
    let world = World::new(Behaviour::default()).await;
    let pending = world.request().begin().await.unwrap();
    let page = pending.page().to_owned();
    let redirect = url::Url::parse(&page).unwrap();
    let redirect = redirect.query_pairs().find(|(name, _)| name == "redirect_uri").unwrap().1.into_owned();
    let browser = tokio::spawn(async move {
        let mut shown = Vec::new();
        for forged in ["?code=stolen&state=forged", "?code=stolen", "?error=access_denied&state=forged"] {
            shown.push(browse(&format!("{redirect}{forged}")).await);
        }
        shown.push(browse(&page).await);
        shown
    });
    let login = pending.finish(&world.logins, Duration::MAX).await;
    let shown = browser.await.unwrap();
    assert!(login.is_ok() && shown[3].contains("You are logged in"), "{login:?}");
    assert!(shown[..3].iter().all(|page| page.contains("does not belong")), "{shown:?}");

    let pending = world.request().begin().await.unwrap();
    let redirect =
        pending.page().split("redirect_uri=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let redirect = percent_encoding::percent_decode_str(&redirect).decode_utf8().unwrap().into_owned();
    let browser = tokio::spawn(async move { browse(&format!("{redirect}?code=a&state=b")).await });
    let error = pending.finish(&world.logins, Duration::from_millis(500)).await.unwrap_err();
    browser.await.unwrap();
    assert!(matches!(error, LoginError::WrongState), "{error}");
}

#[tokio::test]
async fn a_browser_that_brings_nothing_is_not_awaited_forever() {
    let world = World::new(Behaviour::default()).await;
    let pending = world.request().begin().await.unwrap();
    let error = pending.finish(&world.logins, Duration::from_millis(50)).await.unwrap_err();
    assert!(error.to_string().starts_with("the browser brought no answer within"), "{error}");
}

#[tokio::test]
async fn an_answer_of_another_authorization_server_is_refused() {
    let behaviour = Behaviour { false_issuer: Some("https://evil.example"), ..Behaviour::default() };
    let world = World::new(behaviour).await;
    let error = world.log_in().await.unwrap_err();
    assert!(matches!(&error, LoginError::Exchange(why) if why.contains("issuer")), "{error}");
}

#[tokio::test]
async fn endpoints_belong_to_the_issuer() {
    let real = World::new(Behaviour::default()).await;
    let false_issuer = |issuer: &str| Behaviour {
        hides_metadata: true,
        named_issuer: Some(issuer.to_owned()),
        ..Behaviour::default()
    };
    let world = World::new(false_issuer(&real.servers.origin)).await;
    let error = world.log_in().await.unwrap_err().to_string();
    assert!(error.contains("at another server than its issuer"), "{error}");
    // A logout sends tokens, too.
    let at_real = |path: &str| Some(format!("{}/{path}", real.servers.origin));
    let (named_tokens, page) = (at_real("token"), at_real("authorize"));
    let behaviour = Behaviour { named_tokens, page, ..false_issuer(&real.servers.origin) };
    let error = World::new(behaviour).await.log_in().await.unwrap_err().to_string();
    assert!(error.contains("at another server than its issuer"), "{error}");
    let world = World::new(Behaviour { is_nameless: true, ..false_issuer("") }).await;
    let error = world.log_in().await.unwrap_err().to_string();
    assert!(error.contains("it has no issuer"), "{error}");
    assert!(world.servers.state().authorizations.iter().all(Option::is_none));

    // Some authorization servers have their source of tokens at another address, and say so.
    let world = World::new(Behaviour { named_tokens: at_real("token"), ..Behaviour::default() }).await;
    assert!(world.request().begin().await.is_ok());
}

#[tokio::test]
async fn servers_without_a_login_say_so() {
    for (is_open, expected) in [(true, "does not ask for a login"), (false, "does not say where to log in")] {
        let world = World::new(Behaviour { is_open, describes_login: false, ..Behaviour::default() }).await;
        let error = world.log_in().await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let nobody = ServerUrl::parse("http://127.0.0.1:9/mcp").unwrap();
    let world = World::new(Behaviour::default()).await;
    let error = world.log_in_by(LoginRequest { url: nobody, ..world.request() }).await.unwrap_err();
    assert!(matches!(error, LoginError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn clients_that_are_not_registered_can_be_named() {
    let refuses = Behaviour { registration: Some(StatusCode::FORBIDDEN), ..Behaviour::default() };
    let error = World::new(refuses).await.log_in().await.unwrap_err().to_string();
    assert!(error.contains("403") && error.contains("--client-id") && !error.contains('\u{1b}'), "{error}");

    let has_none = Behaviour { registration: None, secret: Some("s3cret"), ..Behaviour::default() };
    let world = World::new(has_none).await;
    assert!(matches!(world.log_in().await.unwrap_err(), LoginError::NoRegistration));
    let known = LoginRequest { client_id: Some("known".to_owned()), ..world.request() };
    let error = world.log_in_by(known.clone()).await.unwrap_err().to_string();
    assert!(error.contains("invalid_client"), "{error}");
    world.log_in_by(LoginRequest { client_secret: Some("s3cret".to_owned()), ..known }).await.unwrap();
    // The secret is needed again to renew the token.
    world.age(3_600);
    assert_eq!(world.tokens().token().await.unwrap().as_deref(), Some("access-4"));
    world.check();
}

#[tokio::test]
async fn registrations_are_not_redirected() {
    let other = World::new(Behaviour::default()).await;
    let registers_at = Some(format!("{}/register", other.servers.origin));
    let world = World::new(Behaviour { registers_at, ..Behaviour::default() }).await;
    let error = world.log_in().await.unwrap_err();
    assert!(matches!(&error, LoginError::RegistrationRefused(why) if why.contains("307")), "{error}");
}

#[tokio::test]
async fn a_page_that_a_browser_must_not_open_is_refused() {
    for page in ["file:///bin/sh", "http://evil.example/authorize", "javascript:alert(1)"] {
        let world = World::new(Behaviour { page: Some(page.to_owned()), ..Behaviour::default() }).await;
        let error = world.log_in().await.unwrap_err();
        assert!(matches!(error, LoginError::Insecure { .. }), "{error}");
    }
}

#[tokio::test]
async fn chosen_scopes_are_asked_for() {
    let world = World::new(Behaviour { needs: Some("notes.write"), ..Behaviour::default() }).await;
    world.log_in().await.unwrap();
    let server = start(world.url.as_str(), &[], Some(world.logins.clone()), OLD);
    let error = call(&server).await.unwrap_err();
    server.close().await;
    let command = format!("run `tuckaway mcp login {} --scope notes --scope notes.write`", world.url);
    assert!(error.contains("HTTP 403") && error.contains(&command), "{error}");

    let scopes = vec!["notes".to_owned(), "notes.write".to_owned()];
    let login = world.log_in_by(LoginRequest { scopes: scopes.clone(), ..world.request() }).await.unwrap();
    assert_eq!(login.scopes(), scopes);
    let server = start(world.url.as_str(), &[], Some(world.logins.clone()), OLD);
    assert!(call(&server).await.is_ok());
    server.close().await;
}

#[tokio::test]
async fn a_server_without_a_login_names_the_command() {
    let world = World::new(Behaviour::default()).await;
    for revision in [OLD, ProtocolVersion::V_2026_07_28] {
        let server = start(world.url.as_str(), &[], Some(world.logins.clone()), revision);
        let why = why_not_running(server).await;
        assert!(why.contains(&format!("run `tuckaway mcp login {}`", world.url)), "{why}");
    }
    // Nothing is created for users who never log in.
    assert!(!world.directory.path().join("logins").exists());
}

#[tokio::test]
async fn a_token_in_the_configuration_takes_precedence() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    let before = world.servers.state().authorizations.len();
    let headers = [("authorization", "Bearer own")];
    let server = start(world.url.as_str(), &headers, Some(world.logins.clone()), OLD);
    let why = why_not_running(server).await;
    assert!(why.contains("HTTP 401") && !why.contains("mcp login"), "{why}");
    let sent = world.servers.state().authorizations[before..].to_vec();
    assert!(sent.iter().all(|token| token.as_deref() == Some("Bearer own")), "{sent:?}");
}

#[tokio::test]
async fn tokens_stay_at_their_server() {
    let other = World::new(Behaviour::default()).await;
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    // The other server has no login in these files.
    let server = start(other.url.as_str(), &[], Some(world.logins.clone()), OLD);
    assert!(why_not_running(server).await.contains("mcp login"));
    world.servers.state().behaviour.redirects_to = Some(other.url.to_string());
    let before = other.servers.state().authorizations.len();
    let server = start(world.url.as_str(), &[("x-key", "s3cret")], Some(world.logins.clone()), OLD);
    let why = why_not_running(server).await;
    assert!(why.contains(&format!("it redirects to {}/mcp, ", other.servers.origin)), "{why}");
    let state = other.servers.state();
    assert_eq!(state.authorizations.len(), before, "nothing was sent");
    assert!(state.authorizations.iter().all(Option::is_none));
}

#[tokio::test]
async fn a_logout_revokes_the_tokens() {
    let world = World::new(Behaviour::default()).await;
    assert_eq!(world.logins.log_out(&world.url).await.unwrap(), None);
    world.log_in().await.unwrap();
    let part = world.directory.path().join("logins").join(format!("{}.part", world.url.file_stem()));
    std::fs::write(&part, "the tokens of a process that ended").unwrap();
    assert_eq!(world.logins.log_out(&world.url).await.unwrap(), Some(Revoked::Yes));
    assert!(!part.exists());
    assert_eq!(world.servers.state().revoked, ["refresh-2", "access-2"]);
    assert!(world.logins.list().unwrap().0.is_empty());
    assert_eq!(world.tokens().token().await.unwrap(), None);
}
