//! Guesses: predicates under other names than those of the contract, and arguments in another order.
//!
//! People write `start/1`, `goal/1` and `move/3` before they have read what engines ask. Where a part of the contract
//! is missing and a predicate without callers has a name that people use for it, that is what was meant.

use super::at_predicate;
use super::names::Uses;
use rustc_hash::FxHashSet;
use zug_domain::{Contract, DomainKind, canonical_text, purity};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_prolog::user_predicate;
use zug_term::diagnostic::Diagnostic;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record, variables};

/// A part of the contract, and the words that people use for it.
struct Part {
    pattern: &'static str,
    /// What its arguments are, if the pattern does not say it.
    arguments: &'static str,
    words: &'static [&'static str],
    /// With how many arguments.
    arities: std::ops::RangeInclusive<usize>,
}

#[rustfmt::skip]
const START: Part = Part {
    pattern: "initial_state(S)",
    arguments: "",
    words: &[
        "start", "start_state", "init", "init_state", "initial", "begin", "initial_board",
        "start_board", "starting_state", "starting_position", "initial_position",
    ],
    arities: 1..=2,
};
#[rustfmt::skip]
const GOAL: Part = Part {
    pattern: "final_state(S)",
    arguments: "",
    words: &[
        "goal", "goal_state", "is_goal", "final", "end_state", "solved", "is_final", "target",
        "finished", "done", "is_solved", "end",
    ],
    arities: 1..=2,
};
#[rustfmt::skip]
const RULE: Part = Part {
    pattern: "rule(Name, Cost, S1, S2)",
    arguments: "a name for the move, what it costs, the state before and the state after",
    words: &[
        "move", "action", "operator", "transition", "successor", "succ", "step", "op", "next",
        "next_state", "legal_move", "edge", "arc", "s", "successors", "next_states", "moves",
        "legal_moves", "possible_moves", "apply_move", "make_move", "neighbour", "neighbor",
        "children",
    ],
    arities: 2..=5,
};
#[rustfmt::skip]
const PLAYER: Part = Part {
    pattern: "initial_player(J)",
    arguments: "",
    words: &["first_player", "start_player", "starting_player", "starts", "first", "turn"],
    arities: 1..=1,
};
#[rustfmt::skip]
const OPPONENT: Part = Part {
    pattern: "opponent(J1, J2)",
    arguments: "",
    words: &["next_player", "other_player", "other", "enemy", "switch_player", "opposite"],
    arities: 2..=2,
};
#[rustfmt::skip]
const MOVE: Part = Part {
    pattern: "move(J, M, S1, S2)",
    arguments: "the player, the move, the state before and the state after",
    words: &[
        "legal_move", "legal", "play", "make_move", "apply_move", "do_move", "action", "step",
        "next_state", "transition", "possible_move", "valid_move", "moves", "legal_moves",
        "possible_moves", "successors", "move",
    ],
    arities: 2..=5,
};
#[rustfmt::skip]
const TERMINAL: Part = Part {
    pattern: "terminal(J, S)",
    arguments: "who is to move, and the state where the game is over",
    words: &[
        "game_over", "over", "is_terminal", "end", "final_state", "terminal_state", "finished",
        "is_over", "game_end", "gameover",
    ],
    arities: 1..=3,
};
#[rustfmt::skip]
const UTILITY: Part = Part {
    pattern: "utility(J, S, U)",
    arguments: "the player, the state where the game is over, and what that is worth to the player",
    words: &[
        "payoff", "value", "score", "win", "wins", "winner", "worth", "result", "reward",
        "payout", "evaluate", "evaluation", "eval",
    ],
    arities: 1..=4,
};

/// Names that only games have.
#[rustfmt::skip]
const GAME_ONLY: &[&str] = &[
    "game_over", "gameover", "is_over", "game_end", "is_terminal", "terminal_state", "payoff",
    "payout", "evaluate", "winner",
];

