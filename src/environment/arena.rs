//! Rules with numbered actions, asked about one state after the other.

use crate::actions::{Actions, Key};
use crate::error::{Answered, EnvironmentError};
use crate::observer::{Observer, board_of};
use crate::position::{Mover, Place, Position};
use crate::rules::Rules;
use crate::survey::{Leaves, Survey, SurveyLimits};
use crate::together::Together;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use zug_domain::game::{GameValue, Outlook, OwnGame, RuleGame, Successors, initial_player};
use zug_domain::{
    Contract, DomainKind, OwnPuzzle, Packed, PackedState, RuleError, Violation, instances, no_start,
};
use zug_machine::{Fault, Machine, StopReason};
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_search::Limits;
use zug_search::game::{CHANCE, Game, Player};
use zug_state::{Codec, Word, kind};
use zug_term::Record;

/// Starts that are looked at.
const MOST_STARTS: usize = 10_000;
/// States up to which the positions of rules are kept, where there are no more.
const MOST_KEPT: usize = 1 << 16;

/// What kind of rules there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A game of players in turn.
    Game,
    /// A game in which all choose at once.
    Together,
    /// A puzzle.
    Puzzle,
}

enum Domain {
    Game(Box<OwnGame>),
    Puzzle(Box<OwnPuzzle>),
    Together(Box<Together>),
}

/// Rules, their actions and how their states are written.
pub struct Arena {
    /// The session that has the rules, which belong to the arena alone from now on.
    pub session: Session,
    /// The time that a question may take; `None` for as much as it likes.
    pub patience: Option<Duration>,
    domain: Domain,
    start: Place,
    players: Vec<Record>,
    actions: Arc<Actions>,
    outcomes: Arc<Actions>,
    observer: Result<Arc<Observer>, String>,
    survey: Survey,
    /// The positions of rules that have few.
    kept: Option<FxHashMap<Packed, Arc<Position>>>,
    /// Room for what there is in a state.
    scratch: Scratch,
}

/// Room for what there is in a state, before a position is made of it.
#[derive(Default)]
struct Scratch {
    look: Outlook<Packed>,
    /// The numbers of actions, and the places of their moves.
    order: Vec<(u32, usize)>,
}

impl Arena {
    /// The arena of the rules that a session has loaded, from an instance: by its name, or by its
    /// number from 1 on; without one from the first.
    ///
    /// # Errors
    /// The rules are no environment, or their actions can't be numbered; an error in a rule.
    pub fn new(
        mut session: Session,
        instance: Option<&str>,
        limits: SurveyLimits,
    ) -> Result<Arena, Box<(Session, EnvironmentError)>> {
        match Arena::parts(&mut session, instance, limits) {
            Ok(parts) => Ok(parts.with(session)),
            Err(error) => Err(Box::new((session, error))),
        }
    }

    fn parts(
        session: &mut Session,
        instance: Option<&str>,
        limits: SurveyLimits,
    ) -> Answered<Parts> {
        let contract = Contract::of(&session.machine);
        let kind = contract.kind();
        let is_matrix = contract.together.is_some_and(|parts| parts.is_matrix());
        let start = match kind {
            DomainKind::Simultaneous if is_matrix => None,
            DomainKind::Puzzle | DomainKind::Game | DomainKind::Simultaneous => {
                Some(start_of(session, &contract, instance)?)
            }
            DomainKind::Model | DomainKind::Program => {
                return Err(EnvironmentError::NoEnvironment(
                    "the rules are no game and no puzzle: there is none of move/4, joint_move/3, \
                     payoff/2 and rule/4"
                        .to_owned(),
                ));
            }
        };
        let declared = declared_actions(session, &contract)?;
        match kind {
            DomainKind::Simultaneous => of_together(session, start, declared, limits),
            DomainKind::Puzzle => of_puzzle(session, contract, &start, declared, limits),
            _ => of_game(session, &start, declared, limits),
        }
    }

