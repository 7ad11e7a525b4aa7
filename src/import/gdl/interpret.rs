//! A small interpreter of GDL, bottom-up: all that holds in a state is computed component by component
//! (semi-naive evaluation: S. Abiteboul, R. Hull, V. Vianu, *Foundations of Databases*, 1995, chapter 13).
//!
//! It says what static relations hold, and is what written rules are held against.

use super::costs::BottomUp;
use super::order::{self, Bound};
use super::program::{Level, Program, key, name, shown};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::table::{Table, Tables, TermId, Terms};
use crate::sexpr::MAX_DEPTH;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use zug_term::diagnostic::Diagnostic;
use zug_term::watchdog;

/// The most terms of which a relation may hold.
const MAX_FACTS: usize = 500_000;
/// Rows that are inspected for the static relations of one component before they count as too large: of public
/// games none that can be listed takes more than 4 million.
const MAX_ROWS: u64 = 20_000_000;

#[derive(Clone, Debug)]
enum Pattern {
    Var(usize),
    Ground(TermId),
    Function(u32, Vec<Pattern>),
}

/// A condition that is looked up in a table.
#[derive(Clone, Debug)]
struct Lookup {
    table: usize,
    columns: Vec<Pattern>,
    /// The columns whose values are known when it is asked.
    mask: u64,
}

#[derive(Clone, Debug)]
enum Step {
    Holds(Lookup),
    Fails(Lookup),
    Same(bool, Pattern, Pattern),
}

#[derive(Clone, Debug)]
struct Compiled {
    head: usize,
    columns: Vec<Pattern>,
    steps: Vec<Step>,
    vars: usize,
    /// The source offset of the rule.
    start: u32,
}

/// The rules of a component.
#[derive(Clone, Debug)]
struct Component {
    level: Level,
    tables: Vec<usize>,
    recursive: bool,
    rules: Vec<Compiled>,
    /// It depends on static relations that are too large.
    is_unlisted: bool,
}

/// A game that is run.
#[derive(Clone)]
pub struct Interpreter {
    pub terms: Terms,
    pub tables: Tables,
    components: Vec<Component>,
    pub roles: Vec<TermId>,
    pub initial: Vec<TermId>,
    /// The source offsets of rules that repeated an answer.
    pub repeating: FxHashSet<u32>,
    /// Rows that may still be looked at.
    budget: u64,
}

/// Why a game can't be run.
type Fallible<T> = Result<T, Box<Diagnostic>>;

impl Interpreter {
    /// Makes one, and computes what is static.
    pub fn new(program: &Program) -> Fallible<Interpreter> {
        let mut this = Interpreter {
            terms: Terms::default(),
            tables: Tables::default(),
            components: Vec::new(),
            roles: Vec::new(),
            initial: Vec::new(),
            repeating: FxHashSet::default(),
            budget: MAX_ROWS,
        };
        for name in ["true", "next", "role", "init"] {
            this.tables.number(&key(name, 1));
        }
        for keys in &program.components {
            this.budget = MAX_ROWS;
            this.add_component(program, keys)?;
        }
        this.budget = u64::MAX;
        for root in [key("role", 1), key("init", 1)] {
            if !this.tables.is_listed(&root) {
                return Err(too_much(program, &root));
            }
        }
        this.roles = this.column(&key("role", 1), 0);
        this.initial = this.column(&key("init", 1), 0);
        this.initial.sort_unstable();
        Ok(this)
    }

    /// An interpreter of other rules over the static relations of this one, which inspects no more rows than
    /// `budget`.
    pub fn extended(&self, program: &Program, budget: u64) -> Fallible<Interpreter> {
        let mut this = Interpreter { components: Vec::new(), budget, ..self.clone() };
        for keys in &program.components {
            this.add_component(program, keys)?;
        }
        Ok(this)
    }

    /// The same rules with a budget: rows that are inspected.
    pub fn limited(&self, budget: u64) -> Interpreter {
        Interpreter { budget, ..self.clone() }
    }