/// Findings about parts of the contract that are missing, each with what was meant by it; and whether they are about
/// another kind of domain than the rules seem to be. A program with a search of its own needs none of them, unless an
/// engine is `wanted`.
pub(super) fn guessed(
    m: &Machine,
    w: &World,
    contract: &Contract,
    (uses, wanted): (&Uses, bool),
) -> (Vec<Diagnostic>, bool) {
    // Who defines a part of the contract by one of these calls it.
    let asked = asked(m, contract);
    let find =
        |part: &Part| meant(m, part, uses, |pred| asked.contains(&pred) && uses.is_called(m, pred));
    let lacking: Vec<Part> = match contract.kind() {
        DomainKind::Puzzle => vec![
            (contract.initial.or(contract.named_initial), START),
            (contract.goal, GOAL),
            (contract.rule, RULE),
        ],
        DomainKind::Game => {
            let Some(roles) = &contract.game else { return (Vec::new(), false) };
            vec![
                (contract.initial.or(contract.named_initial), START),
                (roles.initial_player.or(roles.to_move), PLAYER),
                (roles.terminal.map(|role| role.pred), TERMINAL),
                (roles.utility.map(|role| role.pred), UTILITY),
            ]
        }
        DomainKind::Program => return guessed_domain(m, w, contract, (uses, wanted)),
        DomainKind::Simultaneous | DomainKind::Model => return (Vec::new(), false),
    }
    .into_iter()
    .filter_map(|(there, part)| there.is_none().then_some(part))
    .collect();
    let kind = if contract.kind() == DomainKind::Game { "game" } else { "puzzle" };
    let told = lacking.iter().filter_map(|part| Some(told(m, w, uses, (part, find(part)?), kind)));
    (told.chain(nameless_heuristic(m, w, contract)).collect(), false)
}

/// The predicates that engines reach.
fn asked(m: &Machine, contract: &Contract) -> FxHashSet<PredId> {
    let roles = contract.game.as_ref();
    let roles = roles.into_iter().flat_map(|roles| {
        let more = [roles.terminal, roles.utility, roles.heuristic].into_iter().flatten();
        more.map(|role| role.pred).chain([roles.moves.pred])
    });
    let starts = [contract.initial, contract.named_initial];
    let puzzle = [contract.goal, contract.rule, contract.heuristic].into_iter().chain(starts);
    let all = roles.chain(puzzle.flatten());
    all.flat_map(|pred| purity::reached(m, pred)).collect()
}

/// A `heuristic/3` of a puzzle of which no clause has a name: `heuristic(S, Goal, H)`.
fn nameless_heuristic(m: &Machine, w: &World, contract: &Contract) -> Option<Diagnostic> {
    let pred = contract.named_heuristic.filter(|_| contract.names.is_empty())?;
    let message = "`heuristic/3` is `heuristic(Name, S, H)`, and no clause of this one has a name";
    let found = Diagnostic::warning("W0507", message)
        .hint("the heuristic that engines ask is `heuristic(S, H)`: the state, and the estimate of what is left");
    Some(at_predicate(m, w, pred, found))
}

