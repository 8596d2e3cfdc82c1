//! The host of a plan for a history.

use std::cell::RefCell;

use serde_json::Value;
use tuckaway_conversation::{Host, Place, Stored};

use crate::adapters::media;
use crate::history::{History, Working};

/// A host that also has the media of a history.
pub(crate) struct ItemHost<'a> {
    host: &'a dyn Host,
    history: &'a History,
    items: &'a [Working],
    /// The item whose medium was asked for last, and its index: the media of an item follow each other.
    last: RefCell<Option<(usize, Value)>>,
}

impl<'a> ItemHost<'a> {
    pub(crate) fn of(history: &'a History, items: &'a [Working], host: &'a dyn Host) -> Self {
        ItemHost { host, history, items, last: RefCell::default() }
    }
}

impl Host for ItemHost<'_> {
    fn count(&self, text: &str) -> Option<u64> {
        self.host.count(text)
    }

    fn keep(&self, tool: &str, media_type: Option<&str>, bytes: &[u8]) -> Result<String, String> {
        self.host.keep(tool, media_type, bytes)
    }

    fn about(&self, id: &str) -> Option<Stored> {
        self.host.about(id)
    }

    fn excerpt(&self, text: &str, max_bytes: usize) -> String {
        self.host.excerpt(text, max_bytes)
    }

    fn has_media(&self) -> bool {
        true
    }

    fn medium(&self, (message, part): Place) -> Option<(String, Vec<u8>)> {
        let at = message.checked_sub(self.history.offset())?;
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(of, _)| *of != at) {
            *last = Some((at, self.history.whole(self.items.get(at)?).into_owned()));
        }
        let (_, item) = last.as_mut()?;
        Some(media::content(self.history.adapter().medium(item, part)?))
    }
}
