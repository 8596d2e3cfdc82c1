use proptest::prelude::*;
use serde_json::{Value, json};

use super::reader;
use super::*;
use crate::outline::Layout;
use crate::sample::Sample;

const PACKAGE: &str = r#"# A package.
[package]
name = "lamp"
version = "0.3.0"
released = 2026-01-02
authors = ["Ada <ada@example.org>"]

[dependencies]
serde = { version = "1", features = ["derive"] }
anyhow.version = "1.0"

[profile.release]
lto = "fat" # slow
codegen-units = 1

[[bin]]
name = "lamp"
path = "src/main.rs"

[[bin]]
name = "lampd"
test = false
"#;

fn parsed(text: &str) -> (Value, String) {
    let made = to_json(text.as_bytes(), 1 << 20).unwrap_or_else(|error| panic!("{text}\n{error}"));
    (serde_json::from_slice(&made.json).unwrap(), made.note)
}

fn refused(text: &str) -> String {
    to_json(text.as_bytes(), 1 << 20).err().unwrap_or_else(|| panic!("it is read: {text}")).to_string()
}

fn is_toml(text: &str) -> bool {
    detect(&Sample::of(text.as_bytes()))
}

#[test]
fn tables_become_objects_in_their_order() {
    let (value, note) = parsed(PACKAGE);
    assert_eq!(
        value,
        json!({
            "package": {
                "name": "lamp", "version": "0.3.0", "released": "2026-01-02",
                "authors": ["Ada <ada@example.org>"],
            },
            "dependencies": {
                "serde": {"version": "1", "features": ["derive"]},
                "anyhow": {"version": "1.0"},
            },
            "profile": {"release": {"lto": "fat", "codegen-units": 1}},
            "bin": [{"name": "lamp", "path": "src/main.rs"}, {"name": "lampd", "test": false}],
        })
    );
    assert_eq!(note, "TOML read as JSON; dates are strings");
    let made = to_json(b"b = 1\na.y = 2\n[c]\na.x = 3\na.b = 4\n", 100).unwrap();
    assert_eq!(made.json, b"{\"b\":1,\"a\":{\"y\":2},\"c\":{\"a\":{\"x\":3,\"b\":4}}}\n");
    assert_eq!(made.note, "TOML read as JSON");
}

