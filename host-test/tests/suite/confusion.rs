//! Which kinds are claimed of samples that are cut, coloured or framed by other lines, and
//! of random bytes.

use tuckaway_content::Kind;
use tuckaway_host_test::confusion::{Change, detect, matrices, name_of, random_strings, random_texts};

#[test]
fn random_bytes_are_of_no_kind() {
    for bytes in random_strings().chain(random_texts()) {
        let detected = name_of(detect(&bytes));
        let is_json = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
        let is_none = ["text", "binary"].contains(&&*detected) || is_json && detected == "json";
        assert!(is_none, "{detected}: {}", bytes.escape_ascii());
    }
}

/// For each change, the minimum percentage of content that is detected correctly, and the
/// maximum percentage that is detected as another kind. `text` is neither.
const FLOORS: [(Change, usize, usize); 7] = [
    (Change::Whole, 97, 0),
    (Change::CrLf, 97, 0),
    (Change::Lead, 88, 1),
    (Change::Trail, 88, 1),
    // The start or the end of a text may well be of another kind.
    (Change::Head, 75, 2),
    (Change::Tail, 65, 3),
    (Change::Colours, 85, 0),
];

#[test]
fn no_kind_is_claimed_that_is_not_there() {
    let mut wrong = Vec::new();
    let (by_change, _) = matrices(&mut |name, change, detected| {
        if detected == Kind::Text {
            return;
        }
        wrong.push(format!("{}: {name}: {}", change.name(), name_of(detected)));
    })
    .unwrap();
    assert_eq!(by_change.len(), FLOORS.len());
    for (change, least_right, most_wrong) in FLOORS {
        let matrix = &by_change[&change];
        let kinds = matrix.kinds();
        let outcomes: Vec<_> = kinds.iter().map(|kind| matrix.of_kind(kind)).collect();
        let all: usize = outcomes.iter().map(|outcome| outcome.all()).sum();
        let right: usize = outcomes.iter().map(|outcome| outcome.right).sum();
        let wrong_count: usize = outcomes.iter().map(|outcome| outcome.wrong).sum();
        assert!(
            right * 100 >= all * least_right && wrong_count * 100 <= all * most_wrong,
            "{}: {right} right and {wrong_count} wrong of {all}\n{matrix}\n{}",
            change.name(),
            wrong.join("\n")
        );
    }
}
