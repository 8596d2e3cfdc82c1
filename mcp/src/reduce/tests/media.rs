use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tuckaway_host::{Dialect, MAX_MEDIA_BYTES};

use super::{Fixture, LINKS, NO_LINKS, text};

const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\xff";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x05\0\0\0\x02\xd0\x08\x06\0\0\0";

async fn read(fixture: &Fixture, arguments: Value) -> Value {
    fixture.reducer.call_artifact_tool("artifact_read", &arguments, LINKS).await
}

#[tokio::test]
async fn an_image_is_an_item() {
    let fixture = Fixture::new();
    let id = fixture.put_as("image/png", PNG).await;
    let shown = json!({
        "content": [
            text("The artifact is an image (image/png, 29 bytes). To read its bytes, pass start_byte and end_byte."),
            { "type": "image", "data": BASE64.encode(PNG), "mimeType": "image/png" },
        ],
        "isError": false,
    });
    assert_eq!(read(&fixture, json!({ "artifact_id": id })).await, shown);
    assert_eq!(read(&fixture, json!({ "artifact_id": format!("tuckaway://{id}") })).await, shown);
    // An image has no lines; models pass defaults.
    let defaults =
        json!({ "artifact_id": id, "start_line": 1, "end_line": 100, "start_byte": 0, "cursor": "" });
    assert_eq!(read(&fixture, defaults).await, shown);
}

#[tokio::test]
async fn bytes_of_an_image_are_text() {
    let fixture = Fixture::new();
    let id = fixture.put_as("image/png", PNG).await;
    let page = read(&fixture, json!({ "artifact_id": id, "start_byte": 0, "end_byte": 16 })).await;
    assert_eq!(page["content"].as_array().unwrap().len(), 1);
    let page = page["content"][0]["text"].as_str().unwrap();
    assert!(page.ends_with("[this is not text: PNG image]"), "{page}");
    let arguments = json!({ "artifact_id": id, "pattern": "IHDR" });
    let found = fixture.reducer.call_artifact_tool("artifact_grep", &arguments, LINKS).await;
    assert_eq!(found["isError"], true);
}

#[tokio::test]
async fn every_dialect_returns_images() {
    let calls = [
        (Dialect::Cache, "tool_output_cache", json!({ "ref_id": "ID" })),
        (Dialect::File, "read_large_output", json!({ "filename": "ID", "start": 0, "end": 10_000 })),
        // Any other call of this tool needs a model.
        (Dialect::Handle, "tool_output", json!({ "handle": "ID", "extract": "What does it show?" })),
    ];
    for (dialect, tool, arguments) in calls {
        let fixture = Fixture::with_dialect(dialect);
        let id = fixture.put_as("image/png", PNG).await;
        let arguments = serde_json::from_str(&arguments.to_string().replace("ID", &id)).unwrap();
        let shown = fixture.reducer.call_artifact_tool(tool, &arguments, LINKS).await;
        assert_eq!(shown["content"][1]["type"], "image", "{tool}: {shown}");
    }
}

#[tokio::test]
async fn the_type_is_that_of_the_bytes() {
    let fixture = Fixture::new();
    let id = fixture.put_as("image/jpeg", PNG).await;
    let shown = read(&fixture, json!({ "artifact_id": id })).await;
    assert_eq!(shown["content"][1]["mimeType"], "image/png");
    // A provider would refuse what is no image, and every later request with it.
    let id = fixture.put_as("image/png", b"https://example.org/a.png").await;
    let shown = read(&fixture, json!({ "artifact_id": id })).await;
    assert!(shown["content"][0]["text"].as_str().unwrap().contains("https://example.org/a.png"));
    assert_eq!(shown["content"].as_array().unwrap().len(), 1);
    // A text that begins like a PDF document is a text.
    let id = fixture.put(b"%PDF-1.7 is how a PDF document begins").await;
    let shown = read(&fixture, json!({ "artifact_id": id })).await;
    assert_eq!(shown["content"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_large_image_is_only_described() {
    let fixture = Fixture::new();
    let mut large = PNG.to_vec();
    large.resize(MAX_MEDIA_BYTES as usize, 0);
    let id = fixture.put_as("image/png", &large).await;
    assert_eq!(read(&fixture, json!({ "artifact_id": id })).await["content"][1]["type"], "image");
    large.push(0);
    let id = fixture.put_as("image/png", &large).await;
    let why = "The artifact is an image (image/png, 3932161 bytes). It is not shown, because a reply has files of at most 3932160 bytes. To read its bytes, pass start_byte and end_byte.";
    assert_eq!(
        read(&fixture, json!({ "artifact_id": id })).await,
        json!({ "content": [text(why)], "isError": false })
    );
}

#[tokio::test]
async fn documents_are_resources_and_recordings_audio() {
    let fixture = Fixture::new();
    let id = fixture.put_as("application/pdf", PDF).await;
    let resource = json!({
        "uri": format!("tuckaway://{id}"),
        "mimeType": "application/pdf",
        "blob": BASE64.encode(PDF),
    });
    let shown = read(&fixture, json!({ "artifact_id": id })).await;
    let why = "The artifact is a PDF document (application/pdf, 17 bytes). To read its bytes, pass start_byte and end_byte.";
    assert_eq!(shown["content"][0], text(why));
    assert_eq!(shown["content"][1], json!({ "type": "resource", "resource": resource }));
    let address = format!("tuckaway://{id}");
    let contents = fixture.reducer.read_artifact(&address).await.unwrap();
    assert_eq!(contents, json!({ "contents": [resource] }));

    let id = fixture.put_as("audio/mpeg", b"ID3\x04\0").await;
    let shown = read(&fixture, json!({ "artifact_id": id })).await;
    assert_eq!(shown["content"][1]["type"], "audio");
    let arguments = json!({ "artifact_id": id });
    let shown = fixture.reducer.call_artifact_tool("artifact_read", &arguments, NO_LINKS).await;
    assert_eq!(
        shown["content"][1],
        text("It is not played, because this client's revision of MCP has no audio.")
    );
}
