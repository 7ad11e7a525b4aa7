//! A game as a rule file.

use super::interpret::Interpreter;
use super::modes::{self, Modes};
use super::order::Bound;
use super::plays::Plays;
use super::program::{Level, Program};
use super::recursion::Recursion;
use super::sizes::Sizes;
use super::state::Layout;
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use super::table::Table;
use super::turns::{Play, Turns, play};
use super::{boards, names, numbers, rewriting};
use crate::text;
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::watchdog;

/// Relations of integers are arithmetic if more facts than this say it.
const FEW_NUMBERS: usize = 30;

/// The seed of the plays that show which arguments are values, and which rules repeat answers.
const SEED: u64 = 1;

pub fn write(program: &Program, interpreter: &Interpreter, title: &str) -> String {
    let play = play(program, interpreter);
    let mut plays = Plays::of(program, interpreter, SEED);
    let mut boards = boards::of(program, interpreter, &play, &mut plays);
    let rewritten = rewriting::rewritten(program, interpreter, &plays, &mut boards);
    let sizes = Sizes::new(&rewritten, interpreter, &boards, &plays.functions);
    let mut writer = Writer {
        program: &rewritten,
        interpreter,
        modes: modes::modes(&rewritten, &sizes, &boards, plays.repeating()),
        tables: rewritten.relations.keys().filter(|key| sizes.is_table(key)).cloned().collect(),
        recursion: Recursion::of(&rewritten, interpreter),
        layout: Layout::of(program, interpreter, boards),
        play,
        out: String::new(),
    };
    writer.file(title);
    writer.out
}

struct Writer<'a> {
    program: &'a Program,
    interpreter: &'a Interpreter,
    modes: Modes,
    /// Static relations whose rules facts replace.
    tables: FxHashSet<Key>,
    recursion: Recursion<'a>,
    layout: Layout,
    play: Play,
    out: String,
}

impl Writer<'_> {
    fn file(&mut self, title: &str) {
        self.heading(title);
        self.contract();
        self.layout.write(&mut self.out);
        self.does();
        let mut written = FxHashSet::default();
        let program = self.program;
        for rule in &program.rules {
            let predicate = self.predicate(&rule.head.key());
            if rule.head.name != "init" && written.insert(predicate.clone()) {
                self.relation(&predicate);
            }
        }
        self.absent(&written);
    }

    fn roles(&self) -> Vec<String> {
        self.interpreter.roles.iter().map(|&role| self.interpreter.terms.show(role)).collect()
    }

    fn heading(&mut self, title: &str) {
        let how = match &self.play {
            Play::Alone => {
                "One player: a puzzle. A final state is one in which the game is over with a goal of\n\
                 % 100; there are no moves from states in which it is over."
            }
            Play::InTurn(_) => {
                "Players move in turn: who is not to move has no choice, as the rules show, and what\n\
                 % such a player does is filled in by joint/3."
            }
            Play::AtOnce => {
                "All players choose at once. Nothing shows that they move in turn; who has nothing to\n\
                 % choose has one action."
            }
        };
        self.out += &format!("% {title}, from its rules in GDL.\n%\n% {how}\n%\n");
        self.out += &self.layout.comment();
        self.out += "% holds(F, S) asks for a fluent F; relations that depend on the state have it as their\n\
                     % last argument, and before it what the players do, As, if they depend on that.\n\n";
    }

    fn contract(&mut self) {
        let initial = self.layout.initial(self.interpreter);
        self.out += &format!("initial_state({initial}).\n\n");
        let roles = self.roles();
        let text = match &self.play {
            Play::Alone => alone(&roles[0]),
            Play::InTurn(turns) => in_turn(&roles, turns, self.interpreter),
            Play::AtOnce => at_once(&roles),
        };
        self.out += &text;
    }

    /// `does/3`: what each player does, from the list of what all do.
    fn does(&mut self) {
        let roles = self.roles();
        if self.program.relations.contains_key(&("does".to_owned(), 2)) {
            self.out += "% does(J, M, As): J does M.\n";
            self.out += &joint_moves("does", &roles, &vec!["_".to_owned(); roles.len()]);
            self.out.push('\n');
        }
    }

    fn predicate(&self, key: &Key) -> (String, usize) {
        let added = match self.program.written_level(key) {
            Level::Static => 0,
            Level::State => 1,
            Level::Joint => 2,
        };
        (names::predicate(key), key.1 + added)
    }

    fn relation(&mut self, predicate: &(String, usize)) {
        let program = self.program;
        let of_predicate = |rule: &Rule| self.predicate(&rule.head.key()) == *predicate;
        let rules: Vec<usize> =
            (0..program.rules.len()).filter(|&nth| of_predicate(&program.rules[nth])).collect();
        watchdog::steps(program.rules.len());
        let key = program.rules[rules[0]].head.key();
        if self.numbers(&key, &rules) || self.list(&key, &rules) {
            return;
        }
        if program.recursive(&key) && !self.ends(&key) {
            self.out += &format!(":- table {}/{}.\n", predicate.0, predicate.1);
        }
        for nth in rules {
            let rule = &program.rules[nth];
            self.comments(rule);
            let (order, split) = (&self.modes.orders[nth], self.modes.splits[nth]);
            let clause = Clause::new(self, rule).text(order, split);
            self.out += &clause;
        }
        self.out.push('\n');
    }

    fn comments(&mut self, rule: &Rule) {
        rule.comments.iter().for_each(|line| self.out += &format!("% {line}\n"));
    }

    fn ends(&self, key: &Key) -> bool {
        watchdog::steps(self.program.components.len());
        let component = self.program.components.iter().find(|component| component.contains(key));
        component.is_some_and(|component| self.recursion.ends(component, &self.modes.orders))
    }

    /// Writes a static relation of integers as what it is, if that is shorter.
    fn numbers(&mut self, key: &Key, rules: &[usize]) -> bool {
        let listed = |table: &Table| table.len() > FEW_NUMBERS;
        if self.program.written_level(key) != Level::Static
            || !self.interpreter.tables.rows(key).is_some_and(listed)
        {
            return false;
        }
        let Some(numbers) = numbers::numbers(self.interpreter, key) else { return false };
        let bound = self.modes.bound.get(key).map_or(&[][..], Vec::as_slice);
        let Some(clause) = numbers.clause(&names::predicate(key), bound) else { return false };
        rules.iter().for_each(|&nth| self.comments(&self.program.rules[nth]));
        self.out += &clause;
        self.out.push('\n');
        true
    }

    /// Writes what a static relation holds of, if that is better than its rules.
    fn list(&mut self, key: &Key, rules: &[usize]) -> bool {
        let table = self.interpreter.tables.rows(key).filter(|_| self.tables.contains(key));
        let Some(table) = table else { return false };
        rules.iter().for_each(|&nth| self.comments(&self.program.rules[nth]));
        let name = names::predicate(key);
        for row in table.rows() {
            let args: Vec<String> = row.iter().map(|&id| self.interpreter.terms.show(id)).collect();
            self.out += &format!("{}.\n", text::compound(&name, &args));
        }
        if table.is_empty() {
            self.out += &text::never(&name, key.1);
        }
        self.out.push('\n');
        true
    }

    /// Relations that are asked for and have no rules.
    fn absent(&mut self, written: &FxHashSet<(String, usize)>) {
        let relations = self.program.relations.keys();
        let given = |key: &Key| matches!(key.0.as_str(), "true" | "does" | "init");
        let mut absent: Vec<(String, usize)> =
            relations.filter(|key| !given(key)).map(|key| self.predicate(key)).collect();
        absent.extend([("goal".to_owned(), 3), ("next".to_owned(), 3)]);
        absent.retain(|predicate| !written.contains(predicate));
        absent.sort_unstable();
        absent.dedup();
        for (name, arity) in absent {
            self.out += &format!("% Never.\n{}\n", text::never(&name, arity));
        }
    }
}

