//! The instructions, in one table.
//!
//! Registers: `X[i]` hold arguments and temporaries, `Y[i]` live in the current environment. An instruction takes
//! eight bytes. *Slots* ([`Slot`]) name an X register, a Y register or a small constant in sixteen bits. Code
//! addresses (`u32`) are absolute once a clause is installed; `else_by` counts instructions forward from the next
//! one, and [`FAIL`] there means: backtrack.
//!
//! Follows Aït-Kaci, *Warren's Abstract Machine* (1991), with these differences: every variable lives on the heap (no
//! unsafe variables); the compiler lays out nested terms of a body, so building needs no temporaries; clause
//! selection is one instruction over a table, not chains of `try`/`retry`.

use super::arithmetic::{Op1, Op2};

/// A source operand: `0..0x8000` X register, `0x8000..0xC000` Y register, `0xC000..` the constant `slot - 0xE000`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Slot(pub u16);

impl Slot {
    /// The first slot that names a Y register.
    pub const Y: u16 = 0x8000;
    /// The first slot that is a constant.
    pub const CONST: u16 = 0xC000;
    const ZERO: i32 = 0xE000;

    /// An X register.
    pub fn x(i: u16) -> Slot {
        debug_assert!(i < Self::Y);
        Slot(i)
    }
    /// A Y register.
    pub fn y(i: u16) -> Slot {
        debug_assert!(i < Self::CONST - Self::Y);
        Slot(Self::Y + i)
    }
    /// A constant, if it is small enough (-8192..8191).
    pub fn constant(value: i64) -> Option<Slot> {
        (-0x2000..0x2000).contains(&value).then(|| Slot((value as i32 + Self::ZERO) as u16))
    }
    /// The value of a constant slot.
    #[inline(always)]
    pub fn value(self) -> i64 {
        i64::from(i32::from(self.0) - Self::ZERO)
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            x if x < Self::Y => write!(f, "X{x}"),
            y if y < Self::CONST => write!(f, "Y{}", y - Self::Y),
            _ => write!(f, "{}", self.value()),
        }
    }
}

/// `else_by` of a test whose failure backtracks.
pub const FAIL: u16 = 0;

/// Comparison in [`Instr::CompareNumbers`] and [`Instr::CompareTerms`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Relation {
    /// `=:=`, `==`
    Equal,
    /// `=\=`, `\==`
    NotEqual,
    /// `<`, `@<`
    Less,
    /// `>=`, `@>=`
    GreaterEqual,
    /// `>`, `@>`
    Greater,
    /// `=<`, `@=<`
    LessEqual,
}

impl Relation {
    /// All, in the order of their bytes.
    pub const ALL: [Relation; 6] = {
        use Relation::*;
        [Equal, NotEqual, Less, GreaterEqual, Greater, LessEqual]
    };

    /// The relation that holds exactly when this one does not.
    pub fn negated(self) -> Relation {
        // Opposites stand side by side.
        Relation::ALL[self as usize ^ 1]
    }
    /// Whether it holds of an ordering.
    #[inline(always)]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Equal => order.is_eq(),
            Relation::NotEqual => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::GreaterEqual => order.is_ge(),
            Relation::Greater => order.is_gt(),
            Relation::LessEqual => order.is_le(),
        }
    }
}

/// Type test in [`Instr::Type`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is named after its predicate")]
pub enum TypeTest {
    Var,
    Nonvar,
    Atom,
    Integer,
    Float,
    Number,
    Atomic,
    Compound,
    Callable,
    String,
    IsList,
    Ground,
}

impl TypeTest {
    /// All, in the order of their bytes.
    pub const ALL: [TypeTest; 12] = {
        use TypeTest::*;
        [
            Var, Nonvar, Atom, Integer, Float, Number, Atomic, Compound, Callable, String, IsList,
            Ground,
        ]
    };

