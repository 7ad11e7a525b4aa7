//! Points of code: what is live at an instruction, and what is known of the address that a call returns to.

/// What is live at an instruction.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// The clause has its environment there.
    pub(super) framed: bool,
    /// X registers by number, Y registers from [`super::wake::Y`] on.
    pub(super) registers: Box<[u32]>,
}

/// What a height of the choice stack is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Height {
    Cut,
    /// A soft cut, which makes the choice point there a dead end.
    SoftCut,
}

/// What is known of the address that a call returns to.
#[derive(Debug)]
pub(super) struct ReturnPoint {
    /// Y registers of its environment.
    pub(super) size: u16,
    /// Those that hold terms and are live there, ascending.
    pub(super) live: Box<[u16]>,
    /// Those that hold heights of the choice stack which are needed later.
    pub(super) heights: Box<[(u16, Height)]>,
    /// Those of them that the clause was called with, to hand them on.
    pub(super) passed: Box<[u16]>,
    /// What follows may cut the alternatives of the clause; whether nothing is left to do behind the cut.
    pub(super) cut: Option<bool>,
    /// A register that is live was set where these cuts go back to, or later: alternatives may set it otherwise.
    pub(super) sets: bool,
    /// The clause is of a program, not of the library.
    pub(super) of_program: bool,
}

impl ReturnPoint {
    /// That of an environment of the machine's own code.
    pub(super) fn fixed(size: u16, live: Box<[u16]>, of_program: bool) -> ReturnPoint {
        let (heights, passed) = (Box::default(), Box::default());
        ReturnPoint { size, live, heights, passed, cut: None, sets: false, of_program }
    }

    /// Whether what follows is the same wherever the choice points below it have gone.
    pub(super) fn is_free(&self) -> bool {
        self.of_program && self.cut.is_none() && self.heights.is_empty()
    }
}
