//! What may hold, be done and change in a game, computed without knowing states.
//!
//! What may hold and be done is what comes of the first state if conditions that something does *not* hold
//! are left out (P. Kissmann, S. Edelkamp, *Instantiating General Games*, 2009). What a move may change is
//! told by two versions of each relation that depends on moves: what *may* hold of it in some state, and
//! what *must* hold in every state. A fluent is kept if a rule must say so that has the fluent itself as a
//! condition; what is neither kept nor said by another rule can't hold.

use super::domains;
use super::interpret::Interpreter;
use super::program::{Level, Program, key};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::table::TermId;
use rustc_hash::FxHashMap;

/// Rows that are looked at before the analysis is given up.
const BUDGET: u64 = 8_000_000;
/// The most moves of all players whose changes are analysed.
const MAX_MOVES: usize = 4_000;

/// Relations of the rules that are made. Names of games have no blanks.
const MAY_DO: &str = "may do";
const MOVES: &str = "all moves";
const DOES: &str = "in joint move";

/// What may hold and be done.
pub struct Reach {
    /// Instances of each relation of fluents.
    pub fluents: FxHashMap<Key, Vec<Vec<Term>>>,
    /// Players with the moves that they may have when it is their turn; nothing if these are very many.
    pub moves: Option<Vec<(Term, Term)>>,
}

/// Moves, and arguments of fluents that they may change.
pub type Touched = Vec<(Term, Vec<Term>)>;

/// What may hold and be done, if that can be found out. The fluent `control` holds of the player to move.
pub fn reach(program: &Program, interpreter: &Interpreter, control: Option<&str>) -> Option<Reach> {
    let functors = fluents(program)?;
    reach_of(program, interpreter, control, &functors).or_else(|| {
        let fluents = domains::of_fluents(program, interpreter, &functors)?;
        Some(Reach { fluents, moves: None })
    })
}

/// What may hold and be done, by what comes of the first state.
fn reach_of(
    program: &Program,
    interpreter: &Interpreter,
    control: Option<&str>,
    fluents: &[Key],
) -> Option<Reach> {
    let mut rules = Vec::new();
    for rule in program.rules_of(&key("init", 1)) {
        rules.push(Rule { head: may_hold(&rule.head), ..rule.clone() });
    }
    for rule in asked(program, &["legal", "next"], false) {
        rules.push(relaxed(program, rule));
    }
    rules.extend(program.rules_of(&key("legal", 2)).map(|rule| in_turn(program, rule, control)));
    let model = run(program, interpreter, rules)?;
    let rows = |name: &str, arity: usize| -> Option<Vec<Vec<Term>>> {
        let rows = model.tables.rows(&key(name, arity)).map(|table| table.rows());
        let terms = |row: &[TermId]| row.iter().map(|&id| model.terms.term(id)).collect();
        model
            .tables
            .is_listed(&key(name, arity))
            .then(|| rows.into_iter().flatten().map(terms).collect())
    };
    let fluents = fluents.iter().map(|fluent| {
        let rows = rows(&format!("may hold {}", fluent.0), fluent.1)?;
        Some((fluent.clone(), rows))
    });
    let fluents = fluents.collect::<Option<_>>()?;
    let mut moves: Vec<(Term, Term)> = Vec::new();
    for row in rows(MOVES, 2)? {
        let [player, chosen] = <[Term; 2]>::try_from(row).ok()?;
        moves.push((player, chosen));
    }
    Some(Reach { fluents, moves: Some(moves).filter(|moves| moves.len() <= MAX_MOVES) })
}

/// The relations of fluents, if each rule names its own.
fn fluents(program: &Program) -> Option<Vec<Key>> {
    let mut found: Vec<Key> = Vec::new();
    for rule in &program.rules {
        if rule.asked().any(|asked| asked.name == "next") {
            return None;
        }
        for atom in rule.atoms() {
            if let Some(fluent) = fluent(atom) {
                let (name, arity) = fluent.functor()?;
                if !found.iter().any(|known| known.0 == name && known.1 == arity) {
                    found.push(key(name, arity));
                }
            }
        }
    }
    Some(found)
}

/// The rules of relations that roots ask for, of `contrary` conditions too or not, and that are not static.
fn asked<'a>(program: &'a Program, roots: &[&str], contrary: bool) -> Vec<&'a Rule> {
    let is_root = |key: &Key| roots.contains(&key.0.as_str());
    let reached = program.reached(is_root, |literal| {
        let level = literal.atom().map(|atom| program.level(&atom.key()));
        (contrary || literal.positive().is_some()) && level > Some(Level::Static)
    });
    reached.iter().flat_map(|key| program.rules_of(key)).collect()
}

