//! Fingerprints of the prefix of every request, and of calls with their results: FNV-1a of 64 bits,
//! which detects changes, but is not secure.

use tuckaway_contract::{Conversation, Part, Role, ToolCall, ToolResult};

/// Returns a fingerprint of the system prompt and of the tools that stay: 16 digits.
pub fn prefix(conversation: &Conversation, stays: impl Fn(usize) -> bool) -> String {
    let mut hash = Hash::new();
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

/// Returns a fingerprint of a call and its result, below 2^53, as JavaScript has no larger integers. It
/// includes the call's id, which tools do not choose, so that the text of a result hardly takes the summary
/// of another one.
pub fn pair(call: &ToolCall, result: &ToolResult) -> u64 {
    let mut hash = Hash::new();
    for text in [&call.id, &call.name, &call.arguments, &result.text] {
        hash.add(text);
    }
    hash.0 >> 11
}

struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xCBF2_9CE4_8422_2325)
    }

    /// Adds a text and its end.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xFF]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}
