//! Layer by layer.

use super::bits::{Bits, Literals, When};
use super::clock::has_clock;
use super::conditions::{Conditions, Maker, Taken};
use super::count::{self, some};
use super::events::Events;
use super::store::{Diagram, NODE_BYTES, Stop, Store, Watch};
use super::{Ended, Limits, Next, NoDiagrams, Player, Progress, Side, Space, order};
use oxidd::Function;
use zug_derived::{Leaf, Value};

/// Nodes that a search has room for at first: with more, nothing that is of no use any more would be collected
/// for long.
const FIRST_NODES: usize = 1 << 16;
/// How much more room the next attempt has.
const GROWTH: usize = 16;
/// The most nodes that can have numbers.
const MOST_NODES: usize = u32::MAX as usize - 16;
/// States of the deepest layer that are handed out.
const DEEPEST: usize = 100;

/// Why a search does not go on.
enum Halt {
    Full,
    Ended(Ended),
    No(NoDiagrams),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        match stop {
            Stop::Full => Halt::Full,
            Stop::Watched(reason) => Halt::Ended(Ended::Watched(reason)),
        }
    }
}

impl From<NoDiagrams> for Halt {
    fn from(why: NoDiagrams) -> Halt {
        Halt::No(why)
    }
}

/// Counts the states that can be reached from one, by the number of moves. `watch` is told how far it is, again and
/// again, and ends it with a number of its own.
///
/// # Errors
/// Something is not known of a state that is reached.
pub fn explore(
    sides: &[Side<'_>],
    (player, start): (Player, &[Value]),
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Space, NoDiagrams> {
    let domains = sides.first().map_or(&[][..], |side| &side.moves.domains);
    let bits = Bits::new(domains, &order::of(sides, domains.len()))?;
    let most = (limits.bytes / NODE_BYTES).clamp(1 << 10, MOST_NODES);
    let mut nodes = FIRST_NODES.min(most);
    // What attempts with less room have counted.
    let mut before = Space::default();
    loop {
        let mut space = Space::default();
        let ended = with_room(sides, (player, start), &bits, nodes, limits, watch, &mut space);
        match ended {
            Ok(()) => return Ok(space),
            // What took this long is little beside what follows.
            Err(Halt::Full) if nodes < most => nodes = nodes.saturating_mul(GROWTH).min(most),
            Err(Halt::Full) => return Ok(Space { ended: Some(Ended::Memory), ..space }),
            Err(Halt::Ended(ended)) => {
                let more =
                    if before.by_depth.len() > space.by_depth.len() { before } else { space };
                return Ok(Space { ended: Some(ended), ..more });
            }
            Err(Halt::No(why)) => return Err(why),
        }
        before = space;
    }
}

fn with_room(
    sides: &[Side<'_>],
    (player, start): (Player, &[Value]),
    bits: &Bits,
    nodes: usize,
    limits: &Limits,
    watch: &mut Watch<'_>,
    space: &mut Space,
) -> Result<(), Halt> {
    let mut watch = |told: &Progress| watch(told);
    let store = Store::new(nodes, bits.variables(), &mut watch)?;
    let ended = layers(sides, (player, start), (&store, bits), limits, space);
    space.peak_nodes = store.most_nodes();
    space.peak_bytes = space.peak_nodes * NODE_BYTES;
    ended
}

fn layers(
    sides: &[Side<'_>],
    (player, start): (Player, &[Value]),
    (store, bits): (&Store<'_>, &Bits),
    limits: &Limits,
    space: &mut Space,
) -> Result<(), Halt> {
    let (first, ready) = {
        let mut maker = Maker { store, bits, literals: Literals::new() };
        let first = start.iter().enumerate();
        let first = first.map(|(leaf, &value)| maker.is(leaf as Leaf, value, When::Before));
        let first = first.collect::<Result<Vec<_>, _>>()?;
        let first = maker.store.all(first)?;
        let mut ready = Vec::with_capacity(sides.len());
        for side in sides {
            let mut moves = Conditions::new(side.moves);
            let events = Events::of(&mut maker, &mut moves)?;
            ready.push(events);
        }
        let clock = has_clock(&mut maker, &ready)?;
        (first, (ready, clock))
    };
    let (events, has_clock) = ready;
    let none = || vec![store.never.clone(); sides.len()];
    let (mut layer, mut seen) = (none(), none());
    layer[player] = first;
    let mut total: u128 = 0;
    loop {
        let mut size: u128 = 0;
        let mut nodes = 0;
        for set in &layer {
            let states = count::states(set, store, bits)?;
            size = size.checked_add(states).ok_or(NoDiagrams::Count)?;
            nodes += set.node_count();
        }
        if size == 0 {
            return Ok(());
        }
        total = total.checked_add(size).ok_or(NoDiagrams::Count)?;
        let depth = space.by_depth.len() as u32;
        space.by_depth.push(size);
        space.nodes.push(nodes);
        space.deepest = deepest(store, bits, &layer);
        if depth >= limits.depth {
            return Err(Halt::Ended(Ended::Depth));
        }
        if space.expanded.saturating_add(size) > limits.states {
            return Err(Halt::Ended(Ended::States));
        }
        if !has_clock {
            for (seen, layer) in seen.iter_mut().zip(&layer) {
                *seen = store.or(seen, layer)?;
            }
        }
        let expanded = space.expanded;
        store.tell(Progress { depth, expanded, layer: size, ..Progress::default() });
        let mut step = Step { sides, events: &events, store, bits, space };
        layer = step.next(layer, if has_clock { None } else { Some(&seen) })?;
        space.expanded += size;
    }
}

fn deepest(store: &Store<'_>, bits: &Bits, layer: &[Diagram]) -> Vec<(Player, Vec<Value>)> {
    let mut deepest = Vec::new();
    for (player, set) in layer.iter().enumerate() {
        let found = some(set, store, bits, DEEPEST - deepest.len());
        deepest.extend(found.into_iter().map(|state| (player, state)));
    }
    deepest
}

/// From one layer to the next.
struct Step<'s, 'w> {
    sides: &'s [Side<'s>],
    events: &'s [Events],
    store: &'s Store<'w>,
    bits: &'s Bits,
    space: &'s mut Space,
}

impl<'s, 'w> Step<'s, 'w> {
    fn next(
        &mut self,
        layer: Vec<Diagram>,
        seen: Option<&[Diagram]>,
    ) -> Result<Vec<Diagram>, Halt> {
        let store = self.store;
        let mut next: Vec<Vec<Diagram>> = vec![Vec::new(); self.sides.len()];
        let mut terminal: u128 = 0;
        for (player, states) in layer.into_iter().enumerate() {
            if states == store.never {
                continue;
            }
            let going = self.going_on(player, &states)?;
            terminal += self.without_moves(player, &states, &going)?;
            let image = self.image(player, &going)?;
            drop((states, going));
            for (to, set) in self.told_apart(player, image)? {
                next[to].push(set);
            }
        }
        let mut layer = Vec::with_capacity(next.len());
        for (player, sets) in next.into_iter().enumerate() {
            let all = store.any(sets)?;
            layer.push(match seen {
                Some(seen) => store.without(&all, &seen[player])?,
                None => all,
            });
        }
        // Only what is counted of a whole layer counts.
        self.space.terminal += terminal;
        Ok(layer)
    }

    fn maker(&self) -> Maker<'s, 'w> {
        Maker { store: self.store, bits: self.bits, literals: Literals::new() }
    }

    /// An error with a state of the set, if it has one.
    fn check_none(
        &self,
        set: &Diagram,
        player: Player,
        why: fn(Player, Vec<Value>) -> NoDiagrams,
    ) -> Result<(), Halt> {
        if *set == self.store.never {
            return Ok(());
        }
        let one = some(set, self.store, self.bits, 1).pop().unwrap_or_default();
        Err(why(player, one).into())
    }

    /// The states in which the game is not over.
    fn going_on(&mut self, player: Player, states: &Diagram) -> Result<Diagram, Halt> {
        let Some(over) = self.sides[player].over else { return Ok(states.clone()) };
        let (mut conditions, mut maker) = (Conditions::new(over), self.maker());
        let escape = conditions.diagram(&mut maker, over.escape, Taken::Holds)?;
        let mut unknown = self.store.and(states, &escape)?;
        if let Some(vague) = conditions.vague(&mut maker, over.goal)? {
            unknown = self.store.or(&unknown, &self.store.and(states, &vague)?)?;
        }
        self.check_none(&unknown, player, NoDiagrams::Over)?;
        Ok(conditions.outside(&mut maker, states, over.goal)?)
    }

    /// How many states have no successor.
    fn without_moves(
        &mut self,
        player: Player,
        states: &Diagram,
        going: &Diagram,
    ) -> Result<u128, Halt> {
        let (events, store) = (&self.events[player], self.store);
        let unknown = store.and(going, &events.vague)?;
        self.check_none(&unknown, player, NoDiagrams::Moves)?;
        let over = store.without(states, going)?;
        let mut left = going.clone();
        for enabled in &events.enabled {
            if left == store.never {
                break;
            }
            left = store.without(&left, enabled)?;
        }
        if self.sides[player].must_go_on {
            self.check_none(&left, player, NoDiagrams::Moves)?;
        }
        Ok(count::states(&over, store, self.bits)? + count::states(&left, store, self.bits)?)
    }

    fn image(&mut self, player: Player, states: &Diagram) -> Result<Diagram, Halt> {
        // As a counter in binary: sets of about as many events are joined.
        let mut joined: Vec<Option<Diagram>> = Vec::new();
        for event in &self.events[player].all {
            let mut set = event.image(self.store, states)?;
            let mut at = 0;
            while let Some(other) = joined.get_mut(at).and_then(Option::take) {
                set = self.store.or(&other, &set)?;
                at += 1;
            }
            if at == joined.len() {
                joined.push(None);
            }
            joined[at] = Some(set);
        }
        let mut all = self.store.never.clone();
        for set in joined.into_iter().flatten() {
            all = self.store.or(&all, &set)?;
        }
        Ok(all)
    }

    /// Who is to move where.
    fn told_apart(
        &mut self,
        player: Player,
        states: Diagram,
    ) -> Result<Vec<(Player, Diagram)>, Halt> {
        let (of, turns) = match self.sides[player].next {
            Next::Player(next) => return Ok(vec![(next, states)]),
            Next::Told(of, turns) => (of, turns),
        };
        let (mut conditions, mut maker) = (Conditions::new(of), self.maker());
        let (mut left, mut all) = (states, Vec::new());
        let escape = conditions.diagram(&mut maker, of.escape, Taken::Holds)?;
        self.check_none(&self.store.and(&left, &escape)?, player, NoDiagrams::Turn)?;
        for &(condition, next) in turns {
            let may = conditions.diagram(&mut maker, condition, Taken::Holds)?;
            if let Some(vague) = conditions.vague(&mut maker, condition)? {
                self.check_none(&self.store.and(&left, &vague)?, player, NoDiagrams::Turn)?;
            }
            all.push((next, self.store.and(&left, &may)?));
            left = self.store.without(&left, &may)?;
        }
        self.check_none(&left, player, NoDiagrams::Turn)?;
        Ok(all)
    }
}
