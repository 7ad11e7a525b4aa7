//! The built-ins that have a symbolic form, by name and arity.

use rustc_hash::FxHashMap;
use zug_term::symbol::{Atom, Symbols};

/// A built-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Unify,
    NotUnify,
    Identical,
    NotIdentical,
    /// Standard order: `@<`, or `@>` with `swap`; negated for `@>=` and `@=<`.
    Before {
        swap: bool,
        negate: bool,
    },
    Compare,
    Is,
    /// Arithmetic order, likewise.
    Less {
        swap: bool,
        negate: bool,
    },
    NumEqual,
    NumNotEqual,
    /// Of one of these kinds of constants; `compound` too.
    Type(TypeTest),
    Ground,
    Functor,
    Arg,
    /// The arguments of a term with their places.
    Arguments,
    Univ,
    CopyTerm,
    Findall,
    FindallTail,
    Forall,
    Not,
    Once,
    Ignore,
    Catch,
    AggregateAll,
    Between,
    Length,
    MemberCheck,
    SumList,
    MaxList,
    MinList,
    Reversed,
    Nth,
    Member,
    /// The elements of a list with their places, counted from here.
    Element(i64),
    /// The elements of a list for which a goal holds, for which it does not, or that are no such
    /// term: list, goal or term, those elements.
    Filter(Filter),
    Sort,
    Msort,
    ListToSet,
    Succ,
    Plus,
    /// A check that raises an error unless the argument is a list or may become one.
    PartialList,
    IsList,
    NumList,
}

/// Which elements are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filter {
    Include,
    Exclude,
    Delete,
}

/// A test of what a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeTest {
    Var,
    Nonvar,
    Atom,
    Integer,
    Number,
    Float,
    Atomic,
    Compound,
    Callable,
    Text,
}

/// The table.
pub struct Ops(FxHashMap<(Atom, usize), Op>);

impl Ops {
    /// The table for one table of symbols.
    pub fn new(symbols: &mut Symbols) -> Ops {
        use TypeTest as T;
        let before = |swap, negate| Op::Before { swap, negate };
        let less = |swap, negate| Op::Less { swap, negate };
        let table = [
            ("=", 2, Op::Unify),
            ("\\=", 2, Op::NotUnify),
            ("==", 2, Op::Identical),
            ("\\==", 2, Op::NotIdentical),
            ("@<", 2, before(false, false)),
            ("@>", 2, before(true, false)),
            ("@>=", 2, before(false, true)),
            ("@=<", 2, before(true, true)),
            ("compare", 3, Op::Compare),
            ("is", 2, Op::Is),
            ("<", 2, less(false, false)),
            (">", 2, less(true, false)),
            (">=", 2, less(false, true)),
            ("=<", 2, less(true, true)),
            ("=:=", 2, Op::NumEqual),
            ("=\\=", 2, Op::NumNotEqual),
            ("var", 1, Op::Type(T::Var)),
            ("nonvar", 1, Op::Type(T::Nonvar)),
            ("atom", 1, Op::Type(T::Atom)),
            ("integer", 1, Op::Type(T::Integer)),
            ("number", 1, Op::Type(T::Number)),
            ("float", 1, Op::Type(T::Float)),
            ("atomic", 1, Op::Type(T::Atomic)),
            ("compound", 1, Op::Type(T::Compound)),
            ("callable", 1, Op::Type(T::Callable)),
            ("string", 1, Op::Type(T::Text)),
            ("ground", 1, Op::Ground),
            ("functor", 3, Op::Functor),
            ("$arg", 3, Op::Arg),
            ("arg", 3, Op::Arguments),
            ("=..", 2, Op::Univ),
            ("copy_term", 2, Op::CopyTerm),
            ("findall", 3, Op::Findall),
            ("findall", 4, Op::FindallTail),
            ("forall", 2, Op::Forall),
            ("not", 1, Op::Not),
            ("once", 1, Op::Once),
            ("ignore", 1, Op::Ignore),
            ("catch", 3, Op::Catch),
            ("aggregate_all", 3, Op::AggregateAll),
            ("between", 3, Op::Between),
            ("length", 2, Op::Length),
            ("member", 2, Op::Member),
            ("memberchk", 2, Op::MemberCheck),
            ("sum_list", 2, Op::SumList),
            ("sumlist", 2, Op::SumList),
            ("max_list", 2, Op::MaxList),
            ("min_list", 2, Op::MinList),
            ("$reversed", 2, Op::Reversed),
            ("$nth0", 3, Op::Nth),
            ("nth0", 3, Op::Element(0)),
            ("nth1", 3, Op::Element(1)),
            ("$include", 3, Op::Filter(Filter::Include)),
            ("$exclude", 3, Op::Filter(Filter::Exclude)),
            ("delete", 3, Op::Filter(Filter::Delete)),
            ("sort", 2, Op::Sort),
            ("msort", 2, Op::Msort),
            ("list_to_set", 2, Op::ListToSet),
            ("succ", 2, Op::Succ),
            ("plus", 3, Op::Plus),
            ("$must_be_partial_list", 1, Op::PartialList),
            ("is_list", 1, Op::IsList),
            ("numlist", 3, Op::NumList),
        ];
        Ops(table
            .into_iter()
            .map(|(name, arity, op)| ((symbols.intern(name), arity), op))
            .collect())
    }

    /// The built-in of this name and arity.
    pub fn get(&self, name: Atom, arity: usize) -> Option<Op> {
        self.0.get(&(name, arity)).copied()
    }
}
