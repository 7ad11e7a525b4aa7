//! Certificates of graphs and small games, and what is wrong with corrupted ones.

use super::*;
use num_bigint::BigInt;
use std::convert::Infallible;
use zug_search::game::{Expected, Game, Graph, GraphOf, Solved, TableGame};
use zug_search::{Digraph, Limits, StopReason};

type List = Vec<Listed<u32, i64>>;

/// 0 -> 1 -> 3 costs 2 + 2, 0 -> 2 -> 3 costs 1 + 4; 4 leads nowhere.
fn graph() -> Digraph {
    Digraph::new(&[(0, 1, 2), (1, 3, 2), (0, 2, 1), (2, 3, 4), (2, 4, 1), (4, 2, 0)], &[3])
}

fn closed(below: Option<i64>, informed: bool, graph: &mut Digraph) -> Result<List, String> {
    let limits = Limits::none();
    let mut list = Vec::new();
    let made = close(graph, &0, Closing { below, informed, limits: &limits }, |_, cost, states| {
        for state in states {
            list.push(Listed { line: list.len() as u64, cost, state });
        }
        Ok::<(), Infallible>(())
    });
    made.map(|_| list).map_err(|error| format!("{error:?}"))
}

fn check(cost: Option<i64>, list: &[Listed<u32, i64>]) -> Result<(), String> {
    let claim = ClosedClaim { cost, informed: false, rounding: 0.0 };
    check_closed(&mut graph(), &0, claim, list, |_| {}).map_err(|fault| format!("{fault:?}"))
}

#[test]
fn a_closed_list_proves_the_least_cost_and_no_more() {
    let list = closed(Some(4), false, &mut graph()).expect("no goal below 4");
    assert_eq!(
        list.iter().map(|listed| (listed.state, listed.cost)).collect::<Vec<_>>(),
        [(0, 0), (2, 1), (1, 2), (4, 2)]
    );
    assert_eq!(check(Some(4), &list), Ok(()));
    assert_eq!(check(Some(5), &list), Err("LeftOut(2, 3, 4)".to_owned()));
    assert_eq!(closed(Some(5), false, &mut graph()).expect_err("a goal"), "Goal(4)");
}

#[test]
fn every_change_of_a_list_is_seen() {
    let list = closed(Some(4), false, &mut graph()).expect("no goal below 4");
    for at in 0..list.len() {
        let mut without = list.clone();
        without.remove(at);
        assert!(check(Some(4), &without).is_err(), "without {at}");
    }
    let changed = |at: usize, cost| {
        let mut list = list.clone();
        list[at].cost = cost;
        check(Some(4), &list)
    };
    assert_eq!(changed(0, 1), Err("Start".to_owned()));
    assert_eq!(changed(1, 2), Err("Dearer(0, 1)".to_owned()));
    assert_eq!(changed(2, 1), Err("LeftOut(2, 3, 3)".to_owned()));
    // What is said to cost less than it does proves as much.
    assert_eq!(changed(3, 1), Ok(()));
    let twice = [list.as_slice(), &list[3..]].concat();
    assert_eq!(check(Some(4), &twice), Err("Twice(3)".to_owned()));
    let stranger = [list.as_slice(), &[Listed { line: 9, cost: 0, state: 7 }]].concat();
    assert_eq!(check(Some(4), &stranger), Err("Unreached(9)".to_owned()));
}

#[test]
fn a_heuristic_leaves_states_out_on_condition() {
    let mut graph = graph().with_heuristic(&[Some(4), Some(2), Some(4), Some(0), None]);
    let list = closed(Some(4), true, &mut graph).expect("a list");
    assert!(list.is_empty(), "the start's estimate is the cost");
    let claim = ClosedClaim { cost: Some(4), informed: true, rounding: 0.0 };
    let mut seen = Vec::new();
    assert!(check_closed(&mut graph, &0, claim, &list, |cost| seen.push(cost)).is_ok());
    assert_eq!(seen, [4], "the estimate of the start");
    assert!(check(Some(4), &list).is_err(), "without the heuristic nothing is proved");
}

