//! Mutex groups: facts of which at most one holds, found by invariant synthesis.
//!
//! A candidate is a set of functors, each with one argument at most that is counted and the others as parameters: for all
//! values of these the number of facts that hold never grows. A ground operator that makes it grow refutes the candidate,
//! unless something that it removes can be added to the candidate as well (M. Helmert, *Concise finite-domain
//! representations for PDDL planning tasks*, 2009, section 5; here with ground operators, so that nothing has to be proved
//! of schemas).

use super::facts::{Fact, Facts, argument, functor};
use super::schema::SetId;
use super::task::Task;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use zug_symbolic::{Store, Term};

/// Candidates that are looked at,
const CANDIDATES: usize = 600;
/// and operators, for all of them.
const CHECKS: usize = 20_000_000;

/// What facts of one kind have in common: the set that they are in, and the bits of their functor or of themselves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Functor(SetId, u64);

/// Facts of one functor, in a candidate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Member {
    functor: Functor,
    /// By parameter of the candidate: the place of the argument.
    places: Vec<usize>,
}

type Candidate = Vec<Member>;

struct Described {
    functor: Functor,
    arguments: Vec<Term>,
}

/// Groups of facts of which at most one holds in each state that can be reached. Some facts may be in several.
/// Sets of values are none of them: each is a group by itself.
pub fn groups(
    store: &Store,
    facts: &Facts,
    task: &Task,
    (initial, values): (usize, &FxHashSet<SetId>),
) -> Vec<Vec<Fact>> {
    let describe = |fact: usize| {
        let (set, term) = facts.get(fact as Fact);
        described(store, (set, term)).filter(|_| !values.contains(&set))
    };
    let described: Vec<Option<Described>> = (0..facts.len()).map(describe).collect();
    let of = |fact: Fact| described[fact as usize].as_ref();
    let mut functors: Vec<(Functor, usize)> = Vec::new();
    for (fact, of) in described.iter().enumerate() {
        if let Some(of) = of.as_ref().filter(|_| !task.always[fact]) {
            functors.push((of.functor, of.arguments.len()));
        }
    }
    functors.sort_unstable();
    functors.dedup();
    let mut waiting: VecDeque<Candidate> = VecDeque::new();
    for &(functor, arity) in &functors {
        for counted in 0..=arity {
            let places = (0..arity).filter(|&place| place != counted).collect();
            waiting.push_back(vec![Member { functor, places }]);
        }
    }
    let mut known: FxHashSet<Candidate> = waiting.iter().cloned().collect();
    // Which operators add facts of a functor.
    let mut adding: FxHashMap<Functor, Vec<usize>> = FxHashMap::default();
    for (number, operator) in task.operators.iter().enumerate() {
        for effect in &operator.effects {
            let adds = effect.becomes == Some(true)
                || effect.where_holds.iter().any(|(_, becomes)| *becomes);
            if let Some(of) = of(effect.fact).filter(|_| adds) {
                let all = adding.entry(of.functor).or_default();
                if all.last() != Some(&number) {
                    all.push(number);
                }
            }
        }
    }
    let (mut groups, mut looked, mut checks) = (Vec::new(), 0, 0);
    while let Some(candidate) = waiting.pop_front() {
        looked += 1;
        if looked > CANDIDATES || checks > CHECKS {
            break;
        }
        let checker = Checker { candidate: &candidate, of: &of };
        let mut refuted = None;
        let numbers = candidate.iter().filter_map(|member| adding.get(&member.functor)).flatten();
        for &number in numbers {
            checks += 1;
            if let Err(key) = checker.keeps(task, number) {
                refuted = Some((number, key));
                break;
            }
        }
        let Some((number, key)) = refuted else {
            groups.extend(checker.instances(facts.len(), initial));
            continue;
        };
        let Some(key) = key else { continue };
        // It stays balanced with something that the operator removes.
        for effect in &task.operators[number].effects {
            let operator = &task.operators[number];
            if effect.becomes != Some(false) || !operator.needs.contains(&effect.fact) {
                continue;
            }
            let Some(removed) = of(effect.fact) else { continue };
            if candidate.iter().any(|member| member.functor == removed.functor)
                || !(key.len()..=key.len() + 1).contains(&removed.arguments.len())
            {
                continue;
            }
            for places in placements(&removed.arguments, &key) {
                let mut more = candidate.clone();
                more.push(Member { functor: removed.functor, places });
                more.sort();
                if known.insert(more.clone()) {
                    waiting.push_back(more);
                }
            }
        }
    }
    groups
}

