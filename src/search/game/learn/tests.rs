use super::*;
use crate::Limits;
use crate::game::{Graph, Player, Solved, TableGame};
use zug_random::Random;

type State = (Player, u32);

fn rule(method: Method) -> Rule {
    Rule { method, ..Rule::default() }
}

fn trained(matches: u32, rule: Rule, games: u64) -> LearnerOf<TableGame> {
    let mut nim = TableGame::nim(matches, 3);
    let mut learner = Learner::new(nim.start(matches), rule, 7);
    for _ in 0..games {
        assert_eq!(learner.play(&mut nim, None).ok(), Some(Played::Over));
    }
    learner
}

fn worths(learner: &LearnerOf<TableGame>, state: State) -> Vec<f64> {
    let moves = learner.policy().get(&state).unwrap_or_default();
    moves.iter().map(|known| known.worth).collect()
}

fn dump(learner: &LearnerOf<TableGame>) -> Vec<(State, Vec<MoveStats>)> {
    learner.policy().iter().map(|(state, moves)| (*state, moves.to_vec())).collect()
}

/// Two matches, of which one or two are taken: who takes one wins at once.
#[test]
fn beads_follow_the_end_of_a_game() {
    let mut nim = TableGame::nim(2, 2);
    // The learner begins; the other one takes what is left.
    let mut others = |_: &mut TableGame, _: &Graph<_, _>, _, _: &mut Random| Ok(Some(0usize));
    let beads = Beads { win: 3, draw: 1, loss: -1, all: true };
    let mut learner = Learner::new(nim.start(2), Rule { beads, ..Rule::default() }, 1);
    let mut expected = [1.0, 1.0];
    for _ in 0..40 {
        // Every second game it is the other's turn to begin.
        let (before, seat) = (learner.tally(), learner.seat(2));
        learner.play(&mut nim, Some(&mut others)).expect("no faults");
        let won = learner.tally().wins > before.wins;
        if seat == 0 {
            match won {
                true => expected[0] += 3.0,
                false => expected[1] = f64::max(expected[1] - 1.0, 0.0),
            }
        }
        assert_eq!(won, seat == 0 && learner.tally().losses == before.losses);
    }
    assert_eq!(worths(&learner, (0, 2)), expected);
    // The second player is left with one match and has lost each time: its box is full again.
    assert_eq!(worths(&learner, (1, 1)), [1.0]);
    assert!(worths(&learner, (0, 1)).is_empty());
}

#[test]
fn only_the_last_move_may_count() {
    let beads = Beads { all: false, ..Beads::default() };
    let learner = trained(9, Rule { beads, ..Rule::default() }, 2000);
    // With more than six nobody makes a last move and wins.
    for state in [(0, 9), (1, 8), (1, 7)] {
        assert_eq!(worths(&learner, state), [1.0, 1.0, 1.0]);
    }
    // With two to four it is best to leave one.
    for matches in 2..=4u32 {
        let most = learner.policy().get(&(0, matches)).map(|moves| learner.rule().likeliest(moves));
        assert_eq!(most, Some(vec![matches as usize - 2]), "{matches}");
    }
}

#[test]
fn beads_are_drawn_as_often_as_they_lie_there() {
    let rule = rule(Method::Matchboxes);
    let moves = [3.0, 0.0, 1.0].map(|worth| MoveStats { worth, tries: 0 });
    let mut random = Random::new(5);
    let mut drawn = [0; 3];
    (0..4000).for_each(|_| drawn[rule.draw(&moves, 0, &mut random)] += 1);
    assert!((2850..3150).contains(&drawn[0]) && drawn[1] == 0, "{drawn:?}");
    assert_eq!(rule.probabilities(&moves, 0), [0.75, 0.0, 0.25]);
    let mut last = [1.0, 0.0].map(|worth| MoveStats { worth, tries: 0 });
    Rule::put(&mut last, 0, -1);
    assert_eq!(last.map(|known| known.worth), [1.0, 1.0]);
}

