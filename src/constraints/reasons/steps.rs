//! What constraints rule out, one after the other.

use super::Reasons;
use super::trial::{ASSUMED, Other, Trial};
use super::words::{Names, Texts};
use crate::domain::Domain;
use crate::number::Bound;
use crate::propagators::reified::set_shown;
use crate::shown::Shown;
use crate::store::{Change, Store, Var};
use rustc_hash::{FxHashMap, FxHashSet};

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
        let mut trial = self.trial(least, None, true);
        let words = Words { labels: self.labels(&trial, names), texts };
        self.told(&mut trial, &words)
    }

    /// What constraints rule out up to the value that they leave a variable.
    pub fn steps_to(
        &mut self,
        least: &[usize],
        (other, name): (&Other, &str),
        names: &Names,
        texts: &Texts,
    ) -> Vec<String> {
        let mut trial = self.trial(least, None, true);
        let words = Words { labels: self.labels(&trial, names), texts };
        if let Some(var) = trial.var(other.variable)
            && trial.store.value(var).as_ref() == Some(&other.value)
        {
            let (log, mut lines) = (trial.store.take_log(), Vec::new());
            let kept = relevant(&trial.store, &log, Some(var));
            tell_kept(&trial.store, &log, &kept, &words, 0, &mut lines);
            return lines;
        }
        let mut lines = vec![format!("if {name} is not {}:", bound_text(&other.value))];
        trial = self.trial(least, Some(other), true);
        let told = self.told(&mut trial, &words);
        lines.extend(told.into_iter().map(|line| format!("  {line}")));
        lines
    }

    /// What leads to the contradiction in a store whose changes were logged.
    fn told(&mut self, trial: &mut Trial, words: &Words<'_>) -> Vec<String> {
        let (log, mut lines) = (trial.store.take_log(), Vec::new());
        if trial.failed {
            tell(&trial.store, &log, words, 0, &mut lines);
            return lines;
        }
        tell_kept(&trial.store, &log, &relevant_to_all(&log), words, 0, &mut lines);
        let vars: Vec<Var> = trial.variables.iter().map(|&(_, var)| var).collect();
        by_cases(&mut trial.store, &vars, words, 0, &mut lines);
        lines
    }
}

/// How things are called.
struct Words<'a> {
    labels: FxHashMap<Var, String>,
    texts: &'a Texts,
}

/// Tells of a contradiction that no propagator finds by itself: by cases of the variable with the fewest
/// values.
fn by_cases(
    store: &mut Store,
    vars: &[Var],
    words: &Words<'_>,
    depth: usize,
    lines: &mut Vec<String>,
) {
    let indent = "  ".repeat(depth);
    let open = vars.iter().copied().filter(|&var| !store.is_fixed(var));
    let sized = open.filter_map(|var| Some((store.domain(var).as_small()?.size(), var)));
    let Some((_, var)) = sized.min_by_key(|(size, _)| *size) else { return };
    let Some(small) = store.domain(var).as_small() else { return };
    let values: Vec<i64> = small.values().take(CASES + 1).collect();
    let name = words.labels.get(&store.find(var)).cloned().unwrap_or_default();
    for (number, &value) in values.iter().enumerate() {
        if number == CASES || lines.len() > MOST_LINES {
            lines.push(format!("{indent}and so on for its other values"));
            return;
        }
        let mark = store.mark();
        store.set_origin(ASSUMED);
        store.log_changes();
        let failed = store.fix_small(var, value).and_then(|()| store.propagate()).is_err();
        let log = store.take_log();
        lines.push(format!("{indent}if {name} is {value}:"));
        if failed {
            tell(store, &log, words, depth + 1, lines);
        } else if depth < DEEPEST {
            by_cases(store, vars, words, depth + 1, lines);
        } else {
            lines.push(format!("{indent}  no values of the others go with it"));
        }
        store.undo_to(mark);
    }
}

/// Tells of the changes that a contradiction comes from.
fn tell(store: &Store, log: &[Change], words: &Words<'_>, depth: usize, lines: &mut Vec<String>) {
    tell_kept(store, log, &relevant(store, log, None), words, depth, lines);
}

/// Tells of some changes of a log, the last ones if there are many.
fn tell_kept(
    store: &Store,
    log: &[Change],
    kept: &[usize],
    words: &Words<'_>,
    depth: usize,
    lines: &mut Vec<String>,
) {
    let indent = "  ".repeat(depth);
    let told: Vec<Told> =
        kept.iter().filter_map(|&at| told_change(store, &log[at], words)).collect();
    let told = lines_of(&told, words);
    let skipped = told.len().saturating_sub(LINES);
    if skipped > 0 {
        lines.push(format!("{indent}(of {} steps the last {LINES})", told.len()));
    }
    lines.extend(told.into_iter().skip(skipped).map(|line| format!("{indent}{line}")));
}