    /// What kind of rules there are.
    pub fn kind(&self) -> Kind {
        match self.domain {
            Domain::Game(_) => Kind::Game,
            Domain::Puzzle(_) => Kind::Puzzle,
            Domain::Together(_) => Kind::Together,
        }
    }

    /// The players, by number; of a puzzle there is one without a name.
    pub fn players(&self) -> &[Record] {
        &self.players
    }

    /// How many players there are.
    pub fn seats(&self) -> usize {
        self.players.len().max(1)
    }

    /// The actions of players.
    pub fn actions(&self) -> &Arc<Actions> {
        &self.actions
    }

    /// What can come of chance.
    pub fn outcomes(&self) -> &Arc<Actions> {
        &self.outcomes
    }

    /// What was looked at to number actions.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// How states are written as numbers.
    ///
    /// # Errors
    /// They can't be: why.
    pub fn observer(&self) -> Result<&Arc<Observer>, EnvironmentError> {
        self.observer.as_ref().map_err(|why| EnvironmentError::Space(why.clone()))
    }

    /// Where plays begin.
    pub fn start(&self) -> &Place {
        &self.start
    }

    /// Whether an error is that the time was up.
    pub fn is_out_of_time(error: &EnvironmentError) -> bool {
        let EnvironmentError::Rule(error) = error else { return false };
        matches!(error.violation, Violation::Fault(Fault::Stopped(StopReason::Time), _))
    }

    fn limits(&self) -> Limits {
        Limits { time: self.patience, ..Limits::none() }
    }

    /// What there is in a place.
    ///
    /// # Errors
    /// An error in a rule, or a move that has no number.
    pub fn position(&mut self, place: &Place) -> Answered<Arc<Position>> {
        let Place::Packed(state) = place else {
            let limits = self.limits();
            let Domain::Together(together) = &mut self.domain else { return Err(foreign()) };
            let host = (&mut self.session.machine, &mut self.session.world);
            return Ok(Arc::new(together.position(host, place.clone(), &limits)?));
        };
        if let Some(known) = self.kept.as_ref().and_then(|kept| kept.get(state)) {
            return Ok(known.clone());
        }
        let (actions, outcomes) = (self.actions.clone(), self.outcomes.clone());
        let mut scratch = std::mem::take(&mut self.scratch);
        let found = self.with_rules(|rules| {
            position_of(rules, state.clone(), (&actions, &outcomes), &mut scratch)
        })??;
        self.scratch = scratch;
        Ok(self.keep(found))
    }

    /// Keeps a position where there are few.
    fn keep(&mut self, mut found: Position) -> Arc<Position> {
        let (Some(kept), Place::Packed(state)) = (&mut self.kept, &found.place) else {
            return Arc::new(found);
        };
        let state = state.clone();
        found.next.resize_with(found.legal().len(), OnceLock::new);
        let found = Arc::new(found);
        kept.insert(state, found.clone());
        found
    }

    /// The position that an action of who is to move leads to, or an outcome of chance.
    ///
    /// # Errors
    /// It is not legal there; an error in a rule, or a move that has no number.
    pub fn after(&mut self, from: &Position, action: u32) -> Answered<Arc<Position>> {
        if let Some(known) = from.known_after(action) {
            return Ok(known);
        }
        let (Some(at), Place::Packed(state)) = (from.place_of(action), &from.place) else {
            return Err(EnvironmentError::Illegal(match from.mover {
                Mover::Over => "it is over: there is nothing to choose".to_owned(),
                Mover::Together => "all choose at once: apply_actions takes a list".to_owned(),
                _ => format!("action {action} is not legal here"),
            }));
        };
        let (place, mv) = (from.place_among_moves(at), from.number_of(at));
        let reached = match (from.to.get(at), &self.kept) {
            (Some(to), _) => self.position(&Place::Packed(to.clone()))?,
            (None, Some(_)) => {
                let to = self.with_rules(|rules| rules.after_move(state, place, mv))?;
                self.position(&Place::Packed(to))?
            }
            (None, None) => {
                let (actions, outcomes) = (self.actions.clone(), self.outcomes.clone());
                let mut scratch = std::mem::take(&mut self.scratch);
                let found = self.with_rules(|rules| {
                    let to = rules.after_move(state, place, mv)?;
                    position_of(rules, to, (&actions, &outcomes), &mut scratch)
                })??;
                self.scratch = scratch;
                Arc::new(found)
            }
        };
        if let Some(next) = from.next.get(at) {
            let _ = next.set(Arc::downgrade(&reached));
        }
        Ok(reached)
    }

