//! Tokens that expire or are refused, while several requests and proxies use them.

use futures_util::future::join_all;
use rmcp::model::ProtocolVersion;

use super::*;
use crate::upstream::testing::{start, why_not_running};

#[tokio::test]
async fn tokens_are_renewed_once_before_they_expire() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    world.age(3_600 - 20);
    // Two proxies, with several requests each.
    let (one, two) = (world.tokens(), world.tokens());
    let requests = (0..8).map(|n| if n % 2 == 0 { one.clone() } else { two.clone() });
    let tokens = join_all(requests.map(|tokens| async move { tokens.token().await.unwrap() })).await;
    assert!(tokens.iter().all(|token| token.as_deref() == Some("access-3")), "{tokens:?}");
    assert_eq!(world.servers.state().renewals, 1);
    // The next one uses the refresh token that came with it.
    world.age(3_600);
    assert_eq!(world.tokens().token().await.unwrap().as_deref(), Some("access-4"));
    assert_eq!(world.servers.state().renewals, 2);
    world.check();
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    let servers: Vec<_> = (0..2)
        .map(|_| start(world.url.as_str(), &[], Some(world.logins.clone()), ProtocolVersion::V_2025_06_18))
        .collect();
    for server in &servers {
        call(server).await.unwrap();
    }
    // The authorization server has withdrawn it.
    world.servers.state().access.clear();
    let answers = join_all((0..6).map(|n| call(&servers[n % 2]))).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(world.servers.state().renewals, 1);
    for server in servers {
        server.close().await;
    }
    world.check();
}

#[tokio::test]
async fn a_login_that_cannot_be_renewed_names_the_command() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    world.age(3_600);
    world.servers.state().refresh = None;
    let command = format!("run `tuckaway mcp login {}`", world.url);
    for _ in 0..2 {
        let logins = Some(world.logins.clone());
        let why =
            why_not_running(start(world.url.as_str(), &[], logins, ProtocolVersion::V_2025_06_18)).await;
        assert!(why.contains(&command) && !why.contains("refresh-"), "{why}");
    }
    // A refused refresh token is not sent again.
    assert_eq!(world.servers.state().refused_renewals, 1);
    assert_eq!(world.logins.list().unwrap().0[0].renewal(), Renewal::Ended);
    // A proxy that is running uses the next login.
    let tokens = world.tokens();
    assert!(tokens.token().await.is_err());
    world.log_in().await.unwrap();
    assert!(tokens.token().await.unwrap().is_some());
}

#[tokio::test]
async fn a_running_proxy_uses_a_new_login_and_none_after_a_logout() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    let tokens = world.tokens();
    assert_eq!(tokens.token().await.unwrap().as_deref(), Some("access-2"));
    world.log_in().await.unwrap();
    assert_eq!(tokens.token().await.unwrap().as_deref(), Some("access-4"));
    world.logins.log_out(&world.url).await.unwrap();
    assert_eq!(tokens.token().await.unwrap(), None);
}

#[tokio::test]
async fn a_fault_while_renewing_keeps_the_login() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    world.servers.state().behaviour.fails = true;
    world.age(3_600 - 20);
    let tokens = world.tokens();
    for _ in 0..3 {
        assert_eq!(tokens.token().await.unwrap().as_deref(), Some("access-2"), "it is still valid");
    }
    assert_eq!(world.servers.state().faults, 1);
    world.age(20);
    let answers = join_all((0..4).map(|_| tokens.token())).await;
    assert!(answers.iter().all(|answer| matches!(answer, Err(LoginError::NotRenewed(_)))), "{answers:?}");
    assert_eq!(world.servers.state().faults, 2, "the requests that wait do not repeat it");
    let error = world.tokens().token().await.unwrap_err();
    assert!(matches!(error, LoginError::NotRenewed(_)), "{error}");
    world.servers.state().behaviour.fails = false;
    assert_eq!(world.tokens().token().await.unwrap().as_deref(), Some("access-3"));
}

