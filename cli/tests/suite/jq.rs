//! `tuckaway jq` as people use jq. The expected outputs are from jq 1.6 and 1.7, but numbers keep
//! their original digits.

use crate::test_dir::TestDir;

#[test]
fn variables_come_from_the_command_line() {
    let dir = TestDir::new();
    dir.write("data.json", r#"[{"user": "ann", "n": 1}, {"user": "bo", "n": 2}]"#);
    let jq = |arguments: &[&str]| dir.run(&[&["jq", "-c"], arguments].concat());
    let select = ".[] | select(.user == $who) | .n";
    assert_eq!(jq(&["--arg", "who", "bo", select, "data.json"]).ok(), "2\n");
    assert_eq!(jq(&[select, "data.json", "--arg", "who", "ann"]).ok(), "1\n");
    // Text is never part of the filter.
    let hostile = "\\(env) \" | error # é\n";
    let expected = format!("{}\n", serde_json::to_string(hostile).unwrap());
    assert_eq!(jq(&["-n", "--arg", "x", hostile, "$x"]).ok(), expected);
    assert_eq!(jq(&["-n", "--arg", "x", "-1", "--argjson", "y", "-1", "[$x,$y]"]).ok(), "[\"-1\",-1]\n");
    // As in jq, the first of a name counts.
    assert_eq!(jq(&["-n", "--arg", "x", "1", "--arg", "x", "2", "$x"]).ok(), "\"1\"\n");
    let all = ["-n", "$ARGS", "--arg", "x", "1", "--argjson", "y", r#"{"z":2}"#, "--args", "a", "b"];
    let expected = "{\"positional\":[\"a\",\"b\"],\"named\":{\"x\":\"1\",\"y\":{\"z\":2}}}\n";
    assert_eq!(jq(&all).ok(), expected);
    // Without an operand before --args, the first one after it is the filter.
    assert_eq!(jq(&["-n", "--args", "$ARGS.positional", "a"]).ok(), "[\"a\"]\n");
    assert_eq!(jq(&["-n", "$ARGS.positional", "--jsonargs", "1", "\"q\"", "-2"]).ok(), "[1,\"q\",-2]\n");
    assert!(
        jq(&["-n", "1", "--argjson", "y", "ann"])
            .error(2)
            .starts_with("the value of --argjson y is not JSON")
    );
    assert!(jq(&["-n", "$y", "--arg", "x", "1"]).error(3).contains("`$y` is not defined"));
}

#[test]
fn a_filter_has_at_most_eight_variables_and_any_number_of_arguments() {
    let dir = TestDir::new();
    let names: Vec<String> = (0..9).map(|n| format!("v{n}")).collect();
    let arguments: Vec<&str> = names.iter().flat_map(|name| ["--arg", name, "x"]).collect();
    let sum = names.iter().map(|name| format!("${name}")).collect::<Vec<_>>().join("+");
    let error = dir.run(&[&["jq", "-n", &sum], &*arguments].concat()).error(2);
    assert_eq!(
        error,
        "the filter uses 9 variables from outside, and can use 8; pass several values as one object, with --argjson, or use $ARGS.named"
    );
    // Only variables that the filter uses are counted.
    assert_eq!(dir.run(&[&["jq", "-n", "$v8"], &*arguments].concat()).ok(), "\"x\"\n");
    let named = dir.run(&[&["jq", "-n", "$ARGS.named | length"], &*arguments].concat());
    assert_eq!(named.ok(), "9\n");
}

#[test]
fn variables_come_from_files() {
    let dir = TestDir::new();
    dir.write("many.json", "1.50 {\"a\": 2}\n");
    dir.write("one.json", "[3]");
    dir.write("text.txt", "a \"b\"\nc");
    let jq = |arguments: &[&str]| dir.run(&[&["jq", "-nc"], arguments].concat());
    assert_eq!(jq(&["$m", "--slurpfile", "m", "many.json"]).ok(), "[1.50,{\"a\":2}]\n");
    assert_eq!(jq(&["$m", "--slurpfile", "m", "one.json"]).ok(), "[[3]]\n");
    assert_eq!(jq(&["$t", "--rawfile", "t", "text.txt"]).ok(), "\"a \\\"b\\\"\\nc\"\n");
    assert!(jq(&["$t", "--slurpfile", "t", "text.txt"]).error(2).starts_with("text.txt is not JSON"));
    assert!(jq(&["$t", "--rawfile", "t", "./gone"]).error(2).starts_with("cannot read ./gone"));
    dir.write("filter.jq", "# a comment\ndef f: . + 1;\n.[0] | f");
    assert_eq!(dir.run(&["jq", "-f", "filter.jq", "one.json"]).ok(), "4\n");
    assert_eq!(dir.pipe(b"[1]", &["jq", "--from-file", "filter.jq"]).ok(), "2\n");
}

#[test]
fn several_files_are_one_stream() {
    let dir = TestDir::new();
    dir.write("a.json", "{\"n\": 1}");
    dir.write("b.json", "{\"n\": 2}\n{\"n\": 3}\n");
    let id = dir.put("t", b"{\"n\": 4}");
    let jq = |arguments: &[&str]| dir.run(&[&["jq", "-c"], arguments, &["a.json", "b.json", &id]].concat());
    assert_eq!(jq(&[".n"]).out(), "1\n2\n3\n4\n");
    assert_eq!(jq(&["-s", "map(.n)"]).out(), "[1,2,3,4]\n");
    assert_eq!(jq(&["-n", "[inputs.n] | add"]).out(), "10\n");
    assert!(jq(&["input_filename"]).error(2).contains("run `tuckaway jq` once for each of them"));
    let gone = dir.run(&["jq", ".", "a.json", "b.json", "./gone"]);
    assert!(gone.error(2).starts_with("cannot read ./gone"));
}

#[test]
fn lines_and_events_are_inputs() {
    let dir = TestDir::new();
    let raw = |arguments: &[&str], input: &[u8]| dir.pipe(input, &[&["jq", "-c"], arguments].concat());
    assert_eq!(raw(&["-R", "."], b"a \"b\"\n\n[c").ok(), "\"a \\\"b\\\"\"\n\"\"\n\"[c\"\n");
    assert_eq!(raw(&["-R", "."], b"alone").ok(), "\"alone\"\n");
    assert_eq!(raw(&["-Rs", "."], b"a\nb\n").ok(), "\"a\\nb\\n\"\n");
    assert_eq!(raw(&["-Rn", "[inputs]"], b"a\nb\n").ok(), "[\"a\",\"b\"]\n");
    assert_eq!(raw(&["-Rr", "split(\",\")[1]"], b"a,b\nc,d\n").ok(), "b\nd\n");
    let events = "[[\"a\",0],1]\n[[\"a\",1],2]\n[[\"a\",1]]\n[[\"a\"]]\n";
    assert_eq!(raw(&["--stream", "."], b"{\"a\": [1, 2]}").ok(), events);
    assert!(
        raw(&["--stream", "-n", "inputs"], b"1")
            .error(2)
            .ends_with("write `inputs | tostream` in the filter")
    );
}

#[test]
fn layouts_are_those_of_jq() {
    let dir = TestDir::new();
    dir.write("data.json", r#"{"b": [1.50, "é"], "a": null}"#);
    let jq = |arguments: &[&str]| dir.run(&[&["jq"], arguments, &["data.json"]].concat()).ok();
    assert_eq!(jq(&["-S", "."]), "{\n  \"a\": null,\n  \"b\": [\n    1.50,\n    \"é\"\n  ]\n}\n");
    assert_eq!(jq(&["-cS", "."]), "{\"a\":null,\"b\":[1.50,\"é\"]}\n");
    assert_eq!(jq(&["--tab", ".b"]), "[\n\t1.50,\n\t\"é\"\n]\n");
    assert_eq!(jq(&["--indent", "4", ".b"]), "[\n    1.50,\n    \"é\"\n]\n");
    assert_eq!(jq(&["--indent", "0", ".b"]), "[1.50,\"é\"]\n");
    assert_eq!(jq(&["-ac", "."]), "{\"b\":[1.50,\"\\u00e9\"],\"a\":null}\n");
    assert_eq!(jq(&["-j", ".b[]"]), "1.50é");
    let colored = "\u{1b}[1;39m[\u{1b}[0m\u{1b}[0;39m1.50\u{1b}[0m\u{1b}[1;39m]\u{1b}[0m\n";
    assert_eq!(jq(&["-cC", ".b[:1]"]), colored);
    assert_eq!(jq(&["-cM", ".b[:1]"]), "[1.50]\n");
    let refused = dir.run(&["jq", "-S", ".", "data.json", "--max-bytes", "1K"]);
    assert!(
        refused.status == 2 && refused.stderr.contains("cannot be used with '--max-bytes"),
        "{}",
        refused.stderr
    );
    assert_eq!(dir.run(&["jq", ".", "data.json", "--indent", "8"]).status, 2);
}

#[test]
fn the_last_output_sets_the_status() {
    let dir = TestDir::new();
    for (filter, out, status) in
        [("true", "true\n", 0), ("1, null", "1\nnull\n", 1), ("false", "false\n", 1), ("empty", "", 4)]
    {
        assert_eq!(dir.run(&["jq", "-n", "-e", filter]).quiet(status), out, "{filter}");
        assert_eq!(dir.run(&["jq", "-n", filter]).ok(), out, "{filter}");
    }
    // The text null is not the value.
    assert_eq!(dir.run(&["jq", "-nre", "\"null\""]).ok(), "null\n");
    assert!(dir.run(&["jq", "-ne", "error(\"no\")"]).error(5).contains("no"));
}

#[test]
fn the_clock_the_environment_and_the_file_name_are_the_callers() {
    let dir = TestDir::new();
    dir.write("data.json", "{}");
    let jq = |arguments: &[&str]| {
        let mut command = dir.command(&[&["jq", "-r"], arguments].concat());
        command.env("TUCKAWAY_TEST", "a \"value\"");
        crate::test_dir::Outcome::of(command.output().unwrap())
    };
    assert_eq!(jq(&["-n", "env.TUCKAWAY_TEST, $ENV.TUCKAWAY_TEST"]).ok(), "a \"value\"\na \"value\"\n");
    assert_eq!(jq(&["input_filename", "data.json"]).ok(), "data.json\n");
    assert_eq!(dir.pipe(b"{}", &["jq", "input_filename"]).ok(), "null\n");
    let seconds = || std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    let (before, now) = (seconds(), jq(&["-n", "now"]).ok().trim().parse::<f64>().unwrap());
    assert!((before..=seconds()).contains(&now), "{now}");
    assert_eq!(jq(&["-n", "def f: now; f == now"]).ok(), "true\n");
    assert!(jq(&["-n", "now", "--max-bytes", "1K"]).error(2).contains("pass --argjson now"));
    assert!(jq(&["input_line_number", "data.json"]).error(3).contains("use grep for line numbers"));
}

#[test]
fn without_inputs_nothing_is_read() {
    let dir = TestDir::new();
    // A broken document on standard input is not read.
    assert_eq!(dir.pipe(b"{", &["jq", "-n", "1 + 1"]).ok(), "2\n");
    assert_eq!(dir.pipe(b"[5]", &["jq", "-n", "-c", "input"]).ok(), "[5]\n");
}