#[test]
fn without_a_goal_all_states_are_listed() {
    let mut hopeless = Digraph::new(&[(0, 1, 1), (1, 0, 1), (1, 2, 0)], &[3]);
    let list = closed(None, false, &mut hopeless).expect("no goal");
    assert_eq!(list.len(), 3);
    let claim = ClosedClaim { cost: None, informed: false, rounding: 0.0 };
    assert!(check_closed(&mut hopeless, &0, claim, &list, |_| {}).is_ok());
    assert!(check_closed(&mut hopeless, &0, claim, &list[..2], |_| {}).is_err());
}

#[test]
fn memory_is_limited() {
    let limits = Limits { memory: Some(1), ..Limits::none() };
    let closing = Closing { below: None, informed: false, limits: &limits };
    let made = close(&mut graph(), &0, closing, |_, _, _| Ok::<(), Infallible>(()));
    assert!(matches!(made, Err(CloseError::Stopped(StopReason::Memory))));
}

/// The graph of a game from a start, solved, and the number of the start.
fn solved(
    game: &mut TableGame,
    start: u32,
    limits: &Limits,
) -> Option<(GraphOf<TableGame>, Solved<i64>, u32)> {
    let start = game.start(start);
    let mut graph = Graph::default();
    let root = graph.intern(game, &start).expect("room");
    let mut solved = Solved::new(game);
    solved.solve(game, &mut graph, root, limits).ok()?;
    Some((graph, solved, root))
}

/// A strategy as a certificate has it.
type Positions = Vec<Holding<(u8, u32), u32>>;

/// The strategies of both players, as lists, with what they guarantee.
fn strategies(game: &mut TableGame, matches: u32) -> Vec<(i64, Positions)> {
    let (graph, solved, root) = solved(game, matches, &Limits::none()).expect("no limits");
    let of = |player| {
        let positions = strategy::<TableGame>(&graph, &solved, root, player).expect("solved");
        let list = positions.iter().zip(0..).map(|(position, line)| Holding {
            line,
            state: graph.state(position.node),
            rank: position.rank.into(),
            worth: None,
            mv: position.mv,
        });
        (solved.value_to(&graph, root, player).expect("solved"), list.collect())
    };
    vec![of(0), of(1)]
}

fn guarantees(
    game: &mut TableGame,
    start: u32,
    (player, value): (u8, i64),
    list: &[Holding<(u8, u32), u32>],
) -> Result<(), String> {
    gets(game, (start, player), Expected::integer(value), list)
}

#[test]
fn strategies_prove_the_value_from_both_sides() {
    let mut nim = TableGame::nim(12, 3);
    for matches in 1..=12 {
        for (player, (value, list)) in (0..).zip(strategies(&mut nim, matches)) {
            assert_eq!(guarantees(&mut nim, matches, (player, value), &list), Ok(()));
            assert!(guarantees(&mut nim, matches, (player, value + 1), &list).is_err());
            for at in 0..list.len() {
                let mut without = list.clone();
                without.remove(at);
                assert!(guarantees(&mut nim, matches, (player, value), &without).is_err());
            }
        }
    }
}

#[test]
fn a_cycle_is_a_draw_and_never_a_win() {
    // From 0 to 1 and back; the second player may also end it with a loss.
    let mut round = TableGame {
        players: 2,
        moves: vec![vec![(0, 1)], vec![(0, 0), (1, 2)], vec![]],
        utilities: vec![None, None, Some(vec![1, -1])],
        ..TableGame::default()
    };
    for (player, (value, list)) in (0..).zip(strategies(&mut round, 0)) {
        assert_eq!(value, 0);
        assert_eq!(guarantees(&mut round, 0, (player, 0), &list), Ok(()));
        assert!(guarantees(&mut round, 0, (player, 1), &list).is_err());
    }
    let list: Vec<_> = strategies(&mut round, 0).remove(0).1;
    let mut ranked = list.clone();
    for (at, holding) in ranked.iter_mut().enumerate() {
        holding.rank = at as u64;
    }
    assert!(guarantees(&mut round, 0, (0, 1), &ranked).is_err());
    assert_eq!(round.players(), 2);
}