/// As [`guessed`], of a program that has no moves under the name that engines ask. Such a program may call them in a
/// search of its own.
fn guessed_domain(
    m: &Machine,
    w: &World,
    contract: &Contract,
    (uses, wanted): (&Uses, bool),
) -> (Vec<Diagnostic>, bool) {
    let used = |pred| !wanted && uses.is_called(m, pred);
    let found = |parts: &[Part]| -> Vec<(usize, PredId)> {
        let each = parts.iter().enumerate();
        each.filter_map(|(at, part)| Some((at, meant(m, part, uses, used)?))).collect()
    };
    let game = [START, PLAYER, OPPONENT, MOVE, TERMINAL, UTILITY];
    let puzzle = [START, GOAL, RULE];
    let has = |name: &str, arity| user_predicate(m, name, arity).is_some();
    let has_start = contract.initial.or(contract.named_initial).is_some();
    // Who plays is said in games only.
    let players =
        has("initial_player", 1) || has("opponent", 2) || has("player", 1) || has("players", 1);
    let found_game = found(&game);
    let of_game = |&(at, pred): &(usize, PredId)| {
        let name = m.symbols.name(m.program.preds[pred as usize].name);
        at == 1 || at == 2 || GAME_ONLY.contains(&name)
    };
    let says_player = players || found_game.iter().any(of_game);
    if let Some(found) = guessed_at_once(m, w, &found_game) {
        return (vec![found], true);
    }
    let (parts, found, kind, moves): (&[Part], _, _, _) = match says_player {
        true => (&game, found_game, "game", 3),
        false => (&puzzle, found(&puzzle), "puzzle", 2),
    };
    let is_there = |at: usize| found.iter().any(|&(other, _)| other == at);
    // One name alone may mean anything.
    let whole = (has_start || is_there(0)) && is_there(moves)
        || !says_player && is_there(moves) && (is_there(1) || contract.goal.is_some());
    if !whole {
        return (Vec::new(), false);
    }
    let mut told_of = FxHashSet::default();
    let once = found.into_iter().filter(|&(_, pred)| told_of.insert(pred));
    let findings = once.map(|(at, pred)| told(m, w, uses, (&parts[at], pred), kind));
    (findings.collect(), says_player)
}

/// Payoffs of games in which all choose at once, which are lists.
fn guessed_at_once(m: &Machine, w: &World, found: &[(usize, PredId)]) -> Option<Diagnostic> {
    let moves = found.iter().any(|&(at, _)| at == 3);
    let table = [3, 4].into_iter().find_map(|arity| user_predicate(m, "payoff", arity));
    let pred = table.filter(|_| !moves && user_predicate(m, "move", 4).is_none())?;
    let indicator = m.program.indicator(pred, &m.symbols);
    let message = format!(
        "a game in which all choose at once needs `payoff(As, Us)`; did you mean it by `{indicator}`?"
    );
    let hint = "write `players([a, b]).`, `action(J, S, A)` for what each may choose, and \
        `payoff([A, B], [UA, UB])`: the list of what all choose, and what each gets";
    Some(at_predicate(m, w, pred, Diagnostic::warning("W0507", message).hint(hint)))
}

/// A predicate that is meant to be a part of the contract, if one has such a name and is not `used` for another.
fn meant(m: &Machine, part: &Part, uses: &Uses, used: impl Fn(PredId) -> bool) -> Option<PredId> {
    let own = part.pattern.split('(').next().unwrap_or_default();
    // W0502 reports a predicate of this name with another arity.
    if !part.words.contains(&own) && (1..=6).any(|arity| user_predicate(m, own, arity).is_some()) {
        return None;
    }
    let all = part.words.iter().flat_map(|word| {
        part.arities.clone().filter_map(|arity| {
            let pred = user_predicate(m, word, arity)?;
            let free = !used(pred) && !m.program.live_clauses(pred).is_empty();
            free.then_some(pred)
        })
    });
    // A predicate that no clause calls is the likelier one.
    let pred = all.min_by_key(|&pred| uses.is_called(m, pred))?;
    let of_moves = [RULE.pattern, MOVE.pattern].contains(&part.pattern);
    Some(collected(m, pred).filter(|_| of_moves).unwrap_or(pred))
}

/// The predicate whose answers another one gives as a list: `successors(S, L) :- findall(M-T, step(S, M, T), L).`
fn collected(m: &Machine, pred: PredId) -> Option<PredId> {
    m.program.live_clauses(pred).iter().find_map(|&id| {
        let (heap, root) = m.program.clauses[id as usize].record.to_heap();
        let (_, _, parts) = heap.name_arity(root)?;
        let [head, body] = [0, 1].map(|at| heap.deref(heap.at(parts + at)));
        let (_, arity, args) = heap.name_arity(head)?;
        conjunction(&heap, body).into_iter().find_map(|goal| {
            let (name, 3, all) = heap.name_arity(goal)? else { return None };
            let list = heap.deref(heap.at(all + 2));
            let gives = (args..args + arity).any(|at| heap.deref(heap.at(at)) == list);
            if !gives || !matches!(m.symbols.name(name), "findall" | "setof" | "bagof") {
                return None;
            }
            let wanted = variables(&heap, heap.at(all));
            conjunction(&heap, heap.at(all + 1)).into_iter().find_map(|goal| {
                let (name, arity, _) = heap.name_arity(goal)?;
                let makes = variables(&heap, goal).iter().any(|var| wanted.contains(var));
                user_predicate(m, m.symbols.name(name), arity).filter(|_| makes && arity > 1)
            })
        })
    })
}