fn described(store: &Store, (set, term): (SetId, Term)) -> Option<Described> {
    let (name, arity) = functor(store, term)?;
    let arguments = (0..arity).map(|at| argument(store, term, at)).collect();
    Some(Described { functor: Functor(set, name.0), arguments })
}

/// All ways to find the values of a key among arguments, of which one at most is left.
fn placements(arguments: &[Term], key: &[Term]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for value in key {
        let mut longer = Vec::new();
        for places in all {
            for (place, argument) in arguments.iter().enumerate() {
                if argument == value && !places.contains(&place) {
                    longer.push([&places[..], &[place]].concat());
                }
            }
        }
        all = longer;
    }
    all
}

struct Checker<'c, F> {
    candidate: &'c Candidate,
    of: F,
}

impl<'d, F: Fn(Fact) -> Option<&'d Described>> Checker<'_, F> {
    /// The parameters of the instance that a fact is in.
    fn key(&self, fact: Fact) -> Option<Vec<Term>> {
        let of = (self.of)(fact)?;
        let member = self.candidate.iter().find(|member| member.functor == of.functor)?;
        Some(member.places.iter().map(|&place| of.arguments[place]).collect())
    }

    /// Whether an operator makes no more facts of an instance hold; if not, the instance, unless nothing can balance it.
    fn keeps(&self, task: &Task, number: usize) -> Result<(), Option<Vec<Term>>> {
        let operator = &task.operators[number];
        let mut grown: Vec<(Vec<Term>, i32)> = Vec::new();
        for effect in &operator.effects {
            let Some(key) = self.key(effect.fact) else { continue };
            if effect.where_holds.iter().any(|(_, becomes)| *becomes) {
                return Err(None);
            }
            let held = operator.needs.binary_search(&effect.fact).is_ok();
            let by = match effect.becomes {
                Some(true) if !held => 1,
                Some(false) if held => -1,
                _ => 0,
            };
            match grown.iter_mut().find(|(known, _)| *known == key) {
                Some((_, sum)) => *sum += by,
                None => grown.push((key.clone(), by)),
            }
            if by == 1 {
                // Two of one instance at once are too many, whatever is removed.
                let others = operator.effects.iter().filter(|other| {
                    other.becomes == Some(true) && self.key(other.fact).as_ref() == Some(&key)
                });
                if others.count() > 1 {
                    return Err(None);
                }
            }
        }
        match grown.into_iter().find(|(_, sum)| *sum > 0) {
            Some((key, _)) => Err(Some(key)),
            None => Ok(()),
        }
    }

    /// Instances of which one fact at most holds in the beginning.
    fn instances(&self, facts: usize, initial: usize) -> Vec<Vec<Fact>> {
        let mut all: FxHashMap<Vec<Term>, Vec<Fact>> = FxHashMap::default();
        for fact in 0..facts as Fact {
            if let Some(key) = self.key(fact) {
                all.entry(key).or_default().push(fact);
            }
        }
        let is_group = |group: &Vec<Fact>| {
            group.iter().filter(|&&fact| (fact as usize) < initial).count() == 1 && group.len() > 1
        };
        let mut groups: Vec<Vec<Fact>> = all.into_values().filter(is_group).collect();
        groups.sort_unstable();
        groups
    }
}
