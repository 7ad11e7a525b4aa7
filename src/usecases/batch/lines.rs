//! The lines of a results file: what a batch writes, and reads again when it is resumed.
//!
//! A `start` line with the options; for each file the lines of its results and a `file` line
//! that closes them; an `end` line. Without times, so that a batch run twice writes the same.

use super::outcome::Outcome;
use crate::record::{self, Bindings, TermData};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Number, Value};
use std::collections::BTreeMap;

pub use crate::record::SCHEMA;

/// What every line begins with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Head {
    /// [`SCHEMA`].
    pub schema: String,
    /// `start`, `result`, `file` or `end`.
    pub record: String,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartLine {
    /// The version of zug.
    pub version: String,
    /// `batch`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "batch")))]
    pub command: String,
    /// None: which files there are may change until the batch is resumed.
    pub files: Vec<String>,
    /// The options that results depend on, as text or as switches.
    pub options: BTreeMap<String, Value>,
    /// The seed of plays at random.
    pub seed: u64,
}

/// What came of an instance or a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultLine {
    /// The rule file.
    pub file: String,
    /// The number of the result in its file, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub number: usize,
    /// The instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The unit test, as `unit:name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The heuristic, if the engine uses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
    /// The player to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<TermData>,
    /// How it ended.
    pub outcome: Outcome,
    /// Which limit stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Of a plan, or a solution of a model with an objective: true if none is better, false if one is, null
    /// if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<zug_report::Optimal>"))]
    pub optimal: Option<Option<bool>>,
    /// Why no plan is cheaper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_by: Option<String>,
    /// What has to be so for no plan to be cheaper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_if: Option<String>,
    /// What has to be so for there to be no plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhausted_if: Option<String>,
    /// The cost of a cheapest plan, where another one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<zug_report::Number>"))]
    pub cheapest: Option<Value>,
    /// The cost of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<zug_report::Number>"))]
    pub cost: Option<Value>,
    /// Moves in the plan, or to the end of the game with best play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<usize>,
    /// The moves of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<TermData>>,
    /// The value to the player to move; in a zero-sum game at once to the first player. Of a model the
    /// value of its objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<zug_report::Number>"))]
    pub value: Option<Value>,
    /// Of a value: true if no estimate went into it, null if it is exact under the condition of `exact_if`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<zug_report::Exact>"))]
    pub exact: Option<Option<bool>>,
    /// What has to be so for the value to be exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_if: Option<String>,
    /// The move; none where the game is over.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<TermData>,
    /// Best play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<TermData>>,
    /// The equilibria of a game at once, as `zug nash` writes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<crate::solve::EquilibriumData>>"))]
    pub equilibria: Option<Value>,
    /// States whose successors were generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Successors generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    /// Nodes of a game's tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The answers of a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<Bindings>>,
    /// There may be more answers than were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<bool>,
    /// What the rules wrote meanwhile.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// They wrote more than was kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub output_truncated: bool,
    /// Wall-clock time in seconds, if times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
}

/// A field that is there, also as null.
fn given<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<bool>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

impl ResultLine {
    /// A line of a file with nothing in it yet.
    pub fn new(file: &str, number: usize, outcome: Outcome) -> ResultLine {
        ResultLine { file: file.to_owned(), number, outcome, ..ResultLine::default() }
    }

    /// What it is about: an instance, a query or a test.
    pub fn about(&self) -> Option<&str> {
        self.instance.as_deref().or(self.query.as_deref()).or(self.test.as_deref())
    }

    /// Leaves out what another run would count otherwise: a limit struck that goes by the clock
    /// or by what the machine had left.
    pub fn forget_counts(&mut self) {
        let kept = ResultLine::new(&self.file, self.number, self.outcome);
        let old = std::mem::replace(self, kept);
        self.instance = old.instance;
        self.query = old.query;
        self.test = old.test;
        self.engine = old.engine;
        self.heuristic = old.heuristic;
        self.player = old.player;
        self.reason = old.reason;
    }
}

/// What closes the lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileLine {
    /// The rule file.
    pub file: String,
    /// The gravest outcome of its results, or of its load; in a grading run `passed` or `failed`.
    pub outcome: Outcome,
    /// Which limit stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The status that it alone would give.
    pub exit: i32,
    /// The result lines before this one.
    pub results: usize,
    /// Warnings of the load.
    pub warnings: usize,
    /// Errors of the load, the first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// What the rules wrote while they were loaded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// They wrote more than was kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub output_truncated: bool,
    /// In a grading run: what was expected, and whether it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<GradedExpectation>,
    /// In a grading run: points reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Number>,
    /// In a grading run: points there were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_of: Option<Number>,
    /// Queries and unit tests in it that were not asked for: `--queries` runs them.
    #[serde(default, skip_serializing_if = "crate::record::is_zero")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub not_asked: usize,
    /// The content of the file, as 32 hexadecimal digits.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^([0-9a-f]{32})?$")))]
    pub hash: String,
    /// The other files that were loaded or read, with their contents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loaded: Vec<Loaded>,
    /// Not run, or not to its end: `--resume` runs it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    pub unfinished: bool,
    /// Wall-clock time in seconds, if times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
}

impl FileLine {
    /// A line with nothing in it yet.
    pub fn new(file: &str, outcome: Outcome) -> FileLine {
        let exit = i32::from(outcome.exit().code());
        FileLine { file: file.to_owned(), outcome, exit, ..FileLine::default() }
    }
}

/// A file that another one loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loaded {
    /// Its path.
    pub file: String,
    /// Its content; empty where it was looked for and not there.
    pub hash: String,
}

/// An expectation and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradedExpectation {
    /// The instance or query it is about, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// What was expected, as `cost(5)`.
    pub expected: String,
    /// What came.
    pub came: String,
    /// It came as expected.
    pub passed: bool,
    /// What it is worth.
    pub points: Number,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndLine {
    /// The gravest outcome.
    pub outcome: Outcome,
    /// Which limit of the whole batch struck.
    pub reason: Option<String>,
    /// The status of the process.
    pub exit: i32,
    /// Files with a closing line.
    pub files: usize,
    /// Result lines.
    pub results: usize,
    /// Files that were not run, or not to their end.
    pub unfinished: usize,
    /// Files by outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// In a grading run: points reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Number>,
    /// In a grading run: points there were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_of: Option<Number>,
    /// Wall-clock time in seconds, if times are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
}

/// Points as JSON has them: whole ones without a fraction.
pub fn points(value: f64) -> Number {
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    let number = if whole { Some(Number::from(value as i64)) } else { Number::from_f64(value) };
    number.unwrap_or_else(|| Number::from(0))
}

/// All that came of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The results.
    pub results: Vec<ResultLine>,
    /// What closes them.
    pub file: FileLine,
}

impl Group {
    /// The lines, to be written at once.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for result in &self.results {
            text += &line("result", result);
        }
        text + &line("file", &self.file)
    }
}

impl Group {
    /// What a table shows of it: without texts that may be long.
    #[must_use]
    pub fn without_text(&self) -> Group {
        let mut group = self.clone();
        group.file.output.clear();
        for result in &mut group.results {
            result.output.clear();
            result.equilibria = None;
            result.line = None;
            result.path = None;
            if let Some(answers) = &mut result.answers {
                answers.fill(Bindings::default());
            }
        }
        group
    }
}

/// A line: a record of a kind, with the line's end.
pub fn line(kind: &str, data: &impl Serialize) -> String {
    record::line(kind, data) + "\n"
}
