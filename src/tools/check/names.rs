//! Names: predicates that are nearly the contract's, and clauses that are not called.
//!
//! A clause of a predicate that no engine asks, and no other clause calls, is as good as not
//! there: nothing fails, and what is found without it is taken for a proof.

use super::placed;
use rustc_hash::{FxHashMap, FxHashSet};
use zug_constraints::is_constraint;
use zug_domain::purity::goals;
use zug_domain::{Contract, ContractPredicate, DomainKind, PREDICATES};
use zug_explain::{clause_place, functor, head_args, head_place, visit};
use zug_machine::{ClauseId, Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};
use zug_term::spelling::distance_within;
use zug_term::symbol::Atom;

/// Names of games only, of puzzles only, and of games in which all choose at once only.
#[rustfmt::skip]
const GAME: &[&str] = &[
    "initial_player", "opponent", "move", "to_move", "terminal", "utility", "symmetry",
    "probability", "utility_bounds",
];
const PUZZLE: &[&str] = &["final_state", "rule"];
const AT_ONCE: &[&str] = &["players", "action", "payoff", "joint_move", "strategy"];
const MODEL: &[&str] = &["model", "objective", "print_model", "print_state"];
const SHARED: &[&str] = &["initial_state", "heuristic", "print_state", "draw_state", "click"];
/// What other predicates are often called: it is no name that was meant.
const NEVER_MEANT: &str = "actions";
/// What of the names of games they share with those in which all choose at once.
const BOTH: &[&str] = &["terminal", "utility"];

fn in_kind(kind: DomainKind, name: &str) -> bool {
    match kind {
        DomainKind::Puzzle => PUZZLE.contains(&name) || SHARED.contains(&name),
        DomainKind::Game => GAME.contains(&name) || SHARED.contains(&name),
        DomainKind::Simultaneous => {
            AT_ONCE.contains(&name) || BOTH.contains(&name) || name == "initial_state"
        }
        DomainKind::Model => MODEL.contains(&name),
        DomainKind::Program => {
            name != NEVER_MEANT
                && !AT_ONCE.contains(&name)
                && (!MODEL.contains(&name) || SHARED.contains(&name))
        }
    }
}

/// What clauses call and mention.
#[derive(Default)]
pub(super) struct Uses {
    /// Predicates called in clauses of others.
    called: FxHashSet<PredId>,
    /// Names that stand anywhere in clauses but at the head of their own.
    mentioned: FxHashSet<String>,
    /// Words of directives and queries.
    words: FxHashSet<String>,
    /// Names that stand anywhere but at the head of clauses, in what is asserted, and in
    /// declarations.
    read: FxHashSet<String>,
}

impl Uses {
    /// `unread`: words of clauses that can't be read, which may call anything.
    pub(super) fn of(m: &Machine, w: &World, unread: &FxHashSet<String>) -> Uses {
        let mut uses = Uses { words: unread.clone(), read: unread.clone(), ..Uses::default() };
        let preds = &m.program.preds;
        let own = (0..preds.len() as PredId).filter(|&id| preds[id as usize].space.is_users());
        for pred in own {
            for id in m.program.live_clauses(pred) {
                uses.clause(m, pred, id);
            }
        }
        for (source, span) in &w.loader.directives {
            let Some(source) = w.loader.sources.get(*source as usize) else { continue };
            let text = source.text.get(span.start as usize..span.end as usize).unwrap_or("");
            let words = || text.split(|c: char| !c.is_alphanumeric() && c != '_');
            uses.words.extend(words().map(str::to_owned));
            let first = words().find(|word| !word.is_empty()).unwrap_or("");
            if !matches!(first, "dynamic" | "discontiguous" | "retractall" | "table") {
                uses.read.extend(words().map(str::to_owned));
            }
        }
        uses
    }

