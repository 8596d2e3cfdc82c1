//! Checks that the documentation shows the example that is compiled.

#[test]
fn the_documentation_shows_the_example() {
    let page = include_str!("../../../docs/embedding.md");
    let example = include_str!("../../examples/embed.rs");
    assert!(page.contains(example.trim_end()), "copy host/examples/embed.rs into docs/embedding.md");
    assert!(example.lines().count() < 40, "the example is a complete embedder in under 40 lines");
}