#[test]
fn rates_fall() {
    let rates = Rates { epsilon: 0.5, decay: 0.1, ..Rates::default() };
    let rule = Rule { method: Method::Q, rates, ..Rule::default() };
    assert_eq!((rule.epsilon(0), rule.epsilon(10)), (0.5, 0.25));
    let moves = [1.0, 2.0].map(|worth| MoveStats { worth, tries: 0 });
    assert_eq!(rule.probabilities(&moves, 10), [0.125, 0.875]);
}

#[test]
fn the_seed_is_the_run() {
    for method in [Method::Matchboxes, Method::Q, Method::MonteCarlo] {
        let (one, two) = (trained(9, rule(method), 200), trained(9, rule(method), 200));
        assert_eq!(dump(&one), dump(&two));
        assert_eq!((one.random(), one.tally()), (two.random(), two.tally()));
    }
}

#[test]
fn going_on_is_one_run() {
    for method in [Method::Matchboxes, Method::Q, Method::MonteCarlo] {
        let (whole, half) = (trained(9, rule(method), 200), trained(9, rule(method), 77));
        let mut nim = TableGame::nim(9, 3);
        let mut rest = Learner::new(nim.start(9), rule(method), 99);
        rest.resume(half.policy().clone(), half.random(), half.games(), half.tally());
        for _ in 77..200 {
            // A game that is broken off leaves no trace.
            let mut wait = |_: &mut TableGame, _: &Graph<_, _>, _, random: &mut Random| {
                random.next_u64();
                Ok(None)
            };
            assert!(matches!(rest.play(&mut nim, Some(&mut wait)), Ok(Played::Waiting(_))));
            rest.break_off();
            rest.play(&mut nim, None).expect("no faults");
        }
        assert_eq!(dump(&whole), dump(&rest));
        assert_eq!((whole.random(), whole.tally()), (rest.random(), rest.tally()));
    }
}

fn right(learner: &LearnerOf<TableGame>, matches: u32) -> Share {
    let mut nim = TableGame::nim(matches, 3);
    let mut graph = Graph::default();
    let root = graph.intern(&nim, &nim.start(matches)).expect("room");
    let mut solved = Solved::new(&nim);
    solved.solve(&mut nim, &mut graph, root, &Limits::none()).expect("no limits");
    share(learner.policy(), learner.rule(), |state| *state, &graph, &solved, root)
}

#[test]
fn nim_is_learned() {
    for (method, games) in
        [(Method::Matchboxes, 4000), (Method::Q, 1500), (Method::MonteCarlo, 3000)]
    {
        let beads = Beads { loss: -1, ..Beads::default() };
        let learner = trained(9, Rule { beads, ..rule(method) }, games);
        let share = right(&learner, 9);
        assert_eq!(share.right_met, share.met, "{method:?} {share:?}");
    }
}

#[test]
fn q_learning_finds_the_values() {
    let rates = Rates { epsilon: 0.6, alpha: Some(0.5), ..Rates::default() };
    let learner = trained(9, Rule { method: Method::Q, rates, ..Rule::default() }, 3000);
    for (state, moves) in learner.policy().iter() {
        let best = moves.iter().map(|known| known.worth).fold(f64::MIN, f64::max);
        let exact = if state.1 % 4 == 1 { -1.0 } else { 1.0 };
        assert!((best - exact).abs() < 0.01, "{state:?}: {best}");
    }
}

#[test]
fn evaluation_changes_nothing() {
    let mut nim = TableGame::nim(9, 3);
    let mut learner = trained(9, rule(Method::Q), 1000);
    let before = (dump(&learner), learner.random());
    let mut any = |_: &mut TableGame, graph: &Graph<_, _>, node, random: &mut Random| {
        let moves: usize = Graph::known_edges(graph, node).len();
        Ok(Some(random.below(moves as u64) as usize))
    };
    let tally = evaluate(&mut learner, &mut nim, 200, &mut Random::new(3), &mut any);
    let tally = tally.expect("no faults");
    assert_eq!((tally.games(), tally.draws), (200, 0));
    assert!(tally.wins > 150, "{tally:?}");
    assert_eq!(before, (dump(&learner), learner.random()));
}

