//! The limits of a store: how much it keeps, and for how long.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tuckaway_contract::{Artifact, Expiry};

/// After this time without a write, an unsealed artifact counts as abandoned by a crashed writer.
pub const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// The interval at which a process removes abandoned and expired artifacts.
pub const SWEEP_EVERY: Duration = Duration::from_secs(10 * 60);

/// How much a store keeps, and for how long. The limits apply to each session separately.
///
/// ```
/// use std::time::Duration;
/// use tuckaway_stores::Limits;
///
/// let week = Duration::from_secs(7 * 24 * 60 * 60);
/// let limits = Limits::none().with_quota(2 << 30).with_max_age(week);
/// assert_eq!(limits.max_age(), Some(week));
/// ```
#[derive(Clone)]
pub struct Limits {
    quota: Option<u64>,
    max_age: Option<Duration>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

impl Limits {
    /// Creates limits that allow everything.
    pub fn none() -> Self {
        Limits { quota: None, max_age: None, clock: Arc::new(SystemTime::now) }
    }

    /// Limits the bytes of content, including unsealed artifacts. Writes that would exceed the
    /// quota are refused; sealed artifacts are never evicted.
    #[must_use]
    pub fn with_quota(mut self, bytes: u64) -> Self {
        self.quota = Some(bytes);
        self
    }

    /// Makes artifacts expire at this age, to the second.
    #[must_use]
    pub fn with_max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Replaces the system's clock. A clock that goes backwards makes nothing expire.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Returns the quota in bytes, if there is one.
    pub fn quota(&self) -> Option<u64> {
        self.quota
    }

    /// Returns the age at which artifacts expire, if there is one.
    pub fn max_age(&self) -> Option<Duration> {
        self.max_age
    }

    /// Returns when an artifact expires, in Unix seconds, if it does.
    pub fn expires_at(&self, artifact: &Artifact) -> Option<u64> {
        self.max_age.map(|age| artifact.created_at.saturating_add(age.as_secs()))
    }

    /// Returns the time since 1970.
    pub fn now(&self) -> Duration {
        (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// Returns the expiry of an artifact, if it has expired.
    pub fn expiry(&self, artifact: &Artifact) -> Option<Expiry> {
        // Because the subtraction saturates, a clock before the artifact's time makes nothing
        // expire.
        let age = self.now().as_secs().saturating_sub(artifact.created_at);
        let expired_at = self.expires_at(artifact)?;
        let has_expired = age >= self.max_age?.as_secs();
        has_expired.then(|| Expiry { tool: artifact.tool.clone(), expired_at })
    }

    /// Returns how long a store remembers that an artifact has expired.
    pub fn remembered(&self) -> Duration {
        self.max_age.unwrap_or_default().max(ABANDONED).saturating_mul(2)
    }

    /// Returns whether more bytes than this exceed the quota.
    pub fn is_exceeded_by(&self, bytes: u64) -> bool {
        self.quota.is_some_and(|quota| bytes > quota)
    }

    /// Returns the artifacts that must be removed so that the rest and `others` bytes fit the
    /// quota. `all` is sorted from the oldest to the newest.
    pub fn excess<'a>(&self, all: &'a [Artifact], others: u64) -> &'a [Artifact] {
        let Some(quota) = self.quota else { return &[] };
        // From the newest on, so that the sum saturates only where it exceeds the quota.
        let mut bytes = others;
        let newest = all.iter().rposition(|each| {
            bytes = bytes.saturating_add(each.size_bytes);
            bytes > quota
        });
        &all[..newest.map_or(0, |newest| newest + 1)]
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::none()
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("quota", &self.quota)
            .field("max_age", &self.max_age)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(created_at: u64, size_bytes: u64) -> Artifact {
        Artifact {
            id: format!("art_t_{created_at}"),
            tool: "t".to_owned(),
            media_type: String::new(),
            size_bytes,
            line_count: 0,
            created_at,
        }
    }

    fn at(seconds: u64) -> Limits {
        let clock = move || UNIX_EPOCH + Duration::from_secs(seconds);
        Limits::none().with_max_age(Duration::from_secs(10)).with_clock(clock)
    }

    #[test]
    fn an_artifact_expires_to_the_second() {
        let stored = artifact(1_000, 0);
        assert_eq!(at(1_009).expiry(&stored), None);
        let expiry = Some(Expiry { tool: "t".to_owned(), expired_at: 1_010 });
        assert_eq!(at(1_010).expiry(&stored), expiry);
        assert_eq!(at(9_999).expiry(&stored), expiry);
        assert_eq!(Limits::none().expiry(&stored), None);
    }

    #[test]
    fn a_clock_that_goes_backwards_makes_nothing_expire() {
        assert_eq!(at(0).expiry(&artifact(1_000, 0)), None);
        let before_1970 = Limits::none().with_max_age(Duration::from_secs(1));
        let before_1970 = before_1970.with_clock(|| UNIX_EPOCH - Duration::from_secs(5));
        assert_eq!(before_1970.expiry(&artifact(1_000, 0)), None);
    }

    #[test]
    fn the_oldest_are_removed_until_the_rest_fits() {
        let all = [artifact(1, 10), artifact(2, 20), artifact(3, 30)];
        let gone = |quota: u64, others: u64| Limits::none().with_quota(quota).excess(&all, others).len();
        assert_eq!((gone(60, 0), gone(59, 0), gone(50, 0), gone(49, 0)), (0, 1, 1, 2));
        assert_eq!((gone(60, 1), gone(0, 0), gone(0, 100)), (1, 3, 3));
        assert_eq!(Limits::none().excess(&all, 1 << 40).len(), 0);
        let hostile = [artifact(1, u64::MAX), artifact(2, u64::MAX), artifact(3, 30)];
        assert_eq!(Limits::none().with_quota(60).excess(&hostile, 20).len(), 2);
    }
}