/// A row of a table, and what it says that its state is worth.
type Valued = (Ranked<(u8, u32)>, Vec<Expected>);

fn table(game: &mut TableGame, start: u32) -> Option<Vec<Valued>> {
    let (graph, solved, root) = solved(game, start, &Limits::none()).expect("no limits");
    let mut ranked = rank_all::<TableGame>(&graph, root)?;
    ranked.sort_by_key(|&(_, rank)| rank);
    let row = |(&(node, rank), line)| {
        let values = (0..game.players as u8)
            .map(|player| solved.mean_to(&graph, node, player).expect("solved"));
        (Ranked { line, state: graph.state(node), rank: u64::from(rank) }, values.collect())
    };
    Some(ranked.iter().zip(0..).map(row).collect())
}

fn proved(game: &mut TableGame, start: u32, list: &[Valued]) -> Result<Vec<Expected>, String> {
    let start = game.start(start);
    let table: Vec<Ranked<(u8, u32)>> = list.iter().map(|(ranked, _)| ranked.clone()).collect();
    let found = rows(game, &start, &table).map_err(|fault| format!("{fault:?}"));
    let (rows, root) = found?;
    let players = game.players as u8;
    let end = |ranked: &Ranked<(u8, u32)>| {
        let worth = |player| {
            let worth = game.utility(&ranked.state, player).expect("nothing fails");
            Expected::of(worth)
        };
        Ok((0..players).map(worth).collect())
    };
    check_values(players.into(), (&table, &rows), end, |at, values| match list[at].1 == values {
        true => Ok(()),
        false => Err(format!("Values({at}, {values:?})")),
    })?;
    Ok(list[root].1.clone())
}

/// A coin for 1 or 2 points, or 1 for sure; then the second player may take it.
fn coin() -> TableGame {
    TableGame {
        players: 2,
        moves: vec![vec![(0, 1), (1, 2)], vec![(0, 2), (1, 3)], vec![], vec![]],
        utilities: vec![None, None, Some(vec![1, -1]), Some(vec![4, -4])],
        weights: vec![vec![], vec![1, 2], vec![], vec![]],
        ..TableGame::default()
    }
}

#[test]
fn values_follow_from_what_states_lead_to() {
    let mut game = coin();
    let list = table(&mut game, 0).expect("it ends");
    let values = proved(&mut game, 0, &list).expect("a proof");
    assert_eq!(values, list[list.len() - 1].1);
    for at in 0..list.len() {
        let mut without = list.clone();
        without.remove(at);
        assert!(proved(&mut game, 0, &without).is_err(), "without {at}");
        let mut other = list.clone();
        other[at].1[0] = other[at].1[0].plus(&Expected::integer(1));
        assert!(proved(&mut game, 0, &other).is_err(), "another value at {at}");
        let mut flat = list.clone();
        flat[at].0.rank = list.len() as u64;
        let root = list[at].0.state == game.start(0);
        assert_eq!(proved(&mut game, 0, &flat).is_ok(), root, "another rank at {at}");
    }
}

/// What a strategy guarantees from the start, in units, and its positions as a certificate has them.
type Guaranteed = (i128, Vec<Holding<(u8, u32), u32>>);

/// The strategies of both players, with bounds in units of 1 by `scale`; `None` if the game has no value.
fn guarantees_of(game: &mut TableGame, start: u32) -> Option<(BigInt, Vec<Guaranteed>)> {
    let limits = Limits { time: Some(std::time::Duration::from_millis(300)), ..Limits::none() };
    let (graph, solved, root) = solved(game, start, &limits)?;
    let scale = unit::<TableGame>(&graph, &solved, root);
    let of = |player: u8| {
        let about = ((&graph, &solved), (root, player));
        let bounded = guarantee(game, about.0, about.1, &scale, &limits).expect("exact");
        let list = bounded.iter().zip(0..).map(|(bounded, line)| Holding {
            line,
            state: graph.state(bounded.position.node),
            rank: bounded.position.rank.into(),
            worth: Some(in_units(bounded.worth, &scale)),
            mv: bounded.position.mv,
        });
        (bounded[0].worth, list.collect())
    };
    let both = [0, 1].map(of).into();
    Some((scale, both))
}

