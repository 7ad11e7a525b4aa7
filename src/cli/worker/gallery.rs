//! Previews of rule files for the gallery, the goal of a puzzle as a board, and templates of new files.

use super::Desk;
use super::board::{Board, Painter};
use super::header::Header;
use super::play;
use super::reply::End;
use serde::Serialize;
use zug_domain::{Contract, DomainKind};
use zug_files::Access;
use zug_prolog::session::Session;
use zug_render::board::briefly;
use zug_term::{Record, is_ground};
use zug_usecases::Failure;
use zug_usecases::given::{preferred_start, starts};
use zug_usecases::new::Kind;
use zug_usecases::round::standing;

/// Bytes of a file that are read for its header and its beginning.
const BEGINNING: u64 = 16_000;
/// Lines of a file that are shown where there is no board.
const LINES: usize = 9;
/// The names and the words of templates.
const TEMPLATES: &[(Kind, &str, &str)] = &[
    (Kind::Puzzle, "puzzle", "a puzzle: moves, and a goal to reach"),
    (Kind::Game, "game", "a game for two players in turn"),
    (Kind::Chance, "chance", "a game with chance"),
    (Kind::Simultaneous, "simultaneous", "a game in which both choose at the same time"),
    (Kind::Model, "model", "a model: constraints on variables"),
];

/// A card of the gallery.
#[derive(Serialize)]
struct Preview {
    kind: &'static str,
    /// The first sentence of the header.
    title: String,
    players: usize,
    /// The number of starts.
    instances: usize,
    /// The first state.
    board: Option<Board>,
    /// A diagram of the header or the first lines of the rules, where there is no board.
    excerpt: String,
}

/// Shows what the gallery has of a file.
pub fn preview(desk: &Desk) -> Result<End, Failure> {
    let (mut session, contract) = desk.domain()?;
    let header = desk.header();
    let (mut players, mut count, mut board) = (0, 0, None);
    match contract.kind() {
        DomainKind::Puzzle | DomainKind::Game => {
            let found = starts(&mut session, &contract, None, None)?;
            let preferred = preferred_start(&contract, &found);
            count = found.len();
            let first = found.into_iter().nth(preferred).map(|first| first.instance.state);
            board = first.and_then(|state| Painter::default().board(&mut session, &state));
            if contract.kind() == DomainKind::Game {
                players = play::players(desk, &mut session)?.len();
            }
        }
        DomainKind::Simultaneous => {
            let standing = standing(&mut session, None, None, &desk.limits())?;
            players = standing.choices.players.len();
            let state = standing.state.clone();
            board = state.and_then(|state| Painter::default().board(&mut session, &state));
        }
        DomainKind::Model | DomainKind::Program => {}
    }
    let excerpt = if board.is_some() { String::new() } else { excerpt(&header, &desk.beginning()) };
    let (kind, title) = (play::kind(&contract), header.title);
    let instances = count;
    desk.reply.record("preview", &Preview { kind, title, players, instances, board, excerpt });
    Ok(End::done())
}

/// A diagram of the header, or the first clauses.
fn excerpt(header: &Header, text: &str) -> String {
    if let Some(diagram) = header.diagram() {
        return diagram.lines().take(LINES).collect::<Vec<_>>().join("\n");
    }
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('%');
    let lines = text.lines().skip_while(is_comment).filter(|line| !line.starts_with(":- "));
    let lines = lines.skip_while(is_comment).take(LINES);
    lines.collect::<Vec<_>>().join("\n")
}

/// The only final state of a puzzle as a board; `None` unless there is exactly one.
pub fn goal(session: &mut Session, contract: &Contract) -> Option<Board> {
    let pred = contract.goal.filter(|_| contract.kind() == DomainKind::Puzzle)?;
    let state = briefly(session, |session| {
        let (m, w) = (&mut session.machine, &mut session.world);
        let captures = w.streams.captures();
        w.streams.push_capture();
        let found = m.ask(w, |ask| {
            let [state] = ask.outputs();
            if !matches!(ask.call(pred, &[state]), Ok(true)) {
                return None;
            }
            let ([state], heap) = (ask.rooted(), &mut ask.machine.heap);
            let found = is_ground(heap, state).then(|| Record::new(heap, state))?;
            matches!(ask.redo(), Ok(false)).then_some(found)
        });
        w.streams.pop_captures(captures);
        found
    })?;
    Painter::default().board(session, &state)
}

/// The templates of new files.
#[derive(Serialize)]
struct Templates {
    templates: Vec<Template>,
}

/// A template.
#[derive(Serialize)]
struct Template {
    name: &'static str,
    about: &'static str,
    text: String,
}

/// Lists the templates, with the name of the file in them.
pub fn templates(desk: &Desk) -> Result<End, Failure> {
    let file = desk.question.file.rsplit('/').next().unwrap_or_default();
    let of = |&(kind, name, about): &(Kind, _, _)| Template { name, about, text: kind.text(file) };
    let templates = TEMPLATES.iter().map(of).collect();
    desk.reply.record("templates", &Templates { templates });
    Ok(End::done())
}

impl Desk {
    /// The beginning of the text of the rules.
    fn beginning(&self) -> String {
        match &self.question.text {
            Some(text) => text.chars().take(BEGINNING as usize).collect(),
            None => {
                let read = Access::FREE.beginning(&self.file(), BEGINNING);
                read.map_or_else(
                    |_| String::new(),
                    |bytes| String::from_utf8_lossy(&bytes).into_owned(),
                )
            }
        }
    }

    /// The header of the rules.
    pub fn header(&self) -> Header {
        Header::of(&self.question.file, &self.beginning())
    }
}
