//! Ports and frames of the box.

use zug_machine::Machine;
use zug_term::Cell;

/// A port of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names of the ports")]
pub enum Port {
    Call,
    Exit,
    Redo,
    Fail,
    Exception,
}

impl Port {
    /// All of them.
    pub const ALL: [Port; 5] = [Port::Call, Port::Exit, Port::Redo, Port::Fail, Port::Exception];

    /// The word in a trace.
    pub fn title(self) -> &'static str {
        ["Call", "Exit", "Redo", "Fail", "Exception"][self as usize]
    }

    /// The name in `leash/1`, `visible/1` and `trace/2`.
    pub fn name(self) -> &'static str {
        ["call", "exit", "redo", "fail", "exception"][self as usize]
    }
}

/// The parts of a frame.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) number: i64,
    pub(super) depth: i64,
    pub(super) goal: Cell,
    /// The frame of the caller, or `[]`.
    pub(super) parent: Cell,
    /// Code address of the call.
    pub(super) site: u32,
    /// Twice the node of the call in a tree that is recorded, or of its caller; odd if it is
    /// its own.
    pub(super) node: i64,
    /// The variables of the goal when it was called, if it has a node.
    pub(super) variables: Cell,
}

impl Frame {
    pub(super) fn of(m: &Machine, cell: Cell) -> Option<Frame> {
        let (_, 7, args) = m.heap.name_arity(m.heap.deref(cell))? else { return None };
        let part = |i: usize| m.heap.deref(m.heap.at(args + i));
        Some(Frame {
            number: part(0).as_int()?,
            depth: part(1).as_int()?,
            goal: part(2),
            parent: part(3),
            node: part(5).as_int().unwrap_or(0),
            variables: part(6),
            site: part(4).as_int().and_then(|site| u32::try_from(site).ok()).unwrap_or(0),
        })
    }
}