#[tokio::test]
async fn tokens_without_a_refresh_token_are_used_until_they_expire() {
    let world = World::new(Behaviour { renews: false, ..Behaviour::default() }).await;
    let login = world.log_in().await.unwrap();
    assert!(matches!(login.renewal(), Renewal::Never(Some(_))));
    world.age(3_600 - 20);
    assert_eq!(world.tokens().token().await.unwrap().as_deref(), Some("access-2"));
    world.age(20);
    let error = world.tokens().token().await.unwrap_err();
    assert!(matches!(error, LoginError::LoginNeeded(_)), "{error}");
}

#[tokio::test]
async fn refresh_tokens_are_not_sent_to_another_authorization_server() {
    let world = World::new(Behaviour::default()).await;
    let login = world.log_in().await.unwrap();
    let other = World::new(Behaviour::default()).await;
    let mut other_issuer = login.clone();
    other_issuer.credentials.issuer = Some("https://before.example".to_owned());
    let mut other_tokens = login.clone();
    other_tokens.token_endpoint = format!("{}/token", other.servers.origin);
    for changed in [other_issuer, other_tokens] {
        let lock = world.logins.lock(&world.url).await.unwrap();
        world.logins.save(&world.url, &changed, &lock).unwrap();
        drop(lock);
        world.age(3_600 - 20);
        assert_eq!(world.tokens().token().await.unwrap().as_deref(), Some("access-2"), "it is still valid");
        world.age(20);
        let error = world.tokens().token().await.unwrap_err();
        assert!(error.to_string().contains("another authorization server"), "{error}");
        assert_eq!(world.servers.state().renewals, 0);
        // The login is not lost.
        assert_eq!(world.logins.list().unwrap().0[0].renewal(), Renewal::Automatic);
    }
    let lock = world.logins.lock(&world.url).await.unwrap();
    world.logins.save(&world.url, &login, &lock).unwrap();
    drop(lock);
    world.age(3_600);
    assert_eq!(world.tokens().token().await.unwrap().as_deref(), Some("access-3"));
}

#[tokio::test]
async fn a_cancelled_request_does_not_lose_the_refresh_token() {
    let world = World::new(Behaviour::default()).await;
    world.log_in().await.unwrap();
    world.age(3_600);
    let tokens = world.tokens();
    let request = tokio::spawn({
        let tokens = tokens.clone();
        async move { tokens.token().await }
    });
    while world.servers.state().renewals == 0 {
        tokio::task::yield_now().await;
    }
    request.abort();
    assert_eq!(tokens.token().await.unwrap().as_deref(), Some("access-3"));
    assert_eq!(world.servers.state().renewals, 1);
    world.check();
}

#[tokio::test]
async fn a_malformed_file_is_no_login() {
    let world = World::new(Behaviour::default()).await;
    let login = world.log_in().await.unwrap();
    let path = world.directory.path().join("logins").join(format!("{}.json", world.url.file_stem()));
    std::fs::write(&path, r#"{"access_token": "access-2"#).unwrap();
    let error = world.tokens().token().await.unwrap_err().to_string();
    assert!(
        error.contains("malformed") && !error.contains("access-2") && !error.contains("logins/"),
        "{error}"
    );
    // The others are listed.
    let other = ServerUrl::parse("https://other.example/mcp").unwrap();
    let mut login = login;
    login.url = other.to_string();
    let lock = world.logins.lock(&other).await.unwrap();
    world.logins.save(&other, &login, &lock).unwrap();
    let (listed, unreadable) = world.logins.list().unwrap();
    assert_eq!(listed.iter().map(|login| &*login.url).collect::<Vec<_>>(), [other.as_str()]);
    assert!(
        matches!(&*unreadable, [error] if error.to_string().contains(path.to_str().unwrap())),
        "{unreadable:?}"
    );
    world.log_in().await.unwrap();
    assert!(world.tokens().token().await.unwrap().is_some());
}
