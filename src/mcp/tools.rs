//! The tools: what they take, and the command of zug that each call is.

use super::answer::Answer;
use super::process::Writes;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// The file that a text which came with a call is in.
pub const TEXT: &str = "rules.pl";
/// Answers of a query, unless it is said how many.
const ANSWERS: u32 = 10;

/// The rules of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Given {
    /// This text.
    Text(String),
    /// A file of the library.
    File(String),
}

/// A command of zug.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// The rules, if it is about some.
    pub rules: Option<Given>,
    /// Its options.
    pub options: Vec<String>,
    /// What stands behind the file. Where there are several, each is tried if the one before it ends with exit code 1.
    pub attempts: Vec<Vec<String>>,
    /// What it reads from standard input.
    pub input: String,
    /// What it writes.
    pub writes: Writes,
}

/// Bytes of one argument: systems take no more in a word of a command line.
const MOST_ARGUMENT: usize = 100_000;

impl Command {
    /// The command, if the system can take its words.
    fn checked(self) -> Result<Command, String> {
        let words = self.options.iter().chain(self.attempts.iter().flatten());
        match words.map(String::len).max() {
            Some(length) if length > MOST_ARGUMENT => Err(format!(
                "an argument has {length} bytes, and at most {MOST_ARGUMENT} are possible: put long terms and goals \
                 into `rules`, as clauses"
            )),
            _ => Ok(self),
        }
    }
}

/// The rules, one of both.
#[derive(Debug, Deserialize, JsonSchema)]
struct Rules {
    /// The rules themselves, as Prolog clauses
    rules: Option<String>,
    /// In their place the name of a rule file, from the folder of the server
    file: Option<String>,
}

