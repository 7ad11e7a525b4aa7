//! Plays games and learns from them: [`Learner`].

use super::policy::Policy;
use super::rule::{GREATEST, Method, Rule};
use crate::game::expected::Expected;
use crate::game::graph::{Graph, GraphOf, NodeId};
use crate::game::interface::{CHANCE, Game, Player};
use crate::game::meter::Halt;
use crate::game::rollout::falls;
use crate::game::value::Value;
use crate::space::Row;
use zug_random::Random;

/// Moves after which a game is broken off as a draw.
pub(super) const LONGEST: usize = 1000;

/// Chooses the moves of those who don't learn: a place among the edges of a node whose moves
/// are known; `None` to wait for [`Learner::answer`].
pub type Chooser<'a, G> =
    dyn FnMut(&mut G, &GraphOf<G>, NodeId, &mut Random) -> Result<Option<usize>, Halt> + 'a;

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Games won.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl OutcomeCounts {
    /// Games in all.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn count(&mut self, result: Ending) {
        match result {
            Ending::Win => self.wins += 1,
            Ending::Draw => self.draws += 1,
            Ending::Loss => self.losses += 1,
        }
    }
}

/// The result of a game for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Win,
    Draw,
    Loss,
}

/// The state of a game after playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// The game is over, and learned from.
    Over,
    /// The caller has to choose the move at this node.
    Waiting(NodeId),
}

/// Something that happened in a game, for those who follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// At a node the learner, or chance, made this move, a place among its edges.
    Made(NodeId, usize),
    /// The game was over, and the games so far had ended in this way.
    Over(OutcomeCounts),
}

/// A move of a game.
#[derive(Clone, Copy, Debug)]
struct EpisodeMove {
    node: NodeId,
    player: Player,
    at: usize,
}

/// A game that is being played.
struct Episode {
    node: NodeId,
    /// The moves of those who choose.
    steps: Vec<EpisodeMove>,
    /// All moves.
    length: usize,
    /// What chance does: it follows from the seed and the number of the game alone.
    dice: Random,
    /// Where the random numbers stood when it began.
    before: u64,
}

/// One who plays a game and learns, with states `S` and values `V`.
pub struct Learner<S: Row, V> {
    graph: Graph<S, V>,
    start: S,
    rule: Rule,
    policy: Policy<S>,
    seed: u64,
    random: Random,
    games: u64,
    tally: OutcomeCounts,
    /// The events since they were last taken, if they are recorded.
    events: Option<Vec<Event>>,
    /// The state in whose box a state's moves lie.
    key: fn(&S) -> S,
    episode: Option<Episode>,
}

/// One who learns a game.
pub type LearnerOf<G> = Learner<<G as Game>::State, <G as Game>::Value>;

impl<S: Row, V: Value> Learner<S, V> {
    /// One who knows nothing.
    pub fn new(start: S, rule: Rule, seed: u64) -> Self {
        Self {
            graph: Graph::default(),
            start,
            rule,
            policy: Policy::new(),
            seed,
            random: Random::new(seed),
            games: 0,
            tally: OutcomeCounts::default(),
            events: None,
            key: S::clone,
            episode: None,
        }
    }

    /// One who goes on after so many games, with the seed it had then.
    pub fn resume(&mut self, policy: Policy<S>, random: u64, games: u64, tally: OutcomeCounts) {
        (self.policy, self.random) = (policy, Random::at(random));
        (self.games, self.tally) = (games, tally);
    }

    /// States for which `key` says the same share a box; their moves are the same.
    pub fn share_boxes(&mut self, key: fn(&S) -> S) {
        self.key = key;
    }

    /// From now on notes what happens, for [`Learner::events`].
    pub fn note_events(&mut self) {
        self.events.get_or_insert_default();
    }

