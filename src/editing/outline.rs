//! Names in a text: which predicates a clause defines, calls and mentions, and where; its variables;
//! what directives load and export.
//!
//! Goals are found as the machine finds them: in control constructs, in the arguments of predicates
//! that call them, in grammar rules. What a program makes of its terms when it runs isn't seen.

mod names;

pub use names::Predicate;

use crate::directives::{Files, Loaded, exported_items, goals_of_directive, loaded_by, text_of};
use crate::reading::{Clause, Reading, Room};
use names::Names;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zug_machine::goal_arguments;
use zug_syntax::{ReadTerm, Token, TokenKind};
use zug_term::Cell;
use zug_term::source::{Source, Span};

/// What an occurrence is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// The head of a clause.
    Definition,
    /// A goal.
    Call,
    /// A name and an arity, or a clause that is added or removed.
    Mention,
}

/// A predicate at a place of the text.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The predicate.
    pub predicate: Predicate,
    /// Where its name stands.
    pub span: Span,
    /// Where the whole goal or head stands.
    pub whole: Span,
    /// What it is.
    pub what: Use,
    /// The number of the clause.
    pub clause: usize,
}

/// A variable of a clause.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub spans: Vec<Span>,
}

/// A unit of tests.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// From its first directive to its last.
    pub span: Span,
    /// The clauses in it: the first and the one behind the last.
    pub clauses: (usize, usize),
}

/// A text, its clauses, and the names in it.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The clauses and comments.
    pub reading: Reading,
    /// All predicates that occur, in order of clauses.
    pub occurrences: Vec<Occurrence>,
    /// The files that directives load, and where these stand.
    pub loads: Vec<(Loaded, Span)>,
    /// What a module exports; `None` if it is no module.
    pub exports: Option<Vec<Predicate>>,
    /// Units of tests.
    pub units: Vec<Unit>,
    /// Predicates by their occurrences.
    by_predicate: FxHashMap<Predicate, Vec<usize>>,
}

impl Outline {
    /// The outline of a text.
    pub fn of(source: &Source, files: &dyn Files) -> Outline {
        let mut finder = Finder::default();
        let reading = Reading::with(source, files, |room, term, clause| {
            finder.clause(&source.text, &room, term, clause);
        });
        let mut outline = finder.outline;
        outline.number_clauses(&reading);
        outline.reading = reading;
        for (number, occurrence) in outline.occurrences.iter().enumerate() {
            let known = outline.by_predicate.entry(occurrence.predicate.clone()).or_default();
            known.push(number);
        }
        outline
    }

    /// Clauses that can't be read have no terms: numbers are those of all clauses.
    fn number_clauses(&mut self, reading: &Reading) {
        let read = reading.clauses.iter().enumerate().filter(|(_, clause)| clause.roles.is_some());
        let numbers: Vec<usize> = read.map(|(number, _)| number).collect();
        for occurrence in &mut self.occurrences {
            occurrence.clause = numbers[occurrence.clause];
        }
        let behind = |clause: usize| numbers.get(clause).copied().unwrap_or(reading.clauses.len());
        for unit in &mut self.units {
            unit.clauses = (behind(unit.clauses.0), behind(unit.clauses.1));
        }
    }

    /// The clause in which an offset stands, or at whose end it is.
    pub fn clause_at(&self, offset: u32) -> Option<usize> {
        let clauses = &self.reading.clauses;
        let at = clauses.partition_point(|clause| clause.span.end < offset);
        (at < clauses.len() && clauses[at].span.start <= offset).then_some(at)
    }

    /// The token at an offset: the one that begins there before the one that ends there.
    pub fn token_at(&self, offset: u32) -> Option<Token> {
        let clause = &self.reading.clauses[self.clause_at(offset)?];
        let at = clause.tokens.partition_point(|token| token.end <= offset);
        let begins = clause.tokens.get(at).filter(|token| token.start <= offset);
        let names = |token: &&Token| token.kind.is_name() || token.kind == TokenKind::Variable;
        let ends = at.checked_sub(1).map(|at| &clause.tokens[at]);
        let ends = ends.filter(|token| token.end == offset).filter(names);
        match begins {
            Some(token) if token.start < offset || names(&token) => Some(*token),
            other => ends.or(other).copied(),
        }
    }

    /// The predicate whose name stands at an offset.
    pub fn occurrence_at(&self, offset: u32) -> Option<&Occurrence> {
        let token = self.token_at(offset)?;
        let clause = self.clause_at(offset)?;
        let of = self.of_clause(clause);
        of.filter(|found| found.span.start == token.start).min_by_key(|found| found.whole.end)
    }

