//! The contract of games: which engines apply, what is missing, and whether the rules, and a
//! symmetry they declare, hold in the first states.

use super::domain::{COUNTED, EngineFit, TRIED, Trial, finding};
use super::guesses::{elsewhere, holds};
use super::states::{self, StateSample};
use super::trial::Allowance;
use super::{at_predicate, define, lacks};
use rustc_hash::FxHashSet;
use zug_domain::game::{
    GameValue, Roles, Table, UtilityKind, UtilitySurvey, initial_player, with_game,
};
use zug_domain::{
    Contract, Packed, RuleError, Violation, canonical_text, ends_text, instances, purity,
    short_text,
};
use zug_explain::{head_args, head_place, resolve};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_prolog::session::Session;
use zug_prolog::{term_text, user_predicate};
use zug_random::Random;
use zug_search::game::{CHANCE, Game, PlayersAllowed, Value, game_engines};
use zug_search::{Limits, StateId};
use zug_term::Record;
use zug_term::diagnostic::{Diagnostic, Severity};

/// States that are looked at.
const STATES: usize = 500;

/// The players of a game.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    pub players: usize,
    /// Chance moves too.
    pub chance: bool,
    /// What two players play for.
    pub utilities: Option<UtilitySurvey>,
}

impl Default for Seats {
    fn default() -> Seats {
        Seats { players: 2, chance: false, utilities: None }
    }
}

/// States that are looked at to see what players play for; fewer where rules take long.
const SURVEYED: [usize; 2] = [300, 40];
/// Inferences for that, and after which no more states of an instance are looked at.
const ENOUGH: u64 = 500_000;

fn lacking(m: &Machine, roles: &Roles, contract: &Contract) -> Vec<(&'static str, &'static str)> {
    roles.lacking(m, contract.initial.is_some() || contract.named_initial.is_some())
}

pub(super) fn engines_for(
    m: &Machine,
    roles: &Roles,
    contract: &Contract,
    seats: &Seats,
) -> Vec<EngineFit> {
    let base: Vec<&'static str> =
        lacking(m, roles, contract).into_iter().map(|(pattern, _)| pattern).collect();
    let fit = game_engines().map(|info| {
        let mut missing = base.clone();
        if !info.players.allows(seats.players) {
            missing.push(info.players.words());
        }
        let kind = seats.utilities.as_ref().map(|utilities| utilities.kind);
        if kind == Some(UtilityKind::GeneralSum) && info.players != PlayersAllowed::Any {
            missing.push("a game where what one player wins the other loses");
        }
        if seats.chance && !info.chance {
            missing.push("a game without chance");
        }
        EngineFit { engine: info.name, missing }
    });
    fit.collect()
}

pub(super) fn incomplete(
    m: &Machine,
    w: &World,
    contract: &Contract,
    roles: &Roles,
) -> Vec<Diagnostic> {
    lacks((m, w, Some(roles.moves.pred)), "game", lacking(m, roles, contract), define)
}

/// What the rules leave open of the end of the game, and how engines read that.
pub(super) fn left_open(m: &Machine, w: &World, roles: &Roles) -> Option<Diagnostic> {
    if roles.terminal.is_some() || !roles.moves.with_player {
        return None;
    }
    let message = match roles.is_normal_play() {
        true => "this game has no `terminal` and no `utility`: a player who cannot move has lost",
        false => "this game has no `terminal`: it is over where there is no move",
    };
    let finding = Diagnostic::new(Severity::Note, "N0606", message)
        .hint("if it ends otherwise, define `terminal(J, S)`");
    Some(at_predicate(m, w, roles.moves.pred, finding))
}

/// Plays the first states of each instance; who moves.
pub(super) fn try_out(session: &mut Session, contract: &Contract) -> (Trial, Seats) {
    let mut trial = Trial::default();
    let mut seats = Seats::default();
    if contract.initial.is_none() && contract.named_initial.is_none() {
        return (trial, seats);
    }
    let (m, w) = (&mut session.machine, &mut session.world);
    let allowance = Allowance::new(m, w);
    let found = {
        let _work = allowance.question(m);
        instances(m, w, contract, COUNTED)
    };
    match found {
        Err(error) => trial.findings.push(finding(session, &error)),
        Ok(found) => {
            trial.name(session, contract, &found);
            for instance in found.iter().take(TRIED) {
                match first_states(session, &instance.state, &allowance) {
                    Ok((findings, met)) => {
                        seats = met;
                        trial.findings.extend(findings);
                    }
                    Err(error) => {
                        trial.findings.push(finding(session, &error));
                        break;
                    }
                }
            }
        }
    }
    allowance.end(&mut session.machine);
    (trial, seats)
}

