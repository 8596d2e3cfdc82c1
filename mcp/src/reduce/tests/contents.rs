use base64::prelude::*;
use serde_json::{Value, json};

use super::{Fixture, LINKS, NO_LINKS, large, text, words};

#[tokio::test]
async fn small_resources_and_malformed_results_are_the_same_value() {
    let fixture = Fixture::new();
    for result in [
        json!({ "contents": [] }),
        json!({ "contents": [{ "uri": "a:b", "text": "short" }], "ttlMs": 5 }),
        json!({ "contents": [{ "uri": "a:b", "text": words(3_000) }, { "uri": "a:c", "blob": BASE64_STANDARD.encode(words(3_000).as_bytes()) }] }),
        json!({ "contents": [{ "uri": "a:b", "mimeType": "image/png", "blob": BASE64_STANDARD.encode([0; 500_000]) }] }),
        json!({ "contents": large() }),
        json!({ "contents": [{ "uri": "a:b", "text": large() }, { "uri": "a:c" }] }),
        json!({ "contents": [large()] }),
        json!([large()]),
    ] {
        assert_eq!(fixture.reducer.resource_result("a:b", result.clone(), LINKS).await, result);
    }
}

#[tokio::test]
async fn a_large_resource_keeps_its_address() {
    let fixture = Fixture::new();
    let blob = BASE64_STANDARD.encode(large().as_bytes());
    let result = json!({ "contents": [
        { "uri": "a:small", "text": "short" },
        { "uri": "a:b", "mimeType": "text/csv", "blob": blob, "_meta": { "a": 1 } },
        { "uri": "a:image", "mimeType": "image/png", "blob": "AAAA" },
        { "uri": "a:text", "text": large() },
    ]});
    let reduced = fixture.reducer.resource_result("a:b", result.clone(), LINKS).await;
    let contents = reduced["contents"].as_array().unwrap();
    assert_eq!((&contents[0], &contents[2]), (&result["contents"][0], &result["contents"][2]));
    let artifacts = fixture.artifacts().await;
    for (index, artifact) in [(1, &artifacts[0]), (3, &artifacts[1])] {
        assert_eq!(contents[index]["uri"], result["contents"][index]["uri"]);
        assert_eq!(contents[index]["mimeType"], "text/plain");
        assert!(contents[index]["text"].as_str().unwrap().contains(&artifact.id));
        assert!(contents[index].get("blob").is_none());
        assert_eq!(artifact.tool, "resources/read");
    }
    assert_eq!(contents[1]["_meta"], json!({ "a": 1 }));
    assert_eq!(fixture.stored(0).await, large().as_bytes());
}

#[tokio::test]
async fn contents_share_the_cap() {
    let fixture = Fixture::new();
    // Eight contents fit the cap, nine do not.
    let of = |count: usize| {
        let contents: Vec<Value> =
            (0..count).map(|n| json!({ "uri": format!("a:{n}"), "text": words(3_000) })).collect();
        json!({ "contents": contents })
    };
    assert_eq!(fixture.reducer.resource_result("a:b", of(8), LINKS).await, of(8));
    let reduced = fixture.reducer.resource_result("a:b", of(9), LINKS).await;
    let contents = reduced["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 9);
    let total: usize = contents.iter().map(|entry| entry["text"].as_str().unwrap().len()).sum();
    assert!((100_000..=125_000).contains(&total), "{total}");
}

#[tokio::test]
async fn many_contents_are_stored_as_one() {
    let fixture = Fixture::new();
    let mut contents: Vec<Value> =
        (0..3_000).map(|n| json!({ "uri": format!("a:{n}"), "text": words(100) })).collect();
    let image = json!({ "uri": "a:image", "mimeType": "image/png", "blob": "AAAA" });
    contents.insert(0, image.clone());
    contents.insert(7, image.clone());
    let reduced = fixture.reducer.resource_result("a:b", json!({ "contents": contents }), LINKS).await;
    let left = reduced["contents"].as_array().unwrap();
    assert_eq!((left.len(), &left[0], &left[2], &left[1]["uri"]), (3, &image, &image, &json!("a:0")));
    let stored = String::from_utf8(fixture.stored(0).await).unwrap();
    assert_eq!(stored.lines().count(), 3_000);
    assert_eq!(serde_json::from_str::<Value>(stored.lines().last().unwrap()).unwrap()["uri"], "a:2999");
}

#[tokio::test]
async fn messages_of_a_prompt_keep_their_role_and_place() {
    let fixture = Fixture::new();
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let resource = json!({ "type": "resource", "resource": { "uri": "a:b", "text": large() } });
    let result = json!({ "description": "d", "messages": [
        { "role": "user", "content": text("Review this:") },
        { "role": "user", "content": resource },
        { "role": "assistant", "content": image },
        { "role": "assistant", "content": [text("Again:"), image, text(&large())], "x": 1 },
    ]});
    let reduced = fixture.reducer.prompt_result("review", result.clone(), LINKS).await;
    let messages = reduced["messages"].as_array().unwrap();
    assert_eq!((&messages[0], &messages[2]), (&result["messages"][0], &result["messages"][2]));
    assert_eq!((&messages[1]["role"], &messages[1]["content"]["type"]), (&json!("user"), &json!("text")));
    let artifacts = fixture.artifacts().await;
    assert!(messages[1]["content"]["text"].as_str().unwrap().contains(&artifacts[0].id));
    let list = messages[3]["content"].as_array().unwrap();
    assert_eq!((&list[1], &list[2]["type"]), (&image, &json!("resource_link")));
    assert_eq!((&messages[3]["role"], &messages[3]["x"]), (&json!("assistant"), &json!(1)));
    assert_eq!(artifacts[0].tool, "prompts/get");

    let reduced = fixture.reducer.prompt_result("review", result.clone(), NO_LINKS).await;
    assert_eq!(reduced["messages"][3]["content"].as_array().unwrap().len(), 2);
    for same in [
        json!({ "messages": [{ "role": "user", "content": large() }] }),
        json!({ "messages": [{}] }),
        json!(5),
    ] {
        assert_eq!(fixture.reducer.prompt_result("review", same.clone(), LINKS).await, same);
    }
}