    /// The place that actions lead to, one of each player.
    ///
    /// # Errors
    /// One is not legal; an error in a rule.
    pub fn after_all(&mut self, from: &Position, actions: &[u32]) -> Answered<Place> {
        let limits = self.limits();
        let Domain::Together(together) = &self.domain else { return Err(foreign()) };
        if from.mover != Mover::Together {
            return Err(EnvironmentError::Illegal("it is over: there is nothing to choose".into()));
        }
        let host = (&mut self.session.machine, &mut self.session.world);
        together.next(host, from, actions, &limits)
    }

    /// The state of a place as a term; none in a game that is played once.
    ///
    /// # Errors
    /// The rules can't be asked.
    pub fn state_term(&mut self, place: &Place) -> Answered<Option<Record>> {
        match place {
            Place::Packed(state) => self.with_rules(|rules| Ok(rules.state_term(state))).map(Some),
            Place::Stage(state) => Ok(state.clone()),
            Place::Paid(_) => Ok(None),
        }
    }

    /// Writes a place as numbers.
    ///
    /// # Errors
    /// They can't be written; see [`Arena::observer`].
    pub fn observe(&mut self, at: &Position, out: &mut [f32]) -> Answered<()> {
        let observer = self.observer()?.clone();
        match &at.place {
            Place::Packed(state) => self.with_rules(|rules| {
                let packed = &state.bytes()[rules.before()..];
                Ok(observer.write(rules.codec(), packed, rules.mover(state), out))
            })?,
            Place::Stage(Some(state)) => {
                let Domain::Together(together) = &mut self.domain else { return Err(foreign()) };
                let packed = together.packed(&mut self.session.machine, state)?;
                observer.write(&together.codec, &packed, CHANCE, out)
            }
            Place::Stage(None) | Place::Paid(_) => {
                out.fill(0.0);
                Ok(())
            }
        }
    }

    /// Whether answers of the rules of a game in which all choose at once depend on the state alone.
    pub(crate) fn is_pure(&self) -> bool {
        matches!(&self.domain, Domain::Together(together) if together.is_pure)
    }

    /// A state of a game in which all choose at once, packed.
    pub(crate) fn packed_stage(&mut self, state: &Record) -> Answered<Vec<u8>> {
        match &mut self.domain {
            Domain::Together(together) => together.packed(&mut self.session.machine, state),
            _ => Err(foreign()),
        }
    }

    /// How states of such a game are packed.
    pub(crate) fn stage_codec(&self) -> Option<&Codec> {
        match &self.domain {
            Domain::Together(together) => Some(&together.codec),
            _ => None,
        }
    }

    /// Asks rules whose states are packed.
    pub(crate) fn with_rules<T>(
        &mut self,
        run: impl FnOnce(&mut dyn Rules<Packed>) -> Result<T, Box<RuleError>>,
    ) -> Answered<T> {
        let limits = self.limits();
        let (m, w) = (&mut self.session.machine, &mut self.session.world);
        Ok(match &mut self.domain {
            Domain::Game(game) => game.with(m, w, &limits, |table| run(&mut table.game))?,
            Domain::Puzzle(puzzle) => puzzle.with(m, w, &limits, |problem| run(problem))?,
            Domain::Together(_) => return Err(foreign()),
        })
    }