    /// Whether it looks into compounds.
    #[inline(always)]
    pub fn is_deep(self) -> bool {
        matches!(self, TypeTest::IsList | TypeTest::Ground)
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields: x, y, a registers; d destination; f functor table index")]
#[repr(u8)]
pub enum Instr {
    /// Goes on in machine code, which knows this instruction by byte 0 and finds the number in the second half.
    Native { number: u32 },
    // --- head: match arguments ------------------------------------------------
    /// `Y[y]` := `X[a]`.
    GetVarY { y: u16, a: u16 },
    /// Unify `X[x]` with `X[a]`.
    GetValX { x: u16, a: u16 },
    /// Unify `Y[y]` with `X[a]`.
    GetValY { y: u16, a: u16 },
    /// Unify `X[a]` with an atom.
    GetAtom { a: u16, atom: u32 },
    /// Unify `X[a]` with an integer.
    GetInt { a: u16, value: i32 },
    /// Unify `X[a]` with a copy of a literal.
    GetLiteral { a: u16, literal: u32 },
    /// `X[a]` must be a list cell: sets up `Unify…` for head and tail.
    GetList { a: u16 },
    /// `X[a]` must be a compound with this functor: sets up `Unify…`.
    GetStruct { a: u16, f: u32 },
    /// `GetList` with both parts going to fresh X registers.
    GetListXX { a: u16, h: u16, t: u16 },
    /// `GetList` whose head unifies with `X[h]` and whose tail goes to `X[t]`.
    GetListVX { a: u16, h: u16, t: u16 },
    // --- head: match or build the arguments of the current compound -----------
    /// `X[x]` := the next argument; in write mode a new variable.
    UnifyVarX { x: u16 },
    /// `Y[y]` := the next argument; in write mode a new variable.
    UnifyVarY { y: u16 },
    /// Unify the next argument with `X[x]`.
    UnifyValX { x: u16 },
    /// Unify the next argument with `Y[y]`.
    UnifyValY { y: u16 },
    /// Unify the next argument with an atom.
    UnifyAtom { atom: u32 },
    /// Unify the next argument with an integer.
    UnifyInt { value: i32 },
    /// Skip `n` arguments; in write mode push new variables.
    UnifyVoid { n: u32 },
    /// The last argument is a list cell: go on inside it.
    UnifyTailList,
    /// The last argument is a compound: go on inside it.
    UnifyTailStruct { f: u32 },
    // --- body: put arguments --------------------------------------------------
    /// `X[d]` := `X[x]`.
    Move { d: u16, x: u16 },
    /// `X[a]` := `Y[y]`.
    PutY { a: u16, y: u16 },
    /// `X[x]` := new variable.
    PutVarX { x: u16 },
    /// `Y[y]` := `X[a]` := new variable.
    PutVarY { y: u16, a: u16 },
    /// `Y[y]` := new variable.
    InitY { y: u16 },
    /// `X[a]` := an atom.
    PutAtom { a: u16, atom: u32 },
    /// `X[a]` := an integer.
    PutInt { a: u16, value: i32 },
    /// `X[a]` := a copy of a literal.
    PutLiteral { a: u16, literal: u32 },
    /// `X[a]` := list cell at the top of the heap; `Set…` fill it in.
    PutList { a: u16 },
    /// `X[a]` := compound at the top of the heap; pushes the header.
    PutStruct { a: u16, f: u32 },
    /// `X[a]` := '.'(`X[h]`, `X[t]`).
    PutListXX { a: u16, h: u16, t: u16 },
    // --- body: push the next cell ----------------------------------------------
    /// `X[x]` := a new variable, which is the next cell.
    SetVarX { x: u16 },
    /// `Y[y]` := a new variable, which is the next cell.
    SetVarY { y: u16 },
    /// Pushes `X[x]`.
    SetX { x: u16 },
    /// Pushes `Y[y]`.
    SetY { y: u16 },
    /// Pushes an atom.
    SetAtom { atom: u32 },
    /// Pushes an integer.
    SetInt { value: i32 },
    /// Pushes `n` new variables.
    SetVoid { n: u32 },
    /// Pushes a list pointer to the cell `by` further on.
    SetListAt { by: u32 },
    /// Pushes a compound pointer to the header `by` further on.
    SetStructAt { by: u32 },
    /// Pushes a functor header.
    SetHeader { f: u32 },
    // --- pairs (made by the compiler's last pass) ---------------------------------
    /// `PutY`, twice.
    PutYY { a: u8, y: u8, b: u8, z: u8 },
    /// `GetVarY`, twice.
    GetVarYY { y: u8, a: u8, z: u8, b: u8 },
    /// `Move`, twice.
    MoveMove { d: u8, x: u8, e: u8, w: u8 },
    /// `SetY`, twice.
    SetYY { y: u16, z: u16 },
    /// `SetVarY`, twice.
    SetVarYVarY { y: u16, z: u16 },
    /// `SetX`, twice.
    SetXX { x: u16, w: u16 },
    /// `UnifyVarX`, twice.
    UnifyVarXX { x: u16, w: u16 },
    /// `Deallocate`, `Execute`.
    DeallocateExecute { pred: u32 },
    /// `Deallocate`, `Proceed`.
    DeallocateProceed,
    // --- control ----------------------------------------------------------------
    /// New environment with n Y registers.
    Allocate { n: u16 },
    /// Drops the environment.
    Deallocate,
    /// Calls a predicate; `live`: Y registers needed later; `stub`: it returns to the stub of the place behind it.
    Call { stub: bool, live: u16, pred: u32 },
    /// Jumps to a predicate: the last call.
    Execute { pred: u32 },
    /// Returns.
    Proceed,
    /// Goes on elsewhere.
    Jump { to: u32 },
    /// Backtracks.
    Fail,
    /// Pushes a choice point of the current environment that goes on at `to`; with `stub` at its stub.
    TryElse { stub: bool, live: u16, to: u32 },
    /// `Y[y]` := height of the choice stack.
    Mark { y: u16 },
    /// Drops choice points above the height in `Y[y]`.
    CutTo { y: u16 },
    /// Makes the choice point just above the height in `Y[y]` a dead end (`*->`).
    SoftCut { y: u16 },
    /// Does what is pending since the unification before, since another one follows.
    Wake,
    /// Drops choice points made since the predicate was called; no environment yet.
    CutNeck,
    /// The same, from the environment.
    Cut,
    // --- tests and arithmetic ----------------------------------------------------
    /// Tests the type of a slot.
    Type { test: TypeTest, slot: Slot, else_by: u16 },
    /// Compares the values of two expressions.
    CompareNumbers { relation: Relation, a: Slot, b: Slot, else_by: u16 },
    /// Compares two terms in standard order.
    CompareTerms { relation: Relation, a: Slot, b: Slot, else_by: u16 },
    /// `X[d]` := value of the expression in a slot.
    Eval { d: u16, a: Slot },
    /// `X[d]` := the sum of two slots.
    Add { d: u16, a: Slot, b: Slot },
    /// `X[d]` := the difference of two slots.
    Subtract { d: u16, a: Slot, b: Slot },
    /// `X[d]` := the value of an operation of one argument.
    Arith1 { op: Op1, d: u16, a: Slot },
    /// `X[d]` := the value of an operation of two arguments.
    Arith2 { op: Op2, d: u16, a: Slot, b: Slot },
    /// A deterministic built-in on `X[base]`, `X[base+1]`, …
    Builtin { id: u16, base: u16, else_by: u16 },
    // --- all solutions -------------------------------------------------------------
    /// Opens a bag.
    BagOpen,
    /// Copies `X[x]` into the innermost bag.
    BagAdd { x: u16 },
    /// `X[d]` := list of the bag's terms; closes it.
    BagClose { d: u16 },
    // --- entries of predicates -----------------------------------------------------
    /// No clauses and not declared.
    Undefined { pred: u32 },
    /// A predicate is entered that must have exactly one answer.
    DetEntry { pred: u32 },
    /// `$/1`: the goal in `X[0]` must have exactly one answer.
    DetCall,
    /// A goal that must have exactly one answer has one.
    DetExit,
    /// The last call behind `$/0`.
    GuardExecute { pred: u32 },
    /// What is behind `$/0` has an answer: drops the choice point above the height in `Y[y]`, which must be the last.
    GuardExit { y: u16 },
    /// What is behind `$/0` has no answer.
    GuardFail,
    /// No rule of a predicate matches `X[0]`….
    NoRule { pred: u32 },
    /// Clauses not compiled yet.
    Link { pred: u32 },
    /// Selects among the clauses of a static predicate.
    Switch { table: u32 },
    /// Tries all clauses of a static predicate: no argument tells them apart.
    /// Their number, then their addresses are at `at` in the tables of clauses.
    TryAll { arity: u16, at: u32 },
    /// Selects among the live clauses of a dynamic predicate.
    Dynamic { pred: u32 },
    /// A built-in called as a predicate: arguments `X[0]`…, then return.
    BuiltinEntry { id: u16 },
    /// `call/n`: `X[0]` is the goal.
    MetaCall { n: u16 },
    /// `'$call_body'/2`: `X[0]` is a goal, `X[1]` the height that `!` cuts to.
    MetaBody,
    /// `between/3`.
    Between,
    /// `'$walk'/4`: clauses as data.
    Walk,
    /// `catch/3`, first half: the environment is in place, `Y[0]` gets the mark.
    CatchEnter,
    /// `catch/3`, second half: the goal has succeeded.
    CatchExit,
    /// `throw/1`.
    Throw,
    /// A predicate of the user whose calls are observed.
    Hook { pred: u32 },
    /// Where a predicate returns to whose calls are profiled: `DeallocateProceed`.
    HookReturn { pred: u32 },
    /// `'$traced_original'/1`: `X[0]` is a goal whose predicate is hooked.
    Original,
    /// A predicate of the user whose answers are kept in tables.
    Tabled { pred: u32 },
    /// `'$table_body'/1`: `X[0]` is a goal whose predicate is tabled, or the frames of a consumer.
    TableBody,
    /// `'$table_consume'/2`: the answers of a table, now or when they are found.
    TableConsume,
    /// `'$table_exhausted'/1`: a call has taken the answers that a table has; fails.
    TableExhausted,
    /// `reset/3`, `'$table_run'/3`: the environment is in place, and gets what delimits.
    Delimit,
    /// `reset/3`, second half: the goal has succeeded.
    ResetExit,
    /// `shift/1`: `X[0]` is the ball.
    Shift,
    /// `call_continuation/1`: `X[0]` is the list of frames.
    CallContinuation,
    /// What was pending before a goal is done: restores the registers that the environment kept.
    WakeReturn,
    /// The query has an answer.
    Stop,
}

const _: () = assert!(size_of::<Instr>() == 8);

/// A register of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// An argument or temporary.
    X(u16),
    /// One of the environment.
    Y(u16),
}

/// What an instruction does with a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads it.
    Use,
    /// Gives it a value that does not depend on the old one.
    Define,
}

