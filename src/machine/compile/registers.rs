//! Where variables are while code is emitted: X registers, Y registers, environments.

use super::code::Problem;
use super::emit::{Emit, Emitter, Home, SCRATCH};
use crate::LIVE_SET;
use crate::instr::{Instr, Slot};

/// X registers the compiler uses at most.
const MAX_X: usize = 0x7F00;

/// State that branches save and restore.
#[derive(Clone)]
pub(super) struct State {
    pub homes: Vec<Home>,
    pub owners: Vec<Option<u32>>,
    frame: bool,
}

impl Emitter<'_> {
    pub(super) fn temp(&mut self, owner: u32) -> Emit<u16> {
        let from = self.floor;
        let at = match self.owners.get(from..) {
            Some(rest) => {
                rest.iter().position(Option::is_none).map_or(self.owners.len(), |i| from + i)
            }
            None => from,
        };
        self.take(at, owner)
    }

    /// Takes `n` free temporary registers in a row.
    pub(super) fn temps(&mut self, n: usize) -> Emit<u16> {
        let used = self.owners.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
        let base = used.max(self.floor);
        for i in 0..n {
            self.take(base + i, SCRATCH)?;
        }
        Ok(base as u16)
    }

    pub(super) fn take(&mut self, at: usize, owner: u32) -> Emit<u16> {
        if at >= MAX_X {
            return Err(Problem::TooLarge);
        }
        if self.owners.len() <= at {
            self.owners.resize(at + 1, None);
        }
        self.owners[at] = Some(owner);
        Ok(at as u16)
    }

    pub(super) fn release(&mut self, x: u16) {
        if let Some(owner) = self.owners.get_mut(x as usize)
            && *owner == Some(SCRATCH)
        {
            *owner = None;
        }
    }

    /// The register a new variable goes to: the one it is asked for in, or a temporary.
    pub(super) fn register_for(&mut self, var: u32) -> Emit<u16> {
        if let Some(hint) = self.analysis.variables[var as usize].hint {
            let free = self.owners.get(hint as usize).is_none_or(Option::is_none);
            if free {
                return self.take(hint as usize, var);
            }
        }
        self.temp(var)
    }

    pub(super) fn made_in_x(&mut self, var: u32, x: u16) {
        self.homes[var as usize] = Home { made: true, x: Some(x), in_y: false };
    }

    /// Moves a permanent variable that is in X to its Y register, if there is one yet.
    pub(super) fn settle(&mut self, var: u32) {
        if let (true, Some(y)) = (self.frame, self.y_of[var as usize])
            && let Home { made: true, x: Some(x), in_y: false } = self.homes[var as usize]
        {
            self.emit(Instr::GetVarY { y, a: x });
            self.homes[var as usize].in_y = true;
        }
    }

    /// An X register that holds a made variable; loaded from Y if need be.
    pub(super) fn load(&mut self, var: u32) -> Emit<u16> {
        if let Some(x) = self.homes[var as usize].x {
            return Ok(x);
        }
        let y = self.y_of[var as usize].expect("a made variable is in X or Y");
        let x = self.temp(var)?;
        self.emit(Instr::PutY { a: x, y });
        self.homes[var as usize].x = Some(x);
        Ok(x)
    }

    /// Makes a variable: a new cell.
    pub(super) fn make(&mut self, var: u32) -> Emit {
        if self.homes[var as usize].made {
            return Ok(());
        }
        match self.y_of[var as usize].filter(|_| self.frame) {
            Some(y) => {
                self.emit(Instr::InitY { y });
                self.homes[var as usize] = Home { made: true, x: None, in_y: true };
            }
            None => {
                let x = self.register_for(var)?;
                self.emit(Instr::PutVarX { x });
                self.made_in_x(var, x);
            }
        }
        Ok(())
    }

    /// Where a made variable is, as a slot.
    pub(super) fn slot_of(&self, var: u32) -> Slot {
        match self.homes[var as usize].x {
            Some(x) => Slot::x(x),
            None => Slot::y(self.y_of[var as usize].expect("made, and not in X")),
        }
    }

    /// Emits the instruction for an occurrence of a variable among the arguments of a compound: of one that is made, in X
    /// or Y; or of one that is made by it, in Y or X.
    pub(super) fn occurrence(
        &mut self,
        var: u32,
        made: [fn(u16) -> Instr; 2],
        new: [fn(u16) -> Instr; 2],
    ) -> Emit {
        let home = self.homes[var as usize];
        if home.made {
            self.emit(match (home.x, self.y_of[var as usize]) {
                (Some(x), _) => made[0](x),
                (None, y) => made[1](y.expect("made, and not in X")),
            });
        } else if let Some(y) = self.y_of[var as usize].filter(|_| self.frame) {
            self.emit(new[1](y));
            self.homes[var as usize].made = true;
            self.homes[var as usize].in_y = true;
        } else {
            let x = self.register_for(var)?;
            self.emit(new[0](x));
            self.made_in_x(var, x);
        }
        Ok(())
    }

    pub(super) fn is_void(&self, var: u32) -> bool {
        self.analysis.variables[var as usize].count == 1
    }

    /// Frees the X registers of variables that are not used after this position.
    pub(super) fn expire(&mut self) {
        let pos = self.pos;
        for x in 0..self.owners.len() {
            match self.owners[x] {
                Some(SCRATCH) => self.owners[x] = None,
                Some(var) if self.analysis.variables[var as usize].last <= pos => {
                    self.owners[x] = None;
                    self.homes[var as usize].x = None;
                }
                _ => {}
            }
        }
    }

    /// A call has been made: X registers hold nothing any more.
    pub(super) fn forget_x(&mut self) {
        self.owners.clear();
        for home in &mut self.homes {
            home.x = None;
        }
    }

    pub(super) fn save(&self) -> State {
        State { homes: self.homes.clone(), owners: self.owners.clone(), frame: self.frame }
    }

    pub(super) fn restore(&mut self, state: &State) {
        self.homes.clone_from(&state.homes);
        self.owners.clone_from(&state.owners);
        self.frame = state.frame;
    }

    // --- environment ------------------------------------------------------------

    /// Puts the environment in place and moves permanent variables into it.
    pub(super) fn open_frame(&mut self) {
        if self.frame {
            return;
        }
        self.frame = true;
        self.emit(Instr::Allocate { n: self.frame_size as u16 });
        for var in 0..self.homes.len() as u32 {
            self.settle(var);
        }
    }

    /// Y registers that hold values needed after position `after`.
    pub(super) fn live(&mut self, after: u32) -> Emit<u16> {
        let mut bits: Vec<u64> = Vec::new();
        for (var, home) in self.homes.iter().enumerate() {
            if let Some(y) = self.y_of[var]
                && home.in_y
                && self.analysis.variables[var].last > after
            {
                let word = usize::from(y) / 64;
                bits.resize(bits.len().max(word + 1), 0);
                bits[word] |= 1 << (y % 64);
            }
        }
        let small = match bits.as_slice() {
            [] => 0,
            [small] if *small < u64::from(LIVE_SET) => *small as u16,
            _ => {
                let sets = &mut self.program.live_sets;
                let bits = bits.into_boxed_slice();
                let at = sets.iter().rposition(|set| *set == bits).unwrap_or_else(|| {
                    sets.push(bits);
                    sets.len() - 1
                });
                let at = u16::try_from(at).ok().filter(|at| at & LIVE_SET == 0);
                return at.map(|at| LIVE_SET | at).ok_or(Problem::TooLarge);
            }
        };
        Ok(small)
    }

    pub(super) fn mark_y(&self, mark: usize) -> u16 {
        (self.first_mark + mark) as u16
    }
}