    /// Asks the rules of a game about states of another kind.
    pub(crate) fn with_game<S: PackedState, T>(
        &mut self,
        run: impl FnOnce(&mut RuleGame<'_, S, GameValue>) -> Result<T, Box<RuleError>>,
    ) -> Answered<T> {
        let limits = self.limits();
        let (m, w) = (&mut self.session.machine, &mut self.session.world);
        match &mut self.domain {
            Domain::Game(game) => {
                Ok(game.with(m, w, &limits, |table| run(&mut table.stepping::<S>()))?)
            }
            _ => Err(foreign()),
        }
    }
}

/// What an arena is made of, but for its session.
struct Parts {
    domain: Domain,
    start: Place,
    players: Vec<Record>,
    actions: Actions,
    outcomes: Actions,
    observer: Result<Observer, String>,
    survey: Survey,
}

impl Parts {
    fn with(self, session: Session) -> Arena {
        let Parts { domain, start, players, actions, outcomes, observer, survey } = self;
        let has_few = survey.is_complete && survey.states <= MOST_KEPT;
        let kept = has_few.then(FxHashMap::default);
        let patience = None;
        Arena {
            session,
            patience,
            domain,
            start,
            players,
            actions: Arc::new(actions),
            outcomes: Arc::new(outcomes),
            observer: observer.map(Arc::new),
            survey,
            kept,
            scratch: Scratch::default(),
        }
    }
}

fn of_game(
    session: &mut Session,
    start: &Option<Record>,
    declared: Option<Vec<Record>>,
    limits: SurveyLimits,
) -> Answered<Parts> {
    let start = start.as_ref().ok_or_else(foreign)?;
    let (m, w) = (&mut session.machine, &mut session.world);
    let first = initial_player(m, w)?;
    let mut game = Box::new(OwnGame::new(m, w)?);
    let looked = game.with(m, w, &Limits::none(), |table| {
        let packed = table.position(first.as_ref(), start)?;
        let survey =
            Survey::of(&mut table.game, std::slice::from_ref(&packed), limits, declared.is_some());
        let survey = match survey {
            Err(EnvironmentError::Rule(error)) => return Err(error),
            survey => survey,
        };
        let named = survey.and_then(|survey| named_moves(&mut table.game, survey, declared));
        let seats = 0..table.game.players() as Player;
        let players: Vec<Record> = seats.map(|seat| table.game.player_term(seat)).collect();
        Ok((packed, named, players))
    });
    let (packed, named, players) = looked?;
    parts(session, Domain::Game(game), (packed, start), named?, players)
}

fn of_puzzle(
    session: &mut Session,
    contract: Contract,
    start: &Option<Record>,
    declared: Option<Vec<Record>>,
    limits: SurveyLimits,
) -> Answered<Parts> {
    let start = start.as_ref().ok_or_else(foreign)?;
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut puzzle = Box::new(OwnPuzzle::new(contract));
    let looked = puzzle.with(m, w, &Limits::none(), |problem| {
        let packed = problem.pack(start)?;
        let survey = Survey::of(problem, std::slice::from_ref(&packed), limits, declared.is_some());
        let survey = match survey {
            Err(EnvironmentError::Rule(error)) => return Err(error),
            survey => survey,
        };
        Ok((packed, survey.and_then(|survey| named_moves(problem, survey, declared))))
    });
    let (packed, named) = looked?;
    parts(session, Domain::Puzzle(puzzle), (packed, start), named?, Vec::new())
}

fn of_together(
    session: &mut Session,
    start: Option<Record>,
    declared: Option<Vec<Record>>,
    limits: SurveyLimits,
) -> Answered<Parts> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut together = Box::new(Together::new(m, w, &Limits::none())?);
    let place = Place::Stage(start.clone());
    let mut leaves = Leaves::default();
    let (is_complete, states) = together.survey((m, w), &place, limits, &mut leaves)?;
    let actions = together.fix(m, declared)?;
    let board = start.as_ref().and_then(|start| board(m, start));
    let observer = {
        let constant = |word| constant_name(session, &together.codec, word);
        Observer::new((&leaves, is_complete), &[], board.unwrap_or_default(), constant)
    };
    Ok(Parts {
        players: together.players.clone(),
        domain: Domain::Together(together),
        start: place,
        actions,
        outcomes: Actions::default(),
        observer: observer.map_err(|error| error.to_string()),
        survey: Survey { is_complete, states, ..Survey::default() },
    })
}

