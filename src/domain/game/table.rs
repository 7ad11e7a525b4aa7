//! A game, what is known of its states, and the limits of a search, brought together.
//!
//! What was found out about a program's states is kept in the session: the next query about
//! the same game finds it, unless the program was changed in between. To ask of ten thousand
//! numbers of matches which are lost costs as much as to solve the largest.

use super::own::OwnGame;
use super::roles::Roles;
use super::rules::{Kit, RuleGame};
use super::task::GameTask;
use super::utilities::{UtilityKind, UtilitySource};
use super::value::{GameValue, RuleValue};
use crate::bases::Terms;
use crate::claim::impurity_of_game;
use crate::contract::indicator;
use crate::error::{RuleError, Violation, stopped_in};
use crate::memory::{Stamp, cache, stamp};
use crate::problem::kept_if;
use crate::run::asking;
use crate::{Fixed, Packed, PackedState};
use std::time::Instant;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_report::{Certainty, CodeUse, Exactness, GameSolution, StoppedIn, Utilities, joined};
use zug_search::game::{
    self, CHANCE, Expected, Game, GameEngine, GameError, GameObserver, GameOutcome, GameReport,
    Graph, Halt, NodeId, Player, PlayersAllowed, Proof, RunResult, Solved, Value,
};
use zug_search::{Failure, Limits, StateId, StopReason};
use zug_term::Record;

/// What is cached of a game between queries.
struct GameMemory {
    /// The state of the program it was found out for.
    stamp: Stamp,
    game: OwnGame,
}

/// Forgets what was found out about positions, but not the code that was made.
pub(crate) fn forget_results(w: &mut World) {
    cache::<Vec<GameMemory>>(w).iter_mut().for_each(|memory| memory.game.forget_results());
}

/// A game with its rules, its graph, its solved states, and limits.
pub struct Table<'a> {
    /// The rules.
    pub game: RuleGame<'a>,
    /// The states met, with their moves and values.
    pub graph: &'a mut Graph<Packed, GameValue>,
    pub(crate) solved: &'a mut Option<Solved<GameValue>>,
    /// What was read from a base: not all that can be reached is known.
    pub(super) recalled: &'a mut Option<Solved<GameValue>>,
    /// Limits of time and memory.
    pub limits: Limits,
}

/// The roles of a program that is a game.
///
/// # Errors
/// It is none, or says too little to be asked.
pub(super) fn roles_of(m: &Machine) -> Result<Roles, Box<RuleError>> {
    let missing = || RuleError::new(Violation::Missing("move(J, M, S1, S2)"), "move/4");
    let roles = Roles::of(m).ok_or_else(missing)?;
    roles.error(m).map_or(Ok(roles), Err)
}

