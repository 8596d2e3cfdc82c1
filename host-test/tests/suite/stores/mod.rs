//! Stores where things go wrong: real servers, connections that fail, writers that are
//! killed, disks that are full, clocks that jump, many processes at once.
//!
//! The servers are s3s-fs and moto, which `tuckaway_test_kit::object_servers` installs and
//! starts; writers are processes of `store_worker`.

mod at_once;
mod clock;
mod contract;
mod faults;
mod support;

// These use strace and namespaces of Linux.
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod kills_dir;
#[cfg(unix)]
mod kills_objects;
