//! What `--format json` and `jsonl` write, held against the schema in `docs/schema`: every
//! command, every way to end. The real binary runs.

mod schema;

use crate::support::Folder;
use schema::Schema;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

const SCHEMA: &str = include_str!("../../docs/schema/zug-2.json");

fn validator() -> &'static Schema {
    static VALIDATOR: OnceLock<Schema> = OnceLock::new();
    VALIDATOR.get_or_init(|| {
        let mut schema = serde_json::from_str(SCHEMA).expect("JSON");
        close(&mut schema);
        Schema::new(schema).expect("a schema of which every keyword is known")
    })
}

/// Has every object of a schema allow the fields that it names and no others. Those who read
/// results are told to take no notice of fields they don't know; here each is to be described.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_object = fields.get("type") == Some(&json!("object"));
            if is_object && fields.contains_key("properties") {
                fields.entry("additionalProperties").or_insert(json!(false));
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The schema is published open, and closed for these tests.
#[test]
fn a_field_that_the_schema_does_not_know_is_found() {
    let line = json!({"schema": "zug/2", "record": "output", "stream": "user_output", "text": "x"});
    let mut more = line.clone();
    more["more"] = json!(1);
    let published = Schema::new(serde_json::from_str(SCHEMA).expect("JSON")).expect("a schema");
    assert_eq!(published.validate(&line), Ok(()));
    assert_eq!(published.validate(&more), Ok(()));
    assert_eq!(validator().validate(&line), Ok(()));
    assert!(validator().validate(&more).is_err());
}

/// The validator says no where it should.
#[test]
fn the_validator_finds_what_is_wrong() {
    let check = |schema: Value, good: &[Value], bad: &[Value]| {
        let shown = schema.to_string();
        let schema = Schema::new(schema).expect("a schema");
        for value in good {
            assert_eq!(schema.validate(value), Ok(()), "{shown} {value}");
        }
        for value in bad {
            assert!(schema.validate(value).is_err(), "{shown} {value}");
        }
    };
    check(
        json!({"type": "integer"}),
        &[json!(1), json!(2.0)],
        &[json!(1.5), json!("1"), json!(null)],
    );
    check(
        json!({"type": ["string", "null"]}),
        &[json!("a"), json!(null)],
        &[json!(true), json!([])],
    );
    check(json!({"const": 1}), &[json!(1), json!(1.0)], &[json!(2), json!("1"), json!(true)]);
    check(json!({"enum": ["a", null]}), &[json!("a"), json!(null)], &[json!("b"), json!(0)]);
    check(
        json!({"minimum": 0, "maximum": 1}),
        &[json!(0), json!(1), json!("x")],
        &[json!(-1), json!(1.1)],
    );
    check(json!({"minItems": 1}), &[json!([1]), json!({})], &[json!([])]);
    check(json!({"maxItems": 1}), &[json!([1]), json!({})], &[json!([1, 2])]);
    let closed = json!({"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    check(
        closed,
        &[json!({"a": "x"}), json!(1)],
        &[json!({}), json!({"a": 1}), json!({"a": "x", "b": 1})],
    );
    let others = json!({"properties": {"a": true}, "additionalProperties": {"type": "null"}});
    check(others, &[json!({"a": 1, "b": null})], &[json!({"a": 1, "b": 2})]);
    let items = json!({"prefixItems": [{"const": "x"}], "items": {"type": "integer"}});
    check(items, &[json!([]), json!(["x", 1, 2])], &[json!(["y"]), json!(["x", "x"])]);
    check(json!({"prefixItems": [true], "items": false}), &[json!([1])], &[json!([1, 2])]);
    check(json!({"anyOf": [{"const": 1}, {"const": 2}]}), &[json!(2)], &[json!(3)]);
    check(json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}), &[json!(2)], &[json!(0), json!(3)]);
    check(json!({"oneOf": [{"minimum": 1}, {"maximum": 2}]}), &[json!(0), json!(3)], &[json!(2)]);
    let cases = json!({"if": {"const": 1}, "then": false, "else": {"type": "string"}});
    check(cases, &[json!("a")], &[json!(1), json!(2)]);
    let list = json!({"$defs": {"l": {"anyOf": [{"type": "null"}, {"items": {"$ref": "#/$defs/l"}, "type": "array"}]}}, "$ref": "#/$defs/l"});
    check(list, &[json!([[], [null]])], &[json!([[1]])]);
    let number = json!({"pattern": "^(-?[0-9]+(/[0-9]+)?|-?inf)$"});
    check(
        number,
        &[json!("1"), json!("-10/3"), json!("-inf"), json!(1)],
        &[json!("1/"), json!("x1"), json!(""), json!("inf1")],
    );
    check(
        json!({"pattern": "^[EW][0-9]{4}$"}),
        &[json!("E0123")],
        &[json!("E012"), json!("E01234"), json!("N0123")],
    );
    check(
        json!({"pattern": "^-?[0-9]{2,3}a*$"}),
        &[json!("12"), json!("-123aa")],
        &[json!("1"), json!("1234")],
    );
    // What is not known is not taken for granted.
    for schema in [
        json!({"contains": {}}),
        json!({"items": {"uniqueItems": true}}),
        json!({"$ref": "#/$defs/none"}),
        json!({"type": "float"}),
        json!({"pattern": "[0-9]"}),
        json!({"pattern": "^.*$"}),
        json!({"pattern": "^(a$"}),
        json!({"minItems": -1}),
        json!({"required": "a"}),
        json!({"anyOf": []}),
        json!(7),
    ] {
        assert!(Schema::new(schema.clone()).is_err(), "{schema}");
    }
}

