//! Why the machine is asked.

/// Why there is no code where the symbolic run took too long.
pub const TOO_MUCH: &str = "making the code takes too long";
/// Why there is no code where it would be slower than the machine.
pub const SLOW: &str = "the code takes longer than the machine";

/// Why compiled code deoptimises: the machine handles the state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reason {
    /// What stood in the way.
    pub what: String,
    /// The goal, as text.
    pub goal: String,
    /// The clause it stands in.
    pub clause: Option<u32>,
    /// A value that was not met before: with it the code could be made again.
    pub new_value: bool,
}

impl Reason {
    pub fn plain(what: &str) -> Reason {
        Reason { what: what.to_owned(), goal: String::new(), clause: None, new_value: false }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.goal.as_str() {
            "" => f.write_str(&self.what),
            goal => write!(f, "{goal}: {}", self.what),
        }
    }
}
