//! What constraints rule out, one after the other, up to a contradiction or a value.

use super::Reasons;
use super::cycles::Difference;
use super::derivation::{Derivation, Does, Fact, Step};
use super::trial::{CASE, Other, Trial};
use super::words::{Names, Texts};
use crate::domain::Domain;
use crate::number::Bound;
use crate::post::Comparison;
use crate::propagators::reified::set_shown;
use crate::shown::{Shown, Var};
use crate::store::Store;
use zug_term::Cell;

/// Lines that are told of what constraints rule out.
const LINES: usize = 24;
/// Cases that are told, where no propagator finds the contradiction.
const CASES: usize = 12;
/// Variables whose cases are told within cases of others.
const DEEPEST: usize = 2;
/// Lines after which no further cases are told.
const MOST_LINES: usize = 60;

impl Reasons<'_> {
    /// What constraints rule out, one after the other, up to the contradiction.
    pub fn steps(&mut self, least: &[usize], names: &Names, texts: &Texts) -> Vec<String> {
        if let Some(cycle) = self.cycle(least) {
            return self.lines_of_cycle(&cycle, names, texts);
        }
        let trial = self.trial(least, None, true);
        self.told(trial, &Words { names, texts })
    }

    /// What constraints rule out up to the value that they leave a variable.
    pub fn steps_to(
        &mut self,
        least: &[usize],
        (other, name): (&Other, &str),
        names: &Names,
        texts: &Texts,
    ) -> Vec<String> {
        let words = Words { names, texts };
        let mut trial = self.trial(least, None, true);
        if let Some(var) = trial.var(other.variable)
            && trial.store.value(var).as_ref() == Some(&other.value)
        {
            let mut derivation = Derivation::new(trial.variables, trial.store.take_log());
            let steps = self.steps_to_value(&mut derivation, other.variable, &other.value);
            return self.lines_of(&steps, &words, 0);
        }
        let mut lines = vec![format!("if {name} is not {}:", bound_text(&other.value))];
        let trial = self.trial(least, Some(other), true);
        let told = self.told(trial, &words);
        lines.extend(told.into_iter().map(|line| format!("  {line}")));
        lines
    }

    /// What leads to the contradiction in a store whose changes were logged.
    fn told(&mut self, mut trial: Trial, words: &Words<'_>) -> Vec<String> {
        let mut derivation = Derivation::new(trial.variables, trial.store.take_log());
        if trial.failed {
            let steps = self.steps_to_failure(&mut derivation, 0);
            return self.lines_of(&steps, words, 0);
        }
        let mut cases = Vec::new();
        self.by_cases(&mut trial.store, &mut derivation, words, 0, &mut cases);
        let steps = self.needed_steps(&mut derivation, 0);
        let mut lines = self.lines_of(&steps, words, 0);
        lines.extend(cases);
        lines
    }

    /// Tells of a contradiction that no propagator finds by itself: by cases of the variable with the fewest
    /// values.
    fn by_cases(
        &mut self,
        store: &mut Store,
        derivation: &mut Derivation,
        words: &Words<'_>,
        depth: usize,
        lines: &mut Vec<String>,
    ) {
        let Some((cell, var, values)) = smallest(store, &derivation.variables) else { return };
        let (indent, name) = ("  ".repeat(depth), self.text(cell, words.names));
        let start = derivation.changes.len();
        // That there are no other values is told too.
        self.need_values(derivation, cell, start);
        for (number, &value) in values.iter().enumerate() {
            if number == CASES || lines.len() > MOST_LINES {
                lines.push(format!("{indent}and so on for its other values"));
                return;
            }
            let mark = store.mark();
            store.set_origin(CASE);
            store.log_changes();
            let failed = store.fix_small(var, value).and_then(|()| store.propagate()).is_err();
            derivation.changes.extend(store.take_log());
            lines.push(format!("{indent}if {name} is {value}:"));
            if failed {
                let steps = self.steps_to_failure(derivation, start);
                lines.extend(self.lines_of(&steps, words, depth + 1));
            } else if depth < DEEPEST {
                let mut cases = Vec::new();
                self.by_cases(store, derivation, words, depth + 1, &mut cases);
                let steps = self.needed_steps(derivation, start);
                lines.extend(self.lines_of(&steps, words, depth + 1));
                lines.extend(cases);
            } else {
                lines.push(format!("{indent}  no values of the others go with it"));
            }
            derivation.forget_from(start);
            store.undo_to(mark);
        }
    }

    /// Tells of differences that lead from a variable back to itself.
    fn lines_of_cycle(&self, cycle: &[Difference], names: &Names, texts: &Texts) -> Vec<String> {
        let Some(first) = cycle.first() else { return Vec::new() };
        let start = self.text(first.from, names);
        let mut lines = vec![format!("with {start} = N:")];
        let mut sum = 0;
        for difference in cycle {
            sum += difference.least;
            let text = texts.listed(&[difference.number]);
            let least = if sum == 0 { "N".to_owned() } else { format!("N{sum:+}") };
            lines.push(format!(
                "  {text} leaves {} at least {least}",
                self.text(difference.to, names)
            ));
        }
        lines
    }

    /// Lines of steps, the last ones if there are many.
    fn lines_of(&self, steps: &[Step], words: &Words<'_>, depth: usize) -> Vec<String> {
        let indent = "  ".repeat(depth);
        let told: Vec<Told> = steps.iter().map(|step| self.said(step, words)).collect();
        let told = joined(&told, words);
        let skipped = told.len().saturating_sub(LINES);
        let first =
            (skipped > 0).then(|| format!("{indent}(of {} steps the last {LINES})", told.len()));
        let shown = told.into_iter().skip(skipped).map(|line| format!("{indent}{line}"));
        first.into_iter().chain(shown).collect()
    }

    fn said(&self, step: &Step, words: &Words<'_>) -> Told {
        let name = |cell: Cell| self.text(cell, words.names);
        let said = match &step.does {
            Does::Leaves { facts, at_once } => match self.domain_of(step.number) {
                Some((cell, set)) if *at_once => {
                    Said::Domain(name(cell), self.text(set, words.names))
                }
                _ if *at_once && self.is_plain(step.number) => Said::Holds,
                _ => {
                    let left = |fact: &Fact| (name(fact.variable), fact.values.clone());
                    Said::Leaves(facts.iter().map(left).collect())
                }
            },
            Does::Joins(..) if self.is_plain(step.number) => Said::Holds,
            Does::Joins(one, other) => Said::Joins(name(*one), name(*other)),
            Does::Fails { known, variable } => {
                let known = known.iter().find(|fact| Some(fact.variable) == *variable);
                match known {
                    Some(fact) => Said::Fails(format!(
                        "leaves no value for {}, which was {}",
                        name(fact.variable),
                        set_text(&fact.values)
                    )),
                    None => Said::Fails("can't hold then".to_owned()),
                }
            }
        };
        Told { number: step.number, said }
    }

    /// The variable and the set, if a constraint is a domain.
    fn domain_of(&self, number: usize) -> Option<(Cell, Cell)> {
        let heap = &self.m.heap;
        let (name, 2, at) = heap.name_arity(self.noted[number].goal)? else { return None };
        let is_domain = self.m.symbols.name(name) == "in";
        is_domain.then(|| (heap.deref(heap.at(at)), heap.at(at + 1)))
    }

    /// Whether a constraint is a comparison of variables and integers.
    fn is_plain(&self, number: usize) -> bool {
        let heap = &self.m.heap;
        let Some((name, 2, at)) = heap.name_arity(self.noted[number].goal) else { return false };
        Comparison::of(self.m.symbols.name(name)).is_some()
            && [at, at + 1].iter().all(|&at| heap.name_arity(heap.deref(heap.at(at))).is_none())
    }
}