impl Slot {
    fn register(self) -> Option<Register> {
        match self.0 {
            x if x < Self::Y => Some(Register::X(x)),
            y if y < Self::CONST => Some(Register::Y(y - Self::Y)),
            _ => None,
        }
    }
}

impl Instr {
    /// The two instructions that a pair stands for.
    pub(super) fn halves(&self) -> Option<[Instr; 2]> {
        use Instr::{GetVarY, Move, PutY, SetVarY, SetX, SetY, UnifyVarX};
        let wide = u16::from;
        Some(match *self {
            Instr::PutYY { a, y, b, z } => {
                [PutY { a: wide(a), y: wide(y) }, PutY { a: wide(b), y: wide(z) }]
            }
            Instr::GetVarYY { y, a, z, b } => {
                [GetVarY { y: wide(y), a: wide(a) }, GetVarY { y: wide(z), a: wide(b) }]
            }
            Instr::MoveMove { d, x, e, w } => {
                [Move { d: wide(d), x: wide(x) }, Move { d: wide(e), x: wide(w) }]
            }
            Instr::SetYY { y, z } => [SetY { y }, SetY { y: z }],
            Instr::SetVarYVarY { y, z } => [SetVarY { y }, SetVarY { y: z }],
            Instr::SetXX { x, w } => [SetX { x }, SetX { x: w }],
            Instr::UnifyVarXX { x, w } => [UnifyVarX { x }, UnifyVarX { x: w }],
            Instr::DeallocateExecute { pred } => [Instr::Deallocate, Instr::Execute { pred }],
            Instr::DeallocateProceed => [Instr::Deallocate, Instr::Proceed],
            _ => return None,
        })
    }