    /// Adds relations with rules that depend on each other, and computes static ones.
    fn add_component(&mut self, program: &Program, keys: &[Key]) -> Fallible<()> {
        let component = self.compile(program, keys)?;
        let is_static = component.level == Level::Static;
        let known = self.terms.count();
        if component.is_unlisted || (is_static && self.evaluate(&component).is_err()) {
            component.tables.iter().for_each(|&table| self.tables.get_mut(table).clear());
            self.terms.truncate(known);
            self.tables.unlisted.extend(keys.iter().cloned());
        }
        if !is_static {
            self.components.push(component);
        }
        Ok(())
    }

    fn depends_on_unlisted(&self, program: &Program, keys: &[Key]) -> bool {
        let mut asked = keys.iter().flat_map(|key| program.rules_of(key)).flat_map(Rule::asked);
        asked.any(|atom| !self.tables.is_listed(&atom.key()))
    }

    /// The number of a term that the game or the caller has.
    pub fn intern(&mut self, name: &str, args: &[TermId]) -> TermId {
        let symbol = self.terms.symbol(name);
        self.terms.intern(symbol, args)
    }

    /// Goes to a state: computes what holds in it.
    pub fn set_state(&mut self, state: &[TermId]) -> Result<(), TooMuch> {
        if self.components.iter().any(|component| component.is_unlisted) {
            return Err(TooMuch);
        }
        self.clear(Level::State);
        state.iter().for_each(|&fact| self.add_fluent(fact));
        self.evaluate_level(Level::State)
    }

    /// Adds a row to the table of a relation that is not of the game.
    pub fn insert(&mut self, key: &Key, row: &[TermId]) {
        let table = self.tables.number(key);
        self.tables.get_mut(table).insert(row);
    }

    /// What the head of a rule is wherever its conditions, asked in this order, hold of the tables as they are, if
    /// no more rows are inspected than `budget`, and the rest of the budget. Of more than `most` answers those
    /// are returned that were found first.
    pub fn join(
        &mut self,
        rule: &Rule,
        order: &[usize],
        budget: u64,
        most: usize,
    ) -> (Result<Vec<Vec<TermId>>, TooMuch>, u64) {
        let compiled = self.compile_rule(rule, order);
        self.index(&compiled);
        let mut left = budget;
        let mut join = Join {
            terms: &mut self.terms,
            tables: &self.tables.all,
            rule: &compiled,
            only: None,
            budget: &mut left,
            values: vec![None; compiled.vars],
            found: Vec::new(),
            most,
        };
        let done = join.step(0);
        let found = std::mem::take(&mut join.found);
        let found = if found.len() > most { Ok(found) } else { done.map(|()| found) };
        (found, left)
    }

    fn add_fluent(&mut self, fact: TermId) {
        let whole = self.tables.number(&key("true", 1));
        self.tables.get_mut(whole).insert(&[fact]);
        let (name, args) = self.terms.functor(fact);
        if let Some(&table) = self.tables.numbers.get(&(format!("true {name}"), args.len())) {
            self.tables.get_mut(table).insert(args);
        }
    }

    /// What holds after a joint move, in ascending order: the moves are in the order of the roles.
    pub fn next(&mut self, moves: &[TermId]) -> Result<Vec<TermId>, TooMuch> {
        self.clear(Level::Joint);
        let does = self.tables.number(&key("does", 2));
        for (role, &chosen) in self.roles.clone().into_iter().zip(moves) {
            self.tables.get_mut(does).insert(&[role, chosen]);
        }
        self.evaluate_level(Level::Joint)?;
        let mut next = self.column(&key("next", 1), 0);
        next.sort_unstable();
        Ok(next)
    }

    pub fn terminal(&self) -> bool {
        self.tables.rows(&key("terminal", 0)).is_some_and(|table| !table.is_empty())
    }

    /// The legal moves of each player, in the order of the roles.
    pub fn legal(&self) -> Vec<Vec<TermId>> {
        self.roles.iter().map(|&role| self.second(&key("legal", 2), role)).collect()
    }