struct Words<'a> {
    names: &'a Names,
    texts: &'a Texts,
}

/// The variable with the fewest values, of those that have several, and its first values.
fn smallest(store: &Store, variables: &[(Cell, Var)]) -> Option<(Cell, Var, Vec<i64>)> {
    let open = variables.iter().copied().filter(|&(_, var)| !store.is_fixed(var));
    let sized =
        open.filter_map(|(cell, var)| Some((store.domain(var).as_small()?.size(), cell, var)));
    let (_, cell, var) = sized.min_by_key(|(size, ..)| *size)?;
    let values = store.domain(var).as_small()?.values().take(CASES + 1).collect();
    Some((cell, var, values))
}

/// What a constraint says or does.
struct Told {
    number: usize,
    said: Said,
}

enum Said {
    /// It is the domain of a variable: its name, and the set.
    Domain(String, String),
    /// It says what there is to be said.
    Holds,
    /// It leaves variables these values.
    Leaves(Vec<(String, Domain)>),
    Joins(String, String),
    /// It contradicts what is known: how.
    Fails(String),
}

/// Lines of what constraints say and do: one for what one does in a row, and one for domains that stand at one place.
fn joined(told: &[Told], words: &Words<'_>) -> Vec<String> {
    let place = |told: &Told| words.texts.place(told.number);
    let are_one = |one: &Told, other: &Told| match (&one.said, &other.said) {
        (Said::Domain(_, one_set), Said::Domain(_, set)) => {
            one_set == set && place(one) == place(other)
        }
        (Said::Leaves(..), Said::Leaves(..)) => one.number == other.number,
        _ => false,
    };
    let line = |told: &[Told]| {
        let (first, at) = (&told[0], place(&told[0]));
        let text = words.texts.texts.get(&first.number).map_or("", String::as_str);
        match &first.said {
            Said::Domain(_, set) => {
                let name = |told: &Told| match &told.said {
                    Said::Domain(name, _) => Some(name.clone()),
                    _ => None,
                };
                let names: Vec<String> = told.iter().filter_map(name).collect();
                format!("{} in {set}{at}", names.join(", "))
            }
            Said::Holds => format!("{text}{at}"),
            Said::Leaves(..) => format!("{text}{at} leaves {}", left(told)),
            Said::Joins(one, other) => format!("{text}{at} makes {one} and {other} equal"),
            Said::Fails(how) => format!("{text}{at} {how}"),
        }
    };
    told.chunk_by(are_one).map(line).collect()
}

