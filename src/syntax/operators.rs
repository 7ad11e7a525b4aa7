//! The operator table: what `op/3` changes and `current_op/3` enumerates.
//!
//! ISO/IEC 13211-1, 6.3.4.4 (table 7) and 8.14.3, with the further operators of
//! SWI-Prolog. The comma is an operator that can't be changed; `|` is one of
//! priority 1100 that reads as `;`.

use rustc_hash::FxHashMap;
use zug_term::symbol::{Atom, Symbols, atoms};

/// Class and associativity of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum OpKind {
    /// Prefix; the argument has lower priority.
    Fx,
    /// Prefix; the argument has lower or the same priority.
    Fy,
    /// Infix, not associative.
    Xfx,
    /// Infix, associating to the right.
    Xfy,
    /// Infix, associating to the left.
    Yfx,
    /// Postfix; the argument has lower priority.
    Xf,
    /// Postfix; the argument has lower or the same priority.
    Yf,
}

impl OpKind {
    /// All kinds.
    pub const ALL: [OpKind; 7] =
        [OpKind::Fx, OpKind::Fy, OpKind::Xfx, OpKind::Xfy, OpKind::Yfx, OpKind::Xf, OpKind::Yf];

    /// The specifier's name: `xfx`.
    pub fn name(self) -> &'static str {
        match self {
            OpKind::Fx => "fx",
            OpKind::Fy => "fy",
            OpKind::Xfx => "xfx",
            OpKind::Xfy => "xfy",
            OpKind::Yfx => "yfx",
            OpKind::Xf => "xf",
            OpKind::Yf => "yf",
        }
    }

    /// The kind with a specifier's name.
    pub fn from_name(name: &str) -> Option<OpKind> {
        OpKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn class(self) -> usize {
        match self {
            OpKind::Fx | OpKind::Fy => 0,
            OpKind::Xfx | OpKind::Xfy | OpKind::Yfx => 1,
            OpKind::Xf | OpKind::Yf => 2,
        }
    }
}

/// An operator of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Op {
    /// Priority, 1 to 1200.
    pub priority: u16,
    /// Class and associativity.
    pub kind: OpKind,
}

impl Op {
    /// The highest priority a left argument may have; 0 for a prefix operator.
    pub fn left(self) -> u16 {
        match self.kind {
            OpKind::Fx | OpKind::Fy => 0,
            OpKind::Yfx | OpKind::Yf => self.priority,
            _ => self.priority - 1,
        }
    }
    /// The highest priority a right argument may have; 0 for a postfix operator.
    pub fn right(self) -> u16 {
        match self.kind {
            OpKind::Xf | OpKind::Yf => 0,
            OpKind::Xfy | OpKind::Fy => self.priority,
            _ => self.priority - 1,
        }
    }
}

/// Why `op/3` refuses, each named by the ISO error it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpError {
    /// `domain_error(operator_priority, P)`
    #[error("an operator's priority is a number from 0 to 1200")]
    Priority,
    /// `permission_error(modify, operator, Name)`
    #[error("this operator can't be changed")]
    Modify,
    /// `permission_error(create, operator, Name)`
    #[error("this can't be made such an operator")]
    Create,
}

/// The operators in force, by name and class.
#[derive(Clone, Debug)]
pub struct Operators {
    /// Prefix, infix and postfix meaning of a name.
    table: FxHashMap<Atom, [Option<Op>; 3]>,
}

/// Priority, specifier and names of the operators every session starts with.
const STANDARD: &[(u16, OpKind, &str)] = &[
    (1200, OpKind::Xfx, ":- --> => ?=> ==>"),
    (1200, OpKind::Fx, ":- ?-"),
    (1100, OpKind::Xfy, "; |"),
    (1050, OpKind::Xfy, "-> *->"),
    (1000, OpKind::Xfy, ","),
    (800, OpKind::Xfx, ":="),
    (900, OpKind::Fy, "\\+"),
    (700, OpKind::Xfx, "= \\= == \\== @< @> @=< @>= =.. is =:= =\\= < > =< >= =@= \\=@= as >:< :<"),
    (600, OpKind::Xfy, ":"),
    (500, OpKind::Yfx, "+ - /\\ \\/"),
    (400, OpKind::Yfx, "* / // mod rem div rdiv << >> xor"),
    (200, OpKind::Xfx, "**"),
    (200, OpKind::Xfy, "^"),
    (200, OpKind::Fy, "- + \\"),
    (1, OpKind::Fx, "$"),
    (
        1150,
        OpKind::Fx,
        "dynamic discontiguous initialization meta_predicate module_transparent multifile public \
         table thread_initialization thread_local volatile",
    ),
];

