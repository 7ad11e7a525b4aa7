//! From guarded answers to a program.

mod conditions;
mod copies;
mod elements;
mod expected;
mod first;
mod floats;
mod integers;
mod later;
mod moves;
mod parameters;
mod partition;
mod represented;
mod slices;
mod templates;

use super::represented::Presence;
use super::slices::Picking;
use super::vectorise::{Families, Family, FamilyId};
use super::{Block, End, Program, Step, ValueId};
use crate::code::{BlockId, Code, Hole, Leaf, Move};
use crate::merging::{self, Answer, Fold, Outcome};
use crate::words::Words;
pub use expected::MANY;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use zug_state::{May, Word};
use zug_symbolic::{Condition, Formula, Leaves, Shape, Store, Term, limits};
use zug_term::Heap;

/// The reason of states in which several leaves are what one was before.
pub const SEVERAL: u32 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    Test,
    /// The number that its first variable is: an integer or a float.
    Value,
    /// Moves: names are the first variable, costs, if there are some, the second, and states the last.
    Moves {
        cost: bool,
    },
}

/// A state of the shape that a program is for.
pub struct Board<'a> {
    pub shape: u8,
    pub leaves: usize,
    /// The leaves of a state that was met.
    pub sample: &'a [Word],
    /// What just one leaf was in every state met; states in which several leaves have it deoptimise.
    pub singles: &'a [Word],
    pub growth: Growth,
    pub presence: &'a Presence,
    /// Ways that were run as one.
    pub folds: &'a [Fold],
}

/// What integers that moves compute are expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// What they come to from what leaves are expected to be.
    Bounded,
    /// All of one byte, in the direction in which they grow: a counter would take a round for each.
    Open,
    /// What leaves are expected to be already.
    Settled,
}

pub struct Lowered {
    /// The program and the moves that it answers.
    pub code: Code,
    /// The same moves to be picked from: of a predicate without costs, or if moves are folded, which the code itself
    /// does not make then.
    pub picking: Option<Picking>,
    pub is_folded: bool,
    /// States deoptimise because what moves lead to is not represented.
    pub may_deopt: bool,
    pub guards: Vec<Condition>,
    pub back: Condition,
}

impl Lowered {
    /// Puts values where they are computed, in the program and its slices.
    pub fn schedule(&mut self) {
        self.code.program.schedule();
        if let Some(Picking { guards, bodies, .. }) = &mut self.picking {
            guards.program.schedule();
            bodies.program.schedule();
        }
    }
}

/// Makes the program of guarded answers, not yet [scheduled](Lowered::schedule). An error says why there is none.
pub fn lower(
    store: &mut Store,
    outcome: &Outcome,
    asked: Asked,
    board: &Board<'_>,
    words: Words<'_>,
    heap: &mut Heap,
) -> Result<Lowered, String> {
    let mut lowering = Lowering {
        store,
        words,
        heap,
        board,
        program: Program::default(),
        families: Families::default(),
        families_of: Vec::new(),
        worded: FxHashSet::default(),
        planes: false,
        bits: FxHashMap::default(),
        numbers: FxHashMap::default(),
        apart: FxHashSet::default(),
        whole: FxHashSet::default(),
        made: FxHashMap::default(),
        cells: Vec::new(),
        moves: Vec::new(),
        allowed: FxHashMap::default(),
        bounds: Bounds::default(),
        back: Condition::NEVER,
        unbound: Vec::new(),
        fitted: Vec::new(),
        opaque: Vec::new(),
        elements: FxHashMap::default(),
        parameters: FxHashMap::default(),
        moves_in_all: 0,
    };
    lowering.begin();
    let (code, picking, guards) = lowering.answers(outcome, asked)?;
    let may_deopt = lowering.back != Condition::NEVER;
    let back = lowering.store.or([outcome.deopt, lowering.back]);
    let is_folded = lowering.moves_in_all > 0;
    Ok(Lowered { code, picking, is_folded, may_deopt, guards, back })
}

struct Guided {
    condition: Condition,
    name: Term,
    cost: Option<Term>,
    to: Term,
    later: Option<Later>,
    guide: Option<moves::Guide>,
}

/// What follows of a move that goes on with a call.
#[derive(Clone)]
struct Later {
    call: Arc<merging::Call>,
    to: Term,
}

#[derive(Clone)]
struct Item {
    condition: Condition,
    moves: Vec<u32>,
}

/// The bytes that leaves may be where the move is one that is lowered, as bits.
type Allowed = FxHashMap<Leaf, [u64; 4]>;

/// Between which integers values lie.
type Ranges = FxHashMap<ValueId, (i64, i64)>;

#[derive(Default)]
struct Bounds {
    /// Where the move that is lowered is one.
    here: Ranges,
    anywhere: Ranges,
}

