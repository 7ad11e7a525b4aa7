//! What else has to be known of states, so that places provably have one value.
//!
//! A proof by induction over states may fail because the rules are asked of states that never come: in Connect
//! Four, of a column with a disc above an empty square. The case that is left open tells what such a state
//! has, and it is claimed that no state does (A. Bradley, *SAT-based model checking without unrolling*, 2011; here
//! with variables in place of all instances). The claim is made as general as states of plays at random let it
//! be: conditions are left out and constants become variables as long as no state that was met is against
//! it. Then it is proved as the others are, and may in turn lead to more claims. Claims whose proof
//! fails are taken back, with all that was proved by them; what stays is proved together, by one induction
//! (J. Rintanen, *Regression for classical and nondeterministic planning*, 2008, weakens sets of invariants in
//! this way).

use super::plays::Plays;
use super::program::{Level, Program, rules_of_next};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::tableau::{Case, Premise, Prover, Statics};
use super::unify::{Bindings, renamed, resolved, unify};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Goals of derivations before the proofs of a game are given up.
const BUDGET: u64 = 150_000;
/// The most claims that are tried,
const MAX_CLAIMS: usize = 40;
/// and the most conditions that one has, before it is made more general.
const MAX_CONDITIONS: usize = 24;

/// Relations whose places have one value at most, with the argument that it is.
pub type Values = FxHashMap<Key, usize>;

/// Which of the relations whose places seem to have one value do, if it is proved of `known`, and what else
/// is proved for that: conditions that are never met together, as bodies of rules.
pub fn prove(
    program: &Program,
    statics: &Rc<Statics>,
    plays: &mut Plays,
    values: &Values,
    known: &Values,
) -> (Values, Vec<Rc<Rule>>) {
    let mut open: Vec<&Key> = values.keys().filter(|key| !known.contains_key(*key)).collect();
    open.sort_unstable();
    let mut prover = Prover::new(program, statics, BUDGET);
    prover.values = values.clone();
    prover.by_ranges = true;
    let claims =
        open.into_iter().map(|functor| Claim::new(What::Single(functor.clone()))).collect();
    let mut search = Search { prover, plays, claims, tried: FxHashSet::default() };
    search.run();
    let never = search.prover.never.into_iter().map(|(_, rule)| rule).collect();
    (search.prover.values, never)
}

#[derive(Clone)]
enum What {
    /// Places of the relation have one value at most.
    Single(Key),
    /// The conditions of a rule are never met.
    Never(Rc<Rule>),
}

struct Claim {
    what: What,
    /// What its proof takes for granted, if it is proved.
    proved: Option<FxHashSet<Premise>>,
    withdrawn: bool,
}

impl Claim {
    fn new(what: What) -> Claim {
        Claim { what, proved: None, withdrawn: false }
    }
}

struct Search<'a, 'p> {
    prover: Prover<'a>,
    plays: &'p mut Plays,
    claims: Vec<Claim>,
    /// Conditions that were claimed never to be met.
    tried: FxHashSet<String>,
}

impl Search<'_, '_> {
    /// Proves claims, the latest first, and withdraws those of which it fails.
    fn run(&mut self) {
        let is_open = |claim: &Claim| !claim.withdrawn && claim.proved.is_none();
        while let Some(nth) = self.claims.iter().rposition(is_open) {
            self.prover.used.clear();
            let (done, cases) = self.attempt(&self.claims[nth].what.clone());
            if self.prover.left == 0 {
                return self.withdraw_all();
            }
            if done {
                self.claims[nth].proved = Some(std::mem::take(&mut self.prover.used));
            } else if let Some(rule) = self.excluded_by(&cases) {
                let rule = Rc::new(rule);
                self.prover.never.push((self.claims.len(), Rc::clone(&rule)));
                self.claims.push(Claim::new(What::Never(rule)));
            } else {
                self.withdraw(nth);
            }
        }
    }

