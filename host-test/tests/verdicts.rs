//! What views say about builds and test runs, over the labelled set in `cases/verdicts/`.

use tuckaway_host_test::verdicts::{Score, evaluate};

/// Prints what is wrong or missed, for `--nocapture`.
fn print(name: &str, score: &Score) {
    println!(
        "{name}: precision {:.3}, recall {:.3}, {} right, {} wrong, {} missed",
        score.precision(),
        score.recall(),
        score.right,
        score.wrong.len(),
        score.missed.len()
    );
    score.wrong.iter().for_each(|wrong| println!("  wrong   {wrong}"));
    score.missed.iter().for_each(|missed| println!("  missed  {missed}"));
}

#[test]
fn no_verdict_is_wrong() {
    let evaluation = evaluate().unwrap();
    print("verdicts", &evaluation.verdicts);
    print("verdicts of errors", &evaluation.verdicts_of_errors);
    print("error lines", &evaluation.error_lines);
    print("listed", &evaluation.listed);
    print("why in outlines", &evaluation.why_in_outlines);
    print("why in cuts", &evaluation.why_in_cuts);
}
