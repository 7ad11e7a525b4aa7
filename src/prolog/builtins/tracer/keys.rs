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

/// The command of a key.
pub fn command(key: char) -> TracerCommand {
    match key {
        'c' | '\n' | '\r' | ' ' => TracerCommand::Creep,
        'l' => TracerCommand::Leap,
        's' => TracerCommand::Skip,
        'u' => TracerCommand::Up,
        'r' => TracerCommand::Retry,
        'f' => TracerCommand::Fail,
        'a' => TracerCommand::Abort,
        'n' => TracerCommand::NoDebug,
        'b' | '+' => TracerCommand::Spy,
        '-' => TracerCommand::NoSpy,
        'p' => TracerCommand::Print,
        'g' => TracerCommand::Goals,
        _ => TracerCommand::Help,
    }
}

impl TracerCommand {
    /// The word shown behind the line.
    pub fn word(self) -> &'static str {
        match self {
            TracerCommand::Creep => "creep",
            TracerCommand::Leap => "leap",
            TracerCommand::Skip => "skip",
            TracerCommand::Up => "up",
            TracerCommand::Retry => "retry",
            TracerCommand::Fail => "fail",
            TracerCommand::Abort => "abort",
            TracerCommand::NoDebug => "no debug",
            TracerCommand::Spy => "spy",
            TracerCommand::NoSpy => "no spy",
            TracerCommand::Print => "print",
            TracerCommand::Goals => "goals",
            TracerCommand::Help => "help",
        }
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
