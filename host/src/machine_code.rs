//! The machine code of the embedded component, which the build script compiled.
//!
//! It is part of the program's file. On Linux it runs where the system has mapped that file:
//! nothing is copied, only the pages that are used are read, and all processes share them.

#![allow(unsafe_code, reason = "wasmtime trusts machine code, and the system what is made executable")]

use wasmtime::component::Component;
use wasmtime::{Config, Engine};

/// Bytes that begin at a page. Pages have 4 KiB on x86-64, and up to 64 KiB on other processors.
#[cfg_attr(target_arch = "x86_64", repr(C, align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C, align(65536)))]
struct Pages<T: ?Sized>(T);

static MACHINE_CODE: &Pages<[u8]> = &Pages(*include_bytes!(env!("TUCKAWAY_MACHINE_CODE")));

/// The digest of the component that was compiled.
pub(crate) const DIGEST: &str = env!("TUCKAWAY_COMPONENT_DIGEST");

#[cfg(target_os = "linux")]
pub(crate) use in_place::{load, prepare};

/// Running the code where it is.
#[cfg(target_os = "linux")]
mod in_place {
    use std::ptr::NonNull;
    use std::sync::Arc;

    use rustix::mm::{MprotectFlags, mprotect};
    use wasmtime::CustomCodeMemory;

    use super::{Component, Config, Engine, MACHINE_CODE};

    /// Makes an engine able to [`load`] the code.
    pub(crate) fn prepare(config: &mut Config) {
        config.with_custom_code_memory(Some(Arc::new(Mapped)));
    }

    pub(crate) fn load(engine: &Engine) -> wasmtime::Result<Component> {
        // SAFETY: wasmtime made these bytes when this library was built. They never change, and
        // they exist until the process ends.
        unsafe { Component::deserialize_raw(engine, NonNull::from(&MACHINE_CODE.0)) }
    }

    /// Memory that the system has mapped.
    struct Mapped;

    impl Mapped {
        fn protect(ptr: *const u8, len: usize, flags: MprotectFlags) -> wasmtime::Result<()> {
            // SAFETY: wasmtime passes the pages of machine code that nothing writes any more.
            unsafe { mprotect(ptr.cast_mut().cast(), len, flags) }.map_err(wasmtime::Error::new)
        }
    }

    impl CustomCodeMemory for Mapped {
        fn required_alignment(&self) -> usize {
            rustix::param::page_size()
        }

        fn publish_executable(&self, ptr: *const u8, len: usize) -> wasmtime::Result<()> {
            Mapped::protect(ptr, len, MprotectFlags::READ | MprotectFlags::EXEC)
        }

        fn unpublish_executable(&self, ptr: *const u8, len: usize) -> wasmtime::Result<()> {
            Mapped::protect(ptr, len, MprotectFlags::READ)
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare(_: &mut Config) {}

/// Loads a copy of the code.
#[cfg(not(target_os = "linux"))]
pub(crate) fn load(engine: &Engine) -> wasmtime::Result<Component> {
    // SAFETY: wasmtime made these bytes when this library was built.
    unsafe { Component::deserialize(engine, &MACHINE_CODE.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::settings;

    fn engine(digest: &str) -> Engine {
        let mut config = settings(digest, cfg!(windows));
        prepare(&mut config);
        Engine::new(&config).unwrap()
    }

    #[test]
    fn machine_code_belongs_to_one_component() {
        assert!(load(&engine(DIGEST)).is_ok());
        let refused = load(&engine("of another component")).err().unwrap();
        assert!(format!("{refused:#}").contains(DIGEST), "{refused:#}");
    }
}
