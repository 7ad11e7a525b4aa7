//! Grammar rules to clauses (`-->`; ISO/IEC TS 13211-3, with SWI-Prolog's forms).
//!
//! A nonterminal gets two more arguments, the list before and after it. Works on
//! any heap: the loader's as well as the machine's. Terminals at the start of a
//! body are matched in the head, so that clauses are selected by them.

use super::{Entry, World};
use zug_machine::{Fault, Machine, Outcome};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Value};

/// This group's predicates.
pub const TABLE: &[Entry] = &[
    Entry::session("dcg_translate_rule", 2, translate_rule),
    Entry::pure("$dcg_body", 4, translate_body),
];

/// What can be wrong with a grammar rule.
#[derive(Debug, Clone, Copy)]
pub enum Problem {
    /// A variable where a nonterminal must be known.
    Unbound,
    /// Not a nonterminal, list or string: the term.
    NotCallable(Cell),
    /// Not a list of terminals: the term.
    NotList(Cell),
}

/// Nesting of grammar bodies that is translated in place; deeper parts become
/// calls of `phrase/3`.
const MAX_NESTING: usize = 1000;

/// A translation in progress.
pub struct Translator<'h> {
    /// Where terms are built.
    pub heap: &'h mut Heap,
    /// Atoms.
    pub symbols: &'h mut Symbols,
    /// Cells of new goals and the cell of the grammar body each comes from.
    pub origins: Vec<(Cell, Cell)>,
}

