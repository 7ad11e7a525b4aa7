//! Goals of files: engines, clauses that change while they run, cuts, columns.

use zug_prolog::session::Session;

/// Files have a program, then goals in one session, each with its first answer or the message of its error.
#[test]
fn sessions() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sessions"));
    for path in folder.expect("the folder").map(|entry| entry.expect("a file").path()) {
        let text = std::fs::read_to_string(&path).expect("a program");
        let mut parts = text.trim_end().split("\n?- ");
        let (mut session, _) = Session::captured(&[], "");
        let findings = session.load_text("rules", parts.next().unwrap_or_default());
        assert!(findings.is_empty(), "{findings:?}");
        for (goal, expected) in parts.map(|part| part.split_once("\n    ").expect("an answer")) {
            let mut query = session.query(goal).expect("it reads");
            let said = match session.next(&mut query) {
                Ok(true) => session.answer(&query),
                Ok(false) => "false".to_owned(),
                Err(fault) => session.describe(&fault).message,
            };
            session.close(query);
            assert_eq!(said, expected, "{path:?}: {goal}");
        }
    }
}