impl Operators {
    /// The standard operators.
    pub fn standard(symbols: &mut Symbols) -> Operators {
        let mut operators = Operators { table: FxHashMap::default() };
        for &(priority, kind, names) in STANDARD {
            for name in names.split_ascii_whitespace() {
                operators.set(priority, kind, symbols.intern(name));
            }
        }
        operators
    }

    fn set(&mut self, priority: u16, kind: OpKind, name: Atom) {
        let entry = self.table.entry(name).or_default();
        entry[kind.class()] = (priority > 0).then_some(Op { priority, kind });
        if entry.iter().all(Option::is_none) {
            self.table.remove(&name);
        }
    }

    /// Makes `name` an operator, changes it, or with priority 0 ends its being one.
    pub fn define(&mut self, priority: i64, kind: OpKind, name: Atom) -> Result<(), OpError> {
        let priority = match u16::try_from(priority) {
            Ok(priority) if priority <= 1200 => priority,
            _ => return Err(OpError::Priority),
        };
        if name == atoms::COMMA {
            return Err(OpError::Modify);
        }
        if name == atoms::NIL || name == atoms::CURLY {
            return Err(OpError::Create);
        }
        if name == atoms::BAR && (kind.class() != 1 || (1..=1000).contains(&priority)) {
            return Err(OpError::Create);
        }
        // No name is an infix and a postfix operator (ISO 6.3.4.3).
        let other = match kind.class() {
            1 => self.postfix(name),
            2 => self.infix(name),
            _ => None,
        };
        if priority > 0 && other.is_some() {
            return Err(OpError::Create);
        }
        self.set(priority, kind, name);
        Ok(())
    }

    /// The prefix operator of this name.
    #[inline]
    pub fn prefix(&self, name: Atom) -> Option<Op> {
        self.table.get(&name)?[0]
    }
    /// The infix operator of this name.
    #[inline]
    pub fn infix(&self, name: Atom) -> Option<Op> {
        self.table.get(&name)?[1]
    }
    /// The postfix operator of this name.
    #[inline]
    pub fn postfix(&self, name: Atom) -> Option<Op> {
        self.table.get(&name)?[2]
    }
    /// Whether the name is an operator of any class.
    #[inline]
    pub fn is_op(&self, name: Atom) -> bool {
        self.table.contains_key(&name)
    }
    /// The highest priority the name has in any class, 0 if it is no operator.
    pub fn priority(&self, name: Atom) -> u16 {
        let ops = self.table.get(&name).into_iter().flatten().flatten();
        ops.map(|op| op.priority).max().unwrap_or(0)
    }

    /// All operators, in alphabetical order of name: what `current_op/3` enumerates.
    pub fn all(&self, symbols: &Symbols) -> Vec<(Atom, Op)> {
        let mut all: Vec<(Atom, Op)> = self
            .table
            .iter()
            .flat_map(|(&name, ops)| ops.iter().flatten().map(move |&op| (name, op)))
            .collect();
        all.sort_by(|a, b| (symbols.name(a.0), a.1.kind).cmp(&(symbols.name(b.0), b.1.kind)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn op_checks_its_arguments() {
        let mut symbols = Symbols::new();
        let mut ops = Operators::standard(&mut symbols);
        let mut check = |priority, kind, name: &str, expect| {
            let name = symbols.intern(name);
            assert_eq!(ops.define(priority, kind, name), expect);
        };
        check(1201, OpKind::Xfx, "foo", Err(OpError::Priority));
        check(-1, OpKind::Xfx, "foo", Err(OpError::Priority));
        check(200, OpKind::Xfx, ",", Err(OpError::Modify));
        check(200, OpKind::Xfx, "[]", Err(OpError::Create));
        check(1000, OpKind::Xfy, "|", Err(OpError::Create));
        check(1001, OpKind::Fy, "|", Err(OpError::Create));
        check(1001, OpKind::Xfy, "|", Ok(()));
        check(700, OpKind::Xfx, "===>", Ok(()));
        check(200, OpKind::Xf, "===>", Err(OpError::Create));
        check(0, OpKind::Xfx, "===>", Ok(()));
        check(200, OpKind::Xf, "===>", Ok(()));
    }

    #[test]
    fn priorities_of_arguments() {
        let op = |priority, kind| {
            let op = Op { priority, kind };
            (op.left(), op.right())
        };
        assert_eq!(op(700, OpKind::Xfx), (699, 699));
        assert_eq!(op(500, OpKind::Yfx), (500, 499));
        assert_eq!(op(200, OpKind::Xfy), (199, 200));
        assert_eq!(op(200, OpKind::Fy), (0, 200));
        assert_eq!(op(200, OpKind::Xf), (199, 0));
    }
}
