//! Games at random, solved by several workers and by the engine of one.

use crate::tests::{alone, connected, folder, free_hosts};
use crate::*;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use zug_search::game::{Game, GameEngine, GameOptions, Graph, Player, TableGame};
use zug_search::{Failure, Limits, Row};

type State = (Player, u32);

/// The states of a table, as one worker owns them.
struct Table<'t> {
    game: TableGame,
    numbers: HashMap<State, usize>,
    in_order: Vec<State>,
    /// Moves may be asked for so often.
    left: u64,
    at_end: &'t (dyn Fn() + Sync),
    /// Told how often moves may still be asked for, whenever it is asked what is held.
    at_bytes: &'t (dyn Fn(u64) + Sync),
}

fn never() {}

impl Table<'_> {
    fn of(game: &TableGame) -> Table<'static> {
        let game = game.clone();
        Table {
            game,
            numbers: HashMap::new(),
            in_order: Vec::new(),
            left: u64::MAX,
            at_end: &never,
            at_bytes: &|_| {},
        }
    }
}

impl Shard for Table<'_> {
    type State = State;
    type Error = Failure;

    fn len(&self) -> usize {
        self.in_order.len()
    }
    fn bytes(&self) -> usize {
        (self.at_bytes)(self.left);
        self.in_order.len() * 32
    }
    fn hash(&mut self, state: &State) -> u64 {
        u64::from(state.1) << 8 | u64::from(state.0)
    }
    fn write(&mut self, state: &State, out: &mut Vec<u8>) {
        state.write(out);
    }
    fn read(&mut self, bytes: &[u8]) -> Option<State> {
        State::read(bytes)
    }
    fn intern(&mut self, states: &mut Vec<State>) {
        states.drain(..).for_each(|state| {
            self.number(&state);
        });
    }
    fn number(&mut self, state: &State) -> usize {
        let next = self.in_order.len();
        let number = *self.numbers.entry(*state).or_insert(next);
        if number == next {
            self.in_order.push(*state);
        }
        number
    }
    fn state(&self, number: usize) -> State {
        self.in_order[number]
    }
    fn successors(&mut self, state: &State, out: &mut Vec<State>) -> Result<(), Failure> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            (self.at_end)();
        }
        if !self.game.is_over(state)? {
            let mut moves = Vec::new();
            self.game.moves(state, &mut moves)?;
            out.extend(moves.into_iter().map(|(_, to)| to));
        }
        Ok(())
    }
}

impl GameShard for Table<'_> {
    type Value = i64;

    fn nothing() -> i64 {
        0
    }
    fn mover(&self, state: &State) -> u8 {
        state.0
    }
    fn worth(&mut self, end: &State) -> Result<i64, Failure> {
        self.game.utility(end, 0)
    }
    fn write_value(value: &i64, out: &mut Vec<u8>) {
        out.extend(value.to_le_bytes());
    }
    fn read_value(bytes: &[u8]) -> Option<i64> {
        bytes.try_into().ok().map(i64::from_le_bytes)
    }
}

/// What is found of a game from a state: value to the player to move, distance, states along the line, states and
/// those that are no ends.
type Told = (Option<i64>, Option<u32>, Vec<State>, u64, u64);

/// By the engine of one.
fn by_one(game: &TableGame, start: State) -> Told {
    let mut game = game.clone();
    let mut graph = Graph::default();
    let (options, limits) = (GameOptions::default(), Limits::none());
    let engine = GameEngine::SolveGame;
    let report =
        zug_search::game::run(engine, &mut game, &mut graph, &start, &options, &limits, None)
            .expect("nothing fails");
    let (mut states, mut at) = (vec![start], start);
    for &mv in &report.line {
        let mut moves = Vec::new();
        let _ = game.moves(&at, &mut moves);
        at = moves.into_iter().find(|&(own, _)| own == mv).expect("it can be made").1;
        states.push(at);
    }
    (report.value, report.distance, states, report.stats.nodes, report.stats.states)
}

fn told(start: State, found: &SolvedGame<i64>) -> Told {
    let value = found.value.map(|value| if start.0 == 0 { value } else { -value });
    let line = found.line.iter().map(|bytes| State::read(bytes).expect("a state")).collect();
    let Layers { expanded, terminal, .. } = found.layers;
    (value, found.distance, line, expanded, expanded - terminal)
}

