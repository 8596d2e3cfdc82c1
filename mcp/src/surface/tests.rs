use serde_json::{Value, json};
use tokio::runtime::Handle;
use tuckaway_host::Tuckaway;

use super::*;
use crate::reduce::ReduceSettings;

fn reducer(settings: ReduceSettings) -> Reducer {
    Reducer::new(Tuckaway::builder().build().unwrap(), Handle::current(), settings)
}

fn tool(name: &str) -> Value {
    json!({
        "name": name, "description": format!("Does {name}. Takes long."),
        "inputSchema": {
            "type": "object", "properties": { "path": { "type": "string", "description": "A path." } },
            "required": ["path"]
        },
        "outputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
        "_meta": { "anthropic/maxResultSizeChars": 100_000 }
    })
}

fn listed(surface: &Surface, reducer: &Reducer) -> Vec<Value> {
    surface.list(vec![(0, tool("git_log")), (1, tool("web_get"))], reducer, usize::MAX)
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn nothing_changes_without_a_level() {
    let surface = Surface::new(vec![Compression::Off; 2]);
    let reducer = reducer(ReduceSettings::default());
    assert_eq!(listed(&surface, &reducer), ["git_log", "web_get"].map(|name| reducer.listed(tool(name))));
    assert_eq!(surface.names(), [""; 0]);
    assert!(!surface.knows("git_log"));
}

#[tokio::test]
async fn the_low_level_lists_short_definitions() {
    let surface = Surface::new(vec![Compression::Low, Compression::Off]);
    let reducer =
        reducer(ReduceSettings { filtered_tools: vec!["*".to_owned()], ..ReduceSettings::default() });
    let tools = listed(&surface, &reducer);
    assert_eq!(names(&tools), ["git_log", "web_get", "get_tool_schema"]);
    assert_eq!(tools[0]["description"], "Does git_log.");
    assert_eq!(tools[0]["inputSchema"]["properties"]["path"], json!({ "type": "string" }));
    assert!(tools[0]["inputSchema"]["properties"]["_jq"]["description"].is_string());
    assert_eq!(tools[0].get("outputSchema"), None);
    assert_eq!(tools[1], reducer.listed(tool("web_get")));
    let short = Surface::new(vec![Compression::Low]);
    let bare = json!({ "name": "now", "description": "Now.", "inputSchema": { "type": "object", "properties": {} } });
    let shown = short.list(vec![(0, bare)], &reducer, usize::MAX);
    assert_eq!(names(&shown), ["now"], "there is nothing more to say about it");
}

#[tokio::test]
async fn from_the_medium_level_on_tools_are_lines() {
    let reducer = reducer(ReduceSettings::default());
    for (level, lines) in [
        (Compression::Medium, "git_log(path): Does git_log\nweb_get(path): Does web_get"),
        (Compression::High, "git_log(path)\nweb_get(path)"),
        (Compression::Max, "git_log, web_get"),
    ] {
        let surface = Surface::new(vec![level; 2]);
        let tools = listed(&surface, &reducer);
        assert_eq!(names(&tools), surface.names());
        let description = tools[1]["description"].as_str().unwrap();
        assert!(description.ends_with(&format!("first.\n\n{lines}")), "{description}");
        assert_eq!(tools[1]["inputSchema"]["properties"].get("_jq"), None);
        let hints = &tools[1]["annotations"];
        assert_eq!((&hints["readOnlyHint"], &hints["openWorldHint"]), (&json!(true), &json!(false)));
        assert_eq!(tools[1]["_meta"]["anthropic/maxResultSizeChars"], 100_000);
        assert_eq!(surface.all(), "git_log(path): Does git_log\nweb_get(path): Does web_get");
    }
    let surface = Surface::new(vec![Compression::Medium]);
    let tools = surface.list(vec![(0, tool("a")), (0, json!({ "name": "b" }))], &reducer, usize::MAX);
    let hints = &tools[1]["annotations"];
    assert_eq!(hints["readOnlyHint"], false, "one of them may write");
    assert_eq!((&hints["destructiveHint"], &hints["openWorldHint"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn a_description_stays_within_what_the_client_shows() {
    let surface = Surface::new(vec![Compression::Medium]);
    let reducer = reducer(ReduceSettings::default());
    let many = (0..500).map(|number| (0, tool(&format!("tool_{number}")))).collect();
    let tools = surface.list(many, &reducer, 2_048);
    let description = tools[1]["description"].as_str().unwrap();
    assert!(description.len() <= 2_048, "{}", description.len());
    assert!(description.ends_with("more: get_tool_schema without tool_name lists all"), "{description}");
}

#[tokio::test]
async fn definitions_are_those_of_direct_calls() {
    let surface = Surface::new(vec![Compression::Max; 2]);
    let reducer =
        reducer(ReduceSettings { filtered_tools: vec!["*".to_owned()], ..ReduceSettings::default() });
    listed(&surface, &reducer);
    let shown: Value = serde_json::from_str(&surface.definition("git_log").unwrap()).unwrap();
    let full = reducer.listed(tool("git_log"));
    for member in ["name", "description", "inputSchema"] {
        assert_eq!(shown[member], full[member]);
    }
    assert_eq!(shown.as_object().unwrap().len(), 3);
    assert!(shown["inputSchema"]["properties"]["_jq"].is_object());
    for (name, hint) in
        [("git_lgo", " Did you mean \"git_log\"?"), ("log", " Did you mean \"git_log\"?"), ("zzzzzz", "")]
    {
        assert_eq!(
            surface.definition(name).unwrap_err(),
            format!(
                "There is no tool named {name:?}.{hint} get_tool_schema without tool_name lists all tools."
            )
        );
    }
}

#[test]
fn levels_have_names() {
    for level in Compression::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert_eq!(
        "some".parse::<Compression>(),
        Err("\"some\" is not a level; write off, low, medium, high or max".to_owned())
    );
}
