//! A session without its program.

use super::Session;
use crate::builtins::streams::{Streams, USER_ERROR};
use std::io::{empty, sink};

impl Session {
    /// Forgets the program and all that came of it: clauses, operators, flags, tables, what was
    /// recorded, a base in use. The streams stay, but for those that the program opened, and so
    /// do limits, sandbox, [`Session::follow_standard`] and who is asked by the tracer.
    ///
    /// What is forgotten is handed out, for [`Session::restore`].
    pub fn renew(&mut self) -> Past {
        let streams = &mut self.world.streams;
        for id in streams.ids().into_iter().filter(|id| *id > USER_ERROR) {
            // What can't be written any more is lost with the program that wrote it.
            let _ = streams.close(id);
        }
        let nothing = || Streams::new(Box::new(empty()), Box::new(sink()), Box::new(sink()));
        let streams = std::mem::replace(streams, nothing());
        let fresh = Session::with_io(
            self.world.extensions,
            Box::new(empty()),
            Box::new(sink()),
            Box::new(sink()),
        );
        let mut past = std::mem::replace(self, fresh);
        let (old, before) = (&past.machine, &mut past.world);
        let (m, w) = (&mut self.machine, &mut self.world);
        w.streams = streams;
        m.interrupt.clone_from(&old.interrupt);
        m.set_memory_limit(old.memory_limit);
        m.deadline = old.deadline;
        if old.inference_limit != u64::MAX {
            m.limit_inferences(old.inference_limit.saturating_sub(old.inferences()));
        }
        for carry in before.extensions.iter().filter_map(|extension| extension.carry) {
            carry(before, w);
        }
        w.directory.clone_from(&before.directory);
        w.flags.switch("hints", before.flags.is_on(old, "hints"));
        if before.loader.queries.is_some() {
            w.loader.queries = Some(Vec::new());
        }
        w.tracer.asker = before.tracer.asker.take();
        w.enter_access(before.files.clone());
        if before.flags.starts_iso {
            w.flags.follow_standard();
            m.set_iso(true);
        }
        Past(Box::new(past))
    }

    /// Brings back what [`Session::renew`] forgot, in the place of all that came since.
    pub fn restore(&mut self, Past(mut past): Past) {
        std::mem::swap(&mut self.world.streams, &mut past.world.streams);
        past.world.tracer.asker = self.world.tracer.asker.take();
        *self = *past;
    }
}

/// The program that a session had.
#[must_use]
pub struct Past(Box<Session>);

#[cfg(test)]
mod tests {
    use crate::session::{Allowance, Session};

    fn answers(session: &mut Session, goal: &str) -> Result<bool, ()> {
        let mut query = session.query(goal).map_err(drop)?;
        let found = session.next(&mut query).map_err(drop);
        session.close(query);
        found
    }

    #[test]
    fn nothing_of_a_program_is_left() {
        let (mut session, written) = Session::captured(&[], "kept. ");
        session.allow(&Allowance { memory: Some(64 << 20), ..Allowance::default() });
        session.sandbox(std::path::Path::new("."));
        session.load_text(
            "first",
            ":- op(700, xfx, ===>). :- dynamic f/1. :- set_prolog_flag(double_quotes, codes).\n\
             p(1). f(2). :- nb_setval(k, 3). append(mine, mine, mine).",
        );
        assert_eq!(answers(&mut session, "p(1), f(2), nb_getval(k, 3), X = (a ===> b)"), Ok(true));
        let past = session.renew();
        for gone in ["p(1)", "f(2)", "nb_getval(k, _)", "X = (a ===> b)"] {
            assert_eq!(answers(&mut session, gone), Err(()), "{gone}");
        }
        for there in ["append(X, [2], [1, 2])", "string(\"text\")", "write(hello), read(kept)"] {
            assert_eq!(answers(&mut session, there), Ok(true), "{there}");
        }
        assert!(answers(&mut session, "open(x, write, _)").is_err(), "the sandbox is still there");
        assert_eq!(session.machine.memory_limit, 64 << 20);
        let _ = session.world.streams.flush_standard();
        assert_eq!(written.take(), "hello");
        session.load_text("second", "q(1). p(2).");
        session.restore(past);
        assert_eq!(answers(&mut session, "p(1), f(2), nb_getval(k, 3), X = (a ===> b)"), Ok(true));
        assert_eq!(answers(&mut session, "p(2)"), Ok(false));
        assert_eq!(answers(&mut session, "q(1)"), Err(()));
        assert_eq!(answers(&mut session, "write(again)"), Ok(true));
        let _ = session.world.streams.flush_standard();
        assert_eq!(written.take(), "again");
    }
}
