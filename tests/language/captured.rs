//! A session whose output is kept, and questions to it.

use crate::support::loaded;
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::Session;

/// A session with rules that say nothing while they are loaded, and what it writes.
pub fn session(text: &str) -> (Session, SharedBuffer) {
    let (session, shown) = loaded(text);
    assert_eq!(shown.take(), "");
    (session, shown)
}

/// Asks for one answer and leaves the query; how that ended.
pub fn first(session: &mut Session, goal: &str) -> String {
    let mut query = session.query(goal).expect("it reads");
    let found = match session.next(&mut query) {
        Ok(found) => found.to_string(),
        Err(fault) => session.describe(&fault).to_string(),
    };
    session.close(query);
    session.world.streams.end_query().expect("written");
    found
}
