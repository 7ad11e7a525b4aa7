//! What a command line asks for, as the first record tells it.
//!
//! Taken from the arguments as clap matched them, so that a new command or option needs nothing
//! here; and from the bare words, where clap can't make sense of them.

use super::emit::Shape;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use zug_usecases::record::{OptionValue, Start};

/// Arguments that are rule files.
const FILES: [&str; 3] = ["file", "files", "paths"];

/// The record, and what results are written as; none if they are for people.
pub fn start(matches: &ArgMatches, cli: &Command) -> Option<(Shape, Start)> {
    let (command, mut given) = matches.subcommand()?;
    let mut takes = cli.find_subcommand(command)?;
    let mut command = command.to_owned();
    // `zug db info`
    while let Some((inner, more)) = given.subcommand() {
        (takes, given) = (takes.find_subcommand(inner)?, more);
        command = format!("{command} {inner}");
    }
    let format = raw(given, "format")?;
    let shape = Shape::by_name(format.first()?)?;
    let mut start = begun(Some(command));
    for id in given.ids() {
        let id = id.as_str();
        if given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        // What is no argument is a group of them, which clap makes of a struct.
        let arg = takes.get_arguments().find(|arg| arg.get_id() == id);
        let (Some(arg), Some(values)) = (arg, raw(given, id)) else { continue };
        if FILES.contains(&id) {
            start.files = values;
        } else if id != "format" {
            let name = arg.get_long().unwrap_or(id).replace('-', "_");
            start.options.insert(name, option(values));
        }
    }
    Some((shape, start))
}

/// The same from words that clap can't make sense of.
pub fn start_of_words(
    words: impl Iterator<Item = OsString>,
    cli: &Command,
) -> Option<(Shape, Start)> {
    let words: Vec<String> =
        words.skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let mut shape = None;
    for (at, word) in words.iter().enumerate() {
        let value = match word.strip_prefix("--format") {
            Some("") => words.get(at + 1).map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => continue,
        };
        shape = value.and_then(Shape::by_name).or(shape);
    }
    let command = words.iter().find(|word| !word.starts_with('-'));
    let command = command.filter(|word| cli.find_subcommand(word.as_str()).is_some());
    Some((shape?, begun(command.cloned())))
}

fn begun(command: Option<String>) -> Start {
    Start {
        version: env!("CARGO_PKG_VERSION"),
        command,
        files: Vec::new(),
        options: BTreeMap::new(),
        seed: None,
    }
}

/// The values of an argument as they were typed.
fn raw(matches: &ArgMatches, id: &str) -> Option<Vec<String>> {
    let values = matches.try_get_raw(id).ok()??;
    Some(values.map(|value: &OsStr| value.to_string_lossy().into_owned()).collect())
}

/// A switch has the value `true`, which nobody typed.
fn option(values: Vec<String>) -> OptionValue {
    match values.as_slice() {
        [] => OptionValue::Flag(true),
        [one] if one == "true" => OptionValue::Flag(true),
        [one] => OptionValue::One(one.clone()),
        _ => OptionValue::Many(values),
    }
}