fn in_units(worth: i128, scale: &BigInt) -> Expected {
    Expected::fraction(worth.into(), scale.clone()).expect("a scale")
}

fn gets(
    game: &mut TableGame,
    (start, player): (u32, u8),
    value: Expected,
    list: &[Holding<(u8, u32), u32>],
) -> Result<(), String> {
    let start = game.start(start);
    let claim = StrategyClaim { player, least: value, base: Expected::zero() };
    let ends = check_strategy(game, &start, claim, list, |_, mv| mv);
    for End { line, state, least } in ends.map_err(|fault| format!("{fault:?}"))? {
        let worth = game.utility(&state, player).expect("nothing fails");
        if Expected::of(worth) < least {
            return Err(format!("End({line}, {worth})"));
        }
    }
    Ok(())
}

/// A game at random in which chance moves and play can come back; the last three states are ends.
fn random_game(random: &mut zug_random::Random) -> TableGame {
    let states = 9_u32;
    let mut below = |most: u64| random.below(most) as u32;
    let mut game = TableGame { players: 2, ..TableGame::default() };
    for state in 0..states {
        let is_end = state >= states - 3;
        let moves = if is_end { 0 } else { 1 + below(3) };
        game.moves.push((0..moves).map(|mv| (mv, below(states.into()))).collect());
        let worth = i64::from(below(7)) - 3;
        game.utilities.push(is_end.then(|| vec![worth, -worth]));
        let chance = moves > 0 && below(3) == 0;
        let weights = (0..moves).map(|_| 1 + below(3)).collect();
        game.weights.push(if chance { weights } else { Vec::new() });
    }
    game
}

#[test]
fn bounds_of_both_players_enclose_the_value_where_play_comes_back() {
    let mut random = zug_random::Random::new(5);
    let (mut proved, mut exact, mut ranked) = (0, 0, 0);
    for _ in 0..3000 {
        let mut game = random_game(&mut random);
        let Some((scale, both)) = guarantees_of(&mut game, 0) else { continue };
        let worth = [0, 1].map(|player: usize| both[player].0);
        let gap = in_units(-worth[0] - worth[1], &scale);
        assert!(gap >= Expected::zero() && gap.as_f64() < 1e-9, "{game:?}: {gap}");
        for (player, (worth, list)) in (0..).zip(&both) {
            let value = in_units(*worth, &scale);
            assert_eq!(gets(&mut game, (0, player), value, list), Ok(()), "{game:?}");
            let more = in_units(worth + 1 + i128::from(gap.is_positive()), &scale);
            assert!(gets(&mut game, (0, player), more, list).is_err());
            let mut flat = list.clone();
            flat.iter_mut().for_each(|holding| holding.rank = 0);
            let falls = list[0].worth.as_ref().is_some_and(Expected::is_positive) && list.len() > 1;
            if falls {
                let value = in_units(*worth, &scale);
                assert!(gets(&mut game, (0, player), value, &flat).is_err(), "{game:?}");
                ranked += 1;
            }
        }
        proved += 1;
        exact += usize::from(!gap.is_positive());
    }
    assert!(proved > 2000 && exact > 1000 && ranked > 500, "{proved} {exact} {ranked}");
}

#[test]
fn going_round_for_ever_is_worth_nothing() {
    // Chance ends it with a win of the first by 1 in 3, or goes on with the second, who may go round or throw again.
    let mut game = TableGame {
        players: 2,
        moves: vec![vec![(0, 1)], vec![(0, 2), (1, 0)], vec![]],
        utilities: vec![None, None, Some(vec![3, -3])],
        weights: vec![vec![], vec![1, 2], vec![]],
        ..TableGame::default()
    };
    let (scale, both) = guarantees_of(&mut game, 0).expect("a value");
    for (player, (worth, list)) in (0..).zip(&both) {
        assert_eq!(gets(&mut game, (0, player), in_units(*worth, &scale), list), Ok(()));
    }
    // Without chance nobody can force the end.
    game.weights = Vec::new();
    let list = both[0].1.clone();
    let all = list.into_iter().map(|holding| Holding { rank: 1, ..holding }).collect::<Vec<_>>();
    assert!(gets(&mut game, (0, 0), Expected::integer(1), &all).is_err());
}

