use super::*;
use crate::inspect::Table;
use crate::truncate::lines::Middle;
use proptest::prelude::*;
use serde_json::{Value, json};

fn cut(text: &str, max: usize) -> String {
    truncate(text, max, &mut Middle::default(), &Table)
}

#[test]
fn the_middle_of_an_array_is_cut() {
    let rows: Vec<_> = (1..=500).map(|id| json!({"id": id, "name": format!("row {id}")})).collect();
    // The order of members is that of the text, whatever serde_json would make it.
    let text = format!(r#"{{"rows":{},"next_cursor":"abc"}}"#, json!(rows));
    let view = cut(&text, 512);
    assert_eq!(
        view,
        r#"{"rows": [{"id":1,"name":"row 1"}, {"id":2,"name":"row 2"}, {"id":3,"name":"row 3"}, {"id":4,"name":"row 4"}, {"id":5,"name":"row 5"}, {"id":6,"name":"row 6"}, {"id":7,"name":"row 7"}, "... [truncated 486 of 500 elements, 12.9 KB; head and tail preserved] ...", {"id":494,"name":"row 494"}, {"id":495,"name":"row 495"}, {"id":496,"name":"row 496"}, {"id":497,"name":"row 497"}, {"id":498,"name":"row 498"}, {"id":499,"name":"row 499"}, {"id":500,"name":"row 500"}], "next_cursor": "abc"}"#
    );
}

#[test]
fn text_in_a_string_is_cut_as_its_kind() {
    let progress =
        |from| (from..from + 200).map(|n| format!("   Compiling dep-{n} v1.0.{n}\n")).collect::<String>();
    let log = progress(0) + "error[E0308]: mismatched types\n  --> src/cart.rs:31:12\n" + &progress(200);
    let text = json!({"exit_code": 101, "stdout": log}).to_string();
    let view: Value = serde_json::from_str(&cut(&text, 700)).unwrap();
    assert!(
        view["stdout"].as_str().unwrap().contains("error[E0308]: mismatched types\n  --> src/"),
        "{view}"
    );
    assert_eq!(view["exit_code"], json!(101));
}

#[test]
fn long_strings_are_cut_inside() {
    let text = json!({"ok": false, "log": "é\n".repeat(2_000), "code": 7}).to_string();
    let view: Value = serde_json::from_str(&cut(&text, 512)).unwrap();
    assert_eq!((&view["ok"], &view["code"]), (&json!(false), &json!(7)));
    assert!(
        view["log"].as_str().unwrap().contains("\n... [truncated 5.7 KB; head and tail preserved] ...\n"),
        "{view}"
    );
}

#[test]
fn base64_is_replaced_first() {
    let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAC10".to_owned() + &"Zm9vYmFyMTIzNDU2Nzg5Z3V2".repeat(60);
    let text = json!({"name": "a", "content": picture, "url": format!("data:image/png;base64,{picture}")})
        .to_string();
    let view: Value = serde_json::from_str(&cut(&text, 512)).unwrap();
    assert_eq!(view["content"], json!("[base64 of PNG image: 640 x 480, 8-bit RGBA, 1.1 KB, not shown]"));
    assert_eq!(view["content"], view["url"]);
    assert_eq!(view["name"], json!("a"));
}

#[test]
fn json_in_a_string_stays_json() {
    let rows: Vec<_> = (0..200).map(|id| json!({"id": id, "name": format!("row {id}")})).collect();
    let text = json!({"status": 200, "body": json!({"rows": rows}).to_string()}).to_string();
    for max in [512, 700, 3_000] {
        let view = cut(&text, max);
        assert!(view.len() <= max && view.len() > max / 2, "{view}");
        let view: Value = serde_json::from_str(&view).unwrap();
        let body: Value = serde_json::from_str(view["body"].as_str().unwrap()).unwrap();
        assert!(body["rows"].as_array().unwrap().len() > 3, "{body}");
    }
}

#[test]
fn white_space_is_removed_first() {
    let pretty = format!("{:#}", json!({"a": [1, 2], "b": "c d"}));
    assert_eq!(cut(&pretty, pretty.len() - 1), r#"{"a":[1,2],"b":"c d"}"#);
}

#[test]
fn documents_in_a_row_stay_documents() {
    let text: String = (0..500).map(|id| format!("{{\"id\": {id}}}\n")).collect();
    let view = cut(&text, 512);
    assert!(view.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{view}");
    assert!(view.ends_with("{\"id\":499}\n"));
}

#[test]
fn rows_that_report_errors_are_kept() {
    let row = |id| {
        let level = if id == 278 { "ERROR" } else { "INFO" };
        format!(r#"{{"id":{id},"level":"{level}","msg":"request {id}"}}"#)
    };
    let rows: Vec<_> = (0..500).map(row).collect();
    for text in [rows.join("\n"), format!("[{}]", rows.join(","))] {
        let view = cut(&text, 700);
        assert!(view.len() <= 700 && [0, 278, 499].iter().all(|&id| view.contains(&row(id))), "{view}");
        assert_eq!(view.matches(" of 500 ").count(), 2, "{view}");
    }
}

#[test]
fn members_that_report_errors_are_kept() {
    let filler = |from: usize| {
        (from..from + 20)
            .map(|n| format!(r#""member_{n}":"{}","errors_{n}":0"#, "words ".repeat(9)))
            .collect::<Vec<_>>()
            .join(",")
    };
    let kept = [r#""status":"failed""#, r#""failure_code":"E42""#];
    let text = format!("{{{},{},{}}}", filler(0), kept.join(","), filler(20));
    let view = cut(&text, 700);
    assert!(view.len() <= 700 && serde_json::from_str::<Value>(&view).is_ok(), "{view}");
    let at = |part: &str| view.find(&part.replace("\":", "\": ")).expect(part);
    assert!(
        at(kept[0]) < at(kept[1]) && view.contains("member_0\"") && view.contains("errors_39\""),
        "{view}"
    );
}

#[test]
fn an_error_that_does_not_fit_takes_no_space_from_the_ends() {
    let row = |level: &str| format!(r#"{{"level":"{level}","msg":"{}"}}"#, "words ".repeat(70));
    let rows = |errors| (0..40).map(|n| row(if n == 20 { errors } else { "INFO" })).collect::<Vec<_>>();
    for max in [270, 300, 512, 800, 1_000, 2_000] {
        let kept = |errors| {
            let view = cut(&format!("[{}]", rows(errors).join(",")), max);
            (view.matches("INFO").count(), view.matches("ERROR").count())
        };
        let ((plain, _), (others, errors)) = (kept("INFO"), kept("ERROR"));
        assert!(
            others + errors >= plain.min(2) && others + 2 * errors >= plain,
            "{max}: {plain} {others} {errors}"
        );
    }
}

#[test]
fn deep_documents_are_bounded() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let view = cut(&deep, 600);
    assert!(view.len() <= 600 && serde_json::from_str::<Value>(&view).is_ok(), "{view}");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,80}".prop_map(Value::from),
        "[\"\\\\\n\u{1}]{0,60}".prop_map(Value::from),
        "[a-z]{300}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 120, 24, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..24).prop_map(Value::from),
            proptest::collection::btree_map("\\PC{0,12}", inner, 0..24)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn views_parse_and_are_bounded(value in any_json(), max in 5usize..2_000, pretty in any::<bool>()) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        prop_assume!(text.len() > max);
        let view = cut(&text, max);
        prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
        prop_assert!(serde_json::from_str::<Value>(&view).is_ok(), "{}", view);
    }
}

fn outlined(text: &str) -> Value {
    let facts = crate::Facts::default();
    let outline = crate::inspect(text.as_bytes(), &facts).to_json(4_096, &crate::Layout::ONE_LINE);
    serde_json::from_str(&outline).unwrap()
}

#[test]
fn short_values_at_the_top_are_shown() {
    let outline = outlined(
        r#"{"success": false, "failed": 3, "status": "error", "token": "a\"b", "none": null, "rows": [1]}"#,
    );
    assert_eq!(outline["success"], "boolean, false");
    assert_eq!(outline["failed"], "integer, 3");
    assert_eq!(outline["status"], "string, error");
    assert_eq!(outline["token"], "string");
    assert_eq!(outline["none"], "null");
    let many: String = (0..30).map(|n| format!("\"k{n}\": {n}, ")).collect();
    assert_eq!(outlined(&format!("{{{many}\"ok\": true}}"))["ok"], "boolean");
}

#[test]
fn a_source_that_has_more_is_incomplete() {
    for (text, source) in [
        (r#"{"rows": [1, 2], "has_more": true}"#, json!("incomplete: has_more is true")),
        (r#"{"rows": [1, 2], "next_cursor": "abc"}"#, json!("incomplete: next_cursor is abc")),
        (r#"{"rows": [1, 2], "page": 1, "total": 1900}"#, json!("incomplete: 2 of 1900")),
        (
            r#"{"count": 9, "next": "https://example.org/rows?page=2&per_page=100", "results": [1]}"#,
            json!("incomplete: 1 of 9"),
        ),
        (
            r#"{"NextToken": "eyJtIjogMTIzLCAiayI6ICJhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eiJ9", "Items": []}"#,
            json!("incomplete: NextToken is eyJtIjogMTIzLCAiayI6ICJhYmNkZWZnaGlqa2xt…"),
        ),
        (r#"{"passed": 5, "total": 5, "failures": []}"#, Value::Null),
        (r#"{"total": 4200, "currency": "EUR", "lines": [{"a": 1}]}"#, Value::Null),
        (r#"{"rows": [1, 2], "total": 2, "has_more": false, "next_cursor": null}"#, Value::Null),
        (r#"{"rows": [1], "errors": [], "total": 9}"#, Value::Null),
    ] {
        assert_eq!(outlined(text)["source"], source, "{text}");
    }
}
