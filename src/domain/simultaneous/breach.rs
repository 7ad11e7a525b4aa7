//! Answers that break the contract of simultaneous games, in words and as error terms.

use crate::error::{RuleError, short_text};
use zug_machine::Machine;
use zug_matrix::repeated::ModelError;
use zug_prolog::builtins::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// What an answer does wrong.
#[derive(Clone, Debug)]
pub enum Breach {
    /// `players/1` or `payoff/2` gives something else than a list.
    NotList(Record),
    /// Players or an action that are not ground.
    Unbound(Record),
    /// There is no player.
    NoPlayers,
    /// A player is listed twice.
    Twice(Record),
    /// A player can do nothing.
    NoAction,
    /// A list of payoffs of another length than the players': found, expected.
    Length(usize, usize),
    /// A payoff or utility is no number.
    NotPayoff(Record),
    /// There is no answer for these actions.
    NoAnswer(Record),
    /// These actions lead to several states.
    Several(Record),
    /// So many profiles of actions that no table can hold their payoffs.
    TooLarge,
    /// `strategy/4` says something that is no action; the actions there are.
    NotAction(Record, Vec<Record>),
    /// `strategy/4` doesn't say what to do.
    NoChoice,
    /// A term that is no player of a repeated game; those there are.
    NotPlayer(Record, Vec<String>),
    /// An action asked for that nobody has; those there are.
    NoSuchAction(Record, Vec<Record>),
    /// A player asked for that is not in `players/1`; those that are.
    NoSuchPlayer(Record, Vec<Record>),
    /// A fixed action that the player who is to play it doesn't have.
    NoSeat(Record),
    /// A player that can't be made.
    Model(ModelError),
    /// Play can come back to a state.
    Cycle,
    /// Something is for two players, and there are more or fewer.
    NotTwo(&'static str, usize),
    /// Several stages where one is wanted.
    NotMatrix,
    /// No pure equilibrium of more than two players at some stage.
    NoEquilibrium,
}

impl Breach {
    /// It is the request that is wrong, not the rules.
    pub fn is_of_request(&self) -> bool {
        matches!(
            self,
            Breach::NotPlayer(..)
                | Breach::NoSuchAction(..)
                | Breach::NoSuchPlayer(..)
                | Breach::NoSeat(_)
                | Breach::Model(_)
        )
    }

    /// One sentence, without a full stop, and advice.
    pub(crate) fn words(
        &self,
        error: &RuleError,
        m: &Machine,
        w: &World,
    ) -> (String, Option<String>) {
        let predicate = error.predicate;
        let text = |record: &Record| short_text(m, w, record);
        let listed = |records: &[Record]| {
            let mut texts: Vec<String> = Vec::new();
            for one in records.iter().map(text) {
                if !texts.contains(&one) {
                    texts.push(one);
                }
            }
            texts.join(", ")
        };
        let who = error.player.as_ref().map_or(String::new(), text);
        let (said, hint) = match self {
            Breach::NotList(found) => {
                (format!("`{}` in an answer of {predicate} is no list", text(found)), "")
            }
            Breach::Unbound(found) => (
                format!("`{}` in an answer of {predicate} has unbound variables", text(found)),
                "bind them before the clause ends",
            ),
            Breach::NoPlayers => {
                ("players/1 names nobody".to_owned(), "players([a, b]) names two players")
            }
            Breach::Twice(player) => (format!("players/1 names `{}` twice", text(player)), ""),
            Breach::NoAction => (
                format!("action/3 has no answer for player {who}"),
                "who has nothing to choose needs an action such as `pass`",
            ),
            Breach::Length(found, expected) => (
                format!("payoff/2 gives {found} payoffs, and there are {expected} players"),
                "payoff(As, Us) has a payoff for each of the players, in their order",
            ),
            Breach::NotPayoff(found) => (
                format!("`{}` in an answer of {predicate} is no number", text(found)),
                "integers, fractions such as 1/3 and floats are numbers",
            ),
            Breach::NoAnswer(actions) => (
                format!("{predicate} has no answer for the actions {}", text(actions)),
                "it needs one for all actions that action/3 allows, in the order of the players",
            ),
            Breach::Several(actions) => (
                format!("{predicate} leads to several states by the actions {}", text(actions)),
                "what all choose together leads to one state",
            ),
            Breach::TooLarge => (
                "there are too many combinations of actions for a table".to_owned(),
                "a table may have four million payoffs",
            ),
            Breach::NotAction(found, actions) => {
                let hint = format!("the actions are {}", listed(actions));
                let said = format!(
                    "strategy/4 says `{}` for {who}, which is no action of this player",
                    text(found)
                );
                return (said, Some(hint));
            }
            Breach::NoChoice => (
                format!("strategy/4 has no answer for {who}"),
                "it says what to do after any history, the empty one too",
            ),
            Breach::NotPlayer(found, known) => {
                (format!("`{}` is no player; there are {}", text(found), known.join(", ")), "")
            }
            Breach::NoSuchAction(found, known) => {
                (format!("there is no action `{}`; there are {}", text(found), listed(known)), "")
            }
            Breach::NoSuchPlayer(found, known) => {
                (format!("there is no player `{}`; there are {}", text(found), listed(known)), "")
            }
            Breach::NoSeat(player) => (
                format!("a fixed action is none of player `{}`, who is to play it", text(player)),
                "",
            ),
            Breach::Model(why) => (why.to_string(), ""),
            Breach::Cycle => (
                "play can come back to where it was".to_owned(),
                "stages are solved from the end backwards; let a state count the stages",
            ),
            Breach::NotTwo(what, players) => {
                (format!("{what} for two players; this game has {players}"), "")
            }
            Breach::NotMatrix => (
                "what is played again and again has one stage, payoff/2; this game has joint_move/3"
                    .to_owned(),
                "`zug nash` and `zug solve` solve it",
            ),
            Breach::NoEquilibrium => (
                "more than two players have no pure equilibrium".to_owned(),
                "mixed ones are found for two players",
            ),
        };
        (said, (!hint.is_empty()).then(|| hint.to_owned()))
    }