fn by_workers(game: &TableGame, start: State, workers: usize) -> Vec<Told> {
    let search = |peers: Peers<'_>| {
        let (mut table, bounds) = (Table::of(game), Bounds::default());
        retrograde(peers, &mut table, &start, &bounds, None, 10_000, None)
    };
    let found = run(Group::alone(), search, vec![search; workers - 1]);
    found.iter().map(|found| told(start, found.as_ref().expect("nothing fails"))).collect()
}

/// Moves anywhere, so that most games can go round; several moves to the same state, the same player twice, and
/// ends of any value.
fn games() -> impl Strategy<Value = TableGame> {
    let state = |states: u32| {
        let moves = prop::collection::vec(0..states, 1..5);
        (moves, prop::option::weighted(0.3, -3..=3_i64), any::<bool>())
    };
    let states = (2..40_u32)
        .prop_flat_map(move |states| prop::collection::vec(state(states), states as usize));
    states.prop_map(|states| {
        let mut game = TableGame { players: 2, ..TableGame::default() };
        for (moves, worth, again) in states {
            game.moves.push((0..).zip(moves).collect());
            game.utilities.push(worth.map(|worth| vec![worth, -worth]));
            game.moves_again.push(again);
        }
        game
    })
}

/// The same without plays that come back: all moves go to higher numbers.
fn upwards(game: TableGame) -> TableGame {
    let (mut game, states) = (game.clone(), game.moves.len() as u32);
    for (at, moves) in (0..).zip(&mut game.moves) {
        moves.retain(|&(_, to)| to > at);
        if moves.is_empty() && at + 1 < states {
            moves.push((0, at + 1));
        }
    }
    if let Some(worth) = game.utilities.last_mut() {
        worth.get_or_insert(vec![0, 0]);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn workers_find_of_any_game_what_one_finds(game in games(), player in 0..2_u8, workers in 1..4_usize) {
        for game in [game.clone(), upwards(game)] {
            let known = by_one(&game, (player, 0));
            for found in by_workers(&game, (player, 0), workers) {
                prop_assert_eq!(&found, &known);
            }
        }
    }
}

#[test]
fn nim_by_workers() {
    let nim = TableGame::nim(1001, 3);
    let known = by_one(&nim, (0, 1001));
    assert_eq!((known.0, known.1), (Some(-1), Some(501)));
    for workers in [1, 2, 4] {
        assert!(by_workers(&nim, (0, 1001), workers).iter().all(|found| *found == known));
    }
}

/// A game with many layers, from which play can come back.
fn long() -> TableGame {
    let states = 20_000_u32;
    let moves = |at: u32| {
        let forward = [(at + 1) % states, (at * 7 + 3) % states, at.wrapping_mul(31) % states];
        (0..).zip(forward).collect::<Vec<_>>()
    };
    let worth =
        |at: u32| (at % 97 == 5).then(|| vec![i64::from(at % 5) - 2, 2 - i64::from(at % 5)]);
    TableGame {
        players: 2,
        moves: (0..states).map(moves).collect(),
        utilities: (0..states).map(worth).collect(),
        ..TableGame::default()
    }
}

#[test]
fn processes_solve_games_and_go_on_from_files() {
    let _alone = alone();
    let (game, folder) = (long(), folder("positions"));
    let known = by_one(&game, (0, 1));
    // The first run ends amid a layer, the second one finds the rest, and the third one has all of it.
    let mut resumed = Vec::new();
    for nodes in [Some(15_000), None, None] {
        let hosts = free_hosts(3);
        let found = thread::scope(|scope| {
            let all = [0, 1, 2].map(|process| {
                let (hosts, folder, game) = (&hosts, &folder, &game);
                scope.spawn(move || {
                    let links = connected(hosts, process, "rules").expect("all are there");
                    let search = |peers: Peers<'_>| {
                        let path = folder.join(format!("worker-{}", peers.index()));
                        let mut kept = Kept::open(&path, &[Fact::new("the start", "1")])?;
                        let bounds = Bounds { nodes, ..Bounds::default() };
                        let kept = Some(&mut kept);
                        retrograde(peers, &mut Table::of(game), &(0, 1), &bounds, kept, 99, None)
                    };
                    run(Group::of(links), search, vec![search])
                })
            });
            let all = all.map(|process| process.join().expect("no panic"));
            all.into_iter().flatten().collect::<Vec<_>>()
        });
        for found in &found {
            let found = found.as_ref().expect("nothing fails");
            match nodes {
                Some(nodes) => {
                    assert_eq!((found.layers.expanded, found.value), (nodes, None));
                    assert_eq!(found.layers.stopped, Some(Stop::Nodes));
                }
                None => assert_eq!(told((0, 1), found), known),
            }
        }
        resumed.push(found[0].as_ref().expect("nothing fails").layers.resumed);
    }
    assert!(resumed[0] == 0 && 3 < resumed[1] && resumed[1] < resumed[2], "{resumed:?}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn limits_end_a_game() {
    let game = long();
    let stopped = |bounds: Bounds| {
        let search = |peers: Peers<'_>| {
            retrograde(peers, &mut Table::of(&game), &(0, 1), &bounds, None, 99, None)
        };
        let found = run(Group::alone(), search, vec![search]);
        found
            .into_iter()
            .map(|found| {
                let found = found.expect("nothing fails");
                assert_eq!((found.value, found.line.len()), (None, 0));
                found.layers.stopped
            })
            .collect::<Vec<_>>()
    };
    let memory = Bounds { memory: Some(1 << 18), ..Bounds::default() };
    assert_eq!(stopped(memory), [Some(Stop::Memory); 2]);
    let time = Bounds { deadline: Some(std::time::Instant::now()), ..Bounds::default() };
    assert_eq!(stopped(time), [Some(Stop::Time); 2]);
    // While best play is followed, when all is laid out.
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let cancel = || flag.store(true, SeqCst);
    let (all, known) = (by_one(&game, (0, 1)).3, Bounds::default());
    let search = |peers: Peers<'_>| {
        let mut table = Table { left: all, at_end: &cancel, ..Table::of(&game) };
        retrograde(peers, &mut table, &(0, 1), &known, None, 99, None)
    };
    let others: Vec<fn(Peers<'_>) -> _> = Vec::new();
    let found = run(Group::cancelled_by(Some(flag.clone())), search, others).swap_remove(0);
    let found = found.expect("nothing fails");
    assert_eq!((found.value, found.layers.stopped), (None, Some(Stop::Cancelled)));
    assert_eq!(found.layers.expanded, all);
}