/// What a constraint leaves variables in the end, those together that it leaves the same.
fn left(told: &[Told]) -> String {
    let mut variables: Vec<(&str, Domain)> = Vec::new();
    let all = told.iter().filter_map(|told| match &told.said {
        Said::Leaves(all) => Some(all),
        _ => None,
    });
    for (name, values) in all.flatten() {
        match variables.iter_mut().find(|(known, _)| known == name) {
            Some((_, left)) => *left = left.and(values).unwrap_or_else(|| values.clone()),
            None => variables.push((name, values.clone())),
        }
    }
    let mut left: Vec<(Domain, Vec<&str>)> = Vec::new();
    for (name, values) in variables {
        match left.iter_mut().find(|(known, _)| *known == values) {
            Some((_, names)) => names.push(name),
            None => left.push((values, vec![name])),
        }
    }
    let parts =
        left.iter().map(|(values, names)| format!("{} {}", names.join(", "), outcome(values)));
    parts.collect::<Vec<_>>().join("; ")
}

/// What values a variable has left, as it stands behind its name.
fn outcome(values: &Domain) -> String {
    match values.single() {
        Some(value) => format!("= {}", bound_text(&value)),
        None => format!("in {}", set_text(values)),
    }
}

fn bound_text(bound: &Bound) -> String {
    match bound {
        Bound::Inf => "inf".to_owned(),
        Bound::Sup => "sup".to_owned(),
        Bound::Fin(value) => value.to_string(),
    }
}

/// A set as it is written in rules.
fn set_text(set: &Domain) -> String {
    fn text(shown: &Shown) -> String {
        match shown {
            Shown::Int(value) => value.to_string(),
            Shown::Compound("..", ends) => {
                let (lo, hi) = (text(&ends[0]), text(&ends[1]));
                // A sign right behind the points would be one symbol with them.
                let gap = if hi.starts_with('-') { " " } else { "" };
                format!("{lo}..{gap}{hi}")
            }
            Shown::Compound(name, _) => (*name).to_owned(),
            Shown::Chain(name, parts) => {
                parts.iter().map(text).collect::<Vec<_>>().join(&format!(" {name} "))
            }
            Shown::Var(_) | Shown::List(_) => String::new(),
        }
    }
    text(&set_shown(set))
}
