//! Recursive relations that plain clauses can answer.
//!
//! A relation ends after a few calls that calls itself each time with arguments that static conditions of the same
//! rule take from an earlier to a later one; along a line of squares, say. Where several rules do, some arguments
//! may stay as they are meanwhile, as the row does while the squares of a row are counted; and no two rules may
//! apply to the same arguments, or one and the same call may be made very often. Others are tabled.

use super::components::of_graph;
use super::costs::BottomUp;
use super::interpret::Interpreter;
use super::order::{self, Bound};
use super::program::{Level, Program};
use super::syntax::{Atom, Key, Literal, Rule, Term};
use super::table::TermId;
use super::unify::{Bindings, renamed, resolved, unify, unify_all};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Rows that are inspected to find what a step holds of,
const BUDGET: u64 = 8_000_000;
/// and the most that it may hold of.
const MAX_STEPS: usize = 1_000_000;

/// The relation from the arguments of a call to those of the next.
const STEP: &str = "step of recursion";

/// Proves that recursion ends.
pub struct Recursion<'a> {
    program: &'a Program,
    /// Static relations, to be joined.
    statics: RefCell<Interpreter>,
}

impl<'a> Recursion<'a> {
    /// Of the relations of a game.
    pub fn of(program: &'a Program, interpreter: &Interpreter) -> Recursion<'a> {
        Recursion { program, statics: RefCell::new(interpreter.limited(0)) }
    }

    /// Whether plain clauses end, in these orders of conditions.
    pub fn ends(&self, component: &[Key], orders: &[Vec<usize>]) -> bool {
        let program = self.program;
        let [own] = component else { return false };
        let Some(relation) = program.relations.get(own) else { return false };
        let rules = relation.rules.iter();
        let steps: Vec<Step<'_>> =
            rules.flat_map(|&nth| Step::all(program, own, nth, &orders[nth])).collect();
        self.descends(own.1, &steps) && (steps.len() < 2 || self.is_determined(own.1, &steps))
    }
}

/// A call of a relation in one of its rules.
struct Step<'a> {
    rule: &'a Rule,
    call: &'a Atom,
    /// The conditions before it,
    before: Vec<Literal>,
    /// the numbers of those that are static,
    listed: Vec<usize>,
    /// and their variables.
    known: FxHashSet<usize>,
}

