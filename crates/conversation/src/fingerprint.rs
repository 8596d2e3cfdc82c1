//! A fingerprint of the prefix of every request.

use tuckaway_contract::{Conversation, Part, Role};

/// Returns a fingerprint of the system prompt and of the tools that stay: 16 digits. FNV-1a of 64
/// bits: it detects changes, but is not secure.
pub fn prefix(conversation: &Conversation, stays: impl Fn(usize) -> bool) -> String {
    let mut hash = Hash(0xCBF2_9CE4_8422_2325);
    for (index, tool) in conversation.tools.iter().enumerate() {
        if stays(index) {
            hash.add(&tool.name);
            hash.add(&tool.definition);
        }
    }
    let of_developer = conversation.messages.iter().take_while(|message| message.role == Role::System);
    for part in of_developer.flat_map(|message| &message.parts) {
        if let Part::Text(text) = part {
            hash.add(text);
        }
    }
    format!("{:016x}", hash.0)
}

struct Hash(u64);

impl Hash {
    /// Adds a text and its end.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xFF]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}