impl Translator<'_> {
    /// The clause that a grammar rule stands for.
    pub fn rule(&mut self, rule: Cell) -> Result<Cell, Problem> {
        match self.heap.match_struct::<2>(rule, atoms::DCG_RULE) {
            Some([head, body]) => self.matching_rule(head, body),
            None => {
                let [head, body] =
                    self.heap.match_struct::<2>(rule, atoms::DCG_ARROW).unwrap_or([rule; 2]);
                self.clause(head, body)
            }
        }
    }

    /// The rule `Head, Guard => Body` that `Head, Guard ==> Body` stands for. What is behind the head is no guard if
    /// it is a list: then it is pushed back.
    fn matching_rule(&mut self, head: Cell, body: Cell) -> Result<Cell, Problem> {
        let [s0, s] = [0; 2].map(|_| self.heap.new_var());
        let (nonterminal, beside) = match self.heap.match_struct::<2>(head, atoms::COMMA) {
            Some([nonterminal, beside]) => (nonterminal, Some(self.heap.deref(beside))),
            None => (head, None),
        };
        let pushed = beside.filter(|&cell| self.heap.proper_list(cell).is_some());
        let mut left = self.extend(nonterminal, s0, s)?;
        let mut goal;
        if let Some(pushed) = pushed {
            let end = self.heap.new_var();
            goal = self.body(body, s0, end, 0)?;
            let terminals = self.terminals(pushed, end)?;
            let unify = self.unify(s, terminals);
            goal = self.heap.new_struct(atoms::COMMA, &[goal, unify]);
        } else {
            goal = self.body(body, s0, s, 0)?;
            if let Some(guard) = beside {
                left = self.heap.new_struct(atoms::COMMA, &[left, guard]);
            }
        }
        Ok(self.heap.new_struct(atoms::RULE, &[left, goal]))
    }

    /// The clause `Head :- Body` that `Head --> Body` stands for.
    fn clause(&mut self, head: Cell, body: Cell) -> Result<Cell, Problem> {
        let s0 = self.heap.new_var();
        let s = self.heap.new_var();
        let head = self.heap.deref(head);
        let (nonterminal, pushback) = match self.heap.match_struct::<2>(head, atoms::COMMA) {
            Some([nonterminal, pushback]) => (nonterminal, Some(pushback)),
            None => (head, None),
        };
        let body_end = if pushback.is_some() { self.heap.new_var() } else { s };
        // Leading terminals go into the head.
        let mut start = s0;
        let mut rest = self.heap.deref(body);
        let mut first = None;
        while let Some([left, right]) = self.heap.match_struct::<2>(rest, atoms::COMMA) {
            let left = self.heap.deref(left);
            if !left.is_list() || first.is_some() {
                break;
            }
            first = Some(left);
            rest = self.heap.deref(right);
        }
        let mut after = s0;
        if let Some(terminals) = first {
            after = self.heap.new_var();
            start = self.terminals(terminals, after)?;
        } else if rest.is_list() && pushback.is_none() {
            start = self.terminals(rest, s)?;
            let head = self.extend(nonterminal, start, s)?;
            return Ok(self.heap.new_struct(atoms::NECK, &[head, Cell::atom(atoms::TRUE)]));
        }
        let head = self.extend(nonterminal, start, s)?;
        let mut goal = self.body(rest, after, body_end, 0)?;
        if let Some(pushback) = pushback {
            let pushed = self.body(pushback, s, body_end, 0)?;
            goal = self.heap.new_struct(atoms::COMMA, &[goal, pushed]);
        }
        Ok(self.heap.new_struct(atoms::NECK, &[head, goal]))
    }

    /// A nonterminal with its two more arguments.
    fn extend(&mut self, nonterminal: Cell, s0: Cell, s: Cell) -> Result<Cell, Problem> {
        let nonterminal = self.heap.deref(nonterminal);
        if nonterminal.is_var() {
            return Err(Problem::Unbound);
        }
        if let Some([module, inner]) = self.heap.match_struct::<2>(nonterminal, atoms::COLON)
            && self.heap.match_struct::<2>(inner, atoms::COLON).is_none()
        {
            let goal = self.extend(inner, s0, s)?;
            return Ok(self.heap.new_struct(atoms::COLON, &[module, goal]));
        }
        let Some((name, arity, args)) = self.heap.name_arity(nonterminal) else {
            return Err(Problem::NotCallable(nonterminal));
        };
        let mut all: Vec<Cell> = (0..arity).map(|i| self.heap.at(args + i)).collect();
        all.extend([s0, s]);
        Ok(self.heap.new_struct(name, &all))
    }

    /// The terminals of a list or string before `rest`.
    fn terminals(&mut self, list: Cell, rest: Cell) -> Result<Cell, Problem> {
        if let Value::Str(text) = self.heap.value(list) {
            let codes: Vec<Cell> = text.chars().map(|c| Cell::small(i64::from(c as u32))).collect();
            return Ok(self.heap.list_from(&codes, rest));
        }
        match self.heap.proper_list(list) {
            Some(items) => Ok(self.heap.list_from(&items, rest)),
            None => Err(Problem::NotList(list)),
        }
    }

    fn unify(&mut self, a: Cell, b: Cell) -> Cell {
        self.heap.new_struct(atoms::UNIFY, &[a, b])
    }

    /// The goal of a grammar body between two lists.
    pub fn body(&mut self, body: Cell, s0: Cell, s: Cell, depth: usize) -> Result<Cell, Problem> {
        let body = self.heap.deref(body);
        let goal = self.body_goal(body, s0, s, depth)?;
        self.origins.push((goal, body));
        Ok(goal)
    }

    fn body_goal(&mut self, body: Cell, s0: Cell, s: Cell, depth: usize) -> Result<Cell, Problem> {
        if body.is_var() || depth > MAX_NESTING {
            let phrase = self.symbols.intern("phrase");
            return Ok(self.heap.new_struct(phrase, &[body, s0, s]));
        }
        if body == Cell::NIL {
            return Ok(self.unify(s0, s));
        }
        if body.is_list() || matches!(self.heap.value(body), Value::Str(_)) {
            let list = self.terminals(body, s)?;
            return Ok(self.unify(s0, list));
        }
        let Some((name, arity, args)) = self.heap.name_arity(body) else {
            return Err(Problem::NotCallable(body));
        };
        let arg = |heap: &Heap, i: usize| heap.at(args + i);
        match (name, arity) {
            (atoms::COMMA, 2) => self.conjunction(body, s0, s, depth),
            (atoms::COLON, 2) => {
                let (module, inner) = (arg(self.heap, 0), arg(self.heap, 1));
                let inner = self.body(inner, s0, s, depth + 1)?;
                Ok(self.heap.new_struct(name, &[module, inner]))
            }
            (atoms::ARROW | atoms::SOFT_ARROW, 2) => {
                let middle = self.heap.new_var();
                let (test, then) = (arg(self.heap, 0), arg(self.heap, 1));
                let test = self.body(test, s0, middle, depth + 1)?;
                let then = self.body(then, middle, s, depth + 1)?;
                Ok(self.heap.new_struct(name, &[test, then]))
            }
            (atoms::SEMICOLON | atoms::BAR, 2) => {
                let (left, right) = (arg(self.heap, 0), arg(self.heap, 1));
                let left = self.body(left, s0, s, depth + 1)?;
                let right = self.body(right, s0, s, depth + 1)?;
                Ok(self.heap.new_struct(atoms::SEMICOLON, &[left, right]))
            }
            (atoms::NOT_PROVABLE, 1) => {
                let end = self.heap.new_var();
                let inner = arg(self.heap, 0);
                let inner = self.body(inner, s0, end, depth + 1)?;
                let not = self.heap.new_struct(atoms::NOT_PROVABLE, &[inner]);
                let same = self.unify(s0, s);
                Ok(self.heap.new_struct(atoms::COMMA, &[not, same]))
            }
            (atoms::CUT, 0) => {
                let same = self.unify(s0, s);
                Ok(self.heap.new_struct(atoms::COMMA, &[body, same]))
            }
            (atoms::CURLY, 1) => {
                let goal = arg(self.heap, 0);
                let same = self.unify(s0, s);
                Ok(self.heap.new_struct(atoms::COMMA, &[goal, same]))
            }
            (atoms::CURLY, 0) => Ok(self.unify(s0, s)),
            _ => self.extend(body, s0, s),
        }
    }

    /// A chain of conjunctions, translated from the left without recursion.
    fn conjunction(
        &mut self,
        body: Cell,
        s0: Cell,
        s: Cell,
        depth: usize,
    ) -> Result<Cell, Problem> {
        let mut goals = Vec::new();
        let mut rest = body;
        let mut from = s0;
        while let Some([left, right]) = self.heap.match_struct::<2>(rest, atoms::COMMA) {
            let to = self.heap.new_var();
            goals.push(self.body(left, from, to, depth + 1)?);
            from = to;
            rest = self.heap.deref(right);
        }
        let mut goal = self.body(rest, from, s, depth + 1)?;
        while let Some(left) = goals.pop() {
            goal = self.heap.new_struct(atoms::COMMA, &[left, goal]);
        }
        Ok(goal)
    }
}