/// A survey with the names of the moves that it met, and of those that are declared.
struct NamedMoves {
    survey: Survey,
    moves: Vec<(Key, Record)>,
    outcomes: Vec<(Key, Record)>,
    is_declared: bool,
    codec: Codec,
}

fn named_moves(
    rules: &mut dyn Rules<Packed>,
    survey: Survey,
    declared: Option<Vec<Record>>,
) -> Answered<NamedMoves> {
    let mut named = |keys: &[Key]| -> Vec<(Key, Record)> {
        keys.iter().map(|&key| (key, rules.move_term(key.0))).collect()
    };
    let (met, outcomes) = (named(&survey.moves), named(&survey.outcomes));
    let is_declared = declared.is_some();
    let moves = match declared {
        None => met,
        Some(names) => {
            let keyed = names.into_iter().map(|name| Ok(((rules.move_number(&name)?, 0), name)));
            keyed.collect::<Answered<Vec<_>>>()?
        }
    };
    let codec = rules.codec().clone();
    Ok(NamedMoves { survey, moves, outcomes, is_declared, codec })
}

fn parts(
    session: &mut Session,
    domain: Domain,
    (start, start_term): (Packed, &Record),
    named: NamedMoves,
    players: Vec<Record>,
) -> Answered<Parts> {
    let NamedMoves { survey, moves, outcomes, is_declared, codec } = named;
    let m = &mut session.machine;
    let actions = match is_declared {
        true => Actions::listed(moves)?,
        false => Actions::sorted(m, moves)?,
    };
    let outcomes = Actions::sorted(m, outcomes)?;
    let board = board(m, start_term).unwrap_or_default();
    let (m, w) = (&session.machine, &session.world);
    let names: Vec<String> = players.iter().map(|player| term_text(m, w, player)).collect();
    let constant = |word| constant_name(session, &codec, word);
    let seen = (&survey.leaves, survey.is_complete);
    let observer = Observer::new(seen, &names, board, constant);
    Ok(Parts {
        domain,
        start: Place::Packed(start),
        players,
        actions: actions.declared(is_declared),
        outcomes,
        observer: observer.map_err(|error| error.to_string()),
        survey,
    })
}

/// What a constant, or what is unbound, is called.
fn constant_name(session: &Session, codec: &Codec, word: Word) -> String {
    if word.kind() == kind::VAR {
        return "_".to_owned();
    }
    term_text(&session.machine, &session.world, &Record::atomic(codec.word_cell(word)))
}

fn board(m: &mut Machine, start: &Record) -> Option<Vec<usize>> {
    m.scratch(|m| {
        let cell = start.instantiate(&mut m.heap);
        board_of(&m.heap, cell).filter(|lengths| !lengths.is_empty())
    })
}

/// The start with a name, or a number from 1 on; the first without either.
fn start_of(session: &mut Session, contract: &Contract, wanted: Option<&str>) -> Answered<Record> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = instances(m, w, contract, MOST_STARTS)?;
    let Some(wanted) = wanted else {
        let first = found.into_iter().next();
        return Ok(first.ok_or_else(|| no_start(m, contract))?.state);
    };
    let named = |text: &str| text == wanted || text.trim_matches('\'') == wanted;
    let by_name = found
        .iter()
        .position(|start| start.name.as_ref().is_some_and(|name| named(&term_text(m, w, name))));
    let by_number = || wanted.parse::<usize>().ok()?.checked_sub(1);
    let at = by_name.or_else(by_number).filter(|&at| at < found.len());
    let names = || {
        let names = found.iter().filter_map(|start| Some(term_text(m, w, start.name.as_ref()?)));
        names.collect::<Vec<_>>().join(", ")
    };
    match at {
        Some(at) => Ok(found[at].state.clone()),
        None => Err(EnvironmentError::NoEnvironment(format!(
            "there is no instance `{wanted}`; there are {}, named: {}",
            found.len(),
            names()
        ))),
    }
}

