//! Queries that the prompt answers itself: `solve`, `play`, `train`, `tree(Goal)`.

use super::query::TypedQuery;
use super::{DialogueError, Flow, Repl, play_query, solve_query, train_query, tree_query};
use std::io;
use std::sync::atomic::Ordering;
use zug_machine::{Fault, StopReason};
use zug_options::Named;
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;

/// A query that the prompt answers, unless the program has such a predicate.
pub(super) struct PromptQuery {
    name: &'static str,
    /// The most arguments it has.
    arity: usize,
    pub(super) options: &'static (dyn Named + Sync),
    answer: fn(&mut Repl<'_>, Query) -> Result<(), DialogueError>,
    refusal: Refusal,
}

/// The code of a finding, and the hint where no rules are loaded.
#[derive(Clone, Copy)]
struct Refusal {
    code: &'static str,
    hint: &'static str,
}

const PLAY: Refusal = Refusal {
    code: "E0703",
    hint: "`['rules/tictactoe.pl'].` loads one; `play.` and `train.` then play it",
};
const TREE: Refusal = Refusal {
    code: "E0704",
    hint: "`['rules/nim.pl'].` loads some; `tree(moves).` then draws their tree",
};

static PROMPT: [PromptQuery; 4] = [
    PromptQuery {
        name: "solve",
        arity: 1,
        options: &solve_query::OPTIONS,
        answer: |repl, query| repl.solve_query(query),
        refusal: PLAY,
    },
    PromptQuery {
        name: "play",
        arity: 1,
        options: &play_query::OPTIONS,
        answer: |repl, query| repl.play_query(query),
        refusal: PLAY,
    },
    PromptQuery {
        name: "train",
        arity: 1,
        options: &train_query::OPTIONS,
        answer: |repl, query| repl.train_query(query),
        refusal: PLAY,
    },
    PromptQuery {
        name: "tree",
        arity: 2,
        options: &tree_query::OPTIONS,
        answer: |repl, query| repl.tree_query(query),
        refusal: TREE,
    },
];

impl PromptQuery {
    /// The query of this name.
    pub(super) fn by_name(name: &str) -> Option<&'static PromptQuery> {
        PROMPT.iter().find(|query| query.name == name)
    }
}

impl Repl<'_> {
    /// The query of the prompt that was typed.
    pub(super) fn prompt_query(&self, typed: &TypedQuery) -> Option<&'static PromptQuery> {
        let machine = &self.session.machine;
        let (name, arity) = typed.name?;
        let name = machine.symbols.name(name);
        let found = PromptQuery::by_name(name).filter(|query| arity <= query.arity);
        found.filter(|_| user_predicate(machine, name, arity).is_none())
    }

    /// Answers a query of the prompt.
    pub(super) fn prompt_answer(&mut self, own: &PromptQuery, query: Query) -> io::Result<Flow> {
        let answered = (own.answer)(self, query);
        // Ctrl-C was for the answer.
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        match answered {
            Ok(()) => {}
            Err(DialogueError::Io(error)) => return Err(error),
            Err(DialogueError::Rules(failure)) => {
                self.tally.errors += 1;
                self.refuse(&failure, own.refusal)?;
            }
        }
        self.session.world.streams.end_query()?;
        Ok(Flow::Continue)
    }

    fn refuse(&mut self, failure: &Failure, refusal: Refusal) -> io::Result<()> {
        let message = match failure {
            Failure::Diagnosed(failure, findings) => {
                self.refuse(failure, refusal)?;
                return findings.iter().try_for_each(|finding| self.complain(finding));
            }
            Failure::Policy(findings) => {
                return findings.iter().try_for_each(|finding| self.complain(finding));
            }
            Failure::Rule(raised) | Failure::Limit(raised) => {
                return self.complain(&raised.finding);
            }
            Failure::Stopped(Fault::Stopped(StopReason::Interrupted), _) => {
                return self.warn("interrupted\n");
            }
            Failure::NoDomain | Failure::NoGame { puzzle: false } => {
                let message = "no rules of a puzzle or a game are loaded";
                let finding = Diagnostic::error(refusal.code, message).hint(refusal.hint);
                return self.complain(&finding);
            }
            Failure::Stopped(fault, _) => self.session.describe(fault).to_string(),
            Failure::Unwritable(..) => failure.to_string().replace("--force", "force"),
            Failure::NotForGames(name) => {
                format!("`{name}` is an engine for puzzles, and this is a game")
            }
            Failure::NotForPuzzles(name) => {
                format!("`{name}` is an engine for games, and this is a puzzle")
            }
            _ => failure.to_string(),
        };
        self.complain(&Diagnostic::error(refusal.code, message))
    }
}
