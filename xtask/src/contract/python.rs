//! Writes the records of the Python package: frozen dataclasses, and the literals of enums.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::flow::Flow;
use super::names::{Spelling, case_name, pascal, snake};
use super::prose::{Default, filled, separated};
use super::wit::{Case, Contract, Field, Kind, Shape, Type};

/// Types that Python has in another form: as arguments of methods, or with content of more kinds.
const OWN_FORM: [&str; 11] = [
    "block",
    "byte-range",
    "content",
    "expiry",
    "grep-query",
    "jq-query",
    "line-range",
    "range",
    "store-error",
    "tool-output",
    "turn",
];

/// Types with another name: errors are exceptions, and Python says `Tool` for the tools of a client.
const RENAMED: [(&str, &str); 2] = [("artifact-tool", "Tool"), ("error", "Failure")];

/// The classes of a variant's cases: the variant, the case, the class, and the field of a value that
/// is no record. A record with the name of its case is the class itself.
const CLASSES: [(&str, &str, &str, &str); 24] = [
    ("part", "text", "Text", "text"),
    ("part", "tool-call", "ToolCall", ""),
    ("part", "tool-result", "ToolResult", ""),
    ("part", "media", "Media", ""),
    ("part", "opaque", "Opaque", "size-bytes"),
    ("part", "thinking", "Thinking", "size-bytes"),
    ("entry", "keep", "Keep", ""),
    ("entry", "insert", "Insert", ""),
    ("history-item", "keep", "Keep", ""),
    ("history-item", "insert", "InsertItem", "json"),
    ("task", "account", "AccountOnly", ""),
    ("task", "trim", "Trim", ""),
    ("task", "compact", "Compact", "config"),
    ("task", "budget", "Budget", ""),
    ("task", "manage", "Manage", ""),
    ("request-message", "user", "UserMessage", "text"),
    ("request-message", "model", "ModelMessage", "turn"),
    ("request-message", "results", "ResultsMessage", "results"),
    ("extraction-event", "reply", "Reply", ""),
    ("extraction-event", "failed", "Failed", ""),
    ("extraction-event", "resume", "Resume", ""),
    ("extraction-event", "cancel", "Cancel", ""),
    ("summary-answer", "failed", "SummaryFailed", "why"),
    ("summary-answer", "compacted", "SummaryCompacted", "items"),
];

/// Cases that are plain values.
const PLAIN_CASES: [(&str, &str); 1] = [("summary-answer", "text")];

/// Records with methods, which a class of `_extras.py` has.
const EXTRAS: [(&str, &str); 5] = [
    ("decision", "DecisionExtras"),
    ("policy", "PolicyExtras"),
    ("shape", "ShapeExtras"),
    ("token-usage", "TokenUsageExtras"),
    ("view", "ViewExtras"),
];

/// Fields that are JSON text in the contract, and a parsed object in Python.
const JSON: [(&str, &str); 2] = [("managed-history", "memory"), ("tool-definition", "input-schema")];

/// Defaults that stand in where the default depends on other values.
const STAND_INS: [(&str, &str, &str); 1] = [("extraction-config", "max-output-tokens", "4_096")];

/// The width of a line.
const WIDTH: usize = 110;

/// Writes the module.
pub fn module(contract: &Contract) -> String {
    let mut writer = Writer {
        contract,
        flow: Flow::of(contract),
        spelling: Spelling::of(contract, snake),
        written: BTreeSet::new(),
        blocks: Vec::new(),
    };
    for each in contract.interfaces.iter().flat_map(|interface| &interface.types) {
        writer.write(each);
    }
    format!(
        "\"\"\"The records of the contract. `tuckaway.records`, `tuckaway.conversation` and \
         `tuckaway.extraction`\nexport them.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from collections.abc import Sequence\n\
         from dataclasses import dataclass, field\n\
         from typing import Any, ClassVar, Literal\n\n\
         from ._convert import JSON_TEXT\n\
         from ._extras import {}\n{}",
        extras(),
        writer.text()
    )
}

/// Returns the module's imports from `_extras.py`, as ruff sorts them.
fn extras() -> String {
    let mut names: Vec<&str> = EXTRAS.iter().map(|(_, name)| *name).chain(["Record"]).collect();
    names.sort_unstable();
    format!("(\n    OF_DIALECT,\n    {},\n)", names.join(",\n    "))
}

