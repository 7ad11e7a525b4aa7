//! Command lines that make no sense, in plain words.

use super::rules::quoted;
use super::{Exit, emit, fail, io, rules, starting, tell};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error;
use std::path::{Path, PathBuf};
use zug_render::style::{Theme, paint};
use zug_usecases::record::ErrorData;

/// What clap has to say instead of a command line that it understands.
pub fn misused(error: &clap::Error, known: &clap::Command) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Help and versions go to standard output, complaints elsewhere.
        let _ = error.print();
        return Exit::Success;
    }
    let given: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let plain = plain(error, &given);
    if let Some((shape, start)) = starting::start_of_words(std::env::args_os(), known) {
        emit::begin(shape, start);
        let words = error.render().to_string();
        let first = words.split("\n\n").next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first).trim();
        emit::error(ErrorData::new("arguments", plain.as_deref().unwrap_or(message)));
    }
    match plain {
        Some(message) => {
            let theme = Theme::new(io::colours().1);
            tell(&format!("{}: {message}", paint(theme.error, "error")));
        }
        None => {
            let _ = error.print();
        }
    }
    Exit::Usage
}

/// What is wrong with the value of an option, in a sentence; `None` if that is not it.
fn plain(error: &clap::Error, given: &[String]) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            let Some(option) = context(ContextKind::InvalidArg) else {
                // A value that could be read and can't be taken: all is said.
                let words = error.render().to_string();
                let first = words.split("\n\n").next().unwrap_or_default();
                return Some(first.strip_prefix("error: ").unwrap_or(first).trim().to_owned());
            };
            // `--nodes <N>`
            let option = option.split([' ', '[', '=']).next()?;
            let value = context(ContextKind::InvalidValue)?;
            let source = error.source()?.to_string();
            Some(format!("`{option} {value}`: {}", number_wanted(&source).unwrap_or(&source)))
        }
        ErrorKind::UnknownArgument => {
            // clap takes `-1s` for an option, of which it names the first letter.
            let wrong = context(ContextKind::InvalidArg)?;
            if let Some(sentence) = super::version::option_left_out(wrong) {
                return Some(sentence);
            }
            if let Some(line) = in_front(given.get(1..).unwrap_or_default()) {
                return Some(format!("the command comes first: `{line}`"));
            }
            let amount = |word: &str| {
                let digits = word.strip_prefix('-').unwrap_or_default();
                digits.starts_with(|c: char| c.is_ascii_digit()) && word.starts_with(wrong)
            };
            let pair =
                given.windows(2).find(|pair| pair[0].starts_with("--") && amount(&pair[1]))?;
            Some(format!("`{} {}`: this is less than zero", pair[0], pair[1]))
        }
        _ => None,
    }
}

/// Says so where a predicate of the prompt was typed as if it were a command.
///
/// # Errors
/// It was.
pub fn no_predicate(files: &[PathBuf]) -> Result<(), Exit> {
    let words: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let [name @ ("why" | "why_not"), rest @ ..] =
        &words.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        return Ok(());
    };
    if rules::existing(Path::new(name)).is_some() {
        return Ok(());
    }
    let file = rest.first().unwrap_or(&"FILE");
    let goal = rest.get(1).map_or("happy(mary)", |goal| goal.trim().trim_end_matches('.'));
    let asked = quoted(&format!("{name}({goal})"));
    fail(
        "arguments",
        &format!(
            "`{name}` is asked of a goal, in a query: `zug query {file} {asked}`, or at the prompt"
        ),
    );
    Err(Exit::Usage)
}

/// The command line with its command in front, where that stands behind a file, as in
/// `zug taquin.pl solve`.
fn in_front(words: &[String]) -> Option<String> {
    let commands = super::guide::commands();
    let first = words.first().filter(|word| !commands.contains(word))?;
    // Else that word is what is wrong.
    rules::existing(Path::new(first))?;
    let at = words.iter().position(|word| commands.contains(word))?;
    if rules::existing(Path::new(&words[at])).is_some() {
        return None;
    }
    let others = words.iter().enumerate().filter(|(other, _)| *other != at);
    let others =
        others.map(|(_, word)| match word.contains(|c: char| "'\"()[]|;&$* ".contains(c)) {
            true => quoted(word),
            false => word.clone(),
        });
    Some(format!("zug {} {}", words[at], others.collect::<Vec<_>>().join(" ")))
}

/// Says so where the command stands behind a file.
///
/// # Errors
/// It does.
pub fn command_first() -> Result<(), Exit> {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let Some(line) = in_front(&words) else { return Ok(()) };
    fail("arguments", &format!("the command comes first: `{line}`"));
    Err(Exit::Usage)
}

/// What the standard library says of a text that is no number, in words that say what to write.
fn number_wanted(source: &str) -> Option<&'static str> {
    Some(match source {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "write a whole number, as `20`"
        }
        "invalid float literal" | "cannot parse float from empty string" => {
            "write a number, as `2` or `0.5`"
        }
        "number too large to fit in target type" => "this number is too large",
        "number too small to fit in target type" => "this number is too small",
        "number would be zero for non-zero type" => "write a whole number from 1 on",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Cli;
    use clap::Parser;

    #[test]
    fn values_are_told_in_a_sentence() {
        for (line, expected) in [
            ("zug solve a.pl --time -1", Some("`--time -1`: this is less than zero")),
            ("zug solve a.pl --memory -10M", Some("`--memory -10M`: this is less than zero")),
            ("zug solve a.pl --games 1", None),
            ("zug solve a.pl -1", None),
            ("zug solve", None),
            (
                "zug ../../rules/nim.pl solve --engine bfs",
                Some("the command comes first: `zug solve ../../rules/nim.pl --engine bfs`"),
            ),
            (
                "zug solve a.pl --nodes=abc",
                Some("`--nodes abc`: write a number as `500000`, `500_000` or `500k`"),
            ),
        ] {
            let given: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let error = Cli::try_parse_from(&given).expect_err("it makes no sense");
            assert_eq!(plain(&error, &given).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("p('A')"), "'p('\\''A'\\'')'");
    }
}
