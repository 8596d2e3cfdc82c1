//! The result of a clean-up.

use std::ops::AddAssign;

use serde::Serialize;

/// The artifacts and bytes that a clean-up of a store has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Garbage {
    /// Artifacts whose content was removed. For a while, their ids still return
    /// [`StoreError::Expired`](tuckaway_contract::StoreError::Expired).
    pub expired: u64,
    /// Artifacts that were never sealed because their writers crashed.
    pub abandoned: u64,
    /// Ids of expired artifacts that are no longer remembered.
    pub forgotten: u64,
    /// Bytes of content that were removed.
    pub freed_bytes: u64,
}

impl AddAssign for Garbage {
    fn add_assign(&mut self, other: Garbage) {
        self.expired += other.expired;
        self.abandoned += other.abandoned;
        self.forgotten += other.forgotten;
        self.freed_bytes += other.freed_bytes;
    }
}