#[test]
fn scalars_are_those_of_json_or_strings() {
    for (toml, json) in [
        ("+1_000", "1000"),
        ("-0", "-0"),
        ("0xdead_BEEF", "3735928559"),
        ("0o17", "15"),
        ("0b101", "5"),
        ("9223372036854775808", "9223372036854775808"),
        ("0xFFFFFFFFFFFFFFFFF", "\"0xFFFFFFFFFFFFFFFFF\""),
        ("+1.50", "1.50"),
        ("6.26e-0_3", "6.26e-03"),
        ("5e+22", "5e+22"),
        ("inf", "\"inf\""),
        ("-inf", "\"-inf\""),
        ("nan", "\"nan\""),
        ("true", "true"),
        ("1979-05-27T07:32:00Z", "\"1979-05-27T07:32:00Z\""),
        ("1979-05-27 07:32:00.5-07:00", "\"1979-05-27 07:32:00.5-07:00\""),
        ("07:32:00", "\"07:32:00\""),
        (r#""a\tb\u00e9\"""#, r#""a\tbé\"""#),
        (r"'C:\a'", r#""C:\\a""#),
        ("\"\"\"\none \\\n  line\n\"\"\"", r#""one line\n""#),
        ("'''a'b'''", r#""a'b""#),
        ("[1, [2,], {a.b = 3}, # end\n]", r#"[1,[2],{"a":{"b":3}}]"#),
    ] {
        let made = to_json(format!("v = {toml}").as_bytes(), 200).unwrap();
        assert_eq!(String::from_utf8(made.json).unwrap(), format!("{{\"v\":{json}}}\n"), "{toml}");
    }
}

#[test]
fn tables_are_defined_once() {
    for (text, line) in [
        ("a = 1\na = 2", 2),
        ("[a]\n[a]", 2),
        ("[a]\nb = 1\n[a.b]", 3),
        ("[[a]]\n[a]", 2),
        ("[a]\n[[a]]", 2),
        ("a = []\n[[a]]", 2),
        ("a = {b = 1}\na.c = 2", 2),
        ("a = {b = 1}\n[a.c]", 2),
        ("a.b = 1\n[a]", 2),
        ("[a.b]\nc = 1\n[a]\nb.d = 2", 4),
        ("a = {b = 1, b = 2}", 1),
        ("a = {b = {c = 1}, b.d = 2}", 1),
    ] {
        assert!(
            refused(text).contains(&format!("as far as line {line}: a key")),
            "{text}: {}",
            refused(text)
        );
    }
    for text in [
        "[a.b]\nx = 1\n[a]\ny = 2",
        "[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 2\n[[a.c]]\n[[a.c]]",
        "a.b = 1\na.c.d = 2\na.c.e = 3",
        "[a]\nb.c = 1\n[a.b.d]\ne = 2",
    ] {
        assert!(toml::from_str::<toml::Table>(text).is_ok() && parsed(text).0.is_object(), "{text}");
    }
}

#[test]
fn refusals_say_where_and_why() {
    assert_eq!(
        refused("[a]\nb = 1\nc = some words\n"),
        "jq reads this TOML only as far as line 3: string values must be quoted. Search it with grep or read it instead."
    );
    let large = "k = 1\n[t]\n".to_owned() + &"#".repeat(MAX_BYTES);
    assert_eq!(
        refused(&large),
        "This TOML is larger than 4.1 MB, which is more than jq reads of TOML. Search it with grep or read it instead."
    );
    assert_eq!(
        to_json(PACKAGE.as_bytes(), 100).err().unwrap().to_string(),
        "As JSON this TOML is larger than 100 bytes, which is more than jq reads of TOML. Search it with grep or read it instead."
    );
}

#[test]
fn nesting_takes_no_stack() {
    for (open, inside, close) in
        [("[", "", "]"), ("{a=", "1", "}"), ("{a.b.c.d=", "1", "}"), ("[{a=", "1", "}]")]
    {
        let nested = |levels: usize| format!("v = {}{inside}{}\n", open.repeat(levels), close.repeat(levels));
        assert!(to_json(nested(40).as_bytes(), 1 << 20).is_ok());
        for text in [nested(200_000), format!("v = {}", open.repeat(300_000))] {
            assert!(refused(&text).contains("line 1: too many brackets"), "{open}");
            outline(text.as_bytes());
        }
    }
    for (open, close) in [("", " = 1"), ("[", "]"), ("[[", "]]"), ("v = {", " = 1}")] {
        let dotted = |parts: usize| format!("{open}{}{close}\n", vec!["a"; parts].join("."));
        assert!(to_json(dotted(80).as_bytes(), 1 << 20).is_ok());
        assert!(refused(&dotted(81)).contains("line 1: a key of too many parts"), "{open}");
        assert!(refused(&dotted(1_000_000)).contains("line 1: a key of too many parts"), "{open}");
    }
    // Each level of brackets has a key of many parts.
    let key = vec!["a"; 80].join(".");
    let text = format!("[{key}]\n{key} = {}1{}\n", format!("{{{key} = ").repeat(79), "}".repeat(79));
    let made = to_json(text.as_bytes(), 1 << 20).unwrap();
    assert_eq!(made.json.iter().filter(|byte| **byte == b'{').count(), 80 * 81);
    outline(text.as_bytes());
}

#[test]
fn marks_of_toml_are_detected() {
    for text in [
        PACKAGE,
        "[build-system]\nrequires = [\"hatchling\"]\nbuild-backend = \"hatchling.build\"\n",
        "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\n \"b\",\n]\n",
        "# a comment\n\n[tool.ruff]\nline-length = 100\nselect = [\n  \"E\",\n  \"F\",\n]\n",
        "\u{FEFF}[servers.alpha]\r\nip = \"10.0.0.1\"\r\nenabled = true\r\n",
        // The end is cut off.
        "[a]\nb = \"c\"\nd = [\n  \"e\",\n  \"f\",\n",
        "[a]\nb = \"c\"\nd = \"\"\"\nsome words",
        "[a]\nb = \"c\"\nd = \"e\n",
        "[a]\nb = \"c\"\nd.e = { f",
    ] {
        assert!(is_toml(text), "{text}");
    }
    let long = format!("[tool]\nname = \"x\"\nfiles = [\n{}]\n", "  \"src/a.py\",\n".repeat(5_000));
    assert!(is_toml(&long));
}

#[test]
fn what_looks_like_toml_is_not() {
    for text in [
        // INI, with bare words, comments of its own, and sections with spaces.
        "[server]\nhost = example.org\nport = 8080\n",
        "; settings\n[PHP]\nengine = On\nmemory_limit = \"128M\"\n",
        "[section one]\nname = \"x\"\nsize = \"2\"\n",
        // git config, without a remote and with one.
        "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n",
        "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = \"https://example.org/x.git\"\n",
        "[Unit]\nDescription=A service\nAfter=network.target\n\n[Service]\nExecStart=/usr/bin/lampd\n",
        "[Desktop Entry]\nName=Lamp\nType=Application\n",
        // Environments, properties, scripts, variables of Terraform: no tables.
        "HOST=\"example.org\"\nPORT=8080\nDEBUG=true\n",
        "server.port=8080\nserver.name=\"x\"\n",
        "region = \"eu-1\"\ncount = 2\nzones = [\"a\", \"b\"]\n",
        "x = 1\nnames = ['a', 'b']\nprint(names)\n",
        // Logs.
        "level=info msg=\"started\" port=8080\nlevel=info msg=\"ready\"\n",
        "[info]\nstarted the server\n[warn]\na = 1\nb = \"x\"\n",
        "[2026-01-02 10:00:00] a = 1\n[2026-01-02 10:00:01] b = \"x\"\n",
        // Front matter before prose, and a document that quotes TOML.
        "+++\ntitle = \"Notes\"\n[extra]\ntags = [\"a\"]\n+++\n\n# Notes\n",
        "Add this:\n\n[package]\nname = \"x\"\nversion = \"1\"\n",
        "[package]\nname = \"x\"\nversion = \"1\"\n\nand some words\nin lines\n",
        // JSON lines that begin like headers, lists, and nothing.
        "[1]\n[2]\n[3]\n",
        "[\"a\"]\n[\"b\"]\n",
        "[a]\n[b]\n[c]\n",
        "- [a]\n- b = \"c\"\n",
        "# only a comment\n",
        "",
    ] {
        assert!(!is_toml(text), "{text}");
    }
}

#[test]
fn a_claim_needs_less_evidence() {
    let claimed = |text: &str| can_be(&Sample::of(text.as_bytes()));
    assert!(claimed("edition = \"2024\"\nmax_width = 110\n"));
    assert!(!claimed("edition = some words\nmax_width = 110\n") && !claimed("words\n") && !claimed("[a]\n"));
}

#[test]
fn headers_are_told_from_values() {
    for (line, name) in [
        ("[a]", Some("[a]")),
        ("  [[ a.\"b c\" ]]  # end", Some("[[ a.\"b c\" ]]")),
        ("[a", None),
        ("[[a]", None),
        ("[]", None),
        ("[a] = 1", None),
        ("[1, 2]", None),
        ("[\"a\"],", None),
        ("a = [b]", None),
    ] {
        assert_eq!(header(line), name, "{line}");
    }
}

#[test]
fn outlines_say_how_far_they_go() {
    let shown = |text: &str| outline(text.as_bytes()).to_json(600, &Layout::ONE_LINE);
    assert_eq!(
        shown("[a]\nb = [1]\n[[c]]\nd = \"x\"\n"),
        r#"{"kind": "TOML: object(2 keys)", ".": {"a": "object(1 key)", "c": "array(1) of object(1 key)"}, ".a": {"b": "array(1) of integer"}, ".c[]": {"d": "string"}}"#
    );
    assert_eq!(
        shown("[a]\nb = [1]\nc = words\n[d]\n"),
        r#"{"kind": "TOML (its first 2 lines): object(1 key)", "read": "as far as line 3: string values must be quoted; jq refuses all of it", "(top)": {"a": "object(1 key)"}, "a": {"b": "array(1) of integer"}}"#
    );
    let long = "[[package]]\nname = \"x\"\n\n".repeat(200_000);
    assert!(
        shown(&long).starts_with(r#"{"kind": "TOML (its first 4.1 MB): object(1 key)", "(top)""#),
        "{}",
        shown(&long)
    );
}

#[test]
fn strings_of_several_lines_have_no_headers() {
    let text = "a = \"\"\"\n[not.a.table]\n\"\"\"\n".to_owned() + &"[[p]]\nname = \"n\"\nv = 1\n".repeat(100);
    let view = truncate(&text, 600);
    assert!(view.len() <= 600 && view.contains("[[p]] name = \"n\"\n"), "{view}");
    assert!(!view.contains("2: [not.a.table]"), "{view}");
}

fn statement() -> impl Strategy<Value = String> {
    let key = "(a|b|c|\"a\"|d-1)( ?\\. ?(a|b|c)){0,2}";
    let scalar = "1|-2\\.5|true|\"x\"|'y'|0x1F|1979-05-27|inf|words|\"\"\"z\n\"\"\"";
    let value = scalar.prop_recursive(2, 6, 3, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3)
                .prop_map(|items| format!("[{}]", items.join(", "))),
            proptest::collection::vec((key, inner), 0..3).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                format!("{{{}}}", members.join(", "))
            }),
        ]
    });
    prop_oneof![
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}\n")),
        2 => key.prop_map(|key| format!("[{key}]\n")),
        2 => key.prop_map(|key| format!("[[{key}]]\n")),
        1 => Just("# words\n".to_owned()),
    ]
}

