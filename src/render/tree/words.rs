//! What is said of nodes in every form of a tree.

use crate::number::grouped;
use zug_usecases::tree::{NodeKind, Prospect, TreeEdge, TreeNode, TreeReport};

/// The most characters of the moves of one edge.
const MOVES: usize = 28;

/// The moves of an edge: all of them, or the first and how many more.
pub fn moves(edge: &TreeEdge) -> String {
    let mut text = String::new();
    let mut shown = 0;
    for mv in &edge.moves {
        let more = text.chars().count() + mv.text.chars().count() + 2;
        if shown > 0 && more > MOVES {
            break;
        }
        if shown > 0 {
            text += ", ";
        }
        text += &short(&mv.text, MOVES);
        shown += 1;
    }
    if shown < edge.moves.len() {
        text += &format!(" +{}", edge.moves.len() - shown);
    }
    match &edge.cost {
        Some(cost) => format!("{text} ({cost})"),
        None => text,
    }
}

/// The first characters of a text.
pub fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// A number in text in groups of three digits; of a very long one how many digits it has.
pub fn count(number: &str) -> String {
    match number.parse::<u64>() {
        Ok(number) => grouped(number),
        Err(_) if number.len() > 30 && number.bytes().all(|b| b.is_ascii_digit()) => {
            let digits = number.len();
            format!("{}.{}·10^{}", &number[..1], &number[1..4], digits - 1)
        }
        Err(_) => number.to_owned(),
    }
}

/// The sign of what play comes to for the player to move.
pub fn sign(prospect: Prospect) -> &'static str {
    match prospect {
        Prospect::Win => "+",
        Prospect::Loss => "−",
        Prospect::Draw => "=",
    }
}

/// What play comes to, in a word or two.
pub fn prospect(report: &TreeReport, prospect: Prospect) -> String {
    let winner = match (report.by_winner, report.players.as_slice(), prospect) {
        (true, [one, _], Prospect::Win) => Some(one),
        (true, [_, other], Prospect::Loss) => Some(other),
        _ => None,
    };
    if let Some(winner) = winner {
        return format!("{winner} wins");
    }
    match prospect {
        Prospect::Win => "won",
        Prospect::Loss => "lost",
        Prospect::Draw => "drawn",
    }
    .to_owned()
}

/// What is hidden below a node.
pub fn hidden(node: &TreeNode) -> Option<String> {
    node.hidden.as_ref().map(|hidden| match hidden.as_str() {
        "?" => "… and more".to_owned(),
        number => match number.strip_suffix('?') {
            Some(number) => format!("… more than {} more", count(number)),
            None => format!("… {} more", count(number)),
        },
    })
}

/// The same in the box of a node, short.
pub fn below(node: &TreeNode) -> Option<String> {
    node.hidden.as_ref().map(|hidden| match hidden.as_str() {
        "?" => "+ …".to_owned(),
        number => match number.strip_suffix('?') {
            Some(number) => format!("+{} …", count(number)),
            None => format!("+{}", count(number)),
        },
    })
}

/// The notes of a node, one a line: `f 5 = 1 + 4` and the like as they are.
pub fn notes(node: &TreeNode) -> Vec<String> {
    let shown = node.notes.iter().filter(|note| note.shown);
    shown.map(|note| format!("{} {}", note.name, note.value)).collect()
}

/// The head of a node: its place in the search and who is to move; the sign beside it.
pub fn head(report: &TreeReport, node: &TreeNode) -> (String, &'static str) {
    let state = &report.states[node.state];
    let mut head = String::new();
    if report.engine.is_some()
        && let Some(order) = node.order
    {
        head = format!("{order}.");
    }
    if let Some(player) = state.player.and_then(|at| report.players.get(at))
        && !state.end
    {
        if !head.is_empty() {
            head.push(' ');
        }
        head += &short(&player.text, 12);
    }
    let known = state.prospect.filter(|_| node.kind != NodeKind::Pruned);
    (head, known.map_or("", sign))
}

/// A node in one line, for those who can't see it.
pub fn sentence(report: &TreeReport, at: usize) -> String {
    let node = &report.nodes[at];
    let state = &report.states[node.state];
    let mut text = state.term.text.clone();
    if let Some(player) = state.player.and_then(|at| report.players.get(at)) {
        text += &format!(", {player} to move");
    }
    if state.end {
        text += if state.player.is_some() { ", the game is over" } else { ", a goal" };
    }
    if let Some(known) = state.prospect {
        text += &format!(", {}", prospect(report, known));
    }
    match node.kind {
        NodeKind::State => {}
        NodeKind::Again(_) => text += ", drawn elsewhere",
        NodeKind::Pruned => text += ", left out",
    }
    for note in &node.notes {
        text += &format!(", {} {}", note.name, note.value);
    }
    if let Some(hidden) = hidden(node) {
        text += &format!(", {hidden}");
    }
    text
}