struct Writer<'a> {
    contract: &'a Contract,
    flow: Flow<'a>,
    spelling: Spelling<'a>,
    written: BTreeSet<String>,
    /// The definitions, and whether each is a class.
    blocks: Vec<(String, bool)>,
}

/// A class to write.
struct Class<'a> {
    name: String,
    /// The class that it extends.
    base: &'a str,
    docs: String,
    /// The record that has the fields, by its name in `wit/`.
    record: &'a str,
    fields: Vec<Member>,
    tag: Option<&'a str>,
    is_wrapper: bool,
}

/// A field of a class.
struct Member {
    name: String,
    annotation: String,
    default: Option<String>,
    docs: String,
}

impl<'a> Writer<'a> {
    /// Returns the definitions, with blank lines as ruff sets them.
    fn text(&self) -> String {
        let mut text = String::new();
        let mut is_behind_class = true;
        for (block, is_class) in &self.blocks {
            text += if is_behind_class || *is_class { "\n\n" } else { "\n" };
            text += block;
            is_behind_class = *is_class;
        }
        text
    }

    /// Writes a type, after the types that its defaults and its cases need.
    fn write(&mut self, each: &'a Type) {
        let name = each.name.as_str();
        let is_passed = self.flow.given.contains(name) || self.flow.returned.contains(name);
        if OWN_FORM.contains(&name) || !is_passed || !self.written.insert(name.to_owned()) {
            return;
        }
        match &each.kind {
            Kind::Enum(cases) => self.enumeration(each, cases),
            Kind::Record(fields) if self.is_class_of_a_case(name) => self.needed(fields),
            Kind::Record(fields) => {
                self.needed(fields);
                let fields = fields.iter().map(|field| self.member(name, field)).collect();
                let base =
                    EXTRAS.iter().find(|(record, _)| *record == name).map_or("Record", |(_, base)| base);
                let is_case = |(_, case, class, _): &&(&str, &str, &str, &str)| {
                    *case == name && *class == spelled(name)
                };
                let tag = CLASSES.iter().find(is_case).map(|(_, case, ..)| *case);
                let docs = self.spelling.of_type(each);
                self.class(&Class {
                    name: spelled(name),
                    base,
                    docs,
                    record: name,
                    fields,
                    tag,
                    is_wrapper: false,
                });
            }
            Kind::Variant(cases) => self.variant(each, cases),
        }
    }

    /// Writes the types whose values are defaults of fields.
    fn needed(&mut self, fields: &'a [Field]) {
        let types = self.contract.types();
        for field in fields {
            if let Shape::Named(name) = &field.shape {
                self.write(types[name.as_str()]);
            }
        }
    }

    /// Returns whether a record is only the value of a case, whose class has its fields.
    fn is_class_of_a_case(&self, name: &str) -> bool {
        let types = self.contract.types();
        let has_its_fields = |variant: &str, case: &Case| {
            let is_row = |row: &&(&str, &str, &str, &str)| row.0 == variant && row.1 == case.name;
            case.name != name && CLASSES.iter().find(is_row).is_some_and(|(.., field)| field.is_empty())
        };
        let is_this = |shape: &&Shape| shape.type_name() == Some(name);
        let uses = types.values().flat_map(|each| each.kind.shapes()).filter(is_this).count();
        let of_cases = types.values().filter_map(|each| match &each.kind {
            Kind::Variant(cases) => Some(cases.iter().map(|case| (each.name.as_str(), case))),
            _ => None,
        });
        let values = of_cases.flatten().filter(|(variant, case)| {
            has_its_fields(variant, case) && case.shape.as_ref().is_some_and(|shape| is_this(&shape))
        });
        let functions = self.contract.interfaces.iter().flat_map(|interface| &interface.functions);
        let passed =
            functions.flat_map(|each| each.parameters.iter().map(|(_, shape)| shape).chain(&each.result));
        uses > 0 && values.count() == uses && !passed.into_iter().any(|shape| is_this(&shape))
    }