/// What a run of zug wrote.
struct Run {
    records: Vec<Value>,
    code: i32,
    errors: String,
}

impl Run {
    /// Checks all that holds of every run.
    fn new(what: &str, output: &Output) -> Run {
        let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
        let records: Vec<Value> = text
            .lines()
            .map(|line| {
                let record = serde_json::from_str(line)
                    .unwrap_or_else(|why| panic!("{what}: not JSON: {why}: {line:.200}"));
                if let Err(why) = validator().validate(&record) {
                    let line = line.get(..2000).unwrap_or(line);
                    panic!("{what}: not by the schema: {why:.2000}: {line}");
                }
                record
            })
            .collect();
        assert!(text.is_empty() || text.ends_with('\n'), "{what}: a line is cut");
        let code = output.status.code().expect("no signal ended it");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Run { records, code, errors }
    }

    /// What the last record says.
    fn end(&self) -> &Value {
        let last = self.records.last().expect("there is a last record");
        if last["record"] == "report" { &last["end"] } else { last }
    }

    fn outcome(&self) -> &str {
        self.end()["outcome"].as_str().expect("a word")
    }

    /// The records between start and end that are results, in a stream or in a report.
    fn results(&self) -> Vec<&Value> {
        let last = self.records.last().expect("there is a last record");
        if let Some(results) = last["results"].as_array() {
            return results.iter().collect();
        }
        let others = ["start", "progress", "output", "end"];
        let is_result = |record: &&Value| !others.iter().any(|kind| record["record"] == *kind);
        self.records.iter().filter(is_result).collect()
    }

    /// What rules wrote.
    fn output(&self) -> String {
        let last = self.records.last().expect("there is a last record");
        if let Some(text) = last["output"].as_str() {
            return text.to_owned();
        }
        let pieces = self.records.iter().filter(|record| record["record"] == "output");
        pieces.map(|record| record["text"].as_str().expect("text")).collect()
    }

    /// The structure of a variable in the first answer.
    fn binding(&self, name: &str) -> &Value {
        &self.results()[0]["bindings"][name]
    }
}