    /// Tries to prove a claim: whether that succeeds, and cases that are left open otherwise.
    fn attempt(&mut self, what: &What) -> (bool, Vec<Case>) {
        let mut open = Vec::new();
        let mut refute = |prover: &mut Prover<'_>, case: Case| {
            prover.open = None;
            if prover.refute(case.clone()) {
                return true;
            }
            let plain = prover.open.take();
            prover.lifted = true;
            let refuted = prover.refute(case);
            prover.lifted = false;
            if !refuted {
                open.extend(prover.open.take());
                open.extend(plain);
            }
            refuted
        };
        let done = match what {
            What::Single(functor) => stays_single(&mut self.prover, functor, &mut refute),
            What::Never(rule) => is_never_next(&mut self.prover, rule, &mut refute),
        };
        (done, open)
    }

    fn withdraw(&mut self, nth: usize) {
        self.claims[nth].withdrawn = true;
        let premise = match &self.claims[nth].what {
            What::Single(functor) => {
                self.prover.values.remove(functor);
                Premise::Single(functor.clone())
            }
            What::Never(_) => {
                self.prover.never.retain(|(number, _)| *number != nth);
                Premise::Never(nth)
            }
        };
        for claim in &mut self.claims {
            if claim.proved.as_ref().is_some_and(|used| used.contains(&premise)) {
                claim.proved = None;
            }
        }
        let is_wanted = |claim: &Claim| !claim.withdrawn && matches!(claim.what, What::Single(_));
        if !self.claims.iter().any(is_wanted) {
            self.withdraw_all();
        }
    }

    /// Nothing more is claimed.
    fn withdraw_all(&mut self) {
        for claim in &mut self.claims {
            claim.withdrawn = true;
            if let What::Single(functor) = &claim.what {
                self.prover.values.remove(functor);
            }
        }
        self.prover.never.clear();
    }

    /// Conditions that are never met, as it seems, and that close one of these cases.
    fn excluded_by(&mut self, cases: &[Case]) -> Option<Rule> {
        let claimed = self.claims.iter().filter(|claim| matches!(claim.what, What::Never(_)));
        if claimed.count() >= MAX_CLAIMS {
            return None;
        }
        for case in cases {
            let whole = conditions(self.prover.program, case);
            if whole.body.len() > MAX_CONDITIONS || self.is_met(&whole) {
                continue;
            }
            for (order, together) in ORDERS {
                let general = self.generalised(whole.clone(), order, *together);
                if self
                    .tried
                    .insert(format!("{:?}", general.body.iter().map(shape).collect::<Vec<_>>()))
                {
                    return Some(general);
                }
            }
        }
        None
    }

    fn is_met(&mut self, rule: &Rule) -> bool {
        !rule.body.iter().any(is_fluent) || self.plays.meet(rule).unwrap_or(true)
    }

    /// Leaves out what can be left out.
    fn generalised(&mut self, mut rule: Rule, order: &[Way], together: bool) -> Rule {
        for way in order {
            match way {
                Way::Without(kind) => {
                    let mut nth = rule.body.len();
                    while nth > 0 {
                        nth -= 1;
                        if !kind(&rule.body[nth]) {
                            continue;
                        }
                        let mut without = rule.clone();
                        without.body.remove(nth);
                        let without = tidy(&without);
                        let holds_together = parts(&without) <= parts(&rule);
                        if (!together || holds_together) && !self.is_met(&without) {
                            rule = without;
                            nth = nth.min(rule.body.len());
                        }
                    }
                }
                Way::Variables => {
                    for constant in constants(&rule) {
                        let open = tidy(&replaced(&rule, &constant));
                        if !self.is_met(&open) {
                            rule = open;
                        }
                    }
                }
            }
        }
        rule
    }
}

/// A way to make conditions more general.
enum Way {
    /// Without conditions of a kind.
    Without(fn(&Literal) -> bool),
    /// With variables in place of constants.
    Variables,
}

/// What is tried, in which order, and whether what has variables in common stays together.
const ORDERS: &[(&[Way], bool)] = &[
    (&[Way::Without(is_fluent), Way::Without(is_static)], true),
    (
        &[
            Way::Without(is_fluent),
            Way::Without(is_static),
            Way::Without(is_comparison),
            Way::Variables,
        ],
        true,
    ),
    (
        &[
            Way::Without(is_comparison),
            Way::Without(is_static),
            Way::Variables,
            Way::Without(is_fluent),
        ],
        false,
    ),
    (&[], false),
];

