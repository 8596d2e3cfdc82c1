//! Tests of whole configurations.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tuckaway_host::{ArtifactTool, Dialect, Mode};

use super::file::{self, File};
use super::variables::Variables;
use super::*;

fn lookup(name: &str) -> Option<String> {
    match name {
        "GITHUB_TOKEN" => Some("ghp_1".to_owned()),
        _ => None,
    }
}

fn file(text: &str) -> Result<File, ConfigError> {
    let home = Some(PathBuf::from("/home/ada"));
    let variables = Variables { lookup: &lookup, home, workspace: "/src/app".into() };
    file::read(text, Path::new("mcp.conf"), &variables)
}

fn servers(text: &str) -> Vec<ServerConfig> {
    file(text).unwrap_or_else(|error| panic!("{error}\n{text}")).servers
}

fn settings(text: &str, flags: Options) -> Result<Settings, ConfigError> {
    Settings::read(text, Path::new("mcp.conf"), flags)
}

/// Returns the error of a configuration.
fn refused(text: &str) -> String {
    match settings(text, Options::default()) {
        Err(error) => error.to_string(),
        Ok(settings) => panic!("accepted: {settings:?}"),
    }
}

fn command(name: &str, command: &str, env: &[(&str, &str)], directory: Option<&str>) -> ServerConfig {
    let mut words = command.split(' ').map(str::to_owned);
    let reach = Reach::Command {
        program: words.next().unwrap(),
        args: words.collect(),
        env: pairs(env),
        directory: directory.map(PathBuf::from),
    };
    ServerConfig { name: name.to_owned(), reach, tools: ServerTools::default() }
}

fn url(name: &str, url: &str, headers: &[(&str, &str)]) -> ServerConfig {
    let reach = Reach::Url { url: url.to_owned(), headers: pairs(headers) };
    ServerConfig { name: name.to_owned(), reach, tools: ServerTools::default() }
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn the_format_of_claude_and_cursor() {
    let text = r#"{
      "numStartups": 12,
      "mcpServers": {
        "filesystem": { "type": "stdio", "command": "npx", "args": ["-y", "fs", "${userHome}/notes"], "env": {} },
        "git hub": { "command": "docker", "args": ["run", "gh"], "env": { "TOKEN": "${GITHUB_TOKEN}", "N": 1 } },
        "remote": { "type": "http", "url": "https://${HOST:-example.com}/mcp",
                    "headers": { "Authorization": "Bearer ${GITHUB_TOKEN}" }, "timeout": 60000 },
        "off": { "command": "x", "args": ["${MISSING}"], "disabled": true, "nonsense": 1 }
      }
    }"#;
    assert_eq!(
        servers(text),
        [
            command("filesystem", "npx -y fs /home/ada/notes", &[], None),
            command("git_hub", "docker run gh", &[("TOKEN", "ghp_1"), ("N", "1")], None),
            url("remote", "https://example.com/mcp", &[("Authorization", "Bearer ghp_1")]),
        ]
    );
}

#[test]
fn the_format_of_visual_studio_code() {
    let text = r#"{
      // Asked once.
      "inputs": [{ "type": "promptString", "id": "key", "password": true }],
      "servers": {
        "py": { "type": "stdio", "command": "${workspaceFolder}/bin/py", "args": ["${env:GITHUB_TOKEN}"], },
        "web": { "type": "http", "url": "http://localhost:1/mcp" }, /* the last one */
      },
    }"#;
    assert_eq!(
        servers(text),
        [command("py", "/src/app/bin/py ghp_1", &[], None), url("web", "http://localhost:1/mcp", &[])]
    );
}

#[test]
fn the_format_of_codex() {
    let text = "model = \"o5\"\n[mcp_servers.docs]\ncommand = \"docs\"\nenv_vars = [\"A\"]\nstartup_timeout_sec = 20\n\
        [mcp_servers.docs.env]\nKEY = \"v\"\n[mcp_servers.figma]\nurl = \"https://mcp.figma.com/mcp\"\n\
        bearer_token_env_var = \"GITHUB_TOKEN\"\nhttp_headers = { \"X-Region\" = \"eu\" }\n\
        [mcp_servers.off]\nenabled = false\n";
    assert_eq!(
        servers(text),
        [
            command("docs", "docs", &[("KEY", "v")], None),
            url(
                "figma",
                "https://mcp.figma.com/mcp",
                &[("Authorization", "Bearer ghp_1"), ("X-Region", "eu")]
            ),
        ]
    );
}