    /// What happened since this was asked last.
    pub fn events(&mut self) -> Vec<Event> {
        self.events.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How it learns.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// What it has learned.
    pub fn policy(&self) -> &Policy<S> {
        &self.policy
    }

    /// Where its random numbers stand.
    pub fn random(&self) -> u64 {
        self.random.position()
    }

    /// Games learned from.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How they ended: for the learner or, where it plays all sides, for who begins.
    pub fn tally(&self) -> OutcomeCounts {
        self.tally
    }

    /// The states met.
    pub fn graph(&mut self) -> &mut Graph<S, V> {
        &mut self.graph
    }

    /// The state in whose box the moves of a node lie.
    pub fn key_of(&self, node: NodeId) -> S {
        (self.key)(&self.graph.state(node))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + self.policy.bytes()
    }

    /// The player it is in the next game against others: each in turn.
    pub fn seat(&self, players: usize) -> Player {
        (self.games % players.max(1) as u64) as Player
    }

    /// Plays the rest of a game, or a whole one, and learns from it; without others it plays
    /// all sides.
    ///
    /// # Errors
    /// The game failed or a limit struck; then this game never was.
    pub fn play<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        others: Option<&mut Chooser<'_, G>>,
    ) -> Result<Played, Halt> {
        let before = self.random.position();
        let mut episode = match self.episode.take() {
            Some(episode) => episode,
            None => Episode {
                node: self.begin(game)?,
                steps: Vec::new(),
                length: 0,
                dice: Random::nth(self.seed, self.games),
                before,
            },
        };
        let seat = others.is_some().then(|| self.seat(game.players()));
        let ended = self.play_on(game, &mut episode, seat, others);
        match ended {
            Ok(Some(node)) => {
                self.episode = Some(episode);
                return Ok(Played::Waiting(node));
            }
            Ok(None) => {}
            Err(halt) => {
                self.random = Random::at(episode.before);
                return Err(halt);
            }
        }
        let rewards = match rewards(game, &mut self.graph, episode.node, episode.length) {
            Ok(rewards) => rewards,
            Err(halt) => {
                self.random = Random::at(episode.before);
                return Err(halt);
            }
        };
        self.learn(&episode.steps, &rewards, seat);
        if let Some(events) = &mut self.events {
            events.push(Event::Over(self.tally));
        }
        Ok(Played::Over)
    }

    /// The node where games begin.
    pub(super) fn begin<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
    ) -> Result<NodeId, Halt> {
        if !game.has_symmetry() {
            return self.graph.intern(game, &self.start).map_err(Halt::Stop);
        }
        let standing = game.canonical(&self.start)?;
        self.graph.intern(game, &standing).map_err(Halt::Stop)
    }

    /// Plays to the end, or to where the caller has to choose.
    fn play_on<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        episode: &mut Episode,
        seat: Option<Player>,
        mut others: Option<&mut Chooser<'_, G>>,
    ) -> Result<Option<NodeId>, Halt> {
        while episode.length < LONGEST
            && let Some(count) = self.graph.moves(game, episode.node)?
        {
            let (node, player) = (episode.node, self.graph.player(episode.node));
            let at = match &mut others {
                _ if player == CHANCE => {
                    let chances = self.graph.probabilities(game, node)?;
                    falls(&mut episode.dice, chances.iter().map(Expected::as_f64))
                }
                Some(choose) if seat != Some(player) => {
                    match choose(game, &self.graph, node, &mut self.random)? {
                        Some(at) => at,
                        None => return Ok(Some(node)),
                    }
                }
                _ => self.draw(node, count as usize),
            };
            let own = player == CHANCE || seat.is_none_or(|seat| seat == player);
            if let Some(events) = self.events.as_mut().filter(|_| own) {
                events.push(Event::Made(node, at));
            }
            episode.go(&self.graph, at);
        }
        Ok(None)
    }

    /// The move for which [`Played::Waiting`] waits, as a place among the node's edges.
    pub fn answer(&mut self, at: usize) {
        if let Some(episode) = &mut self.episode {
            episode.go(&self.graph, at);
        }
    }

    /// Whether a game waits for an answer.
    pub fn is_waiting(&self) -> bool {
        self.episode.is_some()
    }

    /// Breaks off the game that waits, if one does.
    pub fn break_off(&mut self) {
        if let Some(episode) = self.episode.take() {
            self.random = Random::at(episode.before);
        }
    }

    fn draw(&mut self, node: NodeId, count: usize) -> usize {
        match self.policy.get(&(self.key)(&self.graph.state(node))) {
            Some(moves) => self.rule.draw(moves, self.games, &mut self.random),
            None => self.rule.draw(&self.rule.fresh(count), self.games, &mut self.random),
        }
    }

    /// Changes what is known of the moves that were made, the last one first.
    fn learn(&mut self, steps: &[EpisodeMove], rewards: &[f64], seat: Option<Player>) {
        // What lies behind a player's move: what was made of the one that player made next.
        let mut behind: Vec<Option<f64>> = vec![None; rewards.len()];
        // The first player is the one who is to move at the start.
        let own = seat.or_else(|| steps.first().map(|step| step.player)).unwrap_or(0);
        let of = |player: Player| rewards.get(usize::from(player)).copied().unwrap_or(0.0);
        let two = seat.is_none() && rewards.len() == 2;
        let mut next: Option<(f64, Player)> = None;
        for step in steps.iter().rev().filter(|step| seat.is_none_or(|seat| seat == step.player)) {
            let rule = self.rule;
            let count = self.graph.known_edges(step.node).len();
            let key = self.key_of(step.node);
            let moves = self.policy.entry(&key, || rule.fresh(count));
            moves[step.at].tries += 1;
            let player = usize::from(step.player);
            let last = &mut behind[player];
            match rule.method {
                Method::Matchboxes if last.is_none() || rule.beads.all => {
                    let beads = match ending(rewards, step.player) {
                        Ending::Win => rule.beads.win,
                        Ending::Draw => rule.beads.draw,
                        Ending::Loss => rule.beads.loss,
                    };
                    Rule::put(moves, step.at, beads);
                    *last = Some(0.0);
                }
                Method::Matchboxes => {}
                Method::MonteCarlo => {
                    let target = last.map_or(of(step.player), |worth| worth * rule.rates.discount);
                    rule.approach(&mut moves[step.at], target, self.games);
                    *last = Some(target);
                }
                Method::Q => {
                    // With two players what the next one can win is lost; else the others
                    // are a part of the world.
                    let next = match next {
                        Some((best, who)) if two && who != step.player => Some(-best),
                        Some((best, _)) if two => Some(best),
                        _ => *last,
                    };
                    let target = next.map_or(of(step.player), |best| best * rule.rates.discount);
                    rule.approach(&mut moves[step.at], target, self.games);
                    *last = Some(best(moves));
                }
            }
            next = Some((best(moves), step.player));
        }
        self.games += 1;
        self.tally.count(ending(rewards, own));
    }
}