/// Whether a term is a grammar rule.
pub(super) fn is_rule(heap: &Heap, term: Cell) -> bool {
    let is = |arrow| heap.match_struct::<2>(term, arrow).is_some();
    is(atoms::DCG_ARROW) || is(atoms::DCG_RULE)
}

fn fault(m: &mut Machine, problem: Problem) -> Fault {
    match problem {
        Problem::Unbound => m.instantiation_error(),
        Problem::NotCallable(cell) => m.type_error("callable", cell),
        Problem::NotList(cell) => m.type_error("list", cell),
    }
}

fn translate_rule(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if !is_rule(&m.heap, a[0]) {
        return Err(m.type_error("dcg_rule", a[0]));
    }
    let mut translator =
        Translator { heap: &mut m.heap, symbols: &mut m.symbols, origins: Vec::new() };
    match translator.rule(a[0]) {
        Ok(clause) => Ok(m.unify(a[1], clause)),
        Err(problem) => Err(fault(m, problem)),
    }
}

fn translate_body(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let mut translator =
        Translator { heap: &mut m.heap, symbols: &mut m.symbols, origins: Vec::new() };
    match translator.body(a[0], a[1], a[2], 0) {
        Ok(goal) => Ok(m.unify(a[3], goal)),
        Err(problem) => Err(fault(m, problem)),
    }
}