fn is_fluent(literal: &Literal) -> bool {
    literal.atom().is_some_and(|atom| atom.name == "true")
}

fn is_static(literal: &Literal) -> bool {
    literal.atom().is_some_and(|atom| atom.name != "true")
}

fn is_comparison(literal: &Literal) -> bool {
    literal.atom().is_none()
}

/// How a case is refuted.
pub type Refute<'r, 'a> = dyn FnMut(&mut Prover<'a>, Case) -> bool + 'r;

/// Whether the rules never say two values of a place to hold next.
pub fn stays_single<'a>(
    prover: &mut Prover<'a>,
    functor: &Key,
    refute: &mut Refute<'_, 'a>,
) -> bool {
    let rules = rules_of_next(prover.program, (&functor.0, functor.1));
    let value = prover.values[functor];
    let pairs = (0..rules.len()).flat_map(|one| (one..rules.len()).map(move |two| (one, two)));
    pairs
        .filter_map(|(one, two)| two_values(rules[one], rules[two], value))
        .all(|case| refute(prover, case))
}

/// The case in which two rules say different values of one place to hold next, if it is not excluded.
fn two_values(one: &Rule, two: &Rule, value: usize) -> Option<Case> {
    let mut case = Case::default();
    let one = renamed(one, &mut case.free);
    let two = renamed(two, &mut case.free);
    let (left, right) = (fluent(&one.head)?, fluent(&two.head)?);
    let mut places = (0..left.args().len()).filter(|&n| n != value);
    if !places.all(|n| unify(&left.args()[n], &right.args()[n], 0, &mut case.bindings)) {
        return None;
    }
    case.different.push((left.args()[value].clone(), right.args()[value].clone()));
    (case.assume(&one, 0) && case.assume(&two, 0)).then_some(case)
}

/// Whether no combination of rules says what meets these conditions to hold next.
fn is_never_next<'a>(prover: &mut Prover<'a>, rule: &Rule, refute: &mut Refute<'_, 'a>) -> bool {
    let mut case = Case::default();
    let rule = renamed(rule, &mut case.free);
    let fluents = assumed_but_fluents(&mut case, rule.body);
    are_never_next(prover, case, &fluents, refute)
}

/// Assumes in a case what conditions of a state ask for but its fluents, which are returned.
fn assumed_but_fluents(case: &mut Case, body: Vec<Literal>) -> Vec<Atom> {
    let mut fluents = Vec::new();
    for literal in body {
        match literal {
            Literal::Positive(atom) if atom.name == "true" => fluents.push(atom),
            Literal::Positive(atom) => case.hold(atom, 0),
            Literal::Negative(atom) => case.denied.push((atom, Vec::new())),
            Literal::Same(_, one, other, _) => case.different.push((one, other)),
        }
    }
    fluents
}

/// The same as [`is_never_next`] of these fluents, in a case.
fn are_never_next<'a>(
    prover: &mut Prover<'a>,
    mut case: Case,
    fluents: &[Atom],
    refute: &mut Refute<'_, 'a>,
) -> bool {
    if !prover.settle(&mut case) {
        return true;
    }
    let Some((first, rest)) = fluents.split_first() else { return refute(prover, case) };
    let Some(first) = fluent(first) else { return false };
    let Some(functor) = first.functor() else { return false };
    rules_of_next(prover.program, functor).into_iter().all(|rule| {
        let mut case = case.clone();
        let rule = renamed(rule, &mut case.free);
        let Some(head) = fluent(&rule.head) else { return false };
        !unify(first, head, 0, &mut case.bindings)
            || !case.assume(&rule, 0)
            || (prover.pay() && are_never_next(prover, case, rest, refute))
    })
}

