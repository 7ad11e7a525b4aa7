//! Whether players move in turn.
//!
//! They do if there is a fluent of one argument, such as `control(white)`, of which exactly one instance
//! holds at a time, if it goes round all players, and if a player of whom it doesn't hold has one legal
//! move, always the same. All that is proved of the rules without their other conditions: what may be
//! legal, and what may hold next, if `control(white)` does; and what must hold next, by rules that
//! have no other conditions.

use super::interpret::Interpreter;
use super::program::{Level, Program, key};
use super::syntax::{Atom, Literal, Rule, Term, fluent};
use super::table::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// How the players of a game move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play {
    Alone,
    InTurn(Turns),
    AtOnce,
}

/// What kind of game it is.
pub fn play(program: &Program, interpreter: &Interpreter) -> Play {
    match interpreter.roles.len() {
        1 => Play::Alone,
        _ => turns(program, interpreter).map_or(Play::AtOnce, Play::InTurn),
    }
}

/// How players take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The fluent that says whose turn it is.
    pub control: String,
    /// The number of the player who begins, and so on.
    pub order: Vec<usize>,
    /// The move of each player when it is the turn of another.
    pub passes: Vec<TermId>,
}

/// Rows that are inspected before the analysis is given up.
const BUDGET: u64 = 8_000_000;

/// Relations of the rules that are left.
const MAY_IDLE: &str = "may idle";
const MAY_MOVE: &str = "may move";
const MAY_COME: &str = "may come";
const MUST_COME: &str = "must come";

/// How the players of a game take turns, if they provably do.
fn turns(program: &Program, interpreter: &Interpreter) -> Option<Turns> {
    if interpreter.roles.len() < 2 {
        return None;
    }
    let mut tried = FxHashSet::default();
    let fluents = program.rules.iter().filter_map(|rule| fluent(&rule.head));
    let mut named = fluents.filter_map(Term::functor).filter(|(_, arity)| *arity == 1);
    named.find_map(|(name, _)| tried.insert(name).then(|| by(program, interpreter, name))?)
}

/// The same by a fluent.
fn by(program: &Program, interpreter: &Interpreter, control: &str) -> Option<Turns> {
    let roles = &interpreter.roles;
    let first = first(interpreter, control)?;
    let mut model = interpreter.extended(&reduced(program, control)?, BUDGET).ok()?;
    let mut order = vec![first];
    let mut passes: FxHashMap<usize, TermId> = FxHashMap::default();
    loop {
        let now = *order.last()?;
        let holds = model.intern(control, &[roles[now]]);
        model.set_state(&[holds]).ok()?;
        for (nth, &role) in roles.iter().enumerate().filter(|(nth, _)| *nth != now) {
            let pass = pass(&model, role)?;
            if *passes.entry(nth).or_insert(pass) != pass {
                return None;
            }
        }
        let next = only_next(&model)?;
        let next = roles.iter().position(|&id| id == next)?;
        if next == first {
            break;
        }
        if order.contains(&next) {
            return None;
        }
        order.push(next);
    }
    if order.len() != roles.len() {
        return None;
    }
    let passes = (0..roles.len()).map(|nth| known(interpreter, &model, passes[&nth]));
    let (control, passes) = (control.to_owned(), passes.collect::<Option<_>>()?);
    Some(Turns { control, order, passes })
}

/// A ground term of the model as one of the game.
fn known(interpreter: &Interpreter, model: &Interpreter, id: TermId) -> Option<TermId> {
    let (name, args) = model.terms.functor(id);
    let args = args.iter().map(|&arg| known(interpreter, model, arg));
    interpreter.terms.find(name, &args.collect::<Option<Vec<_>>>()?)
}

/// The only player of whom the fluent holds at first.
fn first(interpreter: &Interpreter, control: &str) -> Option<usize> {
    let terms = &interpreter.terms;
    let mut held = interpreter.initial.iter().filter_map(|&fact| match terms.functor(fact) {
        (name, [player]) if name == control => Some(*player),
        _ => None,
    });
    let player = held.next()?;
    if held.next().is_some() {
        return None;
    }
    interpreter.roles.iter().position(|role| *role == player)
}