/// Looks at the states nearest to a start; what is odd about them, and how many players
/// there are.
fn first_states(
    session: &mut Session,
    start: &Record,
    allowance: &Allowance,
) -> Result<(Vec<Diagnostic>, Seats), Box<RuleError>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let Some(roles) = Roles::of(m) else {
        return Ok((Vec::new(), Seats::default()));
    };
    let player = {
        let _work = allowance.question(m);
        initial_player(m, w)?
    };
    let mut met = GameSample::default();
    let walked = with_game(m, w, &Limits::none(), |table| {
        let start = table.position(player.as_ref(), start)?;
        {
            // The walk asks for the utilities that engines ask for.
            let _work = allowance.work(table.game.machine().0, ENOUGH);
            let _ = table.weigh();
        }
        let oddity = walk(table, &roles, start, &mut met, allowance);
        let (players, chance) = (table.game.players(), table.game.has_chance());
        let utilities = SURVEYED.iter().find_map(|&states| {
            let _work = allowance.work(table.game.machine().0, ENOUGH);
            table.survey_utilities(Some(states)).ok()
        });
        let utilities = utilities.flatten();
        Ok((oddity, Seats { players, chance, utilities }))
    });
    allowance.end(&mut session.machine);
    let (m, w) = (&session.machine, &session.world);
    let rules = purity::reached(m, roles.moves.pred);
    let arithmetic = super::domain::uncomputed(session, roles.moves.pred, &met.seen);
    if let Some(finding) = arithmetic {
        return Ok((vec![finding], walked.map(|(_, seats)| seats).unwrap_or_default()));
    }
    let (oddity, seats) = walked?;
    let oddity = match oddity {
        Err(error) if matches!(error.violation, Violation::NoMoves) => {
            let terminal = roles.terminal.filter(|terminal| {
                let last = m.program.preds[terminal.pred as usize].arity - 1;
                states::never_fits(m, &met.seen, (terminal.pred, last), &rules)
            });
            let mut found = error.diagnostic(m, w);
            let Some(terminal) = terminal else {
                let Some(hint) = misplaced(session, &roles, start, allowance) else {
                    return Err(error);
                };
                let (m, w) = (&session.machine, &session.world);
                return Ok((vec![at_predicate(m, w, roles.moves.pred, found.hint(hint))], seats));
            };
            found.primary = None;
            let found = found.hint(
                "no state is of the shape that terminal asks for: write it there as \
                 initial_state and the moves do",
            );
            return Ok((vec![at_predicate(m, w, terminal.pred, found)], seats));
        }
        oddity => oddity?,
    };
    let findings = oddity.map(|(state, what)| {
        let state = term_text(m, w, &state);
        let message = format!("symmetry/2 changes {what}, in state {state}");
        let finding = Diagnostic::warning("W0508", message)
            .hint("engines take symmetrical states for one; a wrong symmetry makes them wrong");
        at_predicate(m, w, roles.symmetry, finding)
    });
    let mut findings: Vec<Diagnostic> = findings.into_iter().collect();
    if met.over {
        let hint = states::text_as_state(start)
            .or_else(|| misplaced(session, &roles, start, allowance))
            .or_else(|| swapped_terminal(session, &roles, start, allowance))
            .unwrap_or_else(|| {
                "terminal succeeds in the initial state: is its condition too weak?".to_owned()
            });
        let (m, w) = (&session.machine, &session.world);
        let finding = Diagnostic::warning("W0521", "the game is over where it starts").hint(hint);
        let terminal = roles.terminal.map(|terminal| terminal.pred);
        findings.push(at_predicate(m, w, terminal, finding));
    }
    findings.extend(ambiguous(session, &roles, &met, allowance));
    let is_swapped = !met.has_worth && swapped_utility(session, &roles, &met, allowance);
    let (m, w) = (&session.machine, &session.world);
    let for_two = seats.utilities.as_ref();
    findings.extend(for_two.and_then(|utilities| told_apart(m, w, &roles, utilities)));
    if for_two.is_some_and(|utilities| utilities.kind != UtilityKind::GeneralSum) {
        findings.extend(worthless(m, w, &roles, &met, is_swapped));
    }
    findings.extend(endless(m, w, &roles, &met));
    findings.extend(own_opponent(m, w));
    Ok((findings, seats))
}

