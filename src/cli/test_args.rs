//! What `zug test` takes, as clap sees it.

use super::rule_args::RuleArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use zug_options::units;

/// How `zug test` is used.
pub const TESTING: &str = "\
Tests stand in the rule file, in plunit's form:

  :- begin_tests(arithmetic).
  test(add, X =:= 4) :- X is 2 + 2.
  test(zero, error(evaluation_error(_))) :- _ is 1 / 0.
  :- end_tests(arithmetic).

Exit codes: 0 all tests passed, 1 a test failed, 2 no test, 3 the file has errors, 4 a limit
was reached, 5 a unit could not be set up, 130 interrupted.";

/// `zug test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// The rule files; with `x.plt` or `x_tests.plt` the file `x.pl` beside it is loaded first
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run the tests of these units only
    #[arg(long = "unit", value_name = "UNIT", value_delimiter = ',', num_args = 1)]
    pub units: Vec<String>,
    /// Run this test only; the option may be given several times
    #[arg(long = "test", value_name = "UNIT:TEST", value_parser = unit_and_test)]
    pub tests: Vec<(String, String)>,
    /// List all tests, those that passed as well
    #[arg(short, long)]
    pub verbose: bool,
    /// Time that each test may take, as 10s, 500ms or 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Time that each file may take, loading included
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// How to report; with other formats than `text` nothing else is on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TestFormat,
    /// Write the report to this file instead
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite it if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// What the rules find in the flag `argv`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

/// How tests are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people.
    Text,
    /// One object.
    Json,
    /// An object a line, as tests are done.
    Jsonl,
    /// JUnit's XML, as build servers read it.
    Junit,
}

fn unit_and_test(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((unit, test)) if !unit.is_empty() && !test.is_empty() => {
            Ok((unit.to_owned(), test.to_owned()))
        }
        _ => Err("a test is given with its unit, as arithmetic:add".to_owned()),
    }
}
