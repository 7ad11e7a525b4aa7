//! A puzzle being played, for people: moves, what is known of the way, how it ended.

use super::choices::{Choices, in_a_row, rows};
use super::number::{counted, grouped};
use super::play::name;
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_domain::{Number, PuzzleState};
use zug_prolog::session::Session;
use zug_search::StopReason;
use zug_term::Record;
use zug_usecases::puzzle::{GoalOutlook, KnownPlan, Puzzle};

/// What can be typed, for `help`.
pub const HELP: &str = "\
Type the number of a move, or the move itself: `2`, `left`, `move(a,b)`. Return makes an
only move. Beside that:
  board        the board again        moves        the moves again
  hint         the next move of a plan
  far          how far it is to the goal
  plan         the whole plan from here
  path         the moves so far       again        from the start
  undo [N]     takes back moves       redo [N]     makes them again
  instance     the instances there are; `instance NAME` takes another one
  save FILE    write the moves down   load FILE    go on with moves written down
  quit         leave; as Ctrl-D
A word that is also a move means the move; `:undo` is always the word.
";

/// What stands above a puzzle.
pub fn heading(puzzle: &Puzzle, theme: &Theme) -> String {
    let mut title = puzzle.rules.clone();
    if let Some(instance) = &puzzle.instance {
        let _ = write!(title, ", {instance}");
    }
    format!("{}: make your moves. `help` explains.\n", paint(theme.strong, &title))
}

/// The moves of a state, to choose from; their labels say what they cost where that differs.
pub fn choices(session: &Session, spot: &PuzzleState) -> Choices {
    let mut choices = Choices::new(session, spot.moves.iter().map(|choice| &choice.mv));
    let one = Number::Int(1);
    let same = spot.moves.iter().all(|choice| choice.cost == one);
    let Choices { names, labels, .. } = &mut choices;
    for (label, choice) in labels.iter_mut().zip(&spot.moves) {
        let twin = names.iter().filter(|other| *other == label).count() > 1;
        if twin {
            let _ = write!(label, " to {}", name(session, &choice.state));
        }
        if !same {
            let _ = write!(label, " (cost {})", choice.cost);
        }
    }
    choices
}

/// The moves, numbered.
pub fn moves(session: &Session, spot: &PuzzleState, theme: &Theme) -> String {
    let Choices { labels, integers, .. } = choices(session, spot);
    match labels.as_slice() {
        [] => "no move leads on from here: a dead end; `undo` takes a move back\n".to_owned(),
        [only] => format!("there is one move, {only}: Return makes it\n"),
        _ if integers => format!("moves: {}\n", labels.join("  ")),
        _ => format!("moves:\n{}", rows(&labels, theme)),
    }
}

/// The moves so far and what they cost.
pub fn path(session: &Session, puzzle: &Puzzle) -> String {
    let count = puzzle.moves().len() as u64;
    if count == 0 {
        return "you made no move yet\n".to_owned();
    }
    let names: Vec<String> = puzzle.moves().map(|mv| name(session, mv)).collect();
    let row = super::solution::plan(&names);
    format!("{}, cost {}:\n{row}", counted(count, "move"), puzzle.cost())
}

/// Which limit struck, as the end of a sentence.
fn cut(reason: StopReason) -> String {
    match reason {
        StopReason::Cancelled => "interrupted before more was known".to_owned(),
        StopReason::Time => "the time for a look ahead is over (`--time` gives more)".to_owned(),
        reason => format!("the search ended at its limit: {reason}"),
    }
}