#[test]
fn three_players_each_take_the_first_of_the_best_moves() {
    let mut game = TableGame {
        players: 3,
        moves: vec![
            vec![(0, 1), (1, 2)],
            vec![(0, 3), (1, 4)],
            vec![(0, 4), (1, 5)],
            vec![],
            vec![],
            vec![],
        ],
        utilities: vec![
            None,
            None,
            None,
            Some(vec![3, 1, 2]),
            Some(vec![0, 5, 2]),
            Some(vec![9, 0, 0]),
        ],
        ..TableGame::default()
    };
    let list = table(&mut game, 0).expect("it ends");
    assert_eq!(proved(&mut game, 0, &list).expect("a proof").len(), 3);
    let mut round = TableGame { moves: vec![vec![(0, 1)], vec![(0, 0)]], ..coin() };
    round.utilities = vec![None, None];
    round.weights = Vec::new();
    assert!(table(&mut round, 0).is_none(), "play comes back");
}

#[test]
fn accidents_are_named() {
    let mut text = Vec::new();
    let mut writer = Writer::new(&mut text, "unsolvable").expect("memory");
    for record in ["start(given,a)", "closed(0,a)", "closed(1,'b.\\n')"] {
        writer.record(record).expect("memory");
    }
    let (records, bytes) = writer.finish().expect("memory");
    assert_eq!((records, bytes), (3, text.len() as u64));
    let text = String::from_utf8(text).expect("text");
    let lines = Lines::of(&text).expect("whole");
    assert_eq!((lines.kind, lines.records().count()), ("unsolvable", 3));
    for at in 0..text.len() {
        let mut other = text.clone().into_bytes();
        other[at] ^= 1;
        let other = String::from_utf8(other).expect("text");
        assert!(Lines::of(&other).is_err(), "{other}");
        assert!(Lines::of(&text[..at]).is_err());
    }
    assert_eq!(adler(b"Wikipedia"), 0x11E6_0398);
}

#[test]
fn what_is_wrong_with_a_text_is_told() {
    let whole = |body: &str| {
        let text = format!("certificate(plan,1).\n{body}");
        format!("{text}checksum({},{}).\n", body.lines().count(), adler(text.as_bytes()))
    };
    let text = whole("cost(1).\n");
    assert_eq!(Lines::of(&text).map(|lines| lines.kind), Ok("plan"));
    assert_eq!(Lines::of(&format!("\u{feff}{text}")), Err(Damage::Mark));
    assert_eq!(Lines::of(text.trim_end()), Err(Damage::Cut));
    assert_eq!(Lines::of(&format!("{text}\n")), Err(Damage::End));
    assert_eq!(Lines::of(&whole("cost(1). % the cost\n")), Err(Damage::Line(2)));
    assert_eq!(Lines::of(&whole("cost(1).\n\n")), Err(Damage::Line(3)));
    assert_eq!(Lines::of(&text.replace("checksum(1", "checksum(2")), Err(Damage::Records(2, 1)));
    for (from, to, damage) in [
        ("checksum(1", "checksum(+1", Damage::End),
        ("checksum(1,", "checksum(1, ", Damage::End),
        ("(plan,", "( plan,", Damage::Beginning),
        (",1).\nc", ",1).\r\nc", Damage::Beginning),
    ] {
        assert_eq!(Lines::of(&text.replace(from, to)), Err(damage), "{to}");
    }
    assert_eq!(Lines::of(&whole("cost(1).\r\n")), Err(Damage::Line(2)));
    assert!(matches!(Lines::of(&text.replace("cost(1)", "cost(0)")), Err(Damage::Changed(..))));
}
