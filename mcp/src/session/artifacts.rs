//! The moment when the artifact tools enter the client's list: at once, or once something is
//! stored.

use std::sync::atomic::Ordering;

use super::Session;
use crate::profile;
use crate::wire::{Call, Params};

impl Session {
    /// Returns whether the list of tools has the artifact tools.
    pub(super) async fn lists_artifact_tools(&self) -> bool {
        if !self.settings.lists_artifact_tools || !self.waits_for_artifacts() {
            return self.settings.lists_artifact_tools;
        }
        let is_listed = self.reducer.has_artifacts().await;
        self.are_listed.fetch_or(is_listed, Ordering::Relaxed);
        is_listed
    }

    /// Notifies the client that the list has the artifact tools, once they are needed.
    pub(super) async fn announce_artifact_tools(&self) {
        if self.settings.lists_artifact_tools
            && self.waits_for_artifacts()
            && !self.are_listed.load(Ordering::Relaxed)
            && self.reducer.has_artifacts().await
            && !self.are_listed.swap(true, Ordering::Relaxed)
        {
            self.notices.send(Call::new("notifications/tools/list_changed", Params::new())).await;
        }
    }

    /// Returns whether the client can do without the artifact tools until something is stored. A
    /// client of 2026-07-28 is notified only if it has subscribed, so it gets them at once.
    fn waits_for_artifacts(&self) -> bool {
        self.settings.lists_when_stored
            && self.client().is_some_and(|client| {
                !client.is_modern() && profile::of(&client.introduction.client_info.name).follows_tool_changes
            })
    }
}