#[test]
fn who_is_lost_while_waves_go_back_is_named() {
    let _alone = alone();
    let game = long();
    let asked = std::sync::atomic::AtomicU64::new(0);
    let (hosts, states) = (free_hosts(3), by_one(&game, (0, 1)).3);
    thread::scope(|scope| {
        for process in 0..3 {
            let (hosts, game, asked) = (&hosts, &game, &asked);
            scope.spawn(move || {
                let links = connected(hosts, process, "rules").expect("all are there");
                let sockets = links.sockets.iter().flatten();
                let sockets = sockets.map(|socket| socket.try_clone().expect("a copy"));
                let (sockets, control) = (sockets.collect::<Vec<_>>(), links.control.clone());
                let known = std::sync::Mutex::new((u64::MAX, 0));
                // Waves begin when all states are expanded; some rounds later the second one is gone.
                let lose = |left: u64| {
                    let mut known = known.lock().expect("no panic before");
                    asked.fetch_add(known.0 - left, SeqCst);
                    known.0 = left;
                    known.1 += u32::from(asked.load(SeqCst) == states);
                    if process == 1 && known.1 == 12 {
                        for socket in &sockets {
                            let _ = socket.shutdown(std::net::Shutdown::Both);
                        }
                        control.close();
                        drop(known);
                        std::panic::resume_unwind(Box::new("it was killed"));
                    }
                };
                let search = |peers: Peers<'_>| {
                    let mut table = Table { at_bytes: &lose, ..Table::of(game) };
                    retrograde(peers, &mut table, &(0, 1), &Bounds::default(), None, 99, None)
                };
                let others: Vec<fn(Peers<'_>) -> _> = Vec::new();
                let group = Group::of(links);
                let ended = std::panic::AssertUnwindSafe(|| run(group, search, others));
                match std::panic::catch_unwind(ended) {
                    Err(_) => assert_eq!(process, 1),
                    Ok(mut ended) => {
                        let Err(SearchEnd::Ended(ended)) = ended.swap_remove(0) else {
                            panic!("process {process} can't go on")
                        };
                        let said = ended.to_string();
                        assert!(said.starts_with("process 1 (127.0.0.1:"), "{said}");
                        assert!(said.contains(") was lost: its connection "), "{said}");
                    }
                }
            });
        }
    });
}
