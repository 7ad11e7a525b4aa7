//! Decoupled UCT: Monte Carlo tree search where all choose at once.
//!
//! In every state that was met each player has a bandit of its own over its own actions, and
//! knows nothing of what the others choose there: the mean of what came of an action, between 0
//! for the least and 1 for the greatest that this player was seen to get, and a share for
//! actions tried little, `c √(ln n / k)` for one tried `k` of `n` times. What all choose leads
//! on to the next state; from the first that is new a play at random goes to its end. Actions
//! that promise nearly the same are drawn from: else players who are alike would do the same at
//! the same time for ever, and never see what happens when they don't.
//!
//! What is found is a mixture for each player, how often it tried each action. Nothing says that
//! it is near an equilibrium, however many plays are made: players can go round each other for
//! ever (Shafiei, Sturtevant & Schaeffer, *Comparing UCT versus CFR in simultaneous games*,
//! 2009). [`solve_stages`](super::solve_stages) finds one, where a game is small enough.
//!
//! Tak, Lanctot & Winands, *Monte Carlo tree search variants for simultaneous move games*, IEEE
//! CIG (2014); Finnsson & Björnsson, *Simulation-based approach to general game playing*, AAAI
//! (2008).
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::Sampling;
//! use zug_matrix::{Matrix, MatrixGame, NormalForm, OneShot, decoupled_uct};
//!
//! // Whatever the other does, the first action is better.
//! let game = MatrixGame::new(Matrix::of_integers(&[[3, 2], [1, 0]])?).to_bimatrix();
//! let mut game = OneShot::new(NormalForm::from(&game));
//! let found = decoupled_uct(&mut game, &(), &Sampling::default(), &Limits::none());
//! let found = found.expect("no limits, no faults");
//! assert_eq!((found.best(0), found.best(1)), (Some(0), Some(1)));
//! # Ok::<(), zug_matrix::TableError>(())
//! ```

use super::meter::Meter;
use super::normal_form::NormalForm;
use super::rational::to_float;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use zug_random::Random;
use zug_search::game::Sampling;
use zug_search::{Limits, StopReason};

/// Joint moves down the tree after which a play goes on at random.
const DEEPEST: usize = 1000;
/// Joint moves after which a play is broken off, and worth nothing to anybody: it goes round.
const LONGEST: usize = 10_000;
/// By how much less an action may promise, as a part of what is between the least and the
/// greatest that was got, and still be drawn.
const CLOSE: f64 = 0.01;
/// Bytes of a node beside its actions, about.
const NODE_BYTES: usize = 200;

/// A game in which all choose at once, state after state.
pub trait JointGame {
    /// A state.
    type State: Clone + Eq + Hash;
    /// Why an operation fails.
    type Error;

    /// How many players there are.
    fn players(&self) -> usize;

    /// The actions in a state, or its values.
    ///
    /// # Errors
    /// The game's own.
    fn look(&mut self, state: &Self::State) -> Result<Turn, Self::Error>;

    /// Where actions lead, one of each player, by their numbers.
    ///
    /// # Errors
    /// The game's own.
    fn lead(
        &mut self,
        state: &Self::State,
        actions: &[usize],
    ) -> Result<Next<Self::State>, Self::Error>;

    /// The limit that an operation met, if it failed for that.
    fn limit_met(&self, _error: &Self::Error) -> Option<StopReason> {
        None
    }

    /// Bytes that a state holds beyond its own size.
    fn owned_bytes(&self, _state: &Self::State) -> usize {
        0
    }
}

/// The actions of a state, or its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Nothing: the game is over, and worth this to each player.
    Over(Vec<f64>),
    /// So many actions for each player, 1 at least.
    Choose(Vec<usize>),
}

/// The result of joint actions.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<S> {
    /// Another state.
    State(S),
    /// The end, and worth this to each player.
    Ends(Vec<f64>),
}

/// A game in which all choose once.
#[derive(Clone, Debug)]
pub struct OneShot(NormalForm);

impl OneShot {
    /// The game of a table.
    pub fn new(table: NormalForm) -> Self {
        Self(table)
    }
}

