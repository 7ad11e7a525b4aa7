//! `zug new`: a rule file to begin with.

use super::guide_args::{NewArgs, NewKind};
use super::{Exit, print, rules};
use zug_usecases::new;

/// Runs the command.
pub fn run(args: &NewArgs) -> Exit {
    let written = match new::write(args.kind.into(), &args.name, args.force) {
        Ok(written) => written,
        Err(failure) => return rules::show_failure(&failure),
    };
    let (what, solve) = match args.kind {
        NewKind::Puzzle => ("a puzzle", "solves it"),
        NewKind::Game => ("a game for two", "who wins, if both play well"),
        NewKind::Chance => ("a game with chance", "what it is worth, if both play well"),
        NewKind::Model => ("a model", "solves it"),
        NewKind::Simultaneous => ("a game in which both choose at once", "how to play it"),
    };
    let file = &written.word;
    let mut rows = vec![
        (format!("zug solve {file}"), solve),
        (format!("zug check {file}"), "looks for mistakes"),
        (format!("zug test {file}"), "runs the tests at its end"),
        (format!("zug {file}"), "answers questions about it"),
    ];
    if !matches!(args.kind, NewKind::Puzzle | NewKind::Model) {
        rows.insert(1, (format!("zug play {file}"), "play it"));
    }
    let width = rows.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let mut text = format!("{} holds {what}, and it runs:\n", written.path.display());
    for (command, does) in rows {
        text += &format!("  {command:<width$}   {does}\n");
    }
    text += "Change it piece by piece into your own; the comments in it say what is what.\n";
    print(&text)
}
