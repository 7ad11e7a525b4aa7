//! Explanations, read as people read them.

use std::collections::BTreeSet;
use zug_explain::Explanation;
use zug_term::diagnostic::Label;

/// A step as it is told.
#[derive(Debug)]
pub struct Told {
    pub line: String,
    /// The constraints that make it.
    pub by: Vec<String>,
    /// What was told before it, as constraints.
    pub known: Vec<String>,
    /// What can't be beside these, each for itself: the contrary of what is told.
    pub refuted: Vec<Vec<String>>,
    /// What was told before it is not there in full.
    pub is_cut: bool,
    /// The step is the end: a contradiction, or the end of cases.
    pub ends: bool,
}

/// A value that is told to be forced.
pub struct Forced {
    pub name: String,
    pub value: String,
    pub count: usize,
    pub told: Vec<Told>,
}

/// The constraints of a finding, with their lines.
pub fn read_constraints(found: &Explanation) -> Option<Vec<(String, u32)>> {
    let finding = found.findings.first()?;
    let labels = finding.primary.iter().chain(&finding.secondary);
    let line = |label: &Label| label.source.position(label.span.start).line;
    let read = |label: &Label| {
        let line = line(label);
        split(&label.text).into_iter().map(move |text| (text, line)).collect::<Vec<_>>()
    };
    Some(labels.flat_map(read).collect())
}

/// Parts between commas outside of brackets.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts
}

/// What is wrong with the line of a constraint, or the names of its variables.
pub fn misplaced(constraint: &str, line: u32, text: &str, model: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let written = text.lines().nth(line as usize - 1).unwrap_or_default();
    let words: Vec<&str> = ["#=<", "#>=", "#\\=", "#=", "#<", "#>"]
        .into_iter()
        .filter(|op| constraint.split_whitespace().any(|word| word == *op))
        .collect();
    let in_line = words.iter().all(|op| written.contains(op) || written.contains("chain("));
    let name = constraint.split('(').next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && constraint.contains('(');
    let is_function = ["abs", "min", "max"].contains(&name);
    if !in_line || is_name && !is_function && !written.contains(name) {
        wrong.push(format!("{model}: `{constraint}` is not in line {line}: {written}"));
    }
    // Variables that have no name in the text are those of anonymous arguments.
    if words_of(constraint).iter().any(|word| word.starts_with('_')) && !written.contains('_') {
        wrong.push(format!("{model}: a variable without name: {constraint}"));
    }
    wrong
}

/// The steps of notes.
pub fn read_notes(notes: &[String]) -> Vec<Told> {
    let mut reader = Reader::default();
    for line in notes {
        reader.read(line);
    }
    reader.close(0);
    reader.told
}

/// Reads steps, with what is known at each depth.
#[derive(Default)]
struct Reader {
    told: Vec<Told>,
    known: Vec<(usize, String)>,
    /// Cases that are being told: depth, variable, values so far, what was known before, and whether some are not told.
    cases: Vec<Cases>,
    cut: Option<usize>,
}

struct Cases {
    depth: usize,
    name: String,
    values: Vec<String>,
    known: Vec<String>,
    is_open: bool,
    is_cut: bool,
}