fn command(args: &[&str], format: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.args(args).args(["--format", format]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run_with(args: &[&str], format: &str, input: &str) -> Run {
    let mut child =
        command(args, format).stdin(Stdio::piped()).spawn().expect("zug can be started");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A zug that doesn't read is gone before all is written.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    Run::new(&format!("{args:?} as {format}"), &output)
}

/// Runs a command as a stream and as a report, and checks what holds of all commands: start
/// first, one end, its exit code that of the process, and the same results both ways.
fn check_with(args: &[&str], input: &str, code: i32, outcome: &str) -> Run {
    let stream = run_with(args, "jsonl", input);
    let kinds: Vec<&str> =
        stream.records.iter().map(|record| record["record"].as_str().expect("a kind")).collect();
    assert_eq!(kinds.first(), Some(&"start"), "{args:?}");
    assert_eq!(kinds.last(), Some(&"end"), "{args:?}");
    for once in ["start", "end"] {
        assert_eq!(kinds.iter().filter(|kind| **kind == once).count(), 1, "{args:?}: {once}");
    }
    let report = run_with(args, "json", input);
    assert_eq!(report.records.len(), 1, "{args:?}: one object");
    assert_eq!(report.records[0]["record"], "report");
    for run in [&stream, &report] {
        assert_eq!(run.outcome(), outcome, "{args:?}: {}", run.errors);
        assert_eq!(run.code, code, "{args:?}: {}", run.errors);
        assert_eq!(run.end()["exit"], code, "{args:?}");
    }
    let kinds = |run: &Run| -> Vec<String> {
        let mut kinds: Vec<String> =
            run.results().iter().map(|record| record["record"].to_string()).collect();
        if code == 4 {
            // How many there are before the time is over, the clock decides.
            kinds.dedup();
        }
        kinds
    };
    assert_eq!(kinds(&stream), kinds(&report), "{args:?}");
    assert_eq!(stream.output(), report.output(), "{args:?}");
    stream
}

fn check(args: &[&str], code: i32, outcome: &str) -> Run {
    check_with(args, "", code, outcome)
}

const PROGRAM: &str = "tests/json/program.pl";
const RULES: &str = "tests/cmd/rules.pl";
const NIM: &str = "rules/nim.pl";
const ENDLESS_MODEL: &str = "tests/json/endless_model.pl";
const TAQUIN: &str = "rules/taquin.pl";
const UNITS: &str = "tests/json/units.pl";
const HANDS: &str = "rules/rock_paper_scissors.pl";

#[test]
fn queries() {
    let run = check(&["query", "tests/cmd/family.pl", "parent(X, Y)"], 0, "true");
    assert_eq!(run.end()["answers"], 2);
    assert_eq!(run.binding("X")["term"], "tom");
    assert_eq!(run.results()[0]["more"], true);
    assert_eq!(run.results()[1]["more"], false);
    let run = check(&["query", PROGRAM, "fail"], 1, "false");
    assert!(run.results().is_empty());
    let run = check(&["query", PROGRAM, "X = Y, Z = f(X, _, W, W), _Hidden = 1"], 0, "true");
    assert_eq!(run.binding("X"), run.binding("Y"));
    assert_eq!(run.binding("Z")["term"]["args"][0], run.binding("X")["term"]);
    assert_eq!(run.binding("_Hidden"), &Value::Null);
    check(&["query", PROGRAM, "between(1, 5, X)", "-n", "2"], 0, "true");
    let run = check(&["query", "tests/cmd/family.pl", "why(parent(tom, X))"], 0, "true");
    assert!(run.results()[0]["explanations"][0].as_str().expect("text").contains("parent"));
    let run = check(&["query", "tests/cmd/family.pl", "why_not(parent(bob, tom))"], 0, "true");
    assert!(!run.results().is_empty());
}

#[test]
fn what_rules_write_is_in_the_records() {
    let run = check(&["query", PROGRAM, "greets, quiet"], 0, "true");
    assert_eq!(run.output(), "loaded\nhello \"you\"\nünïcödé\nno_newline");
    let run = check(&["query", PROGRAM, "put_char('\\x0\\'), put_char('\\x1F600\\')"], 0, "true");
    assert_eq!(run.output(), "loaded\n\u{0}😀");
    let run = check(&["query", PROGRAM, "write(user_error, grumble)"], 0, "true");
    assert_eq!(run.output(), "loaded\n");
    assert!(run.errors.contains("grumble"));
}

#[test]
fn terms() {
    use serde_json::json;
    let terms = [
        ("X = a", json!("a")),
        ("X = []", json!([])),
        ("X = '[]'(1)", json!({"functor": "[]", "args": [1]})),
        ("X = \"a\\x0\\é\"", json!({"string": "a\u{0}é"})),
        ("X = 'it''s \"so\"'", json!("it's \"so\"")),
        ("X = 1.5", json!({"float": 1.5})),
        ("X = 1.0e300", json!({"float": 1.0e300})),
        ("X is inf", json!({"float": "inf"})),
        ("X is -inf", json!({"float": "-inf"})),
        ("X is nan", json!({"float": "nan"})),
        ("X is 2**53 - 1", json!(9_007_199_254_740_991_i64)),
        ("X is 2**53", json!({"integer": "9007199254740992"})),
        ("X is -(2**53)", json!({"integer": "-9007199254740992"})),
        ("X is 2**62", json!({"integer": "4611686018427387904"})),
        ("X is 10**30", json!({"integer": format!("1{}", "0".repeat(30))})),
        ("X = [1,[2,f(3)]]", json!([1, [2, {"functor": "f", "args": [3]}]])),
        ("X = [1,2|T]", json!({"list": [1, 2], "tail": {"variable": "T"}})),
        ("X = 1-2", json!({"functor": "-", "args": [1, 2]})),
        ("X = {a}", json!({"functor": "{}", "args": ["a"]})),
        (
            "X = f(A,B,A)",
            json!({"functor": "f", "args": [{"variable": "A"}, {"variable": "B"}, {"variable": "A"}]}),
        ),
    ];
    let goals = terms.each_ref().map(|(goal, _)| *goal).join(" ; ");
    let run = run_with(&["query", PROGRAM, &goals], "jsonl", "");
    assert_eq!(run.code, 0, "{}", run.errors);
    let answers = run.records.iter().filter(|record| record["record"] == "answer");
    let found: Vec<&Value> = answers.map(|record| &record["bindings"]["X"]["term"]).collect();
    assert_eq!(found.len(), terms.len());
    for ((goal, structure), found) in terms.iter().zip(found) {
        assert_eq!(found, structure, "{goal}");
    }
    let term = |goal: &str| {
        let run = run_with(&["query", PROGRAM, goal], "jsonl", "");
        assert_eq!(run.code, 0, "{goal}: {}", run.errors);
        let found = run.records.iter().find(|record| record["record"] == "answer");
        found.expect("an answer")["bindings"]["X"].clone()
    };
    // Giants end where the documentation says.
    for goal in ["cyclic(X)", "double(100, X)", "deep(1000000, X)", "numlist(1, 1000000, X)"] {
        assert_eq!(term(goal)["truncated"], true, "{goal}");
    }
    assert_eq!(term("numlist(1, 1000, X)")["truncated"], Value::Null);
    assert_eq!(term("numlist(1, 1000, X)")["term"].as_array().map(Vec::len), Some(1000));
    let deep = term("deep(100000, X)");
    assert!(deep["text"].as_str().is_some_and(|text| text.ends_with(&")".repeat(100_000))));
}

#[test]
fn errors_are_data() {
    let run = check(&["query", PROGRAM, "fails_within(1)"], 5, "error");
    let error = &run.end()["error"];
    assert_eq!(error["kind"], "uncaught");
    assert_eq!(error["term"]["term"]["args"][0]["functor"], "type_error");
    assert_eq!(error["finding"]["place"]["line"], 12);
    assert_eq!(error["finding"]["place"]["file"], PROGRAM);
    let calls: Vec<&str> = error["calls"]
        .as_array()
        .expect("calls")
        .iter()
        .filter_map(|call| call["predicate"].as_str())
        .collect();
    assert_eq!(calls, ["helper/1", "fails_within/1"]);
    let run = check(&["query", PROGRAM, "throw(my(ball))"], 5, "error");
    assert_eq!(run.end()["error"]["term"]["text"], "my(ball)");
    let run = check(&["query", PROGRAM, "nobody(1)"], 5, "error");
    assert_eq!(run.end()["error"]["finding"]["code"], "E0602");
    let run = check(&["query", PROGRAM, "foo(X"], 2, "usage");
    assert_eq!(run.end()["error"]["kind"], "unreadable_term");
    assert_eq!(run.end()["error"]["finding"]["place"]["column"], 4);
    let run = check(&["query", PROGRAM, "stops"], 7, "halted");
    assert_eq!(run.end()["status"], 7);
    assert_eq!(run.output(), "loaded\nbefore");
    let run = check(&["solve", "tests/json/raises.pl"], 5, "error");
    let error = &run.end()["error"];
    assert_eq!(error["kind"], "rule");
    assert_eq!(error["finding"]["place"]["line"], 6);
    assert_eq!(error["term"]["term"]["functor"], "error");
    assert!(!error["calls"].as_array().expect("calls").is_empty());
}

/// Commands that take a rule file, with what else they need.
const COMMANDS: &[(&str, &[&str])] = &[
    ("query", &["true"]),
    ("solve", &[]),
    ("nash", &[]),
    ("match", &["uniform", "uniform"]),
    ("tournament", &["uniform", "uniform"]),
    ("play", &[]),
    ("train", &[]),
    ("tree", &[]),
    ("compare", &[]),
    ("heuristics", &[]),
    ("enumerate", &[]),
    ("generate", &[]),
    ("check", &[]),
    ("specialize", &[]),
    ("trace", &["true"]),
    ("profile", &["true"]),
];

fn of(command: &'static str, file: &'static str, rest: &[&'static str]) -> Vec<&'static str> {
    [&[command, file], rest].concat()
}

#[test]
fn many_files() {
    let folder = "tests/cmd/batch";
    let run = check(&["batch", folder], 3, "faults");
    let files = |run: &Run| run.results().iter().filter(|r| r["record"] == "file").count();
    assert_eq!(files(&run), 5);
    let run = check(&["batch", folder, "--queries", "--inferences", "100k"], 5, "error");
    assert_eq!(files(&run), 5);
    let run = check(&["batch", "tests/cmd/batch/jugs", "--expect"], 0, "done");
    assert_eq!(run.results()[2]["points"], 3);
    let run = check(&["batch", "tests/cmd/batch/nim.pl", "--nodes", "1"], 4, "stopped");
    assert_eq!(run.results()[0]["reason"], "nodes");
    let run = check(&["batch", "tests/json/nothing.pl"], 2, "usage");
    assert_eq!(run.end()["error"]["kind"], "no_file");
    // The results file has the same records, and an end of its own.
    let scratch = Folder::new("batch");
    let out = scratch.text("results.jsonl");
    command(&["batch", folder, "--out", &out], "csv").output().expect("zug can be started");
    let text = std::fs::read_to_string(&out).expect("results");
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[..lines.len() - 1] {
        let record = serde_json::from_str(line).expect("JSON");
        assert!(validator().validate(&record).is_ok(), "{line}");
    }
}

#[test]
fn files_that_are_not_there() {
    for (command, rest) in COMMANDS {
        let run = check(&of(command, "tests/json/nothing.pl", rest), 2, "usage");
        assert_eq!(run.end()["error"]["kind"], "no_file", "{command}");
        assert_eq!(run.records[0]["command"], *command);
        assert_eq!(run.records[0]["files"][0], "tests/json/nothing.pl");
    }
}

#[test]
fn files_with_errors() {
    for (command, rest) in COMMANDS {
        let run = check(&of(command, "tests/json/broken.pl", rest), 3, "faults");
        let findings = match *command {
            "check" => &run.results()[0]["findings"],
            _ => &run.end()["findings"],
        };
        let first = &findings[0];
        assert_eq!(first["severity"], "error", "{command}");
        assert_eq!(first["code"], "E0105", "{command}");
        assert_eq!(first["place"]["line"], 2, "{command}");
        assert_eq!(first["place"]["column"], 18, "{command}");
    }
}

#[test]
fn wrong_options() {
    for (command, rest) in COMMANDS {
        // What begins with a hyphen may be the goal of a tree.
        let rest = if *command == "tree" { &["true"][..] } else { rest };
        let args = [of(command, PROGRAM, rest), vec!["--no-such-option"]].concat();
        let run = check(&args, 2, "usage");
        assert_eq!(run.end()["error"]["kind"], "arguments", "{command}");
        assert_eq!(run.records[0]["command"], *command);
    }
    check(&["solve"], 2, "usage");
    check(&["no_such_command"], 2, "usage");
    check(&["solve", RULES, "--engine", "nonsense"], 2, "usage");
    let run = check(&["solve", RULES, "--instance", "nowhere"], 2, "usage");
    assert_eq!(run.end()["error"]["kind"], "no_such_instance");
    assert_eq!(run.end()["error"]["known"][0], "ground");
    check(&["solve", RULES, "--heuristic", "none"], 2, "usage");
    check(&["solve", RULES, "--engine", "alphabeta"], 2, "usage");
    check(&["solve", NIM, "--engine", "astar"], 2, "usage");
    check(&["solve", NIM, "--state", "f("], 2, "usage");
    check(&["solve", RULES, "--player", "a"], 2, "usage");
    check(&["play", NIM, "--against", "nobody"], 2, "usage");
    check(&["play", NIM, "--rounds", "2"], 2, "usage");
    check(&["nash", NIM], 2, "usage");
    check(&["match", NIM, "uniform", "uniform"], 2, "usage");
    check(&["train", RULES], 2, "usage");
    check(&["specialize", RULES, "--predicate", "other/1"], 2, "usage");
}

#[test]
fn results_of_commands() {
    let run = check(&["solve", RULES], 0, "solved");
    assert_eq!(run.results()[0]["path"][0]["text"], "up");
    assert_eq!(run.end()["notes"].as_array().map(Vec::len), Some(1));
    let run = check(&["solve", RULES, "--all"], 1, "exhausted");
    assert_eq!(run.results().len(), 3);
    let run = check(&["solve", NIM], 0, "solved");
    assert_eq!(run.results()[0]["value"], 1);
    assert_eq!(run.results()[0]["move"]["term"]["functor"], "take");
    check(&["solve", NIM, "--engine", "mcts", "--playouts", "50"], 0, "solved");
    check(&["solve", NIM, "--depth", "3"], 0, "solved");
    check(&["solve", HANDS], 0, "solved");
    let run = check(&["solve", "rules/send_more.pl", "--unique"], 0, "solved");
    let found = &run.results()[0];
    assert_eq!(found["outcome"], "solved");
    assert_eq!(found["unique"], true);
    assert_eq!(found["solutions"][0]["values"][4]["name"]["term"], "m");
    assert_eq!(found["solutions"][0]["values"][4]["value"]["term"], 1);
    let run = check(&["solve", "rules/golomb.pl", "--all-solutions=1"], 0, "solved");
    let found = &run.results()[0];
    assert_eq!((&found["objective"], &found["value"]["term"]), (&json!("min"), &json!(17)));
    assert_eq!((&found["optimal"], &found["count"]), (&json!(true), &json!(4)));
    assert_eq!(found["solutions"].as_array().map(Vec::len), Some(1));
    let run = check(&["solve", "rules/golomb.pl", "--nodes", "5"], 4, "stopped");
    assert_eq!(run.end()["reason"], "nodes");
    assert_eq!(run.results()[0]["optimal"], Value::Null);
    let run = check(&["solve", "tests/cmd/models/meeting.pl"], 1, "exhausted");
    let told = run.results()[0]["conflict"][0].as_str().expect("a text");
    assert!(told.contains("meeting.pl:6"), "{told}");
    check(&["solve", "tests/cmd/models/unbounded.pl"], 3, "faults");
    let run = check(&["check", "rules/send_more.pl"], 0, "done");
    assert_eq!(run.results()[0]["kind"], "model");
    assert_eq!(run.results()[0]["models"][0]["constraints"], 4);
    let run = check(&["batch", "rules/golomb.pl"], 0, "done");
    assert_eq!(run.results()[0]["value"], 17);
    assert_eq!(run.results()[0]["optimal"], true);
    check(&["solve", HANDS, "--engine", "mcts", "--playouts", "50"], 0, "solved");
    check(&["nash", HANDS], 0, "done");
    check(&["nash", HANDS, "--learn", "regret", "--iterations", "10"], 0, "done");
    check(&["nash", HANDS, "--eliminate=weak", "--all"], 0, "done");
    let seed = u64::MAX.to_string();
    let args = ["match", HANDS, "uniform", "nash", "--rounds", "5", "--seed", &seed];
    let run = check(&args, 0, "done");
    assert_eq!(run.records[0]["seed"], *seed, "beyond 2^53");
    assert_eq!(run.results()[0]["seed"], *seed);
    check(&["tournament", HANDS, "uniform", "nash", "--rounds", "5", "--matches", "1"], 0, "done");
    check(&["train", NIM, "--games", "50"], 0, "done");
    check(&["tree", NIM, "--depth", "1"], 0, "done");
    check(&["tree", RULES, "astar(P, C)", "--graph"], 0, "done");
    check(&["compare", "tests/cmd/estimates.pl", "--engines", "astar,ucs"], 0, "done");
    check(&["compare", NIM, "--engines", "alphabeta", "--depth", "2"], 0, "done");
    check(&["heuristics", "tests/cmd/estimates.pl"], 1, "violated");
    check(&["enumerate", RULES], 0, "done");
    let run = check(&["generate", "rules/wolf.pl"], 0, "done");
    assert_eq!(run.results()[0]["starts"][0]["plan_count"], 2);
    check(&["generate", "rules/wolf.pl", "--cost", "99"], 1, "exhausted");
    let sampled = ["generate", "rules/taquin.pl", "--limit", "100", "--samples", "5"];
    let run = check(&sampled, 0, "done");
    assert_eq!(run.results()[0]["trusted"][0], "`manhattan` never overestimates");
    let run = check(&["check", RULES, NIM], 0, "done");
    assert_eq!(run.results()[0]["kind"], "puzzle");
    assert_eq!(run.results()[1]["kind"], "game");
    check(&["check", RULES, "tests/json/broken.pl", "nothing.pl"], 3, "faults");
    check(&["specialize", RULES], 0, "done");
    check(&["trace", "tests/cmd/family.pl", "parent(X, Y)"], 0, "true");
    check(&["trace", "tests/cmd/family.pl", "parent(bob, tom)"], 1, "false");
    check(&["profile", "tests/cmd/family.pl", "parent(X, Y)"], 0, "true");
}

#[test]
fn bases() {
    let folder = Folder::new("json");
    let [positions, costs, learned] =
        ["positions.db", "costs.db", "learned.db"].map(|name| folder.text(name));
    let run = check(&["solve", NIM, "--save", &positions], 0, "solved");
    assert!(run.results()[0]["saved"]["all"].is_u64());
    check(&["solve", NIM, "--db", &positions], 0, "solved");
    check(&["play", NIM, "--as", "none", "--seed", "1", "--db", &positions], 0, "done");
    let run = check(&["enumerate", RULES, "--save", &costs], 0, "done");
    assert!(run.results()[0]["saved"]["all"].is_u64());
    check(&["solve", RULES, "--db", &costs], 0, "solved");
    check(&["train", NIM, "--games", "20", "--save", &learned, "--force"], 0, "done");
    for base in [&positions, &costs, &learned] {
        check(&["db", "info", base], 0, "done");
        check(&["db", "check", base], 0, "done");
    }
    check(&["solve", RULES, "--db", &positions], 2, "usage");
    check(&["db", "info", NIM], 2, "usage");
}

#[test]
fn games() {
    let args = ["play", NIM, "--as", "none", "--against", "random", "--seed", "1"];
    let run = check(&args, 0, "done");
    let results = run.results();
    let of_kind = |kind: &str| results.iter().filter(|record| record["record"] == kind).count();
    assert_eq!(of_kind("state"), of_kind("move") + 1);
    let last = results.last().expect("a result");
    assert_eq!(last["moves"].as_array().map(Vec::len), Some(of_kind("move")));
    assert_eq!(last["outcome"], "over");
    check(&["play", NIM, "--games", "2", "--against", "random", "--against", "random"], 0, "done");
    let args = ["play", NIM, "--level", "1", "--seed", "1"];
    let run = check_with(&args, "take(9).\n99\nnonsense(\ntake(1)\nundo\n2\n\nquit\n", 0, "done");
    let refused = run.results().iter().filter(|record| record["record"] == "refused").count();
    assert_eq!(refused, 3);
    let run = check_with(&["play", NIM], "", 0, "done");
    assert_eq!(run.results().last().expect("a result")["outcome"], "unfinished");
    let args = ["play", HANDS, "--rounds", "2", "--seed", "1"];
    let run = check_with(&args, "rock\nwell\n2\n", 0, "done");
    assert_eq!(run.results().last().expect("a result")["rounds"], 2);
}

#[test]
fn tests_of_rule_files() {
    let run = check(&["test", UNITS], 1, "failed");
    let results = run.results();
    let file = results.last().expect("a file");
    assert_eq!(file["counts"]["passed"], 1);
    assert_eq!(file["counts"]["failed"], 1);
    let tests: Vec<&&Value> = results.iter().filter(|one| one["record"] == "test").collect();
    assert_eq!(tests.len(), 4);
    assert_eq!(tests[1]["line"], 4);
    assert_eq!(tests[2]["output"], "before");
    assert_eq!(results.last().expect("a file")["record"], "file");
    check(&["test", UNITS, "--test", "sums:add"], 0, "passed");
    check(&["test", UNITS, "--test", "sums:other"], 2, "usage");
    check(&["test", RULES], 2, "usage");
    check(&["test", "tests/json/nothing.pl"], 2, "usage");
    check(&["test", "tests/json/broken.pl"], 3, "faults");
    // To a file.
    let folder = Folder::new("json");
    let out = folder.text("results.jsonl");
    let mut output = command(&["test", UNITS, "--out", &out], "jsonl").output().expect("runs");
    assert!(output.stdout.is_empty(), "all of it is in the file");
    output.stdout = std::fs::read(&out).expect("written");
    let run = Run::new("test --out", &output);
    assert_eq!(run.records[0]["record"], "start");
    assert_eq!(run.end()["exit"], 1);
}

#[test]
fn batches() {
    let batch = |args: &[&str], code: i32, outcome: &str| {
        let run = run_with(&[&["batch"], args].concat(), "jsonl", "");
        assert_eq!((run.code, run.outcome()), (code, outcome), "{args:?}: {}", run.errors);
        assert_eq!(run.end()["exit"], code, "{args:?}");
        for once in ["start", "end"] {
            let count = run.records.iter().filter(|record| record["record"] == once).count();
            assert_eq!(count, 1, "{args:?}: {once}");
        }
        assert_eq!(run.records[0]["record"], "start", "{args:?}");
        run
    };
    let run = batch(&[RULES, NIM], 1, "failed");
    assert!(run.records.iter().any(|record| record["record"] == "file"));
    batch(&["tests/json/raises.pl", "tests/json/broken.pl", RULES], 5, "error");
    batch(&["tests/json/nothing.pl"], 2, "usage");
    batch(&[RULES, "--no-such-option"], 2, "usage");
}

#[test]
fn limits() {
    let limited = |args: &[&str], reason: &str| {
        let run = check(args, 4, "stopped");
        assert_eq!(run.end()["reason"], reason, "{args:?}");
        run
    };
    limited(&["query", PROGRAM, "loops", "--time", "300ms"], "time");
    limited(&["query", PROGRAM, "loops", "--inferences", "10000"], "inferences");
    limited(&["query", PROGRAM, "repeat, write(more), fail", "--output", "1k"], "output");
    limited(&["query", PROGRAM, "eats(x)", "--memory", "32M"], "memory");
    let run = limited(&["query", PROGRAM, "counts(X)", "--time", "500ms"], "time");
    assert!(run.end()["answers"].as_u64() > Some(1));
    let endless = "tests/json/endless.pl";
    limited(&["solve", endless, "--nodes", "100"], "nodes");
    limited(&["solve", endless, "--engine", "bfs", "--depth", "10"], "depth");
    limited(&["solve", endless, "--time", "300ms"], "time");
    limited(&["enumerate", endless, "--depth", "5"], "depth");
    limited(&["generate", endless, "--nodes", "100"], "nodes");
    limited(&["generate", endless, "--time", "300ms"], "time");
    limited(&["train", NIM, "--games", "1G", "--time", "300ms"], "time");
    limited(&["trace", PROGRAM, "loops", "--time", "300ms"], "time");
    limited(&["profile", PROGRAM, "loops", "--time", "300ms"], "time");
    limited(&["check", "tests/json/hangs.pl", "--time", "300ms"], "time");
    limited(&["solve", "tests/json/hangs.pl", "--time", "300ms"], "time");
    limited(&["solve", ENDLESS_MODEL, "--time", "300ms"], "time");
    limited(&["solve", ENDLESS_MODEL, "--nodes", "100"], "nodes");
    let run = limited(&["query", ENDLESS_MODEL, "search", "--time", "300ms"], "time");
    assert!(run.errors.contains("in a search for values: "), "{}", run.errors);
}

/// Better solutions of a model are told as they are found.
#[test]
fn progress_of_models() {
    let run = run_with(&["solve", "tests/json/best_model.pl", "--time", "3s"], "jsonl", "");
    let told = run.records.iter().filter(|record| record["record"] == "progress");
    let best: Vec<i64> = told
        .clone()
        .map(|record| record["best"].as_str().and_then(|best| best.parse().ok()).expect("a value"))
        .collect();
    assert!(!best.is_empty() && best.is_sorted(), "{best:?}");
    let nodes: Vec<u64> = told.map(|record| record["nodes"].as_u64().expect("a number")).collect();
    assert!(nodes.is_sorted(), "{nodes:?}");
    let found = run.results()[0]["value"]["text"].as_str().and_then(|best| best.parse().ok());
    assert!(found >= best.last().copied(), "{found:?} {best:?}");
}

/// Starts a command; its process, and its standard output behind the first line.
fn begun(args: &[&str], format: &str) -> (Child, BufReader<std::process::ChildStdout>, String) {
    let mut child = command(args, format).stdin(Stdio::piped()).spawn().expect("zug starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    if format == "jsonl" {
        out.read_line(&mut first).expect("a line");
    }
    (child, out, first)
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

#[cfg(unix)]
#[test]
fn interrupts() {
    let endless = "tests/json/endless.pl";
    let cases: &[&[&str]] = &[
        &["query", PROGRAM, "loops"],
        &["query", PROGRAM, "counts(X), fail"],
        &["solve", endless],
        &["enumerate", endless],
        &["generate", endless, "--limit", "1G", "--search-nodes", "1G"],
        &["compare", endless, "--engines", "bfs", "--nodes", "100M", "--time", "1h"],
        &["solve", "tests/json/hangs.pl"],
        &["solve", ENDLESS_MODEL],
        &["query", ENDLESS_MODEL, "search"],
        &["check", "tests/json/hangs.pl"],
        &["train", NIM, "--games", "1G"],
        &["match", HANDS, "uniform", "uniform", "--rounds", "1000000000"],
        &["play", NIM],
        &["play", HANDS],
        &["trace", PROGRAM, "loops"],
        &["profile", PROGRAM, "loops"],
    ];
    let full = crate::support::full();
    for (nth, args) in cases.iter().enumerate() {
        let formats = ["jsonl", "json"];
        for format in if full { &formats[..] } else { &formats[nth % 2..][..1] } {
            let (child, mut out, mut text) = begun(args, format);
            // Long enough for the library to be read; at any other moment it works too.
            std::thread::sleep(Duration::from_millis(1500));
            interrupt(&child);
            out.read_to_string(&mut text).expect("UTF-8");
            let mut output = child.wait_with_output().expect("it ends");
            output.stdout = text.into_bytes();
            let run = Run::new(&format!("{args:?} as {format}"), &output);
            assert_eq!(run.outcome(), "interrupted", "{args:?}: {}", run.errors);
            assert_eq!(run.code, 130, "{args:?}");
        }
    }
}

/// At any moment, be it while the library is read.
#[cfg(unix)]
#[test]
fn interrupts_at_any_moment() {
    for milliseconds in [0, 1, 20, 100, 250] {
        let (child, mut out, mut text) = begun(&["query", PROGRAM, "loops"], "jsonl");
        std::thread::sleep(Duration::from_millis(milliseconds));
        interrupt(&child);
        out.read_to_string(&mut text).expect("UTF-8");
        let mut output = child.wait_with_output().expect("it ends");
        output.stdout = text.into_bytes();
        let run = Run::new(&format!("interrupted after {milliseconds} ms"), &output);
        assert_eq!((run.outcome(), run.code), ("interrupted", 130), "{milliseconds} ms");
    }
}

#[cfg(unix)]
#[test]
fn outputs_that_break() {
    // Nobody reads on.
    let (child, out, first) = begun(&["query", PROGRAM, "counts(X)"], "jsonl");
    assert!(first.contains("\"start\""));
    drop(out);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(141));
    // The disk is full.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        for format in ["jsonl", "json"] {
            let mut command = command(&["query", PROGRAM, "member(X, [1,2])"], format);
            let full = full.try_clone().expect("a handle");
            let output = command.stdout(full).output().expect("it runs");
            assert_eq!(output.status.code(), Some(5), "{format}");
            assert!(String::from_utf8_lossy(&output.stderr).contains("can't write the result"));
        }
    }
}

#[test]
fn the_schema_is_strict() {
    let run = check(&["solve", RULES], 0, "solved");
    let valid = |record: &Value| validator().validate(record).is_ok();
    let result = run.records.iter().find(|record| record["record"] == "result").expect("one");
    for record in [&run.records[0], result, run.end()] {
        assert!(valid(record));
        let object = record.as_object().expect("an object");
        let mut more = record.clone();
        more["surplus"] = Value::from(1);
        assert!(!valid(&more), "a field nobody knows: {more}");
        let optional = ["heuristic", "code", "optimal_by"];
        for key in object.keys().filter(|key| !optional.contains(&key.as_str())) {
            let mut less = record.clone();
            less.as_object_mut().expect("an object").remove(key);
            assert!(!valid(&less), "without {key}: {less}");
        }
    }
    let mut end = run.end().clone();
    end["exit"] = Value::from(1);
    assert!(!valid(&end), "solved with exit code 1");
    end["exit"] = Value::from(4);
    end["outcome"] = Value::from("stopped");
    assert!(!valid(&end), "stopped without a reason");
    let mut result = result.clone();
    result["path"][0]["term"] = serde_json::json!({"functor": "f"});
    assert!(!valid(&result), "a compound without arguments");
}

#[test]
fn the_schema_is_printed() {
    let output = Command::new(env!("CARGO_BIN_EXE_zug")).arg("schema").output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), SCHEMA);
}