    /// Calls `visit` with the registers that it reads or writes. `arity` knows predicates, `builtin` built-ins.
    pub fn registers(
        &self,
        arity: impl Fn(u32) -> usize,
        builtin: impl Fn(u16) -> usize,
        mut visit: impl FnMut(Access, Register),
    ) {
        let Some([first, second]) = self.halves() else {
            return self.own_registers(&arity, &builtin, &mut visit);
        };
        let mut defined = Vec::new();
        first.own_registers(&arity, &builtin, &mut |access, register| {
            defined.extend((access == Access::Define).then_some(register));
            visit(access, register);
        });
        // The second half may read what the first has written.
        second.own_registers(&arity, &builtin, &mut |access, register| {
            if access == Access::Define || !defined.contains(&register) {
                visit(access, register);
            }
        });
    }

    /// As [`Instr::registers`], of an instruction that is no pair.
    fn own_registers(
        &self,
        arity: &dyn Fn(u32) -> usize,
        builtin: &dyn Fn(u16) -> usize,
        visit: &mut dyn FnMut(Access, Register),
    ) {
        use Access::{Define, Use};
        use Register::{X, Y};
        let mut each = |uses: &[Register], defines: &[Register]| {
            uses.iter().for_each(|&register| visit(Use, register));
            defines.iter().for_each(|&register| visit(Define, register));
        };
        let of_slots = |slots: &[Slot]| -> Vec<Register> {
            slots.iter().filter_map(|slot| slot.register()).collect()
        };
        let from =
            |first: u16, count: usize| -> Vec<Register> { (first..).take(count).map(X).collect() };
        match *self {
            Instr::GetVarY { y, a } => each(&[X(a)], &[Y(y)]),
            Instr::GetValX { x, a } => each(&[X(x), X(a)], &[]),
            Instr::GetValY { y, a } => each(&[Y(y), X(a)], &[]),
            Instr::GetAtom { a, .. }
            | Instr::GetInt { a, .. }
            | Instr::GetLiteral { a, .. }
            | Instr::GetList { a }
            | Instr::GetStruct { a, .. } => each(&[X(a)], &[]),
            Instr::GetListXX { a, h, t } => each(&[X(a)], &[X(h), X(t)]),
            Instr::GetListVX { a, h, t } => each(&[X(a), X(h)], &[X(t)]),
            Instr::UnifyVarX { x } | Instr::SetVarX { x } | Instr::PutVarX { x } => {
                each(&[], &[X(x)]);
            }
            Instr::UnifyVarY { y }
            | Instr::SetVarY { y }
            | Instr::InitY { y }
            | Instr::Mark { y } => each(&[], &[Y(y)]),
            Instr::UnifyValX { x } | Instr::SetX { x } | Instr::BagAdd { x } => each(&[X(x)], &[]),
            Instr::UnifyValY { y }
            | Instr::SetY { y }
            | Instr::CutTo { y }
            | Instr::SoftCut { y }
            | Instr::GuardExit { y } => each(&[Y(y)], &[]),
            Instr::Move { d, x } => each(&[X(x)], &[X(d)]),
            Instr::PutY { a, y } => each(&[Y(y)], &[X(a)]),
            Instr::PutVarY { y, a } => each(&[], &[Y(y), X(a)]),
            Instr::PutAtom { a, .. }
            | Instr::PutInt { a, .. }
            | Instr::PutLiteral { a, .. }
            | Instr::PutList { a }
            | Instr::PutStruct { a, .. } => each(&[], &[X(a)]),
            Instr::PutListXX { a, h, t } => each(&[X(h), X(t)], &[X(a)]),
            Instr::Call { pred, .. } | Instr::Execute { pred } | Instr::GuardExecute { pred } => {
                each(&from(0, arity(pred)), &[])
            }
            Instr::Type { slot, .. } => each(&of_slots(&[slot]), &[]),
            Instr::CompareNumbers { a, b, .. } | Instr::CompareTerms { a, b, .. } => {
                each(&of_slots(&[a, b]), &[]);
            }
            Instr::Eval { d, a } | Instr::Arith1 { d, a, .. } => each(&of_slots(&[a]), &[X(d)]),
            Instr::Add { d, a, b }
            | Instr::Subtract { d, a, b }
            | Instr::Arith2 { d, a, b, .. } => each(&of_slots(&[a, b]), &[X(d)]),
            Instr::Builtin { id, base, .. } => each(&from(base, builtin(id)), &[]),
            Instr::BagClose { d } => each(&[], &[X(d)]),
            Instr::CatchEnter => each(&[X(0), X(1), X(2)], &[Y(0)]),
            Instr::CatchExit | Instr::DetExit => each(&[Y(0)], &[]),
            Instr::DetCall => each(&[X(0)], &[]),
            Instr::Delimit => each(&[X(0), X(1), X(2)], &[Y(0), Y(1), Y(2)]),
            Instr::ResetExit => each(&[Y(1)], &[]),
            // The others have no registers of a clause: they cut, jump, push constants, or stand at entries of predicates.
            _ => {}
        }
    }