/// The rules as a program, run over the static relations of the game.
fn run(program: &Program, interpreter: &Interpreter, rules: Vec<Rule>) -> Option<Interpreter> {
    interpreter.extended(&Program::of_relations(&program.source, rules), BUDGET).ok()
}

/// The fluent of a condition or a head, as one that may hold.
fn may_hold(of: &Atom) -> Atom {
    let fluent = fluent(of);
    let name = fluent.and_then(Term::functor).map_or("", |(name, _)| name);
    Atom::new(&format!("may hold {name}"), fluent.map_or(&[], Term::args))
}

/// A rule without conditions that something of the state does not hold.
fn relaxed(program: &Program, rule: &Rule) -> Rule {
    let may = |asked: &Atom| match asked.name.as_str() {
        "true" | "next" => may_hold(asked),
        "does" | "legal" => Atom::new(MAY_DO, &asked.args),
        _ => asked.clone(),
    };
    let kept = rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(asked) => Some(Literal::Positive(may(asked))),
        Literal::Negative(asked) if program.level(&asked.key()) > Level::Static => None,
        other => Some(other.clone()),
    });
    Rule { head: may(&rule.head), body: kept.collect(), ..rule.clone() }
}

/// A rule for moves, of players whose turn it is.
fn in_turn(program: &Program, rule: &Rule, control: Option<&str>) -> Rule {
    let player = &rule.head.args[0];
    let of_control = |asked: &Atom| match fluent(asked)? {
        Term::Function(name, args) if Some(name.as_str()) == control => args.first().cloned(),
        _ => None,
    };
    let whose = rule.body.iter().filter_map(|literal| {
        let asked = literal.atom().filter(|asked| asked.name == "true")?;
        let same = literal.positive().is_some();
        Some(Literal::Same(same, of_control(asked)?, player.clone(), asked.span))
    });
    let Rule { mut body, .. } = relaxed(program, rule);
    body.extend(whose);
    Rule { head: Atom::new(MOVES, &rule.head.args), body, ..rule.clone() }
}

/// What each move of a player may change while the others `pass`, for relations of fluents of which the
/// places in `keys` are wanted.
pub fn touched(
    program: &Program,
    (interpreter, reach): (&Interpreter, &Reach),
    passes: &[(Term, Term)],
    keys: &FxHashMap<Key, Vec<usize>>,
) -> Option<FxHashMap<Key, Touched>> {
    let moves = reach.moves.as_ref()?;
    let mut rules = Vec::new();
    facts((reach, moves), passes, &mut rules);
    for rule in asked(program, &["next"], true) {
        if rule.head.name == "next" {
            rules.extend(change(program, rule, keys));
        } else {
            rules.extend(bounds(program, rule));
        }
    }
    for (key, places) in keys {
        rules.push(lost(key, places));
    }
    let model = run(program, interpreter, rules)?;
    let mut found = FxHashMap::default();
    for (functor, places) in keys {
        let table = model.tables.rows(&key(&format!("touched {}", functor.0), places.len() + 2))?;
        let row = |row: &[TermId]| {
            let mut terms = row[1..].iter().map(|&id| model.terms.term(id));
            Some((terms.next()?, terms.collect()))
        };
        found.insert(functor.clone(), table.rows().map(row).collect::<Option<Touched>>()?);
    }
    Some(found)
}

/// What may hold, all moves, and what all do when one moves.
fn facts(
    (reach, moves): (&Reach, &[(Term, Term)]),
    passes: &[(Term, Term)],
    rules: &mut Vec<Rule>,
) {
    let mut fact = |head: Atom| rules.push(Rule::fact(head));
    for ((name, _), rows) in &reach.fluents {
        rows.iter().for_each(|row| fact(Atom::new(&format!("may hold {name}"), row)));
    }
    for (player, chosen) in moves {
        fact(Atom::new(MOVES, &[player.clone(), chosen.clone()]));
        for (other, pass) in passes {
            let does = if other == player { chosen } else { pass };
            fact(Atom::new(DOES, &[player, chosen, other, does].map(Clone::clone)));
        }
    }
}

/// Whether a relation may hold in some state, or must in all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    May,
    Must,
}

