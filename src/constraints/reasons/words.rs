//! How constraints and variables are called: as the query, or the model, names them.

use super::Reasons;
use super::trial::Trial;
use crate::names::{leaves, pairs};
use crate::store::Var;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::Cell;
use zug_term::source::{Source, Span};

/// Characters shown of a constraint.
const WIDTH: usize = 100;

/// Names and the variables that have them.
#[derive(Default)]
pub(super) struct Names(Vec<(Arc<str>, Cell)>);

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
}

impl Reasons<'_> {
    /// The texts and places of some constraints.
    pub fn texts(&self, which: &[usize], names: &Names) -> Texts {
        let text = |&number: &usize| (number, self.text(self.noted[number].goal, names));
        let place = |&number: &usize| Some((number, self.source(self.noted[number].at?)?));
        Texts {
            texts: which.iter().map(text).collect(),
            places: which.iter().filter_map(place).collect(),
        }
    }

    /// How variables of a store are called: as the query or the model names them, with the places of
    /// elements in lists; as what they are the value of, if they are parts of an expression.
    pub fn labels(&mut self, trial: &Trial, names: &Names) -> FxHashMap<Var, String> {
        let mut labels = FxHashMap::default();
        for &(cell, var) in &trial.variables {
            let name = self.text(cell, names);
            labels.entry(trial.store.find(var)).or_insert(name);
        }
        labels
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
        // What has no name is called by a letter.
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
