//! Atoms: interned text.
//!
//! An [`Atom`] is a small number; equal numbers mean equal text within one
//! [`Symbols`] table. Every session owns its table, so nothing leaks between
//! sessions. The names the program itself needs are interned first, in a fixed
//! order, and are constants of the module [`atoms`].
//!
//! Invariant: an atom, once interned, keeps its number for the table's life.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name. Order of atoms is *not* alphabetical: see [`Symbols::name`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom(pub u32);

/// The table from text to [`Atom`] and back.
#[derive(Clone)]
pub struct Symbols {
    names: Vec<Arc<str>>,
    index: FxHashMap<Arc<str>, Atom>,
    /// Bytes of text held, for memory limits.
    bytes: usize,
    /// Whether terms are ordered as the standard has it: all floats before all integers.
    pub floats_first: bool,
}

impl Default for Symbols {
    fn default() -> Self {
        Self::new()
    }
}

impl Symbols {
    /// A table that holds the atoms of [`atoms`] and nothing else.
    pub fn new() -> Self {
        let mut table = Symbols {
            names: Vec::new(),
            index: FxHashMap::default(),
            bytes: 0,
            floats_first: false,
        };
        for name in atoms::NAMES {
            table.intern(name);
        }
        table
    }

    /// The atom with this text, interned if it is new.
    pub fn intern(&mut self, name: &str) -> Atom {
        if let Some(&atom) = self.index.get(name) {
            return atom;
        }
        let atom = Atom(u32::try_from(self.names.len()).expect("fewer than 2^32 atoms"));
        let text: Arc<str> = Arc::from(name);
        self.bytes += name.len() + 64;
        self.names.push(text.clone());
        self.index.insert(text, atom);
        atom
    }

    /// The atom of one character.
    pub fn intern_char(&mut self, c: char) -> Atom {
        let mut buffer = [0; 4];
        self.intern(c.encode_utf8(&mut buffer))
    }

    /// The atom with this text, if it was interned before.
    pub fn lookup(&self, name: &str) -> Option<Atom> {
        self.index.get(name).copied()
    }

    /// The text of an atom.
    pub fn name(&self, atom: Atom) -> &str {
        &self.names[atom.0 as usize]
    }

    /// The text of an atom, shared: outlives a borrow of the table.
    pub fn shared(&self, atom: Atom) -> Arc<str> {
        self.names[atom.0 as usize].clone()
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never true: the predefined atoms are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Bytes held by the table, approximately.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Declares the predefined atoms: a constant for each and the list of names.
macro_rules! predefined {
    ($($constant:ident = $name:literal),* $(,)?) => {
        /// The atoms that the program itself refers to.
        #[allow(missing_docs, reason = "each constant is documented by the text it stands for")]
        pub mod atoms {
            use super::Atom;
            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "a counter, not a type anybody names")]
            #[repr(u32)]
            enum Order { $($constant),* }
            $(pub const $constant: Atom = Atom(Order::$constant as u32);)*
            pub(super) const NAMES: &[&str] = &[$($name),*];
        }
    };
}