impl Reader {
    fn read(&mut self, line: &str) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let text = line.trim();
        self.known.retain(|(at, _)| *at <= depth);
        if self.cut.is_some_and(|at| at > depth) {
            self.cut = None;
        }
        if let Some(rest) = text.strip_prefix("if ") {
            self.case(depth, rest.trim_end_matches(':'));
            return;
        }
        if text.starts_with("and so on") {
            self.close(depth + 1);
            if let Some(cases) = self.cases.last_mut() {
                cases.is_open = true;
            }
            return;
        }
        self.close(depth);
        if let Some(rest) = text.strip_prefix("with ") {
            let (name, _) = rest.split_once(" = ").expect("a name");
            self.known.push((depth + 1, format!("{name} #= N")));
        } else if text.starts_with("(of ") {
            self.cut = Some(depth);
        } else if !text.starts_with("no values of the others") {
            self.step(depth, text);
        }
    }

    /// `X is 3`, `X is not 3`.
    fn case(&mut self, depth: usize, text: &str) {
        let (name, value) = text.split_once(" is ").expect("a case");
        if let Some(value) = value.strip_prefix("not ") {
            self.known.push((depth + 1, format!("{name} #\\= {value}")));
            return;
        }
        self.close(depth + 1);
        let known: Vec<String> = self.known.iter().map(|(_, text)| text.clone()).collect();
        match self.cases.last_mut().filter(|cases| cases.depth == depth) {
            Some(cases) => cases.values.push(value.to_owned()),
            None => self.cases.push(Cases {
                depth,
                name: name.to_owned(),
                values: vec![value.to_owned()],
                known,
                is_open: false,
                is_cut: self.cut.is_some(),
            }),
        }
        self.known.push((depth + 1, format!("{name} #= {value}")));
    }

    /// Cases from a depth on have ended: there are no other values.
    fn close(&mut self, depth: usize) {
        while let Some(cases) = self.cases.pop_if(|cases| cases.depth >= depth) {
            let others = cases.values.iter().map(|value| format!("{} #\\= {value}", cases.name));
            self.told.push(Told {
                line: format!("cases of {}", cases.name),
                by: Vec::new(),
                known: cases.known,
                refuted: vec![others.collect()],
                is_cut: cases.is_cut || cases.is_open,
                ends: true,
            });
        }
    }

    fn step(&mut self, depth: usize, text: &str) {
        let known: Vec<String> = self.known.iter().map(|(_, text)| text.clone()).collect();
        let (by, does) = split_line(text);
        let mut told = Told {
            line: text.to_owned(),
            by: vec![by.clone()],
            known,
            refuted: Vec::new(),
            is_cut: self.cut.is_some(),
            ends: false,
        };
        if let Some(rest) = does.strip_prefix("leaves no value for ") {
            let (name, set) = rest.split_once(", which was ").expect("what it was");
            told.refuted.push(Vec::new());
            told.ends = true;
            self.told.push(Told {
                line: format!("{text}: which was"),
                by: Vec::new(),
                known: told.known.clone(),
                refuted: vec![vec![format!("#\\ {name} in {set}")]],
                is_cut: told.is_cut,
                ends: false,
            });
        } else if does.starts_with("can't hold") {
            told.refuted.push(Vec::new());
            told.ends = true;
        } else if let Some(claims) = does.strip_prefix("leaves ") {
            for claim in claims.split("; ").flat_map(claims_of) {
                told.refuted.push(vec![format!("#\\ {claim}")]);
                self.known.push((depth, claim));
            }
            told.ends = claims.contains(" at least N+");
        } else if let Some(pair) = does.strip_prefix("makes ") {
            let (one, other) = pair.trim_end_matches(" equal").split_once(" and ").expect("two");
            told.refuted.push(vec![format!("{one} #\\= {other}")]);
            self.known.push((depth, format!("{one} #= {other}")));
        } else {
            told.by = domains_of(&by);
            self.known.extend(told.by.iter().map(|text| (depth, text.clone())));
        }
        self.told.push(told);
    }
}

/// The constraint and what is said of it: `TEXT (line 7) leaves …`.
fn split_line(text: &str) -> (String, String) {
    if let Some((by, rest)) = text.split_once(" (line ") {
        let (_, does) = rest.split_once(')').expect("a bracket");
        return (by.to_owned(), does.trim().to_owned());
    }
    for word in [" leaves ", " can't hold", " makes "] {
        if let Some((by, rest)) = text.split_once(word) {
            return (by.to_owned(), format!("{}{rest}", word.trim_start()));
        }
    }
    (text.to_owned(), String::new())
}

/// `a, b in 1..3` as two constraints.
fn domains_of(text: &str) -> Vec<String> {
    match text.split_once(" in ") {
        Some((names, set)) if !text.contains('#') && !text.contains('(') => {
            names.split(", ").map(|name| format!("{name} in {set}")).collect()
        }
        _ => vec![text.to_owned()],
    }
}

