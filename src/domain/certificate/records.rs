//! The records of a certificate, as terms.

use super::Rejected;
use zug_certificate::Lines;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_syntax::{ReadOptions, Reader, TokenKind, tokenize};
use zug_term::source::Source;
use zug_term::{Cell, Record};

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

fn read(m: &mut Machine, w: &World, line: u64, text: &str) -> Option<Fact> {
    let is_comment =
        |kind: TokenKind| matches!(kind, TokenKind::LineComment | TokenKind::BlockComment);
    if (text.contains('%') || text.contains("/*"))
        && tokenize(text).iter().any(|token| is_comment(token.kind))
    {
        return None;
    }
    let mut reader = Reader::new(Source::new("certificate", &format!("{text}.")));
    // As certificates are written, whatever flags the rules set.
    let options = ReadOptions::default();
    let root = reader.next(&mut m.heap, &mut m.symbols, &w.operators, &options).ok()??.root;
    // One record, and nothing else.
    let rest = reader.next(&mut m.heap, &mut m.symbols, &w.operators, &options).ok()?;
    let (name, arity, at) = m.heap.name_arity(m.heap.deref(root)).filter(|_| rest.is_none())?;
    let name = m.symbols.name(name).to_owned();
    let cells: Vec<Cell> = (0..arity).map(|i| m.heap.at(at + i)).collect();
    let arguments = cells.into_iter().map(|cell| Record::new(&mut m.heap, cell)).collect();
    Some(Fact { line, name, arguments })
}
