//! Built-ins on arguments that are known, or have few values: the machine runs them.

use super::Run;
use super::environment::{Way, Ways};
use super::goals::{Reader, joined, variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;
use zug_machine::{Machine, PredId, Space};
use zug_prolog::builtins::World;
use zug_symbolic::{
    Condition, Domain, Guarded, Leaves, Shape, Store, Substitute, Term, Variable, limits,
};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, HeaderKind, Heap, Record};

/// Built-ins with at most one answer that depends on nothing but the arguments: global variables, say, may not count.
static PURE: LazyLock<FxHashSet<(&str, usize)>> = LazyLock::new(|| {
    let pure = "\
    =../2 functor/3 compare/3 @</2 @>/2 @=</2 @>=/2 succ/2 plus/3 sort/2 msort/2 sort/4 keysort/2 \
    list_to_set/2 max_list/2 min_list/2 max_member/2 min_member/2 copy_term/2 term_variables/2 ground/1 \
    numlist/3 $length/3 $sum_list/3 $max_list/3 $min_list/3 $arity/2 $skip_list/3 $list_end/2 $arg/3 \
    $dcg_body/4 number_vars/3 unify_with_occurs_check/2 ?=/2 =@=/2 \\=@=/2 subsumes_term/2 \
    atom_length/2 atom_chars/2 atom_codes/2 char_code/2 number_codes/2 number_chars/2 atom_number/2 \
    atom_string/2 upcase_atom/2 downcase_atom/2 atomic_list_concat/2 $concat/5 $sub_text/7 string_concat/3 \
    string_chars/2 string_length/2 number_string/2 split_string/4 string_code/3 string_codes/2 \
    string_to_atom/2 string_lower/2 string_upper/2 text_concat/3 text_to_string/2 term_to_atom/2 \
    term_string/2 atomics_to_string/2 $char_type/4 char_type/2 code_type/2";
    let indicators = pure.split_ascii_whitespace().filter_map(|one| one.rsplit_once('/'));
    indicators.filter_map(|(name, arity)| Some((name, arity.parse().ok()?))).collect()
});

/// Functions of integers and floats that depend on their arguments alone.
static FUNCTIONS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let functions = "\
    + - * / // mod rem div min max abs sign gcd ** ^ >> << /\\ \\/ xor \\ msb popcount sqrt sin cos tan \
    cot asin acos atan atan2 exp log log2 pi e float integer truncate round ceiling floor \
    float_integer_part float_fractional_part copysign";
    functions.split_ascii_whitespace().collect()
});

enum Said {
    /// The call with its only answer.
    Yes(Record),
    No,
    /// It is not for code, and why.
    Nothing(&'static str),
}

/// Calls a built-in with the arguments of a term, which may have more behind those.
fn said(m: &mut Machine, w: &mut World, pred: PredId, call: &Record) -> Said {
    m.ask(w, |ask| {
        let term = call.instantiate(&mut ask.machine.heap);
        let (_, _, first) = ask.machine.heap.name_arity(term).unwrap_or((atoms::NIL, 0, 0));
        let arity = ask.machine.program.preds[pred as usize].arity;
        let cells: Vec<Cell> = (0..arity).map(|i| ask.machine.heap.at(first + i)).collect();
        ask.add_root(term);
        match ask.call(pred, &cells) {
            Ok(true) if ask.has_more() => Said::Nothing("it has several answers"),
            Ok(true) => {
                let [term] = ask.rooted();
                Said::Yes(Record::new(&mut ask.machine.heap, term))
            }
            Ok(false) => Said::No,
            Err(_) => Said::Nothing("it raises an error"),
        }
    })
}

impl Run<'_> {
    pub fn is_concrete(&self, pred: PredId) -> bool {
        let predicate = &self.machine.program.preds[pred as usize];
        PURE.contains(&(self.machine.symbols.name(predicate.name), predicate.arity))
    }

