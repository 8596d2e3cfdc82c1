//! JSON-RPC on the wire, without losing anything.
//!
//! rmcp's types drop members that they do not know, and a result that fits none of them is an
//! error. A proxy has to pass on unknown members. So the transport in this module decodes
//! only the messages that rmcp's lifecycle needs into rmcp's types, and all others into the
//! types for custom messages, which keep the JSON unchanged.

mod frame;
mod lines;
mod repair;
mod role;

pub use frame::{Call, LOST, Params, lost};
pub use lines::Lines;
pub use role::{
    CAPABILITIES, UNKNOWN, is_known_of_server, is_of_lifecycle, keep_capabilities, restore_capabilities,
};