    /// The formal part of the error term.
    pub(crate) fn formal(&self, m: &mut Machine) -> Cell {
        let symbols = &mut m.symbols;
        let (name, kind, culprit) = match self {
            Breach::Unbound(_) => return Cell::atom(atoms::INSTANTIATION_ERROR),
            Breach::TooLarge => {
                return m.heap.new_struct(atoms::RESOURCE_ERROR, &[Cell::atom(atoms::MEMORY)]);
            }
            Breach::NotList(found) => (atoms::TYPE_ERROR, symbols.intern("list"), Some(found)),
            Breach::NotPayoff(found) => (atoms::TYPE_ERROR, atoms::NUMBER, Some(found)),
            Breach::Twice(player) => (atoms::DOMAIN_ERROR, symbols.intern("players"), Some(player)),
            Breach::NotAction(found, _) => {
                (atoms::DOMAIN_ERROR, symbols.intern("action"), Some(found))
            }
            Breach::Length(..) => (atoms::DOMAIN_ERROR, symbols.intern("payoffs"), None),
            Breach::Several(found) => {
                (atoms::DOMAIN_ERROR, symbols.intern("joint_move"), Some(found))
            }
            Breach::NoAnswer(actions) => {
                (atoms::EXISTENCE_ERROR, symbols.intern("answer"), Some(actions))
            }
            Breach::NotPlayer(found, _) => {
                (atoms::DOMAIN_ERROR, symbols.intern("player"), Some(found))
            }
            Breach::NoSuchAction(found, _) => {
                (atoms::EXISTENCE_ERROR, symbols.intern("action"), Some(found))
            }
            Breach::NoSuchPlayer(found, _) => {
                (atoms::EXISTENCE_ERROR, symbols.intern("player"), Some(found))
            }
            Breach::NoSeat(player) => (atoms::DOMAIN_ERROR, symbols.intern("player"), Some(player)),
            Breach::Model(_) => (atoms::DOMAIN_ERROR, symbols.intern("player"), None),
            Breach::NoPlayers => (atoms::EXISTENCE_ERROR, symbols.intern("players"), None),
            Breach::NoAction | Breach::NoChoice => {
                (atoms::EXISTENCE_ERROR, symbols.intern("action"), None)
            }
            Breach::Cycle => (atoms::EXISTENCE_ERROR, symbols.intern("end_of_play"), None),
            Breach::NotTwo(..) => (atoms::TYPE_ERROR, symbols.intern("two_player_game"), None),
            Breach::NotMatrix => (atoms::TYPE_ERROR, symbols.intern("matrix_game"), None),
            Breach::NoEquilibrium => {
                (atoms::EXISTENCE_ERROR, symbols.intern("pure_equilibrium"), None)
            }
        };
        let culprit = match culprit {
            Some(record) => record.instantiate(&mut m.heap),
            None => Cell::atom(m.symbols.intern("game")),
        };
        m.heap.new_struct(name, &[Cell::atom(kind), culprit])
    }
}
