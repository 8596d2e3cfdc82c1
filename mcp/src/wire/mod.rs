//! JSON-RPC on the wire, without a loss.
//!
//! rmcp's types drop the members that they do not know, and a result that fits none of
//! them is an error. A proxy has to pass on what it does not know. So the transport of
//! this module decodes only the messages that rmcp's lifecycle needs into its types, and
//! everything else into its types for custom messages, which keep the JSON as it is.

mod frame;
mod lines;
mod repair;
mod role;

pub use frame::{Call, LOST, Params, lost};
pub use lines::Lines;
pub use role::{
    CAPABILITIES, UNKNOWN, is_known_of_server, is_of_lifecycle, keep_capabilities, restore_capabilities,
};