    /// The predicates that occur in a clause.
    pub fn of_clause(&self, clause: usize) -> impl Iterator<Item = &Occurrence> {
        let start = self.occurrences.partition_point(|found| found.clause < clause);
        self.occurrences[start..].iter().take_while(move |found| found.clause == clause)
    }

    /// The occurrences of a predicate.
    pub fn of_predicate(&self, predicate: &Predicate) -> impl Iterator<Item = &Occurrence> {
        let found = self.by_predicate.get(predicate).into_iter().flatten();
        found.map(|&number| &self.occurrences[number])
    }

    /// The predicates that occur, each once.
    pub fn predicates(&self) -> impl Iterator<Item = &Predicate> {
        self.by_predicate.keys()
    }

    /// Whether the text has clauses of a predicate.
    pub fn defines(&self, predicate: &Predicate) -> bool {
        self.of_predicate(predicate).any(|found| found.what == Use::Definition)
    }

    /// The heads of clauses in order.
    pub fn heads(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(|found| found.what == Use::Definition)
    }

    /// The unit of tests in which a clause stands.
    pub fn unit_of(&self, clause: usize) -> Option<usize> {
        let within = |unit: &Unit| (unit.clauses.0..unit.clauses.1).contains(&clause);
        self.units.iter().position(within)
    }

    /// The variables of a clause, in order of first occurrence; `_` is not among them.
    pub fn variables(&self, text: &str, clause: usize) -> Vec<Variable> {
        let mut found: Vec<Variable> = Vec::new();
        let tokens = self.reading.clauses.get(clause).map_or(&[][..], |clause| &clause.tokens);
        let mut known = FxHashMap::default();
        for token in tokens.iter().filter(|token| token.kind == TokenKind::Variable) {
            let name = token.text(text);
            if name == "_" {
                continue;
            }
            let at = *known.entry(name).or_insert_with(|| {
                found.push(Variable { name: name.into(), spans: Vec::new() });
                found.len() - 1
            });
            found[at].spans.push(token.span());
        }
        found
    }
}

/// Arguments of predicates that the text says are goals, with how many arguments are added.
type Metas = FxHashMap<(Arc<str>, usize), Vec<(usize, usize)>>;

/// Finds the names of one clause after the other.
#[derive(Default)]
struct Finder {
    outline: Outline,
    metas: Metas,
    /// Clauses so far.
    clauses: usize,
    /// The unit of tests that is open: its name, where it began, its first clause.
    open: Option<(String, u32, usize)>,
}

/// A term to look at: a goal with arguments added, or what is mentioned.
#[derive(Clone, Copy)]
enum Task {
    Goal { added: usize, grammar: bool },
    Mention,
}

/// A goal as it is.
const GOAL: Task = Task::Goal { added: 0, grammar: false };

impl Finder {
    fn clause(&mut self, text: &str, room: &Room<'_>, term: &ReadTerm, clause: &Clause) {
        let number = self.clauses;
        self.clauses += 1;
        let names = Names { text, heap: room.heap, symbols: room.symbols, term, clause };
        let root = room.heap.deref(term.root);
        match names.functor(root) {
            Some((":-", 1, args)) => {
                self.directive(&names, number, term);
                let goal = names.place(args, term.span);
                self.goals(&names, number, goal, GOAL);
            }
            Some((neck @ (":-" | "=>" | "-->" | "==>"), 2, args)) => {
                let grammar = matches!(neck, "-->" | "==>");
                let added = if grammar { 2 } else { 0 };
                let mut head = names.place(args, term.span);
                if let Some((",", 2, args)) = names.functor(head.0) {
                    let guard = names.place(args + 1, head.1);
                    head = names.place(args, head.1);
                    if !grammar {
                        self.goals(&names, number, guard, GOAL);
                    }
                }
                self.head(&names, number, head, added);
                let body = names.place(args + 1, term.span);
                self.goals(&names, number, body, Task::Goal { added, grammar });
            }
            Some(("?-", 1, args)) => {
                let goal = names.place(args, term.span);
                self.goals(&names, number, goal, GOAL);
            }
            _ => self.head(&names, number, (root, term.span), 0),
        }
        self.sort_clause(number);
    }

    /// Occurrences of a clause in order of place.
    fn sort_clause(&mut self, number: usize) {
        let start = self.outline.occurrences.partition_point(|found| found.clause < number);
        self.outline.occurrences[start..].sort_by_key(|found| (found.span.start, found.whole.end));
    }

    fn head(&mut self, names: &Names<'_>, clause: usize, head: (Cell, Span), added: usize) {
        let mut head = head;
        while let Some((":", 2, args)) = names.functor(head.0) {
            head = names.place(args + 1, head.1);
        }
        self.note(names, clause, head, added, Use::Definition);
    }

