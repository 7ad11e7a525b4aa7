//! What the domain answers (packed states, whatever runs behind them) against what plain
//! queries answered: the same moves in the same order with the same costs, the same values,
//! an error where there is one. States of puzzles are asked about in every form that engines keep them in,
//! and equal terms must be equal bytes there: searches know states by these.

use super::ask::{First, fault_text, is_variable, record, record_text};
use super::explore::{Asker, Node};
use zug_domain::game::{GameValue, Kit, RuleGame};
use zug_domain::{
    Fixed, Heuristic, Number, Packed, PackedState, RuleCost, RuleError, RuleProblem, Violation,
};
use zug_prolog::session::Session;
use zug_search::game::{Game, Player};
use zug_search::{Float, Successors};
use zug_term::Record;

/// Times that all states are asked about before it counts.
const WARM: usize = 8;

/// How a state differs.
pub struct Difference {
    pub state: String,
    pub what: String,
    pub expected: String,
    pub found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference { state, what, expected, found } = self;
        write!(f, "{what} of {state}\n  expected {expected}\n  found    {found}")
    }
}

/// A number as the domain counts it, or what is wrong with it.
fn number(answer: &First) -> Result<f64, String> {
    let row = match answer {
        First::Yes(row) => row,
        First::No => return Err("no answer".to_owned()),
        First::Error(error) => return Err(error.clone()),
    };
    let text = match &*row[0] {
        "1.0Inf" => "inf",
        "-1.0Inf" => "-inf",
        text => text,
    };
    text.parse().map_err(|_| "no number".to_owned())
}

fn cost(text: &str) -> Result<f64, String> {
    match number(&First::Yes(vec![text.to_owned()])) {
        Ok(number) if number < 0.0 => Err("negative".to_owned()),
        number => number,
    }
}

fn describe(session: &Session, error: &RuleError) -> String {
    match &error.violation {
        Violation::Fault(fault, _) => fault_text(session, fault),
        Violation::NoEstimate | Violation::NoWorth => "no answer".to_owned(),
        Violation::Unbound | Violation::NotNumber(_) => "no number".to_owned(),
        Violation::Negative(_) => "negative".to_owned(),
        Violation::Infinite => "infinite".to_owned(),
        Violation::NoSuccessor => "no successor".to_owned(),
        Violation::NoMoves => "no moves".to_owned(),
        other => format!("{other:?}"),
    }
}

/// A move as records: name, cost, state, player.
type RawMove = (Record, f64, Record, Option<Record>);

/// What the domain said of one state.
struct Said {
    over: Result<bool, Box<RuleError>>,
    values: Vec<Result<f64, Box<RuleError>>>,
    moves: Result<Vec<RawMove>, Box<RuleError>>,
}

/// The first difference over the states of `nodes`; `session` has the program loaded.
pub fn difference(session: &mut Session, asker: &Asker, nodes: &[Node]) -> Option<Difference> {
    differences(session, asker, nodes).into_iter().next()
}

/// The differences over the states of `nodes`.
pub fn differences(session: &mut Session, asker: &Asker, nodes: &[Node]) -> Vec<Difference> {
    let states: Vec<Record> = nodes.iter().map(|node| record(session, &node.state)).collect();
    let all: Vec<Vec<Said>> = if asker.contract.rule.is_some() {
        let packed = puzzle_as::<Packed>(session, asker, &states).expect("all states have room");
        let forms = [puzzle_as::<Fixed<16>>, puzzle_as::<Fixed<24>>, puzzle_as::<Fixed<64>>];
        let short = forms.into_iter().filter_map(|form| form(session, asker, &states));
        // The shortest that has room is the one that engines take.
        let most = if super::full() { forms.len() } else { 1 };
        [packed].into_iter().chain(short.take(most)).collect()
    } else {
        vec![game(session, asker, nodes, &states)]
    };
    let mut found = Vec::new();
    for said in all {
        let each = nodes.iter().zip(said);
        found.extend(each.flat_map(|(node, said)| differs(session, node, &said)));
    }
    found
}

