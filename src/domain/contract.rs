//! Which predicates of the domain contract a program defines, and what kind of domain that
//! makes it. Predicates are recognised by name and arity alone.

use super::game::Roles;
use super::simultaneous::Parts;
use zug_derived::RelaxedKind;
use zug_explain::functor;
use zug_machine::{Clause, Machine, PredId};
use zug_prolog::user_predicate;
use zug_term::symbol::{Atom, Symbols, atoms};

/// A kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// One agent: `rule/4`.
    Puzzle,
    /// Players in turn: `move/4`.
    Game,
    /// Players at once: `payoff/2`, or `joint_move/3`.
    Simultaneous,
    /// Constraints on variables: `model/1` or `model/2`.
    Model,
    /// None of them: a program for queries.
    Program,
}

/// The name of the heuristic that is derived from the rules.
const DERIVED: &str = "derived";

/// One of a program's estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// `heuristic/2`.
    Plain,
    /// `heuristic/3` with this name.
    Named(Atom),
    /// Derived from `rule/4` and `final_state/1`.
    Derived,
    /// The same, once a search has gone on for so long that it pays; 0 until then.
    DerivedInTime,
    /// A heuristic of the delete relaxation.
    Relaxed(RelaxedKind),
    /// The greater of `heuristic/2` and the derived one.
    PlainWithDerived,
    /// The greater of `heuristic/3` with this name and the derived one.
    NamedWithDerived(Atom),
}

/// A predicate of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractPredicate {
    /// Name.
    pub name: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// What it says, as `rule(Name, Cost, S1, S2)`.
    pub pattern: &'static str,
}

impl ContractPredicate {
    /// The numbers of the arguments that are states, from 0: those that the pattern calls `S`,
    /// `S1` and `S2`.
    pub fn states(&self) -> impl Iterator<Item = usize> + use<> {
        let arguments = self.pattern.split_once('(').map_or("", |(_, rest)| rest);
        let names = arguments.trim_end_matches(')').split(", ").enumerate();
        names.filter(|(_, name)| matches!(*name, "S" | "S1" | "S2")).map(|(at, _)| at)
    }
}

/// Names and arities of predicates of the contract, as errors and reports about code have them.
pub(crate) mod indicator {
    pub const INITIAL_STATE: &str = "initial_state/1";
    pub const INITIAL_STATES: &str = "initial_state/2";
    pub const FINAL_STATE: &str = "final_state/1";
    pub const RULE: &str = "rule/4";
    pub const HEURISTIC_2: &str = "heuristic/2";
    pub const HEURISTIC_3: &str = "heuristic/3";
    pub const INITIAL_PLAYER: &str = "initial_player/1";
    pub const OPPONENT: &str = "opponent/2";
    pub const MOVE_4: &str = "move/4";
    pub const MOVE_3: &str = "move/3";
    pub const TO_MOVE: &str = "to_move/2";
    pub const TERMINAL_2: &str = "terminal/2";
    pub const TERMINAL_1: &str = "terminal/1";
    pub const UTILITY_3: &str = "utility/3";
    pub const UTILITY_2: &str = "utility/2";
    pub const SYMMETRY: &str = "symmetry/2";
    pub const PROBABILITY: &str = "probability/3";
    pub const UTILITY_BOUNDS: &str = "utility_bounds/2";
    pub const PLAYERS: &str = "players/1";
    pub const ACTION: &str = "action/3";
    pub const PAYOFF: &str = "payoff/2";
    pub const JOINT_MOVE: &str = "joint_move/3";
    pub const STRATEGY: &str = "strategy/4";
    pub const MODEL_1: &str = "model/1";
    pub const MODEL_2: &str = "model/2";
    pub const OBJECTIVE_2: &str = "objective/2";
    pub const OBJECTIVE_3: &str = "objective/3";
    pub const ACTIONS: &str = "actions/1";
}

const fn entry(name: &'static str, arity: usize, pattern: &'static str) -> ContractPredicate {
    ContractPredicate { name, arity, pattern }
}