    fn enumeration(&mut self, each: &Type, cases: &[Case]) {
        let name = spelled(&each.name);
        let cases: Vec<(String, String)> = cases
            .iter()
            .map(|case| {
                let own = Shape::Named(each.name.clone());
                (case_name(&each.name, &case.name), self.spelling.of_member(&case.docs, Some(&own)))
            })
            .collect();
        let names: Vec<String> = cases.iter().map(|(case, _)| format!("\"{case}\"")).collect();
        let line = format!("{name} = Literal[{}]\n", names.join(", "));
        let text = match line.len() <= WIDTH + 1 {
            true => line,
            false => format!("{name} = Literal[\n    {},\n]\n", names.join(",\n    ")),
        };
        let listed = cases.iter().map(|(case, docs)| listed(case, docs));
        let docs = format!("{}\n\n{}", self.spelling.of_type(each), listed.collect::<String>().trim_end());
        self.blocks.push((text + &docstring(&docs, ""), false));
    }

    fn variant(&mut self, each: &'a Type, cases: &'a [Case]) {
        let types = self.contract.types();
        let mut members = Vec::new();
        for case in cases {
            if PLAIN_CASES.contains(&(each.name.as_str(), case.name.as_str())) {
                members.push("str".to_owned());
                continue;
            }
            let (_, _, class, field) = CLASSES
                .iter()
                .find(|(variant, name, ..)| *variant == each.name && *name == case.name)
                .unwrap_or_else(|| panic!("CLASSES has no class for {}.{}", each.name, case.name));
            members.push((*class).to_owned());
            if case.shape.as_ref().and_then(Shape::type_name) == Some(&case.name) {
                self.write(types[case.name.as_str()]);
            } else if self.written.insert((*class).to_owned()) {
                self.case(case, class, field);
            }
        }
        let text = format!("{} = {}\n", spelled(&each.name), members.join(" | "));
        self.blocks.push((text + &docstring(&self.spelling.of_type(each), ""), false));
    }

    /// Writes the class of a case.
    fn case(&mut self, case: &'a Case, class: &str, field: &str) {
        let types = self.contract.types();
        let value = case.shape.as_ref();
        let record = value.and_then(Shape::type_name).map(|name| types[name]);
        let (record, fields) = match record {
            Some(Type { name, kind: Kind::Record(fields), .. }) if field.is_empty() => {
                self.needed(fields);
                (name.as_str(), fields.iter().map(|field| self.member(name, field)).collect())
            }
            _ => {
                let wrapped = value.filter(|_| !field.is_empty()).map(|shape| Member {
                    name: snake(field),
                    annotation: self.annotation(shape, true),
                    default: None,
                    docs: self.spelling.of_member(&case.docs, Some(shape)),
                });
                ("", wrapped.into_iter().collect())
            }
        };
        if let Some(Shape::Named(name)) = value {
            self.write(types[name.as_str()]);
        }
        let docs = self.spelling.of_member(&case.docs, value);
        self.class(&Class {
            name: class.to_owned(),
            base: "Record",
            docs,
            record,
            fields,
            tag: Some(&case.name),
            is_wrapper: !field.is_empty(),
        });
    }

    fn class(&mut self, class: &Class<'_>) {
        let mut fields: Vec<&Member> = class.fields.iter().collect();
        let required = fields.iter().filter(|field| field.default.is_none()).count();
        // Messages are written by hand, with a role and parts; nothing else of theirs is common.
        let is_keyword_only = class.record != "message"
            && (required > 3
                || fields.len() > 6
                || required == 0 && fields.len() > 2
                || class.record == "policy");
        if !is_keyword_only {
            // A field without a default cannot follow one with a default.
            fields.sort_by_key(|field| field.default.is_some());
        }
        let keyword_only = if is_keyword_only { ", kw_only=True" } else { "" };
        let mut text = format!(
            "@dataclass(frozen=True, slots=True, repr=False{keyword_only})\nclass {}({}):\n{}",
            class.name,
            class.base,
            docstring(&class.docs, "    ")
        );
        if !fields.is_empty() {
            text.push('\n');
        }
        for field in fields {
            let default = field.default.as_ref().map_or_else(String::new, |default| format!(" = {default}"));
            write!(
                text,
                "    {}: {}{default}\n{}",
                field.name,
                field.annotation,
                docstring(&field.docs, "    ")
            )
            .expect("writing to a string");
        }
        if let Some(tag) = class.tag {
            writeln!(text, "\n    _tag: ClassVar[str] = \"{}\"", snake(tag)).expect("writing to a string");
        }
        if class.is_wrapper {
            text += "    _is_wrapper: ClassVar[bool] = True\n";
        }
        self.blocks.push((text, true));
    }

