//! The keys at a port.

/// A command of the tracer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is told by its word, and by the help")]
pub enum TracerCommand {
    Creep,
    Leap,
    Skip,
    Up,
    Retry,
    Fail,
    Abort,
    NoDebug,
    Spy,
    NoSpy,
    Print,
    Goals,
    Help,
}

/// Commands with their keys, which any other key asks about, and their words.
const COMMANDS: [(TracerCommand, &str, &str); 13] = [
    (TracerCommand::Creep, "c\n\r ", "creep"),
    (TracerCommand::Leap, "l", "leap"),
    (TracerCommand::Skip, "s", "skip"),
    (TracerCommand::Up, "u", "up"),
    (TracerCommand::Retry, "r", "retry"),
    (TracerCommand::Fail, "f", "fail"),
    (TracerCommand::Abort, "a", "abort"),
    (TracerCommand::NoDebug, "n", "no debug"),
    (TracerCommand::Spy, "b+", "spy"),
    (TracerCommand::NoSpy, "-", "no spy"),
    (TracerCommand::Print, "p", "print"),
    (TracerCommand::Goals, "g", "goals"),
    (TracerCommand::Help, "", "help"),
];

/// The command of a key.
pub fn command(key: char) -> TracerCommand {
    let found = COMMANDS.iter().find(|(_, keys, _)| keys.contains(key));
    found.map_or(TracerCommand::Help, |row| row.0)
}

impl TracerCommand {
    /// The word shown behind the line.
    pub fn word(self) -> &'static str {
        COMMANDS[self as usize].2
    }
}

/// What the keys do.
pub(super) const HELP: &str = "\
  c Return  creep: on to the next port     l  leap: on to the next spy point
  s  skip: on to where this call ends      u  up: on to where its caller ends
  r  retry: make this call again           f  fail: have it fail
  b +  spy on the predicate                -  no longer
  p  print the goal in full                g  goals: the calls that led here
  n  no debug: on without tracing          a  abort the query
";