const OWN: &str = r#"
cap = 8_000
file_cap = 30_000
file_tools = ["*_open_file"]
window = 128_000
handles = ["mail_send"]
max_argument = "2M"
client_limit = "12K"
jq = ["sql_*"]
max_result = "64M"
store = "dir:/var/lib/tuckaway"
session = "shared"
max_age = "36h"
quota = "1G"
dialect = "file"

[policy]
preview_bytes = 500
keep_all = true

[filters]
"list_*" = ".items"

[caps]
"web_*" = 2_000
"*" = 9_000

[[tools]]
glob = "skill_*"
exempt = true

[[tools]]
glob = "sql_*"
cap = 4_000

[[tools]]
glob = "sql_dump"
mode = "truncate"
max_threshold_bytes = "64K"

[servers.everything]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-everything"]
cwd = "/srv"
"#;

#[test]
fn our_own_format_has_all_settings() {
    let settings = settings(OWN, Options::default()).unwrap();
    assert_eq!(
        settings.servers,
        [command("everything", "npx -y @modelcontextprotocol/server-everything", &[], Some("/srv"))]
    );
    assert!(settings.prefix_names);
    let reduce = &settings.reduce;
    assert_eq!((reduce.context_window, reduce.file_cap_tokens), (128_000, 30_000));
    assert_eq!(
        (&reduce.file_tools[..], &reduce.handle_arguments[..]),
        (&["*_open_file".to_owned()][..], &["mail_send".to_owned()][..])
    );
    let caps = [("sql_*", 4_000), ("web_*", 2_000), ("*", 9_000)].map(|(glob, cap)| (glob.to_owned(), cap));
    assert_eq!((&reduce.tool_caps[..], reduce.max_argument_bytes), (&caps[..], 2 << 20));
    assert_eq!(
        (reduce.client_limit_bytes, &reduce.filtered_tools[..], &reduce.default_filters[..]),
        (Some(12 << 10), &["sql_*".to_owned()][..], &[("list_*".to_owned(), ".items".to_owned())][..])
    );
    let policy = &reduce.policy;
    assert_eq!((policy.dialect, policy.max_output_tokens), (Dialect::File, Some(8_000)));
    assert_eq!((policy.preview_bytes, policy.keep_all, policy.headroom_percentage), (500, true, 1.0));
    // A rule that only sets a cap does not hide later rules.
    let overrides: Vec<_> =
        policy.overrides.iter().map(|over| (&*over.tools, over.exempt, over.mode)).collect();
    assert_eq!(overrides, [("skill_*", true, None), ("sql_dump", false, Some(Mode::Truncate))]);
    assert_eq!(policy.overrides[1].max_threshold_bytes, Some(64 << 10));
    assert_eq!(settings.max_result_bytes, 64 << 20);
    let store = StoreSettings {
        at: Some(StoreAt::Directory("/var/lib/tuckaway".into())),
        session: Session::Shared,
        endpoint: None,
        max_age: MaxAge::Of(Duration::from_secs(36 * 3_600)),
        quota: Some(Quota::Of(1 << 30)),
    };
    assert_eq!(settings.store, store);
}

#[test]
fn json_takes_the_settings_too() {
    let text = r#"{"mcpServers": {"a": {"command": "a"}}, "cap": 500, "policy": {"mode": "truncate"}, "tools": [{"glob": "x", "exempt": true}]}"#;
    let policy = settings(text, Options::default()).unwrap().reduce.policy;
    assert_eq!(
        (policy.max_output_tokens, policy.mode, policy.overrides.len()),
        (Some(500), Mode::Truncate, 1)
    );
}