struct Lowering<'a, 'w> {
    store: &'a mut Store,
    words: Words<'w>,
    heap: &'a mut Heap,
    board: &'a Board<'a>,
    program: Program,
    families: Families,
    /// The conditions that these are of.
    families_of: Vec<Condition>,
    /// Families are asked as planes.
    planes: bool,
    bits: FxHashMap<Condition, ValueId>,
    /// Of integers and floats.
    numbers: FxHashMap<Term, ValueId>,
    /// Conditions that are asked part by part.
    apart: FxHashSet<Condition>,
    /// Terms in which there is nothing that no word holds.
    worded: FxHashSet<Term>,
    /// Terms without a choice between structures.
    whole: FxHashSet<Term>,
    /// Words of families, by the depth of their members.
    made: FxHashMap<(FamilyId, usize, u32), ValueId>,
    /// By set of values: the set of words.
    cells: Vec<Option<u32>>,
    moves: Vec<Move>,
    allowed: Allowed,
    bounds: Bounds,
    /// Where moves lead to states that can't be put down.
    back: Condition,
    /// What may be unbound in the term that is made a template.
    unbound: Vec<Term>,
    /// The leaves of the state that is fitted to a representation.
    fitted: Vec<Hole>,
    /// The outputs of a call in it, and the leaves in whose places they stand.
    opaque: Vec<(Leaf, Term)>,
    /// By universe and term: the number of the element.
    elements: FxHashMap<(usize, Term), Option<usize>>,
    /// By parameter of a fold: its moves.
    parameters: FxHashMap<zug_symbolic::Leaf, parameters::Parameter>,
    /// How many moves there are, if some are folded.
    moves_in_all: usize,
}

type Lowers<T> = Result<T, String>;

/// The lowered answers: the code, what moves are picked from, and by move where it is one.
type Answered = (Code, Option<Picking>, Vec<Condition>);

impl Lowering<'_, '_> {
    fn begin(&mut self) {
        let may = |leaf| self.words.0.may(self.board.shape, leaf).unwrap_or_default();
        let may: Vec<May> = (0..self.board.leaves).map(may).collect();
        let wide = may.iter().map(May::is_wide).collect();
        let may = may.iter().map(|may| may.bytes).collect();
        self.program = Program { leaves: self.board.leaves, may, wide, ..Program::default() };
        self.bits.clear();
        self.numbers.clear();
        self.apart.clear();
        self.made.clear();
        self.cells.clear();
        self.moves.clear();
    }

    fn finish(&mut self) -> Code {
        let mut program = std::mem::take(&mut self.program);
        program.in_order();
        Code {
            moves: std::mem::take(&mut self.moves),
            leaves: program.leaves,
            program,
            ..Code::default()
        }
    }

    fn answers(&mut self, outcome: &Outcome, asked: Asked) -> Lowers<Answered> {
        let mut sum = None;
        match asked {
            Asked::Test => {
                let holds = self.store.or(outcome.answers.iter().map(|answer| answer.condition));
                self.survey(&[holds, outcome.deopt], &[], &[]);
                let [yes, no] = [End::True, End::Done].map(|end| self.block(Vec::new(), end));
                let entry = self.test(holds, yes, no)?;
                self.deoptimise(outcome.deopt, entry)?;
            }
            Asked::Value => {
                let mut terms = Vec::new();
                for Answer { condition, values, .. } in &outcome.answers {
                    terms.push((*condition, *values.first().ok_or("there is no value")?));
                }
                let roots: Vec<Condition> =
                    terms.iter().map(|&(holds, _)| holds).chain([outcome.deopt]).collect();
                let values: Vec<Term> = terms.iter().map(|&(_, term)| term).collect();
                self.survey(&roots, &values, &[]);
                let mut next = self.block(Vec::new(), End::Done);
                let always = outcome.deopt == Condition::NEVER;
                if let ([(Condition::ALWAYS, term)], true) = (&terms[..], always)
                    && self.store.bounds(*term).is_some()
                {
                    sum = self.sum_of_leaves(*term)?.map(Arc::new);
                }
                for (condition, term) in terms.into_iter().rev() {
                    let answer = self.answer_of(term)?;
                    next = self.test(condition, answer, next)?;
                }
                self.deoptimise(outcome.deopt, next)?;
            }
            Asked::Moves { cost } => {
                let guided = self.split(outcome, cost)?;
                if guided.iter().any(|one| one.guide.is_some()) {
                    let deopt = self.unfolded(outcome.deopt)?;
                    let picking = self.folded_picking(&guided, deopt)?;
                    let guards = guided.iter().map(|one| one.condition).collect();
                    let code = Code { moves: Vec::new(), ..picking.guards.clone() };
                    return Ok((code, Some(picking), guards));
                }
                let mut roots: Vec<Condition> = guided.iter().map(|one| one.condition).collect();
                roots.push(outcome.deopt);
                let items: Vec<Item> = guided
                    .iter()
                    .map(|one| Item { condition: one.condition, moves: Vec::new() })
                    .collect();
                self.survey(&roots, &[], &items);
                let mut items: Vec<Item> = Vec::new();
                let mut kept = Vec::with_capacity(guided.len());
                for one in guided {
                    let Some(number) = self.move_of(&one)? else { continue };
                    match items.last_mut() {
                        Some(last) if last.condition == one.condition => last.moves.push(number),
                        _ => items.push(Item { condition: one.condition, moves: vec![number] }),
                    }
                    kept.push(one);
                }
                let done = self.block(Vec::new(), End::Done);
                let entry = self.sequence(&items, done)?;
                let back = self.store.or([outcome.deopt, self.back]);
                self.deoptimise(back, entry)?;
                let guards = kept.iter().map(|one| one.condition).collect();
                let code = self.finish();
                let picking = match cost {
                    true => None,
                    false => Some(self.picking(&kept, &code.moves, back)?),
                };
                return Ok((code, picking, guards));
            }
        }
        Ok((Code { sum, ..self.finish() }, None, Vec::new()))
    }

