//! What answered the questions of a search, for its report.

use super::examined::{called, place};
use super::plain_words::Plain;
use super::reason::Reason;
use super::tally::{Counts, Tally};
use super::target::CALLED;
use super::units::{MOST_CHANGES, Unit, Units};
use crate::mode::Specialise;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{CodeObstacle, CodeReason, CodeUse, PredicateUse};

/// Shapes of states beyond which the first states of each are worth a word.
const MANY_SHAPES: usize = 8;

impl Units {
    /// What answered the questions asked since the counts were these.
    pub fn report(&self, m: &Machine, w: &World, since: &Counts) -> Option<CodeUse> {
        if Specialise::now(m, w) == Specialise::Off {
            return None;
        }
        let counts = self.counts().since(since);
        let mut found = CodeUse { making: counts.making, ..CodeUse::default() };
        for (number, (target, tally)) in self.targets.iter().zip(&counts.tallies).enumerate() {
            let (by_code, by_machine) = (tally.by_code(), tally.by_machine());
            if by_code + by_machine == 0 || target.indicator == CALLED {
                continue;
            }
            let shapes = self.units[number].iter().flatten().filter(|unit| unit.was_met()).count();
            let predicate = target.indicator;
            let mut reasons = reasons(tally, shapes, m, w);
            if self.changes > MOST_CHANGES {
                reasons.push(Why {
                    kind: CodeObstacle::Rules,
                    reason: "the program changes while the rules run".to_owned(),
                    change: Some("keep what changes in the state"),
                    ..Why::default()
                });
            }
            let many = reasons.iter().any(|why| why.kind == CodeObstacle::Shapes);
            let own = PredicateUse {
                predicate,
                by_code,
                by_machine,
                before_code: if many { tally.news } else { tally.first + tally.news },
            };
            found.take(own, reasons.into_iter().map(|why| why.of(predicate)));
        }
        found.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.questions));
        Some(found)
    }
}

/// A reason without its predicate.
struct Why {
    kind: CodeObstacle,
    reason: String,
    change: Option<&'static str>,
    place: Option<(String, u32)>,
    questions: u64,
}

impl Default for Why {
    fn default() -> Why {
        let (reason, change, place) = (String::new(), None, None);
        Why { kind: CodeObstacle::FirstStates, reason, change, place, questions: 0 }
    }
}

impl Why {
    fn plain(kind: CodeObstacle, reason: &str, questions: u64) -> Why {
        Why { kind, reason: reason.to_owned(), questions, ..Why::default() }
    }

    fn of(self, predicate: &'static str) -> CodeReason {
        let Why { kind, reason, change, place, questions } = self;
        let (file, line) = place.unzip();
        CodeReason { predicate, kind, reason, change, file, line, questions }
    }
}

/// Why the machine answered questions about a predicate on states of so many shapes.
fn reasons(tally: &Tally, shapes: usize, m: &Machine, w: &World) -> Vec<Why> {
    let all = tally.by_code() + tally.by_machine();
    let many = shapes > MANY_SHAPES && tally.first * 10 > all;
    let mut found = vec![
        Why::plain(
            CodeObstacle::NotBought,
            "not yet bought: the search was too short to pay for making code",
            tally.not_bought,
        ),
        Why::plain(
            CodeObstacle::NewValues,
            "values came up that were not met before: code is made again with them, in time",
            tally.news,
        ),
        Why {
            change: Some("give lists of the state one length, and terms one form"),
            ..Why::plain(
                CodeObstacle::Shapes,
                "states are of more than 240 forms, and code is made for each",
                tally.shapes,
            )
        },
    ];
    found.push(if many {
        Why {
            change: Some("give lists of the state one length, and terms one form"),
            ..Why::plain(
                CodeObstacle::Shapes,
                &format!("states are of {shapes} forms, and code is made for each"),
                tally.first,
            )
        }
    } else {
        let what = "the first states: code is made when some were met";
        Why::plain(CodeObstacle::FirstStates, what, tally.first)
    });
    found.extend(tally.reasons.iter().map(|(reason, questions)| why(reason, *questions, m, w)));
    found.retain(|why| why.questions > 0);
    found
}

/// A reason in plain words.
fn why(reason: &Reason, questions: u64, m: &Machine, w: &World) -> Why {
    let plain = Plain::of(reason);
    let place = reason.clause.and_then(|id| place(m, w, id, &reason.goal));
    // What took too long is told of the clause where that was noticed, and not of the goal.
    let goal = if plain.kind == CodeObstacle::TooLarge { "" } else { called(&reason.goal) };
    let at = place.as_ref().map(|(file, line)| format!("{file}:{line}"));
    let reason = match (goal, at) {
        ("", None) => plain.what.to_owned(),
        ("", Some(at)) => format!("{at}: {}", plain.what),
        (goal, None) => format!("{goal}: {}", plain.what),
        (goal, Some(at)) => format!("{goal} at {at}: {}", plain.what),
    };
    Why { kind: plain.kind, reason, change: Some(plain.change), place, questions }
}

impl Unit {
    /// Whether states of the shape were met.
    fn was_met(&self) -> bool {
        self.asked > 0 || self.runs > 0
    }
}
