//! What the JSON Schema says of records beyond their types: words, conditions, terms.

use crate::exit::Exit;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The words of [`super::End::outcome`], with the exit codes of those that have one of their own.
const ENDS: [(&str, Option<Exit>); 15] = [
    ("solved", Some(Exit::Success)),
    ("true", Some(Exit::Success)),
    ("done", Some(Exit::Success)),
    ("passed", Some(Exit::Success)),
    ("exhausted", Some(Exit::Failure)),
    ("false", Some(Exit::Failure)),
    ("violated", Some(Exit::Failure)),
    ("failed", Some(Exit::Failure)),
    ("usage", Some(Exit::Usage)),
    ("faults", Some(Exit::Rules)),
    ("stopped", Some(Exit::Limit)),
    ("error", Some(Exit::Error)),
    ("bug", Some(Exit::Bug)),
    ("interrupted", Some(Exit::Interrupted)),
    // The status that the rules give.
    ("halted", None),
];

/// The words of [`super::End::outcome`].
pub fn outcomes() -> Vec<&'static str> {
    ENDS.map(|(outcome, _)| outcome).to_vec()
}

/// The words of [`super::ErrorData::kind`].
pub const KINDS: &[&str] = &[
    "arguments",
    "base",
    "bug",
    "cluster",
    "faults",
    "io",
    "layers",
    "limit",
    "no_domain",
    "no_file",
    "no_game",
    "no_such_engine",
    "no_such_heuristic",
    "no_such_instance",
    "no_such_player",
    "no_such_predicate",
    "no_such_test",
    "no_tests",
    "not_at_once",
    "not_for_games",
    "not_for_puzzles",
    "policy",
    "results",
    "rule",
    "stopped",
    "thread",
    "uncaught",
    "unreadable",
    "unreadable_term",
    "unwritable",
];

/// What holds between the fields of [`super::End`].
pub fn ends(schema: &mut Schema) {
    let when = |outcome: Value| json!({"properties": {"outcome": outcome}});
    let mut all: Vec<Value> = Vec::new();
    for (outcome, exit) in ENDS {
        if let Some(exit) = exit {
            let then = json!({"properties": {"exit": {"const": exit.code()}}});
            all.push(json!({"if": when(json!({"const": outcome})), "then": then}));
        }
    }
    all.push(json!({
        "if": when(json!({"const": "stopped"})),
        "then": {"properties": {"reason": {"type": "string"}}},
        "else": {"properties": {"reason": {"type": "null"}}},
    }));
    all.push(json!({"if": when(json!({"const": "halted"})), "then": {"required": ["status"]}}));
    all.push(json!({
        "if": when(json!({"enum": ["usage", "bug"]})),
        "then": {"anyOf": [
            {"properties": {"error": {"type": "object"}}},
            {"properties": {"findings": {"minItems": 1}}},
        ]},
    }));
    schema.insert("allOf".to_owned(), all.into());
}

/// The structure of a term, as [`super::TermData::term`] has it.
pub struct Structure;

impl JsonSchema for Structure {
    fn schema_name() -> Cow<'static, str> {
        "Term".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let term = generator.subschema_for::<Structure>().to_value();
        let exact = zug_report::LARGEST_EXACT;
        let object = |description: &str, properties: Value| {
            let names: Vec<String> = properties
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.clone())
                .collect();
            json!({
                "description": description,
                "type": "object",
                "properties": properties,
                "required": names,
            })
        };
        json_schema!({
            "description": "A term as a structure. Atoms are strings, integers to ±(2^53 - 1) \
                numbers, proper lists arrays.",
            "anyOf": [
                {"description": "An atom.", "type": "string"},
                {"description": "An integer.", "type": "integer", "minimum": -exact, "maximum": exact},
                {
                    "description": "A proper list; [] is the empty one.",
                    "type": "array",
                    "items": term,
                },
                object(
                    "A larger integer.",
                    json!({"integer": {"type": "string", "pattern": "^-?[0-9]{16,}$"}}),
                ),
                object(
                    "A float.",
                    json!({"float": {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf", "nan"]}]}}),
                ),
                object("A string.", json!({"string": {"type": "string"}})),
                object(
                    "A list whose tail is no list, or is left out.",
                    json!({"list": {"type": "array", "items": term}, "tail": term}),
                ),
                object(
                    "Any other compound.",
                    json!({"functor": {"type": "string"}, "args": {"type": "array", "items": term}}),
                ),
                object(
                    "An unbound variable. Equal names are one variable, but for _, which is one by \
                        itself.",
                    json!({"variable": {"type": "string"}}),
                ),
                object("Left out: too deep, or too much.", json!({"truncated": {"const": true}})),
            ],
        })
    }
}
