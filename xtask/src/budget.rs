//! `cargo xtask component`: the component, its imports, and its size against the
//! budget.

use std::env;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use xtask::component::{Options, Variant, build};

use crate::workspace;

/// The largest component that a page which embeds it should have to load.
const BUDGET_BYTES: u64 = 4_000_000;
/// The largest compressed component, as servers send it.
const BUDGET_GZIP_BYTES: u64 = 1_250_000;

/// Builds a component and prints its imports and its size. Returns an error if it is over
/// budget.
pub fn run(options: &Options) -> Result<()> {
    let built = build(options)?;
    let component = fs::read(&built.path).with_context(|| format!("reading {}", built.path.display()))?;
    let gzip = gzip_bytes(&component)?;

    println!("{} by {}", shown(&built.path, &workspace()), built.compiler);
    for import in &built.imports {
        println!("  imports  {import}");
    }
    match options.variant {
        Variant::Wasi => {
            println!("  raw      {:>9} bytes", grouped(built.bytes));
            println!("  gzip     {:>9} bytes", grouped(gzip));
        }
        Variant::Sealed => {
            println!("  raw      {:>9} bytes of {:>9}", grouped(built.bytes), grouped(BUDGET_BYTES));
            println!("  gzip     {:>9} bytes of {:>9}", grouped(gzip), grouped(BUDGET_GZIP_BYTES));
            check_budget(built.bytes, gzip)?;
        }
    }
    Ok(())
}

/// Returns an error if a component is over budget.
pub fn check(component: &[u8]) -> Result<()> {
    check_budget(component.len() as u64, gzip_bytes(component)?)
}

fn check_budget(raw: u64, gzip: u64) -> Result<()> {
    if raw > BUDGET_BYTES || gzip > BUDGET_GZIP_BYTES {
        bail!(
            "the component is over its budget. `cargo bloat` does not read WebAssembly; `twiggy top` on \
             target/component/wasm32-unknown-unknown/component/tuckaway.wasm, built with strip = false, shows what is big"
        );
    }
    Ok(())
}

fn gzip_bytes(bytes: &[u8]) -> Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

/// Returns the options for a build that may install its toolchain. If the variable that the
/// build script of `host/` reads names a component, that component is used.
pub fn installing(variant: Variant) -> Options {
    let named = env::var_os("TUCKAWAY_COMPONENT").filter(|path| !path.is_empty());
    let prebuilt = named.filter(|_| variant == Variant::Sealed).map(Into::into);
    Options { install: true, prebuilt, ..Options::new(workspace(), variant) }
}

/// Returns a path relative to the workspace.
fn shown(path: &Path, workspace: &Path) -> String {
    path.strip_prefix(workspace).unwrap_or(path).display().to_string()
}

/// Formats a number like `1,048,576`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_on_both_sizes() {
        check_budget(BUDGET_BYTES, BUDGET_GZIP_BYTES).unwrap();
        assert!(check_budget(BUDGET_BYTES + 1, 1).is_err());
        assert!(check_budget(1, BUDGET_GZIP_BYTES + 1).is_err());
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_048_576].map(grouped), ["0", "999", "1,000", "1,048,576"]);
    }
}
