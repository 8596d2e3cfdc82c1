//! Runs the host on a real file.

use std::path::Path;
use std::process::Command;

#[test]
fn a_file_is_stored_and_searched() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let component = root.join("target/tuckaway.wasm");
    assert!(component.is_file(), "`cargo xtask component` builds {}", component.display());
    let mut host = Command::new(env!("CARGO_BIN_EXE_host-in-100-lines"));
    let output =
        host.arg(component).arg(root.join("js/package-lock.json")).arg("lockfileVersion").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("how_to_access"), "{printed}");
    assert!(printed.contains("4:  \"lockfileVersion\": 3"), "{printed}");
}
