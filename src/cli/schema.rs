//! The JSON Schema of what is written for programs, made from the types that are written:
//! `docs/schema/zug-2.json`, which `zug schema` prints and `tests/schema.rs` writes anew.
//!
//! `schemars` makes a definition of each type, with doc comments as descriptions. What it can't
//! know is added here: which type is a record of which kind, that floats without a value are
//! written as `null`, and that a field which may be left out is never `null`.

use super::emit::{Output, Report};
use super::query::{AnswerRecord, Explained};
use super::trace::GoalReport;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use zug_prolog::builtins::tracer::profiler::ProfileReport;
use zug_prolog::builtins::tracer::tree::CallTree;
use zug_usecases::base::{BaseReport, CheckedReport};
use zug_usecases::batch::{EndLine, FileLine, ResultLine, StartLine};
use zug_usecases::certificate::VerifyReport;
use zug_usecases::check::CheckReport;
use zug_usecases::compare::CompareReport;
use zug_usecases::contest::{MatchReport, TournamentReport};
use zug_usecases::enumerate::EnumerateReport;
use zug_usecases::generate::GenerateReport;
use zug_usecases::heuristics::HeuristicsReport;
use zug_usecases::record::games::{
    GameResult, MoveData, Refused, RoundData, RoundsResult, ScoreData, StateData,
};
use zug_usecases::record::puzzles::{AheadData, PuzzleMove, PuzzleResult, PuzzleState};
use zug_usecases::record::{End, Progress, SCHEMA, Start};
use zug_usecases::solve::{
    GameRecord, InstanceRecord, ModelRecord, NashReport, PlansRecord, TryReport,
};
use zug_usecases::specialise::SpecialiseRecord;
use zug_usecases::train::TrainReport;
use zug_usecases::tree::TreeReport;
use zug_usecases::unit::record::{FileRecord, TestRecord};

/// Columns of the file; what does not fit is put on lines of its own.
const WIDTH: usize = 100;

/// A record: the name of its definition, its kind (the field `record`), what writes it, and the
/// schema of its other fields.
struct Kind {
    name: &'static str,
    record: &'static str,
    writer: &'static str,
    fields: fn(&mut SchemaGenerator) -> Schema,
}

const fn kind<T: JsonSchema>(
    name: &'static str,
    record: &'static str,
    writer: &'static str,
) -> Kind {
    Kind { name, record, writer, fields: T::json_schema }
}

/// The records of a result, which a report has in `results`.
const RESULTS: [Kind; 39] = [
    kind::<ResultLine>("batchResult", "result", "zug batch"),
    kind::<FileLine>("batchFile", "file", "zug batch"),
    kind::<AnswerRecord>("answer", "answer", "zug query"),
    kind::<Explained>("explained", "result", "zug query"),
    kind::<InstanceRecord>("plan", "result", "zug solve, of a puzzle"),
    kind::<ModelRecord>("model", "result", "zug solve, of a model"),
    kind::<PlansRecord>("plans", "result", "zug solve --all-plans"),
    kind::<GameRecord>("value", "result", "zug solve, of a game"),
    kind::<NashReport>("equilibria", "result", "zug nash; zug solve, where all choose at once"),
    kind::<TryReport>("tries", "result", "zug solve --engine mcts, where all choose at once"),
    kind::<MatchReport>("match", "result", "zug match"),
    kind::<TournamentReport>("tournament", "result", "zug tournament"),
    kind::<TrainReport>("training", "result", "zug train"),
    kind::<CompareReport>("comparison", "result", "zug compare"),
    kind::<HeuristicsReport>("heuristics", "result", "zug heuristics"),
    kind::<EnumerateReport>("space", "result", "zug enumerate"),
    kind::<GenerateReport>("generated", "result", "zug generate"),
    kind::<CheckReport>("checked", "result", "zug check"),
    kind::<SpecialiseRecord>("specialised", "result", "zug specialize"),
    kind::<TreeReport>("tree", "result", "zug tree"),
    kind::<GoalReport<CallTree>>("trace", "result", "zug trace"),
    kind::<GoalReport<ProfileReport>>("profile", "result", "zug profile"),
    kind::<StateData>("state", "state", "zug play, of a game"),
    kind::<MoveData>("move", "move", "zug play, of a game"),
    kind::<GameResult>("game", "result", "zug play, of a game"),
    kind::<ScoreData>("score", "score", "zug play --games"),
    kind::<RoundData>("round", "round", "zug play, where all choose at once"),
    kind::<RoundsResult>("rounds", "result", "zug play, where all choose at once"),
    kind::<Refused>("refused", "refused", "zug play"),
    kind::<MoveData>("hint", "hint", "zug play"),
    kind::<PuzzleState>("puzzleState", "state", "zug play, of a puzzle"),
    kind::<PuzzleMove>("puzzleMove", "move", "zug play, of a puzzle"),
    kind::<PuzzleResult>("puzzleResult", "result", "zug play, of a puzzle"),
    kind::<AheadData>("ahead", "ahead", "zug play, of a puzzle"),
    kind::<TestRecord>("test", "test", "zug test"),
    kind::<FileRecord>("testFile", "file", "zug test"),
    kind::<VerifyReport>("verified", "result", "zug verify"),
    kind::<BaseReport>("base", "result", "zug db info"),
    kind::<CheckedReport>("baseChecked", "result", "zug db check"),
];

