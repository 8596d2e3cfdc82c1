//! The settings of wasmtime that decide which machine code is made. The build script, which
//! makes it, includes this file, so that the code always fits the library.

use wasmtime::{Config, ModuleVersionStrategy};

/// Returns the settings for the machine code of a component, whose digest ties the two
/// together: an engine refuses the machine code of another component. `is_windows` is true of
/// the system that runs the code.
pub fn settings(digest: &str, is_windows: bool) -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // The component is stripped: its backtrace would have no names.
        .wasm_backtrace_max_frames(None)
        .native_unwind_info(is_windows)
        .generate_address_map(false);
    // The library and its build script have the same wasmtime, because they require the same
    // version of it in one workspace.
    config.module_version(ModuleVersionStrategy::Custom(digest.to_owned())).expect("at most 255 bytes");
    config
}
