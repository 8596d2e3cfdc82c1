//! Views' statements about builds and test runs, over the labelled set in `cases/verdicts/`.
//! `--nocapture` prints the wrong and the missed ones.

use tuckaway_host_test::verdicts::{Score, evaluate};

/// Checks that a score has not fallen since this test was written, within a margin.
fn check(name: &str, score: &Score, min_precision: f64, min_recall: f64) {
    let (precision, recall) = (score.precision(), score.recall());
    println!("{name}: precision {precision:.3}, recall {recall:.3}");
    score.wrong.iter().for_each(|wrong| println!("  wrong   {wrong}"));
    score.missed.iter().for_each(|missed| println!("  missed  {missed}"));
    assert!(precision >= min_precision, "{name}: precision {precision:.3} is below {min_precision}");
    assert!(recall >= min_recall, "{name}: recall {recall:.3} is below {min_recall}");
}

#[test]
fn no_verdict_is_wrong() {
    let evaluation = evaluate().unwrap();
    assert!(evaluation.outputs >= 400 && evaluation.lines >= 500);
    check("verdicts", &evaluation.verdicts, 1.0, 0.87);
    check("verdicts of calls that report an error", &evaluation.verdicts_of_errors, 1.0, 0.88);
    check("verdicts of variants", &evaluation.verdicts_of_variants, 1.0, 0.8);
    check("error lines", &evaluation.error_lines, 0.93, 0.75);
    check("lines that outlines list as errors", &evaluation.listed, 0.95, 1.0);
    check("lines that say why, in outlines", &evaluation.why_in_outlines, 1.0, 0.9);
    check("lines that say why, in cuts", &evaluation.why_in_cuts, 1.0, 0.92);
}
