//! The functions of the plugin.
#![allow(unsafe_code)]

use extism_pdk::input_bytes;
use tuckaway_flat::answer;

use crate::output::output;
use crate::with_engine;

/// Exports the functions of these names.
macro_rules! exports {
    ($($name:ident),*) => {$(
        #[doc = concat!("Calls `", stringify!($name), "`.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> i32 {
            let arguments = input_bytes();
            output(&with_engine(|engine| answer(engine, stringify!($name), &arguments)))
        }
    )*};
}

tuckaway_flat::functions!(exports);