/// The finding about a player who moves after himself.
fn own_opponent(m: &Machine, w: &World) -> Option<Diagnostic> {
    let pred = user_predicate(m, "opponent", 2)?;
    let clauses = m.program.live_clauses(pred);
    // A single player may play alone.
    clauses.iter().copied().filter(|_| clauses.len() > 1).find_map(|id| {
        let clause = &m.program.clauses[id as usize];
        let args = head_args(clause);
        let [a, b] = [0, 1].map(|at| resolve(&clause.record.cells, args[at]));
        let name = m.symbols.name(a.as_atom().filter(|_| a == b)?);
        let (source, span) = head_place(m, w, id)?;
        let message = format!("`{name}` moves after `{name}`: no other player has a turn");
        let finding = Diagnostic::warning("W0535", message).at(&source, span, "");
        Some(finding.hint("opponent/2 says who moves next: `opponent(a, b). opponent(b, a).`"))
    })
}

/// The finding about a game whose terminal states all have utility 0.
fn worthless(
    m: &Machine,
    w: &World,
    roles: &Roles,
    met: &GameSample,
    is_swapped: bool,
) -> Option<Diagnostic> {
    let utility = roles.utility?;
    let counts = (is_swapped || met.whole) && !met.over && !met.has_worth;
    let (_, end) = met.ended.first().filter(|_| counts)?;
    let message = format!(
        "all {} terminal states that were met have utility 0, as {}: no player can win",
        met.ends,
        short_text(m, w, end)
    );
    let hint = match m.program.preds[utility.pred as usize].arity {
        2 => "engines ask `utility(S, U)`: the state, and its utility for the player to move",
        _ => {
            "engines ask `utility(J, S, U)`: the player, the state, and its utility for the player"
        }
    };
    Some(at_predicate(m, w, utility.pred, Diagnostic::warning("W0531", message).hint(hint)))
}

/// Whether utility/3 takes the state first: then it has a value other than 0.
fn swapped_utility(
    session: &mut Session,
    roles: &Roles,
    met: &GameSample,
    allowance: &Allowance,
) -> bool {
    let Some(utility) = roles.utility else { return false };
    if session.machine.program.preds[utility.pred as usize].arity != 3 {
        return false;
    }
    met.ended.iter().any(|(player, state)| {
        let (m, w) = (&session.machine, &session.world);
        let [player, state] = [player, state].map(|term| canonical_text(m, w, term));
        let goal = format!("utility({state}, {player}, U), number(U), U =\\= 0");
        allowance.ask(session, |session| holds(session, &goal))
    })
}

/// The finding about a utility with several answers for a terminal state.
fn ambiguous(
    session: &mut Session,
    roles: &Roles,
    met: &GameSample,
    allowance: &Allowance,
) -> Option<Diagnostic> {
    let utility = roles.utility?;
    let arity = session.machine.program.preds[utility.pred as usize].arity;
    let (all, player, state) = met.ended.iter().find_map(|(player, state)| {
        let (m, w) = (&session.machine, &session.world);
        let [mover, text] = [player, state].map(|term| canonical_text(m, w, term));
        let goal = if arity == 2 {
            format!("utility({text}, U)")
        } else {
            format!("utility({mover}, {text}, U)")
        };
        let all = allowance.ask(session, |session| {
            let goal = format!("findall(U, {goal}, All), sort(All, Us), Us = [_,_|_]");
            let mut query = session.query(&goal).ok()?;
            let has_several = matches!(session.next(&mut query), Ok(true));
            let found = session.bindings(&query).find(|(name, _)| has_several && *name == "All");
            let found = found.map(|(_, cell)| cell);
            let values = found.map(|cell| Record::new(&mut session.machine.heap, cell));
            session.close(query);
            values
        })?;
        Some((all, player, state))
    })?;
    let (m, w) = (&session.machine, &session.world);
    let message = format!(
        "utility/{arity} has several answers for {} in {}: {}, of which engines take the first",
        short_text(m, w, player),
        short_text(m, w, state),
        short_text(m, w, &all),
    );
    let finding = Diagnostic::warning("W0532", message)
        .hint("put the general clause last, and a cut (`!`) behind the conditions of those before");
    Some(at_predicate(m, w, utility.pred, finding))
}

