//! Checks proofs in DRCP about models in FlatZinc, by their texts alone.
//!
//! The format is that of M. Flippo, K. Sidorov, I. Marijnissen, J. Smits, E. Demirović, *A multi-stage proof logging
//! framework to certify the correctness of CP solvers* (CP 2024). Each inference is looked at by itself: its premises and
//! the contrary of its consequent can't hold together by the one constraint it names. Each stage then makes the inferences
//! that it lists, in order, from the atoms of its nogood, until nothing is possible any more. What is known from the
//! beginning of a variable is told by inferences too.
//!
//! Nothing here is shared with what makes proofs: models and proofs are read from their texts.
//!
//! ```
//! use zug_certificate::drcp::{Proved, check};
//! let model = "var 1..2: x;\nvar 1..2: y;\nconstraint int_lin_le([1,1],[x,y],1);\nsolve satisfy;\n";
//! let proof = "a 1 [x >= 1]\na 2 [y >= 1]\ni 2 0 1 l:initial_domain\ni 3 0 2 l:initial_domain\n\
//!              i 4 1 2 0 c:1 l:linear_bounds\nn 5 0 2 3 4\nc UNSAT\n";
//! assert_eq!(check(model, proof, &mut || {}), Ok(Proved::Unsatisfiable));
//! let fault = check(model, &proof.replace("n 5 0 2 3 4", "n 5 0 2 4"), &mut || {}).expect_err("y is not told");
//! assert_eq!(fault.line, 6);
//! ```

mod flatzinc;
mod inferences;
mod known;
mod steps;

use flatzinc::Model;
use known::{Atom, Known, Relation};
use rustc_hash::FxHashMap;
use steps::{Conclusion, Steps};

/// What a proof proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// The model has no solution.
    Unsatisfiable,
    /// In all solutions the objective is at least this, where the least is sought, or else at most this.
    Bound(i64),
}

/// Which of the two texts is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// The model.
    Model,
    /// The proof.
    Proof,
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the {}: {why}", match text { Text::Model => "model", Text::Proof => "proof" })]
pub struct Fault {
    /// In which text.
    pub text: Text,
    /// The line, from 1 on.
    pub line: u64,
    /// Why.
    pub why: String,
}

/// Checks a proof about a model. `step` is called for each line, and within long ones, and may unwind.
///
/// # Errors
/// It is none.
pub fn check(model: &str, proof: &str, step: &mut dyn FnMut()) -> Result<Proved, Fault> {
    let model = Model::read(model).map_err(|(line, why)| Fault { text: Text::Model, line, why })?;
    let mut checker = Checker {
        model: &model,
        atoms: FxHashMap::default(),
        facts: FxHashMap::default(),
        nogoods: FxHashMap::default(),
    };
    let mut last = 0;
    for (line, text) in (1..).zip(proof.lines()) {
        step();
        last = line;
        let fault = |why| Fault { text: Text::Proof, line, why };
        if let Some(conclusion) = checker.line(text, step).map_err(fault)? {
            let proved = checker.conclude(conclusion).map_err(fault)?;
            let is_last = proof.lines().skip(line as usize).all(|line| line.trim().is_empty());
            let rest = ensure(is_last, "something stands behind the conclusion");
            return rest.map_err(|why| Fault { line: line + 1, ..fault(why) }).map(|()| proved);
        }
    }
    let why = "the proof has no conclusion".to_owned();
    Err(Fault { text: Text::Proof, line: last + 1, why })
}

/// An error where something does not hold.
fn ensure(holds: bool, why: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.into()) }
}

/// An inference that holds.
struct Fact {
    premises: Vec<Atom>,
    consequent: Option<Atom>,
}

struct Checker<'m> {
    model: &'m Model,
    atoms: FxHashMap<i64, Atom>,
    /// The inferences since the last stage.
    facts: FxHashMap<i64, Fact>,
    nogoods: FxHashMap<i64, Vec<Atom>>,
}

