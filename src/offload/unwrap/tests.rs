use super::*;

/// The text, media type and label of a part.
type PartSummary = (String, Option<String>, Option<String>);

fn summaries(text: &str) -> Option<Vec<PartSummary>> {
    let parts = unwrap(text.as_bytes())?.parts;
    let summary = |part: Part<'_>| {
        (part.as_text().into_owned(), part.media_type.as_deref().map(str::to_owned), part.label.clone())
    };
    Some(parts.into_iter().map(summary).collect())
}

fn plain(text: &str) -> PartSummary {
    (text.to_owned(), None, None)
}

fn typed(text: &str, media_type: &str) -> PartSummary {
    (text.to_owned(), Some(media_type.to_owned()), None)
}

#[test]
fn unwraps_results() {
    assert_eq!(
        summaries(
            r#"{"content": [{"type": "text", "text": "a\n\"b\""}, {"text": "c", "annotations": {"priority": 1}, "type": "text"}]}"#
        ),
        Some(vec![plain("a\n\"b\""), plain("c")])
    );
    assert_eq!(
        summaries(
            r#" {"_meta": {"x": [{}]}, "isError": false, "content": [{"type": "image", "data": "iVBO\/w==", "mimeType": "image/png"}]}"#
        ),
        Some(vec![typed("\u{FFFD}PN\u{FFFD}", "image/png")])
    );
    let resources = r#"{"content": [
        {"type": "resource", "resource": {"uri": "file:///a\n.rs", "mimeType": "text/x-rust", "text": "fn a() {}"}},
        {"type": "resource", "resource": {"uri": "mem://b", "blob": "YWI="}},
        {"type": "resource_link", "uri": "https://x.test/c", "name": "c"}
    ]}"#;
    assert_eq!(
        summaries(resources),
        Some(vec![
            ("fn a() {}".into(), Some("text/x-rust".into()), Some("[resource file:///a.rs]".into())),
            ("ab".into(), None, Some("[resource mem://b]".into())),
            typed(r#"{"type": "resource_link", "uri": "https://x.test/c", "name": "c"}"#, "application/json"),
        ])
    );
}

#[test]
fn unwraps_structured_content_once() {
    let twice = r#"{"content":[{"type":"text","text":"{ \"n\": 1 }"}],"structuredContent":{"n":1}}"#;
    assert_eq!(summaries(twice), Some(vec![typed(r#"{ "n": 1 }"#, "application/json")]));
    let more = r#"{"content":[{"type":"text","text":"one row"}],"structuredContent":{"n":1}}"#;
    assert_eq!(summaries(more), Some(vec![plain("one row"), typed(r#"{"n":1}"#, "application/json")]));
    let alone = r#"{"content":[],"structuredContent":{"n":1}}"#;
    assert_eq!(summaries(alone), Some(vec![typed(r#"{"n":1}"#, "application/json")]));
    let list = r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"{\"b\":2}"}],"structuredContent":{"result":["a",{"b":2}]}}"#;
    assert_eq!(summaries(list), Some(vec![typed(r#"{"result":["a",{"b":2}]}"#, "application/json")]));
}

#[test]
fn reports_errors() {
    let result = |flag: &str| {
        unwrap(format!(r#"{{"content":[{{"type":"text","text":"no"}}],"isError":{flag}}}"#).as_bytes())
    };
    assert!(result("true").unwrap().is_error);
    assert!(!result("false").unwrap().is_error);
    assert!(result("1").is_none());
}

#[test]
fn unwraps_content_parts_of_providers() {
    assert_eq!(
        summaries(
            r#"[{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, {"type": "input_text", "text": "b"}]"#
        ),
        Some(vec![plain("a"), plain("b")])
    );
    let images = r#"[
        {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "R0lG"}},
        {"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lG"}},
        {"type": "input_image", "image_url": "data:image/gif;base64,R0lG", "detail": "low"},
        {"type": "input_image", "image_url": "https://x.test/a.gif"}
    ]"#;
    let gif = || typed("GIF", "image/gif");
    let link = r#"{"type": "input_image", "image_url": "https://x.test/a.gif"}"#;
    assert_eq!(summaries(images), Some(vec![gif(), gif(), gif(), typed(link, "application/json")]));
}

#[test]
fn keeps_lone_surrogates_and_invalid_bytes() {
    let parts = unwrap(br#"[{"type":"text","text":"\ud800|\ud83d\ude00"}]"#).unwrap().parts;
    assert_eq!(parts[0].as_bytes(), b"\xED\xA0\x80|\xF0\x9F\x98\x80");
    let parts = unwrap(b"[{\"type\":\"text\",\"text\":\"caf\xE9\"}]").unwrap().parts;
    assert_eq!(parts[0].as_bytes(), b"caf\xE9");
}

#[test]
fn keeps_other_json_wrapped() {
    for text in [
        "",
        "[]",
        "{}",
        "[{}]",
        r#"{"content": []}"#,
        r#"{"content": "text"}"#,
        r#"{"content": [{"type": "text", "text": "a"}], "id": 1}"#,
        r#"{"content": [{"type": "text", "text": "a"}], "content": []}"#,
        r#"{"content": [{"type": "text", "text": "a"}]} {}"#,
        r#"{"content": [{"type": "text", "text": "a"}]"#,
        r#"{"isError": true}"#,
        r#"{"structuredContent": {"a": 1}}"#,
        r#"[{"type": "text", "text": "a", "marks": []}]"#,
        r#"[{"type": "text", "text": 1}]"#,
        r#"[{"type": "text", "text": "a", "text": "b"}]"#,
        r#"[{"type": "text"}]"#,
        r#"[{"type": "Feature", "text": "a"}]"#,
        r#"[{"type": "text", "text": "a"}, 1]"#,
        r#"[{"type": "image", "data": "no base64!", "mimeType": "image/png"}]"#,
        r#"[{"type": "image", "data": "R0lG"}]"#,
        r#"[{"type": "resource", "resource": {"uri": "a", "text": "b", "blob": "R0lG"}}]"#,
        r#"[{"type": "image_url", "image_url": {"url": "data:image/gif,R0lG"}}]"#,
    ] {
        assert!(summaries(text).is_none(), "{text}");
    }
}