impl JointGame for OneShot {
    type State = ();
    type Error = std::convert::Infallible;

    fn players(&self) -> usize {
        self.0.shape().len()
    }

    fn look(&mut self, (): &()) -> Result<Turn, Self::Error> {
        Ok(Turn::Choose(self.0.shape().to_vec()))
    }

    fn lead(&mut self, (): &(), actions: &[usize]) -> Result<Next<()>, Self::Error> {
        let players = 0..self.players();
        Ok(Next::Ends(players.map(|player| to_float(self.0.payoff(actions, player))).collect()))
    }
}

/// What came of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// How often it was tried.
    pub tries: u64,
    /// The sum of what it came to for who chose it.
    pub sum: f64,
}

impl Arm {
    /// The mean of what it came to, 0 if it was never tried.
    pub fn mean(&self) -> f64 {
        if self.tries == 0 { 0.0 } else { self.sum / self.tries as f64 }
    }
}

/// What was found of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoupled {
    /// Plays made.
    pub plays: u64,
    /// Their mean values to each player.
    pub values: Vec<f64>,
    /// For each player what came of each action; empty where the game is over.
    pub arms: Vec<Vec<Arm>>,
    /// States in the tree.
    pub states: usize,
    /// Plays that were broken off.
    pub broken_off: u64,
    /// The limit that ended it early.
    pub stopped: Option<StopReason>,
}

impl Decoupled {
    /// With which part of its tries a player chose each action.
    pub fn mixture(&self, player: usize) -> Vec<f64> {
        let arms = self.arms.get(player).map_or(&[][..], Vec::as_slice);
        let tries: u64 = arms.iter().map(|arm| arm.tries).sum();
        arms.iter().map(|arm| arm.tries as f64 / tries.max(1) as f64).collect()
    }

    /// The action that a player tried most, the first of equals.
    pub fn best(&self, player: usize) -> Option<usize> {
        let arms = self.arms.get(player)?;
        (0..arms.len()).reduce(|best, at| if arms[at].tries > arms[best].tries { at } else { best })
    }
}

/// Why sampling failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleError<E> {
    /// A limit struck before a play was over; `nodes` are joint moves.
    Stopped(StopReason),
    /// An operation failed.
    Failed(E),
}

/// Makes plays from a state and says what came of the actions there.
///
/// As many as asked for, else [`Sampling::PLAYOUTS`], else as the limits allow; plays are never
/// cut off. The same seed makes the same plays.
///
/// # Errors
/// See [`SampleError`].
pub fn decoupled_uct<G: JointGame>(
    game: &mut G,
    start: &G::State,
    sampling: &Sampling,
    limits: &Limits,
) -> Result<Decoupled, SampleError<G::Error>> {
    let limited = limits.time.is_some() || limits.nodes.is_some();
    let most = sampling.playouts.unwrap_or(if limited { u64::MAX } else { Sampling::PLAYOUTS });
    let players = game.players();
    let mut search = Search {
        random: Random::new(sampling.seed),
        exploration: sampling.exploration,
        meter: Meter::new(limits),
        memory: limits.memory,
        bytes: 0,
        nodes: Vec::new(),
        numbers: FxHashMap::default(),
        seen: vec![None; players],
        path: Vec::new(),
        broken_off: 0,
        number: 0,
        game,
    };
    let root = search.number(Next::State(start.clone()));
    let (mut plays, mut sums, mut stopped) = (0, vec![0.0; players], None);
    while plays < most {
        match search.play(root) {
            Ok(values) => {
                plays += 1;
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                // There is nothing to try.
                if matches!(search.nodes[root].stage, Stage::Over(_)) {
                    break;
                }
            }
            Err(halt) => {
                let reason = match halt {
                    SampleError::Stopped(reason) => reason,
                    SampleError::Failed(error) => match search.game.limit_met(&error) {
                        Some(reason) => reason,
                        None => return Err(SampleError::Failed(error)),
                    },
                };
                if plays == 0 {
                    return Err(SampleError::Stopped(reason));
                }
                // Who gave a time and no number of plays has got what was asked for.
                let asked_for = reason == StopReason::Time && sampling.playouts.is_none();
                stopped = (!asked_for).then_some(reason);
                break;
            }
        }
    }
    let arms = match &search.nodes[root].stage {
        Stage::Open(arms) => arms.clone(),
        Stage::New | Stage::Over(_) => Vec::new(),
    };
    Ok(Decoupled {
        plays,
        values: sums.into_iter().map(|sum| sum / plays.max(1) as f64).collect(),
        arms,
        states: search.numbers.len(),
        broken_off: search.broken_off,
        stopped,
    })
}