#[test]
fn puzzles_played_by_hand() {
    let lines = "nowhere\nfar\nup\nundo\nredo\nup\nleft\ndown\nright\n";
    let run = check_with(&["play", TAQUIN], lines, 0, "done");
    let kinds: Vec<String> =
        run.results().iter().map(|record| record["record"].to_string().replace('"', "")).collect();
    let count = |kind: &str| kinds.iter().filter(|known| *known == kind).count();
    assert_eq!((count("refused"), count("ahead"), count("move"), count("state")), (1, 1, 5, 8));
    let results = run.results();
    let far = results.iter().find(|record| record["record"] == "ahead").expect("one");
    assert_eq!((&far["known"], &far["cost"]), (&"cheapest".into(), &5.into()));
    let last = results.last().expect("a result");
    assert_eq!((&last["outcome"], &last["cost"]), (&"solved".into(), &5.into()));
    assert_eq!(last["best"]["cost"], 5);
    let run = check_with(&["play", TAQUIN, "--instance", "ten"], "quit\n", 0, "done");
    assert_eq!(run.results().last().expect("a result")["outcome"], "unfinished");
    check(&["play", TAQUIN, "--level", "3"], 2, "usage");
    check(&["play", TAQUIN, "--state", "foo"], 2, "usage");
}

#[test]
fn all_cheapest_plans() {
    let run = check(&["solve", "rules/wolf.pl", "--all-plans"], 0, "solved");
    let result = run.results().last().cloned().expect("a result");
    assert_eq!((&result["plan_count"], &result["unique"]), (&2.into(), &false.into()));
    assert_eq!(result["plans"].as_array().map(Vec::len), Some(2));
    let run = check(&["solve", "tests/cmd/plans/many.pl", "--all-plans=0"], 0, "solved");
    let result = run.results().last().cloned().expect("a result");
    assert_eq!(result["plan_count"], "1267650600228229401496703205376");
    assert_eq!(result["state_sequences"], 1);
    check(&["solve", TAQUIN, "--all-plans", "--all", "--nodes", "100"], 4, "stopped");
    check(&["solve", "rules/jugs.pl", "--instance", "hopeless", "--all-plans"], 1, "exhausted");
    check(&["solve", TAQUIN, "--all-plans", "--depth", "3"], 2, "usage");
}
