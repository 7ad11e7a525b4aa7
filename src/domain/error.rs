//! What goes wrong when rules are searched: exceptions in them, and answers that break the
//! contract. Every error names the predicate, the state and, where it can be told, the clause.

use super::Number;
use super::game::End;
use super::purity::goals;
use super::simultaneous::Breach;
use crate::contract::indicator;
use zug_explain::{called_at, calls_of, table_hint, unknown_procedure};
use zug_machine::{ClauseId, Fault, Machine, PredId, Trace};
use zug_prolog::builtins::{World, messages, suggest};
use zug_prolog::user_predicate;
use zug_report::{StopReason, StoppedIn};
use zug_search::game::{Expected, PlayersAllowed, game_engines};
use zug_search::{Failure, Operation, SearchError, engines};
use zug_state::Uncounted;
use zug_syntax::printer::{WriteOptions, beginning, write_term};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// What a rule did wrong.
#[derive(Clone, Debug)]
pub enum Violation {
    /// An exception, `halt`, or a stop, with the chain of calls.
    Fault(Fault, Box<Trace>),
    /// A cost or estimate has no value.
    Unbound,
    /// A cost or estimate is no number.
    NotNumber(Record),
    /// A cost or estimate is less than zero.
    Negative(Number),
    /// The cost of a move is infinite.
    Infinite,
    /// A move leads to an unbound variable.
    NoSuccessor,
    /// A state contains itself.
    Cyclic,
    /// A state is too large to be kept.
    TooLarge,
    /// A state has variables that goals wait for, or other attributed variables.
    Attributed,
    /// One state has more moves than can be kept.
    TooManyMoves(usize),
    /// The heuristic has no answer.
    NoEstimate,
    /// A contract predicate that is needed is not there.
    Missing(&'static str),
    /// No initial state is given: its predicates have clauses, and no answer.
    NoStart,
    /// No heuristic can be derived from the rules, and why.
    NotDerived(String),
    /// Symmetries can't be derived from the rules, for this reason.
    NoSymmetries(String),
    /// States can't be counted by decision diagrams, for this reason.
    NoDiagrams(String),
    /// There is no heuristic of this name.
    NoSuchHeuristic(Record),
    /// A plan did not hold when its moves were made again, from this step on.
    Replay(usize),
    /// A game goes on, and there is no move.
    NoMoves,
    /// Nobody moves after a player.
    NoOpponent,
    /// The players that move one after the other never come back to the first.
    NoReturn,
    /// A state doesn't say who is to move.
    NoPlayer,
    /// An estimate or a utility has no answer.
    NoWorth,
    /// It is another player's turn.
    NotTurn(Record),
    /// A state says that somebody moves who is none of the players.
    ForeignPlayer,
    /// A value is an integer too large to be compared exactly.
    HugeValue,
    /// More states are symmetrical than can be.
    LargeClass(usize),
    /// So many engines run inside each other's rules.
    Nested(u32),
    /// An engine is for another number of players.
    Players(&'static str, usize),
    /// An engine can't play where chance moves.
    Chance(&'static str),
    /// A move of chance has no probability.
    NoProbability,
    /// A probability is not greater than zero.
    NotPositive(Expected),
    /// The probabilities of a state's moves add up to something else than 1.
    NotCertain(Expected),
    /// A value is asked for without a player in a state where chance is to move.
    Impersonal,
    /// A value is beyond the bounds that the rules declare.
    BeyondBounds(Box<[Number; 3]>),
    /// What an end is worth to two players doesn't add up to what others do: the search begins
    /// again.
    Unbalanced(Box<End>),
    /// What one of two players wins is not what the other loses, as these ends show, and the
    /// engine is for games where it is.
    GeneralSum(&'static str, Vec<End>),
    /// The code made from the rules says something else than the machine.
    Differs,
    /// An answer of a game in which all choose at once breaks the contract.
    Together(Breach),
    /// A cost is a float, and costs are counted as integers: the search begins again.
    Fraction,
    /// A cost, or a sum of them, is beyond what costs are counted in: the search begins again.
    Beyond,
    /// A cost or an estimate is an integer too large to be counted at all.
    HugeCost,
    /// These variables of a model have no bounds.
    Unbounded(Vec<String>),
    /// A model is no list of `Name=Variable`.
    NoModel,
    /// An objective has no answer, or is neither `min(E)` nor `max(E)`.
    NoObjective,
    /// An objective has no bounds where all variables of the model's list have values.
    OpenObjective,
    /// Variables that are not in a model's list have no bounds, and constraints on them are left.
    Undecided,
    /// A state needs more bytes than the search has given it: the search begins again.
    Room,
}

/// An error of a rule program under search.
#[derive(Clone, Debug)]
pub struct RuleError {
    /// What happened.
    pub violation: Violation,
    /// The contract predicate that was asked, `rule/4`.
    pub predicate: &'static str,
    /// The state it was asked about.
    pub state: Option<Record>,
    /// The player it was asked about, in a game.
    pub player: Option<Record>,
    /// The move that is at fault.
    pub mv: Option<Record>,
    /// The name of the model it was asked about.
    pub model: Option<Record>,
    /// The clause that is at fault.
    pub clause: Option<ClauseId>,
}

impl From<Box<RuleError>> for Failure {
    fn from(error: Box<RuleError>) -> Self {
        Failure::new(Operation::Rule, error)
    }
}

/// Names of variables in a message.
const NAMED: usize = 5;

/// That variables of a model have no bounds, of one with a name if it has one.
pub fn unbounded(names: &[String], model: Option<&str>) -> String {
    let of = model.map_or_else(|| "the model".to_owned(), |name| format!("the model {name}"));
    let mut text = match names {
        [name] => format!("the variable {name} of {of} has no bounds"),
        _ => {
            let shown = names[..names.len().min(NAMED)].join(", ");
            format!("the variables {shown} of {of} have no bounds")
        }
    };
    if names.len() > NAMED {
        text = text.replacen(
            &format!(" of {of}"),
            &format!(" and {} more of {of}", names.len() - NAMED),
            1,
        );
    }
    text
}

/// What to do about it.
pub fn unbounded_hint(names: &[String]) -> String {
    let name = names.first().map_or("X", |name| name);
    // A name of a model is a constant, and the variable behind it has another name in the text.
    format!("values can't be tried for ever: give the variable of {name} some, as `X in 1..100`")
}

/// Characters of a state in a message.
const LONGEST: usize = 160;

/// What stopped a search that ended with an error: its own time limit, or somebody from outside;
/// `None` if it is an error like others.
pub(super) fn stop_reason(error: &RuleError, timed: bool) -> Option<StopReason> {
    match error.fault() {
        Some(Fault::Stopped(zug_machine::StopReason::Time)) if timed => Some(StopReason::Time),
        Some(Fault::Stopped(zug_machine::StopReason::Interrupted)) => Some(StopReason::Cancelled),
        _ => None,
    }
}

/// The result of an error of a search: stopped by its own time limit or from outside, and, if that
/// was inside a rule, where.
///
/// # Errors
/// Every other error, as it is.
pub(super) fn stopped_in(
    m: &Machine,
    w: &World,
    error: Box<RuleError>,
    timed: bool,
) -> Result<(StopReason, Option<StoppedIn<Record>>), Box<RuleError>> {
    let Some(reason) = stop_reason(&error, timed) else { return Err(error) };
    let RuleError { violation, predicate, state, .. } = *error;
    let at = match &violation {
        Violation::Fault(_, trace) => recurring(m, w, trace),
        _ => None,
    };
    let at =
        at.map(|(source, span, _)| format!("{}:{}", source.name, source.position(span.start).line));
    Ok((reason, state.map(|state| StoppedIn { predicate, state, at })))
}

/// Callers looked at for one that comes again.
const CALLERS: usize = 1000;

/// The call of a clause that calls its own predicate, of the predicate that comes again most often
/// among those that were running; with the predicate's name. Of predicates that call each other
/// the one defined first, whichever was running.
fn recurring(m: &Machine, w: &World, trace: &Trace) -> Option<(Source, Span, String)> {
    let mut counts: Vec<(PredId, usize)> = Vec::new();
    for &(pred, _) in trace.callers.iter().take(CALLERS) {
        match counts.iter_mut().find(|known| known.0 == pred) {
            Some(known) => known.1 += 1,
            None => counts.push((pred, 1)),
        }
    }
    counts.retain(|&(pred, times)| times > 1 && m.program.preds[pred as usize].space.is_users());
    let most = counts.iter().map(|known| known.1).max()?;
    counts.retain(|known| known.1 + 1 >= most);
    counts.sort_unstable();
    let round: Vec<PredId> = counts.iter().map(|known| known.0).collect();
    let calls = |pred: PredId, all: &[PredId]| {
        m.program.live_clauses(pred).into_iter().find_map(|id| {
            let goals = goals::of_clause(m, id);
            let goal = goals.iter().find(|goal| {
                all.iter().any(|&called| {
                    let called = &m.program.preds[called as usize];
                    (goal.name, goal.arity) == (called.name, called.arity)
                })
            })?;
            let (source, span) = called_at(m, w, id, goal.slot, goal.name)?;
            Some((source, span, m.program.indicator(pred, &m.symbols)))
        })
    };
    round.iter().find_map(|&pred| calls(pred, &[pred]).or_else(|| calls(pred, &round)))
}

/// An end and what it is worth to each player.
pub(super) fn end_text(m: &Machine, w: &World, end: &End) -> String {
    let values = end.values.iter();
    let values = values.map(|(player, value)| format!("{} {value}", short_text(m, w, player)));
    let values: Vec<String> = values.collect();
    format!("`{}` is worth {}", short_text(m, w, &end.state), values.join(" and "))
}

/// Ends that don't add up to the same.
pub fn ends_text(m: &Machine, w: &World, ends: &[End]) -> String {
    let ends: Vec<String> = ends.iter().map(|end| end_text(m, w, end)).collect();
    ends.join(", ")
}

/// A record as text, cut off when it is long.
pub fn short_text(m: &Machine, w: &World, record: &Record) -> String {
    let (heap, root) = record.to_heap();
    let options = WriteOptions { quoted: true, numbervars: true, ..WriteOptions::default() };
    let text = beginning(4 * LONGEST, |out| {
        write_term(out, &heap, &m.symbols, &w.operators, root, &options)
    });
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// The predicates by which rules go on, of which a program defines one.
const MOVING: [&str; 7] =
    ["rule/4", "move/4", "move/3", "joint_move/3", "payoff/2", "model/2", "model/1"];

impl RuleError {
    /// What was asked of rules was abandoned at a limit: said of the predicate by which they move.
    pub fn abandoned(m: &Machine, fault: Fault) -> Box<RuleError> {
        let is_defined = |predicate: &&&str| {
            let (name, arity) = predicate.split_once('/').unwrap_or_default();
            let arity = arity.parse().unwrap_or_default();
            zug_prolog::user_predicate(m, name, arity).is_some()
        };
        let asked = MOVING.iter().find(is_defined).unwrap_or(&indicator::RULE);
        RuleError::new(Violation::Fault(fault, Box::new(m.trace.clone())), asked)
    }

    /// An error about no state.
    pub fn new(violation: Violation, predicate: &'static str) -> Box<RuleError> {
        Box::new(RuleError {
            violation,
            predicate,
            state: None,
            player: None,
            mv: None,
            model: None,
            clause: None,
        })
    }

    /// The fault inside the rules, if it was one.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.violation {
            Violation::Fault(fault, _) => Some(fault),
            _ => None,
        }
    }

    /// The calls that were running at a fault inside the rules.
    pub fn trace(&self) -> Option<&Trace> {
        match &self.violation {
            Violation::Fault(_, trace) => Some(trace),
            _ => None,
        }
    }

    /// One sentence, without a full stop, and advice.
    fn words(&self, m: &Machine, w: &World) -> (String, Option<String>) {
        let predicate = self.predicate;
        let what = match predicate.split('/').next() {
            Some("rule") => "cost",
            Some("utility") => "utility",
            Some("probability") => "probability",
            Some("utility_bounds") => "bound",
            Some("payoff") => "payoff",
            Some("initial_state") => "state",
            Some("initial_player") => "player",
            _ => "estimate",
        };
        let mv = match &self.mv {
            Some(mv) => format!(" of the move `{}`", short_text(m, w, mv)),
            None => String::new(),
        };
        let said = |text: String| (text, None);
        match &self.violation {
            Violation::Fault(Fault::Ball(ball), trace) => {
                let (heap, root) = ball.to_heap();
                let meant = suggest::for_ball(m, w, &heap, root);
                let words =
                    messages::describe(&heap, &m.symbols, &w.operators, root, meant.as_deref());
                let place = words.predicate.filter(|name| !words.message.ends_with(&**name));
                let place = place.map_or(String::new(), |name| format!(", in {name}"));
                let hint = w.better_hint(m, trace, words.hint);
                let what = match &self.violation {
                    Violation::Fault(fault, _) if fault.is_limit() => {
                        format!("{predicate} was stopped by a limit")
                    }
                    _ => format!("{predicate} raised an error"),
                };
                (format!("{what}: {}{place}", words.message), hint)
            }
            Violation::Fault(Fault::Halt(status), _) => {
                said(format!("{predicate} called halt({status})"))
            }
            Violation::Fault(Fault::Stopped(_), _) => said(format!("{predicate} was stopped")),
            Violation::Unbound => (
                format!("the {what}{mv} has no value in an answer of {predicate}"),
                Some(match what {
                    "state" | "player" => {
                        "a word that begins with a capital letter is a variable: write it small, or \
                         in quotes".to_owned()
                    }
                    _ => format!("bind the {what} before the clause ends"),
                }),
            ),
            Violation::NotNumber(found) => (
                format!(
                    "the {what}{mv} in an answer of {predicate} is `{}`, which is no number",
                    short_text(m, w, found)
                ),
                match &self.mv {
                    Some(mv) if what == "cost" && mv.root.as_int().is_some() => Some(
                        "the name of a move comes first and then what it costs: `rule(Name, Cost, S1, S2)`"
                            .to_owned(),
                    ),
                    _ => None,
                },
            ),
            Violation::Negative(number) => (
                format!("the {what}{mv} in an answer of {predicate} is {number}, less than zero"),
                Some(format!(
                    "{} {what} is 0 or more",
                    if what == "estimate" { "an" } else { "a" }
                )),
            ),
            Violation::Infinite => said(format!("the cost{mv} in an answer of rule/4 is infinite")),
            Violation::NoSuccessor => {
                let mv = mv.strip_prefix(" of the move ").unwrap_or(predicate);
                (
                    format!("the move {mv} leads to an unbound variable"),
                    Some(format!("bind the last argument of {predicate}")),
                )
            }
            Violation::Cyclic => said(format!("a state of {predicate} contains itself")),
            Violation::TooLarge => said(format!("a state of {predicate} is too large to be kept")),
            Violation::Attributed => (
                format!("a state of {predicate} has a variable that goals wait for"),
                Some("states can't keep what `dif/2`, `freeze/2` and the like say: bind it first".to_owned()),
            ),
            Violation::TooManyMoves(count) => (
                format!("{predicate} gives more than {count} answers in one state"),
                Some("is there a recursion that never ends?".to_owned()),
            ),
            Violation::NoEstimate => (
                format!("{predicate} has no answer"),
                Some(
                    "give an estimate for every state, `inf` where no goal can be reached"
                        .to_owned(),
                ),
            ),
            Violation::Missing(pattern) => {
                let hint = missing_hint(m, predicate, pattern);
                (format!("{}{predicate}", messages::LACKS), Some(hint))
            }
            Violation::Unbounded(names) => {
                let model = self.model.as_ref().map(|model| short_text(m, w, model));
                (unbounded(names, model.as_deref()), Some(unbounded_hint(names)))
            }
            Violation::NoModel => (
                format!("what {predicate} answers is no list of `Name=Variable`"),
                Some("write `model([x=X, y=Y]) :- …`".to_owned()),
            ),
            Violation::NoObjective => (
                format!("{predicate} has no answer that is `min(E)` or `max(E)`"),
                Some("write `objective(Vars, min(E)) :- …`, E an expression of variables in Vars".to_owned()),
            ),
            Violation::OpenObjective => (
                format!("what {predicate} asks for has no bounds"),
                Some("write it with variables of Vars, or with some that have bounds".to_owned()),
            ),
            Violation::Undecided => (
                "whether the constraints hold can't be found out: variables that are not in the \
                 model's list have no bounds"
                    .to_owned(),
                Some("give them some (`X in 1..100`), or put them in the list".to_owned()),
            ),
            Violation::NoStart if predicate == indicator::MODEL_2 => (
                format!("{predicate} has no answer: there is no model of any name"),
                Some("see why with `?- why_not(model(Name, Vars)).`".to_owned()),
            ),
            Violation::NoStart => (
                format!("{predicate} has no answer: there is no state to begin with"),
                Some(format!("see why with `?- why_not({}).`", match predicate {
                    indicator::INITIAL_STATES => "initial_state(Name, S)",
                    _ => "initial_state(S)",
                })),
            ),
            Violation::NotDerived(why) => (
                format!("no heuristic can be derived from the rules: {why}"),
                Some("without `--heuristic` the search goes on without one".to_owned()),
            ),
            Violation::NoSymmetries(why) => (
                format!("no symmetries can be found in the rules: {why}"),
                Some("without `--symmetry` every state counts for itself".to_owned()),
            ),
            Violation::NoDiagrams(why) => (
                format!("the states can't be counted by diagrams: {why}"),
                Some("without `--diagrams` they are counted one by one".to_owned()),
            ),
            Violation::NoSuchHeuristic(name) => {
                let known: Vec<String> = super::Contract::of(m)
                    .names
                    .iter()
                    .map(|&name| format!("`{}`", m.symbols.name(name)))
                    .collect();
                let hint = match known.as_slice() {
                    [] => "it has no heuristic with a name".to_owned(),
                    _ => format!("it has {}", known.join(", ")),
                };
                (format!("the program has no heuristic `{}`", short_text(m, w, name)), Some(hint))
            }
            Violation::Replay(step) => (
                format!("step {} of the plan found can't be made again: rules answer otherwise the second time", step + 1),
                Some(
                    "moves may depend on the state alone, not on facts they assert, global \
                     variables or chance; if they do, this is an error of zug"
                        .to_owned(),
                ),
            ),
            Violation::NoMoves => (
                format!("{predicate} has no answer{}, and the game is not over", self.whose(m, w)),
                Some(
                    "let terminal/2 say that it is over, or give a move such as `pass`".to_owned(),
                ),
            ),
            Violation::NoOpponent => (
                format!("`opponent({}, A)` has no answer", self.who(m, w).trim_matches('`')),
                Some(self.missing_opponent(m)),
            ),
            Violation::NoReturn => (
                format!("opponent/2 never comes back to {}", self.who(m, w)),
                Some("players take turns in a circle: opponent(a, b), opponent(b, a)".to_owned()),
            ),
            Violation::NoPlayer => said("to_move/2 doesn't say who is to move".to_owned()),
            Violation::NoWorth => (
                format!("{predicate} has no answer{}", self.whose(m, w)),
                Some("give every state a value, a draw 0".to_owned()),
            ),
            Violation::NotTurn(mover) => (
                format!("it is the turn of {}, not of {}", short_text(m, w, mover), self.who(m, w)),
                None,
            ),
            Violation::ForeignPlayer => (
                format!("to_move/2 says that {} moves, who is none of the players", self.who(m, w)),
                Some("opponent/2 says who they are; without it there are two".to_owned()),
            ),
            Violation::HugeValue => (
                format!("the {what} in an answer of {predicate} is an integer of more than 60 bits"),
                Some("values are compared exactly; use smaller ones, or floats".to_owned()),
            ),
            Violation::LargeClass(count) => (
                format!("symmetry/2 leads to more than {count} states from one"),
                Some("a symmetry leads back after a few steps".to_owned()),
            ),
            Violation::Nested(deepest) => (
                format!("more than {deepest} engines run inside each other's rules"),
                Some("does a rule that an engine asks call the engine again?".to_owned()),
            ),
            Violation::Differs => (
                format!("the code made from {predicate} says something else than the rules"),
                Some("this is a fault of zug; --no-specialize avoids it".to_owned()),
            ),
            Violation::Chance(engine) => (
                format!("{engine} can't play where chance moves"),
                Some(format!("these engines can: {}", engines_with_chance())),
            ),
            Violation::NoProbability => (
                format!("{predicate} has no answer for the move `{}`", self.move_text(m, w)),
                Some("every move of chance has a probability".to_owned()),
            ),
            Violation::NotPositive(chance) => (
                format!("the {what}{mv} in an answer of {predicate} is {chance}"),
                Some("probabilities are greater than 0; leave out what never happens".to_owned()),
            ),
            Violation::NotCertain(sum) => (
                format!("the probabilities of the moves of chance add up to {sum}, not to 1"),
                Some("write them as quotients, as 1/6, and they are added exactly".to_owned()),
            ),
            Violation::Impersonal => (
                format!(
                    "{predicate} doesn't say what this is worth to a player: chance is to move"
                ),
                Some("give utility/3 and heuristic/3 with the player".to_owned()),
            ),
            Violation::BeyondBounds(numbers) => {
                let [value, low, high] = **numbers;
                (
                    format!("{predicate} says {value}, and utility_bounds/2 from {low} to {high}"),
                    Some("bounds hold for all values of utility/3 and heuristic/3".to_owned()),
                )
            }
            Violation::Players(engine, players) => (
                format!("{engine} is for {}; this game has {players}", players_of(engine)),
                Some("`maxn` and `solve_game` take any number".to_owned()),
            ),
            Violation::Unbalanced(end) => said(format!(
                "the utilities of the two players don't add up as elsewhere: {}",
                end_text(m, w, end)
            )),
            Violation::GeneralSum(engine, ends) => (
                format!(
                    "{engine} is for games where what one player wins the other loses; here {}",
                    ends_text(m, w, ends)
                ),
                Some("`solve_game`, `maxn`, `mcts` and `playouts` tell the players apart".to_owned()),
            ),
            Violation::Together(breach) => breach.words(self, m, w),
            Violation::Fraction => said("a cost is a float".to_owned()),
            Violation::Beyond => said("costs add up to more than 256 bits hold".to_owned()),
            Violation::HugeCost => (
                format!("the {what}{mv} in an answer of {predicate} is an integer beyond 256 bits"),
                Some("costs are added exactly; use smaller ones, or floats".to_owned()),
            ),
            Violation::Room => said("a state is too long".to_owned()),
        }
    }

    fn move_text(&self, m: &Machine, w: &World) -> String {
        self.mv.as_ref().map_or(String::new(), |mv| short_text(m, w, mv))
    }

    fn who(&self, m: &Machine, w: &World) -> String {
        let player = self.player.as_ref();
        player.map_or(String::new(), |player| format!("`{}`", short_text(m, w, player)))
    }

    /// The clause of opponent/2 that is missing for a player.
    fn missing_opponent(&self, m: &Machine) -> String {
        let mut pairs = Vec::new();
        for id in
            user_predicate(m, "opponent", 2).map_or(Vec::new(), |pred| m.program.live_clauses(pred))
        {
            let clause = &m.program.clauses[id as usize];
            let heap = zug_term::Heap { cells: clause.record.cells.to_vec() };
            let Some((_, 2, args)) = heap.name_arity(clause.head()) else { continue };
            let [a, b] = [0, 1].map(|at| heap.deref(heap.at(args + at)).as_atom());
            pairs.extend(a.zip(b).map(|(a, b)| (m.symbols.name(a), m.symbols.name(b))));
        }
        let who = self.player.as_ref().and_then(|player| player.root.as_atom());
        let who = who.map(|atom| m.symbols.name(atom));
        match pairs.iter().find(|pair| Some(pair.1) == who) {
            Some((before, player)) => format!("add `opponent({player}, {before}).`"),
            None => match pairs.first() {
                Some((a, b)) => format!("the players of opponent/2 are `{a}` and `{b}`"),
                None => {
                    "opponent/2 says who moves next: `opponent(a, b). opponent(b, a).`".to_owned()
                }
            },
        }
    }

    fn whose(&self, m: &Machine, w: &World) -> String {
        let player = self.player.as_ref();
        player.map_or(String::new(), |player| format!(" for player {}", short_text(m, w, player)))
    }

    /// The state or the model it was asked about, as it stands behind the message.
    fn about(&self, m: &Machine, w: &World) -> String {
        match (&self.state, &self.model) {
            (Some(state), _) => format!(", in state {}", short_text(m, w, state)),
            // These words name it.
            (None, Some(_)) if matches!(self.violation, Violation::Unbounded(_)) => String::new(),
            (None, Some(model)) => format!(", in the model {}", short_text(m, w, model)),
            (None, None) => String::new(),
        }
    }

    /// The error as one line: what, in which state, where.
    pub fn message(&self, m: &Machine, w: &World) -> String {
        let mut text = self.words(m, w).0;
        text += &self.about(m, w);
        if let Some((source, span)) = self.place(m, w) {
            let position = source.position(span.start);
            text += &format!(", {}:{}:{}", source.name, position.line, position.column);
        }
        text
    }

    /// The clause at fault in its text: where an exception came from, or the clause that gave
    /// the answer.
    pub fn place(&self, m: &Machine, w: &World) -> Option<(Source, Span)> {
        let whole = |id: ClauseId| {
            let place = m.program.clauses.get(id as usize)?.place.as_deref()?;
            Some((w.loader.sources.get(place.source as usize)?.clone(), place.span))
        };
        let Violation::Fault(fault, trace) = &self.violation else {
            return whole(self.clause?);
        };
        let mut addresses = trace.addresses.iter().zip(&trace.callers);
        let traced = addresses.find_map(|(&address, &(_, id))| {
            let (source, span) = whole(id)?;
            let clause = m.program.clauses.get(id as usize)?;
            let offset = address.checked_sub(clause.code)?;
            let goal = clause.goal_spans.iter().rev().find(|goal| goal.0 <= offset);
            Some((source, goal.map_or(span, |goal| goal.1)))
        });
        // A call in last place left no trace: what was traced is the call of its clause.
        let calls = unknown_calls(m, w, fault);
        let same = |a: &(Source, Span), b: &(Source, Span)| a.0.name == b.0.name && a.1 == b.1;
        match traced {
            Some(place) if calls.iter().any(|call| same(call, &place)) => Some(place),
            traced => calls.into_iter().next().or(traced).or_else(|| whole(self.clause?)),
        }
    }

    /// The error as a finding, with its place.
    pub fn diagnostic(&self, m: &Machine, w: &World) -> Diagnostic {
        let (message, hint) = self.words(m, w);
        let code = match self.violation {
            Violation::Fault(..) => "E0501",
            Violation::Missing(_)
            | Violation::NoSuchHeuristic(_)
            | Violation::NotDerived(_)
            | Violation::NoSymmetries(_)
            | Violation::NoDiagrams(_) => "E0503",
            Violation::Replay(_) => "E0599",
            _ => "E0502",
        };
        let mut finding = Diagnostic::error(code, message);
        finding.message += &self.about(m, w);
        finding.hint = hint;
        if let Violation::Fault(fault, trace) = &self.violation
            && fault.is_limit()
        {
            finding.hint = table_hint(m, trace).or(finding.hint);
            // The place at which a loop was stopped says less than the call that recurs.
            if let Some((source, span, name)) = recurring(m, w, trace) {
                return finding.at(&source, span, format!("`{name}` calls itself here"));
            }
        }
        match self.place(m, w).or_else(|| self.first_clause(m, w)) {
            Some((source, span)) => finding.at(&source, span, ""),
            None => finding,
        }
    }

    /// The first clause of the predicate whose answer, or lack of one, is wrong; the only clause of one that raised an
    /// error and left no trace.
    fn first_clause(&self, m: &Machine, w: &World) -> Option<(Source, Span)> {
        let of_answer = matches!(
            self.violation,
            Violation::Unbound
                | Violation::NotNumber(_)
                | Violation::Negative(_)
                | Violation::NoSuccessor
                | Violation::NoEstimate
                | Violation::NoMoves
                | Violation::NoOpponent
                | Violation::NoReturn
                | Violation::NoWorth
                | Violation::NoProbability
        );
        let raised = matches!(&self.violation, Violation::Fault(fault, _) if !fault.is_limit());
        if !of_answer && !raised {
            return None;
        }
        let (name, arity) = self.indicator();
        let pred = user_predicate(m, name, usize::try_from(arity).ok()?)?;
        let clauses = m.program.live_clauses(pred);
        // Of several, any one may have raised it.
        let first = clauses.first().copied().filter(|_| of_answer || clauses.len() == 1)?;
        zug_explain::head_place(m, w, first)
    }

    /// Name and arity of the predicate.
    pub fn indicator(&self) -> (&'static str, i64) {
        let (name, arity) = self.predicate.split_once('/').unwrap_or((self.predicate, "0"));
        (name, arity.parse().unwrap_or(0))
    }

    /// The error as an exception that rules can catch: one of theirs as it is; else a term
    /// of the standard, whose context has the message.
    pub fn into_fault(self, m: &mut Machine, w: &World) -> Fault {
        if let Violation::Fault(fault, trace) = self.violation {
            m.raised_within = Some(*trace);
            return fault;
        }
        let mut message = self.message(m, w);
        if matches!(self.violation, Violation::Missing(_))
            && let Some(hint) = self.words(m, w).1
        {
            message += &format!(": {hint}");
        }
        let (name, arity) = self.indicator();
        let name = Cell::atom(m.symbols.intern(name));
        let indicator = m.heap.new_struct(atoms::SLASH, &[name, Cell::small(arity)]);
        let formal = match &self.violation {
            Violation::Unbound | Violation::NoSuccessor => Cell::atom(atoms::INSTANTIATION_ERROR),
            Violation::NotNumber(found) => {
                let found = found.instantiate(&mut m.heap);
                m.heap.new_struct(atoms::TYPE_ERROR, &[Cell::atom(atoms::NUMBER), found])
            }
            Violation::Negative(number) => {
                let number = number.to_cell(&mut m.heap);
                let domain = Cell::atom(atoms::NOT_LESS_THAN_ZERO);
                m.heap.new_struct(atoms::DOMAIN_ERROR, &[domain, number])
            }
            Violation::Infinite => {
                m.heap.new_struct(atoms::EVALUATION_ERROR, &[Cell::atom(atoms::FLOAT_OVERFLOW)])
            }
            Violation::Cyclic => {
                let expected = Cell::atom(m.symbols.intern("acyclic_term"));
                let found = Cell::atom(m.symbols.intern("state"));
                m.heap.new_struct(atoms::TYPE_ERROR, &[expected, found])
            }
            Violation::Attributed => {
                let expected = Cell::atom(m.symbols.intern("free_of_attvar"));
                let found = Cell::atom(m.symbols.intern("state"));
                m.heap.new_struct(atoms::TYPE_ERROR, &[expected, found])
            }
            Violation::TooLarge | Violation::TooManyMoves(_) => {
                m.heap.new_struct(atoms::RESOURCE_ERROR, &[Cell::atom(atoms::MEMORY)])
            }
            Violation::NoMoves => {
                let kind = Cell::atom(m.symbols.intern("move"));
                let state = self.state.as_ref().map(|state| state.instantiate(&mut m.heap));
                m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, state.unwrap_or(Cell::NIL)])
            }
            Violation::Nested(_) => {
                let what = Cell::atom(m.symbols.intern("engines"));
                m.heap.new_struct(atoms::RESOURCE_ERROR, &[what])
            }
            Violation::NotPositive(_) | Violation::NotCertain(_) => {
                let domain = Cell::atom(m.symbols.intern("probability"));
                let state = self.state.as_ref().map(|state| state.instantiate(&mut m.heap));
                m.heap.new_struct(atoms::DOMAIN_ERROR, &[domain, state.unwrap_or(Cell::NIL)])
            }
            Violation::Chance(_) => {
                let kind = Cell::atom(m.symbols.intern("game_without_chance"));
                let found = Cell::atom(m.symbols.intern("game"));
                m.heap.new_struct(atoms::TYPE_ERROR, &[kind, found])
            }
            Violation::HugeValue
            | Violation::HugeCost
            | Violation::Beyond
            | Violation::LargeClass(_)
            | Violation::Differs
            | Violation::NoProbability
            | Violation::Impersonal
            | Violation::BeyondBounds(..) => {
                let kind = Cell::atom(m.symbols.intern("value"));
                let state = self.state.as_ref().map(|state| state.instantiate(&mut m.heap));
                m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, state.unwrap_or(Cell::NIL)])
            }
            Violation::NoOpponent
            | Violation::NoReturn
            | Violation::NoPlayer
            | Violation::NotTurn(_)
            | Violation::ForeignPlayer => {
                let kind = Cell::atom(m.symbols.intern("player"));
                let player = self.player.as_ref().map(|p| p.instantiate(&mut m.heap));
                m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, player.unwrap_or(Cell::NIL)])
            }
            Violation::GeneralSum(..) | Violation::Unbalanced(_) => {
                let kind = Cell::atom(m.symbols.intern("zero_sum_game"));
                let found = Cell::atom(m.symbols.intern("game"));
                m.heap.new_struct(atoms::TYPE_ERROR, &[kind, found])
            }
            Violation::Players(..) => {
                let kind = Cell::atom(m.symbols.intern("two_player_game"));
                let found = Cell::atom(m.symbols.intern("game"));
                m.heap.new_struct(atoms::TYPE_ERROR, &[kind, found])
            }
            Violation::Together(breach) => breach.formal(m),
            Violation::NoWorth => {
                let kind = Cell::atom(m.symbols.intern("value"));
                let state = self.state.as_ref().map(|state| state.instantiate(&mut m.heap));
                m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, state.unwrap_or(Cell::NIL)])
            }
            Violation::NoEstimate => {
                let kind = Cell::atom(m.symbols.intern("estimate"));
                let state = match &self.state {
                    Some(state) => state.instantiate(&mut m.heap),
                    None => Cell::NIL,
                };
                m.heap.new_struct(atoms::EXISTENCE_ERROR, &[kind, state])
            }
            Violation::NoSuchHeuristic(heuristic) => {
                let heuristic = heuristic.instantiate(&mut m.heap);
                m.heap.new_struct(atoms::EXISTENCE_ERROR, &[name, heuristic])
            }
            Violation::NoStart => m.heap.new_struct(atoms::EXISTENCE_ERROR, &[name, indicator]),
            Violation::Missing(_) => m
                .heap
                .new_struct(atoms::EXISTENCE_ERROR, &[Cell::atom(atoms::PROCEDURE), indicator]),
            _ => {
                let what = m.symbols.intern("internal_error");
                m.heap.new_struct(what, &[indicator])
            }
        };
        let message = m.heap.new_string(&message);
        let context = m.heap.new_struct(atoms::CONTEXT, &[indicator, message]);
        let ball = m.heap.new_struct(atoms::ERROR, &[formal, context]);
        m.ball(ball)
    }
}