    fn member(&self, record: &str, field: &Field) -> Member {
        let is_given = self.flow.given.contains(record);
        let is_json = JSON.contains(&(record, &field.name));
        let annotation = match is_json {
            true => "dict[str, Any]".to_owned(),
            false => self.annotation(&field.shape, is_given),
        };
        let default = match is_json {
            true => Some("field(metadata=JSON_TEXT)".to_owned()),
            false if is_given => self.default(record, field),
            false => None,
        };
        let docs = self.spelling.of_member(&field.docs, Some(&field.shape));
        Member { name: snake(&field.name), annotation, default, docs }
    }

    fn default(&self, record: &str, field: &Field) -> Option<String> {
        if record == "policy" && field.name != "dialect" {
            return Some("OF_DIALECT".to_owned());
        }
        let stand_in = |(owner, name, _): &&(&str, &str, &str)| *owner == record && *name == field.name;
        if let Some((.., value)) = STAND_INS.iter().find(stand_in) {
            return Some((*value).to_owned());
        }
        match (&field.shape, Default::of(&field.docs)) {
            (Shape::Option(_), _) => Some("None".to_owned()),
            (shape, Some(Default::Zero)) => Some(zero(shape)),
            (Shape::F64, Some(Default::Literal(number))) if !number.contains('.') => Some(number + ".0"),
            (Shape::Bool, Some(Default::Literal(_))) => Some("True".to_owned()),
            (_, Some(Default::Literal(number))) => Some(separated(&number)),
            (Shape::Named(name), Some(Default::Case(case))) => {
                Some(format!("\"{}\"", case_name(name, &case)))
            }
            (Shape::Named(name), None) => self.factory(name),
            _ => None,
        }
    }

    /// Returns the default of a field whose type is a record with a default for each field.
    fn factory(&self, name: &str) -> Option<String> {
        let types = self.contract.types();
        let Kind::Record(fields) = &types[name].kind else { return None };
        let has_defaults = fields.iter().all(|field| self.default(name, field).is_some());
        // Counts that are all 0 by default are not settings.
        let are_settings = fields
            .iter()
            .any(|field| matches!(Default::of(&field.docs), Some(Default::Literal(_) | Default::Case(_))));
        (has_defaults && are_settings).then(|| format!("field(default_factory={})", spelled(name)))
    }

    fn annotation(&self, shape: &Shape, is_given: bool) -> String {
        match shape {
            Shape::Bool => "bool".to_owned(),
            Shape::U32 | Shape::U64 | Shape::S64 => "int".to_owned(),
            Shape::F64 => "float".to_owned(),
            Shape::String => "str".to_owned(),
            Shape::Bytes => "bytes".to_owned(),
            Shape::Option(inner) => format!("{} | None", self.annotation(inner, is_given)),
            Shape::List(inner) if is_given => format!("Sequence[{}]", self.annotation(inner, is_given)),
            Shape::List(inner) => format!("tuple[{}, ...]", self.annotation(inner, is_given)),
            Shape::Named(name) => spelled(name),
        }
    }
}

fn zero(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "False",
        Shape::F64 => "0.0",
        Shape::String => "\"\"",
        Shape::List(_) => "()",
        _ => "0",
    }
    .to_owned()
}

fn spelled(name: &str) -> String {
    let renamed = RENAMED.iter().find(|(from, _)| *from == name);
    renamed.map_or_else(|| pascal(name), |(_, to)| (*to).to_owned())
}

/// Writes an item of a list.
fn listed(case: &str, docs: &str) -> String {
    let docs = docs.replace('\n', " ");
    let filled = filled(&format!("`{case}`: {docs}"), "  ", WIDTH - 12);
    format!("-{}", &filled[1..])
}

/// Writes documentation as a docstring, with names in two backticks.
fn docstring(docs: &str, indent: &str) -> String {
    let docs = filled(&docs.replace('`', "``"), indent, WIDTH - 6);
    let docs = docs.trim();
    let raw = if docs.contains('\\') { "r" } else { "" };
    // A list ends before the quotation marks.
    let end = if docs.contains("\n- ") || docs.contains("\n|") { "\n" } else { "" };
    format!("{indent}{raw}\"\"\"{docs}{end}\"\"\"\n")
}