/// A state of the tree.
struct Node<S> {
    /// None for an end that is only known by what it is worth.
    state: Option<S>,
    stage: Stage,
    /// Plays that came by.
    visits: u64,
    /// The last of them, by number.
    last: u64,
    /// Where the profiles that were tried lead.
    next: FxHashMap<Box<[usize]>, usize>,
}

enum Stage {
    /// Not expanded.
    New,
    Over(Vec<f64>),
    /// By player and action.
    Open(Vec<Vec<Arm>>),
}

/// The failure of an operation of a game.
type Halt<G> = SampleError<<G as JointGame>::Error>;

struct Search<'g, 'l, G: JointGame> {
    game: &'g mut G,
    random: Random,
    exploration: f64,
    meter: Meter<'l>,
    memory: Option<usize>,
    /// Bytes of the tree.
    bytes: usize,
    nodes: Vec<Node<G::State>>,
    numbers: FxHashMap<G::State, usize>,
    /// The least and the greatest that each player was seen to get.
    seen: Vec<Option<(f64, f64)>>,
    /// The nodes of a play with the actions chosen there.
    path: Vec<(usize, Box<[usize]>)>,
    broken_off: u64,
    /// The number of this play, from 1.
    number: u64,
}

impl<G: JointGame> Search<'_, '_, G> {
    /// The node of what comes next.
    fn number(&mut self, next: Next<G::State>) -> usize {
        let (state, stage) = match next {
            Next::State(state) => match self.numbers.get(&state) {
                Some(&known) => return known,
                None => (Some(state), Stage::New),
            },
            Next::Ends(values) => (None, Stage::Over(values)),
        };
        let number = self.nodes.len();
        if let Some(state) = &state {
            self.bytes += 2 * (size_of::<G::State>() + self.game.owned_bytes(state));
            self.numbers.insert(state.clone(), number);
        }
        self.bytes += NODE_BYTES;
        self.nodes.push(Node { state, stage, visits: 0, last: 0, next: FxHashMap::default() });
        number
    }

    /// Before a joint move.
    fn step(&mut self) -> Result<(), Halt<G>> {
        self.meter.step().map_err(SampleError::Stopped)?;
        match self.memory {
            Some(most) if self.bytes > most => Err(SampleError::Stopped(StopReason::Memory)),
            _ => Ok(()),
        }
    }

    /// One play, down the tree and on at random: its values.
    fn play(&mut self, root: usize) -> Result<Vec<f64>, Halt<G>> {
        self.path.clear();
        let mut at = root;
        let values = loop {
            self.step()?;
            self.look(at)?;
            let node = &self.nodes[at];
            match &node.stage {
                Stage::Over(values) => break values.clone(),
                _ if node.visits == 0 && !self.path.is_empty() => break self.at_random(at)?,
                _ if self.path.len() >= DEEPEST => break self.at_random(at)?,
                _ => {}
            }
            let chosen = self.choose(at);
            let to = self.follow(at, &chosen)?;
            self.path.push((at, chosen));
            at = to;
        };
        for (seen, &value) in self.seen.iter_mut().zip(&values) {
            let (low, high) = seen.get_or_insert((value, value));
            (*low, *high) = (low.min(value), high.max(value));
        }
        self.number += 1;
        // A play that goes round counts once for each state, with what was chosen there first.
        for (node, chosen) in &self.path {
            let node = &mut self.nodes[*node];
            if std::mem::replace(&mut node.last, self.number) == self.number {
                continue;
            }
            node.visits += 1;
            let Stage::Open(arms) = &mut node.stage else { continue };
            for ((own, &action), value) in arms.iter_mut().zip(chosen.iter()).zip(&values) {
                own[action].tries += 1;
                own[action].sum += value;
            }
        }
        self.nodes[at].visits += 1;
        Ok(values)
    }