    fn note(
        &mut self,
        names: &Names<'_>,
        clause: usize,
        (cell, whole): (Cell, Span),
        added: usize,
        what: Use,
    ) {
        let Some((name, arity)) = names.name_arity(cell) else { return };
        let Some(span) = names.name_span(cell, whole) else { return };
        let predicate = Predicate { name: name.into(), arity: arity + added };
        self.outline.occurrences.push(Occurrence { predicate, span, whole, what, clause });
    }

    /// The goals of a body and what they call.
    fn goals(&mut self, names: &Names<'_>, clause: usize, goal: (Cell, Span), task: Task) {
        let mut waiting = vec![(goal, task)];
        while let Some(((cell, span), task)) = waiting.pop() {
            let cell = names.heap.deref(cell);
            let Task::Goal { added, grammar } = task else {
                self.note(names, clause, (cell, span), 0, Use::Mention);
                continue;
            };
            let args = names.functor(cell);
            match args {
                Some(("," | ";" | "->" | "*->" | "|", 2, args)) => {
                    waiting.push((names.place(args + 1, span), task));
                    waiting.push((names.place(args, span), task));
                    continue;
                }
                Some(("\\+", 1, args)) => {
                    waiting.push((names.place(args, span), task));
                    continue;
                }
                Some(("{}", 1, args)) if grammar => {
                    waiting.push((names.place(args, span), GOAL));
                    continue;
                }
                Some((":", 2, args)) => {
                    waiting.push((names.place(args + 1, span), task));
                    continue;
                }
                _ => {}
            }
            // Texts and lists of a grammar rule are no goals.
            if names.heap.is_list(cell) {
                continue;
            }
            let cut = cell.as_atom().is_some_and(|name| names.symbols.name(name) == "!");
            let added = if grammar && cut { 0 } else { added };
            self.note(names, clause, (cell, span), added, Use::Call);
            if let Some((name, arity, args)) = args {
                for (at, more) in self.goal_arguments(name, arity, added) {
                    let task = Task::Goal { added: more, grammar: false };
                    waiting.push((names.place(args + at, span), task));
                }
                let changes = matches!(
                    name,
                    "assert" | "asserta" | "assertz" | "retract" | "retractall" | "clause"
                );
                if changes && (1..=2).contains(&arity) {
                    let changed = names.place(args, span);
                    self.changed(names, clause, changed, &mut waiting);
                }
            }
        }
    }

    /// A clause that is added, removed or looked up.
    fn changed(
        &mut self,
        names: &Names<'_>,
        clause: usize,
        changed: (Cell, Span),
        waiting: &mut Vec<((Cell, Span), Task)>,
    ) {
        match names.functor(changed.0) {
            Some((":-", 2, args)) => {
                waiting.push((names.place(args, changed.1), Task::Mention));
                waiting.push((names.place(args + 1, changed.1), GOAL));
            }
            _ => self.note(names, clause, changed, 0, Use::Mention),
        }
    }

    fn goal_arguments(&self, name: &str, arity: usize, added: usize) -> Vec<(usize, usize)> {
        if name == "call" && arity > 0 {
            return vec![(0, arity - 1 + added)];
        }
        if name == ">>" && arity == 2 {
            return vec![(1, 0)];
        }
        let own = self.metas.get(&(Arc::from(name), arity + added)).map(Vec::as_slice);
        let known = own.or_else(|| goal_arguments(name, arity + added)).unwrap_or_default();
        known.iter().filter(|&&(at, _)| at < arity).copied().collect()
    }

    /// What a directive says of names and files.
    fn directive(&mut self, names: &Names<'_>, number: usize, term: &ReadTerm) {
        for goal in goals_of_directive(names.heap, names.symbols, term.root) {
            for loaded in loaded_by(names.heap, names.symbols, goal) {
                self.outline.loads.push((loaded, term.span));
            }
            match names.functor(goal) {
                Some(("module", 2, _)) => {
                    let items = exported_items(names.heap, names.symbols, goal);
                    let exports = items.iter().filter_map(|&item| names.indicator(item)).collect();
                    self.outline.exports = Some(exports);
                }
                Some(("meta_predicate", 1, args)) => self.metas(names, args),
                Some(("begin_tests", 1 | 2, args)) => {
                    let unit = text_of(names.heap, names.symbols, names.heap.at(args));
                    self.open = unit.map(|name| (name, term.span.start, number));
                }
                Some(("end_tests", 1, _)) => {
                    if let Some((name, start, first)) = self.open.take() {
                        let span = Span { start, end: term.span.end };
                        self.outline.units.push(Unit { name, span, clauses: (first, number + 1) });
                    }
                }
                _ => {}
            }
        }
        let (what, clause) = (Use::Mention, number);
        for (predicate, span, whole) in names.indicators() {
            self.outline.occurrences.push(Occurrence { predicate, span, whole, what, clause });
        }
    }

