//! The stores of connections.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use tokio::sync::OnceCell;
use tuckaway_host::store::{OnDemand, Opens, Sessions, Unavailable};
use tuckaway_host::{Artifact, Limits, Store, StoreError};
use tuckaway_search::hash::Fnv;

use crate::config::{Quota, Session, StoreAt, StoreSettings};
use crate::error::ProxyError;
use crate::profile;

/// Gives each connection its store.
#[derive(Clone)]
pub struct Stores(Scope);

/// Which part of a store a connection reads and writes.
#[derive(Clone)]
enum Scope {
    /// All of it.
    Shared(Arc<dyn Store>),
    /// Artifacts that the connection has stored.
    Connection(Arc<dyn Store>),
    /// Artifacts that the client has stored in a working directory.
    Project(Arc<ProjectStore>),
}

impl Stores {
    /// Opens the store that the settings name, or else the store in the directory `default`,
    /// with the limits of the settings.
    ///
    /// Errors: the store cannot be reached, or refuses the session.
    pub async fn open(settings: &StoreSettings, default: &Path) -> Result<Self, ProxyError> {
        Ok(Stores::opened(settings, default).await?)
    }

    async fn opened(settings: &StoreSettings, default: &Path) -> anyhow::Result<Self> {
        let own = StoreAt::Directory(default.to_owned());
        let at = settings.at.as_ref().unwrap_or(&own);
        let all = if settings.at.is_none() { Limits::OWN.1 } else { Quota::Unlimited };
        let limits = Limits::of(settings.max_age, settings.quota.unwrap_or(all));
        let everything = at.open(limits, settings.endpoint.as_deref())?;
        Ok(Stores(match &settings.session {
            Session::Connection => Scope::Connection(everything),
            Session::Automatic | Session::Project => match std::env::current_dir() {
                Ok(directory) => {
                    Scope::Project(Arc::new(ProjectStore::new(everything, directory, settings.at.is_none())))
                }
                // It was removed.
                Err(_) => Scope::Connection(everything),
            },
            Session::Shared => Scope::Shared(everything),
            Session::Named(name) => {
                let session = everything.session(name).await;
                Scope::Shared(session.map_err(|error| error.into_error("opening a session", name))?)
            }
        }))
    }

    /// Learns the name of the client, before anything is stored or read. Only the first one counts:
    /// there is one client if a session depends on it.
    pub fn introduce(&self, client: &str) {
        if let Scope::Project(project) = &self.0 {
            // A second introduction is of the same client.
            let _ = project.client.set(client.to_owned());
        }
    }

    /// Creates stores that store nothing, because the real one could not be opened: large results
    /// are then truncated, but the servers can still be used.
    pub fn unavailable(why: &dyn Display) -> Self {
        tracing::error!("large results are truncated, because they cannot be stored: {why:#}");
        Stores(Scope::Shared(Arc::new(Unavailable { why: format!("{why:#}") })))
    }

    /// Returns the store of a new connection.
    pub fn of_connection(&self) -> Arc<dyn Store> {
        match &self.0 {
            Scope::Shared(everything) => Arc::clone(everything),
            Scope::Connection(everything) => Arc::new(OwnStore::new(Arc::clone(everything))),
            Scope::Project(project) => Arc::new(OnDemand(Arc::clone(project))),
        }
    }
}

/// The session of one client in a working directory. It is opened once the client is known.
struct ProjectStore {
    everything: Arc<dyn Sessions>,
    directory: PathBuf,
    /// Whether only proxies use the store.
    is_own: bool,
    client: OnceLock<String>,
    opened: OnceCell<Arc<dyn Store>>,
}

impl ProjectStore {
    fn new(everything: Arc<dyn Sessions>, directory: PathBuf, is_own: bool) -> Self {
        ProjectStore { everything, directory, is_own, client: OnceLock::new(), opened: OnceCell::new() }
    }

    /// Starts to remove expired artifacts in the sessions of all directories, because perhaps nobody
    /// opens the others again. In a store that the user named, other programs may keep artifacts longer.
    fn sweep(&self) {
        if !self.is_own {
            return;
        }
        let everything = Arc::clone(&self.everything);
        tokio::spawn(async move {
            if let Err(error) = sweep_projects(&*everything).await {
                tracing::warn!("expired artifacts could not be removed: {error:?}");
            }
        });
    }
}