/// What a puzzle says of states in one form, with costs as they need to be; `None` if some have no
/// room in it.
fn puzzle_as<S: PackedState>(
    session: &mut Session,
    asker: &Asker,
    states: &[Record],
) -> Option<Vec<Said>> {
    let is = |said: &[Said], wanted: fn(&Violation) -> bool| {
        let is = |error: &RuleError| wanted(&error.violation);
        said.iter().any(|said| {
            said.moves.as_ref().err().is_some_and(|error| is(error))
                || said.values.iter().any(|v| v.as_ref().err().is_some_and(|e| is(e)))
        })
    };
    let mut said = puzzle::<i64, S>(session, asker, states)?;
    if is(&said, |violation| matches!(violation, Violation::Fraction)) {
        said = puzzle::<Float, S>(session, asker, states)?;
    }
    (!is(&said, |violation| matches!(violation, Violation::Room))).then_some(said)
}

fn puzzle<C: RuleCost, S: PackedState>(
    session: &mut Session,
    asker: &Asker,
    states: &[Record],
) -> Option<Vec<Said>> {
    let contract = &asker.contract;
    let mut all: Vec<Option<Heuristic>> = contract.heuristics().into_iter().map(Some).collect();
    let several = all.split_off(all.len().min(1));
    let mut said = problem_answers::<C, S>(session, asker, states, all.pop().flatten())?;
    for heuristic in several {
        let more = problem_answers::<C, S>(session, asker, states, heuristic)?;
        for (said, more) in said.iter_mut().zip(more) {
            said.values.extend(more.values);
        }
    }
    Some(said)
}

fn problem_answers<C: RuleCost, S: PackedState>(
    session: &mut Session,
    asker: &Asker,
    states: &[Record],
    heuristic: Option<Heuristic>,
) -> Option<Vec<Said>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let problem = RuleProblem::<C, S>::new(m, w, &asker.contract, heuristic, false);
    let Ok(mut problem) = problem else { panic!("the contract is there") };
    // Shapes get code when they have been met some times.
    for state in states.iter().cycle().take(WARM * states.len()) {
        let packed = packed(problem.pack(state))?;
        let _ = problem.is_goal(&packed);
        let _ = problem.heuristic(&packed);
        let _ = problem.successors(&packed, &mut Successors::default());
    }
    let mut answers = Vec::new();
    for state in states {
        let packed = packed(problem.pack(state))?;
        let mut out = Successors::default();
        let over = problem.is_goal(&packed);
        let values = heuristic.map(|_| {
            let estimate = problem.heuristic(&packed);
            estimate.map(|h| h.map_or(f64::INFINITY, |h| h.number().as_f64()))
        });
        let moves = problem.successors(&packed, &mut out).map(|()| {
            out.drain()
                .map(|(head, state)| {
                    let (mv, cost) = (head.mv, head.cost.number().as_f64());
                    let term = problem.unpack(state.bytes());
                    let again = problem.pack(&term).ok();
                    assert_eq!(again.as_ref(), Some(&state), "equal terms are equal bytes");
                    (problem.move_term(mv), cost, term, None)
                })
                .collect()
        });
        answers.push(Said { over, values: values.into_iter().collect(), moves });
    }
    Some(answers)
}

/// A packed state; `None` if it has no room in this form.
fn packed<S>(state: Result<S, Box<RuleError>>) -> Option<S> {
    match state {
        Ok(state) => Some(state),
        Err(error) if matches!(error.violation, Violation::Room) => None,
        Err(_) => panic!("it can be packed"),
    }
}