    fn clause(&mut self, m: &Machine, pred: PredId, id: ClauseId) {
        // What stands for a goal names the predicate of its own arity only.
        let mut as_goal: FxHashMap<Atom, usize> = FxHashMap::default();
        for goal in goals::of_clause(m, id) {
            let callee = m.program.find(goal.name, goal.arity, goal.space);
            self.called.extend(callee.filter(|&callee| callee != pred));
            *as_goal.entry(goal.name).or_default() += 1;
            self.read.insert(m.symbols.name(goal.name).to_owned());
        }
        let clause = &m.program.clauses[id as usize];
        let cells = &clause.record.cells;
        let mut changed: FxHashMap<Atom, usize> = FxHashMap::default();
        for goal in goals::of_clause(m, id) {
            let name = m.symbols.name(goal.name);
            if matches!(name, "assert" | "asserta" | "assertz" | "retractall")
                && let Some((name, ..)) = goal.arg(cells, 0).and_then(|fact| functor(cells, fact))
            {
                *changed.entry(name).or_default() += 1;
            }
        }
        let own = m.program.preds[pred as usize].name;
        for cell in head_args(clause).into_iter().chain([clause.body()]) {
            visit(cells, cell, &mut |cell| {
                let Some((name, ..)) = functor(cells, cell) else { return };
                match as_goal.get_mut(&name) {
                    Some(left) if *left > 0 => {
                        *left -= 1;
                        return;
                    }
                    _ if name == own => {}
                    _ => {
                        self.mentioned.insert(m.symbols.name(name).to_owned());
                    }
                }
                match changed.get_mut(&name) {
                    Some(left) if *left > 0 => *left -= 1,
                    _ => {
                        self.read.insert(m.symbols.name(name).to_owned());
                    }
                }
            });
        }
    }

    /// Whether a clause of another predicate or a directive calls a predicate.
    pub(super) fn is_called(&self, m: &Machine, pred: PredId) -> bool {
        let name = m.symbols.name(m.program.preds[pred as usize].name);
        self.called.contains(&pred) || self.words.contains(name)
    }

    /// Whether a clause or a directive calls a predicate, or may ask for its clauses.
    pub(super) fn is_read(&self, m: &Machine, pred: PredId) -> bool {
        self.read.contains(m.symbols.name(m.program.preds[pred as usize].name))
    }

    fn is_mentioned(&self, m: &Machine, pred: PredId) -> bool {
        let name = m.symbols.name(m.program.preds[pred as usize].name);
        self.is_called(m, pred) || self.mentioned.contains(name)
    }
}

/// A name as far as it matters to people: words in order of the alphabet, small, without the
/// plural.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for c in name.chars() {
        if c == '_' {
            words.push(String::new());
            continue;
        }
        if c.is_uppercase() && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    for word in &mut words {
        if word.len() > 3 && word.ends_with('s') {
            word.pop();
        }
    }
    words.retain(|word| !word.is_empty());
    words.sort();
    words
}

/// How far a name is from one of the contract: 0 for other ways to write the same words.
fn distance(name: &str, known: &str) -> Option<usize> {
    if words(name) == words(known) {
        return Some(0);
    }
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let (a, b) = (plain(name), plain(known));
    if a == b || a.strip_suffix('s') == Some(&b) {
        return Some(0);
    }
    let most = match b.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    distance_within(&a, &b, most)
}

/// A predicate that is nearly one of the contract.
struct NearName {
    pred: PredId,
    known: &'static ContractPredicate,
    /// The name is the same, and the arity another.
    same_name: bool,
    /// The name is another, and the arity the same.
    same_arity: bool,
}

fn near(m: &Machine, pred: PredId, kind: DomainKind) -> Option<NearName> {
    let predicate = &m.program.preds[pred as usize];
    let name = m.symbols.name(predicate.name);
    let arity = predicate.arity;
    let mut best: Option<(usize, usize, NearName)> = None;
    for known in PREDICATES.iter().filter(|known| in_kind(kind, known.name)) {
        let Some(far) = distance(name, known.name) else { continue };
        let same_name = name == known.name;
        let other = known.arity.abs_diff(arity);
        // Another name and an arity that is far off is another predicate.
        if !same_name && other > 1 || arity == 0 {
            continue;
        }
        let found = NearName { pred, known, same_name, same_arity: other == 0 };
        if best.as_ref().is_none_or(|best| (far, other) < (best.0, best.1)) {
            best = Some((far, other, found));
        }
    }
    best.map(|best| best.2)
}

/// Whether a predicate is one of the contract, as this kind of domain knows it.
fn is_contract(m: &Machine, pred: PredId, contract: &Contract) -> bool {
    let predicate = &m.program.preds[pred as usize];
    let name = m.symbols.name(predicate.name);
    let known = PREDICATES.iter().any(|p| p.name == name && p.arity == predicate.arity);
    // In a game with the player the forms without are no more asked for.
    let shadowed = contract.game.as_ref().is_some_and(|roles| {
        let roles = [Some(roles.moves), roles.terminal, roles.utility, roles.heuristic];
        contract.kind() == DomainKind::Game
            && roles.into_iter().flatten().any(|role| {
                role.pred != pred && m.program.preds[role.pred as usize].name == predicate.name
            })
    });
    known && !shadowed
}

