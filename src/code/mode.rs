//! Whether rules run by code made from them.

use zug_machine::Machine;
use zug_prolog::builtins::World;

/// How engines run the rules of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Specialise {
    /// The machine runs everything.
    Off,
    /// Code made for the shapes of states runs where there is some.
    #[default]
    On,
    /// Code and machine run, and every difference is an error.
    CrossCheck,
}

impl Specialise {
    /// What is set in a session.
    pub fn set_in(w: &World) -> Specialise {
        w.slots.get().copied().unwrap_or_default()
    }

    /// Sets it in a session: what was set before.
    pub fn set(self, w: &mut World) -> Specialise {
        std::mem::replace(w.slots.get_mut(), self)
    }

    /// How rules run now: what is traced, the machine must run.
    pub fn now(m: &Machine, w: &World) -> Specialise {
        if w.is_traced(m) { Specialise::Off } else { Specialise::set_in(w) }
    }
}