/// The moves that the rules declare by `actions/1`.
fn declared_actions(session: &mut Session, contract: &Contract) -> Answered<Option<Vec<Record>>> {
    let Some(pred) = contract.actions else { return Ok(None) };
    let listed = session.machine.ask(&mut session.world, |ask| {
        let [list] = ask.outputs();
        if !matches!(ask.call(pred, &[list]), Ok(true)) {
            return None;
        }
        let [list] = ask.rooted();
        let heap = &mut ask.machine.heap;
        let items = heap.proper_list(list)?;
        Some(items.into_iter().map(|item| Record::new(heap, item)).collect::<Vec<_>>())
    });
    match listed {
        Some(listed) if !listed.is_empty() => Ok(Some(listed)),
        _ => Err(EnvironmentError::Space(
            "actions/1 answers no list of moves: actions(L) says which moves there are".to_owned(),
        )),
    }
}

/// What there is in a state, with the numbers of actions and of outcomes.
// PERF: what states of Python are made of, one after the other: it has what it needs at hand.
fn position_of(
    rules: &mut dyn Rules<Packed>,
    state: Packed,
    (actions, outcomes): (&Actions, &Actions),
    scratch: &mut Scratch,
) -> Result<Answered<Position>, Box<RuleError>> {
    let Scratch { look, order } = scratch;
    rules.outlook(&state, Successors::Named, look)?;
    let mover = match rules.mover(&state) {
        _ if look.is_over => Mover::Over,
        CHANCE => Mover::Chance,
        seat => Mover::Seat(seat),
    };
    if look.is_over {
        let returns = rules.returns(&state)?;
        let mut position = Position::at(Place::Packed(state), mover);
        (position.is_goal, position.returns) = (look.is_goal, returns);
        return Ok(Ok(position));
    }
    let numbering = if mover == Mover::Chance { outcomes } else { actions };
    order.clear();
    let put = |number| order.push((number, order.len()));
    if let Err(at) = numbering.of_all(&look.names, put) {
        return Ok(Err(no_number(rules, look.names[at], numbering)));
    }
    let mut position = Position::at(Place::Packed(state), mover);
    position.is_goal = look.is_goal;
    if !order.is_sorted() {
        order.sort_unstable();
        position.order = order.iter().map(|&(_, at)| at as u32).collect();
    }
    position.legal.push(order.iter().map(|&(number, _)| number).collect());
    let picked = |from: &[f64]| -> Vec<f64> {
        order.iter().filter_map(|&(_, at)| from.get(at).copied()).collect()
    };
    (position.costs, position.chances) = (picked(&look.costs), picked(&look.chances));
    if look.numbers.len() == order.len() {
        position.numbers = order.iter().map(|&(_, at)| look.numbers[at]).collect();
        position.numbering = look.numbering;
    }
    position.to = order.iter().filter_map(|&(_, at)| look.to.get(at).cloned()).collect();
    Ok(Ok(position))
}

/// The error that a move has no number.
#[cold]
pub(crate) fn no_number<S>(
    rules: &mut dyn Rules<S>,
    mv: zug_search::StateId,
    actions: &Actions,
) -> EnvironmentError {
    EnvironmentError::Unnumbered { name: rules.move_term(mv), is_declared: actions.is_declared }
}

#[cold]
fn foreign() -> EnvironmentError {
    EnvironmentError::NoEnvironment("the state belongs to rules of another kind".to_owned())
}
