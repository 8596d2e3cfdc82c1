//! Checks that the README shows the example that is compiled.

#[test]
fn the_readme_shows_the_example() {
    let readme = include_str!("../../../README.md");
    let example = include_str!("../../examples/embed.rs");
    assert!(readme.contains(example.trim_end()), "copy host/examples/embed.rs into README.md");
    assert!(example.lines().count() < 40, "the example is a complete embedder in under 40 lines");
}