    /// Whether it goes on in the compound that a `Get…` before it matches.
    pub(super) fn is_part(&self) -> bool {
        matches!(
            self,
            Instr::UnifyVarX { .. }
                | Instr::UnifyVarXX { .. }
                | Instr::UnifyVarY { .. }
                | Instr::UnifyValX { .. }
                | Instr::UnifyValY { .. }
                | Instr::UnifyAtom { .. }
                | Instr::UnifyInt { .. }
                | Instr::UnifyVoid { .. }
                | Instr::UnifyTailList
                | Instr::UnifyTailStruct { .. }
        )
    }

    /// Where it may jump to within its clause, as instruction `at` of the code that begins at `start`.
    pub(super) fn target(&self, at: usize, start: u32) -> Option<usize> {
        match *self {
            Instr::Jump { to } | Instr::TryElse { to, .. } => Some((to - start) as usize),
            Instr::Type { else_by, .. }
            | Instr::CompareNumbers { else_by, .. }
            | Instr::CompareTerms { else_by, .. }
            | Instr::Builtin { else_by, .. } => {
                (else_by != FAIL).then(|| at + 1 + usize::from(else_by))
            }
            _ => None,
        }
    }

    /// Has it jump elsewhere within its clause; false if that is too far for its field.
    pub(super) fn set_target(&mut self, at: usize, target: usize) -> bool {
        match self {
            Instr::Jump { to } | Instr::TryElse { to, .. } => *to = target as u32,
            Instr::Type { else_by, .. }
            | Instr::CompareNumbers { else_by, .. }
            | Instr::CompareTerms { else_by, .. }
            | Instr::Builtin { else_by, .. } => {
                let Ok(by) = u16::try_from(target - at - 1) else { return false };
                *else_by = by;
            }
            other => unreachable!("{other:?} has no target"),
        }
        true
    }

    /// Where a clause may go on behind its instruction `at`, counted from its first, which stands at `start`.
    pub(super) fn successors(&self, at: usize, start: u32) -> impl Iterator<Item = usize> + use<> {
        let ends = matches!(
            self,
            Instr::Execute { .. }
                | Instr::GuardExecute { .. }
                | Instr::GuardFail
                | Instr::DeallocateExecute { .. }
                | Instr::Proceed
                | Instr::DeallocateProceed
                | Instr::Fail
                | Instr::Throw
                | Instr::ResetExit
                | Instr::Stop
                | Instr::Jump { .. }
        );
        (!ends).then_some(at + 1).into_iter().chain(self.target(at, start))
    }
}