/// Returns a value of the crate `toml` as this module writes it.
fn expected(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) if number.is_finite() => number.into(),
        toml::Value::Float(number) => number.to_string().into(),
        toml::Value::Boolean(value) => value.into(),
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(items) => items.into_iter().map(expected).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (key, expected(value))).collect())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn documents_are_read_as_the_crate_toml_reads_them(
        statements in proptest::collection::vec(statement(), 0..8),
    ) {
        let text = statements.concat();
        let theirs = toml::from_str::<toml::Table>(&text);
        match (to_json(text.as_bytes(), 1 << 20), theirs) {
            (Ok(made), Ok(table)) => {
                let ours: Value = serde_json::from_slice(&made.json).unwrap();
                prop_assert_eq!(ours, expected(table.into()), "{}", text);
            }
            (Err(_), Err(_)) => {}
            // A dotted key must not extend an item of an array of tables; `toml` lets some.
            (Err(error), Ok(_)) => prop_assert!(error.to_string().contains("cannot be extended"), "{}\n{}", text, error),
            (Ok(_), Err(error)) => prop_assert!(false, "{}\n{}", text, error),
        }
    }

    #[test]
    fn any_text_becomes_json_or_is_refused(
        lines in proptest::collection::vec("[\\[\\]{}a.=\"'#\\\\ 1\\-e:,\n\r\u{0}é]{0,20}", 0..10),
        max in 0usize..300,
    ) {
        let text = lines.join("\n");
        reader::read(&text);
        outline(text.as_bytes());
        if let Ok(made) = to_json(text.as_bytes(), max) {
            prop_assert!(made.json.len() <= max && serde_json::from_slice::<Value>(&made.json).is_ok());
        }
        let view = truncate(&text, 64);
        prop_assert!(text.len() <= 64 || view.len() <= 64);
    }
}