/// The finding about a playout that does not end and in which numbers grow.
fn endless(m: &Machine, w: &World, roles: &Roles, met: &GameSample) -> Option<Diagnostic> {
    let far = met.far.as_ref()?;
    let (start, _) = met.seen.states.first()?;
    if !states::has_grown(start, far) {
        return None;
    }
    let message = format!(
        "numbers grow in a play that does not end: {} moves lead to {}",
        LONGEST,
        short_text(m, w, far)
    );
    let finding = Diagnostic::new(Severity::Note, "N0607", message).hint(
        "is a test missing in the moves, or does terminal ask for a number that plays jump over?",
    );
    Some(at_predicate(m, w, roles.moves.pred, finding))
}

/// What to change if terminal/2 looks at its first argument as the state.
fn swapped_terminal(
    session: &mut Session,
    roles: &Roles,
    start: &Record,
    allowance: &Allowance,
) -> Option<String> {
    let terminal = roles.terminal?;
    if session.machine.program.preds[terminal.pred as usize].arity != 2 {
        return None;
    }
    let text = canonical_text(&session.machine, &session.world, start);
    let swapped = allowance.ask(session, |session| {
        holds(session, "terminal('$somebody', '$something')")
            && !holds(session, &format!("terminal({text}, '$somebody')"))
    });
    swapped.then(|| {
        "terminal/2 takes no account of its second argument: engines ask `terminal(J, S)`, the state second"
            .to_owned()
    })
}

/// What to change if the moves take the state of a start as another argument than engines give it.
fn misplaced(
    session: &mut Session,
    roles: &Roles,
    start: &Record,
    allowance: &Allowance,
) -> Option<String> {
    let (arity, right, pattern, word) = match roles.moves.with_player {
        true => (4, 2, "move(J, M, S1, S2)", "third"),
        false => (3, 1, "move(M, S1, S2)", "second"),
    };
    let place =
        allowance.ask(session, |session| elsewhere(session, ("move", arity), right, start))?;
    Some(format!(
        "move/{arity} has an answer with the state as its {place} argument: engines ask `{pattern}`, the state \
         before the move {word}"
    ))
}

/// What was met on the way.
#[derive(Default)]
struct GameSample {
    seen: StateSample,
    /// The start is over.
    over: bool,
    /// Terminal states that were met.
    ends: usize,
    /// The player to move and the state, of the first [`KEPT`].
    ended: Vec<(Record, Record)>,
    /// One has a utility other than 0 for the player to move.
    has_worth: bool,
    whole: bool,
    /// A state far from the start, if a play did not end.
    far: Option<Record>,
}

impl GameSample {
    /// Notes what a state is, if it is an end.
    fn see(&mut self, table: &mut Table<'_>, state: &Packed, seen: &StateFacts) {
        let Some(worth) = seen.utility else { return };
        self.ends += 1;
        if self.ended.len() < KEPT {
            let player = table.game.valued_for(state);
            self.ended.push((table.game.player_term(player), table.game.state_term(state)));
        }
        self.has_worth |= worth.as_f64() != 0.0;
    }
}

/// Random playouts, which meet terminal states far from the start, and the moves of the longest.
const PLAYS: u64 = 20;
const LONGEST: usize = 200;
/// Terminal states that are kept to ask more about them.
const KEPT: usize = 4;

/// Plays at random from the start, as far as inferences last.
fn play_on(
    table: &mut Table<'_>,
    start: &Packed,
    sample: &mut GameSample,
    allowance: &Allowance,
) -> Result<(), Box<RuleError>> {
    let began = table.game.machine().0.inferences();
    for play in 0..PLAYS {
        let mut random = Random::nth(1, play);
        let mut state = start.clone();
        for made in 0..=LONGEST {
            if table.game.machine().0.inferences() - began > ENOUGH {
                return Ok(());
            }
            let _work = allowance.question(table.game.machine().0);
            let mut seen = look(table, &state)?;
            sample.see(table, &state, &seen);
            if seen.moves.is_empty() {
                break;
            }
            if made == LONGEST {
                sample.far = Some(table.game.state_term(&state));
                break;
            }
            let at = random.below(seen.moves.len() as u64) as usize;
            state = seen.moves.swap_remove(at).1;
        }
    }
    Ok(())
}

