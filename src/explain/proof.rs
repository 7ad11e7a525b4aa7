//! `why/1`: the proof of an answer, as lines of a tree.

use super::explanation::{Explanation, ProofLine};
use super::goals::{Call, Justification, NONE};
use super::places::clause_place;
use super::prover::Prover;
use super::terms::TermPrinter;
use std::sync::Arc;
use zug_machine::{ClauseId, Space};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// Characters shown of a variable's value.
const VALUE: usize = 40;
/// Lines made of a proof.
const MOST_LINES: usize = 100_000;

impl Prover<'_> {
    /// The proof that was found last.
    pub fn proof(&self) -> Explanation {
        let words = TermPrinter::new(&self.store.heap, self.m, self.w).named(self.variable_names());
        let mut depths: Vec<usize> = vec![0; self.calls.len()];
        let mut lines = Vec::new();
        for (i, call) in self.calls.iter().enumerate().skip(1) {
            let above = self.shown_above(call);
            let depth = if above == 0 { 0 } else { depths[above] + 1 };
            depths[i] = depth;
            if call.from == Space::System || lines.len() == MOST_LINES {
                continue;
            }
            lines.push(self.proof_line(call, depth, &words));
        }
        let title = format!("{} is true", words.term(self.query()));
        Explanation { title, proof: lines, ..Explanation::default() }
    }

    /// The nearest call above that is shown: helpers of the library are not.
    fn shown_above(&self, call: &Call) -> usize {
        let mut frame = call.frame;
        while frame != NONE && frame != 0 && self.calls[frame as usize].from == Space::System {
            frame = self.calls[frame as usize].frame;
        }
        frame as usize
    }

    fn proof_line(&self, call: &Call, depth: usize, words: &TermPrinter<'_>) -> ProofLine {
        let mut line = ProofLine {
            depth,
            goal: words.term(call.goal),
            place: None,
            variables: Vec::new(),
            remark: "",
        };
        match call.how {
            Justification::Clause(id) => {
                line.place =
                    clause_place(self.m, self.w, id).filter(|_| self.is_its_clause(call, id));
                let clause = &self.m.program.clauses[id as usize];
                let gone = clause.died != u64::MAX;
                let is_fact = gone || clause.body() == Cell::atom(atoms::TRUE);
                if line.place.is_none() {
                    let library = call.space == Space::System;
                    line.remark = if library { "library" } else { "added while running" };
                }
                let place =
                    clause.place.as_ref().filter(|_| !is_fact && self.is_its_clause(call, id));
                if let Some(place) = place {
                    for (name, addr) in &place.variables {
                        let value = words.heap.deref(Cell::reference(call.base + *addr as usize));
                        if !name.starts_with('_') && !value.is_var() {
                            line.variables.push((name.to_string(), words.limited(value, VALUE)));
                        }
                    }
                }
            }
            Justification::BuiltIn => line.remark = "built in",
            Justification::NoProof => {
                let all = words.heap.match_struct::<2>(call.goal, atoms::FORALL).is_some();
                line.remark = if all { "for all of them" } else { "no proof of it" };
            }
            Justification::Collected(0) => line.remark = "no answers",
            Justification::Collected(1) => line.remark = "1 answer",
            Justification::Collected(_) => line.remark = "all answers",
            Justification::Tabled => line.remark = "in its table",
            Justification::Skipped => line.remark = "writes; passed over",
        }
        line
    }

    /// Whether the clause that proved a call is still there.
    fn is_its_clause(&self, call: &Call, id: ClauseId) -> bool {
        let clause = &self.m.program.clauses[id as usize];
        clause.pred == call.pred && clause.died == u64::MAX
    }

    /// Names for unbound variables: those that a clause of the proof has for them, each name
    /// for one variable only.
    fn variable_names(&self) -> Vec<(Arc<str>, Cell)> {
        let mut names: Vec<(Arc<str>, Cell)> = Vec::new();
        for call in &self.calls {
            let Justification::Clause(id) = call.how else { continue };
            let place = self.m.program.clauses[id as usize].place.as_ref();
            let Some(place) = place.filter(|_| self.is_its_clause(call, id)) else { continue };
            for (name, addr) in &place.variables {
                let value = self.store.heap.deref(Cell::reference(call.base + *addr as usize));
                let known = |(other, cell): &(Arc<str>, Cell)| *cell == value || other == name;
                if value.is_var() && !names.iter().any(known) {
                    names.push((name.clone(), value));
                }
            }
            if names.len() > 64 {
                break;
            }
        }
        names
    }
}
