//! Recursive relations that plain clauses can answer.
//!
//! A relation that calls itself once, and each time with arguments that static conditions of the same rule
//! take from an earlier to a later one, ends after a few calls; along a line of squares, say. Others are
//! tabled.

use super::components::of_graph;
use super::interpret::Interpreter;
use super::program::{Level, Program, key};
use super::syntax::{Atom, Key, Literal, Rule, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The relation from the arguments of a call to those of the next.
const STEP: &str = "step of recursion";

/// Whether plain clauses end, in these orders of conditions.
pub fn ends(program: &Program, component: &[Key], orders: &[Vec<usize>]) -> bool {
    let [own] = component else { return false };
    let Some(relation) = program.relations.get(own) else { return false };
    let mut calls = relation.rules.iter().flat_map(|&nth| {
        let rule = &program.rules[nth];
        let calls = (0..orders[nth].len()).filter(move |&at| {
            rule.body[orders[nth][at]].atom().is_some_and(|atom| atom.key() == *own)
        });
        calls.map(move |at| (rule, &orders[nth][..=at]))
    });
    match (calls.next(), calls.next()) {
        (Some((rule, conditions)), None) => step_ends(program, rule, conditions),
        (None, _) => true,
        _ => false,
    }
}

/// Whether a call, the last of the conditions, can't come to itself again and again.
fn step_ends(program: &Program, rule: &Rule, conditions: &[usize]) -> bool {
    let Some((&last, before)) = conditions.split_last() else { return false };
    let Some(call) = rule.body[last].atom() else { return false };
    let listed: Vec<Literal> = before
        .iter()
        .map(|&nth| &rule.body[nth])
        .filter(|literal| is_static(program, literal))
        .cloned()
        .collect();
    let known: FxHashSet<usize> = listed.iter().flat_map(Literal::vars).collect();
    let var = |term: &Term| matches!(term, Term::Var(var) if known.contains(var));
    let places: Vec<usize> =
        (0..call.args.len()).filter(|&n| var(&rule.head.args[n]) && var(&call.args[n])).collect();
    if places.is_empty() {
        return false;
    }
    let args = places.iter().map(|&n| rule.head.args[n].clone());
    let args: Vec<Term> = args.chain(places.iter().map(|&n| call.args[n].clone())).collect();
    let head = Atom { name: STEP.to_owned(), args, span: rule.span, part: None };
    let step = Rule { head, body: listed, ..rule.clone() };
    acyclic(program, step, places.len())
}

fn is_static(program: &Program, literal: &Literal) -> bool {
    match literal {
        Literal::Positive(atom) => {
            !matches!(atom.name.as_str(), "true" | "does")
                && program.level(&atom.key()) == Level::Static
        }
        _ => false,
    }
}

fn acyclic(program: &Program, step: Rule, width: usize) -> bool {
    let of_level = |rule: &&Rule| program.level(&rule.head.key()) == Level::Static;
    let mut rules: Vec<Rule> = program.rules.iter().filter(of_level).cloned().collect();
    rules.push(step);
    let model = Program::of_relations(&program.source, rules);
    let Ok(model) = Interpreter::new(&model) else { return false };
    let Some(steps) = model.rows(&key(STEP, 2 * width)) else { return false };
    let mut numbers = FxHashMap::default();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for row in steps.rows() {
        let ends = [&row[..width], &row[width..]].map(|end| {
            *numbers.entry(end.to_vec()).or_insert_with(|| {
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