/// All other records.
const OTHERS: [Kind; 7] = [
    kind::<Start>("start", "start", "all commands"),
    kind::<Progress>("progress", "progress", "all commands"),
    kind::<Output>("output", "output", "all commands"),
    kind::<End>("end", "end", "all commands"),
    kind::<Report>("report", "report", "--format json"),
    kind::<StartLine>("batchStart", "start", "zug batch --out"),
    kind::<EndLine>("batchEnd", "end", "zug batch --out"),
];

/// The schema of any record of a result.
pub struct Inner;

impl JsonSchema for Inner {
    fn schema_name() -> Cow<'static, str> {
        "inner".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let all: Vec<Value> = RESULTS.iter().map(|kind| kind.define(generator)).collect();
        json_schema!({"description": "A record of a result.", "anyOf": all})
    }
}

impl Kind {
    /// Puts the definition among the others: a reference to it.
    fn define(&self, generator: &mut SchemaGenerator) -> Value {
        let mut schema = (self.fields)(generator);
        let own = std::mem::take(fields_of(&mut schema, "properties"));
        let mut properties = json!({
            "schema": {"description": "The name and number of this schema.", "const": SCHEMA},
            "record": {"description": "The kind of record.", "const": self.record},
        });
        if let (Value::Object(all), Value::Object(own)) = (&mut properties, own) {
            all.extend(own);
        }
        let mut required = vec![json!("record")];
        if let Value::Array(own) = std::mem::take(fields_of(&mut schema, "required")) {
            required.extend(own);
        }
        *fields_of(&mut schema, "properties") = properties;
        *fields_of(&mut schema, "required") = required.into();
        let mut titled = Map::from_iter([("title".to_owned(), json!(self.writer))]);
        titled.extend(std::mem::take(schema.ensure_object()));
        generator.definitions_mut().insert(self.name.to_owned(), titled.into());
        json!({"$ref": format!("#/$defs/{}", self.name)})
    }
}

/// A keyword of a schema, with `null` where it isn't there.
fn fields_of<'s>(schema: &'s mut Schema, keyword: &str) -> &'s mut Value {
    schema.ensure_object().entry(keyword).or_insert(Value::Null)
}

/// The text of `docs/schema/zug-2.json`.
pub fn text() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    let mut all: Vec<Value> = OTHERS.iter().map(|kind| kind.define(&mut generator)).collect();
    all.push(generator.subschema_for::<Inner>().to_value());
    let definitions = std::mem::take(generator.definitions_mut());
    let mut root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:zug:schema:2",
        "title": SCHEMA,
        "description": "What zug writes to standard output with --format jsonl (each line) and \
            --format json (one object). docs/json.md explains it. Objects may have fields that \
            this schema does not know yet.",
        "type": "object",
        "required": ["schema", "record"],
        "anyOf": all,
    });
    let mut named: Vec<(String, Value)> =
        definitions.into_iter().map(|(name, schema)| (definition(&name), schema)).collect();
    named.sort_by(|(a, _), (b, _)| a.cmp(b));
    let count = named.len();
    let named = Map::from_iter(named);
    assert_eq!(named.len(), count, "two types of one name");
    root["$defs"] = named.into();
    refine(&mut root);
    let mut text = String::new();
    write(&mut text, &root, 0, 0);
    text + "\n"
}

/// The name of a definition, of a type's name. Types over terms are named without these.
fn definition(name: &str) -> String {
    let name = name.replace("_TermData", "").replace("_string", "AsText");
    let first = name.chars().next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(name.chars().skip(1)).collect()
}