#[async_trait]
impl Opens for ProjectStore {
    /// Returns the session of a client that resumes conversations; for any other client, a store of
    /// its own.
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        let open = async || {
            let client = self.client.get().map_or("", String::as_str);
            let Some(name) = profile::of(client).resumes else {
                let everything: Arc<dyn Store> = Arc::clone(&self.everything) as Arc<dyn Store>;
                return Ok(Arc::new(OwnStore::new(everything)) as Arc<dyn Store>);
            };
            self.sweep();
            let session = self.everything.session(&session_name(name, &self.directory)).await?;
            Ok(session as Arc<dyn Store>)
        };
        Ok(Arc::clone(self.opened.get_or_try_init(open).await?))
    }
}

/// Removes expired artifacts in the sessions of all directories.
async fn sweep_projects(everything: &dyn Sessions) -> Result<(), StoreError> {
    for name in everything.sessions().await?.iter().filter(|name| is_of_project(name)) {
        everything.session(name).await?.collect_garbage().await?;
    }
    Ok(())
}

/// Returns whether a session belongs to a client in a directory.
fn is_of_project(session: &str) -> bool {
    let parts = session.rsplit_once('-');
    parts.is_some_and(|(client, hash)| {
        profile::resumes(client) && hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns the name of the session of a client in a directory. A name must not change from one
/// version to the next.
fn session_name(client: &str, directory: &Path) -> String {
    let mut hash = Fnv::default();
    hash.bytes(directory.as_os_str().as_encoded_bytes());
    format!("{client}-{:016x}", hash.value())
}

/// The part of a store that was written through this value.
struct OwnStore {
    everything: Arc<dyn Store>,
    ids: Mutex<BTreeSet<String>>,
}

impl OwnStore {
    fn new(everything: Arc<dyn Store>) -> Self {
        OwnStore { everything, ids: Mutex::default() }
    }

    fn check(&self, id: &str) -> Result<(), StoreError> {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.contains(id) { Ok(()) } else { Err(StoreError::NotFound) }
    }
}

#[async_trait]
impl Store for OwnStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let id = self.everything.create(tool, media_type).await?;
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        Ok(id)
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.check(id)?;
        self.everything.append(id, bytes).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.check(id)?;
        self.everything.seal(id, line_count).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.check(id)?;
        self.everything.stat(id).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        self.check(id)?;
        self.everything.read(id, offset, length).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let all = self.everything.list_artifacts().await?;
        Ok(all.into_iter().filter(|artifact| self.check(&artifact.id).is_ok()).collect())
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.check(id)?;
        self.everything.delete(id).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn stores(session: Session, at: Option<StoreAt>, directory: &Path) -> Stores {
        let (max_age, _) = Limits::OWN;
        let settings = StoreSettings { at, session, endpoint: None, max_age, quota: None };
        Stores::open(&settings, directory).await.unwrap()
    }

    async fn put(store: &dyn Store) -> String {
        let id = store.create("tool", "text/plain").await.unwrap();
        store.append(&id, b"text".to_vec()).await.unwrap();
        store.seal(&id, 1).await.unwrap();
        id
    }

    #[tokio::test]
    async fn a_connection_reads_only_its_own() {
        let dir = tempfile::tempdir().unwrap();
        for at in [None, Some(StoreAt::Memory), Some(StoreAt::Directory(dir.path().join("other")))] {
            let stores = stores(Session::Connection, at, dir.path()).await;
            let (one, other) = (stores.of_connection(), stores.of_connection());
            let id = put(&*one).await;
            assert_eq!(one.read(&id, 0, 10).await.unwrap(), b"text");
            assert_eq!(one.list_artifacts().await.unwrap().len(), 1);
            assert_eq!(other.stat(&id).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.read(&id, 0, 10).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.append(&id, Vec::new()).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.seal(&id, 0).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.delete(&id).await.unwrap_err(), StoreError::NotFound);
            assert!(other.list_artifacts().await.unwrap().is_empty());
            one.delete(&id).await.unwrap();
        }
    }

    #[tokio::test]
    async fn shared_artifacts_are_read_by_everybody() {
        let dir = tempfile::tempdir().unwrap();
        let stores = stores(Session::Shared, None, dir.path()).await;
        let id = put(&*stores.of_connection()).await;
        assert_eq!(stores.of_connection().read(&id, 0, 10).await.unwrap(), b"text");
    }

    /// Returns the store of a client that starts a proxy in a directory.
    async fn project(at: &Path, client: &str, directory: &str) -> Arc<dyn Store> {
        let everything = StoreAt::Directory(at.to_owned()).open(Limits::none(), None).unwrap();
        let project = ProjectStore::new(everything, PathBuf::from(directory), false);
        let stores = Stores(Scope::Project(Arc::new(project)));
        stores.introduce(client);
        stores.introduce("somebody else");
        stores.of_connection()
    }

    #[tokio::test]
    async fn a_client_that_resumes_reads_what_it_stored_in_the_same_directory() {
        let dir = tempfile::tempdir().unwrap();
        for client in ["claude-code", "codex-mcp-client", "opencode", "gemini-cli-mcp-client"] {
            let id = put(&*project(dir.path(), client, "/home/ada/a").await).await;
            let resumed = project(dir.path(), client, "/home/ada/a").await;
            assert_eq!(resumed.read(&id, 0, 10).await.unwrap(), b"text", "{client}");
            assert_eq!(resumed.list_artifacts().await.unwrap().len(), 1);
            resumed.append(&id, Vec::new()).await.unwrap_err();
            for (other, directory) in
                [(client, "/home/ada/b"), ("somebody", "/home/ada/a"), ("claude-ai", "/home/ada/a")]
            {
                let other = project(dir.path(), other, directory).await;
                assert_eq!(other.stat(&id).await.unwrap_err(), StoreError::NotFound);
                assert!(other.list_artifacts().await.unwrap().is_empty());
            }
            resumed.delete(&id).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_client_that_does_not_resume_reads_what_its_connection_stored() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) =
            (project(dir.path(), "claude-ai", "/a").await, project(dir.path(), "claude-ai", "/a").await);
        let id = put(&*one).await;
        assert_eq!(one.read(&id, 0, 10).await.unwrap(), b"text");
        assert_eq!(other.stat(&id).await.unwrap_err(), StoreError::NotFound);
    }

    #[tokio::test]
    async fn what_has_expired_in_other_directories_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let limits = Limits::none().with_max_age(std::time::Duration::from_secs(1));
        let everything = StoreAt::Directory(dir.path().to_owned()).open(limits, None).unwrap();
        let project = session_name("codex", Path::new("/gone"));
        let mut content = Vec::new();
        for session in [&*project, "team", "codex-notes"] {
            let id = put(&*everything.session(session).await.unwrap()).await;
            content.push(dir.path().join("sessions").join(session).join(id));
        }
        tokio::time::sleep(std::time::Duration::from_millis(2_100)).await;
        sweep_projects(&*everything).await.unwrap();
        let left: Vec<bool> = content.iter().map(|path| path.exists()).collect();
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn names_of_sessions_do_not_change() {
        for (directory, name) in [("/", "codex-af63a24c860189fe"), ("", "codex-cbf29ce484222325")] {
            assert_eq!(session_name("codex", Path::new(directory)), name);
        }
        assert!(tuckaway_host::store::is_session_name(&session_name("claude-code", Path::new("/tmp/é"))));
    }

    #[tokio::test]
    async fn everybody_reads_a_named_session_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let named = stores(Session::Named("team".to_owned()), None, dir.path()).await;
        let shared = stores(Session::Shared, None, dir.path()).await;
        let (inside, outside) = (put(&*named.of_connection()).await, put(&*shared.of_connection()).await);
        assert_eq!(named.of_connection().read(&inside, 0, 10).await.unwrap(), b"text");
        assert_eq!(named.of_connection().stat(&outside).await.unwrap_err(), StoreError::NotFound);
        assert_eq!(shared.of_connection().stat(&inside).await.unwrap_err(), StoreError::NotFound);
    }
}