/// The goals of a conjunction.
fn conjunction(heap: &Heap, body: Cell) -> Vec<Cell> {
    let (mut goals, mut todo) = (Vec::new(), vec![body]);
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        match heap.name_arity(cell) {
            Some((atoms::COMMA, 2, args)) => todo.extend([heap.at(args + 1), heap.at(args)]),
            _ => goals.push(cell),
        }
    }
    goals
}

fn told(
    m: &Machine,
    w: &World,
    uses: &Uses,
    (part, pred): (&Part, PredId),
    kind: &str,
) -> Diagnostic {
    let indicator = m.program.indicator(pred, &m.symbols);
    let own = m.symbols.name(m.program.preds[pred as usize].name);
    let name = part.pattern.split('(').next().unwrap_or(part.pattern);
    let message = format!("a {kind} needs `{}`; did you mean it by `{indicator}`?", part.pattern);
    let how = match uses.is_called(m, pred) {
        false if own == name => String::new(),
        false => format!("rename it to `{name}`"),
        true => format!("add a clause `{} :- {own}(…).`", part.pattern),
    };
    let hint = [&*how, part.arguments].into_iter().filter(|text| !text.is_empty());
    let hint = match (hint.collect::<Vec<_>>().as_slice(), part.arguments) {
        ([how, arguments], _) => format!("{how}, with these arguments: {arguments}"),
        ([arguments], given) if !given.is_empty() => format!("its arguments are {arguments}"),
        (rest, _) => rest.concat(),
    };
    at_predicate(m, w, pred, Diagnostic::warning("W0507", message).hint(hint))
}

/// The argument as which a predicate takes a state, in words, if it has no answer with the state where it belongs.
pub(super) fn elsewhere(
    session: &mut Session,
    (name, arity): (&str, usize),
    right: usize,
    state: &Record,
) -> Option<&'static str> {
    const PLACES: [&str; 4] = ["first", "second", "third", "fourth"];
    let text = canonical_text(&session.machine, &session.world, state);
    let mut has_answer = |place: usize, text: &str| {
        let args = (0..arity).map(|at| if at == place { text } else { "_" });
        holds(session, &format!("{name}({})", args.collect::<Vec<_>>().join(", ")))
    };
    if has_answer(right, &text) {
        return None;
    }
    let mut others = (0..arity.min(PLACES.len())).filter(|&place| place != right);
    // Where anything is taken it says nothing that the state is.
    let found = others.find(|&place| has_answer(place, &text) && !has_answer(place, "'$anything'"));
    found.map(|place| PLACES[place])
}

/// Whether a goal has an answer; an error is none.
pub(super) fn holds(session: &mut Session, goal: &str) -> bool {
    let Ok(mut query) = session.query(goal) else { return false };
    let found = session.next(&mut query);
    session.close(query);
    matches!(found, Ok(true))
}

/// What stands in advice about arguments in another order.
pub(super) const MISPLACED: &str = "has an answer with the state as its";

/// Whether a guess says what was meant by the part that is said to be missing.
pub(super) fn is_about(guess: &Diagnostic, lack: &Diagnostic) -> bool {
    let name = |finding: &Diagnostic| {
        let name = finding.message.split('`').nth(1)?;
        name.split('(').next().map(str::to_owned)
    };
    lack.code == "W0503" && name(guess) == name(lack)
}
