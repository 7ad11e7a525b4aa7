//! What the command line knows of itself: `zug help`, completions for shells, manual pages.
//!
//! All of it comes from what clap knows, so that a new command or option needs nothing here.

use super::command::Cli;
use super::guide_args::{CompletionsArgs, HelpArgs, ManArgs};
use super::{Exit, complain, fail, print, version};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::Path;
use zug_files::Access;
use zug_search::game::game_engines;
use zug_term::spelling::distance_within;
use zug_tools::manual::Book;

/// The names of all commands.
pub fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The command that was meant by a word which is none.
pub fn nearest(typed: &str) -> Option<String> {
    let typed = typed.to_lowercase();
    let near = |name: String| {
        let distance = distance_within(&name, &typed, 2)?;
        // Of a short word not half may be wrong.
        (distance * 2 < typed.chars().count().max(3)).then_some((distance, name))
    };
    commands().into_iter().filter_map(near).min().map(|(_, name)| name)
}

/// `zug help`.
pub fn help(args: &HelpArgs) -> Exit {
    let mut known = Cli::command();
    known.build();
    let mut about = &mut known;
    for (at, word) in args.what.iter().enumerate() {
        if about.find_subcommand(word).is_none() {
            return if at == 0 { other_help(&args.what) } else { no_such(about, word) };
        }
        about = about.find_subcommand_mut(word).expect("it was found");
    }
    // What can't be written has nobody to read it.
    match about.print_long_help() {
        Ok(()) => Exit::Success,
        Err(_) => Exit::Error,
    }
}

/// Says that a command has no command of this name.
fn no_such(about: &Command, word: &str) -> Exit {
    let inner: Vec<&str> = about.get_subcommands().map(Command::get_name).collect();
    let path = about.get_bin_name().unwrap_or("zug");
    let known = match inner.as_slice() {
        [] => format!("; `zug help {}` takes no more words", path.trim_start_matches("zug ")),
        _ => format!("; there are {}", inner.join(", ")),
    };
    fail("arguments", &format!("`{path}` has no command `{word}`{known}"));
    Exit::Usage
}

/// Explains what is no command: an engine, a predicate.
fn other_help(words: &[String]) -> Exit {
    let topic = words.join(" ");
    if let Some(text) = manual(&topic) {
        return print(&text);
    }
    if let Some(why) = version::left_out(&topic) {
        fail("arguments", &why);
        return Exit::Usage;
    }
    let book = Book::default();
    let engines = game_engines().map(|engine| engine.name);
    let other = || zug_term::spelling::nearest(book.names().into_iter().chain(engines), &words[0]);
    let near = nearest(&words[0]).or_else(|| other().map(str::to_owned));
    let hint = match near {
        Some(meant) => format!("did you mean `zug help {meant}`?"),
        None => "`zug help` lists the commands, `zug engines` the engines".to_owned(),
    };
    fail("arguments", &format!("there is no command, engine or predicate `{topic}`; {hint}"));
    Exit::Usage
}

/// What `help/1` says of a predicate or an engine; `None` if it knows nothing.
fn manual(topic: &str) -> Option<String> {
    let (name, arity) = match topic.rsplit_once('/') {
        Some((name, arity)) => (name.trim_end_matches('/'), Some(arity.parse().ok()?)),
        None => (topic, None),
    };
    let book = Book::default();
    let engine = || arity.is_none() && game_engines().any(|engine| engine.name == name);
    if book.about(name, arity).next().is_none() && !engine() {
        return None;
    }
    let (mut session, written) = zug_tools::language::captured("");
    let mut query = session.query(&format!("help({topic})")).ok()?;
    let told = session.next(&mut query).unwrap_or(false);
    session.close(query);
    let _ = session.world.streams.flush_standard();
    told.then(|| written.take())
}

/// `zug completions`.
pub fn completions(args: &CompletionsArgs) -> Exit {
    print(&completions_for(args.shell))
}

fn completions_for(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "zug", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        clap_complete::Shell::Fish => script + &words_for_fish(),
        clap_complete::Shell::Zsh => first_word_for_zsh(&script),
        _ => script,
    }
}

/// `clap_complete` has zsh take the command for a rule file, and look for the command behind it: the
/// first word may be either.
fn first_word_for_zsh(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    for line in script.lines() {
        if line.starts_with("'::files -- ") {
            continue;
        }
        out += &match line {
            "\":: :_zug_commands\" \\" => "\"1: :_zug_first_word\" \\".to_owned(),
            "(( $+functions[_zug_commands] )) ||" => {
                let alternatives = "'commands:command:_zug_commands' 'files:rule file:_files'";
                format!("_zug_first_word() {{\n    _alternative {alternatives}\n}}\n\n{line}")
            }
            line => line.replace("$line[2]", "$line[1]"),
        };
        out.push('\n');
    }
    out
}

