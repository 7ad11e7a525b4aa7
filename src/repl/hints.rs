//! What points at `why_not/1` where a query failed or did not end.

use super::Repl;
use super::query::TypedQuery;
use std::io;
use zug_explain::{Question, hint};
use zug_prolog::session::Query;
use zug_render::style::paint;
use zug_render::uncaught::Uncaught;
use zug_term::size;
use zug_term::symbol::atoms;

/// Nodes of a query beyond which it gets no hint.
const LARGEST: usize = 10_000;
/// Characters of a query that is typed again in a hint.
const LONGEST: usize = 48;

impl Repl<'_> {
    /// Whether hints are wanted: a person sits there, and did not switch them off.
    pub(super) fn hints(&self) -> bool {
        let flags = &self.session.world.flags;
        self.console.interactive() && flags.is_on(&self.session.machine, "hints")
    }

    /// A query to be asked about should it fail.
    pub(super) fn asked(&mut self, query: &Query) -> Option<Question> {
        let goal = self.session.goal(query).filter(|_| self.hints())?;
        if size(&self.session.machine.heap, goal, LARGEST) >= LARGEST {
            return None;
        }
        self.session.name_variables(query);
        Some(Question::new(&mut self.session.machine, &self.session.world, goal))
    }

    /// The line under `false.`: the goal that came closest.
    pub(super) fn closest(&mut self, asked: &Question, typed: &TypedQuery) -> io::Result<()> {
        let session = &mut *self.session;
        let Some(hint) = hint(&mut session.machine, &mut session.world, asked) else {
            return Ok(());
        };
        let ask = call(typed);
        let line = format!("   closest: {} at {} — {ask} explains", hint.goal, hint.at);
        let line = paint(self.theme.dim, &line);
        self.say(&format!("{line}\n"))
    }

    /// Where the memory was not enough, `why_not/1` may know why.
    pub(super) fn advise_on_memory(&self, error: &mut Uncaught, typed: &TypedQuery) {
        let memory = error.diagnostic.message.starts_with("out of memory");
        if let Some(hint) = error.diagnostic.hint.as_mut().filter(|_| memory && self.hints()) {
            *hint += &format!("; `{}` shows it", call(typed));
        }
    }
}

/// The query inside `why_not`, as it may be typed.
fn call(typed: &TypedQuery) -> String {
    if typed.text.chars().count() > LONGEST || typed.text.contains('\n') {
        return "why_not(…).".to_owned();
    }
    let several = typed.name == Some((atoms::COMMA, 2));
    if several {
        format!("why_not(({})).", typed.text)
    } else {
        format!("why_not({}).", typed.text)
    }
}