predefined! {
    NIL = "[]", DOT = ".", CURLY = "{}", COMMA = ",", SEMICOLON = ";", BAR = "|",
    ARROW = "->", SOFT_ARROW = "*->", NECK = ":-", QUERY = "?-", DCG_ARROW = "-->",
    RDIV = "rdiv", NUMERATOR = "numerator", DENOMINATOR = "denominator", RATIONAL = "rational",
    RATIONALIZE = "rationalize",
    DOLLAR = "$", RULE = "=>", CHOICE_RULE = "?=>", DCG_RULE = "==>",
    ARG = "arg", CUT = "!", NOT_PROVABLE = "\\+", NOT = "not", CALL = "call", TRUE = "true", FAIL = "fail",
    FALSE = "false", ONCE = "once", IGNORE = "ignore", FORALL = "forall", FINDALL = "findall",
    CATCH = "catch", COLON = ":", CARET = "^", MINUS = "-", PLUS = "+", STAR = "*", LENGTH = "length",
    SLASH = "/", INT_DIVIDE = "//", MOD = "mod", REM = "rem", DIV = "div", POWER = "**",
    SHIFT_LEFT = "<<", SHIFT_RIGHT = ">>", BIT_AND = "/\\", BIT_OR = "\\/", BIT_NOT = "\\",
    XOR = "xor", MIN = "min", MAX = "max", ABS = "abs", SIGN = "sign", GCD = "gcd",
    LCM = "lcm", MSB = "msb", LSB = "lsb", POPCOUNT = "popcount", GETBIT = "getbit",
    TRUNCATE = "truncate", TRUNC = "trunc", CEILING = "ceiling", CEIL = "ceil", FLOOR = "floor", ROUND = "round",
    FLOAT_INTEGER_PART = "float_integer_part", FLOAT_FRACTIONAL_PART = "float_fractional_part",
    SQRT = "sqrt", SIN = "sin", COS = "cos", TAN = "tan", ASIN = "asin", ACOS = "acos", ATAN = "atan",
    ATAN2 = "atan2", SINH = "sinh", COSH = "cosh", TANH = "tanh", ASINH = "asinh", ACOSH = "acosh",
    ATANH = "atanh", COT = "cot", ACOT = "acot", EXP = "exp", LOG = "log", LOG2 = "log2", LOG10 = "log10",
    SUCC = "succ", SUCC_PLUS = "plus", EVAL = "eval", COPYSIGN = "copysign", NEXTTOWARD = "nexttoward",
    POWM = "powm",
    IS = "is", NUM_EQ = "=:=", NUM_NE = "=\\=", NUM_LT = "<", NUM_GT = ">", NUM_LE = "=<",
    NUM_GE = ">=", UNIFY = "=", NOT_UNIFY = "\\=", IDENTICAL = "==", NOT_IDENTICAL = "\\==",
    TERM_LT = "@<", TERM_GT = "@>", TERM_LE = "@=<", TERM_GE = "@>=", UNIV = "=..",
    VAR = "var", NONVAR = "nonvar", ATOM = "atom", NUMBER = "number", INTEGER = "integer",
    FLOAT = "float", ATOMIC = "atomic", COMPOUND = "compound", CALLABLE = "callable",
    STRING = "string", IS_LIST = "is_list", GROUND = "ground", LIST = "list",
    ERROR = "error", TYPE_ERROR = "type_error", DOMAIN_ERROR = "domain_error",
    EXISTENCE_ERROR = "existence_error", PERMISSION_ERROR = "permission_error",
    REPRESENTATION_ERROR = "representation_error", EVALUATION_ERROR = "evaluation_error",
    RESOURCE_ERROR = "resource_error", SYNTAX_ERROR = "syntax_error",
    INSTANTIATION_ERROR = "instantiation_error", UNINSTANTIATION_ERROR = "uninstantiation_error",
    CONTEXT = "context", EVALUABLE = "evaluable", PROCEDURE = "procedure",
    PREDICATE_INDICATOR = "predicate_indicator", CHARACTER = "character",
    CHARACTER_CODE = "character_code", IN_CHARACTER = "in_character", IN_BYTE = "in_byte",
    STREAM = "stream", STREAM_OR_ALIAS = "stream_or_alias", SOURCE_SINK = "source_sink",
    NOT_LESS_THAN_ZERO = "not_less_than_zero", MEMORY = "memory", UNKNOWN = "unknown",
    ZERO_DIVISOR = "zero_divisor", UNDEFINED = "undefined", FLOAT_OVERFLOW = "float_overflow",
    INT_OVERFLOW = "int_overflow", MAX_ARITY = "max_arity", MODIFY = "modify", ACCESS = "access",
    STATIC_PROCEDURE = "static_procedure", PRIVATE_PROCEDURE = "private_procedure",
    EMPTY = "", USER = "user", SYSTEM = "system", ENGINE = "engine",
    PI = "pi", E = "e", INF = "inf", INFINITE = "infinite", NAN = "nan", EPSILON = "epsilon",
    RANDOM = "random", RANDOM_FLOAT = "random_float", CPUTIME = "cputime", REALTIME = "realtime",
    MAX_TAGGED_INTEGER = "max_tagged_integer", MIN_TAGGED_INTEGER = "min_tagged_integer",
    MAX_INTEGER = "max_integer", MIN_INTEGER = "min_integer", END_OF_FILE = "end_of_file",
    VARNAME = "$VAR", DOLLAR_CALL_BODY = "$call_body", OFF = "off", ON = "on",
    INTERRUPTED = "$interrupted", OPERATOR = "operator", BOOLEAN = "boolean", BYTE = "byte",
    EOF = "eof", DYNAMIC = "dynamic", DISCONTIGUOUS = "discontiguous", INITIALIZATION = "initialization",
    TABLE = "table", ENSURE_LOADED = "ensure_loaded", INCLUDE = "include", CONSULT = "consult",
    USE_MODULE = "use_module", MODULE = "module", MULTIFILE = "multifile", TABLE_ANSWER = "$answer",
    ATT = "att", WAKEUP = "wakeup", CONT = "$cont$", RESET = "reset", SHIFT = "shift",
    CALL_CONTINUATION = "call_continuation", CONJUNCTION = "$conjunction", DISJUNCTION = "$disjunction",
    IF_THEN = "$if_then", IF_THEN_ELSE = "$if_then_else", SOFT_IF = "$soft_if",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_atoms_have_their_text() {
        let table = Symbols::new();
        assert_eq!(table.name(atoms::NIL), "[]");
        assert_eq!(table.name(atoms::MULTIFILE), "multifile");
        assert_eq!(table.len(), atoms::NAMES.len(), "no text twice");
    }

    #[test]
    fn interning_is_stable() {
        let mut table = Symbols::new();
        let a = table.intern("vide");
        assert_eq!(table.intern("vide"), a);
        assert_eq!(table.name(a), "vide");
        assert_eq!(table.lookup("unheard-of"), None);
    }
}
