//! Models in FlatZinc: bounded integers, and the constraints that proofs are about.

use super::ensure;
use super::known::{Atom, Relation};
use rustc_hash::FxHashMap;

/// A constraint, with variables by their numbers.
#[derive(Clone, Debug)]
pub(super) enum Constraint {
    /// `int_lin_le`: coefficients and variables.
    AtMost(Vec<(i64, usize)>, i64),
    /// `pumpkin_all_different`
    AllDifferent(Vec<usize>),
    /// `pumpkin_cumulative`: start, duration, usage.
    Cumulative(Vec<(usize, i64, i64)>, i64),
}

pub(super) struct Model {
    names: FxHashMap<String, usize>,
    /// The values of each variable: intervals in ascending order.
    values: Vec<Vec<(i64, i64)>>,
    pub constraints: Vec<Constraint>,
    /// Whether the least is sought, and the variable.
    pub objective: Option<(bool, usize)>,
}

const OTHER_LENGTH: &str = "the lists are not of one length";

type Wrong = (u64, String);

impl Model {
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    pub fn holds_initially(&self, atom: Atom) -> bool {
        self.values[atom.var].iter().all(|&(lo, hi)| match atom.relation {
            Relation::AtLeast => lo >= atom.value,
            Relation::AtMost => hi <= atom.value,
            Relation::Equal => lo == atom.value && hi == atom.value,
            Relation::NotEqual => atom.value < lo || hi < atom.value,
        })
    }

    pub fn read(text: &str) -> Result<Model, Wrong> {
        let mut model = Model {
            names: FxHashMap::default(),
            values: Vec::new(),
            constraints: Vec::new(),
            objective: None,
        };
        let mut is_solved = false;
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('%').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let wrong = |why: String| (line, why);
            if is_solved {
                return Err(wrong("something stands behind the solve item".to_owned()));
            }
            let item = text
                .strip_suffix(';')
                .ok_or_else(|| wrong("an item is a line that ends with `;`".to_owned()))?;
            let (word, rest) = item
                .split_once(' ')
                .ok_or_else(|| wrong(format!("`{item}` is no item of a model")))?;
            match word {
                "var" if model.constraints.is_empty() => model.declare(rest).map_err(wrong)?,
                "constraint" => model.constrain(rest).map_err(wrong)?,
                "solve" => {
                    model.objective = model.goal(rest).map_err(wrong)?;
                    is_solved = true;
                }
                _ => return Err(wrong(format!("`{word}` is not expected here"))),
            }
        }
        if is_solved {
            return Ok(model);
        }
        Err((text.lines().count() as u64 + 1, "the solve item is missing".to_owned()))
    }

    /// `LO..HI: NAME` or `{A,B,…}: NAME`.
    fn declare(&mut self, text: &str) -> Result<(), String> {
        let (domain, name) = text.split_once(':').ok_or("a variable has `DOMAIN: NAME`")?;
        let (domain, name) = (domain.trim(), name.trim());
        let mut letters = name.chars();
        let is_name = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        ensure(is_name, format!("`{name}` is no name"))?;
        let values = if let Some((lo, hi)) = domain.split_once("..") {
            vec![(integer(lo)?, integer(hi)?)]
        } else {
            let all = domain.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            let all = numbers(all.ok_or_else(|| format!("`{domain}` is no domain"))?)?;
            all.into_iter().map(|value| (value, value)).collect()
        };
        let in_order = values.iter().all(|(lo, hi)| lo <= hi)
            && values.windows(2).all(|pair| pair[0].1 < pair[1].0);
        let is_right = !values.is_empty() && in_order;
        ensure(is_right, format!("`{domain}` is empty or not in order"))?;
        self.values.push(values);
        let before = self.names.insert(name.to_owned(), self.values.len() - 1);
        ensure(before.is_none(), format!("`{name}` is declared twice"))
    }

    fn known(&self, name: &str) -> Result<usize, String> {
        self.variable(name).ok_or_else(|| format!("no variable is called `{name}`"))
    }

    fn vars(&self, text: &str) -> Result<Vec<usize>, String> {
        items(text).map(|name| self.known(name)).collect()
    }

    /// `NAME(ARGUMENTS)`.
    fn constrain(&mut self, text: &str) -> Result<(), String> {
        let (name, rest) = text.split_once('(').ok_or("a constraint has arguments")?;
        let rest = rest.strip_suffix(')').ok_or("`)` is missing")?;
        let arguments = arguments(rest)?;
        let found = match (name.trim(), &*arguments) {
            ("int_lin_le", [factors, vars, bound]) => {
                let (factors, vars) = (numbers(factors)?, self.vars(vars)?);
                ensure(factors.len() == vars.len(), OTHER_LENGTH)?;
                ensure(!factors.contains(&0), "a coefficient is 0")?;
                Constraint::AtMost(factors.into_iter().zip(vars).collect(), integer(bound)?)
            }
            ("pumpkin_all_different", [vars]) => Constraint::AllDifferent(self.vars(vars)?),
            ("pumpkin_cumulative", [starts, durations, usages, capacity]) => {
                let (starts, durations) = (self.vars(starts)?, numbers(durations)?);
                let usages = numbers(usages)?;
                let lengths = (durations.len(), usages.len());
                ensure(lengths == (starts.len(), starts.len()), OTHER_LENGTH)?;
                let are_positive = durations.iter().chain(&usages).all(|&number| number > 0);
                ensure(are_positive, "durations and usages are above 0")?;
                let tasks = starts.into_iter().zip(durations).zip(usages);
                let tasks = tasks.map(|((start, duration), usage)| (start, duration, usage));
                Constraint::Cumulative(tasks.collect(), integer(capacity)?)
            }
            (name, _) => return Err(format!("`{name}` is not known with these arguments")),
        };
        self.constraints.push(found);
        Ok(())
    }

    fn goal(&self, text: &str) -> Result<Option<(bool, usize)>, String> {
        match text.trim().split_once(' ') {
            None if text.trim() == "satisfy" => Ok(None),
            Some(("minimize", name)) => Ok(Some((true, self.known(name.trim())?))),
            Some(("maximize", name)) => Ok(Some((false, self.known(name.trim())?))),
            _ => Err(format!("`{text}` is none of satisfy, minimize, maximize")),
        }
    }
}

/// The arguments of a constraint; lists without their brackets.
fn arguments(text: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    loop {
        let (argument, behind) = if let Some(list) = rest.strip_prefix('[') {
            list.split_once(']').ok_or("`]` is missing")?
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            rest.split_at(end)
        };
        found.push(argument.trim());
        let behind = behind.trim_start();
        if behind.is_empty() {
            return Ok(found);
        }
        rest = behind.strip_prefix(',').ok_or("`,` is missing")?.trim_start();
    }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    let is_empty = text.trim().is_empty();
    text.split(',').map(str::trim).filter(move |_| !is_empty)
}

fn numbers(text: &str) -> Result<Vec<i64>, String> {
    items(text).map(integer).collect()
}

fn integer(text: &str) -> Result<i64, String> {
    let value = text.trim().parse::<i32>();
    value.map(i64::from).map_err(|_| format!("`{}` is no integer of 32 bits", text.trim()))
}