/// Predicates whose names or arities are nearly those of the contract, and that are not called.
pub(super) fn nearly_contract(
    m: &Machine,
    w: &World,
    contract: &Contract,
    uses: &Uses,
) -> Vec<Diagnostic> {
    let kind = match contract.kind() {
        // A program with constraints may be meant to be a model.
        DomainKind::Program if posts_constraints(m) => DomainKind::Model,
        kind => kind,
    };
    let candidates: Vec<NearName> = super::user_predicates(m)
        .filter(|&pred| !is_contract(m, pred, contract) && !uses.is_called(m, pred))
        .filter(|&pred| !m.program.live_clauses(pred).is_empty())
        .filter_map(|pred| near(m, pred, kind))
        .collect();
    // A lone `rule/3` may be anything; together with another name of the contract it isn't.
    if kind == DomainKind::Program {
        let right = PREDICATES.iter().filter(|p| in_kind(kind, p.name));
        let right = right.filter(|p| user_predicate(m, p.name, p.arity).is_some());
        let names: FxHashSet<&str> =
            right.map(|p| p.name).chain(candidates.iter().map(|near| near.known.name)).collect();
        if names.len() < 2 || !names.iter().any(|name| !SHARED[2..].contains(name)) {
            return Vec::new();
        }
    }
    candidates.iter().map(|near| told(m, w, near, kind)).collect()
}

/// Whether a clause of the program posts a constraint.
fn posts_constraints(m: &Machine) -> bool {
    super::user_clauses(m).any(|(_, id)| {
        goals::of_clause(m, id).iter().any(|goal| {
            let is_own = m.program.lookup(goal.name, goal.arity, Space::User).is_some();
            !is_own && is_constraint(m.symbols.name(goal.name), goal.arity)
        })
    })
}

fn told(m: &Machine, w: &World, near: &NearName, kind: DomainKind) -> Diagnostic {
    let predicate = &m.program.preds[near.pred as usize];
    let name = m.symbols.name(predicate.name);
    let known = near.known;
    let patterns: Vec<&str> = PREDICATES
        .iter()
        .filter(|p| p.name == known.name && in_kind(kind, p.name))
        .filter(|p| !near.same_arity || p.arity == known.arity)
        .map(|p| p.pattern)
        .collect();
    let patterns = format!("`{}`", patterns.join("` or `"));
    let message = format!("zug never calls `{name}/{}`", predicate.arity);
    let finding = if near.same_name {
        let cost = match (name, predicate.arity) {
            ("rule", 3) => "; the second argument is the cost of the move",
            _ => "",
        };
        Diagnostic::warning("W0502", message).hint(format!("engines call {patterns}{cost}"))
    } else {
        Diagnostic::warning("W0509", message).hint(format!("did you mean {patterns}?"))
    };
    let meant = (near.same_arity && !near.same_name).then_some(known.name);
    at_names(finding, name_places(m, w, near.pred, name), meant)
}

/// The finding at the first of some places, with the change to another name at all of them.
fn at_names(finding: Diagnostic, places: Vec<(Source, Span)>, meant: Option<&str>) -> Diagnostic {
    let finding = placed(finding, places.first().cloned());
    places.iter().fold(finding, |finding, (source, span)| match meant {
        Some(meant) => finding.mend(source, *span, meant),
        None => finding,
    })
}

/// Where the name of a predicate stands at the heads of its clauses.
fn name_places(m: &Machine, w: &World, pred: PredId, name: &str) -> Vec<(Source, Span)> {
    let clauses = m.program.live_clauses(pred);
    let place = |id: ClauseId| {
        let (source, head) = head_place(m, w, id).or_else(|| clause_place(m, w, id))?;
        let text = source.text.get(head.start as usize..head.end as usize)?;
        let length = if text.starts_with(name) { name.len() } else { text.len() };
        let end = head.start + length as u32;
        Some((source, Span { start: head.start, end }))
    };
    clauses.into_iter().filter_map(place).collect()
}