/// The one move that a player may have.
fn pass(model: &Interpreter, role: TermId) -> Option<TermId> {
    if model
        .tables
        .rows(&key(MAY_MOVE, 1))
        .is_some_and(|moves| moves.rows().any(|row| row[0] == role))
    {
        return None;
    }
    let mut idle = model.tables.rows(&key(MAY_IDLE, 2))?.rows().filter(|row| row[0] == role);
    let found = idle.next()?[1];
    if idle.next().is_some() { None } else { Some(found) }
}

/// The player who comes next, if there is only one and there must be one.
fn only_next(model: &Interpreter) -> Option<TermId> {
    let may = model.tables.rows(&key(MAY_COME, 1))?;
    let must = model.tables.rows(&key(MUST_COME, 1))?;
    let next = may.rows().next()?[0];
    (may.len() == 1 && must.rows().any(|row| row[0] == next)).then_some(next)
}

/// The rules of moves and of the fluent, with conditions on it and static ones alone.
fn reduced(program: &Program, control: &str) -> Option<Program> {
    let mut rules: Vec<Rule> = Vec::new();
    for rule in program.rules_of(&key("legal", 2)) {
        rules.push(reduced_legal(program, rule, control)?);
    }
    for rule in program.rules_of(&key("next", 1)) {
        let Some(fluent) = fluent(&rule.head) else { continue };
        match fluent.functor() {
            None => return None,
            Some((name, 1)) if name == control => {
                rules.extend(reduced_next(program, rule, control)?)
            }
            Some(_) => {}
        }
    }
    Some(Program::of_relations(&program.source, rules))
}

fn is_static(program: &Program, atom: &Atom) -> bool {
    program.level(&atom.key()) == Level::Static && !matches!(atom.name.as_str(), "true" | "does")
}

/// A rule with the conditions that are kept, and whether these are all.
fn kept(program: &Program, rule: &Rule, control: &str) -> (Rule, bool) {
    let stays = |literal: &&Literal| match literal {
        Literal::Same(..) => true,
        Literal::Positive(atom) | Literal::Negative(atom) => {
            let of_control = fluent(atom)
                .and_then(Term::functor)
                .is_some_and(|(name, arity)| atom.name == "true" && name == control && arity == 1);
            of_control || is_static(program, atom)
        }
    };
    let body = rule.body.iter().filter(stays).cloned().collect();
    let mut kept = Rule { body, ..rule.clone() };
    let bound = kept.bound();
    kept.body.retain(|literal| literal.vars().iter().all(|var| bound.contains(var)));
    let all = kept.body.len() == rule.body.len();
    (kept, all)
}

/// What a rule says of who may move: a ground move may be to pass.
fn reduced_legal(program: &Program, rule: &Rule, control: &str) -> Option<Rule> {
    let (mut rule, _) = kept(program, rule, control);
    let [player, chosen] = rule.head.args.as_slice() else { return None };
    let mut vars = Vec::new();
    chosen.vars(&mut vars);
    let player = std::slice::from_ref(player);
    let head = match vars.is_empty() {
        true => Atom::new(MAY_IDLE, &rule.head.args),
        false => Atom::new(MAY_MOVE, player),
    };
    rule.body.push(Literal::Positive(Atom::new("role", player)));
    rule.head = head;
    Some(rule)
}

/// What a rule says of who may come next, and must.
fn reduced_next(program: &Program, rule: &Rule, control: &str) -> Option<Vec<Rule>> {
    let (rule, all) = kept(program, rule, control);
    let player = fluent(&rule.head)?.args();
    let may = Rule { head: Atom::new(MAY_COME, player), ..rule.clone() };
    let must = Rule { head: Atom::new(MUST_COME, player), ..rule.clone() };
    Some(if all { vec![may, must] } else { vec![may] })
}