impl Episode {
    fn go<S: Row, V>(&mut self, graph: &Graph<S, V>, at: usize) {
        let Some(edge) = graph.known_edges(self.node).get(at) else { return };
        let player = graph.player(self.node);
        if player != CHANCE {
            self.steps.push(EpisodeMove { node: self.node, player, at });
        }
        self.length += 1;
        self.node = edge.to;
    }
}

fn best(moves: &[super::policy::MoveStats]) -> f64 {
    moves.iter().map(|known| known.worth).fold(f64::NEG_INFINITY, f64::max)
}

/// The reward of each player; 0 if the game was broken off.
pub(super) fn rewards<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    node: NodeId,
    moves: usize,
) -> Result<Vec<f64>, Halt> {
    let players = game.players();
    if moves >= LONGEST && !graph.is_over(game, node)? {
        return Ok(vec![0.0; players]);
    }
    let bounded = |value: G::Value| value.as_f64().clamp(-GREATEST, GREATEST);
    if players != 2 || !game.is_zero_sum() {
        return Ok(graph.utilities(game, node)?.into_iter().map(bounded).collect());
    }
    let own = bounded(graph.utility(game, node)?);
    let mover = usize::from(graph.valued_for(node));
    Ok((0..2).map(|player| if player == mover { own } else { 0.0 - own }).collect())
}

/// Who has the most has won, unless all have as much; alone, who has more than nothing.
pub(super) fn ending(rewards: &[f64], player: Player) -> Ending {
    let own = rewards.get(usize::from(player)).copied().unwrap_or(0.0);
    let most = rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let to_beat = if rewards.len() > 1 { None } else { Some(0.0) };
    match to_beat {
        Some(nothing) if own > nothing => Ending::Win,
        Some(nothing) if own < nothing => Ending::Loss,
        Some(_) => Ending::Draw,
        None if rewards.iter().all(|&other| other == most) => Ending::Draw,
        None if own == most => Ending::Win,
        None => Ending::Loss,
    }
}
