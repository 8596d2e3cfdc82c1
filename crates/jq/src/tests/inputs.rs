//! Several documents as one array, and as inputs.

use crate::{Bytes, Filter, Options, Outputs};

const SLURP: Options = Options { slurp: true, ..COMPACT };
const NULL_INPUT: Options = Options { null_input: true, ..COMPACT };
const COMPACT: Options =
    Options { raw: false, compact: true, slurp: false, null_input: false, max_steps: None, max_memory: None };

fn run(json: &str, filter: &str, options: Options, max_bytes: usize) -> Outputs {
    let source = Bytes(json.as_bytes().to_vec());
    let filter = Filter::compile(filter).unwrap();
    let (mut all, mut cursor) = (Outputs::default(), None);
    loop {
        let page = filter.run(&source, &options, cursor, max_bytes).unwrap();
        all = Outputs { text: all.text + &page.text, hint: all.hint.or(page.hint), ..page };
        cursor = all.next;
        if cursor.is_none() {
            return all;
        }
    }
}

/// Returns the outputs with a space for each line feed, and the failure if there is one.
fn outputs(json: &str, filter: &str, options: Options) -> String {
    let whole = run(json, filter, options, 16_384);
    let paged = run(json, filter, options, 3);
    assert_eq!((&whole.text, &whole.failure), (&paged.text, &paged.failure), "{filter}");
    let failure = whole.failure.map_or(String::new(), |failure| format!("! {}", failure.message));
    whole.text.replace('\n', " ") + &failure
}

const ROWS: &str = "{\"id\": 1, \"k\": \"a\"}\n{\"id\": 2, \"k\": \"b\"}\n{\"id\": 3, \"k\": \"a\"}\n";

#[test]
fn documents_are_slurped_into_one_array() {
    for (filter, expected) in [
        (".", r#"[{"id":1,"k":"a"},{"id":2,"k":"b"},{"id":3,"k":"a"}] "#),
        ("length", "3 "),
        ("type", "\"array\" "),
        (".[] | .id", "1 2 3 "),
        (".[1].id, .[-1].id", "2 3 "),
        ("map(.id) | add", "6 "),
        ("length, (map(.id) | add), length", "3 6 3 "),
        ("group_by(.k) | map({k: .[0].k, n: length})", r#"[{"k":"a","n":2},{"k":"b","n":1}] "#),
        ("reduce .[] as $row (0; . + $row.id)", "6 "),
        ("first(.[] | select(.k == \"b\")).id", "2 "),
        ("[.[] | select(.k == \"a\")] | length", "2 "),
        ("[limit(2; .[].id)]", "[1,2] "),
        ("[inputs]", "[] "),
    ] {
        assert_eq!(outputs(ROWS, filter, SLURP), expected, "{filter}");
    }
    assert_eq!(outputs("", "length", SLURP), "0 ");
    assert_eq!(outputs("[1, 2]", "length", SLURP), "1 ");
    assert_eq!(outputs("1[2]\"x\" null", ".", SLURP), "[1,[2],\"x\",null] ");
    assert_eq!(
        outputs(ROWS, ".id", SLURP),
        "! The filter failed: cannot index array of 3 with string \"id\". The input is: an array of all documents."
    );
    assert!(outputs("1 2 x", ".[]", SLURP).starts_with("1 2 ! jq cannot query this"));
    assert_eq!(
        run(ROWS, "map(.di) | length", SLURP, 900).hint.as_deref(),
        Some(".[].di: none of the 3 objects there has this key; their keys: id, k; the nearest is id")
    );
}

#[test]
fn inputs_are_the_documents_that_follow() {
    for (filter, expected) in [
        (".id as $id | [inputs.id] | [$id, .]", "[1,[2,3]] "),
        (
            "[.id, input.id]",
            "[1,2] ! The filter failed: No more inputs. Document 3 is: object with the keys \"id\", \"k\".",
        ),
        ("first(inputs).id", "2 ! "),
        ("try input.id catch .", "2 \"No more inputs\" "),
    ] {
        let shown = outputs(ROWS, filter, COMPACT);
        assert_eq!(shown, expected.trim_end_matches("! "), "{filter}");
    }
    for (filter, expected) in [
        (".", "null "),
        ("[inputs.id]", "[1,2,3] "),
        ("input.id, input.id", "1 2 "),
        ("reduce inputs as $row ({}; .[$row.k] += 1)", r#"{"a":2,"b":1} "#),
        ("foreach inputs as $row (0; . + $row.id)", "1 3 6 "),
        ("first(inputs | select(.k == \"b\")).id, [inputs.id]", "2 [3] "),
        ("[limit(2; inputs).id], input.id", "[1,2] 3 "),
        ("input | .id, (try input.x.y.z catch .)", "1 null "),
    ] {
        assert_eq!(outputs(ROWS, filter, NULL_INPUT), expected, "{filter}");
    }
    assert!(outputs("1 2 x", "inputs", NULL_INPUT).starts_with("1 2 ! jq cannot query this"));
    assert_eq!(outputs(ROWS, "input | length", Options { slurp: true, ..NULL_INPUT }), "3 ");
    assert_eq!(
        run(ROWS, "reduce inputs as $row (0; . + $row.di)", NULL_INPUT, 900).hint.as_deref(),
        Some(".di: none of the queried objects has this key; keys of the first: id, k; the nearest is id")
    );
}

#[test]
fn slurped_documents_are_read_one_at_a_time() {
    let rows: String =
        (0..20_000).map(|n| format!("{{\"id\": {n}, \"pad\": \"{}\"}}\n", "x".repeat(100))).collect();
    let little = Options { max_memory: Some(4 << 20), ..SLURP };
    for (filter, expected) in [
        ("length", "20000\n"),
        ("map(.id) | add", "199990000\n"),
        ("reduce .[] as $row (0; . + 1)", "20000\n"),
        ("[.[] | select(.id > 19997) | .id]", "[19998,19999]\n"),
    ] {
        assert_eq!(run(&rows, filter, little, 900).text, expected, "{filter}");
    }
    let little_null = Options { null_input: true, slurp: false, ..little };
    assert_eq!(run(&rows, "reduce inputs as $row (0; . + 1)", little_null, 900).text, "20000\n");
    let source = Bytes(rows.into_bytes());
    let error =
        Filter::compile("group_by(.id) | length").unwrap().run(&source, &little, None, 900).unwrap_err();
    assert!(error.message.contains("one at a time"), "{}", error.message);
}
