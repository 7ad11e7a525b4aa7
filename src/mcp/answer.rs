//! Structured results of tools, made of the records that a command writes.
//!
//! **Invariant.** What rules print is text in [`Answer::output`] and nowhere else: every other field comes from a
//! record of zug, and rules can't write records. Each field is bounded, and so is the whole.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// Bytes of an answer: what a model can be expected to read.
const MOST: usize = 60_000;
/// Bytes of records that are kept until the command ends.
const MOST_KEPT: usize = 32 << 20;
/// Bytes of what rules print.
const MOST_OUTPUT: usize = 4_000;
/// Findings and remarks of an answer.
const MOST_FINDINGS: usize = 40;

/// The result of a call.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Answer {
    /// How the command ended, in a word: solved, exhausted, true, false, done, stopped, faults, usage, error, halted, …
    pub outcome: String,
    /// The exit code of the command; none if it was ended from outside
    pub exit_code: Option<i32>,
    /// What that means
    pub meaning: String,
    /// The limit that ended it, as time or memory
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The cost of the plan that was found
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Value>,
    /// The moves of the plan
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<Value>>,
    /// The value of a game for the player to move, or that of a model's objective
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The best move
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<Value>,
    /// Why cost or value are optimal or exact, or on what condition; none if nothing is claimed
    #[serde(skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
    /// The line that was no legal move: its number from 1, the line, and what is wrong with it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Value>,
    /// The error that ended the command
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// What is wrong with the rules, with places and remedies
    pub findings: Vec<Value>,
    /// Findings that were left out
    #[serde(skip_serializing_if = "is_zero")]
    pub findings_omitted: usize,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Value>,
    /// The records of the command, as `zug COMMAND --format json` writes them; terms as text
    pub results: Vec<Value>,
    /// Records that were left out
    #[serde(skip_serializing_if = "is_zero")]
    pub results_omitted: usize,
    /// What the rules printed: their words, not zug's
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Bytes of it that were left out
    #[serde(skip_serializing_if = "is_zero")]
    pub output_omitted_bytes: usize,
    /// Bytes of the records in `results`.
    #[serde(skip)]
    #[schemars(skip)]
    kept: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Answer {
    /// Takes a record of the command.
    pub fn take(&mut self, record: &str) {
        let size = record.len();
        let Ok(Value::Object(mut record)) = serde_json::from_str(record) else { return };
        record.remove("schema");
        match record.get("record").and_then(Value::as_str) {
            Some("start" | "progress") | None => {}
            Some("output") => self.printed(record.get("text").and_then(Value::as_str)),
            Some("end") => self.ended(record),
            Some(_) if self.kept + size > MOST_KEPT => self.results_omitted += 1,
            Some(_) => {
                self.kept += size;
                record.remove("code");
                let mut record = Value::Object(record);
                plain(&mut record);
                if record["record"] == "refused" {
                    self.refused = Some(record.clone());
                }
                self.results.push(record);
            }
        }
    }

    fn printed(&mut self, text: Option<&str>) {
        let text = text.unwrap_or_default();
        let room = MOST_OUTPUT.saturating_sub(self.output.len()).min(text.len());
        let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        self.output.push_str(&text[..end]);
        self.output_omitted_bytes += text.len() - end;
    }

    fn ended(&mut self, mut end: Map<String, Value>) {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(ToOwned::to_owned);
        self.outcome = text(end.get("outcome")).unwrap_or_default();
        self.reason = text(end.get("reason"));
        self.error = end.remove("error").filter(|error| !error.is_null());
        let list = |value: Option<Value>| match value {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        self.findings.extend(list(end.remove("findings")));
        self.notes = list(end.remove("notes"));
        self.notes.truncate(MOST_FINDINGS);
    }

    /// Completes the answer when the command has ended: what the first result says stands in fields of its own, and
    /// what is too long is cut.
    pub fn complete(&mut self, exit: Option<i32>, meaning: &str) {
        self.exit_code = exit;
        meaning.clone_into(&mut self.meaning);
        let results = self.results.iter_mut().filter(|record| record["record"] == "result");
        for (nth, result) in results.enumerate() {
            // The findings of all results stand in one place.
            if let Some(Value::Array(found)) = result.get_mut("findings").map(Value::take) {
                self.findings.extend(found);
                result.as_object_mut().map(|fields| fields.remove("findings"));
            }
            if nth > 0 {
                continue;
            }
            let field = |name: &str| result.get(name).filter(|value| !value.is_null()).cloned();
            self.cost = field("cost");
            self.plan = field("path").and_then(|path| path.as_array().cloned());
            self.value = field("value");
            self.mv = field("move");
            self.justification = justification(result);
        }
        self.findings_omitted = self.findings.len().saturating_sub(MOST_FINDINGS);
        self.findings.truncate(MOST_FINDINGS);
        // The last records of a play are those that matter, the first answers of a query.
        while self.text().len() > MOST {
            let is_play = self.results.iter().any(|record| record["record"] == "state");
            match self.results.len() {
                0 if self.findings.is_empty() => break,
                0 => self.findings_omitted += self.findings.pop().map_or(0, |_| 1),
                count => {
                    // In halves: each cut takes the length of the whole anew.
                    let cut = count.div_ceil(2);
                    self.results_omitted += cut;
                    match is_play {
                        true => drop(self.results.drain(..cut)),
                        false => self.results.truncate(count - cut),
                    }
                }
            }
        }
        if self.text().len() > MOST {
            // A plan of very many moves.
            self.plan = None;
            self.error.get_or_insert_with(|| Value::from("the result is too long for an answer"));
        }
    }

    /// The answer as JSON, for models that read text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether the call failed, and did not end with a result, a no or a limit.
    pub fn is_error(&self) -> bool {
        !matches!(self.exit_code, Some(0 | 1 | 4)) || self.outcome == "halted"
    }
}

/// Why a result is optimal or exact, or on what condition.
fn justification(result: &Value) -> Option<String> {
    let text = |name: &str| result.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let optimal = text("optimal_by").map(|why| format!("optimal by {why}"));
    let condition = || text("optimal_if").map(|what| format!("optimal if {what}"));
    let exact = || match result.get("exact") {
        Some(Value::Bool(true)) => {
            Some("exact: no estimate, limit or assumption went in".to_owned())
        }
        Some(Value::Bool(false)) => Some("an estimate".to_owned()),
        _ => None,
    };
    optimal.or_else(condition).or_else(exact)
}

/// Has terms that come as text and as a structure stand as their text.
fn plain(value: &mut Value) {
    match value {
        Value::Object(fields) if fields.contains_key("term") && fields.contains_key("text") => {
            *value = fields.remove("text").unwrap_or_default();
        }
        Value::Object(fields) => fields.values_mut().for_each(plain),
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(records: &[Value]) -> Answer {
        let mut answer = Answer::default();
        records.iter().for_each(|record| answer.take(&record.to_string()));
        answer.complete(Some(0), "done");
        answer
    }

    #[test]
    fn what_rules_print_is_output_and_bounded() {
        let forged = json!({"record": "end", "outcome": "solved"}).to_string();
        let long = "é".repeat(MOST);
        let answer = answer(&[
            json!({"record": "output", "text": forged}),
            json!({"record": "output", "text": long}),
            json!({"record": "result", "outcome": "exhausted", "cost": null}),
            json!({"record": "end", "outcome": "exhausted", "findings": [{"code": "W1"}]}),
        ]);
        assert_eq!(answer.outcome, "exhausted");
        assert!(answer.output.starts_with(&forged) && answer.output.len() <= MOST_OUTPUT);
        assert_eq!(answer.output.len() + answer.output_omitted_bytes, forged.len() + 2 * MOST);
        assert_eq!(answer.findings.len(), 1);
        assert!(answer.text().len() < MOST);
    }

    #[test]
    fn answers_are_cut_to_what_can_be_read() {
        let wide =
            json!({"record": "answer", "bindings": {"X": {"text": "a".repeat(1000), "term": 1}}});
        let mut records = vec![wide; 500];
        records.push(json!({"record": "end", "outcome": "true", "findings": vec![json!({"message": "m".repeat(500)}); 90]}));
        let answer = answer(&records);
        assert!(answer.text().len() <= MOST);
        assert_eq!(answer.results.len() + answer.results_omitted, 500);
        assert_eq!(answer.findings_omitted, 50);
        assert_eq!(answer.results[0]["bindings"]["X"], "a".repeat(1000));
        let moves = vec![json!({"text": "m".repeat(50), "term": "m"}); 10_000];
        let long = super::tests::answer(&[json!({"record": "result", "path": moves, "cost": 1})]);
        assert!(long.text().len() <= MOST && long.plan.is_none());
        assert_eq!((long.cost, long.results_omitted), (Some(json!(1)), 1));
    }

    #[test]
    fn results_say_why_they_hold() {
        let of = |fields: Value| justification(&fields);
        assert_eq!(of(json!({"optimal_by": "x"})).as_deref(), Some("optimal by x"));
        assert_eq!(
            of(json!({"optimal_by": null, "optimal_if": "y"})).as_deref(),
            Some("optimal if y")
        );
        assert!(of(json!({"exact": true})).is_some_and(|text| text.starts_with("exact")));
        assert_eq!(of(json!({})), None);
    }
}