/// All predicates of the contract.
pub const PREDICATES: &[ContractPredicate] = &[
    entry("initial_state", 1, "initial_state(S)"),
    entry("initial_state", 2, "initial_state(Name, S)"),
    entry("final_state", 1, "final_state(S)"),
    entry("rule", 4, "rule(Name, Cost, S1, S2)"),
    entry("heuristic", 2, "heuristic(S, H)"),
    entry("heuristic", 3, "heuristic(Name, S, H)"),
    entry("initial_player", 1, "initial_player(J)"),
    entry("opponent", 2, "opponent(J, A)"),
    entry("move", 4, "move(J, M, S1, S2)"),
    entry("move", 3, "move(M, S1, S2)"),
    entry("to_move", 2, "to_move(S, J)"),
    entry("terminal", 2, "terminal(J, S)"),
    entry("terminal", 1, "terminal(S)"),
    entry("utility", 3, "utility(J, S, U)"),
    entry("utility", 2, "utility(S, U)"),
    entry("symmetry", 2, "symmetry(S1, S2)"),
    entry("probability", 3, "probability(M, S, P)"),
    entry("utility_bounds", 2, "utility_bounds(Low, High)"),
    entry("players", 1, "players(Js)"),
    entry("action", 3, "action(J, S, A)"),
    entry("payoff", 2, "payoff(As, Us)"),
    entry("joint_move", 3, "joint_move(As, S1, S2)"),
    entry("strategy", 4, "strategy(Name, MyHistory, TheirHistory, Action)"),
    entry("model", 1, "model(Vars)"),
    entry("model", 2, "model(Name, Vars)"),
    entry("objective", 2, "objective(Vars, min(E))"),
    entry("objective", 3, "objective(Name, Vars, min(E))"),
    entry("print_model", 1, "print_model(Vars)"),
    entry("print_state", 1, "print_state(S)"),
    entry("draw_state", 2, "draw_state(S, Rows)"),
    entry("click", 3, "click(M, S, Square)"),
    entry("actions", 1, "actions(Moves)"),
];

/// The contract predicates that a program defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// `initial_state/1`.
    pub initial: Option<PredId>,
    /// `initial_state/2`.
    pub named_initial: Option<PredId>,
    /// `final_state/1`.
    pub goal: Option<PredId>,
    /// `rule/4`.
    pub rule: Option<PredId>,
    /// `heuristic/2`.
    pub heuristic: Option<PredId>,
    /// `heuristic/3` of a puzzle.
    pub named_heuristic: Option<PredId>,
    /// The names in `named_heuristic`, in order.
    pub names: Vec<Atom>,
    /// `named_heuristic` takes other names too: one of its clauses has a variable for it.
    pub any_name: bool,
    /// The predicates of a game, if it is one.
    pub game: Option<Roles>,
    /// The predicates of a game in which all choose at once, if it is one.
    pub together: Option<Parts>,
    /// `model/1`, with a clause that has a body or a list of `Name=Value`.
    pub model: Option<PredId>,
    /// `model/2`, with a clause that has a body or a list of `Name=Value`.
    pub named_model: Option<PredId>,
    /// `objective/2`.
    pub objective: Option<PredId>,
    /// `objective/3`.
    pub named_objective: Option<PredId>,
    /// `print_model/1`.
    pub print_model: Option<PredId>,
    /// `print_state/1`.
    pub print_state: Option<PredId>,
    /// `draw_state/2`.
    pub draw_state: Option<PredId>,
    /// `click/3`: the squares that mean a move.
    pub click: Option<PredId>,
    /// `actions/1`: all moves there can be, for those who number them.
    pub actions: Option<PredId>,
}

impl Contract {
    /// Looks what the user's program defines.
    pub fn of(m: &Machine) -> Contract {
        let find = |name, arity| user_predicate(m, name, arity);
        let posting = |name, arity| {
            find(name, arity).filter(|&pred| {
                let clauses = m.program.live_clauses(pred);
                clauses.iter().any(|&id| is_of_a_model(&m.program.clauses[id as usize]))
            })
        };
        let mut contract = Contract {
            initial: find("initial_state", 1),
            named_initial: find("initial_state", 2),
            goal: find("final_state", 1),
            rule: find("rule", 4),
            heuristic: find("heuristic", 2),
            game: Roles::of(m),
            together: Parts::of(m),
            model: posting("model", 1),
            named_model: posting("model", 2),
            objective: find("objective", 2),
            named_objective: find("objective", 3),
            print_model: find("print_model", 1),
            print_state: find("print_state", 1),
            draw_state: find("draw_state", 2),
            click: find("click", 3),
            actions: find("actions", 1),
            ..Contract::default()
        };
        // In a game the first argument is the player.
        if contract.rule.is_some() || contract.game.is_none() {
            contract.named_heuristic = find("heuristic", 3);
        }
        if let Some(pred) = contract.named_heuristic {
            for id in m.program.live_clauses(pred) {
                match m.program.clauses[id as usize].key {
                    None => contract.any_name = true,
                    Some(key) => {
                        contract.names.extend(key.as_atom());
                    }
                }
            }
            let mut seen = Vec::new();
            contract.names.retain(|&name| {
                let new = !seen.contains(&name);
                seen.push(name);
                new
            });
        }
        contract
    }

    /// Whether there is a model; the file may be another kind of domain besides.
    pub fn has_model(&self) -> bool {
        self.model.is_some() || self.named_model.is_some()
    }