impl Checker<'_> {
    /// Takes a line; the conclusion, if it is one.
    fn line(&mut self, text: &str, step: &mut dyn FnMut()) -> Result<Option<Conclusion>, String> {
        let mut steps = Steps::of(text);
        match steps.next() {
            None => {}
            Some("a") => self.atom(text)?,
            Some("i") => self.inference(&mut steps, step)?,
            Some("n") => self.deduction(&mut steps)?,
            Some("c") => return steps.conclusion().map(Some),
            Some(word) => return Err(format!("`{word}` is none of a, i, n, c")),
        }
        Ok(None)
    }

    fn atom(&mut self, text: &str) -> Result<(), String> {
        let (code, name, relation, value) = steps::definition(text)?;
        let var =
            self.model.variable(name).ok_or_else(|| format!("no variable is called `{name}`"))?;
        let atom = Atom { var, relation, value };
        let before = self.atoms.insert(code, atom);
        ensure(before.is_none(), format!("the atom {code} is defined twice"))
    }

    fn atoms(&self, codes: &[i64]) -> Result<Vec<Atom>, String> {
        codes.iter().map(|&code| self.coded(code)).collect()
    }

    fn coded(&self, code: i64) -> Result<Atom, String> {
        let atom = self.atoms.get(&code.abs()).ok_or_else(|| format!("no atom is {code}"))?;
        Ok(if code < 0 { atom.negated() } else { *atom })
    }

    fn inference(&mut self, steps: &mut Steps<'_>, step: &mut dyn FnMut()) -> Result<(), String> {
        let number = steps.number()?;
        let premises = self.atoms(&steps.codes()?)?;
        let (consequent, constraint, label) = steps.hints()?;
        let consequent = consequent.map(|code| self.coded(code)).transpose()?;
        let fact = Fact { premises, consequent };
        self.infer(&fact, constraint, label, step)?;
        let before = self.facts.insert(number, fact);
        ensure(before.is_none(), format!("the inference {number} is there twice"))
    }

    /// Whether a single inference holds.
    fn infer(
        &self,
        fact: &Fact,
        constraint: Option<i64>,
        label: &str,
        step: &mut dyn FnMut(),
    ) -> Result<(), String> {
        if label == "initial_domain" {
            let atom = fact.consequent.ok_or("it has no consequent")?;
            return ensure(self.model.holds_initially(atom), "the variable has other values too");
        }
        let number = constraint.ok_or("it names no constraint")?;
        let mut known = Known::default();
        let contrary = fact.consequent.map(Atom::negated);
        for &atom in fact.premises.iter().chain(contrary.iter()) {
            let is_possible = known.apply(atom);
            ensure(is_possible, "its premises contradict each other or follow by themselves")?;
        }
        if label == "nogood" {
            let nogood = self
                .nogoods
                .get(&number)
                .ok_or_else(|| format!("no nogood has the number {number}"))?;
            let holds = nogood.iter().all(|&atom| known.holds(atom));
            return ensure(holds, format!("the nogood {number} does not say so"));
        }
        let at = usize::try_from(number - 1).ok();
        let constraint = at.and_then(|at| self.model.constraints.get(at));
        let constraint =
            constraint.ok_or_else(|| format!("no constraint has the number {number}"))?;
        inferences::refutes(constraint, label, &known, step)
    }

    fn deduction(&mut self, steps: &mut Steps<'_>) -> Result<(), String> {
        let number = steps.number()?;
        let nogood = self.atoms(&steps.codes()?)?;
        let sequence = steps.numbers()?;
        let facts = std::mem::take(&mut self.facts);
        let mut known = Known::default();
        let mut is_refuted = nogood.iter().any(|&atom| !known.apply(atom));
        for number in sequence {
            let fact = facts
                .get(&number)
                .ok_or_else(|| format!("the inference {number} is not among those before"))?;
            if !is_refuted && fact.premises.iter().all(|&atom| known.holds(atom)) {
                is_refuted = fact.consequent.is_none_or(|atom| !known.apply(atom));
            }
        }
        ensure(is_refuted, "the inferences do not lead to a contradiction")?;
        let is_new = number > self.model.constraints.len() as i64;
        ensure(is_new, format!("{number} is the number of a constraint of the model"))?;
        let before = self.nogoods.insert(number, nogood);
        ensure(before.is_none(), format!("the nogood {number} is there twice"))
    }

    fn conclude(&self, conclusion: Conclusion) -> Result<Proved, String> {
        match conclusion {
            Conclusion::Unsatisfiable => {
                ensure(self.nogoods.values().any(Vec::is_empty), "no nogood is empty")?;
                Ok(Proved::Unsatisfiable)
            }
            Conclusion::Bound(code) => {
                let atom = self.coded(code)?;
                let (is_least, var) = self.model.objective.ok_or("the model has no objective")?;
                let relation = if is_least { Relation::AtLeast } else { Relation::AtMost };
                let is_bound = (atom.var, atom.relation) == (var, relation);
                ensure(is_bound, "it is no bound of the objective")?;
                let contrary = atom.negated();
                let is_proved = self.nogoods.values().any(|nogood| {
                    !nogood.is_empty() && nogood.iter().all(|&atom| atom == contrary)
                });
                ensure(is_proved, "no nogood says so")?;
                Ok(Proved::Bound(atom.value))
            }
        }
    }
}
