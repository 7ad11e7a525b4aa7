//! What should come of a file, and what came.

use super::{Mixed, Way};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

/// What should come of a file.
#[derive(Clone, Debug)]
pub struct Due {
    outcome: &'static str,
    reason: Option<&'static str>,
    results: Option<usize>,
    /// Fields of result lines: the number of the line from 0, the field, its value.
    fields: Vec<(usize, &'static str, Value)>,
    /// Answers of queries: the number of the line from 0, and each answer as text.
    answers: Vec<(usize, Vec<String>)>,
    /// A text that stands in the messages.
    says: Option<String>,
    points: Option<(i64, i64)>,
}

impl Due {
    /// An outcome.
    pub fn new(outcome: &'static str) -> Due {
        let (reason, results, says, points) = Default::default();
        let (fields, answers) = Default::default();
        Due { outcome, reason, results, fields, answers, says, points }
    }

    /// A limit strikes.
    pub fn stopped(reason: &'static str) -> Due {
        Due { reason: Some(reason), ..Due::new("stopped") }
    }

    /// There are so many results.
    pub fn results(mut self, count: usize) -> Due {
        self.results = Some(count);
        self
    }

    /// A field of a result line, or what a JSON pointer names in it, has a value.
    pub fn field(mut self, at: usize, name: &'static str, value: impl Into<Value>) -> Due {
        self.fields.push((at, name, value.into()));
        self
    }

    /// The query with this number has these answers, as `X = 1, Y = 2` each.
    pub fn answers(mut self, at: usize, answers: &[String]) -> Due {
        self.answers.push((at, answers.iter().map(|answer| in_order(answer)).collect()));
        self
    }

    /// A message has this in it.
    pub fn says(mut self, text: impl Into<String>) -> Due {
        self.says = Some(text.into());
        self
    }

    /// So many points of so many.
    pub fn points(mut self, reached: i64, of: i64) -> Due {
        self.points = Some((reached, of));
        self
    }

    /// What is wrong with what came.
    fn fault(&self, came: &Group) -> Option<String> {
        let file = &came.file;
        if file["outcome"] != self.outcome {
            return Some(format!("{} is due", self.outcome));
        }
        if file["reason"].as_str() != self.reason {
            return Some(format!("the reason {:?} is due", self.reason));
        }
        if self.results.is_some_and(|count| came.results.len() != count) {
            return Some(format!("{:?} results are due", self.results));
        }
        for (at, name, value) in &self.fields {
            if came.results.get(*at).is_none_or(|line| field(line, name) != Some(value)) {
                return Some(format!("{name} of result {at} should be {value}"));
            }
        }
        for (at, due) in &self.answers {
            let texts = came.results.get(*at).map(|line| texts(&line["answers"]));
            if texts.as_ref() != Some(due) {
                return Some(format!("answers of result {at} should be {due:?}, are {texts:?}"));
            }
        }
        let text = || came.lines.to_string();
        if let Some(says) = &self.says
            && !text().contains(&**says)
        {
            return Some(format!("`{says}` should be said"));
        }
        let points = file["points"].as_i64().zip(file["points_of"].as_i64());
        if self.points.is_some() && points != self.points {
            return Some(format!("points {:?} are due", self.points));
        }
        None
    }
}

fn field<'l>(line: &'l Value, name: &str) -> Option<&'l Value> {
    if name.starts_with('/') { line.pointer(name) } else { line.get(name) }
}

/// The bindings of an answer as text, by name.
fn in_order(answer: &str) -> String {
    let mut parts: Vec<&str> = answer.split(", ").collect();
    parts.sort_unstable();
    parts.join(", ")
}

/// Answers in results as text, without variables that are still unbound.
fn texts(answers: &Value) -> Vec<String> {
    let text = |(name, value): (&String, &Value)| {
        let text = value["text"].as_str().expect("a text");
        (text != name).then(|| format!("{name} = {text}"))
    };
    let answers = answers.as_array().into_iter().flatten();
    answers
        .map(|bindings| {
            let parts = bindings.as_object().expect("bindings").iter().filter_map(text);
            in_order(&parts.collect::<Vec<_>>().join(", "))
        })
        .collect()
}

/// What came of a file: its lines in the results.
struct Group {
    /// The result lines.
    results: Vec<Value>,
    /// The line that closes them.
    file: Value,
    /// All of them as they are written.
    lines: String,
}

impl Group {
    /// The name of the file without folders.
    fn name(&self) -> &str {
        let path = self.file["file"].as_str().expect("a path");
        path.rsplit('/').next().unwrap_or(path)
    }
}

/// What of results is not as it is due, file by file; they must be whole.
pub fn faults(files: &[Mixed], text: &str, way: Way) -> Vec<String> {
    let groups = groups(text);
    assert_eq!(files.len(), groups.len(), "files in the results");
    let mut faults = Vec::new();
    let mut drawn = HashSet::new();
    for (file, group) in files.iter().zip(&groups) {
        assert_eq!(file.name, group.name(), "the order of the input");
        if let Some(fault) = file.due(way).fault(group) {
            let (text, lines) = (String::from_utf8_lossy(&file.text), &group.lines);
            faults.push(format!("{way:?} {}: {fault}\n{text:.1000}\n{lines:.1000}", file.name));
        }
        let last = group.results.last();
        if way == Way::Ask && file.kind == "looks_for_traces" {
            drawn.extend(last.map(|line| line["answers"].to_string()));
        }
    }
    if drawn.len() > 1 {
        faults.push(format!("random numbers are not the same in each file: {drawn:?}"));
    }
    faults
}

/// The files whose lines are whole in a results file and its journal, wherever they were torn.
pub fn kept(out: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut journal = out.as_os_str().to_owned();
    journal.push(".journal");
    for path in [out, Path::new(&journal)] {
        let bytes = std::fs::read(path).unwrap_or_default();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        for line in String::from_utf8_lossy(&bytes[..whole]).lines() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            if record["record"] == "file" {
                names.insert(record["file"].to_string());
            }
        }
    }
    names
}

/// The groups in results, which must be whole: a `start` line first, an `end` line last.
fn groups(text: &str) -> Vec<Group> {
    assert!(text.ends_with('\n'), "half a line at the end");
    let mut found = Vec::new();
    let (mut results, mut lines) = (Vec::new(), String::new());
    let count = text.lines().count();
    for (at, line) in text.lines().enumerate() {
        let record: Value = serde_json::from_str(line).unwrap_or_else(|why| {
            panic!("line {at} is not JSON: {why}: {line:.200}");
        });
        let kind = record["record"].as_str().expect("a kind").to_owned();
        assert_eq!(kind == "start", at == 0, "line {at}");
        assert_eq!(kind == "end", at + 1 == count, "line {at}");
        lines += line;
        lines.push('\n');
        match &*kind {
            "result" => results.push(record),
            "file" => {
                let results = std::mem::take(&mut results);
                assert_eq!(record["results"], results.len(), "line {at}");
                found.push(Group { results, file: record, lines: std::mem::take(&mut lines) });
            }
            "start" => lines.clear(),
            _ => {}
        }
    }
    found
}
