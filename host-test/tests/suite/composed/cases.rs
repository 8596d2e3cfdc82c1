//! The cases in both homes.

use serde_json::{Value, json};
use tuckaway_host_test::composed::{Composed, Home};
use tuckaway_host_test::{Adapted, run_with_own_store};

/// When artifacts of cases were created, if the case does not say.
const EPOCH: u64 = 1_700_000_000;

#[test]
fn all_cases_in_a_directory() {
    run_with_own_store(&Composed::build(Home::Filesystem).expect("the component"), &|store, input| {
        adapt(store, input, |_| ())
    });
}

#[test]
fn all_cases_in_a_bucket() {
    run_with_own_store(&Composed::build(Home::KeyValue).expect("the component"), &|store, input| {
        adapt(store, input, with_known_expiries)
    });
}

/// Skips cases that say nothing about a home with a store of its own, and changes stores as such a home
/// would. `change` makes more changes.
fn adapt(store: &Value, input: &Value, change: impl Fn(&mut [Value])) -> Adapted {
    let has = |member: &str| store[member].as_object().is_some_and(|members| !members.is_empty());
    let artifacts = store["artifacts"].as_array().map_or(&[][..], Vec::as_slice);
    if has("fail") {
        return Adapted::Skipped("the case's store fails");
    } else if has("lies") {
        return Adapted::Skipped("the case's store breaks the contract");
    } else if artifacts.iter().any(|artifact| artifact.get("size_bytes").is_some()) {
        return Adapted::Skipped("the case's store states another size than the content has");
    } else if input["output"]["tool"] == "" {
        return Adapted::Skipped("the tool has no name, for which stores of homes mint other ids than cases");
    }
    // Stores of homes list artifacts by their age, those of cases in the order of the file.
    let created_at = |artifact: &Value| artifact["created_at"].as_u64().unwrap_or(EPOCH);
    let mut changed = artifacts.to_vec();
    changed.sort_by_key(created_at);
    change(&mut changed);
    match changed == artifacts {
        true => Adapted::AsItIs,
        false => Adapted::With(json!({ "artifacts": changed })),
    }
}

/// Gives a time to artifacts that have expired at an unknown one, which a bucket always knows.
fn with_known_expiries(artifacts: &mut [Value]) {
    for artifact in artifacts.iter_mut().filter(|artifact| artifact["expired"] == true) {
        artifact["expired"] = (EPOCH + 500).into();
    }
}