    fn look(&mut self, at: usize) -> Result<(), Halt<G>> {
        let (Stage::New, Some(state)) = (&self.nodes[at].stage, &self.nodes[at].state) else {
            return Ok(());
        };
        let turn = self.game.look(state).map_err(SampleError::Failed)?;
        self.nodes[at].stage = match turn {
            Turn::Over(values) => Stage::Over(values),
            Turn::Choose(actions) => {
                self.bytes += actions.iter().sum::<usize>() * size_of::<Arm>();
                Stage::Open(actions.iter().map(|&count| vec![Arm::default(); count]).collect())
            }
        };
        Ok(())
    }

    /// Where actions lead from a node.
    fn follow(&mut self, at: usize, chosen: &[usize]) -> Result<usize, Halt<G>> {
        if let Some(&known) = self.nodes[at].next.get(chosen) {
            return Ok(known);
        }
        let Some(state) = &self.nodes[at].state else { return Ok(at) };
        let next = self.game.lead(state, chosen).map_err(SampleError::Failed)?;
        let to = self.number(next);
        self.bytes += size_of_val(chosen) + 4 * size_of::<usize>();
        self.nodes[at].next.insert(chosen.into(), to);
        Ok(to)
    }

    /// What each player tries next in a node, for itself.
    fn choose(&mut self, at: usize) -> Box<[usize]> {
        let Stage::Open(arms) = &self.nodes[at].stage else { return Box::default() };
        let (random, exploration, seen) = (&mut self.random, self.exploration, &self.seen);
        let players = arms.iter().zip(seen);
        players.map(|(own, seen)| most_promising(own, *seen, exploration, random)).collect()
    }

    /// Plays at random to the end: the values.
    fn at_random(&mut self, from: usize) -> Result<Vec<f64>, Halt<G>> {
        let nothing = vec![0.0; self.seen.len()];
        let Some(mut state) = self.nodes[from].state.clone() else { return Ok(nothing) };
        for _ in 0..LONGEST {
            self.step()?;
            let actions = match self.game.look(&state).map_err(SampleError::Failed)? {
                Turn::Over(values) => return Ok(values),
                Turn::Choose(actions) => actions,
            };
            let any = |&count: &usize| self.random.below(count.max(1) as u64) as usize;
            let chosen: Vec<usize> = actions.iter().map(any).collect();
            state = match self.game.lead(&state, &chosen).map_err(SampleError::Failed)? {
                Next::State(state) => state,
                Next::Ends(values) => return Ok(values),
            };
        }
        self.broken_off += 1;
        Ok(nothing)
    }
}

/// An action that was not tried, or one with the greatest upper confidence; any of several that
/// are close.
fn most_promising(
    arms: &[Arm],
    seen: Option<(f64, f64)>,
    exploration: f64,
    random: &mut Random,
) -> usize {
    let tries: u64 = arms.iter().map(|arm| arm.tries).sum();
    let log = (tries.max(1) as f64).ln();
    let scaled = |value: f64| match seen {
        Some((low, high)) if high > low => (value - low) / (high - low),
        _ => 0.5,
    };
    let score = |arm: &Arm| match arm.tries {
        0 => f64::INFINITY,
        tries => scaled(arm.mean()) + exploration * (log / tries as f64).sqrt(),
    };
    let scores: Vec<f64> = arms.iter().map(score).collect();
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<usize> = (0..arms.len()).filter(|&at| scores[at] >= most - CLOSE).collect();
    match best.as_slice() {
        [] => 0,
        [only] => *only,
        several => several[random.below(several.len() as u64) as usize],
    }
}