/// Predicates without callers whose name is nearly that of one with callers.
pub(super) fn nearly_called(
    m: &Machine,
    w: &World,
    contract: &Contract,
    uses: &Uses,
) -> Vec<Diagnostic> {
    let all: Vec<PredId> = super::user_predicates(m)
        .filter(|&pred| !m.program.live_clauses(pred).is_empty())
        .collect();
    let mut findings = Vec::new();
    for &pred in &all {
        let predicate = &m.program.preds[pred as usize];
        let name = m.symbols.name(predicate.name);
        let most = match name.chars().count() {
            0..=4 => continue,
            5..=9 => 1,
            _ => 2,
        };
        if uses.is_mentioned(m, pred)
            || m.program.is_exported(pred)
            || is_contract(m, pred, contract)
            || near(m, pred, contract.kind()).is_some()
        {
            continue;
        }
        let meant = all.iter().copied().find(|&other| {
            let there = &m.program.preds[other as usize];
            let text = m.symbols.name(there.name);
            other != pred
                && there.arity == predicate.arity
                && uses.called.contains(&other)
                && !differs_on_purpose(name, text)
                && distance_within(text, name, most).is_some()
        });
        let Some(meant) = meant else { continue };
        let meant = m.symbols.name(m.program.preds[meant as usize].name);
        let message = format!("no clause calls `{name}/{}`", predicate.arity);
        let finding = Diagnostic::warning("W0510", message)
            .hint(format!("did you mean `{meant}/{}`?", predicate.arity));
        let places = name_places(m, w, pred, name);
        findings.push(at_names(finding, places, Some(meant)).perhaps());
    }
    findings
}

/// Names that differ in a digit or in a letter at the end are two on purpose: `move1`, `move2`.
fn differs_on_purpose(a: &str, b: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let (left, right) = (a.chars().count() - common, b.chars().count() - common);
    digits(a) != digits(b) || left <= 1 && right <= 1
}

/// A predicate of a domain that nobody calls, which is no goal to be asked by a person either.
pub(super) fn uncalled(
    m: &Machine,
    w: &World,
    contract: &Contract,
    uses: &Uses,
    said: &[Diagnostic],
) -> Vec<Diagnostic> {
    if contract.kind() == DomainKind::Program {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for pred in super::user_predicates(m) {
        let predicate = &m.program.preds[pred as usize];
        let clauses = m.program.live_clauses(pred);
        let Some(&first) = clauses.first() else { continue };
        let asked = predicate.arity == 0
            || m.program.is_exported(pred)
            || uses.is_mentioned(m, pred)
            || is_contract(m, pred, contract)
            || PREDICATES.iter().any(|p| p.name == m.symbols.name(predicate.name))
            || clauses.iter().any(|&id| runs(m, id))
            || clauses.iter().all(|&id| goals::of_clause(m, id).is_empty())
            || is_documented(m, w, pred, first);
        if asked {
            continue;
        }
        let Some((source, span)) = head_place(m, w, first) else { continue };
        let known = |finding: &Diagnostic| {
            let place = finding.primary.as_ref();
            place.is_some_and(|p| p.source.name == source.name && p.span.start == span.start)
        };
        if said.iter().any(known) {
            continue;
        }
        let message = format!("no clause calls `{}`", m.program.indicator(pred, &m.symbols));
        let namesake = uses.called.iter().find(|&&other| {
            let other = &m.program.preds[other as usize];
            other.name == predicate.name && other.arity != predicate.arity
        });
        let hint = match namesake {
            Some(&other) => format!(
                "`{}` is what is called: is the number of arguments right?",
                m.program.indicator(other, &m.symbols)
            ),
            None => "is a call missing or misspelt?".to_owned(),
        };
        let finding =
            Diagnostic::new(Severity::Note, "N0602", message).at(&source, span, "").hint(hint);
        findings.push(finding);
    }
    findings
}

/// Whether a comment of the file speaks of a predicate: then it is there for somebody.
fn is_documented(m: &Machine, w: &World, pred: PredId, first: ClauseId) -> bool {
    let name = m.symbols.name(m.program.preds[pred as usize].name);
    let Some((source, _)) = clause_place(m, w, first) else { return false };
    source.text.lines().any(|line| {
        let comment = line.find('%').map_or("", |at| &line[at..]);
        let mut words = comment.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == name)
    })
}

/// Whether a clause does something that a person asks for: it writes, or calls an engine.
fn runs(m: &Machine, id: ClauseId) -> bool {
    goals::of_clause(m, id).iter().any(|goal| {
        let user = m.program.is_users(goal.name, goal.arity, goal.space);
        let system = m.program.lookup(goal.name, goal.arity, Space::System);
        !user && system.is_some_and(|system| zug_explain::does_more(m, system))
    })
}