/// `a, b in 1..3`, `a = 3`, `a at least N+3`.
fn claims_of(text: &str) -> Vec<String> {
    for (word, with) in [(" in ", " in "), (" = ", " #= "), (" at least ", " #>= ")] {
        if let Some((names, what)) = text.split_once(word) {
            return names.split(", ").map(|name| format!("{name}{with}{what}")).collect();
        }
    }
    panic!("no claim: {text}");
}

/// Values that are told to be forced, with the steps.
pub fn read_forced(notes: &[String]) -> Vec<Forced> {
    let mut forced: Vec<Forced> = Vec::new();
    let mut lines: Vec<Vec<String>> = Vec::new();
    for note in notes {
        if let Some((what, by)) = note.split_once(" is forced by ") {
            let (name, value) = what.split_once(" = ").expect("a value");
            let count = by.split_whitespace().next().unwrap_or_default();
            let count = if count == "one" { 1 } else { count.parse().expect("a number") };
            forced.push(Forced {
                name: name.to_owned(),
                value: value.to_owned(),
                count,
                told: Vec::new(),
            });
            lines.push(Vec::new());
        } else if let (Some(step), Some(lines)) = (note.strip_prefix("  "), lines.last_mut()) {
            lines.push(step.to_owned());
        }
    }
    for (forced, lines) in forced.iter_mut().zip(lines) {
        forced.told = read_notes(&lines);
    }
    forced
}

/// Variables that are told not to be forced.
pub fn read_free(notes: &[String]) -> Vec<String> {
    let told = notes.iter().filter_map(|note| note.split_once(" not forced: "));
    let names = |text: &str| -> Vec<String> {
        let text = text.trim_end_matches(" is").trim_end_matches(" are");
        text.split(", ").filter(|name| !name.contains('[')).map(str::to_owned).collect()
    };
    told.flat_map(|(text, _)| names(text)).collect()
}

/// Words that are no variables.
const WORDS: [&str; 9] = ["in", "mod", "rem", "div", "inf", "sup", "abs", "min", "max"];

/// The variables of constraints, by their names.
pub fn variables(constraints: &[String]) -> BTreeSet<String> {
    constraints.iter().flat_map(|text| words_of(text)).collect()
}

/// The names of variables in a text.
fn words_of(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|(is_name, _)| *is_name).map(|(_, word)| word).collect()
}

/// A constraint as a term of the rule language.
pub fn term(text: &str) -> String {
    let token = |(is_name, word): (bool, String)| match is_name {
        true => word.chars().fold("V".to_owned(), |name, c| match c {
            c if c.is_alphanumeric() || c == '_' => format!("{name}{c}"),
            '\'' => format!("{name}_q"),
            _ => format!("{name}_"),
        }),
        false => word,
    };
    let text: String = tokens(text).into_iter().map(token).collect();
    text.replacen("#\\ ", "#\\ (", usize::from(text.starts_with("#\\ ")))
        + if text.starts_with("#\\ ") { ")" } else { "" }
}

/// Names of variables, `vs[3]`, `p.1`, `D'2`, and what stands between them.
fn tokens(text: &str) -> Vec<(bool, String)> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let start = at;
        if !(chars[at].is_alphabetic() || chars[at] == '_') {
            tokens.push((false, chars[at].to_string()));
            at += 1;
            continue;
        }
        while at < chars.len()
            && (chars[at].is_alphanumeric() || chars[at] == '_' || chars[at] == '\'')
        {
            at += 1;
        }
        let word: String = chars[start..at].iter().collect();
        if chars.get(at) == Some(&'(') || WORDS.contains(&word.as_str()) {
            tokens.push((false, word));
            continue;
        }
        loop {
            let digits =
                |from: usize| chars[from..].iter().take_while(|c| c.is_ascii_digit()).count();
            match chars.get(at) {
                Some('[') if digits(at + 1) > 0 => at += digits(at + 1) + 2,
                Some('.') if digits(at + 1) > 0 => at += digits(at + 1) + 1,
                _ => break,
            }
        }
        tokens.push((true, chars[start..at].iter().collect()));
    }
    tokens
}