    /// `meta_predicate(Heads)`.
    fn metas(&mut self, names: &Names<'_>, args: usize) {
        let mut waiting = vec![names.heap.deref(names.heap.at(args))];
        while let Some(head) = waiting.pop() {
            let Some((name, arity, args)) = names.functor(head) else { continue };
            if name == "," {
                waiting.extend([0, 1].map(|at| names.heap.deref(names.heap.at(args + at))));
                continue;
            }
            let goals = (0..arity).filter_map(|at| {
                let mode = names.heap.deref(names.heap.at(args + at));
                let closure = mode.as_int().and_then(|added| usize::try_from(added).ok());
                let grammar = mode.as_atom().is_some_and(|mode| names.symbols.name(mode) == "//");
                Some((at, closure.or(grammar.then_some(2))?))
            });
            let goals = goals.collect();
            self.metas.insert((name.into(), arity), goals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directives::NoFiles;

    /// What occurs in a text: `+` defines, `.` calls, `~` mentions, each with the text of its place.
    fn check(text: &str, expect: &str) {
        let outline = Outline::of(&Source::new("test", text), &NoFiles);
        let shown = |found: &Occurrence| {
            let mark = match found.what {
                Use::Definition => '+',
                Use::Call => '.',
                Use::Mention => '~',
            };
            let written = &text[found.span.start as usize..found.span.end as usize];
            format!("{mark}{written}/{}", found.predicate.arity)
        };
        let found: Vec<String> = outline.occurrences.iter().map(shown).collect();
        assert_eq!(found.join(" "), expect, "{text}");
    }

    #[test]
    fn goals_are_found_where_they_are_called() {
        check("a(X) :- b(X), \\+ c, ( d -> e ; f(g) ).", "+a/1 .b/1 .c/0 .d/0 .e/0 .f/1");
        check(
            "a :- findall(X, b(X, c), L), maplist(d(1), L).",
            "+a/0 .findall/3 .b/2 .maplist/2 .d/2",
        );
        check("a :- call(b, 1), catch(c, _, d).", "+a/0 .call/2 .b/1 .catch/3 .c/0 .d/0");
        check("a :- m:b(1), X = c, 'B c'.", "+a/0 .b/1 .=/2 .'B c'/0");
        check("a, g => b.", "+a/0 .g/0 .b/0");
        check("a --> b, \"c\", { d }, [e], !, f(1).", "+a/2 .b/2 .d/0 .!/0 .f/3");
    }

    #[test]
    fn names_are_where_they_are_written() {
        check("X likes Y :- Y likes X.", "");
        check(":- op(700, xfx, likes).\nX likes Y :- Y likes X.", ".op/3 +likes/2 .likes/2");
        check("(a) :- ( (b(c)) ), - d.", "+a/0 .b/1 .-/1");
        check("a - b - c.", "+-/2");
        check("'a'.", "+'a'/0");
    }

    #[test]
    fn directives_mention_and_tell_what_is_called() {
        check(":- dynamic p/1, q/2.\n", ".dynamic/1 ~p/1 ~q/2");
        check(":- module(m, [p/1, g//2]).\n", ".module/2 ~p/1 ~g/4");
        check(
            ":- meta_predicate twice(1).\na :- twice(b).\n",
            ".meta_predicate/1 +a/0 .twice/1 .b/1",
        );
        check(
            "a :- assertz(b(1)), retract((c :- d)).",
            "+a/0 .assertz/1 ~b/1 .retract/1 ~c/0 .d/0",
        );
    }

    #[test]
    fn what_can_not_be_read_hides_nothing_else() {
        check("a(1).\nb( :- c.\nd :- e.", "+a/1 +d/0 .e/0");
        let text = "a(1).\nb( :- c.\n:- begin_tests(u).\ntest(x) :- a(1).\n:- end_tests(u).\nf(X, _Y, X).\n";
        let outline = Outline::of(&Source::new("test", text), &NoFiles);
        assert_eq!(outline.units.len(), 1);
        assert_eq!(outline.unit_of(3), Some(0));
        assert_eq!(outline.unit_of(5), None);
        let names: Vec<String> = outline
            .variables(text, 5)
            .iter()
            .map(|v| format!("{}{}", v.name, v.spans.len()))
            .collect();
        assert_eq!(names, ["X2", "_Y1"]);
    }
}