/// What `schemars` can't know, throughout a schema.
fn refine(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(refine),
        Value::Object(keywords) => {
            if let Some(Value::String(to)) = keywords.get_mut("$ref")
                && let Some(name) = to.strip_prefix("#/$defs/")
            {
                *to = format!("#/$defs/{}", definition(name));
            }
            describe(keywords);
            // What is no number as a float is `null`.
            if keywords.shift_remove("format").is_some_and(|format| format == "double") {
                allow_null(keywords);
            }
            lift_alternatives(keywords);
            for (keyword, inner) in keywords.iter_mut() {
                match inner {
                    Value::Object(named) if keyword == "properties" || keyword == "$defs" => {
                        named.values_mut().for_each(refine);
                    }
                    inner => refine(inner),
                }
            }
            refine_fields(keywords);
        }
        _ => {}
    }
}

/// Puts what a schema says for people first, as one line without marks.
fn describe(keywords: &mut Map<String, Value>) {
    let mut described = Map::new();
    for keyword in ["$schema", "$id", "title", "description"] {
        if let Some(mut text) = keywords.shift_remove(keyword) {
            if let Value::String(text) = &mut text {
                *text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "");
            }
            described.insert(keyword.to_owned(), text);
        }
    }
    described.append(keywords);
    *keywords = described;
}

/// Has the type of a schema allow `null`.
fn allow_null(keywords: &mut Map<String, Value>) {
    if let Some(kind @ Value::String(_)) = keywords.get_mut("type") {
        *kind = json!([kind, "null"]);
    }
}

/// The fields of a flattened enum become fields of the object, one of them required.
fn lift_alternatives(keywords: &mut Map<String, Value>) {
    if !keywords.contains_key("properties") {
        return;
    }
    let Some(Value::Array(alternatives)) = keywords.get_mut("oneOf") else { return };
    let mut lifted = Vec::new();
    for alternative in alternatives {
        let description = alternative["description"].clone();
        if let Some(Value::Object(own)) = alternative.get_mut("properties") {
            for (name, mut field) in std::mem::take(own) {
                field["description"] = description.clone();
                lifted.push((name, field));
            }
        }
        *alternative = json!({"required": alternative["required"]});
    }
    if let Some(Value::Object(properties)) = keywords.get_mut("properties") {
        properties.extend(lifted);
    }
}

/// Fields that may be left out are never `null`; times always are numbers.
fn refine_fields(keywords: &mut Map<String, Value>) {
    let required = keywords.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|all| all.contains(&json!(name)));
    let Some(Value::Object(fields)) = keywords.get_mut("properties") else { return };
    for (name, field) in fields {
        let Value::Object(field) = field else { continue };
        let is_time = name.ends_with("seconds");
        if is_time || !is_required(name) {
            forbid_null(field);
        }
        if is_time && field.get("type") == Some(&json!("number")) {
            field.insert("minimum".to_owned(), json!(0));
        }
    }
}

/// Has a schema no longer allow `null`.
fn forbid_null(keywords: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = keywords.get_mut("type") {
        types.retain(|one| one != "null");
        if let [one] = &mut types[..] {
            let one = one.take();
            keywords.insert("type".to_owned(), one);
        }
    }
    let Some(Value::Array(alternatives)) = keywords.get_mut("anyOf") else { return };
    alternatives.retain(|one| one.get("type") != Some(&json!("null")));
    if let [Value::Object(one)] = &mut alternatives[..] {
        let one = std::mem::take(one);
        keywords.shift_remove("anyOf");
        for (keyword, value) in one {
            // What the field says goes before what its type says.
            keywords.entry(keyword).or_insert(value);
        }
    }
}

/// Writes JSON: what fits on a line behind `used` columns stands on one.
fn write(text: &mut String, value: &Value, indent: usize, used: usize) {
    let line = on_a_line(value);
    let count = match value {
        Value::Object(fields) => fields.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if count == 0 || indent > 0 && used + line.chars().count() < WIDTH {
        text.push_str(&line);
        return;
    }
    let inner = indent + 2;
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    text.push(open);
    let mut put = |place: usize, key: String, value: &Value| {
        text.push_str(if place > 0 { ",\n" } else { "\n" });
        text.push_str(&" ".repeat(inner));
        text.push_str(&key);
        write(text, value, inner, inner + key.chars().count());
    };
    match value {
        Value::Object(fields) => {
            for (place, (key, value)) in fields.iter().enumerate() {
                put(place, format!("{}: ", json!(key)), value);
            }
        }
        value => {
            for (place, value) in value.as_array().into_iter().flatten().enumerate() {
                put(place, String::new(), value);
            }
        }
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

/// JSON on one line, with a blank behind each comma and colon.
fn on_a_line(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let all =
                fields.iter().map(|(key, value)| format!("{}: {}", json!(key), on_a_line(value)));
            format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(on_a_line).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}
