//! Outcomes of batch items with reasons and messages: [`ItemEnd`].

use super::limits::TimeLimit;
use super::outcome::Outcome;
use zug_term::diagnostic::Diagnostic;

/// The end of an instance, a query or a test.
pub(super) struct ItemEnd {
    pub(super) outcome: Outcome,
    pub(super) reason: Option<String>,
    pub(super) message: Option<String>,
    /// The clock or the machine's memory decided: counts would be others next time.
    pub(super) counts_are_lost: bool,
    /// The batch ended it, not the file: it is run again by `--resume`.
    pub(super) unfinished: bool,
}

impl ItemEnd {
    pub(super) fn new(outcome: Outcome) -> ItemEnd {
        ItemEnd { outcome, reason: None, message: None, counts_are_lost: false, unfinished: false }
    }

    pub(super) fn interrupted() -> ItemEnd {
        ItemEnd { unfinished: true, counts_are_lost: true, ..ItemEnd::new(Outcome::Interrupted) }
    }

    /// There is no more of something: of memory, say.
    pub(super) fn resource(what: String) -> ItemEnd {
        ItemEnd { reason: Some(what), counts_are_lost: true, ..ItemEnd::new(Outcome::Stopped) }
    }

    /// A limit of time has struck.
    pub(super) fn clock(clock: Option<TimeLimit>) -> ItemEnd {
        let clock = clock.unwrap_or(TimeLimit::Time);
        ItemEnd {
            reason: Some(clock.name().to_owned()),
            counts_are_lost: true,
            unfinished: clock == TimeLimit::TotalTime,
            ..ItemEnd::new(Outcome::Stopped)
        }
    }
}

/// A finding on a line: where, what, and advice.
pub(super) fn text(finding: &Diagnostic) -> String {
    let place = finding.primary.as_ref().map_or(String::new(), |label| {
        let at = label.source.position(label.span.start);
        format!("{}:{}:{}: ", label.source.name, at.line, at.column)
    });
    let hint = finding.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
    format!("{place}{} [{}]{hint}", finding.message, finding.code)
}
