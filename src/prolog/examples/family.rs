//! Loads rules and asks a query, with limits.

use std::time::Duration;
use zug_prolog::{Allowance, Session};

const RULES: &str = "
    parent(tom, bob).  parent(tom, liz).  parent(bob, ann).
    ancestor(X, Y) :- parent(X, Y).
    ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
";

#[expect(clippy::print_stdout, reason = "an example")]
fn main() {
    let mut session = Session::new();
    for finding in session.load_text("family", RULES) {
        println!("{}", finding.message);
    }
    session.allow(&Allowance { time: Some(Duration::from_secs(1)), ..Allowance::default() });
    let mut query = session.query("ancestor(tom, Who)").expect("a query that reads");
    loop {
        match session.next(&mut query) {
            Ok(true) => println!("{}", session.answer(&query)),
            Ok(false) => break,
            Err(fault) => {
                println!("{}", session.describe(&fault).message);
                break;
            }
        }
    }
    session.close(query);
}