fn alone(role: &str) -> String {
    format!(
        "rule(M, 1, S1, S2) :-\n    \\+ terminal(S1),\n    legal({role}, M, S1),\n    next_state([M], S1, S2).\n\n\
         final_state(S) :-\n    terminal(S),\n    goal({role}, 100, S),\n    !.\n\n"
    )
}

fn in_turn(roles: &[String], turns: &Turns, interpreter: &Interpreter) -> String {
    let passes: Vec<String> =
        turns.passes.iter().map(|&pass| interpreter.terms.show(pass)).collect();
    let mut text = format!("initial_player({}).\n\n", roles[turns.order[0]]);
    for (at, &nth) in turns.order.iter().enumerate() {
        let next = turns.order[(at + 1) % turns.order.len()];
        text += &format!("opponent({}, {}).\n", roles[nth], roles[next]);
    }
    text += "\nmove(J, M, S1, S2) :-\n    legal(J, M, S1),\n    joint(J, M, As),\n    $(once(next_state(As, S1, S2))).\n\n";
    text += "% joint(J, M, As): J moves and the others pass.\n";
    text + &joint_moves("joint", roles, &passes) + "\n" + UTILITY
}

/// Facts of what all players do of whom one moves.
fn joint_moves(name: &str, roles: &[String], others: &[String]) -> String {
    let fact = |(nth, role): (usize, &String)| {
        let mut all = others.to_vec();
        all[nth] = "M".to_owned();
        format!("{name}({role}, M, [{}]).\n", all.join(", "))
    };
    roles.iter().enumerate().map(fact).collect()
}

fn at_once(roles: &[String]) -> String {
    format!(
        "players([{}]).\n\naction(J, S, M) :-\n    legal(J, M, S).\n\njoint_move(As, S1, S2) :-\n    \
         next_state(As, S1, S2).\n\n{UTILITY}",
        roles.join(", ")
    )
}

const UTILITY: &str = "utility(J, S, U) :-\n    goal(J, U, S),\n    !.\n\n";

struct Clause<'a> {
    writer: &'a Writer<'a>,
    rule: &'a Rule,
    names: Vec<String>,
}