/// The answer to `far`.
pub fn far(ahead: &GoalOutlook) -> String {
    let moves = |way: &KnownPlan| counted(way.path.len() as u64, "move");
    match ahead {
        GoalOutlook::Cheapest(way) if way.path.is_empty() => "you are there\n".to_owned(),
        GoalOutlook::Cheapest(way) => {
            format!("the cheapest plan from here costs {} ({})\n", way.cost, moves(way))
        }
        GoalOutlook::Plan(way, heuristic) => format!(
            "a plan from here costs {} ({}); no plan is cheaper if {heuristic} never \
             overestimates\n",
            way.cost,
            moves(way)
        ),
        GoalOutlook::AtLeast(bound, heuristic, reason) => {
            let by = heuristic.as_ref().map_or(String::new(), |heuristic| {
                format!(" (by {heuristic}, if it never overestimates)")
            });
            format!("at least {bound}{by}: {}\n", cut(*reason))
        }
        GoalOutlook::DeadEnd(states) => dead_end(*states),
        GoalOutlook::Unknown(reason) => format!("not known: {}\n", cut(*reason)),
    }
}

/// No final state can be reached any more.
pub fn dead_end(states: u64) -> String {
    let tried = match states {
        1 => "no move leads on".to_owned(),
        states => format!("all {} within reach were tried", counted(states, "state")),
    };
    format!(
        "a dead end: no final state can be reached from here, {tried}; `undo` takes a move back\n"
    )
}

/// The answer to `hint`.
pub fn hint(session: &Session, ahead: &GoalOutlook) -> String {
    match ahead.way().and_then(|way| Some((way, way.path.first()?))) {
        Some((_, mv)) => format!("{}: {}", name(session, mv), far(ahead)),
        None => far(ahead),
    }
}

/// The answer to `plan`.
pub fn plan(session: &Session, ahead: &GoalOutlook) -> String {
    let Some(way) = ahead.way() else { return far(ahead) };
    let names: Vec<String> = way.path.iter().map(|mv: &Record| name(session, mv)).collect();
    far(ahead) + &super::solution::plan(&names)
}

/// The puzzle is solved; `best` is what is known from the start.
pub fn solved(puzzle: &Puzzle, best: &GoalOutlook, theme: &Theme) -> String {
    let cost = puzzle.cost();
    let done = format!(
        "{} in {}, cost {cost}",
        paint(theme.good, "Solved"),
        counted(puzzle.moves().len() as u64, "move")
    );
    let more = |least: Number| cost.as_f64() > least.as_f64();
    let rest = match best {
        GoalOutlook::Cheapest(way) if more(way.cost) => format!(
            "; the cheapest plan costs {}, {}",
            way.cost,
            counted(way.path.len() as u64, "move")
        ),
        GoalOutlook::Cheapest(_) => "; no plan is cheaper".to_owned(),
        GoalOutlook::Plan(way, _) if more(way.cost) => {
            format!("; a plan of cost {} is known", way.cost)
        }
        GoalOutlook::Plan(_, heuristic) => {
            format!("; no plan is cheaper if {heuristic} never overestimates")
        }
        GoalOutlook::AtLeast(bound, None, _) if !more(*bound) => "; no plan is cheaper".to_owned(),
        GoalOutlook::AtLeast(bound, None, _) => {
            format!("; every plan costs at least {bound}, whether one is cheaper is not known")
        }
        GoalOutlook::AtLeast(bound, Some(heuristic), _) => format!(
            "; every plan costs at least {bound} if {heuristic} never overestimates, whether one \
             is cheaper is not known"
        ),
        GoalOutlook::DeadEnd(_) | GoalOutlook::Unknown(_) => {
            "; whether a plan is cheaper is not known".to_owned()
        }
    };
    format!("{done}{rest}.\n")
}

/// Where a person leaves who has not solved it.
pub fn left(puzzle: &Puzzle) -> String {
    match puzzle.moves().len() as u64 {
        0 => "You made no move.\n".to_owned(),
        moves => {
            format!("Not solved after {}, cost {}.\n", counted(moves, "move"), puzzle.cost())
        }
    }
}

/// The instances there are.
pub fn instances(names: &[String]) -> String {
    match names {
        [_] => "there is one instance, this one\n".to_owned(),
        names => format!(
            "{} instances: {}; `instance NAME` takes another one\n",
            grouped(names.len() as u64),
            in_a_row(names).replace("`moves` lists them", "and more")
        ),
    }
}
