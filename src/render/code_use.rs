//! Which path answered the questions of a search: code made from the rules, or the machine.

use super::number::{counted, grouped};
use super::style::{Theme, paint};
use crate::builtins::{CodeReason, CodeUse};

/// Questions below which there is nothing to say.
const FEW: u64 = 1000;
/// Reasons shown.
const REASONS: usize = 3;

/// One line on code, and one for each thing of note that stood in its way.
pub fn text(code: Option<&CodeUse>, theme: &Theme) -> String {
    let Some(code) = code else { return String::new() };
    let all = code.by_code + code.by_machine;
    if all < FEW {
        return String::new();
    }
    let mut lines = Vec::new();
    if code.by_code > 0 {
        let share = share(code.by_code, all);
        lines.push(format!("rules by code: {share} of {}", counted(all, "question")));
    }
    // A hundredth of the questions is worth a line.
    let of_note = |reason: &&CodeReason| reason.questions * 100 >= all;
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for reason in code.reasons.iter().filter(of_note) {
        match reasons.iter_mut().find(|(text, _)| *text == reason.reason) {
            Some((_, predicates)) => predicates.push(reason.predicate),
            None => reasons.push((&reason.reason, vec![reason.predicate])),
        }
    }
    for (reason, predicates) in reasons.iter().take(REASONS) {
        lines.push(format!("rules by machine: {reason} ({})", predicates.join(", ")));
    }
    if lines.is_empty() {
        lines.push(format!("rules by machine: all of {} questions", grouped(all)));
    }
    lines.iter().map(|line| paint(theme.dim, line) + "\n").collect()
}

/// A part of a whole in percent, never rounded up to all.
fn share(part: u64, whole: u64) -> String {
    if part == whole {
        return "all".to_owned();
    }
    let permille = u128::from(part) * 1000 / u128::from(whole.max(1));
    format!("{}.{}%", permille / 10, permille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: CodeUse, expect: &str) {
        assert_eq!(text(Some(&code), &Theme::new(false)), expect);
    }

    fn reason(predicate: &'static str, reason: &str, questions: u64) -> CodeReason {
        CodeReason { predicate, reason: reason.to_owned(), questions }
    }

    #[test]
    fn small_runs_are_quiet() {
        check(CodeUse { by_code: 0, by_machine: 999, ..CodeUse::default() }, "");
    }

    #[test]
    fn code_and_machine() {
        let code = CodeUse { by_code: 12_344, by_machine: 1, ..CodeUse::default() };
        check(code, "rules by code: 99.9% of 12,345 questions\n");
        let write = "write/1 at rules.pl:12 has no symbolic form";
        let reasons = vec![
            reason("rule/4", write, 600),
            reason("heuristic/2", write, 400),
            reason("final_state/1", "the code would become too large", 5),
        ];
        check(
            CodeUse { by_code: 0, by_machine: 1005, reasons, ..CodeUse::default() },
            &format!("rules by machine: {write} (rule/4, heuristic/2)\n"),
        );
    }
}
