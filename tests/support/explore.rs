//! The states of a program, visited breadth first by plain queries: no packing, no engine.

use super::ask::{First, all, first, is_variable};
use std::collections::HashSet;
use std::fmt::Write;
use zug_domain::Contract;
use zug_prolog::session::Session;

/// A state and what the rules say of it, as text.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Who is to move, in a game.
    pub player: Option<String>,
    pub state: String,
    /// It is a goal, or the game is over: "true", "false" or an error.
    pub over: String,
    /// Estimates and utilities: what was asked, of which player, and the answer.
    pub values: Vec<(String, First)>,
    pub moves: Vec<Move>,
    /// The error that ended the moves.
    pub error: Option<String>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub name: String,
    /// Empty in a game.
    pub cost: String,
    pub state: String,
    /// Who is to move then, in a game.
    pub player: Option<String>,
}

/// How the questions of a program are put.
pub struct Asker {
    pub contract: Contract,
    /// The players of a game in the order of turns.
    pub players: Vec<String>,
}

impl Asker {
    pub fn new(session: &mut Session) -> Asker {
        let contract = Contract::of(&session.machine);
        let mut players = Vec::new();
        if let Some(roles) = &contract.game {
            let mut player = match first(session, "initial_player(X)") {
                First::Yes(row) if roles.initial_player.is_some() => row[0].clone(),
                _ => "first".to_owned(),
            };
            while !players.contains(&player) && players.len() < 10 {
                let next = match first(session, &format!("opponent({player}, X)")) {
                    First::Yes(row) if roles.opponent.is_some() => row[0].clone(),
                    _ if player == "first" => "second".to_owned(),
                    _ => "first".to_owned(),
                };
                players.push(std::mem::replace(&mut player, next));
            }
        }
        Asker { contract, players }
    }

    /// The initial states, each with its player.
    pub fn starts(&self, session: &mut Session) -> Vec<(Option<String>, String)> {
        let mut states = Vec::new();
        if self.contract.initial.is_some() {
            states
                .extend(all(session, "initial_state(X)").rows.into_iter().map(|mut r| r.remove(0)));
        }
        if self.contract.named_initial.is_some() {
            let rows = all(session, "initial_state(_N, X)").rows;
            states.extend(rows.into_iter().map(|mut row| row.remove(0)));
        }
        let first = self.players.first().cloned();
        states.into_iter().map(|s| (self.mover(session, &s, first.clone()), s)).collect()
    }

    /// Who is to move in a state after `otherwise` would be.
    fn mover(
        &self,
        session: &mut Session,
        state: &str,
        otherwise: Option<String>,
    ) -> Option<String> {
        if self.contract.game.as_ref().is_some_and(|roles| roles.to_move.is_some())
            && let First::Yes(row) = first(session, &format!("to_move({state}, X)"))
        {
            return Some(row[0].clone());
        }
        otherwise
    }

    /// What the rules say of a state.
    pub fn ask(&self, session: &mut Session, player: Option<&str>, state: &str) -> Node {
        let mut node =
            Node { player: player.map(str::to_owned), state: state.to_owned(), ..Node::default() };
        match player {
            None => self.ask_puzzle(session, &mut node),
            Some(player) => self.ask_game(session, &mut node, player),
        }
        node
    }

    fn ask_puzzle(&self, session: &mut Session, node: &mut Node) {
        let state = &node.state;
        node.over = truth(first(session, &format!("final_state({state})")));
        if self.contract.heuristic.is_some() {
            let answer = first(session, &format!("heuristic({state}, X)"));
            node.values.push(("heuristic".to_owned(), answer));
        }
        for &name in &self.contract.names {
            let name = session.machine.symbols.name(name).to_owned();
            let answer = first(session, &format!("heuristic({name}, {state}, X)"));
            node.values.push((name, answer));
        }
        let found = all(session, &format!("rule(X, Y, {state}, Z)"));
        node.error = found.error;
        node.moves = found.rows.into_iter().map(puzzle_move).collect();
    }

    fn ask_game(&self, session: &mut Session, node: &mut Node, player: &str) {
        let roles = self.contract.game.as_ref().expect("states of games have players");
        let state = node.state.clone();
        let with = |with_player: bool, player: &str| {
            if with_player { format!("{player}, ") } else { String::new() }
        };
        let found =
            all(session, &format!("move({}X, {state}, Z)", with(roles.moves.with_player, player)));
        node.over = match roles.terminal {
            Some(role) => truth(first(
                session,
                &format!("terminal({}{state})", with(role.with_player, player)),
            )),
            None if found.error.is_some() => "error".to_owned(),
            None => found.rows.is_empty().to_string(),
        };
        let mut questions = vec![("heuristic", roles.heuristic)];
        if node.over == "true" {
            questions.push(("utility", roles.utility));
        }
        for (name, role) in questions {
            let Some(role) = role else { continue };
            let asked: &[String] = if self.players.len() > 2 && role.with_player {
                &self.players
            } else {
                std::slice::from_ref(node.player.as_ref().expect("it is a game"))
            };
            for player in asked {
                let goal = format!("{name}({}{state}, X)", with(role.with_player, player));
                node.values.push((format!("{name} {player}"), first(session, &goal)));
            }
        }
        if node.over == "true" {
            return;
        }
        node.error = found.error;
        let at = self.players.iter().position(|known| known == player).unwrap_or(0);
        let next = self.players.get((at + 1) % self.players.len()).cloned();
        for row in found.rows {
            let [name, state] = <[String; 2]>::try_from(row).expect("X and Z");
            let player = self.mover(session, &state, next.clone());
            node.moves.push(Move { name, cost: String::new(), state, player });
        }
    }

    /// The first `most` states from all initial ones.
    pub fn explore(&self, session: &mut Session, most: usize) -> Vec<Node> {
        let mut queue = self.starts(session);
        let mut seen: HashSet<(Option<String>, String)> = HashSet::new();
        queue.retain(|start| seen.insert(start.clone()));
        let mut nodes = Vec::new();
        let mut at = 0;
        while at < queue.len() && nodes.len() < most {
            let (player, state) = queue[at].clone();
            at += 1;
            let node = self.ask(session, player.as_deref(), &state);
            for mv in &node.moves {
                let next = (mv.player.clone(), mv.state.clone());
                // A variable is no state.
                if !is_variable(&mv.state) && seen.insert(next.clone()) {
                    queue.push(next);
                }
            }
            nodes.push(node);
        }
        nodes
    }
}

fn truth(answer: First) -> String {
    match answer {
        First::Yes(_) => "true".to_owned(),
        First::No => "false".to_owned(),
        First::Error(error) => error,
    }
}

fn puzzle_move(row: Vec<String>) -> Move {
    let [name, cost, state] = <[String; 3]>::try_from(row).expect("X, Y and Z");
    Move { name, cost, state, player: None }
}

/// Everything that was answered, one fact a line.
pub fn transcript(nodes: &[Node]) -> String {
    let mut text = String::new();
    for node in nodes {
        let player = node.player.as_deref().unwrap_or("-");
        let _ = writeln!(text, "{player} {}: {}", node.state, node.over);
        for (name, value) in &node.values {
            let _ = writeln!(text, "  {name} {value:?}");
        }
        for mv in &node.moves {
            let _ = writeln!(text, "  {} {} {} {:?}", mv.name, mv.cost, mv.state, mv.player);
        }
        if let Some(error) = &node.error {
            let _ = writeln!(text, "  ! {error}");
        }
    }
    text
}