    #[cfg(test)]
    /// The goal values of each player, in the order of the roles.
    pub fn goals(&self) -> Vec<Vec<TermId>> {
        let is_goal = |key: &&Key| key.1 == 2 && name(key) == "goal";
        let mut tables: Vec<&Key> = self.tables.numbers.keys().filter(is_goal).collect();
        tables.sort_unstable();
        let of = |&role: &TermId| tables.iter().flat_map(|key| self.second(key, role)).collect();
        self.roles.iter().map(of).collect()
    }

    fn second(&self, key: &Key, first: TermId) -> Vec<TermId> {
        let Some(table) = self.tables.rows(key) else { return Vec::new() };
        table.rows().filter(|row| row[0] == first).map(|row| row[1]).collect()
    }

    fn column(&self, key: &Key, column: usize) -> Vec<TermId> {
        self.tables
            .rows(key)
            .map_or_else(Vec::new, |table| table.rows().map(|row| row[column]).collect())
    }

    fn clear(&mut self, level: Level) {
        let components = self.components.iter().filter(|component| component.level >= level);
        let mut stale: Vec<usize> = components.flat_map(|known| known.tables.clone()).collect();
        for (key, &number) in &self.tables.numbers {
            if key.0 == "does" || (name(key) == "true" && level == Level::State) {
                stale.push(number);
            }
        }
        stale.into_iter().for_each(|number| self.tables.get_mut(number).clear());
    }

    fn evaluate_level(&mut self, level: Level) -> Result<(), TooMuch> {
        let components = std::mem::take(&mut self.components);
        let mut of_level = components.iter().filter(|component| component.level == level);
        let done = of_level.try_for_each(|component| self.evaluate(component));
        self.components = components;
        done
    }

    fn evaluate(&mut self, component: &Component) -> Result<(), TooMuch> {
        for rule in &component.rules {
            self.run(rule, None)?;
        }
        if !component.recursive {
            return Ok(());
        }
        let mut done: Vec<usize> = component.tables.iter().map(|_| 0).collect();
        loop {
            let ends: Vec<usize> =
                component.tables.iter().map(|&t| self.tables.all[t].len()).collect();
            if done == ends {
                break;
            }
            for rule in &component.rules {
                for (at, step) in rule.steps.iter().enumerate() {
                    let Step::Holds(lookup) = step else { continue };
                    let position = component.tables.iter().position(|&t| t == lookup.table);
                    let Some(nth) = position else { continue };
                    self.run(rule, Some((at, done[nth], ends[nth])))?;
                }
            }
            done = ends;
        }
        Ok(())
    }

    /// Adds what a rule says; `only` restricts a condition to rows that came last.
    fn run(&mut self, rule: &Compiled, only: Option<(usize, usize, usize)>) -> Result<(), TooMuch> {
        self.index(rule);
        let mut join = Join {
            terms: &mut self.terms,
            tables: &self.tables.all,
            rule,
            only,
            budget: &mut self.budget,
            values: vec![None; rule.vars],
            found: Vec::new(),
            most: 8 * MAX_FACTS,
        };
        join.step(0)?;
        let found = join.found;
        let table = self.tables.get_mut(rule.head);
        watchdog::steps(found.len());
        if only.is_none() && !self.repeating.contains(&rule.start) {
            let mut answers = FxHashSet::default();
            if !found.iter().all(|row| answers.insert(row)) {
                self.repeating.insert(rule.start);
            }
        }
        found.iter().for_each(|row| table.insert(row));
        if table.len() > MAX_FACTS { Err(TooMuch) } else { Ok(()) }
    }

    /// Sees to it that what a rule asks can be looked up.
    fn index(&mut self, rule: &Compiled) {
        for step in &rule.steps {
            if let Step::Holds(lookup) | Step::Fails(lookup) = step
                && !self.tables.all[lookup.table].is_indexed(lookup.mask)
            {
                self.tables.get_mut(lookup.table).index(lookup.mask);
            }
        }
    }