/// What a case has that may be claimed never to be: fluents, what is static, and terms that differ.
fn conditions(program: &Program, case: &Case) -> Rule {
    let is_static = |atom: &Atom| program.level(&atom.key()) == Level::Static;
    let resolve = |of: &Atom| of.with_args(of.args.iter().map(|arg| resolved(arg, &case.bindings)));
    let named = |of: &Atom| fluent(of).is_some_and(|term| term.functor().is_some());
    let mut body = Vec::new();
    for fact in &case.facts {
        let fact = resolve(fact);
        if (fact.name == "true" && named(&fact)) || (fact.name != "does" && is_static(&fact)) {
            body.push(Literal::Positive(fact));
        }
    }
    for (denied, local) in &case.denied {
        if local.is_empty() && is_static(denied) {
            body.push(Literal::Negative(resolve(denied)));
        }
    }
    for (one, other) in &case.different {
        let (one, other) = (resolved(one, &case.bindings), resolved(other, &case.bindings));
        body.push(Literal::Same(false, one, other, Default::default()));
    }
    body.sort_by_key(|literal| (!is_fluent(literal), is_comparison(literal)));
    let vars = vec![String::new(); case.free];
    tidy(&Rule { body, vars, ..Rule::fact(Atom::new("never", &[])) })
}

/// A form of a condition that can be compared.
type Shape<'a> = (bool, &'a str, Vec<&'a Term>);

fn shape(literal: &Literal) -> Shape<'_> {
    match literal {
        Literal::Positive(atom) => (true, &atom.name, atom.args.iter().collect()),
        Literal::Negative(atom) => (false, &atom.name, atom.args.iter().collect()),
        Literal::Same(same, one, other, _) => (*same, "", vec![one, other]),
    }
}

/// Without what says nothing or can't be asked, and with variables in the order in which they stand.
fn tidy(rule: &Rule) -> Rule {
    let bound = rule.bound();
    let mut body: Vec<Literal> = Vec::new();
    for literal in &rule.body {
        let says_nothing = match literal {
            Literal::Same(false, one, other, _) => !unify(one, other, 0, &mut Bindings::default()),
            _ => false,
        };
        let can_be_asked = literal.vars().iter().all(|var| bound.contains(var));
        let is_new = body.iter().all(|known| shape(known) != shape(literal));
        if !says_nothing && can_be_asked && is_new {
            body.push(literal.clone());
        }
    }
    let mut numbers: Vec<usize> = Vec::new();
    for var in body.iter().flat_map(Literal::vars) {
        if !numbers.contains(&var) {
            numbers.push(var);
        }
    }
    let vars = numbers.iter().map(|n| format!("v{n}")).collect();
    let rule = Rule { body, vars, ..rule.clone() };
    rule.replaced(&|term| match term {
        Term::Var(var) => numbers.iter().position(|known| known == var).map(Term::Var),
        _ => None,
    })
}

/// How many parts the positive conditions fall into that have no variables in common, but for those that
/// several fluents have.
fn parts(rule: &Rule) -> usize {
    let mut uses = vec![0; rule.vars.len()];
    for literal in rule.body.iter().filter(|literal| is_fluent(literal)) {
        let vars: FxHashSet<usize> = literal.vars().into_iter().collect();
        vars.into_iter().for_each(|var| uses[var] += 1);
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for atom in rule.positive() {
        let mut part: Vec<usize> = atom.vars().into_iter().filter(|&var| uses[var] < 2).collect();
        let (joined, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|other| other.iter().any(|var| part.contains(var)));
        part.extend(joined.into_iter().flatten());
        parts = others;
        parts.push(part);
    }
    parts.len()
}

/// The constants of fluents.
fn constants(rule: &Rule) -> Vec<Term> {
    fn add(term: &Term, all: &mut Vec<Term>) {
        match term {
            Term::Constant(_) if !all.contains(term) => all.push(term.clone()),
            _ => term.args().iter().for_each(|arg| add(arg, all)),
        }
    }
    let mut all = Vec::new();
    for atom in rule.body.iter().filter(|literal| is_fluent(literal)).filter_map(Literal::atom) {
        let args = fluent(atom).map_or(&[][..], Term::args);
        args.iter().for_each(|arg| add(arg, &mut all));
    }
    all
}

/// A rule with a variable in place of a constant.
fn replaced(rule: &Rule, constant: &Term) -> Rule {
    let var = Term::Var(rule.vars.len());
    let mut rule = rule.replaced(&|term| (term == constant).then(|| var.clone()));
    rule.vars.push(String::new());
    rule
}
