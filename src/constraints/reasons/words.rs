//! How constraints and variables are called: as the query, or the model, names them.

use super::Reasons;
use super::noting::Noted;
use crate::names::{leaves, pairs};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use zug_explain::{functor, resolve};
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::source::{Source, Span};
use zug_term::{Cell, watchdog};

/// Characters shown of a constraint.
const WIDTH: usize = 100;

#[derive(Default)]
pub(super) struct Names(Vec<(Arc<str>, Cell)>);

impl Names {
    pub fn all(&self) -> impl Iterator<Item = (&str, Cell)> {
        self.0.iter().map(|(name, cell)| (&**name, *cell))
    }
}

/// Constraints by number: their texts, and where they stand.
pub(super) struct Texts {
    pub texts: FxHashMap<usize, String>,
    pub places: FxHashMap<usize, (Source, Span)>,
}

impl Texts {
    /// The lines of the constraints, if they are known, as they stand at the end of a sentence.
    pub fn lines(&self) -> String {
        let line = |(source, span): &(Source, Span)| source.position(span.start).line;
        let lines: BTreeSet<u32> = self.places.values().map(line).collect();
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        match &lines[..] {
            [] => String::new(),
            [line] => format!(", at line {line}"),
            lines => format!(", at lines {}", lines.join(", ")),
        }
    }

    /// The line of a constraint, if it is known, as it stands behind its text.
    pub fn place(&self, number: usize) -> String {
        self.places.get(&number).map_or(String::new(), |(source, span)| {
            format!(" (line {})", source.position(span.start).line)
        })
    }

    /// Some constraints with their lines, in one sentence.
    pub fn listed(&self, which: &[usize]) -> String {
        let one =
            |number: &usize| Some(format!("{}{}", self.texts.get(number)?, self.place(*number)));
        which.iter().filter_map(one).collect::<Vec<_>>().join(", ")
    }
}

impl Reasons<'_> {
    pub fn texts(&self, which: &[usize], names: &Names) -> Texts {
        let text = |&number: &usize| (number, self.text(self.noted[number].goal, names));
        let place = |&number: &usize| Some((number, self.source(self.noted[number].at?)?));
        Texts {
            texts: which.iter().map(text).collect(),
            places: which.iter().filter_map(place).collect(),
        }
    }

    pub fn text(&self, term: Cell, names: &Names) -> String {
        let options = WriteOptions {
            quoted: true,
            numbervars: true,
            spacing: true,
            wide: true,
            max_depth: 30,
            priority: 999,
            variable_names: &names.0,
            ..WriteOptions::default()
        };
        let text = term_to_string(&self.m.heap, &self.m.symbols, &self.w.operators, term, &options);
        if text.chars().count() <= WIDTH {
            return text;
        }
        let short: String = text.chars().take(WIDTH - 1).collect();
        format!("{short}…")
    }

    fn source(&self, at: u32) -> Option<(Source, Span)> {
        let clause = self.m.program.clause_at(at)?;
        let span = self.m.program.goal_span(clause, at)?;
        let place = self.m.program.clauses[clause as usize].place.as_ref()?;
        Some((self.w.loader.sources.get(place.source as usize)?.clone(), span))
    }

    /// Names of the variables in the constraints.
    pub fn names(&self, goal: Cell) -> Names {
        let mut names = Names::default();
        // `Name = Variable` of a model, which are its last argument.
        if let Some((_, arity, at)) = self.m.heap.name_arity(goal)
            && arity > 0
            && let Some(pairs) = pairs(&self.m.heap, self.m.heap.at(at + arity - 1))
        {
            for (name, value) in pairs {
                let name = self.text(name, &Names::default());
                self.name(&name, value, &mut names);
            }
        }
        for (i, name) in self.w.query_names.iter().enumerate() {
            let Some(&root) = self.m.roots.get(self.w.query_roots + i) else { break };
            self.name(name, root, &mut names);
        }
        self.name_as_clauses(&mut names);
        // What has no name is called by a number.
        let mut seen: FxHashSet<Cell> = names.0.iter().map(|(_, cell)| *cell).collect();
        let mut unnamed = 0;
        for &variable in &self.terms {
            if seen.insert(variable) {
                unnamed += 1;
                names.0.push((format!("_{unnamed}").into(), variable));
            }
        }
        names
    }

    /// Names variables that have no name yet as the clauses do whose constraints they are in.
    fn name_as_clauses(&self, names: &mut Names) {
        let mut named: FxHashSet<Cell> = names.0.iter().map(|(_, cell)| *cell).collect();
        let mut used: FxHashMap<Arc<str>, usize> = FxHashMap::default();
        for (name, _) in &names.0 {
            used.entry(name.clone()).or_insert(1);
        }
        for noted in &self.noted {
            for (name, variable) in self.clause_names(noted).unwrap_or_default() {
                if !named.insert(variable) {
                    continue;
                }
                let times = used.entry(name.clone()).or_insert(0);
                *times += 1;
                let name = if *times == 1 { name } else { format!("{name}'{times}").into() };
                names.0.push((name, variable));
            }
        }
    }

    /// How the clause that a constraint stands in calls the variables of that constraint.
    fn clause_names(&self, noted: &Noted) -> Option<Vec<(Arc<str>, Cell)>> {
        let at = noted.at?;
        let id = self.m.program.clause_at(at)?;
        let span = self.m.program.goal_span(id, at)?;
        let clause = &self.m.program.clauses[id as usize];
        let place = clause.place.as_deref()?;
        let &(written, _) = place.goals.iter().find(|(_, goal)| *goal == span)?;
        let (cells, heap) = (&clause.record.cells, &self.m.heap);
        let (mut found, mut todo) = (Vec::new(), vec![(*cells.get(written as usize)?, noted.goal)]);
        while let Some((written, term)) = todo.pop() {
            watchdog::step();
            let (written, term) = (resolve(cells, written), heap.deref(term));
            if written.is_var() {
                let names = place.variables.iter();
                let name = names.filter(|(_, at)| resolve(cells, cells[*at as usize]) == written);
                let name = name.filter(|(name, _)| term.is_var() && !name.starts_with("_"));
                found.extend(name.map(|(name, _)| (name.clone(), term)));
            } else if let Some((one, arity, from)) = functor(cells, written)
                && let Some((other, same, to)) = heap.name_arity(term)
                && (one, arity) == (other, same)
            {
                todo.extend((0..arity).rev().map(|i| (cells[from + i], heap.at(to + i))));
            }
        }
        Some(found)
    }

    /// Gives a name to a variable, and to those in a list or a compound with their places in it.
    fn name(&self, name: &str, term: Cell, names: &mut Names) {
        let mut seen: FxHashSet<Cell> = names.0.iter().map(|(_, cell)| *cell).collect();
        leaves(&self.m.heap, name, term, &mut |name, cell| {
            if cell.is_var() && seen.insert(cell) {
                names.0.push((name.into(), cell));
            }
        });
    }
}