    fn compile(&mut self, program: &Program, keys: &[Key]) -> Fallible<Component> {
        let first = &keys[0];
        let level = program.level(first);
        let tables = keys.iter().map(|key| self.tables.number(key)).collect();
        let mut rules = Vec::new();
        for rule in keys.iter().flat_map(|key| program.rules_of(key)) {
            let costs = BottomUp { program, tables: &self.tables };
            let order = order::order(rule, Bound::default(), &costs).ok_or_else(|| {
                let message = "variables of this rule have no values when they are needed";
                Diagnostic::error("E0809", message).at(&program.source, rule.span, "")
            })?;
            rules.push(self.compile_rule(rule, &order));
        }
        let is_unlisted = self.depends_on_unlisted(program, keys);
        Ok(Component { level, tables, recursive: program.recursive(first), rules, is_unlisted })
    }

    fn compile_rule(&mut self, rule: &Rule, order: &[usize]) -> Compiled {
        let mut bound = Bound::default();
        let mut steps = Vec::new();
        for &nth in order {
            match &rule.body[nth] {
                Literal::Positive(atom) => {
                    steps.push(Step::Holds(self.lookup(atom, &bound)));
                    bound.extend(atom.vars());
                }
                Literal::Negative(atom) => steps.push(Step::Fails(self.lookup(atom, &bound))),
                Literal::Same(same, left, right, _) => {
                    steps.push(Step::Same(*same, self.pattern(left), self.pattern(right)));
                }
            }
        }
        let head = self.tables.number(&rule.head.key());
        let columns = rule.head.args.iter().map(|arg| self.pattern(arg)).collect();
        Compiled { head, columns, steps, vars: rule.vars.len(), start: rule.span.start }
    }

    /// `true` of a fluent whose name is known has a table of its own.
    fn lookup(&mut self, atom: &Atom, bound: &Bound) -> Lookup {
        let named = (atom.name == "true").then(|| fluent(atom)).flatten();
        let (key, args) = match named.and_then(|term| Some((term, term.functor()?))) {
            Some((term, (name, arity))) => ((format!("true {name}"), arity), term.args()),
            None => (atom.key(), atom.args.as_slice()),
        };
        let known = |(_, arg): &(usize, &Term)| order::is_bound(arg, bound);
        let mask = args.iter().enumerate().take(64).filter(known).fold(0, |m, (n, _)| m | 1 << n);
        let columns = args.iter().map(|arg| self.pattern(arg)).collect();
        Lookup { table: self.tables.number(&key), columns, mask }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match term {
            Term::Var(var) => Pattern::Var(*var),
            Term::Constant(name) => Pattern::Ground(self.intern(name, &[])),
            Term::Function(name, args) => {
                let args: Vec<Pattern> = args.iter().map(|arg| self.pattern(arg)).collect();
                let symbol = self.terms.symbol(name);
                let ground = args.iter().map(|arg| match arg {
                    Pattern::Ground(id) => Some(*id),
                    _ => None,
                });
                match ground.collect::<Option<Vec<TermId>>>() {
                    Some(ids) => Pattern::Ground(self.terms.intern(symbol, &ids)),
                    None => Pattern::Function(symbol, args),
                }
            }
        }
    }
}

/// More facts hold than there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

fn too_much(program: &Program, key: &Key) -> Box<Diagnostic> {
    let message = format!("`{}` holds of too many terms, or of infinitely many", shown(key));
    let fault = Diagnostic::error("E0810", message);
    match program.rules_of(key).next() {
        Some(rule) => fault.at(&program.source, rule.span, "").into(),
        None => fault.into(),
    }
}

/// The way through the conditions of a rule.
struct Join<'a> {
    terms: &'a mut Terms,
    tables: &'a [Rc<Table>],
    rule: &'a Compiled,
    only: Option<(usize, usize, usize)>,
    budget: &'a mut u64,
    values: Vec<Option<TermId>>,
    found: Vec<Vec<TermId>>,
    /// How many may be found before it is given up.
    most: usize,
}

