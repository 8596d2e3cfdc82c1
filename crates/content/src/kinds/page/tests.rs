use serde_json::{Value, json};

use super::*;

const PLAYWRIGHT: &str = r#"### Page state
- Page URL: https://shop.example.com/cart
- Page Title: Cart
- Page Snapshot:
```yaml
- banner [ref=e2]:
  - link "Home" [ref=e3] [cursor=pointer]:
    - /url: /
  - textbox "Search \"all\"" [active] [ref=e4]: shoes
- list [ref=e7]:
  - listitem [ref=e8]:
    - text: $76.00
    - button "Remove" [ref=e12]
  - listitem [ref=e9]:
    - button "Remove" [ref=e13]
  - button [ref=e14]
- heading "Your cart" [level=1] [ref=e15]
```
"#;

/// Returns the outline, and the tree as JSON.
fn read(text: &str) -> (Value, Value) {
    assert!(detect(&Sample::of(text.as_bytes())), "{text}");
    let outline = outline(text.as_bytes()).to_json(4_096, &crate::Layout::ONE_LINE);
    let tree = to_json(text.as_bytes(), 1 << 20).unwrap().json;
    (serde_json::from_str(&outline).unwrap(), serde_json::from_slice(&tree).unwrap())
}

#[test]
fn what_can_be_clicked_is_shown_with_its_reference() {
    let (outline, tree) = read(PLAYWRIGHT);
    assert_eq!(outline["kind"], "page: 10 elements, 4 controls, 1 link");
    assert_eq!(outline["page"], json!({"url": "https://shop.example.com/cart", "title": "Cart"}));
    let controls = json!({"textbox Search \"all\"": "e4", "button": "e14", "button Remove": "e12, e13"});
    assert_eq!(outline["controls"], controls);
    let banner = json!({"role": "banner", "ref": "e2", "children": [
        {"role": "link", "name": "Home", "ref": "e3", "cursor": "pointer", "url": "/"},
        {"role": "textbox", "name": "Search \"all\"", "ref": "e4", "active": true, "text": "shoes"},
    ]});
    assert_eq!(tree[0], banner);
    assert_eq!(tree[1]["children"][0]["children"][1]["ref"], "e12");
    assert_eq!(tree[2], json!({"role": "heading", "name": "Your cart", "ref": "e15", "level": "1"}));
}

#[test]
fn snapshots_with_identifiers_are_pages() {
    let text = "uid=1_0 RootWebArea \"Shop\" url=\"https://example.org/\"\n  uid=1_1 link \"Home\" url=\"/\"\n  uid=1_2 textbox \"Search\" focusable focused\n  uid=1_3 button \"Go\"\n";
    let (outline, tree) = read(text);
    assert_eq!(outline["page"], json!({"title": "Shop"}));
    assert_eq!(outline["links"], json!({"Home": "1_1"}));
    let search =
        json!({"role": "textbox", "name": "Search", "ref": "1_2", "focusable": true, "focused": true});
    assert_eq!(tree[0]["children"][1], search);
}

#[test]
fn keys_are_distinct() {
    let line = "- button \"Go\" [ref=e1] [name=x] [name=y] [children=1] [ref=e2]:\n  - /role: z\n";
    let tree = to_json(line.as_bytes(), 1 << 20).unwrap().json;
    let expected = r#"[
{"role":"button","name":"Go","ref":"e2","name_":"x","name__":"y","children_":"1","role_":"z"}
]
"#;
    assert_eq!(String::from_utf8(tree).unwrap(), expected);
}

#[test]
fn lists_and_yaml_are_no_pages() {
    for text in [
        "- button one\n- link two\n- list three\n- text four\n",
        "- name: a\n  ref: e1\n- name: b\n  ref: e2\n",
        "- see \"A\" [ref=e1]\n- see \"B\" [ref=e2]\n",
        "uid=5 login ok\nuid=6 login ok\nuid=7 logout ok\nuid=8 login failed\n",
    ] {
        assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
    }
}

#[test]
fn deep_pages_are_bounded() {
    let text: String = (0..2_000).map(|n| format!("{}- group \"g\" [ref=e{n}]:\n", " ".repeat(n))).collect();
    let (_, tree) = read(&text);
    assert!(tree.is_array());
}
