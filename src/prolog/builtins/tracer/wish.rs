//! The keys at a port.

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is told by its word, and by the help")]
pub enum Meaning {
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

/// What a key means.
pub fn meaning(key: char) -> Meaning {
    match key {
        'c' | '\n' | '\r' | ' ' => Meaning::Creep,
        'l' => Meaning::Leap,
        's' => Meaning::Skip,
        'u' => Meaning::Up,
        'r' => Meaning::Retry,
        'f' => Meaning::Fail,
        'a' => Meaning::Abort,
        'n' => Meaning::NoDebug,
        'b' | '+' => Meaning::Spy,
        '-' => Meaning::NoSpy,
        'p' => Meaning::Print,
        'g' => Meaning::Goals,
        _ => Meaning::Help,
    }
}

impl Meaning {
    /// The word shown behind the line.
    pub fn word(self) -> &'static str {
        match self {
            Meaning::Creep => "creep",
            Meaning::Leap => "leap",
            Meaning::Skip => "skip",
            Meaning::Up => "up",
            Meaning::Retry => "retry",
            Meaning::Fail => "fail",
            Meaning::Abort => "abort",
            Meaning::NoDebug => "no debug",
            Meaning::Spy => "spy",
            Meaning::NoSpy => "no spy",
            Meaning::Print => "print",
            Meaning::Goals => "goals",
            Meaning::Help => "help",
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
