//! Checking certificates of equilibria.

use super::equilibria::EQUILIBRIUM;
use super::figures::Figure;
use super::records::Facts;
use super::starts::Start;
use super::{Accepted, Found, ProvedNumbers, Rejected};
use crate::canonical_text::canonical_text;
use crate::contract::Contract;
use crate::simultaneous::{Mix, PlayFault, Stage, check_plays, players, same};
use zug_machine::Machine;
use zug_matrix::Rational;
use zug_prolog::builtins::World;
use zug_report::{Number, Worth};
use zug_search::game::Expected;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record, is_ground};

/// Checks a certificate of an equilibrium.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    facts: Facts,
    place: &mut Option<u64>,
) -> Found<Accepted> {
    let records = facts.0.len() as u64;
    let stated = Stated::of(m, facts)?;
    let others = stated.stages.iter().map(|stage| &stage.state);
    stated.start.check(m, w, contract, others)?;
    let known = players(m, w)?;
    if known.len() != stated.players.len()
        || !known.iter().zip(&stated.players).all(|(known, player)| same(known, player))
    {
        return Err(Rejected::at(stated.second, "the players are others").into());
    }
    let mut at = None;
    let checked = check_plays(m, w, &stated.start.state, &stated.stages, &mut at);
    *place = at.map(|at| stated.lines[at]);
    let found = checked?.map_err(|fault| stated.refuted(m, w, fault))?;
    let values = stated.proved(&found)?;
    let from = stated.start.words(m, w);
    let told: Vec<String> = values.iter().map(Rational::to_string).collect();
    let players: Vec<String> =
        stated.players.iter().map(|player| canonical_text(m, w, player)).collect();
    let (told, players) = (told.join(","), players.join(", "));
    let worth = |(player, value): (&Record, &Rational)| Worth {
        player: player.clone(),
        value: Number::exact(value.clone()),
    };
    let worths = stated.players.iter().zip(values).map(worth).collect();
    let proved = ProvedNumbers { values: worths, ..ProvedNumbers::default() };
    let proves =
        format!("the strategies are an equilibrium {from}, which pays [{told}] to {players}");
    Ok(Accepted { kind: EQUILIBRIUM.to_owned(), proves, proved, records })
}

/// What a certificate says.
struct Stated {
    start: Start,
    /// The line of the players.
    second: u64,
    players: Vec<Record>,
    /// The line of the values of the start, and these.
    values: (u64, Vec<Figure>),
    stages: Vec<Stage>,
    /// The lines of the stages, and what they are worth.
    lines: Vec<u64>,
    worths: Vec<Vec<Figure>>,
}

impl Stated {
    fn of(m: &Machine, mut facts: Facts) -> Result<Stated, Rejected> {
        let start = Start::take(m, &mut facts)?;
        let players = facts.take("players", 1)?;
        let second = players.line;
        let players = players.list(0);
        let players = players.ok_or_else(|| Rejected::at(second, "the players are no list"))?;
        let values = facts.take("values", 1)?;
        let values = (values.line, values.figures(0)?);
        let (mut stages, mut lines, mut worths) = (Vec::new(), Vec::new(), Vec::new());
        for fact in facts.0 {
            if fact.name != "plays" || fact.arguments.len() != 4 {
                return Err(fact.foreign(EQUILIBRIUM));
            }
            let (rank, strategies) = (fact.rank(1)?, mixes(&fact.arguments[3]));
            let strategies = strategies.ok_or_else(|| {
                Rejected::at(fact.line, "its strategies are no lists of ACTION-PROBABILITY")
            })?;
            worths.push(fact.figures(2)?);
            lines.push(fact.line);
            stages.push(Stage { state: fact.arguments[0].clone(), rank, strategies });
        }
        Ok(Stated { start, second, players, values, stages, lines, worths })
    }

    /// What the start is worth, if that and what all stages are worth is what they pay.
    fn proved<'v>(&self, found: &'v [Vec<Rational>]) -> Result<&'v [Rational], Rejected> {
        let is = |given: &[Figure], values: &[Rational]| {
            let mut pairs = given.iter().zip(values);
            given.len() == values.len()
                && pairs.all(|(given, value)| given.is(&Expected::Exact(value.clone())))
        };
        for ((line, given), values) in self.lines.iter().zip(&self.worths).zip(found) {
            if !is(given, values) {
                let values: Vec<String> = values.iter().map(Rational::to_string).collect();
                return Err(Rejected::at(*line, format!("it pays {}", values.join(", "))));
            }
        }
        let at = self.stages.iter().position(|stage| same(&stage.state, &self.start.state));
        match at.map(|at| &found[at]) {
            Some(values) if is(&self.values.1, values) => Ok(values),
            _ => Err(Rejected::at(self.values.0, "the start is worth something else")),
        }
    }

    /// What is wrong with a stage, in words.
    fn refuted(&self, m: &Machine, w: &World, fault: PlayFault) -> Rejected {
        let player = |at: usize| canonical_text(m, w, &self.players[at]);
        let (at, why) = match fault {
            PlayFault::Start => return Rejected::new("the start is in no record"),
            PlayFault::Twice(at) => (at, "the state is listed before".to_owned()),
            PlayFault::Unreached(at) => (at, "nothing leads there from the start".to_owned()),
            PlayFault::Shape(at) => {
                let why = "there must be a strategy for each player unless the game is over";
                (at, why.to_owned())
            }
            PlayFault::Strategy(at, who) => {
                let who = player(who);
                (at, format!("what {who} does are no actions with probabilities that add up to 1"))
            }
            PlayFault::LeftOut(at, state) => {
                let state = canonical_text(m, w, &state);
                (at, format!("actions lead to {state}, which is not listed"))
            }
            PlayFault::Rank(at, other) => {
                let line = self.lines[other];
                (at, format!("actions lead to line {line}, whose rank is not lower"))
            }
            PlayFault::Gains(at, who, gain) => {
                (at, format!("{} gains {gain} by another action", player(who)))
            }
        };
        Rejected::at(self.lines[at], why)
    }
}

/// A list of lists of actions with their probabilities.
fn mixes(term: &Record) -> Option<Vec<Mix>> {
    let (mut heap, root) = term.to_heap();
    let lists = heap.proper_list(root)?;
    let mix = |list: Cell| -> Option<Mix> {
        let items = heap.proper_list(list)?;
        items.into_iter().map(|item| share(&mut heap, item)).collect()
    };
    lists.into_iter().map(mix).collect()
}

fn share(heap: &mut Heap, item: Cell) -> Option<(Record, Rational)> {
    let [action, share] = heap.match_struct::<2>(item, atoms::MINUS)?;
    let share = Figure::of(heap, share)?.share()?;
    is_ground(heap, action).then(|| (Record::new(heap, action), share))
}
