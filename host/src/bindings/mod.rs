//! The only module that names wasmtime's bindings of `wit/`; [`convert`], [`extraction`],
//! [`histories`] and [`planning`] convert between their records and those of the `tuckaway` crate.

pub(crate) mod convert;
pub(crate) mod extraction;
pub(crate) mod histories;
pub(crate) mod planning;

use wasmtime::component::{HasSelf, Linker};

macro_rules! generate {
    ($wit:tt) => {
        wasmtime::component::bindgen!({
            path: $wit,
            world: "engine",
            imports: { default: async },
            exports: { default: async },
            // Arguments are borrowed: an output of 100 MB is copied once, into the guest.
            ownership: Borrowing { duplicate_if_necessary: true },
        });
    };
}

#[allow(missing_docs)]
mod generated {
    #[cfg(not(tuckaway_packaged))]
    generate!("../wit");
    // A package contains a copy of the repository's `wit/`.
    #[cfg(tuckaway_packaged)]
    generate!("component/wit");
}

pub(crate) use generated::exports::tuckaway::context as exported;
pub(crate) use generated::tuckaway::context as imported;
pub(crate) use generated::{Engine as Exports, EnginePre as ExportsPre};

/// Links the component's two imports.
pub(crate) fn add_to_linker<T>(linker: &mut Linker<T>) -> wasmtime::Result<()>
where
    T: imported::store::Host + imported::tokens::Host + Send + 'static,
{
    Exports::add_to_linker::<T, HasSelf<T>>(linker, |state| state)
}
