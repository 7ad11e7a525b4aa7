//! Which path answered the questions of a search: code made from the rules, or the machine.

use super::number::counted;
use super::style::{Theme, paint};
use zug_report::{CodeUse, PredicateUse};

/// Questions below which there is nothing to say.
const FEW: u64 = 1000;

/// How much of a search went by code: one line, where that was nearly all. Where it was not, the line
/// says it by predicate, and one more for each that falls short says why and what to change.
pub fn text(code: Option<&CodeUse>, theme: &Theme) -> String {
    let Some(code) = code.filter(|_| theme.code) else { return String::new() };
    if code.by_code + code.by_machine < FEW {
        return String::new();
    }
    let mut text = paint(theme.dim, &format!("rules by code: {}", summary(code))) + "\n";
    for line in short(code) {
        text += &paint(theme.dim, &format!("  {line}"));
        text.push('\n');
    }
    text
}

/// The part of all questions, and the parts by predicate if one falls short.
fn summary(code: &CodeUse) -> String {
    let all = code.by_code + code.by_machine;
    let mut text = format!("{} of {}", share(code.by_code, all), counted(all, "question"));
    if code.predicates.iter().any(PredicateUse::falls_short) {
        for (at, predicate) in code.predicates.iter().enumerate() {
            text += if at == 0 { ": " } else { ", " };
            text += &part(predicate);
        }
    }
    text
}

/// A predicate, and how much of it went by code.
pub(super) fn part(predicate: &PredicateUse) -> String {
    format!("{} {}", predicate.predicate, share(predicate.by_code, predicate.all()))
}

/// What stands in the way, and the one thing to change, of the predicates that fall short; those with
/// the same together.
pub(super) fn short(code: &CodeUse) -> Vec<String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for predicate in code.predicates.iter().filter(|predicate| predicate.falls_short()) {
        let name = predicate.predicate;
        let Some(obstacle) = code.obstacle(name) else { continue };
        let mut why = obstacle.reason.clone();
        if let Some(change) = obstacle.change {
            why += &format!("; {change}");
        }
        match found.iter_mut().find(|(_, known)| *known == why) {
            Some((names, _)) => *names += &format!(", {name}"),
            None => found.push((name.to_owned(), why)),
        }
    }
    found.into_iter().map(|(names, why)| format!("{names}: {why}")).collect()
}

/// A part of a whole in percent, never rounded up to all.
fn share(part: u64, whole: u64) -> String {
    if part == whole {
        return "all".to_owned();
    }
    if part == 0 {
        return "none".to_owned();
    }
    let permille = u128::from(part) * 1000 / u128::from(whole.max(1));
    format!("{}.{}%", permille / 10, permille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_report::{CodeObstacle, CodeReason};

    fn check(code: &CodeUse, expect: &str) {
        assert_eq!(text(Some(code), &Theme::new(false).telling_code(true)), expect);
        assert_eq!(text(Some(code), &Theme::new(false)), "");
    }

    fn asked(
        predicate: &'static str,
        by_code: u64,
        by_machine: u64,
        before_code: u64,
    ) -> PredicateUse {
        PredicateUse { predicate, by_code, by_machine, before_code }
    }

    fn reason(predicate: &'static str, reason: &str, questions: u64) -> CodeReason {
        CodeReason {
            predicate,
            kind: CodeObstacle::Rules,
            reason: reason.to_owned(),
            change: Some("use findall/3"),
            file: None,
            line: None,
            questions,
        }
    }

    #[test]
    fn small_runs_are_quiet() {
        let mut code = CodeUse::default();
        code.take(asked("rule/4", 0, 999, 0), []);
        check(&code, "");
    }

    #[test]
    fn one_line_where_all_but_the_first_states_go_by_code() {
        let mut code = CodeUse::default();
        code.take(asked("rule/4", 12_344, 1, 1), []);
        check(&code, "rules by code: 99.9% of 12,345 questions\n");
        code.take(asked("final_state/1", 2000, 4, 2), []);
        check(&code, "rules by code: 99.9% of 14,349 questions\n");
    }

    #[test]
    fn what_falls_short_is_told_by_predicate_with_what_to_change() {
        let mut code = CodeUse::default();
        code.take(asked("rule/4", 1000, 0, 0), []);
        let reasons = [reason("heuristic/3", "once", 1), reason("heuristic/3", "often", 967)];
        code.take(asked("heuristic/3", 31, 969, 1), reasons);
        check(
            &code,
            "rules by code: 51.5% of 2,000 questions: rule/4 all, heuristic/3 3.1%\n  \
             heuristic/3: often; use findall/3\n",
        );
        // Another predicate with the same obstacle.
        code.take(asked("rule/4", 0, 1000, 0), [reason("rule/4", "often", 1000)]);
        let expect = "rules by code: 34.3% of 3,000 questions: rule/4 50.0%, heuristic/3 3.1%\n  \
             rule/4, heuristic/3: often; use findall/3\n";
        check(&code, expect);
        // Another heuristic of the same predicate.
        code.take(asked("heuristic/3", 0, 2, 0), [reason("heuristic/3", "once", 2000)]);
        assert_eq!(code.obstacle("heuristic/3").map(|reason| &*reason.reason), Some("once"));
        assert_eq!(code.predicates.len(), 2);
    }

    #[test]
    fn nothing_by_code_is_said() {
        let mut code = CodeUse::default();
        code.take(asked("rule/4", 0, 1005, 4), [reason("rule/4", "why", 1001)]);
        let expect =
            "rules by code: none of 1,005 questions: rule/4 none\n  rule/4: why; use findall/3\n";
        check(&code, expect);
    }
}