/// The calls of the unknown procedure that a fault is about, if it is about one.
fn unknown_calls(m: &Machine, w: &World, fault: &Fault) -> Vec<(Source, Span)> {
    let Fault::Ball(ball) = fault else { return Vec::new() };
    let (heap, root) = ball.to_heap();
    let unknown = unknown_procedure(&heap, root);
    unknown.map_or(Vec::new(), |(name, arity)| calls_of(m, w, name, arity))
}

/// The names of the engines that can play where chance moves.
fn engines_with_chance() -> String {
    let names = game_engines().filter(|engine| engine.chance).map(|engine| engine.name);
    names.collect::<Vec<_>>().join(", ")
}

/// For how many players an engine is, or what asks in its name.
fn players_of(engine: &str) -> &'static str {
    let info = game_engines().find(|info| info.name == engine);
    info.map_or(PlayersAllowed::Two, |info| info.players).words()
}

/// What to do about a predicate of the contract that a program lacks.
pub fn missing_hint(m: &Machine, predicate: &str, pattern: &str) -> String {
    let others = if predicate == indicator::HEURISTIC_2 {
        let blind = engines().filter(|engine| !engine.informed).map(|engine| engine.name);
        let blind: Vec<&str> = blind.collect();
        format!("; {} need none", blind.join(", "))
    } else {
        String::new()
    };
    let Some(other) = namesake(m, predicate) else {
        return format!("define `{pattern}`{others}");
    };
    let mut hint = format!("it has `{other}`; did you mean `{pattern}`?");
    if predicate == indicator::RULE {
        hint += " The second argument is the cost of the move";
    }
    hint
}

/// A predicate of the program with the name of this one and another arity.
fn namesake(m: &Machine, predicate: &str) -> Option<String> {
    let (name, _) = predicate.split_once('/')?;
    let name = m.symbols.lookup(name)?;
    let found = m.program.preds.iter().find(|pred| {
        pred.name == name
            && m.program.modules.is_programs(pred.space)
            && matches!(pred.kind, zug_machine::Kind::Static | zug_machine::Kind::Dynamic)
    })?;
    Some(format!("{}/{}", m.symbols.name(found.name), found.arity))
}

impl From<Uncounted> for Violation {
    fn from(why: Uncounted) -> Violation {
        match why {
            Uncounted::Fraction => Violation::Fraction,
            Uncounted::Beyond => Violation::Beyond,
        }
    }
}

/// What failed in a search over rules.
impl From<Failure> for Box<RuleError> {
    fn from(failure: Failure) -> Self {
        failure.error()
    }
}

impl From<SearchError> for Box<RuleError> {
    fn from(failed: SearchError) -> Self {
        failed.error.into()
    }
}
