//! The records of a certificate, as terms.

use super::Rejected;
use crate::canonical_text::canonical_text;
use zug_certificate::Lines;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_syntax::{ReadOptions, Reader};
use zug_term::source::Source;
use zug_term::{Cell, Record};

/// Levels of the terms of a record: other checkers read them recursively.
const MOST_LEVELS: u32 = 2999;

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
            fact.ok_or_else(|| {
                Rejected::at(
                    line,
                    format!("it is no record in canonical form of at most {MOST_LEVELS} levels"),
                )
            })
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
}

impl Fact {
    /// An argument that is a list.
    pub fn list(&self, at: usize) -> Option<Vec<Record>> {
        let (mut heap, root) = self.arguments[at].to_heap();
        let items = heap.proper_list(root)?;
        Some(items.into_iter().map(|item| Record::new(&mut heap, item)).collect())
    }

    /// That a kind of certificate has no such record.
    pub fn foreign(&self, kind: &str) -> Rejected {
        let (name, arity) = (&self.name, self.arguments.len());
        Rejected::at(
            self.line,
            format!("`{name}/{arity}` is no record of a certificate of the kind {kind}"),
        )
    }
}

/// Reads a record, which has to be written as the canonical texts of its arguments: the same term in another spelling, with
/// blanks, comments or escapes, is none.
fn read(m: &mut Machine, w: &World, line: u64, text: &str) -> Option<Fact> {
    let mut reader = Reader::new(Source::new("certificate", &format!("{text}.")));
    // As certificates are written, whatever flags the rules set.
    let options = ReadOptions::default();
    let root = reader.next(&mut m.heap, &mut m.symbols, &w.operators, &options).ok()??.root;
    // One record, and nothing else.
    let rest = reader.next(&mut m.heap, &mut m.symbols, &w.operators, &options).ok()?;
    let (name, arity, at) = m.heap.name_arity(m.heap.deref(root)).filter(|_| rest.is_none())?;
    let name = m.symbols.name(name).to_owned();
    let cells: Vec<Cell> = (0..arity).map(|i| m.heap.at(at + i)).collect();
    let arguments = cells.into_iter().map(|cell| Record::new(&mut m.heap, cell));
    let arguments: Vec<Record> = arguments.collect();
    let written: Vec<String> = arguments.iter().map(|one| canonical_text(m, w, one)).collect();
    let is_canonical = text == format!("{name}({})", written.join(","));
    let is_read = is_canonical && arguments.iter().all(is_shallow);
    is_read.then_some(Fact { line, name, arguments })
}

/// Whether a term has no more than [`MOST_LEVELS`]; a list counts as one level, however long it is.
fn is_shallow(record: &Record) -> bool {
    let (heap, root) = record.to_heap();
    let mut todo = vec![(root, 0)];
    while let Some((cell, above)) = todo.pop() {
        let cell = heap.deref(cell);
        let Some((_, arity @ 1.., at)) = heap.name_arity(cell) else { continue };
        if above == MOST_LEVELS {
            return false;
        }
        let tail = if cell.is_list() { above } else { above + 1 };
        todo.extend(
            (0..arity).map(|i| (heap.at(at + i), if i + 1 == arity { tail } else { above + 1 })),
        );
    }
    true
}