impl Rules {
    fn given(self) -> Result<Given, String> {
        match (self.rules, self.file) {
            (Some(text), None) => Ok(Given::Text(text)),
            (None, Some(file)) => Ok(Given::File(file)),
            _ => {
                Err("give either `rules`, the text, or `file`, the name of a rule file".to_owned())
            }
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Check {
    #[serde(flatten)]
    rules: Rules,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Query {
    #[serde(flatten)]
    rules: Rules,
    /// The goal, as "initial_state(S), rule(Move, Cost, S, Next)"
    goal: String,
    /// Answers at most; 10 unless it is said
    answers: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Why {
    #[serde(flatten)]
    rules: Rules,
    /// The goal
    goal: String,
}

/// Where a search or a play begins.
#[derive(Debug, Deserialize, JsonSchema)]
struct Start {
    /// The name of the instance, if the rules have several; the first unless it is said
    instance: Option<String>,
    /// The state to begin with, as a term, in place of an instance
    state: Option<String>,
}

impl Start {
    fn options(self) -> impl Iterator<Item = String> {
        let named = [("instance", self.instance), ("state", self.state)];
        named.into_iter().filter_map(|(name, value)| option(name, value))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Solve {
    #[serde(flatten)]
    rules: Rules,
    #[serde(flatten)]
    start: Start,
    /// The engine; the one that fits unless it is said. `manual` explains each by its name
    engine: Option<String>,
    /// The name of the heuristic, or `derived` for one that zug makes from the rules
    heuristic: Option<String>,
    /// Who is to move, in a game
    player: Option<String>,
    /// Moves that are looked ahead at most
    depth: Option<u32>,
    /// Show the board after every move
    boards: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Play {
    #[serde(flatten)]
    rules: Rules,
    #[serde(flatten)]
    start: Start,
    /// The moves so far, in order, each the term of a legal move and no number of a list; between them `undo` takes a
    /// move back and `hint` asks for a good one. The first that is illegal ends the play, and `refused` has its number
    #[serde(default)]
    moves: Vec<String>,
    /// The player whose moves these are; all players' unless it is said
    #[serde(rename = "as")]
    own: Option<String>,
    /// Who makes the moves of the others, as `level:5`
    against: Option<String>,
    /// The seed of what happens at random: the same moves lead to the same state; 1 unless it is said
    seed: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Manual {
    /// A command, an engine or a predicate, as `solve`, `astar`, `rule/4`; the tutorial unless it is said
    topic: Option<String>,
}

fn option(name: &str, value: Option<String>) -> Option<String> {
    value.map(|value| format!("--{name}={value}"))
}

/// A tool: its name, what it does, what it takes, and the command that a call is.
struct Entry {
    name: &'static str,
    description: &'static str,
    schema: fn() -> JsonObject,
    command: fn(JsonObject) -> Result<Command, String>,
}

const TOOLS: [Entry; 6] = [
    Entry {
        name: "check",
        description: "Finds mistakes in rules: syntax, unknown predicates, loops, moves that cost nothing or lead \
                      nowhere; says what the rules are (puzzle, game, model) and which engines apply.",
        schema: schema::<Check>,
        command: |arguments| {
            let Check { rules } = taken(arguments)?;
            command("check", rules, Vec::new())
        },
    },
    Entry {
        name: "query",
        description: "Answers a Prolog goal over the rules.",
        schema: schema::<Query>,
        command: |arguments| {
            let Query { rules, goal, answers } = taken(arguments)?;
            let most = answers.unwrap_or(ANSWERS).max(1);
            let attempts = vec![vec![goal]];
            Ok(Command { attempts, ..command("query", rules, vec![format!("--answers={most}")])? })
        },
    },
    Entry {
        name: "solve",
        description: "Solves a puzzle (a cheapest plan, or that there is none), a game (its value and the best move) or a \
                      model with constraints.",
        schema: schema::<Solve>,
        command: |arguments| {
            let Solve { rules, start, engine, heuristic, player, depth, boards } =
                taken(arguments)?;
            let depth = depth.map(|depth| depth.to_string());
            let named = [
                ("engine", engine),
                ("heuristic", heuristic),
                ("player", player),
                ("depth", depth),
            ];
            let mut options: Vec<String> = start.options().collect();
            options.extend(named.into_iter().filter_map(|(name, value)| option(name, value)));
            options.extend(boards.unwrap_or(false).then(|| "--boards".to_owned()));
            command("solve", rules, options)
        },
    },
    Entry {
        name: "play",
        description: "Makes moves in a puzzle or a game from its start, and shows the board and the legal moves. \
                      Each call begins anew and makes all of `moves`.",
        schema: schema::<Play>,
        command: |arguments| {
            let Play { rules, start, moves, own, against, seed } = taken(arguments)?;
            let alone = own.is_none() && against.is_none();
            let own = own.or_else(|| alone.then(|| "all".to_owned()));
            let seed = seed.unwrap_or(1).to_string();
            let named = [("as", own), ("against", against), ("seed", Some(seed))];
            let mut options: Vec<String> = start.options().collect();
            options.push("--strict".to_owned());
            options.extend(named.into_iter().filter_map(|(name, value)| option(name, value)));
            if let Some(broken) = moves.iter().find(|word| word.contains(['\n', '\r'])) {
                return Err(format!("a move is one line: {broken:?}"));
            }
            let input = moves.iter().map(|word| format!("{word}\n")).collect();
            Ok(Command { input, ..command("play", rules, options)? })
        },
    },
    Entry {
        name: "why",
        description: "Shows the proof of a goal, by the clauses that prove it, or where it fails.",
        schema: schema::<Why>,
        command: |arguments| {
            let Why { rules, goal } = taken(arguments)?;
            let goal = goal.trim().trim_end_matches('.');
            let attempts =
                ["why", "why_not"].map(|name| vec![format!("{name}(({goal}))")]).to_vec();
            Ok(Command { attempts, ..command("query", rules, vec!["--answers=1".to_owned()])? })
        },
    },
    Entry {
        name: "manual",
        description: "The tutorial of the rule language, or what there is to say of a command, an engine or a predicate.",
        schema: schema::<Manual>,
        command: |arguments| {
            let Manual { topic } = taken(arguments)?;
            let name = if topic.is_some() { "help" } else { "tutorial" };
            let attempts = vec![topic.into_iter().collect()];
            let (options, input) = (Vec::new(), String::new());
            Ok(Command { name, rules: None, options, attempts, input, writes: Writes::Text })
        },
    },
];

/// A command about rules.
fn command(name: &'static str, rules: Rules, options: Vec<String>) -> Result<Command, String> {
    let rules = Some(rules.given()?);
    let (attempts, input) = (vec![Vec::new()], String::new());
    Ok(Command { name, rules, options, attempts, input, writes: Writes::Records })
}

/// All tools, as clients are told of them.
pub fn all() -> Vec<Tool> {
    let tool = |entry: &Entry| {
        let annotations = ToolAnnotations::new().read_only(true).open_world(false);
        let tool = Tool::new(entry.name, entry.description, (entry.schema)());
        let tool = tool.with_annotations(annotations);
        match entry.name {
            "manual" => tool,
            _ => tool.with_raw_output_schema(Arc::new(schema::<Answer>())),
        }
    };
    TOOLS.iter().map(tool).collect()
}

/// What a call of a tool means; why it means nothing. `None` if there is no such tool.
pub fn read(name: &str, arguments: JsonObject) -> Option<Result<Command, String>> {
    let entry = TOOLS.iter().find(|entry| entry.name == name)?;
    Some(match unknown(&arguments, &(entry.schema)()) {
        Some(why) => Err(why),
        None => (entry.command)(arguments).and_then(|command| command.checked()),
    })
}

/// What an argument that the schema does not have is told.
fn unknown(arguments: &JsonObject, schema: &JsonObject) -> Option<String> {
    let known = schema.get("properties").and_then(Value::as_object)?;
    let name = arguments.keys().find(|name| !known.contains_key(*name))?;
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    Some(format!("there is no argument `{name}`; there are {}", names.join(", ")))
}

fn taken<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| error.to_string())
}

fn schema<T: JsonSchema>() -> JsonObject {
    let mut schema = schema_for!(T).to_value();
    let object = schema.as_object_mut().map(std::mem::take).unwrap_or_default();
    object.into_iter().filter(|(name, _)| name != "$schema" && name != "title").collect()
}