/// What is to be said of utilities that do not add up to the same at all ends.
fn told_apart(
    m: &Machine,
    w: &World,
    roles: &Roles,
    utilities: &UtilitySurvey,
) -> Option<Diagnostic> {
    if utilities.kind != UtilityKind::GeneralSum {
        return None;
    }
    let ends = ends_text(m, w, &utilities.witnesses);
    let message = format!(
        "the game is general-sum: what one player wins is not what the other loses: {ends}"
    );
    let finding = Diagnostic::new(Severity::Note, "N0604", message).hint(
        "if one player's win is the other's loss, give the other one the negative: `utility(o, S, -1)` where x has 1; \
         `solve_game` and `maxn` take each player for itself",
    );
    Some(at_predicate(m, w, roles.utility.map(|utility| utility.pred), finding))
}

/// Asks the game everything about the states nearest to the start: the first at which a symmetry changes what it must
/// preserve, and what it changes.
fn walk(
    table: &mut Table<'_>,
    roles: &Roles,
    start: Packed,
    sample: &mut GameSample,
    allowance: &Allowance,
) -> Result<Option<(Record, &'static str)>, Box<RuleError>> {
    let began = table.game.machine().0.inferences();
    let term = table.game.state_term(&start);
    sample.seen.states.push((term, None));
    let first = start.clone();
    let mut states = vec![start];
    let mut met: FxHashSet<Packed> = states.iter().cloned().collect();
    let mut next = 0;
    while let Some(state) = states.get(next).cloned()
        && table.game.machine().0.inferences() - began < ENOUGH
    {
        next += 1;
        let _work = allowance.question(table.game.machine().0);
        let seen = look(table, &state)?;
        sample.over |= seen.over && next == 1;
        sample.see(table, &state, &seen);
        if let Some(symmetry) = roles.symmetry
            && let Some(what) = broken(table, symmetry, &state, &seen)?
        {
            return Ok(Some((table.game.state_term(&state), what)));
        }
        for (_, to) in seen.moves {
            if met.len() < STATES && met.insert(to.clone()) {
                let term = table.game.state_term(&to);
                sample.seen.states.push((term, Some(next - 1)));
                states.push(to);
            }
        }
    }
    sample.whole = next == states.len() && states.len() < STATES;
    if !sample.whole {
        play_on(table, &first, sample, allowance)?;
    }
    Ok(None)
}

/// What the game says of a state.
struct StateFacts {
    over: bool,
    moves: Vec<(StateId, Packed)>,
    utility: Option<GameValue>,
    estimate: Option<GameValue>,
}

fn look(table: &mut Table<'_>, state: &Packed) -> Result<StateFacts, Box<RuleError>> {
    let game = &mut table.game;
    let player = game.valued_for(state);
    let over = game.is_over(state)?;
    let mut moves = Vec::new();
    if !over {
        game.moves(state, &mut moves)?;
        if game.player(state) == CHANCE {
            let names: Vec<StateId> = moves.iter().map(|&(mv, _)| mv).collect();
            game.probabilities(state, &names)?;
        }
    }
    let utility = if over { Some(game.utility(state, player)?) } else { None };
    let estimate = if game.has_heuristic() { Some(game.heuristic(state, player)?) } else { None };
    Ok(StateFacts { over, moves, utility, estimate })
}

/// What a symmetry changes, if it does.
fn broken(
    table: &mut Table<'_>,
    symmetry: PredId,
    state: &Packed,
    seen: &StateFacts,
) -> Result<Option<&'static str>, Box<RuleError>> {
    let player = table.game.player(state);
    for image in table.game.images(symmetry, player, state)? {
        let there = look(table, &image)?;
        let differ = |a: Option<GameValue>, b: Option<GameValue>| match (a, b) {
            (Some(a), Some(b)) => (a.as_f64() - b.as_f64()).abs() > 1e-9,
            _ => false,
        };
        let what = if seen.over != there.over {
            "whether the game is over"
        } else if differ(seen.utility, there.utility) {
            "the utility"
        } else if differ(seen.estimate, there.estimate) {
            "the heuristic"
        } else if classes(table, &seen.moves)? != classes(table, &there.moves)? {
            "where the moves lead"
        } else {
            continue;
        };
        return Ok(Some(what));
    }
    Ok(None)
}

/// The classes that moves lead to, in an order of their own.
fn classes(
    table: &mut Table<'_>,
    moves: &[(StateId, Packed)],
) -> Result<Vec<Vec<u8>>, Box<RuleError>> {
    let mut classes = Vec::new();
    for (_, to) in moves {
        classes.push(table.game.canonical(to)?.bytes().to_vec());
    }
    classes.sort();
    // Symmetrical moves of a symmetrical state lead to the same class more than once.
    classes.dedup();
    Ok(classes)
}
