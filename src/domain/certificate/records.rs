//! The records of a certificate, as terms.

use super::{Origin, Rejected};
use crate::canonical_text::canonical_text;
use num_bigint::BigInt;
use zug_certificate::Lines;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::game::Expected;
use zug_state::Number;
use zug_syntax::Reader;
use zug_term::source::Source;
use zug_term::{Cell, Heap, Record, Value};

/// A record.
pub(super) struct Fact {
    /// Its line.
    pub line: u64,
    pub name: String,
    pub arguments: Vec<Record>,
}

/// All records of a certificate.
pub(super) struct Facts(pub Vec<Fact>);

impl Facts {
    /// Reads the records.
    pub fn read(m: &mut Machine, w: &World, lines: Lines<'_>) -> Result<Facts, Rejected> {
        let facts = lines.records().map(|(line, text)| {
            let fact = m.scratch(|m| read(m, w, line, text));
            fact.ok_or_else(|| Rejected::at(line, "it can't be read as a record"))
        });
        facts.collect::<Result<_, _>>().map(Facts)
    }

    /// Takes out the only record of a name.
    pub fn take(&mut self, name: &str, arity: usize) -> Result<Fact, Rejected> {
        let found = self.perhaps(name, arity)?;
        found.ok_or_else(|| Rejected::new(format!("there is no record {name}/{arity}")))
    }

    /// Takes out the only record of a name, if it is there.
    pub fn perhaps(&mut self, name: &str, arity: usize) -> Result<Option<Fact>, Rejected> {
        let is = |fact: &Fact| fact.name == name && fact.arguments.len() == arity;
        let Some(at) = self.0.iter().position(is) else { return Ok(None) };
        let fact = self.0.remove(at);
        match self.0.iter().find(|fact| is(fact)) {
            Some(again) => Err(Rejected::at(again.line, format!("a second record {name}/{arity}"))),
            None => Ok(Some(fact)),
        }
    }

    /// Where the search began.
    pub fn start(&mut self, m: &Machine) -> Result<(u64, Origin, Record), Rejected> {
        let Fact { line, arguments, .. } = self.take("start", 2)?;
        let [origin, start] = arguments.try_into().map_err(|_| Rejected::at(line, "no start"))?;
        let origin = origin_of(m, &origin);
        let origin =
            origin.ok_or_else(|| Rejected::at(line, "it says not where the start is from"))?;
        Ok((line, origin, start))
    }
}

impl Fact {
    /// An argument as a number, which must be written as one.
    pub fn number(&self, m: &mut Machine, at: usize) -> Result<Number, Rejected> {
        let argument = &self.arguments[at];
        let read = m.scratch(|m| {
            let cell = argument.instantiate(&mut m.heap);
            Number::read_cost(m, cell).ok()
        });
        // What is to be evaluated first, such as `inf`, is none.
        let (heap, root) = argument.to_heap();
        let number = read.filter(|_| exact(m, &heap, root).is_some());
        number.ok_or_else(|| Rejected::at(self.line, "it has no number where one belongs"))
    }

    /// An argument that is a list of exact numbers, or floats: `A/B` is a fraction.
    pub fn exacts(&self, m: &Machine, at: usize) -> Result<Vec<Expected>, Rejected> {
        let (heap, root) = self.arguments[at].to_heap();
        let Some(items) = heap.proper_list(root) else {
            return Err(Rejected::at(self.line, "it has no list where one belongs"));
        };
        let number = |item| {
            let found = exact(m, &heap, item);
            found.ok_or_else(|| Rejected::at(self.line, "it has no number where one belongs"))
        };
        items.into_iter().map(number).collect()
    }

    /// An argument that is an exact number, or a float.
    pub fn exact(&self, m: &Machine, at: usize) -> Result<Expected, Rejected> {
        let (heap, root) = self.arguments[at].to_heap();
        let found = exact(m, &heap, root);
        found.ok_or_else(|| Rejected::at(self.line, "it has no number where one belongs"))
    }

    /// An argument that is an integer.
    pub fn integer(&self, at: usize) -> Result<BigInt, Rejected> {
        let (heap, root) = self.arguments[at].to_heap();
        let found = whole(&heap, heap.deref(root));
        found.ok_or_else(|| Rejected::at(self.line, "it has no integer where one belongs"))
    }

    /// An argument that is a list.
    pub fn list(&self, at: usize) -> Option<Vec<Record>> {
        let (mut heap, root) = self.arguments[at].to_heap();
        let items = heap.proper_list(root)?;
        Some(items.into_iter().map(|item| Record::new(&mut heap, item)).collect())
    }

    /// An argument as text that is the same for all variants.
    pub fn text(&self, m: &Machine, w: &World, at: usize) -> String {
        canonical_text(m, w, &self.arguments[at])
    }
}

/// A number that a term is, unevaluated.
pub(super) fn exact(m: &Machine, heap: &Heap, cell: Cell) -> Option<Expected> {
    let cell = heap.deref(cell);
    if let Some((name, 2, at)) = heap.name_arity(cell).filter(|_| !cell.is_var()) {
        let parts = [heap.at(at), heap.at(at + 1)].map(|part| whole(heap, heap.deref(part)));
        let [above, below] = parts;
        return Expected::fraction(above?, below?).filter(|_| m.symbols.name(name) == "/");
    }
    match heap.value(cell) {
        Value::Float(value) if value.is_finite() => Some(Expected::Float(value)),
        _ => whole(heap, cell).map(Expected::integer),
    }
}

fn whole(heap: &Heap, cell: Cell) -> Option<BigInt> {
    match heap.value(cell) {
        Value::Int(value) => Some(value.into()),
        Value::Big(value) => Some(value),
        _ => None,
    }
}

fn read(m: &mut Machine, w: &World, line: u64, text: &str) -> Option<Fact> {
    let mut reader = Reader::new(Source::new("certificate", &format!("{text}.")));
    let options = w.flags.read_options();
    let root = reader.next(&mut m.heap, &mut m.symbols, &w.operators, &options).ok()??.root;
    // One record, and nothing else.
    let rest = reader.next(&mut m.heap, &mut m.symbols, &w.operators, &options).ok()?;
    let (name, arity, at) = m.heap.name_arity(m.heap.deref(root)).filter(|_| rest.is_none())?;
    let name = m.symbols.name(name).to_owned();
    let cells: Vec<Cell> = (0..arity).map(|i| m.heap.at(at + i)).collect();
    let arguments = cells.into_iter().map(|cell| Record::new(&mut m.heap, cell)).collect();
    Some(Fact { line, name, arguments })
}

fn origin_of(m: &Machine, term: &Record) -> Option<Origin> {
    let (heap, root) = term.to_heap();
    let (name, arity, at) = heap.name_arity(heap.deref(root))?;
    match (m.symbols.name(name), arity) {
        ("given", 0) => Some(Origin::Given),
        ("once", 0) => Some(Origin::Once),
        ("instance", 0) => Some(Origin::Instance(None)),
        ("instance", 1) => {
            let (mut heap, cell) = (heap.clone(), heap.at(at));
            Some(Origin::Instance(Some(Record::new(&mut heap, cell))))
        }
        _ => None,
    }
}