fn game(session: &mut Session, asker: &Asker, nodes: &[Node], states: &[Record]) -> Vec<Said> {
    let roles = asker.contract.game.expect("it is a game");
    let names = |node: &Node| -> Vec<String> {
        let last = |(asked, _): &(String, First)| {
            asked.split_once(' ').map(|(_, player)| player.to_owned()).unwrap_or_default()
        };
        node.values.iter().map(last).collect()
    };
    let mut players: Vec<Record> = Vec::new();
    for player in &asker.players {
        players.push(record(session, player));
    }
    let mut kit = Kit::default();
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut game = RuleGame::new(m, w, roles, &mut kit);
    let seats: Vec<Player> = players
        .iter()
        .map(|player| game.seat(player).unwrap_or_else(|_| panic!("a seat")))
        .collect();
    let seat_of = |name: &str| {
        seats[asker.players.iter().position(|player| player == name).expect("a known player")]
    };
    for (node, state) in nodes.iter().zip(states).cycle().take(WARM * states.len()) {
        let player = seat_of(node.player.as_deref().expect("it is a game"));
        let Ok(packed) = game.pack(player, state) else { panic!("it can be packed") };
        let _ = game.is_over(&packed);
        for &seat in &seats {
            let _ = game.utility(&packed, seat);
            let _ = game.heuristic(&packed, seat);
        }
        let _ = game.moves(&packed, &mut Vec::new());
    }
    let mut answers = Vec::new();
    for (node, state) in nodes.iter().zip(states) {
        let player = seat_of(node.player.as_deref().expect("it is a game"));
        let Ok(packed) = game.pack(player, state) else { panic!("it can be packed") };
        let over = game.is_over(&packed).map_err(Box::<RuleError>::from);
        let values = node.values.iter().zip(names(node)).map(|((asked, _), name)| {
            let worth = match asked.starts_with("utility") {
                true => game.utility(&packed, seat_of(&name)),
                false => game.heuristic(&packed, seat_of(&name)),
            };
            let worth = worth.map(|GameValue(number): GameValue| Number::as_f64(number));
            worth.map_err(Box::<RuleError>::from)
        });
        let values = values.collect();
        let mut out = Vec::new();
        let moves = if matches!(over, Ok(true)) { Ok(()) } else { game.moves(&packed, &mut out) };
        let moves = moves.map_err(Box::<RuleError>::from).map(|()| {
            let mut read = |(mv, next): (u32, Packed)| {
                let player = game.player_term(game.player(&next));
                (game.move_term(mv), 0.0, game.state_term(&next), Some(player))
            };
            out.into_iter().map(&mut read).collect()
        });
        answers.push(Said { over, values, moves });
    }
    answers
}

fn differs(session: &Session, node: &Node, said: &Said) -> Vec<Difference> {
    let differ = |what: &str, expected: String, found: String| {
        let state = node.state.clone();
        (expected != found).then(|| Difference { state, what: what.to_owned(), expected, found })
    };
    let over = match &said.over {
        Ok(over) => over.to_string(),
        Err(error) => describe(session, error),
    };
    let puzzle = node.player.is_none();
    let values = node.values.iter().zip(&said.values).filter_map(|((name, expected), found)| {
        let expected = match expected {
            First::Yes(row) if puzzle => cost(&row[0]),
            _ => number(expected),
        };
        let found = found.as_ref().map_err(|error| describe(session, error));
        let show = |value: Result<f64, String>| value.map_or_else(|e| e, |v| format!("{v:?}"));
        // Zero has no sign in an estimate.
        differ(name, show(expected.map(|v| v + 0.0)), show(found.map(|v| *v + 0.0)))
    });
    let mut all: Vec<Difference> = differ("end", node.over.clone(), over).into_iter().collect();
    all.extend(values);
    all.extend(differ("moves", expected_moves(node), found_moves(session, said)));
    all
}

fn expected_moves(node: &Node) -> String {
    let mut text = String::new();
    for mv in &node.moves {
        let cost = if mv.cost.is_empty() { Ok(0.0) } else { cost(&mv.cost) };
        let cost = match cost {
            Ok(cost) if cost.is_infinite() => return "infinite".to_owned(),
            Ok(cost) => cost + 0.0,
            Err(error) => return error,
        };
        if is_variable(&mv.state) {
            return "no successor".to_owned();
        }
        text += &format!("{} {cost} {} {:?}; ", mv.name, mv.state, mv.player);
    }
    match &node.error {
        Some(error) => error.clone(),
        None if text.is_empty() && node.player.is_some() && node.over != "true" => {
            "no moves".to_owned()
        }
        None => text,
    }
}

fn found_moves(session: &Session, said: &Said) -> String {
    let show = |(name, cost, state, player): &RawMove| {
        let player = player.as_ref().map(|player| record_text(session, player));
        let (name, state) = (record_text(session, name), record_text(session, state));
        format!("{name} {cost} {state} {player:?}; ")
    };
    match &said.moves {
        Ok(moves) => moves.iter().map(show).collect(),
        Err(error) => describe(session, error),
    }
}