    /// States that deoptimise do so before anything else.
    fn deoptimise(&mut self, condition: Condition, entry: BlockId) -> Lowers<()> {
        if condition != Condition::NEVER {
            let back = self.block(Vec::new(), End::Deopt(0));
            self.test(condition, back, entry)?;
        } else if entry as usize + 1 != self.program.blocks.len() {
            self.block(Vec::new(), End::Goto(entry));
        }
        Ok(())
    }

    /// An error if that was more work than there may be.
    fn go_on(&self) -> Lowers<()> {
        if self.store.is_spent() { Err(crate::reason::TOO_MUCH.to_owned()) } else { Ok(()) }
    }

    fn block(&mut self, steps: Vec<Step>, end: End) -> BlockId {
        self.program.blocks.push(Block { steps, end });
        self.program.blocks.len() as BlockId - 1
    }

    fn test(&mut self, condition: Condition, then: BlockId, other: BlockId) -> Lowers<BlockId> {
        Ok(match condition {
            Condition::ALWAYS => then,
            Condition::NEVER => other,
            _ => match self.store.says(condition).clone() {
                Formula::And(parts) if self.takes_apart(condition) => {
                    let mut next = then;
                    for part in self.by_size(&parts).into_iter().rev() {
                        next = self.test(part, next, other)?;
                    }
                    next
                }
                Formula::Or(parts) if self.takes_apart(condition) => {
                    let mut next = other;
                    for part in self.by_size(&parts).into_iter().rev() {
                        next = self.test(part, then, next)?;
                    }
                    next
                }
                _ => {
                    let holds = self.bit(condition)?;
                    self.block(Vec::new(), End::If(holds, then, other))
                }
            },
        })
    }

    /// Whether to ask a condition part by part, each if need be: it is large, in no plane, and asked here alone.
    fn takes_apart(&mut self, condition: Condition) -> bool {
        let takes = !self.planes
            && !self.bits.contains_key(&condition)
            && self.size_of(&[condition]) > limits::CONDITION_PARTS
            && !self.is_asked_together(condition);
        takes && self.apart.insert(condition)
    }

    fn by_size(&mut self, parts: &[Condition]) -> Vec<Condition> {
        let mut parts: Vec<(usize, Condition)> =
            parts.iter().map(|&part| (self.size_of(&[part]), part)).collect();
        parts.sort_unstable();
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// Decides whether conditions are asked as planes: those of moves, if they are given, by what a state asks.
    fn survey(&mut self, roots: &[Condition], terms: &[Term], items: &[Item]) {
        let mut all = roots.to_vec();
        let mut seen = FxHashSet::default();
        for &term in terms {
            self.conditions_of(term, &mut all, &mut seen);
        }
        if self.families_of != all {
            self.families = Families::of(self.store, &all, self.board.leaves);
            self.families_of.clone_from(&all);
        }
        self.cells = vec![None; self.families.sets.len()];
        let planes: usize = self
            .families
            .families
            .iter()
            .filter(|family| family.members.len() > 1)
            .map(Family::size)
            .sum();
        let single = if items.is_empty() { self.size_of(&all) } else { self.size_of_items(items) };
        self.planes = planes * limits::PLANE_WEIGHT < single && self.families.are_in_stages();
    }

    fn conditions_of(&mut self, term: Term, all: &mut Vec<Condition>, seen: &mut FxHashSet<Term>) {
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            if self.store.leaves(term) == Leaves::None || !seen.insert(term) {
                continue;
            }
            self.store.spend(1);
            match self.store.shape(term) {
                Shape::Choice(ways) | Shape::Present(ways) => {
                    for &(condition, term) in ways.iter() {
                        all.push(condition);
                        waiting.push(term);
                    }
                }
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) | Shape::Integer(_, parts) | Shape::Float(_, parts) => {
                    waiting.extend(parts.iter());
                }
                _ => {}
            }
        }
    }

    /// How many operations conditions take one by one, shared ones once.
    fn size_of(&mut self, conditions: &[Condition]) -> usize {
        let (mut seen, mut waiting) = (FxHashSet::default(), conditions.to_vec());
        let mut size = 0;
        while let Some(condition) = waiting.pop() {
            if !seen.insert(condition) {
                continue;
            }
            size += 1;
            if let Formula::And(parts) | Formula::Or(parts) = self.store.says(condition) {
                waiting.extend(parts.iter());
            }
        }
        self.store.spend(size);
        size
    }

    fn answer(&mut self, item: &Item, end: End) -> BlockId {
        let steps = item.moves.iter().map(|&number| Step::Move(number)).collect();
        self.block(steps, end)
    }
}