impl<'a> Step<'a> {
    fn all(program: &'a Program, own: &Key, nth: usize, order: &[usize]) -> Vec<Step<'a>> {
        let rule = &program.rules[nth];
        let call = |at: usize| rule.body[order[at]].atom().filter(|atom| atom.key() == *own);
        let step = |at: usize| {
            let before = order[..at].iter().map(|&nth| rule.body[nth].clone());
            let before: Vec<Literal> = before.collect();
            let listed = (0..at).filter(|&nth| is_static(program, &before[nth]));
            let listed: Vec<usize> = listed.collect();
            let known = listed.iter().flat_map(|&nth| before[nth].vars()).collect();
            Some(Step { rule, call: call(at)?, before, listed, known })
        };
        (0..order.len()).filter_map(step).collect()
    }

    fn is_known(&self, term: &Term) -> bool {
        match term {
            Term::Var(var) => self.known.contains(var),
            Term::Constant(_) => true,
            Term::Function(..) => false,
        }
    }

    /// Whether static conditions say what an argument is, in this call and in the next.
    fn moves(&self, n: usize) -> bool {
        self.is_known(&self.rule.head.args[n]) && self.is_known(&self.call.args[n])
    }

    fn keeps(&self, n: usize) -> bool {
        self.rule.head.args[n] == self.call.args[n]
    }

    /// Whether at most one of two steps applies to the same arguments: before its recursive call one requires an atom over
    /// these arguments that the other denies. Steps with the same static conditions have the same next arguments too,
    /// as each determines them.
    fn excludes(&self, other: &Step<'_>) -> bool {
        let mut free = self.rule.vars.len();
        let other_rule = Rule { body: other.before.clone(), ..other.rule.clone() };
        let other_rule = renamed(&other_rule, &mut free);
        let (mut bindings, mut given) = (Bindings::default(), Vec::new());
        let heads = self.rule.head.args.iter().zip(&other_rule.head.args);
        for (n, (left, right)) in heads.enumerate() {
            if [self, other].iter().all(|step| step.moves(n) || step.keeps(n)) {
                if !unify(left, right, 0, &mut bindings) {
                    return true;
                }
                given.push(left);
            }
        }
        let mark = bindings.count();
        let same_statics = self.listed.len() == other.listed.len()
            && self.listed.iter().zip(&other.listed).all(|(&left, &right)| {
                match (self.before[left].atom(), other_rule.body[right].atom()) {
                    (Some(left), Some(right)) if left.key() == right.key() => {
                        unify_all(&left.args, &right.args, 0, &mut bindings)
                    }
                    _ => false,
                }
            });
        if same_statics {
            let next = self.call.args.iter().enumerate();
            given.extend(next.filter(|(n, _)| self.moves(*n)).map(|(_, arg)| arg));
        } else {
            bindings.undo(mark);
        }
        let mut vars = Vec::new();
        given.iter().for_each(|term| resolved(term, &bindings).vars(&mut vars));
        let resolve =
            |atom: &Atom| atom.with_args(atom.args.iter().map(|arg| resolved(arg, &bindings)));
        self.before.iter().any(|left| {
            other_rule.body.iter().any(|right| {
                let contrary = left.positive().is_some() != right.positive().is_some();
                let (Some(left), Some(right)) = (left.atom(), right.atom()) else { return false };
                let atom = resolve(left);
                contrary
                    && left.key() == right.key()
                    && atom.args == resolve(right).args
                    && atom.vars().iter().all(|var| vars.contains(var))
            })
        })
    }

    /// Some arguments of this call, and of the next.
    fn as_rule(&self, places: &[usize]) -> Rule {
        let args = places.iter().map(|&n| &self.rule.head.args[n]);
        let args = args.chain(places.iter().map(|&n| &self.call.args[n])).cloned().collect();
        let head = Atom { name: STEP.to_owned(), args, span: self.rule.span, part: None };
        let body = self.listed.iter().map(|&nth| self.before[nth].clone()).collect();
        Rule { head, body, ..self.rule.clone() }
    }
}

impl Recursion<'_> {
    /// Whether no chain of calls returns to itself: where some arguments go one way, the others don't matter, and of
    /// steps that keep those, others do.
    fn descends(&self, arity: usize, steps: &[Step<'_>]) -> bool {
        let mut left: Vec<&Step<'_>> = steps.iter().collect();
        while !left.is_empty() {
            let together: Vec<usize> =
                (0..arity).filter(|&n| left.iter().all(|step| step.moves(n))).collect();
            let alone =
                (0..arity).filter(|&n| left.iter().all(|step| step.moves(n) || step.keeps(n)));
            let mut candidates = alone.map(|n| vec![n]).chain([together]);
            let moving = |places: &[usize]| -> Vec<usize> {
                let keeps = |step: &Step<'_>| places.iter().all(|&n| step.keeps(n));
                (0..left.len()).filter(|&nth| !keeps(left[nth])).collect()
            };
            let found = candidates.find_map(|places| {
                let moving = moving(&places);
                let rules: Vec<Rule> =
                    moving.iter().map(|&nth| left[nth].as_rule(&places)).collect();
                let one_way = !moving.is_empty() && !places.is_empty();
                (one_way && is_acyclic(&self.rows(&rules)?, places.len())).then_some(moving)
            });
            let Some(moved) = found else { return false };
            let mut numbers = 0..;
            left.retain(|_| numbers.next().is_some_and(|nth| !moved.contains(&nth)));
        }
        true
    }

    /// Whether there is one next call at most, whatever the arguments.
    fn is_determined(&self, arity: usize, steps: &[Step<'_>]) -> bool {
        let tables = steps.iter().map(|step| {
            let places: Vec<usize> = (0..arity).filter(|&n| step.moves(n)).collect();
            let rows = self.rows(&[step.as_rule(&places)])?;
            Some((places, rows))
        });
        let Some(tables) = tables.collect::<Option<Vec<_>>>() else { return false };
        let is_function = |(places, rows): &(Vec<usize>, Vec<Row>)| {
            let mut heads = FxHashSet::default();
            rows.iter().all(|row| heads.insert(&row[..places.len()]))
        };
        let values = |(places, rows): &(Vec<usize>, Vec<Row>), n: usize| {
            let at = places.iter().position(|&place| place == n)?;
            Some(rows.iter().map(|row| row[at]).collect::<FxHashSet<TermId>>())
        };
        let are_apart = |one: usize, two: usize| {
            (0..arity).any(|n| match (values(&tables[one], n), values(&tables[two], n)) {
                (Some(one), Some(two)) => one.is_disjoint(&two),
                _ => false,
            })
        };
        tables.iter().all(is_function)
            && (0..steps.len()).all(|two| {
                (0..two).all(|one| are_apart(one, two) || steps[one].excludes(&steps[two]))
            })
    }

    /// What steps hold of.
    fn rows(&self, steps: &[Rule]) -> Option<Vec<Row>> {
        let mut statics = self.statics.borrow_mut();
        let mut rows = Vec::new();
        for step in steps {
            if !step.asked().all(|atom| statics.tables.is_listed(&atom.key())) {
                return None;
            }
            let costs = BottomUp { program: self.program, tables: &statics.tables };
            let order = order::order(step, Bound::default(), &costs)?;
            let (found, _) = statics.join(step, &order, BUDGET, MAX_STEPS);
            rows.extend(found.ok().filter(|found| found.len() <= MAX_STEPS)?);
        }
        rows.sort_unstable();
        rows.dedup();
        Some(rows)
    }
}

/// What a step holds of.
type Row = Vec<TermId>;

fn is_static(program: &Program, literal: &Literal) -> bool {
    literal.positive().is_some_and(|atom| {
        let is_static = program.level(&atom.key()) == Level::Static;
        is_static && !matches!(atom.name.as_str(), "true" | "does")
    })
}

fn is_acyclic(steps: &[Row], width: usize) -> bool {
    let mut numbers = FxHashMap::default();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for row in steps {
        let ends = [&row[..width], &row[width..]].map(|end| {
            *numbers.entry(end).or_insert_with(|| {
                edges.push(Vec::new());
                edges.len() - 1
            })
        });
        if ends[0] == ends[1] {
            return false;
        }
        edges[ends[0]].push(ends[1]);
    }
    of_graph(&edges).iter().all(|component| component.len() == 1)
}