/// The words that may stand behind a command, which `clap_complete` leaves out for fish.
fn words_for_fish() -> String {
    let mut script = String::new();
    for command in Cli::command().get_subcommands() {
        for argument in command.get_positionals() {
            for value in argument.get_possible_values().iter().filter(|value| !value.is_hide_set())
            {
                let help = value.get_help().map(|help| help.to_string()).unwrap_or_default();
                let help = help.replace('\\', "\\\\").replace('\'', "\\'");
                script += &format!(
                    "complete -c zug -n \"__fish_zug_using_subcommand {}\" -f -a {} -d '{help}'\n",
                    command.get_name(),
                    value.get_name()
                );
            }
        }
    }
    script
}

/// `zug man`.
pub fn man(args: &ManArgs) -> Exit {
    let pages = match pages() {
        Ok(pages) => pages,
        Err(error) => {
            fail("unwritable", &format!("can't make the manual pages: {error}"));
            return Exit::Error;
        }
    };
    let Some(folder) = &args.folder else {
        return print(&String::from_utf8_lossy(&pages[0].1));
    };
    for (name, page) in &pages {
        if let Err(error) = write(folder, name, page) {
            fail("unwritable", &format!("can't write `{}`: {error}", folder.join(name).display()));
            return Exit::Error;
        }
    }
    let (count, first) = (pages.len(), folder.join(&pages[0].0));
    complain(&format!(
        "{count} pages are in `{}`; `man -l {}` shows the first",
        folder.display(),
        first.display()
    ));
    Exit::Success
}

fn write(folder: &Path, name: &str, page: &[u8]) -> std::io::Result<()> {
    Access::FREE.make_folders(folder)?;
    Access::FREE.write_whole(&folder.join(name), page.as_ref())
}

/// The pages of all commands with the names of their files, that of zug itself first.
fn pages() -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut known = Cli::command();
    known.build();
    let (mut found, mut waiting) = (Vec::new(), vec![known]);
    while let Some(command) = waiting.pop() {
        let inner = command.get_subcommands().filter(|inner| !inner.is_hide_set());
        waiting.extend(inner.cloned().collect::<Vec<_>>().into_iter().rev());
        let (man, mut page) = (Man::new(command), Vec::new());
        man.render(&mut page)?;
        found.push((man.get_filename(), page));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_command_is_in_the_completions_of_every_shell() {
        for shell in clap_complete::Shell::value_variants() {
            let script = completions_for(*shell);
            for command in commands() {
                assert!(script.contains(&command), "{shell}: {command}");
            }
            // Values of an option.
            assert!(script.contains("solve_game"), "{shell}");
        }
    }

    #[test]
    fn commands_are_the_first_word_in_zsh_and_kinds_are_words_in_fish() {
        let zsh = completions_for(clap_complete::Shell::Zsh);
        assert!(zsh.contains("\"1: :_zug_first_word\""));
        assert!(zsh.contains("_zug_first_word() {"));
        assert!(!zsh.contains("$line[2]") && !zsh.contains("'::files"));
        let fish = completions_for(clap_complete::Shell::Fish);
        assert!(fish.contains("using_subcommand new\" -f -a puzzle"));
    }

    #[test]
    fn every_command_has_a_page() {
        let pages = pages().expect("nothing is written to a file");
        assert_eq!(pages[0].0, "zug.1");
        for name in commands().into_iter().chain(["db-info".to_owned()]) {
            let file = format!("zug-{name}.1");
            let page = pages.iter().find(|(known, _)| *known == file);
            let (_, page) = page.unwrap_or_else(|| panic!("no page {file}"));
            let text = String::from_utf8_lossy(page);
            assert!(text.contains(".SH SYNOPSIS"), "{file}");
        }
    }

    #[test]
    fn a_slip_in_the_name_of_any_command_is_understood() {
        for command in commands() {
            let mut letters: Vec<char> = command.chars().collect();
            if letters.len() < 3 {
                continue;
            }
            let last = letters.len() - 1;
            letters.swap(last - 1, last);
            let slip: String = letters.into_iter().collect();
            if !commands().contains(&slip) && slip.len() > 3 {
                assert_eq!(nearest(&slip), Some(command), "{slip}");
            }
        }
        assert_eq!(nearest("nim"), None);
        assert_eq!(nearest("taquin"), None);
    }
}