    /// The kind of program.
    pub fn kind(&self) -> DomainKind {
        if self.rule.is_some() {
            DomainKind::Puzzle
        } else if self.game.is_some() {
            DomainKind::Game
        } else if self.together.is_some() {
            DomainKind::Simultaneous
        } else if self.has_model() {
            DomainKind::Model
        } else {
            DomainKind::Program
        }
    }

    /// The estimates, the default first.
    pub fn heuristics(&self) -> Vec<Heuristic> {
        let plain = self.heuristic.map(|_| Heuristic::Plain);
        plain.into_iter().chain(self.names.iter().map(|&name| Heuristic::Named(name))).collect()
    }

    /// Whether there is an estimate of this name.
    pub fn has_heuristic(&self, name: Atom) -> bool {
        self.names.contains(&name) || self.any_name
    }
}

/// Whether a clause of `model/1` or `model/2` is one of a model. Facts of another relation, as
/// `model(ford, mustang)`, are none.
fn is_of_a_model(clause: &Clause) -> bool {
    if clause.body().as_atom() != Some(atoms::TRUE) {
        return true;
    }
    let cells = &clause.record.cells;
    let Some((_, arity @ 1.., at)) = functor(cells, clause.head()) else { return false };
    let Some((atoms::DOT, 2, at)) = functor(cells, cells[at + arity - 1]) else { return false };
    matches!(functor(cells, cells[at]), Some((atoms::UNIFY, 2, _)))
}

impl Contract {
    /// The estimate of this name; `heuristic` is the one without. Unless the rules have one of that name, `derived` is
    /// the one that is derived from them, and `hmax`, `hadd`, `hff` and `lmcut` are those of their delete relaxation.
    /// `+derived` behind another name is the greater of both.
    pub fn heuristic_named(&self, symbols: &Symbols, name: &str) -> Option<Heuristic> {
        let named = symbols
            .lookup(name)
            .filter(|&atom| self.named_heuristic.is_some() && self.has_heuristic(atom));
        let plain = (name == "heuristic" && self.heuristic.is_some()).then_some(Heuristic::Plain);
        let may_derive = self.rule.is_some() && self.goal.is_some();
        let derives = name == DERIVED && may_derive;
        let both = || {
            let own = name.strip_suffix(DERIVED)?.strip_suffix('+')?;
            let own = self.heuristic_named(symbols, own).filter(|_| self.goal.is_some())?;
            own.with_derived()
        };
        let derived = derives.then_some(Heuristic::Derived);
        let relaxed = || RelaxedKind::by_name(name).filter(|_| may_derive).map(Heuristic::Relaxed);
        named.map(Heuristic::Named).or(plain).or(derived).or_else(relaxed).or_else(both)
    }
}

impl Heuristic {
    /// The part that is the rules' own.
    #[must_use]
    pub fn own(self) -> Option<Heuristic> {
        match self {
            Heuristic::Plain | Heuristic::PlainWithDerived => Some(Heuristic::Plain),
            Heuristic::Named(name) | Heuristic::NamedWithDerived(name) => {
                Some(Heuristic::Named(name))
            }
            Heuristic::Derived | Heuristic::DerivedInTime | Heuristic::Relaxed(_) => None,
        }
    }

    /// The greater of one of the rules' own and the derived one; nothing of another.
    fn with_derived(self) -> Option<Heuristic> {
        match self {
            Heuristic::Plain => Some(Heuristic::PlainWithDerived),
            Heuristic::Named(name) => Some(Heuristic::NamedWithDerived(name)),
            _ => None,
        }
    }

    /// Whether what it is in part or as a whole is derived when it is asked for first.
    pub fn derives_at_once(self) -> bool {
        matches!(
            self,
            Heuristic::Derived | Heuristic::PlainWithDerived | Heuristic::NamedWithDerived(_)
        )
    }

    /// Whether it is made from the rules alone and never says more than a plan costs.
    pub fn is_admissible(self) -> bool {
        match self {
            Heuristic::Derived | Heuristic::DerivedInTime => true,
            Heuristic::Relaxed(kind) => kind.is_admissible(),
            _ => false,
        }
    }

    /// The name, for reports; `heuristic` for the one without.
    pub fn name(self, symbols: &Symbols) -> String {
        match self {
            Heuristic::Plain => "heuristic".to_owned(),
            Heuristic::Named(name) => symbols.name(name).to_owned(),
            Heuristic::Derived | Heuristic::DerivedInTime => DERIVED.to_owned(),
            Heuristic::Relaxed(kind) => kind.name().to_owned(),
            Heuristic::PlainWithDerived => format!("heuristic+{DERIVED}"),
            Heuristic::NamedWithDerived(name) => format!("{}+{DERIVED}", symbols.name(name)),
        }
    }
}
