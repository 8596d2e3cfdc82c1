//! A small MCP server over standard input and output that is a shell script, for tests that have no
//! program with a server at hand.

use serde_json::{Value, json};

/// The answer to a call.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// A result with this text.
    Text(&'a str),
    /// A result whose text is the output of a shell command, which must not need an escape in JSON.
    Output(&'a str),
    /// None: the call never ends.
    Nothing,
}

/// Returns the script of a server with these tools. The first of the answers whose text occurs in the
/// line of a call answers it.
pub fn script(tools: &[Value], calls: &[(&str, Answer<'_>)]) -> String {
    let info = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "shell", "version": "1" },
    });
    let calls: String = calls.iter().map(|(part, answer)| format!("{}\n", branch(part, answer))).collect();
    format!(
        r#"answer() {{ printf '{{"jsonrpc":"2.0","id":%s,%s}}\n' "$id" "$1"; }}
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  [ -n "$id" ] || continue
  case "$line" in
    *'"method":"initialize"'*) answer {initialized} ;;
    *'"method":"tools/list"'*) answer {listed} ;;
    *'"method":"tools/call"'*)
      case "$line" in
{calls}        *) answer '"error":{{"code":-32602,"message":"no such call"}}' ;;
      esac ;;
    *) answer '"error":{{"code":-32601,"message":"no such method"}}' ;;
  esac
done
"#,
        initialized = quoted(&format!("\"result\":{info}")),
        listed = quoted(&format!("\"result\":{}", json!({ "tools": tools }))),
    )
}

/// Returns the branch of a `case` for calls whose line has this part.
fn branch(part: &str, answer: &Answer<'_>) -> String {
    let answer = match answer {
        Answer::Text(text) => {
            let result = json!({ "content": [{ "type": "text", "text": text }] });
            format!("answer {} ", quoted(&format!("\"result\":{result}")))
        }
        Answer::Output(command) => {
            format!(r#"answer '"result":{{"content":[{{"type":"text","text":"'"$({command})"'"}}]}}' "#)
        }
        Answer::Nothing => String::new(),
    };
    format!("        *{}*) {answer};;", quoted(part))
}

/// Returns a text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