#[test]
fn results_are_truncated_if_the_model_may_not_read_artifacts() {
    let reduce = |allowed: &[&str]| {
        let text = format!(
            r#"{{"mcpServers": {{"a": {{"command": "a"}}}}, "allowed_tools": {allowed:?}, "tools": [{{"glob": "x", "mode": "artifact"}}]}}"#
        );
        settings(&text, Options::default()).map(|settings| settings.reduce)
    };
    let of = |allowed: &[&str]| {
        let reduce = reduce(allowed).unwrap();
        (reduce.policy.mode, reduce.policy.overrides[0].mode, reduce.artifact_tools)
    };
    assert_eq!(of(&["a_log"]), (Mode::Truncate, None, Vec::new()));
    assert_eq!(of(&["*_jq"]), (Mode::Truncate, None, vec![ArtifactTool::Jq]));
    assert_eq!(of(&["a_log", "artifact_read"]), (Mode::Auto, Some(Mode::Artifact), vec![ArtifactTool::Read]));
    assert_eq!(of(&["artifact_*"]).2, ArtifactTool::ALL);
    assert!(reduce(&[""]).unwrap_err().to_string().contains("allowed_tools: its glob is empty"));
}

#[test]
fn the_defaults_are_those_of_the_proxy() {
    let reach = Reach::command("npx".to_owned(), vec!["-y".to_owned(), "@a/b".to_owned()], Vec::new(), None);
    let settings = Settings::of_one(reach.unwrap(), None, Options::default()).unwrap();
    assert_eq!((&*settings.servers[0].name, settings.prefix_names), ("b", false));
    assert_eq!(settings.reduce, ReduceSettings::default());
    assert_eq!(settings.reduce.policy.max_output_tokens, Some(10_000));
    assert_eq!(settings.max_result_bytes, 256 << 20);
    let max_age = MaxAge::Of(Duration::from_secs(604_800));
    let defaults =
        StoreSettings { at: None, session: Session::Automatic, endpoint: None, max_age, quota: None };
    assert_eq!(settings.store, defaults);
    let reach = Reach::url("http://localhost/mcp".to_owned(), Vec::new()).unwrap();
    assert_eq!(
        Settings::of_one(reach.clone(), None, Options::default()).unwrap().servers[0].name,
        "localhost"
    );
    assert_eq!(
        Settings::of_one(reach.clone(), Some("my web"), Options::default()).unwrap().servers[0].name,
        "my_web"
    );
    assert!(Settings::of_one(reach, Some("ü"), Options::default()).is_err());
}

#[test]
fn flags_override_the_file() {
    let policy = json!({"keep_all": false, "max_output_tokens": 1_234});
    let flags = || Options {
        file_cap: Some(7),
        caps: vec![("web_page".to_owned(), 1)],
        handles: Some(vec!["x".to_owned()]),
        store: Some(StoreAt::Memory),
        max_age: Some(MaxAge::Forever),
        policy: policy.as_object().unwrap().clone(),
        ..Options::default()
    };
    let read = settings(OWN, flags()).unwrap();
    assert_eq!((read.reduce.file_cap_tokens, read.reduce.context_window), (7, 128_000));
    assert_eq!(read.reduce.tool_caps[1], ("web_page".to_owned(), 1));
    assert_eq!(
        (&*read.reduce.handle_arguments, read.store.max_age),
        (&["x".to_owned()][..], MaxAge::Forever)
    );
    assert_eq!((read.store.at, read.store.session), (Some(StoreAt::Memory), Session::Shared));
    let policy = read.reduce.policy;
    assert_eq!((policy.keep_all, policy.preview_bytes, policy.max_output_tokens), (false, 500, Some(1_234)));
    // An option overrides the field of a policy.
    let options =
        Options { cap: Some(9), dialect: Some(Dialect::Cache), mode: Some(Mode::Artifact), ..flags() };
    let policy = settings(OWN, options).unwrap().reduce.policy;
    assert_eq!(
        (policy.max_output_tokens, policy.dialect, policy.mode),
        (Some(9), Dialect::Cache, Mode::Artifact)
    );
}