/// The two versions of a rule.
fn bounds(program: &Program, rule: &Rule) -> Vec<Rule> {
    let joint = program.level(&rule.head.key()) == Level::Joint;
    let wanted = if joint { &[Bound::May, Bound::Must][..] } else { &[Bound::May] };
    let version = |&bound: &Bound| {
        let body = body(program, rule, bound, None)?;
        let head = version(program, &rule.head, bound, rule.vars.len());
        let made = Rule { head, body, ..rule.clone() };
        Some(if joint { of_some_move(made) } else { made })
    };
    wanted.iter().filter_map(version).collect()
}

/// The variables of the player and the move, behind those of a rule.
fn of_move(vars: usize) -> [Term; 2] {
    [Term::Var(vars), Term::Var(vars + 1)]
}

/// A rule of a move, any one if no condition says which.
fn of_some_move(mut rule: Rule) -> Rule {
    let moves = of_move(rule.vars.len());
    rule.vars.extend(["player".to_owned(), "move".to_owned()]);
    rule.body.insert(0, Literal::Positive(Atom::new(MOVES, &moves)));
    rule
}

/// A relation that is not static in one of its versions: with the player and the move, if it depends on them.
fn version(program: &Program, of: &Atom, bound: Bound, vars: usize) -> Atom {
    let word = if bound == Bound::May { "may be" } else { "must be" };
    let mut args = of.args.clone();
    if program.level(&of.key()) == Level::Joint {
        args.extend(of_move(vars));
    }
    Atom::new(&format!("{word} {}", of.key().0), &args)
}

/// The conditions of a rule in a version; none if the rule has no part in it. The condition `own` may hold.
fn body(program: &Program, rule: &Rule, bound: Bound, own: Option<usize>) -> Option<Vec<Literal>> {
    let vars = rule.vars.len();
    let mut body = Vec::new();
    for (nth, literal) in rule.body.iter().enumerate() {
        let Some(asked) = literal.atom() else {
            body.push(literal.clone());
            continue;
        };
        let positive = literal.positive().is_some();
        let level = program.level(&asked.key());
        let atom = match asked.name.as_str() {
            "does" => Atom::new(DOES, &[&of_move(vars)[..], &asked.args].concat()),
            _ if level == Level::Static => asked.clone(),
            "true" if positive && (bound == Bound::May || own == Some(nth)) => may_hold(asked),
            // Of what the state alone decides nothing must hold,
            "true" if bound == Bound::Must => return None,
            _ if level == Level::State && positive && bound == Bound::Must => return None,
            // and nothing must fail.
            _ if level == Level::State && !positive && bound == Bound::May => continue,
            _ if positive == (bound == Bound::May) => version(program, asked, Bound::May, vars),
            _ => version(program, asked, Bound::Must, vars),
        };
        body.push(literal.with(atom));
    }
    Some(body)
}

/// What a rule for `next` says: of a fluent that it keeps, or that it may set.
fn change(program: &Program, rule: &Rule, keys: &FxHashMap<Key, Vec<usize>>) -> Option<Rule> {
    let of_head = fluent(&rule.head)?;
    let (name, arity) = of_head.functor()?;
    let places = keys.get(&key(name, arity))?;
    let own = rule.own();
    let (bound, name, args) = match own {
        Some(_) => (Bound::Must, format!("kept {name}"), of_head.args().to_vec()),
        None => (Bound::May, format!("touched {name}"), part(of_head.args(), places)),
    };
    let head = Atom::new(&name, &[&of_move(rule.vars.len())[..], &args].concat());
    let body = body(program, rule, bound, own)?;
    Some(of_some_move(Rule { head, body, ..rule.clone() }))
}

/// What is not kept may change.
fn lost((name, arity): &Key, places: &[usize]) -> Rule {
    let args: Vec<Term> = (0..*arity).map(Term::Var).collect();
    let moves = of_move(*arity);
    let head = Atom::new(&format!("touched {name}"), &[&moves[..], &part(&args, places)].concat());
    let kept = Atom::new(&format!("kept {name}"), &[&moves[..], &args].concat());
    let held = Atom::new(&format!("may hold {name}"), &args);
    let body = vec![Literal::Positive(held), Literal::Negative(kept)];
    let vars = (0..*arity).map(|n| format!("v{n}")).collect();
    of_some_move(Rule { body, vars, ..Rule::fact(head) })
}

fn part(args: &[Term], places: &[usize]) -> Vec<Term> {
    places.iter().map(|&n| args[n].clone()).collect()
}