/// The variables of what players do, and of the state.
const JOINT: &str = "As";
const STATE: &str = "S";

impl<'a> Clause<'a> {
    fn new(writer: &'a Writer<'a>, rule: &'a Rule) -> Clause<'a> {
        let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
        let vars = rule.head.vars().into_iter().chain(rule.body.iter().flat_map(Literal::vars));
        vars.for_each(|var| *uses.entry(var).or_default() += 1);
        let mut names: Vec<String> = vec![JOINT.to_owned(), STATE.to_owned()];
        for (nth, word) in rule.vars.iter().enumerate() {
            watchdog::steps(names.len());
            let base = match uses.get(&nth) {
                Some(1) => format!("_{}", text::variable(word)),
                _ => text::variable(word),
            };
            let mut name = base.clone();
            let mut n = 1;
            while names.contains(&name) {
                name = format!("{base}_{n}");
                n += 1;
            }
            names.push(name);
        }
        names.drain(..2);
        Clause { writer, rule, names }
    }

    /// The clause; of the conditions behind the first `split` one answer is enough.
    fn text(&self, order: &[usize], split: Option<usize>) -> String {
        let key = self.rule.head.key();
        let mut bound = self.writer.modes.bound_by_head(self.rule);
        let mut goals = Vec::new();
        for &nth in order {
            goals.push(self.goal(nth, &bound));
            bound.extend(self.rule.body[nth].positive().into_iter().flat_map(Atom::vars));
        }
        if let Some(count) = split {
            let rest = goals.split_off(count);
            goals.push(once(&rest));
        }
        let head = self
            .call(&key, &self.rule.head.args, &|var| goals.iter().any(|goal| mentions(goal, var)));
        text::clause(&head, &goals)
    }

    /// A relation with what it depends on; where a variable is `used` nowhere, it has no name.
    fn call(&self, key: &Key, args: &[Term], used: &dyn Fn(&str) -> bool) -> String {
        let mut args: Vec<String> = args.iter().map(|arg| self.term(arg)).collect();
        let level = self.writer.program.written_level(key);
        let named = |var: &str| if used(var) { var.to_owned() } else { "_".to_owned() };
        if level == Level::Joint {
            args.push(named(JOINT));
        }
        if level >= Level::State {
            args.push(named(STATE));
        }
        text::compound(&names::predicate(key), &args)
    }

    fn goal(&self, nth: usize, bound: &Bound) -> String {
        match &self.rule.body[nth] {
            Literal::Positive(atom) => {
                let call = self.literal(atom);
                if self.only_tested(nth, bound) { format!("once({call})") } else { call }
            }
            Literal::Negative(atom) => format!("\\+ {}", self.literal(atom)),
            Literal::Same(same, left, right, _) => {
                let operator = if *same { "==" } else { "\\==" };
                format!("{} {operator} {}", self.term(left), self.term(right))
            }
        }
    }

    fn literal(&self, atom: &Atom) -> String {
        match (atom.name.as_str(), fluent(atom)) {
            ("true", Some(fluent)) => format!("holds({}, {STATE})", self.term(fluent)),
            ("does", _) => {
                format!("does({}, {}, {JOINT})", self.term(&atom.args[0]), self.term(&atom.args[1]))
            }
            _ => self.call(&atom.key(), &atom.args, &|_| true),
        }
    }

    /// Whether one answer is as good as all: nothing that it binds is used, and there may be several.
    fn only_tested(&self, nth: usize, bound: &Bound) -> bool {
        let Some(atom) = self.rule.body[nth].positive() else { return false };
        let program = self.writer.program;
        let given = matches!(atom.name.as_str(), "true" | "does");
        let rules: Vec<&Rule> = program.rules_of(&atom.key()).collect();
        if given || rules.iter().all(|rule| rule.body.is_empty()) {
            return false;
        }
        let alone = |var: &usize| self.names[*var].starts_with('_') || bound.contains(var);
        atom.vars().iter().all(alone)
            && (rules.len() > 1 || rules.iter().any(|rule| order_has_choice(rule)))
    }

    fn term(&self, term: &Term) -> String {
        term.text(&|var| self.names[var].clone())
    }
}

/// One answer of some goals.
fn once(goals: &[String]) -> String {
    match goals {
        [goal] if goal.starts_with("once(") => goal.clone(),
        [goal] => format!("once({goal})"),
        goals => {
            let lines =
                goals.iter().map(|goal| format!("        {}", goal.replace('\n', "\n    ")));
            format!("once((\n{}\n    ))", lines.collect::<Vec<_>>().join(",\n"))
        }
    }
}

/// Whether a rule may give the same answer several times: it has variables that its head has not.
fn order_has_choice(rule: &Rule) -> bool {
    let head: Bound = rule.head.vars().into_iter().collect();
    rule.positive().flat_map(Atom::vars).any(|var| !head.contains(&var))
}

/// Whether a goal has a variable.
fn mentions(goal: &str, var: &str) -> bool {
    watchdog::steps(goal.len());
    goal.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == var)
}