/// The changes that the domain of a variable comes from, or else the contradiction, which is the last change; in their
/// order.
fn relevant(store: &Store, log: &[Change], of: Option<Var>) -> Vec<usize> {
    let mut wanted: FxHashSet<Var> = of.iter().map(|&var| store.find(var)).collect();
    let mut kept = Vec::new();
    for (at, change) in log.iter().enumerate().rev() {
        let is_last = of.is_none() && kept.is_empty();
        if is_last || change.var.is_some_and(|var| wanted.contains(&var)) {
            kept.push(at);
            wanted.extend(change.var);
            if let Some(prop) = change.by {
                wanted.extend(store.code(prop).vars().into_iter().map(|var| store.find(var)));
            }
        }
    }
    kept.reverse();
    kept
}

/// The last change of each variable.
fn relevant_to_all(log: &[Change]) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    let mut kept: Vec<usize> =
        (0..log.len()).rev().filter(|&at| seen.insert(log[at].var)).collect();
    kept.reverse();
    kept
}

/// What a constraint says or does.
struct Told {
    /// The constraint.
    number: usize,
    said: Said,
}

/// What is told of a constraint.
enum Said {
    /// It is a domain, of this variable: what stands behind the name.
    Domain(String, String),
    /// It leaves a variable a value, `= 3`, or values, `in 1..3`.
    Leaves(String, String),
    /// It contradicts what is known: how.
    Contradicts(String),
}

/// What is to be told of a change, if its variable has a name.
fn told_change(store: &Store, change: &Change, words: &Words<'_>) -> Option<Told> {
    let number = change.origin as usize;
    let text = words.texts.texts.get(&number)?;
    let name = change.var.and_then(|var| words.labels.get(&store.find(var)));
    let said = match (&change.after, name) {
        (None, Some(name)) => {
            let before = set_text(&change.before);
            Said::Contradicts(format!("leaves no value for {name}, which was {before}"))
        }
        (None, None) => Said::Contradicts("can't hold then".to_owned()),
        (Some(after), Some(name)) => {
            let is_first = change.by.is_none() && change.before == Domain::all();
            match text.strip_prefix(name.as_str()).filter(|_| is_first) {
                Some(rest) => Said::Domain(name.clone(), rest.to_owned()),
                None => Said::Leaves(name.clone(), outcome(after)),
            }
        }
        (Some(_), None) => return None,
    };
    Some(Told { number, said })
}

/// What values a variable has left, as it stands behind its name.
fn outcome(values: &Domain) -> String {
    match values.single() {
        Some(value) => format!("= {}", bound_text(&value)),
        None => format!("in {}", set_text(values)),
    }
}

/// Lines of what constraints say and do: one for what one does in a row, and one for domains that stand at one place.
fn lines_of(told: &[Told], words: &Words<'_>) -> Vec<String> {
    let place = |told: &Told| {
        words.texts.places.get(&told.number).map_or(String::new(), |(source, span)| {
            format!(" (line {})", source.position(span.start).line)
        })
    };
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
                format!("{}{set}{at}", names.join(", "))
            }
            Said::Leaves(..) => format!("{text}{at} leaves {}", left(told)),
            Said::Contradicts(how) => format!("{text}{at} {how}"),
        }
    };
    told.chunk_by(are_one).map(line).collect()
}

/// What a constraint leaves variables in the end, those together that it leaves the same.
fn left(told: &[Told]) -> String {
    let mut left: Vec<(&str, Vec<&str>)> = Vec::new();
    for Told { said, .. } in told {
        let Said::Leaves(name, what) = said else { continue };
        left.iter_mut().for_each(|(_, names)| names.retain(|known| known != name));
        match left.iter_mut().find(|(known, _)| known == what) {
            Some((_, names)) => names.push(name),
            None => left.push((what, vec![name])),
        }
    }
    left.retain(|(_, names)| !names.is_empty());
    let parts = left.iter().map(|(what, names)| format!("{} {what}", names.join(", ")));
    parts.collect::<Vec<_>>().join("; ")
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
            Shown::Compound("..", ends) => format!("{}..{}", text(&ends[0]), text(&ends[1])),
            Shown::Compound(name, _) => (*name).to_owned(),
            Shown::Chain(name, parts) => {
                parts.iter().map(text).collect::<Vec<_>>().join(&format!(" {name} "))
            }
            Shown::Var(_) | Shown::List(_) => String::new(),
        }
    }
    text(&set_shown(set))
}
