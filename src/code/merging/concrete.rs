//! Built-ins on arguments that are known, or have few values: the machine runs them.

use super::Evaluator;
use super::environment::Way;
use super::goals::{Reader, variables};
use super::order::certain;
use super::pure::{Said, depends_on_arguments, said};
use rustc_hash::FxHashMap;
use zug_machine::{PredId, Space};
use zug_symbolic::{Condition, Domain, Guarded, Leaves, Shape, Store, Substitute, Term, Variable};
use zug_term::symbol::atoms;
use zug_term::{Cell, HeaderKind, Heap, Record};

/// So many ways of arguments are gone through.
const MOST_WAYS: usize = 300;

/// Built-ins with at most one answer that depend on nothing but their arguments, which the other run
/// does not ask the machine: their arguments may have variables.
const FURTHER: &[(&str, usize)] = &[
    ("=..", 2),
    ("functor", 3),
    ("compare", 3),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
    ("succ", 2),
    ("plus", 3),
    ("sort", 2),
    ("msort", 2),
    ("list_to_set", 2),
    ("max_list", 2),
    ("min_list", 2),
    ("max_member", 2),
    ("min_member", 2),
    ("copy_term", 2),
    ("term_variables", 2),
    ("ground", 1),
    ("$dcg_body", 4),
    ("$list_end", 2),
    ("$arg", 3),
    ("$sub_text", 7),
    ("split_string", 4),
    ("string_code", 3),
    ("string_codes", 2),
    ("string_to_atom", 2),
    ("string_lower", 2),
    ("string_upper", 2),
    ("text_concat", 3),
    ("text_to_string", 2),
    ("term_to_atom", 2),
    ("term_string", 2),
    ("atomics_to_string", 2),
    ("$char_type", 4),
    ("char_type", 2),
    ("code_type", 2),
    ("number_vars", 3),
    ("unify_with_occurs_check", 2),
    ("?=", 2),
    ("=@=", 2),
    ("\\=@=", 2),
    ("subsumes_term", 2),
];

/// Functions of integers and floats that depend on their arguments alone.
const FUNCTIONS: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "//",
    "mod",
    "rem",
    "div",
    "min",
    "max",
    "abs",
    "sign",
    "gcd",
    "**",
    "^",
    ">>",
    "<<",
    "/\\",
    "\\/",
    "xor",
    "\\",
    "msb",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "exp",
    "log",
    "log2",
    "float",
    "integer",
    "truncate",
    "round",
    "ceiling",
    "floor",
    "float_integer_part",
    "float_fractional_part",
    "pi",
    "e",
    "copysign",
    "popcount",
    "cot",
];