/// Keep 2, or throw for 9 or nothing, worth 3 on average; then double or nothing, or not, for
/// which somebody else is to move in between if there are two.
fn gamble(players: usize) -> TableGame {
    let worth = |value: i64| Some(if players == 1 { vec![value] } else { vec![value, -value] });
    TableGame {
        players,
        moves: vec![vec![(0, 1), (1, 2)], Vec::new(), vec![(0, 3), (1, 4)], Vec::new(), Vec::new()],
        utilities: vec![None, worth(2), None, worth(9), worth(0)],
        weights: vec![Vec::new(), Vec::new(), vec![1, 2], Vec::new(), Vec::new()],
        // The first player is told what all is worth.
        moves_again: vec![true; 5],
        ..TableGame::default()
    }
}

#[test]
fn only_what_is_chosen_is_learned_where_chance_moves() {
    for players in [1, 2] {
        let mut game = gamble(players);
        for method in [Method::Q, Method::MonteCarlo] {
            let rates = Rates { epsilon: 0.5, alpha: Some(0.01), ..Rates::default() };
            let mut learner = Learner::new((0, 0), Rule { method, rates, ..rule(method) }, 3);
            (0..8000)
                .for_each(|_| assert_eq!(learner.play(&mut game, None).ok(), Some(Played::Over)));
            // The state in which the dice fall has no box.
            assert_eq!(learner.policy().len(), 1);
            let worths = worths(&learner, (0, 0));
            assert!((worths[0] - 2.0).abs() < 0.01 && (worths[1] - 3.0).abs() < 0.5, "{worths:?}");
            let mut graph = Graph::default();
            let root = graph.intern(&game, &(0, 0)).expect("room");
            let mut solved = Solved::new(&game);
            solved.solve(&mut game, &mut graph, root, &Limits::none()).expect("no limits");
            assert_eq!(good_moves(&graph, &solved, root), [false, true]);
            let share = share(learner.policy(), learner.rule(), |s| *s, &graph, &solved, root);
            assert_eq!((share.states, share.choices, share.right_met), (1, 1, 1));
        }
    }
}

#[test]
fn dice_go_on_as_one_run() {
    let mut game = gamble(2);
    let rule = rule(Method::MonteCarlo);
    let train = |game: &mut TableGame, learner: &mut LearnerOf<TableGame>, games: u64| {
        for _ in 0..games {
            let mut wait = |_: &mut TableGame, _: &Graph<_, _>, _, random: &mut Random| {
                random.next_u64();
                Ok(None)
            };
            if learner.seat(2) == 1 {
                assert!(matches!(learner.play(game, Some(&mut wait)), Ok(Played::Waiting(_))));
                learner.answer(1);
                // The dice fall, and the game is over: but it never was.
                learner.break_off();
            }
            learner.play(game, None).expect("no faults");
        }
    };
    let mut whole = Learner::new((0, 0), rule, 11);
    train(&mut game, &mut whole, 90);
    let mut half = Learner::new((0, 0), rule, 11);
    train(&mut game, &mut half, 41);
    let mut rest = Learner::new((0, 0), rule, 11);
    rest.resume(half.policy().clone(), half.random(), half.games(), half.tally());
    train(&mut game, &mut rest, 49);
    assert_eq!(dump(&whole), dump(&rest));
    assert_eq!((whole.random(), whole.tally()), (rest.random(), rest.tally()));
    let mut other = Learner::new((0, 0), rule, 12);
    train(&mut game, &mut other, 90);
    assert_ne!(dump(&whole), dump(&other));
}

/// A game for one: of two doors the second is worth something.
#[test]
fn one_player_learns_too() {
    let mut doors = TableGame {
        players: 1,
        moves: vec![vec![(1, 1), (2, 2)], Vec::new(), Vec::new()],
        utilities: vec![None, Some(vec![0]), Some(vec![1])],
        ..TableGame::default()
    };
    for method in [Method::Matchboxes, Method::Q, Method::MonteCarlo] {
        let mut learner = Learner::new((0, 0), rule(method), 1);
        (0..200).for_each(|_| assert_eq!(learner.play(&mut doors, None).ok(), Some(Played::Over)));
        let moves = learner.policy().get(&(0, 0)).expect("met");
        assert_eq!(learner.rule().likeliest(moves), [1]);
    }
}
