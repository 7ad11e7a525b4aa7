//! Building: arguments of calls and terms on the heap.
//!
//! A compound is laid out breadth first: its cells, then the cells of its compound arguments, and so on. Every offset
//! is known here, so the code writes each cell once, in order, and needs no registers for what is nested.

use super::emit::{Emit, Emitter, SCRATCH};
use crate::instr::{Instr, Slot};
use std::collections::VecDeque;
use zug_term::Cell;

impl Emitter<'_> {
    /// Sets up `X[0..]` for a call.
    pub(super) fn arguments(&mut self, args: &[Cell]) -> Emit {
        let args: Vec<Cell> = args.iter().map(|&arg| self.image.deref(arg)).collect();
        let mut used: Vec<u32> = Vec::new();
        for &arg in &args {
            self.image.for_each_variable(arg, |addr| used.push(self.analysis.number(addr)));
        }
        let mut moves: Vec<(u16, u16)> = Vec::new();
        for (j, &arg) in args.iter().enumerate() {
            if arg.is_compound() || arg.is_boxed() {
                let free = match self.owners.get(j).copied().flatten() {
                    None => true,
                    Some(SCRATCH) => false,
                    Some(owner) => !used.contains(&owner),
                };
                if free {
                    // Its present owner isn't needed here, but may be by name later
                    // only from Y, since the call ends the chunk.
                    self.evict(j);
                    self.take(j, SCRATCH)?;
                    self.put(j as u16, arg)?;
                } else {
                    let t = self.temp(SCRATCH)?;
                    self.put(t, arg)?;
                    moves.push((j as u16, t));
                }
            }
        }
        for (j, &arg) in args.iter().enumerate() {
            if arg.is_var()
                && let Some(x) = self.homes[self.var(arg) as usize].x
                && x != j as u16
            {
                moves.push((j as u16, x));
            }
        }
        self.parallel_moves(moves)?;
        let mut new = Vec::new();
        for (j, &arg) in args.iter().enumerate() {
            self.simple_argument(j as u16, arg, &mut new)?;
        }
        Ok(())
    }

    fn evict(&mut self, x: usize) {
        if let Some(Some(owner)) = self.owners.get(x).copied()
            && owner != SCRATCH
        {
            self.homes[owner as usize].x = None;
            self.owners[x] = None;
        }
    }

    /// Moves between registers as if all at once.
    fn parallel_moves(&mut self, mut moves: Vec<(u16, u16)>) -> Emit {
        while !moves.is_empty() {
            let ready = moves
                .iter()
                .position(|&(d, _)| !moves.iter().any(|&(other, x)| x == d && other != d));
            match ready {
                Some(at) => {
                    let (d, x) = moves.remove(at);
                    self.emit(Instr::Move { d, x });
                }
                None => {
                    // Only cycles are left: free one register.
                    let t = self.temp(SCRATCH)?;
                    let (_, x) = moves[0];
                    self.emit(Instr::Move { d: t, x });
                    for pair in &mut moves {
                        if pair.1 == x {
                            pair.1 = t;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// An argument that is an atom, a small integer, or a variable not in X.
    /// `new` collects the variables made here, whose further occurrences copy.
    fn simple_argument(&mut self, a: u16, arg: Cell, new: &mut Vec<u32>) -> Emit {
        if arg.is_compound() || arg.is_boxed() {
            return Ok(());
        }
        if !arg.is_var() {
            return self.put(a, arg);
        }
        let var = self.var(arg);
        let home = self.homes[var as usize];
        match (home.made, home.x) {
            (true, Some(x)) if new.contains(&var) => self.emit(Instr::Move { d: a, x }),
            (true, Some(_)) => {}
            (true, None) => {
                let y = self.y_of[var as usize].expect("made, and not in X");
                self.emit(Instr::PutY { a, y });
            }
            (false, _) => {
                match self.y_of[var as usize].filter(|_| self.frame) {
                    Some(y) => {
                        self.emit(Instr::PutVarY { y, a });
                        self.homes[var as usize].in_y = true;
                    }
                    None => self.emit(Instr::PutVarX { x: a }),
                }
                new.push(var);
                let home = &mut self.homes[var as usize];
                home.made = true;
                home.x = Some(a);
            }
        }
        Ok(())
    }

    /// `X[x]` := a term.
    pub(super) fn put(&mut self, x: u16, term: Cell) -> Emit {
        let term = self.image.deref(term);
        if let Some(atom) = term.as_atom() {
            self.emit(Instr::PutAtom { a: x, atom: atom.0 });
        } else if let Some(value) = word(term) {
            self.emit(Instr::PutInt { a: x, value });
        } else if is_literal(term) {
            let literal = self.literal(term);
            self.emit(Instr::PutLiteral { a: x, literal });
        } else if term.is_var() {
            self.put_variable(x, self.var(term))?;
        } else {
            self.build(x, term)?;
        }
        Ok(())
    }

    fn put_variable(&mut self, x: u16, var: u32) -> Emit {
        if !self.homes[var as usize].made {
            if self.is_void(var) {
                self.emit(Instr::PutVarX { x });
                return Ok(());
            }
            self.make(var)?;
        }
        match self.homes[var as usize].x {
            Some(from) if from != x => self.emit(Instr::Move { d: x, x: from }),
            Some(_) => {}
            None => {
                let y = self.y_of[var as usize].expect("made, and not in X");
                self.emit(Instr::PutY { a: x, y });
            }
        }
        Ok(())
    }

    /// Builds a compound; `X[x]` points at it.
    fn build(&mut self, x: u16, term: Cell) -> Emit {
        let literals = self.load_literals(term)?;
        if let Some((h, t)) = self.list_of_registers(term) {
            self.emit(Instr::PutListXX { a: x, h, t });
            return Ok(());
        }
        match self.header_of(term) {
            None => self.emit(Instr::PutList { a: x }),
            Some(f) => self.emit(Instr::PutStruct { a: x, f }),
        }
        let mut queue = VecDeque::from([term]);
        // Cells written so far and cells already promised to queued compounds.
        let mut written = usize::from(term.is_struct());
        let (_, arity, _) = self.image.functor(term).expect("a compound");
        let mut promised = written + arity;
        let mut first = true;
        let mut literals = literals.into_iter();
        while let Some(term) = queue.pop_front() {
            if !first && let Some(f) = self.header_of(term) {
                self.emit(Instr::SetHeader { f });
                written += 1;
            }
            first = false;
            let (_, arity, args) = self.image.functor(term).expect("a compound");
            let mut voids = 0;
            for i in 0..arity {
                let arg = self.image.deref(self.image.at(args + i));
                if arg.is_var() && self.is_void(self.var(arg)) {
                    voids += 1;
                    written += 1;
                    continue;
                }
                self.flush_set_voids(&mut voids);
                if arg.is_compound() {
                    let by = (promised - written) as u32;
                    if arg.is_list() {
                        self.emit(Instr::SetListAt { by });
                        promised += 2;
                    } else {
                        self.emit(Instr::SetStructAt { by });
                        promised += 1 + self.image.functor(arg).map_or(0, |(_, n, _)| n);
                    }
                    queue.push_back(arg);
                } else {
                    self.set_simple(arg, &mut literals)?;
                }
                written += 1;
            }
            self.flush_set_voids(&mut voids);
        }
        Ok(())
    }

    fn flush_set_voids(&mut self, voids: &mut u32) {
        if *voids > 0 {
            self.emit(Instr::SetVoid { n: *voids });
            *voids = 0;
        }
    }

    /// `[H|T]` of two made variables in X registers.
    fn list_of_registers(&self, term: Cell) -> Option<(u16, u16)> {
        if !term.is_list() {
            return None;
        }
        let register = |addr: usize| {
            let cell = self.image.deref(self.image.at(addr));
            if !cell.is_var() {
                return None;
            }
            let home = self.homes[self.var(cell) as usize];
            home.made.then_some(home.x).flatten()
        };
        Some((register(term.addr())?, register(term.addr() + 1)?))
    }

    /// Loads the literals inside a compound into registers, in the order in which building meets them.
    fn load_literals(&mut self, term: Cell) -> Emit<Vec<u16>> {
        let mut registers = Vec::new();
        let mut queue = VecDeque::from([term]);
        while let Some(term) = queue.pop_front() {
            let (_, arity, args) = self.image.functor(term).expect("a compound");
            for i in 0..arity {
                let arg = self.image.deref(self.image.at(args + i));
                if arg.is_compound() {
                    queue.push_back(arg);
                } else if is_literal(arg) {
                    let x = self.temp(SCRATCH)?;
                    let literal = self.literal(arg);
                    self.emit(Instr::PutLiteral { a: x, literal });
                    registers.push(x);
                }
            }
        }
        Ok(registers)
    }

    fn set_simple(&mut self, arg: Cell, literals: &mut impl Iterator<Item = u16>) -> Emit {
        if let Some(atom) = arg.as_atom() {
            self.emit(Instr::SetAtom { atom: atom.0 });
        } else if is_literal(arg) {
            let x = literals.next().expect("one register per literal");
            self.emit(Instr::SetX { x });
            self.release(x);
        } else if let Some(value) = arg.as_int() {
            self.emit(Instr::SetInt { value: value as i32 });
        } else {
            self.occurrence(
                self.var(arg),
                [|x| Instr::SetX { x }, |y| Instr::SetY { y }],
                [|x| Instr::SetVarX { x }, |y| Instr::SetVarY { y }],
            )?;
        }
        Ok(())
    }

    /// A built-in in place: its arguments in a row of temporaries.
    pub(super) fn builtin(&mut self, id: u16, args: &[Cell]) -> Emit {
        let base = self.temps(args.len())?;
        for (i, &arg) in args.iter().enumerate() {
            self.put(base + i as u16, arg)?;
        }
        self.emit(Instr::Builtin { id, base, else_by: crate::instr::FAIL });
        for i in 0..args.len() {
            self.release(base + i as u16);
        }
        Ok(())
    }

    pub(super) fn term_slot(&mut self, term: Cell) -> Emit<Slot> {
        let term = self.image.deref(term);
        if let Some(slot) = term.as_int().and_then(Slot::constant) {
            return Ok(slot);
        }
        if term.is_var() {
            let var = self.var(term);
            self.make(var)?;
            return Ok(self.slot_of(var));
        }
        let x = self.temp(SCRATCH)?;
        self.put(x, term)?;
        Ok(Slot::x(x))
    }
}

/// Whether a cell is a constant that no instruction holds.
pub(super) fn is_literal(cell: Cell) -> bool {
    cell.is_boxed() || cell.is_int() && word(cell).is_none()
}

/// An integer that an instruction holds.
pub(super) fn word(cell: Cell) -> Option<i32> {
    i32::try_from(cell.as_int()?).ok()
}
