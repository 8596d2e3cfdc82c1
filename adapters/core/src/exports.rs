//! The exports and imports of the module.
#![allow(unsafe_code)]

use std::cell::RefCell;

use tuckaway::{Engine, Error};
use tuckaway_flat::{Link, LinkedStore, LinkedTokens, answer, respond};

use crate::Buffers;

thread_local! {
    static BUFFERS: RefCell<Buffers> = const { RefCell::new(Buffers::new()) };
}

fn buffers<T>(change: impl FnOnce(&mut Buffers) -> T) -> T {
    BUFFERS.with_borrow_mut(change)
}

/// Makes a buffer of `length` bytes and returns its address; 0 if there is no memory for it.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: u32) -> u32 {
    buffers(|all| all.alloc(length))
}

/// Frees the buffer at an address; does nothing if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn free(address: u32) {
    buffers(|all| all.free(address));
}

/// Calls a function: its name and its arguments are in buffers of [`alloc`]. Returns the answer's
/// address in the upper half and its length in the lower half; the caller frees it.
#[unsafe(no_mangle)]
pub extern "C" fn call(name: u32, name_length: u32, arguments: u32, arguments_length: u32) -> u64 {
    // Copied, because the host makes buffers during the call.
    let given = buffers(|all| {
        let name = all.bytes(name, name_length)?.to_vec();
        Some((name, all.bytes(arguments, arguments_length)?.to_vec()))
    });
    let out = match given {
        Some((name, arguments)) => {
            let engine = Engine::new(&LinkedStore(Host), &LinkedTokens(Host));
            answer(&engine, &String::from_utf8_lossy(&name), &arguments)
        }
        None => respond(Err(Error::invalid(
            "The name or the arguments are not in a buffer of alloc; pass the address that alloc returned and at most its length.",
        ))),
    };
    buffers(|all| all.hand_out(out))
}

/// The imported functions.
struct Host;

impl Link for Host {
    fn store(&self, request: &[u8]) -> Vec<u8> {
        exchange(request, imports::store)
    }

    fn tokens(&self, text: &[u8]) -> Vec<u8> {
        exchange(text, imports::tokens)
    }
}

mod imports {
    #[link(wasm_import_module = "tuckaway")]
    unsafe extern "C" {
        /// Takes the address and the length of a request, and returns those of the answer, which is
        /// in a buffer of `alloc`.
        pub safe fn store(address: u32, length: u32) -> u64;
        /// Like `store`, with a text as the request.
        pub safe fn tokens(address: u32, length: u32) -> u64;
    }
}

/// Passes a request to the host and returns its answer; nothing if the answer is not in a buffer of
/// [`alloc`]. Both buffers are freed.
fn exchange(request: &[u8], host: extern "C" fn(u32, u32) -> u64) -> Vec<u8> {
    let packed = buffers(|all| all.hand_out(request.to_vec()));
    let address = (packed >> 32) as u32;
    let answered = host(address, packed as u32);
    buffers(|all| {
        all.free(address);
        all.take(answered).unwrap_or_default()
    })
}
