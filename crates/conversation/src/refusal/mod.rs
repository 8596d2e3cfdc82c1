//! Reads the error with which a provider refuses a request.

mod forms;
mod template;

#[cfg(test)]
mod tests;

use tuckaway_contract::{ProviderRefusal, RefusalKind};
use tuckaway_text::cut;

use forms::FORMS;
use template::{Figures, normalized};

/// Bytes of an error that are read.
const MAX_BYTES: usize = 64 << 10;

/// Reads the error of a provider: the first form of the table that occurs in it decides. The form
/// may be in JSON, in JSON inside a string, or in the text of an exception.
pub fn read(error: &str) -> ProviderRefusal {
    let text = normalized(cut::head(error, MAX_BYTES));
    let found = FORMS.iter().find_map(|form| Some((form.kind, template::find(form.text, &text)?)));
    let (kind, figures) = found.unwrap_or((RefusalKind::Unknown, Figures::default()));
    let Figures { limit, mut actual, answer, mut excess } = figures;
    if let (Some(limit), Some(over)) = (limit, excess) {
        (actual, excess) = (Some(limit + over), None);
    }
    ProviderRefusal { kind, limit, actual, answer, excess }
}
