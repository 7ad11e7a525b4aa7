//! Models of few kinds of constraints over bounded integers, and their text in FlatZinc.

use crate::atom::{Atom, VarId};
use std::fmt::Write;

/// A finite set of integers: an interval, and what of it is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The least one.
    pub lo: i32,
    /// The greatest one.
    pub hi: i32,
    /// Integers between the two that are missing, in ascending order.
    pub holes: Vec<i32>,
}

impl Values {
    /// All integers between two.
    pub fn interval(lo: i32, hi: i32) -> Values {
        Values { lo, hi, holes: Vec::new() }
    }

    /// Whether an integer is one of them.
    pub fn contains(&self, value: i32) -> bool {
        (self.lo..=self.hi).contains(&value) && self.holes.binary_search(&value).is_err()
    }

    /// How many there are.
    pub fn size(&self) -> u64 {
        (i64::from(self.hi) - i64::from(self.lo) + 1) as u64 - self.holes.len() as u64
    }

    /// All of them, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        (self.lo..=self.hi).filter(|value| self.holes.binary_search(value).is_err())
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, an identifier of FlatZinc that no other one has.
    pub name: String,
    /// The values that it may have; at least one.
    pub values: Values,
    /// What it stands for, as a comment.
    pub note: Option<String>,
}

/// A task of [`Constraint::Cumulative`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// When it starts.
    pub start: VarId,
    /// How long it takes: above 0.
    pub duration: i32,
    /// How much it uses of the resource meanwhile: above 0.
    pub usage: i32,
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// A sum of different variables, each times a number that is not 0, is at most a bound (`int_lin_le`).
    AtMost(Vec<(i32, VarId)>, i32),
    /// Different variables have different values (`pumpkin_all_different`).
    AllDifferent(Vec<VarId>),
    /// Tasks that run at the same time use no more than a capacity (`pumpkin_cumulative`).
    Cumulative(Vec<Task>, i32),
}

impl Constraint {
    /// The label of inferences from it in DRCP.
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Constraint::AtMost(..) => "linear_bounds",
            Constraint::AllDifferent(_) => "all_different",
            Constraint::Cumulative(..) => "time_table",
        }
    }

    pub(crate) fn variables(&self) -> Vec<VarId> {
        match self {
            Constraint::AtMost(terms, _) => terms.iter().map(|&(_, var)| var).collect(),
            Constraint::AllDifferent(vars) => vars.clone(),
            Constraint::Cumulative(tasks, _) => tasks.iter().map(|task| task.start).collect(),
        }
    }

    /// Whether values for all variables meet it.
    pub fn holds(&self, value: impl Fn(VarId) -> i32) -> bool {
        match self {
            Constraint::AtMost(terms, bound) => {
                let sum: i64 =
                    terms.iter().map(|&(by, var)| i64::from(by) * i64::from(value(var))).sum();
                sum <= i64::from(*bound)
            }
            Constraint::AllDifferent(vars) => {
                let mut all: Vec<i32> = vars.iter().map(|&var| value(var)).collect();
                all.sort_unstable();
                all.windows(2).all(|pair| pair[0] != pair[1])
            }
            Constraint::Cumulative(tasks, capacity) => tasks.iter().all(|at| {
                let time = i64::from(value(at.start));
                let used: i64 = tasks
                    .iter()
                    .filter(|task| {
                        let start = i64::from(value(task.start));
                        start <= time && time < start + i64::from(task.duration)
                    })
                    .map(|task| i64::from(task.usage))
                    .sum();
                used <= i64::from(*capacity)
            }),
        }
    }
}

/// Which solutions are best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Those with the least value of a variable.
    Minimize(VarId),
    /// Those with the greatest one.
    Maximize(VarId),
}

impl Objective {
    /// What a solution that is better than one of this value would have.
    pub fn better_than(self, value: i32) -> Atom {
        match self {
            Objective::Minimize(var) => Atom::at_most(var, value.saturating_sub(1)),
            Objective::Maximize(var) => Atom::at_least(var, value.saturating_add(1)),
        }
    }
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Comments at the beginning, a line each.
    pub notes: Vec<String>,
    /// The variables, by their numbers.
    pub variables: Vec<Variable>,
    /// The constraints, each with comments that stand above it, a line each. The first one has the number 1 in proofs.
    pub constraints: Vec<(Vec<String>, Constraint)>,
    /// Which solutions are best.
    pub objective: Option<Objective>,
}

impl Model {
    /// Whether values of all variables, by their numbers, are a solution.
    pub fn is_solution(&self, values: &[i32]) -> bool {
        self.variables.iter().zip(values).all(|(var, &value)| var.values.contains(value))
            && self
                .constraints
                .iter()
                .all(|(_, constraint)| constraint.holds(|var| values[var.at()]))
    }

    /// The model as FlatZinc, with the constraints of Pumpkin for what FlatZinc has no names for.
    pub fn flatzinc(&self) -> String {
        let mut text = String::new();
        for note in &self.notes {
            comment(&mut text, note);
        }
        for variable in &self.variables {
            let Variable { name, values, note } = variable;
            if let Some(note) = note {
                comment(&mut text, note);
            }
            let _ = if values.holes.is_empty() {
                writeln!(text, "var {}..{}: {name};", values.lo, values.hi)
            } else {
                let all: Vec<String> = values.iter().map(|value| value.to_string()).collect();
                writeln!(text, "var {{{}}}: {name};", all.join(","))
            };
        }
        for (notes, constraint) in &self.constraints {
            for note in notes {
                comment(&mut text, note);
            }
            self.constraint(&mut text, constraint);
        }
        let goal = match self.objective {
            None => "satisfy".to_owned(),
            Some(Objective::Minimize(var)) => format!("minimize {}", self.name(var)),
            Some(Objective::Maximize(var)) => format!("maximize {}", self.name(var)),
        };
        let _ = writeln!(text, "solve {goal};");
        text
    }

    fn constraint(&self, text: &mut String, constraint: &Constraint) {
        let names = |vars: &mut dyn Iterator<Item = VarId>| {
            vars.map(|var| self.name(var)).collect::<Vec<_>>().join(",")
        };
        let _ = match constraint {
            Constraint::AtMost(terms, bound) => writeln!(
                text,
                "constraint int_lin_le([{}],[{}],{bound});",
                numbers(terms.iter().map(|&(by, _)| by)),
                names(&mut terms.iter().map(|&(_, var)| var)),
            ),
            Constraint::AllDifferent(vars) => writeln!(
                text,
                "constraint pumpkin_all_different([{}]);",
                names(&mut vars.iter().copied())
            ),
            Constraint::Cumulative(tasks, capacity) => writeln!(
                text,
                "constraint pumpkin_cumulative([{}],[{}],[{}],{capacity});",
                names(&mut tasks.iter().map(|task| task.start)),
                numbers(tasks.iter().map(|task| task.duration)),
                numbers(tasks.iter().map(|task| task.usage)),
            ),
        };
    }

    pub(crate) fn name(&self, var: VarId) -> &str {
        &self.variables[var.at()].name
    }
}

fn numbers(all: impl Iterator<Item = i32>) -> String {
    all.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

/// A line of its own, without what would end it.
fn comment(text: &mut String, note: &str) {
    let line: String = note.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(text, "% {line}");
}