#[test]
fn mistakes_name_the_line_and_what_to_do() {
    let server = |members: &str| format!("[servers.a]\n{members}\n");
    for (text, message) in [
        (
            "cap = 1\nfile-cap = 2\n",
            "mcp.conf:2: the file has an unknown key \"file-cap\"; did you mean \"file_cap\"?",
        ),
        ("cap = ", "mcp.conf:1: string values must be quoted, expected literal string"),
        ("client_limit = 80", "mcp.conf:1: \"client_limit\": the limit must be at least 4096 bytes"),
        ("cap = 0", "mcp.conf:1: \"cap\" should be a whole number that is at least 1"),
        ("cap = \"many\"", "mcp.conf:1: \"cap\" should be a whole number that is at least 1"),
        (
            "max_result = \"1X\"",
            "mcp.conf:1: \"max_result\": \"1X\" is not a size; write it like 4096, 64K or 2M",
        ),
        (
            "max_age = \"0s\"",
            "mcp.conf:1: \"max_age\": an age of 0 would remove every artifact at once; write forever to keep artifacts",
        ),
        (
            "store = \"disk\"",
            "mcp.conf:1: \"store\": \"disk\" is not a store; write dir:PATH, memory, s3://BUCKET/PREFIX, gs:// or az://",
        ),
        ("session = 1", "mcp.conf:1: \"session\" is a number; it should be a string"),
        ("dialect = \"x\"", "mcp.conf:1: \"dialect\": it should be artifact, cache, handle or file"),
        ("file_tools = [1]", "mcp.conf:1: \"file_tools\" is a list; it should be a list of strings"),
        (
            "[policy]\nkeepall = true",
            "mcp.conf:2: the policy has an unknown key \"keepall\"; did you mean \"keep_all\"?",
        ),
        (
            "[policy]\nmode = \"x\"",
            "mcp.conf:2: \"policy.mode\": unknown variant `x`, expected one of `auto`, `artifact`, `truncate`",
        ),
        ("[[tools]]\nexempt = true", "mcp.conf:1: a rule for tools needs a glob, such as \"sql_*\""),
        (
            "[[tools]]\nglob = \"a\"\ncaps = 1",
            "mcp.conf:3: a rule for tools has an unknown key \"caps\"; did you mean \"cap\"?",
        ),
        ("", "mcp.conf:1: there are no servers; write mcpServers in JSON, or [servers.NAME] in TOML"),
        ("{\"mcpServers\": {}}", "mcp.conf:1: there is no enabled server; add one, or enable one"),
        ("{\"mcpServers\": []}", "mcp.conf:1: \"mcpServers\" is a list; it should be a table"),
        (
            "{\"mcpServers\": {\"a\": {\"command\": \"a\"}}, \"servers\": {}}",
            "mcp.conf:1: \"servers\" is a second list of servers; join them",
        ),
        (
            "{\"servers\": {\"a\": {\"command\": \"a\"}}, \"cpa\": 1}",
            "mcp.conf:1: the file has an unknown key \"cpa\"; known keys are cap, file_cap, file_tools, caps, client_limit, window, handles, max_argument, jq, filters, max_result, store, session, store_endpoint, max_age, quota, dialect, mode, policy, tools, allowed_tools, compress_tools, detailed_tools, list_when_stored, servers",
        ),
        (
            &server("comand = \"a\""),
            "mcp.conf:2: server \"a\" has an unknown key \"comand\"; did you mean \"command\"?",
        ),
        (&server("args = []"), "mcp.conf:1: server \"a\" has neither a command nor a URL; add one of them"),
        (
            &server("command = \"\""),
            "mcp.conf:1: server \"a\" has an empty command; write the program to run",
        ),
        (
            &server("command = \"a\"\nurl = \"http://b\""),
            "mcp.conf:1: server \"a\" has a command and a URL; keep one of them",
        ),
        (
            &server("url = \"ftp://b\""),
            "mcp.conf:1: server \"a\" has the URL \"ftp://b\"; write one that begins with http:// or https://",
        ),
        (
            &server("url = \"http://b\"\ntype = \"stdio\""),
            "mcp.conf:1: server \"a\" has a URL, so its type must be \"http\"",
        ),
        (
            &server("url = \"http://b\"\nheaders = {\"a b\" = \"c\"}"),
            "mcp.conf:1: server \"a\" has a header named \"a b\", which HTTP does not allow",
        ),
        (
            &server("url = \"http://b\"\nheaders = {a = \"secret\\n\"}"),
            "mcp.conf:1: server \"a\" has a value for the header \"a\" that HTTP does not allow",
        ),
        (
            &server("url = \"http://b\"\noauth = {}"),
            "mcp.conf:3: server \"a\" has \"oauth\", which is not supported: run `tuckaway mcp login` with its URL and remove the key, or give a token in `headers`",
        ),
        (
            &server("command = \"a\"\nenv = {KEY = \"${TUCKAWAY_TEST_UNSET}\"}"),
            "mcp.conf:3: server \"a\", \"KEY\": ${TUCKAWAY_TEST_UNSET} is not set; set the environment variable TUCKAWAY_TEST_UNSET, or write ${TUCKAWAY_TEST_UNSET:-DEFAULT}",
        ),
        (
            &server("command = \"a\"\n[servers.\"b c\"]\ncommand = \"a\"\n[servers.b_c]\ncommand = \"a\""),
            "mcp.conf:5: server \"b_c\": another server is also named \"b_c\"; rename one of them",
        ),
        (
            &server("command = \"a\"\n[servers.\"ü\"]\ncommand = \"a\""),
            "mcp.conf:3: server \"ü\": the name contains 'ü'; use letters, digits, _ and -",
        ),
        (
            &format!("cap = 1\n[policy]\nmax_output_tokens = 1\n{}", server("command = \"a\"")),
            "mcp.conf: cap and the policy's max_output_tokens are the same setting; keep one of them",
        ),
        (
            &format!("[policy]\ncontext_percentage = 2\n{}", server("command = \"a\"")),
            "mcp.conf: context_percentage is 2; it must be a fraction from 0 to 1. 2 % is 0.02.",
        ),
        (
            &format!("handles = [\"\"]\n{}", server("command = \"a\"")),
            "mcp.conf: handle_arguments: its glob is empty; write * for all tools.",
        ),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
    let sse = refused(&server("url = \"http://b\"\ntype = \"sse\""));
    assert!(sse.contains("Streamable HTTP") && sse.contains("mcp-remote"), "{sse}");
    let input = refused("{\"servers\": {\"a\": {\"command\": \"a\", \"env\": {\"K\": \"${input:key}\"}}}}");
    assert!(
        input.contains("${input:key} asks the user") && input.contains("environment variable"),
        "{input}"
    );
}

#[test]
fn headers_of_flags_name_the_environment() {
    assert_eq!(header("X-Key:  a: b "), Ok(("X-Key".to_owned(), "a: b".to_owned())));
    assert!(header("X-Key").is_err());
    assert_eq!(
        header("Authorization: Bearer $TUCKAWAY_TEST_UNSET").unwrap_err(),
        "the header \"Authorization\": the environment variable TUCKAWAY_TEST_UNSET is not set"
    );
}

#[test]
fn each_server_says_which_of_its_tools_are_listed() {
    let text = "compress_tools = \"medium\"\nlist_when_stored = true\ndetailed_tools = true\n\
        [servers.a]\ncommand = \"a\"\ninclude_tools = [\"get_*\"]\nexclude_tools = [\"get_all\"]\n\
        [servers.b]\ncommand = \"b\"\ncompress_tools = \"off\"\n";
    let path = Path::new("mcp.toml");
    let settings = Settings::read(text, path, Options::default()).unwrap();
    let levels: Vec<_> = settings.servers.iter().map(|server| settings.compression(server)).collect();
    assert_eq!(levels, [Compression::Medium, Compression::Off]);
    let tools = &settings.servers[0].tools;
    assert_eq!(["get_one", "get_all", "set"].map(|name| tools.offers(name)), [true, false, false]);
    assert!(settings.lists_when_stored && settings.reduce.detailed_tools);
    let flags = Options { compress_tools: Some(Compression::Max), ..Options::default() };
    let settings = Settings::read(text, path, flags).unwrap();
    let levels: Vec<_> = settings.servers.iter().map(|server| settings.compression(server)).collect();
    assert_eq!(levels, [Compression::Max, Compression::Off], "the level of a server takes precedence");
    for (text, message) in [
        (
            "compress_tools = \"x\"\n[servers.a]\ncommand = \"a\"",
            "mcp.toml:1: \"compress_tools\": \"x\" is not a level; write off, low, medium, high or max",
        ),
        (
            "[servers.a]\ncommand = \"a\"\nexclude_tools = [\"\"]",
            "mcp.toml: exclude_tools: its glob is empty; write * for all tools.",
        ),
        (
            "[servers.a]\ncommand = \"a\"\nenabled_tools = [\"b\"]",
            "mcp.toml:3: server \"a\" has \"enabled_tools\", which is not supported: write the lists of globs `include_tools` and `exclude_tools`",
        ),
    ] {
        assert_eq!(Settings::read(text, path, Options::default()).unwrap_err().to_string(), message);
    }
}
