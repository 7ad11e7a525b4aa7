//! Limits of symbolic runs and of the programs made of them, in one table.
//!
//! Each bounds work or memory that would grow faster than what comes of it. Beyond a limit rules are left to the machine,
//! or the program is a larger or slower one; answers stay the same. What work costs, and when code is made, is in the
//! cost model of the crate that makes it.

// Terms and conditions.

/// Alternatives of a choice, or values of a number, that are told apart one by one.
pub const ALTERNATIVES: usize = 256;
/// The same where each takes a test or an operation of its own.
pub const FEW_ALTERNATIVES: usize = 64;
/// Alternatives of one choice that are computed with one by one;
pub const COMPUTED: usize = 32;
/// of two choices about the same leaves,
pub const PAIRS: usize = 12;
/// and of two choices about different leaves.
pub const INDEPENDENT_PAIRS: usize = 4;
/// Values that two leaves have in common up to which they are compared value by value.
pub const COMPARED: usize = 3;
/// Ways of a disjunction up to which two adjoining ones are made one;
pub const ADJOINED: usize = 48;
/// and literals of such a way, or by which one of many ways is told from the others.
pub const LITERALS: usize = 4;
/// Elements of a list whose order depends on the state, where it is sorted.
pub const SORTED: usize = 12;
/// Powers up to which multiplying is written out.
pub const FACTORS: i64 = 8;

// Depth.

/// Nesting of structures and of conditions: symbolic work recurses on them.
pub const TERM_DEPTH: u32 = 200;
/// Nesting of sums, before they are rebalanced.
pub const SUM_DEPTH: u32 = 64;
/// Nesting looked at where a hint is enough,
pub const SHALLOW: u32 = 4;
/// and where each level has many alternatives.
pub const SHALLOWEST: u32 = 2;
/// Nesting of what is told by cases.
pub const CASE_DEPTH: usize = 500;
/// Nesting of calls and control in a symbolic run;
pub const CALL_DEPTH: u32 = 6_000;
/// and of calls that programs leave to other programs.
pub const NESTED_CALLS: u32 = 64;
/// Bytes of stack below which more is taken,
pub const STACK_LEFT: usize = 1 << 20;
/// and how much more.
pub const STACK_MORE: usize = 16 << 20;

// Size of what is made.

/// Answers, calls, rows of a table or leaves of one program.
pub const ANSWERS: usize = 4096;
/// Answers of folds, which are made one by one for what is searched.
pub const FOLDED_ANSWERS: usize = 1 << 15;
/// Answers that calls of a predicate would come to, before it is called later;
pub const CALLED_ANSWERS: usize = 2 * ANSWERS;
/// answers of each call of a predicate, at least, where it is estimated how many there will be.
pub const BRANCHES: usize = 2;
/// Calls of a predicate by itself, on other states each time, before it is called later.
pub const RECURSIONS: usize = 32;
/// Pairs of numbers, or plans of terms, of one table.
pub const TABLE_ROWS: usize = 1 << 14;
/// Rows of all tables of a set of operators.
pub const ALL_ROWS: usize = 2_000_000;
/// Work for one program.
pub const STEPS: u64 = 4_000_000;
/// Blocks and steps compiled to native code,
pub const NATIVE_PARTS: usize = 100_000;
/// and words that the moves of one of its runs take.
pub const NATIVE_ROOM: usize = 1 << 16;
/// Shapes of states of which it is kept what was found out.
pub const SHAPES: usize = 16;

// Rounds.

/// Rounds in which what leaves may be grows by what moves lead to, before what goes on growing is open;
pub const ROUNDS: usize = 12;
/// all rounds;
pub const MOST_ROUNDS: usize = 40;
/// and rounds after which numbers that moves compute are expected to stay within those met.
pub const FREE_ROUNDS: usize = 2;
/// Times that code is made again for one shape because leaves had other values.
pub const REMADE: u32 = 7;
/// Changes of a program, after which no code is made any more.
pub const CHANGES: u32 = 4;

// What states look like.

/// Leaves of a shape that are taken for counters.
pub const COUNTERS: usize = 4;
/// Integers farther apart than this are no rows and columns.
pub const COORDINATES: i64 = 32;
/// Shorter lists are pairs and triples, whose elements differ in meaning, but for three rows of three.
pub const TUPLE: usize = 4;
/// Elements of a list, or of the lists in one, that are the squares of a board, at least.
pub const BOARD: usize = 8;
/// A leaf that occurs in more than this multiple of the median leaf's conditions is not a place of a board,
pub const COMMON: usize = 4;
/// and one leaf in this many, at most: more of them may be the board itself.
pub const FEW_COMMON: usize = 8;

// What is worth it.

/// Ways run as one, on average, and answers gone through by the places of a plane, at least.
pub const FEWEST_FOLDED: usize = 4;
/// Conditions asked together, and places of one leaf told apart by where it is, at least.
pub const FEWEST_TOGETHER: usize = 3;
/// Parts of a condition that is asked as a whole.
pub const CONDITION_PARTS: usize = 12;
/// Operations on single leaves that weigh as much as one on planes.
pub const PLANE_WEIGHT: usize = 2;
