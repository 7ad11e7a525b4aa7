//! Proofs in stages, and their text in DRCP.
//!
//! DRCP is the format of M. Flippo, K. Sidorov, I. Marijnissen, J. Smits, E. Demirović, *A multi-stage proof logging
//! framework to certify the correctness of CP solvers* (CP 2024). A stage lists inferences, each from one constraint, and
//! what they come to: atoms that can't hold together, which may be used in later stages.

use crate::atom::{Atom, Relation};
use crate::model::Model;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// What an inference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The values that its variable has from the beginning.
    Initial,
    /// A constraint of the model, counted from 0.
    Constraint(u32),
    /// The nogood of an earlier stage, counted from 0.
    Stage(u32),
}

/// If the premises hold, the consequent does; without one they can't hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    /// The premises.
    pub premises: Vec<Atom>,
    /// The consequent.
    pub consequent: Option<Atom>,
    /// What it comes from.
    pub origin: Origin,
}

/// Atoms that can't hold together, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The atoms.
    pub nogood: Vec<Atom>,
    /// The inferences, in the order in which they are made where all the atoms hold.
    pub inferences: Vec<Inference>,
}

/// What a proof proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// There is no solution.
    Unsatisfiable,
    /// All solutions have this.
    Bound(Atom),
}

/// A proof. The last stage is its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The stages.
    pub stages: Vec<Stage>,
    /// The conclusion.
    pub conclusion: Conclusion,
}

impl Proof {
    /// Leaves out the stages that the last one does not rest on.
    pub fn trim(&mut self) {
        let mut needed = vec![false; self.stages.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for at in (0..self.stages.len()).rev() {
            if !needed[at] {
                continue;
            }
            for inference in &self.stages[at].inferences {
                if let Origin::Stage(stage) = inference.origin {
                    needed[stage as usize] = true;
                }
            }
        }
        let mut places = Vec::with_capacity(needed.len());
        let mut kept = 0;
        for &needed in &needed {
            places.push(kept);
            kept += u32::from(needed);
        }
        let mut at = 0;
        self.stages.retain(|_| {
            at += 1;
            needed[at - 1]
        });
        for inference in self.stages.iter_mut().flat_map(|stage| &mut stage.inferences) {
            if let Origin::Stage(stage) = &mut inference.origin {
                *stage = places[*stage as usize];
            }
        }
    }

    /// Writes it as DRCP, which says of a model what it proves.
    ///
    /// # Errors
    /// What the stream says.
    pub fn write(&self, model: &Model, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer { model, out, atoms: FxHashMap::default() };
        // Constraints of the model come first, and all else is numbered behind them.
        let mut next = model.constraints.len() as u32 + 1;
        let mut stages: Vec<u32> = Vec::with_capacity(self.stages.len());
        for stage in &self.stages {
            let first = next;
            for inference in &stage.inferences {
                writer.inference(next, inference, &stages)?;
                next += 1;
            }
            let mut line = format!("n {next}");
            writer.codes(&mut line, &stage.nogood)?;
            line.push_str(" 0");
            for inference in first..next {
                line.push_str(&format!(" {inference}"));
            }
            writeln!(writer.out, "{line}")?;
            stages.push(next);
            next += 1;
        }
        match self.conclusion {
            Conclusion::Unsatisfiable => writeln!(writer.out, "c UNSAT"),
            Conclusion::Bound(atom) => {
                let code = writer.code(atom)?;
                writeln!(writer.out, "c {code}")
            }
        }
    }
}

struct Writer<'w> {
    model: &'w Model,
    out: &'w mut dyn Write,
    /// The codes of atoms that are `>=` or `==`; the others are negations of these.
    atoms: FxHashMap<Atom, i32>,
}

impl Writer<'_> {
    fn inference(&mut self, number: u32, inference: &Inference, stages: &[u32]) -> io::Result<()> {
        let mut line = format!("i {number}");
        self.codes(&mut line, &inference.premises)?;
        line.push_str(" 0");
        if let Some(consequent) = inference.consequent {
            self.codes(&mut line, &[consequent])?;
        }
        match inference.origin {
            Origin::Initial => line.push_str(" l:initial_domain"),
            Origin::Constraint(at) => {
                let label = self.model.constraints[at as usize].1.label();
                line.push_str(&format!(" c:{} l:{label}", at + 1));
            }
            Origin::Stage(at) => line.push_str(&format!(" c:{} l:nogood", stages[at as usize])),
        }
        writeln!(self.out, "{line}")
    }

    fn codes(&mut self, line: &mut String, atoms: &[Atom]) -> io::Result<()> {
        for &atom in atoms {
            line.push_str(&format!(" {}", self.code(atom)?));
        }
        Ok(())
    }

    /// The code of an atom, which is defined if it is new.
    fn code(&mut self, atom: Atom) -> io::Result<i32> {
        let (defined, sign) = match atom.relation {
            Relation::AtLeast | Relation::Equal => (atom, 1),
            Relation::AtMost | Relation::NotEqual => (atom.negated(), -1),
        };
        if let Some(code) = self.atoms.get(&defined) {
            return Ok(code * sign);
        }
        let code = self.atoms.len() as i32 + 1;
        self.atoms.insert(defined, code);
        let relation = if defined.relation == Relation::Equal { "==" } else { ">=" };
        let name = self.model.name(defined.var);
        writeln!(self.out, "a {code} [{name} {relation} {}]", defined.value)?;
        Ok(code * sign)
    }
}
