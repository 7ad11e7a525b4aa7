//! Control: conjunctions, choices, conditions, negations, cuts.

use super::Run;
use super::environment::{Way, tested};
use super::goals::{Around, Conjunct, Goal, Kind, joined};
use std::sync::Arc;
use zug_machine::Space;
use zug_symbolic::{Condition, Shape, Store, Term, Variable, limits};
use zug_term::Cell;
use zug_term::symbol::atoms;

pub struct Solved {
    pub ways: Vec<Way>,
    /// The states in which a cut was met on the way to them, or after.
    pub cut: Condition,
}

impl Solved {
    fn fails() -> Solved {
        Solved::answers(Vec::new())
    }

    pub fn answers(ways: Vec<Way>) -> Solved {
        Solved { ways, cut: Condition::NEVER }
    }
}

/// Steps from one look at the time, and at interrupts, to the next.
const POLLED: u64 = 1 << 10;

impl Run<'_> {
    /// The answers of a goal on one way, useful for the variables that live on.
    pub fn solve(&mut self, goal: &Goal, way: Way, live: &[Variable]) -> Solved {
        self.steps += 1;
        self.store.spend(1);
        if self.steps.is_multiple_of(POLLED) && self.machine.keep_going().is_err() {
            self.store.allow(0);
        }
        if self.stopped() {
            return Solved::fails();
        }
        if self.depth > limits::CALL_DEPTH {
            self.deoptimise(way.condition, "calls nest too deep");
            return Solved::fails();
        }
        self.depth += 1;
        let solved = stacker::maybe_grow(limits::STACK_LEFT, limits::STACK_MORE, || {
            self.solve_kind(goal, way, live)
        });
        self.depth -= 1;
        solved
    }

    fn solve_kind(&mut self, goal: &Goal, way: Way, live: &[Variable]) -> Solved {
        match &goal.kind {
            Kind::True => Solved::answers(vec![way]),
            Kind::Fail => Solved::fails(),
            Kind::Cut => Solved { cut: way.condition, ways: vec![way] },
            Kind::And(goals) => self.conjunction(goals, vec![way], live),
            Kind::Or(left, right) => {
                let mut one = self.solve(left, way.clone(), live);
                let rest = self.minus(way.condition, one.cut);
                if rest != Condition::NEVER {
                    let other = self.solve(right, Way { condition: rest, ..way }, live);
                    one.ways.extend(other.ways);
                    one.cut = self.store.or([one.cut, other.cut]);
                }
                one.ways = self.merged_ways(one.ways, Some(live));
                one
            }
            Kind::If(arrow, parts) => self.if_then_else(*arrow == atoms::ARROW, parts, way, live),
            Kind::Not(goal) => {
                let ways = self.aside(|run| run.solve(goal, way.clone(), &[]).ways);
                let holds = self.any_way(&ways);
                let not = self.store.not(holds);
                Solved::answers(tested(self, way, not))
            }
            Kind::Meta(goal, further) => Solved::answers(self.meta(*goal, further, way, live)),
            Kind::Call(name, space, arguments) => {
                Solved::answers(self.call((*name, *space), arguments, way, live))
            }
            Kind::Wrong => {
                self.deoptimise(way.condition, "the goal can't be called");
                Solved::fails()
            }
        }
    }

    /// Where one condition holds and another does not.
    pub fn minus(&mut self, condition: Condition, without: Condition) -> Condition {
        let not = self.store.not(without);
        self.store.both(condition, not)
    }

    fn on(&mut self, goal: &Arc<Goal>, ways: Vec<Way>, live: &[Variable]) -> Solved {
        let (mut solved, mut open) = (Solved::fails(), Condition::ALWAYS);
        let width = self.left.width;
        self.left.width = width.saturating_mul(ways.len());
        let (sample, before) = (self.sample_before(goal, &ways), self.store.work());
        for (number, way) in ways.iter().enumerate() {
            if sample == Some(number)
                && self.is_to_fold(goal, &ways, self.store.work() - before)
                && let Some(folded) = self.on_folded(goal, &ways, live)
            {
                solved = folded;
                break;
            }
            let mut way = way.clone();
            way.condition = self.store.both(way.condition, open);
            if way.condition == Condition::NEVER {
                continue;
            }
            let one = self.solve(goal, way, live);
            solved.ways.extend(one.ways);
            if one.cut != Condition::NEVER {
                solved.cut = self.store.or([solved.cut, one.cut]);
                open = self.minus(open, one.cut);
            }
        }
        self.left.width = width;
        solved
    }

    pub fn conjunction(
        &mut self,
        goals: &[Conjunct],
        mut ways: Vec<Way>,
        live: &[Variable],
    ) -> Solved {
        let mut cut = Condition::NEVER;
        // What comes before a cut is not for later.
        let behind = goals.iter().rposition(|one| one.goal.cuts).unwrap_or(0);
        for (at, Conjunct { goal, after }) in goals.iter().enumerate() {
            let after = joined(after, live);
            if matches!(goal.kind, Kind::Cut) {
                let any = self.any_way(&ways);
                cut = self.store.or([cut, any]);
                ways = self.first_way(ways, &after);
                continue;
            }
            let solved = match at < behind {
                true => self.aside(|run| run.on(goal, ways, &after)),
                false => self.on(goal, ways, &after),
            };
            ways = solved.ways;
            cut = self.store.or([cut, solved.cut]);
            if ways.is_empty() {
                break;
            }
        }
        Solved { ways, cut }
    }

    /// With one answer of the test, if `is_once`, or all.
    fn if_then_else(
        &mut self,
        is_once: bool,
        [test, then, otherwise]: &[Arc<Goal>; 3],
        way: Way,
        live: &[Variable],
    ) -> Solved {
        let after = joined(live, &then.variables);
        let mut tested = self.aside(|run| run.solve(test, way.clone(), &after).ways);
        let holds = self.any_way(&tested);
        if is_once {
            tested = self.first_way(tested, &after);
            if let [only] = &mut tested[..] {
                only.condition = holds;
            }
        }
        let mut one = self.on(then, tested, live);
        let rest = self.minus(way.condition, holds);
        if rest == Condition::NEVER {
            return one;
        }
        let other = self.solve(otherwise, Way { condition: rest, ..way.clone() }, live);
        one.cut = self.store.or([one.cut, other.cut]);
        one.ways = match is_once {
            false => [one.ways, other.ways].concat(),
            true => {
                let conditions = [holds, rest];
                self.joined_ways([one.ways, other.ways], conditions, way.condition, live)
            }
        };
        one
    }

    /// Answers of two ways from one: if neither failed anywhere, their condition is the old one.
    pub fn joined_ways(
        &mut self,
        [one, other]: [Vec<Way>; 2],
        conditions: [Condition; 2],
        before: Condition,
        live: &[Variable],
    ) -> Vec<Way> {
        let sure = matches!((&one[..], &other[..]), ([one], [other])
            if [one.condition, other.condition] == conditions);
        let mut ways = self.merged_ways([one, other].concat(), Some(live));
        if let ([only], true) = (&mut ways[..], sure) {
            only.condition = before;
        }
        ways
    }

    /// `call/N`: a cut is local to it.
    pub fn meta(&mut self, goal: Term, further: &[Term], way: Way, live: &[Variable]) -> Vec<Way> {
        let goal = way.bindings.walk(&self.store, goal);
        let goal = way.bindings.resolve(&mut self.store, goal);
        if matches!(self.store.shape(goal), Shape::Opaque(_)) {
            self.look_at(goal);
            return Vec::new();
        }
        let Some((goal, space)) = self.extended(goal, further) else {
            self.deoptimise(way.condition, "the goal depends on the state, or can't be called");
            return Vec::new();
        };
        let around = Around { modules: &self.machine.program.modules, space };
        let goal = self.memory.goals.of(&mut self.store, goal, around);
        if matches!(goal.kind, Kind::Meta(..)) {
            self.deoptimise(way.condition, "the goal is unbound");
            return Vec::new();
        }
        self.solve(&goal, way, live).ways
    }

    /// A term as a goal with further arguments, and the space that it is called in.
    fn extended(&mut self, goal: Term, further: &[Term]) -> Option<(Term, Space)> {
        let named = |store: &Store, term: Term| match store.shape(term) {
            Shape::Constant(cell) => Some((cell.as_atom()?, Vec::new())),
            Shape::Struct(header, arguments) => Some((header.functor_name(), arguments.to_vec())),
            _ => None,
        };
        let mut space = Space::User;
        if further.is_empty() && matches!(self.store.shape(goal), Shape::Variable(_)) {
            return Some((goal, space));
        }
        let (mut name, mut arguments) = named(&self.store, goal)?;
        if further.is_empty() {
            return Some((goal, space));
        }
        while name == atoms::COLON && arguments.len() == 2 {
            let Shape::Constant(module) = self.store.shape(arguments[0]) else { return None };
            space = self.machine.program.modules.named(module.as_atom()?)?;
            (name, arguments) = named(&self.store, arguments[1])?;
        }
        arguments.extend_from_slice(further);
        let header = Cell::functor(name, arguments.len());
        Some((self.store.structure(header, arguments), space))
    }
}
