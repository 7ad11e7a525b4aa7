//! Levels of Sokoban as text: `#` a wall, `.` a place, `$` a box, `*` a box on its place, `@` the keeper,
//! `+` the keeper on a place; several levels a file, with empty lines or comments between them.

use crate::text::{self, Fresh};
use crate::{Imported, failed};
use std::collections::BTreeSet;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::watchdog;

/// What does not depend on levels.
const RULES: &str = include_str!("sokoban.pl");

struct Level {
    name: String,
    rows: Vec<String>,
    span: Span,
}

/// The rule file of all levels of some texts, each of them an instance.
pub fn import(sources: &[Source]) -> Result<Imported, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let mut names = Fresh::default();
    let mut facts = String::new();
    for source in sources {
        let levels = levels(source);
        if levels.is_empty() {
            let message = "the text has no level of Sokoban";
            findings.push(Diagnostic::error("E0830", message).at(source, Span::new(0, 0), ""));
        }
        for level in levels {
            check(source, &level, &mut findings);
            facts += &fact(&unique(&level.name, &mut names), &level.rows);
        }
    }
    if failed(&findings) {
        return Err(findings);
    }
    let rules = RULES.replacen("% LEVELS\n", &facts, 1);
    Ok(Imported { rules, findings })
}

fn is_row(line: &str) -> bool {
    let line = line.trim_end();
    line.contains('#') && line.chars().all(|c| "#.$*@+ -_".contains(c))
}

/// The levels of a text; each has its name from the last comment above it, or the first below it if none is.
fn levels(source: &Source) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut title: Option<String> = None;
    let mut at = 0;
    let mut inside = false;
    for line in source.text.split_inclusive('\n') {
        watchdog::steps(line.len());
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        if is_row(line) {
            if !inside {
                let name = title.take().unwrap_or_else(|| format!("level {}", levels.len() + 1));
                levels.push(Level { name, rows: Vec::new(), span });
            }
            inside = true;
            if let Some(level) = levels.last_mut() {
                level.rows.push(line.trim_end().replace(['-', '_'], " "));
                level.span = level.span.to(span);
            }
            continue;
        }
        inside = false;
        let words = line.trim_matches(|c: char| c == ';' || c == ':' || c.is_whitespace());
        let named =
            words.strip_prefix("Title:").or_else(|| words.strip_prefix("title:")).map(str::trim);
        match (named, levels.last_mut()) {
            (Some(name), Some(level)) => level.name = name.to_owned(),
            _ if words.is_empty() => {}
            _ => title = Some(named.unwrap_or(words).to_owned()),
        }
    }
    levels
}

/// A name as an atom that no level has yet.
fn unique(name: &str, names: &mut Fresh) -> String {
    let lower = text::plain(name.trim()).to_lowercase();
    let words: Vec<&str> = lower.split('_').filter(|word| !word.is_empty()).collect();
    let base = words.join("_");
    let base = match base.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => base,
        false => format!("level_{base}"),
    };
    text::atom(&names.name(&base))
}

fn fact(name: &str, rows: &[String]) -> String {
    let width = rows.iter().map(String::len).max().unwrap_or(0);
    let rows: Vec<String> = rows.iter().map(|row| format!("'{row:<width$}'")).collect();
    format!("level({name},\n      [{}]).\n", rows.join(",\n       "))
}

fn check(source: &Source, level: &Level, findings: &mut Vec<Diagnostic>) {
    let count = |signs: &str| {
        level.rows.iter().flat_map(|row| row.chars()).filter(|&c| signs.contains(c)).count()
    };
    let mut fault = |message: String| {
        findings.push(Diagnostic::error("E0831", message).at(source, level.span, ""));
    };
    match count("@+") {
        1 => {}
        n => fault(format!("the level `{}` has {n} keepers", level.name)),
    }
    let (boxes, places) = (count("$*"), count(".*+"));
    if boxes > places {
        fault(format!("the level `{}` has {boxes} boxes and {places} places", level.name));
    }
    if open(&level.rows) {
        fault(format!("the keeper can leave the level `{}`: its walls are not closed", level.name));
    }
}

/// Whether the keeper, if there were no boxes, could reach the edge.
fn open(rows: &[String]) -> bool {
    let sign =
        |row: usize, column: usize| rows[row].as_bytes().get(column).copied().unwrap_or(b' ');
    let places =
        (0..rows.len()).flat_map(|row| (0..rows[row].len()).map(move |column| (row, column)));
    let mut pending: Vec<(usize, usize)> =
        places.filter(|&(row, column)| b"@+".contains(&sign(row, column))).collect();
    let mut seen: BTreeSet<(usize, usize)> = pending.iter().copied().collect();
    while let Some((row, column)) = pending.pop() {
        watchdog::step();
        if row == 0 || column == 0 || row + 1 == rows.len() || column + 1 >= rows[row].len() {
            return true;
        }
        for next in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)] {
            if sign(next.0, next.1) != b'#' && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_prolog::Session;

    const LEVELS: &str = "; Two of a kind\n\n#####\n#@$.#\n#####\n\n; 2\n\n  ####\n###  #\n#+ $ #\n######\nTitle: Back\n\n\
                          #####\n#.$@#\n#-_ #\n#####\n";

    fn imported(text: &str) -> Result<Imported, Vec<&'static str>> {
        let source = Source::new("levels.xsb", text);
        import(&[source]).map_err(|findings| findings.iter().map(|finding| finding.code).collect())
    }

    fn answers(rules: &str, goal: &str) -> Vec<String> {
        let mut session = Session::new();
        let findings = session.load_text("rules", rules);
        assert!(!findings.iter().any(Diagnostic::is_error), "{findings:?}");
        let mut query = session.query(goal).expect("it reads");
        let mut answers = Vec::new();
        while session.next(&mut query).expect("no error") {
            answers.push(session.answer(&query));
        }
        answers
    }

    #[test]
    fn levels_are_instances_by_name() {
        let rules = imported(LEVELS).expect("the levels are right").rules;
        let named = answers(&rules, "findall(L, initial_state(L, _), Ls)");
        assert_eq!(named, ["Ls = [two_of_a_kind,back,level_3]"]);
        let moves =
            answers(&rules, "initial_state(two_of_a_kind, S), rule(D, 1, S, S2), final_state(S2)");
        assert_eq!(moves.len(), 1, "{moves:?}");
        assert!(moves[0].contains("D = right"), "{moves:?}");
        // The keeper of the second stands on a place; he can go to where there is neither wall nor box.
        assert_eq!(answers(&rules, "keeper(back, K), place(back, K)"), ["K = 3-2"]);
    }

    #[test]
    fn wrong_levels_are_told() {
        assert_eq!(imported("nothing").err(), Some(vec!["E0830"]));
        assert_eq!(imported("#####\n# $.#\n#####").err(), Some(vec!["E0831"]));
        assert_eq!(imported("#####\n#@$ #\n#####").err(), Some(vec!["E0831"]));
        assert_eq!(imported("#####\n#@$.\n#####").err(), Some(vec!["E0831"]));
    }
}