    /// Whether arguments depend on a single leaf, for all of whose values a built-in is run once.
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
            Domain::Values(values) => values.len() <= limits::ALTERNATIVES,
            Domain::Range(..) | Domain::Mixed(..) => false,
        };
        any && of.is_some_and(few)
    }

    /// `format/3` into a term, by the machine.
    pub fn formatted(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Ways {
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

    /// A built-in by the machine, if its arguments are known or of few values; `None` if it is not for that.
    pub fn concrete(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Ways {
        if !self.is_concrete(pred) {
            return None;
        }
        self.by_machine_spread(pred, arguments, way)
    }

    fn by_machine_spread(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Ways {
        let mut ways = Vec::new();
        for (condition, arguments) in self.spread(arguments, way.condition, limits::ALTERNATIVES)? {
            ways.extend(self.by_machine(pred, &arguments, way.within(condition))?);
        }
        Some(self.merged_ways(ways, None))
    }

    /// A built-in by the machine: its arguments are known but for variables.
    fn by_machine(&mut self, pred: PredId, arguments: &[Term], mut way: Way) -> Ways {
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
                self.deoptimise(way.condition, why);
                return Some(Vec::new());
            }
        };
        let (heap, root) = answer.to_heap();
        let answer = Reader::new(&heap).term(&mut self.store, root)?;
        let Shape::Struct(_, values) = self.store.shape(answer).clone() else { return None };
        self.store.spend(1 + variables.len());
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
        Some(self.unify_all(pairs.into_iter(), way))
    }

    /// The numbers of an expression with conditions, by the machine; `None` if they are too many.
    /// States without a value deoptimise.
    pub fn numbers(&mut self, expression: Term, condition: Condition) -> Option<Vec<Guarded>> {
        let is = self.machine.symbols.intern("is");
        let pred = self.machine.program.lookup(is, 2, Space::System)?;
        let mut numbers = Vec::new();
        for (condition, terms) in self.spread(&[expression], condition, limits::ALTERNATIVES)? {
            self.store.spend(8);
            if !self.has_functions_only(terms[0]) {
                self.deoptimise(condition, "something computed is no number in some states");
                continue;
            }
            let mut heap = Heap::new();
            let expression = known_in_heap(&self.store, &mut heap, terms[0]);
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
                    self.deoptimise(condition, "an operation has no value in some states");
                }
            }
        }
        Some(numbers)
    }

    /// A comparison of numbers by the machine: where it holds.
    pub fn compares(&mut self, op: &str, sides: [Term; 2], within: Condition) -> Option<Condition> {
        // One that no cell holds is beyond all that a cell does.
        let large = sides.map(|side| self.sign_of_large(side));
        let small = sides.map(|side| self.store.bounds(side).is_some());
        let is_less = op == "<";
        match (large, small) {
            ([Some(sign), None], [_, true]) => {
                return Some(Condition::certain(is_less && sign < 0));
            }
            ([None, Some(sign)], [true, _]) => {
                return Some(Condition::certain(is_less && sign > 0));
            }
            _ => {}
        }
        let op = self.machine.symbols.intern(op);
        let pred = self.machine.program.lookup(op, 2, Space::System)?;
        let mut holds = Vec::new();
        for (condition, sides) in self.spread(&sides, within, limits::ALTERNATIVES)? {
            let ways = self.by_machine(pred, &sides, Way::new(condition))?;
            holds.extend(ways.into_iter().map(|way| way.condition));
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
                    if !self.is_function(header.functor_name()) {
                        return false;
                    }
                    waiting.extend(parts.iter());
                }
                Shape::Constant(cell)
                    if cell.as_atom().is_some_and(|name| !self.is_function(name)) =>
                {
                    return false;
                }
                Shape::Constant(_) => {}
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Boxed(_) | Shape::Integer(..) | Shape::Float(..) => {}
                _ => return false,
            }
        }
        true
    }

    fn is_function(&self, name: Atom) -> bool {
        FUNCTIONS.contains(self.machine.symbols.name(name))
    }

    pub fn variables_of(&self, terms: &[Term]) -> Vec<Variable> {
        terms.iter().fold(Vec::new(), |all, &term| joined(&all, &variables(&self.store, term)))
    }
}

/// A term without leaves and variables, in a heap.
pub fn known_in_heap(store: &Store, heap: &mut Heap, term: Term) -> Cell {
    in_heap(store, heap, &mut FxHashMap::default(), term)
}

/// A term without leaves in a heap, where its variables have cells.
pub fn in_heap(
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