impl Evaluator<'_> {
    /// Whether a built-in depends on nothing but its arguments.
    pub fn is_concrete(&self, pred: PredId) -> bool {
        let predicate = &self.machine.program.preds[pred as usize];
        let name = (self.machine.symbols.name(predicate.name), predicate.arity);
        depends_on_arguments(self.machine, pred) || FURTHER.contains(&name)
    }

    /// Whether arguments depend on a single leaf: then what a built-in makes of them is found out once,
    /// for all its values.
    pub fn are_of_one_leaf(&self, arguments: &[Term]) -> bool {
        let (mut of, mut any) = (None, false);
        for &argument in arguments {
            match self.store.leaves(argument) {
                Leaves::None => {}
                Leaves::One(leaf) if of.is_none_or(|of| of == leaf) => {
                    (of, any) = (Some(leaf), true)
                }
                _ => return false,
            }
        }
        let few = |leaf| match self.store.domain(leaf) {
            Domain::Values(values) => values.len() < MOST_WAYS,
            Domain::Range(..) | Domain::Mixed(..) => false,
        };
        any && of.is_some_and(few)
    }

    /// `format/3` into a term, by the machine.
    pub fn formatted(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Option<Vec<Way>> {
        let Shape::Struct(header, _) = self.store.shape(arguments[0]) else { return None };
        let sink = self.machine.symbols.name(header.functor_name());
        if !["atom", "string", "codes", "chars"].contains(&sink) || header.functor_arity() != 1 {
            return None;
        }
        let text = match self.store.shape(arguments[1]) {
            Shape::Constant(cell) => self.machine.symbols.name(cell.as_atom()?).to_owned(),
            Shape::Boxed(boxed) => {
                let (heap, root) = self.store.unboxed(*boxed).to_heap();
                let is_text = heap.at(root.addr()).header_kind() == HeaderKind::String;
                if !is_text {
                    return None;
                }
                heap.str_at(root.addr()).to_owned()
            }
            _ => return None,
        };
        // What is called from there may do anything.
        if ["~p", "~@", "~i"].iter().any(|called| text.contains(called)) {
            return None;
        }
        self.by_machine_spread(pred, arguments, way)
    }

    /// A built-in without a form of its own: by the machine, if it depends on nothing but arguments
    /// that are known or have few values. `None` if it is not for that.
    pub fn concrete(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Option<Vec<Way>> {
        if !self.is_concrete(pred) {
            return None;
        }
        self.by_machine_spread(pred, arguments, way)
    }

    fn by_machine_spread(
        &mut self,
        pred: PredId,
        arguments: &[Term],
        way: &Way,
    ) -> Option<Vec<Way>> {
        let mut ways = Vec::new();
        for (condition, arguments) in self.spread(arguments, way.condition, MOST_WAYS)? {
            let bindings = way.bindings.clone();
            ways.extend(self.by_machine(pred, &arguments, Way { condition, bindings })?);
        }
        Some(self.merged_ways(ways, None))
    }

    /// A built-in by the machine: its arguments are known but for variables.
    fn by_machine(&mut self, pred: PredId, arguments: &[Term], mut way: Way) -> Option<Vec<Way>> {
        self.store.spend(8);
        let (mut heap, mut cells) = (Heap::new(), FxHashMap::default());
        let mut arguments: Vec<Cell> = arguments
            .iter()
            .map(|&term| in_heap(&self.store, &mut heap, &mut cells, term))
            .collect();
        // The variables behind the arguments, to see what they are bound to.
        let (variables, all): (Vec<Variable>, Vec<Cell>) = cells.into_iter().unzip();
        let all = heap.list_from(&all, Cell::NIL);
        arguments.push(all);
        let call = heap.new_struct(atoms::CALL, &arguments);
        let record = Record::new(&mut heap, call);
        let answer = match said(self.machine, self.world, pred, &record) {
            Said::Yes(answer) => answer,
            Said::No => return Some(Vec::new()),
            Said::Nothing(why) => {
                self.give_back(way.condition, why);
                return Some(Vec::new());
            }
        };
        let (heap, root) = answer.to_heap();
        let answer = Reader::new(&heap).term(&mut self.store, root)?;
        let Shape::Struct(_, values) = self.store.shape(answer).clone() else { return None };
        let (_, values) = (self.store.elements(*values.last()?)?, values);
        let values = self.store.elements(*values.last()?)?;
        // A variable that is still one keeps its name; others in the answer are new.
        let mut names: FxHashMap<Variable, Variable> = FxHashMap::default();
        for (&variable, &(_, value)) in variables.iter().zip(&values) {
            if let Shape::Variable(image) = self.store.shape(value) {
                names.entry(*image).or_insert(variable);
            }
        }
        let mut pairs = Vec::with_capacity(values.len());
        for (&variable, &(_, value)) in variables.iter().zip(&values) {
            let bindings = std::rc::Rc::make_mut(&mut way.bindings);
            let value = self.store.substituted(value, &mut |store, image| {
                let name = *names.entry(image).or_insert_with(|| bindings.fresh());
                Substitute::Done(store.variable(name))
            });
            pairs.push((self.store.variable(variable), value));
        }
        pairs.retain(|(variable, value)| variable != value);
        Some(self.unify_all(&pairs, way))
    }

    /// The numbers that an expression is, where a condition holds, by the machine: each with the
    /// condition under which it is this one. The states are given back in which it has no value.
    /// `None` if its values are too many.
    pub fn numbers(&mut self, expression: Term, condition: Condition) -> Option<Vec<Guarded>> {
        let is = self.machine.symbols.intern("is");
        let pred = self.machine.program.lookup(is, 2, Space::System)?;
        let mut numbers = Vec::new();
        for (condition, terms) in self.spread(&[expression], condition, MOST_WAYS)? {
            self.store.spend(8);
            if !self.has_functions_only(terms[0]) {
                self.give_back(condition, "something computed is no number in some states");
                continue;
            }
            let (mut heap, mut cells) = (Heap::new(), FxHashMap::default());
            let expression = in_heap(&self.store, &mut heap, &mut cells, terms[0]);
            let result = heap.new_var();
            let call = heap.new_struct(atoms::CALL, &[result, expression]);
            let record = Record::new(&mut heap, call);
            match said(self.machine, self.world, pred, &record) {
                Said::Yes(answer) => {
                    let (heap, root) = answer.to_heap();
                    let answer = Reader::new(&heap).term(&mut self.store, root)?;
                    let Shape::Struct(_, values) = self.store.shape(answer) else { return None };
                    numbers.push((condition, values[0]));
                }
                Said::No => {}
                Said::Nothing(_) => {
                    self.give_back(condition, "an operation has no value in some states");
                }
            }
        }
        Some(numbers)
    }

    /// A comparison of numbers by the machine: where it holds.
    pub fn compares(
        &mut self,
        name: &str,
        sides: [Term; 2],
        within: Condition,
    ) -> Option<Condition> {
        // One that no cell holds is beyond all that a cell does.
        let large = sides.map(|side| self.sign_of_large(side));
        let small = sides.map(|side| self.store.bounds(side).is_some());
        let is_less = name == "<";
        match (large, small) {
            ([Some(sign), None], [_, true]) => return Some(certain(is_less && sign < 0)),
            ([None, Some(sign)], [true, _]) => return Some(certain(is_less && sign > 0)),
            _ => {}
        }
        let name = self.machine.symbols.intern(name);
        let pred = self.machine.program.lookup(name, 2, Space::System)?;
        let way = Way { condition: within, bindings: std::rc::Rc::default() };
        let mut holds = Vec::new();
        for (condition, sides) in self.spread(&sides, within, MOST_WAYS)? {
            let way = Way { condition, ..way.clone() };
            holds.extend(self.by_machine(pred, &sides, way)?.into_iter().map(|way| way.condition));
        }
        Some(self.store.or(holds))
    }

    /// Whether an integer that no cell holds is below zero, or above, if a term is one.
    fn sign_of_large(&self, term: Term) -> Option<i32> {
        let &Shape::Boxed(boxed) = self.store.shape(term) else { return None };
        let (heap, root) = self.store.unboxed(boxed).to_heap();
        let is_large = heap.at(root.addr()).header_kind() == HeaderKind::Big;
        let zero = Cell::ZERO;
        is_large.then(|| zug_term::compare(&heap, &self.machine.symbols, root, zero) as i32)
    }

    /// Whether an expression has functions in it that depend on their arguments alone.
    pub fn has_functions_only(&self, expression: Term) -> bool {
        let mut waiting = vec![expression];
        while let Some(term) = waiting.pop() {
            match self.store.shape(term) {
                Shape::Struct(header, parts) => {
                    if !FUNCTIONS.contains(&self.machine.symbols.name(header.functor_name())) {
                        return false;
                    }
                    waiting.extend(parts.iter());
                }
                Shape::Constant(cell) => {
                    if let Some(name) = cell.as_atom()
                        && !FUNCTIONS.contains(&self.machine.symbols.name(name))
                    {
                        return false;
                    }
                }
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Boxed(_) | Shape::Integer(..) | Shape::Float(..) => {}
                _ => return false,
            }
        }
        true
    }

    /// The variables of terms, ascending.
    pub fn variables_of(&self, terms: &[Term]) -> Vec<Variable> {
        terms.iter().fold(Vec::new(), |all, &term| {
            super::goals::joined(&all, &variables(&self.store, term))
        })
    }
}

/// A term without leaves and variables, in a heap.
pub fn known_in_heap(store: &Store, heap: &mut Heap, term: Term) -> Cell {
    in_heap(store, heap, &mut FxHashMap::default(), term)
}

/// A term without leaves, in a heap.
fn in_heap(
    store: &Store,
    heap: &mut Heap,
    variables: &mut FxHashMap<Variable, Cell>,
    term: Term,
) -> Cell {
    match store.shape(term) {
        Shape::Constant(cell) => *cell,
        Shape::Boxed(boxed) => store.unboxed(*boxed).instantiate(heap),
        Shape::Pair(..) => {
            let (mut items, mut rest) = (Vec::new(), term);
            while let Shape::Pair(head, tail) = store.shape(rest) {
                items.push(in_heap(store, heap, variables, *head));
                rest = *tail;
            }
            let tail = in_heap(store, heap, variables, rest);
            heap.list_from(&items, tail)
        }
        Shape::Struct(header, arguments) => {
            let arguments: Vec<Cell> =
                arguments.iter().map(|&part| in_heap(store, heap, variables, part)).collect();
            heap.new_struct(header.functor_name(), &arguments)
        }
        Shape::Variable(variable) => *variables.entry(*variable).or_insert_with(|| heap.new_var()),
        _ => heap.new_var(),
    }
}
