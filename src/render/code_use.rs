//! Which path answered the questions of a search: code made from the rules, or the machine.

use super::number::counted;
use super::style::{Theme, paint};
use zug_report::CodeUse;

/// Questions below which there is nothing to say.
const FEW: u64 = 1000;

/// One line: how much of a search went by code. What stood in the way of the rest is said by
/// `zug check --code` and `zug specialize`.
pub fn text(code: Option<&CodeUse>, theme: &Theme) -> String {
    let Some(code) = code else { return String::new() };
    let all = code.by_code + code.by_machine;
    if all < FEW || code.by_code == 0 {
        return String::new();
    }
    let line =
        format!("rules by code: {} of {}", share(code.by_code, all), counted(all, "question"));
    paint(theme.dim, &line) + "\n"
}

/// A part of a whole in percent, never rounded up to all.
pub(super) fn share(part: u64, whole: u64) -> String {
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

    #[test]
    fn small_runs_are_quiet() {
        check(CodeUse { by_code: 0, by_machine: 999, ..CodeUse::default() }, "");
    }

    #[test]
    fn code_and_machine() {
        let code = CodeUse { by_code: 12_344, by_machine: 1, ..CodeUse::default() };
        check(code, "rules by code: 99.9% of 12,345 questions\n");
        check(CodeUse { by_code: 0, by_machine: 1005, ..CodeUse::default() }, "");
    }
}