impl<'a> Join<'a> {
    fn step(&mut self, at: usize) -> Result<(), TooMuch> {
        let rule = self.rule;
        match rule.steps.get(at) {
            None => self.add(),
            Some(Step::Same(same, left, right)) => {
                if (self.build(left) == self.build(right)) == *same {
                    return self.step(at + 1);
                }
                Ok(())
            }
            Some(Step::Fails(lookup)) => {
                let mut holds = false;
                self.matches(lookup, None, &mut |_| {
                    holds = true;
                    Ok(false)
                })?;
                if holds { Ok(()) } else { self.step(at + 1) }
            }
            Some(Step::Holds(lookup)) => {
                let only =
                    self.only.filter(|&(nth, _, _)| nth == at).map(|(_, from, to)| (from, to));
                self.matches(lookup, only, &mut |join| join.step(at + 1).map(|()| true))
            }
        }
    }

    fn add(&mut self) -> Result<(), TooMuch> {
        let rule = self.rule;
        let row: Vec<TermId> = rule.columns.iter().map(|column| self.build(column)).collect();
        let is_deep = row.iter().any(|&id| self.terms.depth(id) > MAX_DEPTH);
        self.found.push(row);
        if is_deep || self.found.len() > self.most { Err(TooMuch) } else { Ok(()) }
    }

    /// Calls `then` for each row that matches, as long as it says so.
    fn matches(
        &mut self,
        lookup: &'a Lookup,
        only: Option<(usize, usize)>,
        then: &mut dyn FnMut(&mut Self) -> Result<bool, TooMuch>,
    ) -> Result<(), TooMuch> {
        let tables = self.tables;
        let table = &tables[lookup.table];
        let known = lookup.columns.iter().enumerate().filter(|(n, _)| lookup.mask >> n & 1 == 1);
        let probe: Vec<TermId> = known.map(|(_, column)| self.build(column)).collect();
        let (from, to) = only.unwrap_or((0, table.len()));
        *self.budget = self.budget.checked_sub(1).ok_or(TooMuch)?;
        let rows = table.find(lookup.mask, &probe, from, to);
        for nth in rows {
            watchdog::step();
            *self.budget = self.budget.checked_sub(1).ok_or(TooMuch)?;
            let mut bound = Vec::new();
            let row = table.row(nth);
            let columns = lookup.columns.iter().zip(row).enumerate();
            let mut open = columns.filter(|(n, _)| *n >= 64 || lookup.mask >> n & 1 == 0);
            let fits = open.all(|(_, (column, &id))| self.unify(column, id, &mut bound));
            let go_on = !fits || then(self)?;
            bound.into_iter().for_each(|var| self.values[var] = None);
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    fn unify(&mut self, pattern: &Pattern, id: TermId, bound: &mut Vec<usize>) -> bool {
        match pattern {
            Pattern::Ground(ground) => *ground == id,
            Pattern::Var(var) => match self.values[*var] {
                Some(value) => value == id,
                None => {
                    self.values[*var] = Some(id);
                    bound.push(*var);
                    true
                }
            },
            Pattern::Function(symbol, columns) => {
                let (own, args) = self.terms.get(id);
                if own != *symbol || args.len() != columns.len() {
                    return false;
                }
                let args = args.to_vec();
                columns.iter().zip(args).all(|(column, arg)| self.unify(column, arg, bound))
            }
        }
    }

    /// A term of a pattern whose variables have values.
    fn build(&mut self, pattern: &Pattern) -> TermId {
        match pattern {
            Pattern::Ground(id) => *id,
            Pattern::Var(var) => self.values[*var].expect("variables are bound in the order found"),
            Pattern::Function(symbol, columns) => {
                let args: Vec<TermId> = columns.iter().map(|column| self.build(column)).collect();
                self.terms.intern(*symbol, &args)
            }
        }
    }
}
