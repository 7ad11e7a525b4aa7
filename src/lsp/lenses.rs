//! Commands above predicates: solve, play, draw the tree, run tests.
//!
//! The editor carries them out in a terminal, if it said so (`initializationOptions.commands` is
//! `client`). For others the server runs them, with small limits, and shows what comes out.

use crate::checks::notification;
use crate::server::{Answer, Refusal, Server, outbox};
use crate::workspace::{View, folder_of};
use ls_types::notification::ShowMessage;
use ls_types::{
    CodeLens, CodeLensParams, Command, ExecuteCommandParams, MessageType, Range, ShowMessageParams,
};
use serde_json::Value;
use std::process::{Command as Process, Stdio};
use zug_editing::outline::{Occurrence, Predicate};
use zug_term::source::Span;

/// The names of the commands, with a file as argument; of tests a unit, or `Unit:Test`, behind it.
pub const COMMANDS: &[&str] = &["zug.solve", "zug.play", "zug.tree", "zug.nash", "zug.test"];

/// Characters shown of what a command prints.
const SHOWN: usize = 2_000;

pub fn lenses(server: &Server, params: CodeLensParams) -> Answer<Option<Vec<CodeLens>>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let Some(path) = view.path.as_deref() else { return Ok(None) };
    let file = path.to_string_lossy().into_owned();
    let mut lenses = Vec::new();
    let mut put = |range: Range, title: &str, command: &str, more: Option<String>| {
        // The server has no terminal to play in.
        if command == "zug.play" && !server.client.runs_commands {
            return;
        }
        let file = Value::String(file.clone());
        let arguments = std::iter::once(file).chain(more.map(Value::String)).collect();
        let (title, command) = (title.to_owned(), command.to_owned());
        let command = Command { title, command, arguments: Some(arguments) };
        lenses.push(CodeLens { range, command: Some(command), data: None });
    };
    if let Some((head, commands)) = domain(&view) {
        let range = view.range(head.span);
        for &(title, command) in commands {
            put(range, title, command, None);
        }
    }
    for unit in &view.outline.units {
        let start = Span { end: unit.span.start, ..unit.span };
        put(view.range(start), "run tests", "zug.test", Some(unit.name.clone()));
    }
    Ok(Some(lenses))
}

/// A title and the command behind it.
type Titled = (&'static str, &'static str);

const SOLVE: Titled = ("solve", "zug.solve");
const PLAY: Titled = ("play", "zug.play");
const DRAW: Titled = ("draw the tree", "zug.tree");
const EQUILIBRIA: Titled = ("find equilibria", "zug.nash");

/// What can be done with a rule file, and the predicate above which it stands.
fn domain(view: &View) -> Option<(&Occurrence, &'static [Titled])> {
    let of = |name: &str, arities: &[usize]| {
        arities.iter().find_map(|&arity| {
            let predicate = Predicate { name: name.into(), arity };
            view.outline.heads().find(|head| head.predicate == predicate)
        })
    };
    let moves = of("rule", &[4]).or_else(|| of("move", &[4, 3]));
    if let (Some(head), Some(_)) = (of("initial_state", &[2, 1]), moves) {
        return Some((head, &[SOLVE, PLAY, DRAW]));
    }
    if let Some(head) = of("payoff", &[2]) {
        return Some((head, &[EQUILIBRIA, PLAY]));
    }
    if let Some(head) = of("joint_move", &[3]) {
        return Some((head, &[EQUILIBRIA]));
    }
    Some((of("model", &[1, 2])?, &[SOLVE]))
}

/// Runs a command for an editor that doesn't.
pub fn execute(server: &Server, params: ExecuteCommandParams) -> Answer<Option<Value>> {
    let words: Vec<&str> = params.arguments.iter().filter_map(Value::as_str).collect();
    let command = params.command.strip_prefix("zug.").unwrap_or_default();
    let (Some(file), true) = (words.first(), COMMANDS.contains(&params.command.as_str())) else {
        return Err(Refusal::new(format!("`{}` is no command with a file", params.command)));
    };
    if command == "play" {
        return Err(Refusal::new("games are played in a terminal: `zug play FILE`"));
    }
    let mut process = Process::new(&server.program);
    process.args([command, file]).args(["--sandbox", "--time", "10s", "--memory", "1G"]);
    if let (Some(unit), "test") = (words.get(1), command) {
        process.args([if unit.contains(':') { "--test" } else { "--unit" }, unit]);
    }
    process.current_dir(folder_of(Some(std::path::Path::new(file)))).stdin(Stdio::null());
    let outbox = outbox(&server.connection);
    let run = move || {
        outbox(notification::<ShowMessage>(told(&mut process)));
    };
    let spawned = std::thread::Builder::new().name("command".to_owned()).spawn(run);
    spawned.map(|_| None).map_err(|error| Refusal::new(error.to_string()))
}

/// Runs a process; what is shown of what it prints.
fn told(process: &mut Process) -> ShowMessageParams {
    match process.output() {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            let text = String::from_utf8_lossy(&text);
            let message = text.chars().take(SHOWN).collect();
            let typ =
                if output.status.success() { MessageType::INFO } else { MessageType::WARNING };
            ShowMessageParams { typ, message }
        }
        Err(error) => ShowMessageParams { typ: MessageType::ERROR, message: error.to_string() },
    }
}