/// Opens the game of the program, with its cached results.
///
/// # Errors
/// The program is no game; or what `run` says.
pub fn with_game<T>(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    run: impl FnOnce(&mut Table<'_>) -> Result<T, Box<RuleError>>,
) -> Result<T, Box<RuleError>> {
    let roles = roles_of(m)?;
    with_roles(m, w, roles, limits, run)
}

/// As [`with_game`], for what an engine is to do.
///
/// # Errors
/// The program is no game; or what `run` says.
pub fn with_game_for<T>(
    m: &mut Machine,
    w: &mut World,
    task: &GameTask,
    run: impl FnOnce(&mut Table<'_>) -> Result<T, Box<RuleError>>,
) -> Result<T, Box<RuleError>> {
    let roles = roles_of(m)?;
    // What symmetry/2 says counts anyway.
    let roles = Roles { alike: task.symmetry && roles.symmetry.is_none(), ..roles };
    with_roles(m, w, roles, &task.limits, run)
}

/// As [`with_game`], every state for itself: symmetries count for nothing.
///
/// # Errors
/// The program is no game; or what `run` says.
pub fn with_plain_game<T>(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    run: impl FnOnce(&mut Table<'_>) -> Result<T, Box<RuleError>>,
) -> Result<T, Box<RuleError>> {
    let roles = Roles { symmetry: None, ..roles_of(m)? };
    with_roles(m, w, roles, limits, run)
}

/// As [`with_plain_game`], without what is cached, and with states packed by the words that
/// `GameSpace::vocabulary` wrote; `None` if they make no sense.
///
/// # Errors
/// The program is no game; or what `run` says.
pub(crate) fn with_vocabulary<T>(
    m: &mut Machine,
    w: &mut World,
    limits: &Limits,
    vocabulary: &[u8],
    run: impl FnOnce(&mut Table<'_>) -> Result<T, Box<RuleError>>,
) -> Result<Option<T>, Box<RuleError>> {
    let roles = Roles { symmetry: None, ..roles_of(m)? };
    let Some(terms) = Terms::of_vocabulary(m, vocabulary) else { return Ok(None) };
    // What lists are taken for would have to be written too.
    let mut kit = Kit { codec: terms.codec, is_decided: true, ..Kit::default() };
    for player in &terms.players {
        kit.players.intern_bytes(player);
        kit.next.push(None);
    }
    OwnGame::of(roles, kit).with(m, w, limits, run).map(Some)
}

fn with_roles<T>(
    m: &mut Machine,
    w: &mut World,
    roles: Roles,
    limits: &Limits,
    run: impl FnOnce(&mut Table<'_>) -> Result<T, Box<RuleError>>,
) -> Result<T, Box<RuleError>> {
    let (mut others, mut known) = cached(m, w, roles);
    let found = known.game.with(m, w, limits, run);
    // A player that is none may be known after an error.
    if known.stamp == stamp(m, w) && found.is_ok() {
        others.push(known);
    }
    *cache(w) = others;
    found
}

/// What is cached of the game with these roles, nothing if it is new; after what is cached of others.
fn cached(m: &Machine, w: &mut World, roles: Roles) -> (Vec<GameMemory>, GameMemory) {
    let most = m.memory_limit / 2;
    let mut all = std::mem::take(cache::<Vec<GameMemory>>(w));
    let stamp = stamp(m, w);
    all.retain(|memory| memory.stamp == stamp && memory.game.bytes() < most);
    let known = match all.iter().position(|memory| *memory.game.roles() == roles) {
        Some(at) => all.swap_remove(at),
        None => GameMemory { stamp, game: OwnGame::of(roles, Kit::default()) },
    };
    (all, known)
}

/// The first answer of initial_player/1; `None` if the program needs none.
///
/// # Errors
/// It is needed and not there, or raises an error.
pub fn initial_player(m: &mut Machine, w: &mut World) -> Result<Option<Record>, Box<RuleError>> {
    let roles = roles_of(m)?;
    let Some(pred) = roles.initial_player else {
        if !roles.lacks_first_player() {
            return Ok(None);
        }
        let missing = Violation::Missing("initial_player(J)");
        return Err(RuleError::new(missing, indicator::INITIAL_PLAYER));
    };
    asking(m, w, |m, w| first_player(m, w, pred)).map(Some)
}

/// The first answer of initial_player/1.
fn first_player(m: &mut Machine, w: &mut World, pred: PredId) -> Result<Record, Box<RuleError>> {
    let found = m.ask(w, |ask| {
        let [player] = ask.outputs();
        match ask.call(pred, &[player]) {
            Ok(true) => {}
            Ok(false) => return Err(Violation::Missing("initial_player(J)")),
            Err(fault) => return Err(Violation::raised(ask.machine, fault)),
        }
        let ([player], heap) = (ask.rooted(), &mut ask.machine.heap);
        if heap.deref(player).is_var() {
            return Err(Violation::Unbound);
        }
        Ok(Record::new(heap, player))
    });
    found.map_err(|violation| RuleError::new(violation, indicator::INITIAL_PLAYER))
}

impl Table<'_> {
    /// A state with the player to move; without one, the first of two who are not told apart.
    ///
    /// # Errors
    /// The players don't take turns, or the state can't be kept.
    pub fn position(
        &mut self,
        player: Option<&Record>,
        state: &Record,
    ) -> Result<Packed, Box<RuleError>> {
        let seat = match player {
            // The state says it.
            _ if self.game.roles().to_move.is_some() => 0,
            Some(player) => self.game.seat(player)?,
            None => {
                let (m, _) = self.game.machine();
                let first = zug_term::Cell::atom(m.symbols.intern("first"));
                let first = Record::new(&mut m.heap, first);
                self.game.seat(&first)?
            }
        };
        let packed = self.game.pack(seat, state)?;
        if self.game.roles().to_move.is_some()
            && let Some(player) = player
        {
            self.game.must_move(player, &packed)?;
        }
        Ok(packed)
    }

    /// Runs an engine from a state.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    pub fn search(
        &mut self,
        task: &GameTask,
        start: &Packed,
        observer: Option<&mut GameObserver<'_>>,
    ) -> Result<GameSolution<Record>, Box<RuleError>> {
        self.game.units().set_horizon(task.horizon());
        let found = self.searched(task, start, observer);
        self.game.units().set_horizon(None);
        found
    }

    fn searched(
        &mut self,
        task: &GameTask,
        start: &Packed,
        observer: Option<&mut GameObserver<'_>>,
    ) -> Result<GameSolution<Record>, Box<RuleError>> {
        let info = task.engine.info();
        let players = self.game.players();
        if !info.players.allows(players) {
            return Err(RuleError::new(Violation::Players(info.name, players), "opponent/2"));
        }
        if !info.chance && self.game.has_chance() {
            return Err(RuleError::new(Violation::Chance(info.name), "probability/3"));
        }
        let whole = self.weigh();
        if let Some(error) = whole.err() {
            let (reason, _) = self.stopped(error, task.limits.time.is_some())?;
            return Ok(self.stopped_before(task.engine, start, reason));
        }
        let apart = info.players == PlayersAllowed::Any;
        if !apart {
            self.must_not_be_apart(info.name)?;
        }
        self.game.kit.no_chance = (!info.chance).then_some(info.name);
        self.game.kit.bounds = None;
        if self.game.roles().alike && self.look_for_symmetries(task, start)? {
            *self.graph = Graph::default();
            (*self.solved, *self.recalled) = (None, None);
        }
        let before = self.game.counts();
        let engine = task.engine;
        let (began, asked) = (Instant::now(), self.graph.asked());
        let mut from_base = engine == GameEngine::SolveGame && self.recall(start)?;
        let (took, asked) = (began.elapsed(), self.graph.asked().saturating_sub(asked));
        let mut observer = observer;
        let ended = loop {
            self.game.kit.shared.strict = true;
            let observer = observer.as_deref_mut();
            let ended = if engine.fills_graph() {
                self.run(task, start, from_base, observer)
            } else {
                self.run_lean(task, start, observer)
            };
            self.game.kit.shared.strict = false;
            let odd = ended.as_ref().err().and_then(|failed| match &violation(&failed.error) {
                Some(Violation::Unbalanced(end)) => Some((**end).clone()),
                _ => None,
            });
            let Some(end) = odd else { break ended };
            self.weigh_again(info.name, apart, end)?;
            from_base = false;
        };
        let code = self.game.code_use(&before);
        (self.game.kit.no_chance, self.game.kit.bounds) = (None, None);
        match ended {
            Ok(mut report) => {
                // What alpha-beta searches are the states themselves.
                let in_classes = self.game.has_symmetry() && engine != GameEngine::Alphabeta;
                if in_classes && !(from_base && self.game.roles().alike) {
                    report.line = self.unfold(start, &report.line)?;
                }
                let mut found = self.found(report, start, code);
                found.from_base = from_base;
                if from_base {
                    found.certainty.given = self.kept_on_condition(found.certainty.given);
                }
                found.symmetries = if from_base { None } else { self.game.symmetries() };
                if from_base {
                    found.stats.states += asked;
                    found.stats.elapsed += took;
                }
                Ok(found)
            }
            Err(error) => {
                let timed = task.limits.time.is_some();
                let (reason, stopped_in) = self.stopped(error.error.into(), timed)?;
                let found = self.stopped_before(engine, start, reason);
                Ok(GameSolution { stopped_in, code, stats: *error.stats, ..found })
            }
        }
    }

    /// Looks for the symmetries that an engine can use. Says whether they are others than before.
    fn look_for_symmetries(
        &mut self,
        task: &GameTask,
        start: &Packed,
    ) -> Result<bool, Box<RuleError>> {
        let ends = self.game.roles().utility.is_some();
        let estimates = !ends || task.engine != GameEngine::SolveGame;
        match self.game.look_for_symmetries(start, estimates) {
            // It searches to the end of play, too, where those of ends are of use.
            Err(_) if ends && task.engine == GameEngine::Alphabeta => {
                self.game.look_for_symmetries(start, false)
            }
            found => found,
        }
    }

    /// What is known of a state when a limit strikes before anything is found.
    pub(super) fn stopped_before(
        &mut self,
        engine: GameEngine,
        start: &Packed,
        reason: StopReason,
    ) -> GameSolution<Record> {
        let player = self.game.player_term(self.game.player(start));
        let (state, outcome) = (self.game.state_term(start), GameOutcome::Stopped(reason));
        let found = GameSolution::nothing(engine.info().name, player, state, outcome);
        GameSolution { utilities: self.described_utilities(), ..found }
    }

    /// What two players play for, as this search went by it.
    pub(crate) fn described_utilities(&self) -> Option<Utilities> {
        let now = self.game.kit.shared.now?;
        let known = self.game.kit.shared.known.as_ref().map(|known| known.source);
        let roles = self.game.roles();
        let source = match (now, roles.utility) {
            (UtilityKind::MoverOnly, None) if roles.is_normal_play() => UtilitySource::NormalPlay,
            (UtilityKind::MoverOnly, None) => UtilitySource::Heuristic,
            (UtilityKind::MoverOnly, Some(_)) => UtilitySource::Mover,
            _ => known.filter(|_| now == UtilityKind::MoverOnly).unwrap_or(UtilitySource::Both),
        };
        (self.game.players() == 2).then(|| now.utilities(source))
    }

    /// Runs an engine on the graph.
    fn run(
        &mut self,
        task: &GameTask,
        start: &Packed,
        from_base: bool,
        observer: Option<&mut GameObserver<'_>>,
    ) -> RunResult<RuleGame<'_>> {
        let (engine, options) = (task.engine, task.options());
        let kept = if from_base { &mut *self.recalled } else { &mut *self.solved };
        let solved = solved_for(kept, &self.game);
        let known = (&mut *self.graph, solved);
        let game = &mut self.game.with();
        game::run_keeping(engine, game, known, start, &options, &self.limits, observer)
    }

    /// Runs an engine that needs no graph, on states and values as small as they can be.
    fn run_lean(
        &mut self,
        task: &GameTask,
        start: &Packed,
        mut observer: Option<&mut GameObserver<'_>>,
    ) -> RunResult<RuleGame<'_>> {
        let first = observer.as_deref_mut();
        let found = match start.bytes().len() {
            0..16 => self.run_as::<Fixed<16>, i64>(task, start, first),
            16..32 => self.run_as::<Fixed<32>, i64>(task, start, first),
            32..64 => self.run_as::<Fixed<64>, i64>(task, start, first),
            _ => self.run_as::<Packed, i64>(task, start, first),
        };
        match found {
            Err(GameError { error, .. })
                if matches!(violation(&error), Some(Violation::Room | Violation::Fraction)) =>
            {
                self.run_as::<Packed, GameValue>(task, start, observer)
            }
            found => found,
        }
    }

    /// As [`Table::run_lean`], on states and values of one kind.
    fn run_as<S: PackedState, V: RuleValue>(
        &mut self,
        task: &GameTask,
        start: &Packed,
        observer: Option<&mut GameObserver<'_>>,
    ) -> RunResult<RuleGame<'_>> {
        let options = task.options();
        let mut game = self.game.with::<S, V>();
        let mut graph = Graph::default();
        let mut limits = self.limits.clone();
        limits.memory = limits.memory.map(|most| most.saturating_sub(self.graph.bytes()));
        let start = S::from_bytes(start.bytes()).ok_or_else(|| GameError {
            error: RuleError::new(Violation::Room, "initial_state/1").into(),
            stats: Box::default(),
        })?;
        let report =
            game::run_alphabeta(&mut game, &mut graph, &start, &options, &limits, observer)?;
        Ok(report.map_values(|value| GameValue(value.number())))
    }

    /// A line of moves between classes of symmetrical states, as moves of the states
    /// themselves.
    fn unfold(&mut self, start: &Packed, line: &[StateId]) -> Result<Vec<StateId>, Box<RuleError>> {
        let mut unfolded = Vec::new();
        let (mut class, mut state) = (start.clone(), start.clone());
        for &mv in line {
            let mut moves = Vec::new();
            self.game.moves(&class, &mut moves)?;
            let Some((_, to)) = moves.into_iter().find(|&(own, _)| own == mv) else { break };
            class = self.game.canonical(&to)?;
            let mut moves = Vec::new();
            self.game.moves(&state, &mut moves)?;
            let mut same = None;
            for (mv, to) in moves {
                if self.game.canonical(&to)? == class {
                    same = Some((mv, to));
                    break;
                }
            }
            let Some((mv, to)) = same else { break };
            unfolded.push(mv);
            state = to;
        }
        Ok(unfolded)
    }

    /// The states that moves lead through one after the other, without the first; fewer where a
    /// move can't be made.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub fn along(
        &mut self,
        start: &Packed,
        line: &[Record],
    ) -> Result<Vec<Record>, Box<RuleError>> {
        let (mut state, mut states) = (start.clone(), Vec::with_capacity(line.len()));
        for wanted in line {
            let mut moves = Vec::new();
            self.game.moves(&state, &mut moves)?;
            let found = moves.into_iter().find(|&(mv, _)| self.game.move_term(mv) == *wanted);
            let Some((_, to)) = found else { break };
            states.push(self.game.state_term(&to));
            state = to;
        }
        Ok(states)
    }

    /// The states of a line and all their successors, each with the index of its predecessor.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub fn around(
        &mut self,
        start: &Packed,
        line: &[Record],
    ) -> Result<Vec<(Record, Option<usize>)>, Box<RuleError>> {
        let mut states = vec![(self.game.state_term(start), None)];
        let (mut state, mut at) = (start.clone(), 0);
        for wanted in line {
            let mut moves = Vec::new();
            self.game.moves(&state, &mut moves)?;
            let mut next = None;
            for (mv, to) in moves {
                if self.game.move_term(mv) == *wanted {
                    next.get_or_insert((to.clone(), states.len()));
                }
                states.push((self.game.state_term(&to), Some(at)));
            }
            let Some(found) = next else { break };
            (state, at) = found;
        }
        Ok(states)
    }

    pub(super) fn found(
        &mut self,
        report: GameReport<GameValue>,
        start: &Packed,
        code: Option<CodeUse>,
    ) -> GameSolution<Record> {
        let GameReport { engine, outcome, line, verdict, stats } = report;
        // `maxn` doesn't reckon with sums.
        let raw = engine == GameEngine::Maxn;
        let mover = self.game.player(start);
        let utilities = self.described_utilities();
        let shift = self.game.kit.shared.shift.filter(|_| !raw);
        let shared = &self.game.kit.shared;
        let meant = |value| if raw { value } else { shared.meant(value) };
        let mut value = verdict.value.map(Expected::of).map(meant);
        let mut values: Vec<Expected> = verdict.values.into_iter().map(Expected::of).collect();
        if let (Some(own), true) = (&value, shift.is_some()) {
            let rest = shared.rest(own);
            values = if mover == 0 { vec![own.clone(), rest] } else { vec![rest, own.clone()] };
        }
        let (mut error, mut proof, mut tried) = (None, None, Vec::new());
        let mut exact = verdict.exact;
        if engine == GameEngine::Pns
            && let Some(sign) = verdict.value.filter(|sign| *sign != GameValue::ZERO)
        {
            // More than nothing or less, nobody knows how much.
            proof = Some(if sign > GameValue::ZERO { Proof::Won } else { Proof::Lost });
            (value, values, exact) = (None, Vec::new(), false);
        }
        if let Some(means) = verdict.means {
            let all: Vec<Expected> = means.values.into_iter().map(meant).collect();
            value = all.get(usize::from(mover)).cloned();
            // What one of two wins the other loses.
            let told_apart = all.len() > 2 || mover == CHANCE || !self.game.is_zero_sum();
            values = if told_apart { all } else { Vec::new() };
            let distance = |error| shift.map_or(error, |scale| scale.distance(error));
            (error, proof) = (means.error.map(distance), means.proof);
            for mut one in means.tried {
                if let Some(scale) = shift {
                    one.mean = scale.meant(Expected::Float(one.mean)).as_f64();
                }
                tried.push(one.named(self.game.move_term(one.mv)));
            }
        }
        let worth = |(value, seat): (Expected, Player)| zug_report::Worth {
            player: self.game.player_term(seat),
            value: value.into(),
        };
        let values = values.into_iter().zip(0..).map(worth).collect();
        let exactness = match (exact, verdict.ties) {
            (true, true) => Exactness::FirstOfEquals,
            (true, false) => Exactness::Exact,
            (false, _) => Exactness::Estimated,
        };
        let is_proved = proof.is_some() || verdict.distance.is_some();
        let claims = exactness != Exactness::Estimated || is_proved || error.is_some();
        let given = if claims { self.impurity() } else { None };
        GameSolution {
            engine: engine.info().name,
            player: self.game.player_term(mover),
            state: self.game.state_term(start),
            outcome,
            stopped_in: None,
            value: value.map(Into::into),
            values,
            error,
            proof,
            tried,
            best: verdict.best.map(|mv| self.game.move_term(mv)),
            line: line.iter().map(|&mv| self.game.move_term(mv)).collect(),
            sampled: engine.is_sampling(),
            certainty: Certainty { exactness, given },
            utilities,
            depth: verdict.depth,
            distance: verdict.distance,
            symmetries: None,
            from_base: false,
            stats,
            code,
        }
    }

    /// Solves a state and all that can be reached from it, unless that is known: its number.
    ///
    /// # Errors
    /// An error in a rule, or a limit.
    pub fn solve(&mut self, start: &Packed) -> Result<Result<NodeId, StopReason>, Box<RuleError>> {
        let timed = self.limits.time.is_some();
        if let Err(error) = self.weigh() {
            return Ok(Err(self.stopped(error, timed)?.0));
        }
        loop {
            let node = match self.graph.intern(&self.game, start) {
                Ok(node) => node,
                Err(reason) => return Ok(Err(reason)),
            };
            self.game.kit.shared.strict = true;
            let solved = solved_for(self.solved, &self.game);
            let game = &mut self.game.with::<Packed, GameValue>();
            let done = solved.solve(game, self.graph, node, &self.limits);
            self.game.kit.shared.strict = false;
            match done {
                Ok(()) => return Ok(Ok(node)),
                Err(Halt::Stop(reason)) => return Ok(Err(reason)),
                Err(Halt::Fail(failure)) => {
                    let error = Box::<RuleError>::from(failure);
                    match &error.violation {
                        Violation::Unbalanced(end) => {
                            self.weigh_again("solve_game", true, (**end).clone())?;
                        }
                        _ => return Ok(Err(self.stopped(error, timed)?.0)),
                    }
                }
            }
        }
    }

    /// The result of an error: a limit that struck, or the error.
    pub(super) fn stopped(
        &mut self,
        error: Box<RuleError>,
        timed: bool,
    ) -> Result<(StopReason, Option<StoppedIn<Record>>), Box<RuleError>> {
        let (m, w) = self.game.machine();
        stopped_in(m, w, error, timed)
    }

    /// Why what is found may be wrong although it is exact: answers of the rules may depend on more than the state.
    pub fn impurity(&mut self) -> Option<String> {
        let roles = *self.game.roles();
        let (m, w) = self.game.machine();
        impurity_of_game(m, w, &roles)
    }

    /// A condition, with those on which the base rests that is in use.
    fn kept_on_condition(&mut self, given: Option<String>) -> Option<String> {
        let kept = kept_if(self.game.machine().1);
        joined(kept.filter(|kept| given.as_ref().is_none_or(|given| !kept.contains(given))), given)
    }

    /// What is solved.
    pub fn solved(&self) -> Option<&Solved<GameValue>> {
        self.solved.as_ref()
    }
}

/// What a rule did wrong that failed in a search.
fn violation(failure: &Failure) -> Option<&Violation> {
    failure.get::<Box<RuleError>>().map(|error| &error.violation)
}

/// What is solved of a game, nothing if it was for another number of players.
pub(super) fn solved_for<'s>(
    kept: &'s mut Option<Solved<GameValue>>,
    game: &RuleGame<'_>,
) -> &'s mut Solved<GameValue> {
    if kept.as_ref().is_some_and(|solved| !solved.is_for(game)) {
        *kept = None;
    }
    kept.get_or_insert_with(|| Solved::new(game))
}

/// Runs an engine from a state, on what is known of the game.
///
/// # Errors
/// The program is no game, an error in a rule, or an answer that breaks the contract.
pub fn find_game(
    m: &mut Machine,
    w: &mut World,
    task: &GameTask,
    player: Option<&Record>,
    state: &Record,
    observer: Option<&mut GameObserver<'_>>,
) -> Result<GameSolution<Record>, Box<RuleError>> {
    with_game_for(m, w, task, |table| {
        let start = table.position(player, state)?;
        table.search(task, &start, observer)
    })
}
